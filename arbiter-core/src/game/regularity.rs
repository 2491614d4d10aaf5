//! Whether a ply was played as the Laws ask: the handling that led to it, judged under Article 4.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square, attacks};

use crate::chess::moves::{legs, squares_of};
use crate::game::Game;
use crate::game::change::{Change, Changes, Found, NOTHING, WatchedPly};
use crate::game::findings::legal_of;
use crate::judge::article_4::{Breach, Played, article_4};
use crate::judge::handling;
use crate::laws::Completion;
use crate::said::irregularity::{Certainty, Code};
use crate::said::ruling::DoubtKind;
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::said::view::FindingStatus;
use crate::sense::changes::SquareChange;
use crate::sense::trust::STRAIGHTENS;
use crate::track::hypothesis::{Hypothesis, Step};

impl Game {
    /// Judges ply `ply` of `line` under Article 4, once it is completed.
    pub(crate) fn judge_ply(&mut self, line: &Hypothesis, ply: usize) -> Changes {
        let Some((mut breaches, watched)) = self.breaches(line, ply) else {
            return NOTHING;
        };
        let before = watched.before.clone();
        self.note_unseen(line, ply);
        if breaches.is_empty() {
            self.ask_who_touched(line, ply, &before);
        }
        self.find_made_ahead(line, ply);
        self.keep_claimed(&mut breaches, &watched);
        let mut changes = found(breaches, ply, &before);
        changes.push(Change::WatchPly(Box::new(watched)));
        changes
    }

    /// What was found on a claim, before the ply was completed, is not found again; what is no
    /// breach any more as it was completed is withdrawn. Who plays what the claim required takes
    /// back what he had let go.
    fn keep_claimed(&mut self, breaches: &mut Vec<Breach>, watched: &WatchedPly) {
        let ply = watched.ply;
        let mut mended = Vec::new();
        for f in self.docket.findings() {
            let told = &f.irregularity;
            // Whoever took plies back did so before this one.
            let taken_back = told.code == Code::ReleasedPieceMovedAgain && told.required.is_none();
            if !f.is_of(ply) || !told.code.is_of_moving() || taken_back {
                continue;
            }
            let still = breaches.iter().any(|breach| breach.code == told.code);
            match f.status {
                FindingStatus::Open if !still => {
                    let required = told.required.as_deref().unwrap_or_default();
                    let required = legal_of(required, &watched.before);
                    if required.contains(&watched.step.m) {
                        breaches.retain(|breach| !is_release_of_other(breach, &required));
                    }
                    mended.push(told.id);
                }
                FindingStatus::Open | FindingStatus::Dismissed => {
                    breaches.retain(|breach| breach.code != told.code);
                }
                FindingStatus::Upheld | FindingStatus::Withdrawn => {}
            }
        }
        for id in mended {
            self.withdraw(id);
        }
    }

    /// The breaches of Article 4 in the move that `claimant`'s opponent has made and not completed,
    /// as it stands on the board.
    pub(crate) fn breaches_of_standing_move(&mut self, claimant: Color) -> Changes {
        self.tell_as_it_stands();
        let (line, ply) = (self.best().clone(), self.pressed_ply());
        let stands = self.wrong(&line).is_empty() && self.length(&line) == ply;
        if !stands || line.pos.turn() != claimant {
            return NOTHING;
        }
        match self.breaches(&line, ply) {
            Some((breaches, watched)) => found(breaches, ply, &watched.before),
            None => NOTHING,
        }
    }

    /// The breaches of Article 4 in ply `ply` of `line`, and the ply with its handling.
    fn breaches(&self, line: &Hypothesis, ply: usize) -> Option<(Vec<Breach>, WatchedPly)> {
        let step = self.step_of(line, ply).copied()?;
        let i = ply - self.track.base() - 1;
        let start = reached_after(line, i.checked_sub(1));
        let before = self.position_in(line, ply - 1);
        let made_at = self.made_for_good(step, ply);
        let log = self.log_of_ply(line, i, &before, made_at);
        let class = self.setup.sensor;
        let around = (self.landed_before(line, ply), &*self.announced());
        let handling = handling::read(&before, Some(step.m), &log, class, around);
        let bound = self.state.turn().bound.as_ref();
        let mut breaches = article_4(&Played {
            before: &before,
            legal: Default::default(),
            m: step.m,
            made_at,
            handling: &handling,
            log: &log,
            found: self.board.found_since(start),
            class,
            clock: self.setup.clock,
            answered: (self.setup.clock && ply > 1).then(|| self.clock.turn_start()),
            bound: bound.filter(|bound| bound.ply == ply),
            settings: &self.setup.options,
            laws: self.laws(),
        });
        // A breach is certain only if every hypothesis that is left contains it; without a clock no
        // press proves it, and where letting go completes the move (1974) not without one.
        let released = self.laws().completion == Completion::Release;
        let unpressed = !self.setup.clock || (released && self.clock.judged().is_none());
        if !self.all_agree_on(i, step.m) || self.setup.polled || unpressed {
            for breach in &mut breaches {
                breach.certainty = breach.certainty.min(Certainty::Likely);
            }
        }
        let watched = WatchedPly {
            ply,
            step,
            before,
            handling,
        };
        Some((breaches, watched))
    }

    /// Whether every hypothesis has `m` as its step `i`.
    fn all_agree_on(&self, i: usize, m: Move) -> bool {
        self.track
            .all()
            .iter()
            .all(|line| line.steps.get(i).is_some_and(|step| step.m == m))
    }

    /// When ply `ply`, played as `step`, was made. Whoever announces that he adjusts has the move:
    /// what he then puts straight was made before, be it a piece that has just come down.
    fn made_for_good(&self, step: Step, ply: usize) -> Time {
        let Some(told) = self.record.ply(ply).filter(|told| told.m == Some(step.m)) else {
            return step.made_at;
        };
        let opponent = !self.record.position(ply - 1).turn();
        let adjusted = self
            .clock
            .adjusting()
            .iter()
            .any(|&(by, at)| by == opponent && at > told.at && at <= step.made_at);
        match adjusted {
            true => told.at,
            false => step.made_at,
        }
    }

    /// Squares on which a pawn was left that counts as a piece: whoever puts that there, within his
    /// next two moves, does what he must (7.5.2), and touches nothing to move it.
    fn replaced_by(&self, ply: usize) -> Bitboard {
        let left = self.docket.raised().iter().filter(|f| {
            let told = &f.irregularity;
            let stands = f.stands() && f.undone.is_none();
            let since = ply.saturating_sub(told.ply as usize);
            told.code == Code::PawnNotPromoted && stands && (1..=4).contains(&since)
        });
        // Where it is not seen what stands there, it is asked.
        let mut asked = self.docket.doubts().iter().map(|d| &d.doubt);
        let asked = asked.find(|d| d.kind == DoubtKind::PromotionPiece);
        let asked = asked.map_or(&[][..], |doubt| &doubt.squares);
        left.flat_map(|f| &f.irregularity.squares)
            .chain(asked)
            .copied()
            .collect()
    }

    /// When the ply before ply `ply` of `line` was made, if there is one.
    fn landed_before(&self, line: &Hypothesis, ply: usize) -> Option<Time> {
        let before = ply.checked_sub(1)?;
        let told = || self.record.ply(before).map(|told| told.at);
        self.step_of(line, before)
            .map(|step| step.made_at)
            .or_else(told)
    }

    /// The changes that belong to step `i` of `line`, which was made at `until`: the player's turn,
    /// and the squares of the move before it.
    fn log_of_ply(
        &self,
        line: &Hypothesis,
        i: usize,
        before: &Chess,
        until: Time,
    ) -> Vec<SquareChange> {
        let step = line.steps[i];
        let reached = reached_after(line, i.checked_sub(1));
        let earlier = reached_after(line, i.checked_sub(2));
        let turn_start = self.clock.handled_from(!self.setup.clock);
        let start = reached.max(turn_start);
        let squares = squares_of(step.m);
        let own = squares & before.us();
        let mut log = Vec::new();
        let ply = self.track.base() + i + 1;
        // What the opponent did before it, without having the move, was not this player's hand.
        let reply = self.made_ahead(line, ply).map(|(_, reply)| *reply);
        let of_reply = |c: &SquareChange| {
            reply.is_some_and(|r| c.at <= r.made_at && squares_of(r.m).contains(c.square))
        };
        let replaced = self.replaced_by(ply) & before.us();
        for c in self.board.contacts().log() {
            let straightened = c.symbol == Symbol::Empty
                && before.board().occupied().contains(c.square)
                && !squares.contains(c.square)
                && self.is_straightened(c.square, c.at, ply);
            let replaces = replaced.contains(c.square) && !squares.contains(c.square);
            if c.at > until || straightened || replaces || of_reply(c) {
                continue;
            }
            let lifted_early =
                own.contains(c.square) && c.symbol == Symbol::Empty && c.at > earlier;
            let of_move = lifted_early || (c.at > reached && squares.contains(c.square));
            if c.at > start || (of_move && !self.was_put_back(c.square, own, start)) {
                log.push(*c);
            }
        }
        log
    }

    /// Without a clock: whether what was lifted from `square` at `lifted` stood beside a piece that
    /// the move before `ply` had just put down. The hand that made that move knocked it over.
    pub(crate) fn is_straightened(&self, square: Square, lifted: Time, ply: usize) -> bool {
        let last = self.record.ply(ply - 1).filter(|_| !self.setup.clock);
        let Some((m, made_at)) = last.and_then(|last| Some((last.m?, last.at))) else {
            return false;
        };
        legs(m).any(|(_, to)| {
            let beside = attacks::king_attacks(to);
            let near = beside | Bitboard::from(to);
            beside.contains(square) && lifted <= self.hand_is_gone(near, made_at, lifted)
        })
    }

    /// Until when the hand that made a move at `made_at` may be at work on the squares `near`, as
    /// far as was seen before `until`: it stays as long as it takes up one piece after another.
    fn hand_is_gone(&self, near: Bitboard, made_at: Time, until: Time) -> Time {
        let mut gone = made_at + STRAIGHTENS;
        let mut held = Bitboard::EMPTY;
        for c in self.board.contacts().log_since(made_at) {
            if c.at >= until {
                break;
            }
            let its = held.contains(c.square) || c.at <= gone;
            if near.contains(c.square) && its {
                held.set(c.square, c.symbol == Symbol::Empty);
                gone = c.at + STRAIGHTENS;
            }
        }
        gone
    }

    /// What was put back before the turn began was nobody's touch.
    fn was_put_back(&self, square: Square, own: Bitboard, start: Time) -> bool {
        let log = self.board.contacts().log();
        let last = log.iter().rfind(|c| c.square == square && c.at <= start);
        own.contains(square) && last.is_some_and(|c| c.symbol != Symbol::Empty)
    }
}

/// Whether `breach` is that a piece was let go with a move that is none of `required`.
fn is_release_of_other(breach: &Breach, required: &[Move]) -> bool {
    let mut released = breach.required.iter().flatten();
    breach.code == Code::ReleasedPieceMovedAgain && !released.any(|m| required.contains(m))
}

/// Each breach as it was found in ply `ply`, which was played in `before`.
fn found(breaches: Vec<Breach>, ply: usize, before: &Chess) -> Changes {
    let found = |breach| Found {
        breach,
        ply,
        before: before.clone(),
    };
    breaches.into_iter().map(|b| found(b).into()).collect()
}

/// When the position after step `n` of `line` was reached; without one, long ago. A step that was
/// made ahead of its turn waits for the one that it answers.
fn reached_after(line: &Hypothesis, n: Option<usize>) -> Time {
    let steps = n.map_or(&[][..], |n| &line.steps[..=n]);
    let made = steps.iter().map(|step| step.made_at);
    made.max().unwrap_or(Time::ZERO)
}
