//! What the store says of a player: handed out, and taken away.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::{Body, Desk, Problem, read};
use crate::http::author::By;
use crate::office::{Erased, Known, Whom};

pub(in crate::http) async fn data(
    State(desk): State<Desk>,
    body: Body,
) -> Result<Json<Known>, Problem> {
    let whom: Whom = read(body)?;
    let office = desk.office.clone();
    // All acts are done again, and all files read: not on the thread that the boards share.
    let known = tokio::task::spawn_blocking(move || office.known(&whom)).await;
    let ended = |_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the program is ending");
    Ok(Json(known.map_err(ended)??))
}

pub(in crate::http) async fn erase(
    State(desk): State<Desk>,
    By(author): By,
    body: Body,
) -> Result<Json<Erased>, Problem> {
    let whom: Whom = read(body)?;
    Ok(Json(desk.office.erase(&author, &desk.hall, &whom).await?))
}
