//! What a simulated native board has for the bench: lines that may be exchanged and a map that
//! mends them, a boot loader, a test of its parts.

use board_wire::device::Device;
use board_wire::{Job, SquareMap, Store, Symbol, ToBoard, Workshop};

use super::config::Fittings;

/// The board at the bench.
#[derive(Debug)]
pub(super) struct Bench {
    fittings: Fittings,
    workshop: Workshop,
    map: SquareMap,
    /// Counts what is asked, so that no two numbers of chance are alike.
    asked: u32,
    in_loader: bool,
}

impl Bench {
    pub(super) fn new(fittings: Fittings) -> Bench {
        Bench {
            fittings,
            workshop: Workshop::default(),
            map: SquareMap::IDENTITY,
            asked: 0x5eed,
            in_loader: false,
        }
    }

    pub(super) fn is_in_loader(&self) -> bool {
        self.in_loader
    }

    /// It starts anew with this firmware, and has kept its map.
    pub(super) fn flash(&mut self, firmware: &'static str) {
        self.fittings.firmware = firmware;
        (self.workshop, self.in_loader) = (Workshop::default(), false);
    }

    /// For each square, the one that the board takes it for.
    pub(super) fn seen_as(&self) -> SquareMap {
        self.fittings.wiring.inverse().then(&self.map)
    }

    /// The board has obeyed this.
    pub(super) fn hear<S: Store>(&mut self, ms: u32, order: ToBoard, device: &mut Device<S>) {
        self.asked = self.asked.wrapping_mul(0x9e37_79b9).wrapping_add(1);
        match self.workshop.hear(ms, order, self.asked) {
            Some(Job::StartLoader) => self.in_loader = true,
            Some(Job::TakeMap(map)) => {
                let moved = self.map.inverse().then(&map);
                self.map = map;
                device.scan(ms, &moved_by(&moved, device.squares()));
            }
            Some(Job::Test) => self.workshop.report(&self.fittings.tested),
            None => {}
        }
    }

    /// Says what is asked for, as there is room.
    pub(super) fn tell<S: Store>(&mut self, device: &mut Device<S>) {
        self.workshop.tell(&self.map, |aside| device.say(aside));
    }
}

/// What is read after every square was moved so.
pub(super) fn moved_by(map: &SquareMap, squares: &[Symbol; 64]) -> [Symbol; 64] {
    map.inverse()
        .squares()
        .map(|from| squares[usize::from(from)])
}
