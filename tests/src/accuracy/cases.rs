//! What is measured: every class of sensors under every hand, at every level of noise, with
//! breaches and without.

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use board_driver::hand::games::Game;
use board_driver::hand::{
    BREACHES, Departure, Options, Performance, Style, Wish, perform_two, perform_with,
};
use board_driver::noise::LEVELS;
use serde::Serialize;

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

/// What happens in the games of a case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// They are played as they were.
    Play,
    /// Each has one breach, after which everything is put right that the Laws want put right.
    Breaches,
    /// Each has an illegal move or several that nobody puts back, and play goes on from them.
    PlayedOn,
    /// Two are played on one board, with no result between.
    TwoGames,
    /// In each, hands leave the script in one of the other ways.
    Departures,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [
        Kind::Play,
        Kind::Breaches,
        Kind::PlayedOn,
        Kind::TwoGames,
        Kind::Departures,
    ];

    /// What the name of a case ends with; not said of games that are played as they were.
    fn word(self) -> &'static str {
        match self {
            Kind::Play => "play",
            Kind::Breaches => "breaches",
            Kind::PlayedOn => "played-on",
            Kind::TwoGames => "two-games",
            Kind::Departures => "departures",
        }
    }

    /// Whose hands it is measured with.
    fn styles(self) -> &'static [Style] {
        match self {
            Kind::Play | Kind::Breaches => &Style::ALL,
            Kind::PlayedOn | Kind::TwoGames | Kind::Departures => {
                &[Style::Tidy, Style::Human, Style::Hurried]
            }
        }
    }
}

/// A cell of the table: a board, a hand, sensors, and what happens in the games.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The board, the hand and the sensors.
    pub cell: Cell,
    /// What happens in the games.
    pub kind: Kind,
}

/// Every case there is, play before everything else, boards with a clock before those without.
pub fn every() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in Kind::ALL {
        for clock in [true, false] {
            for sensor in CLASSES {
                for &style in kind.styles() {
                    let cell = |noise| Cell {
                        sensor,
                        style,
                        noise,
                        clock,
                    };
                    cases.extend((0..LEVELS.len() as u8).map(|noise| Case {
                        cell: cell(noise),
                        kind,
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
        let noise = LEVELS[usize::from(noise)];
        let mut name = format!("{sensor:?}-{style:?}-{noise}-{clock}").to_lowercase();
        if self.kind != Kind::Play {
            name += "-";
            name += self.kind.word();
        }
        name
    }

    /// Whether its name has the part, in whole words. `play` is a word of games that are played as
    /// they were.
    pub fn has(&self, part: &str) -> bool {
        let words = format!("-{}-{}-", self.name(), self.kind.word());
        words.contains(&format!("-{part}-"))
    }

    /// What hands do with `game` in this case. `next` is the game that follows it on the board,
    /// where one does.
    pub fn perform(&self, game: &Game, next: &Game, seed: u64) -> Performance {
        let options = self.options(game);
        if self.kind == Kind::TwoGames {
            return perform_two(game, next, self.cell.style, seed, &options);
        }
        let wishes = self.wishes(game, seed);
        let (start, moves) = (&game.start, &game.moves);
        perform_with(start, moves, self.cell.style, seed, &wishes, &options)
    }

    /// What is asked of the hands.
    pub fn wishes(&self, game: &Game, seed: u64) -> Vec<(Wish, u32)> {
        match self.kind {
            Kind::Play | Kind::TwoGames => Vec::new(),
            Kind::Breaches => self.breach(game, seed),
            Kind::PlayedOn => illegal_moves(game, seed),
            Kind::Departures => self.departure(game, seed),
        }
    }

    fn options(&self, game: &Game) -> Options {
        Options {
            clock: self.cell.clock,
            result: game.result,
            ..Options::default()
        }
    }

    /// How hands leave the script of a game: every way in its turn, or the next that the game has
    /// a place for.
    fn departure(&self, game: &Game, seed: u64) -> Vec<(Wish, u32)> {
        let chance = mixed(seed) as usize;
        let ply = 1 + (chance % game.moves.len().max(1)) as u32;
        let can_show = |way: &Departure| {
            self.cell.sensor == SensorClass::Piece || *way != Departure::ExchangeStands
        };
        let ways = Departure::ALL.into_iter().filter(can_show);
        let ways: Vec<Departure> = ways.skip(1).collect();
        let turns = (0..ways.len()).map(|n| ways[(chance / 256 + n) % ways.len()]);
        let wishes = turns.flat_map(|way| [(Wish::from(way), ply), (Wish::from(way), 1)]);
        wishes
            .into_iter()
            .find(|wish| self.is_done(game, seed, *wish))
            .into_iter()
            .collect()
    }

    /// The breach that is committed in a game: each in its turn, at a ply that the seed names or
    /// where it first can be.
    fn breach(&self, game: &Game, seed: u64) -> Vec<(Wish, u32)> {
        if game.moves.is_empty() {
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
        let wishes = turns.flat_map(|code| [(Wish::from(code), ply), (Wish::from(code), 1)]);
        wishes
            .into_iter()
            .find(|wish| self.is_done(game, seed, *wish))
            .into_iter()
            .collect()
    }

    fn can_show(&self, code: Code) -> bool {
        is_observable(code, self.cell.sensor) && (self.cell.clock || !NEED_CLOCK.contains(&code))
    }

    fn is_done(&self, game: &Game, seed: u64, wish: (Wish, u32)) -> bool {
        let (start, moves, options) = (&game.start, &game.moves, self.options(game));
        let played = perform_with(start, moves, self.cell.style, seed, &[wish], &options);
        played.left_out.is_empty()
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

/// One illegal move in most games, two in one of four, three in one of sixteen.
fn illegal_moves(game: &Game, seed: u64) -> Vec<(Wish, u32)> {
    let chance = mixed(seed) as usize;
    let many = 1 + usize::from(chance.is_multiple_of(4)) + usize::from(chance.is_multiple_of(16));
    let plies = game.moves.len().max(1);
    let ply = |n: usize| 1 + (mixed(seed ^ (n as u64) << 32) as usize % plies) as u32;
    let wish = |n| (Wish::from(Departure::PlayOn), ply(n));
    (0..many).map(wish).collect()
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
            kind: Kind::Breaches,
        };
        let mut plies: BTreeMap<Wish, BTreeSet<u32>> = BTreeMap::new();
        for (seed, game) in (1..).zip(games::sample(600)) {
            for (wish, ply) in case.wishes(game, seed) {
                plies.entry(wish).or_default().insert(ply);
            }
        }
        assert_eq!(plies.len(), BREACHES.len(), "{plies:?}");
        let touches = &plies[&Code::TouchMoveOwnPiece.into()];
        assert!(touches.len() >= 8, "{plies:?}");
    }
}
