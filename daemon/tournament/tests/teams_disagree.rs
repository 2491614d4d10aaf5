//! Files that say two things of one team: which of them is so is nobody's to guess. They are
//! refused with the line, or it is told which of both counts.

#[path = "league/file.rs"]
mod league;

use league::{FORFEITED, text, with_cells};
use tournament::load;

/// What is wrong with the round of a file, each with its place.
fn wrong(file: &str) -> Vec<String> {
    match load::read(file.as_bytes(), Some(1)) {
        Ok(_) => Vec::new(),
        Err(wrong) => wrong.0.iter().map(ToString::to_string).collect(),
    }
}

/// What is told of a file that is taken.
fn told(file: &str) -> Vec<String> {
    let sheet = load::read(file.as_bytes(), Some(1)).unwrap_or_else(|wrong| panic!("{wrong}"));
    let told = sheet.passed_over.iter().map(ToString::to_string);
    told.collect()
}

/// The line of a file that begins so, from 1.
fn line_of(file: &str, begin: &str) -> usize {
    let mut lines = file.lines();
    1 + lines
        .position(|line| line.starts_with(begin))
        .expect("a line")
}

fn with(file: String, lines: &[&str]) -> String {
    file + &lines.join("\n") + "\n"
}

/// Nobody of the second match has an opponent: one team came, and the other did not.
const CAME: [(u16, &str); 6] = [
    (9, "0000 - +"),
    (10, "0000 - +"),
    (11, "0000 - +"),
    (12, "0000 - -"),
    (13, "0000 - -"),
    (14, "0000 - -"),
];

#[test]
fn a_forfeited_match_is_won_by_who_has_the_points() {
    for cells in [FORFEITED, CAME] {
        let file = |line: &str| with(with_cells(&cells), &[line]);
        for fits in ["330 +-   1   3   4", "330 -+   1   4   3"] {
            assert_eq!(wrong(&file(fits)), [""; 0], "{fits}");
        }
        for (other, team, player, code, found) in [
            ("330 -+   1   3   4", 3, 9, '-', '+'),
            ("330 +-   1   4   3", 3, 9, '-', '+'),
            ("330 --   1   3   4", 3, 9, '-', '+'),
        ] {
            let file = file(other);
            let line = line_of(&file, "330");
            let expected = format!(
                "line {line}, column 5: the match is `{code}` for team {team}, and its player \
                 {player} has `{found}`"
            );
            let wrong = wrong(&file);
            assert!(wrong.contains(&expected), "{other}: {wrong:?}");
        }
    }
}

#[test]
fn who_wins_a_forfeited_match_has_somebody_who_came() {
    let nobody = CAME.map(|(player, _)| (player, "0000 - -"));
    assert_eq!(
        wrong(&with(with_cells(&nobody), &["330 --   1   3   4"])),
        [""; 0]
    );
    let file = with(with_cells(&nobody), &["330 +-   1   3   4"]);
    let line = line_of(&file, "330");
    let expected =
        format!("line {line}, column 5: the match is `+` for team 3, and its player 9 has `-`");
    assert_eq!(wrong(&file), [expected]);
    // One who sat out is nobody's fault, and a blank says nothing.
    for one in [(11, "0000 - -"), (11, "")] {
        let mut cells = CAME.to_vec();
        cells.push(one);
        let file = with(with_cells(&cells), &["330 +-   1   3   4"]);
        assert_eq!(wrong(&file), [""; 0]);
    }
    let blank = CAME.map(|(player, _)| (player, ""));
    assert_eq!(
        wrong(&with(with_cells(&blank), &["330 +-   1   3   4"])),
        [""; 0]
    );
}

#[test]
fn a_team_has_one_forfeited_match() {
    let cells = [with_cells(&CAME), with_cells(&FORFEITED)];
    for file in cells {
        for others in [
            ["330 +-   1   3   4", "330 -+   1   1   4"],
            ["330 +-   1   3   4", "330 +-   1   3   4"],
        ] {
            let file = with(file.clone(), &others);
            let line = line_of(&file, "330") + 1;
            let expected =
                format!("line {line}, column 12: a match that is forfeited, and its players play");
            assert!(wrong(&file).contains(&expected), "{:?}", wrong(&file));
        }
    }
}

#[test]
fn the_bye_of_a_team_is_that_of_its_players() {
    let both = |cell: &'static str| CAME.map(|(player, _)| (player, cell));
    // Programs write `-` for everybody whose team has a bye, whatever it is worth.
    for (code, cell) in [
        ('F', "0000 - F"),
        ('F', "0000 - U"),
        ('F', "0000 - -"),
        ('F', "0000 - Z"),
        ('F', ""),
        ('H', "0000 - H"),
        ('H', "0000 - -"),
        ('Z', "0000 - Z"),
        ('Z', "0000 - -"),
    ] {
        let file = with(
            with_cells(&both(cell)),
            &[&format!("240 {code}   1    3    4")],
        );
        assert_eq!(wrong(&file), [""; 0], "{code} {cell}");
    }
    for (code, cell) in [
        ('F', "0000 - H"),
        ('H', "0000 - F"),
        ('H', "0000 - U"),
        ('Z', "0000 - H"),
        ('Z', "0000 - U"),
        ('Z', "0000 - +"),
        ('H', "0000 - +"),
    ] {
        let file = with(
            with_cells(&both(cell)),
            &[&format!("240 {code}   1    3    4")],
        );
        let line = line_of(&file, "240");
        let found = cell.chars().last().expect("a code");
        let expected = [(11, 3, 9), (16, 4, 12)].map(|(column, team, player)| {
            format!(
                "line {line}, column {column}: team {team} has `{code}` for it, and its player \
                 {player} `{found}`"
            )
        });
        assert_eq!(wrong(&file), expected, "{code} {cell}");
    }
}

#[test]
fn who_has_no_line_up_sits_in_its_own_order() {
    // Hill plays Valley, whose second and third player sit in its order of lines 310.
    assert_eq!(wrong(&text()), [""; 0]);
    let file = with(text(), &["300   1   3   4    9   11   10"]);
    let line = line_of(&file, "300   1   3");
    let expected = format!(
        "line {line}, column 9: team 4 has no line-up, and its players do not sit in its order at \
         these boards"
    );
    assert_eq!(wrong(&file), [expected]);
    let both = with(file, &["300   1   4   3   12   13   14"]);
    assert_eq!(wrong(&both), [""; 0]);
}

#[test]
fn without_line_ups_the_order_of_the_first_team_counts_and_that_is_told() {
    let other = text().replace("   12   14   13", "   12   13   14");
    let line = line_of(&other, "310   4");
    let expected = format!(
        "line {line}, column 74: the players of teams 3 and 4 do not both sit in the order of \
         their \
         teams, and there is no line 300: the boards are in the order of team 3"
    );
    assert_eq!(told(&other), [expected]);
    // Lines 013 tell no order of boards.
    let lines = other.lines().filter(|line| !line.starts_with("300"));
    let old: Vec<String> = lines
        .map(|line| match line.strip_prefix("310   ") {
            Some(team) => {
                let numbers: Vec<&str> = team[66..].split_whitespace().collect();
                let numbers: Vec<String> = numbers.iter().map(|n| format!("{n:>4}")).collect();
                format!("013 {:32}{}", team[2..30].trim(), numbers.join(" "))
            }
            None => line.to_owned(),
        })
        .collect();
    assert_eq!(told(&old.join("\n")), [""; 0]);
}

#[test]
fn lines_013_beside_lines_310() {
    let same = [
        "013 Harbour                            1    2    3    4    5",
        "013 Lakeside                           6    7    8",
        "013 Hill                               9   10   11",
        "013 Valley                            12   14   13",
    ];
    assert_eq!(told(&with(text(), &same)), [""; 0]);
    let mut others = same;
    others[0] = "013 Harbour                            1    2    3    4    6";
    others[2] = "013 Hills                              9   10   11";
    let file = with(text(), &others);
    let line = line_of(&file, "013");
    let expected = [
        format!(
            "line {line}, column 37: team 1, `Harbour`, has other players in line {}, which counts",
            line_of(&file, "310   1")
        ),
        format!(
            "line {}, column 5: there is no team `Hills` in lines 310, which count",
            line + 2
        ),
    ];
    assert_eq!(told(&file), expected);
}

#[test]
fn what_results_are_worth_is_said_once() {
    let again = with(text(), &["362 TW 3.0", "162  W 1      D 0.5", "162  W 1.0"]);
    assert_eq!(wrong(&again), [""; 0]);
    for (lines, column, said) in [
        (
            &["362 TW 2     TD 1     TL 0 "][..],
            5,
            "`TW` is worth 2.0 here, and 3.0 in line 5",
        ),
        (
            &["162  W 1.0    D 0.5", "162  W 1.0    D 0.0"],
            15,
            "`D` is worth 0.0 here, and 0.5 in line 25",
        ),
        (
            &["162  W 3.0", "BBW  1.0"],
            4,
            "`W` is worth 1.0 here, and 3.0 in line 25",
        ),
        (
            &["XXS W=3 D=1", "162  D 0.5"],
            6,
            "`D` is worth 0.5 here, and 1.0 in line 25",
        ),
    ] {
        let file = with(text(), lines);
        let line = file.lines().count();
        assert_eq!(
            wrong(&file),
            [format!("line {line}, column {column}: {said}")]
        );
    }
}

/// What is wrong with the teams of a round before has the round that is drawn wait for nothing.
#[test]
fn what_is_wrong_with_teams_in_an_earlier_round_is_told() {
    let second: Vec<String> = text()
        .lines()
        .map(|line| match line.starts_with("001") {
            // The same once more, in the second round.
            true => format!(
                "{:99}  {}",
                line.get(..99).unwrap_or(line),
                line.get(91..).unwrap_or("")
            ),
            false => line.to_owned(),
        })
        .collect();
    let file = with(
        second.join("\n") + "\n",
        &["240 F   1    9", "300   1   1   2    2    1 0000"],
    );
    let sheet = load::read(file.as_bytes(), Some(2)).unwrap_or_else(|wrong| panic!("{wrong}"));
    let told: Vec<String> = sheet.passed_over.iter().map(ToString::to_string).collect();
    let line = line_of(&file, "240");
    let expected = [
        format!("line {line}, column 11: round 1: there is no team 9; nothing is made of it"),
        format!(
            "line {}, column 9: round 1: the line-up of team 1 is there twice: in line {} as well; \
             nothing is made of it",
            line + 1,
            line_of(&file, "300")
        ),
    ];
    for expected in expected {
        assert!(told.contains(&expected), "{told:#?}");
    }
}

/// Each of two teams came to a board at which the other did not: their line-ups say whom they play.
#[test]
fn a_match_in_which_nobody_met_anybody_is_one() {
    let mut cells = CAME.map(|(player, _)| (player, "0000 - -"));
    (cells[0].1, cells[5].1) = ("0000 - +", "0000 - +");
    let lines = ["300   1   3   4    9 0000", "300   1   4   3 0000   14"];
    let file = with(with_cells(&cells), &lines);
    let sheet = load::read(file.as_bytes(), Some(1)).unwrap_or_else(|wrong| panic!("{wrong}"));
    let last = sheet.matches.last().expect("a match");
    assert_eq!(last.teams, [3, 4]);
    assert_eq!(last.boards, [[Some(9), None], [None, Some(14)]]);
    // One line-up alone says it of one of them.
    let alone = with(with_cells(&cells), &lines[..1]);
    let line = line_of(&alone, "300   1   3");
    let expected = format!("line {line}, column 9: team 3 plays nobody in this round");
    assert!(wrong(&alone).contains(&expected), "{:?}", wrong(&alone));
}
