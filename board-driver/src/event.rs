//! What every board, whatever it speaks, tells the rest of the program.

use arbiter_core::settings::Settings;
use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Input, Millis, Reading, SensorClass, Symbol, Time};
use board_wire::{MapRank, RankLevels, Tested};

use crate::condition::Condition;

/// Something a board reported, with the board's own time in milliseconds.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardEvent {
    /// When, on the board's clock.
    pub at: Time,
    /// What.
    pub report: Report,
}

/// What a board can report.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// The board named itself; the first report after a connection or a reboot of the board.
    Hello(BoardInfo),
    /// Squares changed within one scan; their order means nothing. `Symbol::Empty` is a lift.
    Changes(Vec<(Square, Symbol)>),
    /// What every square reads now.
    Snapshot(Reading),
    /// A player pressed the clock.
    Press {
        /// Who pressed.
        by: Color,
        /// White's remaining time in milliseconds, where the clock tells.
        white_ms: Option<u64>,
        /// Black's remaining time in milliseconds, where the clock tells.
        black_ms: Option<u64>,
    },
    /// A flag fell.
    FlagFall {
        /// Whose.
        by: Color,
    },
    /// The clock was started or stopped; nobody is said to have done it. No evidence of play.
    ClockRuns(bool),
    /// A player pressed his adjust button.
    Adjust {
        /// Who.
        by: Color,
    },
    /// The board is alive, and everything that happened on it up to this moment has been told.
    Alive,
    /// How well the sensors work, when that has changed or the board says so for the first time. No
    /// evidence of play.
    Condition(Condition),
    /// What a rank of analogue sensors reads, after it was asked for. No evidence of play.
    Levels(RankLevels),
    /// What the board's firmware calls itself: name, version, what it was built of. No evidence of
    /// play.
    Firmware(String),
    /// A rank of the map by which the board reads its squares, after it was asked for. No evidence
    /// of play.
    Map(MapRank),
    /// What the board found when it tried one of its parts. No evidence of play.
    Tested(Tested),
    /// Reports were lost for good; a snapshot follows.
    Lost {
        /// How many.
        count: u32,
    },
}

impl Report {
    /// Carries what every square reads, as far as it is known, over this report.
    pub fn apply_to(&self, reading: &mut Option<Reading>) {
        match self {
            Report::Snapshot(board) => *reading = Some(*board),
            Report::Changes(changes) => {
                if let Some(reading) = reading {
                    changes
                        .iter()
                        .for_each(|(square, seen)| reading.set(*square, *seen));
                }
            }
            Report::Lost { .. } => *reading = None,
            _ => {}
        }
    }
}

/// What a board says of itself.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardInfo {
    /// The board's serial number; empty where it tells none.
    pub serial: String,
    /// What its sensors can tell.
    pub sensor: SensorClass,
    /// Whether a clock is connected.
    pub clock: bool,
    /// Whether it is read by whole states, so that short events may be missing.
    pub polled: bool,
    /// Milliseconds between two scans of its squares, where that is known and matters: changes
    /// closer together than that have no order. 0 where it does not.
    pub scan_ms: u32,
    /// Whether it has lamps.
    pub lamps: bool,
    /// Whether it has an adjust button for each side.
    pub adjust: bool,
    /// Whether its sensors are analogue, so that it can tell their levels and be calibrated.
    pub levels: bool,
    /// Whether it has a map of its squares, which can be set.
    pub map: bool,
    /// Whether it can try its own parts.
    pub self_test: bool,
    /// Board milliseconds that pass in one millisecond of the world. 1 on every real board; a
    /// simulated board that plays at twenty times the speed says 20, one that jumps from event to
    /// event says 0.
    pub pace: f32,
    /// Tells one run of the board from the next. A different number means that the board was
    /// started anew: its clock may have begun again at 0.
    pub boot: u16,
}

impl BoardInfo {
    /// The arbiter's windows on this board: no finer than it looks. What is seen in one state and
    /// not in the next may have lasted for any time between none and two scans.
    pub fn windows(&self, mut options: Settings) -> Settings {
        let scan = Millis::from(self.scan_ms);
        options.skew_ms = options.skew_ms.max(scan);
        options.brush_ms = options.brush_ms.max(scan * 3 / 2);
        options
    }
}

/// A place in a board's evidence, for boards that can send it again.
///
/// A host that kept the mark of the last report it took gives it to the link when it starts again,
/// and misses nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark {
    /// The board's run.
    pub boot: u16,
    /// The first evidence not yet taken.
    pub next: u32,
}

/// What went wrong on a line since it was last told. Evidence was lost by it only if a `Lost`
/// report says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LineTrouble {
    /// Damaged frames received here.
    pub damaged: u32,
    /// Times evidence was asked for again.
    pub repeats: u32,
    /// Damaged frames the board received.
    pub damaged_at_board: u32,
    /// Evidence the board threw away before it was ever sent.
    pub dropped: u32,
    /// Scans of the board that came too late to be trusted.
    pub late_scans: u32,
}

impl LineTrouble {
    /// Counts `more` as well.
    pub fn add(&mut self, more: LineTrouble) {
        self.damaged = self.damaged.saturating_add(more.damaged);
        self.repeats = self.repeats.saturating_add(more.repeats);
        self.damaged_at_board = self.damaged_at_board.saturating_add(more.damaged_at_board);
        self.dropped = self.dropped.saturating_add(more.dropped);
        self.late_scans = self.late_scans.saturating_add(more.late_scans);
    }
}

impl BoardEvent {
    /// The arbiter's inputs this report amounts to, each with the report's time.
    pub fn inputs(&self) -> Vec<Input> {
        match &self.report {
            Report::Changes(changes) => changes
                .iter()
                .map(|&(square, seen)| change(square, seen))
                .collect(),
            Report::Snapshot(board) => vec![Input::Snapshot {
                board: (*board).into(),
            }],
            Report::Press {
                by,
                white_ms,
                black_ms,
            } => {
                vec![Input::Press {
                    by: *by,
                    white_ms: *white_ms,
                    black_ms: *black_ms,
                }]
            }
            Report::FlagFall { by } => vec![Input::FlagFall { by: *by }],
            Report::Adjust { by } => vec![Input::Adjust { by: *by }],
            Report::Condition(condition) => vec![Input::Suspect {
                squares: condition.doubtful(),
            }],
            Report::Hello(_)
            | Report::Alive
            | Report::ClockRuns(_)
            | Report::Lost { .. }
            | Report::Levels(_)
            | Report::Firmware(_)
            | Report::Map(_)
            | Report::Tested(_) => Vec::new(),
        }
    }
}

fn change(square: Square, seen: Symbol) -> Input {
    match seen {
        Symbol::Empty => Input::Lift { square },
        seen => Input::Place { square, seen },
    }
}
