//! What a line that stood still gives away all at once.
//!
//! Boards that tell no time are dated when their bytes come. A hub, a virtual machine or a computer
//! that slept may hold them back for seconds; then a whole move comes in one read, and each piece
//! of it seems to have stood for no time at all, as if a hand had only slid over the squares. What
//! no hands do in one read is dated apart, back from when it came.

use arbiter_core::Time;

use super::Delivery;
use crate::event::Report;

/// So much evidence in one read is of a line that stood still.
const PLENTY: u64 = 4;

/// A usual time between two contacts, in milliseconds: longer than a hand slides over a square, and
/// shorter than it lets go of a piece for good.
const APART: u64 = 300;

/// Dates what comes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bursts {
    /// When something was last told.
    last: Time,
}

impl Bursts {
    /// Dates the reports of one read, of a board that tells no time.
    pub(crate) fn date(&mut self, reports: &mut [Delivery]) {
        let Some(now) = reports.last().map(|delivery| delivery.event.at) else {
            return;
        };
        // What a board remembers of an earlier time is dated already.
        let came_now = |delivery: &&mut Delivery| delivery.event.at == now;
        let mut left = 0;
        for delivery in reports.iter_mut().filter(came_now) {
            left += u64::from(is_evidence(&delivery.event.report));
        }
        let apart = APART.min(now.since(self.last) / left.max(1));
        if left >= PLENTY {
            for delivery in reports.iter_mut().filter(came_now) {
                left -= u64::from(is_evidence(&delivery.event.report));
                delivery.event.at = now - apart * left;
            }
        }
        self.last = now;
    }
}

fn is_evidence(report: &Report) -> bool {
    matches!(report, Report::Changes(_) | Report::Press { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::BoardEvent;

    fn dated(last: u64, times: &[(u64, Report)]) -> Vec<u64> {
        let delivery = |(at, report): &(u64, Report)| Delivery {
            event: BoardEvent {
                at: Time(*at),
                report: report.clone(),
            },
            mark: None,
        };
        let mut reports: Vec<Delivery> = times.iter().map(delivery).collect();
        Bursts { last: Time(last) }.date(&mut reports);
        reports.iter().map(|d| d.event.at.0).collect()
    }

    #[test]
    fn more_than_hands_do_at_once_is_dated_apart() {
        let change = |at| (at, Report::Changes(Vec::new()));
        let alive = |at| (at, Report::Alive);
        let few = [change(9_000), change(9_000), change(9_000)];
        assert_eq!(dated(0, &few), [9_000; 3]);
        let many = [
            change(9_000),
            change(9_000),
            alive(9_000),
            change(9_000),
            change(9_000),
        ];
        assert_eq!(dated(0, &many), [8_100, 8_400, 8_400, 8_700, 9_000]);
        assert_eq!(dated(8_900, &many), [8_925, 8_950, 8_950, 8_975, 9_000]);
        assert_eq!(dated(9_000, &many), [9_000; 5]);
        let remembered = [
            change(100),
            change(200),
            change(300),
            change(400),
            change(500),
        ];
        assert_eq!(dated(0, &remembered), [100, 200, 300, 400, 500]);
    }
}
