//! Everything public as the tree of files that services for broadcasts read: the event, its rounds,
//! and each game as JSON and as PGN. Numbers are those of rounds and tables.

use std::sync::Arc;

use serde_json::{Value, json};
use tournament::ResultCode;

use super::gate::Gate;
use super::page::{self, Language, Part};
use super::pgn;
use super::shown::{Person, Programme, Round, Seats, Shown};

/// The media type of a PGN.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// A place in the tree: those of the store's first event stand at its root, those of the second
/// in `event-2/`, and so on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) event: usize,
    pub(crate) leaf: Leaf,
}

impl Place {
    /// What lies at a path, if anything can.
    pub(crate) fn at(path: &str) -> Option<Place> {
        let Some(path) = path.strip_prefix("event-") else {
            let leaf = Leaf::at(path)?;
            return Some(Place { event: 1, leaf });
        };
        let (event, path) = path.split_once('/')?;
        let event = usize::from(number(event).filter(|event| *event > 1)?);
        let leaf = Leaf::at(path).filter(|leaf| !leaf.is_of_all())?;
        Some(Place { event, leaf })
    }

    /// Its path.
    pub(crate) fn path(self) -> String {
        match self.event {
            event if event > 1 => format!("event-{event}/{}", self.leaf.path()),
            _ => self.leaf.path(),
        }
    }

    /// What stands there now; `None`: nothing.
    pub(crate) fn text(self, gate: &Gate) -> Option<String> {
        match self.leaf {
            Leaf::Start => Some(page::start(&gate.programmes())),
            Leaf::Part(part) => Some(part.text().to_owned()),
            leaf => leaf.text(gate, &*gate.programme_of(self.event)?),
        }
    }
}

/// A file of an event, or of all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Leaf {
    /// `tournament.json`
    Event,
    /// `round-N/index.json`
    Index(u16),
    /// `round-N/games.pgn`
    Games(u16),
    /// `round-N/game-M.json`
    Game(u16, u16),
    /// `round-N/game-M.pgn`
    Pgn(u16, u16),
    /// `round-N/live.json`, for the page
    Live(u16),
    /// `round-N/moves-M.json`, for the page
    Moves(u16, u16),
    /// `round-N/index.html`, and in other languages
    Page(u16, Language),
    /// `index.html`
    Start,
    /// `page/...`
    Part(Part),
}

impl Leaf {
    /// What its pages may load. That nobody may frame them is said by another header.
    pub(crate) const POLICY: &str = page::POLICY;

    /// Whether it is something that a browser shows.
    pub(crate) fn is_page(self) -> bool {
        matches!(self, Leaf::Page(..) | Leaf::Start)
    }

    /// Whether it is the same for all events.
    fn is_of_all(self) -> bool {
        matches!(self, Leaf::Start | Leaf::Part(_))
    }

    fn at(path: &str) -> Option<Leaf> {
        if path == "tournament.json" {
            return Some(Leaf::Event);
        }
        if path == "index.html" {
            return Some(Leaf::Start);
        }
        let (folder, file) = path.split_once('/').unwrap_or((path, ""));
        if folder == "page" {
            let found = Part::ALL.into_iter().find(|part| part.file() == file);
            return found.map(Leaf::Part);
        }
        let round = number(folder.strip_prefix("round-")?)?;
        match file {
            // Whoever asks for the folder as such means its games.
            "" | "games.pgn" => Some(Leaf::Games(round)),
            "index.json" | "round.json" => Some(Leaf::Index(round)),
            "live.json" => Some(Leaf::Live(round)),
            _ => {
                let mut languages = Language::ALL.into_iter();
                if let Some(language) = languages.find(|language| language.file() == file) {
                    return Some(Leaf::Page(round, language));
                }
                if let Some(file) = file.strip_prefix("moves-") {
                    return Some(Leaf::Moves(round, number(file.strip_suffix(".json")?)?));
                }
                let (table, end) = file.strip_prefix("game-")?.split_once('.')?;
                let table = number(table)?;
                match end {
                    "json" => Some(Leaf::Game(round, table)),
                    "pgn" => Some(Leaf::Pgn(round, table)),
                    _ => None,
                }
            }
        }
    }

    fn path(self) -> String {
        match self {
            Leaf::Event => "tournament.json".to_owned(),
            Leaf::Index(round) => format!("round-{round}/index.json"),
            Leaf::Games(round) => format!("round-{round}/games.pgn"),
            Leaf::Game(round, table) => format!("round-{round}/game-{table}.json"),
            Leaf::Pgn(round, table) => format!("round-{round}/game-{table}.pgn"),
            Leaf::Live(round) => format!("round-{round}/live.json"),
            Leaf::Moves(round, table) => format!("round-{round}/moves-{table}.json"),
            Leaf::Page(round, language) => format!("round-{round}/{}", language.file()),
            Leaf::Start => "index.html".to_owned(),
            Leaf::Part(part) => format!("page/{}", part.file()),
        }
    }

    /// Its media type.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Leaf::Event | Leaf::Index(_) | Leaf::Game(..) => JSON,
            Leaf::Live(_) | Leaf::Moves(..) => JSON,
            Leaf::Page(..) | Leaf::Start => HTML,
            Leaf::Part(part) => part.kind(),
            Leaf::Games(_) | Leaf::Pgn(..) => PGN,
        }
    }

    fn text(self, gate: &Gate, programme: &Programme) -> Option<String> {
        let round = |number: u16| {
            let mut rounds = programme.rounds.iter();
            rounds.find(|round| round.number == number)
        };
        match self {
            Leaf::Event => Some(event(programme, gate).to_string()),
            Leaf::Index(number) => Some(index(round(number)?).to_string()),
            Leaf::Games(number) => {
                let round = round(number)?;
                let tables = round.tables.iter();
                let games = tables.map(|seats| game_of(gate, programme, round, seats));
                let all: Vec<String> = games.map(|game| pgn::render(&game)).collect();
                Some(all.join("\n"))
            }
            Leaf::Game(number, table) => {
                let round = round(number)?;
                let seats = seats_at(round, table)?;
                Some(game(&game_of(gate, programme, round, seats)).to_string())
            }
            Leaf::Pgn(number, table) => {
                let round = round(number)?;
                let seats = seats_at(round, table)?;
                Some(pgn::render(&game_of(gate, programme, round, seats)))
            }
            Leaf::Live(number) => Some(page::live(gate, programme, round(number)?).to_string()),
            Leaf::Moves(number, table) => {
                let game = seats_at(round(number)?, table)?.game.as_deref()?;
                Some(page::moves(&*gate.game(game)?).to_string())
            }
            Leaf::Page(number, language) => {
                Some(page::html(gate, programme, round(number)?, language))
            }
            Leaf::Start | Leaf::Part(_) => None,
        }
    }
}

/// A number as it is written without a sign or zeros before it.
fn number(text: &str) -> Option<u16> {
    let number: u16 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

fn seats_at(round: &Round, table: u16) -> Option<&Seats> {
    round.tables.iter().find(|seats| seats.table == table)
}

/// The game at a table, without moves as long as nothing of it is public: so that readers who count
/// games find each in its place from the beginning.
fn game_of(gate: &Gate, programme: &Programme, round: &Round, seats: &Seats) -> Arc<Shown> {
    let shown = seats.game.as_deref().and_then(|game| gate.game(game));
    shown.unwrap_or_else(|| Arc::new(programme.unplayed(round, seats)))
}

fn event(programme: &Programme, gate: &Gate) -> Value {
    let mut tables = programme.rounds.iter().flat_map(|round| &round.tables);
    // By the pairing as long as nothing of the game is public.
    let is_other = |seats: &Seats| {
        let shown = seats.game.as_deref().and_then(|game| gate.game(game));
        let start = seats.start.as_ref().is_some_and(|start| start.chess960);
        start || shown.is_some_and(|game| game.chess960)
    };
    let is_any = tables.any(is_other);
    let rounds = programme.rounds.last().map_or(0, |round| round.number);
    let round = |number: u16| {
        let known = programme.rounds.iter().find(|round| round.number == number);
        json!({
            "count": known.map_or(0, |round| round.tables.len()),
            "live": known.map_or(0, |round| match round.live {
                true => round.tables.iter().filter(|seats| seats.game.is_some()).count(),
                false => 0,
            }),
        })
    };
    json!({
        "name": programme.name,
        "location": programme.site,
        "country": programme.federation,
        "timecontrol": programme.time_control,
        "rules": "STANDARD",
        "chess960": if is_any { "ANY" } else { "STANDARD" },
        "rounds": (1..=rounds).map(round).collect::<Vec<_>>(),
        "eboards": [],
    })
}

fn index(round: &Round) -> Value {
    let pairing = |seats: &Seats| {
        json!({
            "white": player(&seats.white),
            "black": player(&seats.black),
            "result": pgn::token(&seats.result),
            "live": round.live && seats.game.is_some() && seats.result == "*",
        })
    };
    // A reader takes the place in the list for the number of the game.
    let last = round.tables.last().map_or(0, |seats| seats.table);
    let empty = || {
        json!({ "white": player(&Person::default()),
        "black": player(&Person::default()), "result": null, "live": false })
    };
    let at = |table: u16| {
        let found = round.tables.iter().find(|seats| seats.table == table);
        found.map_or_else(empty, pairing)
    };
    json!({
        "date": round.date,
        "pairings": (1..=last).map(at).collect::<Vec<_>>(),
    })
}

fn player(person: &Person) -> Value {
    let some = |text: &str| (!text.is_empty()).then(|| text.trim().to_owned());
    let (last, first) = match person.name.split_once(',') {
        Some((last, first)) => (some(last), some(first)),
        None => (some(&person.name), None),
    };
    json!({
        "fname": first,
        "mname": null,
        "lname": last,
        "title": some(&person.title),
        "fideid": person.fide_id,
        "federation": some(&person.federation),
    })
}

fn game(shown: &Shown) -> Value {
    let seconds = |ms: Option<u64>| ms.map(|ms| ms / 1000);
    let moves = shown.plies.iter().map(|ply| {
        let mut text = ply.san.clone();
        if ply.clock_ms.is_some() || ply.used_ms.is_some() {
            text.push(' ');
        }
        text.extend(seconds(ply.clock_ms).map(|s| s.to_string()));
        text.extend(seconds(ply.used_ms).map(|s| format!("+{s}")));
        text
    });
    let clocks = &shown.clocks;
    let has_clock = clocks.white_ms.is_some() && clocks.black_ms.is_some();
    json!({
        "live": shown.result == "*",
        "serialNr": null,
        "firstMove": null,
        "chess960": pgn::array(shown),
        "fen": pgn::start(shown),
        "result": result(&shown.result),
        "comment": shown.with_arbiter.then_some(pgn::WITH_ARBITER),
        "clock": has_clock.then(|| json!({
            "white": seconds(clocks.white_ms),
            "black": seconds(clocks.black_ms),
            "run": clocks.running.map(|side| side == 'w'),
            "time": clocks.at,
        })),
        "moves": moves.collect::<Vec<_>>(),
    })
}

/// A result as programs that know LiveChess have it; they have none for what adds up to less than
/// a point.
pub(crate) fn result(text: &str) -> Option<&'static str> {
    let codes = ResultCode::both(text)?;
    match (ResultCode::pgn(codes), ResultCode::is_by_forfeit(codes)) {
        ("1-0", false) => Some("WHITEWIN"),
        ("0-1", false) => Some("BLACKWIN"),
        // The side named is the one that has the point.
        ("1-0", true) => Some("WHITEFORFAIT"),
        ("0-1", true) => Some("BLACKFORFAIT"),
        ("1/2-1/2", _) => Some("DRAW"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_of_chess960_is_told_before_a_game_of_it_is_public() {
        let gate = Gate::default();
        let rules = |chess960: bool| {
            let seats = Seats {
                table: 1,
                white: Person::default(),
                black: Person::default(),
                result: "*".to_owned(),
                game: None,
                paired: true,
                start: Some(tournament::Start {
                    chess960,
                    ..tournament::Start::default()
                }),
            };
            let round = Round {
                number: 1,
                date: None,
                live: true,
                late: super::super::shown::Late::default(),
                tables: vec![seats],
            };
            let programme = Programme {
                rounds: vec![round],
                ..Programme::default()
            };
            event(&programme, &gate)["chess960"].clone()
        };
        assert_eq!([false, true].map(rules), ["STANDARD", "ANY"]);
    }

    #[test]
    fn every_place_has_one_path_and_is_found_by_it() {
        for path in [
            "tournament.json",
            "index.html",
            "page/live.js",
            "round-3/game-12.pgn",
            "event-2/tournament.json",
            "event-2/round-3/game-12.pgn",
            "event-11/round-1/index.de.html",
        ] {
            let place = Place::at(path).unwrap_or_else(|| panic!("{path}"));
            assert_eq!(place.path(), path);
        }
        let short = Place::at("event-2/round-3").map(Place::path);
        assert_eq!(short.as_deref(), Some("event-2/round-3/games.pgn"));
        for nothing in [
            "event-1/round-1/index.json",
            "event-02/round-1/index.json",
            "event-2",
            "event-2/index.html",
            "event-2/page/live.js",
            "event-2/event-3/round-1/index.json",
            "event-2/../people.sqlite",
        ] {
            assert_eq!(Place::at(nothing), None, "{nothing}");
        }
    }
}
