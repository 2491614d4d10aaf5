//! The setting by which a board tells its changes by itself. It lies in the board's EEPROM, which
//! bears only so many writes: it is read first, and written a few times at most.

use std::time::{Duration, Instant};

use super::frame::ToBoard;
use super::say;
use crate::fault::Fault;
use crate::protocol::{Learning, Outbox};

/// Where the board keeps when it tells its state by itself.
pub(crate) const AUTOMATIC: u8 = 2;

/// ... at each change, without debouncing.
pub(crate) const ON_CHANGE: u8 = 3;

/// What was written is read back after this long, and so is what was asked for and has not come.
const SETTLES: Duration = Duration::from_millis(500);

/// How often it is written at most.
const WRITES: u8 = 3;

/// How many questions in a row may stay without an answer: on a line that is disturbed some do, and
/// say nothing of what the board takes.
const UNANSWERED: u8 = 20;

/// After so many the board is read scan by scan meanwhile.
const SILENT: u8 = 4;

/// Said of a board that keeps another setting.
const REFUSED: &str = "the board does not tell its changes by itself (its setting 02 does not \
                       become 3) and is asked at every scan: set it with the maker's program, \
                       or have the ChessLink looked at";

/// What is known of the setting in this connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Automatic {
    /// It is to be read.
    Due(Due),
    /// The board has it.
    Taken,
    /// The board does not take it.
    Refused,
}

/// When the setting is read next, and how that went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Due {
    at: Instant,
    /// Questions since the last answer.
    asked: u8,
    /// How often it was written.
    writes: u8,
}

impl Automatic {
    pub(super) fn new(now: Instant) -> Automatic {
        let (asked, writes) = (0, 0);
        Automatic::Due(Due {
            at: now,
            asked,
            writes,
        })
    }

    /// When it is to be read, if it is.
    pub(super) fn due(self) -> Option<Instant> {
        match self {
            Automatic::Due(due) => Some(due.at),
            Automatic::Taken | Automatic::Refused => None,
        }
    }

    /// Whether the board is to be asked for its changes, for all that is known.
    pub(super) fn is_silent(self) -> bool {
        match self {
            Automatic::Due(due) => due.asked >= SILENT,
            Automatic::Taken => false,
            Automatic::Refused => true,
        }
    }

    /// The question that is due now, if one is.
    pub(super) fn question(&mut self, now: Instant, out: &mut Outbox) -> Option<ToBoard> {
        let Automatic::Due(due) = self else {
            return None;
        };
        if now < due.at {
            return None;
        }
        if due.asked == UNANSWERED {
            self.refuse(out);
            return None;
        }
        (due.at, due.asked) = (now + SETTLES, due.asked + 1);
        Some(ToBoard::Read { address: AUTOMATIC })
    }

    /// The board says what it has.
    pub(super) fn read(&mut self, now: Instant, value: u8, out: &mut Outbox) {
        match self {
            _ if value == ON_CHANGE => *self = Automatic::Taken,
            Automatic::Due(due) if due.asked > 0 => {
                if due.writes == WRITES {
                    return self.refuse(out);
                }
                let writes = due.writes + 1;
                (due.at, due.asked, due.writes) = (now + SETTLES, 0, writes);
                let (address, value) = (AUTOMATIC, ON_CHANGE);
                say(&ToBoard::Write { address, value }, out);
            }
            // Nobody asked.
            Automatic::Due(_) | Automatic::Taken | Automatic::Refused => {}
        }
    }

    fn refuse(&mut self, out: &mut Outbox) {
        *self = Automatic::Refused;
        out.learning = Some(Learning::Wanted(Fault::new("asked-each-scan", REFUSED)));
    }
}
