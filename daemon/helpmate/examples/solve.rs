//! Reads positions as in `tests/positions/mating.txt` and tells what is found out about each, by
//! whom it is not what stands there, and what it cost.
//! `cargo run --release -p helpmate --example solve -- FILE`

use std::time::Instant;

use helpmate::Winnability;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, Position, PositionError};

fn read(fen: &str) -> Option<Chess> {
    let read = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard);
    read.or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

fn cpu() -> u64 {
    std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse().unwrap()
}
fn main() {
    let limit: usize = std::env::args().nth(2).map_or(helpmate::THOROUGH, |n| n.parse().unwrap());
    let path = std::env::args().nth(1).expect("a file of positions");
    let text = std::fs::read_to_string(path).expect("readable");
    let began = Instant::now();
    let (mut sum, mut bad, mut unk, mut sumw, mut sumq, mut qd) = (0, 0, 0, 0, 0, 0);
    for line in text.lines() {
        let (who, fen) = line.split_once(' ').expect("who, and a position");
        let Some(pos) = read(&format!("{fen} 0 1")) else {
            println!("BAD {line}");
            continue;
        };
        for (colour, can) in [(Color::White, who.starts_with('W')), (Color::Black, who.ends_with('B'))] {
            let t = cpu();
            let over = pos.is_checkmate() || pos.is_stalemate();
            if over { continue }
            let q = helpmate::glance(&pos, colour);
            let u = cpu();
            let found = helpmate::within(&pos, colour, limit);
            let v = cpu();
            sum += v - u;
            sumq += u - t;
            if q != Winnability::Unknown { qd += 1 }
            let (letter, n) = match &found {
                Winnability::Winnable(line) => {
                    sumw += v - u;
                    let mut p = pos.clone();
                    for m in line { p = p.play(*m).unwrap(); }
                    assert!(p.is_checkmate() && p.turn() != colour);
                    ('W', line.len())
                }
                Winnability::Unwinnable => ('U', 0),
                Winnability::Unknown => ('?', 0),
            };
            let wrong = (letter == 'W' && !can) || (letter == 'U' && can);
            bad += usize::from(wrong);
            unk += usize::from(letter == '?');
            println!("{letter} {} {n} {} {} {colour:?} {line}", if wrong { "WRONG" } else { "ok" }, (u - t) / 1000, (v - u) / 1000);
        }
    }
    eprintln!("bad {bad} unknown {unk} full {} ms (winnable {} ms) glance {} ms, decided {qd}; wall {:?}", sum / 1_000_000, sumw / 1_000_000, sumq / 1_000_000, began.elapsed());
}
