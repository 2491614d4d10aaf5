//! How the board is looked at: as it reads at a moment, at a press, or with hindsight.

use shakmaty::{Color, Square};

use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::trust::{LATEST, ScanWindow, Unsettled};
use crate::track::entry::{LogEntry, Logged};

/// How the board is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) now: Time,
    /// Changes closer together than this have no order.
    pub(crate) scan_window: ScanWindow,
    /// At a press: what was right a moment ago counts as right.
    pub(crate) at_press: bool,
    /// What was told after that, where it is known: readings may have been late.
    pub(crate) lookahead: &'a [LogEntry],
    /// Whose piece may stand where it is never read.
    pub(crate) unread: Option<Color>,
    /// Whether every scan is looked at with hindsight, not only a press.
    pub(crate) hindsight: bool,
}

impl<'a> Look<'a> {
    /// As things are, `now`.
    pub(crate) fn at(now: Time, scan_window: ScanWindow, at_press: bool) -> Look<'static> {
        Look {
            now,
            scan_window,
            at_press,
            lookahead: &[],
            unread: None,
            hindsight: false,
        }
    }

    /// Whether a square that the board distrusts may be assumed to be misread. Between presses it
    /// is waited for.
    pub(crate) fn doubts_suspect(&self) -> bool {
        self.at_press || self.hindsight
    }

    /// The changes that were told soon after.
    pub(crate) fn coming(&self) -> impl Iterator<Item = (Square, Symbol)> + use<'a> {
        let now = self.now;
        self.lookahead
            .iter()
            .take_while(move |e| e.at.since(now) <= LATEST)
            .filter_map(|e| match e.told {
                Logged::Change(square, symbol) => Some((square, symbol)),
                Logged::Press(_) => None,
            })
    }

    /// When `sq` soon comes to read that something stands there.
    pub(crate) fn filled_soon(&self, sq: Square) -> Option<Time> {
        let soon = self
            .lookahead
            .iter()
            .take_while(|e| e.at.since(self.now) <= LATEST);
        let fills = |told| match told {
            Logged::Change(square, symbol) => square == sq && symbol != Symbol::Empty,
            Logged::Press(_) => false,
        };
        soon.into_iter().find(|e| fills(e.told)).map(|e| e.at)
    }

    /// Squares whose reading was another a moment ago, or soon will be.
    pub(crate) fn unsettled(&self, contacts: &Contacts) -> Unsettled {
        let mut unsettled = if self.at_press {
            contacts.unsettled(self.now)
        } else {
            Unsettled::default()
        };
        for (square, symbol) in self.coming() {
            unsettled.add_changing(square, symbol, self.hindsight);
        }
        unsettled
    }
}
