//! What people ordered by mistake: it is taken back, and the game is as if nobody had ordered it.
//! What was played at a ply and not read so: it is said, and the rest is heard again under it.

use crate::told::{Told, script};
use arbiter_core::view::FindingStatus;

const OCCUPANCY: &str = r#""event":"setup","sensor":"occupancy""#;

const E4: &str = r#"
    "event":"lift","at":1000,"square":"e2"
    "event":"place","at":1400,"square":"e4"
    "event":"press","at":1800,"by":"white""#;
const E5: &str = r#"
    "event":"lift","at":3000,"square":"e7"
    "event":"place","at":3400,"square":"e5"
    "event":"press","at":3800,"by":"black""#;
const NF3: &str = r#"
    "event":"lift","at":5000,"square":"g1"
    "event":"place","at":5400,"square":"f3"
    "event":"press","at":5800,"by":"white""#;

#[test]
fn a_result_entered_by_mistake_never_was() {
    let result = r#""event":"arbiter","at":2000,"action":"result","result":"1-0","order":"r""#;
    let back = r#""event":"arbiter","at":6000,"action":"take-back","order":"r""#;
    let told = script(&[OCCUPANCY, E4, result, E5, NF3, back]);
    assert_eq!(
        told.last(),
        ["result * Arbiter", "move 2 e7e5", "move 3 g1f3",]
    );
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3");
    assert_eq!(told.view().result, None);
    assert!(told.orders().is_empty());
    let never = script(&[OCCUPANCY, E4, E5, NF3]).view();
    let view = told.view();
    assert_eq!(
        (view.state, view.fen, view.running),
        (never.state, never.fen, never.running)
    );
}

/// The position that the arbiter wants back is shown until he has declared the result.
#[test]
fn a_position_is_to_be_put_back_until_the_game_is_over() {
    let made = |from: &str, to: &str, at: u64, by: &str| {
        let [lift, place, press] = [at, at + 400, at + 800];
        format!(
            r#""event":"lift","at":{lift},"square":"{from}"
               "event":"place","at":{place},"square":"{to}"
               "event":"press","at":{press},"by":"{by}""#
        )
    };
    let back = r#"
        "event":"lift","at":3000,"square":"b3"
        "event":"place","at":3400,"square":"b1"
        "event":"tick","at":5000"#;
    let parts = [
        OCCUPANCY.to_owned(),
        made("b1", "b3", 1_000, "white"),
        back.to_owned(),
        made("b1", "c3", 6_000, "white"),
        made("e7", "e5", 9_000, "black"),
        made("g1", "g3", 12_000, "white"),
        r#""event":"mating","at":13000,"white":"can","black":"can",
            "fen":"rnbqkbnr/pppp1ppp/8/4p3/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 2""#
            .to_owned(),
        r#""event":"arbiter","at":15000,"action":"set-position",
            "fen":"rnbqkbnr/pppp1ppp/8/4p3/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 2""#
            .to_owned(),
        r#""event":"arbiter","at":16000,"action":"result","result":"0-1""#.to_owned(),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let view = script(&parts[..7]).view();
    assert!(view.result.is_some_and(|result| result.proposed));
    let view = script(&parts[..8]).view();
    assert!(view.restore.is_some());
    assert_eq!(script(&parts).view().restore, None);
}

/// White touches the knight and plays e4; the finding is upheld by mistake.
const TOUCHED: &str = r#"
    "event":"lift","at":100,"square":"g1"
    "event":"place","at":900,"square":"g1""#;

#[test]
fn a_finding_upheld_by_mistake_waits_again() {
    let uphold =
        r#""event":"arbiter","at":2000,"action":"uphold","id":1,"order":"u","author":"Ada""#;
    let back = r#""event":"arbiter","at":4000,"action":"take-back","order":"u""#;
    let upheld = script(&[OCCUPANCY, TOUCHED, E4, uphold]);
    assert_eq!(upheld.last(), ["revision 1 ", "restore 2"]);
    assert_eq!(upheld.orders(), ["u"]);
    let told = script(&[OCCUPANCY, TOUCHED, E4, uphold, E5, back]);
    assert_eq!(
        told.last(),
        [
            "move 1 e2e4",
            "move 2 e7e5",
            "irregularity 1 touch-move-own-piece",
            "restore 0",
        ]
    );
    let open = [(1, "touch-move-own-piece", FindingStatus::Open)];
    assert_eq!(told.findings(), open);
    assert_eq!(told.view().restore, None);
}

#[test]
fn what_was_reported_by_mistake_is_withdrawn_and_its_number_not_given_again() {
    let report = r#""event":"arbiter","at":2000,"action":"report","code":"two-hands",
        "by":"white","order":"o""#
        .replace('\n', "");
    let back = r#""event":"arbiter","at":2500,"action":"take-back","order":"o""#;
    let empty = r#""event":"press","at":2900,"by":"black""#;
    let told = script(&[OCCUPANCY, E4, &report, back]);
    assert_eq!(told.last(), ["withdrawn 1"]);
    let told = script(&[OCCUPANCY, E4, &report, back, empty]);
    assert_eq!(told.last(), ["irregularity 2 clock-pressed-without-move"]);
    assert_eq!(
        told.findings(),
        [
            (1, "two-hands", FindingStatus::Withdrawn),
            (2, "clock-pressed-without-move", FindingStatus::Open),
        ]
    );
}

#[test]
fn a_finding_keeps_its_number_when_one_before_it_falls() {
    let report = r#""event":"arbiter","at":950,"action":"report","code":"clock-other-hand",
        "by":"white","order":"o""#;
    let back = r#""event":"arbiter","at":2500,"action":"take-back","order":"o""#;
    let dismiss = r#""event":"arbiter","at":2700,"action":"dismiss","id":2"#;
    let told = script(&[OCCUPANCY, TOUCHED, report, E4, back]);
    assert_eq!(told.last(), ["withdrawn 1"]);
    let told = script(&[OCCUPANCY, TOUCHED, report, E4, back, dismiss]);
    assert!(told.last().is_empty());
    assert_eq!(
        told.findings(),
        [
            (1, "clock-other-hand", FindingStatus::Withdrawn),
            (2, "touch-move-own-piece", FindingStatus::Dismissed),
        ]
    );
}

#[test]
fn an_order_that_rested_on_another_falls_with_it() {
    let report = r#""event":"arbiter","at":2000,"action":"result","result":"0-1","order":"a""#;
    let reopen = r#""event":"arbiter","at":2200,"action":"result","result":"*","order":"b""#;
    let back = r#""event":"arbiter","at":2400,"action":"take-back","order":"a""#;
    let told = script(&[OCCUPANCY, E4, report, reopen, back]);
    let last = told.last();
    assert_eq!(last.len(), 1, "{last:?}");
    assert!(
        last[0].starts_with("refused b: The game has no result"),
        "{last:?}"
    );
    assert!(told.orders().is_empty());
}

#[test]
fn a_position_set_by_mistake_never_was() {
    let set = r#""event":"arbiter","at":2000,"action":"set-position",
        "fen":"8/8/4k3/8/8/4K3/8/8 b - - 0 1","order":"p""#;
    let back = r#""event":"arbiter","at":4000,"action":"take-back","order":"p""#;
    let told = script(&[OCCUPANCY, E4, set, E5, back]);
    // From the other position nobody could have moved so: nobody was accused of it.
    assert_eq!(told.last(), ["move 2 e7e5", "restore 0"]);
    assert_eq!(told.moves(), "e2e4 e7e5");
    assert!(told.findings().is_empty());
    assert!(told.view().doubts.is_empty());
}

#[test]
fn what_cannot_be_taken_back_is_refused_with_what_can() {
    let pause = r#""event":"arbiter","at":2000,"action":"pause","order":"p""#;
    let again = r#""event":"arbiter","at":2100,"action":"resume","order":"p""#;
    let back = r#""event":"arbiter","at":2200,"action":"take-back","order":"p""#;
    let other = r#""event":"arbiter","at":2200,"action":"take-back","order":"q""#;
    let told = script(&[OCCUPANCY, E4, pause, again]);
    assert!(told.last()[0].starts_with("refused p: Another order is called p"));
    let told = script(&[OCCUPANCY, E4, pause, other]);
    let last = told.last().join("");
    assert!(
        last.starts_with("refused q: No order q was given"),
        "{last}"
    );
    assert!(last.contains("can be taken back: p."), "{last}");
    let told = script(&[OCCUPANCY, E4, pause, back]);
    assert!(told.last().is_empty() && told.orders().is_empty());
    let told = script(&[OCCUPANCY, E4, pause, back, back]);
    let last = told.last().join("");
    assert!(
        last.starts_with("refused p: Order p has been taken back"),
        "{last}"
    );
    assert!(last.ends_with("Nothing waits for an answer."), "{last}");
}

#[test]
fn players_words_are_orders_where_they_have_names() {
    let resign = r#""event":"resign","at":2000,"by":"black","order":"r""#;
    let late = r#""event":"resign","at":2100,"by":"white","order":"s""#;
    let accept = r#""event":"draw","at":2000,"by":"black","step":"accept","order":"d""#;
    let silent = r#""event":"draw","at":2000,"by":"black","step":"accept""#;
    let back = r#""event":"arbiter","at":2200,"action":"take-back","order":"r""#;
    let told = script(&[OCCUPANCY, E4, resign, late]);
    assert!(told.last()[0].starts_with("refused s: The game is not being played"));
    let can = r#""event":"mating","at":2100,"white":"can","black":"can",
        "fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#
        .replace('\n', "");
    let told = script(&[OCCUPANCY, E4, resign, &can]);
    assert_eq!(told.last(), ["result 1-0 Resignation"]);
    let told = script(&[OCCUPANCY, E4, resign, &can, back]);
    assert_eq!(told.last(), ["result * Arbiter"]);
    let told = script(&[OCCUPANCY, E4, accept]);
    assert!(told.last()[0].starts_with("refused d: The opponent has not offered"));
    assert!(script(&[OCCUPANCY, E4, silent]).last().is_empty());
}

/// An order finds its finding also where its number is another's.
#[test]
fn an_order_finds_its_finding_by_code_ply_and_side() {
    let uphold = |id: u32, code: &str| {
        format!(
            r#""event":"arbiter","at":2000,"action":"dismiss","id":{id},
               "code":"{code}","ply":1,"by":"white""#
        )
    };
    let told = script(&[OCCUPANCY, TOUCHED, E4, &uphold(7, "touch-move-own-piece")]);
    let dismissed = [(1, "touch-move-own-piece", FindingStatus::Dismissed)];
    assert!(told.last().is_empty());
    assert_eq!(told.findings(), dismissed);
    let told = script(&[OCCUPANCY, TOUCHED, E4, &uphold(1, "two-hands")]);
    assert!(told.last()[0].starts_with("refused -: The game has no finding 1."));
}

/// The board read e4. It was e3, says the arbiter: the rest is followed from there, and what the
/// board says of the two squares is a doubt.
#[test]
fn what_was_played_is_what_the_arbiter_says() {
    let played =
        r#""event":"arbiter","at":6000,"action":"played","ply":1,"move":"e2e3","order":"p""#;
    let told = script(&[OCCUPANCY, E4, E5, NF3, played]);
    assert_eq!(
        told.last(),
        [
            "revision 1 e2e3,e7e5,g1f3",
            "move 1 e2e3",
            "move 2 e7e5",
            "move 3 g1f3",
            "doubt 1 CheckSquare",
        ]
    );
    assert!(told.findings().is_empty());
    let back = r#""event":"arbiter","at":7000,"action":"take-back","order":"p""#;
    let told = script(&[OCCUPANCY, E4, E5, NF3, played, back]);
    assert_eq!(
        told.last(),
        [
            "revision 1 e2e4,e7e5,g1f3",
            "move 1 e2e4",
            "move 2 e7e5",
            "move 3 g1f3",
        ]
    );
    assert!(told.view().doubts.is_empty());
}

/// A knight goes to b3, the clock is pressed: an illegal move, to be put back. It was c3, says the
/// arbiter, and the sensor of b3 is wrong: nobody has done anything.
#[test]
fn an_illegal_move_that_was_none_is_withdrawn() {
    let knight = r#"
        "event":"lift","at":1000,"square":"b1"
        "event":"place","at":1400,"square":"b3"
        "event":"press","at":1800,"by":"white""#;
    let told = script(&[OCCUPANCY, knight]);
    assert_eq!(told.findings(), [(1, "illegal-move", FindingStatus::Open)]);
    let played = r#""event":"arbiter","at":2500,"action":"played","ply":1,"move":"b1c3""#;
    let told = script(&[OCCUPANCY, knight, played]);
    assert_eq!(
        told.last(),
        [
            "move 1 b1c3",
            "withdrawn 1",
            "doubt 1 CheckSquare",
            "restore 0"
        ]
    );
    let told = script(&[OCCUPANCY, knight, played, E5]);
    assert_eq!(told.moves(), "b1c3 e7e5");
}

/// It was an illegal move: it stands, from-to, and the game has gone on from it.
#[test]
fn an_illegal_move_that_was_played_stands() {
    let rook = r#"
        "event":"lift","at":1000,"square":"a1"
        "event":"lift","at":1200,"square":"a2"
        "event":"place","at":1400,"square":"a4"
        "event":"place","at":1600,"square":"a1"
        "event":"press","at":1800,"by":"white""#;
    let told = script(&[OCCUPANCY, rook, E5]);
    assert_eq!(told.moves(), "a2a4 e7e5");
    // The rook went there, past the pawn, and that was put on a1.
    let played = r#""event":"arbiter","at":6000,"action":"played","ply":1,"move":"a1a4""#;
    let told = script(&[OCCUPANCY, rook, E5, played]);
    assert_eq!(told.moves(), "a1a4 e7e5");
    let found = told
        .view()
        .findings
        .into_iter()
        .map(|f| f.irregularity)
        .collect::<Vec<_>>();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].code.name(), found[0].ply), ("illegal-move", 1));
    assert!(
        told.last()
            .contains(&"irregularity 1 illegal-move".to_owned()),
        "{:?}",
        told.last()
    );
}

#[test]
fn what_cannot_have_been_played_is_refused() {
    let played = |ply: u32, uci: &str| {
        format!(
            r#""event":"arbiter","at":6000,"action":"played","ply":{ply},
               "move":"{uci}","order":"p""#
        )
    };
    let refused = |ply: u32, uci: &str| {
        let last = script(&[OCCUPANCY, E4, E5, &played(ply, uci)]).last();
        assert!(
            last.len() == 1 && last[0].starts_with("refused p: "),
            "{last:?}"
        );
        last[0]["refused p: ".len()..].to_owned()
    };
    assert!(refused(0, "e2e4").starts_with("The record does not go as far as ply 0."));
    assert!(refused(4, "e2e4").starts_with("The record does not go as far as ply 4."));
    assert!(refused(1, "e2e4").starts_with("The record has that as ply 1 already"));
    assert!(refused(1, "e4e5").starts_with("That cannot have been played at ply 1"));
    assert!(refused(1, "a2e1").starts_with("That cannot have been played at ply 1"));
    // Refused, it has changed nothing, and its name is free.
    let told = script(&[OCCUPANCY, E4, E5, &played(0, "e2e4"), NF3]);
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3");
    let told = script(&[OCCUPANCY, E4, E5, &played(0, "e2e4"), &played(1, "d2d4")]);
    assert_eq!(told.orders(), ["p"]);
}

/// What the board showed cannot follow from what the arbiter says: nobody is accused of that. The
/// record keeps what fits, and somebody is asked to look.
#[test]
fn what_does_not_fit_is_one_doubt() {
    let capture = r#"
        "event":"lift","at":3000,"square":"d7"
        "event":"place","at":3400,"square":"d5"
        "event":"press","at":3800,"by":"black"
        "event":"lift","at":5000,"square":"d5"
        "event":"lift","at":5400,"square":"e4"
        "event":"place","at":5800,"square":"d5"
        "event":"press","at":6200,"by":"white"
        "event":"lift","at":7000,"square":"d8"
        "event":"lift","at":7400,"square":"d5"
        "event":"place","at":7800,"square":"d5"
        "event":"press","at":8200,"by":"black""#;
    let told = script(&[OCCUPANCY, E4, capture]);
    assert_eq!(told.moves(), "e2e4 d7d5 e4d5 d8d5");
    let played =
        r#""event":"arbiter","at":9000,"action":"played","ply":1,"move":"a2a3","order":"p""#;
    let told = script(&[OCCUPANCY, E4, capture, played]);
    assert!(told.moves().starts_with("a2a3 d7d5"), "{}", told.moves());
    assert!(told.findings().is_empty(), "{:?}", told.findings());
    assert!(!told.view().doubts.is_empty());
    let back = r#""event":"arbiter","at":9500,"action":"take-back","order":"p""#;
    let told = script(&[OCCUPANCY, E4, capture, played, back]);
    assert_eq!(told.moves(), "e2e4 d7d5 e4d5 d8d5");
}

/// Black's knight goes to g6, and White's queen captures over it on f7.
const TWO_ILLEGAL: &str = r#"
    "event":"lift","at":1000,"square":"e2"
    "event":"place","at":1400,"square":"e4","seen":"P"
    "event":"press","at":1800,"by":"white"
    "event":"lift","at":3000,"square":"e7"
    "event":"place","at":3400,"square":"e5","seen":"p"
    "event":"press","at":3800,"by":"black"
    "event":"lift","at":5000,"square":"d1"
    "event":"place","at":5400,"square":"h5","seen":"Q"
    "event":"press","at":5800,"by":"white"
    "event":"lift","at":7000,"square":"g8"
    "event":"place","at":7400,"square":"g6","seen":"n"
    "event":"press","at":7800,"by":"black"
    "event":"lift","at":9000,"square":"f7"
    "event":"lift","at":9300,"square":"h5"
    "event":"place","at":9700,"square":"f7","seen":"Q"
    "event":"press","at":10100,"by":"white""#;

/// What was found of a move that an earlier ruling takes back is of no move any more: neither that
/// it is upheld takes back what is played instead, nor that it is dismissed ends what is put back.
#[test]
fn what_was_found_of_play_that_is_taken_back_is_of_no_ply() {
    const PIECES: &str = r#""event":"setup","sensor":"piece""#;
    let order = |at: u32, action: &str, id: u32| {
        format!(r#""event":"arbiter","at":{at},"action":"{action}","id":{id}"#)
    };
    let undone = |told: &Told| -> Vec<Option<String>> {
        let findings = told.view().findings.into_iter();
        findings.map(|found| found.undone).collect()
    };
    let open = script(&[PIECES, TWO_ILLEGAL]);
    assert_eq!(undone(&open), [None, None]);
    let first = order(11_000, "uphold", 1);
    let told = script(&[PIECES, TWO_ILLEGAL, &first]);
    let jumped = "rnbqkb1r/pppp1ppp/6n1/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3";
    assert_eq!(undone(&told), [None, Some(jumped.to_owned())]);
    let restore = told.view().restore.expect("a position");
    for action in ["uphold", "dismiss"] {
        let told = script(&[PIECES, TWO_ILLEGAL, &first, &order(12_000, action, 2)]);
        assert_eq!(told.view().restore.as_ref(), Some(&restore), "{action}");
    }
    let played = r#"
        "event":"lift","at":12000,"square":"f7"
        "event":"place","at":12400,"square":"h5","seen":"Q"
        "event":"place","at":12800,"square":"f7","seen":"p"
        "event":"lift","at":13200,"square":"g6"
        "event":"place","at":13600,"square":"g8","seen":"n"
        "event":"lift","at":16000,"square":"g8"
        "event":"place","at":16400,"square":"f6","seen":"n"
        "event":"press","at":16800,"by":"black"
        "event":"lift","at":18000,"square":"f7"
        "event":"lift","at":18300,"square":"h5"
        "event":"place","at":18700,"square":"f7","seen":"Q"
        "event":"press","at":19100,"by":"white""#;
    let again = order(20_000, "uphold", 2);
    let told = script(&[PIECES, TWO_ILLEGAL, &first, played, &again]);
    assert_eq!(told.moves(), "e2e4 e7e5 d1h5 g8f6 h5f7");
    assert_eq!(told.view().restore, None);
}

/// White has pressed for a move that is none: Black's clock runs, until the position stands again
/// and White is to move.
#[test]
fn after_an_illegal_move_the_opponents_clock_runs_until_it_is_put_back() {
    let illegal = r#"
        "event":"lift","at":1000,"square":"g1"
        "event":"place","at":1400,"square":"g4"
        "event":"press","at":1800,"by":"white""#;
    let told = script(&[OCCUPANCY, illegal]);
    assert_eq!(told.findings(), [(1, "illegal-move", FindingStatus::Open)]);
    assert_eq!(told.view().running, Some('b'));
    let back = r#"
        "event":"lift","at":5000,"square":"g4"
        "event":"place","at":5400,"square":"g1"
        "event":"tick","at":9000"#;
    let told = script(&[OCCUPANCY, illegal, back]);
    assert_eq!(told.view().running, Some('w'));
}
