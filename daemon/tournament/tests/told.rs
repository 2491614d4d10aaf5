//! What a report file has wrong and is told, late changes, results that are typed once more, and
//! who is who in files out of which somebody is taken.

use tournament::load::Persons;
use tournament::{Act, Change, How, Oddity, Place, Plan, Refusal, ResultCode, Tournament, load};

/// A report file of players, each with his title and the cells of his rounds.
fn report(lines: &[(u16, &str, &str)]) -> String {
    let line = |(number, title, cells): &(u16, &str, &str)| {
        format!(
            "001 {number:>4} m{title:>3} {:<33} 2000 GER {:>11}{:13}0.0 {number:>4}  {cells}\n",
            format!("Player{number}, A"),
            1_000_000 + u64::from(*number),
            ""
        )
    };
    let lines: Vec<String> = lines.iter().map(line).collect();
    format!("012 Open\n142 5\n{}", lines.concat())
}

const TWO: [(u16, &str, &str); 5] = [
    (1, "", "   3 w 1     2 b  "),
    (2, "", "   4 w =     1 w  "),
    (3, "", "   1 b 0     4 w  "),
    (4, "", "   2 b =     3 b  "),
    (5, "", "0000 - U  0000 - H"),
];

fn passed_over(file: &str) -> Vec<String> {
    let sheet = load::read(file.as_bytes(), Some(2)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sheet.games.len(), 3);
    let told = sheet.passed_over.iter().map(ToString::to_string);
    told.collect()
}

#[test]
fn what_is_wrong_with_an_earlier_round_is_told() {
    assert_eq!(passed_over(&report(&TWO)), [""; 0]);
    let first = |changes: &[(usize, &str)]| {
        let mut lines = TWO.map(|(number, title, cells)| (number, title, cells.to_owned()));
        for (number, cell) in changes {
            lines[number - 1].2.replace_range(..8, cell);
        }
        let lines: Vec<_> = lines
            .iter()
            .map(|(n, t, cells)| (*n, *t, &**cells))
            .collect();
        report(&lines)
    };
    for (changes, told) in [
        (
            &[(1, "  99 w 1")][..],
            "the opponent, number 99, is not in the file",
        ),
        (&[(1, "   1 w 1")], "number 1 is paired with himself"),
        (
            &[(1, "   4 w 1")],
            "number 1 is paired with 4, who is paired with 2",
        ),
        (
            &[(3, "   1 w 0")],
            "number 3 and 1, his opponent, both have the same colour",
        ),
        (&[(3, "   1 b 1")], "`1` and `1` cannot both be"),
        (&[(1, "   3 w +")], "`+` and `0` cannot both be"),
        (
            &[(3, "   1 b  ")],
            "number 3 has no result, and 1, the opponent, has `1`",
        ),
        (
            &[(5, "0000 - 1")],
            "`1` is a result of a game, and there is no opponent",
        ),
        (&[(5, "0000 w U")], "a colour, and no opponent"),
    ] {
        let all = passed_over(&first(changes));
        let is_told = |text: &&String| {
            text.contains(&format!("round 1, number {}: {told}", changes[0].0))
                && text.ends_with("; nothing is made of it")
        };
        let found = all.iter().find(is_told);
        let place = format!("line {}, column 9", changes[0].0 + 2);
        assert!(
            found.is_some_and(|text| text.starts_with(&place)),
            "{told}: {all:?}"
        );
    }
    // The rest of the round is still read.
    let mut event = Tournament::default();
    for (file, round) in [
        (first(&[]), 1),
        (
            first(&[(1, "  99 w 1"), (4, "   2 b 1"), (2, "   4 w 0")]),
            2,
        ),
    ] {
        let sheet = load::read(file.as_bytes(), Some(round)).expect("a sheet");
        let plan = Plan::of(&event, &sheet, &Place::default()).expect("a plan");
        if round == 1 {
            let acts = plan.acts.iter();
            acts.for_each(|act| event.apply(act).expect("an act"));
            continue;
        }
        let is_told = |odd: &Oddity| matches!(odd, Oddity::OtherEarlier { round: 1, .. });
        assert!(plan.oddities.iter().any(is_told), "{:?}", plan.oddities);
    }
}

#[test]
fn what_a_report_file_has_and_nothing_is_made_of() {
    let mut titled = TWO;
    titled[1].1 = "XX";
    titled[2].1 = "gf";
    let file = report(&titled).replace("142 5", "XXR abc\n142 99999999");
    let rounds = "the number of rounds is no number";
    assert_eq!(
        passed_over(&file),
        [
            format!("line 2, column 5: {rounds}: `abc`: nothing is made of it"),
            format!("line 3, column 5: {rounds}: `99999999`: nothing is made of it"),
            "line 5, column 11: `XX` is no title: nothing is made of it".to_owned(),
        ]
    );
    let mut zero = TWO;
    zero[4].0 = 0;
    let refused = load::read(report(&zero).as_bytes(), Some(2)).expect_err("nobody's number");
    let told = "line 7, column 5: starting number 0: they are counted from 1";
    assert_eq!(refused.to_string(), told);
}

fn drawn() -> Tournament {
    let mut event = Tournament::default();
    let sheet = load::read(report(&TWO).as_bytes(), Some(2)).expect("a sheet");
    let plan = Plan::of(&event, &sheet, &Place::default()).expect("a plan");
    let acts = plan.acts.iter();
    acts.for_each(|act| event.apply(act).expect("an act"));
    event
}

#[test]
fn who_plays_by_a_late_change_has_no_bye_any_more() {
    let event = drawn();
    for late in [
        "round,table,white,black\n2,3,\"Player5, A\",\"Late, Lou\"\n",
        "[Round \"2.3\"]\n[White \"Player5, A\"]\n[Black \"Late, Lou\"]\n[Result \"*\"]\n\n*\n",
    ] {
        let sheet = load::read(late.as_bytes(), Some(2)).expect("a sheet");
        let place = Place {
            tables: Some(3..=3),
            ..Place::default()
        };
        let plan = Plan::of(&event, &sheet, &place).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(plan.pairings.len(), 3);
        assert!(plan.pairings.iter().all(|pairing| !pairing.is_bye()));
        let gone = Change::Gone {
            table: None,
            white: 5,
            black: None,
        };
        assert!(plan.changes.contains(&gone), "{:?}", plan.changes);
    }
}

#[test]
fn a_result_that_is_typed_once_more_stays_as_it_came() {
    let mut event = drawn();
    let (round, table, at) = (2, 1, String::new());
    event
        .apply(&Act::StartRound { round, at })
        .expect("a start");
    let result = |text: &str, how, reason: &str| Act::Result {
        round,
        table,
        codes: ResultCode::both(text).expect("a result"),
        how,
        reason: reason.to_owned(),
    };
    let how = |event: &Tournament| {
        let pairing = event.pairing(2, 1).expect("a pairing");
        pairing.outcome.as_ref().map(|outcome| outcome.how)
    };
    event
        .apply(&result("1-0", How::Arbiter, ""))
        .expect("decided");
    let before = event.clone();
    event.apply(&result("1-0", How::Typed, "")).expect("again");
    assert_eq!(event, before);
    let other = event.apply(&result("0-1", How::Typed, ""));
    assert_eq!(other, Err(Refusal::NoReason { round: 2, table: 1 }));
    let reason = "the arbiter had decided nothing";
    event
        .apply(&result("1-0", How::Typed, reason))
        .expect("a correction");
    assert_eq!(how(&event), Some(How::Typed));
    event
        .apply(&result("1-0", How::Arbiter, ""))
        .expect("decided");
    assert_eq!(how(&event), Some(How::Arbiter));
}

/// Two of one name, and a line of a national rating of each.
const NAMESAKES: &str = "\
012 Open
001    1 m    Berg, Anna                        2390 GER    99000001 1985/03/17  0.0    1     2 w  
001    2 m    Berg, Anna                        2380 GER    99000002 1986/00/00  0.0    2     1 b  
GER    1 m    Berg, Anna                        2300
GER    2 m    Berg, Anna                        2200
";

fn persons(numbers: &[u16], ids: &[u64]) -> Persons {
    Persons {
        names: ["Berg, Anna".to_owned()].into(),
        ids: ids.iter().copied().collect(),
        numbers: numbers.iter().copied().collect(),
    }
}

#[test]
fn another_of_the_same_name_stays_in_a_report_file() {
    let nameless = NAMESAKES.replace("99000001", "        ");
    let nameless = nameless.replace("99000002", "        ");
    for (file, whom) in [
        (NAMESAKES, persons(&[1], &[99_000_001])),
        (NAMESAKES, persons(&[], &[99_000_001])),
        (NAMESAKES, persons(&[1], &[])),
        (&nameless, persons(&[1], &[])),
    ] {
        assert_eq!(whom.are_in(file.as_bytes()), Some(true));
        let new = whom.taken_from(file.as_bytes()).expect("a file");
        let new = String::from_utf8(new).expect("UTF-8");
        let both = new.lines().zip(file.lines());
        let changed: Vec<usize> = (1..)
            .zip(both)
            .filter(|(_, (new, old))| new != old)
            .map(|(line, _)| line)
            .collect();
        assert_eq!(changed, [2, 4], "{new}");
        assert_eq!(new.matches("Player 1 ").count(), 2, "{new}");
    }
    // The same name in another event, with another number at FIDE.
    assert_eq!(
        persons(&[], &[33]).are_in(NAMESAKES.as_bytes()),
        Some(false)
    );
    // Where an arbiter is called so, nobody knows which of them he is: that name goes too.
    let arbiter = format!("102 Berg, Anna\n{NAMESAKES}");
    assert_eq!(persons(&[], &[33]).are_in(arbiter.as_bytes()), Some(true));
    let new = persons(&[1], &[])
        .taken_from(arbiter.as_bytes())
        .expect("a file");
    let new = String::from_utf8(new).expect("UTF-8");
    assert!(new.starts_with("102 Player 1  \n012 Open\n"), "{new}");
    assert_eq!(new.matches("Berg, Anna").count(), 2, "{new}");
    // Where nothing tells them apart, both are meant.
    let new = persons(&[], &[])
        .taken_from(nameless.as_bytes())
        .expect("a file");
    assert!(!String::from_utf8_lossy(&new).contains("Berg"));
    // Counted anew, he is known by his name in the file of before.
    let old = nameless
        .replace("Berg, Anna", "Dorn, Dora")
        .replacen("Dorn, Dora", "Berg, Anna", 1);
    let new = persons(&[2], &[])
        .taken_from(old.as_bytes())
        .expect("a file");
    assert!(!String::from_utf8_lossy(&new).contains("Berg"));
}

/// A slip of the pen in a list without numbers makes a player out of nothing: that is told, and
/// nobody who is another is taken for one.
#[test]
fn a_newcomer_whose_name_is_nearly_known_is_told() {
    let mut event = Tournament::default();
    let first =
        "table,white,black\n1,\"Berg, Anna\",\"Cole, Ben\"\n2,\"Ek, Freja\",\"Dupont, Émile\"\n";
    let told = |event: &mut Tournament, file: &str, round: u16| {
        let sheet = load::read(file.as_bytes(), Some(round)).expect("a sheet");
        let place = Place {
            round: Some(round),
            ..Place::default()
        };
        let plan = Plan::of(event, &sheet, &place).expect("a plan");
        plan.acts
            .iter()
            .for_each(|act| event.apply(act).expect("an act"));
        let like = |odd: &Oddity| match odd {
            Oddity::LikeKnown { player, other, .. } => Some((*player, *other)),
            _ => None,
        };
        plan.oddities.iter().filter_map(like).collect::<Vec<_>>()
    };
    assert_eq!(told(&mut event, first, 1), []);
    let second =
        "table,white,black\n1,\"Cole, Ben\",\"Berg, Anne\"\n2,\"Dupont, Émile\",\"Ek, Freja\"\n";
    assert_eq!(told(&mut event.clone(), second, 2), [(5, 1)]);
    // Where both are named they are two.
    let both = format!("{second}3,\"Berg, Anna\",\"Zhou, Wei\"\n");
    assert_eq!(told(&mut event.clone(), &both, 2), []);
    let other = second.replace("Berg, Anne", "Bergström, Nils");
    assert_eq!(told(&mut event, &other, 2), []);
}
