//! Fills results into a report file, for other programs to read:
//! `cargo run -p tournament --example fill -- FILE ROUND [PAIRS] < RESULTS > FILLED`. Each line of
//! the results is a table and how the game ended there: `3 ½-0`. Without any it says who sits
//! where. `PAIRS` is a later file of the round, such as a table of pairs with somebody who came
//! late.

use std::error::Error;
use std::io::{self, Read, Write};

use tournament::{Act, How, Place, Plan, ResultCode, Tournament, load, write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = std::fs::read(arguments.next().ok_or("name a file")?)?;
    let round: u16 = arguments.next().ok_or("name a round")?.parse()?;
    let pairs = arguments.next().map(std::fs::read).transpose()?;
    let mut results = String::new();
    io::stdin().read_to_string(&mut results)?;

    let mut tournament = Tournament::default();
    for file in [Some(&file), pairs.as_ref()].into_iter().flatten() {
        let sheet = load::read(file, Some(round))?;
        let plan = Plan::of(&tournament, &sheet, &Place::default())?;
        plan.acts.iter().try_for_each(|act| tournament.apply(act))?;
    }
    tournament.apply(&Act::StartRound {
        round,
        at: String::new(),
    })?;
    let mut out = io::stdout().lock();
    if results.trim().is_empty() {
        for pairing in &tournament.rounds[&round].pairings {
            if let (Some(table), Some(black)) = (pairing.table, pairing.black) {
                writeln!(out, "{table} {} {black}", pairing.white)?;
            }
        }
        return Ok(());
    }
    for line in results.lines() {
        let (table, text) = line.split_once(' ').ok_or("a table and a result")?;
        let codes = ResultCode::both(text).ok_or_else(|| format!("`{text}` is no result"))?;
        tournament.apply(&Act::Result {
            round,
            table: table.parse()?,
            codes,
            how: How::Typed,
            reason: String::new(),
        })?;
    }
    out.write_all(&write::trf(&tournament, round, &file)?.bytes)?;
    Ok(())
}
