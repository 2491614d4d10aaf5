//! A NATS server as a program, between halls and hub; or several that stand in for each other.

use std::fs::{self, File};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::Signal;
use nix::unistd::Pid;
use tests::rig::{Arbiterd, look_until};

use super::hub::{copy_all, free_at, started};
use super::nets::Nets;

const PATIENCE: Duration = Duration::from_secs(20);

/// A server, or a cluster of several.
pub(crate) struct Server {
    dir: PathBuf,
    nodes: Vec<Node>,
}

struct Node {
    address: SocketAddr,
    /// Where the others of the cluster call it.
    route: SocketAddr,
    child: Option<Child>,
    /// What it is started by, where it is in a network of its own.
    within: Vec<String>,
}

impl Server {
    /// So many servers below `dir`, which do not run yet: each has an address of its own.
    pub(crate) fn new(dir: &Path, count: usize) -> Server {
        let node = |last: u8| {
            let address = Ipv4Addr::new(127, 0, 0, last);
            Node {
                address: free_at(address),
                route: free_at(address),
                child: None,
                within: Vec::new(),
            }
        };
        Server {
            dir: dir.to_owned(),
            nodes: (1..).take(count).map(node).collect(),
        }
    }

    /// So many servers, each in a network of its own.
    pub(crate) fn within(dir: &Path, nets: &Nets, count: usize) -> Server {
        let node = |n: usize| Node {
            address: (nets.address(n), 4_222).into(),
            route: (nets.address(n), 6_222).into(),
            child: None,
            within: nets.within(n),
        };
        Server {
            dir: dir.to_owned(),
            nodes: (0..count).map(node).collect(),
        }
    }

    /// Where they are, with the scheme.
    pub(crate) fn address(&self, scheme: &str) -> String {
        let all = self
            .nodes
            .iter()
            .map(|node| format!("{scheme}://{}", node.address));
        all.collect::<Vec<String>>().join(",")
    }

    /// Starts them with the configuration that the hub writes.
    pub(crate) fn configure(&mut self, hub: &Path) {
        for (n, node) in self.nodes.iter().enumerate() {
            let written = Command::new(Arbiterd::program())
                .args(["hub", "nats-config", "--config"])
                .arg(hub)
                .args(["--listen", &node.address.to_string(), "--store"])
                .arg(self.store().join(n.to_string()))
                .output()
                .expect("a command");
            assert!(written.status.success(), "{written:?}");
            let mut file = File::create(self.file(n)).expect("a configuration");
            file.write_all(&written.stdout).expect("a configuration");
            if self.nodes.len() > 1 {
                let routes = self
                    .nodes
                    .iter()
                    .map(|other| format!("nats://{}", other.route));
                let routes = routes.collect::<Vec<String>>().join(", ");
                writeln!(
                    file,
                    "server_name: n{n}\ncluster {{ name: c, listen: \"{}\", routes: [{routes}] }}",
                    node.route
                )
                .expect("a configuration");
            }
        }
        self.start();
    }

    fn file(&self, n: usize) -> PathBuf {
        self.dir.join(format!("nats-{n}.conf"))
    }

    /// Starts those that do not run.
    pub(crate) fn start(&mut self) {
        for n in 0..self.nodes.len() {
            if self.nodes[n].child.is_some() {
                continue;
            }
            let log = File::create(self.dir.join(format!("nats-{n}.log"))).expect("a log");
            let child = started(&self.nodes[n].within, Path::new("nats-server"))
                .arg("--config")
                .arg(self.file(n))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(log)
                .spawn();
            let child = child.expect("nats-server: Debian's package of that name has it");
            self.nodes[n].child = Some(child);
            let up = look_until(PATIENCE, || TcpStream::connect(self.nodes[n].address));
            up.unwrap_or_else(|error| panic!("{error}\n{}", self.log(n)));
        }
    }

    /// Starts them anew, by these words before them.
    pub(crate) fn restart(&mut self, within: &[String]) {
        self.kill();
        for node in &mut self.nodes {
            node.within = within.to_vec();
        }
        self.start();
    }

    /// Ends it as a cut of the mains would.
    pub(crate) fn kill(&mut self) {
        (0..self.nodes.len()).for_each(|n| self.kill_one(n));
    }

    /// Ends one of them.
    pub(crate) fn kill_one(&mut self, n: usize) {
        let count = self.nodes.len();
        if let Some(mut child) = self.nodes[n % count].child.take() {
            child.kill().expect("a signal");
            child.wait().expect("its end");
        }
    }

    /// Sends them a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        (0..self.nodes.len()).for_each(|n| self.signal_one(n, signal));
    }

    /// Sends one of them a signal, if it runs.
    pub(crate) fn signal_one(&self, n: usize, signal: Signal) {
        if let Some(child) = &self.nodes[n].child {
            let id = Pid::from_raw(child.id().cast_signed());
            nix::sys::signal::kill(id, signal).expect("a signal");
        }
    }

    fn store(&self) -> PathBuf {
        self.dir.join("nats")
    }

    /// A copy of what is on its disk. It does not run.
    pub(crate) fn copy(&self) -> PathBuf {
        let copy = self.dir.join("nats.copy");
        copy_all(&self.store(), &copy);
        copy
    }

    /// Puts a copy back, or nothing. It does not run.
    pub(crate) fn put_back(&self, copy: Option<&Path>) {
        fs::remove_dir_all(self.store()).expect("a store");
        if let Some(copy) = copy {
            copy_all(copy, &self.store());
        }
    }

    fn log(&self, n: usize) -> String {
        fs::read_to_string(self.dir.join(format!("nats-{n}.log"))).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
