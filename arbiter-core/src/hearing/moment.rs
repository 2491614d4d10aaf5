//! Where in the evidence a ply was made that the arbiter names.

use alloc::vec::Vec;

use shakmaty::{Color, Square};

use super::transcript::{Told, Transcript};
use crate::game::Game;
use crate::game::played::Imposed;
use crate::said::input::Input;
use crate::said::symbol::{Reading, SensorClass};
use crate::said::time::{Millis, Time};

/// Whether the board showed what the ply left, after a scan.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// Entries up to and with the scan.
    n: u64,
    at: Time,
    shows: bool,
}

/// A press of the clock.
#[derive(Clone, Copy, Debug)]
struct Pressed {
    /// Entries up to and with it.
    n: u64,
    by: Color,
}

/// After how many entries ply `ply` had been made. The board showed what it left, and its player
/// pressed; where it never showed that, when he pressed first after the ply before; where he did
/// not, when the record has that ply, or only now.
/// `order`: how many entries came before the order that says so.
pub(super) fn after_ply(
    transcript: &Transcript,
    game: &Game,
    (order, ply): (u64, u32),
    imposed: &Imposed,
) -> u64 {
    let begun = game.made_at(ply - 1);
    // What came when the reply had been answered is not of this ply.
    let limit = game
        .made_at(ply + 2)
        .map_or(u64::MAX, |at| heard_by(transcript, at));
    let (looks, presses) = survey(transcript, game, (begun, order), &imposed.readings(game));
    let by = imposed.by();
    if let Some(made) = settled(&looks, limit, game.setup().options.announce_ms) {
        return pressed_after(&presses, made, by).unwrap_or(made);
    }
    let mut his = presses
        .iter()
        .filter(|press| press.by == by && press.n <= limit);
    let told = || game.made_at(ply).map(|at| heard_by(transcript, at));
    his.next()
        .map(|press| press.n)
        .or_else(told)
        .map_or(order, |n| n.min(order))
}

/// The press by which the player completed what stood after `made` entries: the next one, if it is
/// his.
fn pressed_after(presses: &[Pressed], made: u64, by: Color) -> Option<u64> {
    let next = presses.iter().find(|press| press.n > made)?;
    (next.by == by).then_some(next.n)
}

/// When the board first showed it at rest, or else when it showed it last. In the middle of a
/// capture it may show it too.
fn settled(looks: &[Look], limit: u64, rest: Millis) -> Option<u64> {
    let mut last = None;
    for (i, look) in looks.iter().enumerate() {
        let news = look.shows && look.n <= limit && !(i > 0 && looks[i - 1].shows);
        if !news {
            continue;
        }
        last = Some(look.n);
        let gone = looks[i..].iter().find(|later| !later.shows);
        if gone.is_none_or(|gone| gone.at.since(look.at) >= rest) {
            break;
        }
    }
    last
}

/// How many entries had come by the time `at`; none, where that is not known any more.
fn heard_by(transcript: &Transcript, at: Time) -> u64 {
    if at < transcript.begins() {
        return 0;
    }
    let later = transcript.entries().find(|entry| entry.at > at);
    later.map_or(u64::MAX, |entry| entry.n)
}

/// After which scans since `begun` and before the order the board showed one of `readings`, and who
/// pressed.
fn survey(
    transcript: &Transcript,
    game: &Game,
    (begun, order): (Option<Time>, u64),
    readings: &[Reading],
) -> (Vec<Look>, Vec<Pressed>) {
    let (lies, class) = (game.orientation(), game.setup().sensor);
    let (mut looks, mut presses) = (Vec::<Look>::new(), Vec::new());
    let mut entries = transcript.entries();
    while let Some(entry) = entries.next() {
        if entry.n >= order {
            break;
        }
        let Told::Evidence(input) = entry.told else {
            continue;
        };
        if begun.is_some_and(|begun| entry.at <= begun) {
            continue;
        }
        let (n, at) = (entry.n + 1, entry.at);
        if let Input::Press { by, .. } = input {
            presses.push(Pressed { n, by });
            continue;
        }
        let shown = lies.reading(&coarsened(entries.reading(), class));
        let shows = readings.contains(&shown);
        match looks.last_mut().filter(|look| look.at == at) {
            Some(same_scan) => (same_scan.n, same_scan.shows) = (n, shows),
            None => looks.push(Look { n, at, shows }),
        }
    }
    (looks, presses)
}

/// What a class of sensors would have read.
fn coarsened(reading: &Reading, class: SensorClass) -> Reading {
    let mut coarse = *reading;
    for square in Square::ALL {
        coarse.set(square, reading.at(square).coarsened(class));
    }
    coarse
}
