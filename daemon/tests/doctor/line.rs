//! Ports, plugs, and boards of any kind.

use std::process::Command;

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Board;
use board_driver::sim::Control;
use board_driver::{BoardKind, SimConfig};
use nix::sys::signal::Signal;

use crate::bench::{Bench, summary, wrong};
use crate::child::{ended, signal};

#[test]
fn a_plug_that_was_pulled_is_told_and_so_is_a_port_that_is_not_there() {
    let bench = Bench::new(|_| {}, vec![]);
    let (child, lines) = bench.begin(&["--plain", "--board", "native"]);
    lines.wait_for("native T-1: occupancy, clock, lamps, buttons");
    bench
        .controls
        .blocking_send(Control::Unplug)
        .expect("the board plays");
    lines.wait_for("fault       the board was unplugged");
    bench
        .controls
        .blocking_send(Control::Replug)
        .expect("the board plays");
    lines.wait_for("native T-1");
    signal(&child, Signal::SIGINT);
    lines.wait_for("wrong   the line broke once");
    assert_eq!(ended(child), 1);

    let missing = bench.port.with_file_name("nothing");
    let mut nothing = Command::new(env!("CARGO_BIN_EXE_arbiterd"));
    let output = nothing
        .arg("doctor")
        .arg(missing)
        .args(["--for", "1", "--json"])
        .output()
        .expect("it runs");
    let (summary, status) = summary(&output);
    assert!(
        status == 1 && wrong(&summary)[0].contains("no such port"),
        "{summary}"
    );
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("the board is not healthy: one thing is wrong")
    );
}

#[test]
fn any_kind_of_board_is_found() {
    for (kind, arguments) in [
        (BoardKind::Dgt, &[][..]),
        (BoardKind::Text, &[]),
        (BoardKind::DgtBus, &["--address", "1"]),
    ] {
        let class = kind.profile().sensor.unwrap_or(SensorClass::Piece);
        let of_kind = |config: &mut SimConfig| {
            (config.kind, config.sensor, config.squares) =
                (kind, class, class.reads(&Board::new()));
        };
        let bench = Bench::new(of_kind, vec![]);
        let (child, lines) = bench.begin(arguments);
        lines.wait_for(&format!("board       {kind}"));
        lines.wait_for("snapshot ");
        signal(&child, Signal::SIGTERM);
        lines.wait_for("healthy");
        assert_eq!(ended(child), 0, "{kind}");
    }
}
