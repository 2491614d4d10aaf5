//! Late changes, players of one name, and what nothing is made of.

use tournament::{Act, Change, Oddity, Place, Plan, Start, Tournament, load};

fn plan(tournament: &Tournament, file: &str, round: u16) -> Result<Plan, String> {
    let sheet = load::read(file.as_bytes(), Some(round)).map_err(|error| error.to_string())?;
    let place = Place {
        round: Some(round),
        ..Place::default()
    };
    Plan::of(tournament, &sheet, &place).map_err(|error| error.to_string())
}

fn load(tournament: &mut Tournament, file: &str, round: u16) -> Plan {
    let plan = plan(tournament, file, round).expect("a plan");
    for act in &plan.acts {
        tournament.apply(act).expect("an act");
    }
    plan
}

/// A report file of pairs for the first round, in the order of its players.
fn report(pairs: &[(u16, u16)]) -> String {
    let mut lines: Vec<(u16, String)> = Vec::new();
    for (white, black) in pairs {
        for (number, other, colour) in [(white, black, 'w'), (black, white, 'b')] {
            let name = format!("Player{number}, A");
            let cell = format!("{other:4} {colour}");
            let about = "1800 GER             1990/01/02  0.0";
            let line = format!("001 {number:4} m    {name:33} {about} {number:4}  {cell}\n");
            lines.push((*number, line));
        }
    }
    lines.sort();
    let lines = lines.into_iter().map(|(_, line)| line);
    format!("012 Open\n{}", lines.collect::<String>())
}

fn tables(plan: &Plan) -> Vec<(u16, u16, u16)> {
    let games = plan.pairings.iter();
    games
        .filter_map(|p| Some((p.table?, p.white, p.black?)))
        .collect()
}

#[test]
fn a_late_change_by_report_file_leaves_the_others_at_their_tables() {
    let mut event = Tournament::default();
    let drawn = load(&mut event, &report(&[(1, 5), (2, 6), (3, 7), (4, 8)]), 1);
    assert_eq!(tables(&drawn), [(1, 1, 5), (2, 2, 6), (3, 3, 7), (4, 4, 8)]);
    assert!(drawn.oddities.contains(&Oddity::TablesByScore));
    let at = String::new();
    event
        .apply(&Act::StartRound { round: 1, at })
        .expect("a start");
    let (round, table, game) = (1, 2, "g".to_owned());
    event
        .apply(&Act::Begin { round, table, game })
        .expect("a game");
    // 1 has gone: 5 plays 3, and 7 nobody. Counted anew 2 and 6 would sit at the first table.
    let late = report(&[(2, 6), (3, 5), (8, 4), (7, 9)]);
    let changed = load(&mut event, &late, 1);
    assert_eq!(
        tables(&changed),
        [(1, 3, 5), (2, 2, 6), (3, 7, 9), (4, 8, 4)]
    );
    assert!(
        changed.oddities.contains(&Oddity::TablesStay),
        "{:?}",
        changed.oddities
    );
    let again = plan(&event, &late, 1).expect("a plan");
    assert_eq!(again.changes, []);
}

#[test]
fn a_new_pair_sits_behind_the_last_table() {
    let mut event = Tournament::default();
    load(&mut event, "table,white,black\n5,Ann,Ben\n7,Cat,Dan\n", 1);
    let late = "white,black\nEve,Fox\nDan,Cat\nGil,Ann\nHal,Ben\n";
    let drawn = load(&mut event, late, 1);
    let seats: Vec<u16> = drawn.pairings.iter().filter_map(|p| p.table).collect();
    assert_eq!(seats, [5, 7, 8, 9]);
    assert_eq!(
        (drawn.pairings[1].white, drawn.pairings[1].black),
        (4, Some(3))
    );
}

#[test]
fn players_of_one_name_are_never_taken_for_one() {
    let mut event = Tournament::default();
    let two = "white_no,white,black_no,black\n1,\"Li, Wei\",2,Cole\n3,Dam,4,\"Li, Wei\"\n";
    load(&mut event, two, 1);
    let refused = plan(&event, "white,black\nDam,Cole\n\"Li, Wei\",Ek\n", 2);
    let told = "line 3, column 1: `Li, Wei` is the name of players 1 and 4: say which number";
    assert_eq!(refused.err().as_deref(), Some(told));
    load(
        &mut event,
        "white,white_no,black\nDam,,Cole\n\"Li, Wei\",4,Ek\n",
        2,
    );
    // Who is known by his name alone may be another.
    load(&mut event, "white,white_elo,black\nDam,2000,Cole\n", 3);
    let plan = plan(
        &event,
        "white,white_elo,white_fed,black\nDam,1500,GER,Cole\n",
        4,
    );
    let plan = plan.expect("a plan");
    let told = Oddity::ByName {
        player: 3,
        name: "Dam".to_owned(),
        differs: vec!["rating".to_owned()],
    };
    assert!(plan.oddities.contains(&told), "{:?}", plan.oddities);
}

#[test]
fn spellings_of_one_name_are_told() {
    let mut event = Tournament::default();
    load(&mut event, "white,black\n\"Berg, Anna\",Cole\n", 1);
    let again = load(&mut event, "white,black\n\"BERG,Anna\",Cole\n", 2);
    assert_eq!((again.pairings[0].white, event.players.len()), (1, 2));
    assert_eq!(event.players[&1].name, "Berg, Anna", "as it is known");
    let two = "white_no,white,black_no,black\n1,\"Berg, Anna\",2,Cole\n3,\"BERG,Anna\",4,Dam\n";
    let plan = load(&mut Tournament::default(), two, 1);
    let is_told =
        |odd: &Oddity| matches!(odd, Oddity::SameName { numbers, .. } if *numbers == [1, 3]);
    assert!(plan.oddities.iter().any(is_told), "{:?}", plan.oddities);
}

#[test]
fn what_nothing_is_made_of_is_told() {
    let told = |file: &str| {
        let plan = plan(&Tournament::default(), file, 1).expect("a plan");
        let notes = plan.oddities.into_iter().filter_map(|odd| match odd {
            Oddity::PassedOver { place } => Some(place.to_string()),
            odd @ (Oddity::Absent { .. } | Oddity::OddTimeControl { .. }) => Some(odd.to_string()),
            _ => None,
        });
        notes.collect::<Vec<_>>()
    };
    assert_eq!(
        told("table,white,black,Pts.\n1,Berg,Cole,3\n"),
        ["line 1, column 4: nothing is made of column `Pts.`"]
    );
    let stub = "[Event \"O\"]\n[Rond \"1\"]\n[White \"Berg\"]\n[Black \"Cole\"]\n\
                [TimeControl \"90 min\"]\n";
    assert_eq!(
        told(stub),
        [
            "line 2, column 1: nothing is made of the tag `Rond`",
            "the time control `90 min` is none that PGN knows"
        ]
    );
    let moves = "[Round \"1\"]\n[White \"Berg\"]\n[Black \"Cole\"]\n[Result \"*\"]\n\n1. e4 e5 *\n";
    assert_eq!(told(moves), ["line 6, column 1: nothing is made of moves"]);
    let absent =
        "001    3 m    Dam                               1800 GER             1990/01/02  0.0    3";
    let trf = report(&[(1, 2)]);
    assert_eq!(
        told(&format!("{trf}{absent}\n")),
        ["the file says nothing of players 3 in this round: they are absent"]
    );
    let cut = format!("{trf}{absent}  0000 -\nXYZ what\n");
    assert_eq!(
        told(&cut),
        [
            "line 4, column 99: number 3 has no opponent and no result: is the line cut?",
            "line 5, column 1: nothing is made of lines `XYZ`",
            "the file says nothing of players 3 in this round: they are absent"
        ]
    );
    assert_eq!(told(&format!("{trf}{absent}  0000 - U\n")), [""; 0]);
    let teams = format!("{trf}299 x\n320 x\n");
    let counted = told(&teams)
        .into_iter()
        .filter(|told| told.contains("counted"));
    assert_eq!(
        counted.collect::<Vec<_>>(),
        [
            "line 4, column 1: corrections of points are not counted",
            "line 5, column 1: byes of teams are not counted"
        ]
    );
}

#[test]
fn what_is_not_seen_in_a_name_is_told() {
    for odd in [
        "\u{200f}",
        "\u{61c}",
        "\u{ad}",
        "\u{3164}",
        "\u{e0041}",
        "\u{200b}",
    ] {
        let file = format!("white,black\nBe{odd}rg,Cole\n");
        let plan = plan(&Tournament::default(), &file, 1).expect("a plan");
        let is_told = |told: &Oddity| matches!(told, Oddity::OddName { player: 1, .. });
        assert!(
            plan.oddities.iter().any(is_told),
            "{}",
            odd.escape_unicode()
        );
    }
}

#[test]
fn tables_that_a_file_does_not_have() {
    let file = "table,white,black\n1,Berg,Cole\n";
    let sheet = load::read(file.as_bytes(), Some(1)).expect("a sheet");
    let place = Place {
        round: Some(1),
        tables: Some(9..=12),
        ..Place::default()
    };
    let refused = Plan::of(&Tournament::default(), &sheet, &place).expect_err("nothing");
    let told = "line 1, column 1: no pairing at tables 9 to 12 is in it";
    assert_eq!(refused.to_string(), told);
}

#[test]
fn a_game_of_chess960_keeps_its_start() {
    const FEN: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let stub = format!(
        "[Event \"O\"]\n[Round \"1.1\"]\n[White \"Berg\"]\n[Black \"Cole\"]\n\
         [Variant \"Chess 960\"]\n\
         [SetUp \"1\"]\n[FEN \"{FEN}\"]\n\n*\n"
    );
    let mut event = Tournament::default();
    load(&mut event, &stub, 1);
    let start = Some(Start {
        fen: FEN.to_owned(),
        chess960: true,
    });
    assert_eq!(event.pairing(1, 1).expect("a pairing").start, start);
    // A file that says nothing of it takes nothing away.
    load(&mut event, "table,white,black\n1,Berg,Cole\n", 1);
    assert_eq!(event.pairing(1, 1).expect("a pairing").start, start);
    let out = tournament::write::pgn(&event, 1).expect("a round");
    for tag in [
        "[Variant \"Chess960\"]",
        "[SetUp \"1\"]",
        &format!("[FEN \"{FEN}\"]"),
    ] {
        assert!(out.contains(tag), "{tag}: {out}");
    }
    let other = stub.replace("w HFhf - 2 9", "b HFhf - 2 9");
    let changes = plan(&event, &other, 1).expect("a plan").changes;
    assert!(
        matches!(changes[..], [Change::Start { table: Some(1), .. }]),
        "{changes:?}"
    );
}
