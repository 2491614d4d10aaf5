//! What waits for the arbiter over all games, those included that are over: findings, doubts and
//! questions, and games that are stopped; and rulings on games that are over.

use std::collections::BTreeSet;

use arbiter_core::view::Phase;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json as value};

use super::boards::{order_in, refused_to, right_to, signed};
use super::cut;
use super::guard::have;
use super::incidents::TakesBack;
use super::problem::{Problem, no_game};
use super::routes::{Order, Routes, json};
use super::{Desk, REFUSED};
use crate::hall::{BoardState, Ordered};
use crate::people::Visitor;
use crate::reason::Reason;
use crate::store::Game;

/// A game in which something waits for the arbiter.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Unruled")]
pub(super) struct Document {
    /// Its name.
    game: String,
    /// The board that it is, or was, played on.
    board: String,
    /// The table, where it is one of the event's.
    table: Option<u16>,
    /// The round, where it is one of the event's.
    round: Option<u16>,
    /// White's name; empty when unknown.
    white: String,
    /// Black's name; empty when unknown.
    black: String,
    /// Whether its pieces stand on the board: then it is ruled on there, with whatever the arbiter
    /// can order.
    at_hand: bool,
    /// Whether it is stopped: what is handled on its board is nobody's move until the arbiter lets
    /// it go on.
    stopped: bool,
    /// Findings that nobody has ruled on.
    #[schemars(with = "Vec<arbiter_core::view::Finding>")]
    findings: Vec<Value>,
    /// What is in doubt, questions included.
    #[schemars(with = "Vec<arbiter_core::ruling::Doubt>")]
    doubts: Vec<Value>,
}

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .get(
            "/api/unruled",
            all,
            "Findings, doubts and questions that nobody has ruled on, of all games, and games that \
             are stopped",
        )
        .about("Of games that are over as well, the oldest first. `?round=3`: of that round.")
        .gives("Games with what is open in each", json::<Vec<Document>>())
        .refuses([StatusCode::BAD_REQUEST, StatusCode::SERVICE_UNAVAILABLE])
        .post(
            "/api/games/{id}/orders",
            order,
            "Rule on a game, be it over or at hand",
        )
        .about(
            "The arbiter's rulings of an event script. Of a game that is over: `uphold`, \
             `dismiss`, `promotion`, `reading`, `played`, `take-back`, `report` and `result`; what \
             has to do with pieces on the board is refused with 409. What takes half-moves out of \
             the record is asked first, as for a board.",
        )
        .takes(Order {
            content: json::<Ordered>(),
            examples: vec![(
                "dismiss",
                value!({"event": "arbiter", "action": "dismiss", "id": 1}),
            )],
            required: true,
        })
        .gives("It is in the journal", json::<Done>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

/// Of which round.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    round: Option<u16>,
}

async fn all(
    State(desk): State<Desk>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<Vec<Document>>, Problem> {
    let wrong = |error: QueryRejection| Problem::new(error.status(), error.body_text());
    let Query(Wanted { round }) = wanted.map_err(wrong)?;
    of(&desk, round).await.map(Json)
}

/// The tables of a round with something left to be ruled on, and those whose game is stopped.
pub(super) async fn tables(desk: &Desk, round: u16) -> Result<[Vec<u16>; 2], Problem> {
    let open = of(desk, Some(round)).await?;
    let among = |is_so: fn(&Document) -> bool| {
        let games = open.iter().filter(|game| is_so(game));
        let tables: BTreeSet<u16> = games.filter_map(|game| game.table).collect();
        tables.into_iter().collect()
    };
    Ok([among(Document::asks), among(|game| game.stopped)])
}

/// What is open, of a round or of all games.
async fn of(desk: &Desk, round: Option<u16>) -> Result<Vec<Document>, Problem> {
    let book = desk.office.book();
    let among = round
        .map(|round| {
            let drawn = book.event.rounds.get(&round);
            let drawn = drawn.ok_or(tournament::Refusal::NoRound(round))?;
            let games = drawn.pairings.iter().filter_map(|p| p.game.clone());
            Ok::<Vec<String>, tournament::Refusal>(games.collect())
        })
        .transpose()?;
    let store = desk.office.store().clone();
    let (of, is_resting) = (among.clone(), desk.resting);
    // Reading the disk must not hold up the boards.
    let over = tokio::task::spawn_blocking(move || {
        let mut games = store.unruled(of.as_deref())?;
        if is_resting {
            // No board shows them now.
            games.extend(store.at_hand(of.as_deref())?);
        }
        games.into_iter().map(told).collect::<Result<Vec<_>, _>>()
    });
    let over = over
        .await
        .unwrap_or(Err(crate::store::StoreError::Ending))?;
    let boards = desk.hall.boards();
    let is_at_hand = |game: &str| {
        let mut boards = boards.iter();
        boards.any(|board| board.view().is_some_and(|view| view.game == game))
    };
    let mut open: Vec<Document> = over
        .into_iter()
        .flatten()
        .filter(|game| !is_at_hand(&game.game))
        .collect();
    let at_hand = boards.iter().filter_map(|board| shown(board));
    open.extend(at_hand.filter(|game| {
        let named = |among: &Vec<String>| among.contains(&game.game);
        among.as_ref().is_none_or(named)
    }));
    for game in open.iter_mut().filter(|g| book.has_answer(&g.game)) {
        game.doubts.retain(|doubt| doubt["kind"] != "game-ended");
        // Nobody waits for it to go on.
        game.stopped = false;
    }
    // One of no pairing gives way to that of its table.
    let gives_way = |game: &Document| {
        let is_apart = book.seat_of(&game.game).is_none();
        is_apart && book.next_on(&game.board).is_some()
    };
    for game in &mut open {
        game.stopped &= !gives_way(game);
    }
    open.retain(|game| game.stopped || game.asks());
    for game in &mut open {
        let seat = book.event.seat_of(&game.game);
        (game.round, game.table) = seat.unzip();
    }
    Ok(open)
}

/// What is open in a game that is over.
fn told(game: Game) -> Result<Option<Document>, crate::store::StoreError> {
    let Some(view) = game.told()? else {
        return Ok(None);
    };
    let tags = game.row.tags;
    let document = Document::of(game.row.id, game.row.board, [tags.white, tags.black], &view);
    Ok(document)
}

/// What is open in the game at hand on a board.
fn shown(board: &BoardState) -> Option<Document> {
    let view = board.view()?;
    if board.open == 0 && view.doubts.is_empty() && view.state != Phase::Paused {
        return None;
    }
    let names = [board.white.clone(), board.black.clone()];
    let told = serde_json::to_value(view).ok()?;
    let mut game = Document::of(view.game.clone(), board.id.clone(), names, &told)?;
    game.at_hand = true;
    Some(game)
}

impl Document {
    /// Whether something is to be ruled on.
    fn asks(&self) -> bool {
        !self.findings.is_empty() || !self.doubts.is_empty()
    }

    /// `None` where nothing is open.
    fn of(game: String, board: String, names: [String; 2], view: &Value) -> Option<Document> {
        let list = |name: &str| view[name].as_array().cloned().unwrap_or_default();
        let mut findings = list("findings");
        findings.retain(|finding| finding["status"] == "open");
        let doubts = list("doubts");
        let [white, black] = names;
        let stopped = view["state"] == "paused";
        let is_open = stopped || !findings.is_empty() || !doubts.is_empty();
        is_open.then_some(Document {
            game,
            board,
            table: None,
            round: None,
            white,
            black,
            at_hand: false,
            stopped,
            findings,
            doubts,
        })
    }
}

/// The answer to a ruling that was taken.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Ruled")]
pub(super) struct Done {
    /// The game.
    game: String,
    /// The name by which it can be taken back; `null` where it cannot.
    order: Option<String>,
}

async fn order(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    game: Result<Path<String>, PathRejection>,
    query: cut::Known,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Done>, Problem> {
    let (Path(game), body) = (game?, body?);
    let input = order_in(&body)?;
    let known = desk.hall.game(&game).await?;
    let known = known.ok_or_else(|| no_game(&game))?;
    if desk.resting {
        let error = "no daemon runs on this store: start it, and rule then";
        return Err(Problem::refused(Reason::new("no-daemon", error)));
    }
    let board = known.row.board;
    let seat = desk.office.book().event.seat_of(&game);
    let table = seat.map(|(_, table)| u32::from(table));
    let table = table.or_else(|| desk.table(&board));
    have(&visitor, right_to(&input), table)?;
    let _alone = desk.hall.alone_with(&game).await;
    cut::known_of_game(&desk, &game, &input, query).await?;
    let input = signed(input, &visitor);
    let hint = TakesBack::of(&desk, &game, &input);
    let given = desk.hall.rule(&game, &board, input).await;
    hint.is(given.is_ok());
    let order = given.map_err(|error| refused_to(&visitor, error))?;
    if let Some(incidents) = &desk.incidents {
        incidents.reread(&game, &board).await;
    }
    Ok(Json(Done { game, order }))
}
