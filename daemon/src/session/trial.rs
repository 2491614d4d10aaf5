//! What an order would do, without its being given.

use std::sync::Arc;
use std::time::Instant;

use arbiter_core::{Announcement, Event, Input};
use schemars::JsonSchema;
use serde::Serialize;

use super::orders::{may_be_declared, refused};
use super::{Session, rests};
use crate::hall::{self, OrderError, View};

/// What would be so if an order were given now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Trial")]
pub(crate) struct Trial {
    /// What would be said of it.
    pub(crate) said: Vec<Announcement>,
    /// How the game would stand.
    pub(crate) view: View,
}

impl Session {
    /// Tries an order on a copy of the game: nothing is written down, and nobody is told. Gives
    /// back the [`Trial`] as JSON.
    pub(super) fn try_out(&self, input: Input) -> Result<Option<String>, OrderError> {
        may_be_declared(&input)?;
        if self.arbiter.setup().is_none() {
            return Err(OrderError::NoGame);
        }
        self.may_go_on(&input)?;
        self.may_cut(&input)?;
        self.may_be_for_record(&input)?;
        let at = self.timeline.clone().declared(Instant::now());
        let earlier = self
            .earlier
            .as_ref()
            .filter(|_| self.is_about_earlier(&input));
        let mut arbiter = earlier
            .map_or(&self.arbiter, |earlier| earlier.arbiter())
            .clone();
        let mut said: Vec<Announcement> = Vec::new();
        let order = input.clone();
        let event = Event { at, input };
        rests::may_take_back(&arbiter, &event)?;
        arbiter.handle(&event, &mut said);
        refused(&said, &order).map_or(Ok(()), Err)?;
        let view = hall::view(&arbiter, None).ok_or(OrderError::NoGame)?;
        // What a person has said of the result stays, whatever is ordered of the game.
        let view = match earlier {
            Some(_) => Arc::new(view),
            None => self.as_said(Arc::new(view)),
        };
        let view = Arc::unwrap_or_clone(view);
        let trial = serde_json::to_string(&Trial { said, view });
        trial
            .map(Some)
            .map_err(|error| OrderError::Bad(error.to_string()))
    }
}
