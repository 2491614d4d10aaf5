//! People over HTTP: how one is let in, and how the chief arbiter lets others in.

mod pairing;
mod person;
mod routes;

use access::{Role, Session, Tables};
use axum::Extension;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Desk;
use super::doors::Client;
use super::guard::{cookie, origin};
use super::problem::{Problem, unreadable};
use crate::people::{Account, Assignment, Fresh, NewAccount, Opened, PinAsked, Visitor};
pub(super) use routes::routes;

/// Where a request comes from.
pub(super) struct Asked {
    from: access::Origin,
    /// The host that was asked for.
    host: String,
    /// A proxy was asked for it over TLS.
    tls: bool,
}

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asked, Self::Rejection> {
        let host = parts
            .headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        let client = parts.extensions.get::<Client>();
        Ok(Asked {
            from: origin(&parts.headers, &parts.extensions),
            host: host.unwrap_or_default().to_owned(),
            tls: client.is_some_and(|client| client.tls() == Some(true)),
        })
    }
}

type Body = Result<Bytes, BytesRejection>;
type Id<T> = Result<Path<T>, PathRejection>;

/// What a body says.
fn read<T: DeserializeOwned>(body: Body) -> Result<T, Problem> {
    serde_json::from_slice(&body?)
        .map_err(|error| unreadable(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))
}

/// Who asks, as far as the service knows.
#[derive(Serialize, JsonSchema)]
pub(super) struct Me {
    /// Whether the service asks for passwords at all.
    required: bool,
    /// The name of the account or the device; empty for nobody.
    name: String,
    /// The role; `null` for nobody.
    role: Option<Role>,
    /// The tables it is for.
    tables: Option<Tables>,
    /// Whether it stands on an account, which has a password.
    account: bool,
    /// Whether accounts and devices may be changed without giving the password again.
    proved: bool,
    /// What is asked of the device before anything else: `choose` or `give` its PIN.
    pin: Option<&'static str>,
    /// Eight squares that name the certificate.
    certificate: Option<String>,
}

pub(super) async fn me(State(desk): State<Desk>, visitor: Option<Extension<Visitor>>) -> Json<Me> {
    let visitor = visitor.map(|Extension(visitor)| visitor);
    let session = visitor.as_ref().and_then(|visitor| visitor.session);
    let sessions = session.map(|_| desk.people.sessions()).unwrap_or_default();
    let own = sessions
        .iter()
        .find(|own| session.is_some_and(|(id, _)| id == own.id));
    Json(Me {
        required: desk.required,
        name: visitor
            .as_ref()
            .map(|v| v.who.name.clone())
            .unwrap_or_default(),
        role: visitor.as_ref().map(|v| v.who.role),
        tables: visitor.as_ref().and_then(|v| v.who.tables),
        account: own.is_some_and(|own| own.account),
        proved: visitor.as_ref().is_some_and(|v| v.proved),
        pin: visitor
            .as_ref()
            .and_then(|v| v.pin)
            .map(|asked| match asked {
                PinAsked::Choose => "choose",
                PinAsked::Give => "give",
            }),
        certificate: desk.tls.as_ref().map(|tls| tls.squares()),
    })
}

/// A name with its password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    name: String,
    password: String,
}

/// The first chief arbiter.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct First {
    /// What stands after the `#` of the setup link.
    secret: String,
    name: String,
    password: String,
}

/// A new password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    /// The one so far.
    current: String,
    /// The new one.
    new: String,
}

/// The password once more.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Proof {
    password: String,
}

/// It is done.
#[derive(Serialize, JsonSchema)]
pub(super) struct Done {
    /// Always so: else there is another answer.
    done: bool,
}

const DONE: Json<Done> = Json(Done { done: true });

/// Somebody who was let in.
#[derive(Serialize, JsonSchema)]
pub(super) struct In {
    name: String,
    role: Role,
}

/// Sets the cookie of a session that was opened.
fn let_in(Opened { token, session }: Opened) -> Response {
    let body = In {
        name: session.who.name,
        role: session.who.role,
    };
    let life = session.ends - session.opened;
    ([(header::SET_COOKIE, cookie(&token, life))], Json(body)).into_response()
}

pub(super) async fn set_up(
    State(desk): State<Desk>,
    asked: Asked,
    body: Body,
) -> Result<Response, Problem> {
    let First {
        secret,
        name,
        password,
    } = read(body)?;
    Ok(let_in(
        desk.people
            .set_up(&secret, &name, &password, asked.from)
            .await?,
    ))
}

pub(super) async fn log_in(
    State(desk): State<Desk>,
    visitor: Option<Extension<Visitor>>,
    asked: Asked,
    body: Body,
) -> Result<Response, Problem> {
    let Login { name, password } = read(body)?;
    let before = visitor.map(|Extension(visitor)| visitor);
    let opened = desk
        .people
        .log_in(&name, &password, before.as_ref(), asked.from)
        .await?;
    // A login is a new session; what was there before ends.
    if let Some(before) = before {
        desk.people.log_out(&before).await?;
    }
    Ok(let_in(opened))
}

pub(super) async fn log_out(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Response, Problem> {
    desk.people.log_out(&visitor).await?;
    Ok(([(header::SET_COOKIE, cookie("", 0))], DONE).into_response())
}

/// A session keeps its end when its token changes.
fn renewed(desk: &Desk, visitor: &Visitor, token: &str) -> Response {
    let own = visitor.session.map(|(id, _)| id);
    let sessions = desk.people.sessions();
    let session = sessions.iter().find(|session| Some(session.id) == own);
    let left = session.map_or(0, |session| {
        session.ends - jiff::Timestamp::now().as_second()
    });
    ([(header::SET_COOKIE, cookie(token, left))], DONE).into_response()
}

pub(super) async fn change_password(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Response, Problem> {
    let Change { current, new } = read(body)?;
    let token = desk
        .people
        .change_password(&visitor, &current, &new)
        .await?;
    Ok(renewed(&desk, &visitor, &token))
}

pub(super) async fn prove(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Response, Problem> {
    let Proof { password } = read(body)?;
    let token = desk.people.prove(&visitor, &password).await?;
    Ok(renewed(&desk, &visitor, &token))
}

/// The PIN of a device.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Digits {
    /// 6 to 12 digits.
    pin: String,
}

pub(super) async fn pin(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Json<Done>, Problem> {
    let Digits { pin } = read(body)?;
    desk.people.give_pin(&visitor, &pin).await?;
    Ok(DONE)
}

pub(super) async fn accounts(State(desk): State<Desk>) -> Json<Vec<Account>> {
    Json(desk.people.accounts())
}

/// An arbiter who may be asked to go somewhere.
#[derive(Serialize, JsonSchema)]
pub(super) struct Arbiter {
    /// The name of the account.
    name: String,
    /// The tables he is for; `null`: all.
    tables: Option<Tables>,
}

pub(super) async fn arbiters(State(desk): State<Desk>) -> Json<Vec<Arbiter>> {
    let accounts = desk.people.accounts().into_iter();
    let arbiters = accounts.filter_map(|Account { who, revoked, .. }| {
        let is_one = matches!(who.role, Role::Chief | Role::Sector) && revoked.is_none();
        let (name, tables) = (who.name, who.tables);
        is_one.then_some(Arbiter { name, tables })
    });
    Json(arbiters.collect())
}

pub(super) async fn add(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Json<Fresh>, Problem> {
    let new: NewAccount = read(body)?;
    Ok(Json(desk.people.add(&visitor, &new).await?))
}

pub(super) async fn reset(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    name: Id<String>,
) -> Result<Json<Fresh>, Problem> {
    let Path(name) = name?;
    Ok(Json(desk.people.reset(&visitor, &name).await?))
}

pub(super) async fn assign(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    name: Id<String>,
    body: Body,
) -> Result<Json<Account>, Problem> {
    let (Path(name), Assignment { tables }) = (name?, read(body)?);
    Ok(Json(desk.people.assign(&visitor, &name, tables).await?))
}

pub(super) async fn revoke(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    name: Id<String>,
) -> Result<Json<Done>, Problem> {
    let Path(name) = name?;
    desk.people.revoke(&visitor, &name).await?;
    Ok(DONE)
}

pub(super) async fn sessions(State(desk): State<Desk>) -> Json<Vec<Session>> {
    Json(desk.people.sessions())
}

pub(super) async fn revoke_session(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    id: Id<u64>,
) -> Result<Json<Done>, Problem> {
    let Path(id) = id?;
    desk.people.revoke_session(&visitor, id).await?;
    Ok(DONE)
}

/// The authority that devices may be told to trust.
pub(super) async fn authority(State(desk): State<Desk>) -> Result<Response, Problem> {
    let text = desk.tls.as_ref().and_then(|tls| tls.authority());
    let text =
        text.ok_or_else(|| Problem::not_found("this service makes no certificate of its own"))?;
    let kind = [
        (header::CONTENT_TYPE, "application/x-x509-ca-cert"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"arbiter-ca.crt\"",
        ),
    ];
    Ok((kind, text).into_response())
}
