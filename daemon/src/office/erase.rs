//! What a store says of people, taken away. Their numbers in the event stay, and with these who
//! played whom and how that ended.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tournament::load::called;
use tournament::{Act, Tournament};

use super::file::{decoded, encoded};
use super::minors::short;
use super::people::{People, find, photos, places, seated, walk};
use super::person::Whom;
use super::said::{of_game, players};
use super::{Book, Office, OfficeError, file_name};
use crate::hall::Hall;
use crate::scribe::{Renaming, Scribe};
use crate::store::{
    Area, Author, Deed, Deeds, Erased as Taken, Erasure, Game, GameRow, Renamed, Tags, checksums,
};
use crate::{journal, pgn};

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

impl People {
    /// What is told where nothing of them is there to be taken away.
    fn nothing(&self) -> String {
        let seats = self.seats.iter();
        let seats = seats.map(|(event, number)| format!("{number} of event {}", event + 1));
        let seats: Vec<String> = seats.collect();
        match seats[..] {
            [] => {
                "the store says nothing of such a person: it never did, or he is erased already, \
                   which his starting number tells"
                    .to_owned()
            }
            _ => format!("erased already: player {}", seats.join(" and player ")),
        }
    }

    fn renaming(&self, erased: &Erased, book: &Book) -> Renaming {
        let events_of = |only: &BTreeSet<usize>| {
            let all = book.past.iter().chain([&book.event]).enumerate();
            let (gone, stay): (Vec<_>, Vec<_>) = all.partition(|(n, _)| only.contains(n));
            let name = |(_, event): (usize, &Tournament)| event.described().name;
            let stay: BTreeSet<String> = stay.into_iter().map(name).collect();
            gone.into_iter()
                .map(name)
                .filter(|name| !stay.contains(name))
                .collect()
        };
        let events: Vec<&Tournament> = book.past.iter().chain([&book.event]).collect();
        let all = events.iter().flat_map(|event| {
            let players = event.players.keys();
            players.flat_map(|number| event.names_of(*number))
        });
        let others: BTreeSet<String> = all.flat_map(|name| [name.clone(), short(name)]).collect();
        let called = self.called();
        let all = called.iter().map(|(name, new)| (short(name), new.clone()));
        let (mut shared, short): (BTreeMap<_, _>, _) =
            all.partition(|(name, _)| others.contains(name));
        let (whole, names) = called
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(name, _)| others.contains(name));
        shared.extend(whole);
        let seats = self.seats.iter().flat_map(|(place, number)| {
            let event = events.get(*place);
            event.into_iter().flat_map(|event| seats_of(event, *number))
        });
        Renaming {
            short,
            shared,
            games: erased.games.iter().cloned().collect(),
            seats: seats.collect(),
            events: self.only.as_ref().map(events_of),
            names,
        }
    }
}

impl Office {
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
            let people = find(&deeds, &office.store.games()?, &of)?;
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
                let (deeds, mut people) = find()?;
                Ok((office.erasure(&deeds, &mut people)?, people))
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
            return Err(OfficeError::Bad(people.nothing()));
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
        ways.journal.write(acts.into()).await?;
        self.erasures.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// How often something was taken away: what was said before may name whom it may name no
    /// longer.
    pub(crate) fn erasures(&self) -> u64 {
        self.erasures.load(Ordering::SeqCst)
    }

    /// What is to be taken away of people.
    fn erasure(&self, deeds: &Deeds, people: &mut People) -> Result<Erasure, OfficeError> {
        let mut erasure = Erasure::default();
        self.call_games(deeds, people, &mut erasure)?;
        let people = &*people;
        let mut files = BTreeMap::new();
        let (places, photos) = (places(deeds)?, photos(deeds)?);
        for (name, bytes) in self.store.files()? {
            if let Some(notes) = photos.get(&name) {
                if people.is_shown(notes) {
                    files.insert(name.clone(), None);
                    erasure.dropped.push(name);
                }
                continue;
            }
            let used = places.get(&name);
            let Some(persons) = people.in_file(used) else {
                continue;
            };
            let encoding = used.and_then(|used| used.encoding.as_deref());
            let text = decoded(&bytes, encoding);
            if persons.are_in(&text) != Some(false) {
                let left = persons.taken_from(&text);
                // Of one whose encoding was named it is known in no other.
                let left = left.map(|left| encoded(&bytes, encoding, left));
                let left = left.filter(|(_, other)| encoding.is_none() || other.is_none());
                let left = left.map(|(bytes, _)| bytes);
                let instead = left.map(|bytes| (file_name(&bytes), bytes));
                files.insert(name.clone(), instead.as_ref().map(|(name, _)| name.clone()));
                erasure.files.extend(instead);
                // An event of others may have been drawn from the same bytes.
                if !people.share(used) {
                    erasure.dropped.push(name);
                }
            }
        }
        walk(deeds, |book, number, act| {
            let (raw, whole) = (&deeds.raw[number - 1], &deeds.sound[number - 1].what);
            let at = (book.past.len(), number);
            for (sum, value) in checksums(raw, whole) {
                if let Some(instead) = instead(people, (at, &book.event), act, &value, &files) {
                    erasure.instead.insert(sum, instead);
                }
            }
        })?;
        Ok(erasure)
    }

    /// The games that name these people are called otherwise.
    fn call_games(
        &self,
        deeds: &Deeds,
        people: &mut People,
        erasure: &mut Erasure,
    ) -> Result<(), OfficeError> {
        let book = walk(deeds, |_, _, _| {})?;
        let events: Vec<&Tournament> = book.past.iter().chain([&book.event]).collect();
        let seated = seated(&events);
        for row in self.store.games()? {
            if let Some(tags) = people.renamed(&seated, &row) {
                erasure.games.push(self.called_so(people, &row, tags)?);
                people.games.insert(row.id);
            }
        }
        Ok(())
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

/// What stands in the place of something that an act says, if it is of these people.
fn instead(
    people: &People,
    (at, event): ((usize, usize), &Tournament),
    act: &Act,
    value: &Value,
    files: &BTreeMap<String, Option<String>>,
) -> Option<Value> {
    let is_his = |number: u16| people.had(at, number);
    let instead = match (act, value) {
        (Act::Draw { .. }, Value::Object(player)) => {
            let number = u16::try_from(player.get("number")?.as_u64()?).ok()?;
            is_his(number).then(|| json!({ "number": number, "name": called(number) }))
        }
        (Act::Draw { .. }, Value::String(file)) => {
            let new = files.get(file).filter(|_| people.are_in(at.0));
            new.map(|new| json!(new))
        }
        (Act::Note(note), Value::String(said)) if note.photo.as_ref() == Some(said) => {
            files.get(said).map(|new| json!(new))
        }
        (Act::Note(note), Value::String(_)) => people.is_in(at.0, note).then(reason),
        (
            Act::Penalise { player, .. }
            | Act::TakePenaltyBack { player, .. }
            | Act::TakeBreakBack { player, .. },
            Value::String(_),
        ) => is_his(*player).then(reason),
        (act, Value::String(_)) => {
            let (place, ..) = of_game(event, act)?;
            players(event, place).into_iter().any(is_his).then(reason)
        }
        _ => None,
    };
    // What was taken away before is not counted again.
    instead.filter(|new| new != value)
}

/// Event and round of a player's games, as PGN has them.
fn seats_of(event: &Tournament, number: u16) -> Vec<(String, String)> {
    let rounds = event.rounds.iter();
    let all = rounds.flat_map(|(round, drawn)| drawn.pairings.iter().map(move |p| (round, p)));
    let his = all.filter(|(_, pairing)| pairing.players().any(|player| player == number));
    let name = event.described().name;
    his.filter_map(|(round, p)| Some((name.clone(), format!("{round}.{}", p.table?))))
        .collect()
}

fn reason() -> Value {
    json!("erased")
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
