//! The arbiter's words in the wire's: what a simulated native board says.

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol};
use board_wire as wire;

use crate::condition::Condition;

fn square(square: Square) -> wire::Square {
    wire::Square::new(u8::from(square)).unwrap_or_default()
}

fn symbol(symbol: Symbol) -> wire::Symbol {
    u8::try_from(symbol.char())
        .ok()
        .and_then(wire::Symbol::from_byte)
        .unwrap_or_default()
}

pub(super) fn changes(changes: &[(Square, Symbol)]) -> Vec<(wire::Square, wire::Symbol)> {
    changes
        .iter()
        .map(|(sq, seen)| (square(*sq), symbol(*seen)))
        .collect()
}

pub(super) fn reading(reading: &Reading) -> [wire::Symbol; 64] {
    Square::ALL.map(|sq| symbol(reading.at(sq)))
}

pub(super) fn side(colour: Color) -> wire::Side {
    colour.fold_wb(wire::Side::White, wire::Side::Black)
}

pub(super) fn sensor(class: SensorClass) -> wire::Sensor {
    match class {
        SensorClass::Occupancy => wire::Sensor::Occupancy,
        SensorClass::Colour => wire::Sensor::Colour,
        SensorClass::Piece => wire::Sensor::Piece,
    }
}

pub(super) fn health(condition: &Condition) -> wire::Health {
    let Condition {
        stuck,
        unsteady,
        failed_scans,
        trouble,
    } = *condition;
    wire::Health {
        stuck: stuck.0,
        unsteady: unsteady.0,
        failed_scans,
        trouble,
    }
}
