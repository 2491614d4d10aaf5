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

/// How often the setting is read at most: before the first write, and after each of three.
const READS: u8 = 4;

/// Said of a board that keeps another setting.
const REFUSED: &str = "the board does not tell its changes by itself (its setting 02 does not \
                       become 3) and is asked at every scan: set it with the maker's program, \
                       or have the ChessLink looked at";

/// What is known of the setting in this connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Automatic {
    /// It is to be read at this moment, and was read so many times.
    Due(Instant, u8),
    /// The board has it.
    Taken,
    /// The board does not take it.
    Refused,
}

impl Automatic {
    pub(super) fn new(now: Instant) -> Automatic {
        Automatic::Due(now, 0)
    }

    /// When it is to be read, if it is.
    pub(super) fn due(self) -> Option<Instant> {
        match self {
            Automatic::Due(due, _) => Some(due),
            Automatic::Taken | Automatic::Refused => None,
        }
    }

    pub(super) fn is_refused(self) -> bool {
        self == Automatic::Refused
    }

    /// The question that is due now, if one is.
    pub(super) fn question(&mut self, now: Instant, out: &mut Outbox) -> Option<ToBoard> {
        let Automatic::Due(due, reads) = *self else {
            return None;
        };
        if now < due {
            return None;
        }
        if reads == READS {
            self.refuse(out);
            return None;
        }
        *self = Automatic::Due(now + SETTLES, reads + 1);
        Some(ToBoard::Read { address: AUTOMATIC })
    }

    /// The board says what it has.
    pub(super) fn read(&mut self, now: Instant, value: u8, out: &mut Outbox) {
        match *self {
            _ if value == ON_CHANGE => *self = Automatic::Taken,
            Automatic::Due(_, READS) => self.refuse(out),
            Automatic::Due(_, reads @ 1..) => {
                *self = Automatic::Due(now + SETTLES, reads);
                let (address, value) = (AUTOMATIC, ON_CHANGE);
                say(&ToBoard::Write { address, value }, out);
            }
            // Nobody asked.
            Automatic::Due(..) | Automatic::Taken | Automatic::Refused => {}
        }
    }

    fn refuse(&mut self, out: &mut Outbox) {
        *self = Automatic::Refused;
        out.learning = Some(Learning::Wanted(Fault::new("asked-each-scan", REFUSED)));
    }
}
