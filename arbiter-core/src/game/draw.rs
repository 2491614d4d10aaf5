//! Draws by the players' word: offered and agreed (9.1, 5.2.3), or claimed (9.2 to 9.5).

use alloc::vec::Vec;

use shakmaty::uci::UciMove;
use shakmaty::{Color, Move, Position, Square};

use crate::chess::moves::{legal_moves, squares_of};
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::findings::Terms;
use crate::judge::article_4::{Bound, Breach};
use crate::judge::handling::{Handled, Handling};
use crate::laws::Rule;
use crate::message::Answer;
use crate::said::input::{ClaimKind, DrawStep, Input};
use crate::said::irregularity::{Article, Certainty, Code};
use crate::said::ruling::{GameResult, Penalty, ResultReason, Ruling};
use crate::said::view::ObligationView;
use crate::track::hypothesis::Step;

/// What is to be said to a draw claim.
enum Examined {
    /// It is a draw.
    Right,
    /// It is none: how often the position has stood, or how many moves were made; and the move
    /// that was to bring it about, if there was one.
    TooFew(u32, Option<Move>),
    /// The move that was to bring it about is not legal.
    NoLegalMove,
    /// A piece was touched before, on these squares.
    Touched(Vec<Square>),
    /// It was not for this player to claim.
    NotHisTurn,
}

impl Examined {
    fn answer(&self, kind: ClaimKind) -> Answer {
        match self {
            Examined::Right => Answer::Drawn,
            Examined::TooFew(..) if kind == ClaimKind::FiftyMoves => Answer::TooFewMoves,
            Examined::TooFew(..) => Answer::TooFewTimes,
            Examined::NoLegalMove => Answer::NoLegalMove,
            Examined::Touched(_) => Answer::Touched,
            Examined::NotHisTurn => Answer::NotHisTurn,
        }
    }

    /// How often the position has stood, or how many moves were made, where too few.
    fn count(&self) -> u32 {
        match self {
            Examined::TooFew(count, _) => *count,
            _ => 0,
        }
    }

    /// Whether the claim was found wrong, and the move that was written down with it.
    fn wrong(&self) -> Option<Option<Move>> {
        match self {
            Examined::TooFew(_, written) => Some(*written),
            Examined::NoLegalMove => Some(None),
            _ => None,
        }
    }
}

impl Game {
    /// Tells what draw the player to move can claim after `k` plies: every time a position has come
    /// back often enough, and to each player once when fifty moves are full.
    pub(crate) fn tell_claimable(&mut self, k: usize) {
        let pos = self.record.position(k);
        let (by, quiet) = (pos.turn(), pos.halfmoves());
        let laws = self.laws();
        if self.record.repetitions(k) >= laws.claim_after_occurrences {
            self.say(Ruling::DrawClaimable {
                kind: ClaimKind::Threefold,
                by,
            });
        }
        if quiet / 2 == laws.claim_after_moves {
            self.say(Ruling::DrawClaimable {
                kind: ClaimKind::FiftyMoves,
                by,
            });
        }
    }

    /// Offers and answers. An offer stands until it is answered or the opponent touches a piece
    /// (9.1.2.1).
    pub(crate) fn draw(&mut self, by: Color, step: DrawStep) -> Changes {
        let offered = self.docket.draw_offer().is_some_and(|(who, _)| who != by);
        match step {
            DrawStep::Offer => self.docket.offer_draw(by, self.clock.now()),
            DrawStep::Decline if offered => self.docket.end_draw_offer(),
            DrawStep::Decline => {}
            DrawStep::Accept => {
                self.tell_as_it_stands();
                let both_moved = self.record.len() >= 2 || !self.laws().agreement_after_moves;
                if offered && both_moved {
                    let article = self.laws().article(Rule::Agreement);
                    return alloc::vec![self.drawn(ResultReason::Agreement, article)];
                }
            }
        }
        NOTHING
    }

    /// Whether `input` answers an offer of a draw that there is not.
    pub(crate) fn answers_no_offer(&self, input: &Input) -> bool {
        let Input::Draw { by, step } = input else {
            return false;
        };
        let offered = self.docket.draw_offer().is_some_and(|(who, _)| who != *by);
        *step != DrawStep::Offer && !offered
    }

    fn drawn(&self, reason: ResultReason, article: Article) -> Change {
        self.declared(GameResult::Draw, false, reason, article)
    }

    /// The player to move has handled pieces: whoever touches one after the opponent's offer
    /// declines it.
    pub(crate) fn lapse_offer(&mut self, player: Color, handling: &Handling) {
        let Some((by, at)) = self.docket.draw_offer() else {
            return;
        };
        let mut touched = handling.pieces.iter().filter_map(Handled::touched);
        if by != player && touched.any(|touched| touched > at) {
            self.docket.end_draw_offer();
        }
    }

    /// Answers a claim of threefold repetition or fifty moves. A claim is also an offer of a draw
    /// (9.1.2.3).
    pub(crate) fn claim_draw(
        &mut self,
        by: Color,
        kind: ClaimKind,
        intended: Option<UciMove>,
    ) -> Changes {
        let examined = self.examine(by, kind, intended);
        let rule = match (&examined, kind) {
            (Examined::Touched(_), _) => Rule::TouchLosesClaim,
            (_, ClaimKind::FiftyMoves) => Rule::FiftyMoves,
            _ if intended.is_some() => Rule::ThreefoldIntended,
            _ => Rule::Threefold,
        };
        let article = self.laws().article(rule);
        self.answer_counted(by, kind, examined.answer(kind), examined.count(), article);
        if let Examined::Right = examined {
            let threefold = kind == ClaimKind::Threefold;
            let reason = if threefold {
                ResultReason::Threefold
            } else {
                ResultReason::FiftyMoves
            };
            return alloc::vec![self.drawn(reason, article)];
        }
        self.docket.offer_draw(by, self.clock.now());
        if let Some(written) = examined.wrong()
            && self.laws().find_article(Rule::WrongClaim).is_some()
        {
            self.find_claim(Code::IncorrectDrawClaim, by, Vec::new(), written);
            written.into_iter().for_each(|m| self.demand_written(by, m));
        }
        if let Examined::Touched(squares) = examined {
            self.find_claim(Code::DrawClaimAfterTouch, by, squares, None);
        }
        NOTHING
    }

    /// Whether the draw is there, with the intended move on the board or as it stands.
    fn examine(&self, by: Color, kind: ClaimKind, intended: Option<UciMove>) -> Examined {
        if self.laws().touch_loses_draw_claim
            && let Some(squares) = self.touched_by(by)
        {
            return Examined::Touched(squares);
        }
        if self.record.last().turn() != by {
            return Examined::NotHisTurn;
        }
        let mut record = self.record.clone();
        let mut written = None;
        let counts = kind != ClaimKind::FiftyMoves || self.laws().fifty_moves_intended;
        if let Some(uci) = intended.filter(|_| counts) {
            let Some(m) = self.legal_move(uci) else {
                return Examined::NoLegalMove;
            };
            record.push(
                Step {
                    m,
                    made_at: self.clock.now(),
                },
                None,
            );
            written = Some(m);
        }
        let n = record.len();
        let (laws, named) = (self.laws(), u32::from(written.is_some()));
        let quiet = record.position(n).halfmoves();
        let (right, so_far) = match kind {
            ClaimKind::FiftyMoves => (
                quiet >= 2 * laws.claim_after_moves,
                quiet.saturating_sub(named) / 2,
            ),
            _ => {
                let stood = record.repetitions(n);
                let right = stood >= laws.claim_after_occurrences;
                (right, stood as u32 - named)
            }
        };
        if right {
            Examined::Right
        } else {
            Examined::TooFew(so_far, written)
        }
    }

    /// The legal move in the recorded position. A king in reach, where an illegal move stands, is
    /// no move either.
    fn legal_move(&self, uci: UciMove) -> Option<Move> {
        let m = uci.to_move(self.record.last()).ok()?;
        legal_moves(self.record.last()).contains(&m).then_some(m)
    }

    /// What the player has touched of his turn, if he is at it and has: on this move he may not
    /// claim any more (9.4).
    fn touched_by(&self, by: Color) -> Option<Vec<Square>> {
        let line = self.best();
        let squares: Vec<Square> = if line.pos.turn() == by {
            let handling = self.handling_of_open_turn(line);
            let touches = handling.touches(self.setup.options.skew_ms, Handled::touched);
            touches.into_iter().map(|t| t.square).collect()
        } else if self.length(line) > self.record.completed() {
            // His move stands on the board, and his clock still runs.
            let made = line.steps.last()?;
            squares_of(made.m).into_iter().collect()
        } else {
            return None;
        };
        (!squares.is_empty()).then_some(squares)
    }

    /// The move that was written down must be played (9.5.3).
    fn demand_written(&mut self, by: Color, m: Move) {
        self.bind(Some(Bound {
            ply: self.record.len() + 1,
            code: Code::IncorrectDrawClaim,
            moves: alloc::vec![m],
        }));
        let (article, moves) = (self.laws().article(Rule::WrongClaim), self.ucis(&[m]));
        self.oblige(Some(ObligationView { by, article, moves }));
    }

    /// A claim that the Laws do not admit, or that was found wrong (9.4, 9.5.3).
    fn find_claim(&mut self, code: Code, by: Color, squares: Vec<Square>, written: Option<Move>) {
        let complete = self.docket.doubts().is_empty() && !self.board.gap();
        // That a piece was touched in his own turn is read off the board.
        let read = self.setup.clock && !self.board.misreads();
        let complete = complete && (read || code != Code::DrawClaimAfterTouch);
        let certainty = if complete {
            Certainty::Certain
        } else {
            Certainty::Likely
        };
        let opponent_ms = match code {
            Code::IncorrectDrawClaim => self.laws().wrong_claim_ms.of(self.setup.class),
            _ => 0,
        };
        let terms = Terms {
            by: by.into(),
            article: self.laws().article_of_code(code),
            claim: None,
            penalty: (opponent_ms > 0).then_some(Penalty {
                opponent_ms,
                then: None,
            }),
        };
        let told = self.record.len();
        let own_stands = self.record.last().turn() != by && told > self.record.completed();
        let ply = told + usize::from(!own_stands);
        let required = written.map(|m| alloc::vec![m]);
        let before = self.record.position(ply - 1);
        let breach = Breach {
            code,
            reason: None,
            by,
            certainty,
            squares,
            required,
        };
        let finding = self.compose(breach, ply, &before, terms);
        self.raise(finding);
    }
}
