//! A native board on a pseudo-terminal, moved square by square by a test: for what can go wrong
//! between board and journal.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Square};
use arbiter_core::{Reading, SensorClass};
use board_driver::sim::share;
use board_wire::device::{Device, HEARTBEAT_AFTER_EVIDENCE_MS, HEARTBEAT_MS, Identity};
use board_wire::{Capabilities, Ring, Sensor, Serial, Side, Symbol};
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::ttyname;

/// Between two looks at the line.
const PAUSE: Duration = Duration::from_millis(2);

/// A board, mostly one that recognises pieces. It is unplugged when this is dropped.
pub struct Fingers {
    at_the_board: Arc<Mutex<AtTheBoard>>,
    port: PathBuf,
    running: Option<JoinHandle<()>>,
}

struct AtTheBoard {
    device: Device<Ring<4096>>,
    since: Instant,
    /// When a heartbeat is due, in milliseconds on its clock.
    heartbeat: u32,
    is_plugged_in: bool,
}

impl AtTheBoard {
    fn ms(&self) -> u32 {
        self.since.elapsed().as_millis() as u32
    }
}

impl Fingers {
    /// Plugs a board in, at this path. On it stands what `board` says.
    ///
    /// # Panics
    /// When there is no pseudo-terminal to be had, or something is at the path.
    pub fn plug_in(port: &Path, serial: &str, boot: u16, board: &Board) -> Fingers {
        Fingers::plug_in_as(SensorClass::Piece, port, serial, boot, board)
    }

    /// The same of a board with other sensors.
    ///
    /// # Panics
    /// As for [`Fingers::plug_in`].
    pub fn plug_in_as(
        class: SensorClass,
        port: &Path,
        serial: &str,
        boot: u16,
        board: &Board,
    ) -> Fingers {
        let pty = openpty(None, None).expect("a pseudo-terminal");
        let mut settings = tcgetattr(&pty.slave).expect("settings");
        cfmakeraw(&mut settings);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &settings).expect("a raw line");
        symlink(ttyname(&pty.slave).expect("a name"), port).expect("a free path");
        for fd in [pty.master.as_fd(), pty.slave.as_fd()] {
            // A daemon started meanwhile must not hold the plug in.
            fcntl(fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).expect("a setting");
        }
        fcntl(
            pty.master.as_fd(),
            FcntlArg::F_SETFL(OFlag::O_RDWR | OFlag::O_NONBLOCK),
        )
        .expect("a setting");
        let identity = Identity {
            boot,
            serial: Serial::new(serial.as_bytes()).expect("printable"),
            sensor: match class {
                SensorClass::Occupancy => Sensor::Occupancy,
                SensorClass::Colour => Sensor::Colour,
                SensorClass::Piece => Sensor::Piece,
            },
            capabilities: Capabilities::CLOCK,
            pace: 1_000,
            firmware: "",
        };
        let at_the_board = Arc::new(Mutex::new(AtTheBoard {
            device: Device::new(identity, 0, symbols(&class.reads(board))),
            since: Instant::now(),
            heartbeat: HEARTBEAT_MS,
            is_plugged_in: true,
        }));
        let (shared, line) = (at_the_board.clone(), File::from(pty.master));
        let running = std::thread::spawn(move || serve(&shared, line, pty.slave));
        Fingers {
            at_the_board,
            port: port.to_owned(),
            running: Some(running),
        }
    }

    /// These squares read this from now on: `board.set("e2", '.')`.
    ///
    /// # Panics
    /// Where there is no such square or symbol.
    pub fn set(&self, square: &str, seen: char) {
        let square: Square = square.parse().expect("a square");
        let square = board_wire::Square::new(u8::from(square)).expect("a square");
        let seen = Symbol::from_byte(seen as u8).expect("a symbol");
        self.happen(|device, ms| device.change(ms, &[(square, seen)]));
    }

    /// A piece goes from one square to another, and the clock is pressed.
    pub fn play(&self, from: &str, to: &str, piece: char, by: Side) {
        self.set(from, '.');
        std::thread::sleep(Duration::from_millis(150));
        self.set(to, piece);
        std::thread::sleep(Duration::from_millis(400));
        self.happen(|device, ms| device.press(ms, by, None, None));
    }

    /// How much evidence nobody has confirmed.
    pub fn unacknowledged(&self) -> u32 {
        self.look().device.unacknowledged()
    }

    fn happen(&self, act: impl FnOnce(&mut Device<Ring<4096>>, u32)) {
        let mut board = self.look();
        let ms = board.ms();
        act(&mut board.device, ms);
        board.heartbeat = board.heartbeat.min(ms + HEARTBEAT_AFTER_EVIDENCE_MS);
    }

    fn look(&self) -> MutexGuard<'_, AtTheBoard> {
        self.at_the_board
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Fingers {
    fn drop(&mut self) {
        let _already_gone = std::fs::remove_file(&self.port);
        self.look().is_plugged_in = false;
        let _reported_elsewhere = self.running.take().map(JoinHandle::join);
    }
}

/// Carries bytes until the plug is pulled. The port is kept open, as the kernel keeps it.
fn serve(board: &Mutex<AtTheBoard>, mut line: File, port: OwnedFd) {
    let mut bytes = [0; 512];
    loop {
        share(&port);
        let count = match line.read(&mut bytes) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(_) => return,
        };
        let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
        if !board.is_plugged_in {
            return;
        }
        let ms = board.ms();
        board.device.receive(ms, &bytes[..count], |_| {});
        if ms >= board.heartbeat {
            board.heartbeat = ms + HEARTBEAT_MS;
            board.device.heartbeat();
        }
        while let Some(frame) = board.device.next_frame(ms) {
            let _repeated_on_request = line.write_all(frame.as_bytes());
        }
        drop(board);
        if count == 0 {
            std::thread::sleep(PAUSE);
        }
    }
}

fn symbols(reading: &Reading) -> [Symbol; 64] {
    Square::ALL.map(|square| {
        let letter = reading.at(square).char();
        Symbol::from_byte(letter as u8).expect("the same letters")
    })
}
