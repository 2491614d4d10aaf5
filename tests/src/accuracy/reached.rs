//! What has been reached and must not be lost, and the short form of the bench that the checks run.
//! [`super::goals`] is what is to be reached.

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::noise::LEVELS;

use super::bench::{Row, Task};
use super::cases::{CLASSES, Case, Kind};
use super::options::Options;

/// The short form: so many games of each class without breaches, as many with, and as many in which
/// play goes on from an illegal move, dealt out to the cases in which something has been reached.
///
/// # Errors
/// When no case is left.
pub fn quick(options: &Options, games: usize) -> Result<Vec<Task>, String> {
    let cases = options.cases()?;
    let mut tasks = Vec::new();
    for kind in [Kind::Play, Kind::Breaches, Kind::PlayedOn] {
        for class in CLASSES {
            let fits = |case: &&Case| {
                case.cell.sensor == class && case.kind == kind && reached(case) != NONE
            };
            let cases: Vec<Case> = cases.iter().filter(fits).copied().collect();
            let deal = |n: usize| (n..games).step_by(cases.len()).collect();
            tasks.extend(cases.iter().enumerate().map(|(n, case)| Task {
                case: *case,
                games: deal(n),
            }));
        }
    }
    if tasks.is_empty() {
        Err("no case in which something has been reached is left".to_owned())
    } else {
        Ok(tasks)
    }
}

/// What is asked of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Every ply is recorded as it was played, or openly in doubt; no wrong one is told as final.
    pub exact: bool,
    /// Nobody is accused with certainty of what was not done.
    pub fair: bool,
    /// Every breach is found under its own name.
    pub found: bool,
}

const NONE: Reached = Reached {
    exact: false,
    fair: false,
    found: false,
};

/// What is met in a case, and must go on being met.
pub fn reached(case: &Case) -> Reached {
    let (style, noise) = (case.cell.style, LEVELS[usize::from(case.cell.noise)]);
    let calm = matches!(style, Style::Tidy | Style::Human);
    let colours = case.cell.sensor != SensorClass::Occupancy;
    let breaches = case.kind == Kind::Breaches;
    let usual = breaches || case.kind == Kind::Play;
    let clean = matches!(noise, "ideal" | "healthy");
    if case.kind == Kind::PlayedOn && case.cell.clock && calm && clean {
        return Reached {
            exact: false,
            fair: true,
            found: false,
        };
    }
    if !case.cell.clock || !usual || style == Style::Blitz {
        return NONE;
    }
    let hasty = style == Style::Hurried;
    match noise {
        "ideal" | "healthy" => Reached {
            exact: true,
            fair: true,
            found: !breaches || calm,
        },
        "poor" if colours && !hasty => Reached {
            exact: true,
            fair: true,
            found: !breaches,
        },
        "lossy" if !breaches => Reached {
            exact: calm || hasty || colours,
            fair: true,
            found: true,
        },
        "sticky" if colours && !breaches => Reached {
            exact: true,
            fair: true,
            found: true,
        },
        _ => NONE,
    }
}

/// What a row misses of it, in words, with what shows it.
pub fn missed(row: &Row) -> Vec<String> {
    let (goal, tally) = (reached(&row.case), &row.tally);
    let unfound = tally.told().misnamed + tally.told().missed;
    let checks = [
        (
            goal.exact && tally.wrong > 0,
            "plies are wrong",
            tally.wrong,
        ),
        (
            goal.exact && tally.wrong_and_final > 0,
            "wrong plies are told as final",
            tally.wrong_and_final,
        ),
        (
            goal.fair && tally.unfounded.certain > 0,
            "false findings are called certain",
            tally.unfounded.certain,
        ),
        (goal.found && unfound > 0, "breaches are not found", unfound),
    ];
    let failed = checks.into_iter().filter(|(failed, ..)| *failed);
    failed
        .map(|(_, what, count)| format!("{}: {count} {what}", row.case.name()))
        .collect()
}
