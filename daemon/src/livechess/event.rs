//! The tournament as this interface tells it: rounds, pairings and games, each with its number of
//! the kind that RFC 9562 describes.

use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::rules::Hold;
use super::seen::Clock;
use super::sight::{Sight, clock, listed};
use crate::public::{self, Person, Programme, Seats, Shown, WITH_ARBITER, result};

/// A tournament in a list.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    uuid: String,
    description: String,
    rounds: usize,
}

/// A tournament.
#[derive(Debug, Serialize)]
pub(super) struct Detail {
    uuid: String,
    name: String,
    description: String,
    location: String,
    country: String,
    rounds: usize,
    /// The serial number of the board on each table, from table 1 on; empty without one.
    eboards: Vec<String>,
}

/// A round.
#[derive(Debug, Serialize)]
pub(super) struct Round {
    nr: u16,
    date: Option<String>,
    pairings: Vec<Pairing>,
}

#[derive(Debug, Serialize)]
struct Pairing {
    nr: u16,
    uuid: String,
    white: Player,
    black: Player,
    live: bool,
    result: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Player {
    fname: Option<String>,
    mname: Option<String>,
    lname: Option<String>,
    title: Option<String>,
    federation: Option<String>,
    gender: Option<String>,
    fideid: Option<String>,
}

/// A game.
#[derive(Debug, Serialize)]
pub(super) struct Game {
    chess960: u16,
    result: Option<&'static str>,
    comment: Option<String>,
    clock: Option<Clock>,
    moves: Vec<String>,
}

/// The number of the array of ordinary chess among those of Chess960.
const ORDINARY: u16 = 518;

/// Every event of the store, the one at hand first: of those before it moves may still be to come.
pub(super) fn tournaments(sight: &Sight) -> Vec<Summary> {
    let programmes = sight.gate.programmes().into_iter().rev();
    let is_there = |of: &Arc<Programme>| !of.name.is_empty() || !of.rounds.is_empty();
    let summary = |programme: Arc<Programme>| Summary {
        uuid: of_event(sight, &programme),
        description: programme.name.clone(),
        rounds: programme.rounds.len(),
    };
    programmes.filter(is_there).map(summary).collect()
}

/// The event of this number, and whether it is the one at hand.
fn found(sight: &Sight, uuid: &str) -> Option<(Arc<Programme>, bool)> {
    let programmes = sight.gate.programmes();
    let last = programmes.last().map(|last| last.number);
    let mut programmes = programmes.into_iter();
    let found = programmes.find(|programme| of_event(sight, programme) == uuid)?;
    let is_at_hand = Some(found.number) == last;
    Some((found, is_at_hand))
}

/// One tournament.
pub(super) fn tournament(sight: &Sight, uuid: &str) -> Option<Detail> {
    let (programme, is_at_hand) = found(sight, uuid)?;
    Some(Detail {
        uuid: uuid.to_owned(),
        name: programme.name.clone(),
        description: programme.name.clone(),
        location: programme.site.clone(),
        country: programme.federation.clone(),
        rounds: programme.rounds.len(),
        // On those of the tables other games are played by now.
        eboards: if is_at_hand {
            eboards(sight)
        } else {
            Vec::new()
        },
    })
}

fn eboards(sight: &Sight) -> Vec<String> {
    let (tables, boards) = (sight.office.book().tables(), sight.boards());
    let last = tables.keys().next_back().copied().unwrap_or(0);
    let serial = |table: u16| {
        let id = tables.get(&table)?;
        let found = boards.iter().find(|seen| seen.id == *id)?;
        Some(found.serial.clone())
    };
    (1..=last)
        .map(|table| serial(table).unwrap_or_default())
        .collect()
}

/// One round, counted from 0.
pub(super) fn round(sight: &Sight, uuid: &str, index: usize) -> Option<Round> {
    let (programme, is_at_hand) = found(sight, uuid)?;
    let round = programme.rounds.get(index)?;
    let boards = eboards(sight);
    let has_board = |seats: &Seats| {
        let place = usize::from(seats.table).checked_sub(1);
        let serial = place.and_then(|place| boards.get(place));
        match is_at_hand {
            true => serial.is_some_and(|serial| !serial.is_empty()),
            false => seats.game.is_some(),
        }
    };
    let pairing = |seats: &Seats| Pairing {
        nr: seats.table,
        uuid: of_game(sight, &programme, round.number, seats),
        white: player(&seats.white),
        black: player(&seats.black),
        live: round.live && has_board(seats) && seats.result == "*",
        result: result(&seats.result),
    };
    Some(Round {
        nr: round.number,
        date: round.date.clone(),
        pairings: round.tables.iter().map(pairing).collect(),
    })
}

/// One game of a pairing. Of a pairing of which nothing is public there are no moves.
pub(super) fn game(sight: &Sight, uuid: &str) -> Option<Game> {
    let programmes = sight.gate.programmes();
    let all = programmes.iter().rev().flat_map(|programme| {
        let rounds = programme.rounds.iter();
        rounds.flat_map(move |round| round.tables.iter().map(move |of| (programme, round, of)))
    });
    let is_it = |(programme, round, seats): &(&Arc<Programme>, &public::Round, &Seats)| {
        of_game(sight, programme, round.number, seats) == uuid
    };
    let (programme, round, seats) = { all }.find(is_it)?;
    let shown = seats.game.as_deref().and_then(|game| sight.gate.game(game));
    let Some(shown) = shown else {
        return Some(Game {
            chess960: array(&programme.unplayed(round, seats)),
            result: result(&seats.result),
            comment: None,
            clock: None,
            moves: Vec::new(),
        });
    };
    Some(Game {
        chess960: array(&shown),
        result: result(&shown.result),
        comment: shown.with_arbiter.then(|| WITH_ARBITER.to_owned()),
        clock: clock(&shown.clocks),
        moves: moves(&shown, sight.hold),
    })
}

/// Each move with the mover's seconds after it: those before it, where the clock did not tell any.
/// A move without seconds was guessed: one that came into doubt after it was public has none, and
/// none after it. Without a clock there are none at all.
fn moves(shown: &Shown, hold: Hold) -> Vec<String> {
    let mut left = [None; 2];
    let is_black_first = shown.start_fen.split(' ').nth(1) == Some("b");
    let first = usize::from(is_black_first);
    let plies = shown.plies.iter().take(listed(shown, hold)).enumerate();
    let said = plies.map(|(n, ply)| {
        let left = &mut left[(n + first) % 2];
        *left = ply.clock_ms.map(|ms| ms / 1000).or(*left);
        match left.filter(|_| n < shown.sure) {
            Some(seconds) => format!("{} {seconds}", ply.san),
            None => ply.san.clone(),
        }
    });
    said.collect()
}

/// The number of the array that a game began from, in Chess960.
fn array(shown: &Shown) -> u16 {
    let board = shown.start_fen.split(' ').next().unwrap_or_default();
    let is_of = |number: &u16| {
        use crate::chess960::Chess960;
        let start = Chess960::parse(&number.to_string())
            .ok()
            .and_then(Chess960::start);
        let start = start.and_then(|start| serde_json::to_value(start).ok());
        let start = start
            .as_ref()
            .and_then(|start| start.as_str())
            .unwrap_or_default();
        !board.is_empty() && start.starts_with(board)
    };
    match shown.chess960 {
        true => (0..960).find(is_of).unwrap_or(ORDINARY),
        false => ORDINARY,
    }
}

fn player(person: &Person) -> Player {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (last, first) = match person.name.split_once(',') {
        Some((last, first)) => (last.trim(), first.trim()),
        None => (person.name.trim(), ""),
    };
    Player {
        fname: text(first),
        mname: None,
        lname: text(last),
        title: text(&person.title),
        federation: text(&person.federation),
        gender: None,
        fideid: person.fide_id.map(|id| id.to_string()),
    }
}

fn of_event(sight: &Sight, programme: &Programme) -> String {
    uuid(&["event", &sight.origin, &programme.number.to_string()])
}

fn of_game(sight: &Sight, programme: &Programme, round: u16, seats: &Seats) -> String {
    let (round, table) = (round.to_string(), seats.table.to_string());
    uuid(&["game", &of_event(sight, programme), &round, &table])
}

/// A number of version 8 (RFC 9562, 5.8): the same for the same words.
fn uuid(words: &[&str]) -> String {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.as_bytes());
        hash.update([0]);
    }
    let hash = hash.finalize();
    let mut bytes = [0u8; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::public::Ply;

    fn game(clocks: &[Option<u64>], sure: usize) -> Shown {
        let ply = |clock_ms: &Option<u64>| Ply {
            san: "Nf3".to_owned(),
            uci: "g1f3".to_owned(),
            clock_ms: *clock_ms,
            used_ms: None,
        };
        Shown {
            plies: clocks.iter().map(ply).collect(),
            sure,
            ..Shown::empty()
        }
    }

    #[test]
    fn what_was_listed_stays_and_is_a_guess_where_it_is_in_doubt_by_now() {
        let mut shown = game(&[Some(9_000); 4], 4);
        let holds = [Hold::None, Hold::Doubt, Hold::Completed];
        let told = |shown: &Shown| holds.map(|hold| moves(shown, hold).join(" "));
        let [all, less] = ["Nf3 9 Nf3 9 Nf3 9 Nf3 9", "Nf3 9 Nf3 9 Nf3 9"];
        assert_eq!(told(&shown), [all, all, less]);
        shown.clocks.running = Some(shown.turn());
        assert_eq!(told(&shown), [all; 3]);
        // The clock is stopped, and it is in doubt by now what was played.
        (shown.clocks.running, shown.completed, shown.sure) = (None, 4, 2);
        assert_eq!(told(&shown), ["Nf3 9 Nf3 9 Nf3 Nf3"; 3]);
    }

    #[test]
    fn a_move_without_a_clock_time_has_the_one_before() {
        let shown = game(&[Some(5_395_900), None, None, Some(60_000)], 4);
        let told = moves(&shown, Hold::Doubt);
        assert_eq!(told, ["Nf3 5395", "Nf3", "Nf3 5395", "Nf3 60"]);
    }
}
