//! What is played meanwhile, and on which lines.

use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::sim::LineNoise;
use tests::accuracy::Cell;
use tests::evening::Play;

/// What lines do to every frame: in twenty of them one suffers, and now and then nothing comes
/// through for a while.
const LINE: LineNoise = LineNoise {
    seed: 0,
    drop: 0.02,
    corrupt: 0.02,
    cut: 0.01,
    pause: 0.004,
};

/// Games on every class of sensors, by tidy hands and by human ones.
pub(crate) fn plays(boards: u64, length: Duration) -> Vec<Play> {
    let classes = [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ];
    let play = |n: u64| {
        let style = if n.is_multiple_of(2) {
            Style::Tidy
        } else {
            Style::Human
        };
        let cell = Cell {
            sensor: classes[(n % 3) as usize],
            style,
            noise: 1,
            clock: true,
        };
        let line = LineNoise { seed: n, ..LINE };
        let game = Play::new(cell, 29 * n as usize, 100 + n);
        Play { line, ..game }.lasting(length)
    };
    (0..boards).map(play).collect()
}
