//! What was wrong with boards, and how long: for reports. What passes within seconds is not kept.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mark::Mark;
use crate::hall::FaultText;

/// A fault that passes within so many milliseconds is not kept.
const LASTS: i64 = 3_000;
/// One that is back within so many is the same, and counted: a plug that is loose all evening is
/// one act a minute, and not one every few seconds. Another one is another, however soon it comes.
const CALM: i64 = 60_000;
/// So many are known, the newest; the store has all.
const MOST: usize = 10_000;

/// Where a board stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FaultPlace")]
pub struct Place {
    /// Which of the store's events was at hand, by its number.
    pub event: usize,
    /// The round that was played.
    pub round: Option<u16>,
    /// The table.
    pub table: Option<u16>,
}

/// Something that was wrong with a board or its line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BoardFault {
    /// The board.
    pub board: String,
    /// Where it stood.
    #[serde(flatten)]
    pub place: Place,
    /// What it was: of one kind, in stores of before of several.
    pub what: Vec<FaultText>,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// Until when; `null` while it is not over.
    pub until: Option<i64>,
    /// How often it came in that time: it was gone for less than a minute between.
    #[serde(default = "once")]
    pub times: u32,
}

/// What was kept before it was counted is said once.
pub(super) fn once() -> u32 {
    1
}

impl BoardFault {
    /// By which one that is not over is known.
    fn kind(&self) -> &str {
        self.what.first().map_or("", |fault| &fault.kind)
    }

    fn is_open(&self, board: &str) -> bool {
        self.until.is_none() && self.board == board
    }
}

/// All that were kept, and what is on its way to be.
#[derive(Debug, Default)]
pub(super) struct Faults {
    all: Vec<BoardFault>,
    /// By board and kind: since when it shows a fault that is not kept, or none where it is.
    changed: BTreeMap<(String, String), i64>,
}

impl Faults {
    /// All of them. One that is not seen any more is over since then, unless it comes back soon.
    pub(super) fn all(&self) -> Vec<BoardFault> {
        let gone = |fault: &BoardFault| {
            let key = (fault.board.clone(), fault.kind().to_owned());
            self.changed.get(&key).copied()
        };
        let told = |fault: &BoardFault| BoardFault {
            until: fault.until.or_else(|| gone(fault)),
            ..fault.clone()
        };
        self.all.iter().map(told).collect()
    }

    /// Forgets all of them: they are read anew.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Takes what was kept. Whether it was about a fault.
    pub(super) fn apply(&mut self, mark: &Mark, at: i64) -> bool {
        match mark {
            Mark::Failed { fault } => {
                self.all.push(fault.clone());
                let excess = self.all.len().saturating_sub(MOST);
                self.all.drain(..excess);
            }
            Mark::Well {
                board,
                kind,
                until,
                times,
            } => {
                let mut all = self.all.iter_mut().rev();
                let is_it = |fault: &BoardFault| {
                    let is_that = kind.as_ref().is_none_or(|kind| kind == fault.kind());
                    fault.is_open(board) && is_that
                };
                if let Some(open) = all.find(|fault| is_it(fault)) {
                    open.until = Some((*until).min(at).max(open.since));
                    open.times = *times;
                }
            }
            _ => return false,
        }
        true
    }

    /// What is to be kept by now of a board that shows this.
    pub(super) fn look(
        &mut self,
        board: &str,
        shows: &[FaultText],
        place: impl Fn() -> Place,
        now: i64,
    ) -> Vec<Mark> {
        let mut marks = Vec::new();
        let key = |kind: &str| (board.to_owned(), kind.to_owned());
        let kinds: BTreeSet<&str> = shows.iter().map(|fault| &*fault.kind).collect();
        let mut kept = BTreeSet::new();
        for open in self.all.iter_mut().filter(|fault| fault.is_open(board)) {
            let key = key(open.kind());
            let is_shown = open.what.iter().any(|known| kinds.contains(&*known.kind));
            kept.extend(open.what.iter().map(|known| known.kind.clone()));
            if is_shown {
                let is_back = self.changed.remove(&key).is_some();
                open.times = open.times.saturating_add(u32::from(is_back));
                continue;
            }
            let since = *self.changed.entry(key).or_insert(now);
            if now - since >= CALM {
                marks.push(Mark::Well {
                    board: board.to_owned(),
                    kind: Some(open.kind().to_owned()),
                    until: since,
                    times: open.times,
                });
            }
        }
        for kind in kinds.iter().filter(|kind| !kept.contains(**kind)) {
            let since = *self.changed.entry(key(kind)).or_insert(now);
            if now - since >= LASTS {
                let is_it = |fault: &&FaultText| fault.kind == **kind;
                marks.push(Mark::Failed {
                    fault: BoardFault {
                        board: board.to_owned(),
                        place: place(),
                        what: shows.iter().filter(is_it).cloned().collect(),
                        since,
                        until: None,
                        times: once(),
                    },
                });
            }
        }
        let is_told = |kind: &str| marks.iter().any(|mark| mark.is_about(kind));
        let stays = |kind: &str| kept.contains(kind) || kinds.contains(kind);
        self.changed
            .retain(|(of, kind), _| of != board || (stays(kind) && !is_told(kind)));
        marks
    }
}

impl Mark {
    /// Whether it keeps a fault of this kind, or its end.
    fn is_about(&self, of: &str) -> bool {
        match self {
            Mark::Failed { fault } => fault.kind() == of,
            Mark::Well { kind, .. } => kind.as_deref() == Some(of),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use board_driver::Fault;

    use super::*;

    /// Looks at a board that shows this, and keeps what is to be kept; how much that was.
    fn look(faults: &mut Faults, shows: &[&'static str], now: i64) -> usize {
        let place = || Place {
            event: 1,
            round: Some(3),
            table: Some(12),
        };
        let shows = shows.iter().map(|kind| Fault::new(kind, "it is wrong"));
        let shows: Vec<_> = shows.map(|fault| FaultText::from(&fault)).collect();
        let marks = faults.look("b12", &shows, place, now);
        for mark in &marks {
            // As it is read again from the store.
            let written = serde_json::to_string(mark).expect("a mark");
            let mark = serde_json::from_str(&written).expect("a mark");
            assert!(faults.apply(&mark, now));
        }
        marks.len()
    }

    fn told(faults: &Faults) -> Vec<(String, i64, Option<i64>, u32)> {
        let all = faults.all().into_iter();
        all.map(|f| (f.kind().to_owned(), f.since, f.until, f.times))
            .collect()
    }

    fn line(
        kind: &str,
        since: i64,
        until: Option<i64>,
        times: u32,
    ) -> (String, i64, Option<i64>, u32) {
        (kind.to_owned(), since, until, times)
    }

    #[test]
    fn what_lasts_is_kept_with_its_end() {
        let mut faults = Faults::default();
        let mut at = |shows: &[&'static str], now: i64| {
            let marks = look(&mut faults, shows, now);
            (marks, faults.all())
        };
        // A plug that is put in again at once.
        assert_eq!(at(&["silent"], 1_000).0, 0);
        assert_eq!(at(&[], 2_000).0, 0);
        assert_eq!(at(&["silent"], 5_000).0, 0);
        assert_eq!(at(&["silent"], 7_999).0, 0);
        let (marks, all) = at(&["silent"], 8_000);
        assert_eq!(marks, 1);
        assert_eq!((all[0].since, all[0].until), (5_000, None));
        // It is kept once, and its end where it lasts.
        assert_eq!(at(&["silent"], 60_000).0, 0);
        assert_eq!(at(&[], 61_000).0, 0);
        assert_eq!(at(&["silent"], 62_000).0, 0);
        assert_eq!(at(&[], 63_000).0, 0);
        let (marks, all) = at(&[], 122_999);
        assert_eq!(marks, 0);
        assert_eq!(all[0].until, Some(63_000), "unless it comes back");
        let (marks, all) = at(&[], 123_000);
        assert_eq!(marks, 1);
        assert_eq!(
            (all.len(), all[0].until, all[0].times),
            (1, Some(63_000), 2)
        );
        let json = serde_json::to_value(&all[0]).expect("JSON");
        assert_eq!(
            (&json["table"], &json["board"]),
            (&12.into(), &"b12".into())
        );
    }

    /// Each kind is told by itself, be it back and away again within a minute of another.
    #[test]
    fn two_faults_of_a_board_are_two() {
        let mut faults = Faults::default();
        for now in [1_000, 4_000] {
            look(&mut faults, &["unplugged"], now);
        }
        for now in [10_000, 20_000] {
            look(&mut faults, &["silent"], now);
            look(&mut faults, &["unplugged"], now + 5_000);
        }
        assert_eq!(told(&faults), [line("unplugged", 1_000, None, 3)]);
        for now in [30_000, 34_000] {
            look(&mut faults, &["silent"], now);
        }
        for now in [40_000, 89_000, 90_000, 100_000] {
            look(&mut faults, &[], now);
        }
        let both = [
            line("unplugged", 1_000, Some(30_000), 3),
            line("silent", 30_000, Some(40_000), 1),
        ];
        assert_eq!(told(&faults), both);
        // Two at once, of which one goes on.
        for now in [200_000, 203_000] {
            look(&mut faults, &["silent", "stuck"], now);
        }
        for now in [210_000, 270_000] {
            look(&mut faults, &["stuck"], now);
        }
        let more = [
            line("silent", 200_000, Some(210_000), 1),
            line("stuck", 200_000, None, 1),
        ];
        assert_eq!(told(&faults)[2..], more);
    }

    /// As a store of before has it: several in one, and an end that names none.
    #[test]
    fn what_was_kept_before_is_read() {
        let mut faults = Faults::default();
        let failed = r#"{"act":"failed","fault":{"board":"b12","event":1,"round":3,"table":12,
            "what":[{"kind":"silent","text":"it is silent"},{"kind":"stuck","text":"it is stuck"}],
            "since":1000,"until":null}}"#;
        let well = r#"{"act":"well","board":"b12","until":9000}"#;
        let read = |text: &str| serde_json::from_str::<Mark>(text).expect("a mark");
        assert!(faults.apply(&read(failed), 1_000));
        assert_eq!(look(&mut faults, &["stuck"], 2_000), 0);
        assert_eq!(look(&mut faults, &["stuck"], 6_000), 0);
        assert!(faults.apply(&read(well), 70_000));
        assert_eq!(told(&faults), [line("silent", 1_000, Some(9_000), 1)]);
    }
}
