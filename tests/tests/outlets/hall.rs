//! A small hall with every outlet, and those who read what goes out of it.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arbiter_core::shakmaty::Board;
use board_wire::Side;
use serde_json::{Value, json};
use tests::evening::House;
use tests::rig::{Fingers, LiveChess, configuration, free, get, let_run, look_until, section};

/// No wait takes longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// What is not public by then is held back.
pub(crate) const AWHILE: Duration = Duration::from_millis(900);
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Two tables: Ahl, Ann against Berg, Ben; Cole, Cat against Dam, Dan.
pub(crate) const PAIRS: &str = "dGFibGUsd2hpdGUsYmxhY2sKMSwiQWhsLCBBbm4iLCJCZXJnLCBCZW4iCjIs\
                                IkNvbGUsIENhdCIsIkRhbSwgRGFuIgo=";
/// The same with a third table, at which there is no board: Ek, Eva against Falk, Fin.
pub(crate) const THREE: &str = "dGFibGUsd2hpdGUsYmxhY2sKMSwiQWhsLCBBbm4iLCJCZXJnLCBCZW4iCjIs\
                                IkNvbGUsIENhdCIsIkRhbSwgRGFuIgozLCJFaywgRXZhIiwiRmFsaywgRmluIgo=";
/// Nobody outside is to know what stands on the tables.
pub(crate) const DEVICES: [&str; 2] = ["unit-kestrel", "unit-osprey"];
pub(crate) const NAMES: [&str; 2] = ["Cellar shelf", "Attic shelf"];

/// The hall, and those who read what goes out of it.
pub(crate) struct Hall {
    pub(crate) house: House,
    pub(crate) boards: [Fingers; 2],
    pub(crate) folder: PathBuf,
    pub(crate) livechess: SocketAddr,
    pub(crate) feed: LiveChess,
    /// Of each table: the moves that the feed told, and the last position.
    pub(crate) told: BTreeMap<u64, (Vec<String>, String)>,
}

/// A round of two games has begun.
pub(crate) fn open(dir: &Path, public: &str) -> Hall {
    open_with(dir, public, PAIRS)
}

/// A round of these games has begun.
pub(crate) fn open_with(dir: &Path, public: &str, pairs: &str) -> Hall {
    let livechess = free();
    let ports = DEVICES.map(|id| dir.join(id));
    let of = |n: usize| {
        let named = format!("kind = \"native\"\nname = \"{}\"\n", NAMES[n]);
        section(DEVICES[n], &ports[n], &named)
    };
    let text = configuration(&dir.join("store"), [of(0), of(1)]);
    let ours = format!(
        "[public]\nserve = true\nfolder = \"broadcast\"\n{public}\n\
         [livechess]\nlisten = \"{livechess}\"\n"
    );
    let serials = ["SN-77", "SN-78"];
    let boards = [0, 1].map(|n| Fingers::plug_in(&ports[n], serials[n], 3, &Board::new()));
    let house = House::open(&dir.join("arbiter.toml"), &format!("{ours}{text}"));
    let does = |path: &str, order: Value| {
        let (status, said) = house.post(path, &order);
        assert_eq!(status, 200, "{path}: {said}");
    };
    does("/api/event/open", json!({ "name": "Open" }));
    does("/api/pairings", json!({ "file": pairs, "round": 1 }));
    does("/api/rounds/1/start", json!({}));
    house.until(PATIENCE, |boards| {
        let is_there = |board: &Value| board["connected"] == true && board["game"].is_string();
        (!boards.iter().all(is_there)).then(|| "the boards are not followed".to_owned())
    });
    let mut feed = LiveChess::connect(livechess).expect("a line");
    for (table, serial) in (1..).zip(serials) {
        feed.subscribe(10 + table, table, serial).expect("a line");
        feed.set_up(20 + table, table, START).expect("a line");
    }
    Hall {
        house,
        boards,
        folder: dir.join("broadcast"),
        livechess,
        feed,
        told: BTreeMap::new(),
    }
}

/// Every file below a folder, by its path.
fn files(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{below}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => files(&entry.path(), &name, found),
            false => {
                let bytes = fs::read(entry.path()).unwrap_or_default();
                found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
}

impl Hall {
    pub(crate) fn does(&self, path: &str, order: Value) -> Value {
        let (status, said) = self.house.post(path, &order);
        assert_eq!(status, 200, "{path}: {said}");
        serde_json::from_str(&said).unwrap_or_default()
    }

    /// Plays at a table, and waits until the record has so many half-moves.
    pub(crate) fn plays(&self, table: usize, moves: &[(&str, &str, char)], first: Side) {
        let mut side = first;
        for (from, to, piece) in moves {
            self.boards[table - 1].play(from, to, *piece, side);
            side = match side {
                Side::White => Side::Black,
                Side::Black => Side::White,
            };
        }
    }

    pub(crate) fn until_recorded(&self, board: usize, plies: usize) {
        self.house.until(PATIENCE, |boards| {
            let found = &boards[board]["ply"];
            (*found != plies).then(|| format!("{found} of {plies} half-moves"))
        });
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let reply = get(self.house.address(), path).ok();
        let reply = reply.filter(|reply| reply.status == 200);
        reply.map(|reply| reply.body).unwrap_or_default()
    }

    pub(crate) fn rest(&self, path: &str) -> Value {
        let reply = get(self.livechess, &format!("/api/v1.0/{path}")).ok();
        reply
            .and_then(|reply| serde_json::from_str(&reply.body).ok())
            .unwrap_or_default()
    }

    /// The game of a table as a program that knows LiveChess has it.
    pub(crate) fn game(&self, table: usize) -> Value {
        let uuid = self.rest("tournaments")[0]["uuid"].clone();
        let round = self.rest(&format!("round/{}/0", uuid.as_str().unwrap_or_default()));
        let game = round["pairings"][table - 1]["uuid"].clone();
        self.rest(&format!("game/{}", game.as_str().unwrap_or_default()))
    }

    /// Hears what the feed has told meanwhile.
    pub(crate) fn hear(&mut self) {
        while let Ok(Some(said)) = self.feed.hear() {
            let (table, event) = (said["id"].as_u64().unwrap_or(0), &said["param"]);
            if said["response"] != "feed" {
                continue;
            }
            let known = self.told.entry(table).or_default();
            if let Some(board) = event["board"].as_str() {
                board.clone_into(&mut known.1);
            }
            if let Some(san) = event["san"].as_array() {
                known.0 = san.iter().map(text).collect();
            }
        }
    }

    /// How many half-moves of a table each outlet has.
    pub(crate) fn public(&mut self, table: usize) -> BTreeMap<&'static str, usize> {
        self.hear();
        let pgn = |text: String| {
            let mut games = tests::lichess::games(&text).unwrap_or_default().into_iter();
            let found = games.find(|game| usize::from(game.table) == table);
            found.map_or(0, |game| game.moves.len())
        };
        let count = |json: &Value| json["moves"].as_array().map_or(0, Vec::len);
        let file = |name: &str| {
            let file = self.folder.join("round-1").join(name);
            fs::read_to_string(file).unwrap_or_default()
        };
        let parsed = |text: String| serde_json::from_str::<Value>(&text).unwrap_or_default();
        let json = format!("game-{table}.json");
        BTreeMap::from([
            ("folder", pgn(file(&format!("game-{table}.pgn")))),
            ("folder's games", pgn(file("games.pgn"))),
            ("folder's JSON", count(&parsed(file(&json)))),
            ("HTTP", pgn(self.get("/live/round-1"))),
            (
                "HTTP's JSON",
                count(&parsed(self.get(&format!("/live/round-1/{json}")))),
            ),
            ("REST", count(&self.game(table))),
            (
                "feed",
                self.told
                    .get(&(table as u64))
                    .map_or(0, |told| told.0.len()),
            ),
        ])
    }

    /// Waits until every outlet has so many half-moves of a table, and a while longer.
    pub(crate) fn until_public(&mut self, table: usize, plies: usize) {
        let seen = look_until(PATIENCE, || {
            let public = self.public(table);
            match public.values().all(|count| *count == plies) {
                true => Ok(()),
                false => Err(format!("{public:?}, not {plies}")),
            }
        });
        seen.unwrap_or_else(|left| panic!("table {table}: {left}"));
        let_run(AWHILE);
        let public = self.public(table);
        assert!(
            public.values().all(|count| *count == plies),
            "{public:?}, not {plies}"
        );
    }

    /// Every byte that somebody outside of the hall can have, by where he has it from.
    pub(crate) fn bytes(&self) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        files(&self.folder, "folder", &mut all);
        let ask = |path: &str| (format!("HTTP {path}"), self.get(path));
        for name in ["", "index.html", "tournament.json", "round-1", "round-1/"] {
            all.extend([ask(&format!("/live/{name}"))]);
        }
        for name in ["index.html", "index.json", "live.json", "games.pgn"] {
            all.extend([ask(&format!("/live/round-1/{name}"))]);
        }
        for table in 1..=2 {
            for name in ["game-N.pgn", "game-N.json", "moves-N.json"] {
                let name = name.replace('N', &table.to_string());
                all.extend([ask(&format!("/live/round-1/{name}"))]);
            }
            let game = without_ids(&self.game(table).to_string());
            all.insert(format!("REST {table}"), game);
        }
        let tournaments = self.rest("tournaments").to_string();
        all.insert("REST".to_owned(), without_ids(&tournaments));
        all
    }

    /// None of these words is in any byte that is public.
    pub(crate) fn keeps(&self, words: &[&str]) {
        for (place, text) in self.bytes() {
            for word in words {
                assert!(!text.contains(word), "{place} has `{word}`:\n{text}");
            }
        }
    }
}

/// Without the numbers of events and games: their digits are chance, and read `d6` now and then.
pub(crate) fn without_ids(text: &str) -> String {
    let is_id = |word: &&str| word.len() == 36 && word.matches('-').count() == 4;
    let ids = text.split('"').filter(is_id);
    ids.fold(text.to_owned(), |text, id| text.replace(id, "ID"))
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
