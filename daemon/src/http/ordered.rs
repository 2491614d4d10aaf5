//! Orders that come from the hub: carried out by the hall's own interface, in the name of the
//! person there.

use access::Role;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use jiff::Timestamp;
use tokio::sync::mpsc;

use super::{Desk, own_router};
use crate::hub::FromHall;
use crate::hub::Given;
use crate::hub::order::{
    AT_HUB, Dealt, Found, LONGEST, Ledger, OTHER, Order, OrderAct, Reply, STALE, is_orderable,
};
use crate::journal::{self, Journal};
use crate::people::Visitor;
use crate::store::{Area, Author, Deed, StoreError};

/// Somebody at the hub.
#[derive(Clone, Debug)]
pub(super) struct AtHub {
    pub(super) visitor: Visitor,
    /// The hub itself deals out what was decided there.
    pub(super) is_deal: bool,
}

impl AtHub {
    fn of(order: &Order) -> AtHub {
        let mut visitor = Visitor::local("");
        visitor.who = order.giver();
        visitor.proved = false;
        AtHub {
            visitor,
            is_deal: Dealt::is_name(&order.id),
        }
    }

    /// As the list of acts names him.
    pub(super) fn author(&self) -> Author {
        Author {
            device: AT_HUB.to_owned(),
            ..self.visitor.author()
        }
    }
}

/// Carries out what the hub orders.
pub struct Orders {
    service: TowerToHyperService<Router>,
    journal: Journal,
    /// Whose orders are taken.
    allowed: Vec<Role>,
    known: Ledger,
}

impl Orders {
    /// Takes orders of people of these roles for a desk.
    ///
    /// # Errors
    /// Where the acts of the store cannot be read.
    pub fn open(desk: Desk, journal: Journal, allowed: Vec<Role>) -> Result<Orders, StoreError> {
        let known = Ledger::read(&desk.office.store().deeds()?);
        Ok(Orders {
            service: TowerToHyperService::new(own_router(desk)),
            journal,
            allowed,
            known,
        })
    }

    /// Carries them out, one after the other.
    pub async fn carry_out(mut self, mut orders: mpsc::Receiver<Given>) {
        while let Some(Given { order, answers }) = orders.recv().await {
            let done = self.answer(&order).await;
            let Reply { status, body } = done.unwrap_or_else(|error| {
                tracing::error!(%error, "an order of the hub could not be written down");
                Reply::refused(503, &error)
            });
            let order = order.id;
            let _gone = answers.send(FromHall::Answer {
                order,
                status,
                body,
            });
        }
    }

    /// What came of an order, be it now or before.
    async fn answer(&mut self, order: &Order) -> Result<Reply, String> {
        if order.is_question() {
            return match self.refusal(order) {
                Some((status, error)) => Ok(Reply::refused(status, &error)),
                None => self.ask(order).await,
            };
        }
        match self.known.find(order) {
            Found::Nothing => {}
            Found::Other => return Ok(Reply::refused(422, OTHER)),
            Found::Answered(reply) => return Ok(reply),
            Found::Begun => {
                let error = "this order was begun when the hall's program was killed: look in the \
                             hall whether it was carried out, and give it anew if not";
                return Ok(Reply::refused(409, error));
            }
        }
        let sum = order.sum();
        let (id, path) = (order.id.clone(), order.path.clone());
        if let Some((status, error)) = self.refusal(order) {
            let reply = Reply::refused(status, &error);
            let refused = OrderAct::Refused {
                order: id,
                path,
                sum,
                status,
                error,
            };
            self.write(order, &refused).await?;
            return Ok(reply);
        }
        let taken = OrderAct::Taken {
            order: id.clone(),
            path,
            sum,
        };
        self.write(order, &taken).await?;
        let reply = self.ask(order).await?;
        let said: Option<serde_json::Value> = serde_json::from_str(&reply.body).ok();
        let error = said.and_then(|said| Some(said["error"].as_str()?.to_owned()));
        // What was wrong with what was sent may name players, and acts are never changed.
        let error = error.filter(|_| reply.status >= 400 && reply.status != 422);
        let answered = OrderAct::Answered {
            order: id,
            status: reply.status,
            error,
        };
        self.write(order, &answered).await?;
        Ok(reply)
    }

    /// Why an order is not even tried.
    fn refusal(&self, order: &Order) -> Option<(u16, String)> {
        let age = Timestamp::now().as_millisecond() - order.given;
        if !self.allowed.contains(&order.role) {
            let error = format!(
                "this hall takes no orders from {} at the hub: order it in the hall",
                order.role.one()
            );
            Some((403, error))
        } else if !is_orderable(&order.path) {
            Some((
                403,
                "a hub may not order that: do it in the hall".to_owned(),
            ))
        } else if age.abs() > STALE {
            let seconds = age.abs() / 1000;
            let error = match age > 0 {
                true => format!(
                    "this order is {seconds} s old, so nothing was done: look how things stand, \
                     and give it anew"
                ),
                false => format!(
                    "this order is {seconds} s ahead of the hall's clock, which was set: nothing \
                     was done; give it anew"
                ),
            };
            Some((410, error))
        } else {
            None
        }
    }

    /// Asks the hall's own interface.
    async fn ask(&self, order: &Order) -> Result<Reply, String> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(&order.path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONTENT_LENGTH, order.body.len())
            .body(Body::from(order.body.clone()));
        let Ok(mut request) = request else {
            return Ok(Reply::refused(400, "that is no address"));
        };
        request.extensions_mut().insert(AtHub::of(order));
        let answer = match self.service.call(request).await {
            Ok(answer) => answer,
            Err(never) => match never {},
        };
        let status = answer.status();
        let body = to_bytes(answer.into_body(), LONGEST).await;
        let body = body
            .ok()
            .and_then(|body| String::from_utf8(body.to_vec()).ok());
        Ok(match body {
            Some(body) => Reply {
                status: status.as_u16(),
                body,
            },
            // It is done, and longer to tell than a line takes at once.
            None if status == StatusCode::OK => Reply {
                status: 200,
                body: "{}".to_owned(),
            },
            None => Reply::refused(status.as_u16(), "the hall's answer was too long"),
        })
    }

    async fn write(&mut self, order: &Order, act: &OrderAct) -> Result<(), String> {
        let author = AtHub::of(order).author();
        let deed = Deed::now(author, Area::Orders, act).map_err(|error| error.to_string())?;
        let acts = [journal::Act::Deed(Box::new(deed))];
        let written = self.journal.write(acts.into()).await;
        written.map_err(|error| format!("it could not be written down: {error}"))?;
        self.known.note(act);
        Ok(())
    }
}
