//! The broker between the halls and the hub of a demonstration, where one is installed.

use std::fs::{self, File};
use std::io;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use daemon::hub::key;
use daemon::hub::nats::server::Server;
use daemon::run::{ends_too, has_ended};
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio::time::sleep;

/// How the server of NATS is called.
const PROGRAM: &str = "nats-server";
/// How long it may take to be there, and how often that is looked at.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);
/// What it keeps of one hall.
pub(super) const MEGABYTES: i64 = 64;

/// A NATS server of the demonstration's own. It ends when this is dropped.
pub(super) struct Broker {
    /// Where it listens.
    pub(super) address: SocketAddr,
    child: Child,
}

/// The broker's program, if this machine has it. Debian keeps it where not every user looks.
pub(super) fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let further = ["/usr/sbin", "/usr/local/bin"].map(PathBuf::from);
    let places = std::env::split_paths(&path).chain(further);
    let mut files = places.map(|place| place.join(PROGRAM));
    files.find(|file| file.is_file())
}

impl Broker {
    /// Starts it, with its files below `dir`. `halls` are their names with the public halves of
    /// their keys.
    pub(super) async fn start(
        program: &Path,
        dir: &Path,
        hub: &str,
        halls: &[(&str, &str)],
    ) -> io::Result<Broker> {
        let address = {
            let free = std::net::TcpListener::bind("127.0.0.1:0")?;
            free.local_addr()?
        };
        let store = dir.join("nats");
        let server = Server {
            listen: address,
            store: &store,
            tls: None,
            hub,
            halls,
        };
        // What it kept for a demonstration before is of other keys.
        let _none = fs::remove_dir_all(&store);
        let file = dir.join("nats.conf");
        fs::write(&file, server.written())?;
        let mut command = Command::new(program);
        command
            .arg("--config")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(dir.join("nats.log"))?)
            // Ctrl-C is for the demonstration, which ends it last.
            .process_group(0);
        let child = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()?;
        child.id().into_iter().for_each(ends_too);
        let begun = Instant::now();
        while let Err(error) = TcpStream::connect(address).await {
            if begun.elapsed() > PATIENCE {
                return Err(error);
            }
            sleep(LOOK).await;
        }
        Ok(Broker { address, child })
    }

    /// Ends it. Nobody needs it any more, so it is not asked for long.
    pub(super) async fn end(mut self) {
        let process = self.child.id();
        match self.child.kill().await {
            Ok(()) => process.into_iter().for_each(has_ended),
            Err(error) => tracing::warn!(%error, "the NATS server did not end"),
        }
    }
}

/// Makes a key in a file; gives its public half.
pub(super) fn make_key(file: &Path) -> io::Result<(String, String)> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let made = key::make()?;
    let mut options = fs::OpenOptions::new();
    let options = options.write(true).create(true).truncate(true).mode(0o600);
    writeln!(options.open(file)?, "{made}")?;
    let public = key::public(&made).unwrap_or_default();
    Ok((daemon::hub::fingerprint(&made), public))
}
