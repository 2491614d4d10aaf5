//! The board's end of the line: numbers evidence, keeps it, and answers the host.
//!
//! Pull it: whenever the line has room, ask [`Device::next_frame`] what to send. Nothing here waits
//! or allocates.

use crate::body::{Layout, Writer};
use crate::clock::ClockFace;
use crate::frame::{Accumulator, Damage, Frame, Step, seal};
use crate::health::{Health, RankLevels};
use crate::message::{
    Capabilities, Changes, Condition, Evidence, Firmware, FromBoard, Heartbeat, Hello, Sensor,
    Serial, Side, ToBoard, What,
};
use crate::ring::Store;
use crate::self_test::Tested;
use crate::square_map::MapRank;
use crate::symbol::{Square, Symbol};

/// A sign of life is due this long after the last one, in milliseconds.
pub const HEARTBEAT_MS: u32 = 1_000;

/// A sign of life is due this long after evidence, in milliseconds, so that a lost last frame is
/// noticed soon.
pub const HEARTBEAT_AFTER_EVIDENCE_MS: u32 = 100;

/// The next sign of life is due this long after one that came `pause` after the last or after
/// evidence, in milliseconds: a host believes in silence what it has been told, and wants to know
/// soon that a piece has come to rest.
pub const fn heartbeat_after(pause: u32) -> u32 {
    let next = pause.saturating_mul(4);
    if next < HEARTBEAT_MS {
        next
    } else {
        HEARTBEAT_MS
    }
}

/// What does not change while a board runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Differs from run to run of the board. A counter in flash or a random number; never twice the
    /// same in a row.
    pub boot: u16,
    /// Its serial number.
    pub serial: Serial,
    /// What its sensors can tell.
    pub sensor: Sensor,
    /// What it has.
    pub capabilities: Capabilities,
    /// Board milliseconds in 1,000 of the world; 1,000 on every real board.
    pub pace: u32,
    /// What its firmware calls itself, as [`Firmware`] takes it: name, version, what it was built
    /// of. Where it is empty, none is told.
    pub firmware: &'static str,
}

/// What a program says of its board to a host that has asked: no evidence, and not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aside {
    /// What a rank of analogue sensors reads.
    Levels(RankLevels),
    /// What the second request for the boot loader has to repeat.
    Loader(u32),
    /// A rank of the map of its squares.
    Map(MapRank),
    /// What came of the test of a part.
    Tested(Tested),
}

impl Aside {
    fn said(self, boot: u16, ms: u32) -> FromBoard {
        match self {
            Aside::Levels(levels) => FromBoard::Levels { boot, ms, levels },
            Aside::Loader(nonce) => FromBoard::Loader { boot, nonce },
            Aside::Map(rank) => FromBoard::Map { boot, rank },
            Aside::Tested(tested) => FromBoard::Tested { boot, tested },
        }
    }
}

/// The board's end. It keeps the evidence that it has sent in `S`, a [`Ring`](crate::Ring) or a
/// borrowed [`IndexedRing`](crate::IndexedRing).
#[derive(Clone, Debug)]
pub struct Device<S> {
    identity: Identity,
    squares: [Symbol; 64],
    /// Whether the squares have been read: before, there is nothing to say of them.
    read: bool,
    lamps: u64,
    ring: S,
    /// The next evidence to send.
    cursor: u32,
    /// The first evidence never sent so far.
    unsent: u32,
    /// The first evidence the host has not acknowledged.
    unacknowledged: u32,
    dropped: u32,
    damaged: u32,
    late_scans: u32,
    /// The question that the next hello answers.
    hello_due: Option<u32>,
    heartbeat_due: bool,
    gone_due: bool,
    health: Health,
    condition_due: bool,
    /// Something was wrong with the sensors at some time in this run.
    ever_ill: bool,
    aside: Option<Aside>,
    firmware_due: bool,
    /// What the clock shows, once it has ever told it.
    clock: Option<ClockFace>,
    clock_due: bool,
    input: Accumulator<ToBoard>,
    /// A host has sent something: there is one.
    spoken_to: bool,
}

impl<S: Store> Device<S> {
    /// A board that has just started and reads `squares`, a1 first. It is silent until a host has
    /// sent a byte: what is written into a line that nobody reads lies there until somebody does,
    /// and is then taken for new.
    pub fn new(identity: Identity, ms: u32, squares: [Symbol; 64]) -> Device<S>
    where
        S: Default,
    {
        let mut device = Device::unread(S::default(), identity);
        device.scan(ms, &squares);
        device
    }

    /// A board that has just started and has not read its squares yet: it can say who it is and
    /// what is wrong. Its first [`Device::scan`] is its first snapshot. `ring` keeps nothing yet.
    #[inline]
    pub fn unread(ring: S, identity: Identity) -> Device<S> {
        Device {
            identity,
            squares: [Symbol::EMPTY; 64],
            read: false,
            lamps: 0,
            ring,
            cursor: 0,
            unsent: 0,
            unacknowledged: 0,
            dropped: 0,
            damaged: 0,
            late_scans: 0,
            hello_due: None,
            heartbeat_due: false,
            gone_due: false,
            health: Health::default(),
            condition_due: false,
            ever_ill: false,
            aside: None,
            firmware_due: false,
            clock: None,
            clock_due: false,
            input: Accumulator::default(),
            spoken_to: false,
        }
    }

    /// The whole board was scanned (and debounced): reports the squares that changed since.
    pub fn scan(&mut self, ms: u32, squares: &[Symbol; 64]) {
        if !self.read {
            self.set_squares(*squares);
            self.snapshot(ms);
            return;
        }
        let mut changes = Changes::default();
        for (index, new) in (0..).zip(squares) {
            if let (true, Some(square)) =
                (self.squares[usize::from(index)] != *new, Square::new(index))
            {
                self.collect(ms, &mut changes, square, *new);
            }
        }
        self.report(ms, changes);
    }

    /// These squares changed in one scan.
    pub fn change(&mut self, ms: u32, changed: &[(Square, Symbol)]) {
        let mut changes = Changes::default();
        for (square, symbol) in changed {
            self.collect(ms, &mut changes, *square, *symbol);
        }
        self.report(ms, changes);
    }

    /// Adds to the changes of a scan. What does not fit into one message goes into several.
    fn collect(&mut self, ms: u32, changes: &mut Changes, square: Square, symbol: Symbol) {
        self.squares[usize::from(square.index())] = symbol;
        if !changes.push(square, symbol) {
            changes.more = true;
            self.keep(ms, What::Change(*changes));
            *changes = Changes::default();
            changes.push(square, symbol);
        }
    }

    fn report(&mut self, ms: u32, changes: Changes) {
        if !changes.as_slice().is_empty() {
            self.keep(ms, What::Change(changes));
        }
    }

    /// The clock was pressed. Remaining times in milliseconds, where the clock tells.
    pub fn press(&mut self, ms: u32, by: Side, white_ms: Option<u32>, black_ms: Option<u32>) {
        self.keep(
            ms,
            What::Press {
                by,
                white_ms,
                black_ms,
            },
        );
    }

    /// The clock was pressed, and its times are those that it told last: see [`Device::clock`].
    pub fn press_by_clock(&mut self, ms: u32, by: Side) {
        let ClockFace {
            white_ms, black_ms, ..
        } = self.clock.unwrap_or_default();
        self.press(ms, by, white_ms, black_ms);
    }

    /// An adjust button was pressed.
    pub fn adjust(&mut self, ms: u32, by: Side) {
        self.keep(ms, What::Adjust { by });
    }

    /// Reports what every square reads, as evidence. A board that has read nothing yet says
    /// nothing.
    pub fn snapshot(&mut self, ms: u32) {
        if self.read {
            self.keep(ms, What::Snapshot(self.squares));
        }
    }

    /// The squares read this, without a word to the host: follow it with [`Device::snapshot`].
    pub fn set_squares(&mut self, squares: [Symbol; 64]) {
        self.squares = squares;
        self.read = true;
    }

    /// A scan came too late to be trusted; heartbeats tell how many did.
    pub fn late_scan(&mut self) {
        self.late_scans = self.late_scans.wrapping_add(1);
    }

    /// How well the sensors work: told at once when it is news, and again with every heartbeat once
    /// there was anything to tell.
    pub fn health(&mut self, health: Health) {
        self.condition_due |= !health.is_like(&self.health);
        self.ever_ill |= !health.is_good();
        self.health = health;
    }

    /// Says this behind all evidence, for a host that has asked. Whether there was room for it: one
    /// waits at a time.
    pub fn say(&mut self, aside: Aside) -> bool {
        let room = self.aside.is_none();
        if room {
            self.aside = Some(aside);
        }
        room
    }

    /// What the clock shows: told at once when more than its times is news, and with every
    /// heartbeat. A board whose clock has never spoken says nothing of it.
    pub fn clock(&mut self, face: ClockFace) {
        let known = self.clock.unwrap_or_default();
        self.clock_due |= face.bits != known.bits;
        if self.clock.is_some() || face != ClockFace::default() {
            self.clock = Some(face);
        }
    }

    /// A sign of life is due: see [`HEARTBEAT_MS`].
    pub fn heartbeat(&mut self) {
        self.heartbeat_due = true;
        self.condition_due |= self.ever_ill;
        self.clock_due |= self.clock.is_some();
    }

    /// The lamps the host wants lit: bit 0 is a1.
    pub fn lamps(&self) -> u64 {
        self.lamps
    }

    /// What the squares read, a1 first.
    pub fn squares(&self) -> &[Symbol; 64] {
        &self.squares
    }

    /// Whether everything reported has been handed out for sending.
    pub fn is_drained(&self) -> bool {
        self.cursor == self.ring.next()
    }

    /// How much evidence no host has acknowledged. Hosts acknowledge when they hear a heartbeat.
    pub fn unacknowledged(&self) -> u32 {
        self.ring.next().wrapping_sub(self.unacknowledged)
    }

    /// Takes bytes from the host. `told` hears every message, after it was obeyed.
    pub fn receive(&mut self, ms: u32, mut bytes: &[u8], mut told: impl FnMut(ToBoard)) {
        self.spoken_to |= !bytes.is_empty();
        loop {
            match self.input.feed(bytes) {
                Step::Partial => return,
                Step::Message(message, rest) => {
                    bytes = rest;
                    self.obey(ms, message);
                    told(message);
                }
                // A later version's message is whole, and means nothing here.
                Step::Damaged(Damage::UnknownKind(_), rest) => bytes = rest,
                Step::Damaged(_, rest) => {
                    bytes = rest;
                    self.damaged = self.damaged.wrapping_add(1);
                }
            }
        }
    }

    fn obey(&mut self, ms: u32, message: ToBoard) {
        match message {
            ToBoard::RequestHello { nonce } => {
                self.hello_due = Some(nonce.unwrap_or(0));
                self.condition_due |= self.ever_ill;
                self.clock_due |= self.clock.is_some();
            }
            ToBoard::RequestSnapshot => self.snapshot(ms),
            ToBoard::Resend { from } => self.resend(from),
            ToBoard::SetLamps(squares) => {
                if self.identity.capabilities.has(Capabilities::LAMPS) {
                    self.lamps = squares;
                }
            }
            ToBoard::Ack { boot, next } => self.acknowledge(boot, next),
            ToBoard::RequestFirmware => self.firmware_due = !self.identity.firmware.is_empty(),
            // The sensors are the program's, and what else the board is made of.
            ToBoard::RequestLevels
            | ToBoard::Calibrate
            | ToBoard::StartLoader { .. }
            | ToBoard::SetMap(_)
            | ToBoard::RequestMap
            | ToBoard::SelfTest => {}
        }
    }

    /// Takes an acknowledgement, unless it is an old one, another run's, or of what was never sent.
    fn acknowledge(&mut self, boot: u16, next: u32) {
        let acknowledged = next.wrapping_sub(self.unacknowledged);
        if boot == self.identity.boot && acknowledged <= self.unacknowledged() {
            self.unacknowledged = next;
        }
    }

    /// Goes back to `from`. A number never given out yet changes nothing.
    fn resend(&mut self, from: u32) {
        let kept = self.ring.next().wrapping_sub(self.ring.oldest());
        let back = self.ring.next().wrapping_sub(from);
        if back <= kept {
            self.cursor = from;
        } else if back < u32::MAX / 2 {
            self.cursor = self.ring.oldest();
            self.gone_due = true;
        }
    }

    /// The next frame to send, if there is one.
    pub fn next_frame(&mut self, ms: u32) -> Option<Frame> {
        let mut frame = Frame::default();
        self.fill(ms, &mut frame).then_some(frame)
    }

    /// Makes `frame` the next one to send; whether there is one. A frame takes a fortieth of the
    /// memory of a small board: this needs no second one.
    pub fn fill(&mut self, ms: u32, frame: &mut Frame) -> bool {
        let mut body = Writer::default();
        let is_due = self.write_next(ms, &mut body);
        if is_due {
            seal(&mut body, frame);
        }
        is_due
    }

    /// Writes what is to be sent next; whether there is anything.
    fn write_next(&mut self, ms: u32, body: &mut Writer) -> bool {
        if !self.spoken_to {
            return false;
        }
        let boot = self.identity.boot;
        let message = if let Some(nonce) = self.hello_due.take() {
            FromBoard::Hello(self.hello(nonce, ms))
        } else if core::mem::take(&mut self.condition_due) {
            // Before the squares: whoever hears of them must know which of them to trust.
            FromBoard::Condition(Condition {
                boot,
                ms,
                health: self.health,
            })
        } else if self.gone_due {
            // The squares go after what is left, so that the host knows them whatever it has
            // missed. They may push out some more, so what is left is told afterwards.
            self.snapshot(ms);
            self.gone_due = false;
            FromBoard::Gone {
                boot,
                oldest: self.ring.oldest(),
            }
        } else if self.ring.copy(self.cursor, body) {
            self.cursor = self.cursor.wrapping_add(1);
            if self.cursor.wrapping_sub(self.unsent) < u32::MAX / 2 {
                self.unsent = self.cursor;
            }
            return true;
        } else if let Some(aside) = self.aside.take() {
            aside.said(boot, ms)
        } else if let (true, Some(face)) = (core::mem::take(&mut self.clock_due), self.clock) {
            FromBoard::Clock { boot, ms, face }
        } else if let Some(firmware) = self.firmware() {
            FromBoard::Firmware { boot, firmware }
        } else if core::mem::take(&mut self.heartbeat_due) {
            FromBoard::Heartbeat(self.beat(ms))
        } else {
            return false;
        };
        message.write(body);
        true
    }

    /// What it is asked for, once.
    fn firmware(&mut self) -> Option<Firmware> {
        core::mem::take(&mut self.firmware_due)
            .then(|| Firmware::new(self.identity.firmware.as_bytes()))
            .flatten()
    }

    fn hello(&self, nonce: u32, ms: u32) -> Hello {
        let Identity {
            boot,
            serial,
            sensor,
            capabilities,
            pace,
            ..
        } = self.identity;
        Hello {
            nonce: Some(nonce),
            boot,
            ms,
            next: self.ring.next(),
            sensor,
            capabilities,
            pace,
            serial,
        }
    }

    fn beat(&self, ms: u32) -> Heartbeat {
        let Device {
            dropped,
            damaged,
            late_scans,
            lamps,
            ..
        } = *self;
        Heartbeat {
            boot: self.identity.boot,
            ms,
            next: self.ring.next(),
            dropped,
            damaged,
            late_scans,
            lamps,
        }
    }

    fn keep(&mut self, ms: u32, what: What) {
        let mut writer = Writer::default();
        let evidence = Evidence {
            boot: self.identity.boot,
            seq: self.ring.next(),
            ms,
            what,
        };
        FromBoard::Evidence(evidence).write(&mut writer);
        self.ring.push(writer.as_slice());
        self.follow_the_ring();
    }

    /// When the ring had to give up what was still to be sent, says so instead.
    fn follow_the_ring(&mut self) {
        let oldest = self.ring.oldest();
        let never_sent = oldest.wrapping_sub(self.unsent);
        if never_sent < u32::MAX / 2 && never_sent > 0 {
            self.dropped = self.dropped.wrapping_add(never_sent);
            self.unsent = oldest;
        }
        let behind = oldest.wrapping_sub(self.cursor);
        if behind < u32::MAX / 2 && behind > 0 {
            self.cursor = oldest;
            self.gone_due = true;
        }
    }
}
