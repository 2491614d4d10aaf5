//! The part of a record that legal moves can tell.

use std::borrow::Borrow;
use std::ops::Deref;

use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{CastlingMode, Chess, EnPassantMode};
use arbiter_core::view::{Finding, PlyRecord, View};
use tournament::Typed;

use super::movetext;

/// A legal half-move of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Legal {
    pub(crate) san: String,
    pub(crate) uci: String,
    /// The position after it.
    pub(crate) fen: String,
    /// The mover's remaining time, in milliseconds.
    pub(crate) clock_ms: Option<u64>,
    /// Nothing else fits, as far as the board has told.
    pub(crate) is_sure: bool,
    /// It is completed (6.2.1).
    pub(crate) is_completed: bool,
}

/// The half-moves of a game as far as they are legal, and those that were typed behind them; and
/// whether the record goes on with something else.
pub(crate) fn legal<R: Borrow<PlyRecord>>(
    chess960: bool,
    view: &View<impl Deref<Target = [R]>, impl Deref<Target = [Finding]>>,
    typed: Option<&Typed>,
) -> (Vec<Legal>, bool) {
    let Some(mut position) = super::start(chess960, view) else {
        return (Vec::new(), !view.plies.is_empty());
    };
    let (typed, _) = movetext::replacing(Some(&position), &view.plies, typed);
    let seen = typed.map_or(view.plies.len(), |typed| usize::from(typed.after));
    let mode = CastlingMode::from_chess960(chess960);
    let mut list = Vec::new();
    for ply in view.plies.iter().take(seen).map(Borrow::borrow) {
        let Some((san, after)) = movetext::played(&position, ply) else {
            return (list, true);
        };
        position = after;
        list.push(Legal {
            san: san.to_string(),
            uci: ply.uci.to_string(),
            fen: fen(&position),
            clock_ms: ply.clock_ms,
            is_sure: !ply.doubtful,
            is_completed: ply.completed,
        });
    }
    // The arbiter has set up another position.
    if typed.is_none() && !movetext::is_at(&position, &view.fen) {
        return (list, true);
    }
    let more = typed.map_or_else(Vec::new, |typed| read(position, &typed.moves, mode));
    let stands = typed.is_some_and(|typed| more.len() < typed.moves.len());
    list.extend(more);
    (list, stands)
}

/// The half-moves that were typed of a game that no board has seen, as far as they are legal.
pub(crate) fn typed(chess960: bool, fen: &str, typed: &Typed) -> Vec<Legal> {
    let mode = CastlingMode::from_chess960(chess960);
    let start = super::unseen_start(fen, chess960);
    start.map_or_else(Vec::new, |start| read(start, &typed.moves, mode))
}

/// Half-moves that were typed, as far as they are legal.
fn read(mut position: Chess, moves: &[String], mode: CastlingMode) -> Vec<Legal> {
    let legal = moves.iter().map_while(|san| {
        let (san, after) = movetext::read(&position, san)?;
        let uci = san.san.to_move(&position).map(|m| m.to_uci(mode));
        position = after;
        Some(Legal {
            san: san.to_string(),
            uci: uci.map(|uci| uci.to_string()).unwrap_or_default(),
            fen: fen(&position),
            clock_ms: None,
            is_sure: true,
            is_completed: true,
        })
    });
    legal.collect()
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
