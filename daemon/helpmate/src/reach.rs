//! Where each man can ever come to, at most.
//!
//! Time is left out: a man may go wherever some order of moves might let it go, whatever else
//! stands where by then. So the squares found are too many rather than too few, and what is not
//! among them is out of reach in all play to come. That is what makes proofs of it.

use shakmaty::{
    Bitboard, ByColor, Chess, Color, File, Piece, Position, Rank, Role, Square, attacks,
};

use crate::sets;

/// A man and all that may become of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Man {
    pub(crate) piece: Piece,
    /// Squares it may come to as what it is, those where it may stand now among them.
    pub(crate) squares: Bitboard,
    /// Squares that a pawn may come to after it was promoted, to whatever.
    pub(crate) promoted: Bitboard,
    /// Where a pawn stands now.
    home: Bitboard,
    /// It may be taken.
    gone: bool,
    /// A pawn that may take something, and so leave its file.
    strays: bool,
}

impl Man {
    /// A man that stands on one of these squares.
    pub(crate) fn new(piece: Piece, squares: Bitboard) -> Man {
        Man {
            piece,
            squares,
            promoted: Bitboard::EMPTY,
            home: squares,
            gone: false,
            strays: false,
        }
    }

    /// It stands where it stands for ever: it neither moves nor is taken.
    pub(crate) fn stays(&self) -> bool {
        !self.gone && self.promoted.is_empty() && self.squares.single_square().is_some()
    }

    pub(crate) fn is_king(&self) -> bool {
        self.piece.role == Role::King
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
    /// Squares whose men stay. A line ends on them.
    pub(crate) fixed: Bitboard,
    /// Those of them on which a king stands.
    kings: ByColor<Bitboard>,
    changed: bool,
}

impl Reach {
    /// Of a position, in all play to come.
    pub(crate) fn new(pos: &Chess) -> Reach {
        let mut men = men(pos);
        begin(pos, &mut men);
        Reach::of(men)
    }

    /// Of men of whom it is known where they may stand now. From nobody moving at all, adds what
    /// one of them might do, until nothing is added any more.
    pub(crate) fn of(men: Vec<Man>) -> Reach {
        let mut reach = Reach::still(men);
        while std::mem::take(&mut reach.changed) {
            for number in 0..reach.men.len() {
                reach.move_on(number);
            }
        }
        reach
    }

    /// The same while nothing is taken and no pawn moves. A move that `ends` the game, from what
    /// has been found so far, leads nowhere.
    pub(crate) fn quiet(men: Vec<Man>, ends: impl Fn(&Reach, usize, Square) -> bool) -> Reach {
        let mut reach = Reach::still(men);
        while std::mem::take(&mut reach.changed) {
            for number in 0..reach.men.len() {
                if reach.men[number].piece.role != Role::Pawn {
                    let to = reach.steps(number) & !reach.fixed & !reach.men[number].squares;
                    let goes_on = to.into_iter().filter(|to| !ends(&reach, number, *to));
                    let goes_on = goes_on.collect();
                    reach.add(number, goes_on);
                }
            }
        }
        reach
    }

    /// The men where they stand now.
    pub(crate) fn still(men: Vec<Man>) -> Reach {
        let mut reach = Reach {
            men,
            fixed: Bitboard::EMPTY,
            kings: ByColor::default(),
            changed: true,
        };
        reach.fix();
        reach
    }

    fn fix(&mut self) {
        let stay = self.men.iter().filter(|man| man.stays());
        self.fixed = stay.fold(Bitboard::EMPTY, |sum, man| sum | man.squares);
        self.kings = ByColor::new_with(|side| {
            let king = |man: &&Man| man.piece.color == side && man.is_king() && man.stays();
            let king = self.men.iter().find(king);
            king.map_or(Bitboard::EMPTY, |king| king.squares)
        });
    }

    /// Where lines of this side end that are to take flights from the other's king: not on that
    /// king, since he is not there any more when he flees.
    pub(crate) fn ends_of_lines(&self, side: Color) -> Bitboard {
        self.fixed & !*self.kings.get(!side)
    }

    /// Squares that no king of this colour can step on: men that stay attack them for ever. Of the
    /// lines of such a piece only the next squares count, since others may step between.
    pub(crate) fn barred(&self, colour: Color) -> Bitboard {
        let enemies = self
            .men
            .iter()
            .filter(|man| man.piece.color != colour && man.stays());
        enemies.fold(Bitboard::EMPTY, |sum, man| {
            sum | man.attacks_from(man.squares, Bitboard::FULL)
        })
    }

    fn add(&mut self, number: usize, squares: Bitboard) {
        let man = &mut self.men[number];
        if !squares.is_subset(man.squares) {
            let stayed = man.stays();
            man.squares |= squares;
            self.changed = true;
            if stayed {
                self.fix();
            }
        }
    }

    fn add_promoted(&mut self, number: usize, squares: Bitboard) {
        let man = &mut self.men[number];
        if !squares.is_subset(man.promoted) {
            let stayed = man.stays();
            man.promoted |= squares;
            self.changed = true;
            if stayed {
                self.fix();
            }
        }
    }

    /// Whatever of the other side may stand on these squares may be taken there.
    fn take(&mut self, squares: Bitboard, by: Color) {
        let before = self.changed;
        self.changed = false;
        for man in &mut self.men {
            let prey = man.piece.color != by && !man.is_king() && !man.gone;
            if prey && man.places().intersects(squares) {
                man.gone = true;
                self.changed = true;
            }
        }
        if self.changed {
            self.fix();
        }
        self.changed |= before;
    }

    fn move_on(&mut self, number: usize) {
        let man = self.men[number];
        if man.piece.role == Role::Pawn {
            self.move_pawn(number);
        } else {
            let to = self.steps(number);
            self.take(to, man.piece.color);
            self.add(number, to);
        }
        if man.promoted.any() {
            let attacked = sets::promoted(man.promoted, self.fixed);
            let to = self.open(man.piece.color, attacked);
            self.take(to, man.piece.color);
            self.add_promoted(number, to);
        }
    }

    /// Where a man other than a pawn may step or take.
    pub(crate) fn steps(&self, number: usize) -> Bitboard {
        let man = &self.men[number];
        let colour = man.piece.color;
        let to = self.open(colour, man.attacks_from(man.squares, self.fixed));
        if man.is_king() {
            to & !self.barred(colour)
        } else {
            to
        }
    }

    /// Of the squares that a man attacks, those it may step on: on the others stands one of its own
    /// side, or a king, that never leaves.
    fn open(&self, colour: Color, attacked: Bitboard) -> Bitboard {
        let shut = |man: &&Man| (man.piece.color == colour || man.is_king()) && man.stays();
        let men = self.men.iter().filter(shut);
        attacked & !men.fold(Bitboard::EMPTY, |sum, man| sum | man.squares)
    }

    fn move_pawn(&mut self, number: usize) {
        let man = self.men[number];
        let colour = man.piece.color;
        // A double step is two steps here. Who takes in passing takes, so it seems, the pawn on the
        // square that it has passed.
        let ahead = self.ahead(&man) & !self.held(&man);
        let taken = self.prey(&man);
        if taken.any() {
            self.men[number].strays = true;
            self.changed |= !man.strays;
            self.take(taken, colour);
        }
        let to = ahead | taken;
        self.add(number, to & !Bitboard::BACKRANKS);
        self.add_promoted(number, to & Bitboard::BACKRANKS);
    }

    /// Where a pawn may step.
    pub(crate) fn ahead(&self, pawn: &Man) -> Bitboard {
        let (up, down) = (sets::north(pawn.squares), sets::south(pawn.squares));
        pawn.piece.color.fold_wb(up, down) & !self.fixed
    }

    /// Where a pawn may take.
    pub(crate) fn prey(&self, pawn: &Man) -> Bitboard {
        let enemy = |man: &&Man| man.piece.color != pawn.piece.color && !man.is_king();
        let enemies = self.men.iter().filter(enemy);
        let places = enemies.fold(Bitboard::EMPTY, |sum, man| sum | man.places());
        pawn.attacks_from(pawn.squares, self.fixed) & places
    }

    /// Where a pawn cannot come to because of a pawn of the other side on its file. Two pawns that
    /// face each other never pass while neither takes anything nor is taken: each stays on this
    /// side of where the other stands now.
    fn held(&self, man: &Man) -> Bitboard {
        let Some(home) = man.home.single_square().filter(|_| !man.strays) else {
            return Bitboard::EMPTY;
        };
        let file = Bitboard::from_file(home.file());
        let beyond = |square: Square| {
            let up = Bitboard(!0 << square.to_u32());
            file & man.piece.color.fold_wb(up, !up | Bitboard::from(square))
        };
        let before = beyond(home);
        let facing = |other: &&Man| {
            other.piece == man.piece.role.of(!man.piece.color) && !other.gone && !other.strays
        };
        let homes = self
            .men
            .iter()
            .filter(facing)
            .filter_map(|other| other.home.single_square());
        homes
            .filter(|home| before.contains(*home))
            .fold(Bitboard::EMPTY, |sum, home| sum | beyond(home))
    }
}

/// The men of a position, where they stand.
pub(crate) fn men(pos: &Chess) -> Vec<Man> {
    let man = |(square, piece)| Man::new(piece, Bitboard::from_square(square));
    pos.board().iter().map(man).collect()
}

/// The moves that the state of the game allows besides: castling, and taking in passing, as if the
/// pawn had gone one square only.
fn begin(pos: &Chess, men: &mut [Man]) {
    let mut add = |from: Square, to: Square| {
        let man = men.iter_mut().find(|man| man.home.contains(from));
        man.into_iter().for_each(|man| man.squares.add(to));
    };
    if let Some(square) = pos.legal_ep_square()
        && let Some(pawn) = square.offset(pos.turn().fold_wb(-8, 8))
    {
        add(pawn, square);
    }
    for rook in pos.castles().castling_rights() {
        let rank = rook.rank();
        let Some(king) = pos.board().king_of(Color::from_white(rank == Rank::First)) else {
            continue;
        };
        let (king_to, rook_to) = if rook.file() > king.file() {
            (File::G, File::F)
        } else {
            (File::C, File::D)
        };
        add(king, Square::from_coords(king_to, rank));
        add(rook, Square::from_coords(rook_to, rank));
    }
}

/// The squares next to a king.
pub(crate) fn near(square: Square) -> Bitboard {
    attacks::king_attacks(square)
}
