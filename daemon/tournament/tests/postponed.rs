//! Games that are played later than their round.

use tournament::{Act, How, Place, Plan, Refusal, ResultCode, Stage, Tournament, load, write};

const FIRST: &str = "\
012 Harbour Open
001    1 m    Berg, Anna                        2250 GER     1000001             0.0    1     3 w  
001    2 m    Dupont, Emil                      2200 GER     1000002             0.0    2     4 b  
001    3 m    Ek, Freja                         2150 GER     1000003             0.0    3     1 b  
001    4 m    Cole, Ben                         2100 GER     1000004             0.0    4     2 w  
";

/// The file of the second round, with these results of the first, player by player.
fn second(results: [char; 4]) -> String {
    let cells = ["   2 b  ", "   1 w  ", "   4 w  ", "   3 b  "];
    let mut lines: Vec<String> = FIRST.lines().map(str::to_owned).collect();
    for ((line, result), cell) in lines[1..].iter_mut().zip(results).zip(cells) {
        line.truncate(98);
        *line += &format!("{result}  {cell}");
    }
    lines.join("\n") + "\n"
}

/// As a pairing program writes it that was told of no result at the second table.
const OPEN: [char; 4] = ['1', ' ', '0', ' '];

fn draw(event: &mut Tournament, file: &str, round: Option<u16>) {
    let sheet = load::read(file.as_bytes(), round).expect("a sheet");
    let plan = Plan::of(event, &sheet, &Place::default()).expect("a plan");
    plan.acts
        .iter()
        .for_each(|act| event.apply(act).expect("an act"));
}

fn start(round: u16) -> Act {
    let at = String::new();
    Act::StartRound { round, at }
}

fn result(round: u16, table: u16, text: &str) -> Act {
    Act::Result {
        round,
        table,
        codes: ResultCode::both(text).expect("a result"),
        how: How::Typed,
        reason: String::new(),
    }
}

fn postpone(round: u16, table: u16) -> Act {
    let reason = "White is ill".to_owned();
    Act::Postpone {
        round,
        table,
        reason,
    }
}

fn resume(round: u16, table: u16) -> Act {
    Act::Resume { round, table }
}

/// A result is taken back.
fn slip(round: u16, table: u16) -> Act {
    Act::Withdraw {
        round,
        table,
        reason: "a slip".to_owned(),
    }
}

/// The first round, with a result at its first table and the second postponed.
fn first_round() -> Tournament {
    let mut event = Tournament::default();
    draw(&mut event, FIRST, Some(1));
    for act in [start(1), result(1, 1, "1-0"), postpone(1, 2)] {
        event.apply(&act).expect("an act");
    }
    event
}

/// The file with the results of all rounds up to this one, and of whom it had others.
fn filled(event: &Tournament, until: u16, file: &str) -> (String, Vec<u16>) {
    let (mut bytes, mut altered) = (file.as_bytes().to_vec(), Vec::new());
    for round in 1..=until {
        let filled = write::trf(event, round, &bytes).expect("a file");
        (bytes, altered) = (filled.bytes, [altered, filled.altered].concat());
    }
    (String::from_utf8(bytes).expect("UTF-8"), altered)
}

#[test]
fn a_round_is_closed_beside_a_postponed_game_and_the_next_is_played() {
    let mut event = first_round();
    // Nobody waits for it: it begins by itself no more, and nobody loses it by default.
    assert_eq!(event.next_at(2), None);
    assert_eq!(event.not_begun(1), [0; 0]);
    assert_eq!(
        (event.open_tables(1), event.postponed(1)),
        (vec![], vec![2])
    );
    event.apply(&Act::CloseRound { round: 1 }).expect("closed");

    // What is open is blank: the game is paired and has no result.
    let (text, _) = filled(&event, 1, FIRST);
    assert_eq!(event.open_until(1), [(1, 2)]);
    assert!(
        text.contains("     3 w 1") && text.contains("     4 b  \n"),
        "{text}"
    );

    // The next file has the game open too, and means the round after it.
    draw(&mut event, &second(OPEN), None);
    for act in [start(2), result(2, 1, "½-½"), result(2, 2, "0-1")] {
        event.apply(&act).expect("an act");
    }
    event.apply(&Act::CloseRound { round: 2 }).expect("closed");
    let unfinished = event.apply(&Act::Close);
    assert_eq!(unfinished, Err(Refusal::Unfinished(vec![(1, 2)])));

    // A result that comes late counts, and stands in the files of later rounds too.
    assert_eq!(event.open_until(2), [(1, 2)]);
    assert_eq!(filled(&event, 2, &second(OPEN)).1, [0; 0]);
    event.apply(&result(1, 2, "0-1")).expect("a result");
    assert_eq!(event.postponed(1), [0; 0]);
    let (text, altered) = filled(&event, 2, &second(OPEN));
    assert_eq!((event.open_until(2), altered), (vec![], vec![]));
    assert!(text.contains("     4 b 1     1 w ="), "{text}");
    assert!(text.contains("     2 w 0     3 b 1"), "{text}");
    event.apply(&Act::Close).expect("closed");
}

#[test]
fn what_a_file_says_of_a_game_that_is_open_here_is_told() {
    let mut event = first_round();
    event.apply(&Act::CloseRound { round: 1 }).expect("closed");
    // The pairing program counted a draw for the time being.
    let counted = second(['1', '=', '0', '=']);
    draw(&mut event, &counted, None);
    let (text, altered) = filled(&event, 2, &counted);
    assert_eq!((text == counted, altered), (true, vec![]));
    // Once it is played, what was played is written.
    event.apply(&result(1, 2, "0-1")).expect("a result");
    let (text, altered) = filled(&event, 2, &counted);
    assert!(text.contains("     4 b 1     1 w "), "{text}");
    assert_eq!(altered, [2, 4]);
}

#[test]
fn a_postponed_game_is_played_at_its_table_once_it_is_called() {
    let mut event = first_round();
    event.apply(&Act::CloseRound { round: 1 }).expect("closed");
    assert_eq!(event.next_at(2), None);
    event.apply(&resume(1, 2)).expect("it is called");
    assert_eq!(
        event
            .next_at(2)
            .map(|(round, pairing)| (round, pairing.white)),
        Some((1, 4))
    );
    assert_eq!(
        (event.open_tables(1), event.postponed(1)),
        (vec![2], vec![])
    );
    let again = event.apply(&resume(1, 2));
    assert_eq!(again, Err(Refusal::NotPostponed { round: 1, table: 2 }));

    // A game of the round under way goes before it.
    draw(&mut event, &second(OPEN), None);
    event.apply(&start(2)).expect("started");
    assert_eq!(event.next_at(2).map(|(round, _)| round), Some(2));
    event.apply(&result(2, 2, "0-1")).expect("a result");
    assert_eq!(event.next_at(2).map(|(round, _)| round), Some(1));
    // What is typed of it is from the scoresheets: what stands on the board then is another game.
    let mut typed = event.clone();
    let proposed = Act::Propose {
        round: 1,
        table: 2,
        codes: ResultCode::both("1-0").expect("a result"),
        how: How::Typed,
    };
    typed.apply(&proposed).expect("proposed");
    assert_eq!(typed.next_at(2), None);
    let begin = Act::Begin {
        round: 1,
        table: 2,
        game: "late".to_owned(),
    };
    event.apply(&begin).expect("it begins");
    assert_eq!(
        event.at_hand(2),
        Some((1, event.pairing(1, 2).expect("a pairing")))
    );
    // Its board proposes, takes back, and proposes again, like that of any round under way.
    let propose = Act::Propose {
        round: 1,
        table: 2,
        codes: ResultCode::both("1-0").expect("a result"),
        how: How::Board,
    };
    let withdraw = Act::Withdraw {
        round: 1,
        table: 2,
        reason: String::new(),
    };
    for act in [
        &propose,
        &withdraw,
        &propose,
        &Act::Confirm { round: 1, table: 2 },
    ] {
        event.apply(act).expect("an act");
    }
    assert_eq!(event.rounds[&1].stage, Stage::Closed);
    assert_eq!(
        event.apply(&postpone(1, 2)),
        Err(Refusal::Confirmed { round: 1, table: 2 })
    );
    event.apply(&slip(1, 2)).expect("withdrawn");
    assert_eq!((event.postponed(1), event.at_hand(2)), (vec![2], None));
}

#[test]
fn a_late_result_is_withdrawn_and_the_game_is_postponed_again() {
    let mut event = first_round();
    event.apply(&Act::CloseRound { round: 1 }).expect("closed");
    event.apply(&result(1, 2, "1-0")).expect("a result");
    assert_eq!((event.postponed(1), event.unfinished()), (vec![], vec![]));
    let unsaid = Act::Withdraw {
        round: 1,
        table: 2,
        reason: String::new(),
    };
    assert_eq!(
        event.apply(&unsaid),
        Err(Refusal::NoReason { round: 1, table: 2 })
    );
    // What was played in the round stays with it.
    assert_eq!(event.apply(&slip(1, 1)), Err(Refusal::Closed(1)));
    event.apply(&slip(1, 2)).expect("withdrawn");
    assert_eq!(event.postponed(1), [2]);
    assert_eq!(
        event.apply(&Act::Close),
        Err(Refusal::Unfinished(vec![(1, 2)]))
    );
    event.apply(&result(1, 2, "0-1")).expect("the right one");
    event.apply(&Act::Close).expect("closed");
}

/// The tables of a file that is loaded again are others, and so are the colours: the postponement
/// goes with its pair.
#[test]
fn a_postponement_goes_with_its_pair() {
    const TABLES: &str = "table,white,black\n1,Berg,Ek\n2,Cole,Dupont\n3,Fox,Gray\n";
    let mut event = Tournament::default();
    draw(&mut event, TABLES, Some(1));
    event.apply(&postpone(1, 2)).expect("postponed");
    let moved = "table,white,black\n1,Cole,Dupont\n2,Berg,Ek\n3,Fox,Gray\n";
    draw(&mut event, moved, Some(1));
    assert_eq!(event.postponed(1), [1]);
    let turned = "table,white,black\n1,Fox,Gray\n2,Berg,Ek\n3,Dupont,Cole\n";
    draw(&mut event, turned, Some(1));
    assert_eq!(event.postponed(1), [3]);
    let parted = "table,white,black\n1,Fox,Cole\n2,Berg,Ek\n3,Dupont,Gray\n";
    draw(&mut event, parted, Some(1));
    assert_eq!(event.postponed(1), [0; 0]);
}

#[test]
fn a_game_is_postponed_before_its_round_and_stays_so_when_the_file_comes_again() {
    let mut event = Tournament::default();
    draw(&mut event, FIRST, Some(1));
    event.apply(&postpone(1, 2)).expect("postponed");
    assert_eq!(
        event.apply(&postpone(1, 2)),
        Err(Refusal::Postponed { round: 1, table: 2 })
    );
    draw(&mut event, FIRST, Some(1));
    let dated = FIRST.replace("1000004 ", "1000005 ");
    draw(&mut event, &dated, Some(1));
    assert_eq!(event.postponed(1), [2]);
    event.apply(&start(1)).expect("started");
    assert_eq!(event.not_begun(1), [1]);
    let begin = Act::Begin {
        round: 1,
        table: 2,
        game: "early".to_owned(),
    };
    assert_eq!(
        event.apply(&begin),
        Err(Refusal::Postponed { round: 1, table: 2 })
    );
    event.apply(&resume(1, 2)).expect("it is played after all");
    event.apply(&begin).expect("it begins");
    // Adjourned: it has begun, and goes on another day.
    event.apply(&postpone(1, 2)).expect("adjourned");
    assert_eq!(event.at_hand(2), None);
    let bye = event.apply(&postpone(1, 9));
    assert_eq!(bye, Err(Refusal::NoPairing { round: 1, table: 9 }));
}
