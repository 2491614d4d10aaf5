//! A position in few bytes, so that many can be remembered.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, File, FromSetup, Position,
    PositionError, Rank, Setup, Square,
};

/// Everything that decides which moves are legal: equal positions are packed equally, and a
/// position comes back as it was. No hash stands for it, since two positions taken for one would
/// make a proof wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    white: u64,
    /// The role on each square in binary, one bit in each word: pawn 1, knight 2 and so on to king
    /// 6, and 0 for an empty square.
    roles: [u64; 3],
    /// From the lowest bit: the files of White's rooks that may castle, Black's, then the file
    /// behind a pawn that may be taken in passing plus one (4 bits), and whether Black is to move.
    state: u32,
}

const PASSING: u32 = 16;
const BLACK_TO_MOVE: u32 = 1 << 20;

impl Packed {
    pub(crate) fn new(pos: &Chess) -> Packed {
        let board = pos.board();
        let (pawns, knights) = (board.pawns().0, board.knights().0);
        let (bishops, rooks) = (board.bishops().0, board.rooks().0);
        let (queens, kings) = (board.queens().0, board.kings().0);
        let castling = pos.castles().castling_rights().0;
        let mut state = (castling & 0xff) as u32 | (castling >> 56 << 8) as u32;
        if let Some(square) = pos.legal_ep_square() {
            state |= (square.file().to_u32() + 1) << PASSING;
        }
        if pos.turn() == Color::Black {
            state |= BLACK_TO_MOVE;
        }
        Packed {
            white: board.white().0,
            roles: [
                pawns | bishops | queens,
                knights | bishops | kings,
                rooks | queens | kings,
            ],
            state,
        }
    }

    /// The position again. `None` for none that can be played on from, which legal play does not
    /// lead to.
    pub(crate) fn unpack(&self, mode: CastlingMode) -> Option<Chess> {
        let mut setup = Setup::empty();
        setup.board = self.board()?;
        setup.turn = self.turn();
        setup.castling_rights =
            Bitboard(u64::from(self.state & 0xff) | u64::from(self.state >> 8 & 0xff) << 56);
        setup.ep_square = (self.state >> PASSING & 0xf).checked_sub(1).map(|file| {
            let rank = setup.turn.fold_wb(Rank::Sixth, Rank::Third);
            Square::from_coords(File::new(file), rank)
        });
        Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .ok()
    }

    pub(crate) fn turn(&self) -> Color {
        Color::from_white(self.state & BLACK_TO_MOVE == 0)
    }

    pub(crate) fn board(&self) -> Option<Board> {
        let [a, b, c] = self.roles;
        let by_role = ByRole {
            pawn: Bitboard(a & !b & !c),
            knight: Bitboard(!a & b & !c),
            bishop: Bitboard(a & b & !c),
            rook: Bitboard(!a & !b & c),
            queen: Bitboard(a & !b & c),
            king: Bitboard(!a & b & c),
        };
        let by_color = ByColor {
            white: Bitboard(self.white),
            black: Bitboard((a | b | c) & !self.white),
        };
        Board::try_from_bitboards(by_role, by_color).ok()
    }

    /// Whether a man was taken or a pawn moved between `before` and this.
    pub(crate) fn is_irreversible_after(&self, before: &Packed) -> bool {
        let pawns = |p: &Packed| p.roles[0] & !p.roles[1] & !p.roles[2];
        let men = |p: &Packed| (p.roles[0] | p.roles[1] | p.roles[2]).count_ones();
        pawns(self) != pawns(before) || men(self) != men(before)
    }

    /// Where to look in a table: anything that spreads well, the same on every machine.
    pub(crate) fn spread(&self) -> u64 {
        let [a, b, c] = self.roles;
        let words = [self.white, a, b, c, u64::from(self.state)];
        words.into_iter().fold(0, |sum: u64, word| {
            let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        })
    }
}
