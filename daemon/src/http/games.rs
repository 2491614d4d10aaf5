//! Games of the journal: as JSON, as PGN, as event script.

use arbiter_core::shakmaty::uci::UciMove;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::Desk;
use super::problem::Problem;
use crate::hall::View;
use crate::pgn;
use crate::store::{Game, GameRow};

/// The media type of a PGN.
pub(super) const PGN: &str = "application/x-chess-pgn";
/// The media type of an event script.
pub(super) const SCRIPT: &str = "application/x-ndjson";

/// All games, the newest first.
pub(super) async fn all(State(desk): State<Desk>) -> Result<Json<Vec<GameRow>>, Problem> {
    Ok(Json(desk.hall.games().await?))
}

/// One game as the arbiter reads its events.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GameDocument")]
pub(super) struct Document {
    #[serde(flatten)]
    row: GameRow,
    /// The record as a list of moves.
    #[schemars(with = "Vec<String>")]
    moves: Vec<UciMove>,
    /// The game as it stands at the end of its events.
    view: Option<View>,
}

/// One game as JSON, or as PGN when the address ends in `.pgn`.
pub(super) async fn one(
    State(desk): State<Desk>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id?;
    match id.strip_suffix(".pgn") {
        Some(id) => {
            let text = judged(&desk, id, |game, view| {
                Some(pgn::render(&pgn::Tags::of(&game), &view?))
            })
            .await?;
            let text = text.ok_or_else(|| {
                Problem::new(
                    StatusCode::CONFLICT,
                    format!("game `{id}` has no moves yet"),
                )
            })?;
            Ok(file(PGN, &format!("{id}.pgn"), text))
        }
        None => {
            let document = judged(&desk, &id, |game, view| Document {
                moves: view
                    .iter()
                    .flat_map(|view| &view.plies[..])
                    .map(|ply| ply.uci)
                    .collect(),
                row: game.row,
                view,
            });
            Ok(Json(document.await?).into_response())
        }
    }
}

/// One game as an event script.
pub(super) async fn script(
    State(desk): State<Desk>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let Path(id) = id?;
    let game = find(&desk, &id).await?;
    Ok(file(SCRIPT, &format!("{id}.jsonl"), game.script()?))
}

async fn find(desk: &Desk, id: &str) -> Result<Game, Problem> {
    let game = desk.hall.game(id).await?;
    game.ok_or_else(|| {
        Problem::not_found(format!("there is no game `{id}`; /api/games lists them"))
    })
}

/// Judges a game anew from its events, which takes a while for a long game: not on the thread the
/// boards share.
async fn judged<T: Send + 'static>(
    desk: &Desk,
    id: &str,
    work: impl FnOnce(Game, Option<View>) -> T + Send + 'static,
) -> Result<T, Problem> {
    let game = find(desk, id).await?;
    let done = tokio::task::spawn_blocking(move || {
        let view = game.view();
        work(game, view)
    });
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
