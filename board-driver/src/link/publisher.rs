//! What becomes of one board, told to whoever follows its game.

use std::time::Instant;

use arbiter_core::{Millis, Time};
use tokio::sync::mpsc;

use super::config::{LinkConfig, LinkEvent};
use crate::clock::BoardClock;
use crate::event::{BoardEvent, BoardInfo, LineTrouble, Mark, Report};
use crate::fault::FaultReason;
use crate::kinds::BoardKind;
use crate::protocol::{Learning, Outbox};

/// Nobody wants to hear the board any more.
pub(super) struct Closed;

/// Tells of one board.
pub(super) struct Publisher {
    /// Which; what is learned of it and how far it was heard is kept here.
    pub(super) config: LinkConfig,
    /// What it speaks, once that is known.
    pub(super) kind: BoardKind,
    events: mpsc::Sender<LinkEvent>,
    clock: Option<BoardClock>,
    /// How much later than it happened a thing may be told, in milliseconds of the board: its
    /// silence means nothing before.
    lag: Millis,
    /// Set while the board is up.
    up: bool,
    last_fault: Option<FaultReason>,
}

impl Publisher {
    pub(super) fn new(config: LinkConfig, events: mpsc::Sender<LinkEvent>) -> Publisher {
        let kind = config.kind.unwrap_or_default();
        Publisher {
            config,
            kind,
            events,
            clock: None,
            lag: 0,
            up: false,
            last_fault: None,
        }
    }

    /// Of a board that has to wait for its turn to speak.
    pub(super) fn lagging(self, lag: Millis) -> Publisher {
        Publisher { lag, ..self }
    }

    /// The board cannot be heard. Told once for each new reason.
    pub(super) async fn down(&mut self, fault: FaultReason) -> Result<(), Closed> {
        if self.last_fault.as_ref() == Some(&fault) {
            return Ok(());
        }
        tracing::warn!(port = %self.config.port, %fault, "board down");
        self.last_fault = Some(fault.clone());
        self.tell(LinkEvent::Down(fault)).await
    }

    /// Whether the board was up until now.
    pub(super) fn was_up(&mut self) -> bool {
        std::mem::take(&mut self.up)
    }

    /// Ready when nobody wants to hear of the board any more.
    pub(super) async fn closed(&self) {
        self.events.closed().await;
    }

    /// Passes on what the protocol made of what came; the fault that ends the connection, if there
    /// is one.
    pub(super) async fn deliver(
        &mut self,
        out: &mut Outbox,
    ) -> Result<Option<FaultReason>, Closed> {
        let now = Instant::now();
        let heard = out.heard.take();
        if let Some(learning) = out.learning.take() {
            if let Learning::Done { memory, .. } = &learning {
                self.config.memory = Some(memory.clone());
            }
            self.tell(LinkEvent::Learning(learning)).await?;
        }
        for delivery in std::mem::take(&mut out.reports) {
            let BoardEvent { at, report } = delivery.event;
            let event = match report {
                Report::Hello(info) => self.hello(now, at, info, delivery.mark),
                report => {
                    let clock = self.observe(now, heard.unwrap_or(at));
                    self.config.resume = delivery.mark.or(self.config.resume);
                    report.apply_to(&mut self.config.stood);
                    LinkEvent::Board {
                        event: BoardEvent { at, report },
                        clock,
                        mark: delivery.mark,
                    }
                }
            };
            self.tell(event).await?;
        }
        if let (Some(heard), Some(_)) = (heard, self.clock) {
            self.observe(now, heard);
        }
        let trouble = std::mem::take(&mut out.trouble);
        if trouble != LineTrouble::default() {
            self.tell(LinkEvent::Trouble(trouble)).await?;
        }
        Ok(out.fault.take())
    }

    fn hello(&mut self, now: Instant, at: Time, info: BoardInfo, mark: Option<Mark>) -> LinkEvent {
        let (port, BoardInfo { serial, boot, .. }) = (&self.config.port, &info);
        tracing::debug!(%port, serial, boot, "board up");
        let clock = BoardClock::new(now, at - self.lag, info.pace);
        self.clock = Some(clock);
        self.up = true;
        self.last_fault = None;
        LinkEvent::Up {
            kind: self.kind,
            info,
            clock,
            mark,
        }
    }

    fn observe(&mut self, now: Instant, heard: Time) -> BoardClock {
        let heard = heard - self.lag;
        let clock = self
            .clock
            .get_or_insert_with(|| BoardClock::new(now, heard, 1.0));
        clock.observe(now, heard);
        *clock
    }

    async fn tell(&mut self, event: LinkEvent) -> Result<(), Closed> {
        self.events.send(event).await.map_err(|_| Closed)
    }
}
