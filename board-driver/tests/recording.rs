//! Recordings: what a link hears is what its recording holds, byte for byte; a recording that was
//! cut anywhere is read up to there; nonsense is no recording.

#![cfg(feature = "simulators")]

use std::time::{Duration, Instant};

use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::Square;
use arbiter_core::{SensorClass, Symbol, Time};
use board_driver::recording::{Happened, Header, Recorder, play, read};
use board_driver::{
    BoardEvent, BoardKind, Link, LinkConfig, LinkEvent, PortSpec, Report, SimConfig, SimulatedBoard,
};
use proptest::prelude::*;
use tokio::sync::mpsc;

const PATIENCE: Duration = Duration::from_secs(30);

fn header(kind: BoardKind) -> Header {
    Header {
        kind: Some(kind),
        pace: 1.0,
        started: "2026-11-21".to_owned(),
        port: "x".to_owned(),
    }
}

#[tokio::test]
async fn what_a_link_hears_is_what_its_recording_tells() {
    for kind in [BoardKind::Native, BoardKind::Text, BoardKind::SquareOff] {
        let dir = tempfile::tempdir().expect("a directory");
        let (port, file) = (dir.path().join("board"), dir.path().join("board.rec"));
        let linger = Duration::from_millis(200);
        let config = SimConfig {
            kind,
            linger,
            ..SimConfig::new(&port, "R-1", SensorClass::Occupancy)
        };
        let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
        let lift = |n: u64| (Square::ALL[n as usize], Symbol::Empty);
        let script = (0..10).map(move |n| BoardEvent {
            at: Time(n * 20),
            report: Report::Changes(vec![lift(n)]),
        });
        let (_controls, inbox) = mpsc::channel(1);
        tokio::spawn(board.play(script.collect::<Vec<_>>(), inbox));
        let recorder = Recorder::create(&file, &header(kind), Instant::now())
            .expect("a file")
            .shared();
        let link = LinkConfig {
            kind: Some(kind),
            ..LinkConfig::native(PortSpec::Path(port))
        };
        let (to, mut events) = mpsc::channel(16);
        let (_nobody_commands, commands) = mpsc::channel(1);
        let recording = tokio::spawn(Link::record(
            link,
            to,
            commands,
            recorder.clone(),
            std::future::pending(),
        ));
        let mut heard = Vec::new();
        loop {
            match tokio::time::timeout(PATIENCE, events.recv())
                .await
                .expect("in time")
                .expect("the link runs")
            {
                LinkEvent::Board { event, .. } => heard.push(event.report),
                LinkEvent::Down(_) => break,
                _ => {}
            }
        }
        recording.abort();
        recorder.sync().expect("a disk");
        let text = std::fs::read_to_string(&file).expect("a recording");
        let recording = read(&text).expect("a whole recording");
        let played = play(&recording, kind, Orientation::Upright);
        let is_change =
            |report: &Report| matches!(report, Report::Changes(_) | Report::Snapshot(_));
        let told: Vec<Report> = played
            .events
            .into_iter()
            .map(|event| event.report)
            .filter(is_change)
            .collect();
        heard.retain(is_change);
        assert_eq!(told, heard, "{kind}");
        assert_eq!(told.len(), 11, "{kind}");
        let bytes: usize = recording
            .entries
            .iter()
            .map(|e| {
                if let Happened::Received(b) = &e.happened {
                    b.len()
                } else {
                    0
                }
            })
            .sum();
        assert_eq!(bytes as u64, recorder.counts().0, "{kind}");
        let again = Recorder::create(&file, &header(kind), Instant::now());
        assert!(again.is_err(), "no recording is written over");
    }
}

const WHOLE: &str = "arbiterd-recording 1 kind=text pace=1 started=now port=x\n\
                     0.000000 open\n0.000100 > 3f0a\n\
                     0.250000 < 2d65320a\n12.000001 down the board was unplugged\n";

proptest! {
    #[test]
    fn a_cut_recording_is_read_up_to_there(cut in 0..WHOLE.len()) {
        let head = WHOLE.find('\n').expect("a line");
        let whole = read(WHOLE).expect("it is whole").entries;
        match read(&WHOLE[..cut]) {
            Ok(part) => {
                let same = part
                    .entries
                    .iter()
                    .zip(&whole)
                    .filter(|(a, b)| a == b)
                    .count();
                prop_assert!(same + 1 >= part.entries.len() && part.entries.len() <= whole.len());
            }
            Err(error) => prop_assert!(cut <= head, "{}", error),
        }
    }

    #[test]
    fn nonsense_is_no_recording(text in "\\PC{0,200}", entry in "[0-9.<> a-f]{0,40}") {
        prop_assert!(read(&text).is_err());
        let _told_in_words = read(&format!("{WHOLE}{entry}\n"));
    }
}
