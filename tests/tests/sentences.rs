//! What the sentences of every scenario say, and do not say.

use arbiter_core::ruling::{Announcement, Ruling};
use daemon::mating::Follower;
use tests::scenario::{self, Orientation, Scenario, Variant};

/// How a sentence sounds that has no square to name.
const VAGUE: [&str; 6] = [
    "Look at :",
    "(the board)",
    "touched the board",
    "Look at the board",
    "()",
    "[]",
];

/// Every sentence about a breach or a doubt in a scenario.
fn sentences(scenario: &Scenario, variant: Variant) -> Vec<String> {
    let (mut follower, mut said) = (Follower::new(), Vec::<Announcement>::new());
    for event in scenario::script(scenario, variant).unwrap() {
        let _told_as_rulings = follower.handle(&event, &mut said);
    }
    let mut texts = Vec::new();
    for announcement in said {
        match announcement.ruling {
            Ruling::Irregularity(found) => texts.push(found.text),
            Ruling::Doubt(doubt) => texts.push(doubt.text),
            _ => {}
        }
    }
    texts
}

#[test]
fn squares_are_named_where_something_is_to_be_looked_at() {
    let mut looked_at = 0;
    for file in scenario::files(&scenario::directory()).unwrap() {
        let scenario = Scenario::load(&file).unwrap();
        for variant in Variant::all(&scenario) {
            if variant.orientation != Orientation::AsWritten {
                continue;
            }
            for text in sentences(&scenario, variant) {
                looked_at += 1;
                for vague in VAGUE {
                    let place = file.display();
                    assert!(!text.contains(vague), "{place} [{variant}]: {text}");
                }
            }
        }
    }
    assert!(looked_at > 1_000, "{looked_at}");
}
