//! A file that is loaded again changes nothing: random tournaments, in every format.

use std::fmt::Write;

use chess_trf::Code;
use proptest::collection::vec;
use proptest::prelude::*;
use rust_xlsxwriter::Workbook;
use tournament::{Act, How, Place, Plan, ResultCode, Tournament, load, write};

/// What the two sides of a game can have.
const RESULTS: [Option<[Code; 2]>; 12] = [
    None,
    Some([Code::Win, Code::Loss]),
    Some([Code::Loss, Code::Win]),
    Some([Code::Draw, Code::Draw]),
    Some([Code::Draw, Code::Loss]),
    Some([Code::Loss, Code::Loss]),
    Some([Code::ForfeitWin, Code::ForfeitLoss]),
    Some([Code::ForfeitLoss, Code::ForfeitWin]),
    Some([Code::ForfeitLoss, Code::ForfeitLoss]),
    Some([Code::UnratedWin, Code::UnratedLoss]),
    Some([Code::UnratedDraw, Code::UnratedDraw]),
    Some([Code::UnratedLoss, Code::UnratedDraw]),
];

const BYES: [Option<Code>; 7] = [
    None,
    Some(Code::HalfPointBye),
    Some(Code::FullPointBye),
    Some(Code::PairingBye),
    Some(Code::ZeroPointBye),
    Some(Code::ForfeitWin),
    Some(Code::ForfeitLoss),
];

#[derive(Debug, Clone)]
struct Round {
    /// Players by their place; the number is the place and 1.
    names: Vec<String>,
    ids: Vec<Option<u64>>,
    /// Whoever is left over at the end has a bye.
    order: Vec<usize>,
    games: usize,
    results: Vec<usize>,
    bye: usize,
    end: &'static str,
}

/// Letters, signs and marks that names of players have; a line of the file has room for 33.
fn name() -> impl Strategy<Value = String> {
    let signs =
        "aeinorstÄÖÜßéèçñåøŁńżćšžğıőțЖяΩλ北京محمدदअ\u{301}\u{200d} ',.;:-()\"\\=+@&#/`´’“”0";
    let chars = prop::sample::select(signs.chars().collect::<Vec<_>>());
    vec(chars, 1..28).prop_map(|chars| chars.into_iter().collect())
}

fn round() -> impl Strategy<Value = Round> {
    (2..24_usize).prop_flat_map(|count| {
        (
            vec(name(), count),
            vec(prop::option::of(1..9_999_999_999_u64), count),
            Just((0..count).collect::<Vec<_>>()).prop_shuffle(),
            1..=count / 2,
            vec(0..RESULTS.len(), count),
            0..BYES.len(),
            prop::sample::select(vec!["\r", "\n", "\r\n"]),
        )
            .prop_map(|(names, mut ids, order, games, results, bye, end)| {
                // A name of its own for everybody, without blanks around it.
                let names = names.iter().zip(1..);
                let names = names
                    .map(|(name, n)| format!("{}x{n}", name.trim()))
                    .collect();
                let mut known = std::collections::BTreeSet::new();
                for id in &mut ids {
                    *id = id.filter(|id| known.insert(*id));
                }
                Round {
                    names,
                    ids,
                    order,
                    games,
                    results,
                    bye,
                    end,
                }
            })
    })
}

impl Round {
    /// Opponent, colour and code of each player.
    fn cells(&self) -> Vec<String> {
        let char = |code: Option<Code>| code.map_or(' ', Code::char);
        let alone = BYES[self.bye].map_or(String::new(), |code| format!("0000 - {}", code.char()));
        let mut cells = vec![alone; self.names.len()];
        for (pair, result) in self
            .order
            .chunks_exact(2)
            .zip(&self.results)
            .take(self.games)
        {
            let codes = RESULTS[*result].map_or([None; 2], |codes| codes.map(Some));
            cells[pair[0]] = format!("{:4} w {}", pair[1] + 1, char(codes[0]));
            cells[pair[1]] = format!("{:4} b {}", pair[0] + 1, char(codes[1]));
        }
        cells
    }

    /// The second of two rounds; nobody came to the first.
    fn trf(&self) -> Vec<u8> {
        let mut text = format!("012 A tournament{0}142 5{0}", self.end);
        for ((name, cell), n) in self.names.iter().zip(self.cells()).zip(1_usize..) {
            let id = self.ids[n - 1].map_or(String::new(), |id| id.to_string());
            let line = format!(
                "001 {n:4} m{:3} {name:33} {:4} {:3} {id:>11} {:10} {:>4} {n:4}  {:8}  {cell}",
                ["", "GM", "f"][n % 3],
                1800 + n,
                "NOR",
                "1990/01/02",
                "0.0",
                ""
            );
            let _ = write!(text, "{}{}", line.trim_end(), self.end);
        }
        text.into_bytes()
    }
}

/// Plans, and plans again: the first time something may change, the second time nothing.
fn load_twice(tournament: &mut Tournament, bytes: &[u8], round: u16) -> Plan {
    let sheet = load::read(bytes, Some(round)).expect("a sheet");
    let place = Place::default();
    let plan = Plan::of(tournament, &sheet, &place).expect("a plan");
    for act in &plan.acts {
        tournament.apply(act).expect("an act of the plan");
    }
    let again = Plan::of(tournament, &sheet, &place).expect("a plan");
    assert_eq!((again.changes, again.acts), (Vec::new(), Vec::new()));
    plan
}

/// A comma-separated table as the sheet of a workbook.
fn workbook(csv: &str) -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(csv.as_bytes());
    for (record, row) in reader.records().zip(0..) {
        for (field, column) in record.expect("a record").iter().zip(0..) {
            match field.parse::<u32>() {
                Ok(number) => sheet.write(row, column, number).expect("a number"),
                Err(_) => sheet.write(row, column, field).expect("a text"),
            };
        }
    }
    workbook.save_to_buffer().expect("a workbook")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn nothing_changes(round in round()) {
        let file = round.trf();
        let mut tournament = Tournament::default();
        load_twice(&mut tournament, &file, 2);
        for (name, n) in round.names.iter().zip(1..) {
            prop_assert_eq!(&tournament.players[&n].name, name);
        }
        let pairings = &tournament.rounds[&2].pairings;
        let games = pairings.iter().filter(|pairing| !pairing.is_bye()).count();
        prop_assert_eq!(games, round.games);

        // What is written of it and read again is the same, whatever the format.
        let csv = write::csv(&tournament, 2).expect("a table");
        let pgn = write::pgn(&tournament, 2).expect("games");
        for bytes in [csv.as_bytes(), pgn.as_bytes(), &workbook(&csv)] {
            let sheet = load::read(bytes, Some(2)).expect("a sheet");
            let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
            prop_assert_eq!(plan.changes, []);
        }
        // So is what another tournament reads of it.
        for bytes in [csv.as_bytes(), &workbook(&csv)] {
            let mut other = Tournament::default();
            load_twice(&mut other, bytes, 2);
            prop_assert_eq!(&other.rounds[&2].pairings, &tournament.rounds[&2].pairings);
        }
        load_twice(&mut Tournament::default(), pgn.as_bytes(), 2);
    }

    #[test]
    fn results_come_back(round in round(), typed in vec(1..RESULTS.len(), 24)) {
        let file = round.trf();
        let mut tournament = Tournament::default();
        load_twice(&mut tournament, &file, 2);
        tournament.apply(&Act::StartRound { round: 2, at: String::new() }).expect("a start");
        let pairings = tournament.rounds[&2].pairings.clone();
        let games = pairings.iter().filter_map(|pairing| pairing.table);
        for (table, result) in games.zip(typed) {
            let act = Act::Result {
                round: 2,
                table,
                codes: RESULTS[result].expect("a result").map(ResultCode),
                how: How::Typed,
                reason: String::new(),
            };
            tournament.apply(&act).expect("a result");
        }
        let filled = write::trf(&tournament, 2, &file).expect("a file").bytes;
        let again = write::trf(&tournament, 2, &filled).expect("a file").bytes;
        prop_assert_eq!(&again, &filled);
        let plan = load_twice(&mut tournament, &filled, 2);
        prop_assert_eq!(plan.changes, []);
        let mut other = Tournament::default();
        load_twice(&mut other, &filled, 2);
        for (one, other) in tournament.rounds[&2].pairings.iter().zip(&other.rounds[&2].pairings) {
            prop_assert_eq!(one.settled(), other.settled());
        }
        // Nothing but column 109 of the lines that had a game is another.
        let (before, after) = (text(&file), text(&filled));
        for (before, after) in before.split(round.end).zip(after.split(round.end)) {
            let differs = |(n, c): &(usize, char)| before.chars().nth(*n).unwrap_or(' ') != *c;
            let other: Vec<_> = after.chars().enumerate().filter(differs).map(|(n, _)| n).collect();
            prop_assert!(other.is_empty() || other == [108], "{:?}: {}", other, after);
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}
