//! Where moves may be typed: behind what a board has surely seen. What takes the place of more than
//! that, or of what was typed of a game with a confirmed result, is named, with a reason.

use arbiter_core::ruling::ResultReason;
use tournament::{Tournament, Typed};

use super::OfficeError;
use crate::pgn;
use crate::store::{Game, Store};

/// Moves as somebody wants to type them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// They follow on so many half-moves; `None`: nobody said.
    pub after: Option<u16>,
    /// In algebraic notation.
    pub moves: Vec<String>,
    /// Why they take the place of what a board saw, or of what was typed.
    pub reason: String,
    /// The board that follows the game and answers, if one does.
    pub followed: Option<String>,
}

/// What may be typed, and whether it takes the place of something that was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The moves at their place.
    pub typed: Typed,
    /// It is more than to go on where a board has failed, or where nobody has confirmed the result.
    pub replaces: bool,
}

/// The place of moves that somebody types.
///
/// # Errors
/// Where they have none, or a reason is asked for.
pub fn place(
    event: &Tournament,
    (round, table): (u16, u16),
    wanted: Wanted,
    store: &Store,
) -> Result<Place, OfficeError> {
    let pairing = event.pairing(round, table)?;
    let game = pairing.game.as_deref().map(|game| store.game(game));
    let game = game.transpose()?.flatten();
    let seen = game.as_ref().map(Seen::of).unwrap_or_default();
    let Wanted {
        after,
        moves,
        reason,
        followed,
    } = wanted;
    let bad = |what: String| Err(OfficeError::Bad(format!("table {table}: {what}")));
    let Some(after) = after.or((seen.all == 0).then_some(0)) else {
        let Seen { all, sure, .. } = seen;
        return bad(format!(
            "the board has seen {all} half-moves of this game, the first {sure} of them surely; \
             say after how many the typed ones come (`--after {sure}`)"
        ));
    };
    let has_reason = !reason.trim().is_empty();
    if moves.is_empty() && !(has_reason && (after > 0 || pairing.typed.is_some())) {
        let what = match has_reason {
            true => "there are no moves, and none were typed that could be taken away",
            false => {
                "there are no moves; to take away what was typed or seen, say why (`--reason`)"
            }
        };
        return bad(what.to_owned());
    }
    let cuts = usize::from(after) < seen.sure || seen.has_ended;
    let takes = seen.all > 0 && (cuts || followed.is_some());
    let typed = Typed {
        after,
        moves,
        instead: takes,
    };
    let rewrites = pairing.is_settled()
        && pairing.typed.as_ref().is_some_and(|known| {
            let goes_on = known.after == typed.after && typed.moves.starts_with(&known.moves);
            !goes_on
        });
    if rewrites && !has_reason {
        return bad(
            "a person has confirmed how this game ended: what was typed of it is replaced only \
             with a reason (`--reason`)"
                .to_owned(),
        );
    }
    let replaces = takes || rewrites;
    match followed {
        _ if !takes || has_reason => {}
        Some(board) if pairing.is_postponed() => {
            return bad(format!(
                "this game is adjourned, and goes on where board `{board}` has left it, after {} \
                 half-moves: what is typed takes the place of those after half-move {after} only \
                 with a reason (`--reason`)",
                seen.all
            ));
        }
        Some(board) => {
            return bad(format!(
                "board `{board}` follows this game, and has seen {} half-moves of it: what is \
                 typed takes the place of those after half-move {after} only with a reason \
                 (`--reason`)",
                seen.all
            ));
        }
        None if seen.has_ended => {
            return bad(format!(
                "the board has seen this game to its end, {} half-moves: what is typed takes \
                 their place only with a reason (`--reason`)",
                seen.all
            ));
        }
        None => {
            return bad(format!(
                "the board has surely seen {0} half-moves of this game: go on from there \
                 (`--after {0}`), or say why what it saw is replaced (`--reason`)",
                seen.sure
            ));
        }
    }
    Ok(Place { typed, replaces })
}

/// What a board has seen of a game, in half-moves.
#[derive(Clone, Copy, Default)]
struct Seen {
    all: usize,
    /// Those at its beginning that are legal and in no doubt.
    sure: usize,
    /// It was followed to its end.
    has_ended: bool,
}

impl Seen {
    fn of(game: &Game) -> Seen {
        let Some(view) = game.view() else {
            return Seen::default();
        };
        let (legal, _) = pgn::legal(pgn::Tags::of(game).chess960, &view, None);
        let sure = legal.iter().take_while(|ply| ply.is_sure);
        Seen {
            all: view.plies.len(),
            sure: sure.count(),
            has_ended: view.result.is_some_and(|result| {
                use ResultReason::{Annulled, Arbiter};
                !matches!(result.reason, Arbiter | Annulled)
            }),
        }
    }
}
