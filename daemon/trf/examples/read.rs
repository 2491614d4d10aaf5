//! What a tournament report file says of its players, for people and for other programs: one line a
//! player, tabs between. `cargo run -p chess-trf --example read -- FILE`

use std::error::Error;

use chess_trf::{Code, Colour, Document};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).ok_or("name a file")?;
    let file = Document::parse(&std::fs::read(&name)?)?;
    for player in file.players()? {
        let rounds = player.rounds.iter().map(|cell| {
            let colour = match cell.colour {
                Some(Colour::White) => 'w',
                Some(Colour::Black) => 'b',
                None => '-',
            };
            let code = cell.code.map_or(' ', Code::char);
            format!("{}{colour}{code}", cell.opponent.unwrap_or(0))
        });
        let rounds: Vec<String> = rounds.collect();
        let rating = player.rating.unwrap_or(0);
        let (number, name) = (player.number, player.name);
        println!("{number}\t{name}\t{rating}\t{}", rounds.join(" "));
    }
    Ok(())
}
