//! An examination: what is heard, pressed and asked for, until it is over; then the judgement.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use board_driver::recording::SharedRecorder;
use board_driver::{BenchOrder, Command, LinkEvent};
use daemon::doctor::{Examination, Finding, Weight};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::calibrate::Calibration;
use super::keys::{Key, Keys};
use super::lamps::LampTest;
use super::lines::Lines;
use super::mending::Mending;
use super::screen::LiveScreen;
use super::{Arguments, picture, summary};
use crate::cli::failure::Failure;

/// Between two looks at everything that changes by itself.
const TICK: Duration = Duration::from_millis(200);

/// How often a board is asked for what it does not tell unasked, in ticks.
const AGAIN: u32 = 5;

/// What a board is still told at the end may take so long.
const FAREWELL: Duration = Duration::from_millis(300);

/// What has to happen before the examination may end by itself.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    walk: bool,
    controls: bool,
    lamps: bool,
    calibrate: bool,
    mend: bool,
    self_test: bool,
}

/// Where it is shown.
enum Face {
    Picture(Box<LiveScreen>),
    Lines(Lines),
}

/// Somebody looks at a board.
pub(super) struct Doctor {
    port: String,
    wanted: Wanted,
    board: Examination,
    commands: mpsc::Sender<Command>,
    recorder: SharedRecorder,
    lamps: LampTest,
    calibration: Calibration,
    mending: Mending,
    face: Face,
    json: bool,
    ticks: u32,
}

impl Doctor {
    pub(super) fn new(
        arguments: &Arguments,
        commands: mpsc::Sender<Command>,
        recorder: SharedRecorder,
    ) -> Result<Doctor, Failure> {
        let &Arguments {
            walk,
            controls,
            lamps,
            calibrate,
            mend,
            self_test,
            json,
            plain,
            ..
        } = arguments;
        let wanted = Wanted {
            walk,
            controls,
            lamps,
            calibrate,
            mend,
            self_test,
        };
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
            lamps: if lamps {
                LampTest::begin()
            } else {
                LampTest::default()
            },
            calibration: if calibrate {
                Calibration::Wanted
            } else {
                Calibration::None
            },
            mending: if mend { Mending::Wanted } else { Mending::None },
            face,
            json,
            ticks: 0,
        })
    }

    pub(super) async fn examine(
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
        if let Some(order) = self.mending.hear(&self.board) {
            self.order(Command::Bench(order));
        }
        if let LinkEvent::Up { info, .. } = event {
            self.lamps.up(info.lamps);
            if info.levels {
                self.order(Command::RequestLevels);
            }
        }
        match &mut self.face {
            Face::Picture(_) => Ok(()),
            Face::Lines(lines) => {
                lines.tell(&self.board, event)?;
                lines.mend(&self.board, &self.mending)
            }
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
            if let Some(lit) = self.mending.square().filter(|_| self.has_lamps()) {
                self.order(Command::SetLamps(1 << u32::from(lit)));
            }
            if self.calibration.is_due(&self.board) {
                self.calibrate();
            } else if self.ticks.is_multiple_of(AGAIN) {
                self.ask_again();
            }
        }
        match &mut self.face {
            Face::Picture(screen) => {
                let doing = picture::Doing {
                    lamps: &self.lamps,
                    calibration: &self.calibration,
                    mending: &self.mending,
                };
                let picture = picture::of(&self.board, &self.port, &doing, now);
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
            Key::Mend => self.mending.begin(&self.board),
            Key::Test => self.order(Command::Bench(BenchOrder::SelfTest)),
            Key::Yes if self.calibration == Calibration::Confirm => self.calibrate(),
            Key::Yes | Key::Other => self.calibration.leave(),
            Key::Redraw => {
                if let Face::Picture(screen) = &mut self.face {
                    screen.forget();
                }
            }
        }
        if key == Key::Lamps {
            self.lamps.up(self
                .board
                .board
                .as_ref()
                .is_some_and(|(_, info)| info.lamps));
        }
        false
    }

    fn has_lamps(&self) -> bool {
        self.board
            .board
            .as_ref()
            .is_some_and(|(_, info)| info.lamps)
    }

    /// What a board tells only when it is asked, and what was not answered.
    fn ask_again(&mut self) {
        if self.board.is_analogue() {
            self.order(Command::RequestLevels);
        }
        if self.wanted.self_test && !self.board.tested.is_whole() {
            self.order(Command::Bench(BenchOrder::SelfTest));
        }
        if let Some(order) = self.mending.tick(&self.board) {
            self.order(Command::Bench(order));
        }
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
        let Wanted {
            walk,
            controls,
            lamps,
            calibrate,
            mend,
            self_test,
        } = self.wanted;
        let wants_any = walk || controls || lamps || calibrate || mend || self_test;
        wants_any && self.missing().is_empty()
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
            missing.push(
                if none {
                    "the board has no lamps"
                } else {
                    "the lamps were not all lit"
                }
                .to_owned(),
            );
        }
        if self.wanted.calibrate {
            missing.extend(self.calibration.missing(&self.board));
        }
        if self.wanted.mend {
            missing.extend(self.mending.missing(&self.board));
        }
        if self.wanted.self_test && !self.board.tested.is_whole() {
            let none = info.is_some_and(|info| !info.self_test);
            missing.push(
                if none {
                    "the board cannot try its own parts"
                } else {
                    "the board has not told what it found"
                }
                .to_owned(),
            );
        }
        missing.into_iter().map(Finding::wrong).collect()
    }

    /// Leaves the board as it was found, and the terminal too.
    pub(super) async fn dismiss(&mut self) {
        if self.lamps.has_lit() || (self.wanted.mend && self.has_lamps()) {
            self.order(Command::SetLamps(0));
            tokio::time::sleep(FAREWELL).await;
        }
        self.board.bytes(Instant::now(), self.recorder.counts().0);
        if let Face::Picture(screen) = &mut self.face {
            screen.close();
        }
    }

    /// The summary, and the exit status.
    pub(super) fn conclude(&self) -> Result<(), Failure> {
        let now = Instant::now();
        let mut findings = self.missing();
        findings.extend(self.board.findings(now));
        findings.sort_by_key(|finding| finding.weight);
        if self.json {
            summary::write_json(&self.board, &findings, now)?;
        } else {
            summary::write(&self.board, &findings, now)?;
        }
        match findings
            .iter()
            .filter(|finding| finding.weight == Weight::Wrong)
            .count()
        {
            0 => Ok(()),
            1 => Err(Failure::failed(
                "the board is not healthy: one thing is wrong",
            )),
            n => Err(Failure::failed(format_args!(
                "the board is not healthy: {n} things are wrong"
            ))),
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
