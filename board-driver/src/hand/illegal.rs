//! Illegal moves that people make and do not notice: which of them a position offers.
//!
//! All are moves of one's own pieces to squares where they stand afterwards as if they had been
//! played, so that the game can go on from them.

use arbiter_core::shakmaty::{
    Bitboard, CastlingSide, Chess, Color, File, Move, Piece, Position, Role, Square, attacks,
};

use crate::random::Random;

/// How a move is illegal.
#[derive(Clone, Copy)]
enum Kind {
    /// The piece goes so, but its own king is left or put in check.
    KingInCheck,
    /// The piece does not go so, to a free square.
    WrongWay,
    /// The piece does not go so, and takes what stands there.
    WrongCapture,
    /// Castling without the right to it, or through check.
    Castling,
    /// The king castles, the rook stays.
    HalfCastling,
    /// The pawn that is taken en passant stays.
    VictimLeft,
}

/// One chance each, more where people do it more.
const KINDS: [Kind; 10] = [
    Kind::KingInCheck,
    Kind::KingInCheck,
    Kind::KingInCheck,
    Kind::WrongWay,
    Kind::WrongWay,
    Kind::WrongWay,
    Kind::WrongCapture,
    Kind::Castling,
    Kind::HalfCastling,
    Kind::VictimLeft,
];

/// An illegal move in `position`, preferably of the piece that `game` moves; `None` where there is
/// none.
pub(super) fn illegal_move(
    position: &Chess,
    game: Option<Move>,
    random: &mut Random,
) -> Option<Move> {
    let offer = Offer {
        position,
        by: position.turn(),
    };
    // What is rarely possible is asked for first, since it is rarely possible.
    let rare = [Kind::VictimLeft, Kind::HalfCastling, Kind::Castling];
    let wanted = rare.into_iter().filter(|_| random.chance(120));
    let mut kinds: Vec<Kind> = wanted.collect();
    kinds.extend(random.pick(&KINDS));
    kinds.extend([Kind::KingInCheck, Kind::WrongWay, Kind::WrongCapture]);
    kinds
        .into_iter()
        .find_map(|kind| offer.pick(kind, game, random))
}

struct Offer<'a> {
    position: &'a Chess,
    by: Color,
}

impl Offer<'_> {
    fn pick(&self, kind: Kind, game: Option<Move>, random: &mut Random) -> Option<Move> {
        let list = self.list(kind, game, random);
        random.pick(&list).filter(|mv| self.can_be_answered(*mv))
    }

    /// Whether the opponent has a move on the board that stands then.
    fn can_be_answered(&self, mv: Move) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        !super::course::legal(&after).is_empty()
    }

    fn list(&self, kind: Kind, game: Option<Move>, random: &mut Random) -> Vec<Move> {
        match kind {
            Kind::KingInCheck => self.in_check(),
            Kind::WrongWay => self.wrong_way(game, random, false),
            Kind::WrongCapture => self.wrong_way(game, random, true),
            Kind::Castling => self.castlings(),
            Kind::HalfCastling => self.half_castlings(),
            Kind::VictimLeft => self.victims_left(),
        }
    }

    fn is_legal(&self, from: Square, to: Square) -> bool {
        let to_there = |m: &Move| m.from() == Some(from) && m.to() == to;
        self.position.legal_moves().iter().any(to_there)
    }

    /// A move of a piece as it stands, whatever the Laws say.
    fn carried(&self, from: Square, to: Square) -> Option<Move> {
        let board = self.position.board();
        Some(Move::Normal {
            role: board.role_at(from)?,
            from,
            to,
            capture: board.role_at(to),
            promotion: None,
        })
    }

    /// Where a piece may go, its own king apart. No king is taken, and no pawn reaches the last
    /// rank.
    fn reach(&self, from: Square, piece: Piece) -> Bitboard {
        let board = self.position.board();
        let (ours, theirs) = (board.by_color(self.by), board.by_color(!self.by));
        let attacked = attacks::attacks(from, piece, board.occupied());
        let reach = if piece.role == Role::Pawn {
            let ahead = if self.by.is_white() { 8 } else { -8 };
            let free = |sq: &Square| !board.occupied().contains(*sq);
            let first = from.offset(ahead).filter(free);
            let home = from.rank() == self.by.fold_wb(Square::A2, Square::A7).rank();
            let second = first.and_then(|sq| sq.offset(ahead)).filter(free);
            let pushes = first.into_iter().chain(second.filter(|_| home));
            ((attacked & theirs) | Bitboard::from_iter(pushes)) & !Bitboard::BACKRANKS
        } else {
            attacked
        };
        reach & !ours & !board.kings()
    }

    fn in_check(&self) -> Vec<Move> {
        let mut list = Vec::new();
        for (from, piece) in self.position.board().clone() {
            if piece.color == self.by {
                let unsafe_ones = self.reach(from, piece).into_iter();
                let unsafe_ones = unsafe_ones.filter(|to| !self.is_legal(from, *to));
                list.extend(unsafe_ones.filter_map(|to| self.carried(from, to)));
            }
        }
        list
    }

    /// Mostly squares beside where the piece stands or where the game's own move takes it.
    fn wrong_way(&self, game: Option<Move>, random: &mut Random, takes: bool) -> Vec<Move> {
        let board = self.position.board();
        let own: Vec<Square> = (board.by_color(self.by) & !board.kings())
            .into_iter()
            .collect();
        let other = random.pick(&own);
        let from = game
            .filter(|mv| !mv.is_castle() && random.chance(600))
            .and_then(Move::from)
            .or(other);
        let Some((from, piece)) = from.and_then(|from| Some((from, board.piece_at(from)?))) else {
            return Vec::new();
        };
        let mut free = if takes {
            board.by_color(!self.by) & !board.kings()
        } else {
            !board.occupied()
        };
        free &= !self.reach(from, piece);
        match piece.role {
            // Two squares sideways would be about castling.
            Role::King => free &= !Bitboard::from_rank(from.rank()),
            // One who takes en passant too late is asked for by name alone.
            Role::Pawn => free &= !Bitboard::BACKRANKS,
            _ => {}
        }
        let aim = game.filter(|mv| mv.from() == Some(from)).map(Move::to);
        let around = |sq: Square| attacks::king_attacks(sq);
        let near = free & (around(from) | aim.map_or(Bitboard::EMPTY, around));
        let squares = if near.any() && random.chance(800) {
            near
        } else {
            free
        };
        let squares = squares.into_iter().filter(|to| !self.is_legal(from, *to));
        squares.filter_map(|to| self.carried(from, to)).collect()
    }

    /// King and rook stand where castling begins, with nothing between, and it is not legal.
    fn castlings(&self) -> Vec<Move> {
        if self.position.castles().mode().is_chess960() {
            return Vec::new();
        }
        let board = self.position.board();
        let home = self.by.fold_wb(Square::E1, Square::E8);
        let castling = |side: CastlingSide| {
            let corner = match side {
                CastlingSide::KingSide => File::H,
                CastlingSide::QueenSide => File::A,
            };
            let rook = Square::from_coords(corner, home.rank());
            let stand = board.piece_at(home) == Some(self.by.king())
                && board.piece_at(rook) == Some(self.by.rook());
            let clear = (attacks::between(home, rook) & board.occupied()).is_empty();
            let castling = Move::Castle { king: home, rook };
            let legal = self.position.legal_moves().contains(&castling);
            (stand && clear && !legal).then_some(castling)
        };
        CastlingSide::ALL.into_iter().filter_map(castling).collect()
    }

    fn half_castlings(&self) -> Vec<Move> {
        if self.position.castles().mode().is_chess960() {
            return Vec::new();
        }
        let half = |mv: &Move| {
            let side = mv.castling_side()?;
            self.carried(mv.from()?, side.king_to(self.by))
        };
        self.position
            .legal_moves()
            .iter()
            .filter_map(half)
            .collect()
    }

    fn victims_left(&self) -> Vec<Move> {
        let legal = self.position.legal_moves();
        let passing = legal.iter().filter(|mv| mv.is_en_passant());
        passing
            .filter_map(|mv| self.carried(mv.from()?, mv.to()))
            .collect()
    }
}
