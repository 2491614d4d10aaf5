//! No legal move stands on the board that was pressed for: what is made of it.

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Move, Position};

use crate::chess::moves::arrival;
use crate::game::Game;
use crate::game::change::{Change, Changes, Found, Line, NOTHING};
use crate::game::clock::Press;
use crate::game::standing_move::Illegal;
use crate::judge::article_4::required::breach_of;
use crate::judge::article_4::{Bound, Breach};
use crate::judge::handling::Handling;
use crate::judge::picture::{self, Judgement};
use crate::laws::{PawnLeft, Redress};
use crate::said::irregularity::{Certainty, Code, Reason};
use crate::said::ruling::DoubtKind;
use crate::said::settings::CastlingHalfmove;
use crate::said::symbol::SensorClass;
use crate::track::hypothesis::{Hypothesis, Step};

impl Game {
    /// No legal move stands on the board that was pressed for: rules on what does.
    pub(crate) fn rule_on_picture(&mut self, press: Press) -> Changes {
        let root: Line = Rc::new(self.root().clone());
        let handling = self.handling_of_open_turn(&root);
        match picture::judge(&self.picture(&root, &handling)) {
            Judgement::NoMove { swap_possible } => self.find_no_move(&root, swap_possible, press),
            Judgement::Illegal {
                reason,
                squares,
                required,
            } => {
                let illegal = Illegal {
                    code: Code::IllegalMove,
                    reason: Some(reason),
                    squares,
                    required,
                };
                self.rule_on_illegal(&root, &handling, illegal, press)
            }
            Judgement::Unread { moves } => self.take_unread(&root, &moves, press),
            Judgement::PawnLeft { promotion } => {
                self.rule_on_pawn_left(&root, &handling, promotion, press)
            }
            Judgement::Displaced { squares, .. } if self.are_exchanged(&root.pos, squares) => {
                self.find_exchanged_before(&root, squares);
                NOTHING
            }
            Judgement::Displaced { m, squares } => {
                self.adopt(self.adopted(&root, m, squares));
                alloc::vec![
                    Change::Complete(press),
                    Change::Displaced {
                        squares,
                        by: press.by
                    },
                ]
            }
        }
    }

    /// `root` and the move `m`, with the readings of `misread` set aside.
    pub(crate) fn adopted(&self, root: &Hypothesis, m: Move, misread: Bitboard) -> Hypothesis {
        let mut pos = root.pos.clone();
        pos.play_unchecked(m);
        let landed = arrival(m);
        let read = !(self.differ(&pos) | misread).contains(landed);
        let contacts = self.board.contacts();
        let now = self.clock.now();
        let made_at = if read {
            contacts.since(landed).max(root.since)
        } else {
            now
        };
        let mut line = Hypothesis::new(pos, made_at);
        line.steps = root.steps.clone();
        line.steps.push(Step { m, made_at });
        line.misread = root.misread | misread;
        line.early = line.wrong(contacts);
        line
    }

    /// A legal move that the board cannot have read: of several all live on, and somebody is asked
    /// to look.
    fn take_unread(
        &mut self,
        root: &Hypothesis,
        moves: &[(Move, Bitboard)],
        press: Press,
    ) -> Changes {
        self.board.notice_misreading();
        let mut squares = Bitboard::EMPTY;
        let mut lines = Vec::new();
        for (m, wrong) in moves {
            squares |= *wrong;
            lines.push(self.adopted(root, *m, *wrong));
        }
        self.track.adopt(lines);
        alloc::vec![Change::Complete(press), Change::CheckSquares(squares)]
    }

    /// Asks somebody to look at squares of the ply that was completed last.
    pub(crate) fn ask_to_check(&mut self, squares: Bitboard) {
        let ply = self.record.completed() as u32;
        self.raise_doubt(
            ply,
            DoubtKind::CheckSquare,
            squares.into_iter().collect(),
            Vec::new(),
        );
    }

    /// A square that must be read wrongly is worth a look.
    pub(crate) fn ask_about_misread(&mut self) {
        self.ask_about(self.best().misread);
    }

    /// So is one that a move rests on and the board does not trust.
    pub(crate) fn ask_about_suspect(&mut self) {
        self.ask_about(self.best().misread & self.board.suspect());
    }

    /// Asks somebody to look at these squares, where nobody has been asked yet.
    fn ask_about(&mut self, wrong: Bitboard) {
        let news = wrong & !self.in_question();
        if news.any() {
            self.ask_to_check(news);
        }
    }
}

/// Illegal moves.
impl Game {
    fn rule_on_illegal(
        &mut self,
        root: &Line,
        handling: &Handling,
        illegal: Illegal,
        press: Press,
    ) -> Changes {
        let reason = illegal.reason.unwrap_or(Reason::Other);
        let may_complete = self.setup.options.castling_halfmove == CastlingHalfmove::Complete;
        if let (Reason::CastlingHalfDone, [castling], true) =
            (reason, illegal.required.as_slice(), may_complete)
        {
            let squares: Bitboard = illegal.squares.iter().copied().collect();
            self.adopt(self.adopted(root, *castling, squares & self.differ(&root.pos)));
            return alloc::vec![Change::Complete(press), Change::PutRecordedBack];
        }
        if let Some(changes) = self.wait_out_checks(root, handling) {
            return changes;
        }
        // With no piece of his seen to stand elsewhere, what is missing may be in the opponent's
        // hand.
        let sure = !illegal.squares.is_empty() && self.is_wholly_seen(root, handling, reason);
        self.find_illegal(root, illegal, sure)
    }

    /// An illegal move is found, and what follows from it.
    pub(crate) fn find_illegal(&self, root: &Line, illegal: Illegal, sure: bool) -> Changes {
        let Illegal {
            code,
            reason,
            squares,
            required,
        } = illegal;
        let bound = self.state.turn().bound.as_ref();
        let required = bound.map_or(required, |bound| bound.moves.clone());
        let breach = Breach {
            code,
            reason,
            by: root.pos.turn(),
            certainty: if sure {
                Certainty::Certain
            } else {
                Certainty::Likely
            },
            squares,
            required: Some(required.clone()),
        };
        alloc::vec![
            Found {
                breach,
                ply: self.length(root) + 1,
                before: root.pos.clone()
            }
            .into(),
            Change::StopAt {
                root: root.clone(),
                required
            },
        ]
    }

    /// An illegal move was found after `root`: it is undone, unless only the opponent may have that
    /// done.
    pub(crate) fn stop_at(&mut self, root: &Line, required: Vec<Move>) -> Changes {
        let bound = (!required.is_empty()).then(|| Bound {
            code: breach_of(&required, &root.pos),
            moves: required,
        });
        self.bind(bound);
        let made = self.length(root);
        self.tell_line(root, made, self.record.completed());
        // The other hypotheses are given up here: what they differ on stays in doubt.
        self.docket
            .leave_in_doubt(|doubt| doubt.ply as usize <= made);
        let handling = self.handling_of_open_turn(root);
        self.follow_standing(root, &handling);
        self.adopt(Hypothesis::clone(root));
        self.clock.run(Some(root.pos.turn()));
        let stands = self.state.turn().standing.is_some();
        if self.offence().redress == Redress::OnClaim && stands {
            // Only the opponent has it undone, and only until he moves.
            return alloc::vec![Change::LetStand];
        }
        self.order_restore(root.pos.clone());
        NOTHING
    }

    /// What binds the player in his turn, where something does.
    pub(crate) fn bind(&mut self, bound: Option<Bound>) {
        self.state.turn_mut().bound = bound;
    }

    /// A pawn was left on the last rank: by the edition the move is undone, or the pawn counts as a
    /// queen.
    fn rule_on_pawn_left(
        &mut self,
        root: &Line,
        handling: &Handling,
        promotion: Move,
        press: Press,
    ) -> Changes {
        if self.laws().pawn_left == PawnLeft::Undone {
            let illegal = Illegal {
                code: Code::PawnNotPromoted,
                reason: None,
                squares: alloc::vec![promotion.to()],
                required: promotions_like(promotion, root.legal()),
            };
            return self.find_illegal(root, illegal, true);
        }
        if self.offence().redress == Redress::UntilReply {
            self.follow_standing(root, handling);
        }
        let standing = self.state.turn_mut().standing.take();
        self.adopt(self.adopted(root, promotion, promotion.to().into()));
        alloc::vec![
            Change::Complete(press),
            Change::PawnLeft(promotion),
            Change::Stands(standing),
        ]
    }

    /// A pawn was left on the last rank: it counts as a queen (7.5.2).
    pub(crate) fn find_pawn_left(&self, promotion: Move) -> Changes {
        let ply = self.record.completed();
        let before = self.record.position(ply - 1);
        let breach = Breach {
            code: Code::PawnNotPromoted,
            reason: None,
            by: before.turn(),
            certainty: Certainty::Certain,
            squares: alloc::vec![promotion.to()],
            required: Some(alloc::vec![promotion]),
        };
        alloc::vec![
            Found {
                breach,
                ply,
                before
            }
            .into(),
            Change::PutRecordedBack
        ]
    }

    /// A legal move, and pieces that no move put where they are (7.4.1).
    pub(crate) fn find_displaced(&self, squares: Bitboard, by: shakmaty::Color) -> Changes {
        let ply = self.record.completed();
        let before = self.record.position(ply - 1);
        let breach = Breach {
            code: Code::PieceDisplaced,
            reason: None,
            by,
            certainty: Certainty::Likely,
            squares: squares.into_iter().collect(),
            required: None,
        };
        let mut changes = alloc::vec![
            Found {
                breach,
                ply,
                before
            }
            .into()
        ];
        let none_stands = (squares & self.board.planes().occupied()).is_empty();
        if none_stands || self.setup.sensor != SensorClass::Piece {
            changes.push(Change::CheckSquares(squares));
        }
        changes.push(Change::PutRecordedBack);
        changes
    }

    /// The position after the plies that are completed is to be put back.
    pub(crate) fn put_recorded_back(&mut self) {
        self.order_restore(self.record.position(self.record.completed()));
    }
}

/// The moves that promote the same pawn on the same square.
fn promotions_like(promotion: Move, legal: &[Move]) -> Vec<Move> {
    let mut like = Vec::new();
    for m in legal {
        if m.from() == promotion.from() && m.to() == promotion.to() {
            like.push(*m);
        }
    }
    like
}
