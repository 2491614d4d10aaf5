//! One scenario is many tests: sensor classes, clock or none, and the mirror images.

use std::fmt;

use arbiter_core::SensorClass;

use super::file::Scenario;
use super::orient::Orientation;

/// One way to run a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// What the board's sensors see.
    pub sensor: SensorClass,
    /// Whether a clock is connected.
    pub clock: bool,
    /// As written, or a mirror image of it.
    pub orientation: Orientation,
}

impl Variant {
    /// Every variant of `scenario`.
    pub fn all(scenario: &Scenario) -> Vec<Variant> {
        let mut orientations = vec![Orientation::AsWritten, Orientation::Reversed];
        if scenario.mirror && !scenario.involves_castling() {
            orientations.push(Orientation::Mirrored);
        }
        let mut all = Vec::new();
        for sensor in &scenario.sensor {
            for clock in scenario.clock.answers() {
                all.extend(orientations.iter().map(|o| Variant { sensor: *sensor, clock, orientation: *o }));
            }
        }
        all
    }

    /// Whether a condition word of `[end.WORD]` or `[WORD]` holds.
    pub fn is(self, word: &str) -> bool {
        match word {
            "clock" => self.clock,
            "clockless" => !self.clock,
            sensor => sensor == sensor_name(self.sensor),
        }
    }
}

fn sensor_name(sensor: SensorClass) -> &'static str {
    match sensor {
        SensorClass::Occupancy => "occupancy",
        SensorClass::Colour => "colour",
        SensorClass::Piece => "piece",
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(sensor_name(self.sensor))?;
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
