//! Phones and screens: how they ask, and how they are answered.

use access::{Invitation, Petition};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use fast_qr::QRBuilder;
use fast_qr::convert::svg::SvgBuilder;
use fast_qr::convert::{Builder, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Asked, Body, DONE, Desk, Done, Id, Problem, let_in, read};
use crate::people::{Collected, Visitor};
use crate::reason::Reason;

/// A code as it was scanned or typed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Code {
    code: String,
}

/// The secret of a petition.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Claim {
    secret: String,
}

/// The answer to a petition.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Decision {
    allow: bool,
}

/// Which screen shall be what.
#[derive(Deserialize, JsonSchema)]
pub(in crate::http) struct Screen {
    /// The code that it shows.
    code: String,
    #[serde(flatten)]
    invitation: Invitation,
}

/// A device that waits to be let in.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Waiting {
    /// To ask what became of it. Nobody else may know it.
    secret: String,
    /// Four squares, which the chief arbiter is shown as well.
    squares: String,
    /// Of a screen: the code to show.
    code: Option<String>,
    /// What it will be let in as.
    invitation: Option<Invitation>,
}

pub(in crate::http) async fn pair(
    State(desk): State<Desk>,
    asked: Asked,
    body: Body,
) -> Result<Json<Waiting>, Problem> {
    let Code { code } = read(body)?;
    let (secret, petition) = desk.people.petition(&code, asked.from).await?;
    Ok(Json(Waiting {
        secret,
        squares: petition.squares,
        code: None,
        invitation: petition.invitation,
    }))
}

pub(in crate::http) async fn screen(
    State(desk): State<Desk>,
    asked: Asked,
) -> Result<Json<Waiting>, Problem> {
    let (secret, code, petition) = desk.people.screen(asked.from)?;
    Ok(Json(Waiting {
        secret,
        squares: petition.squares,
        code: Some(spaced(&code)),
        invitation: None,
    }))
}

/// Letters in groups of four.
fn spaced(code: &str) -> String {
    let middle = code.len() / 2;
    format!("{}-{}", &code[..middle], &code[middle..])
}

pub(in crate::http) async fn collect(
    State(desk): State<Desk>,
    asked: Asked,
    body: Body,
) -> Result<Response, Problem> {
    let Claim { secret } = read(body)?;
    match desk.people.collect(&secret, asked.from).await? {
        Collected::Opened(opened) => Ok(let_in(opened)),
        Collected::Waiting => {
            Ok((StatusCode::ACCEPTED, Json(Done { done: false })).into_response())
        }
        Collected::Denied => {
            let error = "not let in: the chief arbiter said no, or did not answer in time";
            Err(Problem::because(
                StatusCode::GONE,
                Reason::new("turned-away", error),
            ))
        }
    }
}

/// The codes of an invitation.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Invited {
    /// To be opened by the device; what is secret stands after `#`.
    link: String,
    /// To be typed at `/pair.html`.
    code: String,
    /// The link as a QR code, an SVG.
    svg: String,
    /// When the codes are worth nothing any more, in seconds since 1970.
    ends: i64,
}

pub(in crate::http) async fn invite(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    asked: Asked,
    body: Body,
) -> Result<Json<Invited>, Problem> {
    let invitation: Invitation = read(body)?;
    let codes = desk.people.invite(&visitor, invitation).await?;
    let place = desk.place(&asked.host, asked.tls);
    let link = format!("{place}/pair.html#{}", codes.long);
    let qr = QRBuilder::new(link.as_str()).build();
    let qr = qr.map_err(|error| {
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("no QR code: {error}"),
        )
    })?;
    Ok(Json(Invited {
        svg: SvgBuilder::default().shape(Shape::Square).to_str(&qr),
        link,
        code: spaced(&codes.short),
        ends: codes.ends,
    }))
}

pub(in crate::http) async fn claim(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Json<Petition>, Problem> {
    let Screen { code, invitation } = read(body)?;
    Ok(Json(desk.people.claim(&visitor, &code, invitation).await?))
}

pub(in crate::http) async fn petitions(State(desk): State<Desk>) -> Json<Vec<Petition>> {
    Json(desk.people.petitions())
}

pub(in crate::http) async fn decide(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    id: Id<u64>,
    body: Body,
) -> Result<Json<Done>, Problem> {
    let (Path(id), Decision { allow }) = (id?, read(body)?);
    desk.people.decide(&visitor, id, allow).await?;
    Ok(DONE)
}
