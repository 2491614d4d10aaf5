//! A whole board between its sensors and its line: what every program of this crate runs.
//!
//! Scans are debounced; squares that chatter or cannot be read keep what they read before, and the
//! host is told so; what is left is evidence. A program brings a [`Scan`], a clock, a line and, if
//! there are any, lamps:
//!
//! ```text
//! board.scan(ms, &mut scanner, lever_and_buttons());                 // once a millisecond
//! board.receive(ms, &uart.read(), &mut scanner, |order| ...);        // whenever bytes have come
//! board.transmit(ms, |bytes| uart.write(bytes))?;                    // whenever there is room
//! lamps.show(board.lamps());
//! ```

use board_wire::device::Identity;
use board_wire::{Aside, Health, Side, Store, ToBoard, Trouble};

use crate::clock::{Lever, Told};
use crate::debounce::{Chatter, Debouncer, Depth};
use crate::report::{Controls, Reporter, Squares};
use crate::scan::{Reading, Scan, ScanError};

/// How a board filters what it reads. The default suits a scan a millisecond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// After how many equal scans a line counts as changed; trouble and its end as well.
    pub depth: Depth,
    /// A square that makes so many raw edges...
    pub chatter_limit: u8,
    /// ...within so many scans chatters.
    pub chatter_window: u16,
    /// A scan that comes later than this after the one before is counted as late, in milliseconds.
    pub late_after_ms: u32,
}

impl Default for Settings {
    /// Four scans; 31 edges within a second, three times those of a blitz exchange; ten missed
    /// scans.
    fn default() -> Settings {
        Settings {
            depth: Depth::default(),
            chatter_limit: 31,
            chatter_window: 1000,
            late_after_ms: 10,
        }
    }
}

/// One board. `R` keeps the evidence for resending: a [`Ring`](board_wire::Ring) of 2,048 bytes,
/// the least that the protocol asks for, or more, or what else is a [`Store`].
#[derive(Clone, Debug)]
pub struct Board<R> {
    reporter: Reporter<R>,
    settings: Settings,
    filter: Option<Filter>,
    controls: Option<Debouncer<1>>,
    /// Whether a clock tells of its lever itself.
    has_clock: bool,
    /// Who has pressed that lever, and after how many scans it is told.
    pressed: Option<(Side, u8)>,
    health: Health,
    trouble: TroubleFilter,
    /// The next rank whose levels the host waits for.
    levels_from: Option<u8>,
}

/// The trouble of late.
#[derive(Clone, Copy, Default, Debug)]
struct TroubleFilter {
    /// That of the newest scan, and for how many scans in a row it has been the same.
    last: Trouble,
    times: u8,
    /// A leaky bucket: two more for each scan with trouble, one less for each without.
    weight: u8,
}

/// The squares' filters.
#[derive(Clone, Debug)]
struct Filter {
    squares: Debouncer<2>,
    stuck: Debouncer<1>,
    /// Of what is read, and of whether it can be read.
    chatter: Chatter<3>,
    /// How many scans are still taken before the first reading is believed.
    warming: u8,
}

impl<R: Store> Board<R> {
    /// A board that has just started. `controls` are those the host was told of last, if the board
    /// remembers them over a restart: see [`Reporter::new`].
    pub fn new(
        identity: Identity,
        ms: u32,
        settings: Settings,
        controls: Option<Controls>,
    ) -> Board<R>
    where
        R: Default,
    {
        Board::keeping(R::default(), identity, ms, settings, controls)
    }

    /// The same board, with its evidence kept in `ring`, which is empty.
    #[inline]
    pub fn keeping(
        ring: R,
        identity: Identity,
        ms: u32,
        settings: Settings,
        controls: Option<Controls>,
    ) -> Board<R> {
        Board {
            reporter: Reporter::new(ring, identity, ms, controls, settings.late_after_ms),
            settings,
            filter: None,
            controls: None,
            has_clock: false,
            pressed: None,
            health: Health::default(),
            trouble: TroubleFilter::default(),
            levels_from: None,
        }
    }

    /// Reads every square once, at `ms` on the board's clock. `controls` are the raw lines of lever
    /// and buttons, as [`Controls::from_lines`] takes them: they pass the same filter, so that a
    /// piece that landed before a press is also reported before it.
    ///
    /// A scan that fails is counted, told to the host when it is not the only one, and tried again
    /// the next time.
    pub fn scan<S: Scan>(&mut self, ms: u32, scanner: &mut S, controls: u64) {
        self.look(scanner);
        let depth = self.settings.depth;
        let filter = self
            .controls
            .get_or_insert_with(|| Debouncer::new(depth, [controls]));
        filter.update([controls]);
        let [controls] = filter.debounced();
        let mut controls = Controls::from_lines(controls);
        let settled = self.filter.as_ref().filter(|filter| filter.warming == 0);
        if self.filter.is_some() && settled.is_none() {
            // The first reading is near: a press since the run before is told behind it.
            controls = self.reporter.controls().unwrap_or(controls);
        }
        let squares = settled.map(|filter| filter.squares.debounced());
        self.reporter.health(self.health);
        let squares = squares.map(|[occupied, dark]| Squares::of(S::SENSOR, occupied, dark));
        if self.has_clock {
            controls = controls.with_lever_of(self.reporter.controls().unwrap_or_default());
        }
        self.reporter.scan(ms, squares, controls);
        if self.pressed.is_some() && (squares.is_some() || self.filter.is_none()) {
            self.tell_press(ms);
        }
        self.tell_levels(scanner);
    }

    /// Takes what a clock has told that tells of its lever itself, before each scan; the lines of
    /// the lever count no more then. A press is told as late as what the squares' filter lets
    /// through, so that a piece that landed before is also reported before.
    pub fn clock(&mut self, ms: u32, told: Told) {
        self.has_clock = true;
        if told.lever.is_some()
            && let Some((by, _)) = self.pressed.take()
        {
            self.reporter.lever_pressed(ms, by);
        }
        match told.lever {
            Some(Lever::Lies(down)) => self.reporter.lever_lies(down),
            Some(Lever::Pressed(by)) => {
                self.pressed = Some((by, self.settings.depth.scans() - 1));
            }
            None => {}
        }
        self.reporter.clock(told.face);
    }

    /// On its own, so that boards without such a clock need no more of the stack for it.
    #[inline(never)]
    fn tell_press(&mut self, ms: u32) {
        match &mut self.pressed {
            Some((by, 0)) => {
                self.reporter.lever_pressed(ms, *by);
                self.pressed = None;
            }
            Some((_, scans)) => *scans -= 1,
            None => {}
        }
    }

    /// On its own: what a scanner needs of the stack is free again for the rest.
    #[inline(never)]
    fn look<S: Scan>(&mut self, scanner: &mut S) {
        match scanner.scan() {
            Ok(reading) => self.take(reading),
            Err(e) => self.fail(e.trouble()),
        }
    }

    fn take(
        &mut self,
        Reading {
            occupied,
            dark,
            stuck,
            trouble,
        }: Reading,
    ) {
        self.filter_trouble(trouble);
        let raw = [occupied & !stuck, dark & occupied & !stuck];
        let Settings {
            depth,
            chatter_limit,
            chatter_window,
            ..
        } = self.settings;
        let filter = self.filter.get_or_insert_with(|| Filter {
            squares: Debouncer::new(depth, raw),
            stuck: Debouncer::new(depth, [stuck]),
            chatter: Chatter::new(chatter_limit, chatter_window, [raw[0], raw[1], stuck]),
            warming: 2 * depth.scans(),
        });
        filter.warming = filter.warming.saturating_sub(1);
        filter.stuck.update([stuck]);
        let [told_stuck] = filter.stuck.debounced();
        // A square that cannot be read makes no edges of its own.
        let kept = filter.squares.debounced();
        let seen = [0, 1].map(|plane| (raw[plane] & !stuck) | (kept[plane] & stuck));
        let unsteady = filter.chatter.update([seen[0], seen[1], stuck]);
        filter
            .squares
            .update_except(seen, stuck | told_stuck | unsteady);
        self.health = Health {
            stuck: told_stuck & !unsteady,
            unsteady,
            ..self.health
        };
    }

    fn fail(&mut self, trouble: Trouble) {
        self.health.failed_scans = self.health.failed_scans.wrapping_add(1);
        self.filter_trouble(trouble);
        // While no scan works, no square can be read.
        if let Some(Filter { stuck, .. }) = &mut self.filter {
            stuck.update([!0]);
            [self.health.stuck] = stuck.debounced();
        }
    }

    /// Trouble is told when it lasts, or when it comes in one scan of three; its end, when there
    /// was none for as long. One bad transfer in a thousand is no news, and trouble that comes and
    /// goes is one piece of news.
    fn filter_trouble(&mut self, trouble: Trouble) {
        let depth = self.settings.depth.scans();
        let TroubleFilter {
            last,
            times,
            weight,
        } = self.trouble;
        let times = if last == trouble {
            times.saturating_add(1)
        } else {
            1
        };
        let well = trouble == Trouble::NONE;
        let weight = if well {
            weight.saturating_sub(1)
        } else {
            (weight + 2).min(4 * depth)
        };
        self.trouble = TroubleFilter {
            last: trouble,
            times,
            weight,
        };
        let is_news =
            times >= depth || (self.health.trouble == Trouble::NONE && weight >= 2 * depth);
        if (well && weight == 0) || (!well && is_news) {
            self.health.trouble = trouble;
        }
    }

    fn tell_levels<S: Scan>(&mut self, scanner: &S) {
        let Some(rank) = self.levels_from else { return };
        match scanner.levels(rank) {
            Some(levels) if self.reporter.say(Aside::Levels(levels)) => {
                self.levels_from = (rank < 7).then_some(rank + 1)
            }
            Some(_) => {}
            None => self.levels_from = None,
        }
    }

    /// Takes bytes from the host and obeys them. `told` hears every message that was obeyed: a
    /// program keeps the new zeros of its scanner after [`ToBoard::Calibrate`]. A calibration that
    /// was refused is not heard; the host sees by the levels that its zeros are the old ones.
    pub fn receive<S: Scan>(
        &mut self,
        ms: u32,
        bytes: &[u8],
        scanner: &mut S,
        mut told: impl FnMut(&mut S, ToBoard),
    ) {
        let levels_from = &mut self.levels_from;
        self.reporter.receive(ms, bytes, |message| {
            match message {
                ToBoard::Calibrate => {
                    *levels_from = Some(0);
                    if scanner.calibrate().is_err() {
                        return;
                    }
                }
                ToBoard::RequestLevels => *levels_from = Some(0),
                _ => {}
            }
            told(scanner, message);
        });
    }

    /// Says this to a host that has asked, and whether there was room for it: one waits at a time.
    pub fn say(&mut self, aside: Aside) -> bool {
        self.reporter.say(aside)
    }

    /// Hands out what is to be sent: see [`Reporter::transmit`].
    ///
    /// # Errors
    /// Whatever `write` returns; the bytes it was offered are offered again.
    pub fn transmit<E>(
        &mut self,
        ms: u32,
        write: impl FnMut(&[u8]) -> Result<usize, E>,
    ) -> Result<(), E> {
        self.reporter.transmit(ms, write)
    }

    /// Whether every byte of evidence has been handed out.
    pub fn is_drained(&self) -> bool {
        self.reporter.is_drained()
    }

    /// The controls as they were reported last. A board that keeps them over a restart, once they
    /// are sent, loses no press by it.
    pub fn controls(&self) -> Option<Controls> {
        self.reporter.controls()
    }

    /// How well the sensors work, as the host is told.
    pub fn health(&self) -> Health {
        self.health
    }

    /// The lamps the host wants lit: bit 0 is a1.
    pub fn lamps(&self) -> u64 {
        self.reporter.lamps()
    }
}
