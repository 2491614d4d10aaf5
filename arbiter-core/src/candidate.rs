//! Does this legal move explain what the sensors read? A pure function from position, move and
//! evidence to a price.
//!
//! A move fits when the board, as this sensor class would read it, equals what the sensors read
//! now, and the touches do not contradict it. What the *next* player has begun since may still be
//! open. Prices compare accounts with one another; they mean nothing by themselves.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use crate::hypothesis::Look;
use crate::planes::Planes;
use crate::settle::{Change, Settle};
use crate::symbol::{SensorClass, Symbol};
use crate::tape::{Entry, Told};
use crate::time::{Millis, Time};

/// Prices of assumptions, in hundredths.
pub(crate) mod price {
    /// A square of the move changed and nobody was seen to touch it.
    pub(crate) const UNTOUCHED: i32 = 300;
    /// The piece was read on its new square a moment before it was read to leave the old one.
    pub(crate) const LATE_LIFT: i32 = 150;
    /// A reading that must have been lost.
    pub(crate) const LOST: i32 = 300;
    /// A lift unread where its arrival shows nothing either: no press is taken to complete such a
    /// move.
    pub(crate) const UNSHOWN: i32 = 110;
    /// A capture that nobody saw, while another piece that could be captured was touched.
    pub(crate) const OTHER_TOUCHED: i32 = 30;
    /// The same, and that piece is in the air still.
    pub(crate) const OTHER_IN_HAND: i32 = 120;
    /// A square that the board itself does not trust reads something else.
    pub(crate) const SUSPECT: i32 = 60;
    /// A piece in the air whose new square was not read.
    pub(crate) const UNREAD: i32 = 250;
    /// A reply that stood before the move it answers.
    pub(crate) const TOO_EARLY: i32 = 150;
    /// A reading that came late.
    pub(crate) const LATE: i32 = 100;
    /// A victim whose square only flickered.
    pub(crate) const FLICKER: i32 = 100;
    /// A touched square that the account has no use for.
    pub(crate) const STRAY: i32 = 10;
    /// A piece of the player to move is in the air.
    pub(crate) const IN_HAND: i32 = 30;
    /// A piece of the player to move stands on a new square, and no legal move is complete.
    pub(crate) const HALF_PLACED: i32 = 60;
    /// The piece that just moved stands there no more.
    pub(crate) const MOVED_ON: i32 = 350;
    /// The same at a press, where the opponent can have lifted it to capture it.
    pub(crate) const VICTIM_FIRST: i32 = 150;
    /// A piece of the player who has moved appears where it cannot be.
    pub(crate) const CONTRADICTED: i32 = 500;
    /// A promotion to anything but a queen, where the piece is unseen.
    pub(crate) const UNDERPROMOTION: i32 = 1;
    /// An account that does not explain a board at rest, while another does.
    pub(crate) const UNRESTED: i32 = 50;
    /// A piece of the player who has moved stood for a while where it cannot have been.
    pub(crate) const ELSEWHERE: i32 = 250;
    /// Two plies for which nobody pressed, though a clock is there.
    pub(crate) const UNPRESSED: i32 = 200;
    /// Prices this close are equal.
    pub(crate) const TIE: i32 = 5;
}

/// No reading comes later than this, in milliseconds.
pub(crate) const LATEST: Millis = 2_500;

/// The pieces that `m` puts on other squares: from where, to where. In castling the king comes
/// first; of the two that piece is left out which stays where it is (Chess960; Guideline II.3.2).
pub(crate) fn legs(m: Move) -> impl Iterator<Item = (Square, Square)> + Clone {
    let pair = match m {
        Move::Castle { king, rook } => {
            let side = m.castling_side().expect("a castling move has a side");
            let on_rank = |file| Square::from_coords(file, king.rank());
            let legs = [
                (king, on_rank(side.king_to_file())),
                (rook, on_rank(side.rook_to_file())),
            ];
            legs.map(|(from, to)| (from != to).then_some((from, to)))
        }
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => [Some((from, to)), None],
        Move::Put { .. } => [None, None],
    };
    pair.into_iter().flatten()
}

/// The squares a move changes.
pub(crate) fn squares_of(m: Move) -> Bitboard {
    match m {
        Move::Castle { .. } => legs(m).flat_map(|(from, to)| [from, to]).collect(),
        Move::EnPassant { from, to } => {
            Bitboard::from(from)
                | Bitboard::from(to)
                | Bitboard::from(victim_square(m).unwrap_or(to))
        }
        Move::Normal { from, to, .. } => Bitboard::from(from) | Bitboard::from(to),
        Move::Put { to, .. } => to.into(),
    }
}

/// The squares that one castling piece leaves and the other takes: the board reads there what it
/// read before, unless it tells king from rook.
fn handed_over(m: Move) -> Bitboard {
    if !m.is_castle() {
        return Bitboard::EMPTY;
    }
    let (from, to): (Bitboard, Bitboard) = legs(m)
        .map(|(from, to)| (Bitboard::from(from), Bitboard::from(to)))
        .fold(Default::default(), |(froms, tos), (from, to)| {
            (froms | from, tos | to)
        });
    from & to
}

/// Whether king and rook change places (transposition castling): only a board that tells them apart
/// sees it.
pub(crate) fn is_exchange(m: Move) -> bool {
    handed_over(m).count() == 2
}

/// The square whose piece the move captures.
pub(crate) fn victim_square(m: Move) -> Option<Square> {
    match m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        Move::Normal {
            to,
            capture: Some(_),
            ..
        } => Some(to),
        _ => None,
    }
}

/// Where the moving piece comes from: in castling the king, or the rook where the king stays.
pub(crate) fn origin(m: Move) -> Option<Square> {
    legs(m).next().map(|(from, _)| from)
}

/// Where the moving piece (see [`origin`]) ends.
pub(crate) fn arrival(m: Move) -> Square {
    legs(m).next().map_or(m.to(), |(_, to)| to)
}

/// What is known of the ply that is being played: the evidence since the position was reached.
pub(crate) struct Evidence<'a> {
    pub(crate) settle: &'a Settle,
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
    pub(crate) stale: Bitboard,
    /// At a press, squares that the board itself does not trust.
    pub(crate) blind: Bitboard,
    /// Changes closer together than this have no order.
    pub(crate) skew: Millis,
    /// At a press, a square that was right a moment ago counts as right.
    pub(crate) lenient: bool,
    /// Squares that were about to change, or had just done so.
    pub(crate) unsteady: Unsteady,
    /// What was told later, where that is known.
    pub(crate) later: &'a [Entry],
    /// Whose piece may stand where it is never read.
    pub(crate) unread: Option<Color>,
    /// Whether every scan is read with hindsight, not only a press.
    pub(crate) patient: bool,
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

impl Evidence<'_> {
    /// Whether the sensors see which piece stands where.
    fn is_identified(&self) -> bool {
        self.settle.planes.class() == SensorClass::Piece
    }

    /// The square on which the moved piece is still read although it stands on its arrival square
    /// too: the one it came from, or one it was put on before. One piece more than there can be: a
    /// lift was not read.
    fn doubled(&self, before: &Chess, after: &Chess, m: Move, wrong: Bitboard) -> Bitboard {
        let Move::Normal { from, to, .. } = m else {
            return self.castled_from(m, wrong);
        };
        let (planes, class) = (&self.settle.planes, self.settle.planes.class());
        let seen = |board: &Board, sq| class.sees(board.piece_at(sq));
        let handled = (self.touched | self.flickered).contains(to);
        let untouched = seen(before.board(), to) == seen(after.board(), to) && !handled;
        if wrong.contains(to) || untouched {
            return Bitboard::EMPTY;
        }
        // A piece that is slid on shows on two squares for a moment: that is no reply.
        let slid = self.settle.since(to) <= self.reached + 2 * self.settle.brush();
        let crowded = self.crowded && !slid && !is_promoted_on(before, to);
        let of_the_piece = |sq: &Square| {
            let stood =
                self.touched.contains(*sq) && self.settle.since(*sq) < self.settle.since(to);
            let on_the_way = self.is_identified() || attacks::between(from, to).contains(*sq);
            let passed = before.board().piece_at(*sq).is_none() && stood && on_the_way;
            planes.at(*sq) == seen(after.board(), to)
                && ((*sq == from && (self.lenient || crowded)) || passed)
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
        let left = wrong & from & self.settle.planes.occupied();
        let stands = (to & (wrong | !self.touched | from)).is_empty();
        if self.lenient && m.is_castle() && stands && left.count() == 1 {
            left
        } else {
            Bitboard::EMPTY
        }
    }

    /// What it costs to take `sq` for what `board` has there: it came to read so soon after, being
    /// read late, or, to a patient eye, it was touched again before it was ever read.
    fn late_price(&self, sq: Square, board: &Board) -> Option<i32> {
        let mut changes = soon(self.later, self.now).filter(|(square, _)| *square == sq);
        match changes.any(|(_, symbol)| self.settle.planes.fits(symbol, board, sq)) {
            true => Some(price::LATE),
            false => self.patient.then_some(price::LOST),
        }
    }

    /// Whether `sq` read what `board` has there at any moment since the position was reached. After
    /// a gap it need not have been seen.
    fn was_read(&self, sq: Square, board: &Board) -> bool {
        let settle = self.settle;
        let fits = |c: &Change| c.square == sq && settle.planes.fits(c.symbol, board, sq);
        self.skew > LATEST
            || settle.log_since(self.reached).any(fits)
            || settle.glimpsed(sq, self.reached)
    }

    /// The square on which the piece may stand unread: it was lifted, and its new square reads
    /// empty.
    fn never_read(&self, m: Move) -> Bitboard {
        let full = self.settle.planes.occupied();
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
pub(crate) struct Fit {
    /// The position it leads to.
    pub(crate) after: Chess,
    /// What has to be assumed.
    pub(crate) price: i32,
    /// When the last of its squares took its place.
    pub(crate) made_at: Time,
    /// Squares the next player handled before that.
    pub(crate) early: Bitboard,
    /// Squares whose reading is wrong.
    pub(crate) stale: Bitboard,
}

/// Squares whose reading may have been another a moment before or soon after: the same for all
/// accounts.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unsteady {
    /// At a press, squares that changed less than a brush ago.
    recent: Bitboard,
    /// Those, and what else may have been right a moment ago.
    lately: Bitboard,
    /// Squares that change soon after.
    later: Bitboard,
    /// Those among them that come to read empty.
    emptied: Bitboard,
}

impl Unsteady {
    /// As the board is looked at.
    pub(crate) fn new(settle: &Settle, look: &Look<'_>) -> Unsteady {
        let mut squares = Unsteady::default();
        if look.lenient {
            squares.recent = settle.recent(look.now);
            squares.lately = squares.recent | settle.glimpsed_lately(look.now);
        }
        for (square, symbol) in soon(look.later, look.now) {
            squares.later.add(square);
            if symbol == Symbol::Empty {
                squares.emptied.add(square);
            }
        }
        squares
    }
}

/// What was told soon after `now`.
fn soon(later: &[Entry], now: Time) -> impl Iterator<Item = (Square, Symbol)> + '_ {
    later
        .iter()
        .take_while(move |e| e.at.since(now) <= LATEST)
        .filter_map(|e| match e.told {
            Told::Change(square, symbol) => Some((square, symbol)),
            Told::Press(_) => None,
        })
}

/// What every move that fits must come up to, so that most need not be tried.
pub(crate) struct Bounds {
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

impl Bounds {
    /// The bounds for the moves in `before`; `None` where no move can fit.
    pub(crate) fn new(before: &Chess, ev: &Evidence<'_>) -> Option<Bounds> {
        let (
            planes,
            Unsteady {
                recent,
                lately,
                later,
                emptied,
            },
        ) = (&ev.settle.planes, ev.unsteady);
        let full = planes.occupied();
        let gone = if ev.patient { later } else { emptied };
        let left = !full | recent | ev.stale | ev.blind | gone;
        let castles = before.castles();
        // In Chess960 castling may not show.
        let landed = if ev.lenient || ev.crowded {
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
        let changed = planes.differ(before.board()) & !(ev.stale | lately | later | begun);
        // A move changes two squares, en passant three, castling four; one more may be passed.
        let passed = ev.touched & full & !before.board().occupied();
        let most = if castles.is_empty() && before.maybe_ep_square().is_none() {
            2
        } else {
            4
        };
        let most = most + usize::from(passed.any());
        let filled = full | ev.stale | ev.blind | lately | later | unread;
        (changed.count() <= most).then_some(Bounds {
            left,
            filled,
            changed,
            passed,
            landed,
        })
    }

    /// Whether `m` can be worth a closer look at all.
    #[inline]
    pub(crate) fn admit(&self, m: Move, ev: &Evidence<'_>) -> bool {
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

impl Evidence<'_> {
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
                    .settle
                    .were_empty_at_once(a, b, self.reached, self.skew))
    }
}

/// Tries `m`, which [`Bounds::admit`] lets through, in `before` against the evidence.
pub(crate) fn fit(before: &Chess, m: Move, ev: &Evidence<'_>) -> Option<Fit> {
    let mut after = before.clone();
    after.play_unchecked(m);
    let mut wrong = ev.settle.planes.differ(after.board()) & !ev.stale;
    let mut lately = Bitboard::EMPTY;
    if ev.lenient {
        lately = ev.settle.lately_right(wrong, after.board(), ev.now);
        wrong &= !lately;
    }
    let (mut late, mut late_price) = (Bitboard::EMPTY, 0);
    for sq in wrong & ev.unsteady.later {
        if let Some(price) = ev.late_price(sq, after.board()) {
            (late, late_price) = (late | Bitboard::from(sq), late_price + price);
        }
    }
    let unread = match ev.unread == Some(before.turn()) {
        true => ev.never_read(m) & wrong & !late,
        false => Bitboard::EMPTY,
    };
    let own = squares_of(m);
    let blind = wrong & ev.blind & own & !late;
    let unread = unread & !blind;
    let doubled = ev.doubled(before, &after, m, wrong & !(late | blind));
    wrong &= !(late | unread | doubled | blind);
    let reply = reply_price(&after, m, wrong, own & !blind, ev)?;
    let order = order_price(before, m, own & (wrong | late | unread | blind), ev)?;
    let line = legs(m).fold(Bitboard::EMPTY, |line, (from, to)| {
        line | attacks::between(from, to)
    });
    let touched = ev.touched | ev.glimpsed;
    let strays = (touched & !own & !line & !wrong).count() as i32;
    // What was read wrong and has changed again was never read in between.
    let unheard = if ev.patient {
        ev.stale
    } else {
        Bitboard::EMPTY
    };
    let unseen = own & !(touched | late | unread | doubled | blind | unheard);
    let mut price =
        reply + order + strays * price::STRAY + unseen_price(before, &after, unseen, ev);
    let lost = (unread | doubled) & !line;
    // Where its new square reads as before, nothing shows that the piece has left the old one.
    let shown = ev.settle.planes.differ(before.board()).contains(m.to());
    if !shown && m.from().is_some_and(|from| doubled.contains(from)) {
        price += price::UNSHOWN;
    }
    price += late_price + blind.count() as i32 * price::SUSPECT;
    price += (doubled & line).count() as i32 * price::LATE + lost.count() as i32 * price::LOST;
    if m.promotion().is_some_and(|role| role != Role::Queen)
        && ev.settle.planes.class() != SensorClass::Piece
    {
        price += price::UNDERPROMOTION;
    }
    let took_place = |sq: Square| match lately.contains(sq) {
        true => ev
            .settle
            .lately(sq, after.board(), ev.now)
            .unwrap_or(ev.now),
        false => ev.settle.since(sq),
    };
    let settled = (own & !(wrong | blind)).into_iter().map(took_place).max();
    let settled = settled.unwrap_or(ev.now);
    if settled + ev.skew < ev.reached {
        price += price::TOO_EARLY;
    }
    // A victim that only flickered went in that moment, unless the reply had begun: then it may be
    // the reply's.
    let flicker = ev
        .settle
        .flickered(arrival(m))
        .filter(|_| ev.flickered.contains(arrival(m)) && wrong.is_empty());
    let made_at = flicker.map_or(settled, |at| at.max(settled));
    let early = wrong
        .into_iter()
        .filter(|&sq| ev.settle.since(sq) <= made_at)
        .collect();
    Some(Fit {
        after,
        price,
        made_at,
        early,
        stale: ev.stale | late | unread | doubled | blind,
    })
}

/// What it costs to read the squares in `wrong` as the beginning of a reply; `None` when they
/// cannot be.
fn reply_price(
    after: &Chess,
    m: Move,
    wrong: Bitboard,
    own: Bitboard,
    ev: &Evidence<'_>,
) -> Option<i32> {
    let planes = &ev.settle.planes;
    let next = after.turn();
    let coloured = planes.class() != SensorClass::Occupancy;
    let (mut in_hand, mut placed, mut unread) = (0, 0, 0);
    // A reply may begin before the move is made, but not before the moving piece was touched.
    let begun = (own & !wrong)
        .into_iter()
        .map(|sq| ev.settle.since(sq))
        .min()
        .unwrap_or(ev.now);
    for sq in wrong {
        if !ev.touched.contains(sq) || ev.settle.since(sq) + ev.skew < begun {
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
                    unread += price::LOST;
                }
            }
            None if full && !own.contains(sq) && planes.may_be(next).contains(sq) => placed += 1,
            _ => return None,
        }
    }
    let possible = in_hand <= 2 && placed <= in_hand;
    possible.then_some(
        in_hand * price::IN_HAND + placed * (price::HALF_PLACED - price::IN_HAND) + unread,
    )
}

/// What it costs that some squares of the move were never seen to be touched.
fn unseen_price(before: &Chess, after: &Chess, untouched: Bitboard, ev: &Evidence<'_>) -> i32 {
    let class = ev.settle.planes.class();
    let price = |sq: Square| {
        let visible =
            class.sees(before.board().piece_at(sq)) != class.sees(after.board().piece_at(sq));
        if !visible && ev.flickered.contains(sq) {
            price::FLICKER
        } else {
            price::UNTOUCHED
        }
    };
    untouched.into_iter().map(price).sum()
}

/// What the order of events costs. An arrival square filled for good before the piece was seen in
/// the air rules `m` out where another piece can have filled it; else the lift was read late: a
/// magnet that lets go late, or a reading lost.
fn order_price(before: &Chess, m: Move, wrong: Bitboard, ev: &Evidence<'_>) -> Option<i32> {
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
    let filled = ev.settle.since(to);
    let others = before.us() & !Bitboard::from(from);
    let another = || ev.settle.lifted_at(filled + ev.skew, ev.reached) & others;
    match ev.settle.since(from).since(filled) {
        early if early <= ev.skew => Some(0),
        early if early <= ev.skew.saturating_mul(3) => Some(price::LATE_LIFT),
        early if early <= LATEST && (ev.is_identified() || another().is_empty()) => {
            Some(price::LOST)
        }
        _ => None,
    }
}
