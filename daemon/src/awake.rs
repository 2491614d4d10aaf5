//! The machine stays awake while a round is under way: neither its lid nor its idleness puts it to
//! sleep.
//!
//! A lock of the service manager is held by `systemd-inhibit` (systemd-inhibit(1)) for as long as
//! the program that it runs lives, and that one ends with its standard input: when the round does,
//! or this program, however it dies.

use std::process::Stdio;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use crate::office::Office;

/// Holds sleep off in every round until the shutdown, where systemd runs the machine: nothing else
/// is put off sleep by it.
pub(crate) async fn in_rounds(office: Office, shutdown: CancellationToken) {
    if !sd_notify::booted().unwrap_or(false) {
        return;
    }
    let mut books = office.books();
    let mut held: Option<Child> = None;
    let mut refused = false;
    loop {
        let book = books.borrow_and_update().clone();
        let round = book.event.under_way().map(|(number, _)| number);
        match round {
            Some(round) if held.is_none() && !refused => held = hold(round),
            Some(_) => {}
            None => (held, refused) = (None, false),
        }
        let ended = async {
            match &mut held {
                Some(child) => why_ended(child).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => return,
            changed = books.changed() => if changed.is_err() { return },
            why = ended => {
                tracing::warn!(
                    "sleep is not held off while the round is under way: {why}; see that nobody \
                     closes the lid, or let the user of this program do so (polkit)"
                );
                (held, refused) = (None, true);
            }
        }
    }
}

/// Takes the lock. `None` where there is no such service manager; then nothing puts the machine to
/// sleep in its name.
fn hold(round: u16) -> Option<Child> {
    let taken = Command::new("systemd-inhibit")
        .args([
            "--what=sleep:idle:handle-lid-switch",
            "--mode=block",
            "--who=arbiterd",
        ])
        .arg(format!("--why=round {round} is under way"))
        .arg("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    match taken {
        Ok(child) => {
            tracing::info!(
                round,
                "asks that sleep be held off while the round is under way"
            );
            Some(child)
        }
        Err(error) => {
            tracing::debug!(%error, "there is no systemd-inhibit");
            None
        }
    }
}

/// Waits until the lock is lost, and says why.
async fn why_ended(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(stderr) = &mut child.stderr {
        let _what_there_is = stderr.read_to_string(&mut said).await;
    }
    let status = child.wait().await;
    match (said.trim(), status) {
        ("", Ok(status)) => format!("systemd-inhibit ended ({status})"),
        ("", Err(error)) => error.to_string(),
        (said, _) => said.lines().last().unwrap_or_default().to_owned(),
    }
}
