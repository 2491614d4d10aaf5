//! Games that other gates show already: at a hub, those of its halls. What they let through is
//! taken as it is. Here it may be held back longer, and never less.

use std::fmt::Debug;
use std::sync::Arc;

use tournament::{Tournament, Typed};

use super::candidate::called_by_event;
use super::gate::Gate;
use super::line::Candidate;
use super::rules::{Delay, Rules};
use super::shown::Shown;
use super::spot::Spot;
use super::unseen;
use crate::office::{Book, Minors};
use crate::pgn;

/// A game of an event: the number of that, the round and the table.
pub(crate) type GameAt = (usize, u16, u16);

/// Who knows what is shown elsewhere.
pub(crate) trait Elsewhere: Debug + Send {
    /// What is shown elsewhere of the games of the event at hand, and of those that are over of
    /// which something may still come. `None` where that is as it was the last time.
    fn look(&mut self, book: &Book) -> Option<Vec<(GameAt, There)>>;
}

/// What is shown elsewhere of a game.
#[derive(Clone, Debug)]
pub(crate) enum There {
    /// It has not begun there: what is said of it here counts, as late as there, and not at all
    /// where it is stopped there.
    Nothing(Delay, bool),
    /// Nothing that is known here. So it stays as it is.
    Waits,
    /// It was none, or has begun there as another pairing's: what was shown is taken back.
    Another,
    /// This without the result that it has here: it was given here, or lost there. Then it is an
    /// older copy, and not what is shown already and more.
    Open(Arc<Shown>, Delay),
    /// This, as late as that.
    Shown(Arc<Shown>, Delay),
}

impl There {
    /// Whether the other says what this one does not.
    pub(super) fn gives_way_to(&self, other: &There) -> bool {
        match (self, other) {
            (There::Shown(is, delay), There::Shown(new, other)) => {
                !Arc::ptr_eq(is, new) || delay != other
            }
            (There::Nothing(delay, stopped), There::Nothing(other, too)) => {
                (delay, stopped) != (other, too)
            }
            (There::Another, There::Another) => false,
            (There::Shown(..), There::Another) => true,
            // What was shown there before nobody takes back who says nothing of it.
            (There::Shown(..), _) | (There::Waits, There::Waits) => false,
            (_, _) => true,
        }
    }

    /// Whether nothing more comes of it from there.
    pub(crate) fn is_last(&self) -> bool {
        match self {
            There::Shown(shown, _) => shown.over,
            There::Nothing(..) | There::Another => true,
            There::Waits | There::Open(..) => false,
        }
    }

    /// A game that has no result there goes on from what is shown of it, unless that is an older
    /// copy.
    pub(super) fn unless_older(self, shown: Option<&Shown>) -> There {
        let There::Open(there, delay) = self else {
            return self;
        };
        let known = shown.map_or(&[][..], |shown| &shown.plies);
        let is_further = there.plies.len() >= known.len()
            && there
                .plies
                .iter()
                .zip(known)
                .all(|(is, was)| is.san == was.san)
            && shown.is_none_or(|shown| shown.result == there.result);
        match is_further {
            true => There::Shown(there, delay),
            false => There::Waits,
        }
    }

    /// The candidate of a game that has not begun there.
    pub(super) fn holds(&self, candidate: Candidate) -> Candidate {
        match self {
            There::Nothing(delay, stopped) => Candidate {
                stopped: candidate.stopped || *stopped,
                delay: Delay {
                    ms: candidate.delay.ms.max(delay.ms),
                    plies: candidate.delay.plies.max(delay.plies),
                },
                ..candidate
            },
            There::Waits | There::Another | There::Open(..) | There::Shown(..) => candidate,
        }
    }
}

impl Gate {
    /// What is public of the game of a pairing of an event, which has this number.
    pub(crate) fn at(
        &self,
        (number, event): (usize, &Tournament),
        (round, table): (u16, u16),
    ) -> Option<Arc<Shown>> {
        let pairing = event.pairing(round, table).ok()?;
        let unseen = || unseen::name(number, round, table);
        self.game(&pairing.game.clone().unwrap_or_else(unseen))
    }
}

/// What could be public of such a game: no more than is shown `there`, so late as it is there.
pub(super) fn candidate(
    game: &str,
    (there, theirs): (&Shown, Delay),
    (spot, minors): (Spot<'_>, &Minors),
    rules: &Rules,
) -> Candidate {
    let fens = fens(there);
    let mut plies = there.plies.clone();
    plies.truncate(fens.len());
    let (ours, table) = (spot.delay(rules), spot.table);
    let called = called_by_event(spot, minors);
    // Where nobody has said the day of the round, it is that on which it is played.
    let date = match called.date.is_empty() {
        true => there.date.clone(),
        false => called.date.clone(),
    };
    Candidate {
        whole: Shown {
            game: game.to_owned(),
            round: spot.round,
            table: table.filter(|_| spot.round.is_some()),
            chess960: there.chess960,
            start_fen: there.start_fen.clone(),
            fen: fens.last().unwrap_or(&there.start_fen).clone(),
            clocks: there.clocks,
            result: there.result.clone(),
            over: there.over,
            with_arbiter: there.with_arbiter,
            plies,
            date,
            ..called
        },
        fens,
        sure: there.sure,
        completed: there.completed,
        has_ended: there.over,
        stopped: there.stopped || spot.is_stopped(),
        delay: Delay {
            ms: ours.ms.saturating_sub(theirs.ms).max(0),
            plies: ours.plies.saturating_sub(theirs.plies),
        },
        ends_with_game: rules.ends_with_game,
        unseen: unseen::is_one(&there.game),
    }
}

/// The position after each half-move.
fn fens(game: &Shown) -> Vec<String> {
    let moves = game.plies.iter().map(|ply| ply.san.clone()).collect();
    let typed = Typed {
        after: 0,
        moves,
        instead: false,
    };
    let legal = pgn::typed(game.chess960, &game.start_fen, &typed);
    legal.into_iter().map(|ply| ply.fen).collect()
}
