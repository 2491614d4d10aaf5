//! Illegal moves that stand: the position they left, and whether the opponent has gone on from it.
//!
//! A completed illegal move is told and its undoing ordered, but the players may play on: in rapid
//! and blitz the right to have it undone ends with the opponent's next move, and in standard play
//! nobody may have noticed. So the position as it stands is followed beside the one that was
//! ordered, and the board decides.

use alloc::boxed::Box;
use alloc::rc::Rc;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position, Role};

use crate::chess::position::{fen_text, illegal_squares, kings_in_check, position, still_illegal};
use crate::game::Game;
use crate::game::change::{Change, Changes, Line, NOTHING};
use crate::game::press::CLEAN;
use crate::game::standing_move::{Illegal, StandingMove};
use crate::judge::handling::{Handled, Handling};
use crate::judge::picture::{self, Judgement};
use crate::laws::Rule;
use crate::said::input::TimeClass;
use crate::said::irregularity::{Article, Code};
use crate::said::ruling::{GameResult, MoveState, ResultReason, Ruling};
use crate::said::symbol::{SensorClass, Symbol};
use crate::track::beam::Beam;
use crate::track::hypothesis::Hypothesis;
use crate::track::look::Look;

/// What a pawn can become.
const PROMOTED: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Game {
    /// Begins to follow what an illegal move left, if the board shows a position at all.
    pub(crate) fn follow_standing(&mut self, root: &Hypothesis, handling: &Handling) {
        let (contacts, now) = (self.board.contacts(), self.clock.now());
        let turn = self.state.turn_mut();
        if let Some(s) = turn.standing.as_mut().filter(|s| s.untold.is_none()) {
            s.seen = s.lines.best(contacts, now, true).steps.len();
            return;
        }
        let standing = self.as_it_stands(root, handling);
        self.set_standing(standing);
    }

    /// This illegal move stands, or none any more.
    pub(crate) fn set_standing(&mut self, standing: Option<Box<StandingMove>>) {
        self.state.turn_mut().standing = standing;
    }

    /// Matches what was played from the standing position against the board.
    pub(crate) fn expand_standing(&mut self, at_press: bool) {
        let look = Look::at(self.clock.now(), self.scan_window(), at_press);
        if let Some(s) = self.state.turn_mut().standing.as_mut() {
            s.lines.expand(self.board.contacts(), &look);
        }
    }

    /// Whether `by` has played on from a standing illegal move, and the position ordered explains
    /// the board no better.
    pub(crate) fn played_on(&self, by: Color) -> bool {
        let Some(s) = self.state.turn().standing.as_deref() else {
            return false;
        };
        let best = s.lines.best(self.board.contacts(), self.clock.now(), true);
        let went_on = best.steps.len() > s.seen && best.pos.turn() != by && s.untold.is_none();
        went_on && self.total(best) <= CLEAN && !self.wrong(self.root()).is_empty()
    }

    /// The illegal move stands: it enters the record, and the game goes on from what it left.
    pub(crate) fn let_stand(&mut self) {
        let Some(s) = self.state.turn_mut().standing.take() else {
            return;
        };
        if self.record.len() + 1 < s.ply {
            // The plies before it are told first, where they are still what is left of the
            // evidence.
            let root = self.root().clone();
            if self.length(&root) + 1 != s.ply {
                return;
            }
            self.tell_line(&root, s.ply - 1, self.record.completed());
        }
        self.tell_standing_move(&s);
        self.track.go_on_from(s.ply, s.lines);
        self.record.set_completed(s.ply);
        self.clock.run(Some(s.pos.turn()));
        let begun = self.track.oldest(self.board.contacts());
        self.clock.start_turn(self.clock.now().min(begun));
        self.state.next_turn();
        self.docket
            .retain_doubts(|d| (d.doubt.ply as usize) < s.ply);
    }

    /// An illegal move enters the record; what was ordered to be put back need not be any more.
    fn tell_standing_move(&mut self, s: &StandingMove) {
        if self.record.len() >= s.ply {
            self.record.truncate(s.ply - 1);
            self.say(Ruling::Revision {
                from_ply: s.ply as u32,
                moves: Default::default(),
            });
        }
        self.record
            .push_standing(s.from, s.to, s.pos.clone(), self.clock.now());
        let ply = &self.record.plies()[s.ply - 1];
        let (uci, san, fen) = (ply.uci, ply.san(), fen_text(&s.pos));
        let state = MoveState::Completed;
        self.say(Ruling::Move {
            ply: s.ply as u32,
            uci,
            san,
            fen: fen.clone(),
            state,
        });
        if self.state.stop_putting_back().is_some() {
            self.say(Ruling::Restore {
                fen,
                squares: Default::default(),
            });
        }
    }

    /// The board stands still and no hypothesis explains it. Where no press completes a move, what
    /// stands may be an illegal one, and the reply shows that it was completed.
    pub(crate) fn rest_illegally(&mut self) -> Changes {
        if !self.completes_by_reply() || self.in_hand() {
            return NOTHING;
        }
        let root: Line = Rc::new(self.root().clone());
        let by = root.pos.turn();
        let Some(s) = self.state.turn().standing.as_deref() else {
            self.suspect_illegal(&root);
            return NOTHING;
        };
        let best = s.lines.best(self.board.contacts(), self.clock.now(), false);
        if best.pos.turn() != by || !self.wrong(best).is_empty() {
            return NOTHING;
        }
        if self.played_on(!by) {
            return alloc::vec![Change::LetStand];
        }
        let standing = self.state.turn_mut().standing.as_mut();
        match standing.and_then(|s| s.untold.take()) {
            // The reply has been made: the illegal move before it was completed.
            Some(illegal) => self.find_illegal(&root, illegal, false),
            None => NOTHING,
        }
    }

    /// What stands may be an illegal move: it is followed, and found when a reply is made to it.
    fn suspect_illegal(&mut self, root: &Line) {
        if self.state.is_putting_back() {
            return;
        }
        let handling = self.handling_of_open_turn(root);
        let judged = picture::judge(&self.picture(root, &handling));
        let Judgement::Illegal {
            reason,
            squares,
            required,
        } = judged
        else {
            return;
        };
        self.follow_standing(root, &handling);
        let (code, reason) = (Code::IllegalMove, Some(reason));
        if let Some(s) = self.state.turn_mut().standing.as_mut() {
            s.untold = Some(Illegal {
                code,
                reason,
                squares,
                required,
            });
        }
    }
}

/// Positions that are illegal for good, in rapid and blitz without full supervision (A.5.4).
impl Game {
    /// Both kings stood in check, and after the move they still do: no new offence, the position is
    /// waited out.
    pub(crate) fn wait_out_checks(
        &mut self,
        root: &Hypothesis,
        handling: &Handling,
    ) -> Option<Changes> {
        if self.waits_for_one_move().is_none() || !kings_in_check(&root.pos) {
            return None;
        }
        self.follow_standing(root, handling);
        let standing = self.state.turn().standing.as_deref();
        let ply = standing.filter(|s| kings_in_check(&s.pos))?.ply;
        Some(alloc::vec![Change::LetStand, Change::WatchPosition(ply)])
    }

    /// The article that has an illegal position waited out for one move, where it applies.
    fn waits_for_one_move(&self) -> Option<Article> {
        let thin = !self.setup.supervised && self.setup.class != TimeClass::Standard;
        self.laws().find_article(Rule::Standing).filter(|_| thin)
    }

    /// Both kings in check, or a pawn left on the last rank whose owner has the move again. One
    /// more move is waited for; if the position still stands then, it is a draw.
    pub(crate) fn watch_position(&mut self, k: usize) -> Changes {
        let Some(article) = self.waits_for_one_move().filter(|_| k > 0) else {
            return NOTHING;
        };
        let pos = self.record.position(k);
        let now = illegal_squares(&pos);
        let before = illegal_squares(&self.record.position(k - 1));
        if now.any() && !self.docket.has_found(Code::IllegalPositionStanding) {
            self.find_position(Code::IllegalPositionStanding, now.into_iter().collect(), k);
        }
        let stayed = (before & pos.board().occupied()).any() && still_illegal(&pos);
        if !stayed || !self.laws().waits_out_illegal_positions {
            return NOTHING;
        }
        let (result, reason) = (GameResult::Draw, ResultReason::IllegalPosition);
        alloc::vec![self.declared(result, true, reason, article)]
    }

    /// A pawn that stood on the last rank as an illegal position is replaced at last: the position,
    /// which is legal again.
    pub(crate) fn with_pawn_replaced(&self) -> Option<Chess> {
        let pos = self.record.last();
        for sq in pos.board().pawns() & Bitboard::BACKRANKS {
            let Symbol::Piece(piece) = self.board.planes().at(sq) else {
                continue;
            };
            let same_colour = pos.board().color_at(sq) == Some(piece.color);
            if same_colour && PROMOTED.contains(&piece.role) {
                let mut setup = pos.to_setup(EnPassantMode::Legal);
                setup.board.set_piece_at(sq, piece);
                return position(&setup, self.setup.castling_mode());
            }
        }
        None
    }
}

/// What an illegal move left.
impl Game {
    /// The illegal move that the mover's handling after `root` left on the board.
    fn as_it_stands(&self, root: &Hypothesis, handling: &Handling) -> Option<Box<StandingMove>> {
        let own = own_moved(handling, root.pos.turn());
        let first = own
            .iter()
            .find(|h| h.piece.role == Role::King)
            .or(own.first())?;
        let to = first.contacts.last()?.square;
        let pos = self.position_left(&root.pos, &own, handling)?;
        let contacts = self.board.contacts();
        let mut line = Hypothesis::new(pos.clone(), contacts.last_change());
        line.early = line.wrong(contacts);
        Some(Box::new(StandingMove {
            ply: self.length(root) + 1,
            from: first.home,
            to,
            pos,
            untold: None,
            lines: Beam::of(line),
            seen: 0,
        }))
    }

    /// The position that the mover's handling left on the board, if it is one.
    fn position_left(
        &self,
        before: &Chess,
        own: &[&Handled],
        handling: &Handling,
    ) -> Option<Chess> {
        let by = before.turn();
        let mut setup = before.to_setup(EnPassantMode::Legal);
        let board = &mut setup.board;
        for h in own {
            board.discard_piece_at(h.home);
        }
        for h in own {
            board.set_piece_at(h.contacts.last()?.square, h.piece);
        }
        let in_hand = take_off(board, own, handling, by)?;
        let planes = self.board.planes();
        if self.setup.sensor == SensorClass::Piece {
            for sq in planes.differ(board) & !in_hand {
                match planes.at(sq) {
                    Symbol::Piece(piece) => board.set_piece_at(sq, piece),
                    _ => board.discard_piece_at(sq),
                };
            }
        }
        if !has_both_kings(board) || (planes.differ(board) & !in_hand).any() {
            return None;
        }
        setup.swap_turn();
        setup.ep_square = None;
        if by == Color::Black {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        setup.halfmoves += 1;
        position(&setup, self.setup.castling_mode())
    }
}

/// The mover's pieces that stand elsewhere now.
fn own_moved(handling: &Handling, by: Color) -> alloc::vec::Vec<&Handled> {
    let mut own = alloc::vec::Vec::new();
    for h in &handling.pieces {
        let last = h.contacts.last();
        let moved = last.is_some_and(|c| c.to.is_none() && c.square != h.home);
        if moved && h.piece.color == by {
            own.push(h);
        }
    }
    own
}

/// Takes off `board` what the opponent's pieces were captured of before the move was made; returns
/// the squares of those that were taken up later, for the reply.
fn take_off(
    board: &mut shakmaty::Board,
    own: &[&Handled],
    handling: &Handling,
    by: Color,
) -> Option<Bitboard> {
    let made = own
        .iter()
        .filter_map(|h| Some(h.contacts.last()?.from))
        .max()?;
    let mut in_hand = Bitboard::EMPTY;
    for h in &handling.pieces {
        let gone = h.contacts.last().is_none_or(|c| c.to.is_some());
        let covered = own
            .iter()
            .any(|o| o.contacts.last().is_some_and(|c| c.square == h.home));
        if h.piece.color == by || !gone || covered {
            continue;
        }
        if h.lifted <= made {
            board.discard_piece_at(h.home);
        } else {
            in_hand.add(h.home);
        }
    }
    Some(in_hand)
}

fn has_both_kings(board: &shakmaty::Board) -> bool {
    Color::ALL
        .into_iter()
        .all(|c| (board.kings() & board.by_color(c)).count() == 1)
}
