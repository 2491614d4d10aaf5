use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Color, PositionError, Role, Setup, Square};

use super::*;
use crate::packed::Packed;
use crate::visited::Visited;

mod soundness;

fn position(fen: &str) -> Chess {
    let read = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard);
    read.or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap()
}

/// Plays the line, and says whether it mates.
fn mates(pos: &Chess, line: &[Move], winner: Color) -> bool {
    let mut end = pos.clone();
    for m in line {
        assert!(end.is_legal(*m));
        end.play_unchecked(*m);
    }
    end.is_checkmate() && end.turn() != winner
}

/// Whether the sides can mate: White, Black.
fn both(fen: &str) -> (bool, bool) {
    let pos = position(fen);
    let can = |winner| match solve(&pos, winner) {
        Winnability::Winnable(line) => {
            assert!(mates(&pos, &line, winner), "{fen}: {line:?}");
            true
        }
        Winnability::Unwinnable => false,
        Winnability::Unknown => panic!("{fen}: unknown"),
    };
    (can(Color::White), can(Color::Black))
}

#[test]
fn material_is_enough_or_not() {
    for (fen, can) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", (false, false)),
        ("4k3/8/8/8/8/8/8/3NK3 w - - 0 1", (false, false)),
        ("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", (true, false)),
        ("4kn2/8/8/8/8/8/8/3NK3 w - - 0 1", (true, true)),
        ("4kq2/8/8/8/8/8/8/3NK3 w - - 0 1", (false, true)),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", (false, false)),
        ("4kb2/8/8/8/8/8/8/3BK3 w - - 0 1", (true, true)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", (true, false)),
    ] {
        assert_eq!(both(fen), can, "{fen}");
    }
}

#[test]
fn what_is_over_is_what_it_is() {
    assert_eq!(both("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), (true, false));
    assert_eq!(both("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1"), (false, false));
    // One legal move each way, and stalemate after it.
    assert!(!both("8/8/8/8/8/k1p5/2p5/K7 w - - 0 1").0);
}

#[test]
fn a_wall_is_seen_at_a_glance() {
    let wall = position("8/8/1k6/1p1p1p1p/1P1P1P1P/1K6/8/8 w - - 0 1");
    for winner in Color::ALL {
        assert_eq!(glance(&wall, winner), Winnability::Unwinnable);
    }
}

#[test]
fn bishops_on_the_other_colour_break_no_wall() {
    assert_eq!(
        both("8/4kb2/8/1p1p1p1p/1P1P1P1P/1b6/3B1K2/8 b - - 0 1"),
        (false, false)
    );
}

#[test]
fn a_king_who_cannot_leave_is_stalemated_and_not_mated() {
    // Bishops fill the board; the search alone would look at millions of positions.
    assert_eq!(
        both("8/8/3b3p/5p1P/3b1p1K/5Pp1/6P1/5kb1 b - - 0 1"),
        (false, false)
    );
    assert_eq!(
        both("8/1p2B1B1/1PpB1B2/k1P5/p1P5/P7/5K2/8 w - - 0 1"),
        (false, false)
    );
}

#[test]
fn pawns_that_face_each_other_do_not_pass() {
    assert!(!both("2k5/p1p1p1p1/P1P1P1P1/2p1p2K/8/8/2P1P3/8 w - - 0 1").1);
}

#[test]
fn who_can_only_mate_never_helps() {
    // Both moves of the knight mate; so do those of queen and knight in the cage.
    assert!(!both("6b1/8/1k6/3p1p2/3PpP1B/3pKp2/3P1P1n/B7 w - - 0 1").0);
    assert!(!both("8/6pp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1").0);
}

#[test]
fn what_answers_a_check_is_all_that_follows() {
    // Rook takes rook with check, and a bishop must take it.
    assert!(!both("1bB4b/k7/R5r1/8/1pBp1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1").1);
}

#[test]
fn a_cage_without_room_guards_its_walls() {
    assert_eq!(
        both("B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1"),
        (false, false)
    );
}

#[test]
fn a_king_does_not_flee_along_the_line_of_a_check() {
    let mate = "4k2q/3ppp2/6P1/6PK/6P1/8/8/7B w - - 0 1";
    let before = position("4k2Q/3ppp2/6P1/6PK/6P1/8/8/q6B b - - 0 1");
    assert!(position(mate).is_checkmate());
    assert!(!phases::is_unwinnable(&before, Color::Black, 100_000));
}

#[test]
fn taking_in_passing_opens_a_wall() {
    let shut = "8/1k6/4p3/1p1pPp1p/1P1P1P1P/8/1K6/8 w - - 0 1";
    let open = "8/1k6/4p3/1p1pPp1p/1P1P1P1P/8/1K6/8 w - d6 0 1";
    assert_eq!(both(shut), (false, false));
    assert!(both(open).0);
}

#[test]
fn castling_lets_the_king_and_the_rook_out() {
    assert_eq!(both("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), (true, false));
}

#[test]
fn the_limit_is_kept_and_said() {
    let start = Chess::default();
    assert_eq!(within(&start, Color::White, 0), Winnability::Unknown);
    assert_eq!(within(&start, Color::White, 1), Winnability::Unknown);
}

#[test]
fn the_same_question_has_the_same_answer() {
    let pos = position("3kn3/8/8/8/8/8/8/2BK4 w - - 0 1");
    assert_eq!(solve(&pos, Color::White), solve(&pos, Color::White));
}

#[test]
fn crowded_boards_are_no_trouble() {
    for fen in [
        "qqqqkqqq/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
        "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN b - - 0 1",
        "k7/2PPPPPP/8/8/8/8/2pppppp/K7 w - - 0 1",
        "bbbbkbbb/bbbbbbbb/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    ] {
        let pos = position(fen);
        for winner in Color::ALL {
            let _whatever_it_is = within(&pos, winner, 2_000);
        }
    }
}

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn colour(&mut self) -> Color {
        Color::from_white(self.below(2) == 0)
    }

    /// A wall of pawns, at times with a hole, a king on each side of it, and at most two pieces.
    fn position(&mut self) -> Option<Chess> {
        let mut setup = Setup::empty();
        let shift = self.below(2);
        for file in [0, 2, 4, 6] {
            for (colour, rank) in [(Color::White, 3), (Color::Black, 4)] {
                if self.below(12) > 0 {
                    let square = Square::new((rank * 8 + file + shift) as u32);
                    setup.board.set_piece_at(square, colour.pawn());
                }
            }
        }
        for _ in 0..self.below(3) {
            let role = [Role::Bishop, Role::Bishop, Role::Knight][self.below(3) as usize];
            let square = Square::new(self.below(64) as u32);
            setup.board.set_piece_at(square, role.of(self.colour()));
        }
        let (white, black) = (self.below(24) as u32, 40 + self.below(24) as u32);
        setup
            .board
            .set_piece_at(Square::new(white), Color::White.king());
        setup
            .board
            .set_piece_at(Square::new(black), Color::Black.king());
        setup.turn = self.colour();
        setup.position(CastlingMode::Standard).ok()
    }
}

/// Looks at every position there is. `None` when there are too many.
fn exhaust(root: &Chess, winner: Color, limit: usize) -> Option<bool> {
    let mut seen = Visited::new();
    seen.add(Packed::new(root), 0);
    let mut number = 0;
    while (number as usize) < seen.len() {
        let pos = seen.node(number).place.unpack(CastlingMode::Standard)?;
        let moves = pos.legal_moves();
        if moves.is_empty() && pos.is_check() && pos.turn() != winner {
            return Some(true);
        }
        for m in moves {
            let mut after = pos.clone();
            after.play_unchecked(m);
            seen.add(Packed::new(&after), number);
        }
        if seen.len() > limit {
            return None;
        }
        number += 1;
    }
    Some(false)
}

#[test]
fn it_agrees_with_looking_at_everything() {
    let mut dice = Dice(20_260_101);
    let (mut can, mut cannot) = (0, 0);
    for _ in 0..80 {
        let Some(pos) = dice.position() else { continue };
        for winner in Color::ALL {
            let Some(expected) = exhaust(&pos, winner, 100_000) else {
                continue;
            };
            match solve(&pos, winner) {
                Winnability::Winnable(line) => {
                    assert!(expected && mates(&pos, &line, winner), "{pos:?} {winner}");
                    can += 1;
                }
                Winnability::Unwinnable => {
                    assert!(!expected, "{pos:?} {winner}");
                    cannot += 1;
                }
                Winnability::Unknown => panic!("{pos:?} {winner}"),
            }
            // What is proven by phases alone is right as well.
            assert!(
                !(expected && phases::is_unwinnable(&pos, winner, 100_000)),
                "{pos:?} {winner}"
            );
        }
    }
    assert!(can > 5 && cannot > 5, "{can} {cannot}");
}
