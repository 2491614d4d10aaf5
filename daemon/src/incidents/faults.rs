//! What was wrong with boards, and how long: for reports. What passes within seconds is not kept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mark::Mark;
use crate::hall::FaultText;

/// A fault that passes within so many milliseconds is not kept.
const LASTS: i64 = 3_000;
/// One that is back within so many is the same: a plug that is loose all evening is one act a
/// minute, and not one every few seconds.
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
    /// What it was.
    pub what: Vec<FaultText>,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// Until when; `null` while it is not over.
    pub until: Option<i64>,
}

/// All that were kept, and what is on its way to be.
#[derive(Debug, Default)]
pub(super) struct Faults {
    all: Vec<BoardFault>,
    /// By board: since when it shows a fault of which nothing is kept, or none where one is.
    changed: BTreeMap<String, i64>,
}

impl Faults {
    /// All of them. One that is not seen any more is over since then, unless it comes back soon.
    pub(super) fn all(&self) -> Vec<BoardFault> {
        let told = |fault: &BoardFault| BoardFault {
            until: fault
                .until
                .or_else(|| self.changed.get(&fault.board).copied()),
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
            Mark::Well { board, until } => {
                if let Some(open) = self.open(board) {
                    open.until = Some((*until).min(at).max(open.since));
                }
            }
            _ => return false,
        }
        true
    }

    fn open(&mut self, board: &str) -> Option<&mut BoardFault> {
        let mut all = self.all.iter_mut().rev();
        all.find(|fault| fault.board == board)
            .filter(|fault| fault.until.is_none())
    }

    /// What is to be kept by now of a board that shows this.
    pub(super) fn look(
        &mut self,
        board: &str,
        shows: &[FaultText],
        place: impl FnOnce() -> Place,
        now: i64,
    ) -> Option<Mark> {
        let open = self.open(board).map(|open| open.what.clone());
        let is_same = match &open {
            Some(open) => open
                .iter()
                .any(|known| shows.iter().any(|is| is.kind == known.kind)),
            None => shows.is_empty(),
        };
        if is_same {
            self.changed.remove(board);
            return None;
        }
        let since = *self.changed.entry(board.to_owned()).or_insert(now);
        let is_over = open.is_some();
        let lasts = if is_over { CALM } else { LASTS };
        if now - since < lasts {
            return None;
        }
        // One that is over because there is another by now: that began when it ended.
        if !is_over || shows.is_empty() {
            self.changed.remove(board);
        }
        let board = board.to_owned();
        Some(match is_over {
            false => Mark::Failed {
                fault: BoardFault {
                    board,
                    place: place(),
                    what: shows.to_vec(),
                    since,
                    until: None,
                },
            },
            true => Mark::Well {
                board,
                until: since,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use board_driver::Fault;

    use super::*;

    #[test]
    fn what_lasts_is_kept_with_its_end() {
        let mut faults = Faults::default();
        let place = || Place {
            event: 1,
            round: Some(3),
            table: Some(12),
        };
        let mut look = |shows: Option<&str>, now: i64| {
            let shows = shows.map(|text| FaultText::from(&Fault::new("silent", text)));
            let mark = faults.look("b12", shows.as_slice(), place, now);
            if let Some(mark) = &mark {
                assert!(faults.apply(mark, now));
            }
            (mark.is_some(), faults.all())
        };
        // A plug that is put in again at once.
        assert!(!look(Some("unplugged"), 1_000).0);
        assert!(!look(None, 2_000).0);
        assert!(!look(Some("unplugged"), 5_000).0);
        assert!(!look(Some("unplugged"), 7_999).0);
        let (is_told, all) = look(Some("unplugged"), 8_000);
        assert!(is_told);
        assert_eq!((all[0].since, all[0].until), (5_000, None));
        // It is kept once, and its end where it lasts.
        assert!(!look(Some("unplugged"), 60_000).0);
        assert!(!look(None, 61_000).0);
        assert!(!look(Some("another"), 62_000).0);
        assert!(!look(None, 63_000).0);
        let (is_told, all) = look(None, 122_999);
        assert!(!is_told);
        assert_eq!(all[0].until, Some(63_000), "unless it comes back");
        let (is_told, all) = look(None, 123_000);
        assert!(is_told);
        assert_eq!((all.len(), all[0].until), (1, Some(63_000)));
        assert_eq!(all[0].place, place());
        let json = serde_json::to_value(&all[0]).expect("JSON");
        assert_eq!(
            (&json["table"], &json["board"]),
            (&12.into(), &"b12".into())
        );
    }

    /// Where that lasts: two that alternate every few seconds are one.
    #[test]
    fn what_another_fault_follows_on_is_over() {
        let mut faults = Faults::default();
        let mut look = |kind: &'static str, now: i64| {
            let shows = [FaultText::from(&Fault::new(kind, "it is wrong"))];
            let mark = faults.look("b12", &shows, Place::default, now);
            mark.inspect(|mark| assert!(faults.apply(mark, now)));
            faults.all()
        };
        for now in [1_000, 4_000] {
            look("unplugged", now);
        }
        for now in [10_000, 20_000] {
            look("silent", now);
            assert_eq!(look("unplugged", now + 5_000).len(), 1);
        }
        for now in [30_000, 89_999, 90_000, 90_200] {
            look("silent", now);
        }
        let told: Vec<_> = look("silent", 95_000)
            .into_iter()
            .map(|fault| (fault.what[0].kind.clone(), fault.since, fault.until))
            .collect();
        let expected = [("unplugged", 1_000, Some(30_000)), ("silent", 30_000, None)];
        assert_eq!(
            told,
            expected.map(|(kind, since, until)| (kind.to_owned(), since, until))
        );
    }
}
