//! Where nobody presses: a piece that went off the board and does not come back. It fell, or
//! somebody put it away, or its square reads nothing any more. Play goes on, and so does the record.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Position, Square};

use crate::game::Game;
use crate::game::change::{Change, Changes};
use crate::said::time::Time;
use crate::track::backtrack::Distrust;
use crate::track::replay::Replay;

/// Pieces that may be away at one time.
const MOST_AWAY: usize = 2;

impl Game {
    /// The board rests and nothing explains it: looks whether both have moved since a piece went
    /// away. Nobody holds one for so long.
    pub(crate) fn look_for_away(&mut self) -> Option<Changes> {
        let ordered = self.state.is_putting_back() && !self.state.is_lost();
        if self.setup.clock || ordered {
            return None;
        }
        let mut missing: Vec<(Time, Square)> = Vec::new();
        let best = self.best();
        let full = self.board.planes().occupied();
        for sq in self.wrong(best) & best.pos.board().occupied() & !full {
            missing.push((self.board.contacts().since(sq), sq));
        }
        missing.sort_unstable();
        let mut away = self.differ(&best.pos) & best.misread & !full;
        for &(left, square) in missing.iter().take(MOST_AWAY) {
            if (self.board.contacts().touched_since(left) & full).count() < 2 {
                return None;
            }
            away.add(square);
            if let Some(changes) = self.go_on_without(away, left) {
                return Some(changes);
            }
        }
        None
    }

    /// What was played since pieces `left` the squares `away`, the last of them then.
    fn go_on_without(&mut self, away: Bitboard, left: Time) -> Option<Changes> {
        let rival = self.rival();
        let mut hearing = self.replay_request(Distrust::Known, None, rival)?;
        hearing.away = away;
        let (length, replay) = self.track.replay(&hearing)?;
        have_both_moved(&replay, left, hearing.now).then(|| {
            alloc::vec![Change::Replayed {
                length,
                replay: Box::new(replay)
            }]
        })
    }
}

/// Whether two plies were made since `left`.
fn have_both_moved(replay: &Replay, left: Time, now: Time) -> bool {
    let line = replay.beam.best(&replay.contacts, now, true);
    line.steps.iter().filter(|step| step.made_at > left).count() >= 2
}
