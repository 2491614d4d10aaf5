//! A simulated eChess board (see [`crate::protocol::echess`]): it tells its state at the first scan
//! that differs.

use std::time::{Duration, Instant};

use arbiter_core::Reading;

use super::end::apply;
use super::{Device, DeviceConfig, Moment};
use crate::event::Report;
use crate::protocol::echess::{SCAN, encode};

#[derive(Debug)]
struct EChess {
    squares: Reading,
    /// What was told last; an Arduino that has just started has told nothing.
    told: Option<Reading>,
    /// A host has opened the port and written something; an Arduino starts anew then.
    opened: bool,
    /// The next scan.
    due: Instant,
    pace: f64,
    frame: Option<Vec<u8>>,
    lamps: Lamps,
}

/// The lamps, and what has come of a new setting of them.
#[derive(Debug, Default)]
struct Lamps {
    lit: u64,
    coming: Option<u64>,
}

/// Switches one on.
pub(crate) fn echess(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    Ok(Box::new(EChess {
        squares: config.squares,
        told: None,
        opened: false,
        due: now,
        pace: f64::from(config.pace),
        frame: None,
        lamps: Lamps::default(),
    }))
}

impl EChess {
    /// Something differs: it is seen at the next scan, whatever else happens until then.
    fn changed(&mut self, now: Instant) {
        if self.due <= now {
            self.due = now + Duration::from_secs_f64(SCAN.as_secs_f64() / self.pace);
        }
    }

    fn has_news(&self) -> bool {
        self.opened && self.told != Some(self.squares)
    }
}

impl Device for EChess {
    fn happen(&mut self, at: Moment, report: &Report) {
        apply(report, &mut self.squares);
        if matches!(report, Report::Changes(_) | Report::Snapshot(_)) {
            self.changed(at.now);
        }
    }

    fn receive(&mut self, at: Moment, bytes: &[u8]) {
        if !self.opened {
            self.opened = true;
            self.changed(at.now);
        }
        bytes.iter().for_each(|byte| self.lamps.hear(*byte));
    }

    fn next_frame(&mut self, _at: Moment) -> Option<Vec<u8>> {
        self.frame.take()
    }

    fn next_wake(&self) -> Option<Instant> {
        self.has_news().then_some(self.due)
    }

    fn wake(&mut self, at: Moment) {
        if self.has_news() && at.now >= self.due {
            self.told = Some(self.squares);
            self.frame = Some(encode(&self.squares).to_vec());
        }
    }

    fn is_ready(&self) -> bool {
        self.told.is_some()
    }

    fn is_drained(&self) -> bool {
        self.frame.is_none() && !self.has_news()
    }

    fn reboot(&mut self, at: Moment) {
        (self.told, self.frame) = (None, None);
        self.changed(at.now);
    }

    fn lamps(&self) -> u64 {
        self.lamps.lit
    }
}

impl Lamps {
    fn hear(&mut self, byte: u8) {
        match (byte, self.coming) {
            (0xfe, _) => self.coming = Some(0),
            (0xff, Some(lit)) => (self.lit, self.coming) = (lit, None),
            (square, Some(lit)) => {
                let index = u32::from(square >> 4 & 7) * 8 + u32::from(square & 7);
                self.coming = Some(lit | 1 << index);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::{Color, Square};
    use arbiter_core::{SensorClass, Symbol};

    use super::super::Quirks;
    use super::*;

    fn board(now: Instant) -> Box<dyn Device> {
        let config = DeviceConfig {
            boot: 1,
            serial: String::new(),
            sensor: SensorClass::Colour,
            clock: false,
            polled: true,
            lamps: true,
            adjust: false,
            levels: false,
            pace: 1.0,
            scan_ms: 0,
            misread: 0,
            quirks: Quirks::default(),
            bench: None,
            squares: Reading::EMPTY,
        };
        echess(&config, now).expect("a board")
    }

    /// As its firmware does, which waits for nothing to come to rest.
    #[test]
    fn a_touch_of_a_tenth_of_a_second_is_told() {
        let start = Instant::now();
        let (mut board, mut frames) = (board(start), Vec::new());
        for ms in 0..1_000_u32 {
            let now = start + Duration::from_millis(u64::from(ms));
            let at = Moment { now, ms };
            let light = Symbol::Colour(Color::White);
            match ms {
                0 => board.receive(at, &[0xfe, 0xff]),
                500 => board.happen(at, &Report::Changes(vec![(Square::E2, light)])),
                600 => board.happen(at, &Report::Changes(vec![(Square::E2, Symbol::Empty)])),
                _ => {}
            }
            if board.next_wake().is_some_and(|wake| wake <= now) {
                board.wake(at);
            }
            frames.extend(board.next_frame(at).map(|frame| (ms, frame)));
        }
        let told: Vec<u32> = frames.iter().map(|(ms, _)| *ms).collect();
        let ms = SCAN.as_millis() as u32;
        assert_eq!(told, [ms, 500 + ms, 600 + ms]);
    }
}
