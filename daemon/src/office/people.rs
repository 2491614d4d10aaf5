//! People in the acts of a store: who is meant, and where he is named.

use std::collections::{BTreeMap, BTreeSet};

use tournament::load::{Persons, called};
use tournament::{Act, Note, Player, Tournament};

use super::person::Whom;
use super::{Book, OfficeError};
use crate::store::{Area, Deeds, GameRow, Tags};

/// Who is meant in which event: by the event's place and his starting number.
type Seats = BTreeSet<(usize, u16)>;

/// People in the acts of a store.
#[derive(Default)]
pub(super) struct People {
    pub(super) seats: Seats,
    pub(super) persons: Persons,
    /// Their numbers by their names, as far as these are known.
    numbers: BTreeMap<String, u16>,
    /// Games that name them.
    pub(super) games: BTreeSet<String>,
    /// Whatever is kept of these events only; `None`: whatever names them.
    pub(super) only: Option<BTreeSet<usize>>,
}

impl People {
    /// What each is called from now on, where it is not known in which event.
    pub(super) fn called(&self) -> BTreeMap<String, String> {
        let names = self.persons.names.iter();
        let new = |name| {
            self.numbers
                .get(name)
                .map_or_else(|| "?".to_owned(), |n| called(*n))
        };
        names.map(|name| (name.clone(), new(name))).collect()
    }

    /// They as a file of these events has them; `None` where the file is none of what is meant.
    pub(super) fn in_file(&self, events: Option<&BTreeSet<usize>>) -> Option<Persons> {
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

    /// Whether a note of an event is about one of them, or about a game of his.
    pub(super) fn is_noted(&self, event: usize, note: &Note) -> bool {
        let mut about = note.about.iter();
        let is_his = about.any(|number| self.seats.contains(&(event, *number)));
        is_his || self.games.contains(&note.game)
    }

    /// The same of the notes of a picture.
    pub(super) fn is_shown(&self, notes: &[(usize, Note)]) -> bool {
        notes
            .iter()
            .any(|(event, note)| self.is_noted(*event, note))
    }

    /// A game without its players' names: `None` where it has none of theirs.
    pub(super) fn renamed(
        &self,
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
                Some(seat) => self.seats.contains(&seat).then(|| called(seat.1)),
                None if self.only.is_some() => None,
                None => self.persons.is_named(name).then(String::new),
            };
            if let Some(new) = new.filter(|new| new != name) {
                *name = new;
                let is_his = |tag: &str| tag.starts_with(side);
                tags.further.retain(|(tag, _)| !is_his(tag));
            }
        }
        (tags != row.tags).then_some(tags)
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

/// Whom somebody means; `games` are those of the store.
pub(super) fn find(deeds: &Deeds, games: &[GameRow], whom: &Whom) -> Result<People, OfficeError> {
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
    if let Some(name) = &whom.name {
        people.persons.names.insert(name.trim().to_owned());
    }
    // As it is written there.
    let named = games
        .iter()
        .flat_map(|game| [&game.tags.white, &game.tags.black]);
    let named: Vec<String> = named
        .filter(|name| people.persons.is_named(name))
        .cloned()
        .collect();
    people.persons.names.extend(named);
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
            people.numbers.insert(player.name.clone(), player.number);
            people.persons.ids.extend(player.fide_id);
        }
    })?;
    people.seats.extend(seats);
    Ok(())
}

/// The events that were drawn from each file.
pub(super) fn places(deeds: &Deeds) -> Result<BTreeMap<String, BTreeSet<usize>>, OfficeError> {
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

/// Pictures of notes, each with its notes and the places of their events.
pub(super) fn photos(deeds: &Deeds) -> Result<BTreeMap<String, Vec<(usize, Note)>>, OfficeError> {
    let mut photos = BTreeMap::<String, Vec<_>>::new();
    walk(deeds, |book, _, act| {
        if let Act::Note(note) = act
            && let Some(photo) = &note.photo
        {
            let notes = photos.entry(photo.clone()).or_default();
            notes.push((book.past.len(), note.clone()));
        }
    })?;
    Ok(photos)
}

/// Who played which game: by its name, White and Black.
pub(super) fn seated(events: &[&Tournament]) -> BTreeMap<String, [Option<(usize, u16)>; 2]> {
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
