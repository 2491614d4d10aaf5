//! Games that no board has seen: their results are typed, and it may be their moves.

use tournament::{How, Pairing, ResultCode, Stage, Tournament};

use super::candidate::called_by_event;
use super::line::Candidate;
use super::rules::Rules;
use super::shown::Shown;
use super::spot::Spot;
use super::used::plies;
use crate::office::{Book, Minors};
use crate::pgn;

/// What such a game is called: no board's game is called so.
pub(super) fn name(event: usize, round: u16, table: u16) -> String {
    format!("event-{event}-round-{round}-table-{table}")
}

/// The event, the round and the table of a game of such a name.
fn place(name: &str) -> Option<(usize, u16, u16)> {
    let (event, place) = name.strip_prefix("event-")?.split_once("-round-")?;
    let (round, table) = place.split_once("-table-")?;
    Some((
        event.parse().ok()?,
        round.parse().ok()?,
        table.parse().ok()?,
    ))
}

/// Whether a game is called so.
pub(super) fn is_one(game: &str) -> bool {
    place(game).is_some()
}

/// Where such a game is played; `None`: there is no such pairing, or a board has its game.
pub(super) fn seat(book: &Book, game: &str) -> Option<(usize, (u16, u16))> {
    let (event, round, table) = place(game)?;
    let pairing = book.nth(Some(event)).ok()?.pairing(round, table).ok()?;
    is_unseen(pairing).then_some((event, (round, table)))
}

fn is_unseen(pairing: &Pairing) -> bool {
    pairing.game.is_none() && pairing.black.is_some()
}

/// Whether a person has said how a game ended, other than by a file of rounds that are over.
fn is_said(pairing: &Pairing) -> bool {
    let outcome = pairing.outcome.as_ref();
    outcome.is_some_and(|outcome| outcome.confirmed && outcome.how != How::File)
}

/// The games of an event, by its number, of which something may be public.
pub(super) fn games((number, event): (usize, &Tournament)) -> Vec<String> {
    let rounds = event.rounds.iter();
    let started = rounds.filter(|(_, round)| round.stage != Stage::Drawn);
    let games = started.flat_map(|(round, of)| {
        let told = of.pairings.iter();
        let told = told.filter(|p| is_unseen(p) && (p.typed.is_some() || is_said(p)));
        told.filter_map(move |p| Some(name(number, *round, p.table?)))
    });
    games.collect()
}

/// What could be public of such a game.
pub(super) fn candidate(
    game: &str,
    (spot, minors): (Spot<'_>, &Minors),
    rules: &Rules,
) -> Candidate {
    let seat = spot.round.zip(spot.table);
    let pairing = seat.and_then(|(round, table)| spot.event.pairing(round, table).ok());
    let start = pairing.and_then(|pairing| pairing.start.clone());
    let start = start.unwrap_or_default();
    let typed = pairing.and_then(|pairing| pairing.typed.as_ref());
    let legal = typed.map_or_else(Vec::new, |typed| {
        pgn::typed(start.chess960, &start.fen, typed)
    });
    let outcome = pairing.and_then(|pairing| pairing.outcome.as_ref());
    let outcome = outcome.filter(|outcome| outcome.confirmed);
    let result = outcome.map(|outcome| ResultCode::told(outcome.codes));
    let usual = Shown::empty().start_fen;
    let start_fen = Some(start.fen).filter(|fen| !fen.is_empty());
    let start_fen = start_fen.unwrap_or(usual);
    let fens: Vec<String> = legal.iter().map(|ply| ply.fen.clone()).collect();
    let whole = Shown {
        game: game.to_owned(),
        round: spot.round,
        table: spot.table.filter(|_| spot.round.is_some()),
        chess960: start.chess960,
        fen: fens.last().unwrap_or(&start_fen).clone(),
        start_fen,
        result: result.unwrap_or_else(|| "*".to_owned()),
        over: outcome.is_some(),
        ..called_by_event(spot, minors)
    };
    Candidate {
        whole: Shown {
            plies: plies(&legal, "", 0),
            ..whole
        },
        sure: fens.len(),
        completed: fens.len(),
        fens,
        has_ended: outcome.is_some(),
        stopped: spot.is_stopped(),
        delay: spot.delay(rules),
        ends_with_game: rules.ends_with_game,
        unseen: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_where_a_game_is_played() {
        assert_eq!(place(&name(2, 3, 14)), Some((2, 3, 14)));
        for other in [
            "2026-11-21-b01-1",
            "event-1-round-2",
            "event-1-round-2-table-x",
        ] {
            assert!(!is_one(other), "{other}");
        }
    }
}
