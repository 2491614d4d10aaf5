//! A DGT3000: who pressed, what is shown, what is made of that, and whether it is there at all.

use board_wire::{ClockBits, ClockFace, Side};

use super::frame::{Buttons, Dial, Frames, Message, Step};
use super::hand::Hand;
use super::{Lever, Told};

/// Where a wake-up is sent; nobody ever acknowledges it.
pub const WAKE_ADDRESS: u8 = 0x28;

/// A wake-up, without its address: the host's own address times two, the length with the address,
/// "ping", and a CRC. The CRC is that of a frame to the clock's own address, 0x08.
pub const WAKE: [u8; 4] = [0x20, 0x05, 0x0d, 0x46];

/// A clock that was silent for so long is gone: switched off, or its plug pulled out. Times come
/// about once a second.
const GONE_MS: u32 = 5_000;

/// A frame takes 2 milliseconds at 100 kbit/s, and as long again when the bus is held.
const FRAME_MS: u32 = 50;

/// How often a silent clock is woken, and how long it has to answer.
const WAKES: u8 = 3;
const WAKE_MS: u32 = 1_000;

/// One clock.
#[derive(Clone, Debug)]
pub struct Dgt3000 {
    frames: Frames,
    /// When the last byte came.
    byte_at: u32,
    /// Who sits at the left of one who sees the clock from its front.
    left: Side,
    /// When something whole was heard last; `None` while the clock is gone.
    heard_at: Option<u32>,
    /// Its on/off button was pressed last of all.
    is_switched_off: bool,
    /// Whose end of the lever is down, as far as that is known, and news of it.
    lever: Option<Side>,
    news: Option<Lever>,
    /// The lever of the last times was the other way round.
    is_contradicted: bool,
    /// Left and right.
    hands: [Option<Hand>; 2],
    wakes: u8,
    woken_at: u32,
    damaged: u32,
}

impl Dgt3000 {
    /// A clock of which nothing has been heard. `left` sits at the left of one who sees it from its
    /// front. `lever` is whose end the host of the run before was told was down, where the board
    /// has been started anew and remembers that: what it was pressed meanwhile is a press then.
    pub fn new(ms: u32, left: Side, lever: Option<Side>) -> Dgt3000 {
        Dgt3000 {
            frames: Frames::default(),
            byte_at: ms,
            left,
            heard_at: lever.map(|_| ms),
            is_switched_off: false,
            lever,
            news: None,
            is_contradicted: false,
            hands: [None; 2],
            wakes: WAKES,
            woken_at: ms.wrapping_sub(WAKE_MS),
            damaged: 0,
        }
    }

    /// Takes a byte from the bus at `ms` on the board's clock, which may wrap. `first`: it is the
    /// first one behind an address.
    pub fn receive(&mut self, ms: u32, byte: u8, first: bool) {
        self.pass(ms);
        self.byte_at = ms;
        match self.frames.take(byte, first) {
            Step::Partial => {}
            Step::Damaged => self.damaged = self.damaged.wrapping_add(1),
            Step::Message(message) => self.hear(ms, message),
        }
    }

    /// What it has told up to `ms`. News of the lever is told once.
    pub fn told(&mut self, ms: u32) -> Told {
        self.pass(ms);
        let [left, right] = self.hands.map(|hand| hand.unwrap_or(Hand::unknown(ms)));
        let (white, black) = match self.left {
            Side::White => (left, right),
            Side::Black => (right, left),
        };
        // In quick play both became less of late; who has pressed thinks no more.
        let runs = |hand: Hand, side| hand.runs(ms) && self.lever != Some(side);
        let bits = ClockBits::default()
            .with(ClockBits::SPEAKS, self.heard_at.is_some())
            .with(ClockBits::WHITE_RUNS, runs(white, Side::White))
            .with(ClockBits::BLACK_RUNS, runs(black, Side::Black))
            .with(ClockBits::WHITE_FELL, white.has_fallen)
            .with(ClockBits::BLACK_FELL, black.has_fallen);
        let face = ClockFace {
            white_ms: white.told(ms),
            black_ms: black.told(ms),
            bits,
        };
        let lever = self.news.take();
        Told { face, lever }
    }

    /// Whether there is news of the lever that was not told yet: read no further before it is.
    pub fn has_news(&self) -> bool {
        self.news.is_some()
    }

    /// Whether a wake-up is to be sent now: nothing is heard, and nobody switched the clock off.
    pub fn wants_waking(&mut self, ms: u32) -> bool {
        self.pass(ms);
        let is_due = self.heard_at.is_none()
            && !self.is_switched_off
            && self.wakes > 0
            && ms.wrapping_sub(self.woken_at) >= WAKE_MS;
        if is_due {
            self.wakes -= 1;
            self.woken_at = ms;
        }
        is_due
    }

    /// How many damaged frames have come.
    pub fn damaged(&self) -> u32 {
        self.damaged
    }

    /// Time goes by.
    fn pass(&mut self, ms: u32) {
        if ms.wrapping_sub(self.byte_at) > FRAME_MS && self.frames.is_cut_by_silence() {
            self.damaged = self.damaged.wrapping_add(1);
        }
        let is_gone = |heard_at: &mut u32| ms.wrapping_sub(*heard_at) >= GONE_MS;
        if self.heard_at.take_if(is_gone).is_some() {
            self.forget();
            self.woken_at = ms.wrapping_sub(WAKE_MS);
        }
    }

    /// What was known of it may be otherwise when it is heard again.
    fn forget(&mut self) {
        self.lever = None;
        self.is_contradicted = false;
        self.hands = [None; 2];
    }

    fn hear(&mut self, ms: u32, message: Message) {
        self.heard_at = Some(ms);
        match message {
            Message::Hello => self.forget(),
            Message::Dial(dial) => {
                self.is_at_work();
                self.dial(ms, dial);
            }
            Message::Buttons { now, before } => {
                self.is_at_work();
                self.buttons(now, before);
            }
            Message::Else => {}
        }
    }

    /// It does more than to answer: should it fall silent, it may be woken again.
    fn is_at_work(&mut self) {
        self.wakes = WAKES;
        self.is_switched_off = false;
    }

    fn buttons(&mut self, now: Buttons, before: Buttons) {
        self.is_switched_off = now.is_switching() && !before.is_switching();
        self.is_contradicted = false;
        let [now, before] = [now, before].map(|buttons| self.down(buttons.left_is_down()));
        // A press that nobody heard of is not told at a time at which it was not made.
        if self.lever != Some(before) {
            self.lies(before);
        }
        if now != before {
            self.pressed(now);
        }
    }

    fn dial(&mut self, ms: u32, dial: Dial) {
        let sides = [
            (dial.left_s, !dial.left_is_down),
            (dial.right_s, dial.left_is_down),
        ];
        for (hand, (seconds, thinks)) in self.hands.iter_mut().zip(sides) {
            *hand = Some(Hand::after(*hand, ms, seconds, thinks));
        }
        let down = self.down(dial.left_is_down);
        let was_contradicted = self.is_contradicted;
        self.is_contradicted = self.lever.is_some_and(|lever| lever != down);
        if self.lever.is_none() {
            self.lies(down);
        } else if self.is_contradicted && was_contradicted {
            // Times that were on their way when the lever moved tell how it was; two in a row tell
            // that it moved without a word.
            self.is_contradicted = false;
            self.pressed(down);
        }
    }

    /// Whose end is down.
    fn down(&self, left: bool) -> Side {
        match (self.left, left) {
            (side, true) => side,
            (Side::White, false) => Side::Black,
            (Side::Black, false) => Side::White,
        }
    }

    fn lies(&mut self, down: Side) {
        self.lever = Some(down);
        self.news = Some(Lever::Lies(down));
    }

    fn pressed(&mut self, down: Side) {
        self.lever = Some(down);
        self.news = Some(Lever::Pressed(down));
    }
}
