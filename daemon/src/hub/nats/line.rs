//! The hall's side.

use std::collections::VecDeque;
use std::error::Error;
use std::pin::{Pin, pin};

use async_nats::jetstream::context::{PublishAckFuture, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, HeaderMap, Subscriber};
use futures_util::StreamExt;
use replica::{Batch, Chain, Hello};

use super::super::carrier::{Broken, Carrier, Heard, Line};
use super::super::message::{FromHall, ToKeep};
use super::super::{Wishes, key};
use super::{Door, Events, HEADERS, LINE, Names, OLD_KEY, broken_by, causes, chance};
use crate::store::Said;

/// The name of no entry: whoever writes after it is told the name of the last.
const NOTHING: &str = "?";

/// A way to a hub over a NATS server.
pub(in crate::hub) struct Nats {
    door: Door,
    names: Names,
}

impl Nats {
    /// The way that a hall is told.
    pub(in crate::hub) fn new(wishes: &Wishes, key: String) -> Result<Nats, Broken> {
        if key::public(&key).is_none() {
            return Err(Broken(format!("{}: {OLD_KEY}", wishes.key.display())));
        }
        let names = Names::new(&wishes.name);
        let way = (&*wishes.address, wishes.authority.as_ref());
        let door = Door::new(way, key, names.of("inbox"))?;
        Ok(Nats { door, names })
    }
}

impl Carrier for Nats {
    type Line = Wire;

    async fn connect(&self) -> Result<Wire, Broken> {
        let (client, events) = self.door.open().await?;
        let line = chance().map_err(Broken::of)?;
        let words = client.subscribe(self.names.down(&line)).await;
        let calls = client.subscribe(self.names.of("call")).await;
        let mut log = jetstream::new(client.clone());
        log.set_timeout(super::PATIENCE);
        let mut wire = Wire {
            words: words.map_err(Broken::of)?,
            calls: calls.map_err(Broken::of)?,
            chain: Chain::new(&line, ""),
            names: self.names.clone(),
            flying: VecDeque::new(),
            first: None,
            hello: None,
            client,
            log,
            events,
            line,
        };
        wire.first = Some(wire.probe().await?);
        Ok(wire)
    }
}

/// What becomes of what was published.
type Fate =
    Pin<Box<dyn Future<Output = Result<PublishAck, jetstream::context::PublishError>> + Send>>;

/// An open connection.
pub(in crate::hub) struct Wire {
    client: Client,
    log: Context,
    names: Names,
    line: String,
    words: Subscriber,
    calls: Subscriber,
    events: Events,
    chain: Chain,
    flying: VecDeque<Fate>,
    /// Heard already.
    first: Option<Heard>,
    hello: Option<(Hello, String)>,
}

impl Wire {
    /// Asks for the name of the stream's last, by writing nothing after what is not there.
    async fn probe(&mut self) -> Result<Heard, Broken> {
        let asked = PublishMessage::build().expected_last_message_id(NOTHING);
        let mut fate = pin!(self.publish(asked).await?.into_future());
        // What may not be asked is not answered; that it may not is said beside.
        let fate = loop {
            tokio::select! {
                fate = &mut fate => break fate,
                event = self.events.recv() => {
                    broken_by(event).map_or(Ok(()), Err)?;
                }
            }
        };
        match self.fared(fate) {
            Heard::Stuck(why) => Err(Broken(why)),
            torn => Ok(torn),
        }
    }

    async fn publish(&self, message: PublishMessage) -> Result<PublishAckFuture, Broken> {
        let sent = self.log.send_publish(self.names.of("j"), message).await;
        sent.map_err(|error| Broken(causes(&error)))
    }

    /// What became of the first that was on its way.
    fn fared(&mut self, fate: Result<PublishAck, jetstream::context::PublishError>) -> Heard {
        let error = match fate {
            Ok(_) => {
                return match self.chain.taken() {
                    Some(at) => Heard::Kept(at),
                    None => Heard::Stuck("the NATS server keeps no order".to_owned()),
                };
            }
            Err(error) => error,
        };
        self.flying.clear();
        let refusal = error
            .source()
            .and_then(|e| e.downcast_ref::<jetstream::Error>());
        if let Some(refusal) = refusal
            && refusal.error_code() == ErrorCode::STREAM_WRONG_LAST_MESSAGE_ID
        {
            return Heard::Torn(self.chain.torn(named(&refusal.to_string())));
        }
        self.chain.stuck();
        Heard::Stuck(match (error.kind(), refusal) {
            (PublishErrorKind::StreamNotFound, _) => {
                "the NATS server has no stream for this hall; the hub makes it when it runs".into()
            }
            (PublishErrorKind::TimedOut, _) => "the NATS server does not answer".to_owned(),
            (_, Some(refusal)) => format!("the NATS server keeps no more of this hall: {refusal}"),
            _ => format!("the NATS server: {}", causes(&error)),
        })
    }

    async fn keep(&mut self, batch: &Batch<Said>) -> Result<(), Broken> {
        let Some((hello, version)) = &self.hello else {
            return Err(Broken("the hall has not introduced itself".to_owned()));
        };
        let entry = ToKeep {
            hello,
            version,
            rows: batch,
        };
        let payload = self.payload(&entry)?;
        let link = self.chain.link(batch);
        let mut message = PublishMessage::build()
            .payload(payload.into())
            .message_id(&link.name);
        if let Some(after) = &link.after {
            message = message.expected_last_message_id(after);
        }
        let fate = self.publish(message).await?;
        self.flying.push_back(fate.into_future());
        Ok(())
    }

    fn payload(&self, what: &impl serde::Serialize) -> Result<Vec<u8>, Broken> {
        let payload = serde_json::to_vec(what).map_err(Broken::of)?;
        let most = self.client.server_info().max_payload;
        if payload.len() + HEADERS > most {
            return Err(Broken(format!(
                "{} bytes are too many for the NATS server: `max_payload` of its configuration is \
                 {most}",
                payload.len()
            )));
        }
        Ok(payload)
    }
}

/// The name that a refusal tells: its last word.
fn named(refusal: &str) -> &str {
    let (_, after) = refusal.rsplit_once("ID: ").unwrap_or_default();
    after.split([' ', ',', ')']).next().unwrap_or_default()
}

impl Line for Wire {
    async fn send(&mut self, words: &FromHall) -> Result<(), Broken> {
        match words {
            FromHall::Rows(batch) => return self.keep(batch).await,
            FromHall::Hello { hello, version, .. } => {
                self.hello = Some((hello.clone(), version.clone()));
            }
            _ => {}
        }
        let payload = self.payload(words)?;
        let mut headers = HeaderMap::new();
        headers.insert(LINE, self.line.as_str());
        let up = self.names.of("up");
        let sent = self
            .client
            .publish_with_headers(up, headers, payload.into());
        sent.await.map_err(Broken::of)
    }

    async fn receive(&mut self) -> Result<Heard, Broken> {
        if let Some(first) = self.first.take() {
            return Ok(first);
        }
        let over = || Broken("the NATS server has hung up".to_owned());
        loop {
            tokio::select! {
                word = self.words.next() => {
                    let word = word.ok_or_else(over)?;
                    match word.reply {
                        // It is asked whether this line is still there.
                        Some(reply) if word.payload.is_empty() => {
                            let told = self.client.publish(reply, Vec::new().into());
                            told.await.map_err(Broken::of)?;
                        }
                        _ => {
                            let word = serde_json::from_slice(&word.payload);
                            return word.map(Heard::Hub).map_err(Broken::of);
                        }
                    }
                }
                called = self.calls.next() => return called.map(|_| Heard::Called).ok_or_else(over),
                event = self.events.recv() => {
                    if let Some(broken) = broken_by(event) {
                        return Err(broken);
                    }
                }
                Some(fate) = first(&mut self.flying) => {
                    self.flying.pop_front();
                    return Ok(self.fared(fate));
                }
            }
        }
    }
}

/// What became of the first; `None` where nothing is on its way.
async fn first<T>(flying: &mut VecDeque<Pin<Box<dyn Future<Output = T> + Send>>>) -> Option<T> {
    Some(flying.front_mut()?.await)
}

#[cfg(test)]
mod tests {
    use super::{Nats, Wishes, named};

    #[test]
    fn a_key_of_before_there_was_nats_is_named_by_its_file() {
        let wishes = Wishes {
            name: "main".to_owned(),
            address: "nats://127.0.0.1:4222".to_owned(),
            key: "/etc/arbiter/hub.key".into(),
            authority: None,
            orders: Vec::new(),
        };
        let error = Nats::new(&wishes, "00".repeat(32)).err().unwrap();
        let said = "/etc/arbiter/hub.key: is no key for NATS: `arbiterd hub key FILE` makes one";
        assert_eq!(error.to_string(), said);
        let key = super::key::make().unwrap();
        assert!(Nats::new(&wishes, key).is_ok());
    }

    #[test]
    fn a_refusal_names_the_last() {
        for (said, name) in [
            (
                "wrong last msg ID: e/5/-3/ab-1 (code 400, error code 10070)",
                "e/5/-3/ab-1",
            ),
            ("wrong last msg ID: e/5/-3/ab-1", "e/5/-3/ab-1"),
            ("wrong last msg ID:  (code 400, error code 10070)", ""),
            ("something else", ""),
        ] {
            assert_eq!(named(said), name, "{said}");
        }
    }
}
