//! Simulated sensors: turns what happened on a board into what the board would have reported.
//! Seeded.
//!
//! Squares are scanned row after row, so that reports are late by up to two scans and changes of
//! one scan have no order. Contacts bounce, weak magnets are read late, neighbours show a passing
//! piece for a moment, a piece that left is read a little longer, an exchange goes by unseen, and
//! now and then a reading is lost until the square is read again, or until the board says what
//! every square reads.

mod defects;
mod model;
mod scan;
mod snapshots;

use arbiter_core::shakmaty::{Bitboard, Board, Piece, Square, attacks};
use arbiter_core::{Event, Input, SensorClass, Setup, Symbol, Time};

use crate::event::{BoardEvent, Report};
use crate::hand::{Act, Deed};
use crate::random::Random;
pub use defects::Defects;
pub use model::{LEVELS, Model};
use scan::{Edge, Scan};
use snapshots::Snapshots;

/// An exchange of two pieces in one gesture takes up to so many milliseconds, a capture so many.
const EXCHANGE: u64 = 150;
const CAPTURE: u64 = 2_000;

/// A simulated board's sensors.
#[derive(Debug)]
pub struct Sensors {
    class: SensorClass,
    model: Model,
    random: Random,
    scan: Scan,
    /// How late a piece set on each square is read, in microseconds.
    late: [u64; 64],
    /// A square that changes pieces without ever reading empty, and what it reads until then.
    unseen: Option<(Square, Symbol)>,
    snapshots: Snapshots,
}

impl Sensors {
    /// Sensors of `class` with noise of a level, as [`Model::level`] has them.
    pub fn new(class: SensorClass, level: u8, seed: u64) -> Sensors {
        Sensors::with(class, Model::level(level), seed)
    }

    /// Sensors of `class` that misbehave as `model` says.
    pub fn with(class: SensorClass, model: Model, seed: u64) -> Sensors {
        let mut random = Random::new(seed, 3);
        let period = random.span(model.period_us);
        let scan = Scan::new(period, model.at_once, &mut random);
        let late = std::array::from_fn(|_| match random.chance(model.weak) {
            true => random.span((20_000, 100_000)),
            false => 0,
        });
        Sensors {
            class,
            model,
            random,
            scan,
            late,
            unseen: None,
            snapshots: Snapshots::default(),
        }
    }

    /// What the board reports while `acts` happen on it, beginning with `start` on the board and
    /// already reported.
    pub fn read(&mut self, start: &Board, acts: &[Act]) -> Vec<BoardEvent> {
        self.snapshots = Snapshots::until(acts, self.model.snapshot_us, &mut self.random);
        let mut board = start.clone();
        let mut edges = Vec::with_capacity(acts.len() * 2);
        let mut events = Vec::with_capacity(acts.len() * 2);
        for (i, act) in acts.iter().enumerate() {
            let following = Following(&acts[i + 1..]);
            match act.deed {
                Deed::LiftPiece(square, piece) => {
                    board.discard_piece_at(square);
                    let contact = self.contact(act.at, square, piece, following);
                    if self.is_unseen(*act, following) {
                        self.unseen = Some((square, contact.seen));
                        continue;
                    }
                    self.lift(&mut edges, contact);
                    if following.captures(*act) {
                        self.sweep(&mut edges, contact, board.occupied());
                    }
                    self.crosstalk(&mut edges, contact, board.occupied());
                }
                Deed::PlacePiece(square, piece) => {
                    board.set_piece_at(square, piece);
                    let contact = self.contact(act.at, square, piece, following);
                    if let Some((_, seen)) = self.unseen.filter(|(at, _)| *at == square) {
                        let victim = Contact { seen, ..contact };
                        self.sweep(&mut edges, victim, board.occupied());
                    }
                    self.place(&mut edges, contact);
                    self.crosstalk(&mut edges, contact, board.occupied());
                }
                Deed::Press {
                    by,
                    white_ms,
                    black_ms,
                } => events.push(BoardEvent {
                    at: act.at,
                    report: Report::Press {
                        by,
                        white_ms: Some(white_ms),
                        black_ms: Some(black_ms),
                    },
                }),
                Deed::Adjust { by } => events.push(BoardEvent {
                    at: act.at,
                    report: Report::Adjust { by },
                }),
            }
        }
        let snapshots = std::mem::take(&mut self.snapshots).taken;
        events.extend(self.scan.reports(self.class.reads(start), edges, snapshots));
        // Changes of a moment come before a press of the same moment, a snapshot after it.
        events.sort_by_key(|e| match e.report {
            Report::Changes(_) => (e.at, 0),
            Report::Snapshot(_) => (e.at, 2),
            _ => (e.at, 1),
        });
        events
    }

    fn contact<'a>(
        &self,
        at: Time,
        square: Square,
        piece: Piece,
        following: Following<'a>,
    ) -> Contact<'a> {
        Contact {
            us: at.0 * 1_000,
            square,
            seen: self.class.sees(Some(piece)),
            following,
        }
    }

    fn lift(&mut self, edges: &mut Vec<Edge>, contact: Contact<'_>) {
        if self.snapshots.are_to_tell(contact) {
            return;
        }
        let lost = self.lost(self.model.lost_lifts, self.model.cleared_us, contact);
        let late = if self.random.sometimes(self.model.linger) {
            self.random.span((5_000, 40_000))
        } else {
            0
        };
        self.bounce(edges, contact, lost + late, [Symbol::Empty, contact.seen]);
    }

    fn place(&mut self, edges: &mut Vec<Edge>, contact: Contact<'_>) {
        let Contact {
            us, square, seen, ..
        } = contact;
        if self.unseen.is_some_and(|(at, _)| at == square) {
            self.unseen = None;
            edges.push(Edge { us, square, seen });
            return;
        }
        if self.random.sometimes(self.model.untold) && self.snapshots.tell(contact) {
            return;
        }
        let lost = self.lost(self.model.lost_places, self.model.found_us, contact);
        let late = self.late[usize::from(square)];
        self.bounce(edges, contact, lost + late, [seen, Symbol::Empty]);
    }

    /// For how long a reading is lost, if it is.
    fn lost(&mut self, chance: u16, found_us: (u64, u64), contact: Contact<'_>) -> u64 {
        let lost = if self.random.chance(chance) {
            self.random.span(found_us)
        } else {
            0
        };
        if self.model.found_in_time {
            lost.min(contact.until().saturating_sub(contact.us) / 4 * 3)
        } else {
            lost
        }
    }

    /// A change of contact that is read `late`, bouncing between its new and its old reading; cut
    /// short by the next touch of the square.
    fn bounce(
        &mut self,
        edges: &mut Vec<Edge>,
        contact: Contact<'_>,
        late: u64,
        [new, old]: [Symbol; 2],
    ) {
        let us = contact.us + late;
        let mut bounces = vec![(us, new)];
        if self.random.chance(self.model.bounce) {
            let open = self.random.span((1_000, 15_000));
            let shut = self.random.span((1_000, 15_000));
            bounces.extend([(us + open, old), (us + open + shut, new)]);
        }
        let (square, until) = (contact.square, contact.until());
        for (us, seen) in bounces.into_iter().filter(|(us, _)| *us < until) {
            edges.push(Edge { us, square, seen });
        }
    }

    /// Whether nobody sees that a piece leaves its square before another stands there.
    fn is_unseen(&mut self, left: Act, following: Following<'_>) -> bool {
        following.exchanges(left) && self.random.sometimes(self.model.blind)
            || following.captures(left) && self.random.sometimes(self.model.overwritten)
    }

    /// A captured piece shows on an empty neighbour on its way off the board.
    fn sweep(&mut self, edges: &mut Vec<Edge>, victim: Contact<'_>, occupied: Bitboard) {
        if self.random.sometimes(self.model.swept) {
            let gone = victim.us + self.random.span(self.model.swept_us);
            self.show_beside(edges, victim, &free_beside(victim.square, occupied), gone);
        }
    }

    /// A passing piece shows on an empty neighbour for a moment.
    fn crosstalk(&mut self, edges: &mut Vec<Edge>, contact: Contact<'_>, occupied: Bitboard) {
        if !self.random.chance(self.model.crosstalk) {
            return;
        }
        let free = free_beside(contact.square, occupied);
        let gone = contact.us + self.random.span((8_000, 50_000));
        self.show_beside(edges, contact, &free, gone);
    }

    /// A piece shows on one of these squares until it is `gone`, where no hand comes before.
    fn show_beside(
        &mut self,
        edges: &mut Vec<Edge>,
        contact: Contact<'_>,
        free: &[Square],
        gone: u64,
    ) {
        let neighbour = self.random.pick(free);
        let Contact { us, seen, .. } = contact;
        if let Some(square) = neighbour.filter(|sq| contact.following.touch(*sq) > gone) {
            edges.push(Edge { us, square, seen });
            edges.push(Edge {
                us: gone,
                square,
                seen: Symbol::Empty,
            });
        }
    }
}

fn free_beside(square: Square, occupied: Bitboard) -> Vec<Square> {
    (attacks::king_attacks(square) & !occupied)
        .into_iter()
        .collect()
}

/// A piece comes to a square or leaves it.
#[derive(Clone, Copy)]
struct Contact<'a> {
    /// When, in microseconds.
    us: u64,
    square: Square,
    /// What the square reads with the piece on it.
    seen: Symbol,
    following: Following<'a>,
}

impl Contact<'_> {
    /// When the square is next touched.
    fn until(&self) -> u64 {
        self.following.touch(self.square)
    }
}

/// What happens after an act.
#[derive(Clone, Copy)]
struct Following<'a>(&'a [Act]);

impl Following<'_> {
    /// When `square` is next touched, in microseconds; far away when it is not within the next acts
    /// that matter.
    fn touch(self, square: Square) -> u64 {
        // No reading is later than two seconds and a bounce.
        let near = self.0.first().map_or(0, |next| next.at.0 + 4_000);
        let touches = |act: &&Act| act.square() == Some(square);
        self.0
            .iter()
            .take_while(|act| act.at.0 <= near)
            .find(touches)
            .map_or(u64::MAX, |act| act.at.0 * 1_000)
    }

    /// Whether `square` is touched before `us`.
    fn touches_before(self, square: Square, us: u64) -> bool {
        let before = self.0.iter().take_while(|act| act.at.0 * 1_000 <= us);
        before.into_iter().any(|act| act.square() == Some(square))
    }

    /// Whether another piece comes at once to the square that a piece just left.
    fn exchanges(self, left: Act) -> bool {
        let Deed::LiftPiece(square, victim) = left.deed else {
            return false;
        };
        let soon = self
            .0
            .iter()
            .take_while(|act| act.at.since(left.at) <= EXCHANGE);
        let mut here = soon.filter(|act| act.square() == Some(square));
        here.next()
            .is_some_and(|act| matches!(act.deed, Deed::PlacePiece(_, piece) if piece != victim))
    }

    /// Whether a piece of the other side soon comes to the square that a piece just left, and that
    /// piece goes nowhere else.
    fn captures(self, left: Act) -> bool {
        let Deed::LiftPiece(square, victim) = left.deed else {
            return false;
        };
        let near = |act: &&Act| act.at.since(left.at) <= CAPTURE;
        let mut soon = self.0.iter().take_while(near);
        let fate = soon.find_map(|act| match act.deed {
            Deed::PlacePiece(at, piece) if at == square => Some(piece.color != victim.color),
            Deed::PlacePiece(_, piece) if piece == victim => Some(false),
            Deed::LiftPiece(at, _) if at == square => Some(false),
            _ => None,
        });
        fate.unwrap_or(false)
    }
}

/// A board's reports as an event script: what the arbiter is told, with no line and no daemon
/// between.
pub fn script(setup: Setup, events: &[BoardEvent]) -> Vec<Event> {
    let first = Event {
        at: Time::ZERO,
        input: Input::Setup(setup.into()),
    };
    let told = events.iter().flat_map(|e| {
        e.inputs()
            .into_iter()
            .map(|input| Event { at: e.at, input })
    });
    std::iter::once(first).chain(told).collect()
}
