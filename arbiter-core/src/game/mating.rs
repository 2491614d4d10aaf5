//! Who can still mate: by material at once, otherwise by asking.
//!
//! Articles 5.1.2, 5.2.2, 6.9 and 7.5.5 turn on whether a player can mate "by any possible series
//! of legal moves". That takes a search, and the core has none: it asks a [`Question`] and goes on.
//! The answer comes back as an input like every other, so that a list of events replays to the same
//! rulings. No move ever waits for one; only a result does.

use alloc::boxed::Box;
use shakmaty::fen::Fen;
use shakmaty::{ByColor, CastlingMode, Chess, Color, Position};

use crate::chess::position::{fen_text, key, position};
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::state::Ending;
use crate::game::verdict::{Answer, Loss, Verdict};
use crate::laws::Rule;
use crate::said::mating::Mating;
use crate::said::question::Question;
use crate::said::ruling::{GameResult, ResultReason};

impl Game {
    /// Whether `by` can mate from `pos`. `None` while that has not been answered with all care.
    pub(crate) fn can_mate(&self, pos: &Chess, by: Color) -> Option<Mating> {
        if pos.has_insufficient_material(by) {
            return Some(Mating::Cannot);
        }
        let answer = self.docket.answers().of(key(pos))?;
        let mating = *answer.mating.get(by);
        (mating != Mating::Unknown || !answer.quick).then_some(mating)
    }

    /// Whether neither player can mate (5.2.2), as far as is known.
    pub(crate) fn is_dead(&self, pos: &Chess) -> bool {
        Color::ALL
            .into_iter()
            .all(|by| self.can_mate(pos, by) == Some(Mating::Cannot))
    }

    /// Whether the game can still be won at all: a dead position had ended it.
    fn can_anybody_mate(&self, pos: &Chess) -> Option<Mating> {
        let both = Color::ALL.map(|by| self.can_mate(pos, by));
        match both {
            _ if both.contains(&Some(Mating::Can)) => Some(Mating::Can),
            _ if both.contains(&None) => None,
            _ if both.contains(&Some(Mating::Unknown)) => Some(Mating::Unknown),
            _ => Some(Mating::Cannot),
        }
    }

    /// The position whose answer is wanted now.
    pub(crate) fn question(&self) -> Option<Question> {
        if let Some(loss) = self.state.awaited().or(self.docket.awaited()) {
            return Some(Question {
                fen: fen_text(&loss.pos),
                thorough: true,
            });
        }
        if self.is_idle() {
            return None;
        }
        let thorough = self.is_decisive();
        if !thorough && !self.is_worth_a_look() {
            return None;
        }
        Some(Question {
            fen: fen_text(self.record.last()),
            thorough,
        })
    }

    /// Whoever loses by his next offence may commit it any moment: then the answer is there
    /// already.
    fn is_decisive(&self) -> bool {
        let pos = self.record.last();
        let mover = pos.turn();
        self.next_offence_turns_on_mating(mover) && self.can_mate(pos, !mover).is_none()
    }

    /// Whether the position may be dead, and nobody has looked yet.
    fn is_worth_a_look(&self) -> bool {
        let n = self.record.len();
        self.laws().dead_position
            && self.docket.answers().of(self.record.key_at(n)).is_none()
            && self.record.may_be_dead(n)
    }

    /// Takes an answer. A dead position that has been played on from was dead all along: what
    /// follows from it is dead too.
    pub(crate) fn learn(&mut self, fen: &Fen, mating: ByColor<Mating>, quick: bool) -> Changes {
        let mode = CastlingMode::from_chess960(self.setup.chess960);
        let Some(pos) = position(fen.as_setup(), mode) else {
            return NOTHING;
        };
        let key = key(&pos);
        if quick
            && self
                .docket
                .answers()
                .of(key)
                .is_some_and(|known| !known.quick)
        {
            return NOTHING;
        }
        self.docket.learn(Answer { key, mating, quick });
        if let Some(loss) = self.take_awaited() {
            return alloc::vec![Change::Lose(Box::new(loss))];
        }
        if self.is_idle() || mating != ByColor::new_with(|_| Mating::Cannot) {
            return NOTHING;
        }
        let completed = self.record.completed().min(self.record.len());
        if completed > 0 && self.record.was_played_from(key, completed) {
            let key = self.record.key_at(completed);
            self.docket.learn(Answer { key, mating, quick });
            return alloc::vec![Change::EndIfOver(completed)];
        }
        alloc::vec![Change::EndAtRest]
    }

    /// Takes the loss whose result was awaited: the game goes on until that is known.
    fn take_awaited(&mut self) -> Option<Loss> {
        let loss = self.state.awaited().or(self.docket.awaited()).cloned()?;
        if self.state.awaited().is_some() {
            self.state.reopen();
        }
        self.docket.wait_for(None);
        Some(loss)
    }

    /// A loss, or the draw that it turns out to be, is declared as soon as that is known.
    pub(crate) fn lose(&mut self, loss: Loss) -> Changes {
        let winner = !loss.loser;
        let proposed = !loss.ends_play();
        let may_be_over = loss.ends_play() && self.laws().dead_position;
        let winning = match (loss.spared, may_be_over) {
            (true, _) => self.can_mate(&loss.pos, winner),
            (false, true) => self.can_anybody_mate(&loss.pos),
            (false, false) => Some(Mating::Can),
        };
        let verdict = match winning {
            None => {
                self.wait_for(loss);
                return NOTHING;
            }
            Some(Mating::Can) => loss.with(GameResult::won_by(winner), proposed),
            Some(Mating::Cannot) if may_be_over && self.is_dead(&loss.pos) => Verdict {
                reason: ResultReason::DeadPosition,
                article: self.laws().article(Rule::DeadPosition),
                loser: self.record.last().turn(),
                ..loss.with(GameResult::Draw, proposed)
            },
            Some(Mating::Cannot) => loss.with(GameResult::Draw, proposed),
            // Nobody has found it out: it is never guessed.
            Some(Mating::Unknown) => loss.with(GameResult::Open, true),
        };
        alloc::vec![Change::Declare(verdict)]
    }

    /// The result of a loss turns on a question.
    fn wait_for(&mut self, loss: Loss) {
        if loss.ends_play() {
            self.docket.wait_for(None);
            self.state.end(Ending::Awaited(loss));
        } else {
            if self.state.awaited().is_some() {
                self.state.reopen();
            }
            self.docket.wait_for(Some(loss));
        }
    }

    /// No answer will come any more.
    pub(crate) fn give_up_waiting(&mut self) -> Changes {
        match self.take_awaited() {
            Some(loss) => alloc::vec![Change::Declare(loss.with(GameResult::Open, true))],
            None => NOTHING,
        }
    }
}
