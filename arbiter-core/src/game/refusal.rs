//! Why an order is not carried out, and what is open instead.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::game::Game;
use crate::game::change::Changes;
use crate::message;
use crate::said::refused::{Open, Refused, Why};
use crate::said::ruling::Ruling;
use crate::said::view::FindingStatus;

/// What follows from an order, or why nothing does.
pub(crate) type Ordered = Result<Changes, Refusal>;

/// Why an order is not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) why: Why,
    /// What it is about: a finding's number, a ply, a square, an order's name.
    pub(crate) about: String,
}

impl Refusal {
    /// A reason that names what it is about.
    pub(crate) fn of(why: Why, about: impl ToString) -> Refusal {
        let about = about.to_string();
        Refusal { why, about }
    }
}

impl From<Why> for Refusal {
    fn from(why: Why) -> Refusal {
        let about = String::new();
        Refusal { why, about }
    }
}

impl Game {
    /// Tells that an order is not carried out. `given`: the orders that could be taken back, where
    /// one was asked for.
    pub(crate) fn refuse(&mut self, order: Option<&str>, refusal: &Refusal, given: Vec<String>) {
        let open = self.open_matters(given);
        let language = self.setup.options.language;
        let text = message::refusal(language, refusal.why, &refusal.about, &open);
        let because = Box::new(Refused {
            why: refusal.why,
            about: refusal.about.clone(),
            open,
        });
        self.say(Ruling::Refused {
            order: order.map(Box::from),
            because,
            text,
        });
    }

    /// What waits for the arbiter.
    fn open_matters(&self, orders: Vec<String>) -> Open {
        let mut findings = Vec::new();
        for f in self.docket.findings() {
            if f.status == FindingStatus::Open {
                findings.push(f.irregularity.id.to_string());
            }
        }
        let mut plies: Vec<u32> = self.docket.doubts().iter().map(|d| d.doubt.ply).collect();
        plies.sort_unstable();
        plies.dedup();
        Open {
            findings,
            plies: plies.iter().map(u32::to_string).collect(),
            restore: self.state.ordered().is_some(),
            result: self.result().is_some_and(|(result, _)| result.proposed),
            paused: self.state.is_paused(),
            orders,
        }
    }
}
