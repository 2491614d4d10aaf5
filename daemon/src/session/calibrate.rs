//! The zero of analogue sensors, taken anew while the board stays on the line.

use arbiter_core::Symbol;
use arbiter_core::shakmaty::Square;
use arbiter_core::view::Phase;
use board_driver::Command;

use super::Session;
use crate::hall::OrderError;
use crate::reason::Reason;

/// As many squares are named as are read at a glance.
const NAMED: usize = 8;

impl Session {
    /// Has the board take what its sensors read now as their zero. A man that stands there would
    /// spoil his square, so every square has to read empty and no game be under way.
    ///
    /// # Errors
    /// Where the board is not on the line, has no such sensors, is in play or not empty.
    pub(super) fn calibrate(&mut self) -> Result<Option<String>, OrderError> {
        let refused = |reason| Err(OrderError::refused(reason));
        let analogue = self.info.as_ref().map(|info| info.levels);
        match analogue.filter(|_| self.faults.line.is_none()) {
            None => {
                let text = "the board is not on the line: its sensors cannot be calibrated";
                return refused(Reason::new("board-away", text));
            }
            Some(false) => {
                let text = "the board has no analogue sensors: there is nothing to calibrate";
                return refused(Reason::new("board-not-analogue", text));
            }
            Some(true) => {}
        }
        if let Some(view) = self.view() {
            if !view.plies.is_empty() && view.state != Phase::Ended {
                let text = "a game is under way on the board: it is calibrated between games";
                return refused(Reason::new("board-in-play", text));
            }
            let full = |square: &Square| view.reading.at(*square) != Symbol::Empty;
            let in_the_way: Vec<String> = Square::ALL
                .into_iter()
                .filter(full)
                .take(NAMED)
                .map(|square| square.to_string())
                .collect();
            if !in_the_way.is_empty() {
                let squares = in_the_way.join(", ");
                let text = format!("take all pieces off first: {squares} read full");
                return refused(Reason::new("board-not-empty", text).with("squares", squares));
            }
        }
        match self.commands.try_send(Command::Calibrate) {
            Ok(()) => {
                tracing::info!(board = self.parts.board.id, "board is calibrated");
                Ok(None)
            }
            Err(_) => refused(Reason::new(
                "board-away",
                "the board takes nothing at present: its sensors cannot be calibrated",
            )),
        }
    }
}
