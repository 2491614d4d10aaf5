//! Does this legal move explain what the sensors read? A pure function from position, move and
//! evidence to a price.
//!
//! A move fits when the board, as this sensor class would read it, equals what the sensors read
//! now, and the touches do not contradict it. What the *next* player has begun since may still be
//! open. Prices compare accounts with one another; they mean nothing by themselves.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use crate::chess::moves::{arrival, handed_over, legs, squares_of, victim_square};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::sense::contacts::{Change, Contacts};
use crate::sense::planes::Planes;
use crate::track::beam::Look;
use crate::track::cost;
use crate::track::cost::LATEST;
use crate::track::log::{LogEntry, Logged};

/// What is known of the ply that is being played: the evidence since the position was reached.
pub(crate) struct PlyEvidence<'a> {
    pub(crate) contacts: &'a Contacts,
    /// Now.
    pub(crate) now: Time,
    /// When the position was reached.
    pub(crate) reached: Time,
    /// Squares touched since the position was reached.
    pub(crate) touched: Bitboard,
    /// Squares that flickered empty since.
    pub(crate) flickered: Bitboard,
    /// Empty squares on which something stood for a moment since.
    pub(crate) glimpsed: Bitboard,
    /// Squares whose reading is known to be wrong.
    pub(crate) misread: Bitboard,
    /// At a press, squares that the board itself does not trust.
    pub(crate) suspect_at_press: Bitboard,
    /// Changes closer together than this have no order.
    pub(crate) scan_window: Millis,
    /// At a press, a square that was right a moment ago counts as right.
    pub(crate) at_press: bool,
    /// Squares that were about to change, or had just done so.
    pub(crate) unsettled: Unsettled,
    /// What was told later, where that is known.
    pub(crate) lookahead: &'a [LogEntry],
    /// Whose piece may stand where it is never read.
    pub(crate) unread: Option<Color>,
    /// Whether every scan is read with hindsight, not only a press.
    pub(crate) hindsight: bool,
    /// Whether more pieces are read than there can be: a lift was not.
    pub(crate) crowded: bool,
}

/// Whether the player to move has a pawn that can become a piece on `to`: the piece may come before
/// its pawn goes (4.6).
fn is_promoted_on(before: &Chess, to: Square) -> bool {
    let by = before.turn();
    let last = to.rank() == by.fold_wb(Rank::Eighth, Rank::First);
    let near = attacks::king_attacks(to) & before.board().by_piece(by.pawn());
    last && near.any()
}

/// Whether a board that reads `planes` has more pieces than `before`, those of the player not on
/// move being in the hand: some square reads what has left it.
pub(crate) fn is_crowded(before: &Chess, planes: &Planes) -> bool {
    let (board, full) = (before.board(), planes.occupied());
    let taken_up = before.them() & !full;
    let coloured = planes.class() != SensorClass::Occupancy;
    let more = |c: Color| planes.may_be(c).count() > board.by_color(c).count();
    (full | taken_up).count() > board.occupied().count()
        || (coloured && Color::ALL.into_iter().any(more))
}

impl PlyEvidence<'_> {
    /// Whether the sensors see which piece stands where.
    fn is_identified(&self) -> bool {
        self.contacts.planes.class() == SensorClass::Piece
    }

    /// The square on which the moved piece is still read although it stands on its arrival square
    /// too: the one it came from, or one it was put on before. One piece more than there can be: a
    /// lift was not read.
    fn doubled(&self, before: &Chess, after: &Chess, m: Move, wrong: Bitboard) -> Bitboard {
        let Move::Normal { from, to, .. } = m else {
            return self.castled_from(m, wrong);
        };
        let (planes, class) = (&self.contacts.planes, self.contacts.planes.class());
        let seen = |board: &Board, sq| class.sees(board.piece_at(sq));
        let handled = (self.touched | self.flickered).contains(to);
        let untouched = seen(before.board(), to) == seen(after.board(), to) && !handled;
        if wrong.contains(to) || untouched {
            return Bitboard::EMPTY;
        }
        // A piece that is slid on shows on two squares for a moment: that is no reply.
        let slid = self.contacts.since(to) <= self.reached + 2 * self.contacts.minimum_contact();
        let crowded = self.crowded && !slid && !is_promoted_on(before, to);
        let of_the_piece = |sq: &Square| {
            let stood =
                self.touched.contains(*sq) && self.contacts.since(*sq) < self.contacts.since(to);
            let on_the_way = self.is_identified() || attacks::between(from, to).contains(*sq);
            let passed = before.board().piece_at(*sq).is_none() && stood && on_the_way;
            planes.at(*sq) == seen(after.board(), to)
                && ((*sq == from && (self.at_press || crowded)) || passed)
        };
        let mut doubled = wrong.into_iter().filter(of_the_piece);
        match (doubled.next(), doubled.next()) {
            (Some(only), None) => only.into(),
            _ => Bitboard::EMPTY,
        }
    }

    /// The same for castling: both pieces stand right, and one of the squares they came from is
    /// still read full.
    fn castled_from(&self, m: Move, wrong: Bitboard) -> Bitboard {
        let on =
            |squares: fn((Square, Square)) -> Square| legs(m).map(squares).collect::<Bitboard>();
        let (from, to) = (on(|leg| leg.0), on(|leg| leg.1));
        let left = wrong & from & self.contacts.planes.occupied();
        let stands = (to & (wrong | !self.touched | from)).is_empty();
        if self.at_press && m.is_castle() && stands && left.count() == 1 {
            left
        } else {
            Bitboard::EMPTY
        }
    }

    /// What it costs to take `sq` for what `board` has there: it came to read so soon after, being
    /// read late, or, to a patient eye, it was touched again before it was ever read.
    fn late_cost(&self, sq: Square, board: &Board) -> Option<i32> {
        let mut changes = soon(self.lookahead, self.now).filter(|(square, _)| *square == sq);
        match changes.any(|(_, symbol)| self.contacts.planes.fits(symbol, board, sq)) {
            true => Some(cost::LATE),
            false => self.hindsight.then_some(cost::LOST),
        }
    }

    /// Whether `sq` read what `board` has there at any moment since the position was reached. After
    /// a gap it need not have been seen.
    fn was_read(&self, sq: Square, board: &Board) -> bool {
        let contacts = self.contacts;
        let fits = |c: &Change| c.square == sq && contacts.planes.fits(c.symbol, board, sq);
        self.scan_window > LATEST
            || contacts.log_since(self.reached).any(fits)
            || contacts.glimpsed(sq, self.reached)
    }

    /// The square on which the piece may stand unread: it was lifted, and its new square reads
    /// empty.
    fn never_read(&self, m: Move) -> Bitboard {
        let full = self.contacts.planes.occupied();
        let lifted = |from| self.touched.contains(from) && !full.contains(from);
        let quiet = matches!(
            m,
            Move::Normal {
                capture: None,
                promotion: None,
                ..
            }
        );
        if quiet && m.from().is_some_and(lifted) {
            Bitboard::from(m.to()) & !full
        } else {
            Bitboard::EMPTY
        }
    }
}

/// A move that fits.
pub(crate) struct MoveFit {
    /// The position it leads to.
    pub(crate) after: Chess,
    /// What has to be assumed.
    pub(crate) cost: i32,
    /// When the last of its squares took its place.
    pub(crate) made_at: Time,
    /// Squares the next player handled before that.
    pub(crate) early: Bitboard,
    /// Squares whose reading is wrong.
    pub(crate) misread: Bitboard,
}

/// Squares whose reading may have been another a moment before or soon after: the same for all
/// accounts.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unsettled {
    /// At a press, squares that changed less than a brush ago.
    recent: Bitboard,
    /// Those, and what else may have been right a moment ago.
    lately: Bitboard,
    /// Squares that change soon after.
    lookahead: Bitboard,
    /// Those among them that come to read empty.
    emptied: Bitboard,
}

impl Unsettled {
    /// As the board is looked at.
    pub(crate) fn new(contacts: &Contacts, look: &Look<'_>) -> Unsettled {
        let mut squares = Unsettled::default();
        if look.at_press {
            squares.recent = contacts.recent(look.now);
            squares.lately = squares.recent | contacts.glimpsed_lately(look.now);
        }
        for (square, symbol) in soon(look.lookahead, look.now) {
            squares.lookahead.add(square);
            if symbol == Symbol::Empty {
                squares.emptied.add(square);
            }
        }
        squares
    }
}

/// What was told soon after `now`.
fn soon(lookahead: &[LogEntry], now: Time) -> impl Iterator<Item = (Square, Symbol)> + '_ {
    lookahead
        .iter()
        .take_while(move |e| e.at.since(now) <= LATEST)
        .filter_map(|e| match e.told {
            Logged::Change(square, symbol) => Some((square, symbol)),
            Logged::Press(_) => None,
        })
}

/// What every move that fits must come up to, so that most need not be tried.
pub(crate) struct MoveBounds {
    /// Squares that a piece may have left.
    left: Bitboard,
    /// Squares on which a piece may have been put.
    filled: Bitboard,
    /// Squares that read otherwise than before, and not by the beginning of a reply: the move
    /// changed them.
    changed: Bitboard,
    /// Squares that a piece put down since may have passed and still be read on.
    passed: Bitboard,
    /// Squares on which a piece was put, at a press: the one it left may be read full still.
    landed: Bitboard,
}

impl MoveBounds {
    /// The bounds for the moves in `before`; `None` where no move can fit.
    pub(crate) fn new(before: &Chess, ev: &PlyEvidence<'_>) -> Option<MoveBounds> {
        let (
            planes,
            Unsettled {
                recent,
                lately,
                lookahead,
                emptied,
            },
        ) = (&ev.contacts.planes, ev.unsettled);
        let full = planes.occupied();
        let gone = if ev.hindsight { lookahead } else { emptied };
        let left = !full | recent | ev.misread | ev.suspect_at_press | gone;
        let castles = before.castles();
        // In Chess960 castling may not show.
        let landed = if ev.at_press || ev.crowded {
            (ev.touched | ev.flickered) & full
        } else {
            Bitboard::EMPTY
        };
        if (left & before.us()).is_empty() && landed.is_empty() && !castles.mode().is_chess960() {
            return None;
        }
        let unread = if ev.unread == Some(before.turn()) {
            Bitboard::FULL
        } else {
            Bitboard::EMPTY
        };
        let next = !before.turn();
        let begun = ev.touched
            & ((before.them() & !full)
                | (planes.may_be(next) & full & (before.us() | !before.board().occupied())));
        let changed = planes.differ(before.board()) & !(ev.misread | lately | lookahead | begun);
        // A move changes two squares, en passant three, castling four; one more may be passed.
        let passed = ev.touched & full & !before.board().occupied();
        let most = if castles.is_empty() && before.maybe_ep_square().is_none() {
            2
        } else {
            4
        };
        let most = most + usize::from(passed.any());
        let filled = full | ev.misread | ev.suspect_at_press | lately | lookahead | unread;
        (changed.count() <= most).then_some(MoveBounds {
            left,
            filled,
            changed,
            passed,
            landed,
        })
    }

    /// Whether `m` can be worth a closer look at all.
    #[inline]
    pub(crate) fn admit(&self, m: Move, ev: &PlyEvidence<'_>) -> bool {
        let left = |sq: Square| self.left.contains(sq);
        let possible = match m {
            Move::Castle { king, rook } if handed_over(m).any() => {
                // The picture is that of another move or of none: castling is told by both having
                // been off the board at once.
                let filled = handed_over(m);
                ev.were_off(king, rook)
                    && legs(m).all(|(from, _)| filled.contains(from) || left(from))
            }
            Move::Castle { .. } => legs(m).all(|(from, to)| left(from) || self.landed.contains(to)),
            _ => {
                self.landed.contains(m.to())
                    || (m.from().is_some_and(left) && self.filled.contains(m.to()))
            }
        };
        if !possible {
            return false;
        }
        let elsewhere = self.changed & !squares_of(m);
        elsewhere.is_empty()
            || (!elsewhere.more_than_one() && (elsewhere & !self.passed).is_empty())
    }
}

impl PlyEvidence<'_> {
    /// Whether `a` and `b` were empty at the same time since the position was reached, be it for a
    /// moment.
    fn were_off(&self, a: Square, b: Square) -> bool {
        let flickered = |sq: Square| self.flickered.contains(sq) && !self.touched.contains(sq);
        let handled = |sq: Square| self.touched.contains(sq) || self.flickered.contains(sq);
        let unsettled = flickered(a) || flickered(b);
        handled(a)
            && handled(b)
            && (unsettled
                || self
                    .contacts
                    .were_empty_at_once(a, b, self.reached, self.scan_window))
    }
}

/// Tries `m`, which [`MoveBounds::admit`] lets through, in `before` against the evidence.
pub(crate) fn fit(before: &Chess, m: Move, ev: &PlyEvidence<'_>) -> Option<MoveFit> {
    let mut after = before.clone();
    after.play_unchecked(m);
    let mut wrong = ev.contacts.planes.differ(after.board()) & !ev.misread;
    let mut lately = Bitboard::EMPTY;
    if ev.at_press {
        lately = ev.contacts.lately_right(wrong, after.board(), ev.now);
        wrong &= !lately;
    }
    let (mut late, mut late_cost) = (Bitboard::EMPTY, 0);
    for sq in wrong & ev.unsettled.lookahead {
        if let Some(cost) = ev.late_cost(sq, after.board()) {
            (late, late_cost) = (late | Bitboard::from(sq), late_cost + cost);
        }
    }
    let unread = match ev.unread == Some(before.turn()) {
        true => ev.never_read(m) & wrong & !late,
        false => Bitboard::EMPTY,
    };
    let own = squares_of(m);
    let suspect_at_press = wrong & ev.suspect_at_press & own & !late;
    let unread = unread & !suspect_at_press;
    let doubled = ev.doubled(before, &after, m, wrong & !(late | suspect_at_press));
    wrong &= !(late | unread | doubled | suspect_at_press);
    let reply = reply_cost(&after, m, wrong, own & !suspect_at_press, ev)?;
    let order = order_cost(
        before,
        m,
        own & (wrong | late | unread | suspect_at_press),
        ev,
    )?;
    let line = legs(m).fold(Bitboard::EMPTY, |line, (from, to)| {
        line | attacks::between(from, to)
    });
    let touched = ev.touched | ev.glimpsed;
    let strays = (touched & !own & !line & !wrong).count() as i32;
    // What was read wrong and has changed again was never read in between.
    let unheard = if ev.hindsight {
        ev.misread
    } else {
        Bitboard::EMPTY
    };
    let unseen = own & !(touched | late | unread | doubled | suspect_at_press | unheard);
    let mut cost = reply + order + strays * cost::STRAY + unseen_cost(before, &after, unseen, ev);
    let lost = (unread | doubled) & !line;
    // Where its new square reads as before, nothing shows that the piece has left the old one.
    let shown = ev.contacts.planes.differ(before.board()).contains(m.to());
    if !shown && m.from().is_some_and(|from| doubled.contains(from)) {
        cost += cost::UNSHOWN;
    }
    cost += late_cost + suspect_at_press.count() as i32 * cost::SUSPECT;
    cost += (doubled & line).count() as i32 * cost::LATE + lost.count() as i32 * cost::LOST;
    if m.promotion().is_some_and(|role| role != Role::Queen)
        && ev.contacts.planes.class() != SensorClass::Piece
    {
        cost += cost::UNDERPROMOTION;
    }
    let took_place = |sq: Square| match lately.contains(sq) {
        true => ev
            .contacts
            .lately(sq, after.board(), ev.now)
            .unwrap_or(ev.now),
        false => ev.contacts.since(sq),
    };
    let settled = (own & !(wrong | suspect_at_press))
        .into_iter()
        .map(took_place)
        .max();
    let settled = settled.unwrap_or(ev.now);
    if settled + ev.scan_window < ev.reached {
        cost += cost::TOO_EARLY;
    }
    // A victim that only flickered went in that moment, unless the reply had begun: then it may be
    // the reply's.
    let flicker = ev
        .contacts
        .flickered(arrival(m))
        .filter(|_| ev.flickered.contains(arrival(m)) && wrong.is_empty());
    let made_at = flicker.map_or(settled, |at| at.max(settled));
    let early = wrong
        .into_iter()
        .filter(|&sq| ev.contacts.since(sq) <= made_at)
        .collect();
    Some(MoveFit {
        after,
        cost,
        made_at,
        early,
        misread: ev.misread | late | unread | doubled | suspect_at_press,
    })
}

/// What it costs to read the squares in `wrong` as the beginning of a reply; `None` when they
/// cannot be.
fn reply_cost(
    after: &Chess,
    m: Move,
    wrong: Bitboard,
    own: Bitboard,
    ev: &PlyEvidence<'_>,
) -> Option<i32> {
    let planes = &ev.contacts.planes;
    let next = after.turn();
    let coloured = planes.class() != SensorClass::Occupancy;
    let (mut in_hand, mut placed, mut unread) = (0, 0, 0);
    // A reply may begin before the move is made, but not before the moving piece was touched.
    let begun = (own & !wrong)
        .into_iter()
        .map(|sq| ev.contacts.since(sq))
        .min()
        .unwrap_or(ev.now);
    for sq in wrong {
        if !ev.touched.contains(sq) || ev.contacts.since(sq) + ev.scan_window < begun {
            return None;
        }
        let full = planes.occupied().contains(sq);
        match after.board().color_at(sq) {
            Some(c) if c == next && !full => in_hand += 1,
            // A piece of the player who moved, captured already by one that is in the air no more.
            Some(c) if c != next && full && coloured && planes.may_be(next).contains(sq) => {
                let taken = |r: &Move| {
                    victim_square(*r) == Some(sq) && r.from().is_some_and(|f| wrong.contains(f))
                };
                if (own.contains(sq) && sq != arrival(m)) || !after.legal_moves().iter().any(taken)
                {
                    return None;
                }
                placed += 1;
                if sq == arrival(m) && !ev.was_read(sq, after.board()) {
                    unread += cost::LOST;
                }
            }
            None if full && !own.contains(sq) && planes.may_be(next).contains(sq) => placed += 1,
            _ => return None,
        }
    }
    let possible = in_hand <= 2 && placed <= in_hand;
    possible
        .then_some(in_hand * cost::IN_HAND + placed * (cost::HALF_PLACED - cost::IN_HAND) + unread)
}

/// What it costs that some squares of the move were never seen to be touched.
fn unseen_cost(before: &Chess, after: &Chess, untouched: Bitboard, ev: &PlyEvidence<'_>) -> i32 {
    let class = ev.contacts.planes.class();
    let cost = |sq: Square| {
        let visible =
            class.sees(before.board().piece_at(sq)) != class.sees(after.board().piece_at(sq));
        if !visible && ev.flickered.contains(sq) {
            cost::FLICKER
        } else {
            cost::UNTOUCHED
        }
    };
    untouched.into_iter().map(cost).sum()
}

/// What the order of events costs. An arrival square filled for good before the piece was seen in
/// the air rules `m` out where another piece can have filled it; else the lift was read late: a
/// magnet that lets go late, or a reading lost.
fn order_cost(before: &Chess, m: Move, wrong: Bitboard, ev: &PlyEvidence<'_>) -> Option<i32> {
    let Move::Normal {
        from,
        to,
        promotion: None,
        ..
    } = m
    else {
        return Some(0);
    };
    let seen = |sq: Square| ev.touched.contains(sq) && !wrong.contains(sq);
    if !seen(to) || !seen(from) {
        return Some(0);
    }
    let filled = ev.contacts.since(to);
    let others = before.us() & !Bitboard::from(from);
    let another = || ev.contacts.lifted_at(filled + ev.scan_window, ev.reached) & others;
    match ev.contacts.since(from).since(filled) {
        early if early <= ev.scan_window => Some(0),
        early if early <= ev.scan_window.saturating_mul(3) => Some(cost::LATE_LIFT),
        early if early <= LATEST && (ev.is_identified() || another().is_empty()) => {
            Some(cost::LOST)
        }
        _ => None,
    }
}
