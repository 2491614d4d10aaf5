//! `CONTRIBUTING.md` lists, for what is added most often, the files that are changed. This keeps
//! the lists true: every file is there, and what there is today is named where they say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arbiter_core::input::Edition;
use arbiter_core::irregularity::Code;
use arbiter_core::settings::Language;
use board_driver::BoardKind;
use tests::scenario::year_of;

const EDITION: &str = "An edition of the Laws";
const BREACH: &str = "A breach";
const KIND: &str = "A kind of board";
const ACTION: &str = "An action of the arbiter's in the console";
const LANGUAGE: &str = "A language";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The files of each list, by its heading.
fn lists() -> BTreeMap<String, Vec<String>> {
    let text = read("CONTRIBUTING.md");
    let section = text
        .split("\n## ")
        .find(|part| part.starts_with("Where do I change what"))
        .expect("the section");
    let list = |part: &str| {
        let (heading, rows) = part.split_once('\n').expect("a list");
        let first = |row: &str| row.split('|').nth(1).unwrap_or_default().to_owned();
        let cells = rows.lines().filter(|l| l.starts_with("| `")).map(first);
        let files = cells.flat_map(|cell| {
            let quoted = cell.split('`').skip(1).step_by(2).map(str::to_owned);
            quoted.collect::<Vec<_>>()
        });
        (heading.to_owned(), files.collect())
    };
    section.split("\n### ").skip(1).map(list).collect()
}

/// The word by which a value is known to scripts and configurations.
fn word(value: impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).expect("a word");
    value.as_str().expect("a word").to_owned()
}

fn languages() -> Vec<String> {
    Language::ALL.map(word).into()
}

/// What the arbiter can order, as the interface describes it.
fn actions() -> Vec<String> {
    let document = daemon::http::document();
    let all = document["components"]["schemas"]["ArbiterAction"]["oneOf"].as_array();
    let name = |one: &serde_json::Value| word(&one["properties"]["action"]["const"]);
    all.expect("the actions").iter().map(name).collect()
}

/// `let-stand` as `LetStand`.
fn variant(name: &str) -> String {
    let capital = |part: &str| part[..1].to_uppercase() + &part[1..];
    name.split('-').map(capital).collect()
}

/// The files that a path with its placeholders stands for.
fn resolved(path: &str) -> Vec<String> {
    let years = || Edition::ALL.map(year_of).into();
    let kinds = || BoardKind::ALL.iter().map(|kind| kind.name().to_owned());
    let here = |path: &String| root().join(path).exists();
    let filled = |place: &str, words: Vec<String>| -> Vec<String> {
        words.iter().map(|w| path.replace(place, w)).collect()
    };
    match path {
        _ if path.contains("YYYY") => filled("YYYY", years()),
        _ if path.contains("<xx>") => filled("<xx>", languages()),
        // Some kinds share a file or have a directory.
        _ if path.contains("<kind>") => {
            let all = filled("<kind>", kinds().collect());
            all.into_iter().filter(here).collect()
        }
        _ => vec![path.replace("<article>", "4.3.1")],
    }
}

#[test]
fn every_file_of_the_lists_is_there() {
    let lists = lists();
    let mut headings = [EDITION, BREACH, KIND, ACTION, LANGUAGE];
    headings.sort();
    assert_eq!(lists.keys().collect::<Vec<_>>(), headings);
    for (heading, paths) in &lists {
        assert!(paths.len() > 4, "{heading}: {paths:?}");
        for path in paths {
            let files = resolved(path);
            let missing = files.iter().find(|file| !root().join(file).exists());
            assert!(!files.is_empty() && missing.is_none(), "{heading}: {path}");
        }
    }
}

/// Every text stands in the file, which is on the list.
fn assert_named(heading: &str, path: &str, texts: impl IntoIterator<Item = String>) {
    let listed = &lists()[heading];
    assert!(listed.iter().any(|p| p == path), "{heading}: {path}");
    let texts: Vec<String> = texts.into_iter().collect();
    for file in resolved(path) {
        let content = read(&file);
        for text in &texts {
            assert!(content.contains(text), "{file} does not name {text}");
        }
    }
}

#[test]
fn every_edition_is_named() {
    let names = || Edition::ALL.map(word);
    assert_named(EDITION, "arbiter-core/src/said/input.rs", names());
    assert_named(EDITION, "daemon/types/api.d.ts", names());
    assert_named(
        EDITION,
        "docs/laws.md",
        names().map(|n| format!("| `{n}` |")),
    );
    let editions = "arbiter-core/src/laws/editions/mod.rs";
    let modules = Edition::ALL.map(|e| format!("mod fide_{};", year_of(e)));
    assert_named(EDITION, editions, modules);
    let default = format!("`laws` (`{}`)", word(Edition::default()));
    assert_named(EDITION, "docs/event-script.md", [default]);
    let [oldest, .., newest] = Edition::ALL.map(year_of);
    let years = format!("FIDE Laws, {oldest} to {newest}");
    assert_named(EDITION, "README.md", [years]);
}

#[test]
fn every_breach_is_named() {
    let words = Code::ALL.map(|code| format!("'code.{code}': "));
    assert_named(BREACH, "daemon/console/words/<xx>.mjs", words);
    let sentences = Code::ALL.map(|code| format!("(Code::{code:?}, "));
    assert_named(
        BREACH,
        "arbiter-core/src/message/<xx>/findings.rs",
        sentences,
    );
    let api = "daemon/types/api.d.ts";
    assert_named(BREACH, api, Code::ALL.map(|code| format!("\"{code}\"")));
    let laws = read("docs/laws.md");
    let unseen = Code::ALL.into_iter().filter(|code| {
        let row = format!("| `{code}` | - | - | - | - |");
        laws.contains(&row)
    });
    let unseen: Vec<String> = unseen.map(|code| format!("'{code}'")).collect();
    assert!(!unseen.is_empty());
    assert_named(BREACH, "daemon/console/board/report.mjs", unseen);
}

#[test]
fn every_kind_of_board_is_named() {
    let names = BoardKind::ALL.iter().map(|kind| format!("| `{kind}` |"));
    assert_named(KIND, "docs/boards.md", names);
}

#[test]
fn every_action_is_named() {
    let written = |form: fn(&str) -> String| -> Vec<String> {
        actions().iter().map(|name| form(name)).collect()
    };
    assert!(actions().len() > 5);
    let named = |path, form| assert_named(ACTION, path, written(form));
    named("daemon/console/state/orders.mjs", |n| {
        format!("arbiter('{n}', ")
    });
    named("daemon/console/words/<xx>.mjs", |n| {
        format!("'action.{n}': ")
    });
    named("tests/src/scenario/action.rs", |n| format!("(\"{n}\", "));
    named("tests/src/anything/words.rs", |n| {
        format!("ArbiterAction::{}", variant(n))
    });
    named("arbiter-core/tests/script_format.rs", |n| {
        format!("\"action\":\"{n}\"")
    });
    named("docs/event-script.md", |n| format!("`{n}`"));
    let page = read("tests/README.md");
    let is_row = |line: &&str| line.starts_with("| `arbiter ");
    let row = page.lines().find(is_row).expect("how a scenario orders");
    for name in actions() {
        let mut words = row.split(['`', ' ']);
        assert!(
            words.any(|w| w == name),
            "tests/README.md does not name {name}"
        );
    }
}

#[test]
fn every_language_is_named() {
    let settings = "arbiter-core/src/said/settings.rs";
    assert_named(LANGUAGE, settings, Language::ALL.map(|l| format!("{l:?},")));
    let imports = languages().into_iter().map(|xx| format!("'./{xx}.mjs'"));
    assert_named(LANGUAGE, "daemon/console/words/language.mjs", imports);
    let quoted = languages().into_iter().map(|xx| format!("`{xx}`"));
    assert_named(LANGUAGE, "docs/event-script.md", quoted);
    let page = read("docs/operations.md");
    let is_example = |line: &&str| line.starts_with("language = ");
    let line = page.lines().find(is_example).expect("an example");
    let list = line.split([':', '.']).nth(1).expect("the languages");
    for xx in languages() {
        let mut words = list.split(|c: char| !c.is_alphanumeric());
        assert!(
            words.any(|w| w == xx),
            "docs/operations.md does not name {xx}"
        );
    }
}
