//! The hub's side: reads what the server has kept of each hall, and talks with those that are
//! there.

use std::io;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::stream::{
    self, DiscardPolicy, RawMessageErrorKind, RetentionPolicy, StorageType, Stream,
};
use async_nats::jetstream::{self, Context, Message as Entry};
use async_nats::{Client, HeaderMap, Message, RequestErrorKind, Subscriber};
use futures_util::StreamExt;
use replica::{Place, Why, Word, line_of, place_of};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::super::carrier::Broken;
use super::super::halls::{Guest, Halls, Reader, Unwelcome};
use super::super::key;
use super::super::message::{FromHall, Kept, ToHall};
use super::{Door, LINE, Names, OLD_KEY, Rules, broken_by, causes};

/// Below it come the server's answers to the hub.
pub(super) const INBOX: &str = "arb-hub.inbox";
/// How long the hub waits before it tries again.
const PAUSE: Duration = Duration::from_secs(1);
/// A hall that says nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(20);
/// How long a line may take to say that it is there.
const THERE: Duration = Duration::from_secs(2);
/// How often it is looked who is gone, and what the server need not keep.
const LOOK: Duration = Duration::from_secs(2);
/// Entries that are read ahead of what is on the disk.
const AHEAD: usize = 16;
/// How often the server says that it still reads for the hub, where there is nothing to read. The
/// reading is on one server of a cluster: where that one is gone or was cut off, nothing else
/// tells, and it is begun anew after twice this.
const BEAT: Duration = Duration::from_secs(5);

/// Reads from the server and talks over it, in a task of its own, until the shutdown. Where the
/// server is away, or of another authority, it tries again.
///
/// # Errors
/// Where the key cannot be used.
pub fn start(halls: &Halls, rules: &Rules, shutdown: &CancellationToken) -> io::Result<()> {
    let key = key::read(&rules.key)?;
    if key::public(&key).is_none() {
        return Err(io::Error::other(format!(
            "{}: {OLD_KEY}",
            rules.key.display()
        )));
    }
    tokio::spawn(serve(halls.clone(), rules.clone(), key, shutdown.clone()));
    Ok(())
}

async fn serve(halls: Halls, rules: Rules, key: String, shutdown: CancellationToken) {
    let mut said = String::new();
    loop {
        let run = run(&halls, &rules, &key);
        let Some(broken) = shutdown.run_until_cancelled(run).await else {
            return;
        };
        let broken = broken.to_string();
        if said != broken {
            tracing::warn!(fault = broken, "no hall comes over NATS at the moment");
        }
        said = broken;
        if shutdown.run_until_cancelled(sleep(PAUSE)).await.is_none() {
            return;
        }
    }
}

async fn run(halls: &Halls, rules: &Rules, key: &str) -> Broken {
    match follow(halls, rules, key).await {
        Ok(never) => match never {},
        Err(broken) => broken,
    }
}

async fn follow(
    halls: &Halls,
    rules: &Rules,
    key: &str,
) -> Result<std::convert::Infallible, Broken> {
    let way = (&*rules.address, rules.authority.as_ref());
    let door = Door::new(way, key.to_owned(), INBOX.to_owned())?;
    let (client, mut events) = door.open().await?;
    let (mut rooms, over) = (JoinSet::new(), CancellationToken::new());
    for (name, reader) in halls.readers() {
        let (server, halls) = ((client.clone(), rules.clone()), halls.clone());
        rooms.spawn(attend(
            server,
            halls,
            (name.to_owned(), reader),
            over.clone(),
        ));
    }
    tracing::info!(address = rules.address, "halls may come over NATS");
    let broken = loop {
        tokio::select! {
            event = events.recv() => {
                if let Some(broken) = broken_by(event) {
                    break broken;
                }
            }
        }
    };
    // Every hall is seen to have gone.
    over.cancel();
    while rooms.join_next().await.is_some() {}
    Err(broken)
}

/// Serves a hall until there is no line to the server. What goes wrong with one hall is tried again
/// and holds up no other.
async fn attend(
    (client, rules): (Client, Rules),
    halls: Halls,
    (name, reader): (String, Reader),
    over: CancellationToken,
) {
    let mut said = String::new();
    loop {
        let seat = (&*name, reader.clone());
        let opened = Room::open((&client, &rules), halls.clone(), seat);
        let broken = match over.run_until_cancelled(opened).await {
            None => return,
            Some(Ok(room)) => room.serve(over.clone()).await,
            Some(Err(broken)) => broken,
        };
        let broken = broken.to_string();
        if said != broken && !over.is_cancelled() {
            tracing::warn!(
                hall = name,
                fault = broken,
                "it does not come over NATS at the moment"
            );
        }
        said = broken;
        if over.run_until_cancelled(sleep(PAUSE)).await.is_none() {
            return;
        }
    }
}

/// The stream of a hall.
async fn stream_of(log: &Context, names: &Names, rules: &Rules) -> Result<Stream, Broken> {
    let wanted = stream::Config {
        name: names.stream(),
        subjects: vec![names.of("j")],
        retention: RetentionPolicy::Limits,
        storage: StorageType::File,
        // What is full must stop the hall, which has everything, and not eat what the hub lacks.
        discard: DiscardPolicy::New,
        max_age: rules.age,
        max_bytes: rules.bytes,
        num_replicas: rules.replicas,
        ..stream::Config::default()
    };
    let stream = log.get_or_create_stream(wanted.clone()).await;
    let stream = stream.map_err(|error| Broken(causes(&error)))?;
    let is = &stream.cached_info().config;
    let differs = is.subjects != wanted.subjects
        || (is.max_age, is.max_bytes) != (wanted.max_age, wanted.max_bytes)
        || (is.discard, is.num_replicas) != (wanted.discard, wanted.num_replicas);
    if differs {
        let changed = log.update_stream(&wanted).await;
        changed.map_err(|error| Broken(causes(&error)))?;
    }
    Ok(stream)
}

/// What follows in a stream on what the hub has, as far as can be told: where it is wrong, the hub
/// says what it lacks, and the hall sends it.
async fn following(stream: &Stream, at: Option<&Place>) -> Result<u64, Broken> {
    let state = stream.get_info().await.map_err(Broken::of)?.state;
    let mut range = (state.first_sequence.max(1), state.last_sequence + 1);
    let Some(at) = at else { return Ok(range.0) };
    while range.0 < range.1 {
        let middle = range.0 + (range.1 - range.0) / 2;
        match is_after(stream, middle, at).await? {
            true => range.1 = middle,
            false => range.0 = middle + 1,
        }
    }
    Ok(range.0)
}

async fn is_after(stream: &Stream, sequence: u64, at: &Place) -> Result<bool, Broken> {
    let entry = match stream.get_raw_message(sequence).await {
        Ok(entry) => entry,
        Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(false),
        Err(error) => return Err(Broken(causes(&error))),
    };
    let name = entry.headers.get(async_nats::header::NATS_MESSAGE_ID);
    Ok(match name.and_then(|name| place_of(name.as_str())) {
        Some(end) if end.epoch == at.epoch => end.seq > at.seq,
        // Of a journal that was once called like the mirror's.
        _ => serde_json::from_slice::<Kept>(&entry.payload).is_ok_and(|kept| {
            let mut earlier = kept.hello.earlier.iter();
            earlier.any(|name| name.epoch == at.epoch)
        }),
    })
}

/// Whether an entry was written over this line.
fn is_of(headers: Option<&HeaderMap>, line: &str) -> bool {
    let name = headers.and_then(|headers| headers.get(async_nats::header::NATS_MESSAGE_ID));
    name.and_then(|name| line_of(name.as_str())) == Some(line)
}

/// How long nothing may be read though there is more to read. A server of a cluster that was cut
/// off may go on to read for the hub what it has itself, and not know for minutes what the others
/// have by then: what comes next is asked of the one that leads.
const STALE: Duration = Duration::from_secs(10);

/// A hall, as it is seen here.
struct Room {
    halls: Halls,
    reader: Reader,
    client: Client,
    names: Names,
    stream: Stream,
    entries: pull::Stream,
    ups: Subscriber,
    /// Bytes after which what the hub has is taken out of the stream.
    enough: u64,
    /// The last entry that was read, and the last that the hub then had.
    read: u64,
    held: u64,
    /// Since when there is more to read and nothing comes.
    waits: Option<Instant>,
    /// The journal before which nothing is left in the stream.
    cleaned: String,
    guest: Option<Talk>,
    answers: (UnboundedSender<ToHall>, UnboundedReceiver<ToHall>),
}

/// A hall on the line.
struct Talk {
    line: String,
    guest: Guest,
    heard: Instant,
    head: u64,
}

impl Room {
    async fn open(
        (client, rules): (&Client, &Rules),
        halls: Halls,
        (name, reader): (&str, Reader),
    ) -> Result<Room, Broken> {
        let failed = |error: &dyn std::error::Error| Broken(causes(error));
        let names = Names::new(name);
        let log = jetstream::new(client.clone());
        let stream = stream_of(&log, &names, rules).await?;
        let at = reader.at().await;
        let at = at.map_err(|_| Broken("the program is ending".to_owned()))?;
        let start_sequence = following(&stream, at.as_ref()).await?;
        let reading = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence },
            // Where to go on is in the mirror, and nowhere else.
            ack_policy: AckPolicy::None,
            inactive_threshold: Duration::from_secs(60),
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        let reading = stream.create_consumer(reading).await;
        let reading = reading.map_err(|e| failed(&e))?;
        let entries = reading.stream().max_messages_per_batch(AHEAD);
        let entries = entries.heartbeat(BEAT).messages();
        let entries = entries.await.map_err(|e| failed(&e))?;
        let ups = client.subscribe(names.of("up")).await.map_err(Broken::of)?;
        let called = client.publish(names.of("call"), Vec::new().into()).await;
        called.map_err(Broken::of)?;
        Ok(Room {
            halls,
            reader,
            client: client.clone(),
            names,
            stream,
            entries,
            ups,
            enough: u64::try_from(rules.bytes).unwrap_or(u64::MAX) / 2,
            read: start_sequence - 1,
            held: 0,
            waits: None,
            cleaned: String::new(),
            guest: None,
            answers: mpsc::unbounded_channel(),
        })
    }

    /// Serves until something is wrong, here or elsewhere.
    async fn serve(mut self, over: CancellationToken) -> Broken {
        let broken = match over.run_until_cancelled(self.talk()).await {
            None => Broken("the NATS server has hung up".to_owned()),
            Some(Err(broken)) => broken,
            Some(Ok(never)) => match never {},
        };
        if let Some(talk) = self.guest.take() {
            talk.guest.leaves().await;
        }
        broken
    }

    async fn talk(&mut self) -> Result<std::convert::Infallible, Broken> {
        let over = || Broken("the NATS server has hung up".to_owned());
        let mut look = interval(LOOK);
        loop {
            tokio::select! {
                entry = self.entries.next() => {
                    let entry = entry.ok_or_else(over)?;
                    self.take(&entry.map_err(|error| Broken(causes(&error)))?).await?;
                }
                up = self.ups.next() => self.hear(&up.ok_or_else(over)?).await?,
                Some(answer) = self.answers.1.recv() => self.answer(answer).await?,
                _ = look.tick() => self.look().await?,
            }
        }
    }

    /// Takes what the server has kept.
    async fn take(&mut self, entry: &Entry) -> Result<(), Broken> {
        let about = entry.info().map_err(Broken::of)?;
        let headers = entry.headers.as_ref();
        self.take_kept((about.stream_sequence, headers), &entry.payload)
            .await
    }

    /// Asks for what is kept and does not come by itself; whether it has come then.
    async fn ask_for_kept(&mut self, last: u64) -> Result<bool, Broken> {
        for sequence in self.read + 1..=last {
            match self.stream.get_raw_message(sequence).await {
                Ok(entry) => {
                    self.take_kept((sequence, Some(&entry.headers)), &entry.payload)
                        .await?;
                }
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => {
                    self.read = sequence;
                }
                // None leads, or it waits behind something long on a narrow line.
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    async fn take_kept(
        &mut self,
        (sequence, headers): (u64, Option<&HeaderMap>),
        payload: &[u8],
    ) -> Result<(), Broken> {
        (self.read, self.waits) = (sequence, None);
        // Who sends rows is there, and is not asked: on a narrow line that would wait behind them.
        if let Some(talk) = &mut self.guest
            && is_of(headers, &talk.line)
        {
            talk.heard = Instant::now();
        }
        let kept: Kept = match serde_json::from_slice(payload) {
            Ok(kept) => kept,
            Err(error) => {
                let hall = &self.names.hall;
                tracing::warn!(hall, %error, "kept is what this version does not know");
                return Ok(());
            }
        };
        let erased = kept
            .hello
            .earlier
            .iter()
            .any(|name| name.why == Why::Erased);
        let epoch = kept.hello.epoch.clone();
        let word = self.reader.take(kept).await;
        let word = word.map_err(|_| Broken("the program is ending".to_owned()))?;
        if let Some(Word::Applied(at)) = &word
            && at.epoch == epoch
        {
            self.held = self.read;
            if erased && self.cleaned != epoch {
                self.forget(self.read).await?;
                self.cleaned = epoch;
            }
        }
        match word {
            Some(word) => self.tell(&ToHall::Word(word)).await,
            None => Ok(()),
        }
    }

    /// Has everything before this entry taken out of the stream.
    async fn forget(&self, before: u64) -> Result<(), Broken> {
        let forgotten = self.stream.purge().sequence(before).await;
        forgotten.map_err(|error| Broken(causes(&error)))?;
        Ok(())
    }

    async fn look(&mut self) -> Result<(), Broken> {
        if let Some(talk) = self.guest.take() {
            let silent = talk.heard.elapsed();
            // A program that has ended is told from a line that is slow.
            let is_gone = match silent > LOOK {
                true => self
                    .is_there(&talk.line)
                    .await
                    .map_or(silent > SILENCE, |there| !there),
                false => false,
            };
            match is_gone {
                true => talk.guest.leaves().await,
                false => self.guest = Some(talk),
            }
        }
        let info = self.stream.get_info().await.map_err(Broken::of)?;
        let last = info.state.last_sequence;
        // A server that led, and was cut off, may have given what no other ever had: where it has
        // that no more, what is written in its place would not be read.
        if last < self.read {
            let what = "the NATS servers have lost the end of what one kept: it is read anew";
            return Err(Broken(what.to_owned()));
        }
        let waits = self.waits.take().filter(|_| last > self.read);
        self.waits = (last > self.read).then(|| waits.unwrap_or_else(Instant::now));
        let is_stale = self.waits.is_some_and(|since| since.elapsed() > STALE);
        if is_stale && self.ask_for_kept(last).await? {
            let what = "what the NATS server keeps does not come by itself: it is read anew";
            return Err(Broken(what.to_owned()));
        }
        if info.state.bytes > self.enough && self.held > info.state.first_sequence {
            self.forget(self.held).await?;
        }
        Ok(())
    }

    /// Hears what a hall says by itself.
    async fn hear(&mut self, up: &Message) -> Result<(), Broken> {
        let line = up.headers.as_ref().and_then(|headers| headers.get(LINE));
        // It becomes part of a subject: a hall cannot name what is none.
        let is_name = |line: &str| {
            (1..=64).contains(&line.len()) && line.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        let line = line.map(|line| line.as_str().to_owned());
        let Some(line) = line.filter(|line| is_name(line)) else {
            return Ok(());
        };
        let words: FromHall = match serde_json::from_slice(&up.payload) {
            Ok(words) => words,
            Err(error) => {
                let hall = &self.names.hall;
                tracing::warn!(hall, %error, "a hall says what this version does not know");
                return Ok(());
            }
        };
        if let Err(unwelcome) = self.admit(&line).await {
            return match words {
                FromHall::Hello { hello, .. } => {
                    let (epoch, why) = (hello.epoch, unwelcome.to_string());
                    self.tell_line(&line, &ToHall::Word(Word::Refused { epoch, why }))
                        .await
                }
                _ => Ok(()),
            };
        }
        let Some(talk) = &mut self.guest else {
            return Ok(());
        };
        talk.heard = Instant::now();
        if let FromHall::Hello { hello, .. } = &words {
            talk.head = hello.head;
        }
        match talk.guest.says(words, &self.answers.0).await {
            true => Ok(()),
            false => Err(Broken("the program is ending".to_owned())),
        }
    }

    /// Lets a line in, where the hall has no other.
    async fn admit(&mut self, line: &str) -> Result<(), Unwelcome> {
        if self.guest.as_ref().is_some_and(|talk| talk.line == line) {
            return Ok(());
        }
        if let Some(talk) = self.guest.take() {
            if self.is_there(&talk.line).await == Some(true) {
                self.guest = Some(talk);
                return Err(Unwelcome::Twice);
            }
            talk.guest.leaves().await;
        }
        self.guest = Some(Talk {
            line: line.to_owned(),
            guest: self.halls.guest_named(&self.names.hall)?,
            heard: Instant::now(),
            head: 0,
        });
        Ok(())
    }

    /// Whether somebody listens there; `None`: he does not answer.
    async fn is_there(&self, line: &str) -> Option<bool> {
        let asked = self
            .client
            .request(self.names.down(line), Vec::new().into());
        match timeout(THERE, asked).await.ok()? {
            Ok(_) => Some(true),
            Err(error) => (error.kind() == RequestErrorKind::NoResponders).then_some(false),
        }
    }

    /// Tells the hall what its words come to.
    async fn answer(&mut self, answer: ToHall) -> Result<(), Broken> {
        self.tell(&answer).await?;
        let ToHall::Word(Word::Welcome(at)) = answer else {
            return Ok(());
        };
        // What the hall has written and the hub has not is in the stream, or must be sent again.
        let head = self.guest.as_ref().map_or(0, |talk| talk.head);
        let state = self.stream.get_info().await.map_err(Broken::of)?.state;
        match at.seq < head && state.last_sequence <= self.read {
            true => self.tell(&ToHall::Word(Word::Resend(at))).await,
            false => Ok(()),
        }
    }

    async fn tell(&self, answer: &ToHall) -> Result<(), Broken> {
        match &self.guest {
            Some(talk) => self.tell_line(&talk.line, answer).await,
            None => Ok(()),
        }
    }

    async fn tell_line(&self, line: &str, answer: &ToHall) -> Result<(), Broken> {
        let text = serde_json::to_vec(answer).map_err(Broken::of)?;
        let told = self.client.publish(self.names.down(line), text.into());
        told.await.map_err(Broken::of)
    }
}
