//! The program for a Linux board computer, from the chips' registers to the arbiter's record: its
//! own code but for the kernel's devices, whose place simulated chips take. The line is a
//! pseudo-terminal, opened by the real `arbiterd`.

mod bench;
mod chips;
mod doctor;

use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

use arbiter_core::irregularity::Code;
use board_driver::hand::{Act, Deed, Options, Performance, Style, games, perform};
use board_wire::{ToBoard, encode};
use serde_json::Value;
use tests::evening::House;

use bench::Bench;
use chips::{Copper, Fault};

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many times faster than in the performance the hands move: three moves in two seconds.
const HURRY: u32 = 3;

/// Plays a game with a touched piece that was not moved, in some fifteen seconds.
fn played() -> Performance {
    let game = &games::all()[0];
    let options = Options {
        think: Some((600, 1_500)),
        ..Options::default()
    };
    perform(
        &game.start,
        &game.moves[..14],
        Style::Tidy,
        7,
        &[(Code::TouchMoveOwnPiece, 5)],
        &options,
    )
}

/// Does what hands did, on switches that bounce. `before` is asked before each act.
fn act(copper: &Copper, acts: &[Act], mut before: impl FnMut(usize)) {
    let mut last = 0;
    for (n, act) in acts.iter().enumerate() {
        before(n);
        std::thread::sleep(Duration::from_millis(act.at.0 - last) / HURRY);
        last = act.at.0;
        match act.deed {
            Deed::LiftPiece(square, _) => bounce(copper, u32::from(square), false),
            Deed::PlacePiece(square, _) => bounce(copper, u32::from(square), true),
            Deed::Press { by, .. } => copper.press(by.is_white()),
            Deed::Adjust { .. } => {}
        }
        copper.wait_for_scans(SETTLED);
    }
}

/// After so many scans everything is reported: more than twice the usual depth, and the bounces.
const SETTLED: u64 = 20;

/// A reed bounces for a millisecond or two.
fn bounce(copper: &Copper, square: u32, settles: bool) {
    for state in [settles, !settles, settles, !settles, settles] {
        copper.set(square, state);
        std::thread::sleep(Duration::from_micros(300));
    }
}

fn house(bench: &Bench) -> House {
    let text = format!(
        "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"{}\"\n[[board]]\nid = \"b01\"\nport = \"{}\"\nkind = \"native\"\n",
        bench.dir().join("store").display(),
        bench.port().display()
    );
    House::open(&bench.dir().join("arbiter.toml"), &text)
}

/// Waits until the board shows a fault with these words, or none if there are none.
fn fault(house: &House, words: &str) {
    let told = house.until(PATIENCE, |boards| {
        let fault = boards[0]["fault"].as_str().unwrap_or_default();
        let is_so = boards[0]["connected"] == true
            && if words.is_empty() {
                fault.is_empty()
            } else {
                fault.contains(words)
            };
        (!is_so).then(|| format!("the fault is `{fault}` and should be `{words}`"))
    });
    told.unwrap_or_else(|left| panic!("{left}"));
}

/// The game is recorded as it was played, the breach is found, and nobody else is accused.
fn judge(house: &House, played: &Performance) {
    let truth: Vec<String> = played.truth.moves.iter().map(ToString::to_string).collect();
    let boards = house.until(PATIENCE, |boards| {
        let plies = boards[0]["plies"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let moves: Vec<&str> = plies.iter().filter_map(|ply| ply["uci"].as_str()).collect();
        let last_is_completed = plies.last().is_some_and(|ply| ply["completed"] == true);
        (moves != truth || !last_is_completed)
            .then(|| format!("recorded {moves:?}\nplayed   {truth:?}\n{}", boards[0]))
    });
    let boards = boards.unwrap_or_else(|left| panic!("{left}"));
    let findings: Vec<(&str, &Value)> = boards[0]["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|finding| {
            (
                finding["code"].as_str().unwrap_or_default(),
                &finding["ply"],
            )
        })
        .collect();
    let breach = played.truth.breaches[0];
    assert_eq!(
        findings,
        [("touch-move-own-piece", &Value::from(breach.ply))],
        "{}",
        boards[0]
    );
}

#[test]
fn a_game_on_port_expanders_is_recorded_though_one_of_them_loses_its_power() {
    let bench = Bench::on_expanders();
    bench.copper.set_up(0xffff_0000_0000_ffff);
    let house = house(&bench);
    fault(&house, "");
    let played = played();
    // Ranks 5 and 6 go dark while a player thinks, and come back before he touches anything.
    let think = (played.acts.len() / 2..)
        .find(|n| matches!(played.acts[*n].deed, Deed::Press { .. }))
        .expect("a press")
        + 1;
    act(&bench.copper, &played.acts, |n| {
        if n == think {
            bench.copper.fault(Fault::Silent(0x22));
            fault(&house, "rank 5 and rank 6 cannot be read");
            bench.copper.fault(Fault::None);
            fault(&house, "");
        }
    });
    judge(&house, &played);
    house.close();
    bench.switch_off();
}

#[test]
fn a_game_on_a_board_in_the_network_is_recorded() {
    let bench = Bench::in_the_network();
    bench.copper.set_up(0xffff_0000_0000_ffff);
    let house = house(&bench);
    fault(&house, "");
    // The doctor may look at the board while the arbiter follows it.
    let (wrong, _) = doctor::examine(&bench, &["--for", "2"]);
    assert!(wrong.is_empty(), "{wrong:?}");
    let played = played();
    act(&bench.copper, &played.acts, |_| {});
    judge(&house, &played);
    bench.switch_off();
    let told = house.until(PATIENCE, |boards| {
        let fault = boards[0]["fault"].as_str().unwrap_or_default();
        (!fault.starts_with("tcp://127.0.0.1")
            || !fault.contains("is the board's computer running"))
        .then(|| fault.to_owned())
    });
    told.unwrap_or_else(|left| panic!("the fault is `{left}`"));
    house.close();
}

/// Every trouble reaches the console in words that name the part, goes when it is gone, and takes
/// nothing of what stood there.
#[test]
fn what_is_wrong_with_the_hardware_is_told_and_nothing_is_lost_by_it() {
    let bench = Bench::on_expanders();
    bench.copper.fault(Fault::Missing);
    bench.copper.set_up(0xffff_0000_0000_ffff);
    let house = house(&bench);
    fault(&house, "the sensors are missing");
    bench.copper.fault(Fault::None);
    fault(&house, "");
    for (trouble, words) in [
        (Fault::Silent(0x20), "0x20 does not answer"),
        (
            Fault::Other(0x23),
            "another chip than the expected one answers at address 0x23",
        ),
        (Fault::Bus, "a transfer on the sensors' bus failed"),
        (Fault::Missing, "the sensors are missing"),
    ] {
        bench.copper.fault(trouble);
        fault(&house, words);
        bench.copper.fault(Fault::None);
        fault(&house, "");
    }
    assert_eq!(
        house.boards()[0]["fen"]
            .as_str()
            .and_then(|fen| fen.split(' ').next()),
        Some(START)
    );
    assert_eq!(house.boards()[0]["plies"].as_array().map(Vec::len), Some(0));
    house.close();
    bench.switch_off();
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A chain that breaks reads as a full board behind the break, and must not be taken for one.
#[test]
fn a_broken_chain_is_a_fault_and_not_a_full_board() {
    let bench = Bench::on_shift_registers();
    bench.copper.set_up(0xffff_0000_0000_ffff);
    let house = house(&bench);
    fault(&house, "");
    bench.copper.fault(Fault::Broken);
    fault(&house, "chain of shift registers is broken");
    bench.copper.fault(Fault::None);
    fault(&house, "");
    assert_eq!(house.boards()[0]["plies"].as_array().map(Vec::len), Some(0));
    house.close();
    bench.switch_off();
}

#[test]
fn lamps_are_lit_as_the_host_says_and_put_out_at_the_end() {
    let bench = Bench::on_shift_registers();
    let mut host = File::options()
        .read(true)
        .write(true)
        .open(bench.port())
        .expect("a port");
    for lamps in [1 << 12 | 1 << 63, 0, u64::MAX] {
        host.write_all(encode(&ToBoard::SetLamps(lamps)).as_bytes())
            .expect("a line");
        let end = Instant::now() + PATIENCE;
        while bench.copper.lit() != lamps {
            assert!(Instant::now() < end, "{:#018x} is lit", bench.copper.lit());
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    bench.switch_off();
}

/// Hall sensors tell nothing before they are calibrated, and colours afterwards; the zeros are
/// there after a restart.
#[test]
fn hall_sensors_are_calibrated_by_the_host_and_stay_so() {
    let bench = Bench::on_hall_sensors();
    let before = house(&bench);
    fault(&before, "the zero levels of the sensors are not known");
    before.close();
    let mut host = File::options()
        .read(true)
        .write(true)
        .open(bench.port())
        .expect("a port");
    host.write_all(encode(&ToBoard::Calibrate).as_bytes())
        .expect("a line");
    let (zeros, end) = (bench.dir().join("state/zeros"), Instant::now() + PATIENCE);
    while !zeros.exists() {
        assert!(Instant::now() < end, "no zeros are kept");
        std::thread::sleep(Duration::from_millis(2));
    }
    drop(host);

    let bench = Bench::on_hall_sensors_again(bench.switch_off());
    bench.copper.set_colours(0xffff, 0xffff << 48);
    let house = house(&bench);
    fault(&house, "");
    let started = house.until(PATIENCE, |boards| {
        let is_so = boards[0]["sensor"] == "colour" && boards[0]["ply"] == 0;
        (!is_so).then(|| boards[0].to_string())
    });
    started.unwrap_or_else(|left| panic!("{left}"));
    // e2-e4 by light pieces, pressed.
    for (square, occupied) in [(12, false), (28, true)] {
        bounce(&bench.copper, square, occupied);
        std::thread::sleep(Duration::from_millis(400));
        bench.copper.wait_for_scans(SETTLED);
    }
    bench.copper.press(true);
    let moved = house.until(PATIENCE, |boards| {
        let ply = &boards[0]["plies"][0];
        (ply["uci"] != "e2e4" || ply["completed"] != true).then(|| boards[0].to_string())
    });
    moved.unwrap_or_else(|left| panic!("{left}"));
    house.close();
    bench.switch_off();
}

/// The lever moves while the program is started anew: the press is told by the new run.
#[test]
fn a_press_during_a_restart_is_not_lost() {
    let bench = Bench::on_shift_registers();
    bench.copper.set_up(0xffff_0000_0000_ffff);
    bench.copper.press(false);
    let house = house(&bench);
    fault(&house, "");
    for (square, occupied) in [(12, false), (28, true)] {
        bounce(&bench.copper, square, occupied);
        bench.copper.wait_for_scans(SETTLED);
        std::thread::sleep(Duration::from_millis(300));
    }
    let moved = |house: &House, completed: bool| {
        let told = house.until(PATIENCE, |boards| {
            let ply = &boards[0]["plies"][0];
            (ply["uci"] != "e2e4" || ply["completed"] != completed).then(|| boards[0].to_string())
        });
        told.unwrap_or_else(|left| panic!("{left}"));
    };
    moved(&house, false);
    let copper = bench.copper.clone();
    let dir = bench.switch_off();
    copper.press(true);
    let bench = Bench::on_shift_registers_again(dir, copper);
    moved(&house, true);
    house.close();
    bench.switch_off();
}
