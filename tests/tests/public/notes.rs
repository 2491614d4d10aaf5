//! What the record has said, and what everybody was told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{DELAY, START};

/// The record is looked at so often; what it said between two looks was said by the later one.
const LOOK: Duration = Duration::from_millis(50);
/// As far as looks may be late on a busy machine.
const SLACK: Duration = Duration::from_millis(700);

/// What a feed says goes by these names.
const FEED: [&str; 2] = ["the feed", "livechess"];

/// Since when something is so, and whether it is so no more.
#[derive(Clone, Copy, Debug)]
struct Since {
    at: Instant,
    is_gone: bool,
}

impl Since {
    fn is_due(self) -> bool {
        self.at.elapsed() + SLACK >= DELAY
    }
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// By table and moves: since when the record has them.
    since: BTreeMap<(usize, Vec<String>), Since>,
    /// By table and pieces: since when they stand there by the record.
    stood: BTreeMap<(usize, String), Since>,
    /// By outlet and table: the moves that were told last.
    pub(crate) told: BTreeMap<(&'static str, usize), Vec<String>>,
    /// By table: whether the board matched what was told of it.
    pub(crate) matches: BTreeMap<usize, bool>,
    pub(crate) early: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Everybody {
    notes: Arc<Mutex<Notes>>,
    pub(crate) end: Arc<AtomicBool>,
}

impl Everybody {
    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Looks again and again until the end.
    pub(crate) fn watch(
        &self,
        mut look: impl FnMut(&Everybody) + Send + 'static,
    ) -> JoinHandle<()> {
        let everybody = self.clone();
        thread::spawn(move || {
            while !everybody.has_ended() {
                look(&everybody);
                thread::sleep(LOOK);
            }
        })
    }

    /// Somebody was told these moves of a table.
    pub(crate) fn tell(&self, outlet: &'static str, table: usize, moves: Vec<String>) {
        let mut notes = self.notes();
        notes.look(outlet, table, &moves);
        notes.told.insert((outlet, table), moves);
    }

    /// Somebody was sent these bytes about a table: whatever in them looks like moves is what was
    /// public, in its order, and no position stands in them that was not.
    pub(crate) fn hear(&self, outlet: &'static str, table: usize, bytes: &str) {
        self.read(outlet, bytes);
        self.notes().look(outlet, table, &moves_in(bytes));
    }

    /// Somebody was sent these bytes about whatever tables: they have no position that was not
    /// public.
    pub(crate) fn read(&self, outlet: &'static str, bytes: &str) {
        let mut notes = self.notes();
        let due = notes.stood.iter().filter(|(_, since)| since.is_due());
        // The same pieces may have stood at another table.
        let due: BTreeSet<&str> = due.map(|((_, pieces), _)| pieces.as_str()).collect();
        let hidden = notes.stood.iter().filter(|((_, pieces), since)| {
            !since.is_due() && !due.contains(pieces.as_str()) && bytes.contains(pieces)
        });
        let early = hidden.map(|((table, pieces), since)| {
            format!("{outlet}, {table}: {pieces} after {:?}", since.at.elapsed())
        });
        let early: Vec<String> = early.collect();
        notes.early.extend(early);
    }

    /// Somebody was shown these pieces on a table.
    pub(crate) fn show(&self, table: usize, board: &str) {
        let mut notes = self.notes();
        let since = notes.stood.get(&(table, board.to_owned()));
        let is_due = since.is_some_and(|since| since.is_due());
        if !START.starts_with(board) && !is_due {
            notes.early.push(format!("the pieces of {table}: {board}"));
        }
    }

    /// What the record says now.
    pub(crate) fn record(&self, boards: &[Value]) {
        let (now, mut notes) = (Instant::now(), self.notes());
        for (table, board) in (1..).zip(boards) {
            let plies: Vec<&Value> = board["plies"].as_array().into_iter().flatten().collect();
            let sans: Vec<String> = plies.iter().map(|ply| text(&ply["san"])).collect();
            let pieces = plies.iter().map(|ply| {
                let fen = text(&ply["fen"]);
                fen.split(' ').next().unwrap_or_default().to_owned()
            });
            let pieces: Vec<String> = pieces.collect();
            let lines = (1..=sans.len()).map(|count| sans[..count].to_vec());
            renew(&mut notes.since, table, lines.collect(), now);
            renew(&mut notes.stood, table, pieces, now);
        }
    }
}

/// What of a table is so now is so since now, unless it was before without a break.
fn renew<K: Ord + Clone>(
    known: &mut BTreeMap<(usize, K), Since>,
    table: usize,
    now_so: Vec<K>,
    now: Instant,
) {
    for ((of, what), since) in known.iter_mut() {
        if *of == table && !now_so.contains(what) {
            since.is_gone = true;
        }
    }
    for what in now_so {
        let since = Since {
            at: now,
            is_gone: false,
        };
        let known = known.entry((table, what)).or_insert(since);
        if known.is_gone {
            *known = since;
        }
    }
}

impl Notes {
    fn look(&mut self, outlet: &'static str, table: usize, moves: &[String]) {
        // A feed says again what it has said before, until it is set up anew.
        let before = self.told.get(&("livechess", table));
        if FEED.contains(&outlet) && before.is_some_and(|before| before == moves) {
            return;
        }
        let since = self.since.get(&(table, moves.to_vec())).copied();
        if !moves.is_empty() && !since.is_some_and(Since::is_due) {
            let age = since.map(|since| since.at.elapsed());
            self.early
                .push(format!("{outlet}, {table}: {moves:?} after {age:?}"));
        }
    }
}

/// Whatever in a text looks like a move in algebraic notation.
fn moves_in(bytes: &str) -> Vec<String> {
    let is_of_move = |c: char| c.is_ascii_alphanumeric() || "-=+#".contains(c);
    let words = bytes.split(|c: char| !is_of_move(c));
    words.filter(|w| is_move(w)).map(str::to_owned).collect()
}

fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    if word == "O-O" || word == "O-O-O" {
        return true;
    }
    let (word, promoted) = word.split_once('=').unwrap_or((word, "Q"));
    let is_piece = |text: &str| text.len() == 1 && "NBRQ".contains(text);
    let letters: Vec<char> = word.chars().collect();
    let [from @ .., file, rank] = &letters[..] else {
        return false;
    };
    let is_square = ('a'..='h').contains(file) && ('1'..='8').contains(rank);
    let is_from = |c: &char| "KQRBNabcdefgh12345678x".contains(*c);
    // `e2e4` is no algebraic notation.
    let is_long = from.len() == 2 && from.iter().all(|c| "abcdefgh12345678".contains(*c));
    is_square && is_piece(promoted) && from.len() <= 4 && from.iter().all(is_from) && !is_long
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
