//! Chess960: every array, both castlings, every order of lifting and placing; and real games by
//! simulated hands.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use arbiter_core::input::{Event, Input, Setup, StartFen};
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::{Announcement, GameResult, Irregularity, MoveState, Ruling, Summary};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{
    Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Move, Piece,
    Position, Role, Square,
};
use arbiter_core::{Arbiter, SensorClass, Time};
use board_driver::hand::{Style, games};
use daemon::pgn;
use tests::accuracy::{Cell, rule, run};
use tests::rig::python;

const CLASSES: [SensorClass; 3] = [
    SensorClass::Piece,
    SensorClass::Colour,
    SensorClass::Occupancy,
];

/// Start array `number` with nothing in the way of a castling of `by` to `side`, `by` to move.
fn ready(number: u32, by: Color, side: CastlingSide) -> (Chess, Move) {
    let mut setup = arbiter_core::shakmaty::Setup::initial();
    setup.board = Board::chess960(number);
    setup.turn = by;
    setup.castling_rights = setup.board.rooks();
    let rank = by.fold_wb(
        arbiter_core::shakmaty::Rank::First,
        arbiter_core::shakmaty::Rank::Eighth,
    );
    let king = setup.board.king_of(by).expect("a king");
    let rooks = setup.board.rooks() & setup.board.by_color(by);
    let beside = |sq: &Square| (*sq > king) == (side == CastlingSide::KingSide);
    let rook = rooks
        .into_iter()
        .find(beside)
        .expect("a rook on each side of the king");
    let at = |file| u32::from(Square::from_coords(file, rank));
    let way = [
        u32::from(king),
        u32::from(rook),
        at(side.king_to_file()),
        at(side.rook_to_file()),
    ];
    let (first, last) = (way.iter().min().unwrap(), way.iter().max().unwrap());
    for sq in (*first..=*last)
        .map(Square::new)
        .filter(|sq| *sq != king && *sq != rook)
    {
        setup.board.discard_piece_at(sq);
    }
    setup.castling_rights &= setup.board.rooks();
    let position = Chess::from_setup(setup, CastlingMode::Chess960).expect("a position");
    (position, Move::Castle { king, rook })
}

/// One grip: a square becomes empty, or a piece stands on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grip {
    Lift(Square),
    Place(Square, Piece),
}

/// Every order in which hands can carry out the castling. Wood cannot pass through wood.
fn orders(position: &Chess, king: Square, rook: Square) -> Vec<Vec<Grip>> {
    let by = position.turn();
    let side = if rook > king {
        CastlingSide::KingSide
    } else {
        CastlingSide::QueenSide
    };
    let legs = [
        (king, side.king_to(by), Role::King.of(by)),
        (rook, side.rook_to(by), Role::Rook.of(by)),
    ];
    let moving: Vec<_> = legs
        .into_iter()
        .filter(|(from, to, _)| from != to)
        .collect();
    let mut found = Vec::new();
    let mut open = vec![(position.board().clone(), Vec::new())];
    while let Some((board, done)) = open.pop() {
        if done.len() == moving.len() * 2 {
            found.push(done);
            continue;
        }
        for (from, to, piece) in &moving {
            let next = match (
                done.contains(&Grip::Lift(*from)),
                done.contains(&Grip::Place(*to, *piece)),
            ) {
                (false, _) => Grip::Lift(*from),
                (true, false) if board.piece_at(*to).is_none() => Grip::Place(*to, *piece),
                _ => continue,
            };
            let mut after = board.clone();
            match next {
                Grip::Lift(square) => after.discard_piece_at(square),
                Grip::Place(square, piece) => after.set_piece_at(square, piece),
            }
            open.push((after, [done.clone(), vec![next]].concat()));
        }
    }
    found
}

fn script(position: &Chess, class: SensorClass, grips: &[Grip], pause: u64) -> Vec<Event> {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let setup = Setup {
        fen: Some(StartFen::Known(fen.into())),
        chess960: true,
        ..Setup::new(class)
    };
    let mut script = vec![Event {
        at: Time::ZERO,
        input: Input::Setup(setup.into()),
    }];
    let mut now = Time(1_000);
    for grip in grips {
        now = now + pause;
        let input = match *grip {
            Grip::Lift(square) => Input::Lift { square },
            Grip::Place(square, piece) => Input::Place {
                square,
                seen: class.sees(Some(piece)),
            },
        };
        script.push(Event { at: now, input });
    }
    let press = Input::Press {
        by: position.turn(),
        white_ms: None,
        black_ms: None,
    };
    script.push(Event {
        at: now + 250,
        input: press,
    });
    script.push(Event {
        at: now + 20_000,
        input: Input::Tick,
    });
    script
}

fn summary(said: &[Announcement]) -> &Summary {
    match said.last().map(|said| &said.ruling) {
        Some(Ruling::Summary(summary)) => summary,
        _ => panic!("every game is summed up"),
    }
}

fn told(said: &[Announcement]) -> impl Iterator<Item = &Irregularity> {
    said.iter().filter_map(|said| match &said.ruling {
        Ruling::Irregularity(told) => Some(told),
        _ => None,
    })
}

fn text(script: &[Event]) -> String {
    script
        .iter()
        .map(|event| serde_json::to_string(event).expect("JSON") + "\n")
        .collect()
}

/// What is wrong with the account of a castling: it is recorded; where king and rook have changed
/// places on a board that cannot tell, and only there, it is in doubt; and nobody is accused of
/// more than a question about the rook.
fn wrong_with(
    position: &Chess,
    castling: Move,
    class: SensorClass,
    grips: &[Grip],
    pause: u64,
) -> Option<String> {
    let Move::Castle { king, rook } = castling else {
        return Some("no castling".to_owned());
    };
    let script = script(position, class, grips, pause);
    let said = rule(&script);
    let summary = summary(&said);
    let played = castling.to_uci(CastlingMode::Chess960);
    let by = position.turn();
    let side = if rook > king {
        CastlingSide::KingSide
    } else {
        CastlingSide::QueenSide
    };
    let exchange = side.king_to(by) == rook && side.rook_to(by) == king;
    let unseen = exchange && class != SensorClass::Piece;
    let in_doubt = if unseen { vec![1] } else { Vec::new() };
    let both_move = side.king_to(by) != king && side.rook_to(by) != rook;
    let rook_first = both_move && grips[0] == Grip::Lift(rook);
    let accused: Vec<(Code, Certainty)> = told(&said)
        .map(|told| (told.code, told.certainty))
        .collect();
    let question = [(Code::CastlingRookFirst, Certainty::Possible)];
    // Where neither rook nor king could have done anything else, nothing was broken (4.5).
    let other =
        |m: &Move| !m.is_castle() && m.from().is_some_and(|from| from == king || from == rook);
    let fair = match rook_first && position.legal_moves().iter().any(other) {
        true => accused == question,
        false => accused.is_empty(),
    };
    let right = summary.moves == [played] && summary.doubts == in_doubt && fair;
    let report = format!(
        "{played} on {class:?}: {:?} {:?} {accused:?}\n{}",
        summary.moves,
        summary.doubts,
        text(&script)
    );
    (!right).then_some(report)
}

#[test]
fn every_castling_from_every_array_in_every_order_is_recorded() {
    let mut complaints = Vec::new();
    let mut seen = BTreeSet::new();
    let mut castlings = 0;
    for number in 0..960 {
        for (by, side) in [
            (Color::White, CastlingSide::KingSide),
            (Color::White, CastlingSide::QueenSide),
            (Color::Black, CastlingSide::KingSide),
            (Color::Black, CastlingSide::QueenSide),
        ] {
            let (position, castling) = ready(number, by, side);
            let Move::Castle { king, rook } = castling else {
                unreachable!()
            };
            assert!(position.legal_moves().contains(&castling), "array {number}");
            let orders = orders(&position, king, rook);
            // Every order once for each pair of squares, one of them for each array.
            let first = seen.insert((king, rook));
            for (n, grips) in orders
                .iter()
                .enumerate()
                .filter(|(n, _)| first || *n == number as usize % orders.len())
            {
                for class in CLASSES {
                    for pause in if first {
                        vec![150, 400, 1_500]
                    } else {
                        vec![200 + 40 * n as u64]
                    } {
                        castlings += 1;
                        complaints.extend(wrong_with(&position, castling, class, grips, pause));
                    }
                }
            }
        }
    }
    assert_eq!(
        seen.len(),
        84,
        "a king on b to g and a rook on seven files, for each colour"
    );
    assert!(castlings > 960 * 4 * 3, "{castlings}");
    assert!(
        complaints.is_empty(),
        "{} of {castlings}:\n{}",
        complaints.len(),
        complaints[0]
    );
}

/// What is wrong with the record of a real game. A promotion may be in doubt; nothing else may be
/// wrong or certain.
fn wrong_with_game(number: usize, cell: Cell) -> Vec<String> {
    let game = &games::chess960()[number];
    let outcome = run(game, cell, number as u64 + 1, &[]);
    let Some(summary) = outcome.summary() else {
        return vec![format!("game {number}: no summary")];
    };
    let truth = &outcome.played.truth.moves;
    let text = |uci: Option<&UciMove>| uci.map(UciMove::to_string).unwrap_or_default();
    let is_right = |n: &usize| {
        let promotes = matches!(
            truth.get(*n),
            Some(UciMove::Normal {
                promotion: Some(_),
                ..
            })
        );
        truth.get(*n) == summary.moves.get(*n)
            || (promotes && summary.doubts.contains(&(*n as u32 + 1)))
    };
    let plies = 0..truth.len().max(summary.moves.len());
    let wrong = plies.filter(|n| !is_right(n)).map(|n| {
        format!(
            "ply {}: {} is recorded as {}",
            n + 1,
            text(truth.get(n)),
            text(summary.moves.get(n))
        )
    });
    let certain = outcome
        .findings()
        .into_iter()
        .filter(|(.., certainty, _)| *certainty == Certainty::Certain);
    let accused = certain.map(|(code, ply, ..)| format!("{code} at ply {ply} is called certain"));
    wrong
        .chain(accused)
        .map(|what| format!("game {number}, seed {}, {cell:?}: {what}", number + 1))
        .collect()
}

/// Every carried game in every one of `cells`, on two cores.
fn complaints(cells: &[Cell]) -> Vec<String> {
    let all: Vec<(usize, Cell)> = (0..games::chess960().len())
        .flat_map(|number| cells.iter().map(move |cell| (number, *cell)))
        .collect();
    let judge = |part: &[(usize, Cell)]| {
        part.iter()
            .flat_map(|(n, cell)| wrong_with_game(*n, *cell))
            .collect::<Vec<_>>()
    };
    let (one, other) = all.split_at(all.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| judge(other));
        let mut complaints = judge(one);
        complaints.extend(other.join().expect("a judge"));
        complaints
    })
}

fn cells(sensors: &[SensorClass], styles: &[Style]) -> Vec<Cell> {
    let pairs = sensors
        .iter()
        .flat_map(|sensor| styles.iter().map(move |style| (*sensor, *style)));
    pairs
        .map(|(sensor, style)| Cell {
            sensor,
            style,
            noise: 1,
            clock: true,
        })
        .collect()
}

#[test]
fn real_games_are_recorded_as_they_were_played() {
    let mut cells_of_all = cells(&CLASSES, &[Style::Tidy, Style::Human]);
    cells_of_all.extend(cells(
        &[SensorClass::Piece, SensorClass::Colour],
        &[Style::Hurried],
    ));
    let complaints = complaints(&cells_of_all);
    assert!(
        complaints.is_empty(),
        "{}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

#[test]
fn on_occupancy_in_a_hurry_no_castling_is_recorded_wrong() {
    // Which of two pieces was taken is not always told there; how king and rook went is.
    let complaints = complaints(&cells(&[SensorClass::Occupancy], &[Style::Hurried]));
    let number = |what: &str, after: &str| -> Option<usize> {
        let digits = what.split_once(after)?.1;
        digits[..digits.find(|c: char| !c.is_ascii_digit())?]
            .parse()
            .ok()
    };
    for what in &complaints {
        let (game, ply) = (
            number(what, "game ").expect(what),
            number(what, "ply ").expect(what),
        );
        assert!(
            !games::chess960()[game].moves[ply - 1].is_castle(),
            "{what}"
        );
    }
    let games: BTreeSet<&str> = complaints
        .iter()
        .filter_map(|what| what.split(',').next())
        .collect();
    assert!(
        games.len() * 60 <= games::chess960().len(),
        "{}:\n{}",
        games.len(),
        complaints.join("\n")
    );
}

/// Positions with their legal moves and castlings in SAN, and games with what the arbiter said of
/// each ply and their PGN.
fn for_python() -> String {
    let mut lines = String::new();
    for number in 0..960 {
        let side = [CastlingSide::KingSide, CastlingSide::QueenSide][number as usize % 2];
        let (position, castling) = ready(
            number,
            [Color::White, Color::Black][number as usize / 2 % 2],
            side,
        );
        let uci = |m: &Move| m.to_uci(CastlingMode::Chess960).to_string();
        let legal: Vec<String> = position.legal_moves().iter().map(uci).collect();
        let grips = orders(&position, castling.from().unwrap(), castling.to()).remove(0);
        let said = rule(&script(&position, SensorClass::Piece, &grips, 400));
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        lines += &(serde_json::json!({ "fen": fen, "legal": legal, "plies": plies(&said) })
            .to_string()
            + "\n");
    }
    for (number, game) in games::chess960().iter().enumerate() {
        let cell = Cell {
            sensor: SensorClass::Piece,
            style: Style::Tidy,
            noise: 0,
            clock: true,
        };
        let script = run(game, cell, number as u64 + 1, &[]).script;
        let mut arbiter = Arbiter::new();
        let mut said = Vec::new();
        script
            .iter()
            .for_each(|event| arbiter.handle(event, &mut said));
        arbiter.finish(&mut said);
        let tags = pgn::Tags {
            chess960: true,
            ..pgn::Tags::default()
        };
        let pgn = pgn::render(&tags, &arbiter.view().expect("a game"));
        let again = pgn::read(pgn.as_bytes()).expect("a PGN");
        assert_eq!(
            (&again.start, &again.moves, again.result),
            (&game.start, &game.moves, result(&said)),
            "game {number}"
        );
        let fen = Fen::from_position(&game.start, EnPassantMode::Legal).to_string();
        lines += &(serde_json::json!({ "fen": fen, "plies": plies(&said), "pgn": pgn })
            .to_string()
            + "\n");
    }
    lines
}

fn result(said: &[Announcement]) -> GameResult {
    summary(said).result
}

/// UCI, SAN and FEN of every completed ply.
fn plies(said: &[Announcement]) -> Vec<[String; 3]> {
    let completed = said.iter().filter_map(|said| match &said.ruling {
        Ruling::Move {
            uci,
            san,
            fen,
            state: MoveState::Completed,
            ..
        } => Some([uci.to_string(), san.clone(), fen.clone()]),
        _ => None,
    });
    completed.collect()
}

#[test]
fn python_chess_agrees() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/pgn/chess960.py");
    let mut reader = Command::new(python())
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python");
    let mut input = reader.stdin.take().expect("a pipe");
    let lines = for_python();
    let count = lines.lines().count();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = reader.wait_with_output().expect("python");
    writer
        .join()
        .expect("a writer")
        .expect("everything is read");
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{count} read\n")
    );
}
