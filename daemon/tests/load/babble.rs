//! A board that says without end what boards say costs its own line only.

use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Square;
use arbiter_core::{SensorClass, Symbol, Time};
use board_driver::sim::Control;
use board_driver::{BoardEvent, BoardKind, Report, SimConfig, SimulatedBoard};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::child::{ended, signal};
use crate::house::ask;
use crate::play::play;
use crate::{GAME, free, serve};

const PATIENCE: Duration = Duration::from_secs(40);
/// Reports of the board that says too much.
const REPORTS: u64 = 40_000;
/// What a whole store takes at most, in bytes: the reports would be three times that. A log takes
/// a tenth.
const BOUND: u64 = 2_000_000;

/// A board on which a pawn goes up and down as fast as a pseudo-terminal carries it; on a thread of
/// its own.
fn babble(dir: &Path) -> (mpsc::Sender<Control>, JoinHandle<()>) {
    let link = dir.join("b02");
    let (controls, control) = mpsc::channel(1);
    let babbling = std::thread::spawn(move || {
        let mut config = SimConfig::new(link, "SIM-2", SensorClass::Piece);
        config.kind = BoardKind::Dgt;
        (config.pace, config.linger) = (1_000.0, PATIENCE);
        let pawn = Symbol::from_char('P').expect("a pawn");
        let seen = |n: u64| {
            if n.is_multiple_of(2) {
                Symbol::Empty
            } else {
                pawn
            }
        };
        let script = (0..REPORTS).map(|n| BoardEvent {
            at: Time(n * 20),
            report: Report::Changes(vec![(Square::E2, seen(n))]),
        });
        let script: Vec<_> = script.collect();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
            if let Ok(played) = tokio::time::timeout(PATIENCE, board.play(script, control)).await {
                played.expect("the board plays");
            }
        });
    });
    (controls, babbling)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

#[tokio::test]
async fn a_babbling_board_costs_its_own_line_only() {
    let dir = tempfile::tempdir().expect("a directory");
    let address = free();
    let (controls, babbling) = babble(dir.path());
    let (truth, _playing) = play(dir.path(), GAME);
    let boards = [("b01", ""), ("b02", "kind = \"dgt\"")];
    let daemon = serve(dir.path(), address, &boards);

    let board = async |id: &str| -> Option<Value> {
        let (_, body) = ask(address, "GET", &format!("/api/boards/{id}"), "").await?;
        serde_json::from_str(&body).ok()
    };
    let (truth, begun) = (json!(truth), Instant::now());
    let (mut waits, mut told, mut calm) = (Vec::new(), false, false);
    let mut whole = false;
    while !(whole && calm) {
        assert!(
            begun.elapsed() < PATIENCE,
            "whole {whole}, told {told}, calm {calm}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
        let asked = Instant::now();
        let Some(b01) = board("b01").await else {
            continue;
        };
        waits.push(asked.elapsed());
        whole = b01["moves"] == truth;
        assert_eq!(
            b01["fault"].as_str().filter(|f| f.contains("says more")),
            None
        );
        let b02 = board("b02").await.unwrap_or_default();
        let fault = b02["fault"].as_str().unwrap_or_default();
        told |= fault.contains("says more than any board");
        calm = told && b02["connected"] == true && fault.is_empty();
    }
    waits.sort();
    let part = |part: usize| waits[waits.len() * part / 100];
    println!("answers: half in {:?}, 99 % in {:?}", part(50), part(99));
    assert!(part(99) < Duration::from_millis(200), "{:?}", part(99));
    signal(&daemon, Signal::SIGTERM);
    assert_eq!(ended(daemon), 0);
    let (journal, log) = (
        dir.path().join("store/arbiter.sqlite"),
        dir.path().join("log"),
    );
    println!("journal {} bytes, log {} bytes", size(&journal), size(&log));
    assert!(size(&journal) < BOUND && size(&log) < BOUND / 10);
    controls.try_send(Control::SwitchOff).expect("it is on");
    babbling.join().expect("no panic");
}
