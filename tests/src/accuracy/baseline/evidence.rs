//! What a board reports, without bounces: what every simple reader does first.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Event, Input, Symbol, Time};

/// How long a contact must last to count, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    lift: u64,
    place: u64,
}

impl Hold {
    /// Longer than contacts bounce.
    pub(super) const SHORT: Hold = Hold {
        lift: 60,
        place: 60,
    };
    /// Longer than most pieces stand on a square that they slide over.
    pub(super) const LONG: Hold = Hold {
        lift: 60,
        place: 250,
    };

    fn of(self, seen: Symbol) -> u64 {
        if seen == Symbol::Empty {
            self.lift
        } else {
            self.place
        }
    }
}

/// After so much stillness a board is at rest, in milliseconds: where a press tells that a move was
/// made, and where only the rest does.
const REST: [u64; 2] = [300, 1_000];

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Step {
    /// A square shows something else.
    Change(Square, Symbol),
    /// The clock was pressed.
    Press,
    /// Nothing happens for a while.
    Rest,
}

/// Everything that lasted, in order of time.
pub(super) fn settled(script: &[Event], hold: Hold) -> Vec<Step> {
    let mut waiting: [Option<(Time, Symbol)>; 64] = [None; 64];
    let mut steps: Vec<(Time, Step)> = Vec::with_capacity(script.len());
    for event in script {
        let (square, seen) = match &event.input {
            Input::Lift { square } => (*square, Symbol::Empty),
            Input::Place { square, seen } => (*square, *seen),
            Input::Press { .. } => {
                steps.push((event.at, Step::Press));
                continue;
            }
            _ => continue,
        };
        let before = waiting[usize::from(square)].replace((event.at, seen));
        let lasted = before.filter(|(at, seen)| event.at.since(*at) >= hold.of(*seen));
        steps.extend(lasted.map(|(at, seen)| (at, Step::Change(square, seen))));
    }
    let last = (0..)
        .zip(waiting)
        .filter_map(|(n, seen)| Some((Square::new(n), seen?)));
    steps.extend(last.map(|(square, (at, seen))| (at, Step::Change(square, seen))));
    steps.sort_by_key(|(at, step)| (*at, *step == Step::Press));
    let clock = steps.iter().any(|(_, step)| *step == Step::Press);
    with_rests(&steps, REST[usize::from(!clock)])
}

fn with_rests(steps: &[(Time, Step)], rest: u64) -> Vec<Step> {
    let mut all = Vec::with_capacity(steps.len() * 2);
    for (i, (at, step)) in steps.iter().enumerate() {
        all.push(*step);
        let next = steps.get(i + 1).map(|(next, _)| next.since(*at));
        if next.is_none_or(|ms| ms >= rest) {
            all.push(Step::Rest);
        }
    }
    all
}
