//! The event as the public may know it: who plays whom, and how it stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use tournament::{How, Stage, Tournament, pgn_day};

use super::candidate::person;
use super::gate::Gate;
use super::rules::Rules;
use super::shown::{Late, Person, Programme, Round, Seats, Shown};
use super::unseen;
use crate::office::Minors;

/// An event, by its number in the store, as the public may know it.
pub(super) fn programme(
    (of_event, event): (usize, &Tournament),
    minors: &Minors,
    gate: &Gate,
    rules: &Rules,
) -> Programme {
    let before = gate.programme_of(of_event).unwrap_or_default();
    let seats = |number: u16, pairing: &tournament::Pairing| {
        let (table, black) = (pairing.table?, pairing.black?);
        let unseen = unseen::name(of_event, number, table);
        let game = gate.game(pairing.game.as_deref().unwrap_or(&unseen));
        let stopped = || event.publication.is_stopped(Some(number), Some(table));
        let known = || {
            let mut rounds = before.rounds.iter();
            let tables = &rounds.find(|round| round.number == number)?.tables;
            let place = tables
                .binary_search_by_key(&table, |seats| seats.table)
                .ok()?;
            Some(tables[place].result.clone())
        };
        // What a file says of rounds that are over was public before.
        let said = pairing.outcome.as_ref();
        let said = said.filter(|outcome| outcome.confirmed && outcome.how == How::File);
        let result = match (&game, &pairing.game, said) {
            (Some(game), ..) => game.result.clone(),
            // A board has the game: its result comes with its moves.
            (None, Some(_), _) => "*".to_owned(),
            (None, None, Some(_)) if stopped() => known().unwrap_or_else(|| "*".to_owned()),
            (None, None, Some(said)) => tournament::ResultCode::told(said.codes),
            (None, None, None) => "*".to_owned(),
        };
        Some(Seats {
            table,
            white: person(event, pairing.white, minors),
            black: person(event, black, minors),
            result,
            // Of one that no board has seen there may be nothing but a result.
            game: game
                .filter(|game| pairing.game.is_some() || !game.plies.is_empty())
                .map(|game| game.game.clone()),
            paired: true,
            start: pairing.start.clone(),
        })
    };
    let rounds = event.rounds.iter();
    let started = rounds.filter(|(_, round)| round.stage != Stage::Drawn);
    let known = |number: u16| before.rounds.iter().find(|round| round.number == number);
    let is_stopped = |number: u16| event.publication.is_stopped(Some(number), None);
    // While nothing of a round may be published, it does not begin for the public. After a restart
    // its games tell that it had begun.
    let was_public = |number: u16, round: &tournament::Round| {
        let game = |pairing: &tournament::Pairing| match (&pairing.game, pairing.table) {
            (Some(game), _) => gate.game(game),
            (None, table) => gate.game(&unseen::name(of_event, number, table?)),
        };
        known(number).is_some() || round.pairings.iter().any(|pairing| game(pairing).is_some())
    };
    let started =
        started.filter(|(number, round)| !is_stopped(**number) || was_public(**number, round));
    let round = |(number, round): (&u16, &tournament::Round)| {
        let mut tables: Vec<Seats> = round
            .pairings
            .iter()
            .filter_map(|pairing| seats(*number, pairing))
            .collect();
        tables.sort_by_key(|seats| seats.table);
        let is_played = round.stage == Stage::UnderWay || waits(round, &tables);
        let live = match known(*number).filter(|_| is_stopped(*number)) {
            Some(known) => known.live,
            None => is_played,
        };
        Round {
            number: *number,
            date: day(&round.date),
            live,
            late: late((of_event, event), (gate, rules), *number, &tables),
            tables,
        }
    };
    let mut rounds: Vec<Round> = started.map(round).collect();
    let tournament::Details {
        mut name, mut site, ..
    } = event.described();
    // As `Book::is_apart` says.
    if event.rounds.is_empty() && of_event == 1 {
        rounds = apart(gate, event, rules);
        if let (true, Some(game)) = (name.is_empty(), gate.games().first()) {
            (name, site) = (game.event.clone(), game.site.clone());
        }
    }
    Programme {
        number: of_event,
        name,
        site,
        federation: event.details.federation.clone(),
        time_control: event.details.time_control.clone(),
        rounds,
    }
}

/// Whether a result that is known is on its way to the public: the round goes on for whoever sees
/// it later. That of a game of which nothing is public may never be.
fn waits(round: &tournament::Round, tables: &[Seats]) -> bool {
    let is_known = |table: u16| {
        let mut pairings = round.pairings.iter();
        let found = pairings.find(|pairing| pairing.table == Some(table));
        found.is_some_and(|pairing| pairing.settled().is_some())
    };
    tables
        .iter()
        .any(|seats| seats.result == "*" && seats.game.is_some() && is_known(seats.table))
}

/// A day as `2026-11-24`, of one as files have it; `None` where that is none.
fn day(written: &str) -> Option<String> {
    let day = pgn_day(written)?.replace('.', "-");
    Some(day).filter(|day| day.parse::<jiff::civil::Date>().is_ok())
}

/// Games without an event: the last one at each table of a round.
pub(super) fn lasts(gate: &Gate) -> BTreeMap<u16, BTreeMap<u16, Arc<Shown>>> {
    let mut rounds: BTreeMap<u16, BTreeMap<u16, Arc<Shown>>> = BTreeMap::new();
    let mut games = gate.games();
    // Where a game was annulled, the one that goes on counts, though it began before.
    let is_left = |game: &Shown| !game.plies.is_empty() || game.result != "*";
    games.sort_by_cached_key(|game| (is_left(game), order(&game.game)));
    for game in games {
        let (Some(round), Some(table)) = (game.round, game.table) else {
            continue;
        };
        rounds.entry(round).or_default().insert(table, game);
    }
    rounds
}

/// The rounds of games without an event. A game keeps its place, whether anything of those before
/// it is public.
fn apart(gate: &Gate, event: &Tournament, rules: &Rules) -> Vec<Round> {
    let round = |(number, tables): (u16, BTreeMap<u16, Arc<Shown>>)| {
        let last = tables.keys().next_back().copied().unwrap_or(0);
        let seats = |table: u16| match tables.get(&table) {
            Some(game) => Seats {
                table,
                white: game.white.clone(),
                black: game.black.clone(),
                result: game.result.clone(),
                game: Some(game.game.clone()),
                paired: false,
                start: None,
            },
            None => vacant(table),
        };
        let tables: Vec<Seats> = (1..=last).map(seats).collect();
        Round {
            number,
            date: None,
            live: true,
            late: late((1, event), (gate, rules), number, &tables),
            tables,
        }
    };
    lasts(gate).into_iter().map(round).collect()
}

/// Sorts games of a table as they began: by day, then as they are counted.
fn order(game: &str) -> (String, usize, String) {
    let day = game.get(..10).unwrap_or_default();
    (day.to_owned(), game.len(), game.to_owned())
}

/// A table of whose game nothing is public.
fn vacant(table: u16) -> Seats {
    Seats {
        table,
        white: Person::default(),
        black: Person::default(),
        result: "*".to_owned(),
        game: None,
        paired: false,
        start: None,
    }
}

/// How late the games of a round are shown.
fn late(
    (of_event, event): (usize, &Tournament),
    (gate, rules): (&Gate, &Rules),
    round: u16,
    tables: &[Seats],
) -> Late {
    let delay = |seats: &Seats| {
        let delay = rules.delay(event, Some(round), Some(seats.table));
        gate.late(&unseen::name(of_event, round, seats.table), delay)
    };
    let first = tables.first().map(delay).unwrap_or_default();
    let (mut ms, mut plies, mut differs) = (first.ms, first.plies, false);
    for delay in tables.iter().map(delay) {
        (ms, plies) = (ms.max(delay.ms), plies.max(delay.plies));
        differs |= delay != first;
    }
    Late {
        seconds: u32::try_from(ms / 1000).unwrap_or(u32::MAX),
        moves: u16::try_from(plies).unwrap_or(u16::MAX),
        differs,
    }
}

#[cfg(test)]
mod tests {
    use super::super::gate::Change;
    use super::*;

    #[test]
    fn days_are_told_in_one_form_whatever_files_have() {
        for written in ["2026-11-24", "2026/11/24", "26/11/24", "24.11.2026"] {
            assert_eq!(day(written).as_deref(), Some("2026-11-24"), "{written}");
        }
        for none in ["", "2026/02/30", "????.??.??", "soon"] {
            assert_eq!(day(none), None, "{none}");
        }
    }

    #[test]
    fn a_stopped_round_that_was_public_stays_after_a_restart() {
        let player = |number| tournament::Player {
            number,
            name: format!("Berg {number}"),
            ..tournament::Player::default()
        };
        let pairing: tournament::Pairing = serde_json::from_value(serde_json::json!({
            "table": 1, "white": 1, "black": 2, "game": "a", "outcome": null,
        }))
        .expect("a pairing");
        let (round, at) = (1, String::new());
        let acts = [
            tournament::Act::Open {
                details: tournament::Details::default(),
            },
            tournament::Act::Draw {
                round,
                date: String::new(),
                players: [1, 2].map(player).to_vec(),
                pairings: vec![pairing],
                file: None,
                players_file: None,
                encoding: None,
            },
            tournament::Act::StartRound { round, at },
            tournament::Act::Publish {
                place: tournament::Scope::default(),
                event: None,
                stopped: true,
                reason: String::new(),
            },
        ];
        let event = Tournament::of(&acts).expect("an event");
        let gate = Gate::default();
        let rounds = || {
            let of = programme((1, &event), &Minors::default(), &gate, &Rules::default());
            of.rounds.len()
        };
        assert_eq!(rounds(), 0, "it never was");
        gate.show(vec![Change {
            game: Arc::new(Shown {
                game: "a".to_owned(),
                stopped: true,
                ..Shown::empty()
            }),
            kept: 0,
            corrections: Vec::new(),
        }]);
        assert_eq!(rounds(), 1);
    }

    #[test]
    fn without_an_event_the_game_that_goes_on_is_the_one_of_its_table() {
        let gate = Gate::default();
        let show = |game: &str, result: &str| {
            let game = Shown {
                game: game.to_owned(),
                round: Some(1),
                table: Some(1),
                result: result.to_owned(),
                ..Shown::empty()
            };
            gate.show(vec![Change {
                game: Arc::new(game),
                kept: 0,
                corrections: Vec::new(),
            }]);
            let rounds = apart(&gate, &Tournament::default(), &Rules::default());
            rounds[0].tables[0].game.clone().unwrap_or_default()
        };
        let days = ["2026-11-21-b01-10", "2026-11-22-b01-1"];
        assert_eq!(days.map(|game| show(game, "1-0")), days);
        assert_eq!(show("2026-11-22-b01-1-2", "1-0"), "2026-11-22-b01-1-2");
        assert_eq!(show("2026-11-22-b01-1-2", "*"), days[1]);
    }

    #[test]
    fn without_an_event_a_game_keeps_its_place() {
        let gate = Gate::default();
        let show = |table: u16| {
            let game = Shown {
                game: format!("g{table}"),
                round: Some(1),
                table: Some(table),
                ..Shown::empty()
            };
            gate.show(vec![Change {
                game: Arc::new(game),
                kept: 0,
                corrections: Vec::new(),
            }]);
            let rounds = apart(&gate, &Tournament::default(), &Rules::default());
            let tables = rounds[0].tables.iter();
            let told: Vec<(u16, bool)> = tables.map(|s| (s.table, s.game.is_some())).collect();
            told
        };
        assert_eq!(show(3), [(1, false), (2, false), (3, true)]);
        assert_eq!(show(1), [(1, true), (2, false), (3, true)]);
    }
}
