//! The commands of `arbiterd`, their arguments, and how they end: 0 done, 1 could not do it, 2 bad
//! input or arguments.

mod ask;
mod backup;
mod board;
mod conform;
#[cfg(feature = "simulators")]
mod demo;
mod doctor;
mod event;
mod export;
mod failure;
mod floor;
mod generate;
mod hub;
mod pairings;
mod people;
mod ports;
mod pretty;
mod record;
mod replay;
mod results;
mod round;
mod serve;
#[cfg(feature = "simulators")]
mod simulate;
mod speed;
mod support;
mod table;
mod terminal;
mod verify;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use failure::Failure;

/// What to try first.
const FIRST: &str = if cfg!(feature = "simulators") {
    "arbiterd demo"
} else {
    "arbiterd serve --config FILE"
};

/// The electronic arbiter: follows sensor chess boards, records every game, and applies the Laws of
/// Chess.
#[derive(Parser, Debug)]
#[command(name = "arbiterd", version = env!("ARBITERD_VERSION"))]
#[command(after_help = format!("Example: {FIRST}"))]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    #[cfg(feature = "simulators")]
    Demo(demo::Arguments),
    Serve(serve::Serve),
    CheckConfig(serve::CheckConfig),
    Config(serve::Show),
    #[cfg(feature = "simulators")]
    Simulate(Box<simulate::Arguments>),
    Hub(hub::Arguments),
    Ports(ports::Arguments),
    Record(record::Arguments),
    Doctor(doctor::Arguments),
    Conform(conform::Arguments),
    Replay(replay::Arguments),
    Export(export::Arguments),
    Event(event::Arguments),
    Board(board::Arguments),
    Round(round::Rounds),
    Table(table::Arguments),
    Pairings(pairings::Arguments),
    People(people::Arguments),
    Results(results::Arguments),
    Verify(verify::Verify),
    Backup(backup::BackUp),
    Restore(backup::Restore),
    Repair(verify::Repair),
    Support(support::Arguments),
    #[command(hide = true)]
    Generate(generate::Arguments),
}

/// Runs the command line and reports what went wrong in one line.
pub(crate) fn main() -> ExitCode {
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(told) => answer(&told),
    };
    // Also where the arguments could not be understood.
    let json = std::env::args().any(|word| word == "--json");
    outcome.map_or_else(|failure| failure.report(json), |()| ExitCode::SUCCESS)
}

/// What clap has to say: help and version are answers, everything else is an error.
fn answer(told: &clap::Error) -> Result<(), Failure> {
    match told.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(told.print()?),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            told.print()?;
            Err(Failure::bad_input(format_args!(
                "a command is missing; `{FIRST}` shows what this is"
            )))
        }
        _ => {
            let word = std::env::args().nth(1).unwrap_or_default();
            let known = Arguments::command().find_subcommand(&word).is_some();
            Err(Failure::arguments(
                told,
                &if known {
                    format!("arbiterd {word}")
                } else {
                    "arbiterd".to_owned()
                },
            ))
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        #[cfg(feature = "simulators")]
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Serve(arguments) => serve::serve(&arguments),
        Command::CheckConfig(arguments) => serve::check_config(&arguments),
        Command::Config(arguments) => serve::show(&arguments),
        #[cfg(feature = "simulators")]
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Hub(arguments) => hub::run(&arguments),
        Command::Ports(arguments) => ports::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Conform(arguments) => conform::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Event(arguments) => event::run(&arguments),
        Command::Board(arguments) => board::run(&arguments),
        Command::Round(arguments) => round::run(&arguments),
        Command::Table(arguments) => table::run(&arguments),
        Command::Pairings(arguments) => pairings::run(&arguments),
        Command::People(arguments) => people::run(&arguments),
        Command::Results(arguments) => results::run(&arguments),
        Command::Backup(arguments) => backup::run_back_up(&arguments),
        Command::Restore(arguments) => backup::run_restore(&arguments),
        Command::Verify(arguments) => verify::run_verify(&arguments),
        Command::Repair(arguments) => verify::run_repair(&arguments),
        Command::Support(arguments) => support::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments, Arguments::command()),
    }
}

/// The runtime of commands that talk to boards.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    daemon::run::runtime().map_err(Failure::failed)
}
