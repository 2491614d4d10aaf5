//! `arbiterd support`: one file for a report of a fault.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use daemon::support::{SupportError, Wanted, bundle};
use serde_json::json;

use super::failure::Failure;

/// Make one file for a report of a fault: the program, the configuration, the log, and games as
/// event scripts, without anybody's name.
///
/// Works beside a running daemon. Look through the file before you give it away.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  arbiterd support --dir /var/lib/arbiter --config /etc/arbiter/arbiter.toml --board b07
  arbiterd support fault.zip --log arbiterd.log --games 1")]
pub(crate) struct Arguments {
    /// The file, which must not exist [default: arbiter-support-DAY.zip]
    file: Option<PathBuf>,
    /// The daemon's store
    #[arg(long, default_value = "arbiter-data")]
    dir: PathBuf,
    /// The daemon's configuration
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Only games of this board; may be repeated
    #[arg(long = "board", value_name = "ID")]
    boards: Vec<String>,
    /// So many games of each board, the newest
    #[arg(long, value_name = "N", default_value_t = 2)]
    games: usize,
    /// The daemon's log [default: what the system's journal has of the unit arbiterd]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// Makes the file.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let read = |file: &PathBuf| {
        let text = fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        text.map_err(|e| Failure::bad_input(format_args!("{}: {e}", file.display())))
    };
    let wanted = Wanted {
        dir: arguments.dir.clone(),
        configuration: arguments.config.as_ref().map(read).transpose()?,
        boards: arguments.boards.clone(),
        games: arguments.games,
        log: match &arguments.log {
            Some(file) => Some(read(file)?),
            None => of_the_unit(),
        },
    };
    let file = arguments.file.clone().unwrap_or_else(|| {
        let day = jiff::Zoned::now().date();
        format!("arbiter-support-{day}.zip").into()
    });
    let refused = |e: std::io::Error| Failure::bad_input(format_args!("{}: {e}", file.display()));
    let opened = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .map_err(refused)?;
    let made = bundle(&wanted, opened);
    if made.is_err() {
        let _nothing_in_it = fs::remove_file(&file);
    }
    let names = made.map_err(|error| match error {
        SupportError::Store(error) => Failure::bad_input(error),
        error => Failure::failed(error),
    })?;
    if arguments.json {
        println!("{}", json!({"file": file, "holds": names}));
        return Ok(());
    }
    println!("{}", file.display());
    names.iter().for_each(|name| println!("  {name}"));
    if wanted.log.is_none() {
        eprintln!("no log was found; name one with --log");
    }
    eprintln!("Names were taken out. Look through it before you give it away.");
    Ok(())
}

/// The end of what the system's journal has of the daemon.
fn of_the_unit() -> Option<String> {
    let journal = Command::new("journalctl")
        .args([
            "--unit",
            "arbiterd",
            "--lines",
            "5000",
            "--output",
            "short-iso-precise",
        ])
        .args(["--no-pager", "--no-hostname", "--quiet"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&journal.stdout).into_owned();
    (journal.status.success() && !text.trim().is_empty()).then_some(text)
}
