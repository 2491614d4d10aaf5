//! `arbiterd record`: keeps every byte of a board's line with its time.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use board_driver::recording::{Header, Recorder, SharedRecorder};
use board_driver::transport::Line;
use board_driver::{
    BoardEvent, BoardKind, Command, FaultReason, Link, LinkConfig, LinkEvent, PortSpec, Report,
    probe,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::failure::Failure;
use super::runtime;
use super::speed::speed;

/// Record every byte of a board's line with its time, in both directions, until Ctrl-C.
///
/// `arbiterd replay --raw FILE` plays it again, through driver and arbiter. Nothing recorded is
/// lost, however the program ends.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd record /dev/ttyUSB0 -o evening.rec")]
pub(crate) struct Arguments {
    /// The board's port
    #[arg(value_name = "PORT")]
    port: PathBuf,
    /// The recording, a new file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What the board speaks; without it, the program finds out
    #[arg(long, value_name = "KIND")]
    board: Option<BoardKind>,
    /// Only listen, and write nothing to the port: for boards that this program does not know
    #[arg(long, conflicts_with = "board")]
    listen: bool,
    /// The port's speed [default: the usual one of boards of this kind, 115200 where nobody knows]
    #[arg(long, value_name = "BITS")]
    baud: Option<u32>,
    /// How many times faster than the world a simulated board plays that cannot say so itself
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    pace: f32,
}

/// Records until somebody interrupts.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let shutdown = daemon::run::on_signals().map_err(Failure::failed)?;
        let port = PortSpec::from(arguments.port.clone());
        let kind = kind(arguments, &port).await?;
        let recorder = begin(arguments, kind)?;
        let bar = bar();
        match kind {
            Some(kind) => follow(arguments, kind, port, &recorder, &bar, shutdown).await,
            None => listen(arguments, &port, &recorder, &bar, shutdown).await,
        }
        bar.finish_and_clear();
        recorder
            .sync()
            .map_err(|e| Failure::failed(format_args!("{}: {e}", arguments.output.display())))?;
        let (from, to) = recorder.counts();
        writeln!(
            io::stdout(),
            "{from} bytes from the board and {to} to it in {}",
            arguments.output.display()
        )?;
        Ok(())
    })
}

/// What the board speaks. `None`: nobody is to speak to it.
async fn kind(arguments: &Arguments, port: &PortSpec) -> Result<Option<BoardKind>, Failure> {
    if arguments.listen || arguments.board.is_some() {
        return Ok(arguments.board);
    }
    if io::stderr().is_terminal() {
        eprintln!("finding out which board this is; --board KIND spares the seconds");
    }
    match probe(port).await {
        Ok(probed) => Ok(Some(probed.kind)),
        Err(fault @ (FaultReason::NoAnswer | FaultReason::Garbage)) => {
            Err(Failure::failed(format_args!(
                "{port}: {fault}; to record a board that is not known, use --listen (and --baud)"
            )))
        }
        Err(fault) => Err(Failure::failed(fault)),
    }
}

fn begin(arguments: &Arguments, kind: Option<BoardKind>) -> Result<SharedRecorder, Failure> {
    let started = jiff::Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string();
    let port = arguments.port.display().to_string().replace(' ', "_");
    let header = Header {
        kind,
        pace: arguments.pace,
        started,
        port,
    };
    let recorder = Recorder::create(&arguments.output, &header, Instant::now());
    let file = arguments.output.display();
    let recorder = recorder.map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::bad_input(format_args!("{file} exists; choose another name"))
        }
        _ => Failure::failed(format_args!("cannot write {file}: {e}")),
    })?;
    writeln!(io::stdout(), "recording to {file}; Ctrl-C ends")?;
    Ok(recorder.shared())
}

/// Speaks to the board as the daemon does.
async fn follow(
    arguments: &Arguments,
    kind: BoardKind,
    port: PortSpec,
    recorder: &SharedRecorder,
    bar: &ProgressBar,
    shutdown: CancellationToken,
) {
    let (kind, baud, pace) = (Some(kind), arguments.baud, arguments.pace);
    let config = LinkConfig {
        kind,
        baud,
        pace,
        ..LinkConfig::native(port)
    };
    let (to, mut events) = mpsc::channel(64);
    let (wishes, commands) = mpsc::channel(1);
    let link = Link::record(
        config,
        to,
        commands,
        recorder.clone(),
        shutdown.cancelled_owned(),
    );
    let watch = async {
        while let Some(event) = events.recv().await {
            match event {
                LinkEvent::Up { kind, info, .. } => {
                    let answers =
                        format!("a board answers: {} {}", kind.profile().title, info.serial);
                    note(bar, answers.trim_end());
                }
                LinkEvent::Down(fault) => note(bar, &fault.to_string()),
                LinkEvent::Board { event, mark, .. } => {
                    bar.set_message(words(recorder, &event));
                    // A recording that cannot be written keeps nothing.
                    if let Some(mark) = mark.filter(|_| recorder.is_whole()) {
                        let _another_time = wishes.try_send(Command::Acknowledge(mark));
                    }
                }
                LinkEvent::Learning(learning) => note(bar, learning.words()),
                LinkEvent::Trouble(_) => {}
            }
        }
    };
    tokio::join!(link, watch);
}

/// Writes nothing to the port, and keeps what comes.
async fn listen(
    arguments: &Arguments,
    port: &PortSpec,
    recorder: &SharedRecorder,
    bar: &ProgressBar,
    shutdown: CancellationToken,
) {
    let listening = async {
        loop {
            let fault = match board_driver::connect(port, arguments.baud.unwrap_or(115_200)).await {
                Ok(line) => hear(line, recorder, bar).await,
                Err(fault) => fault,
            };
            note(bar, &fault.to_string());
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        () = shutdown.cancelled() => {}
        () = listening => {}
    }
}

async fn hear(
    mut line: Box<dyn Line>,
    recorder: &SharedRecorder,
    bar: &ProgressBar,
) -> FaultReason {
    recorder.open(Instant::now());
    let mut bytes = [0; 1024];
    loop {
        match line.read(&mut bytes).await {
            Ok(count) if count > 0 => recorder.received(Instant::now(), &bytes[..count]),
            _ => break,
        }
        bar.set_message(format!("{} bytes", recorder.counts().0));
    }
    let fault = FaultReason::Unplugged;
    recorder.down(Instant::now(), &fault.to_string());
    fault
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed_precise} {spinner} {msg}");
    let bar = ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A line that stays.
fn note(bar: &ProgressBar, text: &str) {
    if io::stderr().is_terminal() {
        bar.println(text)
    } else {
        eprintln!("{text}")
    }
}

/// How much there is, and what was reported last.
fn words(recorder: &SharedRecorder, event: &BoardEvent) -> String {
    let (from, to) = recorder.counts();
    let last = match &event.report {
        Report::Changes(changes) => changes
            .iter()
            .map(|(square, seen)| format!(" {square}:{seen}"))
            .collect(),
        Report::Press { by, .. } => format!(" {by} pressed"),
        Report::FlagFall { by } => format!(" {by}'s flag fell"),
        Report::Snapshot(_) => " every square".to_owned(),
        _ => String::new(),
    };
    format!("{from} bytes from the board, {to} to it{last}")
}
