//! What is ordered of a whole game: it is annulled, begins elsewhere, or is declared drawn.

use crate::told::{Told, script};
use arbiter_core::ruling::{DoubtKind, Ruling};
use arbiter_core::view::FindingStatus;

/// Pieces are set up for a new game, all of them in the hand at once, the one before having been
/// annulled; that is taken back: whether the game has ended is asked, and nothing was played by
/// setting up.
#[test]
fn what_was_set_up_while_a_game_was_annulled_is_asked_about() {
    let back = r#""event":"arbiter","at":20000,"action":"take-back","order":"a""#;
    let told = script(&[SETUP, KNIGHTS, ANNUL, SET_UP, back]);
    assert_eq!(told.moves(), "g1f3 g8f6 b1c3");
    assert_eq!(told.findings(), []);
    let asked: Vec<_> = told.view().doubts.iter().map(|d| d.kind).collect();
    assert_eq!(asked, [DoubtKind::GameEnded]);
}

/// Three half-moves, and the game is annulled.
const KNIGHTS: &str = r#"
    "event":"lift","at":1000,"square":"g1"
    "event":"place","at":1400,"square":"f3"
    "event":"press","at":1800,"by":"white"
    "event":"lift","at":3000,"square":"g8"
    "event":"place","at":3400,"square":"f6"
    "event":"press","at":3800,"by":"black"
    "event":"lift","at":5000,"square":"b1"
    "event":"place","at":5400,"square":"c3"
    "event":"press","at":5800,"by":"white""#;
/// The pieces are set up again.
const SET_UP: &str = r#"
    "event":"lift","at":12000,"square":"f6"
    "event":"lift","at":12300,"square":"c3"
    "event":"lift","at":12600,"square":"f3"
    "event":"place","at":12900,"square":"g1"
    "event":"place","at":13200,"square":"g8"
    "event":"place","at":13500,"square":"b1""#;
const ANNUL: &str = r#""event":"arbiter","at":9000,"action":"annul","order":"a""#;
const RESULT: &str = r#""event":"arbiter","at":7000,"action":"result","result":"1-0","order":"r""#;
const SETUP: &str = r#""event":"setup","next_game":"asked","sensor":"occupancy""#;

/// A game that had its result before it was annulled has it again, whatever was done with the
/// pieces.
#[test]
fn what_was_over_is_over_when_its_annulment_is_taken_back() {
    let back = r#""event":"arbiter","at":20000,"action":"take-back","order":"a""#;
    let told = script(&[SETUP, KNIGHTS, RESULT, ANNUL, SET_UP, back]);
    assert_eq!(told.last(), ["result 1-0 Arbiter"]);
    assert_eq!(told.moves(), "g1f3 g8f6 b1c3");
    assert_eq!(told.view().doubts, []);
}

/// What might have been played is looked at on the board of a game that has a result, and the
/// result is taken back: nothing of that was played, and the position is asked for. Where the clock
/// was pressed, the players have played on.
#[test]
fn what_is_looked_at_after_a_result_was_not_played() {
    let reply = r#"
        "event":"lift","at":12000,"square":"b8"
        "event":"place","at":12400,"square":"c6""#;
    let looked_at = r#"
        "event":"lift","at":14000,"square":"e2"
        "event":"place","at":14400,"square":"e4"
        "event":"lift","at":16000,"square":"e7"
        "event":"place","at":16400,"square":"e5""#;
    let pressed = r#""event":"press","at":13000,"by":"black""#;
    let back = r#""event":"arbiter","at":20000,"action":"take-back","order":"r""#;
    let told = script(&[SETUP, KNIGHTS, RESULT, reply, looked_at, back]);
    assert_eq!(told.moves(), "g1f3 g8f6 b1c3");
    let asked: Vec<_> = told.view().doubts.iter().map(|d| d.kind).collect();
    assert_eq!(asked, [DoubtKind::ThreadLost]);
    let told = script(&[SETUP, KNIGHTS, RESULT, reply, pressed, looked_at, back]);
    assert_eq!(told.moves(), "g1f3 g8f6 b1c3 b8c6 e2e4 e7e5");
    assert_eq!(told.view().doubts, []);
}

/// Play went on beside an annulment that was taken back. What is done after that says nothing of
/// it, also where the game is heard again.
#[test]
fn play_beside_an_annulment_stays_the_games() {
    let played = r#"
        "event":"lift","at":12000,"square":"b8"
        "event":"place","at":12400,"square":"c6"
        "event":"press","at":12800,"by":"black"
        "event":"arbiter","at":14000,"action":"take-back","order":"a"
        "event":"lift","at":16000,"square":"a1"
        "event":"place","at":16400,"square":"a5"
        "event":"press","at":16800,"by":"white""#;
    let again = r#"
        "event":"arbiter","at":20000,"action":"result","result":"1-0","order":"r"
        "event":"arbiter","at":21000,"action":"take-back","order":"r""#;
    let told = script(&[SETUP, KNIGHTS, ANNUL, played, again]);
    assert_eq!(told.moves(), "g1f3 g8f6 b1c3 b8c6");
    assert_eq!(told.findings(), [(1, "illegal-move", FindingStatus::Open)]);
    assert_eq!(told.view().doubts, []);
}

/// The pieces are set up behind an illegal move that was pressed for, and the result is taken back:
/// that it was illegal stays found.
#[test]
fn an_illegal_move_behind_which_pieces_are_set_up_stays_found() {
    let illegal = r#"
        "event":"lift","at":7000,"square":"a8"
        "event":"place","at":7400,"square":"a5"
        "event":"press","at":7800,"by":"black"
        "event":"arbiter","at":9000,"action":"result","result":"1-0","order":"r"
        "event":"lift","at":11000,"square":"a5"
        "event":"place","at":11400,"square":"a8""#;
    let back = r#""event":"arbiter","at":30000,"action":"take-back","order":"r""#;
    let told = script(&[SETUP, KNIGHTS, illegal, SET_UP, back]);
    assert_eq!(told.moves(), "g1f3 g8f6 b1c3");
    assert_eq!(told.findings(), [(1, "illegal-move", FindingStatus::Open)]);
}

/// Who sets up the pieces, puts one of them beside its square and presses the clock on the way has
/// played nothing.
#[test]
fn who_sets_up_the_pieces_and_presses_is_accused_of_nothing() {
    let set_up = r#"
        "event":"lift","at":22000,"square":"f6"
        "event":"lift","at":22300,"square":"c3"
        "event":"lift","at":22600,"square":"f3"
        "event":"place","at":22900,"square":"g6"
        "event":"place","at":23200,"square":"g1"
        "event":"place","at":23500,"square":"b1"
        "event":"press","at":24000,"by":"black"
        "event":"tick","at":28000
        "event":"lift","at":29000,"square":"g6"
        "event":"place","at":29400,"square":"g8"
        "event":"tick","at":60000"#;
    let told = script(&[SETUP, KNIGHTS, set_up]);
    assert_eq!(told.moves(), "g1f3 g8f6 b1c3");
    let findings = told.findings().into_iter();
    let open = findings.filter(|(_, _, status)| *status == FindingStatus::Open);
    assert_eq!(open.count(), 0);
    let asked: Vec<_> = told.view().doubts.iter().map(|d| d.kind).collect();
    assert_eq!(asked, [DoubtKind::GameEnded]);
}

/// A position is set before anything was played: the record goes from there.
#[test]
fn a_position_that_is_set_before_the_first_move_is_where_the_record_begins() {
    let set = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    let position = format!(r#""event":"arbiter","at":500,"action":"set-position","fen":"{set}""#);
    for start in ["", r#","fen":"unknown""#] {
        let setup = format!(r#""event":"setup","sensor":"piece"{start}"#);
        let told = script(&[
            &setup,
            &position,
            r#""event":"lift","at":700,"square":"d1"
            "event":"lift","at":1000,"square":"e2"
            "event":"place","at":1400,"square":"e4","seen":"P"
            "event":"press","at":1800,"by":"white""#,
        ]);
        assert_eq!(told.moves(), "e2e4");
        assert_eq!(told.view().start_fen, set);
    }
}

/// A draw that kings on the centre squares show is agreed upon, and no power of the arbiter's; one
/// that nobody has shown is.
#[test]
fn a_draw_that_the_players_have_shown_is_declared_as_agreed() {
    let setup = r#""event":"setup","sensor":"piece","fen":"8/5p2/2k5/8/8/4K3/6P1/8 w - - 0 1""#;
    let kings = r#"
        "event":"lift","at":1000,"square":"e3"
        "event":"lift","at":1200,"square":"c6"
        "event":"place","at":1400,"square":"e4","seen":"K"
        "event":"place","at":1600,"square":"e5","seen":"k"
        "event":"tick","at":9000
    "#;
    let draw = r#""event":"arbiter","at":9500,"action":"result","result":"1/2-1/2""#;
    let article = |lines: &str| {
        let told = Told::new(lines);
        let last = told.said.last().expect("a line");
        last.iter().find_map(|said| match &said.ruling {
            Ruling::Result { article, .. } => Some(article.number.to_string()),
            _ => None,
        })
    };
    let shown = format!("{setup}\n{kings}\n{draw}");
    assert_eq!(article(&shown).as_deref(), Some("5.2.3"));
    assert_eq!(
        article(&format!("{setup}\n{draw}")).as_deref(),
        Some("12.9")
    );
}
