//! `tests/scenarios/cases.toml` lists situations that somebody had to decide, with the editions,
//! classes of play and sensors the rulings are for. Each must be decided by scenarios, in every one
//! of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tests::scenario::{self, Laws, OneOrMore, Scenario, Variant};

use arbiter_core::SensorClass;
use arbiter_core::input::TimeClass;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    laws: Laws,
    class: Option<OneOrMore<TimeClass>>,
    #[serde(default = "yes")]
    supervised: bool,
    /// `OCP`: occupancy, colour, piece.
    sensors: String,
}

fn yes() -> bool {
    true
}

impl Case {
    fn sensors(&self) -> Vec<SensorClass> {
        let sensor = |letter| match letter {
            'O' => SensorClass::Occupancy,
            'C' => SensorClass::Colour,
            'P' => SensorClass::Piece,
            _ => panic!("`{letter}` is no sensor (O, C, P)"),
        };
        self.sensors.chars().map(sensor).collect()
    }

    /// What must be decided: edition, class of play, supervision and sensor, in words.
    fn wanted(&self) -> BTreeSet<String> {
        let classes = self
            .class
            .as_ref()
            .map_or(vec![TimeClass::Standard], OneOrMore::each);
        let mut wanted = BTreeSet::new();
        for laws in self.laws.editions() {
            for class in &classes {
                for sensor in self.sensors() {
                    let supervised = self.supervised;
                    let variant = Variant::of_today(sensor, scenario::Orientation::AsWritten);
                    wanted.insert(
                        Variant {
                            laws,
                            class: *class,
                            supervised,
                            ..variant
                        }
                        .to_string(),
                    );
                }
            }
        }
        wanted
    }
}

#[test]
fn every_case_is_decided_in_all_it_names() {
    let text = std::fs::read_to_string(scenario::directory().join("cases.toml")).unwrap();
    let cases: BTreeMap<String, Case> = toml::from_str(&text).unwrap();
    assert_eq!(cases.len(), 130);
    let mut open: BTreeMap<&str, BTreeSet<String>> = cases
        .iter()
        .map(|(name, c)| (name.as_str(), c.wanted()))
        .collect();
    for file in scenario::files(&scenario::directory()).unwrap() {
        let scenario = Scenario::load(&file).unwrap();
        // A case that is decided with and without a clock is decided; a mirror image decides
        // nothing new.
        let played: BTreeSet<String> = Variant::all(&scenario)
            .into_iter()
            .map(|v| Variant { clock: true, ..v }.to_string())
            .collect();
        for name in scenario.case.each() {
            let rest = open
                .get_mut(name.as_str())
                .unwrap_or_else(|| panic!("{}: no case {name}", file.display()));
            rest.retain(|variant| !played.contains(variant));
        }
    }
    open.retain(|_, rest| !rest.is_empty());
    assert!(open.is_empty(), "not decided: {open:#?}");
}
