//! What was said of the players, and whether it is so.

use std::collections::BTreeMap;

use arbiter_core::Announcement;
use arbiter_core::irregularity::{Certainty, Code, Party};
use arbiter_core::ruling::Ruling;
use board_driver::hand::Breach;

/// A finding as it was told last.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// Which breach.
    pub code: Code,
    /// The ply it belongs to.
    pub ply: u32,
    /// The offender.
    pub by: Party,
    /// How sure it was when it was told last.
    pub certainty: Certainty,
    /// How sure it ever was.
    pub most: Certainty,
    /// Whether it was not withdrawn.
    pub stands: bool,
}

impl Told {
    /// Whether it says what was done, or what may be said of it as well.
    pub fn is_of(&self, breach: &Breach) -> bool {
        let named = self.code == breach.code || goes_with(breach.code).contains(&self.code);
        let here = named && self.ply == breach.ply && self.by.includes(breach.by);
        here || self.is_later_of(breach)
    }

    /// Whether pieces that were displaced then were found displaced since (7.6). By then nobody can
    /// say whose doing it was.
    pub fn is_later_of(&self, breach: &Breach) -> bool {
        let since = self.ply.checked_sub(breach.ply);
        let later = self.code == Code::DisplacementFoundLater && self.by.includes(breach.by);
        later && breach.code == Code::PieceDisplaced && since.is_some_and(|plies| plies <= LATER)
    }

    /// Whether it was ever more than a question, and names a player who did nothing wrong at that
    /// ply.
    pub fn accuses_an_innocent(&self, done: &[Breach]) -> bool {
        let guilty = |breach: &Breach| breach.ply == self.ply && self.by.includes(breach.by);
        let accuses = self.by != Party::Either && self.most > Certainty::Possible;
        accuses && !done.iter().any(guilty)
    }
}

/// So many plies later displaced pieces are found that were seen while they were being displaced.
const LATER: u32 = 2;

/// What else is true where a breach was committed as the hands do it.
fn goes_with(code: Code) -> &'static [Code] {
    match code {
        // The piece may have been set on a square of its own before it was put back.
        Code::TouchMoveOwnPiece => &[Code::ReleasedPieceMovedAgain],
        Code::TouchMoveBothColours => &[Code::TouchMoveOwnPiece, Code::TouchMoveOpponentPiece],
        Code::CastlingNotCompleted => &[Code::TouchMoveOwnPiece],
        Code::CastlingRookFirst => &[Code::TouchMoveOwnPiece],
        Code::ClockPressedWithoutMove => &[Code::ClockPressedTooEarly],
        _ => &[],
    }
}

/// Every finding, in the order in which they were told first.
pub fn told(said: &[Announcement]) -> Vec<Told> {
    let mut order = Vec::new();
    let mut findings: BTreeMap<_, Told> = BTreeMap::new();
    for announcement in said {
        match &announcement.ruling {
            Ruling::Irregularity(told) => {
                let key = (&announcement.game, told.id);
                let last = Told {
                    code: told.code,
                    ply: told.ply,
                    by: told.by,
                    certainty: told.certainty,
                    most: told.certainty,
                    stands: true,
                };
                let before = findings.insert(key, last);
                match (before, findings.get_mut(&key)) {
                    (Some(Told { most, .. }), Some(now)) => now.most = now.most.max(most),
                    _ => order.push(key),
                }
            }
            Ruling::Withdrawn { id } => {
                let told = findings.get_mut(&(&announcement.game, *id));
                told.into_iter().for_each(|told| told.stands = false);
            }
            _ => {}
        }
    }
    order.iter().map(|key| findings[key]).collect()
}
