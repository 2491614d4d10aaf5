//! What is to be known of a board by DGT.

use arbiter_core::SensorClass;

use crate::event::BoardInfo;
use crate::protocol::HostClock;

/// A whole scan of the squares takes 200 to 250 ms.
pub const SCAN_MS: u32 = 250;

/// A board that tells its pieces apart, and nothing besides but what its clock shows.
pub(super) fn info(serial: String, has_clock: bool, clock: &HostClock) -> BoardInfo {
    BoardInfo {
        serial,
        sensor: SensorClass::Piece,
        clock: has_clock,
        polled: false,
        levels: false,
        map: false,
        self_test: false,
        lamps: false,
        adjust: false,
        pace: clock.pace(),
        scan_ms: SCAN_MS,
        boot: clock.boot(),
    }
}
