//! Conformance: whether a device speaks the native protocol as `docs/wire.md` says, found by
//! talking to it. For makers of boards: the other end of the line is tried as a host would try it
//! on a bad day.
//!
//! Nobody has to touch the board: what is asked for is its own word, snapshots, repetitions, signs
//! of life. What its sensors read is for `arbiterd doctor`.

mod trials;

use std::fmt;

use crate::talk::Talk;
use crate::transport::Line;
use trials::Trials;

/// What came of one trial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// What a board has to do.
    pub trial: &'static str,
    /// The section of `docs/wire.md` that says so.
    pub section: &'static str,
    /// Whether it did.
    pub outcome: Outcome,
}

/// Whether a board did what it has to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It did; what was seen.
    Passed(String),
    /// It did not; what was seen, and what should have been.
    Failed(String),
    /// It could not be tried; why.
    Untried(String),
}

impl Outcome {
    /// Its name in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Passed(_) => "passed",
            Outcome::Failed(_) => "failed",
            Outcome::Untried(_) => "untried",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Outcome::Passed(seen) | Outcome::Failed(seen) | Outcome::Untried(seen)) = self;
        f.write_str(seen)
    }
}

/// Tries the board on `line`; `tell` hears each verdict as it is reached. A board that does not say
/// what it is cannot be tried further. Takes some twenty seconds.
pub async fn examine(line: Box<dyn Line>, mut tell: impl FnMut(Verdict)) {
    let mut trials = Trials::new(Talk::new(line));
    macro_rules! try_all {
        ($($section:literal $trial:literal $does:ident),* $(,)?) => {$(
            let outcome = trials.$does().await;
            let verdict = Verdict { trial: $trial, section: $section, outcome };
            tell(verdict);
            if trials.is_over() {
                return;
            }
        )*};
    }
    try_all!(
        "4" "is silent until it is spoken to" silence,
        "3.1" "says what it is, and what question that answers" hello,
        "4" "answers the last of several questions" last_question,
        "3.4" "gives out a snapshot when it is asked for one" snapshot,
        "5" "gives signs of life in time" heartbeats,
        "2" "drops what is damaged, and counts it" damage,
        "2" "passes over kinds that it does not know" unknown_kind,
        "4" "sends evidence again, byte for byte" repetition,
        "4" "keeps two kilobytes of evidence, or says what has gone" memory,
        "4" "does nothing where evidence is asked for that was never given out" the_future,
        "3.4" "takes acknowledgements, also those of another run" acknowledgement,
        "3.4" "lights its lamps, or does nothing without them" lamps,
        "3.4" "tells its levels, or nothing without analogue sensors" levels,
        "3.4" "says what its firmware calls itself, or nothing" firmware,
        "3.5" "does not start its boot loader for a stray frame" loader,
        "3.5" "tells the map of its squares, or nothing" map,
        "3.5" "tells what it finds out about its own parts, or nothing" self_test,
        "3" "has a clock that runs as fast as it says" clock,
    );
}
