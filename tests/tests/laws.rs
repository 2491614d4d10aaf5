//! `docs/laws.md` says what each edition of the Laws rules, where it stands, what the arbiter makes
//! of it and which scenarios pin it down. This keeps it true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use arbiter_core::input::{ArbiterAction, Edition, TimeClass};
use arbiter_core::irregularity::{Certainty, Code, Reason};
use arbiter_core::laws::{self, Rule};
use arbiter_core::ruling::{Announcement, GameResult, Irregularity, Ruling};
use arbiter_core::{Input, Time};
use daemon::mating::Follower;
use tests::scenario::{self, Numbers, Orientation, Scenario, Variant, year_of};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/laws.md")
}

/// A row of the tables under "Rules".
struct Row {
    number: String,
    older: String,
    files: String,
    codes: BTreeSet<String>,
    directories: BTreeSet<String>,
}

/// The tables under a heading, without their head lines.
fn tables(heading: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(page()).unwrap();
    let part = text
        .split("\n## ")
        .find(|part| part.starts_with(heading))
        .unwrap();
    let cells = |line: &str| {
        line.trim_matches('|')
            .split('|')
            .map(|c| c.trim().to_owned())
            .collect::<Vec<_>>()
    };
    let lines: Vec<&str> = part.lines().collect();
    let is_head = |n: usize| {
        lines[n].starts_with("|--") || lines.get(n + 1).is_some_and(|next| next.starts_with("|--"))
    };
    (0..lines.len())
        .filter(|n| lines[*n].starts_with('|') && !is_head(*n))
        .map(|n| cells(lines[n]))
        .collect()
}

fn rows() -> Vec<Row> {
    let list = |cell: &str| {
        cell.split(", ")
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect::<BTreeSet<_>>()
    };
    let of = |cells: Vec<String>| {
        let [number, older, _, files, codes, scenarios] = cells.as_slice() else {
            panic!("six columns: {cells:?}")
        };
        let directories = list(scenarios)
            .iter()
            .map(|link| linked(link, "../tests/scenarios/"))
            .collect();
        let codes = list(codes)
            .iter()
            .map(|code| code.trim_matches('`').to_owned())
            .collect();
        Row {
            number: number.clone(),
            older: older.clone(),
            files: files.clone(),
            codes,
            directories,
        }
    };
    tables("Rules").into_iter().map(of).collect()
}

/// The name of a link that goes to the directory or file of that name.
fn linked(link: &str, base: &str) -> String {
    let name = link.trim_start_matches('[').split(']').next().unwrap();
    assert!(link == format!("[{name}]({base}{name})"), "{link}");
    name.to_owned()
}

fn row_of(rows: &[Row], number: &str) -> usize {
    let found: Vec<usize> = (0..rows.len())
        .filter(|n| rows[*n].number == number)
        .collect();
    assert_eq!(
        found.len(),
        1,
        "docs/laws.md has {} rows for {number}",
        found.len()
    );
    found[0]
}

/// The numbers of a rule before 2023, as `1974 8a, 1997-2014 4.3a`; those of 2017 and 2018 only
/// where they differ.
fn older_numbers(rule: Rule) -> String {
    let newest = laws::of(Edition::Fide2023).article(rule).number;
    let mut spans: Vec<(Edition, Edition, String)> = Vec::new();
    for edition in Edition::ALL.into_iter().filter(|e| *e < Edition::Fide2023) {
        let Some(article) = laws::of(edition).find_article(rule) else {
            continue;
        };
        let number = format!(
            "{}{}",
            article.number,
            if article.unconfirmed { "?" } else { "" }
        );
        if edition >= Edition::Fide2017 && number == newest {
            continue;
        }
        let before = Edition::ALL.into_iter().rfind(|e| *e < edition);
        match spans.last_mut() {
            Some((_, last, same)) if *same == number && before == Some(*last) => *last = edition,
            _ => spans.push((edition, edition, number)),
        }
    }
    let years = |a: &Edition, b: &Edition| {
        if a == b {
            year_of(*a)
        } else {
            format!("{}-{}", year_of(*a), year_of(*b))
        }
    };
    spans
        .iter()
        .map(|(a, b, number)| format!("{} {number}", years(a, b)))
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn every_rule_has_its_row_with_its_numbers() {
    let rows = rows();
    for rule in Rule::ALL {
        let row = &rows[row_of(&rows, laws::of(Edition::Fide2023).article(rule).number)];
        assert_eq!(row.older, older_numbers(rule), "{rule:?}");
    }
}

#[test]
fn the_numbers_read_by_people_are_those_of_the_program() {
    for rule in Rule::ALL {
        let newest = laws::of(Edition::Fide2023).article(rule).number;
        for edition in Edition::ALL {
            let ours = laws::of(edition)
                .find_article(rule)
                .map(|a| (a.number, a.unconfirmed));
            assert_eq!(
                Numbers::get().find(newest, edition),
                ours,
                "{rule:?} in {edition:?}"
            );
        }
    }
    let rows = rows();
    for number in Numbers::get().rules() {
        row_of(&rows, number);
    }
}

#[test]
fn every_directory_of_scenarios_is_linked_and_every_link_leads_somewhere() {
    let files = scenario::files(&scenario::directory()).unwrap();
    let directories: BTreeSet<String> = files
        .iter()
        .map(|f| Scenario::load(f).unwrap().article)
        .collect();
    let rows = rows();
    let linked: BTreeSet<String> = rows
        .iter()
        .flat_map(|row| row.directories.clone())
        .collect();
    assert_eq!(linked, directories);
    for number in &directories {
        assert!(
            rows[row_of(&rows, number)].directories.contains(number),
            "{number} is not linked in its own row"
        );
    }
    for row in &rows {
        let targets = row
            .files
            .split(['(', ')'])
            .filter(|part| part.ends_with(".rs"));
        let files: Vec<PathBuf> = targets.map(|file| page().with_file_name(file)).collect();
        assert!(
            !files.is_empty() && files.iter().all(|f| f.exists()),
            "{}: {}",
            row.number,
            row.files
        );
    }
}

/// For each code the directories of the scenarios that expect it.
fn told() -> BTreeMap<String, BTreeSet<String>> {
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in scenario::files(&scenario::directory()).unwrap() {
        let text = std::fs::read_to_string(&file).unwrap();
        let directory = Scenario::load(&file).unwrap().article;
        for code in Code::ALL
            .iter()
            .filter(|code| text.contains(&format!("\"{code} by ")))
        {
            told.entry(code.name().to_owned())
                .or_default()
                .insert(directory.clone());
        }
    }
    told
}

#[test]
fn every_code_stands_in_the_row_of_its_article_and_a_scenario_there_tells_it() {
    let (rows, told) = (rows(), told());
    for code in Code::ALL {
        let number = laws::of(Edition::Fide2023).article_of_code(code).number;
        let row = &rows[row_of(&rows, number)];
        let in_its_row = told
            .get(code.name())
            .is_some_and(|d| d.iter().any(|d| row.directories.contains(d)));
        assert!(
            in_its_row,
            "no scenario in the row of {number} tells {code}"
        );
        assert!(
            row.codes.contains(code.name()),
            "{code} is not in the row of {number}"
        );
    }
    for row in &rows {
        for code in &row.codes {
            assert!(
                told.get(code)
                    .is_some_and(|d| !d.is_disjoint(&row.directories)),
                "{}: `{code}`",
                row.number
            );
        }
    }
}

#[test]
fn the_editions_and_their_penalties_are_those_of_the_program() {
    let editions = tables("# The Laws in the program");
    let ours: Vec<Vec<String>> = Edition::ALL
        .map(|e| {
            vec![
                format!("`fide-{}`", year_of(e)),
                laws::of(e).in_force.to_owned(),
            ]
        })
        .into();
    assert_eq!(editions, ours);
    let columns = [
        (TimeClass::Standard, true),
        (TimeClass::Rapid, true),
        (TimeClass::Rapid, false),
        (TimeClass::Blitz, true),
        (TimeClass::Blitz, false),
    ];
    let row = |e: Edition| {
        std::iter::once(year_of(e))
            .chain(columns.map(|(c, s)| cost(e, c, s)))
            .collect::<Vec<_>>()
    };
    assert_eq!(tables("Penalties"), Edition::ALL.map(row));
}

/// What an edition says, field by field: `unsupervised.redress`, `OnClaim`. Read from the `Debug`
/// form of [`laws::Laws`], which leaves none out.
fn fields(laws: &laws::Laws) -> Vec<(String, String)> {
    let (mut within, mut fields) = (Vec::new(), Vec::new());
    for mut part in format!("{laws:?}").split(", ").map(str::to_owned) {
        while let Some((head, rest)) = part.split_once(" { ") {
            within.extend(head.split_once(": ").map(|(name, _type)| name.to_owned()));
            part = rest.to_owned();
        }
        let (name, value) = part.split_once(": ").unwrap();
        let path = [&within[..], &[name.to_owned()]].concat().join(".");
        fields.push((path, written(value.trim_end_matches(" }"))));
        let closed = value.matches(" }").count();
        within.truncate(within.len().saturating_sub(closed));
    }
    fields.retain(|(name, _)| !["edition", "in_force", "cite"].contains(&name.as_str()));
    fields
}

/// `10` of `Some(10)`, `-` of `None`, `yes` of `true`.
fn written(value: &str) -> String {
    match value.trim_start_matches("Some(").trim_end_matches(')') {
        "None" => "-".to_owned(),
        "true" => "yes".to_owned(),
        "false" => "no".to_owned(),
        number if number.parse::<u64>().is_ok() => number.to_owned(),
        _ => value.to_owned(),
    }
}

#[test]
fn every_field_of_every_edition_is_on_the_page() {
    let all: Vec<Vec<(String, String)>> = Edition::ALL.map(|e| fields(laws::of(e))).into();
    let page = tables("What each edition rules");
    let mut expected = String::new();
    for (n, (name, _)) in all[0].iter().enumerate() {
        let cells: Vec<&str> = all.iter().map(|e| e[n].1.as_str()).collect();
        let label = format!("`{name}`");
        let about = page
            .iter()
            .find(|row| row[1] == label)
            .map_or("", |row| row[0].as_str());
        let about = if about.is_empty() {
            "SAY WHAT IT IS"
        } else {
            about
        };
        expected += &format!("| {about} | {label} | {} |\n", cells.join(" | "));
    }
    let written: String = page
        .iter()
        .map(|row| format!("| {} |\n", row.join(" | ")))
        .collect();
    assert!(
        written == expected && !expected.contains("SAY WHAT IT IS"),
        "docs/laws.md, \"What each edition rules\", should be:\n\n{expected}"
    );
}

/// `+2, third loses*`, or `none`.
fn cost(edition: Edition, class: TimeClass, supervised: bool) -> String {
    let offence = laws::of(edition).offence(class, supervised);
    let time = (offence.opponent_ms > 0).then(|| format!("+{}", offence.opponent_ms / 60_000));
    let spared = if offence.spared { "*" } else { "" };
    let end = offence.loses.map(|n| {
        format!(
            "{} loses{spared}",
            ["first", "second", "third"][n as usize - 1]
        )
    });
    let parts: Vec<String> = time.into_iter().chain(end).collect();
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join(", ")
    }
}

/// What the arbiter finds of his own accord in a scenario.
struct Told {
    at: Time,
    found: Irregularity,
    /// The game had its result.
    after_the_end: bool,
}

fn found(scenario: &Scenario, variant: Variant) -> Vec<Told> {
    let (mut follower, mut told, mut over) = (Follower::new(), Vec::new(), false);
    for event in scenario::script(scenario, variant).unwrap() {
        let mut said: Vec<Announcement> = Vec::new();
        let _told_as_rulings = follower.handle(&event, &mut said);
        for Announcement { at, ruling, .. } in said {
            match (ruling, &event.input) {
                (Ruling::Irregularity(i), Input::Arbiter(ArbiterAction::Report { code, .. }))
                    if i.code == *code => {}
                (Ruling::Irregularity(found), _) => told.push(Told {
                    at,
                    found,
                    after_the_end: over,
                }),
                (
                    Ruling::Result {
                        result, proposed, ..
                    },
                    _,
                ) => over = !proposed && result != GameResult::Open,
                _ => {}
            }
        }
    }
    told
}

#[test]
fn no_finding_is_surer_than_its_board_allows_and_one_act_is_one_finding() {
    let certainty = |cell: &str| match cell {
        "-" => None,
        "possible" => Some(Certainty::Possible),
        "likely" => Some(Certainty::Likely),
        "certain" => Some(Certainty::Certain),
        other => panic!("{other}"),
    };
    let table = tables("How sure a finding can be");
    let codes: Vec<String> = Code::ALL.iter().map(|code| format!("`{code}`")).collect();
    assert_eq!(
        table.iter().map(|row| row[0].clone()).collect::<Vec<_>>(),
        codes
    );
    let rank = |code: Code| {
        let named = format!("`{code}`");
        tables("Which finding comes first")
            .iter()
            .position(|row| row[2].contains(&named))
    };
    let mut most: BTreeMap<(Code, usize), Certainty> = BTreeMap::new();
    for file in scenario::files(&scenario::directory()).unwrap() {
        let scenario = Scenario::load(&file).unwrap();
        for variant in Variant::all(&scenario)
            .into_iter()
            .filter(|v| v.orientation == Orientation::AsWritten)
        {
            let told = found(&scenario, variant);
            let column = if variant.clock {
                1 + variant.sensor as usize
            } else {
                4
            };
            for (
                n,
                Told {
                    at,
                    found,
                    after_the_end,
                },
            ) in told.iter().enumerate()
            {
                let place = format!("{} {} [{variant}]", found.code, file.display());
                let allowed = certainty(&table[found.code as usize][column]);
                assert!(
                    Some(found.certainty) <= allowed,
                    "{:?}: {place}",
                    found.certainty
                );
                assert!(!after_the_end, "after the end: {place}");
                let same_act =
                    |t: &&Told| (t.at, t.found.by, t.found.ply) == (*at, found.by, found.ply);
                for other in told[..n].iter().filter(same_act) {
                    assert_eq!(
                        rank(other.found.code),
                        rank(found.code),
                        "beside {}: {place}",
                        other.found.code
                    );
                }
                let known = most.entry((found.code, column)).or_insert(found.certainty);
                *known = found.certainty.max(*known);
            }
        }
    }
    for (row, code) in table.iter().zip(Code::ALL) {
        for (column, cell) in row.iter().enumerate().take(4).skip(1) {
            assert_eq!(
                most.get(&(code, column)).copied(),
                certainty(cell),
                "{code}: what scenarios say at most"
            );
        }
    }
}

#[test]
fn every_reason_of_an_illegal_move_has_its_row() {
    let rows = tables("Breaches that are told under another name")
        .into_iter()
        .filter(|row| row.len() == 3);
    let written: Vec<Reason> = rows
        .map(|row| serde_json::from_str(&row[0].replace('`', "\"")).unwrap())
        .collect();
    assert_eq!(written, Reason::ALL);
}
