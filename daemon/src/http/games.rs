//! Games of the journal: as JSON, as PGN, as event script.

use std::collections::{BTreeMap, BTreeSet};

use access::Sight;
use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::Irregularity;
use arbiter_core::settings::Language;
use arbiter_core::view::FindingStatus;
use arbiter_core::{Event, Input};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Desk;
use super::gallery::shorten;
use super::problem::{Problem, no_game};
use crate::hall::{self, Dismissals, View, rests_on_dismissed};
use crate::office::{Book, ResultSaid, page_of_game};
use crate::people::Visitor;
use crate::public::{Counts, Delay};
use crate::reason::Reason;
use crate::store::{Damage, Game, GameRow, StoreError};

/// The media type of a PGN.
pub(super) const PGN: &str = "application/x-chess-pgn";
/// The media type of an event script.
pub(super) const SCRIPT: &str = "application/x-ndjson";

/// All games, the newest first, as far as they are for whoever asks.
pub(super) async fn all(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Vec<Value>>, Problem> {
    let sight = Sight::of(visitor.who.role);
    let mut games = Vec::new();
    let proposed = match sight {
        Sight::Public => proposed(&desk).await?,
        _ => BTreeSet::new(),
    };
    for game in desk.hall.games().await? {
        // A person has the last word, whatever its board has shown.
        let book = desk.office.book();
        let said = book.result_of(&game.id);
        let result = match sight {
            // What the public is told late it does not find in the list before.
            Sight::Public => match public(&desk, &game) {
                Some(result) => result,
                None => continue,
            },
            _ => said,
        };
        // What a person has said counts once it is shown; until then there is none, and no end.
        let is_held = said.is_some_and(|said| said != "*") && result == Some("*");
        let is_proposed = is_held || (said.is_none() && proposed.contains(&game.id));
        let mut game = decided(game, result, &book);
        if is_proposed {
            (game.ended, game.result) = (None, "*".to_owned());
        }
        let mut game = serde_json::to_value(game).map_err(StoreError::from)?;
        if let Value::Object(fields) = &mut game {
            access::show("Game", sight, fields);
            if sight == Sight::Public {
                shorten(fields, desk.office.minors());
            }
        }
        games.push(game);
    }
    Ok(Json(games))
}

/// The games whose result waits for somebody to confirm it: to the public it is none.
async fn proposed(desk: &Desk) -> Result<BTreeSet<String>, StoreError> {
    let mut proposed = desk.hall.proposed().await?;
    for board in desk.hall.boards() {
        let Some(view) = board.view() else { continue };
        match view.result.is_some_and(|result| result.proposed) {
            true => _ = proposed.insert(view.game.clone()),
            false => _ = proposed.remove(&view.game),
        }
    }
    Ok(proposed)
}

/// With which result the public finds a game in the list; `Some(None)` is that of its board, and
/// `None`: not yet.
fn public(desk: &Desk, game: &GameRow) -> Option<Option<&'static str>> {
    let (rules, least) = desk.lateness()()?;
    let book = desk.office.book();
    let at = (game.board.as_str(), game.tags.round.as_str());
    let spot = desk.gate.spot(&book, &game.id, at);
    let counts = Counts::of(&book, &game.id, &rules);
    let ended = game.ended.as_deref();
    let ended = ended.and_then(|at| at.parse::<Timestamp>().ok());
    let ended = ended.map(Timestamp::as_millisecond);
    let said = counts.said();
    let is_said = said.is_some() || spot.event.seat_of(&game.id).is_none();
    let mut delay = spot.delay(&rules);
    let counted = said.or(ended.filter(|_| counts == Counts::Seen));
    if rules.ends_with_game && counted.is_some() {
        delay = Delay::default();
    }
    let least = i64::try_from(least.as_millis()).unwrap_or(i64::MAX);
    let (late, now) = (delay.ms.max(least), Timestamp::now().as_millisecond());
    let over = [ended, said].into_iter().flatten().min();
    let is_due = over.is_some_and(|over| over.saturating_add(late) <= now);
    let is_late = late > 0 || delay.plies > 0;
    let is_over = is_due && (delay.plies == 0 || is_said);
    let is_there = !spot.is_stopped() && (!is_late || is_over);
    is_there.then(|| counts.shown(Some(&game.result), late, now))
}

/// The game with the names that its event has for its players by now, and with a result that people
/// have said, which ends one that its board has not seen end.
fn decided(mut game: GameRow, result: Option<&str>, book: &Book) -> GameRow {
    if let Some(result) = result {
        result.clone_into(&mut game.result);
    }
    let mut events = book.past.iter().chain([&book.event]);
    game.annulled = events.any(|event| event.annulled_seat_of(&game.id).is_some());
    if let Some(names) = book.names_in(&game.id) {
        [game.tags.white, game.tags.black] = names;
    }
    if let (Some(since), None) = (book.result_since(&game.id), &game.ended) {
        game.ended = Some(moment(since.first).to_string());
    }
    game
}

/// A moment of milliseconds since 1970.
fn moment(at: i64) -> Timestamp {
    Timestamp::from_millisecond(at).unwrap_or_default()
}

/// One game as the arbiter reads its events.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GameDocument")]
pub(super) struct Document {
    #[serde(flatten)]
    row: GameRow,
    /// The record as a list of moves.
    moves: Vec<String>,
    /// The game as it stands at the end of its events. A game that is over stays as it was told
    /// then, whatever version of the program is asked.
    #[schemars(with = "Option<View>")]
    view: Option<Value>,
    /// What was ordered and said, in its order: what has effect, and what was taken back. A pause
    /// without a name is one that nobody has ordered: the program stops what is to be set up anew.
    given: Vec<Given>,
    /// When each finding was made.
    found: Vec<Found>,
    /// What people have said of its result at its table, in its order.
    results: Vec<ResultSaid>,
    /// Where a loss that an arbiter has declared may rest on findings that were dismissed since:
    /// the findings that were ruled a loss while those stood; `null` elsewhere.
    rests_on_dismissed: Option<Vec<u64>>,
    /// The findings whose ruling asked for both clocks to be set, and of which nobody has said that
    /// they were; none while that waits to be done.
    clocks_not_set: Vec<u64>,
}

/// When a finding was made.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundAt")]
struct Found {
    /// The finding.
    id: u64,
    /// In milliseconds since 1970, by what the board told at that moment.
    wall: i64,
}

impl Found {
    /// Of every finding of a game that is shown so. The board's clock need not run as the day does,
    /// where hands are simulated.
    fn of(game: &Game, view: Option<&Value>) -> Vec<Found> {
        let findings = view.and_then(|view| view["findings"].as_array());
        let found = |finding: &Value| {
            let (id, at) = (finding["id"].as_u64()?, finding["at"].as_u64()?);
            let told = game.events.iter().zip(&game.walls);
            let nearest = told.min_by_key(|(event, _)| event.at.0.abs_diff(at));
            let wall = *nearest?.1;
            Some(Found { id, wall })
        };
        findings.into_iter().flatten().filter_map(found).collect()
    }
}

/// An order, or a word of a player.
#[derive(Serialize, JsonSchema)]
struct Given {
    /// What it is, on the board's clock.
    #[serde(flatten)]
    event: Event,
    /// When it was written down, in milliseconds since 1970.
    wall: i64,
    /// By whom it was taken back; left out where it has effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    undone: Option<Undone>,
}

/// That an order was taken back.
#[derive(Serialize, JsonSchema)]
struct Undone {
    /// By whom; empty where nobody gave his name.
    author: String,
    /// When, in milliseconds since 1970.
    wall: i64,
}

impl Given {
    /// All of a game that is shown so.
    fn of(game: &Game, view: Option<&Value>) -> Vec<Given> {
        let orders = view.and_then(|view| view["orders"].as_array());
        let named = |order: &Value| order["order"].as_str().map(str::to_owned);
        let have_effect: BTreeSet<String> =
            orders.into_iter().flatten().filter_map(named).collect();
        let mut undone = BTreeMap::new();
        let mut given = Vec::new();
        for (event, wall) in game.events.iter().zip(&game.walls) {
            let (author, name) = (event.input.author(), event.input.order());
            match (event.input.plain(), name) {
                (Input::Arbiter(ArbiterAction::TakeBack { order }), _) => {
                    let author = author.unwrap_or_default().to_owned();
                    undone.insert(&**order, (author, *wall));
                }
                (_, Some(name)) => given.push((event, Some(name), *wall)),
                // Nobody has ordered it: its pieces were to be set up on another board.
                (Input::Arbiter(ArbiterAction::Pause), None) => given.push((event, None, *wall)),
                _ => {}
            }
        }
        let given = given.into_iter().filter_map(|(event, name, wall)| {
            let undone = name.and_then(|name| undone.get(name).cloned());
            let undone = undone.map(|(author, wall)| Undone { author, wall });
            let has_effect = name.is_none_or(|name| have_effect.contains(name));
            let is_told = undone.is_some() || has_effect;
            let event = event.clone();
            is_told.then_some(Given {
                event,
                wall,
                undone,
            })
        });
        given.collect()
    }
}

/// Where a loss that was declared may rest on what was dismissed since: see
/// [`Document::rests_on_dismissed`]. `view`: the game as it is told; `decided`: the result that an
/// arbiter has given at the desk, and when.
fn rests(
    game: &Game,
    view: &Value,
    (decided, at): (Option<&str>, Option<i64>),
) -> Option<Vec<u64>> {
    let known = Dismissals::of(game).before(at);
    rests_on_dismissed(view.as_object()?, decided, &known)
}

impl Document {
    /// `decided`: the result that an arbiter has given at the desk, and when. What was moved on
    /// the board once the game was over is none of it.
    fn of(game: Game, decided: (Option<&str>, Option<i64>)) -> Result<Document, StoreError> {
        let view = game.told()?;
        let rests_on_dismissed = view.as_ref().and_then(|view| rests(&game, view, decided));
        let plies = view.as_ref().and_then(|view| view["plies"].as_array());
        let uci = |ply: &Value| ply["uci"].as_str().map(str::to_owned);
        let given = Given::of(&game, view.as_ref());
        let found = Found::of(&game, view.as_ref());
        Ok(Document {
            given,
            found,
            results: Vec::new(),
            clocks_not_set: Vec::new(),
            rests_on_dismissed,
            moves: plies.into_iter().flatten().filter_map(uci).collect(),
            row: game.row,
            view,
        })
    }
}

/// One game as JSON, or as PGN when the address ends in `.pgn`.
pub(super) async fn one(
    State(desk): State<Desk>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id?;
    match id.strip_suffix(".pgn") {
        Some(id) => {
            let book = desk.office.book();
            let (text, damage) = read(&desk, id, move |game| {
                let text = page_of_game(&book, &game);
                (text, game.row.damage)
            })
            .await?;
            let text = text.ok_or_else(|| match damage {
                Some(damage) => damaged(id, &damage),
                None => no_moves(id),
            })?;
            Ok(file(PGN, &format!("{id}.pgn"), text))
        }
        None => {
            let book = desk.office.book();
            let results = book.results_said_of(&id);
            let by_arbiter = (book.decided_of(&id), book.decided_at(&id));
            let since = book.result_since(&id).map(|since| since.first);
            let told = read(&desk, &id, move |game| {
                Document::of(game.until_over(since), by_arbiter)
            });
            let told = told.await??;
            let row = decided(told.row, book.result_of(&id), &book);
            let incidents = desk.incidents.as_ref();
            let clocks_not_set = incidents.map(|all| all.clocks_not_set(&id));
            Ok(Json(Document {
                results,
                clocks_not_set: clocks_not_set.unwrap_or_default(),
                row,
                ..told
            })
            .into_response())
        }
    }
}

/// In which language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    language: Language,
}

/// The sentences of a game in one language.
#[derive(Serialize, JsonSchema)]
pub(super) struct Texts {
    /// Of its findings, by number.
    findings: BTreeMap<u32, String>,
    /// The same of what was seen and what the Law says, without what is to be done about it: for
    /// reports of what is past.
    happened: BTreeMap<u32, String>,
    /// Of its doubts, by half-move and kind: `12.promotion-piece`.
    doubts: BTreeMap<String, String>,
    /// Of its result.
    result: Option<String>,
}

impl Texts {
    /// `decided` as for the game itself. What was ruled a loss is said as it was ruled, whatever
    /// was dismissed since.
    fn of(game: &Game, decided: (Option<&str>, Option<i64>), language: Language) -> Option<Texts> {
        let both = |found: &Irregularity| [found.text.clone(), found.happened().to_owned()];
        let told = game.told().ok()??;
        let ruled = rests(game, &told, decided).unwrap_or_default();
        let mut as_ruled = BTreeMap::new();
        let told = game.retold(Some(language), |event, arbiter| {
            let action = event.input.plain();
            let may_rule = matches!(
                action,
                Input::Arbiter(ArbiterAction::Uphold(_) | ArbiterAction::Report { .. })
            );
            let view = (may_rule && !ruled.is_empty()).then(|| hall::view(arbiter, None));
            let Some(view) = view.flatten() else { return };
            for finding in &*view.findings {
                let found = &finding.irregularity;
                let is_lost = found.penalty.is_some_and(|penalty| penalty.then.is_some());
                let is_upheld = finding.status == FindingStatus::Upheld;
                if is_lost && is_upheld && ruled.contains(&found.id.into()) {
                    as_ruled.insert(found.id, both(found));
                }
            }
        });
        let view = hall::view(told.arbiter(), None)?;
        let said = view.findings.iter().map(|finding| &finding.irregularity);
        let mut said: BTreeMap<_, _> = said.map(|found| (found.id, both(found))).collect();
        said.extend(as_ruled);
        let view = serde_json::to_value(view).ok()?;
        let list = |name: &str| view[name].as_array().cloned().unwrap_or_default();
        let text = |of: &Value| of["text"].as_str().map(str::to_owned);
        let doubt = |of: Value| {
            Some((
                format!("{}.{}", of["ply"], of["kind"].as_str()?),
                text(&of)?,
            ))
        };
        let part = |of: usize| said.iter().map(move |(id, both)| (*id, both[of].clone()));
        Some(Texts {
            findings: part(0).collect(),
            happened: part(1).collect(),
            doubts: list("doubts").into_iter().filter_map(doubt).collect(),
            result: view["result_text"].as_str().map(str::to_owned),
        })
    }
}

/// What is said of a game, in the language of whoever reads it.
pub(super) async fn texts(
    State(desk): State<Desk>,
    id: Result<Path<String>, PathRejection>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<Texts>, Problem> {
    let Path(id) = id?;
    let wrong = |error: QueryRejection| Problem::new(error.status(), error.body_text());
    let Query(Wanted { language }) = wanted.map_err(wrong)?;
    let book = desk.office.book();
    let decided = (book.decided_of(&id), book.decided_at(&id));
    let texts = read(&desk, &id, move |game| Texts::of(&game, decided, language)).await?;
    Ok(Json(texts.ok_or_else(|| no_moves(&id))?))
}

/// One game as an event script; one that is over, as far as it was played.
pub(super) async fn script(
    State(desk): State<Desk>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id?;
    let game = find(&desk, &id).await?;
    // A script that ends early cannot say so.
    if let Some(damage) = &game.row.damage {
        return Err(damaged(&id, damage));
    }
    let since = desk.office.book().result_since(&id);
    let since = since.map(|since| since.first);
    let text = judged(move || game.until_over(since).script()).await??;
    Ok(file(SCRIPT, &format!("{id}.jsonl"), text))
}

fn damaged(id: &str, damage: &Damage) -> Problem {
    let what = format!("game `{id}` is {damage}; `arbiterd export` writes what is whole");
    Problem::refused(Reason::new("game-damaged", what).with("game", id))
}

fn no_moves(id: &str) -> Problem {
    let what = format!("game `{id}` has no moves yet");
    Problem::refused(Reason::new("no-moves", what).with("game", id))
}

async fn find(desk: &Desk, id: &str) -> Result<Game, Problem> {
    let game = desk.hall.game(id).await?;
    game.ok_or_else(|| no_game(id))
}

/// Reads a game, which may have to be judged anew from its events: that takes a while for a long
/// game, and is not done on the thread that the boards share.
async fn read<T: Send + 'static>(
    desk: &Desk,
    id: &str,
    work: impl FnOnce(Game) -> T + Send + 'static,
) -> Result<T, Problem> {
    let game = find(desk, id).await?;
    judged(move || work(game)).await
}

/// What is worked out beside the thread that the boards share.
async fn judged<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work);
    done.await.map_err(|_| {
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the game could not be judged",
        )
    })
}

fn file(kind: &'static str, name: &str, text: String) -> Response {
    // A game's name comes from the configuration; only plain characters may go into the header.
    let plain: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c))
        .collect();
    let disposition = format!("inline; filename=\"{plain}\"");
    (
        [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        text,
    )
        .into_response()
}
