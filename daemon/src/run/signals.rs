//! How the daemon is told to stop: politely first, then at once.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// The exit status of a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

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
