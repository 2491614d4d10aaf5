//! A round from the file of a pairing program to the file with its results.

use std::collections::BTreeMap;

use tournament::{
    Act, Change, Format, How, Oddity, Place, Plan, Refusal, ResultCode, Stage, Tournament,
    Unplanned, load, write,
};

const TRF: &[u8] = include_bytes!("../../trf/tests/open.trf");

const STUBS: &str = "\
[Event \"Harbour Open\"]
[Site \"Kiel\"]
[Date \"2026.11.22\"]
[Round \"3.7\"]
[White \"Berg, Anna\"]
[Black \"Ek, Freja\"]
[Result \"*\"]
[WhiteTitle \"WIM\"]
[WhiteElo \"2241\"]
[BlackElo \"1902\"]
[WhiteFideId \"99000011\"]
[BlackFideId \"99000014\"]

*

[Event \"Harbour Open\"]
[Round \"3.8\"]
[White \"Dupont, Emile\"]
[Black \"Cole, Ben\"]
[Result \"*\"]

*
";

fn codes(text: &str) -> [ResultCode; 2] {
    ResultCode::both(text).expect("a result")
}

fn plan(tournament: &Tournament, file: &[u8]) -> Plan {
    let sheet = load::read(file, None).expect("a sheet");
    Plan::of(tournament, &sheet, &Place::default()).expect("a plan")
}

/// A tournament and every act that made it.
#[derive(Default)]
struct Book {
    acts: Vec<Act>,
    tournament: Tournament,
}

impl Book {
    fn act(&mut self, act: Act) -> Result<(), Refusal> {
        self.tournament.apply(&act)?;
        self.acts.push(act);
        Ok(())
    }

    fn load(&mut self, file: &[u8]) -> Plan {
        let plan = plan(&self.tournament, file);
        for act in &plan.acts {
            self.act(act.clone()).expect("an act of the plan");
        }
        plan
    }

    fn result(&mut self, table: u16, text: &str, reason: &str) -> Result<(), Refusal> {
        self.act(Act::Result {
            round: 3,
            table,
            codes: codes(text),
            how: How::Typed,
            reason: reason.to_owned(),
        })
    }

    /// What the acts make of nothing is what is there; so is what is read from JSON.
    fn check(&self) {
        let json = serde_json::to_string(&self.acts).expect("JSON");
        let acts: Vec<Act> = serde_json::from_str(&json).expect("acts");
        assert_eq!(acts, self.acts);
        assert_eq!(Tournament::of(&acts).as_ref(), Ok(&self.tournament));
    }
}

#[test]
fn a_round_of_a_report_file() {
    let mut book = Book::default();
    let plan = book.load(TRF);
    assert_eq!((plan.round, plan.pairings.len()), (3, 2));
    assert_eq!(book.tournament.players.len(), 4);
    assert_eq!(book.tournament.details.name, "Harbour Open");
    assert!(
        plan.oddities.contains(&Oddity::TablesByScore),
        "{:?}",
        plan.oddities
    );
    // Nobody has said yet where boards stand.
    assert!(!plan.oddities.contains(&Oddity::NoBoard { table: 1 }));
    assert_eq!(
        book.load(TRF).changes,
        [],
        "loaded again it changes nothing"
    );

    let early = Act::Begin {
        round: 3,
        table: 1,
        game: "g1".to_owned(),
    };
    assert_eq!(book.act(early.clone()), Err(Refusal::NotUnderWay(3)));
    book.act(Act::StartRound {
        round: 3,
        at: String::new(),
    })
    .expect("a start");
    for (table, board) in [(1, "b01"), (2, "b02")] {
        let board = board.to_owned();
        book.act(Act::Bind { table, board }).expect("a board");
    }
    let table = book.tournament.table_of("b01").expect("a table");
    let (round, pairing) = book.tournament.next_at(table).expect("a pairing");
    assert_eq!(
        (round, table, pairing.white, pairing.black),
        (3, 1, 3, Some(2))
    );
    book.act(early).expect("a game");
    assert_eq!(book.tournament.next_at(table), None, "it has begun");

    let close = Act::CloseRound { round: 3 };
    let open = Refusal::Open {
        round: 3,
        open: vec![1, 2],
    };
    assert_eq!(book.act(close.clone()), Err(open));
    let seen = Act::Propose {
        round: 3,
        table: 1,
        codes: codes("1-0"),
        how: How::Board,
    };
    book.act(seen.clone()).expect("a proposal");
    book.act(Act::Confirm { round: 3, table: 1 })
        .expect("a result");
    let confirmed = Refusal::Confirmed { round: 3, table: 1 };
    assert_eq!(book.act(seen), Err(confirmed), "what a person said stays");
    book.result(2, "0-½", "")
        .expect("a result that adds up to half a point");
    assert_eq!(
        book.result(2, "-/+", ""),
        Err(Refusal::NoReason { round: 3, table: 2 })
    );
    book.result(2, "-/+", "White came after the default time")
        .expect("a correction");
    book.act(close).expect("the round is over");
    assert_eq!(book.tournament.rounds[&3].stage, Stage::Closed);

    let filled = write::trf(&book.tournament, 3, TRF).expect("a file").bytes;
    let sheet = load::read(&filled, Some(3)).expect("a sheet");
    let ended: Vec<_> = sheet.games.iter().map(|game| game.codes).collect();
    assert_eq!(ended, [Some(codes("1-0")), Some(codes("-/+"))]);
    let unplayed = load::read(&filled, None)
        .expect_err("no round is left")
        .to_string();
    assert!(
        unplayed.contains("every game of it is played"),
        "{unplayed}"
    );
    let csv = write::csv(&book.tournament, 3).expect("a table");
    assert_eq!(csv.lines().count(), 3);
    assert!(
        csv.contains("3,2,\"Berg, Anna\",\"Ek, Freja\",-/+,1,4,"),
        "{csv}"
    );
    book.check();
}

#[test]
fn games_without_moves_have_their_tables() {
    let mut book = Book::default();
    let board = "b01".to_owned();
    book.act(Act::Bind { table: 1, board }).expect("a board");
    let plan = book.load(STUBS.as_bytes());
    assert_eq!(
        plan.oddities.len(),
        2,
        "two tables without boards: {:?}",
        plan.oddities
    );
    let tables: Vec<Option<u16>> = plan.pairings.iter().map(|pairing| pairing.table).collect();
    assert_eq!((plan.round, tables), (3, vec![Some(7), Some(8)]));
    let tags: BTreeMap<&str, String> = write::tags(&book.tournament, 3, 7)
        .expect("tags")
        .into_iter()
        .collect();
    for (name, value) in [
        ("Round", "3.7"),
        ("Board", "7"),
        ("White", "Berg, Anna"),
        ("WhiteTitle", "WIM"),
        ("WhiteElo", "2241"),
        ("BlackFideId", "99000014"),
        ("Result", "*"),
    ] {
        assert_eq!(tags.get(name).map(String::as_str), Some(value), "{name}");
    }
    assert_eq!(book.load(STUBS.as_bytes()).changes, []);
    // Players of another file are the same by FIDE's number, or by name.
    let trf = book.load(TRF);
    assert!(
        !trf.changes.iter().any(
            |change| matches!(change, Change::Enters { player } if player.name == "Berg, Anna")
        )
    );
    book.check();
}

#[test]
fn a_late_change_of_a_pairing() {
    let mut book = Book::default();
    book.load(STUBS.as_bytes());
    book.act(Act::StartRound {
        round: 3,
        at: String::new(),
    })
    .expect("a start");
    book.act(Act::Begin {
        round: 3,
        table: 7,
        game: "g1".to_owned(),
    })
    .expect("a game");
    let swapped = STUBS
        .replace("Dupont, Emile", "X")
        .replace("Cole, Ben", "Dupont, Emile")
        .replace("\"X\"", "\"Cole, Ben\"");
    let plan = book.load(swapped.as_bytes());
    assert_eq!(
        plan.changes,
        [Change::Redrawn {
            table: 8,
            before: (3, Some(4)),
            after: (4, Some(3))
        }]
    );
    let before = book.tournament.clone();
    let started = STUBS
        .replace("Ek, Freja", "Other, One")
        .replace("[BlackFideId \"99000014\"]\n", "");
    let sheet = load::read(started.as_bytes(), None).expect("a sheet");
    let refused = Plan::of(&book.tournament, &sheet, &Place::default());
    let refusal = Refusal::Begun { round: 3, table: 7 };
    let line = Some(1);
    assert_eq!(refused, Err(Unplanned::Refused { refusal, line }));
    assert_eq!(book.tournament, before);
    book.check();
}

#[test]
fn a_file_with_other_results() {
    let mut book = Book::default();
    let with = |result: &str| STUBS.replacen("Result \"*\"", &format!("Result \"{result}\""), 1);
    book.load(STUBS.as_bytes());
    let plan = book.load(with("1-0").as_bytes());
    let result = |before: Option<&str>, after: &str| Change::Result {
        table: Some(7),
        white: 1,
        before: before.map(str::to_owned),
        after: Some(after.to_owned()),
    };
    assert_eq!(
        plan.changes,
        [result(None, "1-0")],
        "it is not drawn anew where only the result is another"
    );
    let plan = book.load(with("0-1").as_bytes());
    assert_eq!(plan.changes, [result(Some("1-0"), "0-1")]);
    let start = Act::StartRound {
        round: 3,
        at: String::new(),
    };
    book.act(start).expect("a start");
    book.result(7, "1/2-1/2", "").expect("a result");
    let plan = book.load(with("0-1").as_bytes());
    assert_eq!(plan.changes, [], "what a person has confirmed stays");
    let told = Oddity::OtherResult {
        table: 7,
        said: "0-1".to_owned(),
        stands: "½-½".to_owned(),
        confirmed: true,
    };
    assert!(plan.oddities.contains(&told), "{:?}", plan.oddities);
    let plan = book.load(with("1/2-1/2").as_bytes());
    assert!(
        !plan
            .oddities
            .iter()
            .any(|odd| matches!(odd, Oddity::OtherResult { .. }))
    );
    book.check();
}

#[test]
fn a_list_of_numbers_beside_the_players() {
    let mut book = Book::default();
    let sheet = load::read(b"2\n1 4\n3 2\n", None).expect("a sheet");
    assert_eq!(sheet.format, Format::List);
    let place = Place {
        round: Some(4),
        ..Place::default()
    };
    let refused = Plan::of(&book.tournament, &sheet, &place).expect_err("nobody");
    let told = refused.to_string();
    assert!(
        told.starts_with("line 2, column 1: there is no player 1"),
        "{told}"
    );
    assert!(
        told.contains("line 3, column 1: there is no player 3"),
        "{told}"
    );
    book.load(TRF);
    let plan = Plan::of(&book.tournament, &sheet, &place).expect("a plan");
    assert_eq!(plan.round, 4);
    assert!(plan.oddities.contains(&Oddity::TablesByOrder));
    assert!(
        plan.changes
            .iter()
            .all(|change| matches!(change, Change::Drawn { .. })),
        "{:?}",
        plan.changes
    );
}

#[test]
fn a_table_of_a_spreadsheet() {
    let text = "Tisch;Weiß;Schwarz;Ergebnis\r\n1;Berg, Anna;\"Ek, Freja\";\r\n\
                2;Dupont, Emile;spielfrei;\r\n";
    let place = Place {
        round: Some(1),
        ..Place::default()
    };
    let sheet = load::read(text.as_bytes(), Some(1)).expect("a sheet");
    let plan = Plan::of(&Tournament::default(), &sheet, &place).expect("a plan");
    assert_eq!(plan.pairings.len(), 2);
    assert!(plan.pairings[1].is_bye());
    // The same as an old Windows program writes it.
    let bytes: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
        .collect();
    assert_eq!(load::read(&bytes, Some(1)).as_ref(), Ok(&sheet));
}

#[test]
fn players_without_a_number_are_told_apart_by_their_names_within_a_file() {
    let plan = |text: &str| {
        let sheet = load::read(text.as_bytes(), Some(1)).expect("a sheet");
        let place = Place {
            round: Some(1),
            ..Place::default()
        };
        Plan::of(&Tournament::default(), &sheet, &place).map(|plan| plan.pairings.len())
    };
    assert_eq!(plan("white,black\nAnna,\nFreja,\n"), Ok(2));
    let full = plan("white,white_no,black\nAnna,65535,\nFreja,,\n");
    assert_eq!(full, Err(Refusal::TooMany.into()));
}

#[test]
fn defective_files_are_refused_with_their_place() {
    for (text, place) in [
        ("", "line 1, column 1"),
        ("hello", "line 1, column 1: this is no PGN"),
        (
            "2\n1 4\n",
            "line 2, column 1: 2 pairs are said to follow, and 1 do",
        ),
        ("1\n1 1\n", "line 2, column 1: `1 1` is no pair"),
        (
            "table,white,black\nx,A,B\n",
            "line 2, column 1: `x` is no number",
        ),
        (
            "table,white,black,result\n1,A,B,2-0\n",
            "line 2, column 4: `2-0` is no result; write 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, \
             +/-, -/+ or -/-",
        ),
        (
            "[Event \"A\"]\n[Round 1]\n",
            "line 2, column 1: `[Round 1]` is no tag",
        ),
        (
            "[Event \"A\"]\n[Round \"x\"]\n[White \"A\"]\n[Black \"B\"]\n",
            "line 2, column 1: `x` is no round",
        ),
        (
            "[Event \"A\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"12k\"]\n",
            "line 5, column 1: WhiteElo is no number",
        ),
        (
            "[White \"A\"]\n[White \"B\"]\n[Black \"C\"]\n[Round \"1\"]\n",
            "line 2, column 1: the tag `White` is there twice",
        ),
    ] {
        let wrong = load::read(text.as_bytes(), None)
            .expect_err(text)
            .to_string();
        assert!(wrong.starts_with(place), "{text:?}: {wrong}");
    }
}

#[test]
fn points_that_are_not_those_of_the_results() {
    let odd = |file: &str| {
        let plan = plan(&Tournament::default(), file.as_bytes());
        plan.oddities.into_iter().find_map(|oddity| match oddity {
            Oddity::OtherPoints { players } => Some(players),
            _ => None,
        })
    };
    let file = String::from_utf8_lossy(TRF);
    assert_eq!(odd(&file), None);
    assert_eq!(
        odd(&file.replace("  1.0    3", "  1.5    3")),
        Some(vec![3])
    );
    let three = file.replace("142 3", "142 3\nXXS W=3 D=1");
    assert_eq!(odd(&three), Some(vec![1, 2, 3, 4]));
}

#[test]
fn results_for_vega() {
    let mut book = Book::default();
    let text = "table,white,black,result,white_no,black_no\n1,A,B,1-0,1,2\n2,C,D,0-1,3,4\n\
                3,E,F,½-½,5,6\n4,G,H,+/-,7,8\n5,I,J,-/+,9,10\n6,K,L,-/-,11,12\n7,M,N,½-0,13,14\n\
                8,O,P,,15,16\n,Q,bye,,17,\n";
    let sheet = load::read(text.as_bytes(), Some(6)).expect("a sheet");
    let plan = Plan::of(&book.tournament, &sheet, &Place::default()).expect("a plan");
    for act in plan.acts {
        book.act(act).expect("an act of the plan");
    }
    // What the file says is confirmed by nobody.
    let none = ("0 6\n".to_owned(), Vec::new());
    assert_eq!(write::res(&book.tournament, 6), Ok(none));
    let (round, at) = (6, String::new());
    book.act(Act::StartRound { round, at }).expect("a start");
    for table in 1..=7 {
        book.act(Act::Confirm { round, table }).expect("a result");
    }
    let (written, left_out) = write::res(&book.tournament, 6).expect("results");
    let expected = "6 6\n1 2 1\n3 4 0\n5 6 5\n7 8 3\n9 10 4\n11 12 2\n";
    assert_eq!((written.as_str(), left_out), (expected, vec![7]));
}

#[test]
fn what_a_file_does_not_say_stays() {
    let mut book = Book::default();
    let csv = "table,white,black,result\n1,Berg,Cole,½-0\n2,Dupont,Ek,1-0\n,Falk,bye,H\n";
    for (file, changes) in [(csv, 8), (STUBS_OF_FIVE, 0)] {
        let sheet = load::read(file.as_bytes(), Some(1)).expect("a sheet");
        let plan = Plan::of(&book.tournament, &sheet, &Place::default()).expect("a plan");
        assert_eq!(plan.changes.len(), changes, "{:?}", plan.changes);
        for act in plan.acts {
            book.act(act).expect("an act of the plan");
        }
    }
}

/// Without results, and without the player who has a bye.
const STUBS_OF_FIVE: &str = "\
[Round \"1.1\"]\n[White \"Berg\"]\n[Black \"Cole\"]\n[Result \"*\"]\n\n*\n
[Round \"1.2\"]\n[White \"Dupont\"]\n[Black \"Ek\"]\n[Result \"*\"]\n\n*\n";

#[test]
fn boards_of_teams_in_games_without_moves() {
    let game = |round: &str, white: &str, black: &str| {
        format!(
            "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteTeam \"Hill\"]\n\
             [Board \"1\"]\n\n*\n\n"
        )
    };
    let text = game("2.2.1", "E", "F") + &game("2.1.2", "C", "D") + &game("2.1.1", "A", "B");
    let plan = plan(&Tournament::default(), text.as_bytes());
    let seated: Vec<_> = plan.pairings.iter().map(|p| (p.table, p.white)).collect();
    assert_eq!(seated, [(Some(1), 1), (Some(2), 3), (Some(3), 5)]);
}

#[test]
fn an_event_is_opened_once_and_closed_for_good() {
    let mut book = Book::default();
    let details = tournament::Details {
        name: "Harbour Open".to_owned(),
        default_time: Some(30),
        ..tournament::Details::default()
    };
    let open = Act::Open { details };
    book.act(open.clone()).expect("an event");
    let again = book.act(open.clone());
    assert_eq!(again, Err(Refusal::EventOpen("Harbour Open".to_owned())));
    book.load(TRF);
    let at = "2026-11-24T10:00:00Z".to_owned();
    book.act(Act::StartRound {
        round: 3,
        at: at.clone(),
    })
    .expect("a start");
    assert_eq!(book.tournament.rounds[&3].started, at);
    assert_eq!(book.act(Act::Close), Err(Refusal::AnotherUnderWay(3)));
    for table in book.tournament.not_begun(3) {
        let codes = codes("-/-");
        let how = How::Forfeit;
        let reason = String::new();
        book.act(Act::Result {
            round: 3,
            table,
            codes,
            how,
            reason,
        })
        .expect("a forfeit");
    }
    assert_eq!(book.tournament.not_begun(3), [0u16; 0]);
    book.act(Act::CloseRound { round: 3 }).expect("closed");
    book.act(Act::Close).expect("over");
    assert_eq!(book.act(open), Err(Refusal::EventClosed));
    book.check();
}

#[test]
fn a_game_that_was_none_leaves_its_pairing_as_it_was() {
    let mut book = Book::default();
    book.load(STUBS.as_bytes());
    let at = String::new();
    book.act(Act::StartRound { round: 3, at }).expect("a start");
    let before = book.tournament.clone();
    let (round, table) = (3, 7);
    let game = "g1".to_owned();
    book.act(Act::Begin { round, table, game }).expect("a game");
    assert_eq!(book.tournament.seat_of("g1"), Some((3, 7)));
    assert_eq!(book.tournament.not_begun(3), [8]);
    book.act(Act::Annul { round, table }).expect("none");
    let mut pairings = book.tournament.rounds[&3].pairings.clone();
    let its = pairings.iter_mut().find(|pairing| pairing.table == Some(7));
    let its = its.expect("a pairing");
    assert!(std::mem::take(&mut its.annulled));
    assert_eq!(std::mem::take(&mut its.annulled_games), ["g1"]);
    assert_eq!(pairings, before.rounds[&3].pairings);
    // What is no longer annulled is its game, unless it has another one.
    let again = |game: &str| Act::Reinstate {
        round,
        table,
        game: game.to_owned(),
    };
    assert!(book.act(again("g2")).is_err());
    book.act(again("g1")).expect("a game");
    assert_eq!(book.tournament.seat_of("g1"), Some((3, 7)));
    assert!(book.act(again("g1")).is_err());
    book.act(Act::Annul { round, table }).expect("none");
    // What was typed is a game that has begun.
    let typed = tournament::Typed {
        after: 0,
        moves: vec!["e4".to_owned(), "e5".to_owned()],
        ..tournament::Typed::default()
    };
    book.act(Act::Moves {
        round,
        table,
        typed,
        reason: String::new(),
    })
    .expect("moves");
    assert_eq!(book.tournament.not_begun(3), [8]);
    let other = STUBS
        .replace("Ek, Freja", "Other, One")
        .replace("99000014", "99000099");
    let sheet = load::read(other.as_bytes(), None).expect("a sheet");
    let refused = Plan::of(&book.tournament, &sheet, &Place::default());
    let refusal = Refusal::Begun { round: 3, table: 7 };
    let line = Some(1);
    assert_eq!(refused, Err(Unplanned::Refused { refusal, line }));
    book.check();
}
