//! Kings on two centre squares: the boards' sign of a result, proposed to a human (no Law; a
//! convention).

use alloc::vec::Vec;
use core::cmp::Reverse;

use shakmaty::attacks::king_attacks;
use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role, Square};

use crate::chess::moves::arrival;
use crate::game::Game;
use crate::game::board::Silence;
use crate::game::change::Changes;
use crate::said::irregularity::{Article, Certainty, Reason};
use crate::said::ruling::{GameResult, ResultReason};
use crate::said::view::FindingStatus;
use crate::sense::trust::LATEST;
use crate::track::hypothesis::{Act, Hypothesis, Illegal, Step};

/// The four centre squares, where boards look for the sign of a result.
const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

impl Game {
    /// Whether the last move of `line` is a king's step onto a centre square that nobody pressed
    /// for: it may be a sign.
    pub(crate) fn is_centre_king_step(&self, line: &Hypothesis) -> bool {
        // The other king follows sooner than that.
        !self.board.was_silent(Silence::LongRest) && self.ends_in_untold_step(line)
    }

    /// Whether the last move of `line` is a king's step onto a centre square, and was not told yet.
    fn ends_in_untold_step(&self, line: &Hypothesis) -> bool {
        let told = self.length(line) <= self.record.completed() || self.is_last_told(line);
        !told && self.is_centre_king(line)
    }

    /// Whether the last move of `line` was told already.
    fn is_last_told(&self, line: &Hypothesis) -> bool {
        let told = self.record.ply(self.length(line)).and_then(|ply| ply.m);
        told.is_some() && told == line.steps.last().map(|step| step.m)
    }

    /// Whether `line` has the plies that were completed, as they were told.
    fn agrees_with_record(&self, line: &Hypothesis) -> bool {
        let completed = self.record.completed();
        (self.track.base() + 1..=completed).all(|ply| {
            let told = self.record.ply(ply).and_then(|ply| ply.m);
            told.is_none() || told == self.step_of(line, ply).map(|step| step.m)
        })
    }

    /// Whether the last move of `line` is a king's step onto a centre square.
    pub(crate) fn is_centre_king(&self, line: &Hypothesis) -> bool {
        let last = line.steps.last().map(|step| step.m);
        last.is_some_and(|m| m.role() == Role::King && CENTRE.contains(&arrival(m)))
    }

    /// Whether an `illegal` move after `root` that nobody has answered may be a king that its
    /// player has laid down, so that it lies on the next square: where nobody presses, a king in
    /// check there is no move for sure.
    pub(crate) fn is_perhaps_laid_down(&self, root: &Hypothesis, illegal: &Illegal) -> bool {
        let king = root.pos.our(Role::King);
        let beside = |sq: &Square| king.contains(*sq) || (king_attacks(*sq) & king).any();
        !self.setup.clock
            && illegal.reason == Some(Reason::OwnKingInCheck)
            && illegal.squares.len() == 2
            && illegal.squares.iter().any(|sq| king.contains(*sq))
            && illegal.squares.iter().all(beside)
    }

    /// The illegal move `act`, ply `ply`, has been answered: where it was told as a king that may
    /// have been laid down, that falls, and it is to be told as what it is.
    pub(crate) fn withdraw_laid_down(&mut self, act: &Act, ply: usize) -> bool {
        let open = self.docket.findings().iter().find(|finding| {
            let told = &finding.irregularity;
            finding.status == FindingStatus::Open
                && finding.is_of(ply)
                && told.reason == Some(Reason::OwnKingInCheck)
                && told.certainty == Certainty::Possible
        });
        let laid = !self.setup.clock && act.after.board().kings().contains(act.to);
        let Some(id) = open.filter(|_| laid).map(|found| found.irregularity.id) else {
            return false;
        };
        self.withdraw(id);
        true
    }

    /// Whether what `line` takes for an illegal move may be a king that is put on the centre: not
    /// if it is answered by anything but the other one put there.
    pub(crate) fn may_be_sign(&self, line: &Hypothesis) -> bool {
        line.act().is_some_and(|act| {
            let king = act.after.board().kings().contains(act.to);
            let mut answers = line.steps[act.step + 1..].iter();
            let on_centre =
                |step: &Step| step.m.role() == Role::King && CENTRE.contains(&arrival(step.m));
            king && CENTRE.contains(&act.to) && answers.all(on_centre)
        })
    }

    /// Looks for the sign; what follows from it, if it is there.
    pub(crate) fn look_for_sign(&mut self) -> Option<Changes> {
        let mut found: Vec<(&Hypothesis, GameResult)> = Vec::new();
        for line in self.track.all() {
            let touched = line.touched(self.board.contacts());
            if let Some(result) = self.sign_in(&line.pos, touched) {
                found.push((line, result));
            }
        }
        // The kings hide what differs on the squares they are put on: a sign changes no ply that
        // was told as completed, a king's step is rather part of it than a ply, nothing but kings
        // moved since the board last stood as recorded if that accounts for it, and what the plies
        // cost before it tells the rest apart.
        let key = |line: &Hypothesis| {
            let disagrees = !self.agrees_with_record(line);
            let steps = self.ends_in_untold_step(line);
            let moved = !self.is_as_left(line);
            (
                disagrees,
                steps,
                moved,
                Reverse(line.steps.len()),
                line.cost,
            )
        };
        let (line, result) = found.into_iter().min_by_key(|(line, _)| key(line))?;
        let line = line.clone();
        self.tell_line(&line, self.length(&line), self.record.completed());
        self.adopt(line);
        let reason = ResultReason::KingsPlaced;
        Some(alloc::vec![self.declared(
            result,
            true,
            reason,
            Article::new("convention")
        )])
    }

    /// The result that the kings show, if nothing but them has moved since `pos`, and both have.
    fn sign_in(&self, pos: &Chess, touched: Bitboard) -> Option<GameResult> {
        let white = pos.board().king_of(Color::White)?;
        let black = pos.board().king_of(Color::Black)?;
        // A king that stands on the centre already need not be touched.
        let placed = |sq: Square| touched.contains(sq) || CENTRE.contains(&sq);
        let handled = touched.contains(white) || touched.contains(black);
        if !placed(white) || !placed(black) || !handled {
            return None;
        }
        let mut bare = pos.board().clone();
        bare.discard_piece_at(white);
        bare.discard_piece_at(black);
        for w in CENTRE {
            for b in CENTRE {
                if w == b {
                    continue;
                }
                let mut board = bare.clone();
                board.set_piece_at(
                    w,
                    Piece {
                        color: Color::White,
                        role: Role::King,
                    },
                );
                board.set_piece_at(
                    b,
                    Piece {
                        color: Color::Black,
                        role: Role::King,
                    },
                );
                let shown = self.board.planes().differ(&board).is_empty();
                // What stood where a king is put has been taken away since.
                let covered = bare.occupied() & on(w, b);
                let free = (covered & !touched).is_empty();
                if shown && free && self.moved_there(white, w) && self.moved_there(black, b) {
                    return Some(result_of(w, b));
                }
            }
        }
        None
    }

    /// Whether a king left `from` before `to` was filled; one on a centre square may have been
    /// there.
    fn moved_there(&self, from: Square, to: Square) -> bool {
        let contacts = self.board.contacts();
        CENTRE.contains(&from) || contacts.since(from) <= contacts.since(to) + LATEST
    }
}

fn on(white: Square, black: Square) -> Bitboard {
    Bitboard::from(white) | Bitboard::from(black)
}

/// Both kings on light squares: White wins; on dark ones: Black; one each: drawn.
fn result_of(white: Square, black: Square) -> GameResult {
    match (white.is_light(), black.is_light()) {
        (true, true) => GameResult::WhiteWins,
        (false, false) => GameResult::BlackWins,
        _ => GameResult::Draw,
    }
}
