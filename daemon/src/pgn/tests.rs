//! Golden games, and every game read back by another PGN reader.

use arbiter_core::input::Event;
use arbiter_core::irregularity::{Article, Certainty, Code, Party};
use arbiter_core::orientation::Orientation;
use arbiter_core::ruling::{Doubt, DoubtKind, GameResult, Irregularity, ResultReason};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::san::SanPlus;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{CastlingMode, Chess, Color, EnPassantMode};
use arbiter_core::view::{Finding, FindingStatus, Phase, PlyRecord, ResultView, View};
use arbiter_core::{Reading, SensorClass, Time};

use tournament::Typed;

use super::{Tags, legal, movetext, read, render, retagged};

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game from `start` in which `moves` were played.
fn game(start: &str, moves: &[&str]) -> View {
    let fen: Fen = start.parse().unwrap();
    let mode = CastlingMode::detect(fen.as_setup());
    let mut position: Chess = fen.into_position(mode).unwrap();
    let mut view = empty(start);
    for uci in moves {
        let uci: UciMove = uci.parse().unwrap();
        let m = uci.to_move(&position).unwrap();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        view.plies.push(ply(uci, &san, &fen));
        view.fen = fen;
    }
    view
}

fn ply(uci: UciMove, san: &str, fen: &str) -> PlyRecord {
    let (san, fen) = (san.to_owned(), fen.to_owned());
    PlyRecord {
        uci,
        san: san.parse().expect("a short text"),
        fen: fen.into(),
        at: Time(0),
        completed: true,
        clock_ms: None,
        doubtful: false,
        serial: 0,
    }
}

fn empty(start: &str) -> View {
    View {
        game: "g1".to_owned(),
        state: Phase::Rest,
        fen: start.to_owned(),
        start_fen: start.to_owned(),
        plies: Vec::new(),
        turn: Color::White,
        sensor: SensorClass::Piece,
        turned: Orientation::default(),
        reading: Reading::EMPTY,
        differs: Vec::new(),
        obligation: None,
        findings: Vec::new(),
        laws: Default::default(),
        class: Default::default(),
        supervised: true,
        offences: Default::default(),
        doubts: Vec::new(),
        orders: Vec::new(),
        restore: None,
        result: None,
        result_text: None,
        held_back: None,
        white_ms: None,
        black_ms: None,
        running: None,
    }
}

fn finding(ply: u32, status: FindingStatus) -> Finding {
    let irregularity = Irregularity {
        id: 1,
        code: Code::TouchMoveOwnPiece,
        reason: None,
        article: Article::new("4.3.1"),
        by: Party::White,
        ply,
        certainty: Certainty::Certain,
        squares: Vec::new(),
        claim: None,
        required: None,
        penalty: None,
        evidence: Vec::<Event>::new(),
        text: String::new(),
        told: 0,
    };
    Finding {
        at: Time(0),
        irregularity,
        status,
        undone: None,
    }
}

fn ended(result: GameResult, reason: ResultReason, proposed: bool) -> Option<ResultView> {
    Some(ResultView {
        result,
        proposed,
        reason,
    })
}

/// Reads the PGN back; every move must be legal and the result the one in the tags. Gives the
/// number of plies.
fn plies_read(pgn: &str) -> usize {
    let game = read(pgn.as_bytes()).unwrap();
    assert!(
        pgn.contains(&format!("[Result \"{}\"]", game.result)),
        "{pgn}"
    );
    game.moves.len()
}

#[test]
fn a_plain_game() {
    let mut view = game(INITIAL, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    view.result = ended(GameResult::BlackWins, ResultReason::Checkmate, false);
    for (ply, ms) in view.plies.iter_mut().zip([5_400_000, 5_399_001, 65_999, 0]) {
        ply.clock_ms = Some(ms);
    }
    let tags = Tags {
        event: "Club \"Open\" \\ A".to_owned(),
        date: "2026.11.21".to_owned(),
        white: "Vidmar, Milan".to_owned(),
        further: vec![
            ("Board".to_owned(), "3".to_owned()),
            ("White".to_owned(), "twice".to_owned()),
        ],
        ..Tags::default()
    };
    let pgn = render(&tags, &view);
    let golden = r#"[Event "Club \"Open\" \\ A"]
[Site "?"]
[Date "2026.11.21"]
[Round "?"]
[White "Vidmar, Milan"]
[Black "?"]
[Result "0-1"]
[GameId "g1"]
[Board "3"]

1. f3 {[%clk 1:30:00]} 1... e5 {[%clk 1:29:59]} 2. g4 {[%clk 0:01:05]} 2...
Qh4# {[%clk 0:00:00]} 0-1
"#;
    assert_eq!(pgn, golden);
    assert_eq!(plies_read(&pgn), 4);
}

/// What a game was told with when it ended stays; what its event says of its players is as it is
/// now.
#[test]
fn other_tags_are_as_if_it_was_written_with_them() {
    let view = game(INITIAL, &["f2f3", "e7e5"]);
    let of = |white: &str, further: &[(&str, &str)]| Tags {
        event: "Open".to_owned(),
        round: "1.3".to_owned(),
        white: white.to_owned(),
        further: further
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Tags::default()
    };
    let board = ("Board", "3");
    let before = of(
        "Berg \"A\"",
        &[board, ("WhiteTitle", "WIM"), ("WhiteElo", "2241")],
    );
    let after = of(
        "Berg-Lie",
        &[board, ("WhiteElo", "2333"), ("TimeControl", "3600+10")],
    );
    let told = render(&before, &view);
    assert_eq!(retagged(&told, &before), told);
    assert_eq!(retagged(&told, &after), render(&after, &view));
}

#[test]
fn findings_and_doubts_stand_after_their_ply() {
    let mut view = game(INITIAL, &["e2e4", "d7d5", "e4d5"]);
    view.findings = vec![
        finding(1, FindingStatus::Upheld),
        finding(2, FindingStatus::Open),
    ];
    let readings = vec![vec!["e4d5".parse().unwrap()], vec!["e4f5".parse().unwrap()]];
    let text = String::new();
    view.doubts = vec![Doubt {
        ply: 3,
        kind: DoubtKind::AmbiguousMove,
        squares: Vec::new(),
        readings,
        text,
    }];
    let pgn = render(&Tags::default(), &view);
    let moves = pgn.split("\n\n").nth(1).unwrap();
    let golden = "1. e4 {touch-move-own-piece by White (Article 4.3.1), upheld} 1... d5 2. exd5\n\
                  {doubt: e4d5 or e4f5} *\n";
    assert_eq!(moves, golden);
    assert_eq!(plies_read(&pgn), 3);
}

#[test]
fn a_game_from_a_position_says_so_and_starts_with_its_number() {
    let start = "4k3/8/8/8/6n1/8/8/R3K3 b Q - 3 40";
    let pgn = render(&Tags::default(), &game(start, &["g4e5", "e1c1"]));
    assert!(
        pgn.contains(&format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n")),
        "{pgn}"
    );
    assert!(pgn.ends_with("\n40... Ne5 41. O-O-O *\n"), "{pgn}");
    assert_eq!(plies_read(&pgn), 2);
}

#[test]
fn chess960_names_its_variant() {
    let start = "bnrbkrnq/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRNQ w KQkq - 0 1";
    let view = game(start, &["g1f3", "g8f6", "e1f1"]);
    let pgn = render(
        &Tags {
            chess960: true,
            ..Tags::default()
        },
        &view,
    );
    assert!(
        pgn.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n"),
        "{pgn}"
    );
    assert!(pgn.contains("2. O-O *"), "{pgn}");
    assert_eq!(plies_read(&pgn), 3);
}

#[test]
fn a_standing_illegal_move_ends_the_moves() {
    let mut view = game(INITIAL, &["e2e4"]);
    let fens = [
        "rnbqkbnr/1ppppppp/8/8/p3P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/1ppppppp/8/8/p2PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2",
    ];
    view.plies
        .push(ply("a7a4".parse().unwrap(), "a7a4", fens[0]));
    view.plies.push(ply("d2d4".parse().unwrap(), "d4", fens[1]));
    view.fen = fens[1].to_owned();
    view.findings = vec![finding(3, FindingStatus::Upheld)];
    let pgn = render(&Tags::default(), &view);
    assert_eq!(plies_read(&pgn), 1);
    let moves = pgn.split("\n\n").nth(1).unwrap();
    let golden = "1. e4 {an illegal move was made here and stands: 1... a7a4 2. d4; position:\n\
                  rnbqkbnr/1ppppppp/8/8/p2PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2}\n\
                  {touch-move-own-piece by White (Article 4.3.1), upheld} *\n";
    assert_eq!(moves, golden);
}

#[test]
fn a_position_set_in_mid_game_ends_the_moves() {
    // Both moves are legal where they were played, but White's queen was taken off between them.
    let mut view = game(INITIAL, &["e2e4", "e7e5"]);
    view.plies[1].fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 2".into();
    let pgn = render(&Tags::default(), &view);
    assert_eq!(plies_read(&pgn), 1);
    assert!(
        pgn.contains("{pieces stand otherwise from here on; played from there: 1... e5;"),
        "{pgn}"
    );
}

#[test]
fn what_was_played_from_a_position_that_was_set_is_told_with_it() {
    let mut view = game(INITIAL, &["e2e4", "e7e5"]);
    let set = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 2";
    let after = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNB1KBNR b KQkq - 0 2";
    view.plies.push(ply("d2d4".parse().unwrap(), "d4", after));
    view.fen = after.to_owned();
    view.plies[2].at = Time(90_000);
    let order = format!(
        r#"{{"at":60000,"event":"arbiter","action":"set-position","fen":"{set}","order":"o"}}"#
    );
    view.orders = vec![serde_json::from_str(&order).unwrap()];
    let pgn = render(&Tags::default(), &view);
    assert_eq!(plies_read(&pgn), 2);
    let pgn = pgn.replace('\n', " ");
    let told = format!(
        "1. e4 e5 {{the arbiter has set up another position: {set}; played from it: 2. d4; \
         position: {after}}}"
    );
    assert!(pgn.contains(&told), "{pgn}");
}

#[test]
fn a_position_set_after_the_last_move_is_said() {
    let mut view = game(INITIAL, &["e2e4", "e7e5"]);
    let last = view.fen.clone();
    assert!(!legal(false, &view, None).1);
    view.fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 2".to_owned();
    assert_ne!(view.fen, last);
    let (list, stands) = legal(false, &view, None);
    assert_eq!((list.len(), stands), (2, true));
    let pgn = render(&Tags::default(), &view);
    assert_eq!(plies_read(&pgn), 2);
    let pgn = pgn.replace('\n', " ");
    assert!(
        pgn.contains("1. e4 e5 {the arbiter has set up another position: rnbqkbnr/"),
        "{pgn}"
    );
}

#[test]
fn an_unknown_start_holds_no_moves() {
    let mut view = empty("unknown");
    view.fen = String::new();
    let pgn = render(&Tags::default(), &view);
    assert!(!pgn.contains("FEN"), "{pgn}");
    assert_eq!(plies_read(&pgn), 0);
}

#[test]
fn a_proposed_result_counts_only_when_the_players_gave_it() {
    let mut view = game(INITIAL, &["e2e4"]);
    view.result = ended(
        GameResult::BlackWins,
        ResultReason::ForfeitIllegalMoves,
        true,
    );
    let pgn = render(&Tags::default(), &view);
    assert!(
        pgn.contains("[Result \"*\"]")
            && pgn.contains("{result 0-1 proposed, waits for the arbiter} *"),
        "{pgn}"
    );
    view.result = ended(GameResult::BlackWins, ResultReason::KingsPlaced, true);
    let pgn = render(&Tags::default(), &view);
    assert!(
        pgn.contains("[Result \"0-1\"]") && pgn.ends_with("} 0-1\n"),
        "{pgn}"
    );
}

#[test]
fn a_game_whose_result_a_person_has_said_is_not_unterminated() {
    let view = game(INITIAL, &["e2e4"]);
    let mut tags = Tags {
        round: "1.3".to_owned(),
        further: vec![("Board".to_owned(), "3".to_owned())],
        ..Tags::default()
    };
    let how = |tags: &Tags, how: &str| {
        let pgn = render(tags, &view);
        assert!(pgn.contains(&format!("[Termination \"{how}\"]")), "{pgn}");
    };
    how(&tags, "unterminated");
    tags.result = Some("*");
    how(&tags, "unterminated");
    tags.result = Some("1/2-1/2");
    how(&tags, "normal");
}

/// A second illegal move proposes a loss, and nobody has declared it.
#[test]
fn what_is_only_proposed_has_terminated_nothing() {
    let mut view = game(INITIAL, &["e2e4"]);
    let tags = Tags {
        round: "1.3".to_owned(),
        further: vec![("Board".to_owned(), "3".to_owned())],
        ..Tags::default()
    };
    let reason = ResultReason::ForfeitIllegalMoves;
    for (proposed, how) in [(true, "unterminated"), (false, "rules infraction")] {
        view.result = ended(GameResult::BlackWins, reason, proposed);
        let pgn = render(&tags, &view);
        assert!(pgn.contains(&format!("[Termination \"{how}\"]")), "{pgn}");
    }
    // Another result than that was not brought about by it.
    let tags = Tags {
        result: Some("1/2-1/2"),
        ..tags
    };
    let pgn = render(&tags, &view);
    assert!(pgn.contains("[Termination \"normal\"]"), "{pgn}");
}

#[test]
fn no_line_reaches_80_columns_and_no_clock_is_broken() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut view = game(INITIAL, &shuffle.repeat(40));
    for (n, ply) in view.plies.iter_mut().enumerate() {
        ply.clock_ms = (n % 3 != 0).then_some(n as u64 * 40_000);
    }
    let pgn = render(&Tags::default(), &view);
    assert_eq!(pgn.lines().find(|line| line.len() >= 80), None);
    assert_eq!(
        pgn.lines()
            .map(|line| line.matches("[%clk ").count())
            .sum::<usize>(),
        106
    );
    assert_eq!(plies_read(&pgn), 160);
}

#[test]
fn games_that_cannot_be_played() {
    let wrong = |pgn: &str| read(pgn.as_bytes()).unwrap_err().to_string();
    assert_eq!(wrong(""), "holds no game in PGN");
    assert_eq!(wrong("1. e4 e5 2. Nf6 *"), "move 2. Nf6 is not legal");
    assert_eq!(
        wrong("1. e4 {a comment} e5 2. Nf3 Nf3 *"),
        "move 2... Nf3 is not legal"
    );
    assert_eq!(
        wrong("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*"),
        "the tag FEN holds no position to play from: 8/8/8/8/8/8/8/8 w - - 0 1: illegal position: \
         empty board, \
         missing king"
    );
}

#[test]
fn a_game_is_read_without_its_variations() {
    let game =
        read("[Result \"1-0\"]\n\n1. e4 (1. d4 d5) e5 $1 {good} 2. Nf3 1-0\n\n1. c4 *".as_bytes())
            .unwrap();
    assert_eq!((game.moves.len(), game.result), (3, GameResult::WhiteWins));
}

/// Scoresheets, and some programs, write where a piece came from.
#[test]
fn moves_with_both_of_their_squares() {
    let fen: Fen = "r3k3/6P1/8/3pP3/8/8/8/R3K1N1 w Qq d6 0 1"
        .parse()
        .expect("a FEN");
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .expect("a position");
    for (typed, san) in [
        ("Ng1-f3", Some("Nf3")),
        ("Ng1f3", Some("Nf3")),
        ("g1-f3", Some("Nf3")),
        ("e5-e6", Some("e6")),
        ("e5xd6", Some("exd6")),
        ("e5:d6", Some("exd6")),
        ("g7-g8=Q+", Some("g8=Q+")),
        ("g7-g8N", Some("g8=N")),
        ("Ra1xa8+", Some("Rxa8+")),
        ("Ra1-a8", Some("Rxa8+")),
        ("e1-g1", None),
        ("O-O-O", Some("O-O-O")),
        ("e1-c1", Some("O-O-O")),
        ("Bg1-f3", None),
        ("Ng1xf3", None),
        ("e5-e7", None),
        ("e7-e5", None),
        ("-", None),
        ("", None),
    ] {
        let read = movetext::read(&position, typed).map(|(san, _)| san.to_string());
        assert_eq!(read.as_deref(), san, "{typed}");
    }
}

/// A board that failed comes back, and sees on from what was typed meanwhile: its record is the
/// game's. Where it has seen something else, or less, what was typed stands.
#[test]
fn what_was_typed_and_seen_alike_is_one_record() {
    let view = game(INITIAL, &["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"]);
    let told = |after, moves: &[&str]| {
        let moves = moves.iter().map(|san| (*san).to_owned()).collect();
        let typed = Typed {
            after,
            moves,
            instead: false,
        };
        let (list, stands) = legal(false, &view, Some(&typed));
        let tags = Tags {
            typed: Some(typed),
            ..Tags::default()
        };
        let sans: Vec<String> = list.into_iter().map(|ply| ply.san).collect();
        assert!(!stands);
        (sans.join(" "), render(&tags, &view))
    };
    let whole = "e4 e5 Nf3 Nc6 Bc4 Nf6";
    let (sans, page) = told(3, &["Nc6", "Bc4"]);
    assert_eq!(sans, whole);
    assert!(
        page.contains("3. Bc4 Nf6 {typed as well: half-moves 4 to 5} *"),
        "{page}"
    );
    for (moves, sans) in [
        (&["Nc6", "Bb5"][..], "e4 e5 Nf3 Nc6 Bb5"),
        (&["Nc6", "Bc4", "Nf6", "d3"], "e4 e5 Nf3 Nc6 Bc4 Nf6 d3"),
        (&[], "e4 e5 Nf3"),
    ] {
        let (told, page) = told(3, moves);
        assert_eq!(told, sans);
        assert!(page.contains("the board saw here"), "{page}");
    }
}
