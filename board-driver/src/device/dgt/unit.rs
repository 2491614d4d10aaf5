//! One simulated board, in single mode or on a bus.

use std::collections::VecDeque;

use super::clock::{Clock, Stopped};
use super::memory::Memory;
use crate::device::DeviceConfig;
use crate::event::Report;
use crate::orientation::starting_position;
use crate::protocol::dgt::bus::{self, Answer, BusAsk, EVERYBODY};
use crate::protocol::dgt::clock::ClockMessage;
use crate::protocol::dgt::log::{Mark, Token};
use crate::protocol::dgt::message::{Ask, Battery, Message, squares};
use crate::protocol::dgt::square::{Content, number};

/// What the clock shows before the first press.
const TIME: u64 = 180_000;

/// The command that asks a clock for its version, and the version: 2.2, as a DGT3000 has it.
const CLOCK_VERSION: (u8, u8) = (0x09, 0x22);

/// Our own words: a maker's trademark is the maker's.
const WORDS: &[u8] = b"simulated sensor board, arbiterd";

/// A command with a body: the clock's, and that of lamps this board does not have.
const WITH_BODY: [u8; 2] = [0x2b, 0x60];

/// How long a board waits at most before it answers a ping of everybody, in milliseconds.
const PING: u64 = 1_100;

/// How long the start of a game takes to be written.
const START: u64 = 70;

/// How long a board takes to answer on a bus.
const ANSWER: u64 = 2;

/// What is said unasked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Updates {
    Idle,
    Everything,
    Squares,
    Nice,
}

/// How the line is spoken on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Bus,
    Single(Updates),
}

/// A board.
#[derive(Debug)]
pub(crate) struct Unit {
    serial: u16,
    mode: Mode,
    squares: [Content; 64],
    array: [Content; 64],
    clock: Clock,
    memory: Memory,
    /// Bytes of a command that has not come wholly yet.
    command: Vec<u8>,
    /// Frames and when they may be sent.
    out: VecDeque<(u64, Vec<u8>)>,
    /// The next ping of everybody is not for this board.
    ignores_ping: bool,
    pings: u64,
    squares_read: bool,
    was_read: bool,
}

impl Unit {
    /// A board just switched on.
    pub(crate) fn new(config: &DeviceConfig) -> Result<Unit, String> {
        let digits: String = config.serial.chars().filter(char::is_ascii_digit).collect();
        let serial = digits
            .parse()
            .ok()
            .filter(|serial| *serial > EVERYBODY && *serial <= bus::HIGHEST);
        let wrong = || {
            format!(
                "serial number `{}`: a DGT board's is from 1 to {}",
                config.serial,
                bus::HIGHEST
            )
        };
        let array = squares(&starting_position());
        let mut unit = Unit {
            serial: serial.ok_or_else(wrong)?,
            mode: Mode::Bus,
            squares: squares(&config.squares),
            array,
            clock: Clock::new(config.clock.then_some(TIME)),
            memory: Memory::default(),
            command: Vec::new(),
            out: VecDeque::new(),
            ignores_ping: false,
            pings: 0,
            squares_read: false,
            was_read: false,
        };
        unit.reboot();
        Ok(unit)
    }

    /// It was switched off and on: its memory stays.
    pub(crate) fn reboot(&mut self) {
        self.mode = Mode::Bus;
        self.command.clear();
        self.out.clear();
        self.memory.begin(Mark::PowerUp, &self.squares, &self.array);
    }

    /// Whether a host has read its squares and is going to hear what changes.
    pub(crate) fn was_read(&self) -> bool {
        self.was_read
    }

    /// Whether everything was handed out.
    pub(crate) fn is_drained(&self) -> bool {
        self.out.is_empty()
    }

    /// Something happened at the board.
    pub(crate) fn happen(&mut self, ms: u64, report: &Report) {
        match report {
            Report::Changes(changes) => {
                // The squares are told in the board's own order, those first that were left, and
                // those before others on which a piece has replaced another: on recordings of
                // real boards no piece is ever on two of them.
                let mut changes: Vec<_> = changes
                    .iter()
                    .map(|(sq, seen)| (number(*sq), Content::of(*seen)))
                    .collect();
                let is_empty = |content: Content| content == Content::Empty;
                let held = |square: u8| self.squares[usize::from(square)];
                changes.sort_by_key(|(square, content)| {
                    (!is_empty(*content), is_empty(held(*square)), *square)
                });
                changes
                    .into_iter()
                    .for_each(|(square, content)| self.change(ms, square, content));
            }
            Report::Snapshot(reading) => {
                let after = squares(reading);
                (0..)
                    .zip(after)
                    .for_each(|(square, content)| self.change(ms, square, content));
            }
            Report::Press {
                by,
                white_ms,
                black_ms,
            } => {
                let [white, black] = [white_ms, black_ms].map(|left| left.unwrap_or(TIME));
                self.clock.press(ms, *by, white, black);
            }
            Report::FlagFall { by } => self.clock.fall(ms, *by),
            Report::ClockRuns(runs) => self.clock.run(ms, *runs),
            Report::Adjust { .. } | Report::Alive | Report::Hello(_) | Report::Lost { .. } => {}
            Report::Condition(_)
            | Report::Levels(_)
            | Report::Firmware(_)
            | Report::Map(_)
            | Report::Tested(_) => {}
        }
    }

    fn change(&mut self, ms: u64, square: u8, content: Content) {
        let holds = &mut self.squares[usize::from(square)];
        if std::mem::replace(holds, content) == content {
            return;
        }
        self.memory
            .change(ms, square, content, &self.squares, &self.array);
        if let (
            Mode::Single(Updates::Everything | Updates::Squares | Updates::Nice),
            Some(square),
        ) = (self.mode, crate::protocol::dgt::square::square(square))
        {
            self.say(ms, &Message::Field { square, content });
        }
    }

    fn say(&mut self, ms: u64, message: &Message) {
        self.out.push_back((ms, message.bytes()));
    }

    fn answer(&mut self, due: u64, answer: &Answer) {
        self.out.push_back((due, answer.bytes(self.serial)));
    }

    /// Bytes came from the host.
    pub(crate) fn receive(&mut self, ms: u64, bytes: &[u8]) {
        for &byte in bytes {
            match self.mode {
                Mode::Single(_) if byte >= 0x80 => self.mode = Mode::Bus,
                Mode::Single(_) => self.single(ms, byte),
                Mode::Bus => self.bus(ms, byte),
            }
        }
    }

    fn single(&mut self, ms: u64, byte: u8) {
        self.command.push(byte);
        let whole = match self.command[..] {
            [first, size, ..] if WITH_BODY.contains(&first) => {
                self.command.len() >= 2 + usize::from(size)
            }
            [first] => !WITH_BODY.contains(&first),
            _ => true,
        };
        if !whole {
            return;
        }
        let command = std::mem::take(&mut self.command);
        if let [0x2b, _, _, which, ..] = command[..] {
            self.acknowledge(ms, which);
        } else if let Some(ask) = Ask::from_byte(command[0]) {
            self.obey(ms, ask);
        }
    }

    /// A clock that is commanded says that it was. Nothing else comes of it here.
    fn acknowledge(&mut self, ms: u64, which: u8) {
        let hears = matches!(self.mode, Mode::Single(Updates::Everything | Updates::Nice));
        if hears && self.clock.told() != ClockMessage::NoClock {
            let data = if which == CLOCK_VERSION.0 {
                CLOCK_VERSION.1
            } else {
                0
            };
            let ack = crate::protocol::dgt::clock::Ack {
                bytes: [0x10, which, data, 0],
            };
            self.say(ms, &Message::Clock(ClockMessage::Ack(ack)));
        }
    }

    fn obey(&mut self, ms: u64, ask: Ask) {
        let five = format!("{:05}", self.serial);
        let digits = |prefix: &str| format!("{prefix}{five}").into_bytes();
        match ask {
            Ask::Reset => self.mode = Mode::Single(Updates::Idle),
            Ask::BusMode => self.mode = Mode::Bus,
            Ask::Updates => self.mode = Mode::Single(Updates::Everything),
            Ask::UpdatesOfSquares => self.mode = Mode::Single(Updates::Squares),
            Ask::UpdatesNice => self.mode = Mode::Single(Updates::Nice),
            Ask::Clock => self.say(ms, &Message::Clock(self.clock.told())),
            Ask::Board => {
                self.was_read |= self.mode != Mode::Single(Updates::Idle);
                self.say(ms, &Message::Board(Box::new(self.squares)));
            }
            Ask::Serial => self.say(
                ms,
                &Message::Serial(digits("").try_into().unwrap_or(*b"00000")),
            ),
            Ask::LongSerial => self.say(
                ms,
                &Message::LongSerial(digits("30000").try_into().unwrap_or([b'0'; 10])),
            ),
            Ask::BusAddress => self.say(ms, &Message::BusAddress(self.serial)),
            Ask::Trademark => self.say(ms, &Message::Trademark(WORDS.to_vec())),
            Ask::Log => {
                let log = self.memory.download();
                self.say(ms, &Message::Log(log));
            }
            Ask::Battery => {
                let battery = Battery {
                    percent: 85,
                    left: None,
                    charging: false,
                    discharging: true,
                };
                self.say(ms, &Message::Battery(battery));
            }
            Ask::Version => self.say(ms, &Message::Version { major: 1, minor: 8 }),
        }
    }

    fn bus(&mut self, ms: u64, byte: u8) {
        if byte >= 0x80 {
            self.command.clear();
        } else if self.command.is_empty() {
            // A command of single mode ends bus mode.
            if Ask::from_byte(byte).is_some() {
                self.mode = Mode::Single(Updates::Idle);
                self.single(ms, byte);
            }
            return;
        }
        self.command.push(byte);
        if let Ok(command) = <[u8; bus::COMMAND]>::try_from(&self.command[..]) {
            self.command.clear();
            // Damaged commands and those for others are not answered.
            match BusAsk::read(command) {
                Some((ask, address)) if address == self.serial => self.serve(ms, ask),
                Some((BusAsk::Ping, EVERYBODY)) if std::mem::take(&mut self.ignores_ping) => {}
                Some((BusAsk::Ping, EVERYBODY)) => {
                    self.pings += 1;
                    let wait = (u64::from(self.serial) * 7_919 + self.pings * 104_729) % PING;
                    self.answer(ms + wait, &Answer::Ping);
                }
                _ => {}
            }
        }
    }

    /// A command on the bus for this board.
    fn serve(&mut self, ms: u64, ask: BusAsk) {
        let due = ms + ANSWER;
        match ask {
            BusAsk::Clock => self.answer(due, &Answer::Clock(Some(self.clock.told()))),
            BusAsk::Board => {
                self.squares_read = true;
                self.answer(due, &Answer::Board(Box::new(self.squares)));
            }
            BusAsk::Changes => {
                self.was_read |= self.squares_read;
                let changes = self.memory.changes();
                self.answer(due, &Answer::Changes(changes));
            }
            BusAsk::RepeatChanges => {
                let changes = self.memory.repeat();
                self.answer(due, &Answer::Changes(changes));
            }
            BusAsk::FromStart => {
                let log = self.memory.since_start();
                self.answer(due, &Answer::FromStart(log));
            }
            BusAsk::StartGame => {
                self.memory.begin(Mark::Start, &self.squares, &self.array);
                self.answer(ms + START, &Answer::Started);
            }
            BusAsk::Ping => self.answer(due, &Answer::Ping),
            BusAsk::IgnoreNextPing => {
                self.ignores_ping = true;
                self.answer(due, &Answer::Ping);
            }
            BusAsk::Version => self.answer(due, &Answer::Version(Some([1, 8]))),
            BusAsk::EndBusMode => self.mode = Mode::Single(Updates::Idle),
            BusAsk::Reset => self.reboot(),
        }
    }

    /// The next frame that may be sent at `ms`.
    pub(crate) fn next_frame(&mut self, ms: u64) -> Option<Vec<u8>> {
        // The first of those that are due first: a ping of everybody may be answered after what was
        // asked later.
        let first = (0..self.out.len()).min_by_key(|n| self.out[*n].0)?;
        if self.out[first].0 > ms {
            return None;
        }
        self.out.remove(first).map(|(_, frame)| frame)
    }

    /// When it has something to do or to say.
    pub(crate) fn next_wake(&self) -> Option<u64> {
        let frame = self.out.iter().map(|(due, _)| *due).min();
        frame.into_iter().chain(self.clock.next_wake()).min()
    }

    /// Time passes.
    pub(crate) fn wake(&mut self, ms: u64) {
        let Some((news, stopped)) = self.clock.wake(ms) else {
            return;
        };
        if let Some(Stopped { side, hms }) = stopped {
            self.memory.stopped(Token::Stopped { side, hms });
        }
        if matches!(self.mode, Mode::Single(Updates::Everything | Updates::Nice)) {
            self.say(ms, &Message::Clock(news));
        }
    }
}
