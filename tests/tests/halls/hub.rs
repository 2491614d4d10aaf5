//! A hub as a program, and what is in its store and in those of halls.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use super::nets::Nets;
pub(crate) use super::place::Place;
use super::server::Server;
use daemon::store::{FILE, verify};
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::Value;
use tests::evening::House;
use tests::rig;
use tests::rig::{Arbiterd, Process, get, get_with, look_until, post, post_with};

pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The tables that a mirror has, and of each its columns: all but those that stay in the hall.
pub(crate) const TABLES: [(&str, &str); 8] = [
    ("log", "seq, mark, CASE WHEN kind THEN kind END"),
    (
        "games",
        "key, id, board, tags, started, ended, result, plies, count, head, ending",
    ),
    ("events", "*"),
    ("endings", "*"),
    ("acts", "*"),
    ("acts_end", "*"),
    ("files", "*"),
    ("origin", "epoch"),
];

/// What is in a store, table by table.
pub(crate) fn rows_of(dir: &Path) -> Vec<Vec<Vec<Cell>>> {
    let db = Connection::open(dir.join(FILE)).expect("a store");
    db.busy_timeout(PATIENCE).expect("a setting");
    let table = |(table, columns): (&str, &str)| {
        let mut query = db
            .prepare(&format!("SELECT {columns} FROM {table} ORDER BY 1"))
            .expect("a table");
        let width = query.column_count();
        let row = |r: &rusqlite::Row<'_>| (0..width).map(|n| r.get(n)).collect();
        let rows = query.query_map([], row).expect("rows");
        rows.collect::<Result<_, _>>().expect("rows")
    };
    TABLES.map(table).to_vec()
}

/// Whether the hub has what the hall has, row for row.
#[track_caller]
pub(crate) fn same_rows(hub: &Hub, place: &Place) {
    let same = look_until(PATIENCE, || {
        let (mirror, store) = (hub.rows(place), rows_of(&place.store()));
        let count = store[0].len();
        for ((name, _), (mirror, store)) in TABLES.iter().zip(mirror.iter().zip(&store)) {
            if mirror != store {
                return Err(format!("{name}: {mirror:?}\n{store:?}"));
            }
        }
        Ok(count)
    });
    let count = same.unwrap_or_else(|differs| panic!("{differs}"));
    assert!(count > 2, "{count} rows");
}

/// What carries words between halls and hub.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    WebSocket,
    Nats,
}

/// A port that was free just now.
pub(crate) fn free() -> SocketAddr {
    free_at(Ipv4Addr::LOCALHOST)
}

/// The same of another address of this machine.
pub(crate) fn free_at(address: Ipv4Addr) -> SocketAddr {
    let listener = TcpListener::bind((address, 0)).expect("a port");
    listener.local_addr().expect("an address")
}

/// A program, to be started by these words before it.
pub(crate) fn started(within: &[String], program: &Path) -> Command {
    match within {
        [] => Command::new(program),
        [first, others @ ..] => {
            let mut command = Command::new(first);
            command.args(others).arg(program);
            command
        }
    }
}

/// A hub.
pub(crate) struct Hub {
    dir: PathBuf,
    address: SocketAddr,
    program: Option<Arbiterd>,
    is_in_network: bool,
    nats: Option<Server>,
    /// What a program is started by, so that it is in another network.
    within: Vec<String>,
}

impl Hub {
    /// A hub of these halls, which does not run yet. A NATS server does.
    pub(crate) fn new(way: Way, dir: &Path, halls: &[&str]) -> Hub {
        Hub::made((way, false), dir, halls, ("", 1), None)
    }

    /// The same with TLS, and people are asked who they are.
    pub(crate) fn in_network(way: Way, dir: &Path, halls: &[&str]) -> Hub {
        Hub::made((way, true), dir, halls, ("", 1), None)
    }

    /// A hub over so many NATS servers, with more in that section of its configuration.
    pub(crate) fn with_nats(dir: &Path, halls: &[&str], (more, servers): (&str, usize)) -> Hub {
        Hub::made((Way::Nats, false), dir, halls, (more, servers), None)
    }

    /// A hub in the last of these networks, with a NATS server in each of the others; all speak
    /// TLS.
    pub(crate) fn in_nets(dir: &Path, halls: &[&str], nets: &Nets) -> Hub {
        let servers = nets.count() - 1;
        let more = format!("replicas = {servers}\n");
        Hub::made((Way::Nats, true), dir, halls, (&more, servers), Some(nets))
    }

    /// It and its NATS server take what the halls leave of the machine: else each would be on one
    /// of its own. The hub does not run yet.
    pub(crate) fn give_way(&mut self) {
        self.within = ["nice", "-n", "19"].map(str::to_owned).to_vec();
        if let Some(nats) = &mut self.nats {
            nats.restart(&self.within);
        }
    }

    /// The NATS server.
    pub(crate) fn nats(&mut self) -> &mut Server {
        self.nats.as_mut().expect("a server")
    }

    fn made(
        (way, is_in_network): (Way, bool),
        dir: &Path,
        halls: &[&str],
        (more, servers): (&str, usize),
        nets: Option<&Nets>,
    ) -> Hub {
        let address = free();
        let people = if is_in_network {
            "people = \"required\"\n"
        } else {
            ""
        };
        let names = nets.map_or(String::new(), |nets| {
            format!("names = {:?}\n", nets.names())
        });
        let mut text =
            format!("[http]\nlisten = \"{address}\"\n{people}{names}\n[store]\ndir = \"hub\"\n");
        fs::create_dir_all(dir).expect("a directory");
        for hall in halls {
            let section = make_key(&dir.join(format!("{hall}.key")));
            text += &section.replace("\"...\"", &format!("\"{hall}\""));
        }
        let mut hub = Hub {
            dir: dir.to_owned(),
            address,
            program: None,
            is_in_network,
            nats: None,
            within: nets.map_or(Vec::new(), |nets| nets.within(nets.count() - 1)),
        };
        if way == Way::Nats {
            let mut server = match nets {
                Some(nets) => Server::within(dir, nets, servers),
                None => Server::new(dir, servers),
            };
            make_key(&dir.join("nats.key"));
            let (scheme, authority) = match is_in_network {
                true => ("tls", "authority = \"hub/tls/ca.crt\"\n"),
                false => ("nats", ""),
            };
            let address = server.address(scheme);
            text += &format!("\n[nats]\naddress = \"{address}\"\n");
            text += &format!("key = \"nats.key\"\n{authority}{more}");
            fs::write(dir.join("hub.toml"), text).expect("a configuration");
            server.configure(&dir.join("hub.toml"));
            hub.nats = Some(server);
        } else {
            fs::write(dir.join("hub.toml"), text).expect("a configuration");
        }
        hub
    }

    /// Where halls call it over a WebSocket.
    pub(crate) fn socket(&self) -> String {
        format!("ws://{}", self.address)
    }

    /// Where halls call it, with the scheme.
    pub(crate) fn called(&self) -> String {
        match (&self.nats, self.is_in_network) {
            (Some(server), true) => server.address("tls"),
            (Some(server), false) => server.address("nats"),
            (None, true) => format!("wss://{}", self.address),
            (None, false) => self.socket(),
        }
    }

    /// Where its console is.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whom halls trust, where they call it over TLS.
    pub(crate) fn trusted(&self) -> Option<PathBuf> {
        self.is_in_network.then(|| self.authority())
    }

    /// The authority of its certificate.
    fn authority(&self) -> PathBuf {
        self.dir().join("tls/ca.crt")
    }

    /// The status with which it answers a stranger.
    pub(crate) fn status(&self, path: &str) -> u16 {
        let place = rig::Place::over_tls(self.address, &self.authority());
        get(place, path).expect("an answer").status
    }

    pub(crate) fn start(&mut self) {
        let mut command = started(&self.within, &Arbiterd::program());
        command
            .args(["hub", "--config"])
            .arg(self.dir.join("hub.toml"));
        let program = Arbiterd::start(command);
        let address = program.address(Instant::now() + PATIENCE);
        assert!(
            address.is_some(),
            "the hub does not serve:\n{}",
            program.log()
        );
        self.program = Some(program);
    }

    pub(crate) fn kill(&mut self) {
        self.program.take().expect("a hub").kill();
    }

    pub(crate) fn close(mut self) {
        let mut program = self.program.take().expect("a hub");
        let status = program.stop(Duration::from_secs(15));
        assert!(status.is_some_and(|s| s.success()), "{}", program.log());
    }

    /// The number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.program.as_ref().expect("a hub").pid()
    }

    /// Its memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        Process(self.pid()).memory()
    }

    /// A file beside its configuration.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Its store.
    pub(crate) fn dir(&self) -> PathBuf {
        self.dir.join("hub")
    }

    /// A copy of what is on its disk, and that copy put back.
    pub(crate) fn copy(&mut self) -> PathBuf {
        self.kill();
        let copy = self.dir.join("hub.copy");
        copy_all(&self.dir(), &copy);
        self.start();
        copy
    }

    pub(crate) fn put_back(&self, copy: &Path) {
        fs::remove_dir_all(self.dir()).expect("a store");
        copy_all(copy, &self.dir());
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> (u16, String) {
        let reply = post(self.address, path, body).expect("an answer");
        (reply.status, reply.body)
    }

    /// Orders something under a name, as somebody who is let in by this cookie.
    pub(crate) fn order(&self, path: &str, name: &str, cookie: &str, body: &str) -> (u16, String) {
        let origin = format!("https://{}", self.address);
        let head = [
            ("Idempotency-Key", name),
            ("Cookie", cookie),
            ("Origin", &origin),
        ];
        let reply = post_with(self.place(), path, &head, body).expect("an answer");
        (reply.status, reply.body)
    }

    /// The same where the hub may die of it: `None` where it has not answered.
    pub(crate) fn try_order(&self, path: &str, name: &str, body: &str) -> Option<u16> {
        let origin = format!("https://{}", self.address);
        let head = [("Idempotency-Key", name), ("Origin", &origin)];
        let reply = post_with(self.place(), path, &head, body);
        reply.ok().map(|reply| reply.status)
    }

    /// What somebody is answered.
    pub(crate) fn asked(&self, path: &str, cookie: &str) -> Value {
        let reply = get_with(self.place(), path, &[("Cookie", cookie)]).expect("an answer");
        serde_json::from_str(&reply.body).expect("JSON")
    }

    /// An account, with the cookie that lets somebody in by it.
    pub(crate) fn account(&self, name: &str, role: &str) -> String {
        let output = Command::new(Arbiterd::program())
            .args(["people", "add", name, "--role", role, "--json", "--dir"])
            .arg(self.dir())
            .output()
            .expect("a command");
        assert!(output.status.success(), "{output:?}");
        let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let login = serde_json::json!({ "name": name, "password": said["password"] });
        let origin = format!("https://{}", self.address);
        let head = [("Origin", &*origin)];
        let path = "/api/people/login";
        let reply = post_with(self.place(), path, &head, &login.to_string()).expect("an answer");
        assert_eq!(reply.status, 200, "{said} {}", reply.body);
        reply.cookie
    }

    fn place(&self) -> rig::Place {
        match self.is_in_network {
            true => rig::Place::over_tls(self.address, &self.authority()),
            false => self.address.into(),
        }
    }

    /// Gives its halls these tables, in their order. Before it is started.
    pub(crate) fn deal(&self, tables: &[&str]) {
        let file = self.dir.join("hub.toml");
        let text = fs::read_to_string(&file).expect("a configuration");
        let mut parts = text.split("[[hall]]\n");
        let mut dealt = parts.next().expect("text").to_owned();
        for (hall, tables) in parts.zip(tables) {
            dealt += &format!("[[hall]]\ntables = \"{tables}\"\n{hall}");
        }
        fs::write(file, dealt).expect("a configuration");
    }

    /// Somebody changes the mirror of a hall. Before it is started.
    pub(crate) fn change(&self, place: &Place, sql: &str) {
        let db = Connection::open(self.dir().join("halls").join(&place.name).join(FILE))
            .expect("a mirror");
        db.execute_batch(sql).expect("a change");
    }

    /// More of its configuration. Before it is started.
    pub(crate) fn with(&self, more: &str) {
        let file = self.dir.join("hub.toml");
        let text = fs::read_to_string(&file).expect("a configuration");
        fs::write(file, format!("{more}\n{text}")).expect("a configuration");
    }

    /// What one of its commands prints.
    #[track_caller]
    pub(crate) fn command(&self, words: &[&str]) -> String {
        self.arbiterd(&[&["hub"], words].concat())
    }

    /// What a command prints that asks it.
    #[track_caller]
    pub(crate) fn arbiterd(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Why such a command is refused.
    #[track_caller]
    pub(crate) fn refuses(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    }

    pub(crate) fn output(&self, words: &[&str]) -> Output {
        let mut command = Command::new(Arbiterd::program());
        command.args(words).arg("--dir").arg(self.dir());
        command.output().expect("a command")
    }

    pub(crate) fn ask(&self, path: &str) -> Result<Value, String> {
        let reply = get(self.address, path).map_err(|error| error.to_string())?;
        match reply.status {
            200 => serde_json::from_str(&reply.body).map_err(|error| error.to_string()),
            _ => Err(reply.body),
        }
    }

    /// Waits until a hall is as `is_so` wants it.
    #[track_caller]
    pub(crate) fn until_hall(&self, name: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let seen = look_until(PATIENCE, || {
            let halls = self.ask("/api/halls")?;
            let mut all = halls.as_array().into_iter().flatten();
            let hall = all.find(|hall| hall["name"] == name).cloned();
            let hall = hall.ok_or("no such hall")?;
            if is_so(&hall) {
                Ok(hall)
            } else {
                Err(hall.to_string())
            }
        });
        seen.unwrap_or_else(|hall| panic!("{hall}\n{}", self.log()))
    }

    pub(crate) fn log(&self) -> String {
        self.program.as_ref().map(Arbiterd::log).unwrap_or_default()
    }

    /// Waits until hall and hub say that nothing is on its way.
    #[track_caller]
    pub(crate) fn until_complete(&self, place: &Place, house: &House) {
        place.until_complete(house);
        self.until_hall(&place.name, |hall| {
            hall["connected"] == true && hall["behind"] == 0 && hall["fault"].is_null()
        });
    }

    /// Waits until the mirrored board shows these moves.
    #[track_caller]
    pub(crate) fn until_board(&self, hall: &str, moves: &[&str]) {
        let seen = look_until(PATIENCE, || {
            let boards = self.ask(&format!("/halls/{hall}/api/boards"))?;
            let shown = &boards[0]["moves"];
            let wanted = serde_json::json!(moves);
            if *shown == wanted && boards[0]["connected"] == true {
                Ok(())
            } else {
                Err(format!("{shown}, {}", boards[0]["connected"]))
            }
        });
        seen.unwrap_or_else(|seen| panic!("{seen}\n{}", self.log()));
    }

    pub(crate) fn rows(&self, place: &Place) -> Vec<Vec<Vec<Cell>>> {
        rows_of(&self.dir().join("halls").join(&place.name))
    }

    /// What `arbiterd verify` says of a mirror; nothing where it is whole.
    pub(crate) fn mirror_is_sound(&self, name: &str) -> String {
        let (games, wrong) = verify(&self.dir().join("halls").join(name)).expect("a store");
        let damaged = games.iter().filter_map(|game| game.damage.as_ref());
        let damaged: Vec<String> = damaged.map(ToString::to_string).chain(wrong).collect();
        damaged.join("\n")
    }

    /// How many mirrors are kept beside that of a hall.
    pub(crate) fn kept(&self, name: &str) -> usize {
        let entries = fs::read_dir(self.dir().join("halls"))
            .expect("mirrors")
            .flatten();
        let kept = format!("{name}.earlier-");
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&kept))
            .count()
    }
}

/// Makes a key; gives the section of the hub's configuration that it prints.
pub(crate) fn make_key(file: &Path) -> String {
    let key = Command::new(Arbiterd::program())
        .args(["hub", "key"])
        .arg(file)
        .output()
        .expect("a key");
    assert!(key.status.success(), "{key:?}");
    let said = String::from_utf8(key.stdout).expect("text");
    let (_, section) = said.split_once("\n\n").expect("a section");
    section.to_owned()
}

pub(crate) fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory").flatten() {
        let (path, into) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_all(&path, &into);
        } else if path.is_file() {
            fs::copy(&path, &into).expect("a copy");
        }
    }
}
