//! Where nobody presses: a piece that went off the board and does not come back. It fell, or
//! somebody put it away, or its square reads nothing any more. Play goes on, and so does the
//! record.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Position, Square};

use crate::chess::moves::{arrival, is_from};
use crate::game::Game;
use crate::game::change::{Change, Changes};
use crate::said::time::Time;
use crate::track::backtrack::Distrust;
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;
use crate::track::replay::Replay;

/// Pieces that may be away at one time.
const MOST_AWAY: usize = 2;
/// Of those that have left their squares, so many may be the one: the first of them.
const MOST_TRIED: usize = 3;

/// Rests with a piece in the air that may be heard again, each of which costs `UNRESTED`.
const MOST_RESTS: i32 = 16;

impl Game {
    /// The board rests and nothing explains it: looks whether both have moved since a piece went
    /// away. Nobody holds one for so long.
    pub(crate) fn look_for_away(&mut self) -> Option<Changes> {
        let ordered = self.state.is_putting_back() && !self.state.is_lost();
        if self.setup.clock || ordered {
            return None;
        }
        let full = self.board.planes().occupied();
        // Only what has come down since the last attempt can make another one worth it.
        let latest = full.into_iter().map(|sq| self.board.contacts().since(sq));
        let latest = latest.max().filter(|latest| *latest > self.away_tried)?;
        self.away_tried = latest;
        let known = self.differ(&self.best().pos) & self.best().misread & !full;
        let missing = self.missing();
        let alone = missing.iter().map(|&(left, square)| (left, square.into()));
        let pair: Bitboard = missing.iter().take(MOST_AWAY).map(|gone| gone.1).collect();
        let last = missing.get(MOST_AWAY - 1).map(|gone| (gone.0, pair));
        let contacts = self.board.contacts();
        let moved_since = |left: Time| (contacts.touched_since(left) & full).count() >= 2;
        let mut ways: Vec<(Time, Bitboard)> = alone.chain(last).collect();
        ways.retain(|(left, _)| moved_since(*left));
        let mut ways = ways.into_iter();
        ways.find_map(|(left, away)| self.go_on_without(away | known, left))
    }

    /// Squares that something stood on by the best account, or where the record has brought it, and
    /// that read empty; and since when.
    fn missing(&self) -> Vec<(Time, Square)> {
        let best = self.best();
        let expected = self.wrong(best) & best.pos.board().occupied();
        let last = self.record.plies().iter().rev().take(2);
        let arrived: Bitboard = last.filter_map(|ply| ply.m).map(arrival).collect();
        let mut missing = Vec::new();
        for sq in (expected | arrived) & !self.board.planes().occupied() {
            missing.push((self.board.contacts().since(sq), sq));
        }
        missing.sort_unstable();
        missing.truncate(MOST_TRIED);
        missing
    }

    /// What was played since pieces `left` the squares `away`, the last of them then.
    fn go_on_without(&mut self, away: Bitboard, left: Time) -> Option<Changes> {
        // Nothing else may be amiss: a piece whose landing was not read has gone nowhere.
        let dearest = away.count() as i32 * cost::LOST + cost::LATE;
        let rival = self.best().cost + dearest + MOST_RESTS * cost::UNRESTED;
        let mut hearing = self.replay_request(Distrust::Known, None, Some(rival))?;
        hearing.away = away;
        let (length, replay) = self.track.replay(&hearing)?;
        is_played_on(&replay, (left, hearing.now), dearest).then(|| {
            alloc::vec![Change::Replayed {
                length,
                replay: Box::new(replay)
            }]
        })
    }
}

/// Whether two plies were made since a piece `left`, one after the other, at a cost of no more than
/// `dearest` besides a rest in each ply.
fn is_played_on(replay: &Replay, (left, now): (Time, Time), dearest: i32) -> bool {
    let line = replay.beam.best(&replay.contacts, now, true);
    let since: Vec<_> = line
        .steps
        .iter()
        .filter(|step| step.made_at > left)
        .collect();
    let rests = line.steps.len() as i32 * cost::UNRESTED;
    // What went away makes no move once another has been made.
    let mut later = since.iter().skip(1);
    let stayed = later.all(|step| !is_from(step.m, replay.away));
    since.len() >= 2 && stayed && is_in_turn(line, replay) && replay.cost(now) <= dearest + rests
}

/// Whether no piece of `line` stood on its new square before the ply it answers was made.
fn is_in_turn(line: &Hypothesis, replay: &Replay) -> bool {
    let mut plies = line.steps.windows(2);
    plies.all(|ply| replay.contacts.since(arrival(ply[1].m)) >= ply[0].made_at)
}
