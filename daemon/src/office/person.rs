//! What a store says of a person, handed out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tournament::{Break, Note, Penalty, Player, Tournament};

use super::file::decoded;
use super::people::{People, find, photos, places, seated, walk};
use super::said::Said;
use super::{Office, OfficeError};
use crate::store::GameRow;

/// Whose data: one of these is given, or a name and the number that he has or had.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Whom {
    /// The name as it was written, whatever the case of its letters.
    pub name: Option<String>,
    /// FIDE's number.
    pub fide_id: Option<u64>,
    /// The starting number in the event at hand, or in `event`.
    pub number: Option<u16>,
    /// In which of the store's events, from 1; with a number or a name.
    pub event: Option<usize>,
}

/// What is known of a person.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Known {
    /// In the events of the store, the oldest first.
    pub players: Vec<Entry>,
    /// Games that name him.
    pub games: Vec<GameRow>,
    /// Files with pairings or players that name him, and pictures of notes about him, by the
    /// SHA-256 of their bytes.
    pub files: Vec<String>,
}

/// A person in an event.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct Entry {
    /// The name of the event.
    pub event: String,
    /// What is said of him.
    pub player: Player,
    /// His pairings: round, table, opponent, result, game.
    pub rounds: Vec<Played>,
    /// His penalties.
    pub penalties: Vec<Penalty>,
    /// What was said of his games: reasons for results, for time and for putting them off, and
    /// moves from the scoresheets.
    pub said: Vec<Said>,
    /// What arbiters noted of him, or of a game of his, and where they named him.
    pub notes: Vec<Note>,
    /// When he was out of the hall.
    pub breaks: Vec<Break>,
}

/// A round of a person.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Played {
    /// The round.
    pub round: u16,
    /// The table; byes have none.
    pub table: Option<u16>,
    /// Whether he had White.
    pub white: bool,
    /// The opponent's starting number.
    pub opponent: Option<u16>,
    /// How it ended, White first.
    pub result: Option<String>,
    /// The game.
    pub game: Option<String>,
}

impl Office {
    /// What the store says of a person.
    ///
    /// # Errors
    /// Where nobody or more than one is meant, or the acts are damaged.
    pub fn known(&self, whom: &Whom) -> Result<Known, OfficeError> {
        let deeds = self.store.deeds()?;
        let rows = self.store.games()?;
        let mut people = find(&deeds, &rows, whom)?;
        let book = walk(&deeds, |_, _, _| {})?;
        let events: Vec<&Tournament> = book.past.iter().chain([&book.event]).collect();
        let mut games = Vec::new();
        for row in rows {
            if people.renamed(&seated(&events), &row).is_some() {
                people.games.insert(row.id.clone());
                games.push(row);
            }
        }
        let said = people.said(&deeds)?;
        let of = |place: usize| {
            let said = said.iter().filter(move |(at, _)| *at == place);
            said.map(|(_, said)| said.clone()).collect::<Vec<Said>>()
        };
        let entry = |(place, number): &(usize, u16)| {
            let mut entry = entry((*place, events.get(*place)?), *number, &people)?;
            entry.said = of(*place);
            Some(entry)
        };
        let seated_now = people.seats.iter().filter_map(entry);
        let is_seated = |place: usize| people.seats.iter().any(|(at, _)| *at == place);
        let gone = people.gone().filter_map(|(place, player)| {
            // It is handed out once.
            let said = Some(place).filter(|place| !is_seated(*place));
            Some(Entry {
                event: events.get(place)?.details.name.clone(),
                player: player.clone(),
                said: said.map(of).unwrap_or_default(),
                ..Entry::default()
            })
        });
        let players: Vec<Entry> = gone.chain(seated_now).collect();
        let (places, photos) = (places(&deeds)?, photos(&deeds)?);
        let files = self.store.files()?.into_iter().filter(|(name, bytes)| {
            if let Some(notes) = photos.get(name) {
                return people.is_shown(notes);
            }
            let used = places.get(name);
            let encoding = used.and_then(|used| used.encoding.as_deref());
            let persons = people.in_file(used);
            persons.is_some_and(|persons| persons.are_in(&decoded(bytes, encoding)) != Some(false))
        });
        let files: Vec<String> = files.map(|(name, _)| name).collect();
        if players.is_empty() && games.is_empty() && files.is_empty() {
            return Err(OfficeError::Missing(
                "the store says nothing of him".to_owned(),
            ));
        }
        Ok(Known {
            players,
            games,
            files,
        })
    }
}

fn entry((place, event): (usize, &Tournament), number: u16, people: &People) -> Option<Entry> {
    let rounds = event.rounds.iter();
    let all = rounds.flat_map(|(round, drawn)| drawn.pairings.iter().map(|p| (*round, p)));
    let played = |(round, p): (u16, &tournament::Pairing)| {
        let white = p.white == number;
        if !white && p.black != Some(number) {
            return None;
        }
        let codes = p.outcome.as_ref().map(|outcome| outcome.codes);
        Some(Played {
            round,
            table: p.table,
            white,
            opponent: if white { p.black } else { Some(p.white) },
            result: codes.map(tournament::ResultCode::written),
            game: p.game.clone(),
        })
    };
    let penalties = event.penalties.iter().filter(|p| p.player == number);
    let notes = event.notes.iter().filter(|n| people.is_in(place, n));
    let breaks = event.breaks.iter().filter(|b| b.player == number);
    Some(Entry {
        event: event.details.name.clone(),
        player: event.players.get(&number)?.clone(),
        rounds: all.filter_map(played).collect(),
        penalties: penalties.cloned().collect(),
        notes: notes.cloned().collect(),
        breaks: breaks.cloned().collect(),
        said: Vec::new(),
    })
}
