//! The wire's words in the arbiter's.

use arbiter_core::shakmaty::{Bitboard, Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol};
use board_wire as wire;

use crate::condition::Condition;
use crate::event::BoardInfo;

/// Between two scans of a board that says no more than that it is slow. None is known to be slower.
const SLOWEST_SCAN_MS: u32 = 250;

pub(crate) fn square(square: wire::Square) -> Square {
    Square::ALL[usize::from(square.index())]
}

pub(crate) fn symbol(symbol: wire::Symbol) -> Symbol {
    Symbol::from_char(char::from(symbol.byte())).unwrap_or_default()
}

pub(crate) fn changes(changes: &wire::Changes) -> impl Iterator<Item = (Square, Symbol)> + '_ {
    changes
        .as_slice()
        .iter()
        .map(|(sq, seen)| (square(*sq), symbol(*seen)))
}

pub(crate) fn reading(squares: &[wire::Symbol; 64]) -> Reading {
    let mut reading = Reading::EMPTY;
    for (sq, seen) in Square::ALL.into_iter().zip(squares) {
        reading.set(sq, symbol(*seen));
    }
    reading
}

pub(crate) fn colour(side: wire::Side) -> Color {
    match side {
        wire::Side::White => Color::White,
        wire::Side::Black => Color::Black,
    }
}

fn sensor(sensor: wire::Sensor) -> SensorClass {
    match sensor {
        wire::Sensor::Occupancy => SensorClass::Occupancy,
        wire::Sensor::Colour => SensorClass::Colour,
        wire::Sensor::Piece => SensorClass::Piece,
    }
}

pub(crate) fn condition(health: &wire::Health) -> Condition {
    let wire::Health {
        stuck,
        unsteady,
        failed_scans,
        trouble,
    } = *health;
    Condition {
        stuck: Bitboard(stuck),
        unsteady: Bitboard(unsteady),
        failed_scans,
        trouble,
    }
}

pub(crate) fn info(hello: &wire::Hello) -> BoardInfo {
    use wire::Capabilities;
    let polled = hello.capabilities.has(Capabilities::POLLED);
    BoardInfo {
        serial: hello.serial.as_str().to_owned(),
        sensor: sensor(hello.sensor),
        clock: hello.capabilities.has(Capabilities::CLOCK),
        polled,
        scan_ms: if polled { SLOWEST_SCAN_MS } else { 0 },
        lamps: hello.capabilities.has(Capabilities::LAMPS),
        adjust: hello.capabilities.has(Capabilities::ADJUST),
        levels: hello.capabilities.has(Capabilities::LEVELS),
        map: hello.capabilities.has(Capabilities::MAP),
        self_test: hello.capabilities.has(Capabilities::SELF_TEST),
        pace: hello.pace as f32 / 1000.0,
        boot: hello.boot,
    }
}
