//! A game as PGN (Portable Game Notation, export format): tags, moves at 80 columns, clock times as
//! `[%clk h:mm:ss]`.
//!
//! PGN holds legal moves only. Where the record leaves them (an illegal move that stands, a
//! position set by the arbiter in mid-game), the moves end there, and a comment lists what was
//! played from then on as from-to and gives the last position as FEN. Irregularities that the
//! arbiter upheld, and doubts that are still open, are comments after the ply they belong to.

mod legal;
mod movetext;
mod names;
mod read;
#[cfg(test)]
mod tests;

use std::borrow::Borrow;
use std::ops::Deref;

use arbiter_core::ruling::{GameResult, ResultReason};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{CastlingMode, Chess, EnPassantMode, PositionError};
use arbiter_core::view::{Finding, PlyRecord, ResultView, View};
use arbiter_core::{Event, Input};

use tournament::Typed;

use crate::plain;
use crate::store::Game;
pub(crate) use legal::{Legal, legal, typed};
pub(crate) use movetext::Wrapped;
pub use names::{Head, PERSON, renamed, renamed_in, retagged};
pub use read::{PgnError, Played, read};

/// What a PGN says of a game besides its moves. Empty text means unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags {
    /// The tournament or match.
    pub event: String,
    /// The place.
    pub site: String,
    /// The day the game started, as `2026.11.21`.
    pub date: String,
    /// The round.
    pub round: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Whether castling follows Chess960; the PGN then names its variant.
    pub chess960: bool,
    /// Further tags: name (letters, digits, underscore) and value. Names of the tags above are not
    /// repeated.
    pub further: Vec<(String, String)>,
    /// The position from which it starts, where no board has told and it is not the usual one.
    pub fen: String,
    /// Which of the store's events it belongs to, from 1; 0: to none.
    pub of_event: usize,
    /// How the game ended, where a person has said so: whatever the board has shown.
    pub result: Option<&'static str>,
    /// How it went on by the scoresheets.
    pub typed: Option<Typed>,
}

impl Tags {
    /// The tags of a game of the store.
    pub fn of(game: &Game) -> Tags {
        let chess960 =
            matches!(game.events.first(), Some(Event { input: Input::Setup(s), .. }) if s.chess960);
        Tags {
            chess960,
            ..Tags::from(&game.row.tags)
        }
    }

    /// The round and the table, of a game of a round.
    pub fn seat(&self) -> Option<(u16, u16)> {
        let (_, table) = self.further.iter().find(|(name, _)| name == "Board")?;
        let (round, of) = self.round.split_once('.')?;
        Some((round.parse().ok()?, table.parse().ok()?)).filter(|_| of == table)
    }
}

/// The tags every PGN starts with, in their order; `Result` closes them.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Writes the game that `view` shows as one PGN game, with a line end after the result.
pub fn render<R: Borrow<PlyRecord>>(
    tags: &Tags,
    view: &View<impl Deref<Target = [R]>, impl Deref<Target = [Finding]>>,
) -> String {
    let result = tags.result.unwrap_or_else(|| result(view).as_str());
    let mut own = own_tags(tags.chess960, view);
    own.extend(termination(tags, view));
    let mut out = headed(tags, result, &own);
    let start = start(tags.chess960, view);
    let typed = tags.typed.as_ref();
    out.push_str(&movetext::render(start, view, typed, result));
    out
}

/// Writes a game that no board has seen: what was typed of it, or no moves.
pub fn render_unseen(tags: &Tags) -> String {
    let result = tags.result.unwrap_or(GameResult::Open.as_str());
    let mut own = Vec::new();
    if tags.chess960 {
        own.push(("Variant", "Chess960".to_owned()));
    }
    if !tags.fen.is_empty() {
        own.push(("SetUp", "1".to_owned()));
        own.push(("FEN", tags.fen.clone()));
    }
    let mut out = headed(tags, result, &own);
    let typed = tags.typed.as_ref();
    let start = unseen_start(&tags.fen, tags.chess960);
    out.push_str(&movetext::unseen(start, typed, result));
    out
}

/// From where a game starts that no board has seen. `None`: one of Chess960 whose array nobody has
/// said.
pub(crate) fn unseen_start(fen: &str, chess960: bool) -> Option<Chess> {
    match fen {
        "" => (!chess960).then(Chess::default),
        fen => position(fen, chess960),
    }
}

/// How a game of a round came to its end, as the standard of 1994 names it (section 9.8.1).
fn termination<P, F>(tags: &Tags, view: &View<P, F>) -> Option<(&'static str, String)> {
    tags.seat()?;
    let open = GameResult::Open.as_str();
    // The board need not have shown what a person has said.
    let said = tags.result.is_some_and(|said| said != open);
    let is_over = said || (tags.result.is_none() && result(view).as_str() != open);
    // Where somebody has said another result than the board has shown, how that came says nothing.
    let is_said = |shown: &ResultView| tags.result == Some(shown.result.as_str());
    let shown = view.result.filter(|shown| !said || is_said(shown));
    let how = match shown.map(|result| result.reason) {
        Some(ResultReason::Annulled) if !said => "abandoned",
        // What is only proposed has ended nothing.
        _ if !is_over => "unterminated",
        None => "normal",
        Some(ResultReason::FlagFall) => "time forfeit",
        Some(ResultReason::ForfeitIllegalMoves) => "rules infraction",
        Some(ResultReason::Annulled) => "abandoned",
        Some(ResultReason::Arbiter) => "adjudication",
        Some(_) => "normal",
    };
    Some(("Termination", how.to_owned()))
}

/// The tags of a game, and the empty line that ends them.
fn headed(tags: &Tags, result: &str, own: &[(&'static str, String)]) -> String {
    let mut out = String::new();
    let or = |text: &str, unknown: &str| {
        if text.trim().is_empty() {
            unknown.to_owned()
        } else {
            text.to_owned()
        }
    };
    let values = [
        or(&tags.event, "?"),
        or(&tags.site, "?"),
        or(&tags.date, "????.??.??"),
        or(&tags.round, "?"),
        or(&tags.white, "?"),
        or(&tags.black, "?"),
        result.to_owned(),
    ];
    for (name, value) in ROSTER.iter().zip(&values) {
        tag(&mut out, name, value);
    }
    for (name, value) in own {
        tag(&mut out, name, value);
    }
    let taken = |name: &str| {
        ROSTER.contains(&name)
            || ["Variant", "SetUp", "FEN", "GameId"].contains(&name)
            || own.iter().any(|(own, _)| *own == name)
    };
    for (name, value) in tags
        .further
        .iter()
        .filter(|(name, _)| is_tag_name(name) && !taken(name))
    {
        tag(&mut out, name, value);
    }
    out.push('\n');
    out
}

/// Why typed moves cannot follow on what a board has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unplayable {
    /// The board has not seen so many half-moves that are legal, but only these.
    Seen(u16),
    /// Nobody has said from which position the game starts.
    NoStart,
    /// The typed move of this number, from 1, is not legal.
    Illegal(usize),
}

/// The position after the typed moves, which come after `after` half-moves of the game that `view`
/// shows. Without a view the game begins at `unseen`.
///
/// # Errors
/// Where they cannot be played.
pub fn after_typed<R: Borrow<PlyRecord>>(
    unseen: Option<Chess>,
    chess960: bool,
    view: Option<&View<impl Deref<Target = [R]>, impl Deref<Target = [Finding]>>>,
    typed: &Typed,
) -> Result<Chess, Unplayable> {
    let position = match view {
        Some(view) => start(chess960, view),
        None => unseen,
    };
    let mut position = position.ok_or(Unplayable::NoStart)?;
    let plies = view.map_or(&[][..], |view| &view.plies[..]);
    for n in 0..typed.after {
        let ply = plies.get(usize::from(n)).ok_or(Unplayable::Seen(n))?;
        let played = movetext::played(&position, ply.borrow());
        position = played.ok_or(Unplayable::Seen(n))?.1;
    }
    for (n, san) in (1..).zip(&typed.moves) {
        let read = movetext::read(&position, san);
        position = read.ok_or(Unplayable::Illegal(n))?.1;
    }
    Ok(position)
}

/// The game's result as it is recorded: a result that waits for a human's word counts only where
/// the players gave it themselves, by placing the kings.
pub fn result<P, F>(view: &View<P, F>) -> GameResult {
    match view.result {
        Some(r) if !r.proposed || r.reason == ResultReason::KingsPlaced => r.result,
        _ => GameResult::Open,
    }
}

/// Variant and start, where they are not the usual ones, and the name by which the program knows
/// the game.
fn own_tags<P, F>(chess960: bool, view: &View<P, F>) -> Vec<(&'static str, String)> {
    let mut list = Vec::new();
    if chess960 {
        list.push(("Variant", "Chess960".to_owned()));
    }
    let usual = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    if (chess960 || view.start_fen != usual) && view.start_fen.parse::<Fen>().is_ok() {
        list.push(("SetUp", "1".to_owned()));
        list.push(("FEN", view.start_fen.clone()));
    }
    if !view.game.is_empty() {
        list.push(("GameId", view.game.clone()));
    }
    list
}

/// The position the moves start from; `None` when it is unknown or no moves can be given in it.
fn start<P, F>(chess960: bool, view: &View<P, F>) -> Option<Chess> {
    position(&view.start_fen, chess960)
}

/// A position from which a game can have begun, whatever rights its FEN gives in vain.
pub(crate) fn position(fen: &str, chess960: bool) -> Option<Chess> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    let mode = if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .ok()
}

fn is_tag_name(name: &str) -> bool {
    let first_is_letter = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    first_is_letter && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(crate) fn tag(out: &mut String, name: &str, value: &str) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if plain::is_hidden(c) => out.push(' '),
            c => out.push(c),
        }
    }
    out.push_str("\"]\n");
}
