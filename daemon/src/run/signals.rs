//! How the daemon is told to stop: politely first, then at once.

use std::sync::{Mutex, PoisonError};

use nix::sys::signal::{Signal as Kind, kill};
use nix::unistd::Pid;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// The exit status of a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Programs that were started for this one alone.
static BESIDE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A program that was started for this one alone ends with it, also where it is stopped at once.
pub fn ends_too(process: u32) {
    let process = i32::try_from(process).ok().map(Pid::from_raw);
    let mut beside = BESIDE.lock().unwrap_or_else(PoisonError::into_inner);
    beside.extend(process);
}

/// It has ended already.
pub fn has_ended(process: u32) {
    let mut beside = BESIDE.lock().unwrap_or_else(PoisonError::into_inner);
    beside.retain(|known| u32::try_from(known.as_raw()) != Ok(process));
}

/// Cancels the returned token at the first Ctrl-C or `SIGTERM`, and ends the process at the second.
pub fn on_signals() -> std::io::Result<CancellationToken> {
    let (mut interrupt, mut terminate) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    let shutdown = CancellationToken::new();
    let token = shutdown.clone();
    tokio::spawn(async move {
        either(&mut interrupt, &mut terminate).await;
        tracing::info!("stopping; once more to stop at once");
        token.cancel();
        either(&mut interrupt, &mut terminate).await;
        for process in &*BESIDE.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ended_already = kill(*process, Kind::SIGKILL);
        }
        // The journal is safe at every moment, so nothing that was shown is lost.
        std::process::exit(INTERRUPTED);
    });
    Ok(shutdown)
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
