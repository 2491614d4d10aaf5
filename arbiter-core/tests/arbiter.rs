//! The arbiter as its callers meet it: odd times, odd orders, hostile input, and games that must be
//! recorded exactly.

mod common;

use arbiter_core::input::{ArbiterAction, Input, NextGame, Setup, StartFen};
use arbiter_core::irregularity::Certainty;
use arbiter_core::ruling::{Announcement, GameResult, MoveState, ResultReason, Ruling};
use arbiter_core::shakmaty::{Board, Chess, Color, Position, Role, Square};
use arbiter_core::view::{FindingStatus, Phase};
use arbiter_core::{Arbiter, SensorClass, Symbol};
use common::{Hands, at, press, recorded, rulings};

fn lift(square: Square) -> Input {
    Input::Lift { square }
}

fn place(square: Square) -> Input {
    Input::Place {
        square,
        seen: Symbol::Something,
    }
}

fn occupancy() -> Input {
    Input::Setup(Setup::new(SensorClass::Occupancy).into())
}

fn order(action: ArbiterAction) -> Input {
    Input::Arbiter(action)
}

/// Hands at a game from the initial position on a board that sees pieces.
fn hands() -> Hands {
    Hands::new(Setup::new(SensorClass::Piece), Chess::default())
}

/// Plays moves given in UCI.
fn play(hands: &mut Hands, moves: &[&str]) {
    for uci in moves {
        let uci: arbiter_core::shakmaty::uci::UciMove = uci.parse().unwrap();
        let m = uci.to_move(hands.position()).unwrap();
        hands.play(m);
    }
}

/// An arbiter that has taken all that `hands` did.
fn followed(hands: &Hands) -> (Arbiter, Vec<Announcement>) {
    let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
    hands
        .events
        .iter()
        .for_each(|e| arbiter.handle(e, &mut said));
    (arbiter, said)
}

fn fen(text: &str) -> StartFen {
    StartFen::parse(text).unwrap()
}

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

#[test]
fn before_a_setup_nothing_is_said() {
    let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
    let inputs = [
        lift(Square::E2),
        press(Color::White),
        order(ArbiterAction::LetStand),
        Input::Tick,
    ];
    inputs
        .into_iter()
        .enumerate()
        .for_each(|(n, input)| arbiter.handle(&at(n as u64 * 5_000, input), &mut said));
    arbiter.finish(&mut said);
    assert!(said.is_empty() && arbiter.view().is_none() && arbiter.next_wake().is_none());
}

#[test]
fn a_press_before_anything_else_starts_the_other_clock() {
    let said = rulings(&[at(0, occupancy()), at(1_000, press(Color::Black))]);
    assert_eq!(said.len(), 1, "only the summary: {said:?}");
}

#[test]
fn a_time_that_goes_backwards_counts_as_now() {
    let times = [1_000, 1_500, 900, 2_000, 100, 2_500];
    let inputs = [
        lift(Square::E2),
        place(Square::E4),
        press(Color::White),
        lift(Square::E7),
        place(Square::E5),
        press(Color::Black),
    ];
    let events = |clamped: bool| {
        let mut latest = 0;
        let mut list = vec![at(0, occupancy())];
        for (time, input) in times.into_iter().zip(inputs.clone()) {
            latest = latest.max(time);
            list.push(at(if clamped { latest } else { time }, input));
        }
        list
    };
    let said = rulings(&events(false));
    assert_eq!(said, rulings(&events(true)));
    assert_eq!(recorded(&said), ["e2e4", "e7e5"]);
    assert!(said.is_sorted_by_key(|a| a.at));
}

#[test]
fn an_unknown_position_is_never_judged_until_one_is_set() {
    let mut setup = Setup::new(SensorClass::Occupancy);
    setup.fen = Some(StartFen::Unknown);
    let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
    arbiter.handle(&at(0, Input::Setup(setup.into())), &mut said);
    for (n, input) in [
        lift(Square::E2),
        place(Square::E4),
        press(Color::White),
        Input::Tick,
    ]
    .into_iter()
    .enumerate()
    {
        arbiter.handle(&at(1_000 + 400 * n as u64, input), &mut said);
    }
    assert!(said.is_empty());
    let view = arbiter.view().unwrap();
    assert_eq!((view.state, view.fen.as_str()), (Phase::Waiting, "unknown"));
    arbiter.handle(
        &at(
            9_000,
            order(ArbiterAction::SetPosition { fen: fen(AFTER_E4) }),
        ),
        &mut said,
    );
    for (n, input) in [lift(Square::E7), place(Square::E5), press(Color::Black)]
        .into_iter()
        .enumerate()
    {
        arbiter.handle(&at(10_000 + 400 * n as u64, input), &mut said);
    }
    arbiter.finish(&mut said);
    assert_eq!(recorded(&said), ["e7e5"]);
}

#[test]
fn orders_about_findings_that_do_not_exist_change_nothing() {
    let mut hands = hands();
    play(&mut hands, &["e2e4"]);
    let plain = rulings(&hands.events);
    for id in [0, 1, 7, u32::MAX] {
        hands.add(order(ArbiterAction::Uphold(id.into())));
        hands.add(order(ArbiterAction::Dismiss(id.into())));
    }
    let mut said = rulings(&hands.events);
    let told = said.len();
    said.retain(|a| !matches!(a.ruling, Ruling::Refused { .. }));
    assert_eq!(told - said.len(), 8, "each is refused");
    let rulings_of =
        |list: &[Announcement]| list.iter().map(|a| a.ruling.clone()).collect::<Vec<_>>();
    assert_eq!(rulings_of(&said), rulings_of(&plain));
}

#[test]
fn a_finding_is_decided_once() {
    let mut hands = hands();
    hands.add(press(Color::White));
    play(&mut hands, &["e2e4"]);
    hands.add(order(ArbiterAction::Dismiss(1.into())));
    hands.add(order(ArbiterAction::Uphold(1.into())));
    let (arbiter, _) = followed(&hands);
    let findings = arbiter.view().unwrap().findings;
    assert_eq!(
        findings.iter().map(|f| f.status).collect::<Vec<_>>(),
        [FindingStatus::Dismissed]
    );
}

#[test]
fn an_answer_about_a_square_without_a_promotion_changes_nothing() {
    let mut hands = hands();
    play(&mut hands, &["e2e4", "e7e5"]);
    for square in [Square::A8, Square::E4, Square::H1] {
        hands.add(order(ArbiterAction::Promotion {
            square,
            piece: Role::Knight,
        }));
    }
    play(&mut hands, &["g1f3"]);
    assert_eq!(recorded(&rulings(&hands.events)), ["e2e4", "e7e5", "g1f3"]);
}

#[test]
fn the_arbiter_names_a_promoted_piece_that_the_sensors_do_not_show() {
    let start = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let mut setup = Setup::new(SensorClass::Occupancy);
    setup.fen = Some(fen(start));
    let events = [
        at(0, Input::Setup(setup.into())),
        at(1_000, lift(Square::A7)),
        at(1_500, place(Square::A8)),
        at(2_000, press(Color::White)),
        at(
            3_000,
            order(ArbiterAction::Promotion {
                square: Square::A8,
                piece: Role::Rook,
            }),
        ),
    ];
    assert_eq!(recorded(&rulings(&events)), ["a7a8r"]);
}

#[test]
fn a_position_of_the_game_that_is_set_again_takes_the_record_back() {
    let mut hands = hands();
    play(&mut hands, &["e2e4", "e7e5", "g1f3"]);
    hands.add(order(ArbiterAction::SetPosition { fen: fen(AFTER_E4) }));
    let (arbiter, said) = followed(&hands);
    assert!(matches!(
        &said.last().unwrap().ruling,
        Ruling::Restore { squares, .. } if squares.len() == 4
    ));
    let view = arbiter.view().unwrap();
    assert_eq!(
        (view.plies.len(), view.turn, view.state),
        (1, Color::Black, Phase::Restoring)
    );
}

#[test]
fn a_position_that_the_game_never_had_leaves_the_record_and_goes_on_from_there() {
    let mut hands = hands();
    play(&mut hands, &["e2e4"]);
    let ending = fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    hands.add(order(ArbiterAction::SetPosition {
        fen: ending.clone(),
    }));
    let StartFen::Known(known) = &ending else {
        unreachable!()
    };
    let board = known.as_setup().board.clone();
    hands.add(Input::Snapshot {
        board: SensorClass::Piece.reads(&board).into(),
    });
    hands.now += 2_000;
    hands.lift(Square::E2);
    let pawn = Symbol::from_char('P').unwrap();
    hands.add(Input::Place {
        square: Square::E3,
        seen: pawn,
    });
    hands.add(press(Color::White));
    assert_eq!(recorded(&rulings(&hands.events)), ["e2e4", "e2e3"]);
}

#[test]
fn what_is_handled_while_the_game_is_paused_is_nobodys_touch() {
    let mut hands = hands();
    play(&mut hands, &["e2e4"]);
    hands.add(order(ArbiterAction::Pause));
    let board = hands.position().board().clone();
    for square in [Square::A7, Square::H8] {
        hands.lift(square);
        hands.place(square, &board);
    }
    hands.add(press(Color::Black));
    assert_eq!(followed(&hands).0.view().unwrap().state, Phase::Paused);
    hands.add(order(ArbiterAction::Resume));
    play(&mut hands, &["e7e5", "g1f3"]);
    let said = rulings(&hands.events);
    assert_eq!(recorded(&said), ["e2e4", "e7e5", "g1f3"]);
    assert!(
        !said
            .iter()
            .any(|a| matches!(a.ruling, Ruling::Irregularity(_))),
        "{said:?}"
    );
}

#[test]
fn what_the_arbiter_lets_stand_is_played_and_the_game_goes_on() {
    let mut hands = hands();
    hands.lift(Square::B1);
    let knight = Symbol::from_char('N').unwrap();
    hands.add(Input::Place {
        square: Square::B3,
        seen: knight,
    });
    hands.add(press(Color::White));
    hands.add(order(ArbiterAction::LetStand));
    hands.lift(Square::E7);
    let pawn = Symbol::from_char('p').unwrap();
    hands.add(Input::Place {
        square: Square::E5,
        seen: pawn,
    });
    hands.add(press(Color::Black));
    let (arbiter, said) = followed(&hands);
    let last = said.iter().rev().find_map(|a| match &a.ruling {
        Ruling::Move {
            uci, fen, state, ..
        } => Some((uci.to_string(), fen.clone(), *state)),
        _ => None,
    });
    let stood = "rnbqkbnr/pppp1ppp/8/4p3/8/1N6/PPPPPPPP/R1BQKBNR w KQkq - 0 2";
    assert_eq!(
        last,
        Some(("e7e5".into(), stood.into(), MoveState::Completed))
    );
    assert_eq!(arbiter.view().unwrap().plies.len(), 2);
}

#[test]
fn a_result_is_entered_and_taken_back() {
    let mut hands = hands();
    play(&mut hands, &["e2e4"]);
    hands.add(order(ArbiterAction::Result {
        result: GameResult::Draw,
        game: None,
    }));
    let (arbiter, said) = followed(&hands);
    let entered = said.iter().any(|a| {
        matches!(
            a.ruling,
            Ruling::Result {
                result: GameResult::Draw,
                proposed: false,
                reason: ResultReason::Arbiter,
                ..
            }
        )
    });
    assert!(entered && arbiter.view().unwrap().state == Phase::Ended);
    hands.add(order(ArbiterAction::Result {
        result: GameResult::Open,
        game: None,
    }));
    play(&mut hands, &["e7e5"]);
    let (arbiter, _) = followed(&hands);
    let view = arbiter.view().unwrap();
    assert_eq!((view.result, view.plies.len()), (None, 2));
}

#[test]
fn an_illegal_move_put_back_leaves_an_earlier_doubt_open() {
    let mut setup = Setup::new(SensorClass::Occupancy);
    setup.fen = Some(fen("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"));
    // The pawn took on d5 or on f5, whose squares never read empty.
    let taken = [lift(Square::E4), press(Color::White)];
    let reply = [lift(Square::E8), place(Square::D8), press(Color::Black)];
    let illegal = [lift(Square::E1), place(Square::E3), press(Color::White)];
    let restored = [lift(Square::E3), place(Square::E1)];
    let inputs = taken
        .into_iter()
        .chain(reply)
        .chain(illegal)
        .chain(restored);
    let mut events = vec![at(0, Input::Setup(setup.into()))];
    events.extend(
        inputs
            .enumerate()
            .map(|(n, input)| at(1_000 + 500 * n as u64, input)),
    );
    events.push(at(20_000, Input::Tick));
    let said = rulings(&events);
    assert_eq!(recorded(&said)[1..], ["e8d8"]);
    let open = said.iter().find_map(|a| match &a.ruling {
        Ruling::Summary(s) => Some(s.doubts.clone()),
        _ => None,
    });
    assert_eq!(open, Some(vec![1]), "{said:?}");
}

#[test]
fn a_position_may_hold_both_kings_in_check() {
    // A rook checks through another, kings stand side by side, a pawn stands on the last rank: it
    // need not be reachable.
    for text in [
        "3rk3/8/8/8/8/8/8/3KR3 w - - 0 1",
        "3rk3/8/8/8/8/8/8/3KR3 b - - 0 1",
        "4k3/4r3/8/8/4R3/4R3/8/4K3 w - - 0 1",
        "8/8/8/3k4/3K4/8/8/7Q w - - 0 1",
        "8/8/8/3k4/3K4/8/8/7Q b - - 0 1",
        "3rk2P/8/8/8/8/8/8/3KR3 w - - 0 1",
    ] {
        let mut arbiter = Arbiter::new();
        let setup = Setup {
            fen: Some(fen(text)),
            ..Setup::new(SensorClass::Piece)
        };
        arbiter.handle(&at(0, Input::Setup(setup.into())), &mut Vec::new());
        let shown = arbiter.view().unwrap().fen;
        let fields = |fen: &str| {
            fen.split(' ')
                .take(3)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(fields(&shown), fields(text));
    }
}

/// A game whose board was set up anew without a result has not ended: what was pressed for in it
/// stays played, and it goes on from there, whatever has been played on the board meanwhile.
#[test]
fn a_game_that_goes_on_keeps_its_plies() {
    let mut setup = Setup::new(SensorClass::Piece);
    setup.next_game = NextGame::Asked;
    let mut hands = Hands::new(setup.clone(), Chess::default());
    let there = ["e2e4", "e7e5", "g1f3", "b8c6"];
    play(&mut hands, &there);
    let board = Box::new(SensorClass::Piece.reads(&Board::new()));
    hands.now += 9_000;
    hands.add(Input::Snapshot { board });
    hands.now += 9_000;
    let mut next = Hands::new(setup, Chess::default());
    play(&mut next, &["d2d4", "d7d5"]);
    for event in next.events.into_iter().skip(1) {
        hands.add(event.input);
    }
    hands.now += 3_000;
    hands.add(Input::Arbiter(ArbiterAction::GoesOn { game: None }));
    hands.now += 20_000;
    hands.add(Input::Tick);
    let said = rulings(&hands.events);
    assert_eq!(recorded(&said), there);
    let accused = |a: &Announcement| matches!(a.ruling, Ruling::Irregularity(_));
    assert!(!said.iter().any(accused), "{said:?}");
}

/// The board may be read in the very moment in which the game is set up: a pawn that stands one
/// square ahead stood there, and White's first move is his first.
#[test]
fn the_first_picture_may_come_at_the_beginning_of_time() {
    let pawn_ahead = Board::from_ascii_board_fen(b"rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR");
    let board = Box::new(SensorClass::Piece.reads(&pawn_ahead.unwrap()));
    let events = [
        at(0, Input::Setup(Setup::new(SensorClass::Piece).into())),
        at(0, Input::Snapshot { board }),
        at(3_000, lift(Square::D2)),
        at(4_000, place(Square::D4)),
        at(5_400, press(Color::White)),
        at(12_000, Input::Tick),
    ];
    let said = rulings(&events);
    assert_eq!(recorded(&said), ["d2d4"]);
    let codes = said.iter().filter_map(|a| match &a.ruling {
        Ruling::Irregularity(told) => Some(told.code.name()),
        _ => None,
    });
    assert_eq!(codes.collect::<Vec<_>>(), ["position-setup-wrong"]);
}

/// A game may be set up, and its board be read, in the very moment in which the first piece is
/// taken up: that lift was seen, and the board has lost no reading.
#[test]
fn the_first_piece_may_be_taken_up_as_the_game_is_set_up() {
    let board = Box::new(SensorClass::Piece.reads(&Board::new()));
    let pawn = |by: Color, square| Input::Place {
        square,
        seen: Symbol::Piece(by.pawn()),
    };
    let events = [
        at(9_000, Input::Setup(Setup::new(SensorClass::Piece).into())),
        at(9_000, Input::Snapshot { board }),
        at(9_000, lift(Square::D2)),
        at(9_700, pawn(Color::White, Square::D4)),
        at(11_000, press(Color::White)),
        at(15_000, lift(Square::D7)),
        at(15_700, pawn(Color::Black, Square::D5)),
        at(16_800, press(Color::Black)),
        at(19_000, lift(Square::E2)),
        at(19_500, pawn(Color::White, Square::D3)),
        at(20_000, press(Color::White)),
    ];
    let said = rulings(&events);
    let certain = said.iter().any(|a| match &a.ruling {
        Ruling::Irregularity(told) => told.certainty == Certainty::Certain,
        _ => false,
    });
    assert!(certain, "{said:?}");
}
