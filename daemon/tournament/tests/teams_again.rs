//! Teams in the rounds after the first, in files that count them otherwise, or that know of players
//! only.

mod league;

use league::{FILE, FIRST_ROUND, FORFEITED, load, matches, plan, take, text, with_cells};
use tournament::{
    Act, Change, How, Oddity, Place, Plan, ResultCode, Tournament, Unplanned, load, write,
};

const SECOND_ROUND: [&str; 2] = [
    "Harbour Hill: 1 9, 2 10, 3 11",
    "Valley Lakeside: 12 6, 14 7, 13 8",
];

fn act(event: &mut Tournament, act: Act) {
    event.apply(&act).expect("an act");
}

/// Every game of a round ends so, and it is closed.
fn play(event: &mut Tournament, round: u16, result: &str) {
    let at = String::new();
    act(event, Act::StartRound { round, at });
    let tables = event.rounds[&round].pairings.iter();
    let tables: Vec<u16> = tables.filter_map(|pairing| pairing.table).collect();
    for table in tables {
        let codes = ResultCode::both(result).expect("a result");
        let (how, reason) = (How::Typed, String::new());
        let result = Act::Result {
            round,
            table,
            codes,
            how,
            reason,
        };
        act(event, result);
    }
    act(event, Act::CloseRound { round });
}

/// The league after its first round.
fn played() -> Tournament {
    let mut event = Tournament::default();
    load(&mut event, &text(), 1);
    play(&mut event, 1, "1-0");
    event
}

/// Harbour plays Hill, and Lakeside Valley.
fn second() -> String {
    let cells = [
        (1, "   9 w"),
        (2, "  10 b"),
        (3, "  11 w"),
        (9, "   1 b"),
        (10, "   2 w"),
        (11, "   3 b"),
        (6, "  12 b"),
        (7, "  14 w"),
        (8, "  13 b"),
        (12, "   6 w"),
        (14, "   7 b"),
        (13, "   8 w"),
    ];
    let mut lines: Vec<String> = text().lines().map(str::to_owned).collect();
    for (number, cell) in cells {
        let his = format!("001 {number:4}");
        let mut lines = lines.iter_mut();
        let line = lines.find(|line| line.starts_with(&his)).expect("a line");
        *line = format!("{line:101}{cell}");
    }
    lines.join("\n") + "\n"
}

fn refused(event: &Tournament, file: &str, round: u16) -> String {
    let sheet = load::read(file.as_bytes(), Some(round)).expect("a sheet");
    let place = Place {
        round: Some(round),
        ..Place::default()
    };
    match Plan::of(event, &sheet, &place) {
        Err(Unplanned::Unreadable(wrong)) => wrong.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_of_teams_stay_with_them() {
    let event = played();
    let exchanged = second()
        .replace("310   1 Harbour ", "310   9 Harbour ")
        .replace("310   3 Hill ", "310   1 Hill ")
        .replace("310   9 Harbour ", "310   3 Harbour ")
        .replace("300   1   1   2", "300   1   3   2");
    let told = refused(&event, &exchanged, 2);
    for part in [
        "team 3 is `Harbour` here, which is team 1 in this event: teams keep their numbers",
        "team 1 is `Hill` here, which is team 3 in this event",
    ] {
        assert!(told.contains(part), "{told}");
    }
    // Names that go to other players are no better.
    let names = second()
        .replace("310   1 Harbour ", "310   1 Hill    ")
        .replace("310   3 Hill    ", "310   3 Harbour ");
    let told = refused(&event, &names, 2);
    assert!(
        told.contains("team 1 is `Hill` here, which is team 3"),
        "{told}"
    );
    // Neither does a newcomer get the number of a team that has played.
    let other = second()
        .replace("310   2 Lakeside ", "310   5 Lakeside ")
        .replace("300   1   1   2", "300   1   1   5");
    let told = refused(&event, &other, 2);
    assert!(
        told.contains("team 5 is `Lakeside` here, which is team 2"),
        "{told}"
    );
    // Who is called otherwise from now on is the same team.
    let mut event = event;
    let renamed = second().replace("310   1 Harbour ", "310   1 Seaport ");
    let place = Place {
        round: Some(2),
        ..Place::default()
    };
    let plan = plan(&event, &renamed, &place);
    let told = tournament::told(&plan.changes, event.players.len());
    assert_eq!(told, ["team 1, Seaport: before Harbour"]);
    take(&mut event, &plan);
    assert_eq!(matches(&event, 2)[0], "Seaport Hill: 1 9, 2 10, 3 11");
}

#[test]
fn a_team_that_has_not_played_may_get_another_number() {
    let mut event = Tournament::default();
    load(&mut event, &text(), 1);
    let exchanged = text()
        .replace("310   3 Hill ", "310   9 Hill ")
        .replace("310   4 Valley ", "310   3 Valley ")
        .replace("310   9 Hill ", "310   4 Hill ");
    load(&mut event, &exchanged, 1);
    assert_eq!(matches(&event, 1), FIRST_ROUND);
    assert_eq!(event.teams[&4].name, "Hill");
}

/// The same with lines 013, which number nobody, in this order.
fn old_form(file: &str, order: [usize; 4]) -> String {
    let (teams, others): (Vec<&str>, Vec<&str>) =
        file.lines().partition(|line| line.starts_with("310"));
    let others = others.into_iter().filter(|line| !line.starts_with("300"));
    let mut lines: Vec<String> = others.map(str::to_owned).collect();
    let old = |line: &str| format!("013 {:32}{}", line[8..40].trim(), &line[73..]);
    lines.extend(order.map(|place| old(teams[place])));
    lines.join("\n") + "\n"
}

#[test]
fn teams_that_a_file_only_counts_keep_their_numbers() {
    let mut event = Tournament::default();
    load(&mut event, &old_form(&text(), [0, 1, 2, 3]), 1);
    play(&mut event, 1, "1-0");
    let (first, teams) = (matches(&event, 1), event.teams.clone());
    assert_eq!(first[1], FIRST_ROUND[1]);
    load(&mut event, &old_form(&second(), [3, 1, 0, 2]), 2);
    assert_eq!((matches(&event, 1), &event.teams), (first, &teams));
    // The first team of the file sits at the first table.
    assert_eq!(matches(&event, 2), [SECOND_ROUND[1], SECOND_ROUND[0]]);
    // A newcomer in front of them moves nobody.
    let mut file = String::new();
    for line in old_form(&second(), [3, 1, 0, 2]).lines() {
        if line.starts_with("013 Valley") {
            file += &format!("013 {:32}   4    5\n", "Newcomers");
        }
        file += &line.replace("    3    4    5", "    3");
        file += "\n";
    }
    load(&mut event, &file, 2);
    assert_eq!(matches(&event, 2), [SECOND_ROUND[1], SECOND_ROUND[0]]);
    assert_eq!(event.teams[&5].name, "Newcomers");
    assert_eq!(event.teams[&1].players, [1, 2, 3]);
}

#[test]
fn a_round_drawn_by_a_list_has_its_matches() {
    let list = "6\n1 9\n10 2\n3 11\n12 6\n7 14\n13 8\n";
    let csv = "table,white_no,black_no\n1,1,9\n2,10,2\n3,3,11\n4,12,6\n5,7,14\n6,13,8\n";
    for file in [list, csv] {
        let mut event = played();
        load(&mut event, file, 2);
        assert_eq!(matches(&event, 2), SECOND_ROUND, "{file}");
        assert_eq!(matches(&event, 1), FIRST_ROUND);
        // The file that is given out has them too, and nothing is different in it.
        let filled = write::trf(&event, 2, &second().into_bytes()).expect("a file");
        let filled = String::from_utf8(filled.bytes).expect("UTF-8");
        let place = Place {
            round: Some(2),
            ..Place::default()
        };
        let changes = plan(&event, &filled, &place).changes;
        // Absences are in it besides.
        let is_bye = |change: &Change| matches!(change, Change::Drawn { table: None, .. });
        assert!(changes.iter().all(is_bye), "{changes:?}");
    }
    // Whoever has two opponents plays no match, and that is told.
    let event = played();
    let place = Place {
        round: Some(2),
        ..Place::default()
    };
    let plan = plan(&event, "6\n1 9\n6 2\n3 11\n12 10\n7 14\n13 8\n", &place);
    let tables = vec![1, 2, 3, 4, 5, 6];
    assert!(
        plan.oddities.contains(&Oddity::NoMatch { tables }),
        "{:?}",
        plan.oddities
    );
}

#[test]
fn teams_of_the_file_of_players_play_the_first_round_too() {
    let mut sheet = load::read(b"5\n6 2\n1 7\n9 12\n14 10\n11 13\n", Some(1)).expect("a sheet");
    sheet.complete(load::players(FILE).expect("players"));
    let mut event = Tournament::default();
    let plan = Plan::of(
        &event,
        &sheet,
        &Place {
            round: Some(1),
            ..Place::default()
        },
    );
    take(&mut event, &plan.expect("a plan"));
    let expected = ["Lakeside Harbour: 6 2, 7 1", FIRST_ROUND[1]];
    assert_eq!(matches(&event, 1), expected);
}

#[test]
fn a_team_whose_players_all_have_a_bye_has_it() {
    let mut event = played();
    let csv = "table,white_no,black_no,result\n1,1,9,\n2,10,2,\n3,3,11,\n,12,,U\n,13,,U\n,14,,U\n";
    load(&mut event, csv, 2);
    let byes = event.rounds[&2]
        .byes
        .iter()
        .map(|bye| (bye.team, bye.code.to_string()));
    assert_eq!(byes.collect::<Vec<_>>(), [(4, "U".to_owned())]);
    let score = &event.bye_scores(2).expect("a round")[0];
    assert_eq!(score.match_points.to_string(), "3.0");
}

#[test]
fn a_substitute_whom_the_report_does_not_have_plays_for_his_team() {
    let mut event = Tournament::default();
    load(&mut event, &text(), 1);
    let csv = "table,white_no,white,black_no,black\n4,14,,17,\"Late, Robin\"\n";
    let place = Place {
        round: Some(1),
        tables: Some(4..=4),
        ..Place::default()
    };
    let drawn = plan(&event, csv, &place);
    let told = tournament::told(&drawn.changes, 14);
    assert!(
        told.contains(&"team 3, Hill: with player 17 from now on".to_owned()),
        "{told:?}"
    );
    take(&mut event, &drawn);
    assert_eq!(matches(&event, 1)[1], "Hill Valley: 9 12, 17 14, 11 13");
    assert_eq!(plan(&event, csv, &place).changes, [], "the same once more");
    let filled = write::trf(&event, 1, FILE).expect("a file");
    let filled = String::from_utf8(filled.bytes).expect("UTF-8");
    let lines: Vec<&str> = filled.lines().collect();
    assert!(
        lines.iter().any(|line| line.ends_with("9   10   11   17")),
        "{filled}"
    );
    assert!(
        lines.contains(&"300   1   3   4    9   17   11"),
        "{filled}"
    );
    let now = Place {
        round: Some(1),
        ..Place::default()
    };
    let again = plan(&event, &filled, &now);
    let of_teams = again.changes.iter();
    let of_teams = of_teams.filter(|c| matches!(c, Change::Team { .. } | Change::Matches { .. }));
    assert_eq!(of_teams.count(), 0, "{:?}", again.changes);
    // A list may call his team.
    let csv = "table,white_no,white,white_team,black_no,black,black_team\n\
               4,18,\"Later, Robin\",valley,17,\"Late, Robin\",Hill\n";
    let drawn = plan(&event, csv, &place);
    take(&mut event, &drawn);
    assert_eq!(matches(&event, 1)[1], "Hill Valley: 9 12, 17 18, 11 13");
}

#[test]
fn whoever_sits_out_of_the_order_of_his_team_is_in_a_line_300() {
    let mut event = Tournament::default();
    load(&mut event, &text(), 1);
    // Valley, named second, plays in another order.
    load(&mut event, "5\n6 2\n1 7\n9 14\n12 10\n11 13\n", 1);
    let filled = write::trf(&event, 1, FILE).expect("a file").bytes;
    let filled = String::from_utf8(filled).expect("UTF-8");
    let lines: Vec<&str> = filled.lines().filter(|l| l.starts_with("300")).collect();
    let expected = [
        "300   1   1   2    2    1 0000",
        "300   1   4   3   14   12   13",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_list_that_is_put_right_puts_the_matches_right() {
    let right =
        "table,white_no,black_no,result\n1,6,2,\n2,1,7,\n3,9,12,\n4,14,10,\n5,11,13,\n,8,,+\n";
    for wrong in [
        // A table is missing; two have each other's players; boards are in another order; a team
        // plays two others.
        right.replace("4,14,10,\n", ""),
        right
            .replace("2,1,7", "2,1,10")
            .replace("4,14,10", "4,14,7"),
        right
            .replace("3,9,12", "5,9,12")
            .replace("5,11,13", "3,11,13"),
        right.replace("1,6,2", "1,6,12").replace("3,9,12", "3,9,2"),
        right.replace("2,1,7,\n", "").replace("5,11,13,\n", ""),
    ] {
        let mut event = Tournament::default();
        load(&mut event, &text(), 1);
        load(&mut event, &wrong, 1);
        assert_ne!(matches(&event, 1), FIRST_ROUND, "{wrong}");
        load(&mut event, right, 1);
        let stands = matches(&event, 1);
        assert_eq!(stands[1], FIRST_ROUND[1], "{wrong}");
        assert!(
            stands[0].starts_with("Lakeside Harbour: 6 2, 7 1"),
            "{stands:?}"
        );
        let filled = write::trf(&event, 1, FILE).expect("a file").bytes;
        assert!(!String::from_utf8_lossy(&filled).contains("0000 0000"));
    }
}

#[test]
fn what_a_match_is_worth_is_not_passed_over() {
    let shifted = text().replace("362 TW 3 ", "362  TW 3 ");
    let sheet = load::read(shifted.as_bytes(), Some(1)).expect("a sheet");
    let told: Vec<String> = sheet.passed_over.iter().map(ToString::to_string).collect();
    let expected = "line 5, column 5: `TW 3` does not say what a result is worth: are the \
                    columns shifted?: nothing is made of it";
    assert!(told.iter().any(|text| text == expected), "{told:?}");
    // What it is worth from now on, in a round that is closed too.
    let mut event = Tournament::default();
    let without: String = text()
        .lines()
        .filter(|line| !line.starts_with("362"))
        .fold(String::new(), |file, line| file + line + "\n");
    load(&mut event, &without, 1);
    play(&mut event, 1, "1-0");
    let place = Place {
        round: Some(2),
        ..Place::default()
    };
    let plan = plan(&event, &second(), &place);
    let rounds = vec![1];
    assert!(
        plan.oddities.contains(&Oddity::OtherWorth { rounds }),
        "{:?}",
        plan.oddities
    );
}

#[test]
fn a_match_to_which_nobody_came() {
    let mut event = Tournament::default();
    load(&mut event, &text(), 1);
    play(&mut event, 1, "-/-");
    let score = &event.match_scores(1).expect("a round")[1];
    let points = score.match_points.map(|both| both.map(|p| p.to_string()));
    assert_eq!(points, Some(["0.0", "0.0"].map(str::to_owned)));
    // The players' lines may have their opponents beside a line 330.
    let mut file = with_cells(&FORFEITED);
    file += "330 -+   1   4   3\n";
    let mut event = Tournament::default();
    load(&mut event, &file, 1);
    let score = &event.match_scores(1).expect("a round")[1];
    let points = score.match_points.map(|both| both.map(|p| p.to_string()));
    assert_eq!(points, Some(["3.0", "0.0"].map(str::to_owned)));
}

/// Four teams of five, of whom three play; who plays whom, in which order and with which colours.
fn any_round() -> impl proptest::strategy::Strategy<Value = Vec<[u16; 2]>> {
    use proptest::prelude::*;
    let order = |first: u16| Just((first..first + 5).collect::<Vec<u16>>()).prop_shuffle();
    let teams = [1, 6, 11, 16].map(order);
    (
        teams,
        Just(vec![0, 1, 2, 3]).prop_shuffle(),
        any::<[bool; 6]>(),
    )
        .prop_map(|(orders, places, turned)| {
            let seated: Vec<&[u16]> = orders.iter().map(|order| &order[..3]).collect();
            let games = [[0, 1], [2, 3]].into_iter().flat_map(|[one, other]| {
                let both = seated[places[one]].iter().zip(seated[places[other]]);
                both.map(|(one, other)| [*one, *other])
            });
            let turn = |(game, is_turned): ([u16; 2], &bool)| match is_turned {
                true => [game[1], game[0]],
                false => game,
            };
            games.zip(&turned).map(turn).collect()
        })
}

/// A report file of four teams of five before the first round.
fn four_of_five() -> String {
    let mut file = "012 Fives\n".to_owned();
    for number in 1..=20 {
        let name = format!("Player {}, Robin", (b'a' + number as u8) as char);
        file += &format!(
            "001 {number:4} m    {name:33} 2000 GER {:11} 1990/01/02  0.0 {number:4}\n",
            99_000_000 + number
        );
    }
    for (number, first) in [(1, 1), (2, 6), (3, 11), (4, 16)] {
        let players: String = (first..first + 5).map(|p| format!(" {p:4}")).collect();
        let name = format!("Team {number}");
        let points = format!("{:6} {:>6} {:>6}", "", "0.0", "0.0");
        file += &format!("310 {number:3} {name:32}       {points} {number:3} {players}\n");
    }
    file
}

proptest::proptest! {
    /// Whatever round of teams a list draws, and however it was drawn before: its matches are the
    /// same once the file that is given out is loaded.
    #[test]
    fn matches_of_a_list_are_those_of_the_file_that_is_given_out(
        before in any_round(),
        now in any_round(),
        is_redrawn: bool,
    ) {
        let file = four_of_five();
        let players = load::players(file.as_bytes()).expect("players");
        let mut event = Tournament::default();
        let draws = [before, now.clone()];
        let draws = if is_redrawn { &draws[..] } else { &draws[1..] };
        for games in draws {
            let rows = games.iter().zip(1..);
            let rows: String = rows
                .map(|([white, black], table)| format!("{table},{white},{black}\n"))
                .collect();
            let list = format!("table,white_no,black_no\n{rows}");
            let mut sheet = load::read(list.as_bytes(), Some(1)).expect("a sheet");
            sheet.complete(players.clone());
            let place = Place { round: Some(1), ..Place::default() };
            let plan = Plan::of(&event, &sheet, &place).expect("a plan");
            take(&mut event, &plan);
        }
        let drawn = &event.rounds[&1].matches;
        proptest::prop_assert_eq!(drawn.len(), 2);
        let boards: Vec<[u16; 2]> = drawn
            .iter()
            .flat_map(|played| &played.boards)
            .map(|seats| seats.map(Option::unwrap_or_default))
            .collect();
        for ([one, other], [white, black]) in boards.iter().zip(&now) {
            let are_they = [one, other] == [white, black] || [one, other] == [black, white];
            proptest::prop_assert!(are_they, "{:?} {:?}", boards, now);
        }
        let filled = write::trf(&event, 1, file.as_bytes()).expect("a file").bytes;
        let sheet = load::read(&filled, Some(1)).expect("our own file");
        let in_order = |matches: &[tournament::Match]| {
            let mut matches = matches.to_vec();
            matches.sort_by_key(|played| played.teams);
            matches
        };
        proptest::prop_assert_eq!(in_order(&sheet.matches), in_order(drawn));
    }
}

#[test]
fn what_results_are_worth_is_as_it_was_said_last() {
    let with = |lines: &str| text().replace("362 TW 3     TD 1     TL 0\n", lines);
    let mut event = Tournament::default();
    let worth = |event: &Tournament| {
        let worth = event.details.worth;
        [worth.win, worth.draw, worth.match_won].map(|points| points.to_string())
    };
    for (lines, expected) in [
        ("362 TW 3.0   TD 1.0   TL 0.0\n", ["1.0", "0.5", "3.0"]),
        ("162  W 3.0    D 1.0    L 0.0\n", ["3.0", "1.0", "3.0"]),
        ("162  W 2.0\n362 TW 2.0\n", ["2.0", "0.5", "2.0"]),
        ("", ["2.0", "0.5", "2.0"]),
        ("162 W 7.0\n", ["2.0", "0.5", "2.0"]),
    ] {
        let before = worth(&event);
        let place = Place {
            round: Some(1),
            ..Place::default()
        };
        let drawn = plan(&event, &with(lines), &place);
        let is_told = drawn.oddities.contains(&Oddity::NewWorth);
        assert_eq!(
            is_told,
            before != expected && !event.rounds.is_empty(),
            "{lines}"
        );
        take(&mut event, &drawn);
        assert_eq!(worth(&event), expected, "{lines}");
    }
}
