//! Findings: breaches get a number, an article, a penalty and a sentence.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use crate::chess::position::fen_text;
use crate::game::Game;
use crate::game::change::{Change, Changes, Found, NOTHING};
use crate::judge::article_4::Breach;
use crate::judge::rests_on::rests_on;
use crate::laws::Redress;
use crate::message::{self, Case};
use crate::said::input::{Event, Input};
use crate::said::irregularity::{Article, Certainty, Code, Party};
use crate::said::ruling::{ClaimRight, Irregularity, Penalty, Ruling};
use crate::said::view::{Finding, FindingStatus};

/// Inputs shown with a finding.
const MOST_SHOWN: usize = 64;

/// Without a clock a second illegal move within so many plies of one that is not decided on may
/// rest on the same misreading as that one.
const ONE_MISREADING: usize = 6;

/// What the Laws attach to a breach.
pub(crate) struct Terms {
    pub(crate) by: Party,
    pub(crate) article: Article,
    pub(crate) claim: Option<ClaimRight>,
    pub(crate) penalty: Option<Penalty>,
}

impl Game {
    /// A breach by a player: it is raised, with the right to claim it and its penalty. Where
    /// nothing explains the board, nothing is known of what anybody did.
    pub(crate) fn find(&mut self, found: Found) -> Changes {
        if self.state.is_lost() {
            return NOTHING;
        }
        let Found {
            mut breach,
            ply,
            before,
        } = found;
        if self.stands_told(&breach, ply) {
            return NOTHING;
        }
        // Without a clock no press proves that the turn was over.
        let shaky =
            !self.setup.clock || self.is_shaky() || rests_on(&breach, &before, self.in_question());
        if shaky {
            breach.certainty = breach.certainty.min(Certainty::Likely);
        }
        if self.is_told_otherwise(ply)
            || self.rests_on_accusation(breach.code, ply)
            || self.rests_on_unseen(&breach, ply, &before)
        {
            breach.certainty = Certainty::Possible;
        }
        breach.certainty = breach.certainty.min(self.beside_exchange(&breach));
        let (code, by) = (breach.code, breach.by);
        let terms = Terms {
            by: by.into(),
            article: self.laws().article(breach.rule(self.laws())),
            claim: Some(self.right_of(code, by)),
            penalty: self.penalty_for(code, by, ply, &before),
        };
        let irregularity = self.compose(breach, ply, &before, terms);
        let id = self.raise(irregularity);
        if ply > self.record.len() + 1 {
            self.docket.note_before(id, fen_text(&before));
        }
        match self.offence().redress {
            Redress::OnClaim => NOTHING,
            _ => alloc::vec![Change::ProposeForfeit(id)],
        }
    }

    /// Whether `breach` is the illegal move of ply `ply` that has been told and not been put back:
    /// who presses once more has not offended once more.
    fn stands_told(&self, breach: &Breach, ply: usize) -> bool {
        let same = |f: &Finding| {
            let told = &f.irregularity;
            f.status == FindingStatus::Open
                && f.is_of(ply)
                && (told.code, told.by) == (breach.code, breach.by.into())
                && told.squares == breach.squares
        };
        breach.code.is_illegal_move()
            && self.state.is_putting_back()
            && self.docket.raised().iter().any(same)
    }

    /// Whether an illegal move, found of ply `ply` where nobody presses, follows one that was told
    /// as only likely so soon that one misreading may account for both.
    fn rests_on_accusation(&self, code: Code, ply: usize) -> bool {
        // One that answers another was seen beside it.
        let plies = ply.saturating_sub(ONE_MISREADING)..ply.saturating_sub(1);
        !self.setup.clock
            && code.is_illegal_move()
            && self
                .docket
                .has_undecided_illegal_move_in(plies, self.clock.now())
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
        let (text, told) = message::irregularity(&Case {
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
        Irregularity {
            id: 0,
            code,
            reason,
            article,
            by,
            ply: ply as u32,
            certainty,
            squares,
            claim,
            required: required.map(|moves| self.ucis(&moves)),
            penalty,
            evidence: self.turn_evidence(),
            text,
            told,
        }
    }

    /// What the record has as ply `ply`.
    fn played(&self, ply: usize) -> message::Played {
        match self.record.ply(ply) {
            Some(told) => told.m.map_or(message::Played::Other, message::Played::Move),
            None if self.state.setting_up().is_some() && !self.has_begun() => {
                message::Played::NotBegun
            }
            None => message::Played::NotYet,
        }
    }

    /// The inputs since the turn began.
    fn turn_evidence(&self) -> Vec<Event> {
        let start = self.turn_began();
        let mut evidence = Vec::new();
        for event in self.board.evidence() {
            let silent = matches!(event.input, Input::Tick | Input::Setup(_));
            if event.at >= start && !silent {
                evidence.push(event.clone());
            }
        }
        // How the turn began, and what came last.
        if evidence.len() > MOST_SHOWN {
            evidence.drain(MOST_SHOWN / 2..evidence.len() - MOST_SHOWN / 2);
        }
        evidence.shrink_to_fit();
        evidence
    }

    /// The input that came last did nothing: no finding rests on it.
    pub(crate) fn forget_witness(&mut self) {
        self.board.forget_witness();
    }

    /// Keeps a finding and tells it; its number. Where too many wait it is not told, and 0 is the
    /// number of none.
    pub(crate) fn raise(&mut self, irregularity: Irregularity) -> u32 {
        // Of plies that nobody saw, nobody is accused.
        let unseen = self.state.is_lost() || self.board.hides_plies();
        match self.docket.is_full() || unseen {
            true => 0,
            false => self.keep(irregularity),
        }
    }

    /// Keeps what a person has seen, however much waits, and tells it; its number.
    pub(crate) fn keep(&mut self, mut irregularity: Irregularity) -> u32 {
        self.docket.raise(self.clock.now(), &mut irregularity);
        let id = irregularity.id;
        self.say(Ruling::Irregularity(irregularity));
        id
    }

    /// Takes a finding back that waits for the arbiter; what he has decided stands.
    pub(crate) fn withdraw(&mut self, id: u32) {
        if self.docket.close_finding(id, FindingStatus::Withdrawn) {
            self.say(Ruling::Withdrawn { id });
        }
    }

    /// Findings of plies after the first `n`, of codes that `falls` names, were made on a
    /// misreading.
    pub(crate) fn withdraw_after(&mut self, n: usize, falls: fn(Code) -> bool) {
        for id in self.docket.open_after(n) {
            let told = self.docket.finding(id).map(|f| f.irregularity.code);
            if told.is_some_and(falls) {
                self.withdraw(id);
            }
        }
        self.drop_forfeit();
    }

    /// A finding that binds nobody and costs nothing by itself; its number.
    pub(crate) fn raise_unbinding(
        &mut self,
        code: Code,
        by: Party,
        certainty: Certainty,
        squares: Bitboard,
        ply: usize,
    ) -> u32 {
        let irregularity = self.compose_unbinding(code, by, certainty, squares, ply);
        self.raise(irregularity)
    }

    /// A finding that was raised so is told anew, being surer than it was.
    pub(crate) fn strengthen(&mut self, id: u32, certainty: Certainty) {
        let open = |f: &&Finding| f.status == FindingStatus::Open;
        let Some(told) = self.docket.finding(id).filter(open) else {
            return;
        };
        let Irregularity { code, by, ply, .. } = told.irregularity;
        if told.irregularity.certainty == certainty {
            return;
        }
        let squares = told.irregularity.squares.iter().copied().collect();
        let mut surer = self.compose_unbinding(code, by, certainty, squares, ply as usize);
        surer.id = id;
        self.docket.retell(&surer);
        self.say(Ruling::Irregularity(surer));
    }

    fn compose_unbinding(
        &self,
        code: Code,
        by: Party,
        certainty: Certainty,
        squares: Bitboard,
        ply: usize,
    ) -> Irregularity {
        let shaky = self.is_shaky() || self.in_question().any();
        let certainty = if shaky {
            certainty.min(Certainty::Likely)
        } else {
            certainty
        };
        let article = self.laws().article_of_code(code);
        let before = self.record.position(ply.saturating_sub(1));
        let terms = Terms {
            by,
            article,
            claim: self.right_to_object(code),
            penalty: None,
        };
        let by = if by == Party::Black {
            Color::Black
        } else {
            Color::White
        };
        let squares = squares.into_iter().collect();
        let breach = Breach {
            code,
            reason: None,
            by,
            certainty,
            squares,
            required: None,
        };
        self.compose(breach, ply, &before, terms)
    }

    /// What is wrong with the position after `k` plies, whoever brought it about.
    pub(crate) fn find_position(&mut self, code: Code, squares: Vec<Square>, k: usize) {
        let position = self.record.position(k);
        let (by, certainty) = (position.turn(), Certainty::Certain);
        let breach = Breach {
            code,
            reason: None,
            by,
            certainty,
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
}

/// A finding that a late reading makes doubtful.
impl Game {
    /// One reading that came soon after the press makes a legal move of what was told as an illegal
    /// one: it may have been late, and the finding is only likely.
    pub(crate) fn soften_illegal(&mut self) -> Changes {
        let ply = self.pressed_ply();
        let Some(Finding {
            at, irregularity, ..
        }) = self.certain_illegal_move(ply).cloned()
        else {
            return NOTHING;
        };
        let root = self.root();
        // What the opponent has taken up since is his reply.
        let reply = root.pos.them() & !self.board.planes().occupied();
        let contacts = self.board.contacts();
        let late = contacts.touched_since(at) & !reply;
        let Some(only) = late.single_square() else {
            return NOTHING;
        };
        let soon = contacts.since(only).since(at) <= self.setup.options.reread_ms;
        if self.step_of(self.best(), ply).is_none() || !soon {
            return NOTHING;
        }
        let before = root.pos.clone();
        let required = irregularity.required.map(|ucis| legal_of(&ucis, &before));
        self.withdraw(irregularity.id);
        let breach = Breach {
            code: irregularity.code,
            reason: irregularity.reason,
            by: before.turn(),
            certainty: Certainty::Likely,
            squares: irregularity.squares,
            required,
        };
        alloc::vec![
            Found {
                breach,
                ply,
                before
            }
            .into()
        ]
    }

    /// The last illegal move of ply `ply` that was found for certain and not decided on yet.
    fn certain_illegal_move(&self, ply: usize) -> Option<&Finding> {
        self.docket.raised().iter().rfind(|f| {
            let told = &f.irregularity;
            f.status == FindingStatus::Open
                && told.certainty == Certainty::Certain
                && told.code == Code::IllegalMove
                && f.is_of(ply)
        })
    }
}

/// The moves of `pos` among `ucis`.
pub(crate) fn legal_of(ucis: &[shakmaty::uci::UciMove], pos: &Chess) -> Vec<Move> {
    ucis.iter()
        .filter_map(|uci| uci.to_move(pos).ok())
        .collect()
}
