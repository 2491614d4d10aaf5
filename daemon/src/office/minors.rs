//! Whose names the public is shown shortened: of players who are too young, by the day of birth in
//! the report file, and of those whom somebody has marked.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use jiff::civil::Date;
use tournament::load::{called, compared};
use tournament::{Player, Tournament};

use super::Book;

/// Names to be shortened. Cheap to clone; all clones have the same names.
#[derive(Clone, Debug, Default)]
pub struct Minors(Arc<RwLock<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// Whoever is younger, in years.
    under: Option<u8>,
    names: BTreeSet<String>,
}

impl Minors {
    /// Names of players younger than so many years, and of those who are marked.
    pub fn new(under: Option<u8>) -> Minors {
        let names = BTreeSet::new();
        Minors(Arc::new(RwLock::new(Known { under, names })))
    }

    /// Those of these events.
    pub fn of(under: Option<u8>, book: &Book) -> Minors {
        let minors = Minors::new(under);
        minors.learn(book);
        minors
    }

    /// From now on those who are younger than so many years, too: as a hall says it to its hub.
    pub(crate) fn younger_than(&self, under: Option<u8>, book: &Book) {
        self.known().under = under;
        self.learn(book);
    }

    fn known(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns who is in these events.
    pub(super) fn learn(&self, book: &Book) {
        let mut known = self.known();
        let under = known.under;
        let today = jiff::Zoned::now().date();
        let events = book.past.iter().chain([&book.event]);
        let names = events.flat_map(|event| {
            let shortened = shortened(event, under, today);
            shortened.flat_map(|number| event.names_of(number).map(|name| compared(name)))
        });
        known.names = names.collect();
    }

    /// How the public is shown a name; `None`: as it is.
    pub fn short(&self, name: &str) -> Option<String> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.names.contains(&compared(name)).then(|| short(name))
    }

    /// The event as the public may read it.
    pub fn public(&self, event: &Tournament) -> Tournament {
        let mut event = event.clone();
        for player in event.players.values_mut() {
            if let Some(name) = self.short(&player.name) {
                (player.name, player.fide_id) = (name, None);
                player.birth.clear();
            }
        }
        event
    }
}

/// The starting numbers of those in an event whose names are shortened.
fn shortened(
    event: &Tournament,
    under: Option<u8>,
    today: Date,
) -> impl Iterator<Item = u16> + use<'_> {
    let is_young = move |player: &Player| {
        let of_age = under.zip(born(&player.birth));
        of_age.is_some_and(|(years, born)| age(born, today) < i16::from(years))
    };
    // Of whom nothing is said any more there is nothing to be shortened.
    let players = event.players.values();
    let players = players.filter(|player| player.name != called(player.number));
    let shortened = players.filter(move |player| match event.shortened.get(&player.number) {
        Some(marked) => *marked,
        None => is_young(player),
    });
    shortened.map(|player| player.number)
}

/// The day of birth, as files write it; where only the year or the month is known, its last day:
/// nobody is taken for older than he is.
fn born(text: &str) -> Option<Date> {
    let [year, month, day] = tournament::birth(text)?;
    let year = i16::try_from(year).ok()?;
    let known = |n: u16| i8::try_from(n).ok().filter(|n| *n > 0);
    let month = known(month).filter(|month| *month <= 12);
    let last = Date::new(year, month.unwrap_or(12), 1)
        .ok()?
        .last_of_month();
    let day = known(day).filter(|_| month.is_some());
    Some(
        day.and_then(|day| Date::new(year, last.month(), day).ok())
            .unwrap_or(last),
    )
}

/// In whole years.
fn age(born: Date, today: Date) -> i16 {
    let has_been = (today.month(), today.day()) >= (born.month(), born.day());
    today.year() - born.year() - i16::from(!has_been)
}

/// `B., Anna` of `Berg, Anna`, `Anna B.` of `Anna Berg`.
pub(super) fn short(name: &str) -> String {
    let initial = |name: &str| {
        let first = name.trim().chars().next();
        first.map_or_else(String::new, |first| format!("{first}."))
    };
    match name.split_once(',') {
        Some((last, first)) => format!("{},{first}", initial(last)),
        None => match name.trim().rsplit_once(char::is_whitespace) {
            Some((first, last)) => format!("{first} {}", initial(last)),
            None => initial(name),
        },
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_of_birth_as_files_write_them() {
        for (text, day) in [
            ("2010/05/17", Some(date(2010, 5, 17))),
            ("2010-05-17", Some(date(2010, 5, 17))),
            ("17.05.2010", Some(date(2010, 5, 17))),
            ("2010/02/00", Some(date(2010, 2, 28))),
            ("2010/00/00", Some(date(2010, 12, 31))),
            ("2010", Some(date(2010, 12, 31))),
            ("2010/02/31", Some(date(2010, 2, 28))),
            ("", None),
            ("0000/00/00", None),
            ("young", None),
        ] {
            assert_eq!(born(text), day, "{text}");
        }
        assert_eq!(age(date(2008, 11, 25), date(2026, 11, 24)), 17);
        assert_eq!(age(date(2008, 11, 24), date(2026, 11, 24)), 18);
        assert_eq!(age(date(2008, 2, 29), date(2026, 2, 28)), 17);
    }

    #[test]
    fn names_are_shortened_to_the_first_name() {
        for (name, wanted) in [
            ("Berg, Anna", "B., Anna"),
            ("Anna Maria Berg", "Anna Maria B."),
            ("Nguyễn Văn A", "Nguyễn Văn A."),
            ("Ömer", "Ö."),
            ("", ""),
        ] {
            assert_eq!(short(name), wanted);
        }
    }

    #[test]
    fn a_mark_goes_before_the_age() {
        let mut event = Tournament::default();
        for (number, birth) in [(1, "2015"), (2, "1970"), (3, ""), (4, "2016")] {
            let name = format!("Player, Number {number}");
            let birth = birth.to_owned();
            let player = Player {
                number,
                name,
                birth,
                ..Player::default()
            };
            event.players.insert(number, player);
        }
        let today = date(2026, 11, 24);
        let of = |event: &Tournament, under| shortened(event, under, today).collect::<Vec<_>>();
        assert_eq!(of(&event, None), [0; 0]);
        assert_eq!(of(&event, Some(18)), [1, 4]);
        event.shortened = [(3, true), (4, false)].into();
        assert_eq!(of(&event, Some(18)), [1, 3]);
        assert_eq!(of(&event, None), [3]);
    }
}
