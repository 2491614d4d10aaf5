//! Logs on standard error: text for people, or JSON for machines.
//!
//! A line for people begins with the board that it is about, so that whoever walks to it need not
//! search; then comes what happened, then whatever else is known. One line is one line, whatever
//! stands in names and messages.

use std::fmt::{self, Write};
use std::io::IsTerminal;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// The environment variable that chooses what is logged, such as `info` or `daemon=debug`.
pub const VARIABLE: &str = "ARBITERD_LOG";

/// What is logged when nobody chooses. Sessions tell with the board's name what its line tells with
/// the port's; what becomes of a connection to a NATS server is told by whoever has it.
const USUAL: &str = "info,async_nats=off,board_driver=error,rusqlite_migration=warn";

/// Where standard error is the journal of systemd, which has the time already.
const JOURNAL: &str = "JOURNAL_STREAM";

/// Starts logging. A filter that cannot be read counts as the usual one.
pub fn start(json: bool) {
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(USUAL));
    // Where nobody reads the log any more, nobody reads either that it cannot be written: to say
    // that on standard error would end the thread that says it.
    let log = tracing_subscriber::fmt()
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second start in one process keeps the first one's choice.
    let _already_started = if json {
        log.json().flatten_event(true).try_init()
    } else {
        log.with_ansi(std::io::stderr().is_terminal())
            .event_format(Line {
                timed: std::env::var_os(JOURNAL).is_none(),
            })
            .try_init()
    };
}

/// How a line for people looks.
struct Line {
    /// Whether it has the time.
    timed: bool,
}

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut out: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut said = Said::default();
        event.record(&mut said);
        if self.timed {
            SystemTime.format_time(&mut out)?;
            out.write_char(' ')?;
        }
        let level = *event.metadata().level();
        match (level, out.has_ansi_escapes()) {
            (Level::ERROR, true) => write!(out, "\x1b[31mERROR\x1b[0m ")?,
            (Level::WARN, true) => write!(out, "\x1b[33m WARN\x1b[0m ")?,
            _ => write!(out, "{level:>5} ")?,
        }
        if let Some(board) = &said.board {
            write!(out, "{}: ", OneLine(board))?;
        }
        writeln!(out, "{}{}", OneLine(&said.message), OneLine(&said.rest))
    }
}

/// What an event says.
#[derive(Default)]
struct Said {
    board: Option<String>,
    message: String,
    /// Every other field, with its name.
    rest: String,
}

impl Said {
    fn take(&mut self, name: &str, value: String) {
        match name {
            "board" => self.board = Some(value),
            "message" => self.message = value,
            _ => {
                let quoted = value.is_empty() || value.contains([' ', '"']);
                let _written = match quoted {
                    true => write!(self.rest, " {name}={value:?}"),
                    false => write!(self.rest, " {name}={value}"),
                };
            }
        }
    }
}

impl Visit for Said {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.take(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.take(field.name(), format!("{value:?}"));
    }
}

/// Text without the characters that would end a line, or order a terminal about.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c.is_control() {
            true => write!(f, "{}", c.escape_default()),
            false => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Where lines go.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn written(tell: impl FnOnce()) -> String {
        let (paper, line) = (Paper::default(), Line { timed: false });
        let to = paper.clone();
        let log = tracing_subscriber::fmt()
            .with_ansi(false)
            .event_format(line)
            .with_writer(move || to.clone())
            .finish();
        tracing::subscriber::with_default(log, tell);
        let written = paper.0.lock().unwrap().clone();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn the_board_first_then_what() {
        let line = written(|| {
            let reason = "the board was unplugged";
            tracing::warn!(board = "b07", tries = 3, reason, "board lost");
        });
        assert_eq!(
            line,
            " WARN b07: board lost tries=3 reason=\"the board was unplugged\"\n"
        );
        let line = written(|| tracing::info!("everything is written"));
        assert_eq!(line, " INFO everything is written\n");
    }

    #[test]
    fn one_line_is_one_line() {
        let line = written(|| {
            let name = "Eve\n ERROR b01: forged\u{1b}[2J";
            tracing::info!(board = "b\n1", who = %name, "{name}");
        });
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(
            !line.contains('\u{1b}') && line.contains("b\\n1: Eve\\n ERROR b01"),
            "{line}"
        );
    }
}
