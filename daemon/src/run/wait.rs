//! A store that another program has: a command that is soon done, a daemon that is about to end.

use std::os::unix::net::UnixStream;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::{Daemon, RunError};
use crate::config::Config;
use crate::http::{PATIENCE, PAUSE, socket_place};
use crate::store::StoreError;

/// Opens the daemon, and waits as long as a command would where its store is another's; `None`: it
/// was told to stop meanwhile. Where a daemon serves the store there is nothing to wait for.
pub(super) async fn open(
    config: &Config,
    shutdown: &CancellationToken,
) -> Result<Option<Daemon>, RunError> {
    let waits_until = Instant::now() + PATIENCE;
    let mut is_told = false;
    loop {
        let opened = Daemon::open(config, shutdown.clone());
        let Err(RunError::Store(StoreError::InUse(dir, by))) = &opened else {
            return opened.map(Some);
        };
        let is_served = socket_place(dir)
            .and_then(|(path, _open)| UnixStream::connect(path))
            .is_ok();
        if is_served || Instant::now() > waits_until {
            return opened.map(Some);
        }
        if !is_told {
            let seconds = PATIENCE.as_secs();
            tracing::warn!(
                "another arbiterd uses {}{by}: waiting up to {seconds} s",
                dir.display()
            );
            is_told = true;
        }
        tokio::select! {
            () = shutdown.cancelled() => return Ok(None),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}
