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
            OrderError::UnknownBoard(_) | OrderError::UnknownGame(_) => StatusCode::NOT_FOUND,
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
            PeopleError::Taken(name) => return of_account("account-taken", name, &error),
            PeopleError::Closed(name) => return of_account("account-closed", name, &error),
            PeopleError::LastChief(name) => return of_account("last-chief", name, &error),
            PeopleError::Store(what) => {
                tracing::error!(what, "accounts could not be read or written");
                let error = "accounts could not be read or written; the log says why";
                return Problem::new(StatusCode::SERVICE_UNAVAILABLE, error);
            }
        };
        Problem::new(status, error.to_string())
    }
}

fn of_account(kind: &str, name: &str, error: &PeopleError) -> Problem {
    Problem::refused(Reason::new(kind, error.to_string()).with("name", name))
}

impl From<OfficeError> for Problem {
    fn from(error: OfficeError) -> Problem {
        let status = match &error {
            OfficeError::Refused(Refusal::NoRound(_) | Refusal::NoPairing { .. })
            | OfficeError::Missing(_) => StatusCode::NOT_FOUND,
            OfficeError::Refused(refusal) => return Problem::refused(refusal.into()),
            OfficeError::Damaged(what) => {
                let reason = Reason::new("event-damaged", error.to_string());
                return Problem::refused(reason.with("what", what));
            }
            OfficeError::Bad(_) => StatusCode::UNPROCESSABLE_ENTITY,
            OfficeError::Journal(_) | OfficeError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
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
            status => Problem::new(status, error.body_text()),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        tracing::error!(%error, "the game store could not be read");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

/// For addresses that exist but not for this method.
pub(super) async fn wrong_method(method: Method, uri: Uri) -> Problem {
    let error = format!(
        "{} does not answer {method}; /api/openapi.json lists what it answers",
        uri.path()
    );
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, error)
}
