//! How a game begins otherwise than it should: pieces or the board stand wrongly, or Black moves.

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Move, Position,
    PositionError, Rank, Role, Square,
};

use super::departure::Departure;
use super::plan::is_quiet;
use super::{Act, Breach, Deed, Hand, breach, course};
use crate::random::Random;

/// What is wrong on the board before the first move.
pub(super) struct Start {
    /// What stands there, as the game names the squares.
    pub(super) board: Board,
    /// The position that is played from.
    pub(super) position: Chess,
    /// By how many quarters the board lies turned clockwise.
    pub(super) turned: u8,
    /// Whether it is the game's own position.
    pub(super) is_own: bool,
    /// What the Laws call it.
    pub(super) breach: Option<Code>,
}

impl Start {
    /// Everything stands as it should.
    pub(super) fn right(position: &Chess) -> Start {
        Start {
            board: position.board().clone(),
            position: position.clone(),
            turned: 0,
            is_own: true,
            breach: None,
        }
    }

    /// How `departure` makes a start of `position`; `None` where it cannot, or belongs elsewhere.
    pub(super) fn of(departure: Departure, position: &Chess, random: &mut Random) -> Option<Start> {
        let right = Start::right(position);
        match departure {
            Departure::HalfTurn => Some(Start { turned: 2, ..right }),
            Departure::QuarterTurn => Some(Start {
                turned: if random.chance(500) { 1 } else { 3 },
                breach: Some(Code::BoardOrientationWrong),
                ..right
            }),
            Departure::SetUpWrong | Departure::PawnOff => {
                let board = if departure == Departure::PawnOff {
                    pawn_off(position.board(), random)
                } else {
                    exchanged(position.board(), random)
                }?;
                let stands = random.chance(500).then(|| playable(position, &board));
                let stands = stands.flatten();
                Some(Start {
                    is_own: stands.is_none(),
                    position: stands.unwrap_or(right.position),
                    board,
                    turned: 0,
                    breach: Some(Code::PositionSetupWrong),
                })
            }
            _ => None,
        }
    }

    /// Whether the pieces are put right before the first move.
    pub(super) fn is_put_right(&self) -> bool {
        self.position.board() != &self.board
    }
}

fn exchanged(board: &Board, random: &mut Random) -> Option<Board> {
    let colour = if random.chance(500) {
        Color::White
    } else {
        Color::Black
    };
    let pieces = board.by_color(colour) & !board.pawns();
    let pairs: Vec<(Square, Square)> = pieces
        .into_iter()
        .filter_map(|a| Some((a, a.offset(1)?)))
        .filter(|(a, b)| pieces.contains(*b) && board.role_at(*a) != board.role_at(*b))
        .collect();
    let (a, b) = random.pick(&pairs)?;
    let (on_a, on_b) = (board.piece_at(a)?, board.piece_at(b)?);
    let mut wrong = board.clone();
    wrong.set_piece_at(a, on_b);
    wrong.set_piece_at(b, on_a);
    Some(wrong)
}

fn pawn_off(board: &Board, random: &mut Random) -> Option<Board> {
    let free = |sq: &Square| board.piece_at(*sq).is_none();
    let ahead = |sq: Square| {
        let step = if board.color_at(sq)?.is_white() {
            8
        } else {
            -8
        };
        Some((sq, sq.offset(step).filter(free)?))
    };
    let pawns: Vec<(Square, Square)> = board.pawns().into_iter().filter_map(ahead).collect();
    let (from, to) = random.pick(&pawns)?;
    let mut wrong = board.clone();
    let pawn = wrong.remove_piece_at(from)?;
    wrong.set_piece_at(to, pawn);
    Some(wrong)
}

/// The same position with the pieces of `board`.
pub(super) fn playable(position: &Chess, board: &Board) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.board = board.clone();
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .ok()
}

/// `square` as a board names it that lies turned by so many quarters clockwise.
fn turn(square: Square, quarters: u8) -> Square {
    (0..quarters).fold(square, |sq, _| {
        let (file, rank) = (u32::from(sq.file()), u32::from(sq.rank()));
        Square::from_coords(File::new(rank), Rank::new(7 - file))
    })
}

/// What stands on a board, as the board names its squares.
pub(super) fn turned(board: &Board, quarters: u8) -> Board {
    let mut seen = Board::empty();
    for (square, piece) in board.clone() {
        seen.set_piece_at(turn(square, quarters), piece);
    }
    seen
}

/// What happened, as the board names its squares.
pub(super) fn turn_acts(acts: &mut [Act], quarters: u8) {
    for act in acts {
        act.deed = match act.deed {
            Deed::LiftPiece(sq, piece) => Deed::LiftPiece(turn(sq, quarters), piece),
            Deed::PlacePiece(sq, piece) => Deed::PlacePiece(turn(sq, quarters), piece),
            other => other,
        };
    }
}

impl Hand {
    /// The pieces that stand wrongly are put right before the first move.
    pub(super) fn put_right(&mut self, target: &Board) {
        self.wait((2_000, 15_000));
        while self.set_one_up(target) {
            self.wait((300, 1_500));
        }
        self.wait((3_000, 12_000));
    }

    /// Black moves a piece, and it is put back.
    pub(super) fn black_begins(&mut self, position: &Chess) -> Option<Breach> {
        let by = Color::Black;
        let other = position.clone().swap_turn().ok()?;
        if other.turn() != by {
            return None;
        }
        let quiet: Vec<Move> = course::legal(&other)
            .into_iter()
            .filter(|mv| is_quiet(*mv) && mv.role() != Role::King)
            .collect();
        let mv = self.random.pick(&quiet)?;
        self.wait((1_500, 6_000));
        self.play(by, mv, true);
        self.press_after(by);
        self.table.settle();
        self.wait(breach::ARBITER);
        self.carry(mv.to(), mv.from()?, mv.role().of(by));
        self.wait((600, 1_500));
        Some(Breach {
            code: Code::MovedOutOfTurn,
            ply: 1,
            by,
        })
    }
}
