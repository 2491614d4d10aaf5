//! The act of moving, mate and the draws are the same in rapid and blitz, supervised or not: only
//! what an illegal move costs, until when it can be set right, and who calls a flag depend on the
//! class of play.

use arbiter_core::SensorClass;
use arbiter_core::input::TimeClass;
use tests::scenario::{self, Orientation, Scenario, Variant};

/// Articles whose scenarios hold in every class of play.
const EVERYWHERE: [&str; 9] = [
    "3.", "4.", "5.", "6.2.1", "6.2.2", "7.4.1", "8.7", "9.2", "9.6.",
];

#[test]
fn what_is_no_matter_of_penalties_holds_in_every_class_of_play() {
    let mut played = 0;
    for file in scenario::files(&scenario::directory()).unwrap() {
        let scenario = Scenario::load(&file).unwrap();
        if !EVERYWHERE
            .iter()
            .any(|article| scenario.article.starts_with(article))
        {
            continue;
        }
        let written = |v: &Variant| {
            v.orientation == Orientation::AsWritten
                && v.sensor == SensorClass::Piece
                && v.supervised
        };
        for variant in Variant::all(&scenario)
            .into_iter()
            .filter(|v| written(v) && v.class == TimeClass::Standard)
        {
            for class in [TimeClass::Rapid, TimeClass::Blitz] {
                for supervised in [true, false] {
                    let other = Variant {
                        class,
                        supervised,
                        ..variant
                    };
                    let told = scenario::check(&scenario, other);
                    assert!(told.is_ok(), "{}: {}", file.display(), told.unwrap_err());
                    played += 1;
                }
            }
        }
    }
    assert!(played > 4_000, "{played}");
}
