//! The trials, each a short talk.

mod bench;

use std::time::Duration;

use board_wire::frame::Damage;
use board_wire::{
    Capabilities, Evidence, FromBoard, Heartbeat, Hello, Layout, Sensor, ToBoard, What, Writer,
    encode,
};
use tokio::time::{Instant, sleep};

use super::Outcome::{self, Failed, Passed, Untried};
use crate::talk::{Heard, Talk};

/// A board answers within this time.
const ANSWER: Duration = Duration::from_secs(1);
/// A host asks again after this time, and gives up after the other one.
const AGAIN: Duration = Duration::from_millis(150);
const GIVE_UP: Duration = Duration::from_secs(3);
/// What does not come within this time does not come.
const NOTHING: Duration = Duration::from_millis(400);
/// Between two signs of life, with some patience.
const HEARTBEAT: Duration = Duration::from_millis(1_500);
/// So often something is tried while pieces are moved.
const ATTEMPTS: usize = 4;
/// How much later or earlier than it should something may come.
const TOLERANCE: Duration = Duration::from_millis(150);
/// Evidence that a board has to keep, in bytes as it was sent, and a snapshot's frame.
const KEPT: usize = 2_048;
const SNAPSHOT: usize = 81;

/// A kind that no version has.
struct Unknown;

impl Layout for Unknown {
    fn write(&self, body: &mut Writer) {
        body.bytes(&[0xfe, 1, 2, 3]);
    }

    fn read(_: &[u8]) -> Result<Unknown, Damage> {
        Err(Damage::UnknownKind(0xfe))
    }
}

/// The board that is tried, and what it has said of itself.
pub(super) struct Trials {
    talk: Talk,
    nonce: u32,
    hello: Option<(Instant, Hello)>,
}

impl Trials {
    pub(super) fn new(talk: Talk) -> Trials {
        // Another one each time: what lies in the line answers somebody else.
        let nonce = std::process::id().wrapping_mul(0x9e37_79b9) | 1;
        Trials {
            talk,
            nonce,
            hello: None,
        }
    }

    /// Whether there is no use in going on.
    pub(super) fn is_over(&self) -> bool {
        self.talk.ended.is_some()
    }

    pub(super) async fn silence(&mut self) -> Outcome {
        let heard = self.talk.hear_all(NOTHING * 2).await;
        match heard.first() {
            None => Passed("nothing was heard".to_owned()),
            Some(_) => Untried(format!(
                "{} messages came unasked: start the board anew, with nobody speaking to it, and \
                 try again; if they come then, it must wait for the host's first byte",
                heard.len()
            )),
        }
    }

    pub(super) async fn hello(&mut self) -> Outcome {
        let outcome = self.introduce().await;
        if self.hello.is_none() {
            self.talk.ended = Some("the board does not say what it is".to_owned());
        }
        outcome
    }

    async fn introduce(&mut self) -> Outcome {
        self.talk.write(&[0]).await;
        let (nonce, until) = (self.next_nonce(), Instant::now() + GIVE_UP);
        let mut other = None;
        while Instant::now() < until {
            self.talk
                .say(ToBoard::RequestHello { nonce: Some(nonce) })
                .await;
            let said = |heard: &Heard| match heard.message {
                FromBoard::Hello(hello) => Some(Ok((heard.at, hello))),
                FromBoard::OtherVersion(version) => Some(Err(version)),
                _ => None,
            };
            match self.talk.hear(AGAIN, said).await {
                Some(Ok((at, hello))) if hello.nonce == Some(nonce) => {
                    self.hello = Some((at, hello));
                    return Passed(describe(&hello));
                }
                Some(Ok((_, hello))) => {
                    other = Some(match hello.nonce {
                        None => "it speaks version 1 of the protocol".to_owned(),
                        Some(told) => {
                            format!("its hello repeats {told:08x} where {nonce:08x} was asked")
                        }
                    });
                }
                Some(Err(version)) => other = Some(format!("it speaks version {version}")),
                None => {}
            }
        }
        Failed(other.unwrap_or_else(|| format!("no hello came within {} s", GIVE_UP.as_secs())))
    }

    pub(super) async fn last_question(&mut self) -> Outcome {
        let (first, last) = (self.next_nonce(), self.next_nonce());
        let ask = |nonce| encode(&ToBoard::RequestHello { nonce: Some(nonce) });
        let both = [ask(first).as_bytes(), ask(last).as_bytes()].concat();
        self.talk.forget();
        self.talk.write(&both).await;
        match self.await_hello(last).await {
            Some(hello) => self.is_later(&hello),
            None => Failed(format!(
                "no hello repeated the second of two questions within {} s",
                ANSWER.as_secs()
            )),
        }
    }

    /// Whether a hello goes on from the first one.
    fn is_later(&self, hello: &Hello) -> Outcome {
        let Some((_, first)) = self.hello else {
            return Untried("there was no first hello".to_owned());
        };
        let same = (hello.boot, hello.sensor, hello.capabilities, hello.serial)
            == (first.boot, first.sensor, first.capabilities, first.serial);
        let on = hello.ms.wrapping_sub(first.ms) < u32::MAX / 2;
        match (same, on) {
            (true, true) => Passed("the second of two was answered".to_owned()),
            (false, _) => Failed("it says something else of itself than before".to_owned()),
            (_, false) => Failed(format!(
                "its clock went back from {} to {} ms",
                first.ms, hello.ms
            )),
        }
    }

    pub(super) async fn snapshot(&mut self) -> Outcome {
        let Some((_, hello)) = self.hello else {
            return Untried("there was no hello".to_owned());
        };
        let Some((_, given)) = self.ask_snapshot().await else {
            return Failed(format!("none came within {} s", ANSWER.as_secs()));
        };
        let What::Snapshot(symbols) = &given.what else {
            return Failed("it is none".to_owned());
        };
        let foreign = symbols.iter().find(|s| !is_of(hello.sensor, s.byte()));
        let old = given.seq.wrapping_sub(hello.next) > u32::MAX / 2;
        match foreign {
            Some(symbol) => Failed(format!(
                "a board of its sensors cannot read `{}`",
                char::from(symbol.byte())
            )),
            None if given.boot != hello.boot => Failed("it is of another run".to_owned()),
            None if old => Failed(format!(
                "it has the number {}, and {} was to be the next",
                given.seq, hello.next
            )),
            None => Passed(format!("number {}", given.seq)),
        }
    }

    pub(super) async fn heartbeats(&mut self) -> Outcome {
        for _ in 0..ATTEMPTS {
            let Some((given_at, given)) = self.ask_snapshot().await else {
                return Failed("there was no evidence to follow".to_owned());
            };
            if let Some(outcome) = self.heartbeats_after(given_at, given.seq).await {
                return outcome;
            }
        }
        Untried("pieces are moved meanwhile".to_owned())
    }

    /// Whether three heartbeats follow evidence in time; `None` when more evidence came meanwhile.
    async fn heartbeats_after(&mut self, given_at: Instant, given: u32) -> Option<Outcome> {
        let (mut last, mut seen) = (given_at, Vec::new());
        for due in [100, 400, 1_000].map(Duration::from_millis) {
            let next = |heard: &Heard| match &heard.message {
                FromBoard::Heartbeat(beat) => Some(Some((heard.at, *beat))),
                FromBoard::Evidence(_) => Some(None),
                _ => None,
            };
            let Some(heard) = self.talk.hear(HEARTBEAT, next).await else {
                let text = format!("none came within {} ms", HEARTBEAT.as_millis());
                return Some(Failed(text));
            };
            let (at, beat) = heard?;
            let after = at.duration_since(last);
            seen.push(after.as_millis().to_string());
            if after > due + TOLERANCE || after + TOLERANCE < due {
                return Some(Failed(format!(
                    "one came {} ms after what was before it, and was due after {} ms",
                    after.as_millis(),
                    due.as_millis()
                )));
            }
            if beat.next != given.wrapping_add(1) {
                return Some(Failed(format!(
                    "it says that {} comes next, after evidence {given}",
                    beat.next
                )));
            }
            last = at;
        }
        Some(Passed(format!("after {} ms", seen.join(", "))))
    }

    pub(super) async fn damage(&mut self) -> Outcome {
        let Some((_, before)) = self.heartbeat().await else {
            return Untried("no heartbeat counts it".to_owned());
        };
        let mut wrong = encode(&ToBoard::RequestSnapshot).as_bytes().to_vec();
        wrong[1] ^= 0x11;
        let mut long = vec![0x55; 300];
        long.push(0);
        self.talk.write(&wrong).await;
        self.talk.write(&long).await;
        let nonce = self.next_nonce();
        self.talk
            .say(ToBoard::RequestHello { nonce: Some(nonce) })
            .await;
        let mut taken = false;
        let answered = |heard: &Heard| {
            taken |= matches!(heard.message, FromBoard::Evidence(_));
            matches!(&heard.message, FromBoard::Hello(h) if h.nonce == Some(nonce)).then_some(())
        };
        if self.talk.hear(ANSWER, answered).await.is_none() {
            return Failed("it says nothing after damaged bytes".to_owned());
        }
        let Some((_, after)) = self.heartbeat().await else {
            return Failed("no heartbeat came after damaged bytes".to_owned());
        };
        match after.damaged.wrapping_sub(before.damaged) {
            _ if taken => Failed("it did what a damaged frame may have asked for".to_owned()),
            2 => Passed("two damaged frames were counted".to_owned()),
            counted => Failed(format!("it counts {counted} damaged frames of two")),
        }
    }

    pub(super) async fn unknown_kind(&mut self) -> Outcome {
        let Some((_, before)) = self.heartbeat().await else {
            return Untried("no heartbeat came".to_owned());
        };
        self.talk.write(encode(&Unknown).as_bytes()).await;
        let nonce = self.next_nonce();
        self.talk
            .say(ToBoard::RequestHello { nonce: Some(nonce) })
            .await;
        if self.await_hello(nonce).await.is_none() {
            return Failed("it says nothing after a message of a later version".to_owned());
        }
        match self.heartbeat().await {
            Some((_, after)) if after.damaged == before.damaged => {
                Passed("it was not taken for damage".to_owned())
            }
            Some(_) => Failed("it counts the frame as damaged, and it is whole".to_owned()),
            None => Failed("no heartbeat came".to_owned()),
        }
    }

    pub(super) async fn repetition(&mut self) -> Outcome {
        let mut given = Vec::new();
        for _ in 0..3 {
            match self.ask_snapshot().await {
                Some((_, evidence)) => given.push(evidence),
                None => return Untried("no snapshots came".to_owned()),
            }
        }
        let again = self.resend(given[0].seq).await;
        let sent: Vec<&Evidence> = again.iter().filter_map(evidence).collect();
        let same = sent.len() >= given.len() && given.iter().zip(&sent).all(|(a, b)| a == *b);
        match same {
            true => Passed(format!("{} pieces of evidence", sent.len())),
            false => Failed(format!(
                "of evidence {} to {} came {}",
                given[0].seq,
                given[2].seq,
                numbers(&sent)
            )),
        }
    }

    pub(super) async fn memory(&mut self) -> Outcome {
        let count = KEPT.div_ceil(SNAPSHOT);
        let mut first = None;
        for _ in 0..count {
            let Some((_, evidence)) = self.ask_snapshot().await else {
                return Untried("no snapshots came".to_owned());
            };
            first.get_or_insert(evidence.seq);
        }
        let first = first.unwrap_or_default();
        let again = self.resend(first).await;
        let gone = again.iter().find_map(|heard| match heard.message {
            FromBoard::Gone { oldest, .. } => Some(oldest),
            _ => None,
        });
        let sent: Vec<&Evidence> = again.iter().filter_map(evidence).collect();
        let from = gone.unwrap_or(first);
        let whole = (0..).zip(&sent).all(|(n, e)| e.seq == from.wrapping_add(n));
        let lost = gone.map_or(0, |oldest| oldest.wrapping_sub(first));
        match (whole && !sent.is_empty(), lost) {
            (false, _) => Failed(format!("from {from} on came {}", numbers(&sent))),
            (_, 0) => Passed(format!("{} pieces of evidence", sent.len())),
            (_, lost) => Failed(format!(
                "{lost} of the last {count} snapshots are gone, {} bytes as they were sent",
                lost as usize * SNAPSHOT
            )),
        }
    }

    pub(super) async fn the_future(&mut self) -> Outcome {
        let Some((_, beat)) = self.heartbeat().await else {
            return Untried("no heartbeat says what comes next".to_owned());
        };
        for from in [beat.next, beat.next.wrapping_add(1_000)] {
            let sent = self.resend(from).await;
            let old = |heard: &&Heard| is_before(&heard.message, beat.next);
            if let Some(heard) = sent.iter().find(old) {
                return Failed(format!(
                    "asked for {from} on, {} being the next, it sends {:?}",
                    beat.next, heard.message
                ));
            }
        }
        Passed("nothing came".to_owned())
    }

    pub(super) async fn acknowledgement(&mut self) -> Outcome {
        let (Some((_, hello)), Some((_, beat))) = (self.hello, self.heartbeat().await) else {
            return Untried("no heartbeat came".to_owned());
        };
        let strange = hello.boot.wrapping_add(1);
        let acks = [
            (strange, beat.next.wrapping_add(99)),
            (hello.boot, beat.next),
        ];
        for (boot, next) in acks {
            self.talk.say(ToBoard::Ack { boot, next }).await;
        }
        match self.ask_snapshot().await {
            Some((_, evidence)) if evidence.seq == beat.next => {
                Passed("it goes on as before".to_owned())
            }
            Some((_, evidence)) => Failed(format!(
                "it went on with evidence {} where {} was next",
                evidence.seq, beat.next
            )),
            None => Failed("it said nothing more".to_owned()),
        }
    }

    pub(super) async fn lamps(&mut self) -> Outcome {
        let has = self.has(Capabilities::LAMPS);
        let wanted = if has { 1 << 12 | 1 << 28 } else { 0 };
        self.talk.say(ToBoard::SetLamps(1 << 12 | 1 << 28)).await;
        let lit = self.lit(wanted).await;
        self.talk.say(ToBoard::SetLamps(0)).await;
        let dark = self.lit(0).await;
        match (lit && dark, has) {
            (true, true) => Passed("e2 and e4 were lit and put out".to_owned()),
            (true, false) => Passed("it has none, and says that none is lit".to_owned()),
            (false, true) => {
                Failed("its heartbeats do not say what it was told to light".to_owned())
            }
            (false, false) => Failed("it says that lamps are lit, and that it has none".to_owned()),
        }
    }

    /// Whether a heartbeat says that these lamps are lit, within the time of two.
    async fn lit(&mut self, lamps: u64) -> bool {
        for _ in 0..2 {
            match self.heartbeat().await {
                Some((_, beat)) if beat.lamps == lamps => return true,
                _ => {}
            }
        }
        false
    }

    pub(super) async fn levels(&mut self) -> Outcome {
        self.talk.forget();
        self.talk.say(ToBoard::RequestLevels).await;
        let heard = self.talk.hear_all(NOTHING).await;
        let ranks = heard.iter().filter_map(|heard| match &heard.message {
            FromBoard::Levels { levels, .. } => Some(levels.rank),
            _ => None,
        });
        let ranks: Vec<u8> = ranks.collect();
        let all: Vec<u8> = (0..8).collect();
        match (self.has(Capabilities::LEVELS), ranks) {
            (false, ranks) if ranks.is_empty() => Passed("it has no analogue sensors".to_owned()),
            (true, ranks) if ranks == all => Passed("of all eight ranks".to_owned()),
            (false, _) => Failed("it tells levels, and that it has none to tell".to_owned()),
            (true, ranks) => Failed(format!("it told the levels of {} ranks of 8", ranks.len())),
        }
    }

    pub(super) async fn firmware(&mut self) -> Outcome {
        self.talk.forget();
        self.talk.say(ToBoard::RequestFirmware).await;
        let heard = self.talk.hear_all(NOTHING).await;
        let mut names = heard.iter().filter_map(|heard| match &heard.message {
            FromBoard::Firmware { firmware, .. } => Some(firmware.as_str().to_owned()),
            _ => None,
        });
        match (names.next(), names.count()) {
            (None, _) => Passed("it tells none".to_owned()),
            (Some(name), 0) => Passed(format!("`{name}`")),
            (Some(_), more) => Failed(format!("it was asked once and told {} times", more + 1)),
        }
    }

    pub(super) async fn clock(&mut self) -> Outcome {
        let nonce = self.next_nonce();
        self.talk
            .say(ToBoard::RequestHello { nonce: Some(nonce) })
            .await;
        let now = |heard: &Heard| match heard.message {
            FromBoard::Hello(hello) if hello.nonce == Some(nonce) => Some((heard.at, hello)),
            _ => None,
        };
        let (Some((then, first)), Some((at, last))) =
            (self.hello, self.talk.hear(ANSWER, now).await)
        else {
            return Untried("no hello tells the time".to_owned());
        };
        if first.pace == 0 {
            return Untried("its clock jumps from event to event".to_owned());
        }
        let passed = at.duration_since(then).as_millis() as f64 * f64::from(first.pace) / 1e3;
        let told = f64::from(last.ms.wrapping_sub(first.ms));
        let off = (told - passed) / passed;
        let seen = format!("{told} ms in {passed:.0} ms, {:+.1} %", off * 1e2);
        if off.abs() <= 0.03 {
            Passed(seen)
        } else {
            Failed(seen)
        }
    }

    fn next_nonce(&mut self) -> u32 {
        self.nonce = self.nonce.wrapping_add(1).max(1);
        self.nonce
    }

    fn has(&self, what: Capabilities) -> bool {
        self.hello
            .is_some_and(|(_, hello)| hello.capabilities.has(what))
    }

    /// Asks who is there.
    async fn greet(&mut self) -> Option<Hello> {
        let nonce = self.next_nonce();
        let question = ToBoard::RequestHello { nonce: Some(nonce) };
        self.talk.say(question).await;
        self.await_hello(nonce).await
    }

    async fn await_hello(&mut self, nonce: u32) -> Option<Hello> {
        let answer = |heard: &Heard| match heard.message {
            FromBoard::Hello(hello) if hello.nonce == Some(nonce) => Some(hello),
            _ => None,
        };
        self.talk.hear(ANSWER, answer).await
    }

    /// The snapshot that it gives out when it is asked for one.
    async fn ask_snapshot(&mut self) -> Option<(Instant, Evidence)> {
        self.talk.forget();
        self.talk.say(ToBoard::RequestSnapshot).await;
        let given = |heard: &Heard| match &heard.message {
            FromBoard::Evidence(e) if matches!(e.what, What::Snapshot(_)) => {
                Some((heard.at, e.clone()))
            }
            _ => None,
        };
        self.talk.hear(ANSWER, given).await
    }

    /// The next heartbeat.
    async fn heartbeat(&mut self) -> Option<(Instant, Heartbeat)> {
        let beat = |heard: &Heard| match heard.message {
            FromBoard::Heartbeat(beat) => Some((heard.at, beat)),
            _ => None,
        };
        self.talk.hear(HEARTBEAT, beat).await
    }

    /// What comes when evidence from `from` on is asked for.
    async fn resend(&mut self, from: u32) -> Vec<Heard> {
        // What is on its way is not the answer.
        sleep(NOTHING / 4).await;
        let _earlier = self.talk.hear_all(Duration::from_millis(1)).await;
        self.talk.say(ToBoard::Resend { from }).await;
        self.talk.hear_all(NOTHING * 2).await
    }
}

fn evidence(heard: &Heard) -> Option<&Evidence> {
    match &heard.message {
        FromBoard::Evidence(evidence) => Some(evidence),
        _ => None,
    }
}

/// Whether a message repeats what was given out before `next`, or says that it has gone.
fn is_before(message: &FromBoard, next: u32) -> bool {
    match message {
        FromBoard::Evidence(evidence) => evidence.seq.wrapping_sub(next) > u32::MAX / 2,
        FromBoard::Gone { .. } => true,
        _ => false,
    }
}

fn numbers(evidence: &[&Evidence]) -> String {
    match (evidence.first(), evidence.last()) {
        (Some(first), Some(last)) => {
            format!("{} pieces, {} to {}", evidence.len(), first.seq, last.seq)
        }
        _ => "nothing".to_owned(),
    }
}

/// Whether sensors of this kind can read `symbol`.
fn is_of(sensor: Sensor, symbol: u8) -> bool {
    let allowed: &[u8] = match sensor {
        Sensor::Occupancy => b".?",
        Sensor::Colour => b".?LD",
        Sensor::Piece => b".?LDPNBRQKpnbrqk",
    };
    allowed.contains(&symbol)
}

fn describe(hello: &Hello) -> String {
    let sensor = match hello.sensor {
        Sensor::Occupancy => "occupancy",
        Sensor::Colour => "colour",
        Sensor::Piece => "piece",
    };
    let all = [
        (Capabilities::CLOCK, "clock"),
        (Capabilities::LAMPS, "lamps"),
        (Capabilities::ADJUST, "adjust buttons"),
        (Capabilities::POLLED, "polled"),
        (Capabilities::LEVELS, "levels"),
    ];
    let has = all.iter().filter(|(one, _)| hello.capabilities.has(*one));
    let has: Vec<&str> = has.map(|(_, name)| *name).collect();
    let serial = hello.serial.as_str();
    format!(
        "{sensor} board {serial:?}, boot {}, with {}",
        hello.boot,
        match has.is_empty() {
            true => "nothing else".to_owned(),
            false => has.join(", "),
        }
    )
}
