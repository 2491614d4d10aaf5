//! Findings: breaches get a number, an article, a penalty and a sentence.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use crate::chess::moves::squares_of;
use crate::game::mating::Loss;
use crate::game::{Game, Press};
use crate::judge::article_4::{Bound, Breach, Played, article_4, required};
use crate::judge::handling;
use crate::judge::rests_on::rests_on;
use crate::laws::{EmptyPress, Offence, Redress};
use crate::message::{self, Case};
use crate::said::input::{Event, Input};
use crate::said::irregularity::{Article, Certainty, Code, Party, Reason};
use crate::said::question::Mating;
use crate::said::ruling::{
    ClaimRight, DoubtKind, GameResult, Irregularity, Penalty, PenaltyEnd, ResultReason, Ruling,
};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::Time;
use crate::said::view::{Finding, FindingStatus};
use crate::sense::contacts::Change;
use crate::track::hypothesis::Hypothesis;

/// What the Laws attach to a breach.
pub(crate) struct Terms {
    pub(crate) by: Party,
    pub(crate) article: Article,
    pub(crate) claim: Option<ClaimRight>,
    pub(crate) penalty: Option<Penalty>,
}

impl Game {
    /// Judges ply `ply` of `line` under Article 4.
    pub(crate) fn judge_regularity(&mut self, line: &Hypothesis, ply: usize) {
        let Some((i, step)) = ply
            .checked_sub(self.base + 1)
            .and_then(|i| Some((i, *line.steps.get(i)?)))
        else {
            return;
        };
        let before = self.position_in(line, ply - 1);
        let log = self.turn_log(line, i, &before);
        let adjusts = self.announced();
        let handling = handling::read(&before, Some(step.m), &log, self.setup.sensor, &adjusts);
        let mut breaches = article_4(&Played {
            before: &before,
            legal: Default::default(),
            m: step.m,
            made_at: step.made_at,
            handling: &handling,
            log: &log,
            class: self.setup.sensor,
            clock: self.setup.clock,
            bound: self.bound.as_ref().filter(|_| ply == self.completed + 1),
            settings: &self.setup.options,
            laws: self.laws(),
        });
        let agreed = self
            .beam
            .all()
            .iter()
            .all(|a| a.steps.get(i).is_some_and(|s| s.m == step.m));
        for breach in &mut breaches {
            // A breach is certain only if every account that is left contains it; without a clock
            // no press proves it.
            if !agreed || self.setup.polled || !self.setup.clock {
                breach.certainty = breach.certainty.min(Certainty::Likely);
            }
        }
        if breaches.is_empty() {
            self.ask_who_touched(line, ply, &before);
        }
        for breach in breaches {
            self.find(breach, ply, &before);
        }
        self.watch_ply(ply, &step, &before, &handling);
    }

    /// The settled changes that belong to step `i` of `line`: the player's turn, and the squares of
    /// the move before it.
    fn turn_log(&self, line: &Hypothesis, i: usize, before: &Chess) -> Vec<Change> {
        let step = line.steps[i];
        let start_of = |n: Option<usize>| n.map_or(Time::ZERO, |n| line.steps[n].made_at);
        let reached = start_of(i.checked_sub(1));
        let earlier = start_of(i.checked_sub(2));
        let start = if self.setup.clock {
            reached.max(self.turn_start)
        } else {
            reached
        };
        let own = squares_of(step.m) & before.us();
        // What was put back before the turn began was nobody's touch.
        let put_back = |square: Square| {
            let last = self
                .contacts
                .log()
                .iter()
                .rfind(|c| c.square == square && c.at <= start);
            own.contains(square) && last.is_some_and(|c| c.symbol != Symbol::Empty)
        };
        let belongs = |c: &&Change| {
            let early_lift = own.contains(c.square) && c.symbol == Symbol::Empty && c.at > earlier;
            c.at <= step.made_at
                && (c.at > start
                    || ((early_lift || (c.at > reached && squares_of(step.m).contains(c.square)))
                        && !put_back(c.square)))
        };
        self.contacts
            .log()
            .iter()
            .filter(belongs)
            .copied()
            .collect()
    }

    fn find(&mut self, breach: Breach, ply: usize, before: &Chess) {
        // Without a clock no press proves that the turn was over.
        let shaky =
            !self.setup.clock || self.is_shaky() || rests_on(&breach, before, self.in_question());
        let article = self.laws().article(breach.rule());
        let Breach {
            code,
            reason,
            by,
            certainty,
            squares,
            required,
        } = breach;
        let certainty = if shaky {
            certainty.min(Certainty::Likely)
        } else {
            certainty
        };
        let terms = Terms {
            by: by.into(),
            article,
            claim: Some(self.right_of(code, by)),
            penalty: self.penalty_for(code, by, ply, before),
        };
        let breach = Breach {
            code,
            reason,
            by,
            certainty,
            squares,
            required,
        };
        let irregularity = self.compose(breach, ply, before, terms);
        self.raise(irregularity);
        if self.offence().redress != Redress::OnClaim {
            self.propose_forfeit(self.findings.len() as u32);
        }
    }

    /// A finding, but for its number.
    pub(crate) fn compose(
        &self,
        breach: Breach,
        ply: usize,
        before: &Chess,
        terms: Terms,
    ) -> Irregularity {
        let Breach {
            code,
            reason,
            certainty,
            squares,
            required,
            ..
        } = breach;
        let Terms {
            by,
            article,
            claim,
            penalty,
        } = terms;
        let required = required.filter(|moves| !moves.is_empty());
        let text = message::irregularity(&Case {
            setup: &self.setup,
            code,
            reason,
            by,
            certainty,
            article,
            squares: &squares,
            required: required.as_deref(),
            before,
            played: self.played(ply),
            claim,
            penalty,
        });
        let required = required.map(|moves| self.ucis(&moves));
        let evidence = self.turn_evidence();
        let ply = ply as u32;
        Irregularity {
            id: 0,
            code,
            reason,
            article,
            by,
            ply,
            certainty,
            squares,
            claim,
            required,
            penalty,
            evidence,
            text,
        }
    }

    /// What the record has as ply `ply`.
    fn played(&self, ply: usize) -> message::Played {
        match ply.checked_sub(1).and_then(|i| self.record.plies.get(i)) {
            Some(told) => told.m.map_or(message::Played::Other, message::Played::Move),
            None => message::Played::NotYet,
        }
    }

    /// A position that was never put back, a gap, or a board that has lost readings before or does
    /// not trust its own sensors leaves room for another account of everything. So does an offence
    /// that is only likely: it may have been a misreading, and then what follows is one too.
    pub(crate) fn is_shaky(&self) -> bool {
        let undecided = |f: &Finding| {
            let likely =
                f.status == FindingStatus::Open && f.irregularity.certainty == Certainty::Likely;
            likely && f.irregularity.code.is_illegal_move()
        };
        self.restore.is_some()
            || self.gap
            || self.misreads
            || self.is_suspect()
            || self.findings.iter().any(undecided)
    }

    /// The offence that ends the game: only the arbiter declares it (7.5.5), and only on a claim
    /// where the Laws say so.
    pub(crate) fn propose_forfeit(&mut self, id: u32) {
        let Some(i) = self.finding_mut(id).map(|f| &f.irregularity) else {
            return;
        };
        let counts = i.certainty == Certainty::Certain && i.penalty.is_some();
        let (code, before) = (i.code, (i.ply as usize).saturating_sub(1));
        let loser = if i.by == Party::White {
            Color::White
        } else {
            Color::Black
        };
        let Offence {
            article,
            spared,
            loses,
            ..
        } = self.offence();
        if counts && self.laws().counts(code) && loses.is_some_and(|n| self.offences(loser) >= n) {
            let pos = self.record.position(before.min(self.record.len()));
            self.lose(Loss {
                loser,
                reason: ResultReason::ForfeitIllegalMoves,
                article,
                spared,
                pos,
            });
        }
    }

    /// The loss that was proposed falls away: nobody has declared it, and its ground is gone.
    pub(crate) fn drop_forfeit(&mut self) {
        self.awaited = self.awaited.take().filter(Loss::ends_play);
        let proposed = self
            .result
            .filter(|r| r.proposed && r.reason == ResultReason::ForfeitIllegalMoves);
        if let Some(r) = proposed {
            self.result = None;
            let (reason, article) = (r.reason, self.offence().article);
            let text = message::fallen_away(self.setup.options.language, article);
            self.say(Ruling::Result {
                result: GameResult::Open,
                proposed: false,
                reason,
                article,
                text,
            });
        }
    }

    /// The regime for completed illegal moves in this game.
    pub(crate) fn offence(&self) -> Offence {
        let regime = self.laws().offence(self.setup.class, self.setup.supervised);
        match regime.left_open {
            true => Offence {
                opponent_ms: self.setup.options.blitz_penalty_ms,
                ..regime
            },
            false => regime,
        }
    }

    /// How many completed illegal moves count against `by`: all kinds together. What is only likely
    /// counts once the arbiter has upheld it.
    pub(crate) fn offences(&self, by: Color) -> u32 {
        let regime = self.offence();
        // The second fault of one move, and two hands that nothing followed from, have no penalty
        // of their own.
        let free = regime.opponent_ms == 0 && regime.loses.is_none();
        let counts = |f: &&Finding| {
            self.laws().counts(f.irregularity.code)
                && (free || f.irregularity.penalty.is_some())
                && f.irregularity.by == by.into()
                && match f.status {
                    FindingStatus::Upheld => true,
                    FindingStatus::Open => f.irregularity.certainty == Certainty::Certain,
                    FindingStatus::Dismissed | FindingStatus::Withdrawn => false,
                }
        };
        self.findings.iter().filter(counts).count() as u32
    }

    /// What the Laws propose for a breach of `by`'s in ply `ply`. Two faults in one move are one
    /// offence.
    pub(crate) fn penalty_for(
        &self,
        code: Code,
        by: Color,
        ply: usize,
        before: &Chess,
    ) -> Option<Penalty> {
        let counts = self.laws().counts(code) && !self.is_one_offence(code, by, ply);
        counts.then(|| self.penalty(by, before)).flatten()
    }

    /// Whether the next completed illegal move of `by` loses the game.
    fn next_offence_loses(&self, by: Color) -> bool {
        self.offence()
            .loses
            .is_some_and(|n| self.offences(by) + 1 >= n)
    }

    /// Whether that loss would be a draw if the opponent cannot mate.
    pub(crate) fn next_offence_turns_on_mating(&self, by: Color) -> bool {
        self.offence().spared && self.next_offence_loses(by)
    }

    /// What the Laws propose for `by`'s next completed illegal move; `None` where they only have it
    /// put right.
    fn penalty(&self, by: Color, pos: &Chess) -> Option<Penalty> {
        let Offence {
            opponent_ms,
            spared,
            ..
        } = self.offence();
        let end = match self.can_mate(pos, !by) {
            _ if !spared => Some(PenaltyEnd::Loss),
            Some(Mating::Can) => Some(PenaltyEnd::Loss),
            Some(Mating::Cannot) => Some(PenaltyEnd::Draw),
            // The result is told when it is known, or left to the arbiter.
            Some(Mating::Unknown) | None => None,
        };
        let losing = self.next_offence_loses(by);
        (opponent_ms > 0 || losing).then_some(Penalty {
            opponent_ms,
            then: end.filter(|_| losing),
        })
    }

    /// The inputs since the turn began.
    pub(crate) fn turn_evidence(&self) -> Vec<Event> {
        let start = self.turn_began();
        let speaks =
            |e: &&Event| e.at >= start && !matches!(e.input, Input::Tick | Input::Setup(_));
        let mut evidence: Vec<Event> = self.evidence.iter().filter(speaks).cloned().collect();
        evidence.shrink_to_fit();
        evidence
    }

    /// The clock was pressed and no move made. The finding's number, where the edition makes
    /// something of it.
    pub(crate) fn find_no_move(&mut self, root: &Hypothesis, swap_possible: bool) -> Option<u32> {
        if self.laws().empty_press == EmptyPress::Nothing {
            return None;
        }
        // Until a press has shown whose clock runs, it may be the one that starts the opponent's.
        let sure = !swap_possible && !self.setup.polled && self.running.is_some();
        self.note_no_move(
            root,
            if sure {
                Certainty::Certain
            } else {
                Certainty::Likely
            },
        )
    }

    fn note_no_move(&mut self, root: &Hypothesis, certainty: Certainty) -> Option<u32> {
        let (by, code) = (root.pos.turn(), Code::ClockPressedWithoutMove);
        let required = self.obliged(root);
        let breach = Breach {
            code,
            reason: None,
            by,
            certainty,
            squares: Vec::new(),
            required,
        };
        self.find(breach, self.length(root) + 1, &root.pos);
        self.findings.last().map(|f| f.irregularity.id)
    }

    /// A press without a move; soon after it a piece of the presser's leaves its square, and the
    /// opponent answers. It may have been moved before the press, neither lift nor place being
    /// read.
    pub(crate) fn soften_no_move(&mut self, press: Press, id: u32) {
        let certain = |f: &&mut Finding| f.irregularity.certainty == Certainty::Certain;
        if self.finding_mut(id).filter(certain).is_none() {
            return;
        }
        let root = self.root().clone();
        let soon = |sq| {
            self.contacts.since(sq) > press.at
                && self.contacts.since(sq).since(press.at) <= self.setup.options.reread_ms
        };
        let gone = |pieces: Bitboard| pieces & !self.contacts.planes.occupied();
        let answered = gone(root.pos.them())
            .into_iter()
            .any(|sq| self.contacts.since(sq) > press.at);
        if answered && gone(root.pos.us()).into_iter().any(soon) {
            self.withdraw(id);
            let id = self.note_no_move(&root, Certainty::Likely);
            self.unread = Some((press, id));
        }
    }

    /// One reading that came soon after the press makes a legal move of what was told as an illegal
    /// one: it may have been late.
    pub(crate) fn soften_illegal(&mut self) {
        let ply = self.pressed_ply();
        let is_it = |f: &&Finding| {
            let told = &f.irregularity;
            let certain = f.status == FindingStatus::Open && told.certainty == Certainty::Certain;
            certain && told.code == Code::IllegalMove && told.ply as usize == ply
        };
        let Some(Finding {
            at, irregularity, ..
        }) = self.findings.iter().rev().find(is_it).cloned()
        else {
            return;
        };
        let root = self.root().clone();
        // What the opponent has taken up since is his reply.
        let reply = root.pos.them() & !self.contacts.planes.occupied();
        let late = self.contacts.touched_since(at) & !reply;
        let soon = |sq| self.contacts.since(sq).since(at) <= self.setup.options.reread_ms;
        if self.step_of(self.best(), ply).is_none()
            || late.count() != 1
            || !late.into_iter().all(soon)
        {
            return;
        }
        self.withdraw(irregularity.id);
        let required = irregularity.required.map(|moves| {
            moves
                .iter()
                .filter_map(|m| m.to_move(&root.pos).ok())
                .collect()
        });
        let (code, reason, squares) =
            (irregularity.code, irregularity.reason, irregularity.squares);
        let by = root.pos.turn();
        self.find(
            Breach {
                code,
                reason,
                by,
                certainty: Certainty::Likely,
                squares: squares.into_iter().collect(),
                required,
            },
            ply,
            &root.pos,
        );
    }

    /// What earlier touches of the turn still require, where they do.
    fn obliged(&self, root: &Hypothesis) -> Option<Vec<Move>> {
        if let Some(bound) = &self.bound {
            return Some(bound.moves.clone());
        }
        let (_, legal, handling) = self.open_turn();
        let touches = handling.touches(self.setup.options.skew_ms, handling::Handled::touched);
        let allowed = crate::judge::obligation::permitted(&root.pos, &legal, &touches, self.laws());
        (!allowed.is_free()).then_some(allowed.moves)
    }

    pub(crate) fn find_illegal(
        &mut self,
        root: &Hypothesis,
        code: Code,
        reason: Option<Reason>,
        squares: Vec<Square>,
        required: Vec<Move>,
        sure: bool,
    ) {
        let by = root.pos.turn();
        let required = self.bound.as_ref().map_or(required, |b| b.moves.clone());
        let certainty = if sure {
            Certainty::Certain
        } else {
            Certainty::Likely
        };
        let breach = Breach {
            code,
            reason,
            by,
            certainty,
            squares,
            required: Some(required.clone()),
        };
        self.find(breach, self.length(root) + 1, &root.pos);
        self.bound = (!required.is_empty()).then(|| Bound {
            code: required::breach_of(&required, &root.pos),
            moves: required,
        });
        self.tell_line(&root.clone(), self.length(root), self.completed);
        let kept = root.clone();
        let target = kept.pos.clone();
        // The other accounts are given up here: what they differ on stays in doubt.
        let made = self.length(&kept) as u32;
        self.doubts
            .iter_mut()
            .filter(|d| d.doubt.ply <= made)
            .for_each(|d| d.lasting = true);
        let handling = self.handling_of_open_turn(&kept);
        self.follow_standing(&kept, &handling);
        self.beam.replace(alloc::vec![kept]);
        self.running = Some(by);
        if self.offence().redress == Redress::OnClaim && self.standing.is_some() {
            // Only the opponent has it undone, and only until he moves.
            self.adopt_standing();
        } else {
            self.order_restore(target);
        }
    }

    /// What is wrong with the position after `k` plies, whoever brought it about.
    pub(crate) fn find_position(&mut self, code: Code, squares: Vec<Square>, k: usize) {
        let position = self.record.position(k);
        let by = position.turn();
        let breach = Breach {
            code,
            reason: None,
            by,
            certainty: Certainty::Certain,
            squares,
            required: None,
        };
        let article = self.laws().article_of_code(code);
        let terms = Terms {
            by: Party::Either,
            article,
            claim: None,
            penalty: None,
        };
        let irregularity = self.compose(breach, k, &position, terms);
        self.raise(irregularity);
    }

    /// A pawn was left on the last rank: it counts as a queen (7.5.2).
    pub(crate) fn find_pawn_left(&mut self, promotion: Move) {
        let ply = self.completed;
        let before = self.record.position(ply - 1);
        let breach = Breach {
            code: Code::PawnNotPromoted,
            reason: None,
            by: before.turn(),
            certainty: Certainty::Certain,
            squares: alloc::vec![promotion.to()],
            required: Some(alloc::vec![promotion]),
        };
        self.find(breach, ply, &before);
        let target = self.record.position(ply);
        self.order_restore(target);
    }

    /// A legal move, and pieces that no move put where they are (7.4.1).
    pub(crate) fn find_displaced(&mut self, squares: Bitboard, by: Color) {
        let ply = self.completed;
        let before = self.record.position(ply - 1);
        let list: Vec<Square> = squares.into_iter().collect();
        let breach = Breach {
            code: Code::PieceDisplaced,
            reason: None,
            by,
            certainty: Certainty::Likely,
            squares: list.clone(),
            required: None,
        };
        self.find(breach, ply, &before);
        let missing = squares & !self.contacts.planes.occupied();
        if missing == squares || self.setup.sensor != SensorClass::Piece {
            self.raise_doubt(ply as u32, DoubtKind::CheckSquare, list, Vec::new());
        }
        let target = self.record.position(ply);
        self.order_restore(target);
    }
}
