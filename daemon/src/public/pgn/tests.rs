//! Games as the public reads them, read again.

use super::*;
use crate::public::shown::{Clocks, Ply};

const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The array 0 of Chess960, in which castling is possible after two moves of knights.
const ARRAY: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";

fn game(start: &str, plies: &[(&str, Option<u64>, Option<u64>)]) -> Shown {
    let ply = |(san, clock_ms, used_ms): &(&str, Option<u64>, Option<u64>)| Ply {
        san: (*san).to_owned(),
        uci: String::new(),
        clock_ms: *clock_ms,
        used_ms: *used_ms,
    };
    Shown {
        of_event: 1,
        completed: 0,
        game: "2026-11-25-b01-1".to_owned(),
        round: Some(3),
        table: Some(12),
        event: "Open".to_owned(),
        site: "Genève".to_owned(),
        date: "2026.11.25".to_owned(),
        round_text: "3.12".to_owned(),
        paired: true,
        time_control: "5400+30".to_owned(),
        white: Person {
            name: "Berg, Anna".to_owned(),
            title: "WIM".to_owned(),
            rating: Some(2200),
            team: "Lakeside".to_owned(),
            ..Person::default()
        },
        black: Person::default(),
        chess960: start != USUAL,
        start_fen: start.to_owned(),
        plies: plies.iter().map(ply).collect(),
        sure: 0,
        fen: String::new(),
        clocks: Clocks {
            white_ms: None,
            black_ms: None,
            running: None,
            at: 0,
        },
        result: "*".to_owned(),
        over: false,
        with_arbiter: false,
        stopped: false,
        version: 1,
    }
}

#[test]
fn clocks_and_tags_stand_where_readers_look_for_them() {
    let text = render(&game(
        USUAL,
        &[
            ("e4", Some(5_395_000), Some(35_000)),
            ("e5", None, None),
            ("Nf3", Some(5_400_000), None),
        ],
    ));
    let wanted = "[Event \"Open\"]\n[Site \"Genève\"]\n[Date \"2026.11.25\"]\n[Round \"3.12\"]\n\
        [White \"Berg, Anna\"]\n[Black \"?\"]\n[Result \"*\"]\n[Board \"12\"]\n\
        [TimeControl \"5400+30\"]\n[WhiteTitle \"WIM\"]\n[WhiteElo \"2200\"]\n\
        [WhiteTeam \"Lakeside\"]\n[GameId \"3.12\"]\n\n\
        1. e4 {[%clk 1:29:55] [%emt 0:00:35]} 1... e5 2. Nf3 {[%clk 1:30:00]} *\n";
    assert_eq!(text, wanted);
    let read = crate::pgn::read(text.as_bytes()).expect("a PGN");
    assert_eq!(read.moves.len(), 3);
}

#[test]
fn chess960_is_said_with_its_array() {
    let shown = game(ARRAY, &[("O-O", None, None)]);
    assert_eq!(array(&shown), Some(0));
    assert_eq!(array(&game(USUAL, &[])), Some(518));
    let text = render(&shown);
    let tags = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{ARRAY}\"]\n");
    assert!(text.contains(&tags), "{text}");
}

#[test]
fn a_game_with_the_arbiter_says_so_and_nothing_else() {
    let mut shown = game(USUAL, &[("e4", None, None)]);
    shown.with_arbiter = true;
    let text = render(&shown);
    assert!(
        text.ends_with("\n1. e4 {the game is with the arbiter} *\n"),
        "{text}"
    );
}

#[test]
fn black_may_begin() {
    let mut shown = game("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7", &[("Kd7", None, None)]);
    shown.chess960 = false;
    shown.plies.push(Ply {
        san: "e4".to_owned(),
        ..shown.plies[0].clone()
    });
    assert!(render(&shown).ends_with("\n7... Kd7 8. e4 *\n"));
}

/// Nothing of it is public yet: it is called as it will be.
#[test]
fn a_game_that_is_to_come_has_its_start_and_its_name() {
    use crate::public::{Programme, Round, Seats};
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let mut seats = Seats {
        table: 4,
        white: Person::default(),
        black: Person::default(),
        result: "*".to_owned(),
        game: None,
        paired: true,
        start: Some(tournament::Start {
            fen: fen.to_owned(),
            chess960: true,
        }),
    };
    let round = Round {
        number: 3,
        date: None,
        live: true,
        late: crate::public::Late::default(),
        tables: vec![seats.clone()],
    };
    let render = |seats: &Seats| super::render(&Programme::default().unplayed(&round, seats));
    let text = render(&seats);
    for tag in [
        "[GameId \"3.4\"]",
        "[Variant \"Chess960\"]",
        "[SetUp \"1\"]",
        &format!("[FEN \"{fen}\"]"),
    ] {
        assert!(text.contains(tag), "{tag} in {text}");
    }
    (seats.paired, seats.start) = (false, None);
    let text = render(&seats);
    assert!(
        text.contains("[GameId \"3.4\"]") && !text.contains("FEN"),
        "{text}"
    );
}

#[test]
fn how_a_game_ended_that_nobody_has_played_is_said() {
    let said = |result: &str| {
        let mut shown = Shown::empty();
        shown.result = result.to_owned();
        render(&shown)
    };
    for (result, token, is_unplayed) in [
        ("+/-", "1-0", true),
        ("-/+", "0-1", true),
        ("-/-", "*", true),
        ("1-0", "1-0", false),
        ("0-0", "*", false),
        ("1/2-0", "*", false),
        ("*", "*", false),
    ] {
        let text = said(result);
        let unplayed = text.contains("[Termination \"unplayed\"]");
        assert_eq!(unplayed, is_unplayed, "{result}: {text}");
        assert!(text.contains(&format!("[Result \"{token}\"]")), "{text}");
        let comment = match token == "*" && result != "*" {
            true => format!("{{{result}}} "),
            false => String::new(),
        };
        assert!(text.ends_with(&format!("\n{comment}{token}\n")), "{text}");
    }
}
