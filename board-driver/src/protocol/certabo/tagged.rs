//! Certabo boards: every piece has a tag, and the board says which tag it reads on which square.

use std::collections::VecDeque;
use std::time::Instant;

use arbiter_core::shakmaty::{Role, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::filter::{self, TagFilter};
use super::frame::{RANK_NUMBERS, TAG_NUMBERS};
use super::host::{Host, Sensing, announcement};
use super::tags::{self, Calibration, LEAST, SECOND_QUEENS, TagLearner};
use crate::fault::{Fault, FaultReason};
use crate::orientation::starting_position;
use crate::protocol::states::States;
use crate::protocol::{Learning, Outbox, Start};

/// Frames to wait for a starting position to be learned, before what stands there is told as it is.
const PATIENCE: usize = 3 * LEAST;

/// Said where the tags are not known.
const WANTED: &str = "the board does not know its pieces yet: \
                      set up the starting position and leave it for five seconds";

/// The host's end of a Certabo board's line.
pub(crate) type Certabo = Host<Tagged>;

/// What is known of the tags and of the pieces that carry them.
#[derive(Debug)]
pub(crate) struct Tagged {
    filter: TagFilter,
    learner: TagLearner,
    known: Calibration,
    /// The last frames, when they came, until they are judged.
    frames: VecDeque<(Instant, tags::Frame)>,
    /// Frames judged in this connection.
    waited: usize,
    /// That the pieces are unknown was said.
    asked: bool,
    /// Where second queens lie that are not in the game: bit 0 is a1.
    spare: u64,
}

impl Certabo {
    /// A host that knows what was learned of the board before. `other`: what is wrong where the
    /// frames are a Sentio board's.
    pub(crate) fn new(start: &Start, other: FaultReason) -> Certabo {
        let known = start.memory.as_deref().map(Calibration::parse).transpose();
        let known = known.unwrap_or_else(|error| {
            tracing::warn!(
                error,
                "the tags of the pieces cannot be read, and are learned anew"
            );
            None
        });
        let sensing = Tagged {
            filter: TagFilter::default(),
            learner: TagLearner::new(start.turned),
            known: known.unwrap_or_default(),
            frames: VecDeque::with_capacity(3),
            waited: 0,
            asked: false,
            spare: 0,
        };
        Host::with(sensing, start, other)
    }
}

impl Tagged {
    /// Judges a frame when the two after it have come: the board's clock, which is this program's,
    /// runs that much late.
    fn judge(
        &mut self,
        then: Instant,
        frames: filter::Frames<'_>,
        states: &mut States,
        out: &mut Outbox,
    ) {
        states.shows(then, out);
        states.greet(then, announcement(SensorClass::Piece), out);
        self.filter.look(frames, &self.known);
        self.learn(frames[0], states, out);
        self.waited += 1;
        let waits = self.known.count() == 0 && self.learner.is_learning() && self.waited < PATIENCE;
        if !waits {
            let reading = self.in_the_game(self.filter.reading(&self.known));
            states.state(then, reading, out);
        }
    }

    /// Learns what can be learned, and says what is missing.
    fn learn(&mut self, frame: &tags::Frame, states: &mut States, out: &mut Outbox) {
        if let Some(learned) = self.learner.look(frame, &self.known) {
            self.known = learned;
            self.asked = false;
            // The same pieces, by other names: nothing moved.
            states.forget();
            let words = format!(
                "the tags of {} pieces are known, from the starting position",
                self.known.count()
            );
            out.learning = Some(Learning::Done {
                memory: self.known.to_string(),
                words,
            });
        } else if self.known.count() == 0
            && !self.learner.is_learning()
            && !std::mem::replace(&mut self.asked, true)
        {
            out.learning = Some(Learning::Wanted(Fault::new("pieces-unknown", WANTED)));
        }
    }

    /// Second queens that lie beside the starting position are no part of it, until they are taken
    /// up.
    fn in_the_game(&mut self, mut reading: Reading) -> Reading {
        let queens = SECOND_QUEENS
            .map(|(square, color)| (self.learner.on_the_board(square), Role::Queen.of(color)));
        let mut without = reading;
        for (square, _) in queens {
            without.set(square, Symbol::Empty);
        }
        let is_start = self.learner.on_the_table(&without) == starting_position();
        for (square, queen) in queens {
            let lies_there = reading.at(square) == Symbol::Piece(queen);
            if lies_there && (is_start || self.is_spare(square)) {
                self.spare |= 1 << u32::from(square);
                reading.set(square, Symbol::Empty);
            } else {
                self.spare &= !(1 << u32::from(square));
            }
        }
        reading
    }

    fn is_spare(&self, square: Square) -> bool {
        self.spare >> u32::from(square) & 1 != 0
    }
}

impl Sensing for Tagged {
    type Frame = tags::Frame;

    const NUMBERS: usize = TAG_NUMBERS;

    const SURE: u8 = 1;

    fn read(numbers: &[u16]) -> Option<tags::Frame> {
        tags::read(numbers)
    }

    fn others(before: u8, count: Option<usize>) -> u8 {
        if count == Some(RANK_NUMBERS) {
            before.saturating_add(1)
        } else {
            0
        }
    }

    fn open(&mut self) {
        self.filter = TagFilter::default();
        self.learner.forget();
        self.frames.clear();
        (self.waited, self.spare, self.asked) = (0, 0, false);
    }

    fn take(&mut self, now: Instant, frame: tags::Frame, states: &mut States, out: &mut Outbox) {
        states.whole(now);
        self.frames.push_back((now, frame));
        if let [(then, frame), (_, second), (_, third)] = self.frames.make_contiguous()[..] {
            self.frames.pop_front();
            self.judge(then, [&frame, &second, &third], states, out);
        }
    }
}
