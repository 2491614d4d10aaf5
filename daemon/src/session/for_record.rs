//! What is upheld for the record alone: once a game is over, what was found in it was so, and
//! nothing follows from that.

use arbiter_core::Input;
use arbiter_core::input::ArbiterAction;

use super::Session;
use crate::hall::{self, OrderError};
use crate::reason::Reason;

/// Why something is not upheld so.
const NOT_OVER: &str = "upheld without consequence (`for_record`) is only what was found in a game \
                        that is over: in this one, uphold it with what the Laws require";

impl Session {
    /// Refuses it of the game at hand while that goes on: there the Laws say what follows.
    pub(super) fn may_be_for_record(&self, input: &Input) -> Result<(), OrderError> {
        let game = self.record.as_ref().map_or("", |record| &record.game);
        let result = hall::view(&self.arbiter, None).and_then(|view| view.result);
        let has_ended = result.is_some_and(|result| !result.proposed);
        match !is_for_record(input) || has_ended || self.parts.office.book().has_result(game) {
            true => Ok(()),
            false => Err(not_over()),
        }
    }

    /// The same of a game whose pieces stand nowhere any more, unless it is played on another day.
    pub(super) fn may_be_for_record_of(&self, game: &str, input: &Input) -> Result<(), OrderError> {
        match is_for_record(input) && self.parts.office.book().is_postponed(game) {
            true => Err(not_over()),
            false => Ok(()),
        }
    }
}

fn not_over() -> OrderError {
    OrderError::refused(Reason::new("not-over", NOT_OVER))
}

fn is_for_record(input: &Input) -> bool {
    match input.plain() {
        Input::Arbiter(ArbiterAction::Uphold(finding)) => finding.for_record,
        _ => false,
    }
}
