//! Pieces that lie about: knocked over, put down while a game is stopped, or standing where none
//! should be.

use crate::told::{Told, script};
use arbiter_core::irregularity::Certainty;
use arbiter_core::ruling::DoubtKind;

const SETUP: &str = r#""event":"setup","sensor":"piece""#;
/// White has the move; five of his men leave their squares in less than a second.
const SPILL: &str = r#"
    "event":"lift","at":1000,"square":"h2"
    "event":"tick","at":1130
    "event":"lift","at":1150,"square":"h1"
    "event":"lift","at":1300,"square":"g1"
    "event":"lift","at":1450,"square":"g2"
    "event":"lift","at":1600,"square":"f1"
    "event":"tick","at":1800"#;

fn asked(told: &Told) -> Vec<DoubtKind> {
    told.view().doubts.iter().map(|d| d.kind).collect()
}

/// Nobody takes up five men to move one of them: they were knocked over, and oblige to nothing.
#[test]
fn a_spilled_handful_obliges_to_nothing() {
    let before = SPILL
        .find("\n    \"event\":\"lift\",\"at\":1150")
        .expect("the second");
    let one = script(&[SETUP, &SPILL[..before]]);
    assert!(one.view().obligation.is_some());
    let told = script(&[SETUP, SPILL]);
    assert_eq!(told.view().obligation, None);
    assert_eq!(told.findings(), []);
}

/// The game was stopped for it, and goes on before they are put up again: somebody is asked. Where
/// they stand again nobody is asked any more.
#[test]
fn a_game_goes_on_only_with_pieces_that_stand_somewhere() {
    let stopped = r#"
        "event":"arbiter","at":3000,"action":"pause"
        "event":"place","at":4000,"square":"a4","seen":"P"
        "event":"place","at":4200,"square":"b4","seen":"R"
        "event":"arbiter","at":6000,"action":"resume""#;
    let told = script(&[SETUP, SPILL, stopped]);
    assert_eq!(asked(&told), [DoubtKind::ThreadLost]);
    let put_up = r#"
        "event":"lift","at":8000,"square":"a4"
        "event":"lift","at":8200,"square":"b4"
        "event":"place","at":9000,"square":"h2","seen":"P"
        "event":"place","at":9200,"square":"h1","seen":"R"
        "event":"place","at":9400,"square":"g1","seen":"N"
        "event":"place","at":9600,"square":"g2","seen":"P"
        "event":"place","at":9800,"square":"f1","seen":"B"
        "event":"tick","at":12000"#;
    let told = script(&[SETUP, SPILL, stopped, put_up]);
    assert_eq!(asked(&told), []);
    assert_eq!(told.findings(), []);
}

/// The board is read again with a piece more than there can be, and two half-moves are made beside
/// it: as soon as it is taken away they are what was played, without another press.
#[test]
fn what_was_played_beside_a_piece_too_many_is_told_when_that_is_taken_away() {
    let opened = r#"
        "event":"lift","at":1000,"square":"d2"
        "event":"place","at":1300,"square":"d3","seen":"P"
        "event":"press","at":1600,"by":"white"
        "event":"lift","at":3000,"square":"h7"
        "event":"snapshot","at":20000,
        "board":"rnbqkbnrpppppppp...............B...........P....PPP.PPPPRNBQKBNR"
        "event":"tick","at":32000"#;
    let beside = r#"
        "event":"lift","at":40000,"square":"h7"
        "event":"place","at":40300,"square":"h6","seen":"p"
        "event":"press","at":40600,"by":"black"
        "event":"lift","at":43000,"square":"b1"
        "event":"place","at":43300,"square":"d2","seen":"N"
        "event":"press","at":43600,"by":"white"
        "event":"tick","at":60000"#;
    let told = script(&[SETUP, opened, beside]);
    assert_eq!(asked(&told), [DoubtKind::ThreadLost]);
    let taken = r#"
        "event":"lift","at":70000,"square":"h5"
        "event":"tick","at":71000"#;
    let told = script(&[SETUP, opened, beside, taken]);
    assert_eq!(told.moves(), "d2d3 h7h6 b1d2");
    assert_eq!(asked(&told), []);
    assert_eq!(told.findings(), []);
}

/// Two men of one player are off the board at one time while the game is stopped: on a board that
/// tells no pieces nobody knows which of them came back where, and a move that its square's man
/// cannot make is `possible` as an illegal one, no more.
#[test]
fn men_that_were_off_together_may_have_changed_places() {
    let stopped = |lifts: &str| {
        let order =
            |at: u32, action: &str| format!(r#""event":"arbiter","at":{at},"action":"{action}""#);
        let moved = r#"
            "event":"lift","at":12000,"square":"f1"
            "event":"place","at":12400,"square":"h3"
            "event":"press","at":12800,"by":"white""#;
        let setup = r#""event":"setup","sensor":"occupancy""#;
        script(&[
            setup,
            &order(1000, "pause"),
            lifts,
            &order(9000, "resume"),
            moved,
        ])
    };
    let certainty = |told: &Told| {
        let found = told.view().findings;
        found
            .iter()
            .map(|f| f.irregularity.certainty)
            .collect::<Vec<_>>()
    };
    let together = r#"
        "event":"lift","at":2000,"square":"f1"
        "event":"lift","at":2500,"square":"g1"
        "event":"place","at":3000,"square":"f1"
        "event":"place","at":3500,"square":"g1""#;
    assert_eq!(certainty(&stopped(together)), [Certainty::Possible]);
    let in_turn = r#"
        "event":"lift","at":2000,"square":"f1"
        "event":"place","at":2500,"square":"f1"
        "event":"lift","at":3000,"square":"g1"
        "event":"place","at":3500,"square":"g1""#;
    assert_eq!(certainty(&stopped(in_turn)), [Certainty::Certain]);
}
