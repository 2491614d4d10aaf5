//! The figures as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use board_driver::hand::{Departure, Style};
use board_driver::noise::LEVELS;

use super::bench::Row;
use super::cases::Kind;
use super::goals;
use super::tally::{Findings, Strayed, Tally, Told, True};

/// Everything as Markdown: every kind of case with a clock and without one, then the goals.
pub fn tables(rows: &[Row]) -> String {
    let mut text = String::new();
    for (clock, title) in [(true, "With a clock"), (false, "Without a clock")] {
        for kind in Kind::ALL {
            let of_kind = |row: &&Row| row.case.kind == kind && row.case.cell.clock == clock;
            let rows: Vec<&Row> = rows.iter().filter(of_kind).collect();
            if rows.is_empty() {
                continue;
            }
            let (title, table) = match kind {
                Kind::Play => (title.to_owned(), played(&rows) + "\n" + &alarms(&rows)),
                Kind::Breaches => (
                    format!("{title}: breaches"),
                    breaches(&rows) + "\n" + &by_code(&rows),
                ),
                Kind::PlayedOn => (
                    format!("{title}: played on after an illegal move"),
                    played_on(&rows),
                ),
                Kind::TwoGames => (
                    format!("{title}: two games, no result between"),
                    two_games(&rows),
                ),
                Kind::Departures => (format!("{title}: off the script"), departures(&rows)),
            };
            let _infallible = write!(text, "### {title}\n\n{table}\n");
        }
    }
    let _infallible = write!(text, "### Goals\n\n{}\n", goals::table(rows));
    text
}

const PLAYED: &str = "\
| sensors | hands | noise | games exact | of them nothing in doubt | plies wrong | wrong and \
    final | undecided (promotions) | revised \
| false certain / likely / possible | alarms in 40 games | needless questions a game \
| picture: exact, wrong | squares: exact, wrong | lifts: \
    exact, wrong |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

fn played(rows: &[&Row]) -> String {
    let mut text = PLAYED.to_owned();
    for row in rows {
        let t = &row.tally;
        let (exact, decided) = (share(t.exact, t.games), share(t.decided, t.games));
        let undecided = format!("{} ({})", t.undecided, t.undecided_promotions);
        let baselines = t
            .baselines
            .map(|b| format!("{}, {}", share(b.exact, t.games), b.wrong))
            .join(" | ");
        let (wrong, last, revised, unfounded) =
            (t.wrong, t.wrong_and_final, t.revised, findings(t.unfounded));
        let alarms = rate(t.alarms.values().sum(), t.games, 40);
        let needless = rate(t.needless, t.games, 1);
        let _infallible = writeln!(
            text,
            "| {} | {exact} | {decided} | {wrong} | {last} | {undecided} | {revised} | \
            {unfounded} | {alarms} | {needless} | {baselines} |",
            head(row)
        );
    }
    text
}

const BREACHES: &str = "\
| sensors | hands | noise | injected | found certain / likely / possible | under another name | \
    missed \
| false certain / likely / possible | true certain / likely / possible \
| games exact | plies wrong | wrong and final |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

fn breaches(rows: &[&Row]) -> String {
    let mut text = BREACHES.to_owned();
    for row in rows {
        let t = &row.tally;
        let (exact, unfounded) = (share(t.exact, t.games), findings(t.unfounded));
        let told = told(t.told());
        let (wrong, last) = (t.wrong, t.wrong_and_final);
        let _infallible = writeln!(
            text,
            "| {} | {told} | {unfounded} | {} | {exact} | {wrong} | {last} |",
            head(row),
            truth(t.findings)
        );
    }
    text
}

const PLAYED_ON: &str = "\
| sensors | hands | noise | games exact | plies wrong | illegal moves \
| found certain / likely / possible | under another name | missed | certain and withdrawn \
| games in which an innocent is accused | true certain / likely / possible |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

fn played_on(rows: &[&Row]) -> String {
    let mut text = PLAYED_ON.to_owned();
    for row in rows {
        let t = &row.tally;
        let (exact, wrong, told) = (share(t.exact, t.games), t.wrong, told(t.told()));
        let (withdrawn, accused, truth) = (t.withdrawn, t.accused, truth(t.findings));
        let _infallible = writeln!(
            text,
            "| {} | {exact} | {wrong} | {told} | {withdrawn} | {accused} | {truth} |",
            head(row)
        );
    }
    text
}

const TWO_GAMES: &str = "\
| sensors | hands | noise | first game exact | second game exact \
| false certain / likely / possible | alarms in 40 pairs | questions a pair |
|---|---|---|---|---|---|---|---|
";

fn two_games(rows: &[&Row]) -> String {
    let mut text = TWO_GAMES.to_owned();
    for row in rows {
        let t = &row.tally;
        let (first, second) = (share(t.exact, t.games), share(t.second_exact, t.games));
        let unfounded = findings(t.unfounded);
        let alarms = rate(t.alarms.values().sum(), t.games, 40);
        let asked = rate(t.questions.values().sum(), t.games, 1);
        let _infallible = writeln!(
            text,
            "| {} | {first} | {second} | {unfounded} | {alarms} | {asked} |",
            head(row)
        );
    }
    text
}

const DEPARTURES: &str = "\
| what hands do | sensors | games | exact | breaches | found certain / likely / possible \
| under another name | missed | false alarms | certain and withdrawn \
| games in which an innocent is accused | questions | results told |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// By what hands do, all hands and noises together.
fn departures(rows: &[&Row]) -> String {
    let mut sums: BTreeMap<(Departure, String), Strayed> = BTreeMap::new();
    for row in rows {
        let sensor = format!("{:?}", row.case.cell.sensor).to_lowercase();
        for (way, strayed) in &row.tally.departures {
            *sums.entry((*way, sensor.clone())).or_default() += *strayed;
        }
    }
    let mut text = DEPARTURES.to_owned();
    for ((way, sensor), sum) in sums {
        let Strayed {
            games,
            alarms,
            withdrawn,
            accused,
            questions,
            results,
            ..
        } = sum;
        let (exact, told) = (share(sum.exact, games), told(sum.told));
        let _infallible = writeln!(
            text,
            "| {way} | {sensor} | {games} | {exact} | {told} | {alarms} | {withdrawn} | {accused} \
            | {questions} | {results} |"
        );
    }
    text
}

const ALARMS: &str = "\
| sensors | noise | false alarms in 40 innocent games, by kind |
|---|---|---|
";

/// False alarms by kind, of all hands but those of blitz together.
fn alarms(rows: &[&Row]) -> String {
    let mut sums: BTreeMap<(String, u8), Tally> = BTreeMap::new();
    for row in rows {
        let sensor = format!("{:?}", row.case.cell.sensor).to_lowercase();
        if row.case.cell.style != Style::Blitz {
            *sums.entry((sensor, row.case.cell.noise)).or_default() += &row.tally;
        }
    }
    let mut text = ALARMS.to_owned();
    for ((sensor, noise), tally) in sums {
        let noise = LEVELS[usize::from(noise)];
        let kinds: Vec<String> = tally
            .alarms
            .iter()
            .map(|(code, count)| format!("{code} {}", rate(*count, tally.games, 40)))
            .collect();
        let kinds = if kinds.is_empty() {
            "none".to_owned()
        } else {
            kinds.join(", ")
        };
        let _infallible = writeln!(text, "| {sensor} | {noise} | {kinds} |");
    }
    text
}

fn by_code(rows: &[&Row]) -> String {
    let mut codes: BTreeMap<_, Told> = BTreeMap::new();
    for row in rows {
        let sensor = format!("{:?}", row.case.cell.sensor).to_lowercase();
        for (code, told) in &row.tally.breaches {
            *codes.entry((*code, sensor.clone())).or_default() += *told;
        }
    }
    let mut text =
        "| breach | sensors | injected | found certain / likely / possible | under another name | \
        missed |\n\
                    |---|---|---|---|---|---|\n"
            .to_owned();
    for ((code, sensor), sum) in codes {
        let _infallible = writeln!(text, "| {code} | {sensor} | {} |", told(sum));
    }
    text
}

fn head(row: &Row) -> String {
    row.case
        .name()
        .split('-')
        .take(3)
        .collect::<Vec<_>>()
        .join(" | ")
}

fn told(told: Told) -> String {
    format!(
        "{} | {} | {} | {}",
        told.injected,
        findings(told.found),
        told.misnamed,
        told.missed
    )
}

fn findings(found: Findings) -> String {
    format!("{} / {} / {}", found.certain, found.likely, found.possible)
}

/// What share of the findings is true.
fn truth(found: True) -> String {
    let True { good, all } = found;
    let share = |good, all| {
        if all == 0 {
            "-".to_owned()
        } else {
            share(good, all)
        }
    };
    format!(
        "{} / {} / {}",
        share(good.certain, all.certain),
        share(good.likely, all.likely),
        share(good.possible, all.possible)
    )
}

/// How many there are in `each` games.
fn rate(count: u64, games: u64, each: u64) -> String {
    let hundredths = count * each * 100 / games.max(1);
    format!("{}", hundredths as f64 / 100.0)
}

/// Per cent that are rounded up to 100 only when they are all.
fn share(part: u64, whole: u64) -> String {
    if part == whole {
        return "100 %".to_owned();
    }
    let percent = (part * 10_000 / whole.max(1)) as f64 / 100.0;
    format!("{percent} %")
}
