//! How a game ends by the position on the board, and how every result is declared.

use core::cell::OnceCell;

use alloc::string::String;

use shakmaty::{Chess, Color, Position};

use crate::chess::dead::free_pawns;
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::state::Ending;
use crate::game::verdict::Verdict;
use crate::laws::{Repetition, Rule};
use crate::message;
use crate::said::irregularity::{Article, Code};
use crate::said::ruling::{GameResult, ResultReason, Ruling};
use crate::said::view::{FindingStatus, ResultView};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

/// The ending that a position brings by itself.
type Ended = (GameResult, ResultReason, Article);

impl Game {
    /// The ending that the position after `k` plies brings by itself (5.1.1, 5.2.1, 5.2.2, 9.6).
    fn ending(&self, k: usize) -> Option<Ended> {
        self.ending_of(&self.record.position(k), k)
    }

    fn ending_of(&self, pos: &Chess, k: usize) -> Option<Ended> {
        let laws = self.laws();
        let stuck = free_pawns(pos).is_empty() && pos.legal_moves().is_empty();
        if stuck && pos.is_checkmate() {
            let result = GameResult::won_by(!pos.turn());
            return Some((
                result,
                ResultReason::Checkmate,
                laws.article(Rule::Checkmate),
            ));
        }
        let (reason, rule) = if stuck {
            (ResultReason::Stalemate, Rule::Stalemate)
        } else if laws.dead_position && self.is_dead(pos) {
            (ResultReason::DeadPosition, Rule::DeadPosition)
        } else if self.is_fivefold(k) {
            (ResultReason::Fivefold, Rule::Fivefold)
        } else if laws
            .draw_after_moves
            .is_some_and(|n| pos.halfmoves() >= 2 * n)
        {
            (ResultReason::SeventyFiveMoves, Rule::SeventyFiveMoves)
        } else {
            return None;
        };
        Some((GameResult::Draw, reason, laws.article(rule)))
    }

    fn is_fivefold(&self, k: usize) -> bool {
        match self.laws().draw_after_occurrences {
            Repetition::Never => false,
            Repetition::Consecutive(times) => self.record.alternations(k) >= times,
            Repetition::Any(times) => self.record.repetitions(k) >= times,
        }
    }

    /// Whether the position after `k` plies ends the game by itself.
    pub(crate) fn ends_game(&self, k: usize) -> bool {
        self.ending(k).is_some()
    }

    /// The ending of the position that stands, while a finding that waits keeps it from counting.
    pub(crate) fn held_back(&self) -> Option<ResultReason> {
        let is_open = self.state.result().is_none() && !self.is_idle();
        let waits = is_open && self.docket.has_open_finding();
        let (_, reason, _) = waits.then(|| self.ending(self.record.len())).flatten()?;
        Some(reason)
    }

    /// Declares the ending of the position after `k` plies, or tells what draw can be claimed in
    /// it.
    pub(crate) fn check_end(&mut self, k: usize, released: bool) -> Changes {
        if self.is_idle() || !released || !self.may_end(k) {
            return NOTHING;
        }
        match self.ending(k) {
            Some((result, reason, article)) => {
                alloc::vec![self.declared(result, false, reason, article)]
            }
            None => {
                self.tell_claimable(k);
                NOTHING
            }
        }
    }

    /// Declares the ending of the position after `k` plies, if it is one and nothing holds it back.
    pub(crate) fn end_if_over(&self, k: usize) -> Changes {
        match self.ending(k) {
            Some((result, reason, article)) if !self.is_idle() && self.may_end(k) => {
                alloc::vec![self.declared(result, false, reason, article)]
            }
            _ => NOTHING,
        }
    }

    /// Whether ply `k` may end the game: no breach of Article 4 in it can still be claimed, where
    /// the edition asks for that (5.1.1), the move that it answers is not to be put back, and no
    /// hypothesis reads it otherwise.
    fn may_end(&self, k: usize) -> bool {
        let accords = self.laws().ends_in_accord_with_article_4;
        let held = accords && self.has_open_claim_on(k, Code::is_of_moving);
        // Who mates at once has answered before anybody could put the illegal move back (7.5.1).
        let answers = k > 0
            && self.is_standing(k - 1)
            && self.has_open_claim_on(k - 1, Code::is_illegal_move);
        !held && !answers && self.all_end_alike(k)
    }

    /// Whether a breach of such a code in ply `ply` can still be claimed.
    fn has_open_claim_on(&self, ply: usize, is_such: fn(Code) -> bool) -> bool {
        self.docket.raised().iter().any(|f| {
            let told = &f.irregularity;
            let open = f.status == FindingStatus::Open && told.claim.is_none_or(|c| c.open);
            open && f.is_of(ply) && is_such(told.code)
        })
    }

    /// Whether what stands after `k` plies may rather be an illegal move that was seen, and is no
    /// dearer than a capture of which nothing was: the next move would tell, and there is none
    /// after a mate.
    fn may_be_illegal(&self, k: usize, best: i32) -> bool {
        let stands = |line: &Hypothesis| {
            let untold = line.act().is_some_and(|act| !act.told);
            untold && self.length(line) == k && self.wrong(line).is_empty()
        };
        let illegal = self.irregular(stands);
        illegal.is_some_and(|line| self.total(line) <= best + cost::UNTOUCHED)
    }

    /// While hypotheses differ (the piece on a promotion square is unseen) only what all of them
    /// say is declared.
    fn all_end_alike(&self, k: usize) -> bool {
        let best = self.made(k).map_or(0, |line| self.total(line));
        if self.may_be_illegal(k, best) {
            return false;
        }
        let told = self.record.position(k);
        let ending = OnceCell::new();
        for line in self.track.all() {
            if self.length(line) < k || self.total(line) > best + cost::TIE {
                continue;
            }
            let pos = self.position_in(line, k);
            if is_same(&pos, &told) {
                continue;
            }
            let of_told = ending.get_or_init(|| self.ending_of(&told, k));
            if self.ending_of(&pos, k) != *of_told {
                return false;
            }
        }
        true
    }

    /// A result to be declared that follows from what the player to move did, or from the position.
    pub(crate) fn declared(
        &self,
        result: GameResult,
        proposed: bool,
        reason: ResultReason,
        article: Article,
    ) -> Change {
        let loser = self.record.last().turn();
        Change::Declare(Verdict {
            result,
            proposed,
            reason,
            article,
            loser,
        })
    }

    /// Declares a result. A loss for illegal moves is only proposed: play may go on meanwhile.
    pub(crate) fn declare(&mut self, verdict: Verdict) {
        let Verdict {
            result,
            proposed,
            reason,
            article,
            loser,
        } = verdict;
        let language = self.setup.options.language;
        let text = message::ending(language, result, proposed, reason, loser, article);
        self.set_obligation(None);
        self.set_result(
            ResultView {
                result,
                proposed,
                reason,
            },
            text.clone(),
            loser,
        );
        self.say(Ruling::Result {
            result,
            proposed,
            reason,
            article,
            text,
        });
    }

    fn set_result(&mut self, result: ResultView, text: String, loser: Color) {
        if result.proposed && result.reason == ResultReason::ForfeitIllegalMoves {
            self.state.reopen();
            self.docket.propose(Some((result, text, loser)));
        } else {
            self.docket.propose(None);
            self.state.end(Ending::Declared(result, text));
        }
    }

    /// There is no result after all: the game goes on.
    pub(crate) fn reopen(&mut self) {
        self.state.reopen();
        self.docket.propose(None);
    }
}

/// Whether two positions are one in everything that can end a game.
fn is_same(a: &Chess, b: &Chess) -> bool {
    a.board() == b.board()
        && a.turn() == b.turn()
        && a.halfmoves() == b.halfmoves()
        && a.maybe_ep_square() == b.maybe_ep_square()
        && a.castles().castling_rights() == b.castles().castling_rights()
}
