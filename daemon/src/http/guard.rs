//! Who asks, and whether he may: every request passes here before anything answers it. What is
//! asked for stands in [`access::ROUTES`]; an address that does not stand there is refused.

use access::{Need, Right};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Desk;
use super::doors::Client;
use super::ordered::AtHub;
use super::problem::Problem;
use crate::people::{Noted, Visitor};
use crate::reason::Reason;
use crate::store::Author;

/// The cookie of a session. Browsers take one of this name over TLS only, for this host only
/// (RFC 6265bis, 4.1.3.2).
const COOKIE: &str = "__Host-arbiter";
/// What of the acts of people is damaged, so that every answer is of what was before. Only those
/// are told who may read the event.
pub(super) const DAMAGE: &str = "x-damage";
/// No request is longer that is answered at all; each address has a limit of its own.
pub(super) const LONGEST: usize = 64 << 20;
/// What is kept of the name of a browser, in bytes.
const BROWSER: usize = 120;
/// Where people are let in, or are what they ask about.
const PEOPLE: &str = "/api/people/";

/// Of that, what lives in the memory of a running daemon.
const IN_MEMORY: [&str; 3] = [
    "/api/people/codes",
    "/api/people/screens",
    "/api/people/petitions",
];

/// A cookie that keeps a session for so many seconds.
pub(super) fn cookie(token: &str, seconds: i64) -> HeaderValue {
    let seconds = seconds.max(0);
    let text =
        format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Strict");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).into_iter();
    let pairs = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|all| all.split(';'));
    let mut named = pairs.filter_map(|pair| pair.trim().split_once('='));
    named
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, token)| token)
}

/// Where a request comes from: its address, and what the browser calls itself.
pub(super) fn origin(headers: &HeaderMap, extensions: &Extensions) -> access::Origin {
    let client = extensions.get::<Client>();
    let named = headers
        .get(header::USER_AGENT)
        .and_then(|name| name.to_str().ok());
    let end = |name: &str| {
        (0..=BROWSER)
            .rev()
            .find(|n| name.is_char_boundary(*n))
            .unwrap_or(0)
    };
    access::Origin {
        address: client.map_or_else(String::new, |client| client.address().to_string()),
        browser: named
            .map_or("", |name| &name[..end(name).min(name.len())])
            .to_owned(),
    }
}

/// Who asks. Where nobody is asked for a password, everybody is the chief arbiter; so is the owner
/// of the store, whom its socket names (`socket`).
pub(super) fn visitor(
    desk: &Desk,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Option<Visitor> {
    if let Some(Author { who, .. }) = extensions.get::<Author>() {
        return Some(Visitor::local(who));
    }
    if let Some(AtHub { visitor, .. }) = extensions.get::<AtHub>() {
        return Some(visitor.clone());
    }
    let from = origin(headers, extensions);
    if !desk.required {
        return Some(Visitor {
            address: from.address,
            ..Visitor::local("")
        });
    }
    desk.people
        .visitor(token(headers)?, &from.address, &from.browser)
}

/// Lets a request pass, with who asks; or refuses it.
pub(super) async fn guard(State(desk): State<Desk>, mut request: Request, next: Next) -> Response {
    let mut checked = check(&desk, &request);
    // What is asked counts once all of it has come: whoever may no longer ask by then does not.
    if checked.is_ok() && changes_by_right(&request) {
        request = whole(request).await;
        checked = check(&desk, &request);
    }
    let visitor = match checked {
        Ok(visitor) => visitor,
        Err(refused) => {
            let (method, path) = (request.method().clone(), request.uri().clone());
            return refused.answer(&desk, method.as_str(), path.path()).await;
        }
    };
    let sees_event = visitor.as_ref().is_some_and(|v| v.may(Right::Event, None));
    if let Some(visitor) = visitor {
        if !request.method().is_safe() {
            desk.people.has_ordered(&visitor);
        }
        if let Some(room) = desk.room.clone().filter(|_| is_of_hall(&request)) {
            return room.order(visitor, request).await;
        }
        request.extensions_mut().insert(visitor);
    }
    let mut answer = next.run(request).await;
    let damage = desk.office.book().damage.clone().filter(|_| sees_event);
    if let Some(Ok(damage)) = damage.map(|text| HeaderValue::from_bytes(text.as_bytes())) {
        answer.headers_mut().insert(DAMAGE, damage);
    }
    answer
}

/// Why a request is refused, and to whom.
struct Refused(Problem, Option<Visitor>);

impl Refused {
    /// The answer. That somebody has tried what he may not is written down, now and then; all of
    /// it, and what strangers are refused, would fill the disk.
    async fn answer(self, desk: &Desk, method: &str, path: &str) -> Response {
        let Refused(problem, visitor) = self;
        let tried = problem.status() == StatusCode::FORBIDDEN;
        let is_noted = |visitor: &Visitor| {
            let session = visitor.session.filter(|_| tried);
            session.is_some_and(|(session, _)| desk.people.notes_refusal(session))
        };
        if let Some(visitor) = visitor.filter(is_noted) {
            let refused = Noted::Refused { method, path };
            if let Err(error) = desk.people.note(visitor.author(), &refused).await {
                tracing::warn!(%error, "a refusal could not be written down");
            }
        }
        problem.into_response()
    }
}

/// Who asks, where he may.
fn check(desk: &Desk, request: &Request) -> Result<Option<Visitor>, Box<Refused>> {
    let visitor = visitor(desk, request.headers(), request.extensions());
    match refusal(desk, request, visitor.as_ref()) {
        Some(problem) => Err(Box::new(Refused(problem, visitor))),
        None => Ok(visitor),
    }
}

/// Whether a request changes something that not everybody may change.
fn changes_by_right(request: &Request) -> bool {
    !request.method().is_safe() && needed(request).is_some_and(|need| need != Need::Open)
}

/// The request with all of its body, or with why that did not come: whoever reads it says so.
async fn whole(request: Request) -> Request {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, LONGEST).await;
    Request::from_parts(head, body.map_or_else(cut_off, Body::from))
}

/// A body that did not come.
pub(super) fn cut_off(error: axum::Error) -> Body {
    Body::from_stream(futures_util::stream::iter([Err::<Bytes, _>(error)]))
}

/// Whether something is ordered of a hall that the hub shows; who one is there, the hub knows.
fn is_of_hall(request: &Request) -> bool {
    let need = needed(request);
    !request.method().is_safe() && !matches!(need, Some(Need::Open | Need::Somebody))
}

/// What is asked of whoever makes this request.
fn needed(request: &Request) -> Option<Need> {
    let path = request.extensions().get::<MatchedPath>();
    let method = request.method().as_str().to_ascii_lowercase();
    access::need(&method, path.map_or("", MatchedPath::as_str))
}

/// Why a request is not answered.
fn refusal(desk: &Desk, request: &Request, visitor: Option<&Visitor>) -> Option<Problem> {
    let is_owner = request.extensions().get::<Author>().is_some()
        || request.extensions().get::<AtHub>().is_some();
    let path = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("", MatchedPath::as_str);
    let need = needed(request);
    if !desk.required && !is_owner {
        let is_open = !path.starts_with(PEOPLE) || path == "/api/people/me" || need.is_none();
        let error = "this service asks nobody who he is; `arbiterd people` manages accounts, and \
            `[http] people = \"required\"` asks for them";
        return (!is_open).then(|| Problem::refused(Reason::new("asks-nobody", error)));
    }
    let Some(need) = need else {
        return Some(Problem::new(StatusCode::FORBIDDEN, "nobody may do that"));
    };
    if desk.resting && IN_MEMORY.iter().any(|start| path.starts_with(start)) {
        let error = "no daemon runs on this store: start it first";
        return Some(Problem::refused(Reason::new("no-daemon", error)));
    }
    if !is_owner && !is_of_own_page(desk, request) {
        let error = "what changes something comes from the console's own page only, which says so";
        let reason = Reason::new("foreign-page", error);
        return Some(Problem::because(StatusCode::FORBIDDEN, reason));
    }
    allowed(need, visitor).err()
}

/// Whether somebody has what an address asks for. Of an order, the handler looks at what it is.
fn allowed(need: Need, visitor: Option<&Visitor>) -> Result<(), Problem> {
    if need == Need::Open {
        return Ok(());
    }
    let visitor = visitor.ok_or_else(|| {
        let reason = Reason::new("nobody-is-in", "log in first, at /login.html");
        Problem::because(StatusCode::UNAUTHORIZED, reason)
    })?;
    if need != Need::Somebody && visitor.pin.is_some() {
        let error = "give the PIN of this device first, at /pin.html";
        let reason = Reason::new("pin-first", error);
        return Err(Problem::because(StatusCode::LOCKED, reason));
    }
    match need {
        Need::Open | Need::Somebody => Ok(()),
        Need::Right(right) => have(visitor, right, None),
        Need::Order => [Right::Rule, Right::Pause, Right::Begin]
            .into_iter()
            .find(|right| visitor.may(*right, None))
            .map(drop)
            .ok_or_else(|| not_his_role(visitor)),
        Need::Proved(right) => {
            have(visitor, right, None)?;
            if visitor.device {
                let error = "a device has no password: accounts and devices are changed by whoever \
                             has logged in with his";
                let reason = Reason::new("device-without-password", error);
                return Err(Problem::because(StatusCode::FORBIDDEN, reason));
            }
            let error = "give your password again: it was more than ten minutes ago";
            let reason = || Reason::new("password-again", error);
            let asked = || Problem::because(StatusCode::PRECONDITION_REQUIRED, reason());
            visitor.proved.then_some(()).ok_or_else(asked)
        }
    }
}

/// Whether somebody has a right at a table; at any at all where that is `None`.
pub(super) fn have(visitor: &Visitor, right: Right, table: Option<u32>) -> Result<(), Problem> {
    if visitor.may(right, table) {
        return Ok(());
    }
    match visitor.who.tables {
        // Elsewhere he may.
        Some(tables) if visitor.may(right, None) => {
            let error = format!("this is none of your tables ({tables})");
            let reason = Reason::new("not-your-tables", error).with("tables", tables);
            Err(Problem::because(StatusCode::FORBIDDEN, reason))
        }
        _ => Err(not_his_role(visitor)),
    }
}

fn not_his_role(visitor: &Visitor) -> Problem {
    let role = visitor.who.role;
    let error = format!("your role ({role}) may not do that");
    let reason = Reason::new("not-your-role", error);
    Problem::because(StatusCode::FORBIDDEN, reason.with("role", role))
}

/// Whether a request that changes something, or follows the boards, says that it is of the
/// console's own page: cookies go with requests of any page that a browser shows. That it is
/// somebody else's is refused before (`access`).
fn is_of_own_page(desk: &Desk, request: &Request) -> bool {
    let (method, headers) = (request.method(), request.headers());
    // A hall shows a key, which no page of a browser has.
    let is_hall = request.uri().path() == crate::hub::PATH;
    let is_line = headers.contains_key(header::UPGRADE) && !is_hall;
    let matters = !method.is_safe() || is_line;
    let site = HeaderName::from_static("sec-fetch-site");
    let origin = headers
        .get(header::ORIGIN)
        .and_then(|origin| origin.to_str().ok());
    // A page of the same name that came without TLS may be anybody's.
    let client = request.extensions().get::<Client>();
    let is_tls = desk.tls.is_some() || client.is_some_and(|client| client.tls() == Some(true));
    let is_plain = is_tls && origin.is_some_and(|o| !o.starts_with("https://"));
    !matters || (!is_plain && (origin.is_some() || headers.contains_key(site)))
}
