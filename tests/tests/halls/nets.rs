//! Networks of their own for programs, in one machine: namespaces of Linux, each with a cable to
//! one switch. This machine has a cable to it too. A cable can be pulled.

use std::net::Ipv4Addr;
use std::process::{Command, id};

/// Networks on one switch. They are gone when this is dropped.
pub(crate) struct Nets {
    count: usize,
}

/// One end of the cables.
#[derive(Clone, Copy)]
pub(crate) enum Plug {
    /// That of a network.
    Net(usize),
    /// That of this machine.
    Here,
}

impl Nets {
    /// So many networks; or why there are none.
    pub(crate) fn open(count: usize) -> Result<Nets, String> {
        let nets = Nets { count };
        let (switch, here) = (nets.switch(), nets.here());
        ip(&format!("netns add {switch}"))?;
        ip(&format!("-n {switch} link add switch type bridge"))?;
        ip(&format!("-n {switch} link set switch up"))?;
        for n in 0..count {
            let (net, port, address) = (nets.net(n), nets.port(Plug::Net(n)), nets.address(n));
            ip(&format!("netns add {net}"))?;
            ip(&format!("-n {net} link set lo up"))?;
            ip(&format!(
                "-n {net} link add cable type veth peer name {port} netns {switch}"
            ))?;
            nets.plug_in(&port)?;
            ip(&format!("-n {net} address add {address}/24 dev cable"))?;
            ip(&format!("-n {net} link set cable up"))?;
        }
        let port = nets.port(Plug::Here);
        ip(&format!(
            "link add {here} type veth peer name {port} netns {switch}"
        ))?;
        nets.plug_in(&port)?;
        ip(&format!("address add {}/24 dev {here}", nets.number(1)))?;
        ip(&format!("link set {here} up"))?;
        Ok(nets)
    }

    fn plug_in(&self, port: &str) -> Result<(), String> {
        ip(&format!(
            "-n {} link set {port} master switch up",
            self.switch()
        ))
    }

    /// How many networks.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Where a program in this network is.
    pub(crate) fn address(&self, n: usize) -> Ipv4Addr {
        self.number(10 + u8::try_from(n).expect("a few"))
    }

    /// Where all of them are.
    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.count)
            .map(|n| self.address(n).to_string())
            .collect()
    }

    /// What a program is started by, to be in this network.
    pub(crate) fn within(&self, n: usize) -> Vec<String> {
        ["ip", "netns", "exec", &self.net(n)]
            .map(str::to_owned)
            .to_vec()
    }

    /// Pulls a cable out of the switch, or puts it back: who is at its other end is told nothing.
    pub(crate) fn pull(&self, plug: Plug, is_out: bool) {
        let (switch, port) = (self.switch(), self.port(plug));
        let state = if is_out { "nomaster" } else { "master switch" };
        ip(&format!("-n {switch} link set {port} {state}")).expect("a cable");
    }

    /// An address of those that are kept for trials, others in every process.
    fn number(&self, last: u8) -> Ipv4Addr {
        let third = (id() % 250) as u8;
        Ipv4Addr::new(198, 18, third, last)
    }

    fn net(&self, n: usize) -> String {
        format!("halls-{}-{n}", id())
    }

    fn switch(&self) -> String {
        format!("halls-{}", id())
    }

    fn here(&self) -> String {
        format!("hall{}", id())
    }

    fn port(&self, plug: Plug) -> String {
        match plug {
            Plug::Net(n) => format!("port{n}"),
            Plug::Here => "here".to_owned(),
        }
    }
}

impl Drop for Nets {
    fn drop(&mut self) {
        let _is_gone = ip(&format!("link delete {}", self.here()));
        for n in 0..self.count {
            let _is_gone = ip(&format!("netns delete {}", self.net(n)));
        }
        let _is_gone = ip(&format!("netns delete {}", self.switch()));
    }
}

/// What `ip` of iproute2 does with these words, which have no spaces in them.
fn ip(words: &str) -> Result<(), String> {
    let output = Command::new("ip").args(words.split(' ')).output();
    let output = output.map_err(|error| format!("ip: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "ip {words}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}
