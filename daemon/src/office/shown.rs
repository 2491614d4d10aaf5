//! What a board shows of its game, and whose word that is.

use std::sync::Arc;

use arbiter_core::Input;
use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::GameResult;
use arbiter_core::view::View;
use tournament::{Act, How, Outcome, ResultCode, Tournament};

use super::of_board;
use crate::pgn;
use crate::store::Author;

/// What a board shows of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// It goes on.
    Open,
    /// It has ended so.
    Ended([ResultCode; 2]),
    /// An arbiter has given its result; his name, where he has one.
    Decided([ResultCode; 2], Option<Arc<str>>),
    /// It was none; the arbiter who said so, where he has a name.
    Annulled(Option<Arc<str>>),
}

impl Shown {
    /// What a game shows that is seen so. Its result is the arbiter's where he ordered it last of
    /// all that gives one: whatever it rests on, he said so.
    pub fn of<P, F>(view: &View<P, F>) -> Shown {
        if view.is_annulled() {
            let given = view.orders.iter().rev().find_map(|order| {
                let is_it = matches!(
                    order.input.plain(),
                    Input::Arbiter(ArbiterAction::Annul { .. })
                );
                is_it.then(|| order.input.author().map(Arc::from))
            });
            return Shown::Annulled(given.flatten());
        }
        let result = pgn::result(view);
        let codes = match result {
            GameResult::Open => None,
            result => ResultCode::both(result.as_str()),
        };
        let Some(codes) = codes else {
            return Shown::Open;
        };
        let given = view.orders.iter().rev().find_map(|order| {
            let input = &order.input;
            match input.plain() {
                // One that names its game names this one: of no other is any ordered in it.
                Input::Arbiter(ArbiterAction::Result { result, .. }) => {
                    Some((*result, input.author()))
                }
                _ => None,
            }
        });
        match given.filter(|(given, _)| *given == result) {
            Some((_, author)) => Shown::Decided(codes, author.map(Arc::from)),
            None => Shown::Ended(codes),
        }
    }

    /// Who has given the result, where it is an arbiter's and he has a name.
    pub(super) fn giver(&self) -> Option<&str> {
        match self {
            Shown::Decided(_, who) | Shown::Annulled(who) => who.as_deref(),
            _ => None,
        }
    }

    /// Who tells it: the board, in the arbiter's name where it is his word.
    pub(super) fn author(&self, board: &str) -> Author {
        Author {
            who: self.giver().unwrap_or_default().to_owned(),
            ..of_board(board)
        }
    }

    /// What is to be done to the event: a game that was annulled, and is not any more, is that of
    /// its pairing again.
    pub(super) fn acts(&self, event: &Tournament, game: &str) -> Vec<Act> {
        let is_none = matches!(self, Shown::Annulled(_)) || event.seat_of(game).is_some();
        let Some((round, table)) = event.annulled_seat_of(game).filter(|_| !is_none) else {
            return self.act(event, game).into_iter().collect();
        };
        let mut again = event.clone();
        let reinstate = Act::Reinstate {
            round,
            table,
            game: game.to_owned(),
        };
        // Where it is refused, that is said to whoever does what is to be done.
        let shows = match again.apply(&reinstate) {
            Ok(()) => self.act(&again, game),
            Err(_) => None,
        };
        [Some(reinstate), shows].into_iter().flatten().collect()
    }

    fn act(&self, event: &Tournament, game: &str) -> Option<Act> {
        let (round, table) = event.seat_of(game)?;
        let outcome = event.pairing(round, table).ok()?.outcome.as_ref();
        if outcome.is_some_and(|outcome| outcome.confirmed) {
            return None;
        }
        let proposed = outcome.filter(|outcome| outcome.is_of_its_game());
        let (codes, how) = match *self {
            Shown::Open => {
                let reason = String::new();
                return proposed.map(|_| Act::Withdraw {
                    round,
                    table,
                    reason,
                });
            }
            Shown::Annulled(_) => return Some(Act::Annul { round, table }),
            Shown::Ended(codes) => (codes, How::Board),
            Shown::Decided(codes, _) => (codes, How::Arbiter),
        };
        // What the board shows does not overrule who has typed another result: it is in conflict.
        let is_typed = |known: &&Outcome| known.how == How::Typed && known.codes != codes;
        if how == How::Board && outcome.filter(is_typed).is_some() {
            return None;
        }
        let is_known = proposed.is_some_and(|known| known.codes == codes && known.how == how);
        (!is_known).then_some(Act::Propose {
            round,
            table,
            codes,
            how,
        })
    }
}
