//! Reads an event script from standard input, one JSON object a line, and prints the rulings:
//! `cargo run --example rulings < game.jsonl`

use std::io::{self, BufRead, Write};

use arbiter_core::{Announcement, Arbiter, Event};

fn main() -> io::Result<()> {
    let (mut arbiter, mut out) = (Arbiter::new(), io::stdout().lock());
    for (n, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let event: Event = serde_json::from_str(&line)
            .map_err(|error| io::Error::other(format!("line {}: {error}", n + 1)))?;
        let mut said = Vec::<Announcement>::new();
        arbiter.handle(&event, &mut said);
        tell(&mut out, &said)?;
    }
    let mut said = Vec::<Announcement>::new();
    arbiter.finish(&mut said);
    tell(&mut out, &said)
}

fn tell(out: &mut impl Write, said: &[Announcement]) -> io::Result<()> {
    for announcement in said {
        writeln!(out, "{}", serde_json::to_string(announcement)?)?;
    }
    Ok(())
}
