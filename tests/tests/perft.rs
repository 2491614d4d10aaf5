//! Every legal move and no other: sequences of moves counted through the arbiter's own list of
//! legal moves, against numbers that are known. `positions/README.md` says from where.

use arbiter_core::legal_moves;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{CastlingMode, Chess, Position};

const POSITIONS: &str = include_str!("../positions/perft.tsv");

fn count(pos: &Chess, depth: u32) -> u64 {
    let moves = legal_moves(pos);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |m| {
        let mut after = pos.clone();
        after.play_unchecked(m);
        count(&after, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

fn check(which: CastlingMode) {
    let mut checked = 0;
    for line in POSITIONS.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, mode, fen, numbers @ ..] = columns.as_slice() else {
            panic!("{line}")
        };
        let mode = if *mode == "chess960" {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        if mode != which {
            continue;
        }
        let pos: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_setup()
            .position(mode)
            .unwrap();
        for (depth, number) in (1..).zip(numbers) {
            assert_eq!(
                count(&pos, depth).to_string(),
                *number,
                "{name}, {depth} plies: {fen}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 20, "only {checked} numbers");
}

#[test]
fn orthodox() {
    check(CastlingMode::Standard);
}

#[test]
fn chess960() {
    check(CastlingMode::Chess960);
}
