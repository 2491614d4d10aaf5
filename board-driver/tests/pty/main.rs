//! A simulated board on a real pseudo-terminal, and the link that hears it.

#![cfg(feature = "simulators")]

mod ports;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::sim::{Control, LineNoise, SimReport};
use board_driver::{
    BoardEvent, BoardKind, Command, Condition, FaultReason, Level, LineTrouble, Link, LinkConfig,
    LinkEvent, Mark, PortSpec, RankLevels, Report, SimConfig, SimulatedBoard, Trouble, TroubleCode,
    probe,
};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// No test may take longer.
const PATIENCE: Duration = Duration::from_secs(40);

/// A made-up game: `count` events of every kind, some of them in one scan, 100 ms apart.
fn script(count: u64) -> Vec<BoardEvent> {
    let event = |n: u64| {
        let square = Square::ALL[(n * 7 % 64) as usize];
        let symbol = if n.is_multiple_of(2) {
            Symbol::Something
        } else {
            Symbol::Empty
        };
        let by = if n.is_multiple_of(3) {
            Color::White
        } else {
            Color::Black
        };
        let report = match n % 10 {
            7 => Report::Press {
                by,
                white_ms: Some(n * 1000),
                black_ms: None,
            },
            8 => Report::Adjust { by },
            9 => Report::Changes(Square::ALL.map(|sq| (sq, symbol)).to_vec()),
            _ => Report::Changes(vec![(square, symbol)]),
        };
        BoardEvent {
            at: Time(n * 100),
            report,
        }
    };
    (0..count).map(event).collect()
}

/// A board and a link to it.
struct Bench {
    _dir: tempfile::TempDir,
    port: PathBuf,
    board: JoinHandle<SimReport>,
    happened: watch::Receiver<usize>,
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
        let config = LinkConfig {
            resume,
            ..LinkConfig::native(PortSpec::Path(port))
        };
        let (to, events) = mpsc::channel(16);
        let (commands, from) = mpsc::channel(4);
        let (shutdown, stopped) = oneshot::channel::<()>();
        let link = tokio::spawn(Link::run(config, to, from, async { drop(stopped.await) }));
        Host {
            link,
            events,
            commands,
            shutdown,
        }
    }

    async fn next(&mut self) -> LinkEvent {
        let event = timeout(PATIENCE, self.events.recv())
            .await
            .expect("in time")
            .expect("the link runs");
        if let LinkEvent::Board {
            mark: Some(mark), ..
        } = event
        {
            let _another_time = self.commands.try_send(Command::Acknowledge(mark));
        }
        event
    }

    async fn command(&self, command: Command) {
        let sent = self.commands.send(command).await;
        sent.expect("the link runs");
    }

    async fn report(&mut self) -> Report {
        loop {
            if let LinkEvent::Board { event, .. } = self.next().await {
                return event.report;
            }
        }
    }

    /// The levels of all ranks, when the last of them has come.
    async fn levels(&mut self) -> [RankLevels; 8] {
        let mut ranks = [RankLevels::default(); 8];
        loop {
            if let Report::Levels(levels) = self.report().await {
                ranks[usize::from(levels.rank)] = levels;
                if levels.rank == 7 {
                    return ranks;
                }
            }
        }
    }

    async fn stop(self) {
        let Host {
            link,
            events,
            shutdown,
            ..
        } = self;
        shutdown.send(()).expect("the link runs");
        timeout(PATIENCE, link)
            .await
            .expect("in time")
            .expect("no panic");
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
        let (count, happened) = watch::channel(0);
        let script = script
            .into_iter()
            .inspect(move |_| count.send_modify(|count| *count += 1));
        let board =
            tokio::spawn(
                async move { board.play(script, control).await.expect("the board plays") },
            );
        let host = Host::new(port.clone(), None);
        Bench {
            _dir: dir,
            port,
            board,
            happened,
            controls,
            host,
        }
    }

    async fn order(&self, control: Control) {
        let sent = self.controls.send(control).await;
        sent.expect("the board plays");
    }

    /// Everything until the port vanishes at the end: what happened on the board, times relative to
    /// the first event.
    async fn evidence(&mut self) -> Vec<BoardEvent> {
        let mut heard = Vec::new();
        loop {
            match self.host.next().await {
                LinkEvent::Board { event, .. } => heard.push(event),
                LinkEvent::Down(_) => return played(heard),
                LinkEvent::Up { .. } | LinkEvent::Trouble(_) | LinkEvent::Learning(_) => {}
            }
        }
    }
}

/// Waits while a board plays on, whether anybody hears it or not: until so much more has happened.
async fn play_on(happened: &mut watch::Receiver<usize>, events: usize) {
    let enough = *happened.borrow() + events;
    timeout(PATIENCE, happened.wait_for(|count| *count >= enough))
        .await
        .expect("play goes on")
        .expect("a board that plays");
}

/// Without what the board says of itself.
fn played(mut heard: Vec<BoardEvent>) -> Vec<BoardEvent> {
    heard.retain(|event| {
        matches!(
            event.report,
            Report::Changes(_) | Report::Press { .. } | Report::Adjust { .. }
        )
    });
    let start = heard.first().map_or(Time::ZERO, |event| event.at);
    for event in &mut heard {
        event.at = Time(event.at.since(start));
    }
    heard
}

#[tokio::test]
async fn every_event_once_and_in_order() {
    let mut bench = Bench::new(|config| config.pace = 0.0, script(500));
    let LinkEvent::Up { info, .. } = bench.host.next().await else {
        panic!("the board comes up first")
    };
    assert_eq!(
        (info.serial.as_str(), info.sensor),
        ("SIM-1", SensorClass::Occupancy)
    );
    assert_eq!(
        (info.clock, info.polled, info.lamps, info.adjust, info.pace),
        (true, false, true, true, 0.0)
    );
    let LinkEvent::Board { event, .. } = bench.host.next().await else {
        panic!("and then a snapshot")
    };
    let start = SensorClass::Occupancy.reads(&arbiter_core::shakmaty::Board::new());
    assert_eq!(event.report, Report::Snapshot(start));
    assert_eq!(bench.evidence().await, script(500));
    bench.host.stop().await;
}

#[tokio::test]
async fn a_noisy_line_costs_nothing() {
    let noise = LineNoise::all(7, 0.07);
    let change = |config: &mut SimConfig| {
        (config.pace, config.noise) = (0.0, noise);
        config.linger = Duration::from_secs(3);
    };
    let mut bench = Bench::new(change, script(1500));
    let (mut heard, mut trouble) = (Vec::new(), LineTrouble::default());
    loop {
        match bench.host.next().await {
            LinkEvent::Board { event, .. } => heard.push(event),
            LinkEvent::Trouble(more) => trouble.add(more),
            LinkEvent::Up { .. } | LinkEvent::Learning(_) => {}
            LinkEvent::Down(_) => break,
        }
    }
    assert_eq!(played(heard), script(1500));
    assert!(
        bench.board.await.expect("no panic").harmed > 150,
        "the line was noisy"
    );
    assert!(
        trouble.damaged > 50 && trouble.repeats > 50,
        "and that is told: {trouble:?}"
    );
    assert_eq!(trouble.dropped, 0);
    bench.host.stop().await;
}

#[tokio::test]
async fn a_line_that_pauses_delivers_everything_with_its_own_times() {
    let noise = LineNoise {
        pause: 0.06,
        ..LineNoise::default()
    };
    let patient = |config: &mut SimConfig| {
        (config.noise, config.linger) = (noise, Duration::from_secs(6));
    };
    let mut bench = Bench::new(patient, script(60));
    let (mut heard, mut pauses, mut last) = (Vec::new(), 0, Instant::now());
    loop {
        match bench.host.next().await {
            LinkEvent::Board { event, .. } => heard.push(event),
            LinkEvent::Down(_) => break,
            LinkEvent::Up { .. } | LinkEvent::Trouble(_) | LinkEvent::Learning(_) => {}
        }
        pauses += u32::from(last.elapsed() > Duration::from_millis(450));
        last = Instant::now();
    }
    let (heard, script) = (played(heard), script(60));
    assert_eq!(heard.len(), script.len());
    for (heard, played) in heard.iter().zip(&script) {
        assert_eq!(heard.report, played.report);
        // A busy machine plays a little late; the pauses are ten times as long.
        let late = heard.at.0.abs_diff(played.at.0);
        assert!(late < 50, "{late} ms, {played:?}");
    }
    assert!(pauses >= 2, "{pauses} pauses");
    bench.host.stop().await;
}

#[tokio::test]
async fn time_passes_at_the_boards_pace() {
    let started = Instant::now();
    let mut bench = Bench::new(|config| config.pace = 20.0, script(50));
    let LinkEvent::Up { mut clock, .. } = bench.host.next().await else {
        panic!("the board comes up first")
    };
    let mut heard = Vec::new();
    while let LinkEvent::Board {
        event, clock: now, ..
    } = bench.host.next().await
    {
        // Half a second of the board is 25 ms of the world: generous for a busy machine, and far
        // from another pace.
        let ahead = clock.at(Instant::now()).0.abs_diff(event.at.0);
        assert!(
            ahead < 2_000,
            "{ahead} board ms between {event:?} and its clock"
        );
        clock = now;
        heard.push(event);
    }
    // A board that gets its turn late dates what it sees then.
    let (told, meant) = (played(heard), script(50));
    assert_eq!(told.len(), meant.len());
    for (told, meant) in told.iter().zip(&meant) {
        assert_eq!(told.report, meant.report);
        let late = told.at.since(meant.at);
        assert!(
            told.at >= meant.at && late < 500,
            "{late} board ms: {told:?}"
        );
    }
    assert!(
        started.elapsed() >= Duration::from_millis(245),
        "4,900 ms at twenty times the speed"
    );
    bench.host.stop().await;
}

#[tokio::test]
async fn analogue_sensors_tell_their_levels_and_are_calibrated() {
    let ill = Condition {
        stuck: Square::D5.into(),
        trouble: Trouble::new(TroubleCode::NOT_CALIBRATED, 0),
        ..Condition::default()
    };
    let said = BoardEvent {
        at: Time(10),
        report: Report::Condition(ill),
    };
    let analogue = |config: &mut SimConfig| {
        (config.levels, config.linger) = (true, Duration::from_secs(30));
        (config.sensor, config.squares) = (
            SensorClass::Colour,
            SensorClass::Colour.reads(&Board::new()),
        );
    };
    let mut bench = Bench::new(analogue, vec![said]);
    let LinkEvent::Up { info, .. } = bench.host.next().await else {
        panic!("the board comes up first")
    };
    assert!(info.levels);
    while bench.host.report().await != Report::Condition(ill) {}
    bench.host.command(Command::RequestLevels).await;
    let levels = bench.host.levels().await;
    assert_eq!(levels.map(|rank| rank.rank), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(
        levels[1]
            .squares
            .iter()
            .all(|light| light.now > levels[1].on as i16),
        "{:?}",
        levels[1]
    );
    assert!(
        levels[6]
            .squares
            .iter()
            .all(|dark| dark.now < -(levels[6].on as i16)),
        "{:?}",
        levels[6]
    );
    assert!(
        levels[3]
            .squares
            .iter()
            .all(|empty| empty.now == 0 && empty.zero == 2048),
        "{:?}",
        levels[3]
    );
    bench.host.command(Command::Calibrate).await;
    let calibrated = bench.host.levels().await;
    let expected = |was: Level| Level {
        zero: was.zero.saturating_add_signed(was.now),
        now: 0,
        ..was
    };
    assert_eq!(
        calibrated,
        levels.map(|rank| RankLevels {
            squares: rank.squares.map(expected),
            ..rank
        })
    );
    bench.host.stop().await;
}

#[tokio::test]
async fn unplugged_and_plugged_in_again() {
    let mut bench = Bench::new(|config| config.pace = 5.0, script(50));
    let mut heard = Vec::new();
    let (mut ups, mut downs, mut snapshots) = (0, Vec::new(), 0);
    loop {
        match bench.host.next().await {
            LinkEvent::Up { .. } => ups += 1,
            LinkEvent::Board { event, .. } => {
                snapshots += usize::from(matches!(event.report, Report::Snapshot(_)));
                heard.push(event);
                if heard.len() == 15 {
                    bench.order(Control::Unplug).await;
                }
            }
            LinkEvent::Down(fault) => {
                downs.push(fault);
                if downs.len() == 2 {
                    bench.order(Control::Replug).await;
                }
                if ups == 2 {
                    break;
                }
            }
            LinkEvent::Trouble(_) | LinkEvent::Learning(_) => {}
        }
    }
    assert_eq!(
        played(heard),
        script(50),
        "what happened meanwhile is told when the board is back"
    );
    assert_eq!(downs[0], FaultReason::Unplugged);
    assert_eq!(
        downs[1],
        FaultReason::NoSuchPort {
            port: bench.port.display().to_string()
        }
    );
    assert!(snapshots >= 2, "a snapshot follows each connection");
    bench.host.stop().await;
}

#[tokio::test]
async fn a_reboot_in_mid_game() {
    let mut bench = Bench::new(|config| config.pace = 10.0, script(60));
    let mut boots = Vec::new();
    let mut squares: Option<Reading> = None;
    let mut heard = Vec::new();
    loop {
        match bench.host.next().await {
            LinkEvent::Up { info, .. } => boots.push(info.boot),
            LinkEvent::Trouble(_) | LinkEvent::Learning(_) => {}
            LinkEvent::Down(_) => break,
            LinkEvent::Board { event, .. } => {
                match &event.report {
                    Report::Changes(changes) => {
                        let squares = squares.as_mut().expect("a snapshot comes first");
                        changes
                            .iter()
                            .for_each(|(square, symbol)| squares.set(*square, *symbol));
                    }
                    Report::Snapshot(reading) => {
                        assert_eq!(
                            squares.get_or_insert(*reading),
                            reading,
                            "nothing was missed before the snapshot"
                        );
                    }
                    Report::Lost { count } => panic!("{count} reports lost"),
                    _ => {}
                }
                heard.push(event);
                if heard.len() == 20 {
                    bench.order(Control::Reboot).await;
                }
            }
        }
    }
    assert_eq!(boots.len(), 2, "the reboot is seen");
    assert_ne!(boots[0], boots[1]);
    let reports = |events: Vec<BoardEvent>| {
        events
            .into_iter()
            .map(|event| event.report)
            .collect::<Vec<_>>()
    };
    assert_eq!(reports(played(heard)), reports(script(60)));
    bench.host.stop().await;
}

#[tokio::test]
async fn a_host_that_starts_again_misses_nothing() {
    let mut bench = Bench::new(|config| config.pace = 5.0, script(60));
    let (mut heard, mut last) = (Vec::new(), None);
    while heard.len() < 20 {
        if let LinkEvent::Board { event, mark, .. } = bench.host.next().await {
            heard.push(event);
            last = mark.or(last);
        }
    }
    bench.host.stop().await;
    play_on(&mut bench.happened, 10).await;
    bench.host = Host::new(bench.port.clone(), last);
    loop {
        match bench.host.next().await {
            LinkEvent::Board { event, .. } => heard.push(event),
            LinkEvent::Down(_) => break,
            LinkEvent::Up { .. } | LinkEvent::Trouble(_) | LinkEvent::Learning(_) => {}
        }
    }
    assert_eq!(played(heard), script(60));
    bench.host.stop().await;
}

#[tokio::test]
async fn lamps_are_lit_over_a_noisy_line() {
    let mut bench = Bench::new(
        |config| (config.noise, config.linger) = (LineNoise::all(3, 0.1), Duration::from_secs(4)),
        script(3),
    );
    bench.host.command(Command::SetLamps(0x81)).await;
    bench.evidence().await;
    assert_eq!(bench.board.await.expect("no panic").lamps, 0x81);
    bench.host.stop().await;
}
