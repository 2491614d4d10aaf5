//! People in the acts of a store: who is meant, and where he is named.

use std::collections::{BTreeMap, BTreeSet};

use tournament::load::{Persons, called, compared};
use tournament::{Act, Note, Player, Tournament};

use super::person::Whom;
use super::register::{Register, Stay};
use super::{Book, OfficeError};
use crate::store::{Area, Deeds, GameRow, Tags};

/// Who is meant in which event: by the event's place and his starting number.
type Seats = BTreeSet<(usize, u16)>;

/// A file that rounds were drawn from.
#[derive(Default)]
pub(super) struct Used {
    /// The event's place, and the act.
    acts: BTreeSet<(usize, usize)>,
    /// In which encoding somebody said that it is.
    pub(super) encoding: Option<String>,
}

/// People in the acts of a store.
#[derive(Default)]
pub(super) struct People {
    /// Under which numbers they stand.
    pub(super) seats: Seats,
    /// The same, with when they did.
    stays: Vec<Stay>,
    pub(super) persons: Persons,
    /// Their numbers by their names, as far as these are known.
    numbers: BTreeMap<String, u16>,
    /// Events in which somebody else is called so, and none of them is drawn.
    others: BTreeSet<usize>,
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

    /// As they were last drawn in the events in which somebody else has their number now: they had
    /// not played under it.
    pub(super) fn gone(&self) -> impl Iterator<Item = (usize, &Player)> {
        let last = self.stays.iter().enumerate().filter(|(n, stay)| {
            let later = self.stays.iter().skip(n + 1);
            let same = |other: &Stay| (other.event, other.person) == (stay.event, stay.person);
            !stay.is_open() && !later.into_iter().any(same)
        });
        last.filter_map(|(_, stay)| Some((stay.event, stay.known().last()?)))
    }

    /// Whether what an event says is of them: others may be called so there, or it is kept.
    pub(super) fn are_in(&self, event: usize) -> bool {
        let is_kept = self
            .only
            .as_ref()
            .is_some_and(|only| !only.contains(&event));
        !is_kept && !self.others.contains(&event)
    }

    /// Whether an event in which they are not was drawn from a file too.
    pub(super) fn share(&self, used: Option<&Used>) -> bool {
        let mut acts = used.into_iter().flat_map(|used| &used.acts);
        acts.any(|(event, _)| !self.are_in(*event))
    }

    /// They as a file has them; `None` where the file is none of what is meant.
    pub(super) fn in_file(&self, used: Option<&Used>) -> Option<Persons> {
        let none = BTreeSet::new();
        let acts = used.map_or(&none, |used| &used.acts);
        if !acts.is_empty() && !acts.iter().any(|(event, _)| self.are_in(*event)) {
            return None;
        }
        let was_there = |stay: &&Stay| acts.iter().any(|at| stay.is_at(*at));
        let stays = self.stays.iter().filter(was_there);
        Some(Persons {
            numbers: stays.map(|stay| stay.number).collect(),
            ..self.persons.clone()
        })
    }

    /// Whether one of them had a starting number when an act of an event was done.
    pub(super) fn had(&self, at: (usize, usize), number: u16) -> bool {
        let mut stays = self.stays.iter();
        stays.any(|stay| stay.number == number && stay.is_at(at))
    }

    /// Whether a note of an event is about one of them, or about a game of his.
    pub(super) fn is_noted(&self, event: usize, note: &Note) -> bool {
        let mut about = note.about.iter();
        let is_his = about.any(|number| self.seats.contains(&(event, *number)));
        is_his || self.games.contains(&note.game)
    }

    /// The same, or whether its text names them.
    pub(super) fn is_in(&self, event: usize, note: &Note) -> bool {
        self.is_noted(event, note) || self.persons.are_in(note.text.as_bytes()) == Some(true)
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

/// Does all acts again; tells each with the events as they were before it.
pub(super) fn walk(
    deeds: &Deeds,
    mut tell: impl FnMut(&Book, usize, &Act),
) -> Result<Book, OfficeError> {
    if let Some(damage) = deeds.damage.as_ref().filter(|_| deeds.is_broken) {
        return Err(OfficeError::Damaged(damage.clone()));
    }
    let mut book = Book::default();
    for (number, deed) in deeds.of(Area::Event) {
        let damaged = |what: String| OfficeError::Damaged(format!("act {number}: {what}"));
        let act = serde_json::from_str::<Act>(&deed.what);
        let act = act.map_err(|error| damaged(error.to_string()))?;
        tell(&book, usize::try_from(number).unwrap_or(0), &act);
        let done = book.apply(&act);
        done.map_err(|refusal| damaged(refusal.to_string()))?;
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
    // A number says of those who have one name who is meant.
    let is_whole = said == [true, false, true];
    if !is_whole && said.into_iter().filter(|is| *is).count() != 1 {
        let what = "say whose data: one of a name, a FIDE number and a starting number";
        return Err(OfficeError::Bad(what.to_owned()));
    }
    let (register, book) = Register::of(deeds)?;
    let event = whom
        .event
        .map(|number| book.nth(Some(number)).map(|_| number - 1));
    let event = event.transpose()?;
    let wanted = whom.name.as_ref().map(|name| compared(name));
    let is_meant = |stay: &Stay| {
        let name = |player: &Player| wanted.as_ref() == Some(&compared(&player.name));
        let has_number = whom.number.is_none_or(|number| number == stay.number);
        let by_name = wanted.is_some() && has_number && stay.said.iter().any(name);
        let id = |player: &Player| whom.fide_id == player.fide_id;
        let by_id = whom.fide_id.is_some() && stay.said.iter().any(id);
        let by_number = wanted.is_none() && whom.number == Some(stay.number) && stay.is_open();
        let here = match whom.number {
            Some(_) => stay.event == event.unwrap_or(book.past.len()),
            None => event.is_none_or(|event| stay.event == event),
        };
        here && (by_name || by_id || by_number)
    };
    let meant = register.one(is_meant).map_err(|several| {
        let name = whom.name.as_deref().unwrap_or_default();
        let told: Vec<String> = several.iter().map(|stay| stay.told(&book)).collect();
        OfficeError::Bad(format!(
            "`{name}` is the name of several: {}; say which: `--number N --event N`, or `--fide N`",
            told.join("; ")
        ))
    })?;
    let mut people = People::of(&register, |stay| meant.contains(&stay.person));
    // Games outside of events name whom no event has.
    let is_nobody = whom.number.is_some() && meant.is_empty();
    if let Some(name) = whom.name.as_ref().filter(|_| !is_nobody) {
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
    Ok(people)
}

impl People {
    /// Everybody who is meant, with all that was ever said of him.
    pub(super) fn of(register: &Register, is_meant: impl Fn(&Stay) -> bool) -> People {
        let mut people = People::default();
        let (meant, others): (Vec<&Stay>, Vec<&Stay>) =
            register.stays.iter().partition(|stay| is_meant(stay));
        for stay in &meant {
            // What is called by its number was taken away before.
            let known = stay.known();
            for player in known {
                people.persons.names.insert(player.name.clone());
                people.numbers.insert(player.name.clone(), stay.number);
                people.persons.ids.extend(player.fide_id);
            }
            people.stays.push((*stay).clone());
            if stay.is_open() {
                people.seats.insert((stay.event, stay.number));
            }
        }
        let is_called_so = |stay: &&&Stay| {
            let mut known = stay.known();
            known.any(|player| people.persons.is_named(&player.name))
        };
        let others = others.iter().filter(is_called_so).map(|stay| stay.event);
        let mut others: BTreeSet<usize> = others.collect();
        others.retain(|event| meant.iter().all(|stay| stay.event != *event));
        people.others = others;
        people
    }
}

/// What was drawn from each file.
pub(super) fn places(deeds: &Deeds) -> Result<BTreeMap<String, Used>, OfficeError> {
    let mut files = BTreeMap::<String, Used>::new();
    walk(deeds, |book, number, act| {
        if let Act::Draw {
            file,
            players_file,
            encoding,
            ..
        } = act
        {
            for file in [players_file, file].into_iter().flatten() {
                let used = files.entry(file.clone()).or_default();
                used.acts.insert((book.past.len(), number));
                used.encoding.clone_from(encoding);
            }
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
