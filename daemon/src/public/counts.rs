//! Which result of a game counts for those who see the board itself, and since when: one rule with
//! what goes through the gate.

use tournament::How;

use super::rules::{Results, Rules};
use crate::office::{Book, Since};

/// Which result of a game counts for the public.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Counts {
    /// What its board shows, as far as that is sure of it.
    #[default]
    Seen,
    /// None: nobody has confirmed it.
    Nothing,
    /// What a person has said.
    Said {
        /// As in PGN: `*` for one that PGN cannot say.
        result: &'static str,
        /// Since when.
        since: Since,
        /// Where its board shows the same, that counts before.
        seen: bool,
    },
}

impl Counts {
    /// Of this game.
    pub(crate) fn of(book: &Book, game: &str, rules: &Rules) -> Counts {
        let seat = book.seat_of(game).and_then(|(number, (round, table))| {
            let pairing = book.nth(Some(number)).ok()?.pairing(round, table);
            Some(pairing.ok()?.outcome.as_ref())
        });
        let seen = rules.results == Results::Board;
        let by_hand = |how: How| how != How::File;
        let is_said = seat.flatten().is_some_and(|outcome| by_hand(outcome.how));
        match (book.result_of(game), book.result_since(game)) {
            (Some(result), Some(since)) if is_said => Counts::Said {
                result,
                since,
                seen,
            },
            _ if seat.is_none() || seen => Counts::Seen,
            _ => Counts::Nothing,
        }
    }

    /// What is shown so many milliseconds late, where the board is shown with this result:
    /// `None` is that.
    pub(crate) fn shown(self, own: Option<&str>, late: i64, now: i64) -> Option<&'static str> {
        match self {
            Counts::Seen => None,
            Counts::Nothing => Some("*"),
            Counts::Said {
                result,
                since,
                seen,
            } => {
                let is_due = since.this.min(now).saturating_add(late) <= now;
                let is_same = seen && own == Some(result);
                Some(if is_due || is_same { result } else { "*" })
            }
        }
    }

    /// What counted at a moment, as far as that is known: what was said later was not yet.
    pub(crate) fn shown_until(
        self,
        own: Option<&str>,
        late: i64,
        until: i64,
    ) -> Option<&'static str> {
        match self {
            Counts::Said { since, .. } if since.this > until => Some("*"),
            _ => self.shown(own, late, until),
        }
    }

    /// Since when a person has said one.
    pub(crate) fn said(self) -> Option<i64> {
        match self {
            Counts::Said { since, .. } => Some(since.first),
            _ => None,
        }
    }
}
