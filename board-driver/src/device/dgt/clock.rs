//! The clock on a simulated board's cable.

use arbiter_core::shakmaty::Color;

use crate::protocol::dgt::clock::{ClockMessage, Face, Side, Times};

/// How long a clock takes to tell its board of a press, from and to, in milliseconds. Up to a
/// second is allowed.
const LATENCY: (u64, u64) = (40, 1_000);

/// A clock. White sits on its left.
#[derive(Debug)]
pub(super) struct Clock {
    /// What White and Black had when the lever was last moved, in milliseconds; `None` without a
    /// clock.
    left: Option<[u64; 2]>,
    /// Whose flag has fallen. It blocks the clock.
    fallen: Option<Color>,
    /// Who runs, and since when.
    running: Option<(Color, u64)>,
    right_high: bool,
    /// What the board will hear next, and when.
    on_the_way: Option<(u64, ClockMessage)>,
    /// What the board knows.
    told: ClockMessage,
    /// Presses so far: each takes its own time.
    presses: u64,
}

/// What the lever did, for the board's memory.
pub(super) struct Stopped {
    pub(super) side: Side,
    pub(super) hms: [u8; 3],
}

impl Clock {
    /// A clock set to `time` milliseconds, or none.
    pub(super) fn new(time: Option<u64>) -> Clock {
        let left = time.map(|time| [time, time]);
        let mut clock = Clock {
            left,
            fallen: None,
            running: None,
            right_high: false,
            on_the_way: None,
            told: ClockMessage::NoClock,
            presses: 0,
        };
        clock.told = clock.shows(0);
        clock
    }

    /// What it shows at `ms`.
    fn shows(&self, ms: u64) -> ClockMessage {
        let Some([mut white, mut black]) = self.left else {
            return ClockMessage::NoClock;
        };
        if let Some((who, since)) = self.running {
            let left = who.fold_wb(&mut white, &mut black);
            *left = left.saturating_sub(ms.saturating_sub(since));
        }
        let turn = if self.right_high {
            Side::Right
        } else {
            Side::Left
        };
        // The clock is set to an increment, as hands play.
        let face = |ms: u64, who: Color| Face {
            indicator: true,
            blocked: self.fallen == Some(who),
            ..Face::of(ms)
        };
        ClockMessage::Times(Times {
            left: face(white, Color::White),
            right: face(black, Color::Black),
            running: self.running.is_some(),
            right_high: self.right_high,
            low_battery: false,
            turn: Some(turn),
        })
    }

    /// A player presses. Nothing comes of it without a clock.
    pub(super) fn press(&mut self, ms: u64, by: Color, white_ms: u64, black_ms: u64) {
        let Some(left) = &mut self.left else { return };
        *left = [white_ms, black_ms];
        self.right_high = by.is_white();
        (self.running, self.fallen) = (Some((!by, ms)), None);
        self.presses += 1;
        self.tell(ms);
    }

    /// A player's time is up: his flag falls, and the clock is blocked.
    pub(super) fn fall(&mut self, ms: u64, by: Color) {
        let Some([white, black]) = &mut self.left else {
            return;
        };
        *by.fold_wb(white, black) = 0;
        (self.running, self.fallen) = (None, Some(by));
        self.tell(ms);
    }

    /// It is stopped, or goes on.
    pub(super) fn run(&mut self, ms: u64, runs: bool) {
        let whose = if self.right_high {
            Color::Black
        } else {
            Color::White
        };
        if let (Some((who, since)), Some([white, black])) = (self.running.take(), &mut self.left) {
            let left = who.fold_wb(white, black);
            *left = left.saturating_sub(ms.saturating_sub(since));
        }
        self.running = runs.then_some((whose, ms));
        self.tell(ms);
    }

    /// The board hears of it as late as of anything.
    fn tell(&mut self, ms: u64) {
        let (least, most) = LATENCY;
        let takes = least + self.presses * 7_919 % (most - least);
        let shows = self.shows(ms);
        // A lever that is moved back before it was told was never moved, to the board.
        let due = self.on_the_way.map_or(ms + takes, |(due, _)| due);
        self.on_the_way = Some((due, shows));
    }

    /// When it has something to say.
    pub(super) fn next_wake(&self) -> Option<u64> {
        let next_second = self.running.map(|(who, since)| {
            let left = self
                .left
                .map_or(0, |[white, black]| who.fold_wb(white, black));
            let gone = |ms: u64| ms.saturating_sub(since);
            let shown = match self.told {
                ClockMessage::Times(times) => times.face(who.fold_wb(Side::Left, Side::Right)).ms(),
                _ => 0,
            };
            // The moment from which it shows a second less.
            since + left.saturating_sub(shown).max(gone(since)) + 1
        });
        self.on_the_way.map(|(due, _)| due).or(next_second)
    }

    /// Time passes; what the board hears of it, if that is news, and what the lever did.
    pub(super) fn wake(&mut self, ms: u64) -> Option<(ClockMessage, Option<Stopped>)> {
        let news = match self.on_the_way {
            Some((due, _)) if due > ms => return None,
            Some((_, shown)) => {
                self.on_the_way = None;
                shown
            }
            None => self.shows(ms),
        };
        let before = std::mem::replace(&mut self.told, news);
        let stopped = match (before, news) {
            (ClockMessage::Times(before), ClockMessage::Times(now))
                if before.right_high != now.right_high =>
            {
                let side = now.pressed();
                Some(Stopped {
                    side,
                    hms: now.face(side).hms,
                })
            }
            _ => None,
        };
        (before != news).then_some((news, stopped))
    }

    /// What the board knows of it.
    pub(super) fn told(&self) -> ClockMessage {
        self.told
    }
}
