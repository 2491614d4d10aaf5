//! `arbiterd serve`, `arbiterd check-config` and `arbiterd config`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use daemon::config::{self, Config};

use super::failure::Failure;
use super::runtime;

/// Follow the boards of a configuration: journal, PGN files and console.
///
/// Ctrl-C ends it in order; a second Ctrl-C ends it at once. Nothing that was shown is lost either
/// way.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd serve --config hall.toml")]
pub(crate) struct Serve {
    /// The configuration
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Write the log as JSON, one object a line
    #[arg(long)]
    json: bool,
    /// Serve a network without TLS and without passwords: WHOEVER REACHES THE ADDRESS RULES. For
    /// those behind a proxy of their own that asks who is there
    #[arg(long)]
    insecure_network: bool,
}

/// Say what is wrong with a configuration, or `ok`.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd check-config hall.toml")]
pub(crate) struct CheckConfig {
    /// The configuration
    file: PathBuf,
}

/// Show what can be configured.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd config example > hall.toml")]
pub(crate) struct Show {
    #[command(subcommand)]
    what: Shown,
}

#[derive(Subcommand, Debug)]
enum Shown {
    /// A configuration with every key, each with what it is for
    Example,
}

/// Runs the daemon until it is told to stop.
pub(crate) fn serve(arguments: &Serve) -> Result<(), Failure> {
    let mut config = Config::load(&arguments.config).map_err(Failure::bad_line)?;
    config.entrance.insecure = arguments.insecure_network;
    daemon::logging::start(arguments.json);
    runtime()?.block_on(async {
        let shutdown = daemon::run::on_signals().map_err(Failure::failed)?;
        daemon::run::run(config, shutdown)
            .await
            .map_err(Failure::failed)
    })
}

/// Checks a configuration without running it.
pub(crate) fn check_config(arguments: &CheckConfig) -> Result<(), Failure> {
    let config = Config::load(&arguments.file).map_err(Failure::bad_line)?;
    if let Some(wishes) = &config.hub {
        let wrong =
            |error| Failure::bad_line(format_args!("{}: [hub] {error}", arguments.file.display()));
        daemon::hub::check(wishes).map_err(wrong)?;
    }
    let wrong = |error| Failure::bad_line(format_args!("{}: {error}", arguments.file.display()));
    config.entrance.check().map_err(wrong)?;
    Ok(writeln!(io::stdout(), "ok")?)
}

/// Prints a configuration with every key.
pub(crate) fn show(arguments: &Show) -> Result<(), Failure> {
    match arguments.what {
        Shown::Example => Ok(io::stdout().write_all(config::EXAMPLE.as_bytes())?),
    }
}
