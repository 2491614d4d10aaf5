//! An open of forty tables and three rounds, from the report file of a pairing program to the
//! report file with its results: thirty tables have boards, ten have none. Pairings change late, a
//! player does not come, a board fails and another takes its place, a third is plugged in
//! elsewhere; and the daemon is killed in every phase of every round.
//!
//! Who pairs is `py4swiss`; what was written in the end is read by three programs of others.

mod boards;
mod hall;
mod ledger;
mod outside;
mod rounds;

use hall::Hall;
use ledger::Ledger;
use outside::{first, next};

/// Tables of the open; on the first of them stand boards.
const TABLES: u16 = 40;
const BOARDS: u16 = 30;
/// One of them has a bye in each round.
const PLAYERS: u16 = 2 * TABLES + 1;
const ROUNDS: u16 = 3;

#[test]
fn forty_tables_and_three_rounds() {
    let mut hall = Hall::open();
    let mut ledger = Ledger::default();
    let mut file = first(PLAYERS, ROUNDS);
    for round in 1..=ROUNDS {
        let with_results = rounds::play(&mut hall, &mut ledger, round, &file);
        ledger.assert_read(
            &hall.write(&format!("after-{round}.trf"), &with_results),
            round,
        );
        if round < ROUNDS {
            file = next(&hall.path(&format!("after-{round}.trf")));
        }
    }
    hall.close();
}
