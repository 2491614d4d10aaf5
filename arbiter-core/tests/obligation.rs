//! Articles 4.3 to 4.5 as a table, and what must hold of them in every position.

use arbiter_core::input::Edition;
use arbiter_core::laws::{self, Duty};
use arbiter_core::obligation::{Permitted, Touch, permitted};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{
    Bitboard, CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, PositionError, Role,
    Square,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// The position of a FEN; of Chess960 where castling could not be told otherwise.
fn position(fen: &str) -> Chess {
    let fen = fen.parse::<Fen>().unwrap();
    let usual = fen.clone().into_position(CastlingMode::Standard);
    usual.unwrap_or_else(|_| fen.into_position(CastlingMode::Chess960).unwrap())
}

/// `e1 h1` are touched one after the other, `e1+h1` in one moment.
fn touches(text: &str) -> Vec<Touch> {
    let moments = text.split_whitespace().enumerate();
    let all = moments.flat_map(|(rank, squares)| squares.split('+').map(move |sq| (rank, sq)));
    all.map(|(rank, sq)| Touch {
        square: sq.parse().unwrap(),
        rank: rank as u32,
    })
    .collect()
}

fn answer(pos: &Chess, touches: &[Touch]) -> Permitted {
    answer_in(Edition::Fide2023, pos, touches)
}

fn answer_in(edition: Edition, pos: &Chess, touches: &[Touch]) -> Permitted {
    permitted(pos, &pos.legal_moves(), touches, laws::of(edition))
}

fn ucis(moves: &[Move]) -> Vec<String> {
    let mut list: Vec<String> = moves
        .iter()
        .map(|m| m.to_uci(CastlingMode::Standard).to_string())
        .collect();
    list.sort();
    list
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White may capture the queen on d5 with the pawn on c4 or the knight on c3.
const QUEEN: &str = "rnb1kbnr/ppp1pppp/8/3q4/2P5/2N5/PP1PPPPP/R1BQKBNR w KQkq - 0 3";
const CASTLE: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
/// A black rook looks at f1: White may castle on the queen's side only.
const SHORT_BARRED: &str = "4kr2/8/8/8/8/8/P3P3/R3K2R w KQ - 0 1";
/// White's king is stalemated by the rooks on d8 and f8 and the knight; his rook on h1 can move.
const KING_STUCK: &str = "3rkr2/8/8/8/8/4n3/4P2P/4K2R w - - 0 1";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
const PROMOTION: &str = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
/// White is in check from e2 and must deal with it.
const CHECK: &str = "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1";

/// Position, touches, the moves left (`*`: all of them), the duty.
const TABLE: &[(&str, &str, &str, Duty)] = &[
    // 4.3.1: the first own piece touched that can be moved.
    (START, "", "*", Duty::Free),
    (START, "g1", "g1f3 g1h3", Duty::MoveTouched),
    (START, "g1 b1", "g1f3 g1h3", Duty::MoveTouched),
    (START, "a1 b1", "b1a3 b1c3", Duty::MoveTouched),
    (START, "a1 c1 d1 h1 e2", "e2e3 e2e4", Duty::MoveTouched),
    (
        PROMOTION,
        "a7",
        "a7a8b a7a8n a7a8q a7a8r a7b8b a7b8n a7b8q a7b8r",
        Duty::MoveTouched,
    ),
    // 4.3.2: the first opponent's piece touched that can be captured, with anything.
    (QUEEN, "d5", "c3d5 c4d5", Duty::CaptureTouched),
    (QUEEN, "d8+d5", "c3d5 c4d5", Duty::CaptureTouched),
    (QUEEN, "c8 d5 b8", "c3d5 c4d5", Duty::CaptureTouched),
    (EN_PASSANT, "d5", "e5d6", Duty::CaptureTouched),
    (
        PROMOTION,
        "b8",
        "a7b8b a7b8n a7b8q a7b8r",
        Duty::CaptureTouched,
    ),
    // 4.3.3, first limb: the own piece captures the opponent's piece.
    (QUEEN, "c4 d5", "c4d5", Duty::CaptureWithTouched),
    (QUEEN, "d5 c3", "c3d5", Duty::CaptureWithTouched),
    (QUEEN, "c3+d5", "c3d5", Duty::CaptureWithTouched),
    (QUEEN, "c3 d5 c4", "c3d5", Duty::CaptureWithTouched),
    (EN_PASSANT, "e5 d5", "e5d6", Duty::CaptureWithTouched),
    // 4.3.3, second limb: that is illegal, the first piece that can be moved or captured counts.
    (QUEEN, "g1 d5", "g1f3 g1h3", Duty::MoveTouchedOfBoth),
    (QUEEN, "d5 g1", "c3d5 c4d5", Duty::CaptureTouchedOfBoth),
    (QUEEN, "a1 d5", "a1b1", Duty::MoveTouchedOfBoth),
    (QUEEN, "f1 d5", "c3d5 c4d5", Duty::CaptureTouchedOfBoth),
    (QUEEN, "a8 g1", "g1f3 g1h3", Duty::MoveTouchedOfBoth),
    // 4.3.3, third limb: not clear which was first, the own piece counts first.
    (QUEEN, "d5+g1", "g1f3 g1h3", Duty::MoveTouchedOfBoth),
    // 4.4.1: king and rook touched, castle on that side.
    (CASTLE, "e1 h1", "e1g1", Duty::Castle),
    (CASTLE, "e1 a1", "e1c1", Duty::Castle),
    (CASTLE, "e1+h1", "e1g1", Duty::Castle),
    (CASTLE, "e1 h1 a1", "e1g1", Duty::Castle),
    (CASTLE, "e1", "e1c1 e1d1 e1f1 e1g1", Duty::MoveTouched),
    // 4.4.2: the rook before the king, no castling on that side; 4.3.1 governs.
    (CASTLE, "h1 e1", "h1f1 h1g1", Duty::RookFirst),
    (CASTLE, "a1 e1", "a1b1 a1c1 a1d1", Duty::RookFirst),
    (CASTLE, "h1", "h1f1 h1g1", Duty::MoveTouched),
    // 4.4.3: castling with the rook touched is illegal: another king move, castling on the other
    // side included.
    (
        SHORT_BARRED,
        "e1 h1",
        "e1c1 e1d1 e1d2",
        Duty::CastlingIllegal,
    ),
    (
        SHORT_BARRED,
        "e1+h1",
        "e1c1 e1d1 e1d2",
        Duty::CastlingIllegal,
    ),
    (KING_STUCK, "e1 h1", "*", Duty::Free),
    // 4.5: none of the pieces touched can be moved or captured.
    (START, "a1", "*", Duty::Free),
    (START, "a1 h1 e1 d1", "*", Duty::Free),
    (START, "a8 e8", "*", Duty::Free),
    (START, "a1 e7", "*", Duty::Free),
    (CHECK, "a1", "*", Duty::Free),
    (CHECK, "a1 e2", "e1e2", Duty::CaptureTouchedOfBoth),
    (CHECK, "e1 e2", "e1e2", Duty::CaptureWithTouched),
    // An empty square is no piece.
    (START, "e4 g1", "g1f3 g1h3", Duty::MoveTouched),
];

#[test]
fn every_limb_of_the_articles() {
    for (fen, text, moves, duty) in TABLE {
        let pos = position(fen);
        let found = answer(&pos, &touches(text));
        let wanted = match *moves {
            "*" => ucis(&pos.legal_moves()),
            list => list.split(' ').map(String::from).collect(),
        };
        assert_eq!(
            (ucis(&found.moves), found.duty),
            (wanted, *duty),
            "{fen} after touching `{text}`"
        );
        assert_eq!(found.is_free(), *duty == Duty::Free);
    }
}

/// The same table seen from the other side of the board, in every edition.
#[test]
fn every_limb_for_black() {
    for (fen, text, ..) in TABLE {
        let (pos, touched) = (position(fen), touches(text));
        Edition::ALL
            .into_iter()
            .for_each(|edition| check_image(edition, &pos, &touched, Image::OtherColour));
    }
}

/// The Laws know no favourite colour; left and right only where castling is possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Image {
    OtherColour,
    LeftAndRight,
}

impl Image {
    fn position(self, pos: &Chess) -> Chess {
        let mut setup = pos.to_setup(EnPassantMode::Legal);
        match self {
            Image::OtherColour => setup.mirror(),
            Image::LeftAndRight => {
                setup.board.flip_horizontal();
                setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
            }
        }
        Chess::from_setup(setup, pos.castles().mode())
            .or_else(PositionError::ignore_too_much_material)
            .unwrap()
    }

    fn square(self, square: Square) -> Square {
        if self == Image::OtherColour {
            square.flip_vertical()
        } else {
            square.flip_horizontal()
        }
    }
}

/// Where a move begins and ends, and what becomes of a pawn.
type Plain = (Option<Square>, Square, Option<Role>);

fn check_image(edition: Edition, pos: &Chess, touched: &[Touch], image: Image) {
    let turned: Vec<Touch> = touched
        .iter()
        .map(|t| Touch {
            square: image.square(t.square),
            rank: t.rank,
        })
        .collect();
    let found = answer_in(edition, pos, touched);
    let other = answer_in(edition, &image.position(pos), &turned);
    let plain = |m: &Move| (m.from(), m.to(), m.promotion());
    let back = |m: &Move| {
        (
            m.from().map(|from| image.square(from)),
            image.square(m.to()),
            m.promotion(),
        )
    };
    let mut lists: [Vec<Plain>; 2] = [
        found.moves.iter().map(plain).collect(),
        other.moves.iter().map(back).collect(),
    ];
    lists.iter_mut().for_each(|list| list.sort());
    assert_eq!(
        (&lists[0], found.duty),
        (&lists[1], other.duty),
        "{edition:?} {image:?} {pos:?} {touched:?}"
    );
}

/// Positions of random games, from the initial position and from some that are rich in special
/// moves.
fn any_position() -> impl Strategy<Value = Chess> {
    const STARTS: [&str; 8] = [
        START,
        CASTLE,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "n1n1k3/PPP5/8/8/8/8/5ppp/3K2N1 b - - 0 1",
        // Chess960.
        "1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w EBeb - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];
    (0..STARTS.len(), vec(any::<u8>(), 0..60)).prop_map(|(n, choices)| {
        let mut pos = position(STARTS[n]);
        for choice in choices {
            let legal = pos.legal_moves();
            if legal.is_empty() {
                break;
            }
            pos.play_unchecked(legal[usize::from(choice) % legal.len()]);
        }
        pos
    })
}

fn any_edition() -> impl Strategy<Value = Edition> {
    prop::sample::select(Edition::ALL.to_vec())
}

/// Up to six touches anywhere, some at the same moment; some squares twice.
fn any_touches() -> impl Strategy<Value = Vec<Touch>> {
    let touch = (0usize..64, 0u32..5).prop_map(|(sq, rank)| Touch {
        square: Square::ALL[sq],
        rank,
    });
    vec(touch, 0..6)
}

/// Whether no legal move moves or captures what stands on `square`.
fn is_bound_to_nothing(pos: &Chess, square: Square) -> bool {
    let captured = |m: &Move| match m {
        Move::EnPassant { from, to } => Square::from_coords(to.file(), from.rank()) == square,
        m => m.is_capture() && m.to() == square,
    };
    let castling_piece =
        pos.our(Role::King).contains(square) || pos.our(Role::Rook).contains(square);
    !castling_piece
        && !pos
            .legal_moves()
            .iter()
            .any(|m| m.from() == Some(square) || captured(m))
}

/// Duty and moves, the articles that only name a second colour taken together.
fn essence(p: &Permitted) -> (Vec<String>, Duty) {
    let duty = match p.duty {
        Duty::MoveTouchedOfBoth => Duty::MoveTouched,
        Duty::CaptureTouchedOfBoth => Duty::CaptureTouched,
        other => other,
    };
    (ucis(&p.moves), duty)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn some_legal_move_is_always_permitted(
        edition in any_edition(),
        pos in any_position(),
        touched in any_touches(),
    ) {
        let (legal, found) = (pos.legal_moves(), answer_in(edition, &pos, &touched));
        prop_assert_eq!(found.moves.is_empty(), legal.is_empty());
        prop_assert!(found.moves.iter().all(|m| legal.contains(m)));
        let all = found.moves.len() == legal.len();
        prop_assert!(!found.is_free() || all || touched_castling_rook(&pos, &touched));
    }

    #[test]
    fn both_colours_have_the_same_duties(
        edition in any_edition(),
        pos in any_position(),
        touched in any_touches(),
    ) {
        check_image(edition, &pos, &touched, Image::OtherColour);
    }

    #[test]
    fn left_and_right_have_the_same_duties(
        edition in any_edition(),
        pos in any_position(),
        touched in any_touches(),
    ) {
        // Without the right to castle: castling knows left from right.
        let mut setup = pos.to_setup(EnPassantMode::Legal);
        setup.castling_rights = Bitboard::EMPTY;
        let pos = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material);
        check_image(edition, &pos.unwrap(), &touched, Image::LeftAndRight);
    }

    #[test]
    fn the_order_in_which_touches_are_listed_means_nothing(
        edition in any_edition(),
        pos in any_position(),
        touched in any_touches(),
    ) {
        // Every touch at its own moment: two pieces of one colour touched together are taken as
        // they are listed.
        let touched: Vec<Touch> = (0..).zip(touched).map(|(rank, t)| Touch { rank, ..t }).collect();
        let reversed: Vec<Touch> = touched.iter().rev().copied().collect();
        prop_assert_eq!(answer_in(edition, &pos, &touched), answer_in(edition, &pos, &reversed));
    }

    #[test]
    fn a_piece_that_can_neither_move_nor_be_captured_changes_nothing(
        edition in any_edition(),
        pos in any_position(),
        touched in any_touches(),
        index in any::<prop::sample::Index>(),
        rank in 0u32..5,
    ) {
        let idle = Square::ALL.into_iter().filter(|sq| is_bound_to_nothing(&pos, *sq));
        let idle: Vec<Square> = idle.collect();
        let square = *index.get(&idle);
        let mut more = touched.clone();
        more.push(Touch { square, rank });
        let (plain, found) = (answer_in(edition, &pos, &touched), answer_in(edition, &pos, &more));
        if plain.duty == Duty::CaptureWithTouched {
            // Only the first piece of each colour must capture or be captured by the other's
            // (4.3.3): with an unmovable one before it the choice is wider, never narrower.
            prop_assert!(plain.moves.iter().all(|m| found.moves.contains(m)), "{}", square);
        } else {
            prop_assert_eq!(essence(&found), essence(&plain), "{}", square);
        }
    }
}

fn touched_castling_rook(pos: &Chess, touched: &[Touch]) -> bool {
    touched
        .iter()
        .any(|t| pos.our(Role::Rook).contains(t.square))
}
