//! A file as pairing programs write it, what is read from it, and what is wrong with others.

use chess_trf::{
    Code, Colour, Complaints, Document, Encoding, Player, Problem, Tenths, current_round,
    in_table_order, pairings,
};

/// Four players, two rounds played, the third paired.
const OPEN: &str = include_str!("open.trf");

fn open() -> Document {
    Document::parse(OPEN.as_bytes()).expect("UTF-8")
}

fn players(text: &str) -> Result<Vec<Player>, Complaints> {
    Document::parse(text.as_bytes()).expect("UTF-8").players()
}

#[test]
fn the_event_and_its_players() {
    let file = open();
    let event = file.event();
    assert_eq!(event.name, "Harbour Open");
    assert_eq!(
        (event.rounds, event.coded_time_control.as_str()),
        (Some(3), "5400+30")
    );
    assert_eq!(event.round_dates, ["26/11/21", "26/11/21", "26/11/22"]);
    let players = file.players().expect("nothing to complain about");
    let anna = &players[0];
    assert_eq!(
        (anna.number, anna.name.as_str(), anna.title),
        (1, "Berg, Anna", Some("WIM"))
    );
    assert_eq!((anna.rating, anna.fide_id), (Some(2241), Some(99_000_011)));
    assert_eq!((anna.points, anna.rank), (Some(Tenths(15)), Some(1)));
    assert_eq!(anna.round(2).colour, Some(Colour::Black));
    assert_eq!(players[2].title, Some("FM"), "a short form of older files");
    assert_eq!((players[3].rating, players[3].fide_id), (None, None));
    assert_eq!(players[3].round(2).code, Some(Code::HalfPointBye));
    assert_eq!(file.unknown(), []);
}

#[test]
fn the_round_that_is_to_be_played() {
    let (file, players) = (open(), open().players().expect("players"));
    let round = current_round(&players);
    assert_eq!(round, Some(3), "also where the line ends before the result");
    let mut pairs = pairings(&players, 3).expect("pairs");
    assert!(pairs.iter().all(chess_trf::Pair::is_open));
    in_table_order(&mut pairs, &players, &file.scoring(), 3);
    let seated: Vec<_> = pairs.iter().map(|pair| (pair.white, pair.black)).collect();
    assert_eq!(seated, [(3, 2), (1, 4)], "1.5 and 1 before 1.5 and 0.5");
    let played = pairings(&players, 2).expect("pairs");
    assert_eq!(
        (played[0].white, played[0].codes),
        (2, [Some(Code::Draw); 2])
    );
}

#[test]
fn results_are_filled_in_and_nothing_else_changes() {
    let mut file = open();
    for (number, code) in [
        (1, Code::Win),
        (4, Code::Loss),
        (3, Code::ForfeitLoss),
        (2, Code::ForfeitWin),
    ] {
        file.set_result(number, 3, code).expect("a game");
    }
    let after = String::from_utf8(file.to_bytes()).expect("UTF-8");
    let expected = OPEN
        .replace("4 w  \r", "4 w 1\r")
        .replace("1 b  \r", "1 b 0\r")
        .replace("2 w  \r", "2 w -\r")
        .replace("3 b\r", "3 b +\r");
    assert_eq!(after, expected);
    let bye = file
        .set_result(4, 2, Code::Win)
        .expect_err("nobody plays there");
    assert_eq!(
        bye.to_string(),
        "line 12, column 109: number 4 has no game in round 2"
    );
    assert!(file.set_result(9, 1, Code::Win).is_err());
}

#[test]
fn every_defect_is_named_with_its_place() {
    let line = |number: &str, rounds: &str| {
        format!(
            "001 {number} m    {:<33} 1800 GER {:>11} 1990       0.0    1   {rounds}\n",
            "A, B", 7
        )
    };
    let two = |one: &str, other: &str| line("   1", one) + &line("   2", other);
    let round = |text: &str| -> Complaints {
        players(text)
            .and_then(|players| pairings(&players, 1))
            .expect_err(text)
    };
    for (text, expected) in [
        (
            line("   x", ""),
            "line 1, column 5: the starting number is no number: `x`",
        ),
        (
            line("    ", ""),
            "line 1, column 5: the starting number is missing",
        ),
        (
            two("", "").replace("   2 m", "   1 m"),
            "line 2, column 5: starting number 1 is there twice",
        ),
        (
            line("   1", "   2 x  "),
            "line 1, column 97: the colour is `w`, `b` or `-`, and not `x`",
        ),
        (
            line("   1", "   2 w ?"),
            "line 1, column 99: `?` is no result code",
        ),
        (
            line("   1", "  2a w 1"),
            "line 1, column 92: the opponent is no number: `2a`",
        ),
        (
            line("   1", "   7 w 1"),
            "line 1, column 92: the opponent, number 7, is not in the file",
        ),
        (
            line("   1", "   1 w 1"),
            "line 1, column 92: number 1 is paired with himself",
        ),
        (
            two("   2 w 1", "0000 - Z"),
            "line 1, column 92: number 1 is paired with 2, who is paired with 0",
        ),
        (
            two("   2 w +", "   1 b 0"),
            "line 1, column 99: `+` and `0` cannot both be: both are of `1`, `=` and `0`, or of \
             `W`, `D` and `L`, or of `+` and `-`\n\
             line 2, column 99: `0` and `+` cannot both be: both are of `1`, `=` and `0`, or of \
             `W`, `D` and `L`, or of `+` and `-`",
        ),
    ] {
        assert_eq!(round(&text).to_string(), expected);
    }
    let both_white = round(&two("   2 w 1", "   1 w 0"));
    assert_eq!(both_white.0.len(), 2, "{both_white}");
    assert_eq!(
        both_white.0[0].problem,
        Problem::SameColour { one: 1, other: 2 }
    );
}

#[test]
fn names_in_the_code_page_of_windows() {
    let mut bytes = b"001    1 m    M\xfcller-L\xfcdenscheid, J\xf6rg".to_vec();
    bytes.resize(91, b' ');
    bytes.extend(b"   2 w  \r\n");
    let mut file = Document::parse(&bytes).expect("text");
    assert_eq!(file.encoding(), Encoding::Windows1252);
    assert_eq!(
        file.players().expect("a player")[0].name,
        "Müller-Lüdenscheid, Jörg"
    );
    file.set_result(1, 1, Code::Draw).expect("a game");
    bytes[98] = b'=';
    assert_eq!(file.to_bytes(), bytes);
}

#[test]
fn teams_and_their_boards() {
    let file = Document::parse(
        b"310   2 Harbour                          HAR   2100.5    4.0   10.5   1    11   12   13\n\
          300   1   2   1   11 0000   13\n\
          013 Old Harbour                        1    2    3\n",
    )
    .expect("text");
    let teams = file.teams().expect("teams");
    assert_eq!(
        (teams.len(), teams[0].number, teams[0].name.as_str()),
        (1, 2, "Harbour")
    );
    assert_eq!(teams[0].players, [11, 12, 13]);
    let points = [Some(Tenths(40)), Some(Tenths(105))];
    assert_eq!((teams[0].short.as_str(), teams[0].points), ("HAR", points));
    assert_eq!(
        file.line_ups().expect("line-ups")[0].boards,
        [Some(11), None, Some(13)]
    );
}

#[test]
fn a_number_one_column_off_is_refused_with_its_place() {
    let told = |text: &str| {
        let file = Document::parse(text.as_bytes()).expect("text");
        let all = [
            file.players().err(),
            file.teams().err(),
            file.byes().err(),
            file.team_byes().err(),
            file.line_ups().err(),
            file.forfeited_matches().err(),
        ];
        let all = all.into_iter().flatten().map(|e| e.to_string());
        all.collect::<Vec<_>>().join("; ")
    };
    let player = OPEN
        .lines()
        .find(|line| line.starts_with("001"))
        .expect("a player");
    let at = |column: usize| format!("{} {}", &player[..column - 1], &player[column - 1..]);
    for (right, shifted, column, found) in [
        ("240 F 001   12", "240 F 001    12".to_owned(), 15, '2'),
        ("240 F   1   12", "240 F    1   12".to_owned(), 10, '1'),
        (
            "013 Old Harbour                        1    2",
            "013 Old Harbour                         1    2".to_owned(),
            41,
            '1',
        ),
        (
            "320  2.0  2.0 000 003",
            "320  2.0  2.0  000 003".to_owned(),
            18,
            '0',
        ),
        (
            "300   1   2   1   11",
            "300   1    2   1   11".to_owned(),
            12,
            '2',
        ),
        (
            "330 +-   1   1   2",
            "330 +-    1   1   2".to_owned(),
            11,
            '1',
        ),
        (player, at(49), 53, '1'),
        (player, at(58), 69, '1'),
        (player, at(81), 85, '5'),
    ] {
        assert_eq!(told(right), "", "{right}");
        let text = format!("line 1, column {column}: `{found}` stands where a blank belongs");
        assert!(
            told(&shifted).contains(&text),
            "{shifted}: {}",
            told(&shifted)
        );
    }
}

/// What stands between two fields of a player is the first digit of a number, or the end of a name.
#[test]
fn every_blank_between_the_fields_of_a_player_is_looked_at() {
    let whole: String = OPEN
        .lines()
        .filter(|line| line.starts_with("001"))
        .collect();
    let line: Vec<char> = whole.chars().take(102).collect();
    let blanks = [4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91, 96, 98, 100, 101];
    for column in blanks {
        let mut line = line.clone();
        line[column - 1] = '7';
        let text: String = line.into_iter().collect();
        let told = players(&text)
            .expect_err("a digit where none is")
            .to_string();
        let expected = format!("line 1, column {column}: `7` stands where a blank belongs");
        assert!(told.contains(&expected), "{text}: {told}");
    }
    let long = whole.replacen(&format!("{:<34}", "Berg, Anna"), &"N".repeat(34), 1);
    let told = players(&long).expect_err("a long name").to_string();
    assert!(told.contains("column 48: `N` stands where"), "{told}");
}
