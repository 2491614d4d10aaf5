//! The judgement: what is wrong with a board, and what to do.

use std::time::Instant;

use arbiter_core::shakmaty::{Bitboard, Square};
use board_driver::{Condition, Trouble, TroubleCode, condition};
use serde::Serialize;

use super::Examination;

/// Of so many reports, one may be damaged on the line and sent again: more is a bad cable.
const DAMAGED_IN: u64 = 100;

/// Something that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// Whether the board may be played on.
    pub weight: Weight,
    /// What, and what to do.
    pub text: String,
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The board is not to be played on.
    Wrong,
    /// To be looked at when there is time.
    Notice,
}

impl Finding {
    /// The board is not to be played on.
    pub fn wrong(text: impl Into<String>) -> Finding {
        Finding {
            weight: Weight::Wrong,
            text: text.into(),
        }
    }

    /// To be looked at when there is time.
    pub fn notice(text: impl Into<String>) -> Finding {
        Finding {
            weight: Weight::Notice,
            text: text.into(),
        }
    }
}

/// Something wrong with these squares, if there are any.
pub(super) fn wrong(squares: Bitboard, text: impl FnOnce(String) -> String) -> Option<Finding> {
    (!squares.is_empty()).then(|| Finding::wrong(text(condition::squares(squares))))
}

/// Something to be noticed about these squares, if there are any.
pub(super) fn notice(squares: Bitboard, text: impl FnOnce(String) -> String) -> Option<Finding> {
    (!squares.is_empty()).then(|| Finding::notice(text(condition::squares(squares))))
}

impl Examination {
    /// Everything that was found, the worst first.
    pub fn findings(&self, now: Instant) -> Vec<Finding> {
        let mut found = self.of_the_line(now);
        found.extend(self.condition.words().into_iter().map(Finding::wrong));
        found.extend(self.of_the_past());
        found.extend(self.of_the_squares());
        if self.is_analogue() {
            found.extend(self.levels.findings());
        }
        found.extend(self.tested.findings());
        found.sort_by_key(|finding| finding.weight);
        found
    }

    fn of_the_line(&self, now: Instant) -> Vec<Finding> {
        let (line, counts, trouble) = (&self.line, &self.counts, &self.counts.trouble);
        let mut found = Vec::new();
        match (&line.fault, line.up) {
            (Some(fault), _) => found.push(Finding::wrong(fault.clone())),
            (None, None) => found.push(Finding::wrong("nothing was heard of a board")),
            (None, Some(_)) if self.squares.reading.is_none() => {
                found.push(Finding::wrong(
                    "the board has not told what its squares read",
                ));
            }
            (None, Some(_)) => {}
        }
        let (times, reason) = &line.broken;
        if *times > 0 && line.fault.is_none() {
            found.push(Finding::wrong(format!(
                "the line broke {}; at last: {reason}",
                times_of(u64::from(*times))
            )));
        }
        if line.restarts > 0 {
            let times = times_of(u64::from(line.restarts));
            found.push(Finding::wrong(format!(
                "the board was started anew {times}: check its power and its cable"
            )));
        }
        if counts.lost > 0 {
            found.push(Finding::wrong(format!(
                "{} reports were lost for good: check the cable",
                counts.lost
            )));
        }
        let damaged = u64::from(trouble.damaged) + u64::from(trouble.damaged_at_board);
        if damaged > 2 && damaged * DAMAGED_IN > counts.reports.total() + damaged {
            found.push(Finding::wrong(format!(
                "{damaged} damaged messages, all of them sent again: check the cable"
            )));
        } else if damaged > 0 {
            found.push(Finding::notice(format!(
                "{damaged} damaged messages, all of them sent again"
            )));
        }
        let seconds = now.saturating_duration_since(self.began).as_secs();
        if trouble.late_scans > 0 {
            let often = u64::from(trouble.late_scans) > seconds.max(10);
            let weigh = if often {
                Finding::wrong
            } else {
                Finding::notice
            };
            let late = trouble.late_scans;
            found.push(weigh(format!(
                "{late} scans came late: what the board's processor does besides takes long"
            )));
        }
        found
    }

    /// What the board said was wrong with its sensors and is not any more: it will come again.
    fn of_the_past(&self) -> Vec<Finding> {
        let (past, now) = (&self.past, &self.condition);
        let mut found = Vec::new();
        found.extend(wrong(past.stuck & !now.stuck, |squares| {
            format!("{squares} could not be read for some time: check the wires")
        }));
        found.extend(wrong(past.unsteady & !now.doubtful(), |squares| {
            format!("{squares} flickered for some time: clean or replace the sensor")
        }));
        let is_over =
            now.trouble == Trouble::NONE && past.trouble.code != TroubleCode::NOT_CALIBRATED;
        let trouble = Condition {
            trouble: past.trouble,
            ..Condition::default()
        };
        if is_over {
            found.extend(
                trouble
                    .words()
                    .into_iter()
                    .map(|words| Finding::wrong(format!("for some time, {words}"))),
            );
        }
        if self.failed_scans() > 0 && found.is_empty() && now.words().is_empty() {
            found.push(Finding::notice(format!(
                "{} scans failed",
                self.failed_scans()
            )));
        }
        found
    }

    fn of_the_squares(&self) -> Option<Finding> {
        // What the board says of a square itself need not be said twice.
        let chattered = self.squares.chattered & !self.past.unsteady;
        let most = chattered
            .into_iter()
            .map(|square| self.squares.changes(square).1)
            .max()
            .unwrap_or(0);
        wrong(chattered, |squares| {
            format!(
                "{squares} changed up to {most} times within a second: clean or replace the \
                 sensor, or look for a loose magnet"
            )
        })
    }

    /// What is still missing of a walk over the board: squares that were not seen both full and
    /// empty.
    pub fn unwalked(&self) -> Bitboard {
        !self.squares.walked()
    }

    /// Whether the square is not to be trusted, as the board says or as was seen.
    pub fn is_doubtful(&self, square: Square) -> bool {
        (self.condition.doubtful() | self.squares.chattered).contains(square)
    }
}

/// `once`, `2 times`.
fn times_of(count: u64) -> String {
    if count == 1 {
        "once".to_owned()
    } else {
        format!("{count} times")
    }
}
