//! A line of many boards on a pseudo-terminal, whose plug is pulled and put in again: each board is
//! told of by itself.

#![cfg(feature = "simulators")]

use std::path::Path;
use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::sim::SimulatedBus;
use board_driver::{
    BoardEvent, BoardKind, BusLink, FaultReason, LinkConfig, LinkEvent, PortSpec, Report, Seat,
    SimConfig,
};
use tokio::sync::mpsc;

/// Far longer than it takes, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(20);

const ADDRESSES: [u16; 2] = [1_025, 2_050];

fn board(link: &Path, address: u16) -> (SimConfig, Vec<BoardEvent>) {
    let config = SimConfig::new(link, format!("{address:05}"), SensorClass::Piece);
    (
        SimConfig {
            kind: BoardKind::DgtBus,
            ..config
        },
        Vec::new(),
    )
}

/// Waits for an event that fits.
async fn until(events: &mut mpsc::Receiver<LinkEvent>, fits: impl Fn(&LinkEvent) -> bool) {
    let search = async {
        while let Some(event) = events.recv().await {
            if fits(&event) {
                return;
            }
        }
        panic!("the link has ended");
    };
    tokio::time::timeout(PATIENCE, search)
        .await
        .expect("an event in time");
}

#[tokio::test]
async fn a_line_that_vanishes_comes_back_with_all_its_boards() {
    let dir = tempfile::tempdir().expect("a directory");
    let link = dir.path().join("bus");
    let config = |address| LinkConfig {
        kind: Some(BoardKind::DgtBus),
        address: Some(address),
        ..LinkConfig::native(PortSpec::Path(link.clone()))
    };
    let (mut seats, mut heard, mut orders) = (Vec::new(), Vec::new(), Vec::new());
    for address in ADDRESSES {
        let ((events, inbox), (order, commands)) = (mpsc::channel(256), mpsc::channel(4));
        seats.push(Seat {
            config: config(address),
            events,
            commands,
        });
        heard.push(inbox);
        orders.push(order);
    }
    let running = tokio::spawn(BusLink::run(seats, std::future::pending()));
    for events in &mut heard {
        until(events, |event| {
            matches!(event, LinkEvent::Down(FaultReason::NoSuchPort { .. }))
        })
        .await;
    }
    for _ in 0..2 {
        let bus = SimulatedBus::create(&link).expect("a pseudo-terminal");
        let boards = ADDRESSES.map(|address| board(&link, address)).into();
        let plugged = tokio::spawn(bus.play(boards, 9_600, PATIENCE * 10));
        for (events, address) in heard.iter_mut().zip(ADDRESSES) {
            let serial = format!("{address:05}");
            until(
                events,
                |event| matches!(event, LinkEvent::Up { info, .. } if info.serial == serial),
            )
            .await;
            let is_snapshot = |event: &BoardEvent| matches!(event.report, Report::Snapshot(_));
            until(
                events,
                |event| matches!(event, LinkEvent::Board { event, .. } if is_snapshot(event)),
            )
            .await;
        }
        plugged.abort();
        for events in &mut heard {
            until(events, |event| {
                matches!(event, LinkEvent::Down(FaultReason::Unplugged))
            })
            .await;
        }
    }
    running.abort();
}
