//! `arbiterd doctor`: a live picture of what a board reads, what is wrong with it, and tests of all its parts.

mod calibrate;
mod keys;
mod lamps;
mod lines;
mod picture;
mod screen;
mod summary;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use board_driver::recording::{Recorder, SharedRecorder};
use board_driver::{BoardKind, BusLink, Command, Link, LinkConfig, LinkEvent, PortSpec, Seat};
use clap::Args;
use daemon::doctor::{Examination, Finding, Weight};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use calibrate::Calibration;
use keys::{Key, Keys};
use lamps::LampTest;
use lines::Lines;
use screen::LiveScreen;

use super::failure::Failure;
use super::{runtime, simulate};

/// Between two looks at everything that changes by itself.
const TICK: Duration = Duration::from_millis(200);

/// How often analogue boards are asked for their levels, in ticks.
const LEVELS: u32 = 5;

/// What a board is still told at the end may take so long.
const FAREWELL: Duration = Duration::from_millis(300);

/// Examine a board: a live picture of what it reads, rates and losses, squares that flicker, and tests of its parts.
///
/// On a terminal there is a picture, and keys for the tests; elsewhere a line for everything that happens. At the end
/// comes a summary. The exit status is 0 if the board is healthy and every test that was asked for is passed, else 1.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  arbiterd doctor /dev/ttyACM0                     look at the board; keys are shown below the picture
  arbiterd doctor /dev/ttyACM0 --walk --controls   until every square, the lever and the buttons were tried
  arbiterd doctor /dev/ttyACM0 --for 10 --json     ten seconds, for machines
  arbiterd doctor /dev/ttyACM0 --calibrate         analogue sensors: take all pieces off first")]
pub(crate) struct Arguments {
    /// The board's port
    #[arg(value_name = "PORT")]
    port: PathBuf,
    /// What the board speaks; without it, the program finds out
    #[arg(long, value_name = "KIND")]
    board: Option<BoardKind>,
    /// The board's address, where many DGT boards share the port
    #[arg(long, value_name = "N")]
    address: Option<u16>,
    /// The port's speed [default: the usual one of boards of this kind]
    #[arg(long, value_name = "BITS")]
    baud: Option<u32>,
    /// How many times faster than the world a simulated board plays that cannot say so itself
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = simulate::speed)]
    pace: f32,
    /// End after so many seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    span: Option<Duration>,
    /// Walk test: every square has to be seen full and empty; take one piece over all 64, and lift those that stand
    #[arg(long)]
    walk: bool,
    /// The clock has to be pressed by both sides, and both adjust buttons where there are any
    #[arg(long)]
    controls: bool,
    /// Light the lamps rank by rank, file by file, all together
    #[arg(long)]
    lamps: bool,
    /// Analogue sensors: take what they read as zero, as soon as every square reads empty; take all pieces off first
    #[arg(long)]
    calibrate: bool,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
    /// Write lines on a terminal too, instead of the picture
    #[arg(long, conflicts_with = "json")]
    plain: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=1e6).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a number of seconds, from 0.1 on".to_owned())
}

/// Examines until the time is up, the tests are passed, or somebody interrupts.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.address.is_some() && arguments.board.is_some_and(|kind| kind != BoardKind::DgtBus) {
        return Err(Failure::bad_input("--address is for boards of the kind dgt-bus, many on one line"));
    }
    runtime()?.block_on(async {
        let shutdown = daemon::run::on_signals().map_err(Failure::failed)?;
        let (commands, orders) = mpsc::channel(16);
        let (to, events) = mpsc::channel(256);
        let recorder = Recorder::counting(Instant::now()).shared();
        let hang_up = CancellationToken::new();
        let line = tokio::spawn(follow(arguments, to, orders, recorder.clone(), hang_up.clone()));
        let mut doctor = Doctor::new(arguments, commands, recorder)?;
        let examined = doctor.examine(events, shutdown, arguments.span).await;
        doctor.dismiss().await;
        hang_up.cancel();
        // It ends by itself as soon as it is told.
        let _ended = line.await;
        examined?;
        doctor.conclude()
    })
}

/// Keeps the line to the board open.
fn follow(
    arguments: &Arguments,
    events: mpsc::Sender<LinkEvent>,
    commands: mpsc::Receiver<Command>,
    recorder: SharedRecorder,
    hang_up: CancellationToken,
) -> impl Future<Output = ()> + Send + 'static {
    let &Arguments { board, baud, pace, address, .. } = arguments;
    let kind = address.map(|_| BoardKind::DgtBus).or(board);
    let port = PortSpec::from(arguments.port.clone());
    let config = LinkConfig { kind, baud, pace, address, ..LinkConfig::native(port) };
    async move {
        let hang_up = hang_up.cancelled_owned();
        match address {
            Some(_) => BusLink::run(vec![Seat { config, events, commands }], hang_up).await,
            None => Link::record(config, events, commands, recorder, hang_up).await,
        }
    }
}

/// What has to happen before the examination may end by itself.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    walk: bool,
    controls: bool,
    lamps: bool,
    calibrate: bool,
}

/// Where it is shown.
enum Face {
    Picture(Box<LiveScreen>),
    Lines(Lines),
}

/// Somebody looks at a board.
struct Doctor {
    port: String,
    wanted: Wanted,
    board: Examination,
    commands: mpsc::Sender<Command>,
    recorder: SharedRecorder,
    lamps: LampTest,
    calibration: Calibration,
    face: Face,
    json: bool,
    ticks: u32,
}

impl Doctor {
    fn new(
        arguments: &Arguments,
        commands: mpsc::Sender<Command>,
        recorder: SharedRecorder,
    ) -> Result<Doctor, Failure> {
        let &Arguments { walk, controls, lamps, calibrate, json, plain, .. } = arguments;
        let wanted = Wanted { walk, controls, lamps, calibrate };
        let face = if io::stdout().is_terminal() && !json && !plain {
            Face::Picture(Box::new(LiveScreen::open().map_err(Failure::failed)?))
        } else {
            Face::Lines(Lines::new(json))
        };
        Ok(Doctor {
            port: arguments.port.display().to_string(),
            wanted,
            board: Examination::new(Instant::now()),
            commands,
            recorder,
            lamps: if lamps { LampTest::begin() } else { LampTest::default() },
            calibration: if calibrate { Calibration::Wanted } else { Calibration::None },
            face,
            json,
            ticks: 0,
        })
    }

    async fn examine(
        &mut self,
        mut events: mpsc::Receiver<LinkEvent>,
        shutdown: CancellationToken,
        span: Option<Duration>,
    ) -> Result<(), Failure> {
        let end = span.map(|span| tokio::time::Instant::now() + span);
        let mut keys = matches!(self.face, Face::Picture(_)).then(Keys::listen);
        let mut ticks = tokio::time::interval(TICK);
        while !self.is_over() {
            tokio::select! {
                () = shutdown.cancelled() => break,
                () = until(end) => break,
                Some(event) = events.recv() => self.hear(&event)?,
                Some(key) = pressed(&mut keys) => {
                    if self.press(key) {
                        break;
                    }
                }
                _ = ticks.tick() => self.tick()?,
            }
        }
        // What has come already counts.
        while let Ok(event) = events.try_recv() {
            self.hear(&event)?;
        }
        Ok(())
    }

    fn hear(&mut self, event: &LinkEvent) -> Result<(), Failure> {
        self.board.hear(Instant::now(), event);
        self.calibration.hear(&self.board);
        if let LinkEvent::Up { info, .. } = event {
            self.lamps.up(info.lamps);
            if info.levels {
                self.order(Command::RequestLevels);
            }
        }
        match &mut self.face {
            Face::Picture(_) => Ok(()),
            Face::Lines(lines) => lines.tell(&self.board, event),
        }
    }

    /// What happens by itself.
    fn tick(&mut self) -> Result<(), Failure> {
        let now = Instant::now();
        self.ticks += 1;
        self.board.bytes(now, self.recorder.counts().0);
        if self.board.line.up.is_some() {
            if let Some(lit) = self.lamps.tick() {
                self.order(Command::SetLamps(lit));
            }
            if self.calibration.is_due(&self.board) {
                self.calibrate();
            } else if self.board.is_analogue() && self.ticks.is_multiple_of(LEVELS) {
                self.order(Command::RequestLevels);
            }
        }
        match &mut self.face {
            Face::Picture(screen) => {
                let picture = picture::of(&self.board, &self.port, &self.lamps, &self.calibration, now);
                screen.draw(&picture).map_err(Failure::from)
            }
            Face::Lines(lines) => lines.tick(&self.board, now),
        }
    }

    /// A key was pressed; whether the examination is over.
    fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Quit => return true,
            Key::Again => self.board.again(Instant::now()),
            Key::Ask => self.order(Command::RequestSnapshot),
            Key::Lamps => self.lamps = LampTest::begin(),
            Key::Calibrate => self.calibration.ask(&self.board),
            Key::Yes if self.calibration == Calibration::Confirm => self.calibrate(),
            Key::Yes | Key::Other => self.calibration.leave(),
            Key::Redraw => {
                if let Face::Picture(screen) = &mut self.face {
                    screen.forget();
                }
            }
        }
        if key == Key::Lamps {
            self.lamps.up(self.board.board.as_ref().is_some_and(|(_, info)| info.lamps));
        }
        false
    }

    fn calibrate(&mut self) {
        self.calibration = Calibration::Asked;
        self.board.levels.forget();
        self.order(Command::Calibrate);
    }

    /// A board that takes no orders loses none that would matter: the next tick asks again.
    fn order(&self, command: Command) {
        let _full = self.commands.try_send(command);
    }

    /// Whether every test that was asked for is passed, if any was.
    fn is_over(&self) -> bool {
        let Wanted { walk, controls, lamps, calibrate } = self.wanted;
        (walk || controls || lamps || calibrate) && self.missing().is_empty()
    }

    /// What is missing of the tests that were asked for.
    fn missing(&self) -> Vec<Finding> {
        let info = self.board.board.as_ref().map(|(_, info)| info);
        let mut missing = Vec::new();
        if self.wanted.walk {
            missing.extend(summary::walk(&self.board));
        }
        if self.wanted.controls {
            missing.extend(summary::controls(&self.board));
        }
        if self.wanted.lamps && !self.lamps.is_done() {
            let none = info.is_some_and(|info| !info.lamps);
            missing.push(if none { "the board has no lamps" } else { "the lamps were not all lit" }.to_owned());
        }
        if self.wanted.calibrate {
            missing.extend(self.calibration.missing(&self.board));
        }
        missing.into_iter().map(Finding::wrong).collect()
    }

    /// Leaves the board as it was found, and the terminal too.
    async fn dismiss(&mut self) {
        if self.lamps.has_lit() {
            self.order(Command::SetLamps(0));
            tokio::time::sleep(FAREWELL).await;
        }
        self.board.bytes(Instant::now(), self.recorder.counts().0);
        if let Face::Picture(screen) = &mut self.face {
            screen.close();
        }
    }

    /// The summary, and the exit status.
    fn conclude(&self) -> Result<(), Failure> {
        let now = Instant::now();
        let mut findings = self.missing();
        findings.extend(self.board.findings(now));
        findings.sort_by_key(|finding| finding.weight);
        if self.json {
            summary::write_json(&self.board, &findings, now)?;
        } else {
            summary::write(&self.board, &findings, now)?;
        }
        match findings.iter().filter(|finding| finding.weight == Weight::Wrong).count() {
            0 => Ok(()),
            1 => Err(Failure::failed("the board is not healthy: one thing is wrong")),
            n => Err(Failure::failed(format_args!("the board is not healthy: {n} things are wrong"))),
        }
    }
}

async fn until(end: Option<tokio::time::Instant>) {
    match end {
        Some(end) => tokio::time::sleep_until(end).await,
        None => std::future::pending().await,
    }
}

async fn pressed(keys: &mut Option<Keys>) -> Option<Key> {
    match keys {
        Some(keys) => keys.next().await,
        None => std::future::pending().await,
    }
}
