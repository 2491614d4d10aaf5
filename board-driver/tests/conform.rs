//! The trials of a board's conformance: simulated boards pass them on real pseudo-terminals, and
//! boards that do one thing wrong fail the trial of that thing.

#![cfg(feature = "simulators")]

use std::path::Path;
use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::conform::{Outcome, Verdict, examine};
use board_driver::sim::{Fittings, Pty};
use board_driver::transport::{self, Line};
use board_driver::{PortSpec, SimConfig, SimulatedBoard};
use board_wire::{
    Accumulator, FromBoard, Hello, Part, Step, Tested, Verdict as BoardVerdict, What, encode,
};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// No test may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

fn open(port: &Path) -> Box<dyn Line> {
    transport::open(&PortSpec::Path(port.to_owned()), 115_200).expect("a port")
}

/// A board that is switched on and plays nothing.
fn board(dir: &TempDir, change: impl FnOnce(&mut SimConfig)) -> Box<dyn Line> {
    let link = dir.path().join("board");
    let mut config = SimConfig::new(&link, "C-1", SensorClass::Occupancy);
    config.linger = Duration::from_secs(3_600);
    change(&mut config);
    let board = SimulatedBoard::create(config).expect("a board");
    let (controls, orders) = mpsc::channel(1);
    tokio::spawn(async move {
        let _switched_on = controls;
        board.play([], orders).await
    });
    open(&link)
}

/// The same board as it would be if it said things otherwise, or left them out.
fn spoilt(
    dir: &TempDir,
    mut spoil: impl FnMut(FromBoard) -> Option<FromBoard> + Send + 'static,
) -> Box<dyn Line> {
    let mut board = board(dir, |config| config.bench = Some(fittings()));
    let link = dir.path().join("spoilt");
    let mut pty = Pty::open(&link).expect("a pseudo-terminal");
    tokio::spawn(async move {
        let (mut there, mut here) = ([0; 512], [0; 512]);
        let mut said = Accumulator::<FromBoard>::default();
        let (from_host, to_host) = pty.split();
        loop {
            tokio::select! {
                count = from_host.read(&mut there) => {
                    let count = count.unwrap_or(0);
                    board.write_all(&there[..count]).await.expect("a board that listens");
                }
                count = board.read(&mut here) => {
                    let mut rest = &here[..count.unwrap_or(0)];
                    while let Step::Message(message, left) = said.feed(rest) {
                        rest = left;
                        if let Some(told) = spoil(message) {
                            let frame = encode(&told);
                            to_host.write_all(frame.as_bytes()).await.expect("a host");
                        }
                    }
                }
            }
        }
    });
    open(&link)
}

async fn verdicts(line: Box<dyn Line>) -> Vec<Verdict> {
    let mut all = Vec::new();
    timeout(PATIENCE, examine(line, |verdict| all.push(verdict)))
        .await
        .expect("the trials end");
    all
}

/// The trials that were failed.
async fn failed(line: Box<dyn Line>) -> Vec<&'static str> {
    let all = verdicts(line).await;
    let failed = all
        .into_iter()
        .filter(|verdict| matches!(verdict.outcome, Outcome::Failed(_)));
    failed.map(|verdict| verdict.trial).collect()
}

#[tokio::test]
async fn a_board_that_does_everything_passes_every_trial() {
    let dir = TempDir::new().expect("a directory");
    for bench in [None, Some(fittings())] {
        let with = |config: &mut SimConfig| (config.levels, config.bench) = (true, bench);
        let all = verdicts(board(&dir, with)).await;
        assert_eq!(all.len(), 18);
        for verdict in all {
            assert!(matches!(verdict.outcome, Outcome::Passed(_)), "{verdict:?}");
        }
    }
}

/// What a board has for the bench, with two parts that it can try.
fn fittings() -> Fittings {
    let part = |part| Tested::new(part, BoardVerdict::PASSED, [0, 0]);
    Fittings {
        tested: vec![part(Part::SUPPLY), part(Part::FLASH)],
        ..Fittings::default()
    }
}

#[tokio::test]
async fn a_board_without_lamps_passes_too() {
    let dir = TempDir::new().expect("a directory");
    let line = board(&dir, |config| config.lamps = false);
    assert_eq!(failed(line).await, [""; 0]);
}

#[tokio::test]
async fn a_hello_that_answers_nothing_ends_the_trials() {
    let dir = TempDir::new().expect("a directory");
    let line = spoilt(&dir, |message| match message {
        FromBoard::Hello(hello) => Some(FromBoard::Hello(Hello {
            nonce: Some(7),
            ..hello
        })),
        message => Some(message),
    });
    let all = verdicts(line).await;
    assert_eq!(all.len(), 2);
    let told = all[1].outcome.to_string();
    assert!(told.contains("repeats 00000007"), "{told}");
}

#[tokio::test]
async fn each_fault_fails_its_own_trial() {
    type Spoil = Box<dyn FnMut(FromBoard) -> Option<FromBoard> + Send>;
    let mut beats = 0;
    let mut snapshots = 0;
    let faults: [(&str, Spoil); 7] = [
        (
            "gives signs of life in time",
            Box::new(move |message| match message {
                FromBoard::Heartbeat(_) => {
                    beats += 1;
                    (beats % 2 == 0).then_some(message)
                }
                message => Some(message),
            }),
        ),
        (
            "drops what is damaged, and counts it",
            Box::new(|message| match message {
                FromBoard::Heartbeat(mut beat) => {
                    beat.damaged = 0;
                    Some(FromBoard::Heartbeat(beat))
                }
                message => Some(message),
            }),
        ),
        (
            "sends evidence again, byte for byte",
            Box::new(move |message| match message {
                FromBoard::Evidence(mut evidence) => {
                    snapshots += 1;
                    evidence.ms += snapshots;
                    Some(FromBoard::Evidence(evidence))
                }
                message => Some(message),
            }),
        ),
        (
            "gives out a snapshot when it is asked for one",
            Box::new(|message| match message {
                FromBoard::Evidence(mut evidence) => {
                    if let What::Snapshot(symbols) = &mut evidence.what {
                        symbols[0] = board_wire::Symbol::LIGHT;
                    }
                    Some(FromBoard::Evidence(evidence))
                }
                message => Some(message),
            }),
        ),
        (
            "does not start its boot loader for a stray frame",
            Box::new(|message| match message {
                FromBoard::Loader { boot, .. } => Some(FromBoard::Loader { boot, nonce: 0 }),
                message => Some(message),
            }),
        ),
        (
            "tells the map of its squares, or nothing",
            Box::new(|message| match message {
                FromBoard::Map { boot, mut rank } => {
                    rank.squares[0] = rank.squares[1];
                    Some(FromBoard::Map { boot, rank })
                }
                message => Some(message),
            }),
        ),
        (
            "tells what it finds out about its own parts, or nothing",
            Box::new(|message| match message {
                FromBoard::Tested { tested, .. } if tested.number == 0 => None,
                message => Some(message),
            }),
        ),
    ];
    // Each takes its time, and waits most of it.
    let mut all = JoinSet::new();
    for (trial, spoil) in faults {
        all.spawn(async move {
            let dir = TempDir::new().expect("a directory");
            (trial, failed(spoilt(&dir, spoil)).await)
        });
    }
    while let Some(tried) = all.join_next().await {
        let (trial, failed) = tried.expect("the trials end");
        assert!(failed.contains(&trial), "{trial}: {failed:?}");
    }
}
