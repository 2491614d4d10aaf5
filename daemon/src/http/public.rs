//! What is public: given out to whoever asks, stopped and let go on, and what of it was corrected.

use std::io::Write;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use sha2::{Digest, Sha256};
use tournament::{Act, Lateness, Publication, Scope, Tournament};

use super::author::By;
use super::known::is_known;
use super::problem::Problem;
use super::routes::{Routes, json, text};
use super::{Desk, REFUSED};
use crate::lichess::{Pushed, Pusher};
use crate::office::Book;
use crate::public::{Correction, Delay, Leaf, OutletState, Place};

/// How the public sees the games.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PublicState")]
pub(super) struct Document {
    /// What was said of it: where it is stopped, and how late it is.
    said: Publication,
    /// A game of which nothing else is said is stopped.
    stopped: bool,
    /// So late it is public.
    late: Lateness,
    /// So late it is now where somebody has just said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<Lateness>,
    /// How far each game is public.
    games: Vec<Row>,
    /// The other ways out, and how it stands with each.
    outlets: Vec<OutletState>,
    /// How the rounds that are pushed to Lichess go; empty where none are.
    lichess: Vec<Pushed>,
}

/// How far a game is public.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PublicGameState")]
struct Row {
    /// The event that it is played in, by its number.
    event: usize,
    /// The game.
    game: String,
    /// Its round.
    round: Option<u16>,
    /// Its table.
    table: Option<u16>,
    /// Half-moves that are public.
    plies: usize,
    /// The result that is public; `*` while there is none.
    result: String,
    /// It goes on in a way that the arbiter has to look at first.
    with_arbiter: bool,
    /// It is stopped.
    stopped: bool,
    /// How late it is public.
    late: Lateness,
}

impl Document {
    /// How it stands once what was ordered until now is carried out.
    async fn carried_out(desk: &Desk) -> Document {
        desk.gate.until_follows(desk.office.book().acts).await;
        Document::of(desk).await
    }

    async fn of(desk: &Desk) -> Document {
        let pusher = desk.lichess.clone();
        // Whether Lichess has a round is known by all of its games.
        let rounds = move || pusher.as_ref().map_or_else(Vec::new, Pusher::rounds);
        let lichess = tokio::task::spawn_blocking(rounds).await;
        let (mut games, book) = (desk.gate.games(), desk.office.book());
        let (mut outlets, mut lichess) = (desk.gate.outlets().list(), lichess.unwrap_or_default());
        // What goes out of the hub is of its own event.
        if desk.room.is_some() {
            (games, outlets, lichess) = Default::default();
        }
        let late = |event: &Tournament, round: Option<u16>, table: Option<u16>| {
            desk.rules.delay(event, round, table)
        };
        let late_of = |game: &crate::public::Shown| {
            let event = book.nth(Some(game.of_event)).unwrap_or(&book.event);
            let delay = late(event, game.round, game.table);
            lateness(desk.gate.late(&game.game, delay))
        };
        let row = |game: &crate::public::Shown| Row {
            event: game.of_event,
            game: game.game.clone(),
            round: game.round,
            table: game.table,
            plies: game.plies.len(),
            result: game.result.clone(),
            with_arbiter: game.with_arbiter,
            stopped: game.stopped,
            late: late_of(game),
        };
        // Of a game that was annulled, nothing is.
        let is_left = |game: &&std::sync::Arc<crate::public::Shown>| {
            !game.plies.is_empty() || game.result != "*" || game.with_arbiter
        };
        Document {
            said: book.event.publication.clone(),
            stopped: book.event.publication.is_stopped(None, None),
            late: lateness(late(&book.event, None, None)),
            here: None,
            games: games.iter().filter(is_left).map(|game| row(game)).collect(),
            outlets,
            lichess,
        }
    }
}

fn lateness(delay: Delay) -> Lateness {
    Lateness {
        seconds: u32::try_from(delay.ms / 1000).unwrap_or(u32::MAX),
        moves: u16::try_from(delay.plies).unwrap_or(u16::MAX),
    }
}

/// Where publication is stopped, or goes on.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "PublicOrder")]
pub(super) struct Where {
    /// In this event of the store, by its number; left out: in the one at hand, and where nothing
    /// else is said, in all.
    event: Option<usize>,
    /// In this round; left out: in all.
    round: Option<u16>,
    /// At this table; left out: at all.
    table: Option<u16>,
    /// Why.
    reason: String,
}

/// How late games are public.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "PublicDelay")]
pub(super) struct Late {
    /// In this round; left out: in all.
    round: Option<u16>,
    /// At this table; left out: at all.
    table: Option<u16>,
    /// How late; left out: as it is configured.
    by: Option<Longer>,
}

/// How late; what is left out stays as it is there.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "PublicLatenessOrder")]
struct Longer {
    /// By so many seconds.
    seconds: Option<u32>,
    /// By so many half-moves.
    moves: Option<u16>,
}

pub(super) fn routes(routes: Routes) -> Routes {
    let file = |routes: Routes| {
        routes
            .gives("The file", text("application/x-chess-pgn; charset=utf-8"))
            .answers(StatusCode::NOT_MODIFIED, "It is as it was", None)
            .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
    };
    let order = |routes: Routes| {
        routes
            .gives("It is written down", json::<Document>())
            .refuses([StatusCode::BAD_REQUEST])
            .refuses(REFUSED)
    };
    let routes = routes
        .get("/api/public", state, "How far the games are public")
        .gives("How it stands", json::<Document>())
        .get(
            "/api/public/corrections",
            corrections,
            "What was corrected after it had been public, the oldest first",
        )
        .gives("Corrections", json::<Vec<Correction>>())
        .post(
            "/api/public/stop",
            stop,
            "Stop publication: what is public stays as it is",
        )
        .reads::<Where>("a table", value!({ "round": 3, "table": 1 }));
    let routes = order(routes)
        .post("/api/public/resume", resume, "Let publication go on")
        .reads::<Where>("everything", value!({}));
    let routes = order(routes)
        .post("/api/public/delay", delay, "Say how late games are public")
        .about("What is public already stays public.")
        .reads::<Late>(
            "a quarter of an hour",
            value!({ "round": 3, "by": { "seconds": 900 } }),
        );
    let routes = order(routes)
        .get("/live/", start, "The page for everybody")
        .gives("The page", text("text/html; charset=utf-8"))
        .answers(StatusCode::NOT_MODIFIED, "It is as it was", None)
        .refuses([StatusCode::NOT_FOUND])
        .get("/live/tournament.json", event, "The event, for everybody")
        .about("Like everything below `/live/`, only where the daemon is configured so.")
        .gives(
            "The event",
            json::<serde_json::Map<String, serde_json::Value>>(),
        )
        .answers(StatusCode::NOT_MODIFIED, "It is as it was", None)
        .refuses([StatusCode::NOT_FOUND])
        .get("/live/{round}", games, "The games of `round-N` as PGN");
    let routes = file(routes).get(
        "/live/{round}/{file}",
        one,
        "A file of `round-N`: index.html, games.pgn, index.json, game-M.json, game-M.pgn",
    );
    let routes = file(routes).get(
        "/live/{event}/{round}/{file}",
        of_event,
        "The same of the store's second event, `event-2`, and of those after it",
    );
    let page = |routes: Routes| {
        routes
            .gives("The page", text("text/html; charset=utf-8"))
            .answers(StatusCode::NOT_MODIFIED, "It is as it was", None)
            .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
    };
    let routes = file(routes)
        .get("/live", to_start, "The way to the page")
        .answers(StatusCode::PERMANENT_REDIRECT, "It is at `/live/`", None)
        .get("/live/{round}/", folder, "The page of `round-N`");
    let routes = page(routes).get(
        "/live/{event}/{round}/",
        folder_of_event,
        "The page of a round of a later event",
    );
    page(routes)
}

async fn state(State(desk): State<Desk>) -> Json<Document> {
    Json(Document::of(&desk).await)
}

async fn corrections(State(desk): State<Desk>) -> Json<Vec<Correction>> {
    Json(desk.gate.corrections())
}

type Body<T> = Result<Json<T>, JsonRejection>;

async fn stop(desk: State<Desk>, by: By, body: Body<Where>) -> Result<Json<Document>, Problem> {
    publish(desk, by, body, true).await
}

async fn resume(desk: State<Desk>, by: By, body: Body<Where>) -> Result<Json<Document>, Problem> {
    publish(desk, by, body, false).await
}

async fn publish(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Where>,
    stopped: bool,
) -> Result<Json<Document>, Problem> {
    let Json(Where {
        event,
        round,
        table,
        reason,
    }) = body?;
    let place = place(&desk, event, (round, table))?;
    let act = Act::Publish {
        place,
        event,
        stopped,
        reason,
    };
    desk.office.act(&author, &[act]).await?;
    Ok(Json(Document::carried_out(&desk).await))
}

/// A place of the event; one that it cannot have is refused: an order there binds nothing.
fn place(
    desk: &Desk,
    event: Option<usize>,
    (round, table): (Option<u16>, Option<u16>),
) -> Result<Scope, Problem> {
    let book = desk.office.book();
    match nowhere(&book, book.nth(event)?, round, table) {
        Some(what) => Err(Problem::new(StatusCode::BAD_REQUEST, what)),
        None => Ok(Scope { round, table }),
    }
}

/// What an event has not and cannot come to have, in words.
fn nowhere(
    book: &Book,
    event: &Tournament,
    round: Option<u16>,
    table: Option<u16>,
) -> Option<String> {
    let is_drawn = round.is_none_or(|round| event.rounds.contains_key(&round));
    let last = event.details.rounds.unwrap_or(u16::MAX);
    let last = match event.closed {
        true => event.rounds.keys().next_back().copied().unwrap_or(0),
        false => last,
    };
    if let Some(round) = round.filter(|round| !is_drawn && (*round == 0 || *round > last)) {
        return Some(format!("there is no round {round}: the last is {last}"));
    }
    let table = table?;
    let mut rounds = event.rounds.iter();
    let is_paired = rounds.any(|(number, of)| {
        let is_it = round.is_none_or(|round| round == *number);
        is_it && of.pairings.iter().any(|p| p.table == Some(table))
    });
    // What is not drawn yet may use every board, and tables for all players.
    let is_open = !event.closed && (round.is_none() || !is_drawn || event.rounds.is_empty());
    let may_be = usize::from(table) <= event.players.len() / 2 || book.board_of(table).is_some();
    let is_there = is_paired || is_open && table > 0 && may_be;
    (!is_there).then(|| match round {
        Some(round) => format!("there is no table {table} in round {round}"),
        None => format!("there is no table {table}"),
    })
}

async fn delay(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Late>,
) -> Result<Json<Document>, Problem> {
    let Json(Late { round, table, by }) = body?;
    let place = place(&desk, None, (round, table))?;
    let book = desk.office.book();
    let now = lateness(desk.rules.delay(&book.event, round, table));
    let by = by.map(|by| Lateness {
        seconds: by.seconds.unwrap_or(now.seconds),
        moves: by.moves.unwrap_or(now.moves),
    });
    desk.office
        .act(&author, &[Act::Delay { place, by }])
        .await?;
    let book = desk.office.book();
    Ok(Json(Document {
        here: Some(lateness(desk.rules.delay(&book.event, round, table))),
        ..Document::carried_out(&desk).await
    }))
}

async fn start(State(desk): State<Desk>, headers: HeaderMap) -> Result<Response, Problem> {
    give(&desk, "index.html", &headers).await
}

async fn event(State(desk): State<Desk>, headers: HeaderMap) -> Result<Response, Problem> {
    give(&desk, "tournament.json", &headers).await
}

/// Links of the page are relative to it.
async fn to_start() -> Response {
    (
        StatusCode::PERMANENT_REDIRECT,
        [(header::LOCATION, "live/")],
    )
        .into_response()
}

async fn folder(
    State(desk): State<Desk>,
    round: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Path(round) = round?;
    give(&desk, &format!("{round}/index.html"), &headers).await
}

async fn folder_of_event(
    State(desk): State<Desk>,
    place: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Path((event, round)) = place?;
    give(&desk, &format!("{event}/{round}/index.html"), &headers).await
}

async fn games(
    State(desk): State<Desk>,
    round: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Path(round) = round?;
    give(&desk, &round, &headers).await
}

async fn one(
    State(desk): State<Desk>,
    place: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Path((round, file)) = place?;
    give(&desk, &format!("{round}/{file}"), &headers).await
}

async fn of_event(
    State(desk): State<Desk>,
    place: Result<Path<(String, String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Path((event, round, file)) = place?;
    give(&desk, &format!("{event}/{round}/{file}"), &headers).await
}

/// A file of the public tree. Whoever has it as it is need not take it again.
async fn give(desk: &Desk, path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let nothing = || Problem::not_found(format!("nothing is public at /live/{path}"));
    let place = Place::at(path).filter(|_| desk.serves_public);
    let place = place.ok_or_else(nothing)?;
    let leaf = place.leaf;
    let gate = desk.gate.clone();
    let coding = headers.get(header::ACCEPT_ENCODING);
    let is_short = coding.is_some_and(|coding| takes_gzip(coding.to_str().unwrap_or_default()));
    // Rounds are long: not on the thread that the boards share.
    let made = tokio::task::spawn_blocking(move || {
        let text = place.text(&gate)?;
        // It stands for what is said, in whatever coding.
        let tag = format!("W/\"{}\"", STANDARD.encode(Sha256::digest(text.as_bytes())));
        let body = match is_short {
            true => gzip(text.as_bytes()).ok()?,
            false => text.into_bytes(),
        };
        Some((tag, body))
    });
    let (tag, body) = made.await.ok().flatten().ok_or_else(nothing)?;
    let is_same = is_known(headers, &tag);
    let head = [
        (header::CONTENT_TYPE, leaf.kind().to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*".to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    let mut answer = match is_same {
        true => (StatusCode::NOT_MODIFIED, head).into_response(),
        false => (head, body).into_response(),
    };
    if is_short && !is_same {
        let gzip = HeaderValue::from_static("gzip");
        answer.headers_mut().insert(header::CONTENT_ENCODING, gzip);
    }
    if leaf.is_page() {
        let policy = HeaderValue::from_static(Leaf::POLICY);
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(answer)
}

/// Whether somebody reads gzip (RFC 9110, 12.5.3).
fn takes_gzip(codings: &str) -> bool {
    let mut codings = codings
        .split(',')
        .map(|coding| coding.split(';').map(str::trim));
    codings.any(|mut coding| {
        let is_gzip = coding
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = coding.find_map(|said| said.strip_prefix("q="));
        is_gzip && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|q| q > 0.0))
    })
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes)?;
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_for_a_place_that_is_not_there_is_refused() {
        let boards = ["b01", "b02"].map(str::to_owned).to_vec();
        let mut book = Book::read(&crate::store::Deeds::default(), boards);
        let is_there =
            |book: &Book, round, table| nowhere(book, &book.event, round, table).is_none();
        assert!(is_there(&book, None, None) && is_there(&book, Some(3), Some(2)));
        assert!(!is_there(&book, Some(9), Some(99)) && !is_there(&book, None, Some(0)));
        let pairing = serde_json::json!({
            "table": 1, "white": 1, "black": 2, "game": null, "outcome": null
        });
        let round = tournament::Round {
            pairings: vec![serde_json::from_value(pairing).expect("a pairing")],
            ..Default::default()
        };
        book.event.rounds.insert(1, round);
        book.event.details.rounds = Some(5);
        assert!(is_there(&book, Some(1), Some(1)) && is_there(&book, Some(5), Some(2)));
        assert!(!is_there(&book, Some(1), Some(2)), "it is drawn without it");
        assert!(!is_there(&book, Some(6), None) && !is_there(&book, Some(0), None));
        book.event.closed = true;
        assert!(is_there(&book, None, None) && is_there(&book, Some(1), None));
        assert!(!is_there(&book, Some(5), None) && !is_there(&book, None, Some(2)));
    }

    #[test]
    fn gzip_is_for_those_who_read_it() {
        for yes in ["gzip", "br, gzip;q=0.5", "GZIP , deflate"] {
            assert!(takes_gzip(yes), "{yes}");
        }
        for no in ["", "identity", "gzip;q=0", "br, gzip; q=0.0", "*"] {
            assert!(!takes_gzip(no), "{no}");
        }
    }
}
