//! What is kept of people for so long only.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use tournament::Act;

use super::people::{People, walk};
use super::register::Register;
use super::{Office, OfficeError};
use crate::config::Privacy;
use crate::hall::Hall;
use crate::store::{Author, Deeds, Erased, Erasure};

/// How long a day is.
const DAY: SignedDuration = SignedDuration::from_hours(24);

impl Office {
    /// Takes away what has been kept long enough.
    ///
    /// # Errors
    /// Where the acts are damaged, or cannot be written.
    pub async fn retain(
        &self,
        hall: &Hall,
        privacy: &Privacy,
        now: Timestamp,
    ) -> Result<(), OfficeError> {
        if let Some(before) = privacy.keep_players.and_then(|days| ago(now, days)) {
            self.forget_players(hall, before).await?;
        }
        if let Some(before) = privacy.keep_addresses.and_then(|days| ago(now, days)) {
            self.forget_addresses(before).await?;
        }
        Ok(())
    }

    /// The players of events that were closed before are their numbers only.
    async fn forget_players(&self, hall: &Hall, before: Timestamp) -> Result<(), OfficeError> {
        let office = self.clone();
        let find = move || {
            let deeds = office.store().deeds()?;
            let people = players(&deeds, before)?;
            Ok((deeds, people))
        };
        if find()?.1.persons.names.is_empty() {
            return Ok(());
        }
        let erased = self.erase_all(&program(), hall, find).await?;
        tracing::info!(
            entries = erased.entries,
            "players of past events are numbers now"
        );
        Ok(())
    }

    /// Acts of before have no network addresses.
    async fn forget_addresses(&self, before: Timestamp) -> Result<(), OfficeError> {
        let held = self.book.clone().lock_owned().await;
        let deeds = self.store().deeds()?;
        let old = (1..).zip(&deeds.sound).filter(|(_, deed)| {
            let has = !deed.author.address.is_empty();
            has && deed.utc.parse::<Timestamp>().is_ok_and(|utc| utc <= before)
        });
        let Some((until, _)) = old.last().filter(|_| !deeds.is_broken) else {
            return Ok(());
        };
        let erasure = Erasure {
            addresses: Some(until),
            ..Erasure::default()
        };
        let taken = Erased::AddressesErased { until };
        self.take_away(&program(), erasure, &taken).await?;
        drop(held);
        Ok(())
    }
}

/// So many days before a moment.
fn ago(now: Timestamp, days: u16) -> Option<Timestamp> {
    now.checked_sub(DAY.checked_mul(i32::from(days))?).ok()
}

fn program() -> Author {
    Author {
        role: "program".to_owned(),
        ..Author::default()
    }
}

/// The players of the events that were closed before.
fn players(deeds: &Deeds, before: Timestamp) -> Result<People, OfficeError> {
    let mut over = BTreeSet::new();
    walk(deeds, |book, number, act| {
        let utc = deeds.sound[number - 1].utc.parse::<Timestamp>();
        if matches!(act, Act::Close) && utc.is_ok_and(|utc| utc <= before) {
            over.insert(book.past.len());
        }
    })?;
    let (register, _) = Register::of(deeds)?;
    let mut people = People::of(&register, |stay| over.contains(&stay.event));
    people.only = Some(over);
    Ok(people)
}
