//! What people order: the arbiter's actions, what players declare, the next game.

use std::time::Instant;

use arbiter_core::input::{ArbiterAction, StartFen};
use arbiter_core::view::{FindingStatus, Phase};
use arbiter_core::{Event, Input};

use super::Session;
use crate::chess960::Chess960;
use crate::hall::{Demand, NewGame, OrderError};

impl Session {
    /// Carries out an order. It counts once it is in the journal.
    pub(super) async fn obey(&mut self, demand: Demand) -> Result<(), OrderError> {
        match demand {
            Demand::Declare(input) => self.declare(input)?,
            Demand::NewGame(game) => self.new_game(game).await?,
        }
        self.commit().await;
        // A commit that ends with the session leaves the order unwritten.
        if self.parts.shutdown.is_cancelled() {
            Err(OrderError::ShuttingDown)
        } else {
            Ok(())
        }
    }

    fn declare(&mut self, input: Input) -> Result<(), OrderError> {
        may_be_declared(&input)?;
        let view = self.view().ok_or(OrderError::NoGame)?;
        if let Input::Arbiter(ArbiterAction::Uphold { id } | ArbiterAction::Dismiss { id }) = &input
        {
            let is_open = |finding: &&arbiter_core::view::Finding| {
                finding.irregularity.id == *id && finding.status == FindingStatus::Open
            };
            view.findings
                .iter()
                .find(is_open)
                .ok_or(OrderError::UnknownFinding(*id))?;
        }
        if matches!(input, Input::Arbiter(ArbiterAction::LetStand)) && view.state == Phase::Waiting
        {
            return Err(OrderError::Bad(
                "nobody knows the position yet: set it instead".to_owned(),
            ));
        }
        let at = self.timeline.declared(Instant::now());
        self.tell(Event { at, input });
        Ok(())
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
        if names
            .into_iter()
            .flatten()
            .any(|name| name.chars().any(char::is_control))
        {
            return Err(OrderError::Bad(
                "a name holds a line break or another control character".to_owned(),
            ));
        }
        if self.info.is_none() && self.record.is_none() {
            return Err(OrderError::NoGame);
        }
        let (board, event) = (&mut self.parts.board, &mut self.parts.event);
        board.fen = fen.or(array).or_else(|| board.fen.take());
        board.chess960 = game.chess960.map_or(board.chess960, Chess960::castling);
        board.white = game
            .white
            .unwrap_or_else(|| std::mem::take(&mut board.white));
        board.black = game
            .black
            .unwrap_or_else(|| std::mem::take(&mut board.black));
        event.round = game
            .round
            .unwrap_or_else(|| std::mem::take(&mut event.round));
        let at = self.timeline.declared(Instant::now());
        self.begin(at).await;
        Ok(())
    }
}

/// Evidence comes from boards, and games begin by name; everything else people may declare.
fn may_be_declared(input: &Input) -> Result<(), OrderError> {
    match input {
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
        | Input::Arbiter(_) => Ok(()),
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
            "step":"offer","action":"pause","fen":"{fen}","white":"can","black":"can","squares":[]"#
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
