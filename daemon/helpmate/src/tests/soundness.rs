//! A proof that is wrong ends a game that could still be won: proofs are put to every mate there
//! is at hand.

use super::*;

const POSITIONS: &str = include_str!("../../../../tests/positions/mating.txt");
/// Positions that are made up, unless `HELPMATE_POSITIONS` says how many; `HELPMATE_SEED` makes up
/// others.
const MADE: usize = 500;
/// The work that each proof may take.
const WORK: usize = 100_000;
/// Too few for a proof by phases to be tried: a mate found so is found by search alone.
const BY_SEARCH: usize = 2_900;

/// The position, and whether White and Black can mate.
fn listed(line: &str) -> (Chess, [bool; 2]) {
    let (who, fen) = line.split_once(' ').unwrap();
    (
        position(&format!("{fen} 0 1")),
        [who.contains('W'), who.contains('B')],
    )
}

fn fen(pos: &Chess) -> String {
    Fen::from_position(pos, shakmaty::EnPassantMode::Legal).to_string()
}

/// Plays the line, and says where a proof has it that it cannot be.
fn refuted(pos: &Chess, line: &[Move], winner: Color) -> Option<String> {
    let mut pos = pos.clone();
    for m in line {
        if phases::is_unwinnable(&pos, winner, WORK) || blocked::is_unwinnable(&pos, winner) {
            return Some(fen(&pos));
        }
        pos.play_unchecked(*m);
    }
    assert!(pos.is_checkmate() && pos.turn() != winner);
    None
}

#[test]
fn no_proof_denies_a_mate_on_the_way_to_it() {
    let mut mates = 0;
    // Where many are made up, more of those that are listed.
    let every = if made() > MADE { 7 } else { 35 };
    for line in POSITIONS.lines().step_by(every) {
        let (pos, can) = listed(line);
        for winner in Color::ALL.into_iter().filter(|c| can[*c as usize]) {
            if let Winnability::Winnable(moves) = within(&pos, winner, BY_SEARCH) {
                assert_eq!(refuted(&pos, &moves, winner), None, "{line} {winner}");
                mates += 1;
            }
        }
    }
    assert!(mates * every > 2_100, "{mates}");
}

fn made() -> usize {
    let set = std::env::var("HELPMATE_POSITIONS");
    set.map_or(MADE, |n| n.parse().unwrap())
}

/// Changes a position a little.
fn edited(pos: &Chess, dice: &mut Dice) -> Option<Chess> {
    let mut setup = pos.to_setup(shakmaty::EnPassantMode::Legal);
    setup.castling_rights = shakmaty::Bitboard::EMPTY;
    setup.ep_square = None;
    for _ in 0..=dice.below(3) {
        let men = setup.board.occupied() & !setup.board.kings();
        let man =
            (!men.is_empty()).then(|| men.into_iter().nth(dice.below(men.count() as u64) as usize));
        let to = Square::new(dice.below(64) as u32);
        match (dice.below(6), man.flatten()) {
            (0, Some(man)) => drop(setup.board.remove_piece_at(man)),
            (1, Some(man)) if setup.board.piece_at(to).is_none() => {
                let piece = setup.board.remove_piece_at(man)?;
                setup.board.set_piece_at(to, piece);
            }
            (2, Some(man)) => {
                let piece = setup.board.piece_at(man)?;
                setup.board.set_piece_at(man, piece.role.of(!piece.color));
            }
            (3, Some(man)) => {
                let colour = setup.board.piece_at(man)?.color;
                let role = Role::ALL[dice.below(5) as usize];
                setup.board.set_piece_at(man, role.of(colour));
            }
            (4, _) if setup.board.piece_at(to).is_none() => {
                let role = Role::ALL[dice.below(5) as usize];
                setup.board.set_piece_at(to, role.of(dice.colour()));
            }
            _ => setup.turn = !setup.turn,
        }
    }
    setup.position(CastlingMode::Standard).ok()
}

#[test]
fn proofs_agree_with_looking_at_everything_in_fortresses() {
    let made = made();
    let seed = std::env::var("HELPMATE_SEED");
    let mut dice = Dice(seed.map_or(1, |n| n.parse().unwrap()));
    // Those in which somebody cannot mate have the walls and cages that proofs are about.
    let lines: Vec<&str> = POSITIONS
        .lines()
        .filter(|line| line.split(' ').next().is_some_and(|who| who.contains('-')))
        .collect();
    let (mut mates, mut proven, mut looked_through) = (0, 0, 0);
    for _ in 0..made {
        let line = lines[dice.below(lines.len() as u64) as usize];
        let Some(pos) = edited(&listed(line).0, &mut dice) else {
            continue;
        };
        for winner in Color::ALL {
            if let Winnability::Winnable(moves) = within(&pos, winner, BY_SEARCH) {
                assert_eq!(
                    refuted(&pos, &moves, winner),
                    None,
                    "{} {winner}",
                    fen(&pos)
                );
                mates += 1;
            } else if phases::is_unwinnable(&pos, winner, WORK) {
                let looked = exhaust(&pos, winner, 3_000);
                assert_ne!(looked, Some(true), "{} {winner}", fen(&pos));
                proven += 1;
                looked_through += usize::from(looked.is_some());
            }
        }
    }
    println!("{mates} mates, {proven} proofs, {looked_through} of them looked through");
    assert!(mates > made / 8 && proven > made / 8 && looked_through > made / 50);
}
