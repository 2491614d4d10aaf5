//! Whether evidence without a fault could tell what was played.

use std::collections::BTreeSet;

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::{Bitboard, Move, Position, Square};
use board_driver::hand::{Deed, Performance, Turn};

/// The plies, counted from 1 over everything that was played on the board, that a board of `class`
/// cannot decide: another legal move would look the same in the end, and every piece that it lifts
/// was lifted.
pub fn undecidable(class: SensorClass, played: &Performance) -> BTreeSet<u32> {
    let ends = played.turns.iter().skip(1).map(|turn| turn.acts);
    let ends = ends.chain([played.acts.len()]);
    let turns = played.turns.iter().zip(ends).zip(1..);
    let open = turns.filter(|((turn, end), _)| {
        let lifted = lifted(played, turn.acts..*end);
        is_open(class, turn, lifted)
    });
    open.map(|(_, ply)| ply).collect()
}

fn lifted(played: &Performance, acts: std::ops::Range<usize>) -> Bitboard {
    let lift = |deed| match deed {
        Deed::LiftPiece(square, _) => Some(square),
        _ => None,
    };
    let acts = played.acts[acts].iter();
    acts.filter_map(|act| lift(act.deed)).collect()
}

fn is_open(class: SensorClass, turn: &Turn, lifted: Bitboard) -> bool {
    let picture = |mv: Move| {
        let mut after = turn.position.clone();
        after.play_unchecked(mv);
        class.reads(after.board())
    };
    let seen = picture(turn.mv);
    let alike =
        |mv: &&Move| **mv != turn.mv && (lifts(**mv) & !lifted).is_empty() && picture(**mv) == seen;
    turn.position.legal_moves().iter().any(|mv| alike(&mv))
}

/// The squares that a move leaves or takes from.
fn lifts(mv: Move) -> Bitboard {
    let victim = match mv {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        Move::Castle { rook, .. } => Some(rook),
        _ => mv.is_capture().then(|| mv.to()),
    };
    Bitboard::from_iter(mv.from().into_iter().chain(victim))
}

#[cfg(test)]
mod tests {
    use board_driver::hand::games::parse;
    use board_driver::hand::{Options, Style, perform};

    use super::*;

    fn open_plies(game: &str, class: SensorClass) -> BTreeSet<u32> {
        let game = parse(game).unwrap();
        let (moves, options) = (&game.moves, Options::default());
        let played = perform(&game.start, moves, Style::Tidy, 1, &[], &options);
        undecidable(class, &played)
    }

    #[test]
    fn what_was_touched_tells_captures_apart_and_nothing_tells_promotions_apart() {
        let captures = "*\tstartpos\te4 d5 Nc3 f5 exd5";
        let promotion = "*\t7k/P7/8/8/8/8/8/K7 w - - 0 1\ta8=N Kg7";
        for class in [SensorClass::Occupancy, SensorClass::Colour] {
            assert_eq!(open_plies(captures, class), BTreeSet::new());
            assert_eq!(open_plies(promotion, class), BTreeSet::from([1]));
        }
        assert_eq!(open_plies(promotion, SensorClass::Piece), BTreeSet::new());
    }
}
