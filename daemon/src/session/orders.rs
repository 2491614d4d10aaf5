//! What people order: the arbiter's actions, what players declare, the next game.

use std::time::Instant;

use arbiter_core::input::{ArbiterAction, FindingRef, StartFen};
use arbiter_core::view::Finding;
use arbiter_core::{Announcement, Arbiter, Event, Input, Ruling};

use super::begin::Named;
use super::{Session, rests};
use crate::chess960::Chess960;
use crate::hall::{Demand, NewGame, OrderError};
use crate::plain;
use crate::reason::Reason;
use crate::store::Tags;

impl Session {
    /// Carries out an order. It counts once it is in the journal; so does one that is refused.
    /// Returns the name by which it can be taken back.
    pub(super) async fn obey(&mut self, demand: Demand) -> Result<Option<String>, OrderError> {
        let obeyed = match demand {
            Demand::Declare(input) if self.is_about_earlier(&input) => self.answer(input).await,
            Demand::Declare(input) => self.declare(input),
            Demand::Try(input) => self.try_out(input),
            Demand::Rule { game, input } => self.rule_on(&game, input).await,
            Demand::NewGame(game) => self.new_game(game).await.map(|()| None),
            Demand::TakeUp(game) => self.take_up(&game).await,
            Demand::LetGo(game) => self.let_go(&game),
            Demand::Rename { game, tags } => {
                self.rename(&game, tags);
                Ok(None)
            }
            Demand::Calibrate => self.calibrate(),
            // Whoever has the line does that.
            Demand::Connect(_) => Ok(None),
        };
        self.follow_the_event();
        self.commit().await;
        // A commit that ends with the session leaves the order unwritten.
        if self.parts.shutdown.is_cancelled() {
            Err(OrderError::ShuttingDown)
        } else {
            obeyed
        }
    }

    /// Calls a game otherwise, where it is the one at hand or the one before.
    fn rename(&mut self, game: &str, tags: Tags) {
        if let Some(earlier) = &mut self.earlier {
            earlier.rename(game, &tags);
        }
        if let Some(record) = self.record.as_mut().filter(|r| *r.game == *game) {
            record.tags = tags;
        }
    }

    pub(super) fn declare(&mut self, input: Input) -> Result<Option<String>, OrderError> {
        may_be_declared(&input)?;
        let names = [input.order(), input.author()];
        names.into_iter().flatten().try_for_each(legible)?;
        if self.arbiter.setup().is_none() {
            return Err(OrderError::NoGame);
        }
        let findings = self.view().map(|view| view.findings.clone());
        let input = described(input, findings.as_deref());
        if let Some(given) = self.was_given(&input) {
            return Ok(Some(given));
        }
        self.may_go_on(&input)?;
        self.may_cut(&input)?;
        self.may_end(&input)?;
        self.may_be_for_record(&input)?;
        let count = self.record.as_ref().map_or(0, |record| record.count());
        let input = named(input, count, &self.arbiter);
        let order = input.order().map(str::to_owned);
        let at = self.timeline.declared(Instant::now());
        let event = Event {
            at,
            input: input.clone(),
        };
        rests::may_take_back(&self.arbiter, &event)?;
        let before = self.said.len();
        self.note_who_undoes(&input);
        self.tell(event);
        refused(&self.said[before..], &input).map_or(Ok(order), Err)
    }

    /// The name of an order that was given before, word for word, and has effect: whoever did not
    /// hear the answer sends it again, and it counts once.
    fn was_given(&mut self, input: &Input) -> Option<String> {
        let name = input.order()?;
        let view = self.view().filter(|_| self.arbiter.knows_order(name))?;
        let mut orders = view.orders.iter();
        let is_there = orders.any(|given| given.input == *input);
        is_there.then(|| name.to_owned())
    }

    async fn new_game(&mut self, game: NewGame) -> Result<(), OrderError> {
        let fen = game
            .fen
            .as_deref()
            .map(StartFen::parse)
            .transpose()
            .map_err(OrderError::Bad)?;
        let array = game.chess960.and_then(Chess960::start);
        if fen.is_some() && array.is_some() {
            return Err(OrderError::Bad(
                "give `fen` or the number of an array, not both".to_owned(),
            ));
        }
        let names = [&game.white, &game.black, &game.round];
        names
            .into_iter()
            .flatten()
            .try_for_each(|name| legible(name))?;
        if self.info.is_none() && self.record.is_none() {
            return Err(OrderError::NoGame);
        }
        let named = Named {
            white: game.white.clone(),
            black: game.black.clone(),
            round: game.round.clone(),
        };
        self.may_begin(&named)?;
        may_begin_so(&game, self.is_waited_for())?;
        if let Some(fen) = fen.clone().filter(|_| self.is_waited_for()) {
            // Of the next one nothing is said with it.
            match game.played {
                Some(true) => self.begin_as_played(fen).await?,
                _ => self.begin_set(fen).await,
            }
            return Ok(());
        }
        let board = &mut self.parts.board;
        board.fen = fen.or(array).or_else(|| board.fen.take());
        board.chess960 = game.chess960.map_or(board.chess960, Chess960::castling);
        let at = self.timeline.declared(Instant::now());
        self.begin(at, named).await;
        Ok(())
    }
}

/// Refuses what could only be left out: what was played before is of the game of a pairing alone,
/// from what stood then, and its round says whether that one is of Chess960.
fn may_begin_so(game: &NewGame, is_waited_for: bool) -> Result<(), OrderError> {
    let is_played = game.played == Some(true);
    let reason = if is_played && !is_waited_for {
        let what = "no game of a round waits at this board: nothing was played of one";
        Reason::new("played-of-no-round", what)
    } else if is_played && game.fen.is_none() {
        let what = "say with `fen` what stood there when play began";
        Reason::new("played-from-nowhere", what)
    } else if is_waited_for && game.fen.is_some() && game.chess960.is_some() {
        let what = "the round says whether its game is of Chess960: leave that out";
        Reason::new("variant-of-round", what)
    } else {
        return Ok(());
    };
    Err(OrderError::refused(reason))
}

/// The order with all that tells which finding it means: a later version of the program may number
/// findings otherwise.
pub(super) fn described(input: Input, findings: Option<&[Finding]>) -> Input {
    let described = |finding: FindingRef| {
        let mut findings = findings.unwrap_or_default().iter();
        let meant = findings.find(|f| f.irregularity.id == finding.id);
        match meant.map(|f| &f.irregularity) {
            Some(told) if !finding.is_described() => FindingRef {
                id: finding.id,
                code: Some(told.code),
                ply: Some(told.ply),
                by: Some(told.by),
                ..finding
            },
            _ => finding,
        }
    };
    let (order, author) = (input.order(), input.author());
    let plain = match input.plain() {
        Input::Arbiter(ArbiterAction::Uphold(finding)) => {
            Input::Arbiter(ArbiterAction::Uphold(described(*finding)))
        }
        Input::Arbiter(ArbiterAction::Dismiss(finding)) => {
            Input::Arbiter(ArbiterAction::Dismiss(described(*finding)))
        }
        other => other.clone(),
    };
    plain.signed(order.map(Into::into), author.map(Into::into))
}

/// The order under a name: its own, or one that no order of the game has, of which the journal has
/// `count` events.
pub(super) fn named(input: Input, count: u64, arbiter: &Arbiter) -> Input {
    if input.order().is_some() {
        return input;
    }
    let mut names = (count..).map(|n| format!("o{n}"));
    let free = names.find(|name| !arbiter.knows_order(name));
    let author = input.author().map(Into::into);
    input.plain().clone().signed(free.map(Into::into), author)
}

/// Refuses a name that others could not read as it stands.
pub(super) fn legible(name: &str) -> Result<(), OrderError> {
    let complaint = plain::complaint(name);
    complaint.map_or(Ok(()), |complaint| {
        Err(OrderError::Bad(format!("a name {complaint}")))
    })
}

/// Whether an order was refused, and why. Where it makes an earlier one void, that one is refused
/// too, and this one is not.
pub(super) fn refused(said: &[Announcement], order: &Input) -> Option<OrderError> {
    let taken_back = match order.plain() {
        Input::Arbiter(ArbiterAction::TakeBack { order }) => Some(&**order),
        _ => None,
    };
    // People know a finding by what was found, and not by its number.
    let code = match order.plain() {
        Input::Arbiter(ArbiterAction::Uphold(finding) | ArbiterAction::Dismiss(finding)) => {
            finding.code
        }
        _ => None,
    };
    let named = |reason: Reason| match code {
        Some(code) => reason.with("code", code),
        None => reason,
    };
    let is_meant = |name: Option<&str>| name == order.order() || name == taken_back;
    said.iter().find_map(|said| match &said.ruling {
        Ruling::Refused {
            order,
            because,
            text,
        } if is_meant(order.as_deref()) => {
            Some(OrderError::refused(named(Reason::of_order(because, text))))
        }
        _ => None,
    })
}

/// Evidence comes from boards, and games begin by name; everything else people may declare.
pub(super) fn may_be_declared(input: &Input) -> Result<(), OrderError> {
    match input.plain() {
        Input::Lift { .. } => Err(OrderError::NotAnOrder("a lift")),
        Input::Place { .. } => Err(OrderError::NotAnOrder("a place")),
        Input::Snapshot { .. } => Err(OrderError::NotAnOrder("a snapshot")),
        Input::Suspect { .. } => Err(OrderError::NotAnOrder("a board's word on its own sensors")),
        Input::Tick => Err(OrderError::NotAnOrder("a tick")),
        Input::Mating { .. } => Err(OrderError::Bad(
            "who can mate is worked out by the program itself".to_owned(),
        )),
        Input::Setup(_) => Err(OrderError::Bad(
            "a game is started by the order for a new game".to_owned(),
        )),
        Input::Press { .. }
        | Input::Adjust { .. }
        | Input::FlagFall { .. }
        | Input::Stop { .. }
        | Input::Claim { .. }
        | Input::Draw { .. }
        | Input::Resign { .. }
        | Input::Arbiter(_)
        | Input::Signed(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::hall::NOT_ORDERED;
    use crate::script;

    use super::*;

    /// What is refused here is what the description of orders leaves out.
    #[test]
    fn what_may_be_declared_is_what_is_described() {
        let board = ".".repeat(64);
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let fields = format!(
            r#""sensor":"piece","square":"e4","board":"{board}","by":"white","kind":"threefold",
            "step":"offer","action":"pause","order":"o1","fen":"{fen}","white":"can","black":"can",
            "squares":[]"#
        );
        let declared = [
            "press",
            "adjust",
            "flag-fall",
            "stop",
            "claim",
            "draw",
            "resign",
            "arbiter",
        ];
        for event in NOT_ORDERED.into_iter().chain(declared) {
            let line = format!(r#"{{"event":"{event}",{fields}}}"#);
            let input = script::parse_input(line.as_bytes()).expect("an input");
            assert_eq!(
                may_be_declared(&input).is_err(),
                NOT_ORDERED.contains(&event),
                "{event}"
            );
        }
    }
}
