//! Matches of teams, from a report file to their scores.

use tournament::{
    Act, Change, How, Place, Plan, Refusal, ResultCode, Team, Tournament, load, write,
};

/// Two matches on three boards. Harbour plays in another order than it is listed and leaves a
/// board empty; a win is worth 3 match points.
const FILE: &[u8] = include_bytes!("teams.trf");

fn drawn() -> Tournament {
    let mut tournament = Tournament::default();
    let sheet = load::read(FILE, None).expect("a sheet");
    let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    for act in &plan.acts {
        let json = serde_json::to_string(act).expect("JSON");
        assert_eq!(serde_json::from_str::<Act>(&json).expect("an act"), *act);
        tournament.apply(act).expect("an act of the plan");
    }
    tournament
}

fn result(tournament: &mut Tournament, table: u16, text: &str) {
    let act = Act::Result {
        round: 1,
        table,
        codes: ResultCode::both(text).expect("a result"),
        how: How::Typed,
        reason: String::new(),
    };
    tournament.apply(&act).expect("a result");
}

/// Each match as `teams: game points, match points, boards that are open`.
fn scores(tournament: &Tournament) -> Vec<String> {
    let scores = tournament.match_scores(1).expect("a round");
    let score = |score: &tournament::MatchScore| {
        let ([a, b], [x, y]) = (score.teams, score.game_points);
        let points = score.match_points.map(|[m, n]| format!("{m}:{n}"));
        let points = points.unwrap_or_default();
        format!("{a}-{b}: {x}:{y}, {points}, {:?}", score.open)
    };
    scores.iter().map(score).collect()
}

#[test]
fn matches_and_their_boards() {
    let mut tournament = drawn();
    assert_eq!(
        tournament.team_of(8).map(|team| team.name.as_str()),
        Some("Lakeside")
    );
    let matches = &tournament.rounds[&1].matches;
    assert_eq!(
        matches[0].teams,
        [2, 1],
        "Lakeside has White at the first board"
    );
    let seats = [[Some(6), Some(2)], [Some(7), Some(1)], [Some(8), None]];
    assert_eq!(matches[0].boards, seats);
    assert_eq!(matches[1].teams, [3, 4]);
    let tables: Vec<_> = tournament.rounds[&1]
        .pairings
        .iter()
        .map(|p| (p.table, p.white))
        .collect();
    let expected = [
        (Some(1), 6),
        (Some(2), 1),
        (Some(3), 9),
        (Some(4), 14),
        (Some(5), 11),
        (None, 3),
        (None, 4),
        (None, 5),
        (None, 8),
    ];
    assert_eq!(tables, expected, "match by match, board by board");
    // The player whose opponent is not there has his point.
    assert_eq!(
        scores(&tournament),
        ["2-1: 1.0:0.0, , [1, 2]", "3-4: 0.0:0.0, , [1, 2, 3]"]
    );

    tournament
        .apply(&Act::StartRound {
            round: 1,
            at: String::new(),
        })
        .expect("a start");
    for (table, text) in [(1, "½-½"), (2, "1-0"), (3, "1-0"), (4, "0-1"), (5, "0-½")] {
        result(&mut tournament, table, text);
    }
    let ended = ["2-1: 1.5:1.5, 1.0:1.0, []", "3-4: 2.0:0.5, 3.0:0.0, []"];
    assert_eq!(scores(&tournament), ended);
    let filled = write::trf(&tournament, 1, FILE).expect("a file").bytes;
    let sheet = load::read(&filled, Some(1)).expect("a sheet");
    let again = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    assert_eq!(again.changes, []);
    let pgn = write::pgn(&tournament, 1).expect("PGN");
    assert!(
        pgn.contains("[WhiteTeam \"Lakeside\"]\n") && pgn.contains("[BlackTeam \"Harbour\"]\n")
    );
    let csv = write::csv(&tournament, 1).expect("CSV");
    assert!(csv.contains(",Lakeside,Harbour,typed\n"), "{csv}");
}

#[test]
fn a_match_that_was_not_played() {
    let text = String::from_utf8_lossy(FILE);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in &mut lines {
        for (number, cell) in [
            (9, "0000 - +"),
            (10, "0000 - +"),
            (11, "0000 - +"),
            (12, "0000 - -"),
            (13, "0000 - -"),
            (14, "0000 - -"),
        ] {
            if line.starts_with(&format!("001 {number:4}")) {
                line.replace_range(91.., cell);
            }
        }
    }
    lines.push("330 +-   1   3   4".to_owned());
    let sheet = load::read(lines.join("\r\n").as_bytes(), None).expect("a sheet");
    let mut tournament = Tournament::default();
    let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    for act in &plan.acts {
        tournament.apply(act).expect("an act");
    }
    assert_eq!(scores(&tournament)[1], "3-4: 3.0:0.0, 3.0:0.0, []");
}

/// The league with three more teams that play nobody in the first round.
fn with_byes(byes: &[&str]) -> String {
    let mut file = String::from_utf8_lossy(FILE).replace("\r\n", "\n");
    for (team, player) in [(5, 15), (6, 16), (7, 17)] {
        file += &format!(
            "001 {player:4} m    Alone {team}, Robin                    2200 GER    990000{player} \
             1990/01/02  0.0   {player}\n310 {team:3} Alone {team:<59}{player:4}\n"
        );
    }
    byes.iter().fold(file, |file, line| file + line + "\n")
}

#[test]
fn byes_of_teams_count_as_the_file_says() {
    let file = with_byes(&["320  3.0  2.0 005 001", "240 H   1    6", "240 Z   1    7"]);
    let sheet = load::read(file.as_bytes(), Some(1)).expect("a sheet");
    let mut tournament = Tournament::default();
    let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    for act in &plan.acts {
        let json = serde_json::to_string(act).expect("JSON");
        assert_eq!(serde_json::from_str::<Act>(&json).expect("an act"), *act);
        tournament.apply(act).expect("an act");
    }
    let scores = |tournament: &Tournament| -> Vec<String> {
        let scores = tournament.bye_scores(1).expect("a round").into_iter();
        let text = |score: tournament::ByeScore| {
            let (code, games) = (score.code, score.game_points);
            format!("{} {code} {games} {}", score.team, score.match_points)
        };
        scores.map(text).collect()
    };
    // Half of each of the three boards, and what a drawn match is worth here; nothing; as it says.
    assert_eq!(
        scores(&tournament),
        ["6 H 1.5 1.0", "7 Z 0.0 0.0", "5 U 2.0 3.0"]
    );
    let told: Vec<String> = sheet.passed_over.iter().map(ToString::to_string).collect();
    assert_eq!(
        told.iter().filter(|text| text.contains("counted")).count(),
        0,
        "{told:?}"
    );
    let again = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    assert_eq!(again.changes, []);
    // A later file takes one back.
    let other = with_byes(&["320  3.0  2.0 005 001", "240 Z   1    7"]);
    let sheet = load::read(other.as_bytes(), Some(1)).expect("a sheet");
    let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    assert!(plan.changes.iter().all(Change::is_told));
    let changes: Vec<String> = plan.changes.iter().map(Change::to_string).collect();
    assert_eq!(changes, ["team 6: no bye, before bye H"]);
    plan.acts
        .iter()
        .for_each(|act| tournament.apply(act).expect("an act"));
    assert_eq!(scores(&tournament), ["7 Z 0.0 0.0", "5 U 2.0 3.0"]);
}

#[test]
fn byes_of_teams_that_cannot_be_are_told_with_their_places() {
    let file = with_byes(&["320  3.0  2.0 001", "240 H   1    6    9", "240 F   1    6"]);
    let refused = load::read(file.as_bytes(), Some(1)).expect_err("defects");
    let told = refused.to_string();
    for text in [
        "column 15: team 1 plays in this round",
        "column 16: there is no team 9",
        "column 11: team 6 has `H` for it as well",
    ] {
        assert!(told.contains(text), "{told}");
    }
}

#[test]
fn teams_whose_players_play_for_themselves() {
    let text = String::from_utf8_lossy(FILE).replace("300   1   1   2    2    1 0000\r\n", "");
    let sheet = load::read(text.as_bytes(), None).expect("a sheet");
    assert_eq!((sheet.teams.len(), sheet.matches.len()), (4, 2));
    // A player of Harbour against one of Hill, and the one of Valley has nobody.
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in &mut lines {
        for (number, cell) in [(3, "  11 b  "), (11, "   3 w  "), (13, "0000 - Z")] {
            if line.starts_with(&format!("001 {number:4}")) {
                line.truncate(89);
                *line = format!("{line:91}{cell}");
            }
        }
    }
    let sheet = load::read(lines.join("\r").as_bytes(), None).expect("a sheet");
    assert_eq!((sheet.teams.len(), sheet.matches.len()), (4, 0));
    assert_eq!(sheet.players[7].team, "Lakeside");
}

#[test]
fn acts_of_teams_that_cannot_be() {
    let mut tournament = drawn();
    let before = tournament.clone();
    let team = |number, players: &[u16]| Team {
        number,
        name: "Others".to_owned(),
        short: String::new(),
        players: players.to_vec(),
    };
    let matches = |change: fn(&mut tournament::Match)| {
        let mut matches = before.rounds[&1].matches.clone();
        change(&mut matches[0]);
        let byes = Vec::new();
        Act::DrawMatches {
            round: 1,
            matches,
            byes,
        }
    };
    for (act, refusal) in [
        (
            Act::EnterTeams {
                teams: vec![team(5, &[1])],
            },
            Refusal::TwoTeams(1),
        ),
        (
            Act::EnterTeams {
                teams: vec![team(5, &[99])],
            },
            Refusal::NoPlayer(99),
        ),
        (
            Act::EnterTeams {
                teams: vec![team(5, &[]), team(5, &[])],
            },
            Refusal::TeamTwice(5),
        ),
        (matches(|m| m.teams[0] = 7), Refusal::NoTeam(7)),
        (
            matches(|m| m.teams[0] = 3),
            Refusal::NotOfTeam { player: 6, team: 3 },
        ),
        (matches(|m| m.teams = [2, 2]), Refusal::TeamDrawnTwice(2)),
        (
            matches(|m| m.boards[0][1] = Some(3)),
            Refusal::NotPaired {
                round: 1,
                one: 6,
                other: 3,
            },
        ),
        (
            matches(|m| m.boards[2][0] = Some(6)),
            Refusal::PlayerTwice(6),
        ),
    ] {
        assert_eq!(tournament.apply(&act), Err(refusal));
        assert_eq!(tournament, before);
    }
    // A round that is drawn otherwise has other matches.
    let mut pairings = before.rounds[&1].pairings.clone();
    (pairings[0].white, pairings[1].white) = (pairings[1].white, pairings[0].white);
    let act = Act::Draw {
        round: 1,
        date: String::new(),
        players: Vec::new(),
        pairings,
        file: None,
        players_file: None,
        encoding: None,
    };
    tournament.apply(&act).expect("another draw");
    assert_eq!(tournament.rounds[&1].matches.len(), 1);
    let sheet = load::read(FILE, None).expect("a sheet");
    let back = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    assert!(
        back.changes
            .iter()
            .any(|change| matches!(change, Change::Matches { .. }))
    );
}

/// The league with its first round drawn otherwise, at these tables.
fn substituted(rows: &str) -> Tournament {
    let mut tournament = drawn();
    let csv = format!("table,white_no,black_no,result\n{rows},8,,+\n");
    let sheet = load::read(csv.as_bytes(), Some(1)).expect("a sheet");
    let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    for act in &plan.acts {
        tournament.apply(act).expect("an act");
    }
    tournament
}

/// The lines 300 of the file that is written, once it is loaded again.
fn line_ups(tournament: &Tournament) -> Vec<String> {
    let filled = write::trf(tournament, 1, FILE).expect("a file").bytes;
    let sheet = load::read(&filled, Some(1)).expect("our own file");
    assert_eq!(sheet.matches, tournament.rounds[&1].matches);
    let again = Plan::of(tournament, &sheet, &Place::default()).expect("a plan");
    let is_of_matches = |change: &&Change| matches!(change, Change::Matches { .. });
    assert_eq!(again.changes.iter().find(is_of_matches), None);
    let text = String::from_utf8_lossy(&filled).into_owned();
    let lines = text.lines().filter(|line| line.starts_with("300"));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_substitute_sits_at_the_board_of_whom_he_replaces() {
    let mut tournament = substituted("1,6,3,\n2,1,7,\n3,9,12,\n4,14,10,\n5,11,13,\n");
    let matches = tournament.rounds[&1].matches.clone();
    let seats = [[Some(6), Some(3)], [Some(7), Some(1)], [Some(8), None]];
    assert_eq!((matches.len(), matches[0].teams), (2, [2, 1]));
    assert_eq!(matches[0].boards, seats);
    assert_eq!(line_ups(&tournament), ["300   1   1   2    3    1 0000"]);
    let (round, at) = (1, String::new());
    let start = Act::StartRound { round, at };
    tournament.apply(&start).expect("a start");
    for (table, text) in [(1, "½-½"), (2, "1-0"), (3, "1-0"), (4, "0-1"), (5, "0-½")] {
        result(&mut tournament, table, text);
    }
    let ended = ["2-1: 1.5:1.5, 1.0:1.0, []", "3-4: 2.0:0.5, 3.0:0.0, []"];
    assert_eq!(scores(&tournament), ended);
    assert_eq!(line_ups(&tournament), ["300   1   1   2    3    1 0000"]);
}

#[test]
fn a_match_is_played_as_it_is_drawn_by_now() {
    // With the other colours Harbour comes first, and a reserve has come to its empty board.
    let tournament = substituted("1,3,6,\n2,7,1,\n3,9,12,\n4,14,10,\n5,11,13,\n");
    let played = &tournament.rounds[&1].matches[0];
    assert_eq!(played.teams, [1, 2]);
    let seats = [[Some(3), Some(6)], [Some(1), Some(7)], [None, Some(8)]];
    assert_eq!(played.boards, seats);
    assert_eq!(line_ups(&tournament), ["300   1   1   2    3    1 0000"]);
    // Hill plays in another order than its own, which the file has no line for yet.
    let tournament = substituted("1,6,2,\n2,1,7,\n3,10,12,\n4,14,9,\n5,11,13,\n");
    let played = &tournament.rounds[&1].matches[1];
    let seats = [
        [Some(10), Some(12)],
        [Some(9), Some(14)],
        [Some(11), Some(13)],
    ];
    assert_eq!(played.boards, seats);
    let lines = [
        "300   1   1   2    2    1 0000",
        "300   1   3   4   10    9   11",
        "300   1   4   3   12   14   13",
    ];
    assert_eq!(line_ups(&tournament), lines);
    // Whose opponent does not come wins there; a board without both is empty.
    let tournament = substituted("1,6,2,\n2,1,7,\n4,14,10,\n5,11,13,\n,9,,+\n");
    let played = &tournament.rounds[&1].matches[1];
    let seats = [[Some(9), None], [Some(10), Some(14)], [Some(11), Some(13)]];
    assert_eq!(
        (played.teams, &played.boards[..]),
        ([4, 3], &seats.map(|[a, b]| [b, a])[..])
    );
}
