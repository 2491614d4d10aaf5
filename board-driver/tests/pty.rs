//! A simulated board on a real pseudo-terminal, and the link that hears it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::sim::{Control, LineNoise, SimReport};
use board_driver::{
    BoardEvent, Command, FaultReason, Link, LinkConfig, LinkEvent, Mark, PortSpec, Report, SimConfig, SimulatedBoard,
};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// No test may take longer.
const PATIENCE: Duration = Duration::from_secs(40);

/// A made-up game: `count` events of every kind, some of them in one scan, 100 ms apart.
fn script(count: u64) -> Vec<BoardEvent> {
    let event = |n: u64| {
        let square = Square::ALL[(n * 7 % 64) as usize];
        let symbol = if n.is_multiple_of(2) { Symbol::Something } else { Symbol::Empty };
        let by = if n.is_multiple_of(3) { Color::White } else { Color::Black };
        let report = match n % 10 {
            7 => Report::Press { by, white_ms: Some(n * 1000), black_ms: None },
            8 => Report::Adjust { by },
            9 => Report::Changes(Square::ALL.map(|sq| (sq, symbol)).to_vec()),
            _ => Report::Changes(vec![(square, symbol)]),
        };
        BoardEvent { at: Time(n * 100), report }
    };
    (0..count).map(event).collect()
}

/// A board and a link to it.
struct Bench {
    _dir: tempfile::TempDir,
    port: PathBuf,
    board: JoinHandle<SimReport>,
    controls: mpsc::Sender<Control>,
    host: Host,
}

/// A link and what it says.
struct Host {
    link: JoinHandle<()>,
    events: mpsc::Receiver<LinkEvent>,
    commands: mpsc::Sender<Command>,
    shutdown: oneshot::Sender<()>,
}

impl Host {
    fn new(port: PathBuf, resume: Option<Mark>) -> Host {
        let config = LinkConfig { resume, ..LinkConfig::native(PortSpec::Path(port)) };
        let (to, events) = mpsc::channel(16);
        let (commands, from) = mpsc::channel(4);
        let (shutdown, stopped) = oneshot::channel::<()>();
        let link = tokio::spawn(Link::run(config, to, from, async { drop(stopped.await) }));
        Host { link, events, commands, shutdown }
    }

    async fn next(&mut self) -> LinkEvent {
        timeout(PATIENCE, self.events.recv()).await.expect("in time").expect("the link runs")
    }

    async fn stop(self) {
        let Host { link, events, shutdown, .. } = self;
        shutdown.send(()).expect("the link runs");
        timeout(PATIENCE, link).await.expect("in time").expect("no panic");
        drop(events);
    }
}

impl Bench {
    fn new(change: impl FnOnce(&mut SimConfig), script: Vec<BoardEvent>) -> Bench {
        let dir = tempfile::tempdir().expect("a directory");
        let port = dir.path().join("board");
        let mut config = SimConfig::new(&port, "SIM-1", SensorClass::Occupancy);
        config.linger = Duration::from_millis(300);
        change(&mut config);
        let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
        let (controls, control) = mpsc::channel(4);
        let board = tokio::spawn(async move { board.play(script, control).await.expect("the board plays") });
        let host = Host::new(port.clone(), None);
        Bench { _dir: dir, port, board, controls, host }
    }

    /// Everything until the port vanishes at the end: what happened on the board, times relative to the first event.
    async fn evidence(&mut self) -> Vec<BoardEvent> {
        let mut heard = Vec::new();
        loop {
            match self.host.next().await {
                LinkEvent::Board { event, .. } => heard.push(event),
                LinkEvent::Down(_) => return played(heard),
                LinkEvent::Up { .. } => {}
            }
        }
    }
}

/// Without what the board says of itself.
fn played(mut heard: Vec<BoardEvent>) -> Vec<BoardEvent> {
    heard.retain(|event| matches!(event.report, Report::Changes(_) | Report::Press { .. } | Report::Adjust { .. }));
    let start = heard.first().map_or(Time::ZERO, |event| event.at);
    for event in &mut heard {
        event.at = Time(event.at.since(start));
    }
    heard
}

#[tokio::test]
async fn every_event_once_and_in_order() {
    let mut bench = Bench::new(|config| config.pace = 0.0, script(500));
    let LinkEvent::Up { info, .. } = bench.host.next().await else { panic!("the board comes up first") };
    assert_eq!((info.serial.as_str(), info.sensor), ("SIM-1", SensorClass::Occupancy));
    assert_eq!((info.clock, info.polled, info.lamps, info.adjust, info.pace), (true, false, true, true, 0.0));
    let LinkEvent::Board { event, .. } = bench.host.next().await else { panic!("and then a snapshot") };
    let start = SensorClass::Occupancy.reads(&arbiter_core::shakmaty::Board::new());
    assert_eq!(event.report, Report::Snapshot(start));
    assert_eq!(bench.evidence().await, script(500));
    bench.host.stop().await;
}
