//! Starting numbers stay with their players.

use tournament::{Act, Change, How, Place, Plan, ResultCode, Tournament, load};

fn plan(event: &Tournament, file: &str, round: u16) -> Result<Plan, String> {
    let sheet = load::read(file.as_bytes(), Some(round)).map_err(|error| error.to_string())?;
    Plan::of(event, &sheet, &Place::default()).map_err(|error| error.to_string())
}

/// An event whose first round is played as the file draws it.
fn played(file: &str) -> Tournament {
    let mut event = Tournament::default();
    let (round, at, codes) = (1, String::new(), ResultCode::both("1-0").expect("a result"));
    let mut acts = plan(&event, file, 1).expect("a plan").acts;
    acts.push(Act::StartRound { round, at });
    acts.extend([1, 2].map(|table| Act::Result {
        round,
        table,
        codes,
        how: How::Typed,
        reason: String::new(),
    }));
    acts.iter()
        .for_each(|act| event.apply(act).expect("an act"));
    event
}

/// A report file of four players: number, name, FIDE number, rounds.
fn report(players: &[(u16, &str, &str, &str)]) -> String {
    let line = |(number, name, id, rounds): &(u16, &str, &str, &str)| {
        format!(
            "001 {number:>4} m    {name:<33} 2000 GER {id:>11}             0.0 {number:>4}  \
             {rounds}\n"
        )
    };
    players.iter().map(line).collect()
}

const FIRST: [(u16, &str, &str, &str); 4] = [
    (1, "Berg, Anna", "1000001", "   3 w  "),
    (2, "Dupont, Émile", "1000002", "   4 w  "),
    (3, "Ek, Freja", "1000003", "   1 b  "),
    (4, "Cole, Ben", "1000004", "   2 b  "),
];

#[test]
fn a_file_with_other_numbers_is_refused_once_somebody_has_played() {
    let first = report(&FIRST);
    let mut next = FIRST.map(|(number, name, id, _)| {
        let cells = [
            "   3 w 1     2 b  ",
            "   4 w 1     1 w  ",
            "   1 b 0     4 b  ",
        ];
        let cell = cells.get(usize::from(number) - 1);
        (number, name, id, *cell.unwrap_or(&"   2 b 0     3 w  "))
    });
    let event = played(&first);
    let same = plan(&event, &report(&next), 2).expect("the same numbers");
    assert_eq!(same.changes.len(), 2, "{:?}", same.changes);
    ((next[0].1, next[0].2), (next[1].1, next[1].2)) =
        ((next[1].1, next[1].2), (next[0].1, next[0].2));
    let refused = plan(&event, &report(&next), 2).expect_err("other persons");
    let told = "line 1, column 1: number 1 is `Dupont, Émile` here, who is number 2 in this event, \
                where 1 is `Berg, Anna`: players keep their numbers\n\
                line 2, column 1: number 2 is `Berg, Anna` here, who is number 1 in this event, \
                where 2 is `Dupont, Émile`: players keep their numbers";
    assert_eq!(refused, told);
    // Also by their names alone.
    let nameless = next.map(|(number, name, _, cells)| (number, name, "", cells));
    assert_eq!(
        plan(&event, &report(&nameless), 2).expect_err("others"),
        told
    );
    // While nothing hangs on a number, the organiser counts as he likes.
    let mut drawn = Tournament::default();
    for act in plan(&drawn, &first, 1).expect("a plan").acts {
        drawn.apply(&act).expect("an act");
    }
    plan(&drawn, &report(&next), 1).expect("a new draw");
}

const TABLE: &str = "table,white_no,white,black_no,black\n1,1,\"A, A\",2,\"B, B\"\n\
                     2,3,\"Carr, C\",4,\"Dam, D\"\n";

#[test]
fn a_stranger_takes_nobodys_place() {
    let event = played(TABLE);
    let file = "round,table,white_no,white,black_no,black\n2,1,3,\"Zed, Z\",1,\"A, A\"\n";
    let told = "line 2, column 1: number 3 is `Carr, C`, who is drawn in another round or has \
                played: `Zed, Z` is somebody else, and needs a number of his own";
    assert_eq!(plan(&event, file, 2).expect_err("a stranger"), told);
    let again = TABLE.replace("Carr, C", "Zed, Z");
    assert_eq!(
        plan(&event, &again, 1)
            .expect_err("a stranger")
            .replace("line 3", "line 2"),
        told
    );
    let moved = "table,white_no,white,black_no,black\n1,4,\"A, A\",3,\"Carr, C\"\n";
    let refused = plan(&event, moved, 2).expect_err("another number");
    assert!(
        refused.contains("who is number 1 in this event"),
        "{refused}"
    );
    let new = moved.replace("1,4,", "1,9,");
    let refused = plan(&event, &new, 2).expect_err("a second number");
    assert!(
        refused.contains("who is number 1 in this event"),
        "{refused}"
    );
}

#[test]
fn another_spelling_is_a_change_of_the_player() {
    let event = played(TABLE);
    for name in ["Car, C", "Karr, C", "Carr, Cecilia", "Carr-Lee, C"] {
        let file = format!("table,white_no,white,black_no,black\n1,3,\"{name}\",1,\"A, A\"\n");
        let changes = plan(&event, &file, 2)
            .unwrap_or_else(|e| panic!("{e}"))
            .changes;
        let is_told = |c: &Change| matches!(c, Change::Player { after, .. } if after.name == name);
        assert!(changes.iter().any(is_told), "{name}: {changes:?}");
    }
}

#[test]
fn a_first_round_that_ended_otherwise_in_the_file_is_told() {
    let event = played(&report(&FIRST));
    let next = |first: [&str; 2]| {
        report(&FIRST.map(|(number, name, id, _)| {
            let cells = match number {
                1 => format!("   3 w {}     2 b  ", first[0]),
                2 => "   4 w 1     1 w  ".to_owned(),
                3 => format!("   1 b {}     4 b  ", first[1]),
                _ => "   2 b 0     3 w  ".to_owned(),
            };
            (number, name, id, &*cells.leak())
        }))
    };
    let told = |file: &str| {
        let odd = plan(&event, file, 2).expect("a plan").oddities;
        let odd = odd.iter().map(ToString::to_string);
        odd.filter(|told| told.starts_with("round 1"))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&next(["1", "0"])), [""; 0]);
    let other = "round 1, table 1: the file has ½-½, here it is 1-0: that stays";
    assert_eq!(told(&next(["=", "="])), [other]);
}

#[test]
fn two_players_with_one_number_at_fide_are_refused() {
    let mut twice = FIRST;
    twice[3].2 = "1000001";
    let told =
        "line 4, column 1: number 4 has the FIDE number 1000001, and so has number 1 in line 1";
    let refused = plan(&Tournament::default(), &report(&twice), 1).expect_err("two of one number");
    assert_eq!(refused, told);
}

#[test]
fn a_day_of_birth_that_is_none_is_told() {
    let odd = report(&FIRST).replacen("1000002            ", "1000002 17/05/10   ", 1);
    let odd = plan(&Tournament::default(), &odd, 1)
        .expect("a plan")
        .oddities;
    let told = "line 2, column 70: `17/05/10` is no day of birth: unless it has a year, the age of \
                number 2 is not known, and only a mark shortens the name";
    assert!(odd.iter().any(|odd| odd.to_string() == told), "{odd:?}");
}

/// Before the first round somebody has come, and everybody behind him is counted anew.
const LATE: [(u16, &str, &str, &str); 6] = [
    (1, "Berg, Anna", "1000001", "   4 w  "),
    (2, "Late, Lou", "", "   5 w  "),
    (3, "Dupont, Émile", "1000002", "   6 w  "),
    (4, "Ek, Freja", "1000003", "   1 b  "),
    (5, "Cole, Ben", "1000004", "   2 b  "),
    (6, "Last, Lea", "1000006", "   3 b  "),
];

fn drawn() -> Tournament {
    let mut event = Tournament::default();
    let plan = plan(&event, &report(&FIRST), 1).expect("a plan");
    let acts = plan.acts.iter();
    acts.for_each(|act| event.apply(act).expect("an act"));
    event
}

#[test]
fn marks_go_with_their_players_to_other_numbers() {
    let mut event = drawn();
    for (player, short) in [(2, true), (3, false)] {
        let short = Some(short);
        event
            .apply(&Act::Shorten { player, short })
            .expect("a mark");
    }
    let plan = plan(&event, &report(&LATE), 1).expect("a plan");
    plan.acts
        .iter()
        .for_each(|act| event.apply(act).expect("an act"));
    let marks: Vec<(u16, bool)> = event.shortened.into_iter().collect();
    assert_eq!(marks, [(3, true), (4, false)]);
    // Nor has who came the number at FIDE of whom he follows.
    let ids: Vec<Option<u64>> = event.players.values().map(|p| p.fide_id).collect();
    let all = [1, 0, 2, 3, 4, 6].map(|n| (n > 0).then_some(1_000_000 + n));
    assert_eq!(ids, all);
}

#[test]
fn what_is_kept_of_a_player_goes_to_nobody_else() {
    let marked = |acts: &[Act]| {
        let mut event = drawn();
        acts.iter()
            .for_each(|act| event.apply(act).expect("an act"));
        event
    };
    let penalised = marked(&[Act::Penalise {
        player: 3,
        round: 1,
        what: "a warning".to_owned(),
        reason: String::new(),
        at: String::new(),
        time: None,
    }]);
    let told = "line 3, column 1: number 3 is `Ek, Freja`, of whom there is a penalty in this \
                event: `Dupont, Émile` is somebody else, and needs another number";
    assert_eq!(
        plan(&penalised, &report(&LATE), 1).expect_err("a penalty"),
        told
    );
    // A pair of the same numbers would be postponed, whoever they are.
    let (round, table, reason) = (1, 2, String::new());
    let postponed = marked(&[Act::Postpone {
        round,
        table,
        reason,
    }]);
    let refused = plan(&postponed, &report(&LATE), 1).expect_err("a postponed game");
    let told = "line 2, column 1: number 2 is `Dupont, Émile`, of whom there is a postponed game";
    assert!(refused.starts_with(told), "{refused}");
    // Who is not in the file any more takes his mark with him.
    let (player, short) = (2, Some(true));
    let gone = marked(&[Act::Shorten { player, short }]);
    let stranger = report(&FIRST).replace("Dupont, Émile", "Zed, Zoltan  ");
    let stranger = stranger.replace("1000002", "1000099");
    let refused = plan(&gone, &stranger, 1).expect_err("a mark");
    let told = "line 2, column 1: number 2 is `Dupont, Émile`, of whom there is a mark whether \
                the name is shortened in this event: `Zed, Zoltan` is somebody else, and needs \
                another number";
    assert_eq!(refused, told);
    // Nothing hangs on the number: the stranger has it, and nothing of whoever had it before.
    let nameless = stranger.replace("1000099", "       ");
    let plan = plan(&drawn(), &nameless, 1).expect("a plan");
    let entered = plan.changes.iter().find_map(|change| match change {
        Change::Player { after, .. } => Some((after.number, after.fide_id)),
        _ => None,
    });
    assert_eq!(entered, Some((2, None)));
}

/// What number 1 and number 3 were called before, after these files of one round.
fn former(files: &[&str]) -> [Vec<String>; 2] {
    let mut event = Tournament::default();
    for file in files {
        for act in plan(&event, file, 1).unwrap_or_else(|e| panic!("{e}")).acts {
            event.apply(&act).expect("an act");
        }
    }
    [1, 3].map(|number| {
        let names = event.former.get(&number).into_iter().flatten();
        names.cloned().collect()
    })
}

#[test]
fn former_names_stay_known_and_go_with_their_players() {
    let table = |one: (u16, &str), three: (u16, &str)| {
        format!(
            "table,white_no,white,black_no,black\n1,{},\"{}\",{},\"{}\"\n",
            one.0, one.1, three.0, three.1
        )
    };
    let none = Vec::<String>::new;
    let berg = || vec!["Berg, Anna".to_owned()];
    let before = table((1, "Berg, Anna"), (3, "Cole, Ben"));
    let renamed = table((1, "Berg-Lund, Anna"), (3, "Cole, Ben"));
    assert_eq!(former(&[&before, &renamed]), [berg(), none()]);
    assert_eq!(
        former(&[&before, &renamed, &before])[0],
        ["Berg-Lund, Anna"]
    );
    // Counted anew.
    let moved = table((1, "Cole, Ben"), (3, "Berg-Lund, Anna"));
    assert_eq!(former(&[&before, &renamed, &moved]), [none(), berg()]);
    // Her old number is nobody's any more, or another's.
    let elsewhere = table((3, "Berg-Lund, Anna"), (5, "Cole, Ben"));
    assert_eq!(former(&[&before, &renamed, &elsewhere])[1], berg());
    let stranger = table((1, "Zed, Zoe"), (3, "Cole, Ben"));
    assert_eq!(former(&[&before, &renamed, &stranger]), [none(), none()]);
}

/// A file that counts nobody has names with the first name in front, as PGN of broadcasts does.
#[test]
fn a_name_is_one_whichever_part_of_it_stands_first() {
    let known = [
        (1, "Berg, Anna", "", "   2 w  "),
        (2, "Cole, Ben", "", "   1 b  "),
        (3, "Dupont, Émile", "", "   4 w  "),
        (4, "Ek, Freja", "", "   3 b  "),
    ];
    let event = played(&report(&known));
    let pgn = |games: &[[&str; 2]]| -> String {
        let game = |[white, black]: &[&str; 2]| {
            format!("[Round \"2\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n*\n\n")
        };
        games.iter().map(game).collect()
    };
    let both = pgn(&[["Anna Berg", "Ben Cole"], ["Émile Dupont", "EK Freja"]]);
    let same = plan(&event, &both, 2).expect("a plan");
    let entered = same
        .changes
        .iter()
        .filter(|change| matches!(change, Change::Enters { .. } | Change::Player { .. }));
    assert_eq!(entered.count(), 0, "{:?}", same.changes);
    let drawn: Vec<_> = same.pairings.iter().map(|p| (p.white, p.black)).collect();
    assert_eq!(drawn, [(1, Some(2)), (3, Some(4))]);
    let listed = "white,black\nAnna Berg,Ben Cole\nÉmile Dupont,Freja Ek\n";
    let listed = plan(&event, listed, 2).expect("a plan");
    assert_eq!(listed.pairings.len(), 2);

    // What is only like a name is asked about, unless whoever has it is in the file himself.
    let alike = pgn(&[["Anna Berg", "Ben Cole"], ["Emile Dupont", "F. Ek"]]);
    let told = plan(&event, &alike, 2).expect_err("two that are alike");
    assert!(
        told.contains("`Emile Dupont` is nobody's name here, and like `Dupont, Émile`")
            && told.contains("that of player 4: say who it is"),
        "{told}"
    );
    let newcomer = pgn(&[
        ["Anna Berg", "Anna Maria Berg"],
        ["Émile Dupont", "Freja Ek"],
    ]);
    let newcomer = plan(&event, &newcomer, 2).expect("a plan");
    let drawn: Vec<_> = newcomer
        .pairings
        .iter()
        .map(|p| (p.white, p.black))
        .collect();
    assert_eq!(drawn, [(1, Some(5)), (3, Some(4))]);

    // Two who have one name, each in another order.
    let mut two = known;
    (two[0].1, two[1].1) = ("Tran, An", "An Tran");
    let event = played(&report(&two));
    let told = plan(&event, "white,black\ntran an,Cole\n", 2).expect_err("either");
    let expected = "`tran an` is the name of players 1 and 2: say which number";
    assert!(told.contains(expected), "{told}");
}
