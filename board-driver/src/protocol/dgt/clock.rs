//! What the clock on the board's cable says: times, or the acknowledgement of a command to it.
//!
//! Left and right are the sides of the clock as its makers see it from the front; which of them is
//! White's follows from how the board lies. Nothing here is ever sent to a clock.

/// Data bytes of the message.
pub const LENGTH: usize = 7;

/// One of the two sides of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The left.
    Left,
    /// The right.
    Right,
}

/// What one side shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Face {
    /// Hours, minutes and seconds; at most 9:59:59.
    pub hms: [u8; 3],
    /// The flag has fallen and the side is blocked at zero.
    pub blocked: bool,
    /// The indicator of an increment or a delay is shown.
    pub indicator: bool,
    /// The flag is shown; the time may run on all the same.
    pub flag: bool,
}

/// The clock at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// The left side.
    pub left: Face,
    /// The right side.
    pub right: Face,
    /// The clock runs.
    pub running: bool,
    /// The lever's right side is up: the player on the left has pressed last.
    pub right_high: bool,
    /// Its battery is low.
    pub low_battery: bool,
    /// Whose time runs, or will run.
    pub turn: Option<Side>,
}

/// The answer to a command, or a word of the clock's own (a button, "ready").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ack {
    /// Four bytes of eight bits: what became of it (0x10 done, 0x40 refused), which command or
    /// which word (from 0x80 on its own), and two of data.
    pub bytes: [u8; 4],
}

/// What the seven bytes can say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockMessage {
    /// Times.
    Times(Times),
    /// An acknowledgement.
    Ack(Ack),
    /// No clock is connected; what else is said means nothing.
    NoClock,
    /// All zero: some Bluetooth boards say so after a command to the clock. It means nothing.
    Void,
}

const FLAG_BLOCKED: u8 = 0x10;
const INDICATOR: u8 = 0x20;
const FLAG_SHOWN: u8 = 0x40;

const RUNNING: u8 = 0x01;
const RIGHT_HIGH: u8 = 0x02;
const LOW_BATTERY: u8 = 0x04;
// As real boards send them: 0x09 where the left counts down, 0x13 where the right does. Revisions
// of the maker's header have them both ways.
const LEFT_TO_MOVE: u8 = 0x08;
const RIGHT_TO_MOVE: u8 = 0x10;
const NO_CLOCK: u8 = 0x20;

impl ClockMessage {
    /// Reads the seven data bytes. `None`: a time no clock shows, such as one damaged on the way.
    pub fn read(data: [u8; LENGTH]) -> Option<ClockMessage> {
        let [d0, d1, d2, d3, d4, d5, status] = data;
        if data == [0; LENGTH] {
            return Some(ClockMessage::Void);
        }
        if d0 & 0x0f == 0x0a || d3 & 0x0f == 0x0a {
            let high = |byte: u8, shift: u32| (byte << shift) & 0x80;
            let bytes = [
                d1 | high(d3, 3),
                d2 | high(d3, 2),
                d4 | high(d0, 3),
                d5 | high(d0, 2),
            ];
            return Some(ClockMessage::Ack(Ack { bytes }));
        }
        if status & NO_CLOCK != 0 {
            return Some(ClockMessage::NoClock);
        }
        Some(ClockMessage::Times(Times {
            right: Face::read([d0, d1, d2])?,
            left: Face::read([d3, d4, d5])?,
            running: status & RUNNING != 0,
            right_high: status & RIGHT_HIGH != 0,
            low_battery: status & LOW_BATTERY != 0,
            turn: match (status & RIGHT_TO_MOVE != 0, status & LEFT_TO_MOVE != 0) {
                (true, false) => Some(Side::Right),
                (false, true) => Some(Side::Left),
                _ => None,
            },
        }))
    }

    /// The seven data bytes.
    pub fn data(self) -> [u8; LENGTH] {
        match self {
            ClockMessage::Times(times) => times.data(),
            ClockMessage::Ack(Ack {
                bytes: [a, b, c, d],
            }) => {
                let high = |byte: u8, shift: u32| (byte & 0x80) >> shift;
                let (first, fourth) = (
                    0x0a | high(c, 3) | high(d, 2),
                    0x0a | high(a, 3) | high(b, 2),
                );
                [first, a & 0x7f, b & 0x7f, fourth, c & 0x7f, d & 0x7f, 0]
            }
            ClockMessage::NoClock => [0, 0, 0, 0, 0, 0, NO_CLOCK],
            ClockMessage::Void => [0; LENGTH],
        }
    }
}

impl Times {
    fn data(self) -> [u8; LENGTH] {
        let [[d0, d1, d2], [d3, d4, d5]] = [self.right.data(), self.left.data()];
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let turn = match self.turn {
            Some(Side::Right) => RIGHT_TO_MOVE,
            Some(Side::Left) => LEFT_TO_MOVE,
            None => 0,
        };
        let status = flag(self.running, RUNNING)
            | flag(self.right_high, RIGHT_HIGH)
            | flag(self.low_battery, LOW_BATTERY)
            | turn;
        [d0, d1, d2, d3, d4, d5, status]
    }

    /// What a side shows.
    pub fn face(&self, side: Side) -> Face {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    /// What both sides show, in milliseconds.
    pub fn ms(&self) -> [(Side, u64); 2] {
        [Side::Left, Side::Right].map(|side| (side, self.face(side).ms()))
    }

    /// The sides whose flag has fallen: blocked at zero. A flag that is only shown may belong to a
    /// period that is over, and its side may run on.
    pub fn fallen(&self) -> impl Iterator<Item = Side> + use<> {
        let times = *self;
        let is_blocked = move |side: &Side| times.face(*side).blocked;
        [Side::Left, Side::Right].into_iter().filter(is_blocked)
    }

    /// Who pressed last: the side whose lever is down.
    pub fn pressed(&self) -> Side {
        if self.right_high {
            Side::Left
        } else {
            Side::Right
        }
    }
}

impl Face {
    fn read([first, minutes, seconds]: [u8; 3]) -> Option<Face> {
        let hours = first & 0x0f;
        let hms = [
            Some(hours).filter(|h| *h <= 9)?,
            sixty(minutes)?,
            sixty(seconds)?,
        ];
        let has = |bit: u8| first & bit != 0;
        Some(Face {
            hms,
            blocked: has(FLAG_BLOCKED),
            indicator: has(INDICATOR),
            flag: has(FLAG_SHOWN),
        })
    }

    fn data(self) -> [u8; 3] {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let [hours, minutes, seconds] = self.hms;
        let flags = flag(self.blocked, FLAG_BLOCKED)
            | flag(self.indicator, INDICATOR)
            | flag(self.flag, FLAG_SHOWN);
        [hours.min(9) | flags, bcd(minutes), bcd(seconds)]
    }

    /// A side that shows so much time, in milliseconds; more than a clock can show is its most.
    pub fn of(ms: u64) -> Face {
        let seconds = (ms / 1_000).min(9 * 3_600 + 59 * 60 + 59);
        Face {
            hms: [seconds / 3_600, seconds / 60 % 60, seconds % 60].map(|n| n as u8),
            ..Face::default()
        }
    }

    /// What it shows, in milliseconds.
    pub fn ms(&self) -> u64 {
        ms(self.hms)
    }
}

/// Hours, minutes and seconds in milliseconds.
pub fn ms(hms: [u8; 3]) -> u64 {
    hms.iter().fold(0, |sum, n| sum * 60 + u64::from(*n)) * 1_000
}

/// A number below 60 in two decimal digits of four bits.
pub(super) fn sixty(bcd: u8) -> Option<u8> {
    let (tens, ones) = (bcd >> 4, bcd & 0x0f);
    (tens < 6 && ones < 10).then_some(tens * 10 + ones)
}

/// Two decimal digits of four bits.
pub(super) fn bcd(number: u8) -> u8 {
    let number = number.min(59);
    ((number / 10) << 4) | (number % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(data: [u8; 7]) -> Times {
        match ClockMessage::read(data) {
            Some(ClockMessage::Times(times)) => times,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_blitz_clock() {
        // As recorded from a game of three minutes and two seconds a move, before it began.
        let data = [0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x08];
        let before = times(data);
        assert_eq!((before.left.ms(), before.right.ms()), (182_000, 182_000));
        assert!(before.left.indicator && before.right.indicator && !before.running);
        assert_eq!(
            (before.turn, before.pressed()),
            (Some(Side::Left), Side::Right)
        );
        assert_eq!(ClockMessage::Times(before).data(), data);
        assert!(times([0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x09]).running);
    }

    #[test]
    fn each_bit_of_the_status() {
        assert!(times([1, 0, 0, 1, 0, 0, 0x02]).right_high);
        assert!(times([1, 0, 0, 1, 0, 0, 0x04]).low_battery);
        assert_eq!(times([1, 0, 0, 1, 0, 0, 0x10]).turn, Some(Side::Right));
        assert_eq!(
            ClockMessage::read([1, 0, 0, 1, 0, 0, 0x20]),
            Some(ClockMessage::NoClock)
        );
    }

    /// As three real boards sent them, hundreds of times: the left counts down, then the right.
    #[test]
    fn whose_time_runs() {
        let left = times([0x20, 0x02, 0x59, 0x20, 0x02, 0x58, 0x09]);
        assert_eq!((left.turn, left.running), (Some(Side::Left), true));
        assert_eq!((left.right_high, left.pressed()), (false, Side::Right));
        let right = times([0x20, 0x02, 0x58, 0x20, 0x02, 0x59, 0x13]);
        assert_eq!((right.turn, right.running), (Some(Side::Right), true));
        assert_eq!((right.right_high, right.pressed()), (true, Side::Left));
        // The end of a game: the right has lost on time.
        let over = times([0x30, 0, 0, 0x20, 0x00, 0x41, 0x12]);
        assert!(over.right.blocked && !over.left.blocked && !over.running);
    }

    #[test]
    fn flags() {
        let fallen = times([0x50, 0, 0, 0x09, 0x59, 0x59, 0x01]);
        assert!(fallen.right.blocked && fallen.right.flag && !fallen.right.indicator);
        assert_eq!(fallen.left.hms, [9, 59, 59]);
    }

    #[test]
    fn no_clock_shows_such_times() {
        for data in [
            [0x0b, 0, 0, 0, 0, 0, 1],
            [1, 0x60, 0, 0, 0, 0, 1],
            [1, 0, 0x1a, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0x77, 1],
        ] {
            assert_eq!(ClockMessage::read(data), None, "{data:?}");
        }
    }

    #[test]
    fn acknowledgements_are_masked() {
        // Done, END, nothing more; then the same with bits 4 to 6 of the fourth byte set, as high
        // bits of the first two.
        let ack = |data| match ClockMessage::read(data) {
            Some(ClockMessage::Ack(ack)) => ack.bytes,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            ack([0x0a, 0x10, 0x03, 0x0a, 0x00, 0x00, 0x00]),
            [0x10, 0x03, 0, 0]
        );
        assert_eq!(
            ack([0x0a, 0x10, 0x08, 0x2a, 0x00, 0x31, 0x00]),
            [0x10, 0x88, 0, 0x31],
            "a button"
        );
        assert_eq!(
            ack([0x3a, 0x10, 0x09, 0x0a, 0x01, 0x02, 0x00]),
            [0x10, 0x09, 0x81, 0x82]
        );
        assert_eq!(
            ack([0x00, 0x10, 0x09, 0x1a, 0x21, 0x00, 0x00]),
            [0x90, 0x09, 0x21, 0],
            "either is enough"
        );
        assert_eq!(ClockMessage::read([0; 7]), Some(ClockMessage::Void));
    }
}
