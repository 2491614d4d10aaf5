//! Who was drawn in the events of a store under which starting number, and when: an organiser may
//! count anew, and a person keeps what was said of him.

use std::collections::{BTreeMap, BTreeSet};

use tournament::load::called;
use tournament::{Act, Player, birth, stood};

use super::people::walk;
use super::{Book, OfficeError};
use crate::store::Deeds;

/// A time for which somebody had a starting number.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Stay {
    /// The event's place.
    pub(super) event: usize,
    /// The starting number.
    pub(super) number: u16,
    /// Who, as far as one event knows it.
    pub(super) person: usize,
    /// All that was said of him meanwhile.
    pub(super) said: Vec<Player>,
    /// The acts from which and until which; `None`: he has it.
    from: usize,
    until: Option<usize>,
}

impl Stay {
    /// Whether he had the number when an act of an event was done; from the act on that gave it to
    /// him.
    pub(super) fn is_at(&self, (event, act): (usize, usize)) -> bool {
        let is_over = self.until.is_some_and(|until| until <= act);
        event == self.event && self.from <= act && !is_over
    }

    /// Whether he has it.
    pub(super) fn is_open(&self) -> bool {
        self.until.is_none()
    }

    /// What was said of him that was not taken away since.
    pub(super) fn known(&self) -> impl Iterator<Item = &Player> {
        let is_known = |player: &&Player| player.name != called(self.number);
        self.said.iter().filter(is_known)
    }

    /// Who it is, for people.
    pub(super) fn told(&self, book: &Book) -> String {
        let event = self.event + 1;
        let name = book.nth(Some(event)).map(|event| &event.details.name);
        let name = name.map_or_else(|_| String::new(), |name| format!(", `{name}`"));
        let last = self.said.last();
        let id = last.and_then(|player| player.fide_id);
        let id = id.map_or_else(String::new, |id| format!(" (FIDE number {id})"));
        // Alone it would be somebody else's now.
        let now = match self.is_open() {
            true => "",
            false => ", which is another's now: give it with the name",
        };
        format!("number {} of event {event}{name}{id}{now}", self.number)
    }
}

/// Everybody who was ever drawn.
#[derive(Default)]
pub(super) struct Register {
    pub(super) stays: Vec<Stay>,
}

impl Register {
    /// As the acts of a store say it; and what they make.
    pub(super) fn of(deeds: &Deeds) -> Result<(Register, Book), OfficeError> {
        let mut register = Register::default();
        let book = walk(deeds, |book, act, done| {
            if let Act::Draw {
                round,
                players,
                pairings,
                ..
            } = done
            {
                let stood = stood(&book.event, *round, players, pairings);
                register.enter((book.past.len(), act), players, &stood);
            }
        })?;
        Ok((register, book))
    }

    /// Enters who is drawn; `stood`: under which number he stood before.
    fn enter(
        &mut self,
        (event, act): (usize, usize),
        players: &[Player],
        stood: &BTreeMap<u16, u16>,
    ) {
        let open = |(_, stay): &(usize, &Stay)| stay.event == event && stay.is_open();
        let open = self.stays.iter().enumerate().filter(open);
        let open: BTreeMap<u16, usize> = open.map(|(place, stay)| (stay.number, place)).collect();
        for player in players {
            let before = stood.get(&player.number);
            let stay = before.and_then(|old| open.get(old)).copied();
            if let Some(stay) = stay.filter(|_| before == Some(&player.number)) {
                self.stays[stay].said.push(player.clone());
                continue;
            }
            if let Some(over) = open.get(&player.number) {
                self.stays[*over].until = Some(act);
            }
            let person = stay.map_or(self.stays.len(), |stay| self.stays[stay].person);
            self.stays.push(Stay {
                event,
                number: player.number,
                person,
                said: vec![player.clone()],
                from: act,
                until: None,
            });
        }
    }

    /// The one person who is meant, by what each event calls him.
    ///
    /// # Errors
    /// Where several are: one stay of each.
    pub(super) fn one(
        &self,
        is_meant: impl Fn(&Stay) -> bool,
    ) -> Result<BTreeSet<usize>, Vec<&Stay>> {
        let meant = self.stays.iter().filter(|stay| is_meant(stay));
        let meant: BTreeSet<usize> = meant.map(|stay| stay.person).collect();
        let Some(first) = meant.first() else {
            return Ok(meant);
        };
        let one = self.same(*first);
        if meant.is_subset(&one) {
            return Ok(one);
        }
        let last = |person: &usize| {
            let mut stays = self.stays.iter().rev();
            stays.find(|stay| stay.person == *person)
        };
        Err(meant.iter().filter_map(last).collect())
    }

    /// A person by what each event calls him: he has the same number at FIDE, or the same name and
    /// day of birth.
    fn same(&self, person: usize) -> BTreeSet<usize> {
        let mut same = BTreeSet::from([person]);
        loop {
            let (his, others): (Vec<&Stay>, Vec<&Stay>) = self
                .stays
                .iter()
                .partition(|stay| same.contains(&stay.person));
            let his: Vec<&Player> = his.iter().flat_map(|stay| stay.known()).collect();
            let is_he = |player: &Player| his.iter().any(|known| is_same(player, known));
            let more = others.iter().filter(|stay| stay.known().any(is_he));
            let more: BTreeSet<usize> = more.map(|stay| stay.person).collect();
            if more.is_empty() {
                return same;
            }
            same.extend(more);
        }
    }
}

/// Whether two are surely one person.
fn is_same(one: &Player, other: &Player) -> bool {
    if let Some((one, other)) = one.fide_id.zip(other.fide_id) {
        return one == other;
    }
    let day = |player: &Player| birth(&player.birth).filter(|day| day.iter().all(|part| *part > 0));
    let is_one_day = day(one).is_some() && day(one) == day(other);
    is_one_day && one.name.to_lowercase() == other.name.to_lowercase()
}
