//! Several halls and one hub: the line to the hub of this hall, or the halls whose hub this is.

use std::thread::JoinHandle;

use access::Role;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::RunError;
use crate::config::Config;
use crate::hall::Hall;
use crate::http;
use crate::hub::{Event, Given, Halls, Late, Sender, Uplink, nats};
use crate::journal::Journal;
use crate::office::Office;
use crate::public::{Gate, Keeper, Rules};
use crate::store::StoreError;

/// What a program has to do with hubs.
#[derive(Debug, Default)]
pub(super) struct Hubs {
    /// The hub of this hall.
    pub(super) uplink: Option<Uplink>,
    /// What it orders, and from whom that is taken.
    orders: Option<(mpsc::Receiver<Given>, Vec<Role>)>,
    /// The halls whose hub this is.
    pub(super) halls: Option<Halls>,
    /// The event that they play.
    pub(super) event: Option<Event>,
}

impl Hubs {
    /// Begins to send to the hub, or to wait for halls. Also gives the threads of that.
    pub(super) fn open(
        config: &Config,
        (office, journal): (&Office, &Journal),
        shutdown: &CancellationToken,
    ) -> Result<(Hubs, Vec<JoinHandle<()>>), RunError> {
        let (mut hubs, mut threads) = (Hubs::default(), Vec::new());
        if let Some(wishes) = &config.hub {
            let journal = (office.store().clone(), journal.clone());
            let least = config.entrance.delay.as_millis();
            let late = Late {
                rules: config.public.clone(),
                least: u64::try_from(least).unwrap_or(u64::MAX),
                minors_under: config.privacy.minors_under,
            };
            let (uplink, orders, thread) = Sender::start((wishes, late), journal, shutdown.clone())
                .map_err(|error| RunError::Hub(error.to_string()))?;
            threads.push(thread);
            hubs.uplink = Some(uplink);
            hubs.orders = Some((orders, wishes.orders.clone()));
        }
        if let Some(known) = &config.halls {
            let (halls, keepers) = Halls::open(&config.dir, known, shutdown)?;
            threads.extend(keepers);
            if let Some(rules) = &config.nats {
                nats::start(&halls, rules, shutdown)
                    .map_err(|error| RunError::Nats(error.to_string()))?;
            }
            let event = Event::open(halls.clone(), office.clone(), journal.clone())?;
            (hubs.halls, hubs.event) = (Some(halls), Some(event));
        }
        Ok((hubs, threads))
    }

    /// Who stands at the gate; at a hub he looks at what the halls show.
    pub(super) fn keeper(
        &self,
        config: &Config,
        (gate, both, rules): (Gate, (Hall, Office), Rules),
        shutdown: &CancellationToken,
    ) -> Result<Keeper, StoreError> {
        let keeper = Keeper::open(&config.dir, gate, both, rules)?;
        Ok(match &self.event {
            Some(event) => keeper.of_elsewhere(event.gates(&config.dir, shutdown)),
            None => keeper,
        })
    }

    /// Begins to carry out what the hub orders, or to hold the event of the halls.
    pub(super) fn begin(&mut self, desk: &http::Desk, journal: &Journal) -> Result<(), StoreError> {
        if let Some((orders, allowed)) = self.orders.take() {
            let carrier = http::Orders::open(desk.clone(), journal.clone(), allowed)?;
            let shutdown = desk.shutdown.clone();
            tokio::spawn(async move {
                let carried = carrier.carry_out(orders);
                shutdown.run_until_cancelled(carried).await;
            });
        }
        if let Some(event) = self.event.clone() {
            tokio::spawn(event.keep(desk.shutdown.clone()));
        }
        Ok(())
    }

    /// Nothing of it is done any more: the program ends.
    pub(super) async fn close(&mut self) {
        self.event = None;
        if let Some(halls) = self.halls.take() {
            halls.close().await;
        }
    }
}
