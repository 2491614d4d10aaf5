//! A terminal, and what stands on it.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use nix::pty::{Winsize, openpty};

use crate::PATIENCE;

/// A terminal with somebody before it.
pub(crate) struct Terminal {
    keyboard: File,
    from: Receiver<Vec<u8>>,
    pub(crate) screen: vt100::Parser,
    pub(crate) child: Child,
}

impl Terminal {
    pub(crate) fn new(mut command: Command, rows: u16, columns: u16) -> Terminal {
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pty = openpty(&size, None).expect("a pseudo-terminal");
        let slave = || Stdio::from(pty.slave.try_clone().expect("a file"));
        let child = command
            .stdin(slave())
            .stdout(slave())
            .stderr(slave())
            .spawn()
            .expect("it runs");
        drop(command);
        let (to, from) = channel();
        let keyboard = File::from(pty.master);
        let mut shown = keyboard.try_clone().expect("a file");
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = shown.read(&mut bytes) {
                if to.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let at_least_one = |count| NonZero::new(count).unwrap_or(NonZero::<u16>::MIN);
        let screen = vt100::Parser::new(at_least_one(rows), at_least_one(columns), 0);
        Terminal {
            keyboard,
            from,
            screen,
            child,
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard
            .write_all(keys.as_bytes())
            .expect("a terminal");
    }

    /// Waits until the screen shows every one of these.
    #[track_caller]
    pub(crate) fn shows(&mut self, parts: &[&str]) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let text = self.screen.screen().contents();
            if parts.iter().all(|part| text.contains(part)) {
                return text;
            }
            let left = end.saturating_duration_since(Instant::now());
            let Ok(bytes) = self.from.recv_timeout(left) else {
                panic!("{parts:?} not in\n{text}");
            };
            self.screen.process(&bytes);
        }
    }
}
