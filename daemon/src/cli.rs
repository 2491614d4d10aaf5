//! The commands of `arbiterd`, their arguments, and how they end: 0 done, 1 could not do it, 2 bad input or arguments.

mod failure;
mod pretty;
mod replay;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// The electronic arbiter: follows sensor chess boards, records every game, and applies the Laws of Chess.
#[derive(Parser, Debug)]
#[command(name = "arbiterd", version, after_help = "Example: arbiterd demo")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Replay(replay::Arguments),
}

/// Runs the command line and reports what went wrong in one line.
pub(crate) fn main() -> ExitCode {
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(told) if !told.use_stderr() => {
            // `--help` and `--version` are answers, not errors. A reader that went away needs none.
            let _ = told.print();
            Ok(())
        }
        Err(error) => Err(Failure::arguments(&error)),
    };
    outcome.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Replay(arguments) => replay::run(&arguments),
    }
}
