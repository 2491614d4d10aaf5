//! Every kind of board, simulated on a pseudo-terminal and played on by human hands, through the
//! daemon: every game is recorded as it was played. Of every second board the daemon finds out
//! itself what it is.

use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::BoardKind;
use board_driver::transport::HID;
use tests::evening::{Evening, Play};

/// Until every game is over.
const PATIENCE: Duration = Duration::from_secs(90);

/// How many times faster than the world is played: 1 ms of delay is so many of the board.
const PACE: f32 = 8.0;

/// Half-moves of each game.
const PLIES: usize = 30;

fn classes(kind: BoardKind) -> Vec<SensorClass> {
    let all = [
        SensorClass::Occupancy,
        SensorClass::Colour,
        SensorClass::Piece,
    ];
    kind.profile()
        .sensor
        .map_or(all.to_vec(), |class| vec![class])
}

/// Whether a simulated board of this kind waits until its host knows it. Those that stream what
/// stands on them begin when enough of it was taken off the line, whoever takes it; an HID device
/// is no pseudo-terminal.
fn waits(kind: BoardKind) -> bool {
    kind.profile().baud != HID && ![BoardKind::Certabo, BoardKind::Sentio].contains(&kind)
}

#[test]
fn every_kind_of_board_records_every_game() {
    let kinds = BoardKind::ALL
        .iter()
        .copied()
        .filter(|kind| *kind != BoardKind::Native);
    let boards = kinds.flat_map(|kind| classes(kind).into_iter().map(move |class| (kind, class)));
    let plays: Vec<Play> = (0..)
        .zip(boards.flat_map(|board| [board, board]))
        .map(|(n, (kind, class))| Play {
            plies: PLIES,
            auto: n % 2 == 1 && waits(kind),
            ..Play::on(kind, class, 7 * n as usize, 900 + n, PACE)
        })
        .collect();
    let evening = Evening::begin(plays);
    let house = evening.serve();
    let boards = evening.finish(&house, PATIENCE);
    for (table, board) in evening.tables.iter().zip(&boards) {
        table.assert_blameless(board);
    }
    house.close();
}
