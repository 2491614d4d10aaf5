//! Fills in how a round ended, and writes the file to standard output:
//! `cargo run -p chess-trf --example results -- FILE ROUND 1=1 4=0`, where `4=0` is what the player
//! with the starting number 4 has in column 99.

use std::error::Error;
use std::io::Write;

use chess_trf::{Code, Document};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut file = Document::parse(&std::fs::read(arguments.next().ok_or("name a file")?)?)?;
    let round = arguments.next().ok_or("name a round")?.parse()?;
    chess_trf::pairings(&file.players()?, round)?;
    for argument in arguments {
        let (number, code) = argument.split_once('=').ok_or("a result is `4=0`")?;
        let code = code.chars().next().and_then(Code::of);
        file.set_result(number.parse()?, round, code.ok_or("no result code")?)?;
    }
    Ok(std::io::stdout().write_all(&file.to_bytes())?)
}
