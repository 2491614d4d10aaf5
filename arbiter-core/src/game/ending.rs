//! How a game ends: by the position, by the players' word, or by the boards' sign.

use core::cell::OnceCell;

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role, Square};

use crate::chess::dead::free_pawns;
use crate::chess::moves::arrival;
use crate::game::Game;
use crate::game::mating::Loss;
use crate::laws::{Repetition, Rule};
use crate::message::{self, Answer};
use crate::said::input::ClaimKind;
use crate::said::irregularity::Article;
use crate::said::ruling::{GameResult, ResultReason, Ruling};
use crate::said::view::{FindingStatus, ResultView};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

/// The four centre squares, where boards look for the sign of a result.
const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

impl Game {
    /// The ending that the position after `k` plies brings by itself (5.1.1, 5.2.1, 5.2.2, 9.6).
    fn ending(&self, k: usize) -> Option<(GameResult, ResultReason, Article)> {
        self.ending_of(&self.record.position(k), k)
    }

    fn ending_of(&self, pos: &Chess, k: usize) -> Option<(GameResult, ResultReason, Article)> {
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
        let (reason, rule) = match () {
            () if stuck => (ResultReason::Stalemate, Rule::Stalemate),
            () if laws.dead_position && self.is_dead(pos) => {
                (ResultReason::DeadPosition, Rule::DeadPosition)
            }
            () if self.is_fivefold(k) => (ResultReason::Fivefold, Rule::Fivefold),
            () if laws
                .draw_after_moves
                .is_some_and(|n| pos.halfmoves() >= 2 * n) =>
            {
                (ResultReason::SeventyFiveMoves, Rule::SeventyFiveMoves)
            }
            () => return None,
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

    pub(crate) fn ends_game(&self, k: usize) -> bool {
        self.ending(k).is_some()
    }

    /// Declares the ending of the position after `k` plies, or tells what draw can be claimed in
    /// it.
    pub(crate) fn check_end(&mut self, k: usize, released: bool) {
        if self.is_idle() || !released || !self.may_end(k) {
            return;
        }
        match self.ending(k) {
            Some((result, reason, article)) => self.declare(result, false, reason, article),
            None => self.tell_claimable(k),
        }
    }

    /// Declares the ending of the position after `k` plies, if it is one and nothing holds it back.
    pub(crate) fn end_if_over(&mut self, k: usize) {
        if let Some((result, reason, article)) = self
            .ending(k)
            .filter(|_| !self.is_idle() && self.may_end(k))
        {
            self.declare(result, false, reason, article);
        }
    }

    /// Whether ply `k` may end the game: no breach of Article 4 in it can still be claimed, where
    /// the edition asks for that (5.1.1), and no account reads it otherwise.
    fn may_end(&self, k: usize) -> bool {
        let holds = self.laws().ends_in_accord_with_article_4
            && self.findings.iter().any(|f| {
                let i = &f.irregularity;
                let open = f.status == FindingStatus::Open && i.claim.is_none_or(|c| c.open);
                open && i.ply as usize == k && i.code.is_of_moving()
            });
        // While accounts differ (the piece on a promotion square is unseen) only what all of them
        // say is declared.
        let total = |a: &Hypothesis| a.total(&self.contacts, self.now, true);
        let best = self
            .beam
            .all()
            .iter()
            .filter(|a| self.length(a) >= k)
            .map(total)
            .min()
            .unwrap_or(0);
        let told = self.record.position(k);
        let ending = OnceCell::new();
        let agrees = |a: &Hypothesis| {
            let open = self.length(a) >= k && total(a) <= best + cost::TIE;
            let pos = open.then(|| self.position_in(a, k));
            pos.filter(|pos| !is_same(pos, &told)).is_none_or(|pos| {
                self.ending_of(&pos, k) == *ending.get_or_init(|| self.ending_of(&told, k))
            })
        };
        !holds && self.beam.all().iter().all(agrees)
    }

    pub(crate) fn declare(
        &mut self,
        result: GameResult,
        proposed: bool,
        reason: ResultReason,
        article: Article,
    ) {
        let to_move = self.record.last().turn();
        self.declare_against(to_move, result, proposed, reason, article);
    }

    /// A result that follows from what `loser` did: he may be spared.
    pub(crate) fn declare_against(
        &mut self,
        loser: Color,
        result: GameResult,
        proposed: bool,
        reason: ResultReason,
        article: Article,
    ) {
        let text = message::ending(
            self.setup.options.language,
            result,
            proposed,
            reason,
            loser,
            article,
        );
        self.result = Some(ResultView {
            result,
            proposed,
            reason,
        });
        self.result_text = text.clone();
        self.awaited = None;
        self.obligation = None;
        self.say(Ruling::Result {
            result,
            proposed,
            reason,
            article,
            text,
        });
    }

    /// Records what stands on the board, if it is exactly a made move: a game that ends keeps its
    /// last ply.
    pub(crate) fn tell_standing(&mut self) {
        let best = self.best().clone();
        if best.wrong(&self.contacts).is_empty() {
            self.tell_line(&best, self.length(&best), self.completed);
        }
    }

    /// A player resigns: the opponent wins, unless the game had ended or, from 2023 on, he cannot
    /// mate (5.1.2).
    pub(crate) fn resign(&mut self, by: Color) {
        self.tell_standing();
        // A mate that an open breach holds back does not stop anybody from resigning.
        if self.ended_by_what_stands() && self.is_idle() {
            return;
        }
        let article = self.laws().article(Rule::Resignation);
        let (pos, spared) = (self.record.last().clone(), self.laws().resignation_draws);
        self.lose(Loss {
            loser: by,
            reason: ResultReason::Resignation,
            article,
            spared,
            pos,
        });
    }

    /// A flag fell. Where players must claim it themselves, nobody hears of it until one does.
    pub(crate) fn flag_fall(&mut self, by: Color) {
        *self.fallen.get_mut(by) = true;
        if self
            .laws()
            .arbiter_calls_flag(self.setup.class, self.setup.supervised)
        {
            self.judge_flag(by);
        }
    }

    /// A player claims that his opponent's flag has fallen: his own must still stand.
    pub(crate) fn claim_flag(&mut self, by: Color) {
        let accepted = *self.fallen.get(!by) && !*self.fallen.get(by);
        let answer = if accepted {
            Answer::FlagFallen
        } else {
            Answer::FlagNotSeen
        };
        self.answer(
            by,
            ClaimKind::FlagFall,
            answer,
            self.laws().article(Rule::FlagFall),
        );
        if accepted {
            self.judge_flag(!by);
        }
    }

    /// The flag of `by` has fallen: nothing if the game had ended, a draw if the opponent cannot
    /// mate, else a loss (6.9).
    fn judge_flag(&mut self, by: Color) {
        self.tell_standing();
        if self.ended_by_what_stands() {
            return;
        }
        let article = self.laws().article(Rule::FlagFall);
        let (pos, spared) = (self.record.last().clone(), self.laws().flag_fall_draws);
        self.lose(Loss {
            loser: by,
            reason: ResultReason::FlagFall,
            article,
            spared,
            pos,
        });
    }

    /// Whether the position that stands ended the game when it arose; then it is told.
    fn ended_by_what_stands(&mut self) -> bool {
        let k = self.record.len();
        if !self.ends_game(k) {
            return false;
        }
        let best = self.best().clone();
        if k > self.completed && self.length(&best) >= k {
            self.commit_plies(&best, k);
        }
        self.check_end(k, true);
        true
    }

    /// Whether the account's last move is a king's step onto a centre square that nobody pressed
    /// for: it may be a sign.
    pub(crate) fn is_centre_king_step(&self, account: &Hypothesis) -> bool {
        let unpressed = self.length(account) > self.completed;
        let step = account
            .steps
            .last()
            .filter(|s| s.m.role() == Role::King && CENTRE.contains(&arrival(s.m)));
        unpressed && step.is_some()
    }

    /// Kings on two centre squares: the boards' sign of a result, proposed to a human (no Law; a
    /// convention).
    pub(crate) fn check_kings_placed(&mut self) -> bool {
        let deepest = self
            .beam
            .all()
            .iter()
            .filter(|a| !self.is_centre_king_step(a));
        let found = deepest
            .filter_map(|a| {
                Some((
                    a.steps.len(),
                    a,
                    self.sign_in(&a.pos, a.touched(&self.contacts))?,
                ))
            })
            .max_by_key(|(plies, ..)| *plies)
            .map(|(_, a, result)| (a.clone(), result));
        let Some((account, result)) = found else {
            return false;
        };
        let k = self.length(&account);
        self.tell_line(&account, k, self.completed);
        self.beam.replace(alloc::vec![account]);
        self.declare(
            result,
            true,
            ResultReason::KingsPlaced,
            Article::new("convention"),
        );
        true
    }

    fn sign_in(&self, pos: &Chess, touched: Bitboard) -> Option<GameResult> {
        let white = pos
            .board()
            .king_of(Color::White)
            .filter(|sq| touched.contains(*sq))?;
        let black = pos
            .board()
            .king_of(Color::Black)
            .filter(|sq| touched.contains(*sq))?;
        let mut bare = pos.board().clone();
        bare.discard_piece_at(white);
        bare.discard_piece_at(black);
        let pairs = CENTRE
            .into_iter()
            .flat_map(|a| CENTRE.into_iter().map(move |b| (a, b)))
            .filter(|(a, b)| a != b);
        for (w, b) in pairs {
            let mut board = bare.clone();
            board.set_piece_at(
                w,
                Piece {
                    color: Color::White,
                    role: Role::King,
                },
            );
            board.set_piece_at(
                b,
                Piece {
                    color: Color::Black,
                    role: Role::King,
                },
            );
            let moved = |king: Square, to: Square| {
                CENTRE.contains(&king) || self.contacts.since(king) <= self.contacts.since(to)
            };
            if self.contacts.planes.differ(&board).is_empty() && moved(white, w) && moved(black, b)
            {
                return Some(match (w.is_light(), b.is_light()) {
                    (true, true) => GameResult::WhiteWins,
                    (false, false) => GameResult::BlackWins,
                    _ => GameResult::Draw,
                });
            }
        }
        None
    }
}

/// Whether two positions are one in everything that can end a game.
fn is_same(a: &Chess, b: &Chess) -> bool {
    a.board() == b.board()
        && (a.turn(), a.halfmoves(), a.maybe_ep_square())
            == (b.turn(), b.halfmoves(), b.maybe_ep_square())
        && a.castles().castling_rights() == b.castles().castling_rights()
}
