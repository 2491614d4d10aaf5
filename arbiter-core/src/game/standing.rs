//! Illegal moves that stand: the position they left, and whether the opponent has gone on from it.
//!
//! A completed illegal move is told and its undoing ordered, but the players may play on: in rapid
//! and blitz the right to have it undone ends with the opponent's next move, and in standard play
//! nobody may have noticed. So the position as it stands is followed beside the one that was
//! ordered, and the board decides.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, Role, Square};

use crate::chess::position::{fen_text, illegal_squares, kings_in_check, position, still_illegal};
use crate::game::press::CLEAN;
use crate::game::{Game, Press};
use crate::judge::handling::Handling;
use crate::judge::picture::{self, Judgement};
use crate::laws::{PawnLeft, Redress, Rule};
use crate::said::input::TimeClass;
use crate::said::irregularity::{Article, Code, Reason};
use crate::said::ruling::{GameResult, MoveState, ResultReason, Ruling};
use crate::said::symbol::{SensorClass, Symbol};
use crate::track::beam::{Beam, Look};
use crate::track::hypothesis::Hypothesis;

/// What a pawn can become.
const PROMOTED: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// An illegal move as it stands on the board.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// The ply that stands, counted from 1.
    ply: usize,
    from: Square,
    to: Square,
    pos: Chess,
    /// What will be found once a reply shows that the move was completed; `None` when it has been
    /// told.
    untold: Option<Untold>,
    /// What has been played from there.
    lines: Beam,
    /// Plies of that which were played before the finding was told.
    seen: usize,
}

/// A finding that waits for the proof that the move was completed.
#[derive(Clone, Debug)]
struct Untold {
    reason: Reason,
    squares: Vec<Square>,
    required: Vec<Move>,
}

impl Game {
    /// Begins to follow what an illegal move left, if the board shows a position at all.
    pub(crate) fn follow_standing(&mut self, root: &Hypothesis, handling: &Handling) {
        if let Some(s) = self.standing.as_mut().filter(|s| s.untold.is_none()) {
            s.seen = s.lines.best(&self.contacts, self.now, true).steps.len();
            return;
        }
        let ply = self.length(root) + 1;
        self.standing = self
            .as_it_stands(&root.pos, handling)
            .map(|(from, to, pos)| {
                let mut account = Hypothesis::new(pos.clone(), self.contacts.last_change());
                account.early = account.wrong(&self.contacts);
                let lines = Beam::of(account);
                Standing {
                    ply,
                    from,
                    to,
                    pos,
                    untold: None,
                    lines,
                    seen: 0,
                }
            });
    }

    /// A pawn was left on the last rank: by the edition the move is undone, or the pawn counts as a
    /// queen.
    pub(crate) fn pawn_left(
        &mut self,
        root: &Hypothesis,
        handling: &Handling,
        promotion: Move,
        press: Press,
    ) {
        let (from, to) = (promotion.from(), promotion.to());
        if self.laws().pawn_left == PawnLeft::Undone {
            let same = |m: &&Move| m.from() == from && m.to() == to;
            let required = root.legal().iter().filter(same).copied().collect();
            let squares = alloc::vec![to];
            return self.find_illegal(root, Code::PawnNotPromoted, None, squares, required, true);
        }
        if self.offence().redress == Redress::UntilReply {
            self.follow_standing(root, handling);
        }
        let standing = self.standing.take();
        let account = self.adopted(root, promotion, to.into());
        self.beam.replace(alloc::vec![account]);
        self.complete(press);
        self.find_pawn_left(promotion);
        self.standing = standing;
    }

    /// Matches what was played from the standing position against the board.
    pub(crate) fn expand_standing(&mut self, at_press: bool) {
        let look = Look::at(self.now, self.scan_window(), at_press);
        if let Some(s) = &mut self.standing {
            s.lines.expand(&self.contacts, &look);
        }
    }

    /// Whether `by` has played on from a standing illegal move, and the position ordered explains
    /// the board no better.
    pub(crate) fn played_on(&self, by: Color) -> bool {
        let Some(s) = &self.standing else {
            return false;
        };
        let best = s.lines.best(&self.contacts, self.now, true);
        let went_on = best.steps.len() > s.seen && best.pos.turn() != by && s.untold.is_none();
        went_on
            && best.total(&self.contacts, self.now, true) <= CLEAN
            && !self.root().wrong(&self.contacts).is_empty()
    }

    /// The illegal move stands: it enters the record, and the game goes on from what it left.
    pub(crate) fn adopt_standing(&mut self) {
        let Some(s) = self.standing.take() else {
            return;
        };
        if self.record.len() + 1 < s.ply {
            // The plies before it are told first, where they are still what is left of the
            // evidence.
            let root = self.root().clone();
            if self.length(&root) + 1 != s.ply {
                return;
            }
            self.tell_line(&root, s.ply - 1, self.completed);
        }
        if self.record.len() >= s.ply {
            self.record.truncate(s.ply - 1);
            self.say(Ruling::Revision {
                from_ply: s.ply as u32,
                moves: Vec::new(),
            });
        }
        self.record
            .push_standing(s.from, s.to, s.pos.clone(), self.now);
        let ply = &self.record.plies[s.ply - 1];
        let (uci, san, fen) = (ply.uci, ply.san(), fen_text(&s.pos));
        self.say(Ruling::Move {
            ply: s.ply as u32,
            uci,
            san,
            fen: fen.clone(),
            state: MoveState::Completed,
        });
        if self.restore.take().is_some() {
            self.say(Ruling::Restore {
                fen,
                squares: Vec::new(),
            });
        }
        self.beam = s.lines;
        // What was told before is kept: where it shows in the end that a reading came late, no
        // illegal move was made.
        self.log_of_evidence.forget_longer(s.ply - 1);
        (self.base, self.completed) = (s.ply, s.ply);
        self.running = Some(s.pos.turn());
        self.turn_start = self.now.min(self.beam.oldest(&self.contacts));
        (self.bound, self.obligation, self.unread) = (None, None, None);
        self.doubts.retain(|d| (d.doubt.ply as usize) < s.ply);
    }

    /// Both kings stood in check, and after the move they still do: no new offence, the position is
    /// waited out (A.5.4).
    pub(crate) fn both_still_in_check(&mut self, root: &Hypothesis, handling: &Handling) -> bool {
        if self.waits_for_one_move().is_none() || !kings_in_check(&root.pos) {
            return false;
        }
        self.follow_standing(root, handling);
        let ply = self
            .standing
            .as_ref()
            .filter(|s| kings_in_check(&s.pos))
            .map(|s| s.ply);
        if let Some(ply) = ply {
            self.adopt_standing();
            self.watch_position(ply);
        }
        ply.is_some()
    }

    /// The article that has an illegal position waited out for one move, where it applies.
    fn waits_for_one_move(&self) -> Option<Article> {
        let thin = !self.setup.supervised && self.setup.class != TimeClass::Standard;
        self.laws().find_article(Rule::Standing).filter(|_| thin)
    }

    /// Rapid and blitz without full supervision: both kings in check, or a pawn left on the last
    /// rank whose owner has the move again. One more move is waited for; if the position still
    /// stands then, it is a draw (A.5.4).
    pub(crate) fn watch_position(&mut self, k: usize) {
        let Some(article) = self.waits_for_one_move().filter(|_| k > 0) else {
            return;
        };
        let (now, before) = (
            illegal_squares(&self.record.position(k)),
            illegal_squares(&self.record.position(k - 1)),
        );
        if now.is_empty() && before.is_empty() {
            return;
        }
        let known =
            |f: &crate::said::view::Finding| f.irregularity.code == Code::IllegalPositionStanding;
        if now.any() && !self.findings.iter().any(known) {
            self.find_position(Code::IllegalPositionStanding, now.into_iter().collect(), k);
        }
        let stayed = (before & self.record.position(k).board().occupied()).any()
            && still_illegal(&self.record.position(k));
        if before.any() && stayed && self.laws().waits_out_illegal_positions {
            self.declare(
                GameResult::Draw,
                true,
                ResultReason::IllegalPosition,
                article,
            );
        }
    }

    /// A pawn that stood on the last rank as an illegal position is replaced at last: the position
    /// is legal again.
    pub(crate) fn notice_replaced_pawn(&mut self) {
        let pos = self.record.last();
        let pawns = pos.board().pawns() & Bitboard::BACKRANKS;
        let replaced = pawns
            .into_iter()
            .find_map(|sq| match self.contacts.planes.at(sq) {
                Symbol::Piece(p)
                    if pos.board().color_at(sq) == Some(p.color) && PROMOTED.contains(&p.role) =>
                {
                    Some((sq, p))
                }
                _ => None,
            });
        let Some((sq, piece)) = replaced else { return };
        let mut setup = pos.to_setup(EnPassantMode::Legal);
        setup.board.set_piece_at(sq, piece);

        let Some(pos) = position(&setup, self.setup.castling_mode()) else {
            return;
        };
        self.record.jump(pos.clone());
        self.reset_to(pos, self.record.len());
    }

    /// The board stands still and no account explains it. Where no press completes a move, what
    /// stands may be an illegal one, and the reply shows that it was completed.
    pub(crate) fn rest_unexplained(&mut self) {
        if !self.completes_by_reply() || self.in_hand() {
            return;
        }
        let root = self.root().clone();
        let handling = self.handling_of_open_turn(&root);
        let by = root.pos.turn();
        match self
            .standing
            .as_ref()
            .map(|s| s.lines.best(&self.contacts, self.now, false))
        {
            None if self.restore.is_none() => {
                if let Judgement::Illegal {
                    reason,
                    squares,
                    required,
                } = picture::judge(&self.turn(&root, &handling))
                {
                    self.follow_standing(&root, &handling);
                    let untold = Some(Untold {
                        reason,
                        squares,
                        required,
                    });
                    self.standing
                        .iter_mut()
                        .for_each(|s| s.untold = untold.clone());
                }
            }
            Some(best) if best.pos.turn() == by && best.wrong(&self.contacts).is_empty() => {
                if self.played_on(!by) {
                    self.adopt_standing();
                } else if let Some(Untold {
                    reason,
                    squares,
                    required,
                }) = self.standing.as_mut().and_then(|s| s.untold.take())
                {
                    // The reply has been made: the illegal move before it was completed.
                    self.find_illegal(
                        &root,
                        Code::IllegalMove,
                        Some(reason),
                        squares,
                        required,
                        false,
                    );
                }
            }
            _ => {}
        }
    }

    /// The position that the mover's handling left on the board: from, to, and all of it.
    pub(crate) fn as_it_stands(
        &self,
        before: &Chess,
        handling: &Handling,
    ) -> Option<(Square, Square, Chess)> {
        let by = before.turn();
        let moved = |h: &&crate::judge::handling::Handled| {
            h.piece.color == by
                && h.contacts
                    .last()
                    .is_some_and(|c| c.to.is_none() && c.square != h.home)
        };
        let own: Vec<_> = handling.pieces.iter().filter(moved).collect();
        let first = own
            .iter()
            .find(|h| h.piece.role == Role::King)
            .or(own.first())?;
        let to = first.contacts.last()?.square;
        let mut setup = before.to_setup(EnPassantMode::Legal);
        let board = &mut setup.board;
        own.iter().for_each(|h| board.discard_piece_at(h.home));
        for h in &own {
            board.set_piece_at(h.contacts.last()?.square, h.piece);
        }
        // Pieces of the opponent that are off the board: taken before the move was made, or taken
        // up for the reply.
        let made = own
            .iter()
            .filter_map(|h| Some(h.contacts.last()?.from))
            .max()?;
        let gone = handling
            .pieces
            .iter()
            .filter(|h| h.piece.color != by && h.contacts.last().is_none_or(|c| c.to.is_some()));
        let mut in_hand = Bitboard::EMPTY;
        for h in gone.filter(|h| {
            !own.iter()
                .any(|o| o.contacts.last().is_some_and(|c| c.square == h.home))
        }) {
            if h.lifted <= made {
                board.discard_piece_at(h.home);
            } else {
                in_hand.add(h.home);
            }
        }
        if self.setup.sensor == SensorClass::Piece {
            for sq in self.contacts.planes.differ(board) & !in_hand {
                match self.contacts.planes.at(sq) {
                    Symbol::Piece(piece) => board.set_piece_at(sq, piece),
                    _ => board.discard_piece_at(sq),
                };
            }
        }
        let kings = Color::ALL
            .into_iter()
            .all(|c| (board.kings() & board.by_color(c)).count() == 1);
        if !kings || (self.contacts.planes.differ(board) & !in_hand).any() {
            return None;
        }
        setup.swap_turn();
        setup.ep_square = None;
        if by == Color::Black {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        setup.halfmoves += 1;
        let pos = position(&setup, self.setup.castling_mode())?;
        Some((first.home, to, pos))
    }
}
