//! Those who read what goes out.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tests::lichess::Lichess;
use tests::rig::{LiveChess, get, let_run, look_until};

use super::notes::{Everybody, text};
use super::{ID, PATIENCE, START};

/// Programs that ask for every game anew do not do so more often.
const PAUSE: Duration = Duration::from_millis(200);

/// The moves of each game in a PGN, by table.
fn games_of(pgn: &str) -> Vec<(usize, Vec<String>)> {
    let games = match pgn.trim().is_empty() {
        true => Vec::new(),
        false => tests::lichess::games(pgn).unwrap_or_else(|what| panic!("{what}:\n{pgn}")),
    };
    let of = |game: tests::lichess::Game| (usize::from(game.table), game.moves);
    games.into_iter().map(of).collect()
}

/// Whoever watches the folder.
pub(crate) fn read_folder(everybody: &Everybody, folder: &Path, tables: usize) {
    let file = |name: &str| fs::read_to_string(folder.join("round-1").join(name)).ok();
    for table in 1..=tables {
        if let Some(pgn) = file(&format!("game-{table}.pgn")) {
            everybody.hear("the folder's PGN", table, &pgn);
            for (table, moves) in games_of(&pgn) {
                everybody.tell("folder", table, moves);
            }
        }
        if let Some(json) = file(&format!("game-{table}.json")) {
            everybody.hear("the folder's JSON", table, &json);
        }
    }
    let of_all = ["live.json", "index.html", "index.json"];
    for name in of_all {
        everybody.read(name, &file(name).unwrap_or_default());
    }
}

/// Whoever asks for the games over HTTP, and for the page of a table.
pub(crate) fn read_live(everybody: &Everybody, place: SocketAddr, tables: usize) {
    let ask = |path: &str| {
        let reply = get(place, path).ok().filter(|reply| reply.status == 200);
        reply.map(|reply| reply.body)
    };
    if let Some(pgn) = ask("/live/round-1") {
        everybody.read("/live", &pgn);
        for (table, moves) in games_of(&pgn) {
            everybody.tell("live", table, moves);
        }
    }
    everybody.read(
        "live.json",
        &ask("/live/round-1/live.json").unwrap_or_default(),
    );
    for table in 1..=tables {
        if let Some(moves) = ask(&format!("/live/round-1/moves-{table}.json")) {
            everybody.hear("the page's moves", table, &moves);
        }
    }
}

/// Whoever asks for the games as a program that knows LiveChess, without a feed.
pub(crate) fn ask(everybody: &Everybody, place: SocketAddr) {
    let ask = |path: String| {
        let reply = get(place, &format!("/api/v1.0/{path}")).ok();
        let reply = reply.filter(|reply| reply.status == 200)?;
        let read = serde_json::from_str::<Value>(&reply.body).ok()?;
        Some((reply.body, read))
    };
    let Some((_, tournaments)) = ask("tournaments".to_owned()) else {
        return;
    };
    let Some((_, round)) = ask(format!("round/{}/0", text(&tournaments[0]["uuid"]))) else {
        return;
    };
    for pairing in round["pairings"].as_array().into_iter().flatten() {
        let Some((bytes, game)) = ask(format!("game/{}", text(&pairing["uuid"]))) else {
            return;
        };
        let table = pairing["nr"].as_u64().unwrap_or(0) as usize;
        everybody.hear("the REST bytes", table, &bytes);
        let moves = game["moves"].as_array().into_iter().flatten().map(text);
        let moves = moves.map(|said| said.split(' ').next().unwrap_or_default().to_owned());
        everybody.tell("rest", table, moves.collect());
    }
    let_run(PAUSE);
}

/// The result of a table as a program that knows LiveChess has it.
pub(crate) fn result(place: SocketAddr, table: usize) -> Option<String> {
    let ask = |path: String| {
        let reply = get(place, &format!("/api/v1.0/{path}")).ok()?;
        serde_json::from_str::<Value>(&reply.body).ok()
    };
    let tournaments = ask("tournaments".to_owned())?;
    let round = ask(format!("round/{}/0", text(&tournaments[0]["uuid"])))?;
    let pairings = round["pairings"].as_array()?.iter();
    let mut at = pairings.filter(|pairing| pairing["nr"] == table);
    Some(at.next()?["result"].as_str()?.to_owned())
}

/// What Lichess has been given.
pub(crate) fn look_at(everybody: &Everybody, lichess: &Lichess) {
    for game in lichess.games(ID) {
        everybody.tell("lichess", usize::from(game.table), game.moves);
    }
    for text in lichess.texts(ID) {
        everybody.read("the push", &text);
    }
}

/// Whoever follows the boards as a program that knows LiveChess; it comes again when it is cut off.
pub(crate) fn follow(everybody: &Everybody, place: SocketAddr, tables: usize) {
    let Some(mut line) = set_up(place, tables) else {
        return;
    };
    while let (false, Ok(said)) = (everybody.has_ended(), line.hear()) {
        // A board that has not told its number yet cannot be followed yet.
        match said {
            Some(said) if said["response"] == "error" => return,
            Some(said) if said["response"] == "feed" => {
                let table = said["id"].as_u64().unwrap_or(0) as usize;
                let event = &said["param"];
                if let Some(board) = event["board"].as_str() {
                    everybody.show(table, board);
                }
                if let Some(san) = event["san"].as_array() {
                    let told = event["san"].to_string();
                    everybody.hear("the feed", table, &told);
                    everybody.tell("livechess", table, san.iter().map(text).collect());
                    let matches = event["match"] == true;
                    everybody.notes().matches.insert(table, matches);
                }
            }
            _ => {}
        }
    }
}

fn set_up(place: SocketAddr, tables: usize) -> Option<LiveChess> {
    let mut line = LiveChess::connect(place).ok()?;
    for table in 1..=tables as u64 {
        let asked = line
            .subscribe(10 + table, table, &format!("SIM-{table}"))
            .and_then(|()| line.set_up(100 + table, table, START));
        asked.ok()?;
    }
    Some(line)
}

/// What somebody is told who sets up anew, by table: at least so many moves of each.
pub(crate) fn anew(place: SocketAddr, least: &[usize]) -> BTreeMap<usize, Vec<String>> {
    let mut line = set_up(place, least.len()).expect("a line");
    let mut told = BTreeMap::<usize, Vec<String>>::new();
    let heard = look_until(PATIENCE, || {
        while let Some(said) = line.hear().expect("a line") {
            if let Some(san) = said["param"]["san"].as_array() {
                let table = said["id"].as_u64().unwrap_or(0) as usize;
                told.insert(table, san.iter().map(text).collect());
            }
        }
        let is_whole =
            |(table, least): (usize, &usize)| told.get(&table).map_or(0, Vec::len) >= *least;
        match (1..).zip(least).all(is_whole) {
            true => Ok(()),
            false => Err(format!("{told:?}")),
        }
    });
    heard.unwrap_or_else(|told| panic!("{told}, not {least:?}"));
    told
}
