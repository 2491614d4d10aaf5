//! Whether what stands on a scoresheet can be.

use arbiter_core::shakmaty::{Chess, Outcome, Position};
use tournament::{How, ResultCode, Tournament, Typed, is_one_name};

use super::{OfficeError, Scoresheet};
use crate::pgn::{self, Unplayable};
use crate::store::{Game, Store};

/// Whether the moves of a scoresheet can be played, and its players, its start and its result are
/// not others than what is known. Gives the names in it that nobody here has, in words, and how the
/// game has ended by what is written behind the moves, or else by their last position.
///
/// # Errors
/// Where they cannot, with the first that is wrong.
pub fn check(
    event: &Tournament,
    (round, table): (u16, u16),
    (typed, sheet): (&Typed, &Scoresheet),
    store: &Store,
) -> Result<(Vec<String>, Option<[ResultCode; 2]>), OfficeError> {
    let strangers = players(event, (round, table), sheet)?;
    start(event, (round, table), (typed, sheet))?;
    let position = last_position(event, (round, table), (typed, &sheet.places), store)?;
    let bad = |what: String| Err(OfficeError::Bad(what));
    let known = event.pairing(round, table)?.outcome.as_ref();
    let of_play = known.filter(|known| !matches!(known.how, How::Arbiter | How::Forfeit));
    if let Some((shown, known)) = shown(&position).zip(of_play)
        && ResultCode::pgn(known.codes) != shown
    {
        return bad(format!(
            "the game ends with {shown} by its last position, and table {table} of round {round} \
             has {}: correct one of them",
            ResultCode::written(known.codes)
        ));
    }
    let Some(result) = sheet.result.map(ResultCode::pgn) else {
        // A mate needs no result behind it (Article 5.1.1).
        return Ok((strangers, shown(&position).and_then(ResultCode::both)));
    };
    if let Some(shown) = shown(&position).filter(|shown| *shown != result) {
        return bad(format!(
            "the scoresheet ends with {result}, and its last position with {shown}"
        ));
    }
    let known = known.map(|known| known.codes);
    match known.filter(|known| ResultCode::pgn(*known) != result) {
        Some(known) => bad(format!(
            "the scoresheet ends with {result}, and table {table} of round {round} has {}: \
             correct one of them",
            ResultCode::written(known)
        )),
        None => Ok((strangers, sheet.result)),
    }
}

/// Refuses a scoresheet that names somebody of this event who does not sit there; gives names that
/// nobody of this event has, in words.
fn players(
    event: &Tournament,
    (round, table): (u16, u16),
    sheet: &Scoresheet,
) -> Result<Vec<String>, OfficeError> {
    let pairing = event.pairing(round, table)?;
    let mut strangers = Vec::new();
    for (side, number) in [("White", Some(pairing.white)), ("Black", pairing.black)] {
        let Some((said, (line, column))) = sheet.tag(side) else {
            continue;
        };
        let seated = number.and_then(|number| event.players.get(&number));
        if seated.is_none_or(|seated| is_one_name(&seated.name, said)) {
            continue;
        }
        let mut others = event.players.values();
        if let Some(other) = others.find(|player| is_one_name(&player.name, said)) {
            let seated = seated.map_or("", |seated| &seated.name);
            return Err(OfficeError::Bad(format!(
                "line {line}, column {column}: {side} is `{said}` there, number {} of this event; \
                 at table {table} of round {round} it is `{seated}`",
                other.number
            )));
        }
        strangers.push(format!("the name `{said}` of {side}"));
    }
    Ok(strangers)
}

/// Refuses a scoresheet whose tag `FEN` says another position than that from which the game starts.
fn start(
    event: &Tournament,
    (round, table): (u16, u16),
    (typed, sheet): (&Typed, &Scoresheet),
) -> Result<(), OfficeError> {
    const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let start = event.pairing(round, table)?.start.clone();
    let start = start.unwrap_or_default();
    // Where the board has seen the first moves, the sheet may begin behind them.
    let is_open = start.fen.is_empty() && start.chess960;
    let Some((said, (line, column))) = sheet.tag("FEN").filter(|_| typed.after == 0 && !is_open)
    else {
        return Ok(());
    };
    let known = if start.fen.is_empty() {
        USUAL
    } else {
        start.fen.as_str()
    };
    // Rights of castling are written in two ways, and squares passed over not by everybody.
    let position =
        |fen: &str| -> Vec<String> { fen.split_whitespace().take(2).map(str::to_owned).collect() };
    if position(said) == position(known) {
        return Ok(());
    }
    Err(OfficeError::Bad(format!(
        "line {line}, column {column}: the scoresheet starts from the position `{said}`, and the \
         game at table {table} of round {round} from `{known}`"
    )))
}

/// What the moves of the game at a table say of its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// There are some, typed or seen by a board.
    pub any: bool,
    /// They were typed: whoever typed them can correct them.
    pub typed: bool,
    /// How it has ended by them, where all are sure: mate, stalemate, no material to mate with.
    pub shown: Option<&'static str>,
}

/// What is played at a table: as it was typed, or else as its board has seen it.
///
/// # Errors
/// Where there is no such table, or the store cannot be read.
pub fn played(
    event: &Tournament,
    (round, table): (u16, u16),
    store: &Store,
) -> Result<Played, OfficeError> {
    let pairing = event.pairing(round, table)?;
    let game = pairing.game.as_deref().map(|game| store.game(game));
    let game = game.transpose()?.flatten();
    let view = game.as_ref().and_then(|game| Some((game, game.view()?)));
    let seen = view.as_ref().map_or(0, |(_, view)| view.plies.len());
    let typed = pairing.typed.is_some();
    let any = seen > 0 || typed;
    let sure = || {
        let (game, view) = view.as_ref()?;
        let (legal, _) = pgn::legal(pgn::Tags::of(game).chess960, view, None);
        let is_sure = legal.len() == seen && legal.iter().all(|ply| ply.is_sure);
        let after = u16::try_from(seen).ok().filter(|_| is_sure)?;
        let moves = Vec::new();
        Some(Typed {
            after,
            moves,
            instead: false,
        })
    };
    let shown = match pairing.typed.clone().or_else(sure) {
        Some(typed) => outcome(event, (round, table), &typed, store)?,
        None => None,
    };
    Ok(Played { any, typed, shown })
}

fn outcome(
    event: &Tournament,
    seat: (u16, u16),
    typed: &Typed,
    store: &Store,
) -> Result<Option<&'static str>, OfficeError> {
    match last_position(event, seat, (typed, &[]), store) {
        Ok(position) => Ok(shown(&position)),
        // What the board has seen was put right since: the moves follow on nothing.
        Err(OfficeError::Bad(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn shown(position: &Chess) -> Option<&'static str> {
    match position.outcome() {
        Outcome::Known(outcome) => Some(outcome.as_str()),
        Outcome::Unknown => None,
    }
}

/// The position behind the last of the moves.
fn last_position(
    event: &Tournament,
    (round, table): (u16, u16),
    (typed, places): (&Typed, &[(usize, usize)]),
    store: &Store,
) -> Result<Chess, OfficeError> {
    let pairing = event.pairing(round, table)?;
    let start = pairing.start.clone().unwrap_or_default();
    let unseen = pgn::unseen_start(&start.fen, start.chess960);
    let game = pairing.game.as_deref();
    let game = game.map(|game| store.game(game)).transpose()?.flatten();
    let chess960 = game
        .as_ref()
        .is_some_and(|game| pgn::Tags::of(game).chess960);
    let view = game.as_ref().and_then(Game::view);
    pgn::after_typed(unseen, chess960, view.as_ref(), typed).map_err(|why| {
        OfficeError::Bad(match why {
            Unplayable::Illegal(n) => {
                let what = &typed.moves[n - 1];
                let place = places.get(n - 1);
                let place = place.map(|(line, column)| format!(" (line {line}, column {column})"));
                let place = place.unwrap_or_default();
                format!("`{what}`, the typed move {n}{place}, is no legal move there")
            }
            Unplayable::NoStart => {
                "nobody has said from which position this game starts: load its pairing with the \
                 tag FEN"
                    .to_owned()
            }
            Unplayable::Seen(seen) => format!(
                "the board has seen {seen} half-moves of this game; say after how many of them \
                 the typed ones come"
            ),
        })
    })
}
