//! What went wrong, as `{"error": "one sentence"}`.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection};
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use tournament::Refusal;
use tournament::load::Fault;

use super::cut::Cut;
use crate::hall::OrderError;
use crate::office::{LoadError, OfficeError};
use crate::people::PeopleError;
use crate::store::StoreError;

/// An answer that is no answer: a status and one sentence that says what to do.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    error: String,
    faults: Vec<Fault>,
    cut: Option<Box<Cut>>,
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
}

impl Problem {
    pub(super) fn new(status: StatusCode, error: impl Into<String>) -> Problem {
        Problem {
            status,
            error: error.into(),
            faults: Vec::new(),
            cut: None,
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
        let cut = self.cut.as_deref();
        (self.status, Json(Body { error, faults, cut })).into_response()
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
            OrderError::NoGame | OrderError::Refused(_) => StatusCode::CONFLICT,
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
            PeopleError::Taken(_) | PeopleError::Closed(_) | PeopleError::LastChief(_) => {
                StatusCode::CONFLICT
            }
            PeopleError::Store(what) => {
                tracing::error!(what, "accounts could not be read or written");
                let error = "accounts could not be read or written; the log says why";
                return Problem::new(StatusCode::SERVICE_UNAVAILABLE, error);
            }
        };
        Problem::new(status, error.to_string())
    }
}

impl From<OfficeError> for Problem {
    fn from(error: OfficeError) -> Problem {
        let status = match &error {
            OfficeError::Refused(Refusal::NoRound(_) | Refusal::NoPairing { .. })
            | OfficeError::Missing(_) => StatusCode::NOT_FOUND,
            OfficeError::Refused(_) | OfficeError::Damaged(_) => StatusCode::CONFLICT,
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
                let faults = line.map(|line| Fault {
                    of_players: false,
                    sheet: None,
                    line,
                    column: 1,
                    text: refusal.to_string(),
                });
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
