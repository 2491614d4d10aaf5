//! What holds for every move from every position, and for every game: proved by chance.

mod beginning;
mod manual;
mod mirror;
mod orders;

use arbiter_core::input::{ArbiterAction, Edition, Event, Input, Setup, StartFen, TimeClass};
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::{Announcement, Ruling, Summary};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Chess, EnPassantMode, Move, Position, Square};
use arbiter_core::{SensorClass, Time};
use board_driver::hand::{Style, games};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngSeed, TestCaseResult};
use tests::accuracy::{Cell, Outcome, rule, run};
use tests::anything::{self, listen, text};
use tests::form;
use tests::scenario::Orientation;

use manual::Handling;

fn any_class() -> impl Strategy<Value = SensorClass> {
    prop_oneof![
        Just(SensorClass::Occupancy),
        Just(SensorClass::Colour),
        Just(SensorClass::Piece)
    ]
}

/// A position of a real game, or one that random moves lead to from there, that has a legal move.
fn any_position() -> impl Strategy<Value = Chess> {
    position_of(games::sample(games::CROSS_SECTION))
}

fn position_of(games: &'static [games::Game]) -> impl Strategy<Value = Chess> {
    (any::<Index>(), any::<Index>(), vec(any::<Index>(), 0..30)).prop_map(|(game, ply, wander)| {
        let game = game.get(games);
        let played = &game.moves[..ply.index(game.moves.len())];
        let mut position = game.start.clone();
        played.iter().for_each(|mv| position.play_unchecked(*mv));
        for choice in wander {
            let mut next = position.clone();
            next.play_unchecked(*choice.get(&position.legal_moves()));
            if next.is_game_over() {
                break;
            }
            position = next;
        }
        position
    })
}

/// A legal move; half of them are captures, castlings and promotions where there are any.
fn pick(position: &Chess, choice: Index, rare: bool) -> Move {
    let legal = position.legal_moves();
    let is_rare = |mv: &&Move| mv.is_promotion() || mv.is_castle() || mv.is_capture();
    let special: Vec<Move> = legal.iter().filter(is_rare).copied().collect();
    *choice.get(if rare && !special.is_empty() {
        &special
    } else {
        &legal
    })
}

/// A game on a board of `class` that starts in `position`.
fn setup(
    position: &Chess,
    class: SensorClass,
    (laws, time, supervised): (Edition, TimeClass, bool),
) -> Event {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let chess960 = position.castles().mode().is_chess960();
    let fen = Some(StartFen::Known(fen.into()));
    let setup = Setup {
        fen,
        laws,
        class: time,
        supervised,
        chess960,
        ..Setup::new(class)
    };
    Event {
        at: Time::ZERO,
        input: Input::Setup(setup.into()),
    }
}

/// The mover's press 400 ms after the last event, and a long silence.
fn pressed(mut script: Vec<Event>, position: &Chess) -> Vec<Event> {
    let end = script.last().map_or(Time::ZERO, |event| event.at);
    let press = Input::Press {
        by: position.turn(),
        white_ms: None,
        black_ms: None,
    };
    script.push(Event {
        at: end + 400,
        input: press,
    });
    script.push(Event {
        at: end + 20_000,
        input: Input::Tick,
    });
    script
}

fn summary(said: &[Announcement]) -> &Summary {
    let summary = said.iter().find_map(|said| match &said.ruling {
        Ruling::Summary(summary) => Some(summary),
        _ => None,
    });
    summary.expect("every game is summed up")
}

/// Whether the record is `mv` and no more. What a pawn became is unseen by most boards: then it is
/// in doubt.
fn is_recorded(position: &Chess, mv: Move, class: SensorClass, said: &[Announcement]) -> bool {
    let summary = summary(said);
    let [recorded] = summary.moves.as_slice() else {
        return false;
    };
    let (recorded, played) = (
        recorded.to_string(),
        mv.to_uci(position.castles().mode()).to_string(),
    );
    let unseen = mv.is_promotion() && class != SensorClass::Piece && summary.doubts == [1];
    recorded == played || (unseen && recorded[..4] == played[..4])
}

/// The same cases in every run, an eighth of them in the short form. Failing scripts are printed;
/// none is kept in a file.
fn cases(all: u32) -> ProptestConfig {
    ProptestConfig {
        cases: all / form::every(8) as u32,
        rng_seed: RngSeed::Fixed(64),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A legal move is recorded, however it is handled. A castling that begins with the rook is a
/// breach of 4.4.2; nothing else is one.
fn is_ruled_rightly(
    position: &Chess,
    mv: Move,
    class: SensorClass,
    laws: (Edition, TimeClass, bool),
    handling: &Handling,
) -> TestCaseResult {
    let mut script = vec![setup(position, class, laws)];
    let first = handling.play(position, mv, class, &mut script);
    let script = pressed(script, position);
    let said = rule(&script);
    let summary = summary(&said);
    let recorded = is_recorded(position, mv, class, &said);
    prop_assert!(
        recorded,
        "{mv:?} is not recorded:\n{}{summary:#?}",
        text(&script)
    );
    let rook_first = mv.is_castle() && first != mv.from();
    let told = &summary.irregularities;
    let is_just = told.is_empty() || (rook_first && told.keys().eq([&Code::CastlingRookFirst]));
    prop_assert!(
        is_just,
        "{mv:?} is called a breach:\n{}{told:?}",
        text(&script)
    );
    Ok(())
}

proptest! {
    #![proptest_config(cases(30_000))]

    #[test]
    fn a_legal_move_by_any_order_of_lifts_and_places_is_recorded(
        position in any_position(),
        class in any_class(),
        laws in any_laws(),
        choice in any::<Index>(),
        rare in any::<bool>(),
        handling in Handling::any(),
    ) {
        let mv = pick(&position, choice, rare);
        is_ruled_rightly(&position, mv, class, laws, &handling)?;
    }

    // In castling one of the two pieces may stay, and one may stand where the other goes.
    #[test]
    fn in_chess960_a_legal_move_by_any_order_is_recorded(
        position in position_of(games::chess960()),
        class in any_class(),
        laws in any_laws(),
        choice in any::<Index>(),
        handling in Handling::any(),
    ) {
        let mv = pick(&position, choice, true);
        is_ruled_rightly(&position, mv, class, laws, &handling)?;
    }

    #[test]
    fn an_announced_adjustment_changes_nothing(
        position in any_position(),
        class in any_class(),
        laws in any_laws(),
        choice in any::<Index>(),
        adjusted in vec((any::<Index>(), 150..900u64, 150..900u64), 1..4),
    ) {
        let mv = pick(&position, choice, false);
        let mut script = vec![setup(&position, class, laws)];
        script.push(Event { at: Time(1_000), input: Input::Adjust { by: position.turn() } });
        let mut now = Time(1_000);
        let pieces: Vec<Square> = position.board().occupied().into_iter().collect();
        for (square, before, air) in adjusted {
            let square = *square.get(&pieces);
            let seen = class.sees(position.board().piece_at(square));
            script.push(Event { at: now + before, input: Input::Lift { square } });
            now = now + before + air;
            script.push(Event { at: now, input: Input::Place { square, seen } });
        }
        Handling::tidy().play(&position, mv, class, &mut script);
        let script = pressed(script, &position);
        let said = rule(&script);
        let (recorded, summary) = (is_recorded(&position, mv, class, &said), summary(&said));
        prop_assert!(recorded, "{mv:?} is not recorded:\n{}{summary:#?}", text(&script));
        prop_assert!(summary.irregularities.is_empty(), "{}{summary:#?}", text(&script));
    }
}

/// Any carried game by any hand on any board, with a breach now and then.
fn any_performance(class: impl Strategy<Value = SensorClass>) -> impl Strategy<Value = Outcome> {
    let codes = [
        Code::TouchMoveOwnPiece,
        Code::TouchMoveOpponentPiece,
        Code::TouchMoveBothColours,
        Code::CastlingNotCompleted,
        Code::CastlingRookFirst,
        Code::ReleasedPieceMovedAgain,
        Code::PieceDisplaced,
        Code::IllegalMove,
        Code::PawnNotPromoted,
        Code::ClockPressedWithoutMove,
    ];
    let breach = (prop::sample::select(codes.to_vec()), 1..60u32);
    let style = prop::sample::select(Style::ALL.to_vec());
    let cell =
        (class, style, 0..3u8, any::<bool>()).prop_map(|(sensor, style, noise, clock)| Cell {
            sensor,
            style,
            noise,
            clock,
        });
    (any::<Index>(), cell, any::<u64>(), vec(breach, 0..3)).prop_map(
        |(game, cell, seed, breaches)| {
            run(
                game.get(games::sample(games::CROSS_SECTION)),
                cell,
                seed,
                &breaches,
            )
        },
    )
}

/// The same script under another edition, class of play and supervision.
fn under(
    mut script: Vec<Event>,
    (laws, class, supervised): (Edition, TimeClass, bool),
) -> Vec<Event> {
    if let Some(Event {
        input: Input::Setup(setup),
        ..
    }) = script.first_mut()
    {
        (setup.laws, setup.class, setup.supervised) = (laws, class, supervised);
    }
    script
}

fn any_laws() -> impl Strategy<Value = (Edition, TimeClass, bool)> {
    let class = prop::sample::select(vec![
        TimeClass::Standard,
        TimeClass::Rapid,
        TimeClass::Blitz,
    ]);
    (
        prop::sample::select(Edition::ALL.to_vec()),
        class,
        any::<bool>(),
    )
}

/// What the rulings on a script and on its image differ in, with both scripts.
fn unlike(script: &[Event], image: Orientation) -> Option<String> {
    let said = mirror::essence(&rule(script), Orientation::AsWritten);
    let turned = mirror::script(script, image);
    let other = mirror::essence(&rule(&turned), image);
    let differs = said.iter().zip(&other).find(|(one, other)| one != other);
    let more = said.get(other.len()).or(other.get(said.len()));
    (said != other).then(|| {
        format!(
            "{differs:#?} {more:#?}\n{}\n{}",
            text(script),
            text(&turned)
        )
    })
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn both_colours_are_ruled_alike(
        outcome in any_performance(any_class()).no_shrink(),
        laws in any_laws(),
    ) {
        let unlike = unlike(&under(outcome.script, laws), Orientation::Reversed);
        prop_assert!(unlike.is_none(), "{}", unlike.unwrap_or_default());
    }

    #[test]
    fn a_game_that_is_told_again_is_ruled_to_the_letter(
        outcome in any_performance(any_class()).no_shrink(),
        laws in any_laws(),
    ) {
        let script = under(outcome.script, laws);
        check_told_again(&script)?;
    }

    #[test]
    fn evidence_with_holes_in_it_is_survived(
        outcome in any_performance(any_class()).no_shrink(),
        laws in any_laws(),
        holes in vec(any::<Index>(), 1..12),
    ) {
        let mut script = under(outcome.script, laws);
        for hole in holes {
            let at = hole.index(script.len());
            if at > 0 {
                script.remove(at);
            }
        }
        let said = listen(&script);
        let (plies, played) = (summary(&said).moves.len(), outcome.played.truth.moves.len());
        prop_assert!(plies <= played * 2, "{plies} plies\n{}", text(&script));
    }
}

/// The script written as text and read again is the same script, and the rulings on it are the same
/// to the byte.
fn check_told_again(script: &[Event]) -> Result<(), TestCaseError> {
    let written = text(script);
    let read =
        daemon::script::Reader::new("game", written.as_bytes()).collect::<Result<Vec<_>, _>>();
    let read = read.expect("what was written can be read");
    prop_assert_eq!(text(&read), written);
    let letters = |said: &[Announcement]| serde_json::to_string(said).expect("JSON");
    prop_assert_eq!(letters(&rule(&read)), letters(&rule(script)));
    Ok(())
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn whatever_hands_do_nothing_is_said_that_must_not_be(bytes in vec(any::<u8>(), 0..400)) {
        let script = anything::script(&bytes);
        listen(&script);
        check_told_again(&script)?;
    }

    #[test]
    fn whatever_hands_do_both_colours_are_ruled_alike(bytes in vec(any::<u8>(), 0..400)) {
        let script = anything::script(&bytes);
        if leaves_no_doubt(&script) {
            let unlike = unlike(&script, Orientation::Reversed);
            prop_assert!(unlike.is_none(), "{}", unlike.unwrap_or_default());
        }
    }

    #[test]
    fn left_and_right_are_ruled_alike_where_nobody_castles(bytes in vec(any::<u8>(), 0..400)) {
        let script = anything::script(&bytes);
        if knows_no_castling(&script) && leaves_no_doubt(&script) {
            let unlike = unlike(&script, Orientation::Mirrored);
            prop_assert!(unlike.is_none(), "{}", unlike.unwrap_or_default());
        }
    }
}

/// Whether the evidence speaks for one account throughout. Of equally good ones the first is taken,
/// of several pieces that cannot stand where they do, or that a picture shows to have been taken up
/// at once, the first is named, and an image has another first.
fn leaves_no_doubt(script: &[Event]) -> bool {
    let pictures = script
        .iter()
        .any(|event| matches!(event.input, Input::Snapshot { .. }));
    rule(script).iter().all(|said| match &said.ruling {
        Ruling::Obligation { .. } => !pictures,
        Ruling::Doubt(_) => false,
        Ruling::Irregularity(found) => found.certainty == Certainty::Certain,
        _ => true,
    })
}

/// Whether every position that is given has no right to castle.
fn knows_no_castling(script: &[Event]) -> bool {
    let none = |fen: &StartFen| match fen {
        StartFen::Known(fen) => fen.as_setup().castling_rights.is_empty(),
        StartFen::Unknown => false,
    };
    script.iter().all(|event| match event.input.plain() {
        Input::Setup(setup) => setup.fen.as_ref().is_some_and(none),
        Input::Arbiter(ArbiterAction::SetPosition { fen }) => {
            none(fen) || *fen == StartFen::Unknown
        }
        _ => true,
    })
}
