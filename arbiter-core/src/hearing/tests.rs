//! Hearings that remember little: what is forgotten cannot be changed, all else can.

use alloc::{format, string::String, vec::Vec};

use shakmaty::{Color, Square};

use super::transcript::Transcript;
use super::*;
use crate::said::input::DrawStep;
use crate::said::ruling::GameResult;
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::view::{Phase, View};

/// Room for an order and some twenty entries in each half.
const LITTLE: usize = 220;

/// Knights go out and come home, so often.
fn game(rounds: u64) -> Vec<Event> {
    let round = [
        (Color::White, Square::G1, Square::F3),
        (Color::Black, Square::G8, Square::F6),
        (Color::White, Square::F3, Square::G1),
        (Color::Black, Square::F6, Square::G8),
    ];
    let mut events = Vec::new();
    let mut at = 0;
    for (by, from, to) in (0..rounds).flat_map(|_| round) {
        let press = Input::Press {
            by,
            white_ms: None,
            black_ms: None,
        };
        let seen = Symbol::Something;
        let square = to;
        for input in [
            Input::Lift { square: from },
            Input::Place { square, seen },
            press,
        ] {
            at += 400;
            let at = Time(at);
            events.push(Event { at, input });
        }
    }
    events
}

fn hearing(half: usize) -> Hearing {
    // In 1974 a position that comes back ends nothing by itself.
    let mut setup = Setup::new(SensorClass::Occupancy);
    setup.laws = crate::said::input::Edition::Fide1974;
    setup.next_game = crate::said::input::NextGame::GoesOn;
    let mut hearing = Hearing::new(&setup, Time::ZERO);
    let transcript = core::mem::replace(
        &mut hearing.transcript,
        Transcript::new(Time::ZERO, crate::said::symbol::Reading::EMPTY),
    );
    hearing.transcript = transcript.with_half(half);
    hearing
}

fn named(at: Time, name: &str, action: ArbiterAction) -> Event {
    let input = Input::Arbiter(action).signed(Some(name.into()), None);
    Event { at, input }
}

fn tell(hearing: &mut Hearing, event: &Event) -> Vec<Ruling> {
    hearing.wait(event.at);
    hearing.take(event);
    hearing.told().map(|said| said.ruling).collect()
}

fn take_back(hearing: &mut Hearing, order: &str) -> Vec<Ruling> {
    let at = hearing.game().now();
    let order = order.into();
    let input = Input::Arbiter(ArbiterAction::TakeBack { order });
    tell(hearing, &Event { at, input })
}

fn view(hearing: &Hearing) -> View {
    hearing
        .game()
        .view(|plies| plies.after(0).collect(), <[_]>::to_vec)
}

/// What is compared of two games: one has counted more plies.
fn essence(hearing: &Hearing) -> (Vec<String>, String, Phase) {
    let View {
        plies, fen, state, ..
    } = view(hearing);
    let plies = plies
        .iter()
        .map(|ply| format!("{} {} {}", ply.uci, ply.at, ply.completed));
    (plies.collect(), fen, state)
}

/// Whenever an order is given and taken back: it never was, or it is refused because it lies too
/// far back.
#[test]
fn what_is_not_forgotten_can_be_taken_back() {
    let events = game(16);
    let mut plain = hearing(usize::MAX / 4);
    events
        .iter()
        .for_each(|event| drop(tell(&mut plain, event)));
    let (mut done, mut refused) = (0, 0);
    for given in 1..events.len() {
        for back in [given, given + 1, given + 5, given + 30, given + 100] {
            let mut hearing = hearing(LITTLE);
            for (n, event) in events.iter().enumerate() {
                tell(&mut hearing, event);
                if n == given {
                    let result = GameResult::WhiteWins;
                    let order = named(event.at, "o", ArbiterAction::Result { result, game: None });
                    tell(&mut hearing, &order);
                }
                if n == back {
                    match take_back(&mut hearing, "o").as_slice() {
                        [Ruling::Refused { .. }] => refused += 1,
                        _ => done += 1,
                    }
                }
            }
            let over = view(&hearing).result.is_some();
            assert!(
                over || essence(&hearing) == essence(&plain),
                "{given} {back}"
            );
        }
    }
    assert!(done > 150 && refused > 20, "{done} done, {refused} refused");
}

/// What was played far back cannot be said any more, but that of late can.
#[test]
fn what_is_forgotten_was_played() {
    let mut hearing = hearing(LITTLE);
    game(12)
        .iter()
        .for_each(|event| drop(tell(&mut hearing, event)));
    let played = |ply: u32, uci: &str| {
        let uci = uci.parse().expect("a move");
        named(Time(99_000), "p", ArbiterAction::Played { ply, uci })
    };
    let said = tell(&mut hearing, &played(2, "g8h6"));
    assert!(
        matches!(said.as_slice(), [Ruling::Refused { .. }]),
        "{said:?}"
    );
    let before = essence(&hearing);
    let said = tell(&mut hearing, &played(47, "b1c3"));
    assert!(
        !matches!(said.as_slice(), [Ruling::Refused { .. }]),
        "{said:?}"
    );
    assert!(essence(&hearing).0[46].starts_with("b1c3"));
    take_back(&mut hearing, "p");
    assert_eq!(essence(&hearing), before);
}

/// Whatever is told, a transcript takes no more than twice its half.
#[test]
fn a_transcript_is_bounded() {
    let mut hearing = hearing(LITTLE);
    let by = Color::White;
    let step = DrawStep::Offer;
    for n in 0..500u64 {
        let at = Time(400 * n);
        let input = Input::Draw { by, step }.signed(Some(format!("{n}").into()), None);
        tell(&mut hearing, &Event { at, input });
        assert!(hearing.orders().len() <= 5);
    }
    assert!(hearing.transcript.forgotten() > 400);
}
