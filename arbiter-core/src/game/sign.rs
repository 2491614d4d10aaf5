//! Kings on two centre squares: the boards' sign of a result, proposed to a human (no Law; a
//! convention).

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role, Square};

use crate::chess::moves::arrival;
use crate::game::Game;
use crate::game::change::Changes;
use crate::said::irregularity::Article;
use crate::said::ruling::{GameResult, ResultReason};
use crate::track::hypothesis::Hypothesis;

/// The four centre squares, where boards look for the sign of a result.
const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

impl Game {
    /// Whether the last move of `line` is a king's step onto a centre square that nobody pressed
    /// for: it may be a sign.
    pub(crate) fn is_centre_king_step(&self, line: &Hypothesis) -> bool {
        if self.length(line) <= self.record.completed() {
            return false;
        }
        let last = line.steps.last().map(|step| step.m);
        last.is_some_and(|m| m.role() == Role::King && CENTRE.contains(&arrival(m)))
    }

    /// Looks for the sign; what follows from it, if it is there.
    pub(crate) fn look_for_sign(&mut self) -> Option<Changes> {
        let mut found: Option<(&Hypothesis, GameResult)> = None;
        for line in self.track.all() {
            let deepest = found.is_none_or(|(best, _)| line.steps.len() >= best.steps.len());
            if !deepest || self.is_centre_king_step(line) {
                continue;
            }
            let touched = line.touched(self.board.contacts());
            if let Some(result) = self.sign_in(&line.pos, touched) {
                found = Some((line, result));
            }
        }
        let (line, result) = found?;
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
        let white = pos
            .board()
            .king_of(Color::White)
            .filter(|sq| touched.contains(*sq))?;
        let black = pos
            .board()
            .king_of(Color::Black)
            .filter(|sq| touched.contains(*sq))?;
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
                if shown && self.moved_there(white, w) && self.moved_there(black, b) {
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
        CENTRE.contains(&from) || contacts.since(from) <= contacts.since(to)
    }
}

/// Both kings on light squares: White wins; on dark ones: Black; one each: drawn.
fn result_of(white: Square, black: Square) -> GameResult {
    match (white.is_light(), black.is_light()) {
        (true, true) => GameResult::WhiteWins,
        (false, false) => GameResult::BlackWins,
        _ => GameResult::Draw,
    }
}
