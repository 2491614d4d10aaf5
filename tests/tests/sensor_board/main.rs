//! The program for a Linux board computer, from the chips' registers to the arbiter's record: its
//! own code but for the kernel's devices, whose place simulated chips take. The line is a
//! pseudo-terminal, opened by the real `arbiterd`.

mod bench;
mod chips;
mod doctor;

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::Square;
use board_driver::hand::{Act, Deed, Options, Performance, Style, games, perform};
use board_wire::{ToBoard, encode};
use firmware_linux::state::Store;
use serde_json::Value;
use tests::evening::House;
use tests::rig::{configuration, look_until, pause_of_a_hand, section, until};

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
        pause_of_a_hand(Duration::from_millis(act.at.0 - last) / HURRY);
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
        pause_of_a_hand(Duration::from_micros(300));
    }
}

fn house(bench: &Bench) -> House {
    let board = section("b01", bench.port(), "kind = \"native\"\n");
    let configuration = configuration(&bench.dir().join("store"), [board]);
    House::open(&bench.dir().join("arbiter.toml"), &configuration)
}

/// Waits until the board shows a fault with these words, or none if there are none.
fn fault(house: &House, words: &str) {
    house.until(PATIENCE, |boards| {
        let fault = boards[0]["fault"].as_str().unwrap_or_default();
        let is_so = boards[0]["connected"] == true
            && if words.is_empty() {
                fault.is_empty()
            } else {
                fault.contains(words)
            };
        (!is_so).then(|| format!("the fault is `{fault}` and should be `{words}`"))
    });
}

/// e2-e4 by a hand that lets the arbiter see the pawn in the air.
fn move_the_pawn(bench: &Bench, house: &House) {
    for (square, occupied) in [(Square::E2, false), (Square::E4, true)] {
        bounce(&bench.copper, u32::from(square), occupied);
        house.until(PATIENCE, |boards| {
            // From a8 on, rank by rank, as in a FEN.
            let reading = boards[0]["reading"].as_str().unwrap_or_default();
            let seen = reading.chars().nth(usize::from(square.flip_vertical()));
            let is_so = seen.is_some_and(|seen| (seen != '.') == occupied);
            (!is_so).then(|| format!("{square} does not read as it should: {reading}"))
        });
    }
}

/// Waits until e2-e4 is the first move of the record.
fn pawn_is_moved(house: &House, completed: bool) {
    house.until(PATIENCE, |boards| {
        let ply = &boards[0]["plies"][0];
        (ply["uci"] != "e2e4" || ply["completed"] != completed).then(|| boards[0].to_string())
    });
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
    house.until(PATIENCE, |boards| {
        let fault = boards[0]["fault"].as_str().unwrap_or_default();
        (!fault.starts_with("tcp://127.0.0.1")
            || !fault.contains("is the board's computer running"))
        .then(|| format!("the fault is `{fault}`"))
    });
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
        let lit = look_until(PATIENCE, || match bench.copper.lit() {
            lit if lit == lamps => Ok(()),
            lit => Err(format!("{lit:#018x} is lit")),
        });
        assert_eq!(lit, Ok(()));
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
    let zeros = bench.dir().join("state/zeros");
    until("zeros that are kept", PATIENCE, || zeros.exists());
    drop(host);

    let bench = Bench::on_hall_sensors_again(bench.switch_off());
    bench.copper.set_colours(0xffff, 0xffff << 48);
    let house = house(&bench);
    fault(&house, "");
    house.until(PATIENCE, |boards| {
        let is_so = boards[0]["sensor"] == "colour" && boards[0]["ply"] == 0;
        (!is_so).then(|| boards[0].to_string())
    });
    move_the_pawn(&bench, &house);
    bench.copper.press(true);
    pawn_is_moved(&house, true);
    house.close();
    bench.switch_off();
}

/// Whoever is on the network takes no board its senses, until somebody at the board allows it; and
/// then once.
#[test]
fn nobody_calibrates_over_the_network_unless_it_was_allowed_at_the_board() {
    let bench = Bench::hall_sensors_in_the_network();
    let address = bench.port().to_str().expect("a name").to_owned();
    let address = address.trim_start_matches("tcp://").to_owned();
    let mut host = std::net::TcpStream::connect(address).expect("a line");
    let mut ask = || {
        let order = encode(&ToBoard::Calibrate);
        host.write_all(order.as_bytes()).expect("a line");
    };
    let store = Store::new(&bench.dir().join("state"));
    let zeros = bench.dir().join("state/zeros");
    for _ in 0..5 {
        ask();
        std::thread::sleep(Duration::from_millis(100));
        assert!(!zeros.exists());
    }
    store.allow_calibration().expect("a file");
    until("zeros that are kept", PATIENCE, || {
        ask();
        zeros.exists()
    });
    until("the leave has ended", PATIENCE, || !store.may_calibrate());
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
    move_the_pawn(&bench, &house);
    pawn_is_moved(&house, false);
    let copper = bench.copper.clone();
    let dir = bench.switch_off();
    copper.press(true);
    let bench = Bench::on_shift_registers_again(dir, copper);
    pawn_is_moved(&house, true);
    house.close();
    bench.switch_off();
}
