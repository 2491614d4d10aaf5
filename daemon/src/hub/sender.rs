//! The hall's side: sends the journal, on a thread of its own.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use access::Role;
use jiff::Timestamp;
use replica::{Input, Publisher, Todo};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::{interval, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::Wishes;
use super::carrier::{Broken, Carrier, Heard, Line};
use super::key;
use super::message::{FromHall, Late, ToHall};
use super::nats::{self, Nats};
use super::order::{Given, Order, Reply};
use super::status::Sent;
use super::upto::UpTo;
use super::websocket::WebSocket;
use crate::journal::{Act, Journal};
use crate::store::{Said, Store};

/// How long a hall waits before it tries again, at first and at most.
const SOON: Duration = Duration::from_millis(250);
const LATEST: Duration = Duration::from_secs(10);
/// How often it says that it is there.
const BEAT: Duration = Duration::from_secs(5);
/// What is written within so short a time goes out together.
const TOGETHER: Duration = Duration::from_millis(50);
/// Orders that may wait to be carried out.
const ORDERS: usize = 16;

/// A hub that has said nothing for so long is away, though the carrier is there.
const SILENCE: Duration = Duration::from_secs(15);
/// What is said then.
const SILENT: &str = "the hub itself says nothing; what is sent is kept for it by the NATS server";

/// What a hall knows of its hub. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Uplink(Arc<watch::Sender<Sent>>);

impl Uplink {
    /// As it stands.
    pub fn shown(&self) -> Sent {
        self.0.borrow().clone()
    }
}

/// Sends a journal to a hub.
#[derive(Debug)]
pub struct Sender {
    store: Store,
    journal: Journal,
    publisher: Publisher,
    shown: Arc<watch::Sender<Sent>>,
    begun: Instant,
    allowed: Vec<Role>,
    /// How late its viewers see its games.
    late: Late,
    /// Where orders go, and their answers come from.
    orders: mpsc::Sender<Given>,
    answers: (
        mpsc::UnboundedSender<FromHall>,
        mpsc::UnboundedReceiver<FromHall>,
    ),
    shutdown: CancellationToken,
    /// Why the carrier keeps nothing more.
    stuck: Option<String>,
    /// Where the carrier keeps what is sent: since when the hub itself has said nothing.
    silent_since: Option<Instant>,
    /// Up to when it was last said that the hub has everything, in milliseconds since 1970.
    complete_to: Option<i64>,
    /// Up to which row the hub had everything then.
    complete_at: u64,
    upto: UpTo,
}

/// Whether key and authority can be used, and the address be called.
///
/// # Errors
/// Where they cannot.
pub fn check(wishes: &Wishes) -> io::Result<()> {
    let key = key::read(&wishes.key)?;
    match nats::is_address(&wishes.address) {
        true => Nats::new(wishes, key).map(drop).map_err(io::Error::other),
        false => WebSocket::new(wishes, key)
            .map(drop)
            .map_err(io::Error::other),
    }
}

impl Sender {
    /// Begins to send; ends with `shutdown`. Also gives the orders that the hub sends.
    ///
    /// # Errors
    /// Where the key or the authority cannot be used.
    pub fn start(
        (wishes, late): (&Wishes, Late),
        (store, journal): (Store, Journal),
        shutdown: CancellationToken,
    ) -> io::Result<(Uplink, mpsc::Receiver<Given>, JoinHandle<()>)> {
        let key = key::read(&wishes.key)?;
        let shown = Arc::new(watch::Sender::new(Sent {
            name: wishes.name.clone(),
            address: wishes.address.clone(),
            ..Sent::default()
        }));
        let (orders, given) = mpsc::channel(ORDERS);
        let sender = Sender {
            allowed: wishes.orders.clone(),
            late,
            orders,
            answers: mpsc::unbounded_channel(),
            store,
            journal,
            publisher: Publisher::new(),
            shown: shown.clone(),
            begun: Instant::now(),
            shutdown,
            stuck: None,
            silent_since: None,
            complete_to: None,
            complete_at: 0,
            upto: UpTo::default(),
        };
        type Work = Box<dyn FnOnce(Runtime) + Send>;
        let work: Work = if nats::is_address(&wishes.address) {
            let carrier = Nats::new(wishes, key).map_err(io::Error::other)?;
            Box::new(move |runtime| runtime.block_on(sender.run(&carrier)))
        } else {
            let carrier = WebSocket::new(wishes, key).map_err(io::Error::other)?;
            Box::new(move |runtime| runtime.block_on(sender.run(&carrier)))
        };
        // On that thread alone may it end.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let thread = std::thread::Builder::new().name("hub".to_owned());
        Ok((Uplink(shown), given, thread.spawn(move || work(runtime))?))
    }

    async fn run(mut self, carrier: &impl Carrier) {
        let shutdown = self.shutdown.clone();
        let mut pause = SOON;
        loop {
            let Some(connected) = shutdown.run_until_cancelled(carrier.connect()).await else {
                return;
            };
            let told = Instant::now();
            (self.stuck, self.silent_since) = (None, None);
            let broken = match connected {
                Ok(mut line) => {
                    let followed = self.follow(&mut line);
                    match shutdown.run_until_cancelled(followed).await {
                        Some(broken) => broken,
                        None => return,
                    }
                }
                Err(broken) => broken,
            };
            self.publisher
                .handle::<Said>(self.now(), Input::Line(false), &mut Vec::new());
            self.show_broken(&broken);
            if told.elapsed() > LATEST {
                pause = SOON;
            }
            let waited = self.wait(pause);
            if shutdown.run_until_cancelled(waited).await.is_none() {
                return;
            }
            pause = (pause * 2).min(LATEST);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Sends over a line for as long as it is of use.
    async fn follow(&mut self, line: &mut impl Line) -> Broken {
        match self.send_on(line).await {
            Ok(never) => match never {},
            Err(broken) => broken,
        }
    }

    async fn send_on(&mut self, line: &mut impl Line) -> Result<std::convert::Infallible, Broken> {
        let mut commits = self.journal.commits();
        let mut beat = interval(BEAT);
        let journal = self.journal_now()?;
        self.tell(journal, line).await?;
        self.tell(Input::Line(true), line).await?;
        loop {
            self.show();
            let now = self.now();
            let wake = self.publisher.next_wake().map(|at| at.saturating_sub(now));
            let input = tokio::select! {
                heard = line.receive() => {
                    let heard = heard?;
                    if matches!(heard, Heard::Called) {
                        // A hub that has just begun knows nothing of this clock.
                        beat.reset_immediately();
                    }
                    match self.hear(heard) {
                        Some(input) => input,
                        None => continue,
                    }
                }
                Some(answer) = self.answers.1.recv() => {
                    line.send(&answer).await?;
                    continue;
                }
                Ok(()) = commits.changed() => {
                    sleep(TOGETHER).await;
                    commits.mark_unchanged();
                    self.journal_now()?
                }
                () = sleep(Duration::from_millis(wake.unwrap_or_default())), if wake.is_some() => {
                    Input::Tick
                }
                _ = beat.tick() => {
                    let utc = Timestamp::now().as_millisecond();
                    let head = self.shown.borrow().rows;
                    line.send(&FromHall::Beat { utc, head }).await?;
                    continue;
                }
            };
            self.tell(input, line).await?;
        }
    }

    /// What the publisher is told of what was heard; nothing of an order.
    fn hear(&mut self, heard: Heard) -> Option<Input<Said>> {
        Some(match heard {
            Heard::Hub(ToHall::Order(order)) => {
                self.give(order);
                return None;
            }
            Heard::Hub(ToHall::Word(word)) => {
                if let Some(since) = &mut self.silent_since {
                    *since = Instant::now();
                }
                Input::Heard(word)
            }
            Heard::Called => Input::Called,
            Heard::Kept(at) => {
                self.stuck = None;
                Input::Kept(at)
            }
            Heard::Torn(last) => {
                self.silent_since.get_or_insert_with(Instant::now);
                Input::Torn(last)
            }
            Heard::Stuck(why) => {
                if self.stuck.as_ref() != Some(&why) {
                    tracing::warn!(why, "nothing is kept for the hub; the hall plays on");
                }
                self.stuck = Some(why);
                Input::Stuck
            }
        })
    }

    /// Tells the publisher something, and does what it says is to be done.
    async fn tell(&mut self, input: Input<Said>, line: &mut impl Line) -> Result<(), Broken> {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            let mut todo = Vec::new();
            let now = self.now();
            self.publisher.handle(now, input, &mut todo);
            for todo in todo {
                match todo {
                    Todo::Greet(hello) => {
                        let version = env!("CARGO_PKG_VERSION").to_owned();
                        let orders = self.allowed.clone();
                        let hello = FromHall::Hello {
                            hello,
                            version,
                            orders,
                            late: Some(self.late.clone()),
                        };
                        line.send(&hello).await?;
                    }
                    Todo::Send(batch) => line.send(&FromHall::Rows(batch)).await?,
                    Todo::Read(after) => {
                        let found = self.store.rows(&after).map_err(Broken::of)?;
                        inputs.push(Input::Read(after, found));
                    }
                    Todo::Renew => {
                        tracing::warn!(
                            "the hub has what this store has not: is it an older copy? It is sent \
                             as a store of its own, and the hub keeps the other one"
                        );
                        let renewed = self.journal.write([Act::Renew].into()).await;
                        renewed.map_err(Broken::of)?;
                        inputs.push(self.journal_now()?);
                    }
                }
            }
        }
        Ok(())
    }

    /// Hands an order on. Nothing here waits for it.
    fn give(&self, order: Order) {
        let answers = self.answers.0.clone();
        if let Err(refused) = self.orders.try_send(Given { order, answers }) {
            let Given { order, answers } = refused.into_inner();
            let error = "too many orders at once: nothing was done; give it again";
            let Reply { status, body } = Reply::refused(503, error);
            let order = order.id;
            let _nobody_waits = answers.send(FromHall::Answer {
                order,
                status,
                body,
            });
        }
    }

    fn journal_now(&self) -> Result<Input<Said>, Broken> {
        let head = self.store.head().map_err(Broken::of)?;
        let applied = self.publisher.applied().map_or(0, |at| at.seq);
        self.shown.send_modify(|shown| {
            // Together: what is written is not at the hub before that says so.
            shown.behind += head.at.seq.saturating_sub(shown.rows.max(applied));
            shown.rows = head.at.seq;
        });
        Ok(Input::Journal {
            epoch: head.at.epoch,
            earlier: head.earlier,
            head: head.at.seq,
        })
    }

    /// Waits before it calls again, and says meanwhile what the hub has not.
    async fn wait(&mut self, pause: Duration) {
        let mut commits = self.journal.commits();
        let end = tokio::time::Instant::now() + pause;
        loop {
            self.look_while_away();
            tokio::select! {
                () = sleep_until(end) => return,
                Ok(()) = commits.changed() => sleep(SOON).await,
            }
        }
    }

    fn look_while_away(&mut self) {
        if let Ok(journal) = self.journal_now() {
            let nothing = &mut Vec::new();
            self.publisher.handle::<Said>(self.now(), journal, nothing);
        }
        let behind = self.publisher.behind();
        metrics::gauge!("arbiter_hub_behind").set(behind as f64);
        self.shown.send_modify(|shown| shown.behind = behind);
        if behind > 0 {
            self.show_complete(self.complete_to);
        }
    }

    /// Says up to when the hub has everything: then, or before that, where it lacks what was
    /// written then by a clock that was set back since.
    fn show_complete(&mut self, time: Option<i64>) {
        let Some(applied) = self.publisher.applied() else {
            return;
        };
        let written = || self.store.written_by(applied.seq).ok().flatten();
        // What was said before holds, though something is on its way by now; not of a hub that has
        // less than it had.
        let before = self.complete_to.filter(|_| applied.seq >= self.complete_at);
        let Some(time) = time.or_else(|| written().max(before)) else {
            return;
        };
        let time = match self.publisher.behind() {
            0 => Some(time),
            _ => self.upto.earlier(&self.store, applied, time).ok(),
        };
        let shown = time.and_then(|time| Timestamp::from_millisecond(time).ok());
        if let Some(shown) = shown {
            (self.complete_to, self.complete_at) = (time, applied.seq);
            let text = Some(shown.to_string());
            self.shown.send_modify(|sent| sent.complete_to = text);
        }
    }

    fn show(&mut self) {
        let behind = self.publisher.behind();
        let is_silent = self.silent_since.is_some_and(|s| s.elapsed() > SILENCE);
        let has_all = behind == 0 && !is_silent;
        self.show_complete(has_all.then(|| Timestamp::now().as_millisecond()));
        let refused = self.publisher.refused().map(str::to_owned);
        let fault = refused.or_else(|| self.stuck.clone());
        let fault = fault.or_else(|| is_silent.then(|| SILENT.to_owned()));
        metrics::gauge!("arbiter_hub_behind").set(behind as f64);
        metrics::gauge!("arbiter_hub_connected").set(if is_silent { 0.0 } else { 1.0 });
        self.shown.send_modify(|shown| {
            shown.connected = !is_silent;
            shown.behind = behind;
            shown.fault = fault;
        });
    }

    fn show_broken(&self, broken: &Broken) {
        let refused = self.publisher.refused().map(str::to_owned);
        let fault = refused.unwrap_or_else(|| broken.to_string());
        metrics::gauge!("arbiter_hub_connected").set(0.0);
        let is_news = self.shown.borrow().fault.as_ref() != Some(&fault);
        if is_news {
            tracing::warn!(fault, "the hub is out of reach; the hall plays on");
        }
        self.shown.send_modify(|shown| {
            shown.connected = false;
            shown.fault = Some(fault);
        });
    }
}
