//! A line with many simulated boards, as slow as a real one: what two boards say at once is heard
//! as both.

mod run;

use std::collections::{BTreeMap, VecDeque};
use std::iter::Peekable;
use std::time::{Duration, Instant};

use super::SimConfig;
use crate::device::dgt::Unit;
use crate::event::BoardEvent;

pub use run::SimulatedBus;

/// Bits that one byte takes: a start bit, eight of data, a stop bit.
const BITS: u64 = 10;

/// The boards of a line with their scripts, without any I/O.
#[derive(Debug)]
pub struct BusSim<I: Iterator<Item = BoardEvent>> {
    seats: Vec<Seat<I>>,
    powered: Instant,
    pace: f64,
    /// Microseconds of the world that one byte takes.
    byte_us: u64,
    /// What the host wrote, and when each byte has come wholly.
    down: VecDeque<(u64, u8)>,
    /// What is said to the host: in each byte's time what all boards together make of it.
    up: BTreeMap<u64, u8>,
    counts: BusCounts,
}

/// What went over a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BusCounts {
    /// Bytes from the host.
    pub down: u64,
    /// Bytes to the host.
    pub up: u64,
    /// Bytes that more than one board said at once.
    pub collided: u64,
}

#[derive(Debug)]
struct Seat<I: Iterator<Item = BoardEvent>> {
    unit: Unit,
    script: Peekable<I>,
    /// When its game started, in milliseconds of the boards.
    started: Option<u64>,
    /// Until when it speaks, as a byte's number.
    speaks: u64,
    is_off: bool,
}

impl<I: Iterator<Item = BoardEvent>> BusSim<I> {
    /// Boards just switched on, on a line of `baud` bits a second. All of them play at the pace of
    /// the first. `Err` says what cannot be.
    pub fn new(
        boards: impl IntoIterator<Item = (SimConfig, I)>,
        baud: u32,
        now: Instant,
    ) -> Result<BusSim<I>, String> {
        let mut pace = None;
        let seat = |(config, script): (SimConfig, I)| {
            pace.get_or_insert(f64::from(config.pace));
            let unit = Unit::new(&config.device(0))?;
            Ok(Seat {
                unit,
                script: script.peekable(),
                started: None,
                speaks: 0,
                is_off: false,
            })
        };
        let seats = boards
            .into_iter()
            .map(seat)
            .collect::<Result<Vec<_>, String>>()?;
        let pace = pace
            .filter(|pace| *pace > 0.0)
            .ok_or("a bus needs boards, and a speed above 0")?;
        let byte_us = BITS * 1_000_000 / u64::from(baud.max(1));
        let (down, up, counts) = (VecDeque::new(), BTreeMap::new(), BusCounts::default());
        Ok(BusSim {
            seats,
            powered: now,
            pace,
            byte_us,
            down,
            up,
            counts,
        })
    }

    fn us(&self, now: Instant) -> u64 {
        now.saturating_duration_since(self.powered).as_micros() as u64
    }

    fn ms(&self, us: u64) -> u64 {
        (us as f64 * self.pace / 1_000.0) as u64
    }

    /// The host wrote bytes. They arrive one after the other, at the line's speed.
    pub fn receive(&mut self, now: Instant, bytes: &[u8]) {
        self.counts.down += bytes.len() as u64;
        let mut free = self.down.back().map_or(0, |(at, _)| *at).max(self.us(now));
        for &byte in bytes {
            free += self.byte_us;
            self.down.push_back((free, byte));
        }
    }

    /// Plays what is due, and lets the boards hear what has arrived.
    pub fn wake(&mut self, now: Instant) {
        let now = self.us(now);
        while let Some((at, byte)) = self.down.front().copied().filter(|(at, _)| *at <= now) {
            self.down.pop_front();
            let ms = self.ms(at);
            for seat in self.seats.iter_mut().filter(|seat| !seat.is_off) {
                seat.unit.receive(ms, &[byte]);
            }
            self.speak(at);
        }
        let ms = self.ms(now);
        for seat in &mut self.seats {
            seat.play(ms);
            seat.unit.wake(ms);
        }
        self.speak(now);
    }

    /// Boards that have something to say begin.
    fn speak(&mut self, us: u64) {
        let (ms, first) = (self.ms(us), us / self.byte_us + 1);
        for seat in &mut self.seats {
            while let Some(frame) = seat.unit.next_frame(ms) {
                let begin = seat.speaks.max(first);
                seat.speaks = begin + frame.len() as u64;
                for (at, byte) in (begin..).zip(frame).filter(|_| !seat.is_off) {
                    self.counts.up += 1;
                    self.counts.collided += u64::from(self.up.contains_key(&at));
                    *self.up.entry(at).or_default() |= byte;
                }
            }
        }
    }

    /// What has come wholly at the host by now.
    pub fn take(&mut self, now: Instant) -> Vec<u8> {
        let passed = self.us(now) / self.byte_us;
        let later = self.up.split_off(&passed);
        std::mem::replace(&mut self.up, later)
            .into_values()
            .collect()
    }

    /// When [`BusSim::wake`] and [`BusSim::take`] are to be called.
    pub fn next_wake(&mut self) -> Option<Instant> {
        let heard = self.down.front().map(|(at, _)| *at);
        let said = self.up.keys().next().map(|at| (at + 1) * self.byte_us);
        let to_us = |ms: u64| ((ms as f64 + 1.0) * 1_000.0 / self.pace) as u64;
        let boards = self.seats.iter_mut().flat_map(|seat| {
            let event = seat
                .started
                .zip(seat.script.peek())
                .map(|(started, event)| started + event.at.0);
            event.into_iter().chain(seat.unit.next_wake()).min()
        });
        let next = boards.map(to_us).chain(heard).chain(said).min()?;
        Some(self.powered + Duration::from_micros(next))
    }

    /// Whether every board has played its script to the end.
    pub fn is_over(&mut self) -> bool {
        self.seats
            .iter_mut()
            .all(|seat| seat.started.is_some() && seat.script.peek().is_none())
    }

    /// Takes a board off the line, or puts it back. It keeps its power.
    pub fn switch(&mut self, board: usize, off: bool) {
        self.seats[board].is_off = off;
    }

    /// What went over the line.
    pub fn counts(&self) -> BusCounts {
        self.counts
    }
}

impl<I: Iterator<Item = BoardEvent>> Seat<I> {
    fn play(&mut self, ms: u64) {
        if self.started.is_none() && self.unit.was_read() {
            self.started = Some(ms);
        }
        let Some(started) = self.started else { return };
        while let Some(event) = self.script.next_if(|event| started + event.at.0 <= ms) {
            self.unit.happen(started + event.at.0, &event.report);
        }
    }
}
