//! Addresses with what answers them and how they are described: the service and its description
//! are made of the same list.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::StatusCode;
use axum::routing::{get, post};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use super::Desk;
use super::problem::Body;

/// Gives the schema of a type and enters those it refers to.
pub(super) type Describe = fn(&mut SchemaGenerator) -> Schema;

/// What an answer or an order holds: its media type and its schema.
pub(super) type Content = (&'static str, Describe);

/// What one method of one address does.
pub(super) struct Operation {
    pub(super) path: &'static str,
    pub(super) method: &'static str,
    pub(super) summary: &'static str,
    pub(super) description: &'static str,
    pub(super) order: Option<Order>,
    pub(super) answers: Vec<Answer>,
}

/// What a request holds, with examples by name.
pub(super) struct Order {
    pub(super) content: Content,
    pub(super) examples: Vec<(&'static str, Value)>,
    /// Whether the address asks for one.
    pub(super) required: bool,
}

/// One way in which an operation answers.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) description: &'static str,
    pub(super) content: Option<Content>,
}

/// JSON that is written from a `T`.
pub(super) fn json<T: JsonSchema>() -> Content {
    ("application/json", |generator| {
        generator.subschema_for::<T>()
    })
}

/// Text of a media type of its own.
pub(super) fn text(kind: &'static str) -> Content {
    (kind, |generator| generator.subschema_for::<String>())
}

/// Everything the service answers.
#[derive(Default)]
pub(super) struct Routes {
    pub(super) router: Router<Desk>,
    pub(super) operations: Vec<Operation>,
}

impl Routes {
    /// Answers a question.
    pub(super) fn get<H: Handler<T, Desk>, T: 'static>(
        mut self,
        path: &'static str,
        handler: H,
        summary: &'static str,
    ) -> Routes {
        self.router = self.router.route(path, get(handler));
        self.also("get", path, summary)
    }

    /// Takes an order.
    pub(super) fn post<H: Handler<T, Desk>, T: 'static>(
        mut self,
        path: &'static str,
        handler: H,
        summary: &'static str,
    ) -> Routes {
        self.router = self.router.route(path, post(handler));
        self.also("post", path, summary)
    }

    /// Takes an order of up to so many bytes.
    pub(super) fn post_long<H: Handler<T, Desk>, T: 'static>(
        mut self,
        path: &'static str,
        handler: H,
        longest: usize,
        summary: &'static str,
    ) -> Routes {
        let taken = post(handler).layer(DefaultBodyLimit::max(longest));
        self.router = self.router.route(path, taken);
        self.also("post", path, summary)
    }

    /// Takes an order whose form is that of a `T`, with an example.
    pub(super) fn reads<T: JsonSchema>(self, name: &'static str, example: Value) -> Routes {
        self.takes(Order {
            content: json::<T>(),
            examples: vec![(name, example)],
            required: true,
        })
    }

    /// May take one, and does without.
    pub(super) fn may_read<T: JsonSchema>(self, name: &'static str, example: Value) -> Routes {
        self.takes(Order {
            content: json::<T>(),
            examples: vec![(name, example)],
            required: false,
        })
    }

    /// An address that an earlier one answers as well.
    pub(super) fn also(
        mut self,
        method: &'static str,
        path: &'static str,
        summary: &'static str,
    ) -> Routes {
        self.operations.push(Operation {
            path,
            method,
            summary,
            description: "",
            order: None,
            answers: Vec::new(),
        });
        // Whoever asks by a host name that is not the service's own is told nothing.
        self.refuses([StatusCode::FORBIDDEN])
    }

    /// These, and those of another part.
    pub(super) fn and(mut self, other: Routes) -> Routes {
        self.router = self.router.merge(other.router);
        self.operations.extend(other.operations);
        self
    }

    /// More about the operation added last.
    pub(super) fn about(self, description: &'static str) -> Routes {
        self.with(|operation| operation.description = description)
    }

    /// What the operation added last takes.
    pub(super) fn takes(self, order: Order) -> Routes {
        self.with(|operation| operation.order = Some(order))
    }

    /// How the operation added last answers when all is well.
    pub(super) fn gives(self, description: &'static str, content: Content) -> Routes {
        self.answers(StatusCode::OK, description, Some(content))
    }

    /// Another way in which it answers.
    pub(super) fn answers(
        self,
        status: StatusCode,
        description: &'static str,
        content: Option<Content>,
    ) -> Routes {
        let answer = Answer {
            status,
            description,
            content,
        };
        self.with(|operation| operation.answers.push(answer))
    }

    /// The statuses with which the operation added last says what went wrong.
    pub(super) fn refuses<const N: usize>(self, statuses: [StatusCode; N]) -> Routes {
        statuses.into_iter().fold(self, |routes, status| {
            let what = "What went wrong, in one sentence";
            routes.answers(status, what, Some(json::<Body<'_>>()))
        })
    }

    fn with(mut self, change: impl FnOnce(&mut Operation)) -> Routes {
        if let Some(last) = self.operations.last_mut() {
            change(last);
        }
        self
    }
}
