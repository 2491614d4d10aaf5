//! Which kind of board is on a line: first by listening, then by asking, one kind after the other.
//!
//! Every kind hears everything that comes; only the one whose turn it is speaks, so an answer to
//! one kind's question that only another understands is not lost. The questions are those with
//! which each kind's conversation begins: they read, and set nothing. Ports are not closed between
//! two speeds: many Arduinos start anew whenever their port is opened.

use std::time::{Duration, Instant};

use board_wire::{ToBoard, encode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{timeout, timeout_at};

use crate::event::{BoardInfo, Report};
use crate::fault::FaultReason;
use crate::kinds::{BoardKind, Profile};
use crate::protocol::{Outbox, Protocol, Start};
use crate::transport::{self, Line, PortInfo, PortSpec, Uart};

/// How long a line is listened to at each speed before anything is asked.
pub const LISTEN: Duration = Duration::from_millis(500);

/// A board that knows the question says within this time what its firmware calls itself.
const FIRMWARE: Duration = Duration::from_millis(300);

/// Kinds that take longer than this to answer are asked when all others have not answered.
const QUICK: Duration = Duration::from_secs(1);

/// What lines without a speed are opened with.
const ANY_SPEED: u32 = 115_200;

/// Where everybody hears everything it is asked before anybody else: its orders have no end of
/// their own, and one that hears other kinds' questions may take them for the beginning of whatever
/// comes next.
const FIRST: BoardKind = BoardKind::ChessLink;

/// A board that has said who it is.
pub struct Found {
    /// The line on which it did.
    pub line: Box<dyn Line>,
    /// Its kind.
    pub kind: BoardKind,
    /// Who it is.
    pub info: BoardInfo,
    /// The host's end of its language, in mid-conversation.
    pub protocol: Box<dyn Protocol>,
    /// What has come of it so far, `Hello` first.
    pub out: Outbox,
}

/// The ports of this machine to which a board may be connected.
///
/// # Errors
/// A one-line text when the system does not tell.
pub fn ports() -> Result<Vec<PortInfo>, String> {
    let is_hid = |profile: &&Profile| profile.baud == transport::HID;
    let ids = profiles().filter(is_hid).flat_map(|profile| profile.usb);
    let vendors: Vec<u16> = ids.map(|(vendor, _)| *vendor).collect();
    transport::ports(&vendors)
}

/// Opens a port at a speed in bits a second, or as [`transport::HID`], however boards are reached.
///
/// # Errors
/// Why it cannot be opened.
pub async fn connect(port: &PortSpec, baud: u32) -> Result<Box<dyn Line>, FaultReason> {
    let mut uarts: Vec<Uart> = Vec::new();
    for uart in profiles().filter_map(|profile| profile.bluetooth) {
        if !uarts.contains(&uart) {
            uarts.push(uart);
        }
    }
    transport::connect(port, baud, &uarts).await
}

fn profiles() -> impl Iterator<Item = &'static Profile> {
    BoardKind::ALL.iter().map(|kind| kind.profile())
}

/// What answers on a port.
#[derive(Clone, PartialEq, Debug)]
pub struct Probed {
    /// Its kind.
    pub kind: BoardKind,
    /// Who it is.
    pub info: BoardInfo,
    /// What its firmware calls itself, if it says so.
    pub firmware: Option<String>,
}

/// Which board answers on a port, and who it is. Takes some seconds where none does.
///
/// # Errors
/// Why no board can be named.
pub async fn probe(port: &PortSpec) -> Result<Probed, FaultReason> {
    let mut found = detect(port, None, &Start::new(Instant::now())).await?;
    let firmware = match found.kind {
        BoardKind::Native => found.firmware().await,
        _ => None,
    };
    Ok(Probed {
        kind: found.kind,
        info: found.info,
        firmware,
    })
}

impl Found {
    /// Asks what the board's firmware calls itself, and nothing else: a board that is asked how it
    /// stands takes this for a host that stays.
    async fn firmware(&mut self) -> Option<String> {
        let question = encode(&ToBoard::RequestFirmware);
        self.line.write_all(question.as_bytes()).await.ok()?;
        let end = tokio::time::Instant::now() + FIRMWARE;
        let mut bytes = [0; 512];
        loop {
            let read = timeout_at(end, self.line.read(&mut bytes)).await;
            let count = read.ok()?.ok().filter(|count| *count > 0)?;
            let out = &mut self.out;
            self.protocol.receive(Instant::now(), &bytes[..count], out);
            let told = self.out.reports.iter().find_map(|delivery| {
                let Report::Firmware(name) = &delivery.event.report else {
                    return None;
                };
                Some(name.clone())
            });
            if told.is_some() {
                return told;
            }
        }
    }
}

/// Opens a port and finds out what is there. `baud`: the only speed to try.
///
/// # Errors
/// Why the port cannot be opened or no board can be named.
pub async fn detect(
    port: &PortSpec,
    baud: Option<u32>,
    start: &Start,
) -> Result<Found, FaultReason> {
    let baud = baud.or((!transport::has_speed(port)).then_some(ANY_SPEED));
    let usb = transport::usb_of(port).map(|usb| (usb.vid, usb.pid));
    let turns = turns(kinds_of(port), usb);
    let kinds = turns.concat();
    let Some(kind) = kinds.first() else {
        return Err(FaultReason::NoAnswer);
    };
    let first = baud.unwrap_or(kind.profile().baud);
    let mut line = connect(port, first).await?;
    let mut heard = false;
    for (turn, listen) in turns.iter().zip([LISTEN, LISTEN, Duration::ZERO]) {
        let asks = |kind: &BoardKind| turn.contains(kind);
        let rounds = by_speed(&kinds, baud).into_iter();
        for (speed, kinds) in rounds.filter(|(_, kinds)| kinds.iter().any(asks)) {
            line.set_baud(speed).map_err(|_| FaultReason::Unplugged)?;
            let mut probing = Probing::new(&kinds, start);
            let found = probing.find(&mut line, listen, asks).await?;
            heard |= probing.heard;
            if let Some((candidate, info)) = found {
                return Ok(candidate.found(line, info));
            }
        }
    }
    Err(if heard {
        FaultReason::Garbage
    } else {
        FaultReason::NoAnswer
    })
}

/// All kinds that such a port can carry.
fn kinds_of(port: &PortSpec) -> Vec<BoardKind> {
    let is_hid = transport::is_hid(port);
    // The reports of HID devices come over Bluetooth as well.
    let is_line = |kind: &&BoardKind| (kind.profile().baud == transport::HID) == is_hid;
    let kinds = BoardKind::ALL.iter();
    let mut kinds: Vec<BoardKind> = kinds
        .filter(|kind| matches!(port, PortSpec::Bluetooth(_)) || is_line(kind))
        .copied()
        .collect();
    if !transport::has_speed(port) {
        kinds.sort_by_key(|kind| *kind != FIRST);
    }
    kinds
}

/// Who asks when: first those whose USB ids the port has, then those that are answered quickly,
/// then the others.
fn turns(kinds: Vec<BoardKind>, usb: Option<(u16, u16)>) -> [Vec<BoardKind>; 3] {
    let is_hinted = |kind: &BoardKind| usb.is_some_and(|ids| kind.profile().usb.contains(&ids));
    let is_quick = |kind: &BoardKind| kind.profile().answers_within <= QUICK;
    let (hinted, others): (Vec<_>, Vec<_>) = kinds.into_iter().partition(is_hinted);
    let (quick, slow) = others.into_iter().partition(is_quick);
    [hinted, quick, slow]
}

/// The kinds, gathered by speed.
fn by_speed(kinds: &[BoardKind], only: Option<u32>) -> Vec<(u32, Vec<BoardKind>)> {
    let mut rounds: Vec<(u32, Vec<BoardKind>)> = Vec::new();
    for kind in kinds {
        let speed = only.unwrap_or(kind.profile().baud);
        match rounds.iter_mut().find(|(known, _)| *known == speed) {
            Some((_, kinds)) => kinds.push(*kind),
            None => rounds.push((speed, vec![*kind])),
        }
    }
    rounds
}

/// A kind that may be the one.
struct Candidate {
    kind: BoardKind,
    protocol: Box<dyn Protocol>,
    out: Outbox,
}

/// All kinds of one speed, hearing what comes.
struct Probing {
    candidates: Vec<Candidate>,
    /// Whether any byte came.
    heard: bool,
}

impl Probing {
    fn new(kinds: &[BoardKind], start: &Start) -> Probing {
        let candidate = |kind: &BoardKind| Candidate {
            kind: *kind,
            protocol: (kind.profile().host)(start),
            out: Outbox::default(),
        };
        Probing {
            candidates: kinds.iter().map(candidate).collect(),
            heard: false,
        }
    }

    /// Listens, then lets each kind ask whose turn it is. Who is known by listening alone is asked
    /// by the link.
    async fn find(
        &mut self,
        line: &mut Box<dyn Line>,
        listen: Duration,
        asks: impl Fn(&BoardKind) -> bool,
    ) -> Result<Option<(Candidate, BoardInfo)>, FaultReason> {
        self.candidates.iter_mut().for_each(Candidate::open);
        let mut found = self.hear(line, listen, None).await?;
        for asking in 0..self.candidates.len() {
            let kind = self.candidates[asking].kind;
            if found.is_none() && asks(&kind) {
                let within = kind.profile().answers_within;
                self.candidates[asking].open();
                found = self.hear(line, within, Some(asking)).await?;
            }
        }
        Ok(found.map(|(index, info)| (self.candidates.swap_remove(index), info)))
    }

    /// Hears the line for so long while one kind speaks; the first that knows who is there.
    async fn hear(
        &mut self,
        line: &mut Box<dyn Line>,
        within: Duration,
        asking: Option<usize>,
    ) -> Result<Option<(usize, BoardInfo)>, FaultReason> {
        let end = Instant::now() + within;
        let mut bytes = [0; 512];
        loop {
            if let Some(found) = self.found() {
                return Ok(Some(found));
            }
            let now = Instant::now();
            if now >= end {
                return Ok(None);
            }
            let mut wake = end;
            if let Some(candidate) = asking.and_then(|index| self.candidates.get_mut(index)) {
                let question = std::mem::take(&mut candidate.out.send);
                line.write_all(&question)
                    .await
                    .map_err(|_| FaultReason::Unplugged)?;
                wake = candidate
                    .protocol
                    .next_wake()
                    .map_or(end, |wake| wake.min(end));
            }
            match timeout(wake.saturating_duration_since(now), line.read(&mut bytes)).await {
                Ok(Ok(count)) if count > 0 => self.receive(&bytes[..count]),
                Ok(_) => return Err(FaultReason::Unplugged),
                Err(_) => self.wake(asking),
            }
        }
    }

    fn receive(&mut self, bytes: &[u8]) {
        self.heard = true;
        let now = Instant::now();
        for candidate in &mut self.candidates {
            candidate.protocol.receive(now, bytes, &mut candidate.out);
        }
    }

    fn wake(&mut self, asking: Option<usize>) {
        let now = Instant::now();
        if let Some(candidate) = asking.and_then(|index| self.candidates.get_mut(index))
            && candidate
                .protocol
                .next_wake()
                .is_some_and(|wake| wake <= now)
        {
            candidate.protocol.wake(now, &mut candidate.out);
        }
    }

    fn found(&self) -> Option<(usize, BoardInfo)> {
        self.candidates
            .iter()
            .enumerate()
            .find_map(|(index, candidate)| Some((index, candidate.info()?)))
    }
}

impl Candidate {
    fn found(self, line: Box<dyn Line>, info: BoardInfo) -> Found {
        Found {
            line,
            kind: self.kind,
            info,
            protocol: self.protocol,
            out: self.out,
        }
    }

    fn open(&mut self) {
        self.out = Outbox::default();
        self.protocol.open(Instant::now(), &mut self.out);
    }

    /// Who the board is, if it has said so in this kind's language and nothing speaks against it.
    fn info(&self) -> Option<BoardInfo> {
        let hello = self
            .out
            .reports
            .iter()
            .find_map(|delivery| match &delivery.event.report {
                Report::Hello(info) => Some(info.clone()),
                _ => None,
            });
        hello.filter(|_| self.out.fault.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_with_a_boards_usb_ids_is_tried_as_that_board_first() {
        let all = || kinds_of(&PortSpec::Path("/dev/ttyUSB0".into()));
        for ids in [(0x045b, 0x8111), (0x0403, 0x6001)] {
            let [hinted, quick, slow] = turns(all(), Some(ids));
            assert_eq!(hinted, [BoardKind::Dgt], "{ids:x?}");
            assert_eq!(
                quick.len() + slow.len() + 1,
                all().len(),
                "nobody is left out"
            );
        }
        let [hinted, quick, slow] = turns(all(), Some((0x1234, 0x5678)));
        assert_eq!(hinted, []);
        assert!(quick.contains(&BoardKind::Native) && slow.contains(&BoardKind::Dgt));
        assert!(!all().contains(&BoardKind::Chessnut), "an HID device");
    }
}
