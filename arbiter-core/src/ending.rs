//! How a game ends: by the position, by the players' word, or by the boards' sign.

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role, Square};

use crate::candidate::{arrival, price};
use crate::game::Game;
use crate::hypothesis::Account;
use crate::input::{ClaimKind, DrawStep};
use crate::irregularity::Article;
use crate::message;
use crate::ruling::{GameResult, ResultReason, Ruling};
use crate::view::{FindingStatus, ResultView};

/// The four centre squares, where boards look for the sign of a result.
const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

impl Game {
    /// The ending that the position after `k` plies brings by itself (5.1.1, 5.2.1, 5.2.2, 9.6).
    fn ending(&self, k: usize) -> Option<(GameResult, ResultReason, Article)> {
        self.ending_of(self.record.position(k), k)
    }

    fn ending_of(&self, pos: &Chess, k: usize) -> Option<(GameResult, ResultReason, Article)> {
        if pos.is_checkmate() {
            return Some((GameResult::won_by(!pos.turn()), ResultReason::Checkmate, Article::new("5.1.1")));
        }
        let (reason, article) = match () {
            () if pos.is_stalemate() => (ResultReason::Stalemate, "5.2.1"),
            () if pos.is_insufficient_material() => (ResultReason::DeadPosition, "5.2.2"),
            () if self.record.repetitions(k) >= 5 => (ResultReason::Fivefold, "9.6.1"),
            () if pos.halfmoves() >= 150 => (ResultReason::SeventyFiveMoves, "9.6.2"),
            () => return None,
        };
        Some((GameResult::Draw, reason, Article::new(article)))
    }

    pub(crate) fn ends_game(&self, k: usize) -> bool {
        self.ending(k).is_some()
    }

    /// Declares the ending of the position after `k` plies, unless a breach of Article 4 in that ply is open (5.1.1).
    pub(crate) fn check_end(&mut self, k: usize, released: bool) {
        if self.is_idle() || !released {
            return;
        }
        let holds = self.findings.iter().any(|f| {
            f.irregularity.ply as usize == k && f.status == FindingStatus::Open && f.irregularity.code.is_of_moving()
        });
        if holds {
            return;
        }
        // While accounts differ (the piece on a promotion square is unseen) only what all of them say is declared.
        let total = |a: &Account| a.total(&self.settle, self.now, true);
        let best = self.hypotheses.all().iter().filter(|a| self.length(a) >= k).map(total).min().unwrap_or(0);
        let agrees = |a: &Account| {
            let open = self.length(a) >= k && total(a) <= best + price::TIE;
            !open || self.ending_of(&self.position_in(a, k), k) == self.ending(k)
        };
        if !self.hypotheses.all().iter().all(agrees) {
            return;
        }
        match self.ending(k) {
            Some((result, reason, article)) => self.declare(result, false, reason, article),
            None => self.tell_claimable(k),
        }
    }

    fn tell_claimable(&mut self, k: usize) {
        let pos = self.record.position(k);
        let (by, fifty) = (pos.turn(), pos.halfmoves() == 100);
        if self.record.repetitions(k) == 3 {
            self.say(Ruling::DrawClaimable { kind: ClaimKind::Threefold, by });
        }
        if fifty {
            self.say(Ruling::DrawClaimable { kind: ClaimKind::FiftyMoves, by });
        }
    }

    pub(crate) fn declare(&mut self, result: GameResult, proposed: bool, reason: ResultReason, article: Article) {
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
        let text = message::ending(self.setup.options.language, result, proposed, reason, loser, article);
        self.result = Some(ResultView { result, proposed, reason });
        self.result_text = text.clone();
        self.obligation = None;
        self.say(Ruling::Result { result, proposed, reason, article, text });
    }

    /// Records what stands on the board, if it is exactly a made move: a game that ends keeps its last ply.
    fn tell_standing(&mut self) {
        let best = self.best().clone();
        if best.wrong(&self.settle).is_empty() {
            self.tell_line(&best, self.length(&best), self.completed);
        }
    }

    /// A player resigns: the opponent wins, or it is a draw if he cannot mate (5.1.2).
    pub(crate) fn resign(&mut self, by: Color) {
        self.tell_standing();
        let pos = self.record.last();
        let result = if pos.has_insufficient_material(!by) { GameResult::Draw } else { GameResult::won_by(!by) };
        self.declare_against(by, result, false, ResultReason::Resignation, Article::new("5.1.2"));
    }

    /// Offers and answers (9.1, 5.2.3): valid once both have moved.
    pub(crate) fn draw(&mut self, by: Color, step: DrawStep) {
        match step {
            DrawStep::Offer => self.draw_offer = Some(by),
            DrawStep::Decline => self.draw_offer = self.draw_offer.filter(|offered| *offered == by),
            DrawStep::Accept => {
                self.tell_standing();
                if self.draw_offer == Some(!by) && self.record.len() >= 2 {
                    self.declare(GameResult::Draw, false, ResultReason::Agreement, Article::new("5.2.3"));
                }
            }
        }
    }

    /// A flag fell: nothing if the game had ended, a draw if the opponent cannot mate, else a loss (6.9).
    pub(crate) fn flag_fall(&mut self, by: Color) {
        self.tell_standing();
        let k = self.record.len();
        if self.ends_game(k) {
            let best = self.best().clone();
            if k > self.completed && self.length(&best) >= k {
                self.wall(&best, k);
            }
            return self.check_end(k, true);
        }
        let draw = self.record.last().has_insufficient_material(!by);
        let result = if draw { GameResult::Draw } else { GameResult::won_by(!by) };
        self.declare_against(by, result, false, ResultReason::FlagFall, Article::new("6.9"));
    }

    /// Whether the account's last move is a king's step onto a centre square that nobody pressed for: it may be a sign.
    pub(crate) fn is_centre_king_step(&self, account: &Account) -> bool {
        let unpressed = self.length(account) > self.completed;
        let step = account.steps.last().filter(|s| s.m.role() == Role::King && CENTRE.contains(&arrival(s.m)));
        unpressed && step.is_some()
    }

    /// Kings on two centre squares: the boards' sign of a result, proposed to a human (no Law; a convention).
    pub(crate) fn check_kings_placed(&mut self) -> bool {
        let deepest = self.hypotheses.all().iter().filter(|a| !self.is_centre_king_step(a));
        let found = deepest
            .filter_map(|a| Some((a.steps.len(), a, self.sign_in(&a.pos, a.touched(&self.settle))?)))
            .max_by_key(|(plies, ..)| *plies)
            .map(|(_, a, result)| (a.clone(), result));
        let Some((account, result)) = found else { return false };
        let k = self.length(&account);
        self.tell_line(&account, k, self.completed);
        self.hypotheses.replace(alloc::vec![account]);
        self.declare(result, true, ResultReason::KingsPlaced, Article::new("convention"));
        true
    }

    fn sign_in(&self, pos: &Chess, touched: Bitboard) -> Option<GameResult> {
        let white = pos.board().king_of(Color::White).filter(|sq| touched.contains(*sq))?;
        let black = pos.board().king_of(Color::Black).filter(|sq| touched.contains(*sq))?;
        let mut bare = pos.board().clone();
        bare.discard_piece_at(white);
        bare.discard_piece_at(black);
        let pairs = CENTRE.into_iter().flat_map(|a| CENTRE.into_iter().map(move |b| (a, b))).filter(|(a, b)| a != b);
        for (w, b) in pairs {
            let mut board = bare.clone();
            board.set_piece_at(w, Piece { color: Color::White, role: Role::King });
            board.set_piece_at(b, Piece { color: Color::Black, role: Role::King });
            let moved =
                |king: Square, to: Square| CENTRE.contains(&king) || self.settle.since(king) <= self.settle.since(to);
            if self.settle.planes.differ(&board).is_empty() && moved(white, w) && moved(black, b) {
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
