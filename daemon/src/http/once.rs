//! What is sent again counts once. A line that breaks may take the answer with it: whoever gives
//! his request a name (`Idempotency-Key`) and sends it again is told what came of it the first
//! time; another request of that name is refused. It is kept as long as the program runs, of the
//! latest requests; once somebody is erased, only that they were answered.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tokio::sync::OwnedMutexGuard;

use super::guard::{LONGEST, cut_off};
use super::problem::Problem;
use crate::office::Office;
use crate::people::Visitor;

/// The name of a request.
const NAME: &str = "idempotency-key";
/// The longest name, in bytes.
const LONGEST_NAME: usize = 80;
/// Of so many requests the answers are kept.
const KEPT: usize = 512;
/// A longer answer is not kept: it is told that it was given.
const LONGEST_ANSWER: usize = 256 << 10;

/// Told instead of an answer that is not kept.
const NOTHING: Bytes = Bytes::from_static(b"{}");

/// An answer as it was given.
#[derive(Clone, Debug)]
struct Given {
    status: StatusCode,
    kind: Option<HeaderValue>,
    body: Bytes,
    /// How often somebody had been erased by then.
    erasures: u64,
    /// The checksum of the order.
    order: Checksum,
}

/// A checksum of an order as it was sent.
type Checksum = [u8; 32];

impl Given {
    /// The answer to who asks again, after so many erasures.
    fn told_again(&self, erasures: u64) -> Response {
        let again = self.clone();
        match again.erasures == erasures {
            true => again.into_response(),
            false => again.withheld().into_response(),
        }
    }

    /// That it was given, and no more.
    fn withheld(self) -> Given {
        Given {
            kind: Some(HeaderValue::from_static("application/json")),
            body: NOTHING,
            ..self
        }
    }
}

impl IntoResponse for Given {
    fn into_response(self) -> Response {
        let mut answer = (self.status, self.body).into_response();
        if let Some(kind) = self.kind {
            answer.headers_mut().insert(CONTENT_TYPE, kind);
        }
        answer
    }
}

/// A request, and its answer once there is one. Whoever sends it again meanwhile waits for that.
type Slot = Arc<tokio::sync::Mutex<Option<Given>>>;

/// Whose request it is, where it goes, and what it is called.
type Key = (String, String, String);

/// What came of the latest requests that have a name.
#[derive(Clone, Debug)]
pub(super) struct Once {
    known: Arc<Mutex<Known>>,
    office: Office,
}

#[derive(Default, Debug)]
struct Known {
    slots: HashMap<Key, Slot>,
    order: VecDeque<Key>,
}

impl Once {
    pub(super) fn new(office: &Office) -> Once {
        Once {
            known: Arc::default(),
            office: office.clone(),
        }
    }

    fn slot(&self, key: Key) -> Slot {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = known.slots.get(&key) {
            return slot.clone();
        }
        if known.order.len() >= KEPT
            && let Some(oldest) = known.order.pop_front()
        {
            known.slots.remove(&oldest);
        }
        known.order.push_back(key.clone());
        known.slots.entry(key).or_default().clone()
    }
}

/// Whether nothing was done, and will be when it is sent again.
fn is_not_yet(status: StatusCode) -> bool {
    status.is_server_error()
        || matches!(
            status,
            StatusCode::UNAUTHORIZED | StatusCode::LOCKED | StatusCode::TOO_MANY_REQUESTS
        )
}

/// Of an order that has the name of another one.
fn other() -> Problem {
    let error = "another order to this address has this `Idempotency-Key`: give each a name of its \
                 own";
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error)
}

/// Lets a request pass that has not been answered yet.
pub(super) async fn once(State(once): State<Once>, request: Request, next: Next) -> Response {
    let name = request
        .headers()
        .get(NAME)
        .filter(|_| request.method() == Method::POST);
    let Some(name) = name else {
        return next.run(request).await;
    };
    let Some(name) = name.to_str().ok().filter(|name| name.len() <= LONGEST_NAME) else {
        let error = "`Idempotency-Key` is a name of 80 characters at most";
        return Problem::new(StatusCode::BAD_REQUEST, error).into_response();
    };
    // Strangers have no place in what is kept, and their passwords are looked at each time.
    let Some(visitor) = request.extensions().get::<Visitor>() else {
        return next.run(request).await;
    };
    let who = visitor.who.name.clone();
    let key = (who, request.uri().to_string(), name.to_owned());
    let (head, body) = request.into_parts();
    let body = to_bytes(body, LONGEST).await;
    let order: Checksum = Sha256::digest(body.as_deref().unwrap_or_default()).into();
    let body = body.map_or_else(cut_off, Body::from);
    let request = Request::from_parts(head, body);
    let slot = once.slot(key);
    let given = slot.lock_owned().await;
    let erasures = once.office.erasures();
    if let Some(given) = &*given {
        return match given.order == order {
            true => given.told_again(erasures),
            false => other().into_response(),
        };
    }
    // Whoever has gone meanwhile asks again: what was begun for him is brought to its end.
    let answer = tokio::spawn(answered(given, (order, erasures), request, next)).await;
    let error = "the program is ending, or has failed in this request";
    answer
        .unwrap_or_else(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error).into_response())
}

/// Answers, and keeps the answer.
async fn answered(
    mut given: OwnedMutexGuard<Option<Given>>,
    (order, erasures): (Checksum, u64),
    request: Request,
    next: Next,
) -> Response {
    let answer = next.run(request).await;
    if is_not_yet(answer.status()) {
        return answer;
    }
    let (head, body) = answer.into_parts();
    let body = to_bytes(body, LONGEST_ANSWER).await;
    let told = Given {
        status: head.status,
        kind: head.headers.get(CONTENT_TYPE).cloned(),
        body: body.unwrap_or(NOTHING),
        erasures,
        order,
    };
    *given = Some(told.clone());
    Response::from_parts(head, Body::from(told.body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_withheld_is_no_page_any_more() {
        let given = Given {
            status: StatusCode::OK,
            kind: Some(HeaderValue::from_static("text/html")),
            body: Bytes::from_static(b"<p>Berg, Anna"),
            erasures: 1,
            order: Checksum::default(),
        };
        let kind = |answer: Response| answer.headers()[CONTENT_TYPE].clone();
        assert_eq!(kind(given.told_again(1)), "text/html");
        assert_eq!(kind(given.told_again(2)), "application/json");
    }
}
