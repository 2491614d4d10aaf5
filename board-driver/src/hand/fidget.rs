//! What hands do besides moving: straighten, hesitate, brush, knock over. All of it is lawful.

use arbiter_core::shakmaty::{Bitboard, Color, Move, Piece, Role, Square, attacks};

use super::Hand;

impl Hand {
    /// Announces an adjustment and straightens up to three own pieces.
    pub(super) fn adjust(&mut self, by: Color) {
        if !self.random.chance(self.manner.adjust) {
            return;
        }
        self.table.adjust(by);
        for _ in 0..self.random.span((1, 3)) {
            self.wait((300, 1_200));
            let own: Vec<Square> = self.table.board.by_color(by).into_iter().collect();
            self.straighten(&own, (150, 500));
        }
        self.wait((500, 1_500));
    }

    /// Straightens a piece without a word, though it is touched: one that nobody can be made to
    /// move or take (4.5).
    pub(super) fn straighten_idle(&mut self, by: Color, legal: &[Move]) {
        if !self.random.sometimes(self.manner.idle) {
            return;
        }
        let mut bound =
            self.table.board.kings() | (self.table.board.rooks() & self.table.board.by_color(by));
        for mv in legal {
            bound = bound | Bitboard::from_iter(mv.from()) | Bitboard::from_square(mv.to());
            if let Move::EnPassant { from, to } = *mv {
                bound.add(Square::from_coords(to.file(), from.rank()));
            }
        }
        let idle: Vec<Square> = (self.table.board.occupied() & !bound).into_iter().collect();
        self.straighten(&idle, (150, 800));
        self.wait((300, 1_200));
    }

    /// The piece leaves its square for a moment and comes down again before it is taken in earnest.
    pub(super) fn twitch(&mut self, mv: Move) {
        if let (Some(from), true) = (mv.from(), self.random.sometimes(self.manner.twitch)) {
            self.straighten(&[from], (30, 250));
            self.wait((100, 800));
        }
    }

    /// Second thoughts with the piece in the hand.
    pub(super) fn ponder(&mut self) {
        if self.random.sometimes(self.manner.ponder) {
            self.wait((2_000, 8_000));
        }
    }

    /// The piece on `square` is lifted once more without going elsewhere.
    pub(super) fn wobble(&mut self, square: Square) {
        if self.random.sometimes(self.manner.wobble) {
            self.wait((40, 400));
            self.straighten(&[square], (40, 300));
        }
    }

    /// Lifts the piece, puts it back, and takes it again.
    pub(super) fn put_back(&mut self, mv: Move) {
        if let (Some(from), true) = (mv.from(), self.random.chance(self.manner.put_back)) {
            self.straighten(&[from], (200, 900));
            self.wait((300, 2_000));
        }
    }

    /// Puts the piece in the hand down on the way, without letting go, and takes it further.
    ///
    /// The contact stays below a second, which nobody could call a release.
    pub(super) fn detour(&mut self, piece: Piece, from: Square, to: Square) {
        if !self.random.chance(self.manner.detour) {
            return;
        }
        let occupied = self.table.board.occupied();
        let reach = match piece.role {
            Role::King | Role::Pawn => attacks::king_attacks(from),
            _ => attacks::attacks(from, piece, occupied) | attacks::king_attacks(to),
        };
        let mut stops = reach & !occupied;
        stops.discard(from);
        stops.discard(to);
        if piece.role == Role::Pawn {
            stops &= !Bitboard::BACKRANKS;
        }
        let stops: Vec<Square> = stops.into_iter().collect();
        if let Some(stop) = self.random.pick(&stops) {
            self.table.place(stop, piece);
            self.wait((200, 800));
            self.table.lift(stop);
            self.pause_in_air();
        }
    }

    /// The hand touches a neighbour of its way for less than a tenth of a second.
    pub(super) fn brush(&mut self, from: Square, to: Square) {
        if self.random.chance(self.manner.brush) {
            let near = self.neighbours(from) | self.neighbours(to);
            let near: Vec<Square> = near.without(from).without(to).into_iter().collect();
            self.straighten(&near, (20, 90));
            self.pause_in_air();
        }
    }

    /// A neighbour is knocked over and righted, or the moved piece is set straight, before the
    /// press.
    pub(super) fn knock(&mut self, to: Square) {
        if self.random.chance(self.manner.knock) {
            self.wait((150, 500));
            let near: Vec<Square> = (self.neighbours(to) | Bitboard::from_square(to))
                .into_iter()
                .collect();
            self.straighten(&near, (150, 1_200));
        }
    }

    /// Two or three neighbours fall and are put up again, before the press (7.4.1).
    pub(super) fn topple(&mut self, to: Square) {
        if !self.random.sometimes(self.manner.topple) {
            return;
        }
        self.wait((50, 300));
        let near: Vec<Square> = self.neighbours(to).into_iter().collect();
        let mut fallen = Vec::new();
        for _ in 0..self.random.span((2, 3)) {
            let Some(square) = self.random.pick(&near) else {
                return;
            };
            let Some(piece) = self.table.board.piece_at(square) else {
                continue;
            };
            self.table.lift(square);
            fallen.push((square, piece));
            self.wait((0, 60));
        }
        for (square, piece) in fallen {
            self.wait((300, 1_500));
            self.table.place(square, piece);
        }
    }

    fn neighbours(&self, of: Square) -> Bitboard {
        attacks::king_attacks(of) & self.table.board.occupied()
    }

    /// One of the pieces is lifted and put back where it stood.
    fn straighten(&mut self, squares: &[Square], air: (u64, u64)) {
        let Some(square) = self.random.pick(squares) else {
            return;
        };
        if let Some(piece) = self.table.board.piece_at(square) {
            self.table.lift(square);
            self.wait(air);
            self.table.place(square, piece);
        }
    }
}
