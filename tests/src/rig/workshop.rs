//! Where devices run.

use std::sync::mpsc::channel;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

/// Simulated devices on a thread of their own: they outlive every daemon. They are switched off
/// when this is dropped.
#[derive(Debug)]
pub struct Workshop {
    off: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Workshop {
    /// Runs `switch_on`, which starts a task for each device, and returns when it has.
    ///
    /// # Panics
    /// When `switch_on` does.
    pub fn open(switch_on: impl FnOnce() + Send + 'static) -> Workshop {
        let (off, stop) = oneshot::channel::<()>();
        let (ready, switched_on) = channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                switch_on();
                let _the_opener_waits = ready.send(());
                let _dropped = stop.await;
            });
        });
        switched_on.recv().expect("devices that can be switched on");
        Workshop {
            off: Some(off),
            thread: Some(thread),
        }
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        drop(self.off.take());
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}
