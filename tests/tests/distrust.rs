//! Games on boards with one square that the board itself cannot read, and says so: the record is
//! still the game wherever the other squares tell it, and what the board cannot see is laid at
//! nobody's door.

use arbiter_core::irregularity::Certainty;
use arbiter_core::shakmaty::{Bitboard, Square};
use arbiter_core::{Event, Input, Time};
use board_driver::hand::{Style, games};
use tests::accuracy::cases::CLASSES;
use tests::accuracy::{Cell, Outcome, evidence, rule};

/// Of the games of all classes of sensors, with a clock or without, how many may have an open
/// finding that is `likely`, and how many a ply that is wrong or missing. Every game has a square
/// that cannot be read from its beginning to its end.
const MOST: [(Style, bool, usize, usize); 4] = [
    (Style::Tidy, true, 0, 0),
    (Style::Human, true, 7, 1),
    (Style::Tidy, false, 0, 12),
    (Style::Human, false, 1, 14),
];

/// What the board reports when `stuck` cannot be read: nothing of it, and that it is so.
fn spoilt(script: Vec<Event>, stuck: Square) -> Vec<Event> {
    let of_it = |event: &Event| match event.input {
        Input::Lift { square } | Input::Place { square, .. } => square == stuck,
        _ => false,
    };
    let mut first = None;
    let mut spoilt: Vec<Event> = Vec::with_capacity(script.len());
    for mut event in script.into_iter().filter(|event| !of_it(event)) {
        if let Input::Snapshot { board } = &mut event.input {
            let seen = *first.get_or_insert(board.at(stuck));
            board.set(stuck, seen);
        }
        spoilt.push(event);
    }
    let at = spoilt.first().map_or(Time::ZERO, |setup| setup.at);
    spoilt.insert(
        1,
        Event {
            at,
            input: Input::Suspect {
                squares: Bitboard::from(stuck),
            },
        },
    );
    spoilt
}

/// The squares that are tried: in turn those that matter most in a game, and a corner.
const STUCK: [Square; 8] = [
    Square::D4,
    Square::E5,
    Square::F3,
    Square::C6,
    Square::E2,
    Square::G1,
    Square::E8,
    Square::H8,
];

fn play(cell: Cell, n: usize) -> Outcome {
    let game = &games::sample(games::CROSS_SECTION)[n];
    let (script, played) = evidence(game, cell, n as u64 + 1, &[]);
    let script = spoilt(script, STUCK[n % STUCK.len()]);
    let said = rule(&script);
    Outcome {
        script,
        played,
        said,
    }
}

#[test]
fn a_square_that_the_board_cannot_read_accuses_nobody() {
    for (style, clock, most_accused, most_wrong) in MOST {
        let (mut accused, mut wrong, mut told) = (0, 0, String::new());
        for sensor in CLASSES {
            let cell = Cell {
                sensor,
                style,
                noise: 0,
                clock,
            };
            for n in 0..games::sample(games::CROSS_SECTION).len() {
                let outcome = play(cell, n);
                let findings = outcome.findings();
                let are = |wanted| {
                    findings
                        .iter()
                        .any(|(.., certainty, _)| *certainty == wanted)
                };
                let (likely, inexact) = (are(Certainty::Likely), outcome.wrong_plies());
                assert!(
                    !are(Certainty::Certain),
                    "{sensor:?} {style:?} game {n}: {findings:?}"
                );
                accused += usize::from(likely);
                wrong += usize::from(inexact > 0);
                if likely || inexact > 0 {
                    let square = STUCK[n % STUCK.len()];
                    let line = format!(
                        "{sensor:?} game {n} without {square}: {inexact} plies wrong, {findings:?}"
                    );
                    told = told + &line + "\n";
                }
            }
        }
        let within = accused <= most_accused && wrong <= most_wrong;
        assert!(
            within,
            "{style:?}, clock {clock}: {accused} games with a likely finding, \
             {wrong} not exact\n{told}"
        );
    }
}
