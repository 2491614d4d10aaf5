//! Report files that say something else than is so by now, or say it elsewhere.

use tournament::{Act, How, Place, Plan, ResultCode, Tournament, load, write};

const TRF: &[u8] = include_bytes!("../../trf/tests/open.trf");

fn load_into(tournament: &mut Tournament, file: &[u8]) {
    let sheet = load::read(file, Some(3)).expect("a sheet");
    let plan = Plan::of(tournament, &sheet, &Place::default()).expect("a plan");
    for act in plan.acts {
        tournament.apply(&act).expect("an act of the plan");
    }
}

#[test]
fn byes_that_were_asked_for() {
    let file = String::from_utf8_lossy(TRF).into_owned();
    // The round after the last: nobody is paired in it yet, and 3 asked for half a point.
    let file = file + "240 H   4    3\r\n240 F   5    2\r\n";
    let sheet = load::read(file.as_bytes(), Some(4)).expect("a sheet");
    let codes = |number: u16| {
        let games = sheet.games.iter();
        let mut his = games.filter(|game| sheet.players[game.white].number == number);
        his.next()
            .and_then(|game| game.codes)
            .map(|codes| codes[0].to_string())
    };
    assert_eq!(
        [2, 3].map(codes),
        [Some("Z".to_owned()), Some("H".to_owned())]
    );
    let wrong = load::read((file + "240 X   4    3\r\n").as_bytes(), Some(4));
    let told = wrong.expect_err("no such code").0;
    assert_eq!((told[0].line, told[0].column), (15, 5));
}

#[test]
fn a_report_file_of_before_a_change_is_put_right() {
    let mut tournament = Tournament::default();
    load_into(&mut tournament, TRF);
    // The file pairs 4 with 1 and 2 with 3.
    let csv = "table,white,black,result,white_no,black_no\n\
               1,\"Cole, Ben\",\"Berg, Anna\",,3,1\n,\"Ek, Freja\",bye,H,4,\n";
    load_into(&mut tournament, csv.as_bytes());
    let start = Act::StartRound {
        round: 3,
        at: String::new(),
    };
    let result = Act::Result {
        round: 3,
        table: 1,
        codes: ResultCode::both("1-0").expect("a result"),
        how: How::Typed,
        reason: String::new(),
    };
    for act in [start, result] {
        tournament.apply(&act).expect("an act");
    }
    let filled = write::trf(&tournament, 3, TRF).expect("a file");
    assert_eq!(filled.redrawn, [1]);
    let (before, after) = (lines(TRF), lines(&filled.bytes));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        let cut = |line: &str| {
            let start: String = line.chars().take(111).collect();
            start.trim_end().to_owned()
        };
        assert_eq!(cut(before), cut(after), "earlier rounds stay");
    }
    let cell = |number: u16| {
        let his = |line: &&String| line.starts_with(&format!("001 {number:>4}"));
        let line = after.iter().find(his).expect("a line");
        line.chars().skip(111).collect::<String>()
    };
    let cells = [1, 2, 3, 4].map(cell);
    assert_eq!(cells, ["   3 b 0", "", "   1 w 1", "0000 - H"]);
}

fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// A pairing engine writes the next round as pairs of numbers, beside the report of the rounds that
/// are played.
#[test]
fn who_plays_is_read_from_a_report_of_any_round() {
    let beside = load::players(TRF).expect("players");
    assert!(!beside.players.is_empty());
    assert!(beside.games.is_empty());
    let mut pairs = load::read(b"1\n2 1\n", Some(9)).expect("pairs");
    pairs.complete(beside);
    assert!(pairs.players.iter().all(|player| !player.name.is_empty()));
}

/// Nothing is guessed of a round that is not in the file: nobody is given a bye.
#[test]
fn a_round_that_a_report_does_not_have_is_refused() {
    let refused = load::read(TRF, Some(9))
        .expect_err("no such round")
        .to_string();
    assert!(
        refused.contains("no pairing of round 9 is in it"),
        "{refused}"
    );
}

/// The same file as other programs write it: lines that end with CR, the code page of Windows,
/// kinds of lines that nobody knows, blanks behind lines.
fn of_another_program() -> Vec<u8> {
    let text = String::from_utf8_lossy(TRF).replace("\r\n", "\r");
    let text = text.replace("mf   Dupont", "m    Dupont") + "XYZ kept as it is \r### Straße  \r";
    let byte = |c: char| u8::try_from(u32::from(c)).expect("Latin-1");
    text.chars().map(byte).collect()
}

/// The bytes that are others, as line, column and what stands there.
fn changed(before: &[u8], after: &[u8]) -> Vec<(usize, usize, char)> {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes
            .split(|byte| *byte == b'\r')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (before, after) = (lines(before), lines(after));
    assert_eq!(before.len(), after.len());
    let mut changed = Vec::new();
    for (at, (before, after)) in before.iter().zip(&after).enumerate() {
        assert!(after.len() >= before.len(), "line {}", at + 1);
        let differs = (0..after.len()).filter(|n| before.get(*n) != after.get(*n));
        changed.extend(differs.map(|n| (at + 1, n + 1, char::from(after[n]))));
    }
    changed
}

/// A late change that comes as a table of a spreadsheet, by names: in the report file only the
/// round of those who play otherwise is another, and the results.
#[test]
fn a_change_by_csv_leaves_every_other_byte_of_the_report_file() {
    let file = of_another_program();
    let mut tournament = Tournament::default();
    load_into(&mut tournament, &file);
    let csv =
        "Table;White;Black\n1;\"Dupont, Émile\";\"Cole, Ben\"\n2;\"Ek, Freja\";\"Berg, Anna\"\n";
    load_into(&mut tournament, csv.as_bytes());
    let result = |table, text: &str| Act::Result {
        round: 3,
        table,
        codes: ResultCode::both(text).expect("a result"),
        how: How::Typed,
        reason: String::new(),
    };
    let round = 3;
    let at = String::new();
    for act in [
        Act::StartRound { round, at },
        result(1, "1/2-0"),
        result(2, "+/-"),
    ] {
        tournament.apply(&act).expect("an act");
    }
    let filled = write::trf(&tournament, 3, &file).expect("a file");
    // The first table is as it was; at the second the colours are exchanged.
    assert_eq!(filled.redrawn, [2]);
    let places = [
        (9, 117, 'b'),
        (9, 119, '-'),
        (10, 118, ' '),
        (10, 119, '0'),
        (11, 119, '='),
        (12, 117, 'w'),
        (12, 119, '+'),
    ];
    assert_eq!(changed(&file, &filled.bytes), places);
    // The order of tables, and nothing of what the report says of players, is lost on the way back.
    let again = load::read(&filled.bytes, Some(3)).expect("a sheet");
    let plan = Plan::of(&tournament, &again, &Place::default()).expect("a plan");
    assert_eq!(plan.changes, []);
    // Loaded once more, the old file would change what has begun.
    let old = load::read(&file, Some(3)).expect("a sheet");
    let refused = Plan::of(&tournament, &old, &Place::default()).expect_err("it has begun");
    assert!(refused.to_string().contains("has begun"), "{refused}");
}

/// Somebody who came after the report was written has a line of his own in it.
#[test]
fn who_came_later_is_added_to_the_report_file() {
    let file = of_another_program();
    let mut tournament = Tournament::default();
    load_into(&mut tournament, &file);
    let csv = "Table;White;Black;White No;Black No;Black Elo\n\
               1;\"Dupont, Émile\";\"Cole, Ben\";3;2;\n\
               2;\"Berg, Anna\";\"Øst, Nora\";1;9;1850\n;\"Ek, Freja\";bye;4;;\n";
    load_into(&mut tournament, csv.as_bytes());
    let (round, at) = (3, String::new());
    let result = Act::Result {
        round: 3,
        table: 2,
        codes: ResultCode::both("1-0").expect("a result"),
        how: How::Typed,
        reason: String::new(),
    };
    for act in [Act::StartRound { round, at }, result] {
        tournament.apply(&act).expect("an act");
    }
    let filled = write::trf(&tournament, 3, &file).expect("a file");
    assert_eq!(filled.added, [9]);
    let document = chess_trf::Document::parse(&filled.bytes).expect("a file");
    let players = document.players().expect("players");
    let late = &players[4];
    assert_eq!((late.number, late.name.as_str()), (9, "Øst, Nora"));
    assert_eq!((late.line, late.rating), (13, Some(1850)));
    let absent = Some(chess_trf::Code::ZeroPointBye);
    assert_eq!([1, 2].map(|round| late.round(round).code), [absent; 2]);
    let pairs = chess_trf::pairings(&players, 3).expect("pairs");
    let codes = pairs
        .iter()
        .find(|pair| pair.black == 9)
        .expect("a pair")
        .codes;
    assert_eq!(
        ResultCode::both("1-0").map(|both| both.map(|code| Some(code.0))),
        Some(codes)
    );
    // Without that line it is the file, but for the cells of those who play otherwise.
    let lines: Vec<&[u8]> = filled.bytes.split(|byte| *byte == b'\r').collect();
    let without = [&lines[..12], &lines[13..]].concat().join(&b'\r');
    let places = changed(&file, &without);
    assert!(
        places
            .iter()
            .all(|(line, column, _)| [9, 12].contains(line) && *column > 111)
    );
    assert!(
        write::trf(&tournament, 3, &filled.bytes)
            .expect("a file")
            .added
            .is_empty()
    );
}

/// The round before: its byes and its colours are others in the file than here, and it is closed.
#[test]
fn what_a_file_has_otherwise_of_an_earlier_round_is_told() {
    let lines = |first: [&str; 5], second: [&str; 5]| {
        let names = ["Berg", "Cole", "Dahl", "Ek", "Fox"];
        let line = |n: usize| {
            format!(
                "001 {:4}      {:33} {:4} {:3} {:>11} {:10} {:>4} {:4}  {:8}  {:8}",
                n + 1,
                names[n],
                2000,
                "NOR",
                "",
                "",
                "0.0",
                n + 1,
                first[n],
                second[n]
            )
        };
        let lines: Vec<String> = (0..5).map(line).collect();
        format!("012 Open\n{}\n", lines.join("\n"))
    };
    let nothing = [""; 5];
    let first = ["   2 w 1", "   1 b 0", "   4 w =", "   3 b =", "0000 - U"];
    let open = ["   2 w  ", "   1 b  ", "   4 w  ", "   3 b  ", "0000 - U"];
    let mut event = Tournament::default();
    let load = |event: &mut Tournament, file: &str, round: u16| {
        let sheet = load::read(file.as_bytes(), Some(round)).expect("a sheet");
        Plan::of(event, &sheet, &Place::default())
    };
    let drawn = load(&mut event, &lines(open, nothing), 1).expect("a plan");
    drawn
        .acts
        .iter()
        .for_each(|act| event.apply(act).expect("an act"));
    event
        .apply(&Act::StartRound {
            round: 1,
            at: String::new(),
        })
        .expect("started");
    for (table, text) in [(1, "1-0"), (2, "1/2-1/2")] {
        let codes = ResultCode::both(text).expect("a result");
        let (how, reason) = (How::Typed, String::new());
        let result = Act::Result {
            round: 1,
            table,
            codes,
            how,
            reason,
        };
        event.apply(&result).expect("a result");
    }
    event.apply(&Act::CloseRound { round: 1 }).expect("closed");

    // Loaded again, the file of the closed round changes nothing; another one says what is other.
    for file in [lines(open, nothing), lines(first, nothing)] {
        let again = load(&mut event, &file, 1).expect("a plan");
        assert_eq!((again.changes, again.acts), (vec![], vec![]));
    }
    let mut other = open;
    other[4] = "0000 - H";
    let refused = load(&mut event, &lines(other, nothing), 1).expect_err("another bye");
    assert_eq!(
        refused.to_string(),
        "round 1 is closed, and the file says otherwise: bye of player 5: H, before U"
    );

    let second = ["   3 b  ", "0000 - H", "   1 w  ", "   5 w  ", "   4 b  "];
    let told = |event: &mut Tournament, first: [&str; 5]| {
        let plan = load(event, &lines(first, second), 2).expect("a plan");
        let told = plan.oddities.iter().map(ToString::to_string);
        told.filter(|text| text.starts_with("round 1"))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&mut event, first), [""; 0]);
    let otherwise = ["   2 b 1", "   1 w 0", "   4 w =", "   3 b =", "0000 - H"];
    assert_eq!(
        told(&mut event, otherwise),
        [
            "round 1, table 1: the file has the colours the other way round: what is here stays",
            "round 1, player 5: the file has the bye H, here it is U: that stays",
        ]
    );
}

/// The players of a list may be of a file that does not have its round yet.
#[test]
fn a_round_that_a_report_file_does_not_have_is_filled_in() {
    let mut tournament = Tournament::default();
    load_into(&mut tournament, TRF);
    let list = load::read(b"1\n3 2\n", Some(4)).expect("a list");
    let place = Place {
        round: Some(4),
        ..Place::default()
    };
    let plan = Plan::of(&tournament, &list, &place).expect("a plan");
    for act in &plan.acts {
        tournament.apply(act).expect("an act of the plan");
    }
    let filled = write::trf(&tournament, 4, TRF).expect("a file");
    let text = String::from_utf8_lossy(&filled.bytes).into_owned();
    let his = text.lines().find(|line| line.starts_with("001    3"));
    assert!(his.is_some_and(|line| line.ends_with("   2 w  ")), "{text}");
    let told = (filled.redrawn, filled.altered, filled.added);
    assert_eq!(told, (vec![], vec![], vec![]), "nothing was otherwise");
}
