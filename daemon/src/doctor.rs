//! What a board does, counted square by square, and what is wrong with it. Hears what a link tells;
//! shows nothing itself.

mod finding;
pub mod holder;
mod levels;
mod map;
mod rate;
mod squares;
pub mod tested;

use std::time::{Duration, Instant};

use board_driver::{
    BoardEvent, BoardInfo, BoardKind, Condition, LineTrouble, LinkEvent, Report, Trouble,
};

pub use finding::{Finding, Weight};
pub use levels::Levels;
pub use map::Map;
pub use rate::Rate;
pub use squares::{CHATTER, Squares};

/// A board under examination.
#[derive(Debug)]
pub struct Examination {
    /// When it began.
    pub began: Instant,
    /// What the board is, once it has said so.
    pub board: Option<(BoardKind, BoardInfo)>,
    /// What its firmware calls itself, if it says so.
    pub firmware: Option<String>,
    /// Its line.
    pub line: Line,
    /// What was counted.
    pub counts: Counts,
    /// Its squares.
    pub squares: Squares,
    /// How well its sensors work, as it says.
    pub condition: Condition,
    /// Everything that it has said was wrong with them.
    past: Condition,
    /// Scans that had failed when it first told.
    failed_before: Option<u32>,
    /// What its analogue sensors read.
    pub levels: Levels,
    /// The map by which it reads its squares, where it has one.
    pub map: Map,
    /// What it found when it tried its own parts.
    pub tested: tested::Report,
    /// What it has to be told by hand, or what was learned of it.
    pub note: Option<String>,
    /// Bytes from the board since its line was first opened.
    bytes_seen: u64,
}

/// How the board can be heard.
#[derive(Debug, Default)]
pub struct Line {
    /// Since when it is; `None` while it is not.
    pub up: Option<Instant>,
    /// When anything was last reported.
    pub heard: Option<Instant>,
    /// The longest time without a report, while the board could be heard.
    pub longest_silence: Duration,
    /// Why it cannot be heard.
    pub fault: Option<String>,
    /// Times it could not be heard any more, and the last reason.
    pub broken: (u32, String),
    /// Times it was started anew.
    pub restarts: u32,
}

/// What was counted since the examination began.
#[derive(Debug, Default)]
pub struct Counts {
    /// Reports of any kind.
    pub reports: Rate,
    /// Bytes from the board.
    pub bytes: Rate,
    /// Signs of life.
    pub alive: u64,
    /// Squares that changed.
    pub changes: u64,
    /// Presses by White and Black.
    pub presses: [u64; 2],
    /// Adjust buttons of White and Black.
    pub adjusts: [u64; 2],
    /// Reports lost for good.
    pub lost: u64,
    /// What went wrong on the line and was put right.
    pub trouble: LineTrouble,
}

impl Examination {
    /// Begins now.
    pub fn new(now: Instant) -> Examination {
        Examination {
            began: now,
            board: None,
            firmware: None,
            line: Line::default(),
            counts: Counts::default(),
            squares: Squares::default(),
            condition: Condition::default(),
            past: Condition::default(),
            failed_before: None,
            levels: Levels::default(),
            map: Map::default(),
            tested: tested::Report::default(),
            note: None,
            bytes_seen: 0,
        }
    }

    /// Begins again, with what is known of the board and how it stands.
    pub fn again(&mut self, now: Instant) {
        let Line {
            up, heard, fault, ..
        } = std::mem::take(&mut self.line);
        self.line = Line {
            up,
            heard,
            fault,
            ..Line::default()
        };
        self.levels.again();
        self.squares = self.squares.again();
        (self.began, self.counts, self.past) = (now, Counts::default(), self.condition);
        self.failed_before = Some(self.condition.failed_scans);
    }

    /// So many bytes have come from the board in all.
    pub fn bytes(&mut self, now: Instant, from_board: u64) {
        self.counts
            .bytes
            .add(now, from_board.saturating_sub(self.bytes_seen));
        self.bytes_seen = from_board;
    }

    /// Whether the board can tell the levels of its sensors.
    pub fn is_analogue(&self) -> bool {
        self.board.as_ref().is_some_and(|(_, info)| info.levels)
    }

    /// Scans that failed meanwhile.
    pub fn failed_scans(&self) -> u32 {
        self.failed_before.map_or(0, |before| {
            self.condition.failed_scans.saturating_sub(before)
        })
    }

    /// Something was told of the board.
    pub fn hear(&mut self, now: Instant, event: &LinkEvent) {
        match event {
            LinkEvent::Up { kind, info, .. } => self.up(now, *kind, info),
            LinkEvent::Board { event, .. } => {
                self.line.hear(now);
                self.counts.reports.add(now, 1);
                self.report(now, event);
            }
            LinkEvent::Trouble(trouble) => self.counts.trouble.add(*trouble),
            LinkEvent::Learning(learning) => {
                self.note = Some(learning.words().to_owned());
            }
            LinkEvent::Down(reason) => {
                let was_up = self.line.up.take().is_some();
                self.line.fault = Some(holder::explained(reason));
                if was_up {
                    self.line.broken = (self.line.broken.0 + 1, reason.to_string());
                }
            }
        }
    }

    fn up(&mut self, now: Instant, kind: BoardKind, info: &BoardInfo) {
        let before = self.board.replace((kind, info.clone()));
        let restarted = before.is_some_and(|(_, before)| before.boot != info.boot);
        self.line.restarts += u32::from(restarted);
        self.line.fault = None;
        self.line.up = Some(now);
        self.line.heard = Some(now);
        self.condition = Condition::default();
        self.firmware = None;
        self.map = Map::default();
        if restarted {
            self.failed_before = Some(0);
        }
    }

    fn report(&mut self, now: Instant, event: &BoardEvent) {
        let counts = &mut self.counts;
        match &event.report {
            Report::Changes(changes) => {
                counts.changes += changes.len() as u64;
                changes
                    .iter()
                    .for_each(|(square, seen)| self.squares.change(now, event.at, *square, *seen));
            }
            Report::Snapshot(reading) => self.squares.read_all(reading),
            Report::Press { by, .. } => counts.presses[by.fold_wb(0, 1)] += 1,
            Report::Adjust { by } => counts.adjusts[by.fold_wb(0, 1)] += 1,
            Report::Alive => counts.alive += 1,
            Report::Lost { count } => counts.lost += u64::from(*count),
            Report::Condition(condition) => self.become_so(*condition),
            Report::Levels(levels) => self.levels.hear(levels),
            Report::Firmware(name) => self.firmware = Some(name.clone()),
            Report::Map(rank) => self.map.hear(rank),
            Report::Tested(tested) => self.tested.hear(*tested),
            Report::FlagFall { .. } | Report::ClockRuns(_) | Report::Hello(_) => {}
        }
    }

    fn become_so(&mut self, condition: Condition) {
        self.condition = condition;
        self.past.stuck |= condition.stuck;
        self.past.unsteady |= condition.unsteady;
        self.failed_before.get_or_insert(condition.failed_scans);
        if condition.trouble != Trouble::NONE {
            self.past.trouble = condition.trouble;
        }
    }
}

impl Line {
    fn hear(&mut self, now: Instant) {
        let silence = self
            .heard
            .replace(now)
            .map_or(Duration::ZERO, |heard| now.saturating_duration_since(heard));
        if self.up.is_some() {
            self.longest_silence = self.longest_silence.max(silence);
        }
    }
}

#[cfg(test)]
mod tests;
