//! The places of halls.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tests::evening::House;
use tests::rig::{Arbiterd, WallClock, configuration, get, look_until, section};

use super::hub::{Hub, PATIENCE, copy_all, make_key, rows_of};
use super::line::SlowLine;

/// The place of a hall.
pub(crate) struct Place {
    pub(crate) name: String,
    dir: PathBuf,
    /// Where it calls, with the scheme.
    pub(crate) hub: String,
    pub(crate) key: PathBuf,
    pub(crate) authority: Option<PathBuf>,
    /// Whose orders it takes.
    orders: &'static str,
    /// More of its configuration.
    more: &'static str,
    /// What its program takes for the time.
    clock: Option<WallClock>,
}

impl Place {
    pub(crate) fn new(hub: &Hub, name: &str) -> Place {
        let key = hub.path(&format!("{name}.key"));
        Place::at(hub, name, name, key)
    }

    fn at(hub: &Hub, name: &str, dir: &str, key: PathBuf) -> Place {
        let dir = hub.path(dir);
        fs::create_dir(&dir).expect("a directory");
        Place {
            name: name.to_owned(),
            dir,
            hub: hub.called(),
            key,
            authority: hub.trusted(),
            orders: "",
            more: "",
            clock: None,
        }
    }

    /// From now on it calls over a line to where it called before.
    pub(crate) fn over(&mut self, line: impl Fn(SocketAddr) -> SlowLine) -> SlowLine {
        let (scheme, address) = self.hub.split_once("://").expect("an address");
        let line = line(address.parse().expect("an address"));
        self.hub = format!("{scheme}://{}", line.address);
        line
    }

    /// The same, and takes orders of these roles at the hub, such as `"chief"`.
    pub(crate) fn that_takes(self, orders: &'static str) -> Place {
        Place { orders, ..self }
    }

    /// The same, with more in its configuration.
    pub(crate) fn with(self, more: &'static str) -> Place {
        Place { more, ..self }
    }

    /// The same, and its program goes by this clock.
    pub(crate) fn by(self, clock: &WallClock) -> Place {
        let clock = Some(clock.clone());
        Place { clock, ..self }
    }

    /// Another machine with the same configuration.
    pub(crate) fn twin(hub: &Hub, other: &Place) -> Place {
        Place::at(hub, &other.name, "twin", other.key.clone())
    }

    /// The same key under another name.
    pub(crate) fn called(hub: &Hub, name: &str, other: &Place) -> Place {
        Place::at(hub, name, name, other.key.clone())
    }

    /// Somebody who would like to be that hall.
    pub(crate) fn with_other_key(hub: &Hub, other: &Place) -> Place {
        let key = hub.path("other.key");
        make_key(&key);
        Place::at(hub, &other.name, "thief", key)
    }

    pub(crate) fn port(&self) -> PathBuf {
        self.dir.join("board")
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.dir.join("store")
    }

    pub(crate) fn start(&self) -> House {
        let boards = [section("b01", &self.port(), "kind = \"native\"\n")];
        let text = configuration(&self.store(), boards);
        let hub = self.section();
        let file = self.dir.join("arbiter.toml");
        fs::write(&file, format!("{hub}{text}{}", self.more)).expect("a configuration");
        let mut command = Command::new(Arbiterd::program());
        command.args(["serve", "--config"]).arg(file);
        if let Some(clock) = &self.clock {
            clock.show(&mut command);
        }
        House::of(Arbiterd::start(command))
    }

    /// What a daemon is told of its hub.
    pub(crate) fn section(&self) -> String {
        let authority = match &self.authority {
            Some(file) => format!("authority = \"{}\"\n", file.display()),
            None => String::new(),
        };
        format!(
            "[hub]\nname = \"{}\"\naddress = \"{}\"\nkey = \"{}\"\n{authority}\
             orders = [{}]\n",
            self.name,
            self.hub,
            self.key.display(),
            self.orders
        )
    }

    /// What the hall says of its hub.
    pub(crate) fn uplink(&self, house: &House) -> Value {
        let reply = get(house.address(), "/api/hub").expect("an answer");
        serde_json::from_str(&reply.body).expect("JSON")
    }

    /// Waits until the hall says that the hub has everything.
    #[track_caller]
    pub(crate) fn until_complete(&self, house: &House) {
        let sent = look_until(PATIENCE, || {
            let sent = self.uplink(house);
            let rows = rows_of(&self.store())[0].len();
            let is_complete = sent["connected"] == true
                && sent["behind"] == 0
                && sent["rows"] == rows
                && sent["complete_to"].is_string();
            if is_complete {
                Ok(())
            } else {
                Err(sent.to_string())
            }
        });
        sent.unwrap_or_else(|sent| panic!("{sent}"));
    }

    /// Takes another hub's authority for the hub's.
    pub(crate) fn trust(&mut self, other: &Hub) {
        self.authority = other.trusted();
    }

    #[track_caller]
    pub(crate) fn until_fault(&self, house: &House) -> String {
        let fault = look_until(PATIENCE, || {
            let sent = self.uplink(house);
            let fault = sent["fault"].as_str().map(str::to_owned);
            fault.ok_or_else(|| sent.to_string())
        });
        fault.unwrap_or_else(|sent| panic!("{sent}"))
    }

    pub(crate) fn move_store(&self, name: &str) -> PathBuf {
        let moved = self.dir.join(name);
        fs::rename(self.store(), &moved).expect("a store");
        moved
    }

    pub(crate) fn copy_store(&self) -> PathBuf {
        let copy = self.dir.join("store.copy");
        copy_all(&self.store(), &copy);
        copy
    }

    pub(crate) fn put_back(&self, copy: &Path) {
        fs::remove_dir_all(self.store()).expect("a store");
        copy_all(copy, &self.store());
    }
}
