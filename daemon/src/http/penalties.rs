//! Penalties of players, noted and taken back (Article 12.9).

use access::Right;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::{Extension, Json};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json as value;
use tournament::{Act, Penalty, PenaltyTime};

use super::author::By;
use super::event::{Document, reason_missing};
use super::guard::have;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::office::{Book, OfficeError, legible};
use crate::people::Visitor;
use crate::reason::Reason;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .post(
            "/api/penalties",
            penalise,
            "Note a penalty of a player (Article 12.9)",
        )
        .about(
            "Nothing adds penalties up: only the regulations of the event could say how. With \
             `upon` one that was decided beside another of that player is refused with 409.",
        )
        .reads::<Noted>(
            "penalty",
            value!({
                "player": 7, "round": 3, "what": "a warning", "reason": "his telephone rang"
            }),
        )
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
        .post(
            "/api/penalties/take-back",
            take_back,
            "Take a penalty back that was noted by mistake",
        )
        .about(
            "Without `at`, which says when it was noted, the only one of that `what`, or the only \
             one that the player has of the round.",
        )
        .reads::<NoPenalty>(
            "penalty",
            value!({
                "player": 7, "round": 3, "at": "2026-11-27T13:04:30.5Z",
                "reason": "it was player 8"
            }),
        )
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
}

type Body<T> = Result<Json<T>, JsonRejection>;

/// A penalty that is noted.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NotedPenalty")]
pub(super) struct Noted {
    /// The player's starting number.
    player: u16,
    /// In which round.
    round: u16,
    /// With what.
    what: String,
    /// What for.
    reason: String,
    /// What it changes on the clocks; left out: what `what` says of that, as `+2:00` for the
    /// opponent.
    time: Option<PenaltyTime>,
    /// How many penalties the player had of the round when this one was decided. Left out:
    /// whatever is so now.
    upon: Option<usize>,
}

async fn penalise(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    By(author): By,
    body: Body<Noted>,
) -> Result<Json<Document>, Problem> {
    let Json(Noted {
        player,
        round,
        what,
        reason,
        time,
        upon,
    }) = body?;
    may_penalise(&desk, &visitor, (round, player))?;
    legible(&[("the penalty", &what), ("the reason", &reason)])?;
    if reason.trim().is_empty() {
        return Err(reason_missing().into());
    }
    let is_upon_all = |book: &Book| {
        let his: Vec<&Penalty> = his(book, player, round).collect();
        match (his.last(), upon) {
            (_, None) => Ok(()),
            (_, Some(n)) if n == his.len() => Ok(()),
            (Some(last), _) => Err(OfficeError::unfit(noted_meanwhile(last))),
            (None, _) => Err(OfficeError::unfit(taken_back_meanwhile(player))),
        }
    };
    let act = Act::Penalise {
        player,
        round,
        what,
        reason,
        at: Timestamp::now().to_string(),
        time,
    };
    desk.office.act_if(&author, &[act], is_upon_all).await?;
    Ok(Json(Document::of(&desk)))
}

/// Whoever rules at a table penalises who plays there. Of who plays at none it is the chief's.
fn may_penalise(
    desk: &Desk,
    visitor: &Visitor,
    (round, player): (u16, u16),
) -> Result<(), Problem> {
    let book = desk.office.book();
    match book.event.table_of_player(round, player) {
        Ok(Some(table)) => have(visitor, Right::Rule, Some(table.into())),
        _ => have(visitor, Right::Rounds, None),
    }
}

/// The penalties that a player has of a round.
fn his(book: &Book, player: u16, round: u16) -> impl Iterator<Item = &Penalty> {
    let all = book.event.penalties.iter();
    all.filter(move |penalty| (penalty.player, penalty.round) == (player, round))
}

fn noted_meanwhile(last: &Penalty) -> Reason {
    let text = format!(
        "a penalty of player {} was noted or taken back meanwhile; the last is: {} ({}). Look at \
         it again",
        last.player, last.what, last.reason
    );
    let reason = Reason::new("penalty-meanwhile", text).with("player", last.player);
    let reason = reason.with("what", last.what.as_str());
    reason.with("reason", last.reason.as_str())
}

fn taken_back_meanwhile(player: u16) -> Reason {
    let text =
        format!("the penalties of player {player} were taken back meanwhile; look at it again");
    Reason::new("penalties-gone-meanwhile", text).with("player", player)
}

/// A penalty that is none.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoPenalty {
    /// The player's starting number.
    player: u16,
    /// The round of which it was noted.
    round: u16,
    /// With what he was penalised; left out: the only one.
    what: Option<String>,
    /// When it was noted, as the event says: of two that read alike nothing else tells which.
    at: Option<String>,
    /// Why it is none.
    reason: String,
}

async fn take_back(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    By(author): By,
    body: Body<NoPenalty>,
) -> Result<Json<Document>, Problem> {
    let Json(NoPenalty {
        player,
        round,
        what,
        at,
        reason,
    }) = body?;
    may_penalise(&desk, &visitor, (round, player))?;
    legible(&[("the reason", &reason)])?;
    if reason.trim().is_empty() {
        return Err(reason_missing().into());
    }
    let book = desk.office.book();
    let is_meant = |noted: &&Penalty| {
        let is_that = what.as_ref().is_none_or(|what| *what == noted.what);
        is_that && at.as_ref().is_none_or(|at| *at == noted.at)
    };
    let meant: Vec<&Penalty> = his(&book, player, round).filter(is_meant).collect();
    let taken = match *meant {
        [] => return Err(tournament::Refusal::NoPenalty { player, round }.into()),
        [one] => one,
        // Nothing tells those apart that were noted without a moment.
        [.., last]
            if meant
                .iter()
                .all(|one| one.what == last.what && one.at == last.at) =>
        {
            last
        }
        _ => return Err(OfficeError::Bad(several(player, round, &meant)).into()),
    };
    let act = Act::TakePenaltyBack {
        player,
        round,
        what: taken.what.clone(),
        at: taken.at.clone(),
        reason,
    };
    desk.office.act(&author, &[act]).await?;
    Ok(Json(Document::of(&desk)))
}

/// Each with what tells it from the others.
fn several(player: u16, round: u16, meant: &[&Penalty]) -> String {
    let called = |one: &&Penalty| match one.at.is_empty() {
        true => format!("`{}`", one.what),
        false => format!("`{}` at {}", one.what, one.at),
    };
    let all: Vec<String> = meant.iter().map(called).collect();
    let all = all.join(", ");
    format!("player {player} has several of round {round}: say which, {all}")
}
