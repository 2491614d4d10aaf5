//! Simulated sensors: turns what happened on a board into what the board would have reported.
//! Seeded.
//!
//! Squares are scanned row after row, so that reports are late by up to two scans and changes of
//! one scan have no order. Contacts bounce, weak magnets are read late, neighbours show a passing
//! piece for a moment, a piece that left is read a little longer, an exchange goes by unseen, and
//! now and then a reading is lost until the square is read again.

mod defects;
mod model;
mod scan;

use arbiter_core::shakmaty::{Bitboard, Board, Square, attacks};
use arbiter_core::{Event, Input, SensorClass, Setup, Symbol, Time};

use crate::event::{BoardEvent, Report};
use crate::hand::{Act, Deed};
use crate::random::Random;
pub use defects::Defects;
pub use model::{LEVELS, Model};
use scan::{Edge, Scan};

/// A simulated board's sensors.
#[derive(Debug)]
pub struct Sensors {
    class: SensorClass,
    model: Model,
    random: Random,
    scan: Scan,
    /// How late a piece set on each square is read, in microseconds.
    late: [u64; 64],
    /// A square that changes pieces without ever reading empty.
    unseen: Option<Square>,
}

impl Sensors {
    /// Sensors of `class` with noise of a level, as [`Model::level`] has them.
    pub fn new(class: SensorClass, level: u8, seed: u64) -> Sensors {
        Sensors::with(class, Model::level(level), seed)
    }

    /// Sensors of `class` that misbehave as `model` says.
    pub fn with(class: SensorClass, model: Model, seed: u64) -> Sensors {
        let mut random = Random::new(seed, 3);
        let scan = Scan::new(random.span(model.period_us), &mut random);
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
        }
    }

    /// What the board reports while `acts` happen on it, beginning with `start` on the board and
    /// already reported.
    pub fn read(&mut self, start: &Board, acts: &[Act]) -> Vec<BoardEvent> {
        let mut board = start.clone();
        let mut edges = Vec::with_capacity(acts.len() * 2);
        let mut events = Vec::with_capacity(acts.len() * 2);
        for (i, act) in acts.iter().enumerate() {
            let following = Following(&acts[i + 1..]);
            let us = act.at.0 * 1_000;
            match act.deed {
                Deed::LiftPiece(square, _)
                    if following.exchanges(*act) && self.random.sometimes(self.model.blind) =>
                {
                    self.unseen = Some(square);
                    board.discard_piece_at(square);
                }
                Deed::LiftPiece(square, piece) => {
                    self.lift(
                        &mut edges,
                        us,
                        square,
                        self.class.sees(Some(piece)),
                        following,
                    );
                    board.discard_piece_at(square);
                    self.crosstalk(
                        &mut edges,
                        us,
                        square,
                        self.class.sees(Some(piece)),
                        board.occupied(),
                        following,
                    );
                }
                Deed::PlacePiece(square, piece) => {
                    self.place(
                        &mut edges,
                        us,
                        square,
                        self.class.sees(Some(piece)),
                        following,
                    );
                    board.set_piece_at(square, piece);
                    self.crosstalk(
                        &mut edges,
                        us,
                        square,
                        self.class.sees(Some(piece)),
                        board.occupied(),
                        following,
                    );
                }
                Deed::Press {
                    by,
                    white_ms,
                    black_ms,
                } => {
                    let report = Report::Press {
                        by,
                        white_ms: Some(white_ms),
                        black_ms: Some(black_ms),
                    };
                    events.push(BoardEvent { at: act.at, report });
                }
                Deed::Adjust { by } => events.push(BoardEvent {
                    at: act.at,
                    report: Report::Adjust { by },
                }),
            }
        }
        events.extend(self.scan.reports(self.class.reads(start), edges));
        // Changes of a moment come before a press of the same moment.
        events.sort_by_key(|e| (e.at, !matches!(e.report, Report::Changes(_))));
        events
    }

    fn lift(
        &mut self,
        edges: &mut Vec<Edge>,
        us: u64,
        square: Square,
        was: Symbol,
        following: Following<'_>,
    ) {
        let lost = self.lost(
            self.model.lost_lifts,
            self.model.cleared_us,
            us,
            following.touch(square),
        );
        let late = if self.random.sometimes(self.model.linger) {
            self.random.span((5_000, 40_000))
        } else {
            0
        };
        self.contact(
            edges,
            us + lost + late,
            square,
            [Symbol::Empty, was],
            following.touch(square),
        );
    }

    fn place(
        &mut self,
        edges: &mut Vec<Edge>,
        us: u64,
        square: Square,
        seen: Symbol,
        following: Following<'_>,
    ) {
        if self.unseen == Some(square) {
            self.unseen = None;
            edges.push(Edge { us, square, seen });
            return;
        }
        let lost = self.lost(
            self.model.lost_places,
            self.model.found_us,
            us,
            following.touch(square),
        );
        let late = self.late[usize::from(square)];
        self.contact(
            edges,
            us + lost + late,
            square,
            [seen, Symbol::Empty],
            following.touch(square),
        );
    }

    /// For how long a reading that began at `us` is lost, if it is. `until`: when the square is
    /// next touched.
    fn lost(&mut self, chance: u16, found_us: (u64, u64), us: u64, until: u64) -> u64 {
        let lost = if self.random.chance(chance) {
            self.random.span(found_us)
        } else {
            0
        };
        if self.model.found_in_time {
            lost.min(until.saturating_sub(us) / 4 * 3)
        } else {
            lost
        }
    }

    /// A change of contact, bouncing between its new and its old reading; cut short by the next
    /// touch of the square.
    fn contact(
        &mut self,
        edges: &mut Vec<Edge>,
        us: u64,
        square: Square,
        [new, old]: [Symbol; 2],
        until: u64,
    ) {
        let mut edge = |us: u64, seen: Symbol| {
            if us < until {
                edges.push(Edge { us, square, seen });
            }
        };
        edge(us, new);
        if self.random.chance(self.model.bounce) {
            let open = self.random.span((1_000, 15_000));
            let shut = self.random.span((1_000, 15_000));
            edge(us + open, old);
            edge(us + open + shut, new);
        }
    }

    /// A passing piece shows on an empty neighbour for a moment.
    fn crosstalk(
        &mut self,
        edges: &mut Vec<Edge>,
        us: u64,
        square: Square,
        seen: Symbol,
        occupied: Bitboard,
        following: Following<'_>,
    ) {
        if !self.random.chance(self.model.crosstalk) {
            return;
        }
        let free: Vec<Square> = (attacks::king_attacks(square) & !occupied)
            .into_iter()
            .collect();
        let gone = us + self.random.span((8_000, 50_000));
        if let Some(square) = self
            .random
            .pick(&free)
            .filter(|sq| following.touch(*sq) > gone)
        {
            edges.push(Edge { us, square, seen });
            edges.push(Edge {
                us: gone,
                square,
                seen: Symbol::Empty,
            });
        }
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

    /// Whether another piece comes to the square that a piece just left, within 150 ms.
    fn exchanges(self, left: Act) -> bool {
        let Deed::LiftPiece(square, victim) = left.deed else {
            return false;
        };
        let soon = self.0.iter().take_while(|act| act.at.since(left.at) <= 150);
        let mut here = soon.filter(|act| act.square() == Some(square));
        here.next()
            .is_some_and(|act| matches!(act.deed, Deed::PlacePiece(_, piece) if piece != victim))
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
