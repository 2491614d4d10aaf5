//! Hands that leave the script: what they are said to have played is what stands on the board, and
//! every manner really occurs.

#![cfg(feature = "simulators")]

mod support;

use std::collections::BTreeMap;

use arbiter_core::irregularity::Code;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};
use board_driver::hand::games::{self, Game};
use board_driver::hand::{
    Act, Deed, Departure, Options, Performance, Style, Wish, perform_two, perform_with,
};
use support::{positions, replayed};

fn play(game: &Game, style: Style, seed: u64, clock: bool, departure: Departure) -> Performance {
    let ply = 1 + (seed * 7 % game.moves.len() as u64) as u32;
    let wishes = [(Wish::from(departure), ply)];
    let options = Options {
        clock,
        result: game.result,
        ..Options::default()
    };
    perform_with(&game.start, &game.moves, style, seed, &wishes, &options)
}

/// Games enough that every departure finds its place, those with rare moves among them.
fn sample() -> impl Iterator<Item = (u64, &'static Game)> {
    let all = games::all();
    let rare = all.len() - 60;
    (0..).zip(all[..60].iter().chain(&all[rare..]))
}

fn last(played: &Performance) -> Chess {
    let turn = played.turns.last().expect("a game has moves");
    let mut last = turn.position.clone();
    last.play_unchecked(turn.mv);
    last
}

/// A board without its kings: nobody puts them back after a sign.
fn without_kings(board: &Board) -> Board {
    let mut board = board.clone();
    for king in Color::ALL.map(|colour| board.king_of(colour)) {
        king.into_iter()
            .for_each(|square| board.discard_piece_at(square));
    }
    board
}

fn is_sign(departure: Departure) -> bool {
    matches!(
        departure,
        Departure::Sign | Departure::SignOneThere | Departure::SignLastMove
    )
}

fn is_turned(departure: Departure) -> bool {
    matches!(departure, Departure::HalfTurn | Departure::QuarterTurn)
}

#[test]
fn what_was_played_is_what_stands_on_the_board_and_nothing_is_in_the_air() {
    let mut done: BTreeMap<Departure, u32> = BTreeMap::new();
    for departure in Departure::ALL {
        for (seed, game) in sample() {
            for style in Style::ALL {
                let clock = seed % 2 == 0;
                let played = play(game, style, seed, clock, departure);
                let board = replayed(&played.start, &played.acts);
                let last = last(&played);
                let truth = &played.truth;
                assert_eq!(truth.moves.len(), played.turns.len());
                assert_eq!(truth.departures.len() + played.left_out.len(), 1);
                if truth.departures.is_empty() {
                    continue;
                }
                *done.entry(departure).or_default() += 1;
                if is_sign(departure) {
                    // What stood where the kings came is beside the board.
                    let bare = without_kings(&board);
                    let kept = |(square, piece)| last.board().piece_at(square) == Some(piece);
                    assert!(bare.into_iter().all(kept), "{departure} {seed}");
                } else if is_turned(departure) {
                    assert_eq!(board.occupied().count(), last.board().occupied().count());
                } else {
                    assert_eq!(&board, last.board(), "{departure}, game {seed}, {style:?}");
                }
            }
        }
    }
    let rarely = |departure| done.get(&departure).is_none_or(|times| *times < 20);
    let rare: Vec<Departure> = Departure::ALL.into_iter().filter(|d| rarely(*d)).collect();
    assert!(rare.is_empty(), "{rare:?} hardly ever occur: {done:?}");
}

#[test]
fn equal_seeds_give_equal_performances() {
    let game = games::pick(3);
    for departure in Departure::ALL {
        let run = |seed| {
            let played = play(game, Style::Human, seed, true, departure);
            (played.acts, played.truth)
        };
        assert_eq!(run(5), run(5));
        assert_ne!(run(5).0, run(6).0);
    }
}

/// Every departure that was made, with the game's own position and move where it was.
fn made(departure: Departure) -> impl Iterator<Item = (Performance, usize)> {
    sample().filter_map(move |(seed, game)| {
        let played = play(game, Style::Human, seed, true, departure);
        let ply = played.truth.departures.first()?.1 as usize;
        Some((played, ply))
    })
}

fn acts_of(played: &Performance, ply: usize) -> &[Act] {
    let end = played.turns.get(ply).map_or(played.acts.len(), |t| t.acts);
    &played.acts[played.turns[ply - 1].acts..end]
}

#[test]
fn an_illegal_move_that_stands_is_illegal_and_is_answered() {
    let mut roles = BTreeMap::new();
    for (played, ply) in made(Departure::PlayOn) {
        let turn = &played.turns[ply - 1];
        assert!(!turn.position.legal_moves().contains(&turn.mv));
        *roles.entry(turn.mv.role()).or_insert(0) += 1;
        let truth = &played.truth;
        let told: Vec<(Code, u32)> = truth.breaches.iter().map(|b| (b.code, b.ply)).collect();
        assert_eq!(told, [(Code::IllegalMove, ply as u32)]);
        assert_eq!(truth.breaches[0].by, turn.position.turn());
        assert!(truth.moves.len() > ply, "it is answered");
        for later in &played.turns[ply..] {
            assert!(later.position.legal_moves().contains(&later.mv));
            assert_ne!(later.mv.capture(), Some(Role::King));
        }
    }
    assert!(roles.len() >= 5, "{roles:?}");
}

#[test]
fn an_illegal_move_that_is_answered_leaves_no_trace_in_the_record() {
    for (played, ply) in made(Departure::IllegalAnswered) {
        let turn = &played.turns[ply - 1];
        assert!(turn.position.legal_moves().contains(&turn.mv));
        let by = turn.position.turn();
        let acts = acts_of(&played, ply);
        for colour in [by, !by] {
            let pressed = |act: &Act| matches!(act.deed, Deed::Press { by, .. } if by == colour);
            assert!(acts.iter().any(pressed), "{acts:?}");
        }
    }
}

/// For how long the square on which `mv` takes is empty.
fn emptied(acts: &[Act], square: Square, taken: Color) -> Option<u64> {
    let lifted = acts
        .iter()
        .find(|a| matches!(a.deed, Deed::LiftPiece(sq, p) if sq == square && p.color == taken))?;
    let placed = acts
        .iter()
        .find(|a| matches!(a.deed, Deed::PlacePiece(sq, p) if sq == square && p.color != taken))?;
    Some(placed.at.since(lifted.at))
}

#[test]
fn victims_go_at_once_or_are_held() {
    let of = |departure, fits: fn(u64) -> bool| {
        for (played, ply) in made(departure) {
            let turn = &played.turns[ply - 1];
            let taken = !turn.position.turn();
            let empty = emptied(acts_of(&played, ply), turn.mv.to(), taken).unwrap();
            assert!(fits(empty), "{departure}: {empty} ms");
        }
    };
    of(Departure::QuickCapture, |empty| empty < 120);
    of(Departure::HeldVictim, |empty| empty > 1_500);
    for (played, ply) in made(Departure::TuckedEnPassant) {
        let acts = acts_of(&played, ply);
        let landed = acts.iter().filter(|a| a.square().is_some()).rev();
        let last: Vec<&Act> = landed.take(2).collect();
        assert!(last[0].at.since(last[1].at) <= 80);
    }
}

#[test]
fn a_slipped_neighbour_is_pushed_and_not_gripped() {
    for departure in [Departure::SlipNeighbour, Departure::SlipAndRight] {
        for (played, ply) in made(departure) {
            let acts = acts_of(&played, ply);
            let pushed = acts.windows(2).any(|pair| {
                let (Deed::LiftPiece(from, a), Deed::PlacePiece(to, b)) =
                    (pair[0].deed, pair[1].deed)
                else {
                    return false;
                };
                a == b && from.distance(to) == 1 && pair[1].at.since(pair[0].at) <= 60
            });
            assert!(pushed, "{acts:?}");
            let breaches = usize::from(departure == Departure::SlipNeighbour);
            assert_eq!(played.truth.breaches.len(), breaches);
        }
    }
}

#[test]
fn a_move_that_goes_ahead_is_the_player_s_next_one_in_the_record() {
    for (played, ply) in made(Departure::MoveAhead) {
        let [first, reply, second] = [0, 1, 2].map(|later| &played.turns[ply - 1 + later]);
        let by = first.position.turn();
        let acts = &played.acts[first.acts..];
        let landed = |fits: &dyn Fn(Square, Piece) -> bool| {
            let there = |a: &&Act| matches!(a.deed, Deed::PlacePiece(sq, p) if fits(sq, p));
            acts.iter().find(there).unwrap().at
        };
        let ahead = landed(&|sq, piece| sq == second.mv.to() && piece.color == by);
        assert!(ahead < landed(&|_, piece| piece.color != by && reply.mv.role() == piece.role));
        let breach = &played.truth.breaches[0];
        assert_eq!(
            (breach.code, breach.ply),
            (Code::MovedOutOfTurn, ply as u32 + 1)
        );
        assert_eq!(breach.by, by);
    }
}

#[test]
fn the_start_is_wrong_where_it_is_said() {
    let array = Chess::default();
    for departure in [Departure::SetUpWrong, Departure::PawnOff] {
        let mut put_right = [0, 0];
        for (played, _) in made(departure) {
            let differs = |sq: &Square| played.start.piece_at(*sq) != array.board().piece_at(*sq);
            assert_eq!(Square::ALL.iter().filter(|sq| differs(sq)).count(), 2);
            let stands = played.turns[0].position.board() == &played.start;
            let truth = &played.truth;
            let (said, not) = if stands {
                (&truth.breaches, &truth.put_right)
            } else {
                (&truth.put_right, &truth.breaches)
            };
            assert_eq!(said[0].code, Code::PositionSetupWrong);
            assert_eq!(not, &[]);
            put_right[usize::from(stands)] += 1;
        }
        assert!(put_right.iter().all(|times| *times >= 10), "{put_right:?}");
    }
    for (played, _) in made(Departure::HalfTurn) {
        let king = Piece {
            color: Color::White,
            role: Role::King,
        };
        assert_eq!(played.start.piece_at(Square::D8), Some(king));
        assert_eq!(played.truth.breaches, []);
    }
    for (played, _) in made(Departure::QuarterTurn) {
        let king = played.start.king_of(Color::White).unwrap();
        assert!(
            [Square::A4, Square::A5, Square::H4, Square::H5].contains(&king),
            "{king}"
        );
    }
}

#[test]
fn kings_show_the_result_that_is_said_in_every_manner() {
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    for departure in [
        Departure::Sign,
        Departure::SignOneThere,
        Departure::SignLastMove,
    ] {
        let (mut black_first, mut left_alone, mut taken_off) = (0, 0, 0);
        for (played, ply) in made(departure) {
            assert_eq!(ply, played.truth.moves.len());
            let board = replayed(&played.start, &played.acts);
            let kings = Color::ALL.map(|c| board.king_of(c).unwrap());
            assert!(kings.iter().all(|sq| centre.contains(sq)));
            let result = match kings.map(Square::is_light) {
                [true, true] => GameResult::WhiteWins,
                [false, false] => GameResult::BlackWins,
                _ => GameResult::Draw,
            };
            assert_eq!(played.truth.result, result);
            let last = last(&played);
            let stayed = |c: Color| last.board().king_of(c) == board.king_of(c);
            left_alone += u32::from(Color::ALL.into_iter().any(stayed));
            taken_off += u32::from(board.occupied().count() < last.board().occupied().count());
            let placed = played.acts.iter().rev().find_map(|a| match a.deed {
                Deed::PlacePiece(_, piece) => Some(piece.color),
                _ => None,
            });
            black_first += u32::from(placed == Some(Color::White));
            if departure == Departure::SignLastMove {
                let mv = played.turns.last().unwrap().mv;
                assert!(mv.role() == Role::King && centre.contains(&mv.to()));
            }
        }
        assert!(black_first >= 5, "{departure}: {black_first}");
        assert!(taken_off >= 5, "{departure}: {taken_off}");
        if departure != Departure::Sign {
            assert!(left_alone >= 5, "{departure}: {left_alone}");
        }
    }
}

#[test]
fn two_games_are_played_on_one_board_with_its_pieces_set_up_again() {
    let games = games::sample(40);
    let mut from_the_board = 0;
    for (seed, pair) in (0..).zip(games.windows(2)) {
        for clock in [true, false] {
            let options = Options {
                clock,
                ..Options::default()
            };
            let played = perform_two(&pair[0], &pair[1], Style::Human, seed, &options);
            let next = played.truth.next.as_ref().unwrap();
            let plies = pair[0].moves.len();
            assert_eq!(
                (played.truth.moves.len(), next.moves.len()),
                (plies, pair[1].moves.len())
            );
            assert_eq!(played.truth.result, GameResult::Open);
            let ends = positions(&pair[1]).pop().unwrap();
            assert_eq!(last(&played).board(), ends.board());
            let begins = played.turns[plies].acts;
            let board = replayed(&played.start, &played.acts[..begins]);
            assert_eq!(&board, Chess::default().board());
            assert_eq!(
                &replayed(&played.start, &played.acts),
                last(&played).board()
            );
            let between = &played.acts[played.turns[plies - 1].acts..begins];
            from_the_board += u32::from(between.len() > 10);
        }
    }
    assert!(from_the_board > 60);
}

#[test]
fn blitz_leaves_40_to_250_ms_between_the_contacts_of_a_move() {
    let game = games::pick(5);
    let played = perform_with(
        &game.start,
        &game.moves,
        Style::Blitz,
        1,
        &[],
        &Options::default(),
    );
    let mut quick = 0;
    for pair in played.acts.windows(2) {
        let ms = pair[1].at.since(pair[0].at);
        quick += u32::from((40..=250).contains(&ms));
    }
    assert!(
        quick as usize * 2 > played.acts.len(),
        "{quick} of {}",
        played.acts.len()
    );
}
