//! Who leaves the hall, and comes back (Article 11.2.3).

use access::Right;
use arbiter_core::view::Phase;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tournament::{Act, Break, Refusal, Tournament};

use super::author::By;
use super::boards::bad;
use super::event::{Which, number, of_event};
use super::guard::have;
use super::notes::Named;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::office::legible;
use crate::people::Visitor;
use crate::reason::Reason;

/// The breaks of a player in a round.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Breaks")]
pub(super) struct Document {
    /// Who.
    player: Named,
    /// The table at which he plays.
    table: Option<u16>,
    /// He is out of the hall now.
    out: bool,
    /// How many seconds he was out, without the break that goes on.
    seconds: i64,
    /// Of how many breaks the record had it that he had the move when he left.
    having_move: usize,
    /// Each, in their order.
    breaks: Vec<Out>,
}

/// A time out of the hall.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OneBreak")]
struct Out {
    /// When he left, in RFC 3339.
    left: String,
    /// When he came back; `null` while he is out.
    back: Option<String>,
    /// How many seconds that was; `null` while he is out.
    seconds: Option<i64>,
    /// Whether he had the move when he left, as the record had it; `null` where nobody knows.
    having_move: Option<bool>,
}

/// Somebody leaves, or is back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// The player's starting number.
    player: u16,
    /// He leaves; else he is back.
    out: bool,
    /// When, in RFC 3339, of the last day: it may have been said without a line. Left out: now.
    #[serde(default)]
    at: Option<String>,
}

/// A break that is none.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoBreak {
    /// The player's starting number.
    player: u16,
    /// When he is said to have left, as the list has it; left out: the last time.
    left: Option<String>,
    /// Why it is none.
    #[serde(default)]
    reason: String,
}

impl Out {
    fn of(one: &Break) -> Out {
        let moment = |text: &str| text.parse::<Timestamp>().ok();
        let back = one.back.as_deref().and_then(moment);
        let both = moment(&one.left).zip(back);
        Out {
            left: one.left.clone(),
            back: one.back.clone(),
            seconds: both.map(|(left, back)| back.as_second() - left.as_second()),
            having_move: one.having_move,
        }
    }
}

impl Document {
    /// Of everybody who was out in a round, the lowest table first.
    fn all(event: &Tournament, round: u16) -> Result<Vec<Document>, Refusal> {
        if !event.rounds.contains_key(&round) {
            return Err(Refusal::NoRound(round));
        }
        let mut all: Vec<Document> = Vec::new();
        for one in event.breaks.iter().filter(|one| one.round == round) {
            let known = all.iter_mut().find(|d| d.player.is(one.player));
            match known {
                Some(document) => document.add(one),
                None => {
                    let mut document = Document::begin(event, one);
                    document.add(one);
                    all.push(document);
                }
            }
        }
        all.sort_by_key(|document| document.table);
        Ok(all)
    }

    fn begin(event: &Tournament, one: &Break) -> Document {
        let table = event.table_of_player(one.round, one.player);
        Document {
            player: Named::of(event, one.player),
            table: table.ok().flatten(),
            out: false,
            seconds: 0,
            having_move: 0,
            breaks: Vec::new(),
        }
    }

    fn add(&mut self, one: &Break) {
        let out = Out::of(one);
        self.out |= one.back.is_none();
        self.seconds += out.seconds.unwrap_or(0);
        self.having_move += usize::from(one.having_move == Some(true));
        self.breaks.push(out);
    }
}

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .get(
            "/api/rounds/{round}/breaks",
            all,
            "Who left the hall in a round, and for how long",
        )
        .about("Of the event at hand, or with `?event=1` of another of the store.")
        .gives("By table", json::<Vec<Document>>())
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
        .post(
            "/api/rounds/{round}/breaks",
            order,
            "Say that a player leaves the hall, or is back",
        )
        .about(
            "Whether he has the move then is seen in the record of his game; of what is said more \
             than five seconds later nobody knows it.",
        )
        .reads::<Order>("leaves", value!({ "player": 7, "out": true }))
        .gives("It is written down", json::<Vec<Document>>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .post(
            "/api/rounds/{round}/breaks/take-back",
            take_back,
            "Take a break back that was said by mistake, such as of another player",
        )
        .about("The one that began at `left`, else his last; whether he is back or not.")
        .reads::<NoBreak>(
            "break",
            value!({ "player": 7, "left": "2026-11-27T13:04:30.5Z", "reason": "it was player 8" }),
        )
        .gives("It is written down", json::<Vec<Document>>())
        .refuses(REFUSED)
}

/// What is said later than this is said late.
const LATE: SignedDuration = SignedDuration::from_secs(5);
const DAY: SignedDuration = SignedDuration::from_hours(24);

type Place = Result<Path<String>, PathRejection>;
type Done = Result<Json<Vec<Document>>, Problem>;

async fn all(State(desk): State<Desk>, round: Place, which: Which) -> Done {
    let round = number(&round?, "round")?;
    let book = desk.office.book();
    let event = book.nth(of_event(which)?)?;
    Ok(Json(Document::all(event, round)?))
}

async fn order(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Result<Json<Order>, JsonRejection>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(Order { player, out, at }) = body?;
    let now = Timestamp::now();
    let at = moment(at.as_deref(), now)?;
    let is_late = now.duration_since(at) > LATE;
    let event = desk.office.book().with_boards();
    let table = event.table_of_player(round, player)?;
    have(&visitor, Right::Rule, table.map(u32::from))?;
    let table = table.filter(|_| !is_late);
    let mut breaks = event.breaks.iter().rev();
    let last = breaks.find(|one| (one.round, one.player) == (round, player));
    let moment_of = |text: Option<&str>| text.and_then(|text| text.parse::<Timestamp>().ok());
    let back = moment_of(last.and_then(|one| one.back.as_deref()));
    if out && back.is_some_and(|back| at < back) {
        let text = "he has left and come back since then; look at it again";
        return Err(Problem::refused(Reason::new("break-meanwhile", text)));
    }
    let act = match out {
        true => Act::Leave {
            round,
            player,
            at: at.to_string(),
            having_move: table.and_then(|table| has_move(&desk, &event, (round, table), player)),
        },
        false => {
            let left = moment_of(last.map(|one| &*one.left));
            // Nobody is back before he has left, whoever has written down which.
            let at = left.map_or(at, |left| at.max(left)).to_string();
            Act::ComeBack { round, player, at }
        }
    };
    desk.office.act(&author, &[act]).await?;
    Ok(Json(Document::all(&desk.office.book().event, round)?))
}

async fn take_back(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Result<Json<NoBreak>, JsonRejection>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(NoBreak {
        player,
        left,
        reason,
    }) = body?;
    let book = desk.office.book();
    let table = book.event.table_of_player(round, player)?;
    have(&visitor, Right::Rule, table.map(u32::from))?;
    legible(&[("the reason", &reason)])?;
    let last = || {
        let mut breaks = book.event.breaks.iter().rev();
        let his = breaks.find(|one| (one.round, one.player) == (round, player));
        his.map(|one| one.left.clone())
    };
    let left = left.or_else(last);
    let left = left.ok_or(Refusal::NoBreak { round, player })?;
    let act = Act::TakeBreakBack {
        round,
        player,
        left,
        reason,
    };
    desk.office.act(&author, &[act]).await?;
    Ok(Json(Document::all(&desk.office.book().event, round)?))
}

/// When it was: not later than now, nor longer than a day ago.
fn moment(said: Option<&str>, now: Timestamp) -> Result<Timestamp, Problem> {
    let Some(said) = said else { return Ok(now) };
    let at: Timestamp = said
        .parse()
        .map_err(|_| bad(format!("at: `{said}` is no moment in RFC 3339")))?;
    match now.duration_since(at) {
        since if since > DAY => Err(bad(format!("at: {said} is longer than a day ago"))),
        since if since.is_negative() => Ok(now),
        _ => Ok(at),
    }
}

/// Whether a player has the move, as the board shows his game; `None` where no board does.
fn has_move(
    desk: &Desk,
    event: &Tournament,
    (round, table): (u16, u16),
    player: u16,
) -> Option<bool> {
    let pairing = event.pairing(round, table).ok()?;
    let board = desk.hall.board(event.boards.get(&table)?)?;
    let view = board.view()?;
    if pairing.game.as_deref() != Some(&*view.game) {
        return None;
    }
    let mover = match view.turn {
        arbiter_core::shakmaty::Color::White => Some(pairing.white),
        arbiter_core::shakmaty::Color::Black => pairing.black,
    };
    Some(view.state != Phase::Ended && mover == Some(player))
}
