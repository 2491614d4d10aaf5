//! Whatever comes in: nothing panics, ticks change nothing, and tidy legal games are recorded
//! exactly.

mod common;

use arbiter_core::input::{
    ArbiterAction, ClaimKind, DrawStep, Event, Input, NextGame, Setup, StartFen,
};
use arbiter_core::irregularity::Code;
use arbiter_core::orientation::Orientation;
use arbiter_core::ruling::{Announcement, GameResult, Ruling};
use arbiter_core::shakmaty::{Chess, Color, Move, Position, Role, Square};
use arbiter_core::{Arbiter, Reading, SensorClass, Symbol};
use common::{Hands, at, press, recorded, rulings};
use proptest::collection::vec;
use proptest::prelude::*;

/// What is said when the caller ticks at every moment at which silence means something.
fn ticked(events: &[Event]) -> Vec<Announcement> {
    let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
    for event in events {
        while let Some(wake) = arbiter.next_wake().filter(|w| w.0 < event.at.0) {
            arbiter.handle(&at(wake.0 + 1, Input::Tick), &mut said);
        }
        arbiter.handle(event, &mut said);
    }
    arbiter.finish(&mut said);
    said
}

/// A game of legal moves, chosen by `choices`.
fn legal_game(mut hands: Hands, choices: &[u8]) -> Hands {
    for choice in choices {
        // Only sensors that see pieces can tell what a pawn became.
        let sees = hands.class == SensorClass::Piece;
        let shown = |m: &Move| sees || m.promotion().is_none_or(|role| role == Role::Queen);
        let legal: Vec<Move> = hands
            .position()
            .legal_moves()
            .into_iter()
            .filter(shown)
            .collect();
        if hands.position().is_game_over() {
            break;
        }
        hands.play(legal[usize::from(*choice) % legal.len()]);
    }
    hands
}

fn any_class() -> impl Strategy<Value = SensorClass> {
    prop_oneof![
        Just(SensorClass::Occupancy),
        Just(SensorClass::Colour),
        Just(SensorClass::Piece)
    ]
}

const SYMBOLS: &str = ".?LDPNBRQKpnbrqk";

fn any_symbol() -> impl Strategy<Value = Symbol> {
    (0..SYMBOLS.len()).prop_map(|n| Symbol::from_char(SYMBOLS.as_bytes()[n] as char).unwrap())
}

fn any_colour() -> impl Strategy<Value = Color> {
    any::<bool>().prop_map(Color::from_white)
}

fn any_square() -> impl Strategy<Value = Square> {
    // Half of the hostile hands stay in one corner, so that they sometimes do something meaningful.
    prop_oneof![0usize..64, 0usize..20].prop_map(|n| Square::ALL[n])
}

fn any_fen() -> impl Strategy<Value = StartFen> {
    const FENS: [&str; 8] = [
        "unknown",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/kP6/8/8/4K3/8/8/4n3 w - - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "4k3/8/8/8/8/8/4r3/R3K3 b Q - 0 1",
        "4k3/P6P/8/8/8/8/p6p/4K3 b - - 149 90",
        "QQQQQQQQ/QQ4QQ/Q6Q/Q6Q/Q6Q/Q6Q/k6K/8 w - - 0 1",
        "8/8/8/3k4/3K4/8/8/7Q w - - 0 1",
    ];
    (0..FENS.len()).prop_map(|n| StartFen::parse(FENS[n]).unwrap())
}

fn any_setup() -> impl Strategy<Value = Setup> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (any_class(), proptest::option::of(any_fen()), flags).prop_map(
        |(class, fen, (clock, polled, chess960))| Setup {
            fen,
            clock,
            polled,
            chess960,
            // The next game is begun by a setup, so that each game has one.
            next_game: NextGame::Asked,
            ..Setup::new(class)
        },
    )
}

fn any_action() -> impl Strategy<Value = ArbiterAction> {
    let role = prop_oneof![
        Just(Role::Queen),
        Just(Role::Rook),
        Just(Role::Bishop),
        Just(Role::Knight)
    ];
    prop_oneof![
        (0..4u32).prop_map(|id| ArbiterAction::Uphold(id.into())),
        (0..4u32).prop_map(|id| ArbiterAction::Dismiss(id.into())),
        (any_square(), role).prop_map(|(square, piece)| ArbiterAction::Promotion { square, piece }),
        any_fen().prop_map(|fen| ArbiterAction::SetPosition { fen }),
        Just(ArbiterAction::LetStand),
        Just(ArbiterAction::LetStand),
        (0..4usize).prop_map(|n| ArbiterAction::BoardTurned {
            turned: Orientation::ALL[n]
        }),
        Just(ArbiterAction::Pause),
        Just(ArbiterAction::Resume),
        Just(ArbiterAction::Resume),
        (
            0..Code::ALL.len(),
            proptest::option::of(any_colour()),
            proptest::option::of(any_square())
        )
            .prop_map(|(n, by, square)| ArbiterAction::Report {
                code: Code::ALL[n],
                by,
                square
            }),
        Just(ArbiterAction::Result {
            result: GameResult::Open,
            game: None
        }),
        Just(ArbiterAction::Result {
            result: GameResult::WhiteWins,
            game: None
        }),
    ]
}

fn any_word() -> impl Strategy<Value = Input> {
    let step = prop_oneof![
        Just(DrawStep::Offer),
        Just(DrawStep::Accept),
        Just(DrawStep::Decline)
    ];
    let kind = prop_oneof![
        Just(ClaimKind::Threefold),
        Just(ClaimKind::FiftyMoves),
        Just(ClaimKind::TouchMove),
        Just(ClaimKind::IllegalMove)
    ];
    let claim = |(by, kind, (from, to))| {
        let intended = Some(arbiter_core::shakmaty::uci::UciMove::Normal {
            from,
            to,
            promotion: None,
        });
        Input::Claim {
            by,
            kind,
            intended,
            square: None,
        }
    };
    prop_oneof![
        8 => any_colour().prop_map(press),
        1 => any_colour().prop_map(|by| Input::Adjust { by }),
        1 => any_colour().prop_map(|by| Input::FlagFall { by }),
        1 => any_colour().prop_map(|by| Input::Stop { by }),
        1 => any_colour().prop_map(|by| Input::Resign { by }),
        1 => (any_colour(), step).prop_map(|(by, step)| Input::Draw { by, step }),
        1 => (any_colour(), kind, (any_square(), any_square())).prop_map(claim),
        6 => any_action().prop_map(Input::Arbiter),
        2 => Just(Input::Tick),
    ]
}

fn any_input() -> impl Strategy<Value = Input> {
    let reading = vec(any_symbol(), 64).prop_map(|symbols| {
        let mut board = Reading::EMPTY;
        Square::ALL
            .into_iter()
            .zip(symbols)
            .for_each(|(sq, symbol)| board.set(sq, symbol));
        Input::Snapshot {
            board: board.into(),
        }
    });
    let usual = Just(Input::Snapshot {
        board: SensorClass::Piece.reads(Chess::default().board()).into(),
    });
    prop_oneof![
        20 => any_square().prop_map(|square| Input::Lift { square }),
        20 => (any_square(), any_symbol()).prop_map(|(square, seen)| Input::Place { square, seen }),
        1 => reading,
        2 => usual,
        20 => any_word(),
        1 => any_setup().prop_map(|setup| Input::Setup(setup.into())),
    ]
}

/// Steps from nothing to far beyond every window, back in time too.
fn any_step() -> impl Strategy<Value = i64> {
    prop_oneof![4 => 0..50i64, 4 => 100..700i64, 2 => 2_000..15_000i64, 1 => -500..0i64]
}

/// A script, shown as event script when a test fails.
#[derive(Clone)]
struct Script(Vec<Event>);

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0
            .iter()
            .try_for_each(|e| writeln!(f, "{}", serde_json::to_string(e).unwrap()))
    }
}

fn timed(start: Setup, steps: Vec<(i64, Input)>) -> Script {
    let mut now = 0i64;
    let mut events = vec![at(0, Input::Setup(start.into()))];
    for (step, input) in steps {
        now = (now + step).max(0);
        events.push(at(now as u64, input));
    }
    Script(events)
}

fn any_script(length: usize) -> impl Strategy<Value = Script> {
    (any_setup(), vec((any_step(), any_input()), 1..length))
        .prop_map(|(setup, steps)| timed(setup, steps))
}

/// Legal moves, put among random events: hostile hands at a game that goes on.
fn any_disturbed_game() -> impl Strategy<Value = Script> {
    (
        any_setup(),
        vec(any::<u8>(), 1..20),
        vec(
            (any::<prop::sample::Index>(), any_step(), any_input()),
            0..20,
        ),
    )
        .prop_map(|(setup, choices, disturbances)| {
            let setup = Setup { fen: None, ..setup };
            let mut events = legal_game(Hands::new(setup, Chess::default()), &choices).events;
            for (place, step, input) in disturbances {
                let n = 1 + place.index(events.len());
                let time = events[n - 1].at.0.saturating_add_signed(step);
                events.insert(n, at(time, input));
            }
            Script(events)
        })
}

/// So many cases. Failing scripts are printed; none is kept in a file.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn check_hostile(Script(events): &Script) {
    let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
    for event in events {
        arbiter.handle(event, &mut said);
        let view = arbiter.view().expect("a game is set up");
        assert!(view.differs.is_empty() || view.fen != "unknown");
        assert!(serde_json::to_string(&view).is_ok());
    }
    arbiter.finish(&mut said);
    let summaries = said
        .iter()
        .filter(|a| matches!(a.ruling, Ruling::Summary(_)))
        .count();
    let games = events
        .iter()
        .filter(|e| matches!(e.input, Input::Setup(_)))
        .count();
    assert_eq!(summaries, games, "one summary a game");
    // A replay says the same, and ticking whenever silence may speak adds nothing.
    assert_eq!(rulings(events), said);
    assert_eq!(ticked(events), said);
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn nothing_that_comes_in_makes_it_panic(script in any_script(120)) {
        check_hostile(&script);
    }

    #[test]
    fn a_game_with_hostile_hands_in_it_is_survived(script in any_disturbed_game()) {
        check_hostile(&script);
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_tidy_legal_game_is_recorded_exactly(
        class in any_class(),
        clock in any::<bool>(),
        choices in vec(any::<u8>(), 1..60),
    ) {
        let next_game = NextGame::Asked;
        let setup = Setup {
            clock,
            next_game,
            ..Setup::new(class)
        };
        let mut hands = legal_game(Hands::new(setup, Chess::default()), &choices);
        // A king on a centre square may be the sign of a result: without a press only a long rest
        // shows that it moved.
        hands.now += 15_000;
        hands.add(Input::Tick);
        let said = rulings(&hands.events);
        prop_assert_eq!(recorded(&said), hands.played.clone());
        let accused = said.iter().find(|a| matches!(a.ruling, Ruling::Irregularity(_)));
        prop_assert!(accused.is_none(), "{:?}", accused);
    }
}
