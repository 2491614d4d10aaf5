//! Matches of teams that were not to be played, or not so, and are drawn otherwise.

mod league;

use league::{FIRST_ROUND, FORFEITED, load, matches, take, text, with_cells};
use tournament::{Act, How, Match, Place, Plan, ResultCode, Tournament, load, write};

#[test]
fn a_match_that_was_forfeited_is_played_after_all() {
    // Neither of the two in the second match has come; then all play.
    let [came, absent] = ["0000 - +", "0000 - -"];
    let cells = [9, 10, 11].map(|number| (number, came));
    let others = [12, 13, 14].map(|number| (number, absent));
    let mut file = with_cells(&[cells, others].concat());
    file += "330 +-   1   3   4\n";
    let (same, others) = (
        "5\n6 2\n1 7\n9 12\n14 10\n11 13\n",
        "5\n6 9\n10 7\n1 12\n14 2\n3 13\n",
    );
    let expected = [
        ["Lakeside Harbour: 6 2, 7 1, 8 -", FIRST_ROUND[1]],
        [
            "Lakeside Hill: 6 9, 7 10",
            "Harbour Valley: 1 12, 2 14, 3 13",
        ],
    ];
    for (list, expected) in [same, others].iter().zip(expected) {
        let mut event = Tournament::default();
        load(&mut event, &file, 1);
        load(&mut event, list, 1);
        assert_eq!(matches(&event, 1), expected);
        let filled = write::trf(&event, 1, file.as_bytes())
            .expect("a file")
            .bytes;
        let sheet = load::read(&filled, Some(1)).expect("our own file");
        let in_order = |matches: &[Match]| {
            let mut matches = matches.to_vec();
            matches.sort_by_key(|played| played.teams);
            matches
        };
        let drawn = &event.rounds[&1].matches;
        assert_eq!(in_order(&sheet.matches), in_order(drawn));
    }
}

#[test]
fn results_of_a_match_that_was_not_to_be_played_count() {
    // The players' lines have their opponents beside the line 330.
    let mut file = with_cells(&FORFEITED);
    file += "330 +-   1   3   4\n";
    let mut event = Tournament::default();
    load(&mut event, &file, 1);
    let at = String::new();
    event
        .apply(&Act::StartRound { round: 1, at })
        .expect("a start");
    let points = |event: &Tournament| {
        let score = &event.match_scores(1).expect("a round")[1];
        let points = score.match_points.map(|both| both.map(|p| p.to_string()));
        (score.teams, points)
    };
    let both = |points: [&str; 2]| Some(points.map(str::to_owned));
    assert_eq!(points(&event), ([3, 4], both(["3.0", "0.0"])));
    for (table, text) in [(3, "0-1"), (4, "1-0"), (5, "0-1")] {
        let (codes, how) = (ResultCode::both(text).expect("a result"), How::Typed);
        let (round, reason) = (1, "they came after all".to_owned());
        let act = Act::Result {
            round,
            table,
            codes,
            how,
            reason,
        };
        event.apply(&act).expect("a result");
    }
    assert_eq!(points(&event), ([3, 4], both(["0.0", "3.0"])));
    let filled = write::trf(&event, 1, file.as_bytes())
        .expect("a file")
        .bytes;
    assert!(!String::from_utf8_lossy(&filled).contains("\n330"));
    load::read(&filled, Some(1)).expect("our own file");
}

#[test]
fn a_team_that_plays_after_all_has_no_bye_in_the_file() {
    let byes = "240 H   1    3\n320  2.0  1.5   4\n";
    let mut file = with_cells(&[9, 10, 11, 12, 13, 14].map(|number| (number, "")));
    file += byes;
    let mut event = Tournament::default();
    load(&mut event, &file, 1);
    assert_eq!(event.rounds[&1].byes.len(), 2);
    load(&mut event, "5\n6 2\n1 7\n9 12\n14 10\n11 13\n", 1);
    assert_eq!(matches(&event, 1)[1], FIRST_ROUND[1]);
    let filled = write::trf(&event, 1, file.as_bytes())
        .expect("a file")
        .bytes;
    let sheet = load::read(&filled, Some(1)).expect("our own file");
    assert_eq!(
        (sheet.matches.len(), sheet.team_byes),
        (2, Some(Vec::new()))
    );
    // A list knows nothing of them, and the file of the players does.
    let mut sheet = load::read(b"2\n6 2\n1 7\n", Some(1)).expect("a sheet");
    sheet.complete(load::players(file.as_bytes()).expect("players"));
    sheet.take_byes(Some(1)).expect("byes");
    let place = Place {
        round: Some(1),
        ..Place::default()
    };
    let mut event = Tournament::default();
    let plan = Plan::of(&event, &sheet, &place).expect("a plan");
    take(&mut event, &plan);
    let scores = event.bye_scores(1).expect("a round").into_iter();
    let scores = scores.map(|bye| format!("{} {} {}", bye.team, bye.match_points, bye.game_points));
    assert_eq!(scores.collect::<Vec<_>>(), ["3 1.0 1.0", "4 2.0 1.5"]);
}

#[test]
fn who_has_a_bye_sits_at_no_board_of_a_match() {
    for (bye, expected) in [("U", "- -, 1 7"), ("+", "2 -, 1 7")] {
        let mut event = Tournament::default();
        load(&mut event, &text(), 1);
        let rest = "3,9,12,\n4,14,10,\n5,11,13,\n";
        let csv = format!("table,white_no,black_no,result\n2,1,7,\n{rest},2,,{bye}\n");
        load(&mut event, &csv, 1);
        let stands = matches(&event, 1);
        assert!(
            stands[0].starts_with(&format!("Harbour Lakeside: {expected}")),
            "{stands:?}"
        );
    }
}

#[test]
fn who_sat_in_a_match_that_is_no_more_is_in_no_line_300() {
    let mut event = Tournament::default();
    load(&mut event, &text(), 1);
    load(&mut event, "3\n9 12\n14 10\n11 13\n", 1);
    assert_eq!(matches(&event, 1), [FIRST_ROUND[1]]);
    let filled = write::trf(&event, 1, text().as_bytes())
        .expect("a file")
        .bytes;
    let sheet = load::read(&filled, Some(1)).expect("our own file");
    assert_eq!(sheet.matches, event.rounds[&1].matches);
    assert!(!String::from_utf8_lossy(&filled).contains("\n300"));
}

#[test]
fn byes_of_teams_stand_in_the_file_that_is_given_out() {
    let one = "3\n6 2\n1 7\n3 8\n";
    let alone = with_cells(&[9, 10, 11, 12, 13, 14].map(|number| (number, "")));
    for byes in ["240 H   1    3\n240 F   1    4\n", "320  2.0  1.5   4\n"] {
        let mut event = Tournament::default();
        load(&mut event, &(alone.clone() + byes), 1);
        load(&mut event, one, 1);
        let known = &event.rounds[&1].byes;
        assert!(!known.is_empty());
        // It came with a file that has no word of them.
        let filled = write::trf(&event, 1, alone.as_bytes())
            .expect("a file")
            .bytes;
        let sheet = load::read(&filled, Some(1)).expect("our own file");
        assert_eq!(sheet.team_byes.as_ref(), Some(known), "{byes}");
        // Who has none by the file of the players has none.
        let mut sheet = load::read(one.as_bytes(), Some(1)).expect("a sheet");
        sheet.complete(load::players(alone.as_bytes()).expect("players"));
        sheet.take_byes(Some(1)).expect("byes");
        let place = Place {
            round: Some(1),
            ..Place::default()
        };
        let plan = Plan::of(&event, &sheet, &place).expect("a plan");
        take(&mut event, &plan);
        assert_eq!(event.rounds[&1].byes, [], "{byes}");
    }
}

#[test]
fn a_match_of_one_game_is_one_beside_a_longer_one() {
    let mut sheet = load::read(b"3\n6 2\n1 7\n9 12\n", Some(1)).expect("a sheet");
    sheet.complete(load::players(text().as_bytes()).expect("players"));
    let place = Place {
        round: Some(1),
        ..Place::default()
    };
    let mut event = Tournament::default();
    let plan = Plan::of(&event, &sheet, &place).expect("a plan");
    take(&mut event, &plan);
    assert_eq!(
        matches(&event, 1),
        ["Lakeside Harbour: 6 2, 7 1", "Hill Valley: 9 12"]
    );
}
