//! What really happened at every table, as whoever stands by has written it down.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::outside::read;
use super::{PLAYERS, ROUNDS};

/// How every player's rounds ended, by starting number, as report files have it.
#[derive(Default)]
pub(crate) struct Ledger(BTreeMap<u16, Vec<String>>);

impl Ledger {
    /// A round is over: of each table how it ended for White and for Black. Who is paired with
    /// nobody has a bye.
    pub(crate) fn enter(&mut self, pairings: &Value, results: &BTreeMap<u16, [char; 2]>) {
        for pairing in pairings.as_array().expect("pairings") {
            let number = |side: &str| pairing[side]["number"].as_u64().expect("a player") as u16;
            let Some(table) = pairing["table"].as_u64() else {
                self.add(number("white"), 'U');
                continue;
            };
            let [white, black] = results[&(table as u16)];
            self.add(number("white"), white);
            self.add(number("black"), black);
        }
    }

    fn add(&mut self, player: u16, code: char) {
        self.0.entry(player).or_default().push(code.to_string());
    }

    /// Every reader sees every result, and nothing else.
    pub(crate) fn assert_read(&self, file: &Path, round: u16) {
        let readers = read(file);
        assert!(readers.len() >= 2, "{readers:?}");
        for (reader, seen) in readers {
            assert_eq!(seen.len(), usize::from(PLAYERS), "{reader}");
            assert_eq!(seen, self.0, "{reader} after round {round} of {ROUNDS}");
        }
    }
}
