//! What went wrong, as `{"error": "one sentence"}`; why something was refused, as data too.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection};
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use tournament::Refusal;
use tournament::load::{Fault, What};

use super::cut::Cut;
use crate::hall::OrderError;
use crate::office::{LoadError, OfficeError};
use crate::people::PeopleError;
use crate::reason::Reason;
use crate::store::StoreError;

/// An answer that is no answer: a status and one sentence that says what to do.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    error: String,
    faults: Vec<Fault>,
    cut: Option<Box<Cut>>,
    why: Option<Box<Reason>>,
}

/// What went wrong.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(super) struct Body<'a> {
    /// One sentence: what is wrong and what to do.
    error: &'a str,
    /// Of a file that cannot be understood, each place.
    #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
    faults: &'a [Fault],
    /// What the order would take out of the record; it is asked first.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<&'a Cut>,
    /// Why it was refused, for whoever says it in another language.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a Reason>,
}

impl Problem {
    pub(super) fn new(status: StatusCode, error: impl Into<String>) -> Problem {
        Problem {
            status,
            error: error.into(),
            faults: Vec::new(),
            cut: None,
            why: None,
        }
    }

    /// It is refused as things stand, for this reason.
    pub(super) fn refused(reason: Reason) -> Problem {
        Problem::because(StatusCode::CONFLICT, reason)
    }

    /// It is refused for this reason.
    pub(super) fn because(status: StatusCode, reason: Reason) -> Problem {
        Problem {
            why: Some(Box::new(reason.clone())),
            ..Problem::new(status, reason.text)
        }
    }

    /// With what an order would take out of the record.
    pub(super) fn with_cut(self, cut: Cut) -> Problem {
        let cut = Some(Box::new(cut));
        Problem { cut, ..self }
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    pub(super) fn not_found(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (error, faults) = (&*self.error, &self.faults[..]);
        let (cut, why) = (self.cut.as_deref(), self.why.as_deref());
        let body = Body {
            error,
            faults,
            cut,
            why,
        };
        (self.status, Json(body)).into_response()
    }
}

impl From<PathRejection> for Problem {
    fn from(error: PathRejection) -> Problem {
        Problem::new(error.status(), error.body_text())
    }
}

impl From<BytesRejection> for Problem {
    fn from(error: BytesRejection) -> Problem {
        Problem::new(error.status(), error.body_text())
    }
}

impl From<WebSocketUpgradeRejection> for Problem {
    fn from(error: WebSocketUpgradeRejection) -> Problem {
        let about = "the live feed is a WebSocket";
        Problem::new(error.status(), format!("{about}: {}", error.body_text()))
    }
}

impl From<OrderError> for Problem {
    fn from(error: OrderError) -> Problem {
        let status = match error {
            OrderError::UnknownBoard(ref id) => return no_board(id),
            OrderError::UnknownGame(ref id) => return no_game(id),
            OrderError::Refused(reason) => return Problem::refused(*reason),
            OrderError::NoGame => {
                return Problem::refused(Reason::new("no-game", error.to_string()));
            }
            OrderError::NotAnOrder(_) | OrderError::Bad(_) => StatusCode::UNPROCESSABLE_ENTITY,
            OrderError::ShuttingDown => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem::new(status, error.to_string())
    }
}

/// No board has this id.
pub(super) fn no_board(id: &str) -> Problem {
    let reason = Reason::new("no-such-board", format!("there is no board `{id}`"));
    Problem::because(StatusCode::NOT_FOUND, reason.with("board", id))
}

/// No game has this id.
pub(super) fn no_game(id: &str) -> Problem {
    let text = format!("there is no game `{id}`; /api/games lists them");
    let reason = Reason::new("no-such-game", text).with("game", id);
    Problem::because(StatusCode::NOT_FOUND, reason)
}

/// What was sent is nothing that this address takes.
pub(super) fn unreadable(status: StatusCode, text: impl Into<String>) -> Problem {
    Problem::because(status, Reason::new("unreadable", text))
}

impl From<PeopleError> for Problem {
    fn from(error: PeopleError) -> Problem {
        let status = match &error {
            PeopleError::Wrong | PeopleError::Pin(_) => StatusCode::UNAUTHORIZED,
            PeopleError::TooOften => StatusCode::TOO_MANY_REQUESTS,
            PeopleError::Setup | PeopleError::HadChief | PeopleError::Pairing(_) => {
                StatusCode::FORBIDDEN
            }
            PeopleError::Weak(_) | PeopleError::Bad(_) => StatusCode::UNPROCESSABLE_ENTITY,
            PeopleError::NoAccount(_) | PeopleError::NoSession(_) | PeopleError::NoPetition => {
                StatusCode::NOT_FOUND
            }
            PeopleError::Taken(_)
            | PeopleError::Closed(_)
            | PeopleError::InUse { .. }
            | PeopleError::LastChief(_) => StatusCode::CONFLICT,
            PeopleError::Store(what) => {
                tracing::error!(what, "accounts could not be read or written");
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Problem::because(status, error.reason())
    }
}

impl From<OfficeError> for Problem {
    fn from(error: OfficeError) -> Problem {
        let status = match &error {
            OfficeError::Refused(refusal @ (Refusal::NoRound(_) | Refusal::NoPairing { .. })) => {
                return Problem::because(StatusCode::NOT_FOUND, refusal.into());
            }
            OfficeError::Missing(_) => StatusCode::NOT_FOUND,
            OfficeError::Refused(refusal) => return Problem::refused(refusal.into()),
            OfficeError::Damaged(what) => {
                let reason = Reason::new("event-damaged", error.to_string());
                return Problem::refused(reason.with("what", what));
            }
            OfficeError::Unfit(reason) => {
                let reason = (**reason).clone();
                return Problem::because(StatusCode::UNPROCESSABLE_ENTITY, reason);
            }
            OfficeError::Bad(_) => StatusCode::UNPROCESSABLE_ENTITY,
            OfficeError::Journal(_) | OfficeError::Store(_) => return disk(error.to_string()),
        };
        Problem::new(status, error.to_string())
    }
}

impl From<LoadError> for Problem {
    fn from(error: LoadError) -> Problem {
        match error {
            LoadError::Office(error) => error.into(),
            LoadError::Refused(refusal, line) => {
                // Why says it.
                let what = || What::new("refused", refusal.to_string(), []);
                let faults = line.map(|line| Fault::new(line, 1, what()));
                Problem {
                    faults: faults.into_iter().collect(),
                    ..OfficeError::from(refusal).into()
                }
            }
            LoadError::Unreadable(unreadable) => Problem {
                status: StatusCode::UNPROCESSABLE_ENTITY,
                error: unreadable.to_string(),
                faults: unreadable.0,
                cut: None,
                why: None,
            },
        }
    }
}

impl From<JsonRejection> for Problem {
    fn from(error: JsonRejection) -> Problem {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Problem::new(error.status(), "the order is longer than any can be")
            }
            status => unreadable(status, error.body_text()),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        tracing::error!(%error, "the game store could not be read");
        disk(error.to_string())
    }
}

/// The disk refuses; what it says itself is for the log and for programs.
fn disk(text: String) -> Problem {
    let reason = Reason::new("disk-refuses", text);
    Problem::because(StatusCode::SERVICE_UNAVAILABLE, reason)
}

/// For addresses that exist but not for this method.
pub(super) async fn wrong_method(method: Method, uri: Uri) -> Problem {
    let error = format!(
        "{} does not answer {method}; /api/openapi.json lists what it answers",
        uri.path()
    );
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, error)
}
