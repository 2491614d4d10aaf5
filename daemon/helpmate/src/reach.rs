//! Where each man can ever come to, at most.
//!
//! Time is left out: a man may go wherever some order of moves might let it go, whatever else
//! stands where by then. So the squares found are too many rather than too few, and what is not
//! among them is out of reach in all play to come. That is what makes proofs of it.

use shakmaty::{Bitboard, Board, Chess, Color, File, Piece, Position, Rank, Role, Square, attacks};

use crate::sets;

/// A man by the square it stands on now, and all that may become of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Man {
    pub(crate) piece: Piece,
    home: Square,
    /// Squares it may come to as what it is, its own among them.
    pub(crate) squares: Bitboard,
    /// Squares that a pawn may come to after it was promoted, to whatever.
    pub(crate) promoted: Bitboard,
    /// It may be taken.
    gone: bool,
    /// A pawn that may take something, and so leave its file.
    strays: bool,
}

impl Man {
    /// The square it stands on now.
    pub(crate) fn home(&self) -> Square {
        self.home
    }

    /// Squares it may come to.
    pub(crate) fn places(&self) -> Bitboard {
        self.squares | self.promoted
    }

    /// What it may attack, given the men that never leave their squares.
    pub(crate) fn attacks(&self, fixed: Bitboard) -> Bitboard {
        self.attacks_from(self.squares, fixed) | sets::promoted(self.promoted, fixed)
    }

    /// What it may attack from these squares, unpromoted.
    pub(crate) fn attacks_from(&self, squares: Bitboard, fixed: Bitboard) -> Bitboard {
        sets::attacks(self.piece.role, self.piece.color, squares, fixed)
    }
}

/// Where all men can come to.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub(crate) men: Vec<Man>,
    /// Squares whose men can neither move nor be taken, ever. A line ends on them.
    pub(crate) fixed: Bitboard,
    changed: bool,
}

impl Reach {
    /// Works it out: from nobody moving at all, adds what one of them might do, until nothing is
    /// added any more.
    pub(crate) fn new(pos: &Chess) -> Reach {
        let board = pos.board();
        let man = |(home, piece)| Man {
            piece,
            home,
            squares: Bitboard::from_square(home),
            promoted: Bitboard::EMPTY,
            gone: false,
            strays: false,
        };
        let mut reach = Reach {
            men: board.iter().map(man).collect(),
            fixed: board.occupied(),
            changed: true,
        };
        reach.begin(pos);
        while std::mem::take(&mut reach.changed) {
            for number in 0..reach.men.len() {
                reach.move_on(number, board);
            }
        }
        reach
    }

    /// The moves that the state of the game allows besides: castling, and taking in passing, as if
    /// the pawn had gone one square only.
    fn begin(&mut self, pos: &Chess) {
        if let Some(square) = pos.legal_ep_square() {
            let forward = pos.turn().fold_wb(-8, 8);
            let pawn = square.offset(forward);
            if let Some(n) = self.men.iter().position(|man| Some(man.home) == pawn) {
                self.add(n, Bitboard::from_square(square));
            }
        }
        for rook in pos.castles().castling_rights() {
            let rank = rook.rank();
            let colour = Color::from_white(rank == Rank::First);
            let Some(king) = pos.board().king_of(colour) else {
                continue;
            };
            let (king_to, rook_to) = if rook.file() > king.file() {
                (File::G, File::F)
            } else {
                (File::C, File::D)
            };
            for (from, to) in [(king, king_to), (rook, rook_to)] {
                if let Some(n) = self.men.iter().position(|man| man.home == from) {
                    self.add(n, Square::from_coords(to, rank).into());
                }
            }
        }
    }

    /// Squares that no king of this colour can step on: men that are fixed attack them for ever.
    /// Of the lines of a fixed piece only the next squares count, since others may step between.
    pub(crate) fn barred(&self, colour: Color) -> Bitboard {
        let mut barred = Bitboard::EMPTY;
        for man in &self.men {
            if man.piece.color != colour && self.fixed.contains(man.home) {
                let near = attacks::king_attacks(man.home);
                let own = attacks::attacks(man.home, man.piece, Bitboard::FULL);
                barred |= if man.piece.role == Role::Knight { own } else { own & near };
            }
        }
        barred
    }

    fn add(&mut self, number: usize, squares: Bitboard) {
        let man = &mut self.men[number];
        if !squares.is_subset(man.squares) {
            man.squares |= squares;
            self.fixed.discard(man.home);
            self.changed = true;
        }
    }

    fn add_promoted(&mut self, number: usize, squares: Bitboard) {
        let man = &mut self.men[number];
        if !squares.is_subset(man.promoted) {
            man.promoted |= squares;
            self.fixed.discard(man.home);
            self.changed = true;
        }
    }

    /// Whatever of the other side may stand on these squares may be taken there.
    fn take(&mut self, squares: Bitboard, by: Color) {
        for man in &mut self.men {
            let prey = man.piece.color != by && man.piece.role != Role::King && !man.gone;
            if prey && man.places().intersects(squares) {
                man.gone = true;
                self.fixed.discard(man.home);
                self.changed = true;
            }
        }
    }

    fn move_on(&mut self, number: usize, board: &Board) {
        let man = self.men[number];
        if man.piece.role == Role::Pawn {
            self.move_pawn(number, board);
        } else {
            let barred = match man.piece.role {
                Role::King => self.barred(man.piece.color),
                _ => Bitboard::EMPTY,
            };
            let to = self.open(man, man.attacks_from(man.squares, self.fixed), board) & !barred;
            self.take(to, man.piece.color);
            self.add(number, to);
        }
        if man.promoted.any() {
            let to = self.open(man, sets::promoted(man.promoted, self.fixed), board);
            self.take(to, man.piece.color);
            self.add_promoted(number, to);
        }
    }

    /// Of the squares that a man attacks, those it may step on: on the others stands one of its own
    /// side, or a king, that never leaves.
    fn open(&self, man: Man, attacked: Bitboard, board: &Board) -> Bitboard {
        attacked & !(self.fixed & (board.by_color(man.piece.color) | board.kings()))
    }

    fn move_pawn(&mut self, number: usize, board: &Board) {
        let man = self.men[number];
        let colour = man.piece.color;
        let ahead = Bitboard(colour.fold_wb(man.squares.0 << 8, man.squares.0 >> 8));
        let ahead = ahead & !self.fixed & !self.held(&man);
        // A double step is two steps here. Who takes in passing takes, so it seems, the pawn on the
        // square that it has passed.
        let prey = self.enemies(colour);
        let taken = man.attacks_from(man.squares, self.fixed) & prey;
        if taken.any() {
            self.men[number].strays = true;
            self.changed |= !man.strays;
            self.take(taken, colour);
        }
        let to = ahead | taken;
        self.add(number, to & !Bitboard::BACKRANKS);
        self.add_promoted(number, to & Bitboard::BACKRANKS);
    }

    /// Where a pawn cannot come to because of a pawn of the other side on its file. Two pawns that
    /// face each other never pass while neither takes anything nor is taken: each stays on this
    /// side of where the other stands now.
    fn held(&self, man: &Man) -> Bitboard {
        if man.strays {
            return Bitboard::EMPTY;
        }
        let file = Bitboard::from_file(man.home.file());
        let beyond = |square: Square| {
            let up = Bitboard(!0 << square.to_u32());
            file & man.piece.color.fold_wb(up, !up | Bitboard::from(square))
        };
        let facing = |other: &&Man| {
            other.piece == man.piece.role.of(!man.piece.color)
                && !other.gone
                && !other.strays
                && beyond(man.home).contains(other.home)
        };
        let held = self.men.iter().filter(facing).map(|other| beyond(other.home));
        held.fold(Bitboard::EMPTY, |sum, squares| sum | squares)
    }

    /// Squares where something may come to stand that a man of this colour may take.
    fn enemies(&self, colour: Color) -> Bitboard {
        let prey = |man: &&Man| man.piece.color != colour && man.piece.role != Role::King;
        self.men.iter().filter(prey).fold(Bitboard::EMPTY, |sum, man| sum | man.places())
    }
}
