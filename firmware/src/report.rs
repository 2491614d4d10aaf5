//! Settled readings in, frames of the native protocol out, at the right moments.
//!
//! `board_wire::Device` numbers evidence, keeps it for resending and answers the host. This room decides *what* is evidence
//! and *when* the board speaks unasked: square changes scan by scan, presses by edge, heartbeats by the clock. Nothing here
//! waits: the board's loop calls [`Reporter::scan`] after each scan and [`Reporter::transmit`] whenever its line has room.

mod lines;

use board_wire::device::{Device, HEARTBEAT_AFTER_EVIDENCE_MS, HEARTBEAT_MS, Identity};
use board_wire::{Frame, Side, ToBoard};

pub use lines::{Controls, Squares};

/// Reports one board. `RING` is the number of bytes in which evidence is kept for resending.
#[derive(Clone, Debug)]
pub struct Reporter<const RING: usize> {
    device: Device<RING>,
    squares: Squares,
    controls: Controls,
    heartbeat_at: u32,
    scanned_at: u32,
    late_after_ms: u32,
    /// The frame on its way out, and how many of its bytes are gone.
    sending: Option<(Frame, usize)>,
}

impl<const RING: usize> Reporter<RING> {
    /// A board that has just started, with its first settled readings. A lever that is down or a button that is held at this
    /// moment is no press. A scan that comes more than `late_after_ms` milliseconds after the one before is counted as late: ten
    /// times the scan's period is a good choice.
    pub fn new(
        identity: Identity,
        ms: u32,
        squares: Squares,
        controls: Controls,
        late_after_ms: u32,
    ) -> Reporter<RING> {
        Reporter {
            device: Device::new(identity, ms, squares.symbols()),
            squares,
            controls,
            heartbeat_at: ms.wrapping_add(HEARTBEAT_AFTER_EVIDENCE_MS),
            scanned_at: ms,
            late_after_ms,
            sending: None,
        }
    }

    /// Takes the settled readings of one scan, made at `ms` on the board's clock, which may wrap.
    ///
    /// Squares are reported before presses: who lands a piece and presses within one scan has landed it first.
    pub fn scan(&mut self, ms: u32, squares: Squares, controls: Controls) {
        if ms.wrapping_sub(self.scanned_at) > self.late_after_ms {
            self.device.late_scan();
        }
        self.scanned_at = ms;
        let mut evidence = squares.differs(self.squares) != 0;
        if evidence {
            self.squares = squares;
            self.device.scan(ms, &squares.symbols());
        }
        let pressed = controls.pressed_since(self.controls);
        self.controls = controls;
        for (control, side) in [(Controls::WHITE_PRESS, Side::White), (Controls::BLACK_PRESS, Side::Black)] {
            if pressed.has(control) {
                self.device.press(ms, side, None, None);
                evidence = true;
            }
        }
        for (control, side) in [(Controls::WHITE_ADJUST, Side::White), (Controls::BLACK_ADJUST, Side::Black)] {
            if pressed.has(control) {
                self.device.adjust(ms, side);
                evidence = true;
            }
        }
        self.keep_alive(ms, evidence);
    }

    /// Heartbeats: soon after evidence, so that the loss of a last frame is noticed, then at a steady pace.
    fn keep_alive(&mut self, ms: u32, evidence: bool) {
        if evidence {
            self.heartbeat_at = ms.wrapping_add(HEARTBEAT_AFTER_EVIDENCE_MS);
        } else if ms.wrapping_sub(self.heartbeat_at) < u32::MAX / 2 {
            self.heartbeat_at = ms.wrapping_add(HEARTBEAT_MS);
            self.device.heartbeat();
        }
    }

    /// Takes bytes from the host and obeys them. `told` hears every message afterwards.
    pub fn receive(&mut self, ms: u32, bytes: &[u8], told: impl FnMut(ToBoard)) {
        self.device.receive(ms, bytes, told);
    }

    /// Hands out what is to be sent. `write` takes as many bytes as it has room for and says how many; when it takes none, the
    /// rest waits for the next call.
    ///
    /// # Errors
    /// Whatever `write` returns; the bytes it was offered are offered again.
    pub fn transmit<E>(&mut self, ms: u32, mut write: impl FnMut(&[u8]) -> Result<usize, E>) -> Result<(), E> {
        while let Some((frame, gone)) = self.sending.take().or_else(|| Some((self.device.next_frame(ms)?, 0))) {
            let bytes = &frame.as_bytes()[gone..];
            let taken = write(bytes);
            let taken_now = *taken.as_ref().unwrap_or(&0);
            if taken_now < bytes.len() {
                self.sending = Some((frame, gone + taken_now));
            }
            if taken? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// The lamps the host wants lit: bit 0 is a1.
    pub fn lamps(&self) -> u64 {
        self.device.lamps()
    }
}

#[cfg(test)]
mod tests;
