//! What was played on from displaced pieces, afterwards: the pieces are put right after all, or the
//! arbiter rules on it.
//!
//! That they were displaced stays found, and its penalty is that they are put right. Whoever does
//! so later has moved nothing, and displaced nothing. Where the arbiter upholds the finding, the
//! game goes back to the position before it (7.6).

use shakmaty::{Bitboard, Chess, EnPassantMode, Position};

use crate::game::Game;
use crate::game::left_displaced::Displaced;
use crate::said::irregularity::{Code, Reason};
use crate::said::time::Time;
use crate::said::view::FindingStatus;
use crate::track::hypothesis::{Hypothesis, Illegal};

/// So many times are remembered, the latest.
const MOST: usize = 4;

/// Play went on from displaced pieces.
#[derive(Clone, Debug)]
pub(crate) struct GoneOn {
    /// The number of what was found of it.
    finding: u32,
    /// After so many plies this position was to be put back.
    length: usize,
    ordered: Chess,
    /// The squares of the displaced pieces.
    squares: Bitboard,
    /// Since when they have stood there.
    since: Time,
}

impl Game {
    /// Play goes on from these pieces.
    pub(crate) fn remember_gone_on(&mut self, displaced: Displaced) {
        let mut told = self.docket.raised().iter().rev();
        let told = told.find(|f| {
            let code = f.irregularity.code;
            let of_it = matches!(code, Code::PieceDisplaced | Code::DisplacementFoundLater);
            of_it && f.status != FindingStatus::Withdrawn
        });
        let Some(finding) = told.map(|f| f.irregularity.id) else {
            return;
        };
        if self.gone_on.len() == MOST {
            self.gone_on.remove(0);
        }
        self.gone_on.push(GoneOn {
            finding,
            length: displaced.length,
            ordered: displaced.ordered,
            squares: displaced.squares,
            since: displaced.since,
        });
    }

    /// The position after `length` plies with the pieces put right that stand on `squares`, if that
    /// is what was done: they have stood there instead of each other since play went on from them.
    fn put_right_since(&self, length: usize, squares: Bitboard) -> Option<Chess> {
        let pos = self.record.position(length);
        let is_of = |gone: &&GoneOn| {
            let board = gone.ordered.board();
            let same =
                |sq| self.board.planes().at(sq) == self.setup.sensor.sees(board.piece_at(sq));
            gone.squares == squares && gone.length <= length && squares.into_iter().all(same)
        };
        let gone = self.gone_on.iter().rev().find(is_of)?;
        let mut setup = pos.to_setup(EnPassantMode::Legal);
        for sq in squares {
            setup
                .board
                .set_piece_at(sq, gone.ordered.board().piece_at(sq)?);
        }
        setup.castling_rights |= gone.ordered.castles().castling_rights();
        self.position_as_set_up(&gone.ordered, setup)
            .filter(|right| right.turn() == pos.turn())
    }

    /// The pieces on `squares` have been put right after `length` plies, if they have: the game
    /// goes on from there, and nobody has done anything wrong. Whether it is so.
    pub(crate) fn take_as_put_right(&mut self, length: usize, squares: Bitboard) -> bool {
        let Some(right) = self.put_right_since(length, squares) else {
            return false;
        };
        self.record.jump(right.clone());
        self.reset_to(right, length);
        true
    }

    /// Whether an `illegal` move after `root` leaves a check that only an illegal move of the
    /// opponent's gave, or pieces that were displaced. Those are what the Laws have put back, and
    /// whether the answer to them counts is for the arbiter to say.
    pub(crate) fn is_check_of_breach(&self, root: &Hypothesis, illegal: &Illegal) -> bool {
        let checks = root.pos.checkers();
        let contacts = self.board.contacts();
        let of_displaced = |gone: &GoneOn| {
            let mut stand = checks.into_iter().map(|sq| contacts.since(sq));
            checks.is_subset(gone.squares) && stand.all(|since| since <= gone.since)
        };
        let in_check = illegal.reason == Some(Reason::OwnKingInCheck) && checks.any();
        let of_illegal =
            self.is_standing(self.length(root)) || (root.act().is_some() && root.answers() == 0);
        in_check && (of_illegal || self.gone_on.iter().any(of_displaced))
    }

    /// The finding is upheld: where play went on from the pieces, the position before that is to be
    /// put back. Whether it did.
    pub(crate) fn go_back_before_displaced(&mut self, finding: u32) -> bool {
        let Some(i) = self.gone_on.iter().position(|gone| gone.finding == finding) else {
            return false;
        };
        let gone = self.gone_on.remove(i);
        if self.record.len() < gone.length {
            return false;
        }
        self.take_plies(gone.length);
        self.jump_to(gone.ordered.clone());
        self.order_restore(gone.ordered);
        true
    }
}
