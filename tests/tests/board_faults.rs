//! What can go wrong with a board of any kind: its plug is pulled, it stops in the middle of a
//! frame, another board is on its port. There is a message and a fault, it passes, no game is lost,
//! and nobody is accused.

use std::path::Path;
use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::BoardKind;
use board_driver::sim::{Control, LineNoise};
use board_driver::transport::HID;
use serde_json::Value;
use tests::evening::{Evening, House, Play, Table};

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many times faster than the world is played. A busy machine stands still for a second now
/// and then: that must not be longer than a piece stays in a hand.
const PACE: f32 = 5.0;

/// What was lost without a trace is noticed when the board is asked again, which is in this time.
const ASKED_AGAIN: Duration = Duration::from_secs(6);

/// Half-moves of each game.
const PLIES: usize = 10;

/// A board of every kind.
fn plays() -> Vec<Play> {
    let class = |kind: BoardKind| kind.profile().sensor.unwrap_or(SensorClass::Colour);
    let kinds = BoardKind::ALL.iter().copied();
    let play = |(n, kind): (u64, _)| Play {
        plies: PLIES,
        ..Play::on(kind, class(kind), 11 * n as usize, 300 + n, PACE)
    };
    (0..).zip(kinds).map(play).collect()
}

fn has_plies(count: u64) -> impl Fn(&Table, &Value) -> Option<String> {
    move |table, board| {
        let is_short = board["ply"].as_u64() < Some(count);
        is_short.then(|| format!("{}: {} plies", table.play.kind, board["ply"]))
    }
}

/// A fault with such words in one line.
fn shows(words: &'static str) -> impl Fn(&Table, &Value) -> Option<String> {
    move |table, board| {
        let shown = board["fault"]
            .as_str()
            .is_some_and(|fault| fault.contains(words) && !fault.contains('\n'));
        (!shown).then(|| format!("{}: {} and not `{words}`", table.play.kind, board["fault"]))
    }
}

/// A board that speaks only when something changes: nobody can know that it has stopped.
fn is_quiet(table: &Table) -> bool {
    table.play.kind == BoardKind::EChess
}

/// A board that streams what stands on it: its simulation plays as soon as enough was taken off the
/// line, whoever takes it.
fn streams(table: &Table) -> bool {
    [BoardKind::Certabo, BoardKind::Sentio].contains(&table.play.kind)
}

/// Writes what every board told into files, and says where.
fn evidence(house: &House, boards: &[Value]) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("board_faults");
    std::fs::create_dir_all(&dir).expect("a directory");
    for board in boards {
        if let (Some(id), Some(game)) = (board["id"].as_str(), board["game"].as_str()) {
            let script = house.script(game);
            std::fs::write(dir.join(format!("{id}.jsonl")), script).expect("a script");
        }
    }
    format!("  what they told is in {}", dir.display())
}

/// Waits until the games are over, whole or not; then every record is honest. `but`: boards that
/// are not looked at.
fn finish(evening: &Evening, house: House, but: impl Fn(&Table) -> bool) -> Vec<Value> {
    evening.play_to_the_end(PATIENCE);
    let others = |why: fn(&Table, &Value) -> Option<String>| {
        let but = &but;
        evening.all(move |table, board| why(table, board).filter(|_| !but(table)))
    };
    let _whole_or_not = house.try_until(ASKED_AGAIN, others(Table::differs));
    let boards = house.until(PATIENCE, others(Table::ails));
    let complaints = others(Table::dishonest)(&boards);
    assert!(
        complaints.is_empty(),
        "{}\n{}",
        complaints.join("\n"),
        evidence(&house, &boards)
    );
    house.close();
    boards
}

#[test]
fn a_port_that_vanishes_comes_back() {
    let evening = Evening::begin(plays());
    let house = evening.serve();
    house.until(PATIENCE, evening.all(has_plies(3)));
    evening.order(Control::Unplug);
    house.until(PATIENCE, evening.all(shows("plug")));
    evening.order(Control::Replug);
    finish(&evening, house, |_| false);
}

#[test]
fn a_board_that_stops_in_mid_frame_is_a_fault_until_it_starts_anew() {
    let mut plays = plays();
    // The reports of an HID device come whole or not at all.
    plays.retain(|play| play.kind.profile().baud != HID);
    let evening = Evening::begin(plays);
    let house = evening.serve();
    house.until(PATIENCE, evening.all(has_plies(3)));
    evening.order(Control::Hang);
    let shows_a_fault = |table: &Table, board: &Value| {
        let is_untold = board["fault"].is_null() && !is_quiet(table);
        is_untold.then(|| format!("{}: no fault is shown", table.play.kind))
    };
    house.until(PATIENCE, evening.all(shows_a_fault));
    evening.order(Control::Reboot);
    finish(&evening, house, |_| false);
}

#[test]
fn damaged_frames_accuse_nobody() {
    let mut plays = plays();
    // The system checks the reports of an HID device.
    plays.retain(|play| play.kind.profile().baud != HID);
    plays
        .iter_mut()
        .for_each(|play| play.line = LineNoise::all(play.seed, 0.02));
    let evening = Evening::begin(plays);
    let house = evening.serve();
    // Where the language has no check, a damaged byte may pass for a change: the record may err,
    // and accuses nobody even so.
    let has_check = |table: &Table| {
        [BoardKind::Native, BoardKind::Text, BoardKind::ChessLink].contains(&table.play.kind)
    };
    let boards = finish(&evening, house, |table| !has_check(table));
    let accused = evening.all(Table::accused)(&boards);
    assert!(accused.is_empty(), "{}", accused.join("\n"));
}

#[test]
fn another_board_on_the_port_is_named() {
    let mut plays = plays();
    // A board that cannot be asked is not known before it speaks, and HID devices are found where
    // they are HID devices.
    plays.retain(|play| play.kind.profile().baud != HID && play.kind != BoardKind::EChess);
    let evening = Evening::begin(plays);
    let wrong = |kind: BoardKind| {
        if kind == BoardKind::Text {
            BoardKind::SquareOff
        } else {
            BoardKind::Text
        }
    };
    let house = evening.serve_as(|table| wrong(table.play.kind));
    let unnamed = |table: &Table, board: &Value| {
        // Alone on its line, a board that can share one answers like one that cannot.
        let is = if table.play.kind == BoardKind::DgtBus {
            BoardKind::Dgt
        } else {
            table.play.kind
        };
        let kind = format!("kind = \"{}\"", is.name());
        let named = board["fault"]
            .as_str()
            .is_some_and(|fault| fault.contains(&kind));
        (!named).then(|| format!("{}: {} and not {kind}", table.id, board["fault"]))
    };
    house.until(PATIENCE, evening.all(unnamed));
    assert!(
        house.boards().iter().all(
            |board| board["ply"] == 0 && board["findings"].as_array().is_none_or(Vec::is_empty)
        )
    );
    house.close();
    // The configuration is corrected, and the board can be used.
    let house = evening.serve();
    finish(&evening, house, streams);
}
