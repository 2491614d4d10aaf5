//! A scanner that looks at the squares one row after another.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol, Time};

use super::snapshots::Snapshot;
use crate::event::{BoardEvent, Report};
use crate::random::Random;

/// A moment from which a square's sensor shows something else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// When, in microseconds.
    pub(super) us: u64,
    /// Where.
    pub(super) square: Square,
    /// What it shows from then on.
    pub(super) seen: Symbol,
}

/// When the squares are looked at. Times in microseconds.
#[derive(Debug)]
pub(super) struct Scan {
    period: u64,
    /// The first scan begins this long after the board was switched on.
    phase: u64,
    /// All squares are looked at when it begins.
    at_once: bool,
}

impl Scan {
    pub(super) fn new(period: u64, at_once: bool, random: &mut Random) -> Scan {
        Scan {
            period,
            phase: random.span((0, period - 1)),
            at_once,
        }
    }

    /// The number of the first scan that sees the edge.
    fn number(&self, edge: &Edge) -> u64 {
        let row = match self.at_once {
            true => 0,
            false => self.period * u64::from(edge.square.rank()) / 8,
        };
        edge.us
            .saturating_sub(self.phase + row)
            .div_ceil(self.period)
    }

    /// A scan is reported when its last row has been read.
    fn reported(&self, number: u64) -> Time {
        Time((self.phase + (number + 1) * self.period) / 1_000)
    }

    /// What is reported: for each scan the squares that read differently from what was last
    /// reported, and the snapshots between.
    pub(super) fn reports(
        &self,
        mut reported: Reading,
        mut edges: Vec<Edge>,
        snapshots: Vec<Snapshot>,
    ) -> Vec<BoardEvent> {
        edges.sort_by_key(|e| (self.number(e), e.us));
        let scans = edges.chunk_by(|a, b| self.number(a) == self.number(b));
        let mut events = Vec::with_capacity(edges.len() + snapshots.len());
        let mut snapshots = snapshots.into_iter().peekable();
        for scan in scans {
            let at = self.reported(self.number(&scan[0]));
            while let Some(snapshot) = snapshots.next_if(|next| next.us < at.0 * 1_000) {
                events.push(taken(snapshot, &mut reported));
            }
            let mut seen = reported;
            for edge in scan {
                seen.set(edge.square, edge.seen);
            }
            let changes: Vec<_> = touched(scan)
                .filter(|sq| seen.at(*sq) != reported.at(*sq))
                .collect();
            if !changes.is_empty() {
                let changes = changes.into_iter().map(|sq| (sq, seen.at(sq))).collect();
                events.push(BoardEvent {
                    at,
                    report: Report::Changes(changes),
                });
                reported = seen;
            }
        }
        events.extend(snapshots.map(|snapshot| taken(snapshot, &mut reported)));
        events
    }
}

/// Everything that was reported, and what only a snapshot tells.
fn taken(snapshot: Snapshot, reported: &mut Reading) -> BoardEvent {
    for (square, seen) in snapshot.untold {
        reported.set(square, seen);
    }
    BoardEvent {
        at: Time(snapshot.us / 1_000),
        report: Report::Snapshot(*reported),
    }
}

/// The squares of a scan's edges, each once, in the order they were first touched.
fn touched(scan: &[Edge]) -> impl Iterator<Item = Square> + '_ {
    let first = |i: usize| scan[..i].iter().all(|e| e.square != scan[i].square);
    (0..scan.len())
        .filter(move |i| first(*i))
        .map(|i| scan[i].square)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCAN: Scan = Scan {
        period: 8_000,
        phase: 500,
        at_once: false,
    };

    fn edge(us: u64, square: Square, seen: Symbol) -> Edge {
        Edge { us, square, seen }
    }

    fn reports(edges: &[Edge]) -> Vec<(u64, Vec<(Square, Symbol)>)> {
        let changes = |e: BoardEvent| match e.report {
            Report::Changes(changes) => (e.at.0, changes),
            other => panic!("{other:?}"),
        };
        SCAN.reports(Reading::EMPTY, edges.to_vec(), Vec::new())
            .into_iter()
            .map(changes)
            .collect()
    }

    #[test]
    fn the_last_row_is_looked_at_last() {
        // The scan looks at row 1 from 0.5 ms, at row 8 from 7.5 ms: what happens between is seen
        // on row 8 only.
        let (a1, a8) = (
            edge(2_000, Square::A1, Symbol::Something),
            edge(2_000, Square::A8, Symbol::Something),
        );
        let told = reports(&[a1, a8]);
        assert_eq!(
            told,
            [
                (8, vec![(Square::A8, Symbol::Something)]),
                (16, vec![(Square::A1, Symbol::Something)])
            ]
        );
    }

    #[test]
    fn what_comes_and_goes_between_two_looks_is_not_seen() {
        let there = edge(9_000, Square::A1, Symbol::Something);
        assert_eq!(
            reports(&[there, edge(16_000, Square::A1, Symbol::Empty)]),
            []
        );
        assert_eq!(
            reports(&[there, edge(17_000, Square::A1, Symbol::Empty)]).len(),
            2
        );
    }

    #[test]
    fn changes_of_one_scan_are_one_report() {
        let told = reports(&[
            edge(9_000, Square::B1, Symbol::Something),
            edge(9_500, Square::C1, Symbol::Something),
        ]);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].1.len(), 2);
    }
}
