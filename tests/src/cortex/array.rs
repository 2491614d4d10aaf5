//! A simulated sensor array: raw samples over a line, with everything that contacts do.

use std::io::Write;
use std::iter::Peekable;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Bitboard, Board, Color};
use arbiter_core::{SensorClass, Symbol};
use board_driver::{BoardEvent, Report};
use firmware::array::Sample;

use super::Machine;

/// A sample at least so often, in milliseconds of the world.
const KEEP_ALIVE: u64 = 5;

/// As long as the deepest filter, in milliseconds of the board.
const SETTLED: u64 = 16;

/// For so long a button is held down, and a clock's lever is neither way.
const HELD: u64 = 100;
const BETWEEN: u64 = 6;

/// Something that happens at the array, in milliseconds of its clock since the game began.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// When.
    pub at: u64,
    /// What.
    pub step: Step,
}

/// What can happen at an array.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// The contacts of these squares bounce open or shut, or back.
    Flip(Bitboard),
    /// These squares read light pieces, these dark ones, from now on.
    Show {
        /// The squares.
        squares: Bitboard,
        /// What they read.
        seen: Symbol,
    },
    /// These lines of lever and buttons go down, those go up.
    Controls {
        /// Down.
        down: u8,
        /// Up.
        up: u8,
    },
    /// Somebody presses the board's reset button.
    Reset,
    /// Its plug is out (`true`) or in again.
    Unplug(bool),
}

/// The contacts of an array.
#[derive(Clone, Copy, Debug)]
pub struct Contacts {
    truth: Sample,
    /// Squares that read what they should not. Apart from the truth, which may change while a
    /// contact bounces.
    bounce: u64,
}

impl Contacts {
    /// As they are before anything happens.
    pub fn new(start: Sample) -> Contacts {
        Contacts {
            truth: start,
            bounce: 0,
        }
    }

    /// A step happens. Resets and plugs change nothing at the contacts.
    pub fn take(&mut self, step: Step) {
        match step {
            Step::Flip(squares) => self.bounce ^= squares.0,
            Step::Show { squares, seen } => {
                let is_dark = seen == Symbol::Colour(Color::Black);
                put(&mut self.truth.occupied, squares.0, seen != Symbol::Empty);
                put(&mut self.truth.dark, squares.0, is_dark);
            }
            Step::Controls { down, up } => {
                self.truth.controls = self.truth.controls & !up | down;
            }
            Step::Reset | Step::Unplug(_) => {}
        }
    }

    /// What they read.
    pub fn read(&self) -> Sample {
        Sample {
            occupied: self.truth.occupied ^ self.bounce,
            ..self.truth
        }
    }
}

fn put(word: &mut u64, bits: u64, is_set: bool) {
    *word = if is_set { *word | bits } else { *word & !bits };
}

/// All that happens at an array.
#[derive(Clone, Debug)]
pub struct Script {
    /// What it reads before.
    pub start: Sample,
    /// In order of time.
    pub moments: Vec<Moment>,
}

fn line(by: Color) -> u8 {
    by.fold_wb(0b01, 0b10)
}

impl Script {
    /// Its times are later than those of the events by this: the lever moves before it is down.
    pub const OFFSET: u64 = HELD;

    /// What an array of `class` sensors tells while a board would report `events`, in real
    /// contacts: each change bounces for two milliseconds, which the board's filter must not let
    /// through.
    pub fn new(class: SensorClass, start: &Board, events: &[BoardEvent]) -> Script {
        let occupied = start.occupied().0;
        let dark = if class == SensorClass::Colour {
            start.black().0
        } else {
            0
        };
        // Before the game White is to move: Black's end of the lever is down.
        let start = Sample {
            ms: 0,
            pace: 1_000,
            occupied,
            dark,
            controls: line(Color::Black),
        };
        let mut script = Script {
            start,
            moments: Vec::new(),
        };
        let mut down = Color::Black;
        for event in events {
            let at = event.at.0 + Script::OFFSET;
            match &event.report {
                Report::Changes(changes) => {
                    for (square, seen) in changes {
                        let squares = Bitboard::from(*square);
                        script.add(
                            at,
                            Step::Show {
                                squares,
                                seen: *seen,
                            },
                        );
                        script.add(at + 1, Step::Flip(squares));
                        script.add(at + 2, Step::Flip(squares));
                    }
                }
                Report::Press { by, .. } => {
                    // Who presses twice has lifted his own end meanwhile.
                    let up = if down == *by {
                        line(*by)
                    } else {
                        line(by.other())
                    };
                    script.add(at - BETWEEN, Step::Controls { down: 0, up });
                    script.add(
                        at,
                        Step::Controls {
                            down: line(*by),
                            up: line(by.other()),
                        },
                    );
                    down = *by;
                }
                Report::Adjust { by } => {
                    script.add(
                        at,
                        Step::Controls {
                            down: line(*by) << 2,
                            up: 0,
                        },
                    );
                    script.add(
                        at + HELD,
                        Step::Controls {
                            down: 0,
                            up: line(*by) << 2,
                        },
                    );
                }
                _ => {}
            }
        }
        script.moments.sort_by_key(|moment| moment.at);
        script
    }

    fn add(&mut self, at: u64, step: Step) {
        self.moments.push(Moment { at, step });
    }

    /// The same with something more in it.
    #[must_use]
    pub fn with(mut self, at: u64, step: Step) -> Script {
        self.add(at, step);
        self.moments.sort_by_key(|moment| moment.at);
        self
    }

    /// The same with nothing happening for `ms` milliseconds from `at` on.
    #[must_use]
    pub fn pause(mut self, at: u64, ms: u64) -> Script {
        self.moments
            .iter_mut()
            .filter(|moment| moment.at >= at)
            .for_each(|moment| moment.at += ms);
        self
    }

    /// When the lever goes down, in order of time.
    pub fn presses(&self) -> Vec<u64> {
        let lever = line(Color::White) | line(Color::Black);
        let mut presses = Vec::new();
        for moment in &self.moments {
            if let Step::Controls { down, .. } = moment.step
                && down & lever != 0
            {
                presses.push(moment.at);
            }
        }
        presses
    }

    /// When it is over.
    pub fn end(&self) -> u64 {
        self.moments.last().map_or(0, |moment| moment.at)
    }
}

/// An array that sends samples, and plays its script when it is told to. It stops when this is
/// dropped.
#[derive(Debug)]
pub struct Array {
    orders: Option<Sender<()>>,
    happened: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl Array {
    /// Plugs an array into a board. Its clock runs `pace` times as fast as the world's.
    pub fn plug(machine: &Arc<Machine>, script: Script, pace: u64) -> Array {
        let (orders, inbox) = channel();
        let happened = Arc::new(AtomicUsize::new(0));
        let sender = Playing {
            happened: happened.clone(),
            machine: machine.clone(),
            line: machine.array(),
            pace,
            contacts: Contacts::new(script.start),
            moments: script.moments.into_iter().peekable(),
            plugged: true,
            changed: 0,
            sent: 0,
        };
        let thread = std::thread::spawn(move || sender.run(&inbox));
        Array {
            orders: Some(orders),
            happened,
            thread: Some(thread),
        }
    }

    /// Begins the game.
    ///
    /// # Panics
    /// When the array has broken down.
    pub fn begin(&self) {
        self.orders
            .as_ref()
            .and_then(|orders| orders.send(()).ok())
            .expect("an array that runs");
    }

    /// How much of its script has happened.
    pub fn happened(&self) -> usize {
        self.happened.load(Ordering::Relaxed)
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

/// An array at work.
struct Playing {
    happened: Arc<AtomicUsize>,
    machine: Arc<Machine>,
    line: UnixStream,
    pace: u64,
    moments: Peekable<std::vec::IntoIter<Moment>>,
    contacts: Contacts,
    plugged: bool,
    /// When something last changed, on the array's clock.
    changed: u64,
    /// When the last sample was sent.
    sent: u64,
}

impl Playing {
    fn run(mut self, orders: &Receiver<()>) {
        let switched_on = Instant::now();
        let mut begun = None;
        loop {
            let now = switched_on.elapsed().as_micros() as u64 * self.pace / 1_000;
            let Ok(next) = self.play(begun, now) else {
                return;
            };
            let left = Duration::from_micros(next.saturating_sub(now) * 1_000 / self.pace);
            match orders.recv_timeout(left.min(Duration::from_millis(KEEP_ALIVE))) {
                Ok(()) => begun = Some(now),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Does what is due of a game that has `begun`, and sends what it must; when it must next.
    fn play(&mut self, begun: Option<u64>, now: u64) -> std::io::Result<u64> {
        let mut next = self.sent + KEEP_ALIVE * self.pace;
        if self.changed >= self.sent {
            next = next.min(self.changed + SETTLED);
        }
        if let Some(begun) = begun {
            while let Some(Moment { at, step }) =
                self.moments.next_if(|moment| begun + moment.at <= now)
            {
                self.changed = begun + at;
                match step {
                    Step::Reset => self.machine.reset(),
                    Step::Unplug(out) => self.plugged = !out,
                    step => self.contacts.take(step),
                }
                self.send(self.changed)?;
                self.happened.fetch_add(1, Ordering::Relaxed);
            }
            if let Some(moment) = self.moments.peek() {
                next = next.min(begun + moment.at);
            }
        }
        if now >= next {
            self.send(now)?;
        }
        Ok(next)
    }

    fn send(&mut self, at: u64) -> std::io::Result<()> {
        if !self.plugged {
            return Ok(());
        }
        self.sent = self.sent.max(at);
        let sample = Sample {
            ms: self.sent as u32,
            pace: (self.pace * 1_000) as u32,
            ..self.contacts.read()
        };
        self.line.write_all(board_wire::encode(&sample).as_bytes())
    }
}
