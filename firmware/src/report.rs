//! Settled readings in, frames of the native protocol out, at the right moments.
//!
//! `board_wire::Device` numbers evidence, keeps it for resending and answers the host. This room
//! decides *what* is evidence and *when* the board speaks unasked: square changes scan by scan,
//! presses by edge, heartbeats by the clock. Nothing here waits: the board's loop calls
//! [`Reporter::scan`] after each scan and [`Reporter::transmit`] whenever its line has room.

mod lines;

use board_wire::device::{Device, HEARTBEAT_AFTER_EVIDENCE_MS, Identity, heartbeat_after};
use board_wire::{Aside, ClockFace, Frame, Health, Side, Store, ToBoard};

pub use lines::{Controls, Squares};

/// Reports one board. `S` keeps the evidence for resending.
#[derive(Clone, Debug)]
pub struct Reporter<S> {
    device: Device<S>,
    /// As they were reported last; `None` before the first reading.
    squares: Option<Squares>,
    controls: Option<Controls>,
    heartbeat_at: u32,
    /// How long before that the last one was, or evidence.
    heartbeat_pause: u32,
    scanned_at: u32,
    late_after_ms: u32,
    /// The frame on its way out.
    sending: Frame,
    /// How many of its bytes are gone.
    sent: usize,
}

impl<S: Store> Reporter<S> {
    /// A board that has just started and has read nothing yet. A scan that comes more than
    /// `late_after_ms` milliseconds after the one before is counted as late: ten times the scan's
    /// period is a good choice.
    ///
    /// `controls` are those that the host was told of last, for a board that knows it over a
    /// restart; else `None`: a lever that is down or a button that is held at the first scan is no
    /// press then.
    #[inline]
    pub fn new(
        ring: S,
        identity: Identity,
        ms: u32,
        controls: Option<Controls>,
        late_after_ms: u32,
    ) -> Reporter<S> {
        Reporter {
            device: Device::unread(ring, identity),
            squares: None,
            controls,
            heartbeat_at: ms.wrapping_add(HEARTBEAT_AFTER_EVIDENCE_MS),
            heartbeat_pause: HEARTBEAT_AFTER_EVIDENCE_MS,
            scanned_at: ms,
            late_after_ms,
            sending: Frame::default(),
            sent: 0,
        }
    }

    /// Takes the debounced readings of one scan, made at `ms` on the board's clock, which may wrap.
    /// `None`: the squares have not been read yet.
    ///
    /// Squares are reported before presses: who lands a piece and presses within one scan has
    /// landed it first.
    pub fn scan(&mut self, ms: u32, squares: Option<Squares>, controls: Controls) {
        if ms.wrapping_sub(self.scanned_at) > self.late_after_ms {
            self.device.late_scan();
        }
        self.scanned_at = ms;
        let mut evidence = false;
        if let Some(new) =
            squares.filter(|new| self.squares.is_none_or(|old| new.differs(old) != 0))
        {
            self.squares = squares;
            self.device.scan(ms, &new.symbols());
            evidence = true;
        }
        let pressed = controls.pressed_since(self.controls.unwrap_or(controls));
        self.controls = Some(controls);
        for (control, side) in [
            (Controls::WHITE_PRESS, Side::White),
            (Controls::BLACK_PRESS, Side::Black),
        ] {
            if pressed.has(control) {
                self.device.press_by_clock(ms, side);
                evidence = true;
            }
        }
        for (control, side) in [
            (Controls::WHITE_ADJUST, Side::White),
            (Controls::BLACK_ADJUST, Side::Black),
        ] {
            if pressed.has(control) {
                self.device.adjust(ms, side);
                evidence = true;
            }
        }
        self.keep_alive(ms, evidence);
    }

    /// What the clock shows, where it tells that: presses carry its times from now on.
    pub fn clock(&mut self, face: ClockFace) {
        self.device.clock(face);
    }

    /// The lever lies so; nobody was seen to press it.
    pub fn lever_lies(&mut self, down: Side) {
        let controls = self.controls.unwrap_or_default();
        self.controls = Some(controls.with_lever_of(Controls::lever_down(down)));
    }

    /// A clock says that the lever was pressed: for one that tells that itself, in place of lines
    /// for its lever. Call it behind [`Reporter::scan`].
    pub fn lever_pressed(&mut self, ms: u32, by: Side) {
        self.lever_lies(by);
        self.device.press_by_clock(ms, by);
        self.keep_alive(ms, true);
    }

    /// How well the sensors work. Costs nothing when it is no news.
    pub fn health(&mut self, health: Health) {
        self.device.health(health);
    }

    /// Says this to a host that has asked, and whether there was room for it.
    pub fn say(&mut self, aside: Aside) -> bool {
        self.device.say(aside)
    }

    /// Heartbeats: soon after evidence, so that the loss of a last frame is noticed, then less
    /// often, and at last at a steady pace.
    fn keep_alive(&mut self, ms: u32, evidence: bool) {
        if evidence {
            self.heartbeat_pause = HEARTBEAT_AFTER_EVIDENCE_MS;
        } else if ms.wrapping_sub(self.heartbeat_at) < u32::MAX / 2 {
            self.heartbeat_pause = heartbeat_after(self.heartbeat_pause);
            self.device.heartbeat();
        } else {
            return;
        }
        self.heartbeat_at = ms.wrapping_add(self.heartbeat_pause);
    }

    /// Takes bytes from the host and obeys them. `told` hears every message afterwards.
    pub fn receive(&mut self, ms: u32, bytes: &[u8], told: impl FnMut(ToBoard)) {
        self.device.receive(ms, bytes, told);
    }

    /// Hands out what is to be sent. `write` takes as many bytes as it has room for and says how
    /// many; when it takes none, the rest waits for the next call.
    ///
    /// # Errors
    /// Whatever `write` returns; the bytes it was offered are offered again.
    pub fn transmit<E>(
        &mut self,
        ms: u32,
        mut write: impl FnMut(&[u8]) -> Result<usize, E>,
    ) -> Result<(), E> {
        loop {
            while self.sent < self.sending.as_bytes().len() {
                let taken = write(&self.sending.as_bytes()[self.sent..])?;
                self.sent += taken;
                if taken == 0 {
                    return Ok(());
                }
            }
            if !self.device.fill(ms, &mut self.sending) {
                return Ok(());
            }
            self.sent = 0;
        }
    }

    /// Whether every byte of evidence has been handed out.
    pub fn is_drained(&self) -> bool {
        self.sent == self.sending.as_bytes().len() && self.device.is_drained()
    }

    /// The controls as they were reported last.
    pub fn controls(&self) -> Option<Controls> {
        self.controls
    }

    /// The lamps the host wants lit: bit 0 is a1.
    pub fn lamps(&self) -> u64 {
        self.device.lamps()
    }
}

#[cfg(test)]
mod tests;
