//! How a command fails: one line on standard error and an exit status.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Could not do it: status 1.
    Failed(String),
    /// Bad input or arguments: status 2.
    BadInput(String),
    /// A script is wrong at a line: status 2, `FILE:LINE: what` and nothing before it, as compilers write.
    BadLine(daemon::script::ScriptError),
    /// Whoever read our output went away: silence, status 0.
    NobodyReads,
}

impl Failure {
    /// What was asked for could not be done.
    pub(crate) fn failed(what: impl Display) -> Failure {
        Failure::Failed(what.to_string())
    }

    /// The user gave something wrong.
    pub(crate) fn bad_input(what: impl Display) -> Failure {
        Failure::BadInput(what.to_string())
    }

    /// Wrong arguments, as one line instead of a paragraph.
    pub(crate) fn arguments(error: &clap::Error) -> Failure {
        let text = error.render().to_string();
        let told = text.split("\n\nUsage:").next().unwrap_or(&text).split("\n\nFor more information").next();
        let words: Vec<&str> = told.unwrap_or(&text).split_whitespace().collect();
        let line = words.join(" ");
        let line = line.strip_prefix("error: ").unwrap_or(&line).trim_end_matches('.');
        Failure::BadInput(format!("{line}; see `{} --help`", command_of(&text)))
    }

    /// Writes the one line and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Failed(what) => {
                eprintln!("arbiterd: {what}");
                ExitCode::from(1)
            }
            Failure::BadInput(what) => {
                eprintln!("arbiterd: {what}");
                ExitCode::from(2)
            }
            Failure::BadLine(error) => {
                eprintln!("{error}");
                ExitCode::from(2)
            }
            Failure::NobodyReads => ExitCode::SUCCESS,
        }
    }
}

/// Writing to standard output failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyReads,
            _ => Failure::Failed(format!("cannot write: {error}")),
        }
    }
}

/// The command whose usage clap shows: `arbiterd replay` out of `Usage: arbiterd replay <FILE>...`.
fn command_of(text: &str) -> String {
    let usage = text.split("Usage: ").nth(1).unwrap_or("arbiterd");
    let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-');
    usage.split_whitespace().take_while(is_name).take(2).collect::<Vec<_>>().join(" ")
}
