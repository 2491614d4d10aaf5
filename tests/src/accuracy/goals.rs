//! What the program is to reach, in every case of the bench that it speaks of.

use std::fmt::Write as _;

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::noise::LEVELS;

use super::bench::Row;
use super::cases::{Case, Kind};
use super::tally::Tally;

/// A figure and its bound.
#[derive(Clone, Copy, Debug)]
enum Asked {
    /// At least so much.
    Least(f64),
    /// At most so much.
    Most(f64),
}

impl Asked {
    fn is_met(self, figure: f64) -> bool {
        match self {
            Asked::Least(least) => figure >= least,
            Asked::Most(most) => figure <= most,
        }
    }

    fn text(self) -> String {
        match self {
            Asked::Least(least) => format!(">= {least}"),
            Asked::Most(most) => format!("<= {most}"),
        }
    }

    /// Whether `a` is further from what is asked than `b`.
    fn is_worse(self, a: f64, b: f64) -> bool {
        match self {
            Asked::Least(_) => a < b,
            Asked::Most(_) => a > b,
        }
    }
}

/// A goal: what is measured, and what is asked of it in a case; `None` where nothing is.
struct Goal {
    name: &'static str,
    /// `None` where nothing of the kind occurred.
    figure: fn(&Tally) -> Option<f64>,
    asked: fn(&Case) -> Option<Asked>,
}

const GOALS: [Goal; 12] = [
    Goal {
        name: "decidable games exact, %",
        figure: |t| percent(t.decidable_exact, t.decidable),
        asked: exact,
    },
    Goal {
        name: "breaches found, %",
        figure: |t| percent(t.told().found.sum(), t.told().injected),
        asked: found,
    },
    Goal {
        name: "played on after an illegal move: record exact, %",
        figure: |t| percent(t.exact, t.games),
        asked: played_on,
    },
    Goal {
        name: "played on: certain findings withdrawn",
        figure: |t| Some(t.withdrawn as f64),
        asked: |case| is_played_on(case).then_some(Asked::Most(0.0)),
    },
    Goal {
        name: "played on: games in which an innocent is accused",
        figure: |t| Some(t.accused as f64),
        asked: |case| is_played_on(case).then_some(Asked::Most(0.0)),
    },
    Goal {
        name: "false alarms in 40 innocent games",
        figure: |t| rate(40 * t.alarms.values().sum::<u64>(), t.games),
        asked: alarms,
    },
    Goal {
        name: "needless questions an innocent game",
        figure: |t| rate(t.needless, t.games),
        asked: needless,
    },
    Goal {
        name: "certain findings that are true, %",
        figure: |t| percent(t.findings.good.certain, t.findings.all.certain),
        asked: |case| has_breaches(case).then_some(Asked::Least(100.0)),
    },
    Goal {
        name: "likely findings that are true, %",
        figure: |t| percent(t.findings.good.likely, t.findings.all.likely),
        asked: |case| has_breaches(case).then_some(Asked::Least(95.0)),
    },
    Goal {
        name: "possible findings that are true, %",
        figure: |t| percent(t.findings.good.possible, t.findings.all.possible),
        asked: |case| has_breaches(case).then_some(Asked::Least(50.0)),
    },
    Goal {
        name: "two games, no result between: second game exact, %",
        figure: |t| percent(t.second_exact, t.games),
        asked: |case| is_second(case).then_some(Asked::Least(100.0)),
    },
    Goal {
        name: "two games, no result between: false findings",
        figure: |t| Some(t.alarms.values().sum::<u64>() as f64),
        asked: |case| is_second(case).then_some(Asked::Most(0.0)),
    },
];

fn percent(part: u64, whole: u64) -> Option<f64> {
    rate(100 * part, whole)
}

fn rate(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn noise(case: &Case) -> &'static str {
    LEVELS[usize::from(case.cell.noise)]
}

/// Whether readings are late or lost.
fn is_lossy(case: &Case) -> bool {
    matches!(noise(case), "poor" | "lossy" | "gappy" | "untold")
}

/// Whether readings may be lost for good.
fn is_gappy(case: &Case) -> bool {
    matches!(noise(case), "gappy" | "untold")
}

fn is_usual(case: &Case) -> bool {
    matches!(case.cell.style, Style::Tidy | Style::Human | Style::Hurried) && !is_gappy(case)
}

/// One bound with a clock, two without: for sensors that see colours, and for those that do not.
fn by_class(case: &Case, clock: f64, colours: f64, occupancy: f64) -> Asked {
    Asked::Least(match (case.cell.clock, case.cell.sensor) {
        (true, _) => clock,
        (false, SensorClass::Occupancy) => occupancy,
        (false, _) => colours,
    })
}

fn exact(case: &Case) -> Option<Asked> {
    (case.kind == Kind::Play && is_usual(case)).then(|| by_class(case, 100.0, 99.8, 99.5))
}

fn found(case: &Case) -> Option<Asked> {
    let calm = matches!(case.cell.style, Style::Tidy | Style::Human);
    let least = if case.cell.clock { 99.8 } else { 99.0 };
    (case.kind == Kind::Breaches && calm && !is_gappy(case)).then_some(Asked::Least(least))
}

fn is_played_on(case: &Case) -> bool {
    case.kind == Kind::PlayedOn && is_usual(case)
}

fn played_on(case: &Case) -> Option<Asked> {
    is_played_on(case).then(|| by_class(case, 100.0, 99.5, 98.0))
}

fn alarms(case: &Case) -> Option<Asked> {
    let most = match (case.cell.style, is_lossy(case), case.cell.clock) {
        (Style::Blitz, true, _) => 5.0,
        (_, _, false) => 1.0,
        (_, true, true) => 2.0,
        (_, false, true) => 0.5,
    };
    (case.kind == Kind::Play).then_some(Asked::Most(most))
}

fn needless(case: &Case) -> Option<Asked> {
    let most = match (case.cell.clock, is_lossy(case)) {
        (false, _) => 0.1,
        (true, true) => 0.2,
        (true, false) => 0.05,
    };
    let asked = case.kind == Kind::Play && case.cell.style != Style::Blitz;
    asked.then_some(Asked::Most(most))
}

fn has_breaches(case: &Case) -> bool {
    matches!(case.kind, Kind::Breaches | Kind::PlayedOn)
}

fn is_second(case: &Case) -> bool {
    case.kind == Kind::TwoGames && is_usual(case)
}

/// How a goal stands in the cases of which the same is asked.
struct Standing {
    name: &'static str,
    clock: bool,
    asked: Asked,
    cases: usize,
    met: usize,
    worst: (f64, String),
}

fn standings(rows: &[Row]) -> Vec<Standing> {
    let mut all: Vec<Standing> = Vec::new();
    for goal in &GOALS {
        for row in rows {
            let figure = (goal.figure)(&row.tally);
            let Some((asked, figure)) = (goal.asked)(&row.case).zip(figure) else {
                continue;
            };
            let clock = row.case.cell.clock;
            let same = |s: &&mut Standing| {
                (s.name, s.clock, s.asked.text()) == (goal.name, clock, asked.text())
            };
            let name = row.case.name();
            let Some(standing) = all.iter_mut().find(same) else {
                all.push(Standing {
                    name: goal.name,
                    clock,
                    asked,
                    cases: 1,
                    met: usize::from(asked.is_met(figure)),
                    worst: (figure, name),
                });
                continue;
            };
            standing.cases += 1;
            standing.met += usize::from(asked.is_met(figure));
            if asked.is_worse(figure, standing.worst.0) {
                standing.worst = (figure, name);
            }
        }
    }
    all
}

/// Every goal that the rows speak of, and how far it is.
pub fn table(rows: &[Row]) -> String {
    let mut text = "| goal | clock | asked | met in | worst |\n|---|---|---|---|---|\n".to_owned();
    for standing in standings(rows) {
        let Standing {
            name,
            clock,
            asked,
            cases,
            met,
            worst,
        } = standing;
        let (clock, asked) = (if clock { "with" } else { "without" }, asked.text());
        let _infallible = writeln!(
            text,
            "| {name} | {clock} | {asked} | {met} of {cases} cases | {:.2}: `{}` |",
            worst.0, worst.1
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::cases::every;
    use super::*;

    fn row(case: Case, tally: Tally) -> Row {
        Row {
            case,
            tally,
            failures: Vec::new(),
        }
    }

    #[test]
    fn every_goal_is_asked_with_a_clock_and_without() {
        for goal in &GOALS {
            for clock in [true, false] {
                let here = |case: &Case| case.cell.clock == clock && (goal.asked)(case).is_some();
                assert!(every().iter().any(here), "{}, clock {clock}", goal.name);
            }
        }
    }

    #[test]
    fn a_goal_is_missed_where_a_figure_is_out_of_bounds() {
        let named = |name: &str| {
            every()
                .into_iter()
                .find(|case| case.name() == name)
                .unwrap()
        };
        let tally = |exact| Tally {
            games: 10,
            exact,
            ..Tally::default()
        };
        let case = named("piece-tidy-ideal-noclock-played-on");
        let good = table(&[row(case, tally(10))]);
        assert!(
            good.contains("| without | >= 99.5 | 1 of 1 cases | 100.00:"),
            "{good}"
        );
        let both = table(&[
            row(case, tally(10)),
            row(named("colour-human-poor-noclock-played-on"), tally(9)),
        ]);
        let told = "| 1 of 2 cases | 90.00: `colour-human-poor-noclock-played-on` |";
        assert!(both.contains(told), "{both}");
    }
}
