//! What must hold today, and the short form of the bench that the checks run.

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::noise::LEVELS;

use super::bench::{Row, Task};
use super::cases::{CLASSES, Case};
use super::options::Options;

/// Games a class in the short form.
const GAMES: usize = 500;

/// The short form: 500 games of each class without breaches, and 500 with, dealt out to the cases
/// that have goals.
///
/// # Errors
/// When no case is left.
pub fn quick(options: &Options) -> Result<Vec<Task>, String> {
    let cases = options.cases()?;
    let mut tasks = Vec::new();
    for breaches in [false, true] {
        for class in CLASSES {
            let fits = |case: &&Case| {
                case.cell.sensor == class && case.breaches == breaches && goal(case) != NONE
            };
            let cases: Vec<Case> = cases.iter().filter(fits).copied().collect();
            let deal = |n: usize| (n..GAMES).step_by(cases.len()).collect();
            tasks.extend(cases.iter().enumerate().map(|(n, case)| Task {
                case: *case,
                games: deal(n),
            }));
        }
    }
    if tasks.is_empty() {
        Err("no case with a goal is left".to_owned())
    } else {
        Ok(tasks)
    }
}

/// What is asked of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Every ply is recorded as it was played, or openly in doubt; no wrong one is told as final.
    pub exact: bool,
    /// Nobody is accused with certainty of what was not done.
    pub fair: bool,
    /// Every breach is found under its own name.
    pub found: bool,
}

const NONE: Goal = Goal {
    exact: false,
    fair: false,
    found: false,
};

/// The goals that are met, and must go on being met.
pub fn goal(case: &Case) -> Goal {
    let (style, noise) = (case.cell.style, LEVELS[usize::from(case.cell.noise)]);
    let calm = matches!(style, Style::Tidy | Style::Human);
    let colours = case.cell.sensor != SensorClass::Occupancy;
    if !case.cell.clock {
        return NONE;
    }
    let hasty = style == Style::Hurried;
    match noise {
        "ideal" | "healthy" => Goal {
            exact: true,
            fair: true,
            found: !case.breaches || calm,
        },
        "poor" if colours && !hasty => Goal {
            exact: true,
            fair: true,
            found: !case.breaches,
        },
        "lossy" if !case.breaches => Goal {
            exact: calm || hasty || colours,
            fair: true,
            found: true,
        },
        "sticky" if colours && !case.breaches => Goal {
            exact: true,
            fair: true,
            found: true,
        },
        _ => NONE,
    }
}

/// Goals that a row misses, in words, with what shows it.
pub fn missed(row: &Row) -> Vec<String> {
    let (goal, tally) = (goal(&row.case), &row.tally);
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
