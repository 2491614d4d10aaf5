//! Logs on standard error: text for people, or JSON for machines.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// The environment variable that chooses what is logged, such as `info` or `daemon=debug`.
pub const VARIABLE: &str = "ARBITERD_LOG";

/// What is logged when nobody chooses. Sessions tell with the board's name what its line tells with
/// the port's.
const USUAL: &str = "info,board_driver=error,rusqlite_migration=warn";

/// Starts logging. A filter that cannot be read counts as the usual one.
pub fn start(json: bool) {
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(USUAL));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second start in one process keeps the first one's choice.
    let _already_started = if json {
        log.json().flatten_event(true).try_init()
    } else {
        log.with_ansi(std::io::stderr().is_terminal())
            .with_target(false)
            .try_init()
    };
}
