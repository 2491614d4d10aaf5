//! Report files of which only a part is drawn here, and byes that come from elsewhere.

mod common;

use common::play;
use tournament::{Act, How, Place, Plan, ResultCode, Tournament, load, write};

/// A report file of players, each with the cells of his rounds.
fn report(cells: &[&str]) -> String {
    let line = |(number, cells): (usize, &&str)| {
        let name = format!("Player{number}, A");
        format!(
            "001 {number:>4} m    {name:<33} 2000 GER {:>11}{:13}0.0 {number:>4}  {cells}\n",
            1_000_000 + number,
            ""
        )
    };
    let lines: Vec<String> = (1..).zip(cells).map(line).collect();
    format!("012 Open\n142 5\n{}", lines.concat())
}

/// Eight players: the first round is played, and of the second two games are.
const TWO: [&str; 8] = [
    "   5 w 1     6 b  ",
    "   6 w 0     7 b 0",
    "   7 w =     4 w  ",
    "   8 w +     3 b  ",
    "   1 b 0     8 w =",
    "   2 b 1     1 w  ",
    "   3 b =     2 w 1",
    "   4 b -     5 b =",
];

fn load_into(event: &mut Tournament, file: &str, place: &Place) -> Plan {
    let sheet = load::read(file.as_bytes(), place.round).expect("a sheet");
    let plan = Plan::of(event, &sheet, place).expect("a plan");
    plan.acts
        .iter()
        .for_each(|act| event.apply(act).expect("an act"));
    plan
}

fn of_round(round: u16) -> Place {
    Place {
        round: Some(round),
        ..Place::default()
    }
}

/// The file with the results of these rounds, and who is told of each.
fn filled(event: &Tournament, file: &str, rounds: &[u16]) -> (String, Vec<(u16, Vec<u16>)>) {
    let (mut bytes, mut told) = (file.as_bytes().to_vec(), Vec::new());
    for round in rounds {
        let filled = write::trf(event, *round, &bytes).expect("a file");
        bytes = filled.bytes;
        told.push((*round, filled.altered));
    }
    (String::from_utf8(bytes).expect("UTF-8"), told)
}

/// The cells of a player's rounds.
fn cells(file: &str, number: usize) -> &str {
    let line = file.lines().nth(number + 1).expect("a line");
    line.get(91..).unwrap_or_default()
}

#[test]
fn tables_that_were_never_drawn_here_stay_as_they_are_in_the_file() {
    let file = report(&TWO);
    let mut event = Tournament::default();
    let place = Place {
        tables: Some(1..=1),
        ..of_round(2)
    };
    load_into(&mut event, &file, &place);
    let drawn = &event.rounds[&2].pairings;
    let [one, other] = [drawn[0].white, drawn[0].black.expect("a game")];
    play(&mut event, 2, &[(1, "1-0")]);
    let (text, told) = filled(&event, &file, &[2]);
    assert_eq!(told, [(2, vec![])]);
    for number in 1..=8_u16 {
        let (before, after) = (
            cells(&file, number.into()),
            cells(&text, number.into()).to_owned(),
        );
        match [one, other].iter().position(|is| *is == number) {
            Some(0) => assert_eq!(after, format!("{}1", &before[..17])),
            Some(_) => assert_eq!(after, format!("{}0", &before[..17])),
            None => assert_eq!(after, before),
        }
    }
}

#[test]
fn an_earlier_round_that_was_drawn_in_part_stays_as_it_is_in_the_file() {
    let file = report(&TWO);
    let mut event = Tournament::default();
    load_into(
        &mut event,
        "table,white_no,white,black_no,black\n1,1,\"Player1, A\",2,\"Player2, A\"\n",
        &of_round(1),
    );
    play(&mut event, 1, &[(1, "1-0")]);
    load_into(&mut event, &file, &of_round(2));
    let (text, told) = filled(&event, &file, &[1, 2]);
    // Their opponents in the file have nobody any more, and are told.
    assert_eq!(told[0], (1, vec![5, 6]));
    let first = |number: usize| &cells(&text, number)[..8];
    let absent = "0000 - Z";
    assert_eq!(
        [1, 2, 5, 6].map(first),
        ["   2 w 1", "   1 b 0", absent, absent]
    );
    for stays in [3, 4, 7, 8] {
        assert_eq!(first(stays), &TWO[stays - 1][..8]);
    }
    let second = |number: usize| &cells(&text, number)[10..];
    let before = |number: usize| TWO[number - 1][10..].trim_end();
    for number in 1..=8 {
        assert_eq!(second(number).trim_end(), before(number), "{number}");
    }
    // What a file leaves blank between two rounds is its own.
    let blank = file.replace("   3 b =     2 w 1", "             2 w 1");
    let blank = blank.replace("   7 w =     4 w  ", "             4 w  ");
    let (text, _) = filled(&event, &blank, &[1, 2]);
    assert_eq!([3, 7].map(|n| &cells(&text, n)[..8]), ["        "; 2]);
}

#[test]
fn whoever_was_drawn_here_and_is_no_more_has_nobody_in_the_file() {
    let file = report(&["   3 w  ", "   4 w  ", "   1 b  ", "   2 b  "]);
    let mut event = Tournament::default();
    load_into(&mut event, &file, &of_round(1));
    let late = "table,white_no,white,black_no,black\n1,1,\"Player1, A\",3,\"Player3, A\"\n";
    load_into(&mut event, late, &of_round(1));
    let (text, told) = filled(&event, &file, &[1]);
    assert_eq!(told, [(1, vec![2, 4])]);
    assert_eq!([2, 4].map(|n| cells(&text, n).trim()), [""; 2]);
    assert_eq!([1, 3].map(|n| cells(&text, n)), ["   3 w  ", "   1 b  "]);
}

const THIRD: &str = "table,white_no,white,black_no,black,result\n\
                     1,1,\"Player1, A\",4,\"Player4, A\",\n2,7,\"Player7, A\",6,\"Player6, A\",\n\
                     ,2,\"Player2, A\",,bye,U\n,3,\"Player3, A\",,bye,H\n\
                     ,5,\"Player5, A\",,bye,Z\n";

#[test]
fn byes_of_another_file_are_written_and_told() {
    let file = report(&TWO);
    let mut event = Tournament::default();
    load_into(&mut event, &file, &of_round(2));
    play(
        &mut event,
        2,
        &[(1, "1-0"), (2, "1-0"), (3, "1-0"), (4, "½-½")],
    );
    load_into(&mut event, THIRD, &of_round(3));
    play(&mut event, 3, &[(1, "1-0"), (2, "1-0")]);
    let (text, told) = filled(&event, &file, &[2, 3]);
    assert_eq!(told[1], (3, vec![2, 3, 5]));
    let byes = ["0000 - U", "0000 - H", "0000 - Z"];
    assert_eq!([2, 3, 5].map(|n| &cells(&text, n)[20..]), byes);
    assert_eq!(
        cells(&text, 8).trim_end().len(),
        18,
        "nothing is known of 8"
    );
    let fourth = "table,white_no,white,black_no,black\n1,2,\"Player2, A\",3,\"Player3, A\"\n\
                  2,5,\"Player5, A\",8,\"Player8, A\"\n";
    load_into(&mut event, fourth, &of_round(4));
    let (text, _) = filled(&event, &file, &[2, 3, 4]);
    assert_eq!([2, 3, 5].map(|n| &cells(&text, n)[20..28]), byes);
    assert_eq!(&cells(&text, 8)[20..], "0000 - Z     5 b  ");
    // Also where only the last round is filled in.
    let (text, _) = filled(&event, &file, &[4]);
    assert_eq!([2, 3, 5].map(|n| &cells(&text, n)[20..28]), byes);
    let (again, told) = filled(&event, &filled(&event, &file, &[3]).0, &[3]);
    assert_eq!(
        (told, cells(&again, 3)),
        (vec![(3, vec![])], "   7 w =     4 w    0000 - H")
    );
}

#[test]
fn another_bye_than_the_files_is_written_and_told() {
    let file = report(&["   3 w  ", "0000 - U", "   1 b  ", "        ", "0000 - ="]);
    let file = file + "240 H   1    4\n";
    let mut event = Tournament::default();
    load_into(&mut event, &file, &of_round(1));
    // As the file has them nothing is another: half a point is asked for, or told as a draw.
    let same = write::trf(&event, 1, file.as_bytes()).expect("a file");
    assert_eq!(
        (same.bytes, same.altered),
        (file.clone().into_bytes(), vec![])
    );
    let other = "table,white_no,white,black_no,black,result\n1,1,\"Player1, A\",3,\"Player3, A\",\n\
                 ,2,\"Player2, A\",,bye,H\n,4,\"Player4, A\",,bye,Z\n";
    load_into(&mut event, other, &of_round(1));
    let (text, told) = filled(&event, &file, &[1]);
    assert_eq!(told, [(1, vec![2, 4, 5])]);
    assert_eq!([2, 4].map(|n| cells(&text, n)), ["0000 - H", "0000 - Z"]);
    assert_eq!(cells(&text, 5).trim(), "", "he has none any more");
}

/// A list says who plays whom, and whom pairing left over; who asked for a bye stays as the file
/// has it.
#[test]
fn a_list_takes_no_bye_away_that_it_cannot_say() {
    let file = report(&["   2 w  ", "   1 b  ", "0000 - U", "0000 - H", "0000 - Z"]);
    let file = file + "240 H   1    4\n";
    let mut event = Tournament::default();
    load_into(&mut event, &file, &of_round(1));
    load_into(&mut event, "2\n2 1\n3 0\n", &of_round(1));
    let (text, told) = filled(&event, &file, &[1]);
    assert_eq!(told, [(1, vec![])]);
    let his = |text: &str, n| cells(text, n).trim().to_owned();
    assert_eq!([1, 2].map(|n| his(&text, n)), ["2 b", "1 w"]);
    let byes = ["0000 - U", "0000 - H", "0000 - Z"];
    assert_eq!([3, 4, 5].map(|n| cells(&text, n)), byes);
    assert!(text.contains("240 H   1    4\n"), "{text}");
    // Whom pairing leaves over is said by the list, and he who was is that no more.
    load_into(&mut event, "2\n2 3\n1 0\n", &of_round(1));
    let (text, _) = filled(&event, &file, &[1]);
    assert_eq!([1, 3].map(|n| his(&text, n)), ["0000 - U", "2 b"]);
    assert_eq!([4, 5].map(|n| cells(&text, n)), byes[1..]);
}

#[test]
fn who_plays_after_all_has_no_bye_in_the_file_any_more() {
    let file = report(&["   2 w  ", "   1 b  ", "", "", ""]);
    let file = file + "240 H   1    3    4    5\n240 Z   2    3\n";
    let mut event = Tournament::default();
    load_into(&mut event, &file, &of_round(1));
    let place = Place {
        tables: Some(2..=2),
        ..of_round(1)
    };
    let late = "table,white_no,white,black_no,black\n2,4,\"Player4, A\",9,\"Late, Lou\"\n";
    load_into(&mut event, late, &place);
    let (text, _) = filled(&event, &file, &[1]);
    let byes: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("240"))
        .collect();
    assert_eq!(byes, ["240 H   1    3    5", "240 Z   2    3"]);
    let again = load::read(text.as_bytes(), Some(1)).expect("our own file");
    let plan = Plan::of(&event, &again, &Place::default()).expect("a plan");
    assert_eq!(plan.changes, []);
}

/// A result that was taken back here is none, whatever a file says that was written before.
#[test]
fn a_result_that_was_withdrawn_goes_out_of_the_file() {
    let open = report(&["   2 w  ", "   1 b  ", "   4 w  ", "   3 b  ", "0000 - U"]);
    let mut event = Tournament::default();
    load_into(&mut event, &open, &of_round(1));
    let start = Act::StartRound {
        round: 1,
        at: String::new(),
    };
    event.apply(&start).expect("started");
    let result = Act::Result {
        round: 1,
        table: 2,
        codes: ResultCode::both("1-0").expect("a result"),
        how: How::Typed,
        reason: String::new(),
    };
    event.apply(&result).expect("a result");
    let (file, _) = filled(&event, &open, &[1]);
    let codes = |text: &str| [3, 4].map(|n| cells(text, n).trim().to_owned());
    assert_eq!(codes(&file), ["4 w 1", "3 b 0"]);
    // Whoever has entered nothing here keeps what the file has.
    let mut bare = Tournament::default();
    load_into(&mut bare, &open, &of_round(1));
    assert_eq!(
        filled(&bare, &file, &[1]),
        (file.clone(), vec![(1, vec![])])
    );
    let withdraw = Act::Withdraw {
        round: 1,
        table: 2,
        reason: "the wrong game".to_owned(),
    };
    event.apply(&withdraw).expect("withdrawn");
    let (text, told) = filled(&event, &file, &[1]);
    assert_eq!(codes(&text), ["4 w", "3 b"]);
    assert_eq!(told, [(1, vec![3, 4])]);
    event.apply(&result).expect("a result");
    assert_eq!(filled(&event, &file, &[1]), (file, vec![(1, vec![])]));
}

/// A pairing engine prints pairs alone; who has asked for a bye stands in the report that it read.
#[test]
fn byes_that_the_report_of_the_players_has_are_taken_with_a_list() {
    let first = ["   2 w 1", "   1 b 0", "   4 w =", "   3 b =", "0000 - H"];
    let before = first.map(|cell| match cell {
        "0000 - H" => format!("{cell}  0000 - H"),
        cell => cell.to_owned(),
    });
    let report = report(&before.each_ref().map(String::as_str));
    let mut event = Tournament::default();
    let mut sheet = load::read(b"2\n1 3\n2 4\n", Some(2)).expect("pairs");
    sheet.complete(load::players(report.as_bytes()).expect("players"));
    sheet.take_byes(Some(2)).expect("byes");
    let plan = Plan::of(&event, &sheet, &of_round(2)).expect("a plan");
    plan.acts
        .iter()
        .for_each(|act| event.apply(act).expect("an act"));
    let drawn = &event.rounds[&2].pairings;
    let byes: Vec<(u16, String)> = drawn
        .iter()
        .filter(|pairing| pairing.is_bye())
        .map(|pairing| (pairing.white, pairing.written().expect("a bye")))
        .collect();
    assert_eq!((drawn.len(), byes), (3, vec![(5, "H".to_owned())]));
    play(&mut event, 2, &[(1, "1-0"), (2, "0-1")]);
    let (text, told) = filled(&event, &report, &[2]);
    assert_eq!(told, [(2, vec![])]);
    assert_eq!(&cells(&text, 5)[10..], "0000 - H");
}

/// What is wrong with the byes of one round hinders no other.
#[test]
fn byes_that_cannot_be_understood_are_told_in_their_round() {
    let report = report(&["   2 w 1", "   1 b 0"]) + "240 H   2    9\n";
    let take = |round: u16| {
        let mut sheet = load::read(b"1\n2 1\n", Some(round)).expect("pairs");
        sheet.complete(load::players(report.as_bytes()).expect("players"));
        sheet.take_byes(Some(round))
    };
    assert_eq!(take(3), Ok(()));
    let refused = take(2)
        .expect_err("number 9 is not in the file")
        .to_string();
    assert!(refused.contains("number 9 is not in the file"), "{refused}");
}
