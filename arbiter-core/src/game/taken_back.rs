//! An illegal move that stood is taken back after all: the players, or the arbiter, have put back
//! the position before it, or the offender has at once made another move from there.
//!
//! What was played from an illegal move is void once the position before it has been restored
//! (7.5.1), however many plies that were.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use crate::chess::moves::{arrival, legal_moves, origin, squares_of};
use crate::chess::position::fen_text;
use crate::game::Game;
use crate::game::change::{Change, Changes};
use crate::game::clock::Press;
use crate::game::findings::legal_of;
use crate::judge::article_4::Bound;
use crate::judge::article_4::required::breach_of;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::ruling::Ruling;
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::said::view::FindingStatus;
use crate::sense::changes::SquareChange;
use crate::track::hypothesis::Hypothesis;

/// Who puts a position back has so many pieces in his hands at most.
const MOST_IN_HAND: usize = 2;

/// Players agree to take back so many plies at most.
const TAKEN_BACK: usize = 6;

impl Game {
    /// Ply `ply` was an illegal move and stands: the position before it is what the Laws have put
    /// back.
    pub(crate) fn propose_restore(&mut self, ply: usize) {
        if !self.is_standing(ply) {
            return;
        }
        let target = self.record.position(ply - 1);
        self.say(Ruling::Restore {
            fen: fen_text(&target),
            squares: self.differ(&target).into_iter().collect(),
        });
    }

    /// Whether `pos` stands on the board because it has to be put back, or may be.
    pub(crate) fn is_to_be_put_back(&self, pos: &Chess) -> bool {
        let before = |ply| self.record.position(ply - 1);
        let ordered = self.state.target().map(Chess::board) == Some(pos.board());
        ordered
            || self
                .standing_plies()
                .any(|ply| before(ply).board() == pos.board())
    }

    /// At rest, with the best line not explaining the board: the position before an illegal move
    /// that stands has been put back.
    pub(crate) fn take_back(&mut self) -> Option<Changes> {
        let shown = |ply: &usize| {
            let before = self.record.position(ply - 1);
            self.differ(&before).is_empty() && self.undoes_reply(&before)
        };
        let ply = self.standing_plies().find(shown)?;
        let bound = self.bound_by_illegal(ply);
        let target = Box::new(self.record.position(ply - 1));
        self.take_plies(ply - 1);
        Some(alloc::vec![Change::Undone { bound, target }])
    }

    /// Whether the position before an illegal move that stands is nearly put back: what is missing
    /// of it is in the hand.
    pub(crate) fn is_being_taken_back(&self) -> bool {
        self.standing_plies().any(|ply| {
            let before = self.record.position(ply - 1);
            let missing = self.differ(&before);
            let in_hand = (missing & self.board.planes().occupied()).is_empty();
            in_hand && missing.count() <= MOST_IN_HAND && self.undoes_reply(&before)
        })
    }

    /// A press for which no legal move stands after what was played: the position before an
    /// illegal move has been put back, and another move made from there.
    pub(crate) fn take_replaced(&mut self, press: Press) -> Option<Changes> {
        let (ply, moves) = self.standing_plies().find_map(|ply| {
            let before = self.record.position(ply - 1);
            let moves = match before.turn() == press.by && self.undoes_reply(&before) {
                true => self.shown_after(&before),
                false => Vec::new(),
            };
            (!moves.is_empty()).then_some((ply, moves))
        })?;
        let bound = self.bound_by_illegal(ply);
        let before = self.record.position(ply - 1);
        self.take_plies(ply - 1);
        self.bind(Some(bound).filter(|bound| !bound.moves.is_empty()));
        let mut lines = Vec::new();
        let mut unread = Bitboard::EMPTY;
        for (m, missing) in moves {
            let root = Hypothesis::new(before.clone(), self.stood_again(&before, m));
            lines.push(self.adopted(&root, m, missing));
            unread |= missing;
        }
        self.track.adopt(lines);
        let mut changes = alloc::vec![Change::Complete(press)];
        if unread.any() {
            self.board.notice_misreading();
            changes.push(Change::CheckSquares(unread));
        }
        Some(changes)
    }

    /// How many plies have been undone: so many before the last one stood what stands again, and no
    /// line explains that by moves.
    fn undone(&self) -> Option<usize> {
        let told = self.record.len();
        if self.differ(self.record.last()).is_empty() {
            return None;
        }
        // What only seems to stand as before, readings having been lost, was not put there.
        let since = self.record.ply(told).map(|last| last.at)?;
        let touched = self.board.contacts().touched_since(since);
        let stands = |n: &usize| {
            let before = self.record.position(told - n);
            let put_back = self.put_back_for(&before).is_subset(touched);
            put_back && self.differ(&before).is_empty() && self.undoes_reply(&before)
        };
        let n = (1..=TAKEN_BACK.min(told)).find(stands)?;
        let legal = (told - n + 1..=told).all(|ply| !self.is_standing(ply));
        // A position may come again, and where king and rook change places in castling the same
        // stands before and after it.
        let played = self.wrong(self.best()).is_empty() && !self.are_retracted(n);
        let ordered = self.state.is_putting_back() && self.told_out_of_turn().is_none();
        (legal && !played && !ordered).then_some(n)
    }

    /// The finding that who made the last ply has perhaps moved out of turn, where all he did was
    /// to put that back. Nothing else is to be put up.
    fn told_out_of_turn(&self) -> Option<u32> {
        let told = self.record.len();
        let squares = squares_of(self.record.ply(told)?.m?);
        let found = self.docket.raised().last()?;
        let irregularity = &found.irregularity;
        let of_it = irregularity.code == Code::MovedOutOfTurn
            && irregularity.certainty == Certainty::Possible
            && found.status == FindingStatus::Open
            && irregularity.squares.iter().copied().collect::<Bitboard>() == squares;
        let asked = self.state.target().map(Chess::board) == Some(self.record.last().board());
        (of_it && asked).then_some(irregularity.id)
    }

    /// Whether plies have been taken back, and nothing has been played since.
    fn are_some_taken_back(&self) -> bool {
        self.state.turn().taken_back_to == Some(self.record.len())
    }

    /// Whether the last `n` plies were undone one after the other, the last one first, or the last
    /// one and before it the reply to it. No moves in turn do that: the first would be made by who
    /// has just moved.
    fn are_retracted(&self, n: usize) -> bool {
        let (told, contacts) = (self.record.len(), self.board.contacts());
        let plies = (told - n + 1..=told).rev();
        let moves: Vec<Move> = plies.filter_map(|ply| self.record.ply(ply)?.m).collect();
        let home = |m: Move| origin(m).map(|from| contacts.since(from));
        let in_order = |pair: &[Move]| home(pair[0]) <= Some(contacts.since(arrival(pair[1])));
        let several = n > 1 || self.is_reply_put_back() || self.are_some_taken_back();
        several && moves.len() == n && moves.windows(2).all(in_order)
    }

    /// Whether the opponent of who made the last ply had replied and put that back, before that ply
    /// was undone: one of his pieces stands on its square again, and a piece came down elsewhere
    /// meanwhile.
    fn is_reply_put_back(&self) -> bool {
        let Some((last, m)) = self
            .record
            .ply(self.record.len())
            .and_then(|p| Some((p, p.m?)))
        else {
            return false;
        };
        let (pos, contacts) = (self.record.last(), self.board.contacts());
        let undone = contacts.since(arrival(m));
        let log: Vec<SquareChange> = contacts.log_since(last.at).copied().collect();
        let came_down = |from: Square, left: Time| {
            let home = contacts.since(from);
            let before = home <= undone;
            before
                && log.iter().any(|c| {
                    let meanwhile = c.at > left && c.at < home && c.square != from;
                    let theirs = c.symbol.colour().is_none_or(|colour| colour == pos.turn());
                    meanwhile && c.symbol != Symbol::Empty && theirs
                })
        };
        let left = |c: &&SquareChange| c.symbol == Symbol::Empty && pos.us().contains(c.square);
        let mut left = log.iter().filter(left);
        left.any(|c| came_down(c.square, c.at))
    }

    /// Plies were undone one after the other, the last one first, which sets up no pieces either
    /// while some were played before them. Whether they were, and are taken back.
    pub(crate) fn take_retracted(&mut self) -> bool {
        let told = self.record.len();
        // At every rest: most of them show at a glance that the last piece is not back.
        let last = self.record.ply(told).and_then(|ply| ply.m);
        let full = self.board.planes().occupied();
        let is_back = last
            .and_then(origin)
            .is_some_and(|from| full.contains(from));
        // What is put back tells two accounts of the start apart.
        if !is_back || self.other.is_some() {
            return false;
        }
        let retracted = |n: usize| n < told && self.are_retracted(n);
        let retracted = self.undone().is_some_and(retracted);
        if retracted {
            self.take_plies_back();
        }
        retracted
    }

    /// Whether `by`, who has the move, presses when plies from one of his opponent's on have been
    /// undone: they may have been taken back, and he gives the clock back for another.
    pub(crate) fn gives_ply_back(&self, by: Color) -> bool {
        // A press may be for a ply that has been made.
        let pressed = self.record.completed() == self.record.len();
        let in_turn = by == self.presser() && by == self.root().pos.turn();
        pressed && in_turn && self.undone().is_some_and(|n| n % 2 == 1)
    }

    /// Several plies have been undone, and the board has stood so for a while: the players have
    /// taken them back, unless they set up the pieces for the next game.
    pub(crate) fn take_back_several(&mut self) -> bool {
        let many = |n| n > 1 || self.is_reply_put_back() || self.are_some_taken_back();
        let several = !self.is_perhaps_setting_up() && self.undone().is_some_and(many);
        if several {
            self.take_plies_back();
        }
        several
    }

    /// The plies that were undone were taken back, and the record goes on from before them. That
    /// a player has changed his mind (4.7) is possible, and no more.
    pub(crate) fn take_plies_back(&mut self) {
        let told = self.record.len();
        let Some(n) = self.undone() else { return };
        let undone = (told - n + 1..=told).filter_map(|ply| self.record.ply(ply)?.m);
        let squares: Bitboard = undone.flat_map(squares_of).collect();
        let by = match n {
            1 if !self.is_reply_put_back() => (!self.record.last().turn()).into(),
            _ => Party::Either,
        };
        // Those that were taken back just before have been told.
        let goes_on = self.are_some_taken_back()
            && self.docket.raised().last().is_some_and(|found| {
                let of_it = found.irregularity.code == Code::ReleasedPieceMovedAgain;
                of_it && found.status == FindingStatus::Open
            });
        let out_of_turn = self.told_out_of_turn();
        // What was handled while the game was stopped is nobody's offence.
        let handled = self.board.contacts().touched_since(self.clock.turn_start());
        self.take_plies(told - n);
        self.state.turn_mut().taken_back_to = Some(told - n);
        if let Some(id) = out_of_turn {
            self.withdraw(id);
            let (fen, squares) = (fen_text(self.record.last()), Vec::new());
            self.say(Ruling::Restore { fen, squares });
        }
        if self.setup.clock && (squares & handled).is_empty() {
            return;
        }
        let (code, certainty) = (Code::ReleasedPieceMovedAgain, Certainty::Possible);
        if !goes_on {
            self.raise_unbinding(code, by, certainty, squares, told - n + 1);
        }
    }

    /// Whether what stands is a legal move from a position that `root` has come through lately,
    /// what the opponent has moved since being back: the players may have agreed to take moves
    /// back, and the board cannot tell that from an illegal move.
    pub(crate) fn is_perhaps_taken_back(&self, root: &Hypothesis) -> bool {
        let completed = self.record.completed();
        let earlier = (completed.saturating_sub(TAKEN_BACK)..completed)
            .map(|ply| self.record.position(ply))
            .filter(|pos| pos.turn() == root.pos.turn() && self.undoes_reply(pos));
        let shows = |before: &Chess| {
            legal_moves(before).iter().any(|m| {
                let mut after = before.clone();
                after.play_unchecked(*m);
                self.differ(&after).is_empty()
            })
        };
        earlier.into_iter().any(|before| shows(&before))
    }

    /// The plies that are illegal moves and stand, the last first.
    fn standing_plies(&self) -> impl Iterator<Item = usize> {
        let plies = (1..=self.record.completed()).rev();
        plies.filter(|ply| self.is_standing(*ply))
    }

    pub(crate) fn is_standing(&self, ply: usize) -> bool {
        self.record.ply(ply).is_some_and(|told| told.m.is_none())
    }

    /// What an illegal move that stood as ply `ply` binds its player to, now that he has to make
    /// another.
    fn bound_by_illegal(&self, ply: usize) -> Bound {
        let before = self.record.position(ply - 1);
        let mut told = self.docket.raised().iter().rev();
        let found = told.find(|f| f.is_of(ply) && f.irregularity.code.is_illegal_move());
        let required = found.and_then(|f| f.irregularity.required.as_deref());
        let moves = legal_of(required.unwrap_or_default(), &before);
        Bound {
            ply,
            code: breach_of(&moves, &before),
            moves,
        }
    }

    /// The moves that have led from `before` to what the board shows, by squares that were touched
    /// in this turn: of what a board does not show to be captured there may be several. With each,
    /// the square on which a piece that was put back is not read.
    fn shown_after(&self, before: &Chess) -> Vec<(Move, Bitboard)> {
        let (back, touched) = (self.put_back_for(before), self.touched_in_turn());
        let shows = |m: Move| {
            let mut after = before.clone();
            after.play_unchecked(m);
            let missing = self.differ(&after);
            let put_back = (back & !squares_of(m) & !missing).is_subset(touched);
            let moved = squares_of(m).is_subset(back | touched);
            let read = missing.is_empty() || self.is_put_back_unread(before, missing, m);
            (put_back && moved && read).then_some((m, missing))
        };
        let moves = legal_moves(before);
        moves.iter().filter_map(|m| shows(*m)).collect()
    }

    /// Whether `missing` is one empty square on which a piece stands in `before` that has been
    /// taken up in this turn from where it stood since, and is read nowhere: nobody makes his move
    /// with it in the air.
    fn is_put_back_unread(&self, before: &Chess, missing: Bitboard, m: Move) -> bool {
        let Some(sq) = missing.single_square() else {
            return false;
        };
        let empty = !self.board.planes().occupied();
        let piece = before.board().piece_at(sq);
        let last = self.record.last().board();
        let left = empty & self.touched_in_turn() & !squares_of(m);
        let came_from = |from: Square| last.piece_at(from) == piece;
        let put_back = empty.contains(sq) && self.put_back_for(before).contains(sq);
        put_back
            && !squares_of(m).contains(sq)
            && piece.is_some()
            && left.into_iter().any(came_from)
    }

    /// Whether a piece of the player not on move stands otherwise in `before`: with one's own
    /// alone put back, it may be a move.
    fn undoes_reply(&self, before: &Chess) -> bool {
        let last = self.record.last();
        let theirs = last.them() | before.board().by_color(!last.turn());
        (self.put_back_for(before) & theirs).any()
    }

    /// The squares that were touched since the last press.
    fn touched_in_turn(&self) -> Bitboard {
        let start = self.clock.turn_start();
        self.board.contacts().touched_since(start)
    }

    /// The squares on which `before` differs from what was played last.
    fn put_back_for(&self, before: &Chess) -> Bitboard {
        let (back, last) = (before.board(), self.record.last().board());
        let mut squares = Bitboard::EMPTY;
        for sq in back.occupied() | last.occupied() {
            squares.set(sq, back.piece_at(sq) != last.piece_at(sq));
        }
        squares
    }

    /// Since when `before` has stood, but for the squares of `m`, which was made from it.
    fn stood_again(&self, before: &Chess, m: Move) -> Time {
        let contacts = self.board.contacts();
        let back = self.put_back_for(before) & !squares_of(m);
        let stood = back.into_iter().map(|sq| contacts.since(sq)).max();
        let start = self.clock.turn_start();
        stood.map_or(start, |at| at.max(start).min(contacts.since(arrival(m))))
    }
}
