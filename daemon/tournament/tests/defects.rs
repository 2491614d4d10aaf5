//! Defective files: each is refused, or told to be odd, with its place; and nothing is changed.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use rust_xlsxwriter::{Format, Workbook};
use tournament::{Act, Oddity, Place, Plan, Tournament, load};
use zip::write::SimpleFileOptions;

/// A file of `defective/`, and what is told of it first.
const FILES: [(&str, &str); 73] = [
    (
        "several-unplayed-rounds.trf",
        "line 1, column 1: rounds 2, 3 are in it: say which is wanted",
    ),
    (
        "five-digits-of-a-rating.trf",
        "line 2, column 48: `9` stands where a blank belongs",
    ),
    (
        "cut-in-the-rating.trf",
        "line 3, column 49: the line ends in the middle of the rating: is it cut?",
    ),
    (
        "cut-in-the-fide-number.trf",
        "line 5, column 58: the line ends in the middle of the FIDE number: is it cut?",
    ),
    (
        "cut-in-the-opponent.trf",
        "line 4, column 102: the line ends in the middle of the opponent: is it cut?",
    ),
    (
        "some-tables.csv",
        "line 3, column 1: the table is missing, and other games have theirs",
    ),
    (
        "round-missing.csv",
        "line 3, column 1: the round is missing, and other rows have theirs",
    ),
    (
        "two-results.pgn",
        "line 7, column 1: the game ends with 0-1, and its tag `Result` says `1-0`",
    ),
    (
        "rating.pgn",
        "line 5, column 1: WhiteElo is too large: 70000",
    ),
    (
        "letter-in-a-tag.trf",
        "line 6, column 1: `O01` is no kind of line: is it `001`?",
    ),
    (
        "bye-of-nobody.trf",
        "line 6, column 11: number 9 is not in the file",
    ),
    (
        "bye-of-somebody-paired.trf",
        "line 6, column 11: number 1 is paired with 3",
    ),
    (
        "bye-without-players.trf",
        "line 6, column 11: the player's number is missing",
    ),
    (
        "bye-cut-to-zero.trf",
        "line 7, column 16: the line ends in the middle of the player: is it cut?",
    ),
    (
        "player-at-two-boards.trf",
        "line 8, column 22: player 1 sits at two boards",
    ),
    (
        "line-up-twice.trf",
        "line 9, column 9: the line-up of team 1 is there twice: in line 8 as well",
    ),
    (
        "board-missing.trf",
        "line 8, column 17: player 2 of team 1 plays, and sits at no board",
    ),
    (
        "line-up-of-no-team.trf",
        "line 8, column 9: there is no team 9",
    ),
    (
        "alone-at-a-board.trf",
        "line 8, column 22: player 2 sits at a board alone, and is paired with 4",
    ),
    (
        "twice-in-a-team.trf",
        "line 7, column 79: player 3 is in team 2 twice",
    ),
    (
        "no-black.pgn",
        "line 1, column 1: the tag `Black` is missing",
    ),
    (
        "black-unknown.pgn",
        "line 4, column 1: Black is not known: `?`",
    ),
    (
        "letter-in-a-result.pgn",
        "line 5, column 1: `O-1` is no result",
    ),
    (
        "variant.pgn",
        "line 5, column 1: the variant `Atomic` is none",
    ),
    (
        "no-position.pgn",
        "line 5, column 1: a position was set up, and the tag `FEN` is missing",
    ),
    (
        "cut-row.csv",
        "line 2, column 3: the row ends after 2 of 3 fields: `black` is missing",
    ),
    (
        "one-field.csv",
        "line 3, column 2: the row ends after 1 of 3 fields: `white` is missing",
    ),
    (
        "comma-in-a-name.csv",
        "line 2, column 4: `Cole` stands behind the last of 3 headings",
    ),
    (
        "letter-in-a-result.csv",
        "line 2, column 4: `O01` is no result",
    ),
    ("no-letters.csv", "line 2, column 3: `???` is no name"),
    (
        "isolate-in-a-team.csv",
        "line 2, column 13: U+2067 turns the direction of writing",
    ),
    (
        "direction-mark-in-a-name.csv",
        "line 2, column 7: U+202E turns the direction of writing",
    ),
    (
        "shifted-columns.trf",
        "line 2, column 48: `1` stands where a blank belongs",
    ),
    (
        "cut-line.trf",
        "line 2, column 92: number 1 is paired with 3, who is paired with 0",
    ),
    (
        "not-mutual.trf",
        "line 3, column 92: number 2 is paired with 4, who is paired with 1",
    ),
    (
        "both-white.trf",
        "line 2, column 92: number 1 and 3, his opponent, both have the same colour",
    ),
    (
        "bare-cr.trf",
        "line 5, column 58: the FIDE number is no number: `9900000x`",
    ),
    ("code-page.trf", "line 4, column 99: `?` is no result code"),
    ("utf-16.trf", "line 4, column 99: `?` is no result code"),
    (
        "number-twice.trf",
        "line 3, column 5: starting number 1 is there twice",
    ),
    (
        "against-himself.trf",
        "line 3, column 92: number 2 is paired with himself",
    ),
    (
        "two-winners.trf",
        "line 2, column 99: `1` and `1` cannot both be",
    ),
    (
        "one-result.trf",
        "line 4, column 99: number 3 has no result, and 1, the opponent, has `1`",
    ),
    (
        "bye-with-opponent.trf",
        "line 2, column 99: `H` is no result of a game",
    ),
    ("no-colour.trf", "line 2, column 97: the colour is missing"),
    (
        "game-alone.trf",
        "line 3, column 99: `1` is a result of a game, and there is no opponent",
    ),
    ("no-name.trf", "line 3, column 15: the name is missing"),
    (
        "strange-opponent.trf",
        "line 3, column 92: the opponent, number 9, is not in the file",
    ),
    (
        "another-teams-player.trf",
        "line 8, column 22: player 4 is not of team 1",
    ),
    (
        "player-of-two-teams.trf",
        "line 7, column 84: player 1 is of team 1 as well",
    ),
    (
        "not-paired-at-a-board.trf",
        "line 8, column 17: players 2 and 3 sit at a board",
    ),
    (
        "two-rounds.csv",
        "line 4, column 1: round 2, and round 1 before: say which is wanted (`--round N`)",
    ),
    (
        "two-rounds.pgn",
        "line 1, column 1: rounds 1, 2 are in it: say which is wanted",
    ),
    (
        "table-twice.pgn",
        "line 10, column 1: table 7 is there twice: in line 2 as well",
    ),
    ("round-0.pgn", "line 2, column 1: `0.1` is no round"),
    ("no-result.pgn", "line 5, column 1: `2-0` is no result"),
    (
        "unclosed-tag.pgn",
        "line 3, column 1: `[White \"Berg, Anna]` is no tag",
    ),
    (
        "two-tags-in-a-line.pgn",
        "line 3, column 1: `[White \"Berg, Anna\"] [Black",
    ),
    (
        "no-table.pgn",
        "line 2, column 1: `1.x` is no round, and no round and table",
    ),
    ("byte-order-mark.csv", "line 3, column 1: `x` is no number"),
    ("nul.csv", "line 2, column 7: U+0000 is a control character"),
    (
        "odd-quotes.csv",
        "line 2, column 2: text behind a closed quotation mark",
    ),
    (
        "newline-in-a-name.csv",
        "line 2, column 2: a name has the control character U+000A",
    ),
    (
        "two-encodings.csv",
        "line 2, column 17: byte 35 is not of UTF-8",
    ),
    (
        "cut-character.csv",
        "line 2, column 23: byte 42 is not of UTF-8",
    ),
    ("no-result.csv", "line 2, column 4: `2-0` is no result"),
    (
        "player-twice.csv",
        "line 3, column 3: `Berg` is paired twice: in line 2 as well",
    ),
    (
        "heading-twice.csv",
        "line 1, column 4: the heading of another column once more",
    ),
    ("too-large.csv", "line 2, column 1: `70000` is too large"),
    ("table-0.csv", "line 2, column 1: table 0"),
    (
        "number-of-two.csv",
        "line 3, column 2: number 1 is paired twice",
    ),
    (
        "too-few-pairs.txt",
        "line 3, column 1: 3 pairs are said to follow, and 2 do",
    ),
    (
        "against-himself.txt",
        "line 3, column 1: `3 3` is no pair of players",
    ),
];

fn file(name: &str) -> Vec<u8> {
    let path = Path::new("tests/defective").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A tournament with a round under way.
fn tournament() -> Tournament {
    let mut tournament = Tournament::default();
    let sheet = load::read(include_bytes!("../../trf/tests/open.trf"), None).expect("a sheet");
    let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    for act in plan.acts.iter().chain([&Act::StartRound {
        round: 3,
        at: String::new(),
    }]) {
        tournament.apply(act).expect("an act");
    }
    tournament
}

/// What is told of a file that is refused.
fn refusal(bytes: &[u8], name: &str) -> String {
    let (tournament, before) = (tournament(), tournament());
    let refused = load::read(bytes, None).expect_err(name);
    assert_eq!(tournament, before);
    refused.to_string()
}

#[test]
fn files_are_refused_with_their_place() {
    for (name, place) in FILES {
        let told = refusal(&file(name), name);
        assert!(told.starts_with(place), "{name}: {told}");
    }
}

#[test]
fn every_defective_file_is_in_a_test() {
    let tested = include_str!("defects.rs");
    let dir = fs::read_dir("tests/defective").expect("the directory");
    for entry in dir {
        let name = entry
            .expect("a file")
            .file_name()
            .into_string()
            .expect("a name");
        assert!(
            tested.contains(&format!("\"{name}\"")),
            "{name} is in no test"
        );
    }
}

#[test]
fn odd_names_are_told_and_stay_as_they_are() {
    let name = "markup-in-a-name.csv";
    let sheet = load::read(&file(name), Some(4)).expect(name);
    let plan = Plan::of(&tournament(), &sheet, &Place::default()).expect(name);
    let odd = plan.oddities.iter().find_map(|oddity| match oddity {
        Oddity::OddName { name, .. } => Some(name.as_str()),
        _ => None,
    });
    assert_eq!(odd, Some("<script>alert(1)</script>"));
}

#[test]
fn what_is_no_list_of_pairings() {
    let six_mib = vec![b'x'; 6 << 20];
    let old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on".as_slice();
    let no_list = file("no-list.doc");
    for (bytes, told) in [
        (b"".as_slice(), "line 1, column 1: the file is empty"),
        (b"\xef\xbb\xbf \r\n", "line 1, column 1: the file is empty"),
        (
            &six_mib,
            "line 1, column 1: 6291456 bytes: no list of pairings is so long",
        ),
        (&no_list, "line 1, column 1: this is no PGN, no TRF"),
        (old, "line 1, column 1: a workbook as before 2007"),
        (
            b"PK\x03\x04 and no more",
            "line 1, column 1: this is no workbook",
        ),
        (
            b"table,white,black\n",
            "line 1, column 1: no pairing is in it",
        ),
    ] {
        let refused = refusal(bytes, told);
        assert!(refused.starts_with(told), "{told}: {refused}");
    }
}

/// A workbook with these cells: row, column, text.
fn workbook(cells: &[(u32, u16, &str)]) -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook
        .add_worksheet()
        .set_name("Round 4")
        .expect("a name");
    for (row, column, text) in cells {
        sheet.write(*row, *column, *text).expect("a cell");
    }
    workbook.save_to_buffer().expect("a workbook")
}

const HEADINGS: [(u32, u16, &str); 3] = [(0, 0, "Bo."), (0, 1, "White"), (0, 2, "Black")];

#[test]
fn defective_workbooks() {
    let far = (20_000, 1, "Berg");
    for (cell, told) in [
        (
            far,
            "sheet Round 4, row 20001, column 2: more than 12000 rows",
        ),
        (
            (1, 0, "x"),
            "sheet Round 4, row 2, column 1: `x` is no number",
        ),
        (
            (1, 2, "Berg"),
            "sheet Round 4, row 2, column 3: `Berg` is paired with himself",
        ),
        (
            (1, 2, "Co\nle"),
            "sheet Round 4, row 2, column 3: a name has the control character",
        ),
        (
            (0, 3, "White"),
            "sheet Round 4, row 1, column 4: the heading of another column",
        ),
    ] {
        let mut cells = HEADINGS.to_vec();
        cells.extend([(1, 0, "1"), (1, 1, "Berg"), (1, 2, "Cole")]);
        cells.retain(|other| (other.0, other.1) != (cell.0, cell.1));
        cells.push(cell);
        let refused = refusal(&workbook(&cells), told);
        assert!(refused.starts_with(told), "{told}: {refused}");
    }
    let no_table = refusal(&workbook(&[(0, 0, "Hello")]), "no table");
    assert!(no_table.contains("no sheet has headings"), "{no_table}");
    let mut two = Workbook::new();
    for name in ["A", "B"] {
        let sheet = two.add_worksheet().set_name(name).expect("a name");
        for (row, column, text) in HEADINGS {
            sheet
                .write_with_format(row, column, text, &Format::new().set_bold())
                .expect("a cell");
        }
    }
    let two = refusal(&two.save_to_buffer().expect("a workbook"), "two");
    assert!(two.contains("the sheets A, B all have pairings"), "{two}");
}

/// The parts of a workbook, each as `change` makes it.
fn changed(bytes: &[u8], change: impl Fn(&str, Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for place in 0..archive.len() {
        let mut part = archive.by_index(place).expect("a part");
        let name = part.name().expect("a name").to_string();
        let mut content = Vec::new();
        std::io::copy(&mut part, &mut content).expect("its content");
        let options = SimpleFileOptions::default();
        writer.start_file(name.as_str(), options).expect("a part");
        writer
            .write_all(&change(&name, content))
            .expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

#[test]
fn workbooks_that_would_fill_the_memory() {
    let mut cells = HEADINGS.to_vec();
    cells.extend([(1, 0, "1"), (1, 1, "Berg"), (1, 2, "Cole")]);
    let sound = workbook(&cells);
    load::read(&sound, Some(4)).expect("a sheet");
    let strings = "xl/sharedStrings.xml";
    let bomb = changed(&sound, |name, content| match name == strings {
        true => vec![b' '; 40 << 20],
        false => content,
    });
    assert!(bomb.len() < 100_000, "{} bytes", bomb.len());
    let claim = changed(&sound, |name, content| match name == strings {
        true => {
            let text = String::from_utf8(content).expect("UTF-8");
            let count = text.find("uniqueCount=\"").expect("a count") + 13;
            let (before, after) = text.split_at(count);
            format!("{before}99999999999{after}").into_bytes()
        }
        false => content,
    });
    let hidden = changed(&sound, |name, content| match name == strings {
        true => content.iter().flat_map(|byte| [*byte, 0]).collect(),
        false => content,
    });
    for (bytes, told) in [
        (bomb, "unpacked it is more than 32 MiB"),
        (claim, "texts: no list of pairings has so many"),
        (
            hidden,
            "sharedstrings.xml: it has characters that are no text",
        ),
    ] {
        let refused = refusal(&bytes, told);
        assert!(refused.contains(told), "{told}: {refused}");
    }
    // A text that many cells share is not copied before it is looked at.
    let long = "x".repeat(30_000);
    let mut cells = HEADINGS.to_vec();
    cells.extend((1..5_000).map(|row| (row, 1, long.as_str())));
    let told = refusal(&workbook(&cells), "long");
    assert!(
        told.contains("a text of more than 1000 characters"),
        "{told}"
    );
}

/// Everybody is there twice: that is no further fault.
#[test]
fn a_second_round_in_a_table_is_told_once() {
    let told = refusal(&file("two-rounds.csv"), "two-rounds.csv");
    assert_eq!(told.lines().count(), 1, "{told}");
}

/// Of a round robin that is paired to its end the first round is meant that is not begun, where
/// all before it are played; else it is asked for.
#[test]
fn of_several_unplayed_rounds_one_is_said_or_follows() {
    let text = String::from_utf8(file("several-unplayed-rounds.trf")).expect("UTF-8");
    let sheet = load::read(text.as_bytes(), Some(2)).expect("a round");
    assert_eq!((sheet.round, sheet.games.len()), (Some(2), 2));
    let unplayed = text
        .replace("     4 w 1     3 b", "     4 w       3 b")
        .replace("     1 b 0     2 w", "     1 b       2 w");
    let sheet = load::read(unplayed.as_bytes(), None).expect("a round");
    assert_eq!(sheet.round, Some(1), "none is begun");
    let played = text
        .replace("     3 w       4 b", "     3 w 1     4 b")
        .replace("     2 b       1 w", "     2 b 0     1 w");
    let count = |text: &str| text.matches(['0', '1']).count();
    assert_eq!(count(&unplayed) + 2, count(&text));
    assert_eq!(count(&text) + 2, count(&played));
    let sheet = load::read(played.as_bytes(), None).expect("a round");
    assert_eq!(sheet.round, Some(2));
}
