//! What a board that was started anew has seen before anybody heard of it.
//!
//! It may be the game that was being followed; it may be what others have played on the board
//! since. The game goes on from where it stood: what counts begins where the board last came to
//! read what it read when it was heard last, or, where it never did, with the picture of all
//! squares that was asked for. A run of a few seconds is a restart in mid-game: nobody plays and
//! sets the pieces up again in it, and all of it counts.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, SensorClass, Symbol};
use board_wire::Hello;

use crate::event::{BoardEvent, Report};
use crate::protocol::Delivery;

/// A run that began less than this before its hello, in milliseconds of the world, is a restart in
/// mid-game: a host asks a board that has gone silent after 1.5 s.
const RESTART: u64 = 5_000;

/// The evidence of a new run up to its hello.
#[derive(Debug)]
pub(super) struct Past {
    /// The first evidence that is not of the past.
    end: u32,
    /// The board's clock at its hello.
    said: u32,
    /// How long [`RESTART`] is by that clock.
    restart: u64,
    /// Whether the run is no longer than that, once its first evidence is here.
    is_restart: Option<bool>,
    /// What the board read when it was heard last.
    known: Reading,
    /// What it has come to read.
    reads: Option<Reading>,
    /// What came before the first picture of a restart, such as a press that the run before had not
    /// told any more.
    before: Vec<Delivery>,
    /// What counts, once it is known where that begins.
    counts: Option<Vec<Delivery>>,
    /// Reports of which nobody can say to which game they belong.
    left_out: u32,
}

impl Past {
    pub(super) fn new(hello: &Hello, known: Reading) -> Past {
        // A clock that jumps is told as one that stands still.
        let pace = u64::from(hello.pace.max(1_000));
        Past {
            end: hello.next,
            said: hello.ms,
            restart: RESTART * pace / 1_000,
            is_restart: None,
            known,
            reads: None,
            before: Vec::new(),
            counts: None,
            left_out: 0,
        }
    }

    /// What the board read when it was heard last.
    pub(super) fn known(&self) -> Reading {
        self.known
    }

    /// Takes what is next; `asked_for`: it is the picture that was asked for.
    pub(super) fn take(&mut self, delivery: Delivery, asked_for: bool) {
        let stood = self.stands();
        let age = self.said.wrapping_sub(delivery.event.at.0 as u32);
        let is_restart = *self
            .is_restart
            .get_or_insert(u64::from(age) <= self.restart);
        delivery.event.report.apply_to(&mut self.reads);
        if is_restart && self.reads.is_none() {
            self.before.push(delivery);
            return;
        }
        let begins = match is_restart {
            true => self.counts.is_none(),
            false => self.stands() && !stood,
        };
        if begins {
            self.counts = Some(std::mem::take(&mut self.before));
        } else if asked_for && self.counts.is_none() {
            let (at, count) = (delivery.event.at, self.left_out);
            let lost = (count > 0).then_some(Delivery {
                event: BoardEvent {
                    at,
                    report: Report::Lost { count },
                },
                mark: None,
            });
            self.counts = Some(lost.into_iter().collect());
        }
        match &mut self.counts {
            Some(counts) => counts.push(delivery),
            None => self.left_out += 1,
        }
    }

    /// Evidence is missing here for good: what was read before it says nothing of what follows.
    pub(super) fn break_off(&mut self) {
        (self.reads, self.counts) = (None, None);
        self.is_restart = Some(false);
    }

    /// Whether all of it is known, where `next` is the evidence that is expected.
    pub(super) fn is_over(&self, next: u32) -> bool {
        self.counts.is_some() && !super::run::is_behind(next.wrapping_sub(self.end))
    }

    /// What counts.
    pub(super) fn into_counts(self) -> Vec<Delivery> {
        self.counts.unwrap_or_default()
    }

    fn stands(&self) -> bool {
        self.reads.is_some_and(|reads| is_like(&self.known, &reads))
    }
}

/// Whether a board reads what is known. That may be known in less detail.
fn is_like(known: &Reading, reads: &Reading) -> bool {
    Square::ALL.into_iter().all(|square| {
        let (known, reads) = (known.at(square), reads.at(square));
        known
            == match known {
                Symbol::Something => reads.coarsened(SensorClass::Occupancy),
                Symbol::Colour(_) => reads.coarsened(SensorClass::Colour),
                Symbol::Empty | Symbol::Piece(_) => reads,
            }
    })
}
