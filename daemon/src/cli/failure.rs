//! How a command fails: one line on standard error and an exit status.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Could not do it: status 1.
    Failed(String),
    /// Bad input or arguments: status 2.
    BadInput(String),
    /// A file is wrong at a line: status 2, `FILE:LINE: what` and nothing before it, as compilers
    /// write.
    BadLine(String),
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

    /// A file is wrong; `what` names it and the line.
    pub(crate) fn bad_line(what: impl Display) -> Failure {
        Failure::BadLine(what.to_string())
    }

    /// The same with the file that it is about.
    pub(crate) fn of(self, file: &Path) -> Failure {
        let name = file.display();
        match self {
            Failure::Failed(what) => Failure::Failed(format!("{name}: {what}")),
            Failure::BadInput(what) => Failure::BadInput(format!("{name}: {what}")),
            other => other,
        }
    }

    /// Wrong arguments to `command`, as one line instead of clap's paragraphs.
    pub(crate) fn arguments(error: &clap::Error, command: &str) -> Failure {
        let text = error.render().to_string();
        let paragraphs = text
            .split("\n\n")
            .map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
        let told = |p: &String| {
            !p.is_empty() && !p.starts_with("Usage:") && !p.starts_with("For more information")
        };
        let line = paragraphs.filter(told).collect::<Vec<_>>().join("; ");
        let line = line.strip_prefix("error: ").unwrap_or(&line);
        Failure::BadInput(format!("{line}; see `{command} --help`"))
    }

    /// Writes the one line, for machines a JSON object, and gives the exit status.
    pub(crate) fn report(self, json: bool) -> ExitCode {
        let (status, before, what) = match self {
            Failure::Failed(what) => (1, "arbiterd: ", what),
            Failure::BadInput(what) => (2, "arbiterd: ", what),
            Failure::BadLine(what) => (2, "", what),
            Failure::NobodyReads => return ExitCode::SUCCESS,
        };
        if json {
            eprintln!("{}", json!({ "error": what, "status": status }));
        } else {
            eprintln!("{before}{what}");
        }
        ExitCode::from(status)
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
