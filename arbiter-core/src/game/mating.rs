//! Who can still mate: by material at once, otherwise by asking.
//!
//! Articles 5.1.2, 5.2.2, 6.9 and 7.5.5 turn on whether a player can mate "by any possible series
//! of legal moves". That takes a search, and the core has none: it asks a [`Question`] and goes on.
//! The answer comes back as an input like every other, so that a list of events replays to the same
//! rulings. No move ever waits for one; only a result does.

use alloc::vec::Vec;

use shakmaty::fen::Fen;
use shakmaty::{ByColor, CastlingMode, Chess, Color, Position};

use crate::chess::position::{fen_text, key, position};
use crate::game::Game;
use crate::laws::Rule;
use crate::said::irregularity::Article;
use crate::said::question::{Mating, Question};
use crate::said::ruling::{GameResult, ResultReason};

/// Answers kept; older ones would have to be asked for again.
const KEPT: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Answer {
    /// The position, as in [`key`].
    key: u64,
    mating: ByColor<Mating>,
    quick: bool,
}

/// What was answered, newest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers(Vec<Answer>);

impl Answers {
    fn of(&self, key: u64) -> Option<&Answer> {
        self.0.iter().rev().find(|a| a.key == key)
    }

    fn keep(&mut self, new: Answer) {
        self.0.retain(|a| a.key != new.key);
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(new);
    }
}

/// `loser` loses, unless the Laws spare him because his opponent cannot mate, or the game had ended
/// before.
#[derive(Clone, Debug)]
pub(crate) struct Loss {
    pub(crate) loser: Color,
    pub(crate) reason: ResultReason,
    pub(crate) article: Article,
    /// Whether it is a draw when the opponent cannot mate.
    pub(crate) spared: bool,
    /// The position it turns on.
    pub(crate) pos: Chess,
}

impl Loss {
    /// Whether the game is over whatever the answer: only an offence leaves it to the arbiter.
    pub(crate) fn ends_play(&self) -> bool {
        self.reason != ResultReason::ForfeitIllegalMoves
    }
}

impl Game {
    /// Whether `by` can mate from `pos`. `None` while that has not been answered with all care.
    pub(crate) fn can_mate(&self, pos: &Chess, by: Color) -> Option<Mating> {
        if pos.has_insufficient_material(by) {
            return Some(Mating::Cannot);
        }
        let answer = self.answers.of(key(pos))?;
        let mating = *answer.mating.get(by);
        (mating != Mating::Unknown || !answer.quick).then_some(mating)
    }

    /// Whether neither player can mate (5.2.2), as far as is known.
    pub(crate) fn is_dead(&self, pos: &Chess) -> bool {
        Color::ALL
            .into_iter()
            .all(|by| self.can_mate(pos, by) == Some(Mating::Cannot))
    }

    /// The position whose answer is wanted now.
    pub(crate) fn question(&self) -> Option<Question> {
        let ask = |pos: &Chess, thorough| {
            Some(Question {
                fen: fen_text(pos),
                thorough,
            })
        };
        if let Some(loss) = &self.awaited {
            return ask(&loss.pos, true);
        }
        if self.is_idle() {
            return None;
        }
        let n = self.record.len();
        let (pos, known) = (self.record.last(), self.answers.of(self.record.key_at(n)));
        // Whoever loses by his next offence may commit it any moment: then the answer is there
        // already.
        let mover = pos.turn();
        if self.next_offence_turns_on_mating(mover) && self.can_mate(pos, !mover).is_none() {
            return ask(pos, true);
        }
        let in_passing = self.laws().dead_position && known.is_none() && self.record.may_be_dead(n);
        if in_passing { ask(pos, false) } else { None }
    }

    /// Takes an answer. A dead position that has been played on from was dead all along: what
    /// follows from it is dead too.
    pub(crate) fn learn(&mut self, fen: &Fen, mating: ByColor<Mating>, quick: bool) {
        let mode = if self.setup.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let Some(pos) = position(fen.as_setup(), mode) else {
            return;
        };
        let key = key(&pos);
        if quick && self.answers.of(key).is_some_and(|a| !a.quick) {
            return;
        }
        self.answers.keep(Answer { key, mating, quick });
        if let Some(loss) = self.awaited.take() {
            return self.lose(loss);
        }
        if self.is_idle() || mating != ByColor::new_with(|_| Mating::Cannot) {
            return;
        }
        let completed = self.completed.min(self.record.len());
        if completed > 0 && self.record.was_played_from(key, completed) {
            self.answers.keep(Answer {
                key: self.record.key_at(completed),
                mating,
                quick,
            });
            self.end_if_over(completed);
        } else {
            self.end_at_rest();
        }
    }

    /// Declares a loss, or the draw that it turns out to be, as soon as that is known.
    pub(crate) fn lose(&mut self, loss: Loss) {
        let Loss {
            loser,
            reason,
            article,
            spared,
            ref pos,
        } = loss;
        let (winner, proposed) = (!loser, !loss.ends_play());
        let may_be_over = loss.ends_play() && self.laws().dead_position;
        let winning = match (spared, may_be_over) {
            (true, _) => self.can_mate(pos, winner),
            (false, true) => self.can_anybody_mate(pos),
            (false, false) => Some(Mating::Can),
        };
        match winning {
            None => self.awaited = Some(loss),
            Some(Mating::Can) => {
                self.declare_against(loser, GameResult::won_by(winner), proposed, reason, article)
            }
            Some(Mating::Cannot) if may_be_over && self.is_dead(pos) => {
                let article = self.laws().article(Rule::DeadPosition);
                self.declare(
                    GameResult::Draw,
                    proposed,
                    ResultReason::DeadPosition,
                    article,
                );
            }
            Some(Mating::Cannot) => {
                self.declare_against(loser, GameResult::Draw, proposed, reason, article)
            }
            // Nobody has found it out: it is never guessed.
            Some(Mating::Unknown) => {
                self.declare_against(loser, GameResult::Open, true, reason, article)
            }
        }
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

    /// No answer will come any more.
    pub(crate) fn give_up_waiting(&mut self) {
        if let Some(Loss {
            loser,
            reason,
            article,
            ..
        }) = self.awaited.take()
        {
            self.declare_against(loser, GameResult::Open, true, reason, article);
        }
    }
}
