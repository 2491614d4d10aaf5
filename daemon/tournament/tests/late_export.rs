//! Report files that are written after others came, went, or had other results.

mod common;

use common::play;
use tournament::{Place, Plan, Tournament, load, write};

/// Two rounds of four players, of which the fourth is not in the second.
const FILE: &str = "\
012 Harbour Open
001    1 m    Berg, Anna                        2250 GER     1000001             0.0    1     3 w  
001    2 m    Dupont, Emil                      2200 GER     1000002             0.0    2     4 w  
001    3 m    Ek, Freja                         2150 GER     1000003             0.0    3     1 b  
001    4 m    Cole, Ben                         2100 GER     1000004             0.0    4     2 b  
";

fn load_into(event: &mut Tournament, file: &str, round: u16) {
    let sheet = load::read(file.as_bytes(), Some(round)).expect("a sheet");
    let plan = Plan::of(event, &sheet, &Place::default()).expect("a plan");
    plan.acts
        .iter()
        .for_each(|act| event.apply(act).expect("an act"));
}

/// The file with the results of all these rounds, and what was told of the last.
fn filled(event: &Tournament, rounds: &[u16]) -> (String, write::Filled) {
    let (mut bytes, mut last) = (FILE.as_bytes().to_vec(), None);
    for round in rounds {
        let filled = write::trf(event, *round, &bytes).expect("a file");
        bytes.clone_from(&filled.bytes);
        last = Some(filled);
    }
    let text = String::from_utf8(bytes).expect("UTF-8");
    (text, last.expect("a round"))
}

const LONG: &str = "Wolfeschlegelsteinhausenbergerdorff, Hubert";

#[test]
fn every_program_can_read_the_line_of_who_came_late() {
    let mut event = Tournament::default();
    load_into(&mut event, FILE, 1);
    play(&mut event, 1, &[(1, "1-0"), (2, "½-½")]);
    let second = format!(
        "table,white_no,white,black_no,black\n1,3,\"Ek, Freja\",1,\"Berg, Anna\"\n\
         2,2,\"Dupont, Emil\",5,\"{LONG}\"\n"
    );
    load_into(&mut event, &second, 2);
    play(&mut event, 2, &[(1, "0-1"), (2, "1-0")]);
    let third = "table,white_no,white,black_no,black\n1,1,\"Berg, Anna\",4,\"Cole, Ben\"\n";
    load_into(&mut event, third, 3);
    play(&mut event, 3, &[(1, "1-0")]);
    let (text, _) = filled(&event, &[1, 2]);
    let late = format!(
        "001    5      {}{:34}0.0    5  0000 - Z     2 b 0",
        &LONG[..33],
        ""
    );
    assert_eq!(text.lines().last(), Some(&*late));
    let (_, told) = filled(&event, &[2]);
    assert_eq!((told.added, told.cut), (vec![5], vec![5]));
    // Who is in a round again was absent from the one before.
    let (text, _) = filled(&event, &[1, 2, 3]);
    let ben = text
        .lines()
        .find(|line| line.contains("Cole, Ben"))
        .expect("Ben");
    assert_eq!(&ben[89..], "     2 b =  0000 - Z     1 b 0");
}

#[test]
fn another_result_than_the_files_is_told() {
    let mut event = Tournament::default();
    load_into(&mut event, FILE, 1);
    play(&mut event, 1, &[(1, "1-0"), (2, "½-½")]);
    let (text, told) = filled(&event, &[1]);
    assert!(told.altered.is_empty(), "{:?}", told.altered);
    let other = text.replace("3 w 1", "3 w 0").replace("1 b 0", "1 b 1");
    let told = write::trf(&event, 1, other.as_bytes()).expect("a file");
    assert_eq!(told.altered, [1, 3]);
    assert_eq!(told.bytes, text.as_bytes());
}

#[test]
fn a_number_that_would_be_cut_is_refused() {
    for (fields, told) in [
        (
            "12345,1",
            "line 2, column 1: `Berg` has the rating 12345; 9999 is the most",
        ),
        (
            "2000,123456789012",
            "line 2, column 1: `Berg` has the FIDE number 123456789012; 11 digits are the most",
        ),
    ] {
        let file = format!("white,white_elo,white_fideid,black\nBerg,{fields},Cole\n");
        let refused = load::read(file.as_bytes(), Some(1)).expect_err("too large");
        assert_eq!(refused.to_string(), told);
    }
}

/// A bye that was in a file, and that the event has no more: neither in the player's line nor in
/// that of byes which were asked for.
#[test]
fn a_bye_that_was_taken_back_is_in_no_file() {
    let line = |number: u16, name: &str, rounds: &str| {
        let blank = " ".repeat(25);
        format!("001 {number:>4} m    {name:<33} 2000 GER{blank}0.0 {number:>4}  {rounds}\n")
    };
    let asked = "240 H   1    5\n";
    let players = [
        line(1, "Berg, Anna", "   2 w  "),
        line(2, "Dupont, Emil", "   1 b  "),
        line(3, "Ek, Freja", "0000 - H"),
        line(4, "Cole, Ben", "0000 - F  0000 - H"),
        line(5, "Dam, Eva", ""),
    ];
    let file = [&players.concat(), asked].concat();
    let mut event = Tournament::default();
    load_into(&mut event, &file, 1);
    let stands = write::trf(&event, 1, file.as_bytes()).expect("a file");
    assert_eq!(String::from_utf8(stands.bytes).expect("UTF-8"), file);
    // Nobody has a bye in it.
    let again = "table,white_no,white,black_no,black\n1,2,\"Dupont, Emil\",1,\"Berg, Anna\"\n";
    load_into(&mut event, again, 1);
    let filled = write::trf(&event, 1, file.as_bytes()).expect("a file");
    assert_eq!(filled.altered, [3, 4, 5]);
    let text = String::from_utf8(filled.bytes).expect("UTF-8");
    let cells: Vec<&str> = text.lines().map(|line| line[91..].trim_end()).collect();
    assert_eq!(cells, ["   2 b", "   1 w", "", "0000 - Z  0000 - H", ""]);
}
