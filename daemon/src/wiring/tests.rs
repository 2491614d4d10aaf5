//! What is said of ports holds after a restart; what cannot be changes nothing.

use std::path::{Path, PathBuf};

use board_driver::{BoardKind, PortSpec};

use super::*;
use crate::hall::{BoardState, Demand};
use crate::store::Store;

fn spec(port: &str) -> PortSpec {
    PortSpec::Path(PathBuf::from(port))
}

fn config(dir: &Path) -> Config {
    let board = |(id, port)| BoardConfig::new(id, spec(port));
    let boards = [("b01", "/dev/one"), ("b02", "/dev/two")].map(board);
    Config::new(dir.to_owned(), boards.to_vec())
}

struct House {
    wiring: Wiring,
    hall: Hall,
    thread: std::thread::JoinHandle<()>,
}

/// A store with its boards; whoever follows them goes over to any port.
fn open(dir: &Path) -> House {
    let (journal, thread) = Journal::open(dir).unwrap();
    let store = Store::open(dir).unwrap();
    let deeds = store.deeds().unwrap();
    let (wiring, boards, mut openings) = Wiring::open(&config(dir), &deeds, journal);
    let states = boards.iter().map(|board| BoardState::new(&board.id, None));
    let (hall, stations) = Hall::new(states.collect(), store);
    for mut station in stations {
        tokio::spawn(async move {
            while let Some(order) = station.orders.recv().await {
                assert!(matches!(order.demand, Demand::Connect(_)));
                let _nobody_waits = order.answer.send(Ok(None));
            }
        });
    }
    tokio::spawn(async move {
        while let Some(opening) = openings.recv().await {
            let _nobody_waits = opening.done.send(());
        }
    });
    House {
        wiring,
        hall,
        thread,
    }
}

impl House {
    async fn connect(&self, board: &str, change: Change) -> Result<(), WiringError> {
        let author = Author::default();
        self.wiring
            .connect(&self.hall, &author, board, &change)
            .await
    }

    async fn close(self) -> Vec<(BoardConfig, bool)> {
        let boards = self.wiring.boards().await;
        self.wiring.close().await;
        self.thread.join().unwrap();
        boards
    }
}

fn to(port: &str) -> Change {
    Change {
        port: Some(port.to_owned()),
        ..Change::default()
    }
}

fn kind(kind: &str) -> Change {
    Change {
        kind: Some(kind.to_owned()),
        ..Change::default()
    }
}

#[tokio::test]
async fn what_is_said_holds_after_a_restart_and_can_be_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    house.connect("b01", to("/dev/three")).await.unwrap();
    house.connect("b01", kind("certabo")).await.unwrap();
    let author = Author::default();
    let free = to("/dev/one");
    let spare = house.wiring.add(&author, "b03", "Spare", &free).await;
    spare.unwrap();
    let before = house.close().await;
    let house = open(dir.path());
    assert_eq!(house.wiring.boards().await, before);
    let ways = before
        .iter()
        .map(|(b, configured)| (b.port.clone(), b.kind, *configured));
    let expected = [
        (spec("/dev/three"), Some(BoardKind::Certabo), false),
        (spec("/dev/two"), None, true),
        (spec("/dev/one"), None, false),
    ];
    assert!(ways.eq(expected), "{before:?}");
    let taken = house.wiring.reset(&house.hall, &author, "b01").await;
    assert!(
        taken.unwrap_err().to_string().contains("port of `b03`"),
        "the configured port has another board now"
    );
    house.connect("b03", to("/dev/four")).await.unwrap();
    let reset = house.wiring.reset(&house.hall, &author, "b01").await;
    reset.unwrap();
    assert!(house.close().await[0].1);
    assert!(crate::store::verify(dir.path()).unwrap().1.is_empty());
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let before = house.wiring.boards().await;
    let both = Change {
        usb_serial: Some("S1".to_owned()),
        ..to("/dev/three")
    };
    for (board, change, words) in [
        ("b09", to("/dev/three"), "there is no board `b09`"),
        ("b01", to("/dev/two"), "/dev/two is the port of `b02`"),
        ("b01", to("/dev/one"), "connected so already"),
        ("b01", Change::default(), "connected so already"),
        ("b01", both, "not both"),
        ("b01", to(" "), "no name"),
        ("b01", to("ttyUSB0"), "`ttyUSB0` is no whole path"),
        ("b01", kind("abacus"), "`abacus` is no kind of board"),
        ("b01", kind("dgt-bus"), "boards on a bus"),
    ] {
        let refused = house.connect(board, change).await.unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
    let author = Author::default();
    for (board, change, words) in [
        ("B02", to("/dev/three"), "there is a board `b02` already"),
        ("b 3", to("/dev/three"), "is no id"),
        ("b03", to("/dev/two"), "is the port of `b02`"),
        ("b03", kind("native"), "name a port"),
    ] {
        let refused = house.wiring.add(&author, board, "", &change).await;
        let refused = refused.unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
    assert_eq!(house.close().await, before);
}

#[test]
fn a_link_and_what_it_leads_to_are_one_port() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real"), dir.path().join("link"));
    std::fs::write(&real, "").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    // Nothing is plugged in there yet.
    let absent = real.with_file_name("absent");
    let roundabout = real.parent().unwrap().join("sub/../absent");
    std::fs::create_dir(real.with_file_name("sub")).unwrap();
    let [absent, roundabout] = [absent, roundabout].map(PortSpec::Path);
    assert!(line::is_same_port(&absent, &roundabout));
    let [real, link] = [real, link].map(PortSpec::Path);
    assert!(line::is_same_port(&real, &link));
    // As an older version has kept it.
    let here = PortSpec::Path(std::path::absolute("absent").unwrap());
    assert!(line::is_same_port(&PortSpec::Path("absent".into()), &here));
    assert!(!line::is_same_port(&real, &PortSpec::Usb("S1".to_owned())));
}
