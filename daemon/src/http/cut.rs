//! A ruling that takes half-moves out of the record is asked about first: what was played since a
//! breach goes with it.

use std::sync::Arc;

use arbiter_core::Input;
use arbiter_core::input::{ArbiterAction, ClaimKind};
use arbiter_core::irregularity::{Code, Party};
use arbiter_core::ruling::{ClaimRight, Irregularity};
use arbiter_core::view::{FindingStatus, PlyRecord, ResultView};
use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use super::Desk;
use super::problem::Problem;
use crate::hall::View;
use crate::reason::Reason;

/// What a ruling would take out of the record.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema, Debug)]
pub(super) struct Cut {
    /// How many half-moves.
    half_moves: usize,
    /// They themselves: `12. Nf3 d5 13. Bd3`.
    moves: String,
    /// The opponent may not claim the breach any more.
    claim_over: bool,
    /// The result that goes with them, be it only proposed; `null` where none does.
    result: Option<ResultView>,
}

/// Whether whoever orders knows what it takes out of the record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Knowing {
    /// `true`, or how many half-moves whoever orders has seen that it takes out: where it would
    /// take out others by now, that is asked about again.
    confirmed: Option<String>,
    /// What it was decided upon: the game, the name of the last order or word of a player on it
    /// that has effect (`0`: there is none), and its result, as `GAME/o17/1-0`; with `#23` after it
    /// also how many were given in all (`ordered`), and with `@41` how many half-moves were
    /// completed. Left out: whatever is so now.
    upon: Option<String>,
}

/// The query of an order.
pub(super) type Known = Result<Query<Knowing>, QueryRejection>;

/// Nobody else orders anything of a board's game while this is held.
pub(super) async fn alone_at(desk: &Desk, board: &str) -> OwnedMutexGuard<()> {
    let state = desk.hall.board(board);
    let game = state
        .as_ref()
        .and_then(|state| state.view())
        .map(|view| view.game.clone());
    desk.hall.alone_with(game.as_deref().unwrap_or(board)).await
}

/// Refuses an order on a board's game that takes out of the record what was played since a breach,
/// unless it is given knowingly.
pub(super) async fn known(
    desk: &Desk,
    board: &str,
    input: &Input,
    known: Known,
) -> Result<(), Problem> {
    let wrong = |error: QueryRejection| Problem::new(error.status(), error.body_text());
    let Query(Knowing { confirmed, upon }) = known.map_err(wrong)?;
    let seen = Seen::read(confirmed.as_deref())?;
    let board_now = desk.hall.board(board);
    if let Some(view) = board_now.as_ref().and_then(|state| state.view())
        && let Some(upon) = upon.as_deref().map(Upon::read)
        && !upon.is_so(view, board_now.as_ref().map_or(0, |state| state.ordered))
        && !was_given(view, input)
        && !is_gone(view, input)
    {
        return Err(stale(view, &upon));
    }
    if let Some(view) = board_now.as_ref().and_then(|state| state.view())
        && was_claimed(view, input)
        && !was_given(view, input)
    {
        let text = "that claim was entered already, in this position";
        return Err(Problem::refused(Reason::new("claimed-already", text)));
    }
    let is_ruling = matches!(
        input.plain(),
        Input::Arbiter(ArbiterAction::Uphold(_) | ArbiterAction::Report { .. })
    );
    let state = desk
        .hall
        .board(board)
        .filter(|_| is_ruling && seen != Seen::All);
    let Some(view) = state.as_ref().and_then(|state| state.view()) else {
        return Ok(());
    };
    // What cannot be tried is refused when it is given.
    let Ok(trial) = desk.hall.try_out(board, input.plain().clone()).await else {
        return Ok(());
    };
    let trial: Value = serde_json::from_str(&trial).unwrap_or_default();
    match cut(view, &trial["view"]) {
        Some((_, cut)) if seen == Seen::HalfMoves(cut.half_moves) => Ok(()),
        Some((upheld, cut)) => Err(problem(upheld, cut)),
        None => Ok(()),
    }
}

/// What whoever orders knows of what it takes out of the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Nothing,
    /// That it takes out so many half-moves.
    HalfMoves(usize),
    /// Whatever it is.
    All,
}

impl Seen {
    fn read(confirmed: Option<&str>) -> Result<Seen, Problem> {
        let error = "`confirmed` is `true`, or how many half-moves are taken out";
        let wrong = || Problem::new(StatusCode::BAD_REQUEST, error);
        match confirmed {
            None | Some("false") => Ok(Seen::Nothing),
            Some("true") => Ok(Seen::All),
            Some(number) => number.parse().map(Seen::HalfMoves).map_err(|_| wrong()),
        }
    }
}

/// What an order on a game is decided upon: what others have ordered and said of it meanwhile.
fn basis(view: &View) -> String {
    let result = view.result.map_or("*", |result| result.result.as_str());
    // Their times do not tell them apart: the clock of a board that is silent may stand.
    let last = view.orders.last();
    let last = last.and_then(|event| event.input.order()).unwrap_or("0");
    format!("{}/{last}/{result}", view.game)
}

/// Upon what something was decided.
struct Upon<'a> {
    /// The game, the last order and the result.
    basis: &'a str,
    /// How many orders were given, where that is said.
    ordered: Option<usize>,
    /// How many half-moves were completed, where that is said.
    plies: Option<usize>,
}

impl<'a> Upon<'a> {
    fn read(upon: &'a str) -> Upon<'a> {
        fn number(text: &str, sign: char) -> (&str, Option<usize>) {
            let both = text.rsplit_once(sign);
            let both = both.and_then(|(rest, n)| Some((rest, Some(n.parse().ok()?))));
            both.unwrap_or((text, None))
        }
        let (rest, plies) = number(upon, '@');
        let (basis, ordered) = number(rest, '#');
        Upon {
            basis,
            ordered,
            plies,
        }
    }

    /// Whether it is so now, after so many orders.
    fn is_so(&self, view: &View, ordered: usize) -> bool {
        self.is_basis(view)
            && self.ordered.is_none_or(|n| n == ordered)
            && self.plies.is_none_or(|plies| plies == view.plies.len())
    }

    fn is_basis(&self, view: &View) -> bool {
        self.basis == basis(view)
    }
}

/// Whether an order of this name counts already: it is sent once more.
fn was_given(view: &View, input: &Input) -> bool {
    let name = |input: &Input| match input {
        Input::Signed(signed) => signed.order.clone(),
        _ => None,
    };
    let own = name(input);
    own.is_some() && view.orders.iter().any(|event| name(&event.input) == own)
}

/// Whether it takes back what has no effect any more: another has done so, and that is told.
fn is_gone(view: &View, input: &Input) -> bool {
    let Input::Arbiter(ArbiterAction::TakeBack { order }) = input.plain() else {
        return false;
    };
    let mut orders = view.orders.iter();
    orders.all(|event| event.input.order() != Some(&**order))
}

/// Whether a player has claimed the same draw wrongly in the same position: another arbiter has
/// entered it. Once more it would be another offence (Article 9.5.3).
fn was_claimed(view: &View, input: &Input) -> bool {
    let Input::Claim {
        by,
        kind: ClaimKind::Threefold | ClaimKind::FiftyMoves,
        ..
    } = input.plain()
    else {
        return false;
    };
    let mut said = view.orders.iter();
    let is_said = said.any(|event| event.input.plain() == input.plain());
    let is_of_this = |told: &Irregularity| {
        let is_wrong = matches!(
            told.code,
            Code::IncorrectDrawClaim | Code::DrawClaimAfterTouch
        );
        is_wrong && told.by == Party::from(*by) && told.ply as usize == view.plies.len() + 1
    };
    let mut findings = view.findings.iter().map(|found| &found.irregularity);
    is_said && findings.any(is_of_this)
}

/// What has changed since somebody decided, in a sentence.
fn stale(view: &View, upon: &Upon<'_>) -> Problem {
    if upon.is_basis(view) {
        let moves = upon.plies.is_some_and(|plies| plies != view.plies.len());
        let reason = match moves {
            true => {
                let text = "the moves are not as they were when this was decided; look at it again";
                Reason::new("moves-are-other", text)
            }
            false => {
                let text = "an order was given and taken back meanwhile; look at it again";
                Reason::new("taken-back-meanwhile", text)
            }
        };
        return Problem::refused(reason);
    }
    let is_of_it = upon.basis.starts_with(&format!("{}/", view.game));
    let last = view.orders.last().filter(|_| is_of_it);
    let said = last.and_then(|event| serde_json::to_value(event).ok());
    let told = said.map(|said| {
        let text = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
        let author = text("author");
        let who = match author.is_empty() {
            true => "somebody else",
            false => &author,
        };
        let what = [text("event"), text("action"), text("result")];
        let what: Vec<String> = what.into_iter().filter(|word| !word.is_empty()).collect();
        let what = what.join(" ");
        let text = format!("{who} has given another order meanwhile: {what}; look at it again");
        let reason = Reason::new("ordered-meanwhile", text).with("order", said);
        match author.is_empty() {
            true => reason,
            false => reason.with("who", author),
        }
    });
    let other = "the game is not as it was when this was decided; look at it again";
    Problem::refused(told.unwrap_or_else(|| Reason::new("game-is-other", other)))
}

/// The same of a game that may be at hand on some board.
pub(super) async fn known_of_game(
    desk: &Desk,
    game: &str,
    input: &Input,
    query: Known,
) -> Result<(), Problem> {
    let boards = desk.hall.boards();
    let is_there = |view: &View| view.game == game;
    let mut boards = boards.iter();
    match boards.find(|board| board.view().is_some_and(is_there)) {
        Some(board) => known(desk, &board.id, input, query).await,
        None => Ok(()),
    }
}

/// What is taken out of a game that is as `before` and would be as `after`, and the finding that is
/// upheld. The offender's own half-move is not much.
fn cut<'a>(before: &'a View, after: &Value) -> Option<(Option<&'a Irregularity>, Cut)> {
    let left = after["plies"].as_array()?.len();
    let gone = before.plies.get(left..).filter(|gone| gone.len() > 1)?;
    let is_upheld = |id: u32| {
        let mut findings = after["findings"].as_array().into_iter().flatten();
        findings.any(|found| found["id"] == id && found["status"] == "upheld")
    };
    let mut open = before.findings.iter();
    let upheld = open.find(|finding| {
        finding.status == FindingStatus::Open && is_upheld(finding.irregularity.id)
    });
    let upheld = upheld.map(|finding| &finding.irregularity);
    let claim_over = |claim: ClaimRight| !claim.open;
    let cut = Cut {
        half_moves: gone.len(),
        moves: written(&before.start_fen, left, gone),
        claim_over: upheld.is_some_and(|told| told.claim.is_some_and(claim_over)),
        result: result_gone(before, after),
    };
    Some((upheld, cut))
}

/// The result that a game has, or that is proposed, and that it would have no more.
fn result_gone(before: &View, after: &Value) -> Option<ResultView> {
    let had = before.result?;
    let is_same = after["result"]["result"] == had.result.as_str();
    (!is_same).then_some(had)
}

/// The half-moves behind the first `left` ones of a record, numbered as it is read: by their place
/// in it, from the number with which it starts.
fn written(start_fen: &str, left: usize, gone: &[Arc<PlyRecord>]) -> String {
    let mut fields = start_fen.split(' ');
    let half = usize::from(fields.nth(1) == Some("b"));
    let first: usize = fields.next_back().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut text = String::new();
    for (n, ply) in gone.iter().enumerate() {
        let half = left + n + half;
        let (number, san) = (first + half / 2, &ply.san);
        text += &match (half.is_multiple_of(2), text.is_empty()) {
            (true, true) => format!("{number}. {san}"),
            (true, false) => format!(" {number}. {san}"),
            (false, true) => format!("{number}... {san}"),
            (false, false) => format!(" {san}"),
        };
    }
    text
}

fn problem(upheld: Option<&Irregularity>, cut: Cut) -> Problem {
    let what = upheld.map_or_else(String::new, |told| format!(" {}", told.text));
    let late = match cut.claim_over {
        true => " The opponent may not claim it any more: uphold what you saw yourself.",
        false => "",
    };
    let goes = match &cut.result {
        Some(_) => " The result that stands or is proposed goes with them.",
        None => "",
    };
    let text = format!(
        "this takes {} half-moves out of the record, {}: the position before them is to be put \
         back, and play goes on from there.{goes}{what}{late} Order it again with `confirmed=true` \
         (`--yes`), or dismiss it and enter a penalty",
        cut.half_moves, cut.moves
    );
    Problem::new(StatusCode::CONFLICT, text).with_cut(cut)
}
