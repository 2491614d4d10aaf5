//! The squares that read otherwise than a move leaves them: what each is put down to.

use shakmaty::{Bitboard, Chess, Move, Position, Rank, Square, attacks};

use crate::chess::moves::{arrival, is_from, legs};
use crate::said::symbol::Symbol;
use crate::said::time::{Millis, Time};
use crate::sense::trust::STRAIGHTENS;
use crate::track::cost;
use crate::track::fit::Attempt;

/// A piece that a hand knocks over falls within this time, in milliseconds, of that hand taking up
/// or letting go the piece it moves.
const HAND_PASSES: Millis = 300;

/// Squares that read otherwise than the move leaves them, by what they are put down to.
#[derive(Clone, Copy, Default)]
pub(super) struct WrongSquares {
    /// At a press, squares that were right a moment ago.
    pub(super) lately: Bitboard,
    /// Squares that come to read right soon after: they are read late, or were never read.
    late: Bitboard,
    /// Those of them that come to read right.
    pub(super) awaited: Bitboard,
    /// What the late ones cost.
    cost_of_late: i32,
    /// The square on which the piece stands and was never read.
    unread: Bitboard,
    /// Squares still read full that the piece has left: it is read twice.
    doubled: Bitboard,
    /// Squares of the move that the board itself does not trust.
    pub(super) suspect: Bitboard,
    /// The square beside the captor or at the edge on which its victim stands.
    pub(super) aside: Bitboard,
    /// The others: the opponent's reply has begun there, if it can have.
    pub(super) reply: Bitboard,
}

impl WrongSquares {
    /// Squares that the hypothesis takes to be misread.
    pub(super) fn assumed_misread(&self) -> Bitboard {
        self.late | self.unread | self.doubled | self.suspect | self.aside
    }

    /// Squares whose time tells nothing of when the move was made.
    pub(super) fn untimed(&self) -> Bitboard {
        self.reply | self.late | self.unread | self.suspect
    }
}

impl Attempt<'_> {
    /// Puts every wrong square down to something.
    pub(super) fn sort_wrong(&self) -> WrongSquares {
        let (ev, board) = (self.ev, self.after.board());
        let mut sorted = WrongSquares::default();
        let mut wrong = ev.contacts.planes().differ(board) & !ev.trust.misread;
        if ev.look.at_press {
            sorted.lately = ev.contacts.lately_right(wrong, board, ev.look.now);
            wrong &= !sorted.lately;
        }
        for sq in wrong & ev.trust.changing() {
            if let Some(cost) = self.cost_of_late(sq) {
                sorted.late.add(sq);
                sorted.awaited.set(sq, cost == cost::LATE);
                sorted.cost_of_late += cost + self.cost_of_holding(sq);
            }
        }
        wrong &= !sorted.late;
        sorted.suspect = wrong & ev.trust.suspect & self.own;
        wrong &= !sorted.suspect;
        sorted.unread = self.unread() & wrong;
        sorted.doubled = self.doubled(wrong);
        sorted.reply = wrong & !(sorted.unread | sorted.doubled);
        sorted
    }

    /// What the squares that are taken to be misread cost.
    pub(super) fn cost_of_misreadings(&self, passed: Bitboard) -> i32 {
        let w = &self.wrong;
        let mut cost = w.cost_of_late + w.suspect.count() as i32 * cost::SUSPECT;
        cost += (w.doubled & passed).count() as i32 * cost::LATE;
        cost += ((w.unread | w.doubled) & !passed).count() as i32 * cost::LOST;
        // Where its new square reads as before, nothing shows that the piece has left the old one.
        if is_from(self.m, w.doubled) && !self.is_shown() {
            cost += cost::UNSHOWN;
        }
        if self.is_read_elsewhere_only() {
            cost += cost::STOOD_ELSEWHERE;
        }
        cost
    }

    /// Whether the piece is read on a square that it was put on alone, and is taken to have left,
    /// while nothing shows that it arrived where it goes to.
    fn is_read_elsewhere_only(&self) -> bool {
        let (w, to) = (&self.wrong, arrival(self.m));
        let unread = w.unread | w.late;
        let stops = (w.late | w.doubled) & !(self.own | self.before.board().occupied());
        unread.contains(to)
            && stops.into_iter().any(|sq| {
                let contacts = self.ev.contacts;
                let in_the_air = contacts.lifted_at(contacts.since(sq), self.ev.reached);
                let alone = in_the_air.single_square().is_some();
                let stood = self.ev.look.now.since(contacts.since(sq));
                let stays = !w.awaited.contains(to) || stood > STRAIGHTENS;
                stays && alone && is_from(self.m, in_the_air) && self.reads_as_arrived(sq, to)
            })
    }

    /// Whether the square that the piece goes to reads otherwise than before.
    fn is_shown(&self) -> bool {
        let changed = self.ev.contacts.planes().differ(self.before.board());
        changed.contains(self.m.to())
    }

    /// What it costs to take `sq` for what the move leaves there: it came to read so soon after,
    /// being read late, or, with hindsight, it was touched again before it was ever read.
    fn cost_of_late(&self, sq: Square) -> Option<i32> {
        let (planes, board) = (self.ev.contacts.planes(), self.after.board());
        for (square, symbol) in self.ev.look.coming() {
            if square == sq && planes.fits(symbol, board, sq) {
                return Some(cost::LATE);
            }
        }
        let lost = match self.is_left_a_pawn(sq) {
            true => cost::LOST + cost::FIRST_LOST,
            false => cost::LOST,
        };
        self.ev.look.hindsight.then_some(lost)
    }

    /// What it costs besides that `sq`, where the move changes nothing, reads empty until after the
    /// press: the player held a piece while he moved another one and pressed. One that his hand
    /// knocked over fell as it passed.
    fn cost_of_holding(&self, sq: Square) -> i32 {
        let contacts = self.ev.contacts;
        let gone = !self.own.contains(sq)
            && self.before.us().contains(sq)
            && contacts.since(sq) > self.ev.reached
            && contacts.planes().at(sq) == Symbol::Empty;
        let since = contacts.since(sq);
        let passed = |of_move: Square| {
            let at = contacts.since(of_move);
            at.since(since) + since.since(at) <= HAND_PASSES
        };
        match self.ev.look.at_press && gone && !self.own.into_iter().any(passed) {
            true => cost::HELD_AT_PRESS,
            false => 0,
        }
    }

    /// Whether the pawn itself is read on the square where it was promoted: neither that it was
    /// taken off nor what replaced it was.
    fn is_left_a_pawn(&self, sq: Square) -> bool {
        let pawn = self.before.turn().pawn();
        let read = self.ev.contacts.planes().at(sq);
        self.m.is_promotion() && sq == arrival(self.m) && read == Symbol::Piece(pawn)
    }

    /// The square on which the piece may stand unread: it was lifted, and its new square reads
    /// empty.
    fn unread(&self) -> Bitboard {
        let Move::Normal {
            from,
            to,
            capture,
            promotion: None,
            ..
        } = self.m
        else {
            return self.unread_of_castling();
        };
        let full = self.ev.contacts.planes().occupied();
        let lifted = self.ev.touched.contains(from) && !full.contains(from);
        let taken_off = capture.is_none() || self.ev.touched.contains(to);
        if lifted && taken_off && self.ev.look.unread == Some(self.before.turn()) {
            Bitboard::from(to) & !full
        } else {
            Bitboard::EMPTY
        }
    }

    /// The same for castling: one of the two pieces stands where it goes to, the other has left its
    /// square.
    fn unread_of_castling(&self) -> Bitboard {
        if !self.m.is_castle() || self.ev.look.unread != Some(self.before.turn()) {
            return Bitboard::EMPTY;
        }
        let (mut from, mut to) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (leaves, takes) in legs(self.m) {
            from.add(leaves);
            to.add(takes);
        }
        let (touched, full) = (self.ev.touched, self.ev.contacts.planes().occupied());
        let lifted = from.is_subset(touched) && ((from & !to) & full).is_empty();
        let unread = to & !full;
        let other_stands = (to & touched & full).any();
        match lifted && other_stands && unread.count() == 1 {
            true => unread,
            false => Bitboard::EMPTY,
        }
    }

    /// The square on which the moved piece is still read although it stands on its arrival square
    /// too: the one it came from, or one it was put on before. One piece more than there can be: a
    /// lift was not read.
    fn doubled(&self, wrong: Bitboard) -> Bitboard {
        let Move::Normal { from, to, .. } = self.m else {
            return self.castled_from(wrong);
        };
        if wrong.is_empty() || wrong.contains(to) || !self.shows_arrival(to) {
            return Bitboard::EMPTY;
        }
        let ev = self.ev;
        let arrived = ev.contacts.since(to);
        // A piece that is slid on shows on two squares for a moment: that is no reply.
        let slid = arrived <= ev.reached + 2 * ev.contacts.minimum_contact();
        let crowded = ev.crowded && !slid && !is_promoted_on(self.before, to);
        let mut doubled = Bitboard::EMPTY;
        for sq in wrong {
            let left = sq == from && (ev.look.at_press || crowded);
            if self.reads_as_arrived(sq, to) && (left || self.has_passed(sq, from, to)) {
                doubled.add(sq);
            }
        }
        if doubled.more_than_one() {
            return Bitboard::EMPTY;
        }
        doubled
    }

    /// Whether anything shows that the piece arrived on `to`: the reading, or that something was
    /// done there.
    fn shows_arrival(&self, to: Square) -> bool {
        let class = self.ev.contacts.planes().class();
        let before = class.sees(self.before.board().piece_at(to));
        self.ev.is_handled(to) || before != class.sees(self.after.board().piece_at(to))
    }

    /// Whether `sq` reads what stands on `to` after the move.
    fn reads_as_arrived(&self, sq: Square, to: Square) -> bool {
        let planes = self.ev.contacts.planes();
        planes.at(sq) == planes.class().sees(self.after.board().piece_at(to))
    }

    /// Whether the piece may have stood on `sq`, empty before, on its way from `from` to `to`: it
    /// is identified, it had to pass there, or nothing else can have been put on `to`.
    fn has_passed(&self, sq: Square, from: Square, to: Square) -> bool {
        let (ev, contacts, board) = (self.ev, self.ev.contacts, self.before.board());
        let arrived = self.arrived_at(to);
        let alone = || {
            let in_the_air = contacts.lifted_at(arrived, ev.reached);
            let only = board.piece_at(to).is_none() && in_the_air == Bitboard::from(from);
            only && can_stop(self.before, from, sq)
        };
        // Within a scan nothing has an order.
        let later = ev.look.scan_window.is_before(arrived, contacts.since(sq));
        board.piece_at(sq).is_none()
            && ev.touched.contains(sq)
            && !later
            && (ev.is_identified() || attacks::between(from, to).contains(sq) || alone())
    }

    /// When something came to `to`, be it that the square only flickered.
    fn arrived_at(&self, to: Square) -> Time {
        let (since, flickered) = (self.ev.contacts.since(to), self.ev.contacts.flickered(to));
        flickered.map_or(since, |at| at.max(since))
    }

    /// The same for castling: both pieces stand right, and one of the squares they came from is
    /// still read full.
    fn castled_from(&self, wrong: Bitboard) -> Bitboard {
        if !self.ev.look.at_press || !self.m.is_castle() {
            return Bitboard::EMPTY;
        }
        let (mut from, mut to) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (leaves, takes) in legs(self.m) {
            from.add(leaves);
            to.add(takes);
        }
        let left = wrong & from & self.ev.contacts.planes().occupied();
        let stands = (to & (wrong | !self.ev.touched | from)).is_empty();
        if stands && left.count() == 1 {
            left
        } else {
            Bitboard::EMPTY
        }
    }
}

/// Whether the piece on `from` could have been put on `sq` to stay.
fn can_stop(before: &Chess, from: Square, sq: Square) -> bool {
    let legal = before.legal_moves();
    legal
        .iter()
        .any(|m| is_from(*m, from.into()) && m.to() == sq)
}

/// Whether the player to move has a pawn that can become a piece on `to`: the piece may come before
/// its pawn goes (4.6).
fn is_promoted_on(before: &Chess, to: Square) -> bool {
    let by = before.turn();
    let last = to.rank() == by.fold_wb(Rank::Eighth, Rank::First);
    let near = attacks::king_attacks(to) & before.board().by_piece(by.pawn());
    last && near.any()
}
