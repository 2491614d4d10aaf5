//! What a store says of a person: handed out, or taken away. His number in the event stays, and
//! with it who played whom and how that ended.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tournament::load::{Persons, called};
use tournament::{Act, Penalty, Player, Tournament};

use super::{Book, Office, OfficeError, file_name};
use crate::hall::Hall;
use crate::scribe::{Renaming, Scribe};
use crate::store::{
    Area, Author, Deed, Deeds, Erased as Taken, Erasure, Game, GameRow, Renamed, Tags, checksums,
};
use crate::{journal, pgn};

/// Whose data: one of these is given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Whom {
    /// The name as it was written, whatever the case of its letters.
    pub name: Option<String>,
    /// FIDE's number.
    pub fide_id: Option<u64>,
    /// The starting number in the event at hand.
    pub number: Option<u16>,
}

/// What is known of a person.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Known {
    /// In the events of the store, the oldest first.
    pub players: Vec<Entry>,
    /// Games that name him.
    pub games: Vec<GameRow>,
    /// Files with pairings or players that name him, by the SHA-256 of their bytes.
    pub files: Vec<String>,
}

/// A person in an event.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Entry {
    /// The name of the event.
    pub event: String,
    /// What is said of him.
    pub player: Player,
    /// His pairings: round, table, opponent, result, game.
    pub rounds: Vec<Played>,
    /// His penalties.
    pub penalties: Vec<Penalty>,
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

/// What was taken away.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Erased {
    /// How many entries in acts.
    pub entries: usize,
    /// The games that are called otherwise.
    pub games: Vec<String>,
    /// Kept files that were rewritten, or removed where they cannot be.
    pub files: Vec<String>,
    /// PGN files that were written anew.
    pub pages: usize,
    /// Copies of the store that were removed: of older versions, and damaged ones.
    pub copies: Vec<String>,
}

/// Who is meant in which event: by the event's place and his starting number.
type Seats = BTreeSet<(usize, u16)>;

/// People in the acts of a store.
#[derive(Default)]
pub(super) struct People {
    pub(super) seats: Seats,
    pub(super) persons: Persons,
    /// Whatever is kept of these events only; `None`: whatever names them.
    pub(super) only: Option<BTreeSet<usize>>,
}

impl People {
    /// What he is called from now on, where it is not known in which event.
    fn called(&self) -> BTreeMap<String, String> {
        let number = self.seats.last().map(|(_, number)| *number);
        let instead = number.map_or_else(|| "?".to_owned(), called);
        self.persons
            .names
            .iter()
            .map(|name| (name.clone(), instead.clone()))
            .collect()
    }
}

impl People {
    /// They as a file of these events has them; `None` where the file is none of what is meant.
    fn in_file(&self, events: Option<&BTreeSet<usize>>) -> Option<Persons> {
        let events = events.cloned().unwrap_or_default();
        if self
            .only
            .as_ref()
            .is_some_and(|only| !events.is_subset(only))
        {
            return None;
        }
        let seats = self
            .seats
            .iter()
            .filter(|(event, _)| events.contains(event));
        Some(Persons {
            numbers: seats.map(|(_, number)| *number).collect(),
            ..self.persons.clone()
        })
    }

    fn renaming(&self, erased: &Erased, book: &Book) -> Renaming {
        let names = |only: &BTreeSet<usize>| {
            let all = book.past.iter().chain([&book.event]).enumerate();
            let (gone, stay): (Vec<_>, Vec<_>) = all.partition(|(n, _)| only.contains(n));
            let name = |(_, event): (usize, &Tournament)| event.details.name.clone();
            let stay: BTreeSet<String> = stay.into_iter().map(name).collect();
            gone.into_iter()
                .map(name)
                .filter(|name| !stay.contains(name))
                .collect()
        };
        let games = || erased.games.iter().cloned().collect();
        Renaming {
            names: self.called(),
            only: self.only.as_ref().map(|only| (games(), names(only))),
        }
    }
}

/// Does all acts again; tells each with the event's place and the events before it.
pub(super) fn walk(
    deeds: &Deeds,
    mut tell: impl FnMut(&Book, usize, &Act),
) -> Result<Book, OfficeError> {
    if let Some(damage) = deeds.damage.as_ref().filter(|_| deeds.is_broken) {
        return Err(OfficeError::Damaged(damage.clone()));
    }
    let mut book = Book::default();
    for (number, deed) in deeds.of(Area::Event) {
        let done = serde_json::from_str::<Act>(&deed.what)
            .map_err(|error| error.to_string())
            .and_then(|act| {
                book.apply(&act)
                    .map(|()| act)
                    .map_err(|error| error.to_string())
            });
        match done {
            Ok(act) => tell(&book, usize::try_from(number).unwrap_or(0), &act),
            Err(what) => return Err(OfficeError::Damaged(format!("act {number}: {what}"))),
        }
    }
    Ok(book)
}

/// Whom somebody means.
fn find(deeds: &Deeds, whom: &Whom) -> Result<People, OfficeError> {
    let said = [
        whom.name.is_some(),
        whom.fide_id.is_some(),
        whom.number.is_some(),
    ];
    if said.into_iter().filter(|is| *is).count() != 1 {
        let what = "say whose data: one of a name, a FIDE number and a starting number";
        return Err(OfficeError::Bad(what.to_owned()));
    }
    let last = walk(deeds, |_, _, _| {})?.past.len();
    let mut people = People::default();
    let wanted = whom.name.as_ref().map(|name| name.trim().to_lowercase());
    let is_meant = |event: usize, player: &Player| {
        let by_name = wanted.as_ref() == Some(&player.name.to_lowercase());
        let by_id = whom.fide_id.is_some() && whom.fide_id == player.fide_id;
        by_name || by_id || (event == last && whom.number == Some(player.number))
    };
    collect(deeds, &mut people, is_meant)?;
    people
        .persons
        .names
        .extend(whom.name.iter().map(|name| name.trim().to_owned()));
    people.persons.ids.extend(whom.fide_id);
    let mut events = BTreeMap::new();
    for (event, number) in &people.seats {
        if let Some(other) = events.insert(event, number) {
            let what = format!("players {other} and {number} of one event are meant: say a number");
            return Err(OfficeError::Bad(what));
        }
    }
    Ok(people)
}

/// Enters everybody who is meant, with all that was ever said of him.
pub(super) fn collect(
    deeds: &Deeds,
    people: &mut People,
    is_meant: impl Fn(usize, &Player) -> bool,
) -> Result<(), OfficeError> {
    let drawn = |tell: &mut dyn FnMut(usize, &Player)| {
        walk(deeds, |book, _, act| {
            if let Act::Draw { players, .. } = act {
                players
                    .iter()
                    .for_each(|player| tell(book.past.len(), player));
            }
        })
    };
    let mut seats = Seats::new();
    drawn(&mut |event, player| {
        if is_meant(event, player) {
            seats.insert((event, player.number));
        }
    })?;
    drawn(&mut |event, player| {
        // What is called by its number was taken away before.
        let is_known = player.name != called(player.number);
        if is_known && seats.contains(&(event, player.number)) {
            people.persons.names.insert(player.name.clone());
            people.persons.ids.extend(player.fide_id);
        }
    })?;
    people.seats.extend(seats);
    Ok(())
}

impl Office {
    /// What the store says of a person.
    ///
    /// # Errors
    /// Where nobody or more than one is meant, or the acts are damaged.
    pub fn known(&self, whom: &Whom) -> Result<Known, OfficeError> {
        let deeds = self.store.deeds()?;
        let people = find(&deeds, whom)?;
        let book = walk(&deeds, |_, _, _| {})?;
        let events: Vec<&Tournament> = book.past.iter().chain([&book.event]).collect();
        let entry = |(event, number): &(usize, u16)| entry(events.get(*event)?, *number);
        let players = people.seats.iter().filter_map(entry).collect();
        let mut games = Vec::new();
        for row in self.store.games()? {
            if self.renamed(&people, &seated(&events), &row).is_some() {
                games.push(row);
            }
        }
        let places = places(&deeds)?;
        let files = self.store.files()?.into_iter().filter(|(name, bytes)| {
            let persons = people.in_file(places.get(name));
            persons.is_some_and(|persons| persons.are_in(bytes) != Some(false))
        });
        Ok(Known {
            players,
            games,
            files: files.map(|(name, _)| name).collect(),
        })
    }

    /// Takes away what the store says of a person; boards that show him show his number. Returns
    /// when it is off the disk.
    ///
    /// # Errors
    /// Where nobody or more than one is meant, nothing is said of him, or it cannot be written.
    pub async fn erase(
        &self,
        author: &Author,
        hall: &Hall,
        whom: &Whom,
    ) -> Result<Erased, OfficeError> {
        let (office, of) = (self.clone(), whom.clone());
        self.erase_all(author, hall, move || {
            let deeds = office.store.deeds()?;
            let people = find(&deeds, &of)?;
            Ok((deeds, people))
        })
        .await
    }

    /// The same of several.
    pub(super) async fn erase_all(
        &self,
        author: &Author,
        hall: &Hall,
        find: impl Fn() -> Result<(Deeds, People), OfficeError> + Clone + Send + 'static,
    ) -> Result<Erased, OfficeError> {
        let plan = {
            let office = self.clone();
            move || -> Result<_, OfficeError> {
                let (deeds, people) = find()?;
                Ok((office.erasure(&deeds, &people)?, people))
            }
        };
        // Boards first: what they write from now on has the number.
        let (erasure, _) = beside(plan.clone()).await?;
        for game in &erasure.games {
            hall.rename(&game.game, &game.tags).await;
        }
        let mut held = self.book.clone().lock_owned().await;
        let (erasure, people) = beside(plan).await?;
        if erasure == Erasure::default() {
            return Err(OfficeError::Bad("the store says nothing of him".to_owned()));
        }
        let mut erased = Erased {
            entries: erasure.instead.len(),
            games: erasure.games.iter().map(|game| game.game.clone()).collect(),
            files: erasure.dropped.clone(),
            ..Erased::default()
        };
        let whose: Vec<String> = people
            .seats
            .iter()
            .map(|(event, number)| format!("player {number} of event {}", event + 1))
            .collect();
        let taken = Taken::Erased {
            whose: whose.join(", "),
            instead: erasure.instead.clone(),
        };
        self.take_away(author, erasure, &taken).await?;
        let (store, again) = (self.store.clone(), held.clone());
        *held = beside(move || Ok(again.again(&store.deeds()?))).await?;
        self.show(held, &[]);
        self.drawn.send_modify(|count| *count += 1);
        let (store, scribe) = (self.store.clone(), self.scribe());
        let renaming = people.renaming(&erased, &self.book());
        let (pages, copies) = beside(move || {
            let pages = scribe.map_or(Ok(0), |scribe| scribe.rename(renaming));
            let files = || -> std::io::Result<_> { Ok((pages?, removed(&store.copies()?)?)) };
            files().map_err(|error| {
                OfficeError::Bad(format!("files that name him could not be written: {error}"))
            })
        })
        .await?;
        (erased.pages, erased.copies) = (pages, copies);
        Ok(erased)
    }

    /// Writes that something is taken away, and takes it away.
    pub(super) async fn take_away(
        &self,
        author: &Author,
        erasure: Erasure,
        taken: &Taken,
    ) -> Result<(), OfficeError> {
        let deed = Deed::now(author.clone(), Area::People, taken)?;
        let ways = self.ways().clone().ok_or(journal::JournalError::Closed)?;
        let acts = [
            journal::Act::Erase(Box::new(erasure)),
            journal::Act::Deed(Box::new(deed)),
        ];
        Ok(ways.journal.write(acts.into()).await?)
    }

    /// What is to be taken away of people.
    fn erasure(&self, deeds: &Deeds, people: &People) -> Result<Erasure, OfficeError> {
        let mut erasure = Erasure::default();
        let mut files = BTreeMap::new();
        let places = places(deeds)?;
        for (name, bytes) in self.store.files()? {
            let Some(persons) = people.in_file(places.get(&name)) else {
                continue;
            };
            if persons.are_in(&bytes) != Some(false) {
                let left = persons.taken_from(&bytes);
                let instead = left.map(|bytes| (file_name(&bytes), bytes));
                files.insert(name.clone(), instead.as_ref().map(|(name, _)| name.clone()));
                erasure.files.extend(instead);
                erasure.dropped.push(name);
            }
        }
        let book = walk(deeds, |book, number, act| {
            let (raw, whole) = (&deeds.raw[number - 1], &deeds.sound[number - 1].what);
            let event = (book.past.len(), &book.event);
            for (sum, value) in checksums(raw, whole) {
                if let Some(instead) = instead(people, event, act, &value, &files) {
                    erasure.instead.insert(sum, instead);
                }
            }
        })?;
        let events: Vec<&Tournament> = book.past.iter().chain([&book.event]).collect();
        let seated = seated(&events);
        for row in self.store.games()? {
            if let Some(tags) = self.renamed(people, &seated, &row) {
                erasure.games.push(self.called_so(people, &row, tags)?);
            }
        }
        Ok(erasure)
    }

    /// A game without its players' names: `None` where it has none of theirs.
    fn renamed(
        &self,
        people: &People,
        seated: &BTreeMap<String, [Option<(usize, u16)>; 2]>,
        row: &GameRow,
    ) -> Option<Tags> {
        let mut tags = row.tags.clone();
        let seats = seated.get(&row.id);
        for (n, (side, name)) in [("White", &mut tags.white), ("Black", &mut tags.black)]
            .into_iter()
            .enumerate()
        {
            let seat = seats.and_then(|seats| seats[n]);
            let new = match seat {
                Some(seat) => people.seats.contains(&seat).then(|| called(seat.1)),
                None if people.only.is_some() => None,
                None => people.persons.is_named(name).then(String::new),
            };
            if let Some(new) = new.filter(|new| new != name) {
                *name = new;
                let is_his = |tag: &str| tag.starts_with(side);
                tags.further.retain(|(tag, _)| !is_his(tag));
            }
        }
        (tags != row.tags).then_some(tags)
    }

    /// A game that is called otherwise.
    fn called_so(
        &self,
        people: &People,
        row: &GameRow,
        tags: Tags,
    ) -> Result<Renamed, OfficeError> {
        let game = self.store.game(&row.id)?;
        let ending = game.and_then(|game: Game| game.ending);
        let before = [&row.tags.white, &row.tags.black];
        let new = [&tags.white, &tags.black];
        let called = |name: &str| {
            let n = before.iter().position(|before| *before == name)?;
            let new = Some(new[n].clone()).filter(|new| new != name);
            let new = new.or_else(|| people.called().remove(name));
            new.map(|new| if new.is_empty() { "?".to_owned() } else { new })
        };
        let pgn = ending.map(|ending| pgn::renamed(&ending.pgn, &pgn::PERSON, &called));
        Ok(Renamed {
            game: row.id.clone(),
            tags,
            pgn,
        })
    }

    fn scribe(&self) -> Option<Scribe> {
        self.ways().as_ref().and_then(|ways| ways.scribe.clone())
    }
}

/// Works beside the thread that the boards share.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, OfficeError> + Send + 'static,
) -> Result<T, OfficeError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(OfficeError::Bad("the program is ending".to_owned())))
}

/// The events that were drawn from each file.
fn places(deeds: &Deeds) -> Result<BTreeMap<String, BTreeSet<usize>>, OfficeError> {
    let mut files = BTreeMap::<String, BTreeSet<usize>>::new();
    walk(deeds, |book, _, act| {
        if let Act::Draw {
            file: Some(file), ..
        } = act
        {
            files
                .entry(file.clone())
                .or_default()
                .insert(book.past.len());
        }
    })?;
    Ok(files)
}

/// What stands in the place of something that an act says, if it is of these people.
fn instead(
    people: &People,
    (place, event): (usize, &Tournament),
    act: &Act,
    value: &Value,
    files: &BTreeMap<String, Option<String>>,
) -> Option<Value> {
    let is_his = |number: u16| people.seats.contains(&(place, number));
    match (act, value) {
        (Act::Draw { .. }, Value::Object(player)) => {
            let number = u16::try_from(player.get("number")?.as_u64()?).ok()?;
            let new = json!({ "number": number, "name": called(number) });
            (is_his(number) && new != *value).then_some(new)
        }
        (Act::Draw { .. }, Value::String(file)) => files.get(file).map(|new| json!(new)),
        (Act::Penalise { player, .. }, Value::String(_)) => is_his(*player).then(reason),
        (
            Act::Result { round, table, .. } | Act::Withdraw { round, table, .. },
            Value::String(_),
        ) => {
            let pairing = event.pairing(*round, *table).ok()?;
            let both = [Some(pairing.white), pairing.black];
            both.into_iter().flatten().any(is_his).then(reason)
        }
        _ => None,
    }
}

fn reason() -> Value {
    json!("erased")
}

/// Who played which game: by its name, White and Black.
fn seated(events: &[&Tournament]) -> BTreeMap<String, [Option<(usize, u16)>; 2]> {
    let mut all = BTreeMap::new();
    for (place, event) in events.iter().enumerate() {
        for pairing in event.rounds.values().flat_map(|round| &round.pairings) {
            if let Some(game) = &pairing.game {
                let both = [Some(pairing.white), pairing.black];
                all.insert(game.clone(), both.map(|number| Some((place, number?))));
            }
        }
    }
    all
}

fn entry(event: &Tournament, number: u16) -> Option<Entry> {
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
    Some(Entry {
        event: event.details.name.clone(),
        player: event.players.get(&number)?.clone(),
        rounds: all.filter_map(played).collect(),
        penalties: penalties.cloned().collect(),
    })
}

/// Removes files, and says which.
fn removed(files: &[std::path::PathBuf]) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for file in files {
        std::fs::remove_file(file)?;
        names.extend(
            file.file_name()
                .map(|name| name.to_string_lossy().into_owned()),
        );
    }
    Ok(names)
}
