//! Whatever is done to a daemon from outside, by clients or by boards, its other boards go on.

#![cfg(feature = "simulators")]

#[path = "../support/child.rs"]
mod child;
#[path = "../support/house.rs"]
mod house;
#[path = "../support/play.rs"]
mod play;

mod babble;
mod connections;

use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use arbiter_core::SensorClass;
use play::Play;

/// The game that goes on.
const GAME: Play = Play {
    board: "b01",
    class: SensorClass::Piece,
    seed: 4,
    breaches: &[],
};

/// An address of this machine that nobody uses.
fn free() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address")
}

/// A daemon with the usual thousand file descriptors, its boards with what else is configured of
/// them; its log is in `dir`.
fn serve(dir: &Path, address: SocketAddr, boards: &[(&str, &str)]) -> Child {
    let store = dir.join("store");
    let mut config = format!("[http]\nlisten = \"{address}\"\n[store]\ndir = {store:?}\n");
    for (id, further) in boards {
        let port = dir.join(id);
        config += &format!("[[board]]\nid = \"{id}\"\nport = {port:?}\n{further}\n");
    }
    let file = dir.join("hall.toml");
    std::fs::write(&file, config).expect("a configuration");
    // A test that fails leaves nothing running. In the foreground: else a signal is passed on
    // twice, to the daemon and to the group that it is in.
    let run = "ulimit -n 1024 && exec timeout --foreground 120 \"$0\" serve --config \"$1\"";
    Command::new("sh")
        .args(["-c", run, env!("CARGO_BIN_EXE_arbiterd")])
        .arg(file)
        .stdout(Stdio::null())
        .stderr(File::create(dir.join("log")).expect("a log"))
        .spawn()
        .expect("a daemon")
}
