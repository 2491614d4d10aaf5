//! The set-up: whether the pieces stand, and the board lies, as the game requires, before it begins
//! (7.2).

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, EnPassantMode, Position, Square};

use crate::chess::position::position;
use crate::game::record::Record;
use crate::game::{Game, OpenDoubt, start_of};
use crate::judge::array::turned;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::ruling::{Doubt, DoubtKind, Ruling};
use crate::said::symbol::{SensorClass, Symbol};
use crate::track::beam::Beam;

use crate::message;

/// Squares that may be wrong on a board that is set up, pieces on wrong squares counted twice.
const MISPLACED: usize = 6;

/// What is known of the set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Start {
    /// The whole board was never read: it is taken to stand right.
    #[default]
    Unread,
    /// It was read, and these squares did not agree when it stood nearest to what is required.
    Read { nearest: Bitboard, misplaced: bool },
    /// The pieces stand wrongly, and the game is followed as they stand; the finding's number.
    Wrong(u32),
    /// The board lies wrongly: nothing can be ruled on. The finding's number, where it is one.
    Turned(Option<u32>),
    /// It stood right, or the game has begun.
    Settled,
}

impl Game {
    /// Whether the board lies so that its squares mean nothing.
    pub(crate) fn is_turned(&self) -> bool {
        matches!(self.start, Start::Turned(_))
    }

    /// Whether the pieces are still being set up, as far as is known.
    pub(crate) fn is_set_up(&self) -> bool {
        !matches!(self.start, Start::Read { .. }) || self.has_begun()
    }

    /// The whole board was read.
    pub(crate) fn read_start(&mut self) {
        if !self.known && self.setup.sensor == SensorClass::Piece {
            return self.propose_position();
        }
        if self.has_begun() || self.start != Start::Unread || !self.known {
            return;
        }
        let wrong = self.contacts.planes.differ(self.record.start().board());
        self.start = match wrong.is_empty() {
            true => Start::Settled,
            false => Start::Read {
                nearest: Bitboard::FULL,
                misplaced: false,
            },
        };
    }

    /// Nothing is known of the game and the board sees pieces: what stands there can be seen, but
    /// not whose move it is nor who may still castle.
    fn propose_position(&mut self) {
        let mut board = Board::empty();
        for sq in Square::ALL {
            if let Symbol::Piece(piece) = self.contacts.planes.at(sq) {
                board.set_piece_at(sq, piece);
            }
        }
        let (ply, kind) = (self.record.len() as u32 + 1, DoubtKind::PositionUnknown);
        let text = alloc::format!(
            "{} {board}",
            message::doubt(
                self.setup.options.language,
                kind,
                &[],
                &[],
                self.record.start()
            )
        );
        let told = |d: &OpenDoubt| d.doubt.text == text;
        if !self.doubts.iter().any(told) {
            self.doubts.retain(|d| d.doubt.kind != kind);
            let doubt = Doubt {
                ply,
                kind,
                squares: Vec::new(),
                readings: Vec::new(),
                text,
            };
            self.doubts.push(OpenDoubt {
                doubt: doubt.clone(),
                lasting: false,
            });
            self.say(Ruling::Doubt(doubt));
        }
    }

    fn has_begun(&self) -> bool {
        self.record.len() > 0 || self.completed > 0 || self.running.is_some()
    }

    /// The board stands still and the game has not begun: what stands wrongly is told, what was put
    /// right is withdrawn.
    pub(crate) fn look_at_start(&mut self) {
        if matches!(self.start, Start::Unread | Start::Settled) || self.has_begun() {
            return;
        }
        let Some(required) = start_of(&self.setup) else {
            return;
        };
        let wrong = self.contacts.planes.differ(required.board());
        if wrong.is_empty() {
            return self.put_right(required);
        }
        if self
            .contacts
            .planes
            .differ(self.record.start().board())
            .is_empty()
        {
            return;
        }
        let lies = turned(self.contacts.planes.reading(), &required, self.setup.sensor);
        if !lies.is_empty() {
            self.find_turned(&lies);
        } else if self.stand_exchanged(&required, wrong) {
            self.find_set_up_wrongly(&required, wrong);
        } else if let Start::Read { nearest, .. } = self.start
            && wrong.count() < nearest.count()
        {
            let misplaced = (wrong & self.contacts.planes.occupied()).any();
            self.start = Start::Read {
                nearest: wrong,
                misplaced,
            };
            // What was handled until now was setting up; or plies were played before the board was
            // read.
            self.start_from(required);
            self.gap = true;
        }
    }

    /// The first press or the first move: what never stood right is told. Whether the game can have
    /// begun at all: with many squares wrong the pieces are still being set up, or the position is
    /// another one.
    pub(crate) fn begin_game(&mut self) -> bool {
        let Start::Read { nearest, misplaced } = self.start else {
            return true;
        };
        if self.record.len() > 0 {
            // A line of moves explained what was read.
            self.start = Start::Settled;
            return true;
        }
        let wrong = self.contacts.planes.differ(self.record.start().board());
        if wrong.count().min(nearest.count()) > MISPLACED {
            return false;
        }
        self.start = Start::Settled;
        if nearest == Bitboard::FULL {
            return true;
        }
        // Nothing but these squares was out of sight.
        self.gap &= (wrong & !nearest).any();
        if misplaced {
            self.note(
                Code::PositionSetupWrong,
                Party::Either,
                Certainty::Likely,
                nearest,
                1,
            );
        }
        // Until they are read again these squares say nothing.
        self.beam
            .all_mut()
            .iter_mut()
            .for_each(|a| a.misread |= nearest);
        // A square that reads empty may have been read wrongly.
        let missing = nearest & !self.contacts.planes.occupied();
        if missing.any() {
            self.raise_doubt(
                1,
                DoubtKind::CheckSquare,
                missing.into_iter().collect(),
                Vec::new(),
            );
        }
        true
    }

    fn put_right(&mut self, required: Chess) {
        if let Start::Wrong(id) | Start::Turned(Some(id)) = self.start {
            self.withdraw(id);
        }
        self.start_from(required);
        self.start = Start::Settled;
    }

    /// Every square is filled that should be, and no other, with other pieces than are required.
    fn stand_exchanged(&self, required: &Chess, wrong: Bitboard) -> bool {
        let planes = &self.contacts.planes;
        let seen = |sq| matches!(planes.at(sq), Symbol::Piece(_));
        planes.occupied() == required.board().occupied() && wrong.into_iter().all(seen)
    }

    fn find_set_up_wrongly(&mut self, required: &Chess, wrong: Bitboard) {
        if let Start::Wrong(id) = self.start {
            self.withdraw(id);
        }
        let Some(standing) = self.as_read(required) else {
            return;
        };
        self.start_from(standing);
        let id = self.note(
            Code::PositionSetupWrong,
            Party::Either,
            Certainty::Certain,
            wrong,
            1,
        );
        self.start = Start::Wrong(id);
    }

    /// The starting position as the pieces stand: a king or rook that stands elsewhere cannot
    /// castle.
    fn as_read(&self, required: &Chess) -> Option<Chess> {
        let mut setup = required.to_setup(EnPassantMode::Legal);
        for sq in self.contacts.planes.differ(&setup.board) {
            match self.contacts.planes.at(sq) {
                Symbol::Piece(piece) => setup.board.set_piece_at(sq, piece),
                _ => setup.board.discard_piece_at(sq),
            }
        }
        let unmoved = |sq: &Square| {
            let rook = required.board().piece_at(*sq);
            let king = rook.and_then(|rook| required.board().king_of(rook.color));
            rook == setup.board.piece_at(*sq)
                && king.is_some_and(|k| setup.board.kings().contains(k))
        };
        setup.castling_rights = setup.castling_rights.into_iter().filter(unmoved).collect();
        let kings = |colour| (setup.board.kings() & setup.board.by_color(colour)).count() == 1;
        let both = shakmaty::Color::ALL.into_iter().all(kings);
        position(&setup, self.setup.castling_mode()).filter(|_| both)
    }

    /// The game begins from `pos`, which the board shows.
    fn start_from(&mut self, pos: Chess) {
        self.record = Record::new(pos.clone(), self.setup.castling_mode());
        self.beam = Beam::new(pos, self.now);
        (self.base, self.gap, self.turn_start) = (0, false, self.now);
        self.contacts.prune(self.now);
        self.log_of_evidence.clear();
    }
}
