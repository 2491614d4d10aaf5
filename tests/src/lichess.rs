//! A service that answers as Lichess does to what is pushed to a broadcast, checks every request
//! against the description of that interface, and fails as services on the internet do.
//!
//! What it knows of the interface: `POST /api/broadcast/round/{8 letters or digits}/push`, `Bearer`
//! token, `text/plain`, at most 64 games a request; 200 answers an entry for each game, 400 and
//! others `{"error": ...}` (lichess-org/api, `broadcasts-round-push`).

mod games;
mod request;

use std::collections::BTreeMap;
use std::io::Write;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

pub use games::{Game, games};
use request::Request;

/// The token that it takes.
pub const TOKEN: &str = "lip_0123456789abcdefghij";
/// How long a request hangs that is not answered in time.
pub const HANGS: Duration = Duration::from_millis(400);

/// What may go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mishap {
    Busy,
    Broken,
    /// The line is cut before anything was taken.
    Cut,
    /// The line is cut after it was taken, in the middle of the answer.
    CutLater,
    /// It is taken, much later, and never answered.
    Hangs,
}

/// The service.
#[derive(Clone, Debug)]
pub struct Lichess {
    /// Where it is.
    pub address: SocketAddr,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Of so many requests one fails; 0: none.
    failing: u64,
    seed: u64,
    /// What was taken last, by round and by the number of the request.
    has: BTreeMap<(String, u16), Vec<Game>>,
    /// The same as it came.
    texts: BTreeMap<(String, u16), String>,
    refuses: Option<String>,
    requests: usize,
    taken: usize,
    /// What of the requests was not as it is described.
    wrong: Vec<String>,
}

impl Lichess {
    /// Opens it.
    ///
    /// # Panics
    /// Where there is no port.
    pub fn open(seed: u64) -> Lichess {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let lichess = Lichess {
            address: listener.local_addr().expect("an address"),
            inner: Arc::new(Mutex::new(Inner {
                seed,
                ..Inner::default()
            })),
        };
        let service = lichess.clone();
        thread::spawn(move || {
            for line in listener.incoming().map_while(Result::ok) {
                let service = service.clone();
                thread::spawn(move || service.answer(line));
            }
        });
        lichess
    }

    /// From now on one of so many requests fails; 0: none.
    pub fn fail(&self, one_of: u64) {
        self.inner().failing = one_of;
    }

    /// From now on the games of this white player are refused.
    pub fn refuse(&self, white: Option<&str>) {
        self.inner().refuses = white.map(str::to_owned);
    }

    /// The games that it has of a round, by table.
    pub fn games(&self, round: &str) -> Vec<Game> {
        let inner = self.inner();
        let of_round = inner.has.iter().filter(|((id, _), _)| id == round);
        of_round.flat_map(|(_, games)| games.clone()).collect()
    }

    /// What was taken last of each part of a round, as it came.
    pub fn texts(&self, round: &str) -> Vec<String> {
        let inner = self.inner();
        let of_round = inner.texts.iter().filter(|((id, _), _)| id == round);
        of_round.map(|(_, text)| text.clone()).collect()
    }

    /// How many requests came, and how many were taken.
    pub fn counts(&self) -> (usize, usize) {
        let inner = self.inner();
        (inner.requests, inner.taken)
    }

    /// What of the requests was not as the description has it.
    pub fn wrong(&self) -> Vec<String> {
        self.inner().wrong.clone()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers everything on a line.
    fn answer(&self, mut line: TcpStream) {
        while let Some(request) = Request::read(&mut line) {
            let mishap = self.inner().mishap();
            match mishap {
                Some(Mishap::Cut) => break,
                Some(Mishap::Busy) => respond(&mut line, 429, &json!({ "error": "Too many" })),
                Some(Mishap::Broken) => respond(&mut line, 500, &json!("<html>")),
                Some(Mishap::Hangs) => {
                    thread::sleep(HANGS);
                    self.inner().take(&request);
                    break;
                }
                Some(Mishap::CutLater) => {
                    self.inner().take(&request);
                    let _gone = line.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{");
                    break;
                }
                None => {
                    let (status, answer) = self.inner().take(&request);
                    respond(&mut line, status, &answer);
                }
            }
        }
        let _gone = line.shutdown(Shutdown::Both);
    }
}

fn respond(line: &mut TcpStream, status: u16, answer: &Value) {
    let body = answer.to_string();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Some\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
    );
    let _gone = line.write_all(format!("{head}\r\n{body}").as_bytes());
}

impl Inner {
    fn mishap(&mut self) -> Option<Mishap> {
        self.requests += 1;
        let next = |seed: &mut u64| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *seed >> 33
        };
        if self.failing == 0 || !next(&mut self.seed).is_multiple_of(self.failing) {
            return None;
        }
        let all = [
            Mishap::Busy,
            Mishap::Broken,
            Mishap::Cut,
            Mishap::CutLater,
            Mishap::Hangs,
        ];
        Some(all[next(&mut self.seed) as usize % all.len()])
    }

    /// Takes what is pushed, and says of each game whether it was taken.
    fn take(&mut self, request: &Request) -> (u16, Value) {
        let round = match request.round() {
            Ok(round) => round,
            Err((status, what)) => {
                self.wrong.push(what.clone());
                return (status, json!({ "error": what }));
            }
        };
        let games = match games(&request.body) {
            Ok(games) => games,
            Err(what) => {
                self.wrong.push(what.clone());
                return (400, json!({ "error": what }));
            }
        };
        let tables: Vec<u16> = games.iter().map(|game| game.table).collect();
        // A request has the games of 64 tables, of which some may come later.
        let key = (round, tables[0].saturating_sub(1) / 64);
        // Games may be added; none goes, and all stand by table.
        let mut before = self.has.get(&key).into_iter().flatten();
        let stays = before.all(|game| tables.contains(&game.table));
        if !stays || !tables.is_sorted() {
            self.wrong
                .push(format!("the order has changed: {tables:?}"));
        }
        let refused = |game: &Game| self.refuses.as_ref() == Some(&game.white);
        let told = games.iter().map(|game| match refused(game) {
            true => json!({ "tags": game.tags, "error": "No move found" }),
            false => json!({ "tags": game.tags, "moves": game.moves.len() }),
        });
        let told: Vec<Value> = told.collect();
        self.texts.insert(key.clone(), request.body.clone());
        self.has.insert(key, games);
        self.taken += 1;
        (200, json!({ "games": told }))
    }
}
