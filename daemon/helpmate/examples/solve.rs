//! Reads positions as in `tests/positions/mating.txt` and tells of each side of each what is found
//! out: whether it agrees, the answer, the moves to the mate and the milliseconds it took; at the
//! end how many are wrong or unknown, and how the times are spread.
//! `cargo run --release -p helpmate --example solve -- FILE [POSITIONS]`

use std::time::Instant;

use helpmate::Winnability;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, Position, PositionError};

fn read(fen: &str) -> Option<Chess> {
    let read = fen
        .parse::<Fen>()
        .ok()?
        .into_position(CastlingMode::Standard);
    read.or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// The letter of an answer, and how many moves it has.
fn told(found: &Winnability) -> (char, usize) {
    match found {
        Winnability::Winnable(line) => ('W', line.len()),
        Winnability::Unwinnable => ('U', 0),
        Winnability::Unknown => ('?', 0),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which file?")?;
    let limit = args.next().map_or(Ok(helpmate::THOROUGH), |n| n.parse())?;
    let (mut wrong, mut unknown, mut times) = (0, 0, Vec::new());
    for line in std::fs::read_to_string(path)?.lines() {
        let (who, fen) = line.split_once(' ').ok_or("who can mate, and a position")?;
        let pos = read(fen).ok_or_else(|| format!("{fen}: no position"))?;
        for colour in Color::ALL {
            let can = who.contains(colour.fold_wb('W', 'B'));
            let began = Instant::now();
            let found = told(&helpmate::within(&pos, colour, limit));
            let took = began.elapsed().as_secs_f64() * 1_000.0;
            // A mate on the board is in the file as one who has mated, and as nobody.
            let agrees = match found.0 {
                'W' => can || pos.is_checkmate(),
                'U' => !can || pos.is_checkmate(),
                _ => true,
            };
            wrong += u32::from(!agrees);
            unknown += u32::from(found.0 == '?');
            times.push(took);
            let verdict = if agrees { "agrees" } else { "WRONG" };
            println!(
                "{verdict} {} {} {took:.1} {colour} {line}",
                found.0, found.1
            );
        }
    }
    times.sort_by(f64::total_cmp);
    let last = times.len().saturating_sub(1) as f64;
    let at = |share: f64| times.get((last * share) as usize).copied().unwrap_or(0.0);
    eprintln!(
        "{} questions: {wrong} wrong, {unknown} unknown",
        times.len()
    );
    eprintln!(
        "{:.0} ms: median {:.3}, 90 of 100 in {:.2}, 99 of 100 in {:.1}, worst {:.0}",
        times.iter().sum::<f64>(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    Ok(())
}
