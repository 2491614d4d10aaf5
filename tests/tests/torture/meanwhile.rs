//! What goes on beside the lives of the daemon.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// Something that is done until it is enough.
pub(crate) struct Meanwhile<'scope, T> {
    enough: Sender<()>,
    thread: ScopedJoinHandle<'scope, T>,
}

/// Tells whoever does something when it is enough.
pub(crate) struct Enough(Receiver<()>);

impl Enough {
    /// Waits for `pause`; whether to go on after it.
    pub(crate) fn not_yet(&self, pause: Duration) -> bool {
        self.0.recv_timeout(pause) == Err(RecvTimeoutError::Timeout)
    }
}

impl<'scope, T: Send + 'scope> Meanwhile<'scope, T> {
    /// Begins with `deed`.
    pub(crate) fn begin<'env>(
        scope: &'scope Scope<'scope, 'env>,
        deed: impl FnOnce(&Enough) -> T + Send + 'scope,
    ) -> Meanwhile<'scope, T> {
        let (enough, told) = channel();
        let thread = scope.spawn(move || deed(&Enough(told)));
        Meanwhile { enough, thread }
    }

    /// It is enough; how it went.
    pub(crate) fn end(self) -> T {
        drop(self.enough);
        self.thread.join().expect("what was done beside")
    }
}
