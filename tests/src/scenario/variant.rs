//! One scenario is many tests: editions, classes of play, sensor classes, clock or none, and the
//! mirror images.

use std::fmt;

use arbiter_core::SensorClass;
use arbiter_core::input::{Edition, TimeClass};

use super::condition::year_of;
use super::file::Scenario;
use super::orient::Orientation;

/// One way to run a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The edition of the Laws.
    pub laws: Edition,
    /// The class of play.
    pub class: TimeClass,
    /// Whether play is adequately supervised.
    pub supervised: bool,
    /// What the board's sensors see.
    pub sensor: SensorClass,
    /// Whether a clock is connected.
    pub clock: bool,
    /// As written, or a mirror image of it.
    pub orientation: Orientation,
}

impl Variant {
    /// Standard play with a clock under the newest edition.
    pub fn of_today(sensor: SensorClass, orientation: Orientation) -> Variant {
        let (laws, class) = (Edition::default(), TimeClass::Standard);
        Variant {
            laws,
            class,
            supervised: true,
            sensor,
            clock: true,
            orientation,
        }
    }

    /// Every variant of `scenario`.
    pub fn all(scenario: &Scenario) -> Vec<Variant> {
        let mut orientations = vec![Orientation::AsWritten, Orientation::Reversed];
        if scenario.mirror && !scenario.involves_castling() {
            orientations.push(Orientation::Mirrored);
        }
        let mut all = Vec::new();
        for laws in scenario.laws.editions() {
            for (class, supervised) in scenario.manners() {
                for sensor in &scenario.sensor {
                    for clock in scenario.clock.each() {
                        all.extend(orientations.iter().map(|orientation| Variant {
                            laws,
                            class,
                            supervised,
                            clock,
                            ..Variant::of_today(*sensor, *orientation)
                        }));
                    }
                }
            }
        }
        all
    }
}

/// The name of a sensor class in scenarios.
pub(crate) fn sensor_name(sensor: SensorClass) -> &'static str {
    match sensor {
        SensorClass::Occupancy => "occupancy",
        SensorClass::Colour => "colour",
        SensorClass::Piece => "piece",
    }
}

/// The name of a class of play in scenarios.
pub(crate) fn class_name(class: TimeClass) -> &'static str {
    match class {
        TimeClass::Standard => "standard",
        TimeClass::Rapid => "rapid",
        TimeClass::Blitz => "blitz",
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&year_of(self.laws))?;
        if self.class != TimeClass::Standard {
            write!(f, ", {}", class_name(self.class))?;
        }
        if !self.supervised {
            f.write_str(", unsupervised")?;
        }
        write!(f, ", {}", sensor_name(self.sensor))?;
        if !self.clock {
            f.write_str(", clockless")?;
        }
        match self.orientation {
            Orientation::AsWritten => Ok(()),
            Orientation::Reversed => f.write_str(", reversed"),
            Orientation::Mirrored => f.write_str(", mirrored"),
        }
    }
}
