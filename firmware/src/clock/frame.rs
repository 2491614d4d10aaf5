//! What a DGT3000 says on its jack, byte by byte.
//!
//! A frame as it is checked is the address it was sent to times two, the sender's address times
//! two, the length of all of it, what it is about, data, and a CRC-8. The first byte is not among
//! those that a controller on the bus hands out, so it is put in front here. Facts by what two
//! public programs read of real clocks: see `docs/hardware.md`.

/// The clock's own address times two: the first byte of whatever it says.
const FROM_CLOCK: u8 = 0x10;

/// The address of everybody, and the one at which a host is told what it asked for, times two.
const TO_ALL: u8 = 0x00;
const TO_HOST: u8 = 0x20;

/// Address, sender, length, kind and CRC: no frame is shorter.
const SHORTEST: u8 = 5;

/// A frame with times has exactly this length.
const TIME_LENGTH: u8 = 24;

/// A frame about buttons has at least this one: the state now and the one before.
const BUTTONS_LENGTH: u8 = 7;

/// So many bytes of a frame's data are looked at: the last is whether the times are news.
const LOOKED_AT: usize = 17;

mod kind {
    pub(super) const HELLO: u8 = 0x02;
    pub(super) const TIME: u8 = 0x04;
    pub(super) const BUTTONS: u8 = 0x05;
}

/// What the clock said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message {
    /// It was switched on or woken.
    Hello,
    /// What it shows.
    Dial(Dial),
    /// A button or the lever moved.
    Buttons {
        /// How they are now.
        now: Buttons,
        /// How they were before.
        before: Buttons,
    },
    /// Something that is whole and means nothing here: an answer to another host, times that are
    /// no news or that no clock can show, a kind that is not known.
    Else,
}

/// What a clock shows, left and right as one sees it from its front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dial {
    /// The left side's remaining time in seconds, 9:59:59 at most.
    pub left_s: u16,
    /// The right side's.
    pub right_s: u16,
    /// Whether the left end of the lever is down; the right one is otherwise.
    pub left_is_down: bool,
}

/// Lever and on/off button; the five others are the arbiter's and the players'.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buttons(u8);

impl Buttons {
    /// From the byte that a frame tells them in.
    pub fn from_byte(byte: u8) -> Buttons {
        Buttons(byte)
    }

    /// Whether the left end of the lever is down.
    pub fn left_is_down(self) -> bool {
        self.0 & 0x40 != 0
    }

    /// Whether the on/off button is held.
    pub fn is_switching(self) -> bool {
        self.0 & 0x20 != 0
    }
}

/// What a byte completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing yet.
    Partial,
    /// A frame with a right CRC.
    Message(Message),
    /// A frame that was cut, or has a wrong CRC or length.
    Damaged,
}

/// Collects one frame after another; any bytes are as good as none.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// How many bytes of the present frame came; the one in front is not counted.
    count: u8,
    length: u8,
    kind: u8,
    data: [u8; LOOKED_AT],
    /// Over everything so far, for both addresses it may have been sent to.
    to_all: Crc,
    to_host: Crc,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    /// What comes is of no frame, until one begins.
    #[default]
    Idle,
    Within,
}

impl Frames {
    /// Takes a byte; `first` says that it is the first one behind an address.
    ///
    /// A frame that another one cuts off is told as damaged by the first byte of that one.
    pub fn take(&mut self, byte: u8, first: bool) -> Step {
        if !first {
            return match self.state {
                State::Idle => Step::Partial,
                State::Within => self.go_on(byte),
            };
        }
        let was_cut = self.state == State::Within;
        // Behind some frames a clock sends two zero bytes as if they were one.
        let is_clock = byte == FROM_CLOCK;
        *self = Frames {
            count: 1,
            to_all: Crc::default().with(TO_ALL).with(byte),
            to_host: Crc::default().with(TO_HOST).with(byte),
            state: if is_clock { State::Within } else { State::Idle },
            ..Frames::default()
        };
        if was_cut {
            Step::Damaged
        } else {
            Step::Partial
        }
    }

    /// The bus has been silent for longer than any frame takes; whether one was cut off by that.
    pub fn is_cut_by_silence(&mut self) -> bool {
        core::mem::take(&mut self.state) == State::Within
    }

    fn go_on(&mut self, byte: u8) -> Step {
        self.to_all = self.to_all.with(byte);
        self.to_host = self.to_host.with(byte);
        match self.count {
            1 if byte < SHORTEST => {
                self.state = State::Idle;
                return Step::Damaged;
            }
            1 => self.length = byte,
            2 => self.kind = byte,
            n => {
                if let Some(place) = self.data.get_mut(usize::from(n) - 3) {
                    *place = byte;
                }
            }
        }
        self.count += 1;
        if self.count < 3 || self.count + 1 < self.length {
            return Step::Partial;
        }
        self.state = State::Idle;
        match () {
            () if self.to_all.is_right() => self.read(),
            () if self.to_host.is_right() => Step::Message(Message::Else),
            () => Step::Damaged,
        }
    }

    fn read(&self) -> Step {
        let message = match self.kind {
            kind::HELLO => Message::Hello,
            kind::TIME if self.length == TIME_LENGTH => {
                dial(&self.data).map_or(Message::Else, Message::Dial)
            }
            kind::BUTTONS if self.length >= BUTTONS_LENGTH => Message::Buttons {
                now: Buttons(self.data[0]),
                before: Buttons(self.data[1]),
            },
            kind::TIME | kind::BUTTONS => return Step::Damaged,
            _ => Message::Else,
        };
        Step::Message(message)
    }
}

/// What the data of a frame with times shows, unless it says that it is no news, or no clock can
/// show that.
fn dial(data: &[u8; LOOKED_AT]) -> Option<Dial> {
    let is_news = data[16] != 1;
    Some(Dial {
        left_s: seconds([data[1], data[2], data[3]])?,
        right_s: seconds([data[7], data[8], data[9]])?,
        left_is_down: data[15] & 1 == 1,
    })
    .filter(|_| is_news)
}

/// Hours in the low half of their byte, minutes and seconds as two decimal digits each.
fn seconds([hours, minutes, seconds]: [u8; 3]) -> Option<u16> {
    let hours = Some(u16::from(hours & 0x0f)).filter(|hours| *hours <= 9)?;
    let [minutes, seconds] = [sixtieths(minutes)?, sixtieths(seconds)?];
    Some(3600 * hours + 60 * minutes + seconds)
}

fn sixtieths(byte: u8) -> Option<u16> {
    let (tens, ones) = (byte >> 4, byte & 0x0f);
    (tens <= 5 && ones <= 9).then(|| u16::from(10 * tens + ones))
}

/// A CRC-8 with the polynomial x^8 + x^2 + x + 1, from 0, unreflected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Crc(u8);

impl Crc {
    /// With a byte more.
    pub fn with(self, byte: u8) -> Crc {
        let shift = |crc: u8, _| crc << 1 ^ if crc & 0x80 == 0 { 0 } else { 0x07 };
        Crc((0..8).fold(self.0 ^ byte, shift))
    }

    /// The byte that makes it right.
    pub fn value(self) -> u8 {
        self.0
    }

    /// Whether the last byte was the CRC of those before it.
    fn is_right(self) -> bool {
        self.0 == 0
    }
}
