//! What is told of a file that is loaded, which of several is filled in, and what no event has.

mod common;

use common::play;
use tournament::{Act, MOST_ROUNDS, Oddity, Place, Plan, Tournament, Unplanned, load, told, write};

const FILE: &str = "\
012 Harbour Open
001    1 m    Berg, Anna                        2250 GER     1000001             0.0    1     3 w  
001    2 m    Dupont, Emil                      2200 GER     1000002             0.0    2     4 w  
001    3 m    Ek, Freja                         2150 GER     1000003             0.0    3     1 b  
001    4 m    Cole, Ben                         2100 GER     1000004             0.0    4     2 b  
";
const SECOND: &str = "table,white_no,white,black_no,black\n1,3,\"Ek, Freja\",1,\"Berg, Anna\"\n";

fn plan(event: &Tournament, file: &str, round: u16, name: &str) -> Result<Plan, Unplanned> {
    let sheet = load::read(file.as_bytes(), Some(round)).expect("a sheet");
    let place = Place {
        round: Some(round),
        file: Some(name.to_owned()),
        ..Place::default()
    };
    Plan::of(event, &sheet, &place)
}

fn loaded(event: &mut Tournament, file: &str, round: u16, name: &str) -> Plan {
    let plan = plan(event, file, round, name).expect("a plan");
    let done = plan.acts.iter().try_for_each(|act| event.apply(act));
    done.expect("acts of the plan");
    plan
}

#[test]
fn of_report_files_that_say_the_same_the_last_one_is_kept_for_the_results() {
    let mut event = Tournament::default();
    let last = |event: &Tournament| event.rounds[&1].files.last().map(|last| last.file.clone());
    for name in ["A", "B", "A"] {
        loaded(&mut event, FILE, 1, name);
        assert_eq!(last(&event).as_deref(), Some(name));
    }
    let again = loaded(&mut event, FILE, 1, "A");
    assert!(again.acts.is_empty(), "nothing changes: {:?}", again.acts);
}

#[test]
fn who_enters_is_told_by_name_and_a_first_field_by_its_number() {
    let mut event = Tournament::default();
    let first = loaded(&mut event, FILE, 1, "A");
    assert_eq!(
        told(&first.changes, event.players.len()),
        ["4 players enter"]
    );
    let late = format!("{SECOND}2,5,Müller,6,Ivan Ivanov\n");
    let second = loaded(&mut event, &late, 2, "B");
    assert_eq!(
        told(&second.changes, event.players.len()),
        ["player 5 enters: Müller", "player 6 enters: Ivan Ivanov"]
    );
}

#[test]
fn a_round_that_no_event_has_is_refused_with_its_line() {
    let mut event = Tournament::default();
    loaded(&mut event, FILE, 1, "A");
    let refused = plan(&event, SECOND, 65_535, "B").expect_err("too high");
    let what = refused.to_string();
    assert_eq!(what, "line 2: round 65535: no event has more than 500");
    event.details.rounds = Some(3);
    let last = loaded(&mut event, SECOND, MOST_ROUNDS, "B");
    let told: Vec<String> = last.oddities.iter().map(ToString::to_string).collect();
    let beyond = "the event is to have 3 rounds, and this is round 500".to_owned();
    assert!(told.contains(&beyond), "{told:?}");
    let filled = write::trf(&event, MOST_ROUNDS, FILE.as_bytes()).expect("a file");
    let text = String::from_utf8(filled.bytes).expect("UTF-8");
    let room = 91 + 10 * usize::from(MOST_ROUNDS - 1);
    let white = text.lines().nth(3).expect("Freja");
    assert_eq!(&white[room..], "   1 w  ");
}

#[test]
fn a_pairing_without_a_result_has_all_its_columns() {
    let mut event = Tournament::default();
    loaded(&mut event, FILE, 1, "A");
    play(&mut event, 1, &[(1, "1-0"), (2, "1-0")]);
    let late = format!("{SECOND}2,4,\"Cole, Ben\",5,Fox\n");
    loaded(&mut event, &late, 2, "B");
    let filled = write::trf(&event, 1, FILE.as_bytes()).expect("a file");
    let filled = write::trf(&event, 2, &filled.bytes).expect("a file");
    let text = String::from_utf8(filled.bytes).expect("UTF-8");
    for (line, cell) in [(1, "     3 b  "), (3, "     1 w  "), (5, "     4 b  ")] {
        let line = text.lines().nth(line).expect("a player");
        assert!(line.ends_with(cell), "{line:?}");
        assert_eq!(line.chars().count(), 109, "{line:?}");
    }
}

#[test]
fn a_pgn_may_begin_with_comments_and_what_stands_behind_it_is_told() {
    let game = "[Event \"X\"]\n[Round \"1.1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n";
    let file = format!(";hello\n% escaped\n{game}{{not\nplayed}} *\n; a comment\n\ngarbage here\n");
    let sheet = load::read(file.as_bytes(), None).expect("a sheet");
    assert_eq!((sheet.games.len(), sheet.games[0].line), (1, 3));
    let told: Vec<usize> = sheet.passed_over.iter().map(|fault| fault.line).collect();
    assert_eq!(told, [13]);
    let clean = format!("{game}{{a\ncomment}} * {{another\none}}\n");
    let sheet = load::read(clean.as_bytes(), None).expect("a sheet");
    assert_eq!(sheet.passed_over, []);
}

/// The pair of a begun table is at another one in the file.
#[test]
fn a_pair_that_has_begun_elsewhere_is_refused_with_its_line() {
    let mut event = Tournament::default();
    loaded(&mut event, FILE, 1, "A");
    let at = String::new();
    let start = Act::StartRound { round: 1, at };
    let game = "a game".to_owned();
    let begin = Act::Begin {
        round: 1,
        table: 1,
        game,
    };
    for act in [start, begin] {
        event.apply(&act).expect("it begins");
    }
    let moved = "table,white_no,white,black_no,black\n3,1,\"Berg, Anna\",3,\"Ek, Freja\"\n\
                 2,2,\"Dupont, Emil\",4,\"Cole, Ben\"\n";
    let refused = plan(&event, moved, 1, "B").expect_err("it has begun");
    let what = refused.to_string();
    assert!(
        what.starts_with("line 2: table 1 of round 1 has begun"),
        "{what}"
    );
}

/// A list has two of the players: the others are entered too, and told to be in no pairing.
#[test]
fn whom_a_list_does_not_draw_is_entered_and_told() {
    let report: String = (1..=4).map(line_of).collect();
    let players = || load::players(report.as_bytes()).expect("players");
    let planned = |event: &Tournament, list: &str| {
        let mut sheet = load::read(list.as_bytes(), Some(1)).expect("a list");
        sheet.complete(players());
        let place = Place {
            round: Some(1),
            ..Place::default()
        };
        Plan::of(event, &sheet, &place).expect("a plan")
    };
    let mut event = Tournament::default();
    let plan = planned(&event, "1\n3 2\n");
    for act in &plan.acts {
        event.apply(act).expect("an act");
    }
    let names: Vec<&str> = event.players.values().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["Player, 1", "Player, 2", "Player, 3", "Player, 4"]);
    assert_eq!(plan.pairings.len(), 1);
    for player in [1, 4] {
        let told = Oddity::NotDrawn { player };
        assert!(plan.oddities.contains(&told), "{:?}", plan.oddities);
    }
    assert_eq!(planned(&event, "1\n3 2\n").changes, []);
    // A file that has names is one of the same players.
    let plan = planned(&event, "white,black\n1 Player,\"Player, 4\"\n");
    let drawn: Vec<_> = plan.pairings.iter().map(|p| (p.white, p.black)).collect();
    assert_eq!(drawn, [(1, Some(4))]);
    let fresh = planned(
        &Tournament::default(),
        "white,black\n1 Player,\"Player, 4\"\n",
    );
    let drawn: Vec<_> = fresh.pairings.iter().map(|p| (p.white, p.black)).collect();
    assert_eq!(drawn, [(1, Some(4))]);
    let refused = load::players(two_of_one_number().as_bytes()).expect_err("two of one number");
    assert!(
        refused.to_string().contains("has the FIDE number"),
        "{refused}"
    );
}

fn line_of(number: u16) -> String {
    let name = format!("Player, {number}");
    format!(
        "001 {number:>4} m    {name:<33} 2000 GER {:>11} {:10}  0.0 {number:>4}\n",
        "", ""
    )
}

fn two_of_one_number() -> String {
    let line =
        |number| line_of(number).replace(&" ".repeat(24), &format!(" {:>11}{:12}", 4600001, ""));
    [line(1), line(2)].concat()
}
