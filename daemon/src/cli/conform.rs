//! `arbiterd conform`: whether a board speaks the native protocol, tried from the host's end.

use std::path::PathBuf;
use std::time::Duration;

use board_driver::conform::{Outcome, Verdict, examine};
use board_driver::{PortSpec, transport};
use clap::Args;
use serde_json::json;
use tokio::time::timeout;

use super::failure::Failure;
use super::runtime;
use super::terminal::{BAD, FAINT, GOOD, NOTICE, Screen};

/// The usual speed of native boards; those on USB have none.
const BAUD: u32 = 115_200;
/// All trials end within this time, whatever a device does.
const LONGEST: Duration = Duration::from_secs(120);

/// Try whether a board speaks the native protocol as docs/wire.md says. For makers of boards.
///
/// Nobody has to touch the board. Start it anew before: that it is silent until it is spoken to can
/// be tried only once. The exit status is 0 if it did everything that could be tried, else 1.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  arbiterd conform /dev/ttyACM0              eighteen trials, some twenty seconds
  arbiterd conform tcp://192.168.1.20:2323   a board in the network
  arbiterd conform /dev/ttyACM0 --json       for machines, one object a line")]
pub(crate) struct Arguments {
    /// The board's port
    #[arg(value_name = "PORT")]
    port: PathBuf,
    /// The port's speed; boards on USB have none
    #[arg(long, value_name = "BITS", default_value_t = BAUD)]
    baud: u32,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Tries everything.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let port = PortSpec::from(arguments.port.clone());
    let (screen, mut told) = (Screen::stdout(), Vec::new());
    let tell = |verdict: Verdict| {
        match arguments.json {
            true => println!("{}", as_json(&verdict)),
            false => println!("{}", in_words(screen, &verdict)),
        }
        told.push(verdict.outcome);
    };
    let in_time = runtime()?.block_on(async {
        let line = transport::connect(&port, arguments.baud, &[])
            .await
            .map_err(Failure::failed)?;
        Ok::<bool, Failure>(timeout(LONGEST, examine(line, tell)).await.is_ok())
    })?;
    let failed = told
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Failed(_)));
    match (failed.count(), in_time) {
        (0, true) => Ok(()),
        (0, false) => Err(Failure::failed(format_args!(
            "{port}: the trials did not end within {} s",
            LONGEST.as_secs()
        ))),
        (count, _) => Err(Failure::failed(format_args!(
            "{port}: {count} of {} trials failed; docs/wire.md has the sections",
            told.len()
        ))),
    }
}

fn as_json(verdict: &Verdict) -> serde_json::Value {
    json!({
        "trial": verdict.trial,
        "section": verdict.section,
        "outcome": verdict.outcome.name(),
        "seen": verdict.outcome.to_string(),
    })
}

fn in_words(screen: Screen, verdict: &Verdict) -> String {
    let style = match verdict.outcome {
        Outcome::Passed(_) => GOOD,
        Outcome::Failed(_) => BAD,
        Outcome::Untried(_) => NOTICE,
    };
    let name = screen.paint(style, &format!("{:7}", verdict.outcome.name()));
    let seen = screen.paint(
        FAINT,
        &format!("{} (section {})", verdict.outcome, verdict.section),
    );
    format!("{name}  {}: {seen}", verdict.trial)
}
