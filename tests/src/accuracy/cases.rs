//! What is measured: every class of sensors under every hand, at every level of noise, with
//! breaches and without.

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use board_driver::hand::games::Game;
use board_driver::hand::{BREACHES, Options, Style, perform};
use board_driver::noise::LEVELS;

use super::Cell;

/// Every class of sensors.
pub const CLASSES: [SensorClass; 3] = [
    SensorClass::Piece,
    SensorClass::Colour,
    SensorClass::Occupancy,
];

/// Breaches that only a press shows, or that a clock is pressed too early for.
const NEED_CLOCK: [Code; 2] = [Code::ClockPressedWithoutMove, Code::PieceDisplaced];

/// Breaches that only a promotion leaves room for.
const OF_PROMOTION: [Code; 2] = [Code::PromotionChoiceChanged, Code::PawnNotPromoted];

/// A cell of the table: games as they were, or each with one breach.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The board, the hand and the sensors.
    pub cell: Cell,
    /// Whether each game has a breach in it.
    pub breaches: bool,
}

/// Every case there is, play before breaches, boards with a clock before those without.
pub fn every() -> Vec<Case> {
    let mut cases = Vec::new();
    for breaches in [false, true] {
        for clock in [true, false] {
            for sensor in CLASSES {
                for style in Style::ALL {
                    let cell = |noise| Cell {
                        sensor,
                        style,
                        noise,
                        clock,
                    };
                    cases.extend((0..LEVELS.len() as u8).map(|noise| Case {
                        cell: cell(noise),
                        breaches,
                    }));
                }
            }
        }
    }
    cases
}

impl Case {
    /// Its name, such as `piece-human-poor-clock` or `colour-tidy-ideal-noclock-breaches`.
    pub fn name(&self) -> String {
        let Cell {
            sensor,
            style,
            noise,
            clock,
        } = self.cell;
        let clock = if clock { "clock" } else { "noclock" };
        let breaches = if self.breaches { "-breaches" } else { "" };
        format!(
            "{sensor:?}-{style:?}-{}-{clock}{breaches}",
            LEVELS[usize::from(noise)]
        )
        .to_lowercase()
    }

    /// The breach that is committed in a game: each in its turn, at a ply that the seed names or
    /// where it first can be.
    pub fn breach(&self, game: &Game, seed: u64) -> Vec<(Code, u32)> {
        if !self.breaches || game.moves.is_empty() {
            return Vec::new();
        }
        let codes: Vec<Code> = BREACHES
            .into_iter()
            .filter(|code| self.can_show(*code))
            .collect();
        let chance = mixed(seed) as usize;
        let ply = 1 + (chance % game.moves.len()) as u32;
        let chance = chance / game.moves.len();
        // Promotions are rare: where there is one, every second breach is of it.
        let promotes = game.moves.iter().any(|mv| mv.is_promotion());
        let of_promotion = (promotes && chance % 2 == 1).then(|| OF_PROMOTION[chance / 2 % 2]);
        let of_promotion = of_promotion.filter(|code| codes.contains(code));
        // What the game has no place for later is looked for from its first ply; then another
        // breach stands in for it.
        let turns = of_promotion
            .into_iter()
            .chain((0..codes.len()).map(|n| codes[(chance / 4 + n) % codes.len()]));
        let wishes = turns.flat_map(|code| [(code, ply), (code, 1)]);
        wishes
            .into_iter()
            .find(|wish| self.is_committed(game, seed, *wish))
            .into_iter()
            .collect()
    }

    fn can_show(&self, code: Code) -> bool {
        is_observable(code, self.cell.sensor) && (self.cell.clock || !NEED_CLOCK.contains(&code))
    }

    fn is_committed(&self, game: &Game, seed: u64, wish: (Code, u32)) -> bool {
        let options = Options {
            clock: self.cell.clock,
            ..Options::default()
        };
        let played = perform(
            &game.start,
            &game.moves,
            self.cell.style,
            seed,
            &[wish],
            &options,
        );
        !played.truth.breaches.is_empty()
    }
}

/// Whether a board of this class can show the breach. What stands on a promotion square is for
/// piece sensors alone. On an occupancy board a victim that is put back and a piece that takes its
/// place look the same.
pub fn is_observable(code: Code, sensor: SensorClass) -> bool {
    match code {
        Code::PromotionChoiceChanged | Code::PawnNotPromoted => sensor == SensorClass::Piece,
        Code::TouchMoveBothColours => sensor != SensorClass::Occupancy,
        _ => true,
    }
}

/// A seed's own number, far from its neighbours'.
fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (z ^ (z >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 16
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use board_driver::hand::games;

    use super::*;

    #[test]
    fn every_case_has_a_name_of_its_own() {
        let names: BTreeSet<String> = every().iter().map(Case::name).collect();
        assert_eq!(names.len(), every().len());
    }

    #[test]
    fn every_breach_is_committed_in_some_game_and_at_many_plies() {
        let cell = Cell {
            sensor: SensorClass::Piece,
            style: Style::Human,
            noise: 1,
            clock: true,
        };
        let case = Case {
            cell,
            breaches: true,
        };
        let mut plies: BTreeMap<Code, BTreeSet<u32>> = BTreeMap::new();
        for (seed, game) in (1..).zip(games::sample(600)) {
            for (code, ply) in case.breach(game, seed) {
                plies.entry(code).or_default().insert(ply);
            }
        }
        assert_eq!(plies.len(), BREACHES.len(), "{plies:?}");
        assert!(plies[&Code::TouchMoveOwnPiece].len() >= 8, "{plies:?}");
    }
}
