//! The board that a configuration describes: what it says of itself, and how it filters.

use board_wire::device::Identity;
use board_wire::{Capabilities, Sensor};
use firmware::board::Settings;

use crate::config::{Config, Sensors};

/// What the board says of itself.
pub fn identity(config: &Config, boot: u16, sensor: Sensor) -> Identity {
    let [white, black, white_adjust, black_adjust] =
        config.controls.as_ref().map_or([false; 4], |controls| {
            controls.lines().map(|line| line.is_some())
        });
    let capabilities = Capabilities::default()
        .with(Capabilities::CLOCK, white && black)
        .with(Capabilities::ADJUST, white_adjust && black_adjust)
        .with(Capabilities::LAMPS, config.lamps.is_some())
        .with(
            Capabilities::LEVELS,
            matches!(config.sensors, Sensors::Hall(_)),
        );
    Identity {
        boot,
        serial: config.serial_number,
        sensor,
        capabilities,
        pace: 1000,
        firmware: concat!("sensor-board ", env!("CARGO_PKG_VERSION")),
    }
}

/// How the board filters what it reads.
pub fn settings(config: &Config) -> Settings {
    let rate = config.rate.hertz();
    Settings {
        depth: config.debounce,
        chatter_window: rate,
        late_after_ms: (10_000 / u32::from(rate)).max(10),
        ..Settings::default()
    }
}
