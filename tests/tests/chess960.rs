//! Chess960: every array, both castlings, every order of lifting and placing; and real games by simulated hands.

use std::collections::BTreeSet;

use arbiter_core::input::{Event, Input, Setup, StartFen};
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::{Announcement, Irregularity, Ruling, Summary};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{
    Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role, Square,
};
use arbiter_core::{SensorClass, Time};
use tests::accuracy::rule;

const CLASSES: [SensorClass; 3] = [SensorClass::Piece, SensorClass::Colour, SensorClass::Occupancy];

/// Start array `number` with nothing in the way of a castling of `by` to `side`, `by` to move.
fn ready(number: u32, by: Color, side: CastlingSide) -> (Chess, Move) {
    let mut setup = arbiter_core::shakmaty::Setup::initial();
    setup.board = Board::chess960(number);
    setup.turn = by;
    setup.castling_rights = setup.board.rooks();
    let rank = by.fold_wb(arbiter_core::shakmaty::Rank::First, arbiter_core::shakmaty::Rank::Eighth);
    let king = setup.board.king_of(by).expect("a king");
    let rooks = setup.board.rooks() & setup.board.by_color(by);
    let beside = |sq: &Square| (*sq > king) == (side == CastlingSide::KingSide);
    let rook = rooks.into_iter().find(beside).expect("a rook on each side of the king");
    let at = |file| u32::from(Square::from_coords(file, rank));
    let way = [u32::from(king), u32::from(rook), at(side.king_to_file()), at(side.rook_to_file())];
    let (first, last) = (way.iter().min().unwrap(), way.iter().max().unwrap());
    for sq in (*first..=*last).map(Square::new).filter(|sq| *sq != king && *sq != rook) {
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
    let side = if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide };
    let legs = [(king, side.king_to(by), Role::King.of(by)), (rook, side.rook_to(by), Role::Rook.of(by))];
    let moving: Vec<_> = legs.into_iter().filter(|(from, to, _)| from != to).collect();
    let mut found = Vec::new();
    let mut open = vec![(position.board().clone(), Vec::new())];
    while let Some((board, done)) = open.pop() {
        if done.len() == moving.len() * 2 {
            found.push(done);
            continue;
        }
        for (from, to, piece) in &moving {
            let next = match (done.contains(&Grip::Lift(*from)), done.contains(&Grip::Place(*to, *piece))) {
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
    let setup = Setup { fen: Some(StartFen::Known(fen)), chess960: true, ..Setup::new(class) };
    let mut script = vec![Event { at: Time::ZERO, input: Input::Setup(setup) }];
    let mut now = Time(1_000);
    for grip in grips {
        now = now + pause;
        let input = match *grip {
            Grip::Lift(square) => Input::Lift { square },
            Grip::Place(square, piece) => Input::Place { square, seen: class.sees(Some(piece)) },
        };
        script.push(Event { at: now, input });
    }
    let press = Input::Press { by: position.turn(), white_ms: None, black_ms: None };
    script.push(Event { at: now + 250, input: press });
    script.push(Event { at: now + 20_000, input: Input::Tick });
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
    script.iter().map(|event| serde_json::to_string(event).expect("JSON") + "\n").collect()
}

/// What is wrong with the account of a castling: it is recorded; where king and rook have changed places on a board
/// that cannot tell, and only there, it is in doubt; and nobody is accused of more than a question about the rook.
fn wrong_with(position: &Chess, castling: Move, class: SensorClass, grips: &[Grip], pause: u64) -> Option<String> {
    let Move::Castle { king, rook } = castling else { return Some("no castling".to_owned()) };
    let script = script(position, class, grips, pause);
    let said = rule(&script);
    let summary = summary(&said);
    let played = castling.to_uci(CastlingMode::Chess960);
    let by = position.turn();
    let side = if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide };
    let exchange = side.king_to(by) == rook && side.rook_to(by) == king;
    let unseen = exchange && class != SensorClass::Piece;
    let in_doubt = if unseen { vec![1] } else { Vec::new() };
    let both_move = side.king_to(by) != king && side.rook_to(by) != rook;
    let rook_first = both_move && grips[0] == Grip::Lift(rook);
    let accused: Vec<(Code, Certainty)> = told(&said).map(|told| (told.code, told.certainty)).collect();
    let question = [(Code::CastlingRookFirst, Certainty::Possible)];
    // Where neither rook nor king could have done anything else, nothing was broken (4.5).
    let other = |m: &Move| !m.is_castle() && m.from().is_some_and(|from| from == king || from == rook);
    let fair = match rook_first && position.legal_moves().iter().any(other) {
        true => accused == question,
        false => accused.is_empty(),
    };
    let right = summary.moves == [played] && summary.doubts == in_doubt && fair;
    let report =
        format!("{played} on {class:?}: {:?} {:?} {accused:?}\n{}", summary.moves, summary.doubts, text(&script));
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
            let Move::Castle { king, rook } = castling else { unreachable!() };
            assert!(position.legal_moves().contains(&castling), "array {number}");
            let orders = orders(&position, king, rook);
            // Every order once for each pair of squares, one of them for each array.
            let first = seen.insert((king, rook));
            for (n, grips) in orders.iter().enumerate().filter(|(n, _)| first || *n == number as usize % orders.len()) {
                for class in CLASSES {
                    for pause in if first { vec![150, 400, 1_500] } else { vec![200 + 40 * n as u64] } {
                        castlings += 1;
                        complaints.extend(wrong_with(&position, castling, class, grips, pause));
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), 84, "a king on b to g and a rook on seven files, for each colour");
    assert!(castlings > 960 * 4 * 3, "{castlings}");
    assert!(complaints.is_empty(), "{} of {castlings}:\n{}", complaints.len(), complaints[0]);
}
