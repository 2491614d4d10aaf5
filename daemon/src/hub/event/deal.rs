//! Which tables are played in which hall, and what a hall is to be ordered so that it plays them.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tournament::load::called;
use tournament::{
    Details, How, Outcome, Pairing, Player, ResultCode, Round, Stage, Start, Tournament,
};

use super::gather::Seat;
use crate::hub::Known;
use crate::office::Book;

/// What is played in one hall of a round of an event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EventPart")]
pub(crate) struct Part {
    /// How the hub calls the event, and no other: its name another may have as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<String>,
    /// The hub had another event of that name before: one that was opened in the hall itself need
    /// not be this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) others: bool,
    /// What is said of the event.
    pub(crate) details: Details,
    /// The round.
    pub(crate) round: u16,
    /// Its day; empty where nobody said.
    #[serde(default)]
    pub(crate) date: String,
    /// Who plays there, or has played there before, by the starting numbers of the whole event.
    pub(crate) players: Vec<Player>,
    /// The tables that are played there: all of the round that the hall has.
    pub(crate) tables: Vec<Placed>,
}

/// Who plays whom at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EventPartTable")]
pub(crate) struct Placed {
    /// The table.
    pub(crate) table: u16,
    /// White's starting number.
    pub(crate) white: u16,
    /// Black's.
    pub(crate) black: u16,
    /// From where the game starts, where that is not the usual position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<Start>,
}

/// Where tables were moved to, by people at the hub: the last hall is the one that has it.
pub(super) type Moved = BTreeMap<u16, Vec<String>>;

/// In which hall a table is to be played.
pub(super) fn hall_of<'a>(table: u16, known: &'a [Known], moved: &'a Moved) -> Option<&'a str> {
    if let Some(hall) = moved.get(&table).and_then(|halls| halls.last()) {
        return Some(hall);
    }
    let has = |hall: &&Known| {
        let mut tables = hall.tables.iter();
        tables.any(|tables| tables.include(table.into()))
    };
    known.iter().find(has).map(|hall| &*hall.name)
}

/// Whether a table is this hall's, or was before it was moved: it may have begun there.
pub(super) fn was_of(table: u16, hall: &str, known: &[Known], moved: &Moved) -> bool {
    let mut halls = moved.get(&table).into_iter().flatten();
    halls.any(|moved| moved == hall) || hall_of(table, known, &Moved::new()) == Some(hall)
}

/// Rounds and tables that have begun in a hall and are another's here, as where the hub was put
/// back to a copy from before they were moved: nothing of them is taken over.
pub(super) fn strays<'a>(
    event: &'a Tournament,
    (hall, said): (&'a str, &'a Tournament),
    known: &'a [Known],
    moved: &'a Moved,
) -> impl Iterator<Item = (u16, u16)> + 'a {
    let of_other = move |table: &u16| {
        hall_of(*table, known, moved) != Some(hall) && !was_of(*table, hall, known, moved)
    };
    let all = said
        .rounds
        .iter()
        .flat_map(|(round, drawn)| drawn.pairings.iter().map(move |theirs| (*round, theirs)));
    let begun = all.filter(|(_, theirs)| theirs.has_begun());
    begun.filter_map(move |(round, theirs)| {
        let table = theirs.table.filter(of_other)?;
        let ours = event.pairing(round, table).ok();
        let ours = ours.filter(|ours| ours.is_same(theirs))?;
        let is_known = ours.is_settled() && ours.settled() == theirs.settled();
        (!is_known).then_some((round, table))
    })
}

/// The event of a hall, where it is the hub's, whatever it is called there. One that was opened
/// there is by its name.
pub(super) fn same<'a>(event: &Tournament, said: &'a Tournament) -> Option<&'a Tournament> {
    let is_named = said.details.name == event.details.name;
    let is_by_name = is_named && !are_two(said, event.part_of.as_deref());
    let is_part = event.part_of.is_some() && said.part_of == event.part_of;
    (!said.closed && (is_part || is_by_name)).then_some(said)
}

/// Whether a hall has had a part of this event that is over there, beside the one at hand.
pub(crate) fn had(there: &Book, event: Option<&str>) -> bool {
    let mut past = there.past.iter();
    event.is_some() && past.any(|past| past.part_of.as_deref() == event)
}

/// All parts of the event of the hub that a hall has had, the latest first, each with its number
/// there.
pub(super) fn all_told<'a>(
    event: &Tournament,
    there: &'a Book,
) -> impl Iterator<Item = (usize, &'a Tournament)> + use<'a> {
    let name = event.part_of.clone();
    let past = there.past.iter().enumerate().rev();
    let past = past.map(|(n, past)| (n + 1, past));
    let all = std::iter::once((there.number(), &there.event)).chain(past);
    all.filter(move |(_, said)| name.is_some() && said.part_of == name)
}

/// Whether an event of a hall is a part of another one of the same hub than `ours`, which is called
/// as that is. Where that hub's store was made anew, its events go by their names; and so does one
/// that was opened anew by the same number, after a copy from before was put back.
pub(crate) fn are_two(said: &Tournament, ours: Option<&str>) -> bool {
    let hub = |name: &str| name.rsplit_once('-').map(|(hub, _)| hub.to_owned());
    let number = |name: &str| name.split_once('.').map_or(name, |(n, _)| n).to_owned();
    let both = said.part_of.as_deref().zip(ours);
    both.is_some_and(|(theirs, ours)| hub(theirs) == hub(ours) && number(theirs) != number(ours))
}

/// The tables of a round that a hall is to have: its own that no other hall has yet to let go, and
/// those that have begun there.
pub(super) fn tables_of(
    hall: &str,
    (event, round): (&Tournament, u16),
    wanted: impl Fn(u16) -> bool,
    halls: &[(String, &Tournament)],
) -> BTreeSet<u16> {
    let drawn = event.rounds.get(&round);
    let tables = drawn.into_iter().flat_map(|drawn| &drawn.pairings);
    let tables = tables.filter_map(|pairing| pairing.table);
    let has = |said: &Tournament, table| said.pairing(round, table).is_ok();
    let has_begun = |said: &Tournament, table| {
        let pairing = said.pairing(round, table);
        pairing.is_ok_and(Pairing::has_begun)
    };
    let is_dealt = |table: &u16| {
        let mut here = halls.iter().filter(|(name, _)| name == hall);
        let mut others = halls.iter().filter(|(name, _)| name != hall);
        here.any(|(_, said)| has_begun(said, *table))
            || wanted(*table) && !others.any(|(_, said)| has(said, *table))
    };
    tables.filter(is_dealt).collect()
}

/// What a hall is to be ordered next: the address, and what is posted there. `None`: it has all.
/// `others` says whether there was another event of its name, and `is_of_hall` whether a result at
/// the hub is what the hall said of it.
pub(super) fn next(
    (event, others): (&Tournament, bool),
    said: &Tournament,
    tables: impl Fn(u16) -> BTreeSet<u16>,
    is_of_hall: impl Fn(Seat, &Outcome) -> bool,
) -> Option<(String, String)> {
    let known = same(event, said);
    // Of an event that is over nothing more is dealt: a hall that has closed it would open it anew.
    if event.closed && known.is_none() {
        return None;
    }
    for number in &event.undrawn {
        let there = known.and_then(|said| said.rounds.get(number));
        if there.is_some_and(|round| round.stage != Stage::Closed) {
            return Some((format!("/api/rounds/{number}/undraw"), "{}".to_owned()));
        }
    }
    for (number, drawn) in in_order(event, known) {
        let there = known.and_then(|said| said.rounds.get(number));
        if let Some(order) = there.and_then(|there| later(*number, drawn, there)) {
            return Some(order);
        }
        let stage = there.map(|round| round.stage);
        // A hub that was put back does not know that it has begun: nobody draws it otherwise.
        if drawn.stage == Stage::Drawn && stage.is_some_and(|stage| stage != Stage::Drawn) {
            continue;
        }
        // It was never started there, and is over here: it has its results there, and is closed. A
        // hall that was never dealt it is, where a game of it is still to be played there.
        let is_due = || {
            let tables = tables(*number);
            let its = |game: &&Pairing| game.table.is_some_and(|table| tables.contains(&table));
            drawn
                .pairings
                .iter()
                .filter(its)
                .any(|game| !game.is_settled())
        };
        let is_late = drawn.stage == Stage::Closed
            && (stage == Some(Stage::Drawn) || stage.is_none() && is_due())
            && !event.closed
            && known.is_none_or(|said| said.under_way().is_none());
        if drawn.stage == Stage::Closed && !is_late {
            let there = there.filter(|there| there.stage == Stage::UnderWay);
            let close = || (format!("/api/rounds/{number}/close"), "{}".to_owned());
            let order = |there| results(*number, [drawn, there], &is_of_hall);
            match there.map(|there| order(there).unwrap_or_else(close)) {
                None => continue,
                order => return order,
            }
        }
        // Of an event that is over nothing more is dealt.
        if event.closed {
            continue;
        }
        let part = Part {
            others,
            ..part(event, known, *number, &tables(*number))
        };
        if part.tables.is_empty() && there.is_none() {
            continue;
        }
        if !known.is_some_and(|said| part.is_in(said)) {
            let body = serde_json::to_string(&part).ok()?;
            return Some(("/api/event/part".to_owned(), body));
        }
        if (is_late || drawn.stage == Stage::UnderWay) && stage == Some(Stage::Drawn) {
            return Some((format!("/api/rounds/{number}/start"), "{}".to_owned()));
        }
    }
    let late = known.and_then(|said| late_results(event, said, is_of_hall));
    if late.is_some() {
        return late;
    }
    let is_over = event.closed && known.is_some_and(|said| said.under_way().is_none());
    // Whoever closed it at the hub has seen what is left of it.
    let anyway = r#"{"anyway":true}"#.to_owned();
    is_over.then(|| ("/api/event/close".to_owned(), anyway))
}

/// The rounds in the order in which a hall can have them: one that is under way there and over at
/// the hub first, whichever it is, for no other can be started beside it.
fn in_order<'a>(event: &'a Tournament, known: Option<&Tournament>) -> Vec<(&'a u16, &'a Round)> {
    let mut rounds: Vec<_> = event.rounds.iter().collect();
    let is_left_open = |(number, drawn): &(&u16, &Round)| {
        let there = known.and_then(|said| said.rounds.get(number));
        drawn.stage == Stage::Closed && there.is_some_and(|there| there.stage == Stage::UnderWay)
    };
    rounds.sort_by_key(|round| !is_left_open(round));
    rounds
}

/// The results of a round that were given at the hub, and that a hall does not have: it cannot
/// close the round without them. What the hall itself said, and has taken back since, is not given
/// to it as the word of the hub.
fn results(
    number: u16,
    [drawn, there]: [&Round; 2],
    is_of_hall: impl Fn(Seat, &Outcome) -> bool,
) -> Option<(String, String)> {
    let is_missing = |ours: &Pairing| {
        let mut theirs = there.pairings.iter();
        let theirs = theirs.find(|theirs| theirs.table == ours.table && theirs.is_same(ours));
        let was_its = || {
            let said = ours.table.zip(ours.outcome.as_ref());
            said.is_some_and(|(table, outcome)| is_of_hall((number, table), outcome))
        };
        let has_it = |theirs: &Pairing| theirs.is_settled() || theirs.withdrawn && was_its();
        theirs.is_some_and(|theirs| !has_it(theirs))
    };
    let given = drawn.pairings.iter().filter(|ours| is_missing(ours));
    let given = given.filter_map(|ours| {
        let outcome = ours.outcome.as_ref().filter(|outcome| outcome.confirmed)?;
        Some((ours.table?, outcome))
    });
    let given: Vec<_> = given.collect();
    // One order has those that were decided, and another those that were not.
    let decided = given.first()?.1.how == How::Arbiter;
    let alike = given
        .iter()
        .filter(|(_, outcome)| (outcome.how == How::Arbiter) == decided);
    let results = alike.map(|(table, outcome)| (*table, ResultCode::told(outcome.codes)));
    let results: BTreeMap<u16, String> = results.collect();
    let body = json!({
        "results": results, "decided": decided, "reason": "so it is at the hub", "open_only": true,
    });
    Some((format!("/api/rounds/{number}/results"), body.to_string()))
}

/// The results of postponed games that were given at the hub once their round was closed: a hall
/// cannot close the event without them.
fn late_results(
    event: &Tournament,
    said: &Tournament,
    is_of_hall: impl Fn(Seat, &Outcome) -> bool,
) -> Option<(String, String)> {
    event.rounds.iter().find_map(|(number, drawn)| {
        let there = said.rounds.get(number)?;
        let are_closed = [drawn, there].iter().all(|is| is.stage == Stage::Closed);
        let late = are_closed.then(|| results(*number, [drawn, there], &is_of_hall));
        late.flatten()
    })
}

/// Which games of a round are postponed at the hub and not in the hall, or the other way round. A
/// hall cannot close a round beside a game of which it does not know that.
fn later(number: u16, drawn: &Round, there: &Round) -> Option<(String, String)> {
    let theirs = there
        .pairings
        .iter()
        .map(|pairing| (pairing.table, pairing));
    let theirs: BTreeMap<_, _> = theirs.collect();
    let differs = |ours: &&Pairing| {
        let theirs = theirs
            .get(&ours.table)
            .filter(|theirs| theirs.is_same(ours));
        let is_open = |theirs: &&&Pairing| !ours.is_settled() && !theirs.is_settled();
        let theirs = theirs.filter(is_open);
        theirs.is_some_and(|theirs| theirs.postponed != ours.postponed)
    };
    let order = |(what, is_postponed)| {
        let ours = drawn.pairings.iter().filter(differs);
        let ours = ours.filter(|ours| ours.postponed == is_postponed);
        let tables: Vec<u16> = ours.filter_map(|ours| ours.table).collect();
        let body = json!({ "tables": tables }).to_string();
        (!tables.is_empty()).then(|| (format!("/api/rounds/{number}/{what}"), body))
    };
    [("postpone", true), ("resume", false)]
        .into_iter()
        .find_map(order)
}

/// What these tables are of a round. Whoever played in the hall before is in it too: of players who
/// were corrected since, the hall has the old words.
fn part(
    event: &Tournament,
    there: Option<&Tournament>,
    round: u16,
    tables: &BTreeSet<u16>,
) -> Part {
    let drawn = event.rounds.get(&round);
    let pairings = drawn.into_iter().flat_map(|drawn| &drawn.pairings);
    let placed = pairings.filter_map(|pairing| {
        Some(Placed {
            table: pairing.table.filter(|table| tables.contains(table))?,
            white: pairing.white,
            black: pairing.black?,
            start: pairing.start.clone(),
        })
    });
    let placed: Vec<Placed> = placed.collect();
    let mut numbers: BTreeSet<u16> = placed.iter().flat_map(|p| [p.white, p.black]).collect();
    numbers.extend(there.into_iter().flat_map(|there| there.players.keys()));
    let players = event.players.values();
    let players = players.filter(|player| numbers.contains(&player.number));
    Part {
        of: event.part_of.clone(),
        others: false,
        details: event.details.clone(),
        round,
        date: drawn.map_or_else(String::new, |drawn| drawn.date.clone()),
        players: players.cloned().collect(),
        tables: placed,
    }
}

impl Part {
    /// Whether an event has all of it already, and no other table. A game that has begun there
    /// goes on from where it has begun.
    pub(crate) fn is_in(&self, event: &Tournament) -> bool {
        let Some(drawn) = event.rounds.get(&self.round) else {
            return false;
        };
        let dealt = |pairing: &Pairing| {
            let mut tables = self.tables.iter();
            tables.find(|placed| Some(placed.table) == pairing.table)
        };
        let placed = |pairing: &Pairing| {
            let start = match pairing.has_begun() {
                true => dealt(pairing).and_then(|placed| placed.start.clone()),
                false => pairing.start.clone(),
            };
            Some(Placed {
                table: pairing.table?,
                white: pairing.white,
                black: pairing.black?,
                start,
            })
        };
        let stood: Vec<Placed> = drawn.pairings.iter().filter_map(placed).collect();
        let is_known = |player: &Player| {
            let there = event.players.get(&player.number);
            there.is_some_and(|there| there == player || is_erased(there))
        };
        (self.of.is_none() || event.part_of == self.of)
            && event.details == self.details
            && (self.date.is_empty() || drawn.date == self.date)
            && stood == self.tables
            && self.players.iter().all(is_known)
    }

    /// The part with whoever was erased in an event as he stands there: his name is not taken
    /// again.
    pub(crate) fn but_erased(mut self, event: &Tournament) -> Part {
        for player in &mut self.players {
            let there = event.players.get(&player.number);
            if let Some(there) = there.filter(|there| is_erased(there)) {
                player.clone_from(there);
            }
        }
        self
    }
}

/// Whether all that was said of a player was taken away.
fn is_erased(player: &Player) -> bool {
    let erased = Player {
        number: player.number,
        name: called(player.number),
        ..Player::default()
    };
    *player == erased
}
