//! The board's loop: scan, listen, speak, light lamps.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use board_wire::{Ring, ToBoard};
use embedded_hal::digital::InputPin;
use embedded_hal::spi::SpiDevice;
use firmware::board::Board;

use crate::board::{identity, settings};
use crate::config::Config;
use crate::diagnosis;
use crate::hardware::{Attached, OpenError, Squares, Wired};
use crate::line::Line;
use crate::monitor::Monitor;
use crate::state::Store;
use crate::ticker::Ticker;

/// Bytes in which evidence is kept for resending: some four thousand changes, an evening's.
pub const RING: usize = 64 * 1024;

/// How long the last evidence may take to leave when the program ends.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);

/// Serves until `stop` is set.
pub fn serve<S, Pin, Spi, Open>(
    config: &Config,
    store: &Store,
    open: Open,
    line: &mut dyn Line,
    monitor: &mut Monitor,
    stop: &AtomicBool,
) where
    S: Squares,
    Pin: InputPin,
    Spi: SpiDevice,
    Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
{
    let mut board: Board<Ring<RING>> = Board::new(
        identity(config, store.next_boot(), S::SENSOR),
        0,
        settings(config),
        store.controls(),
    );
    let mut hardware = Attached::new(open);
    let mut ticker = Ticker::new(config.rate.hertz());
    let mut calibrated = false;
    monitor.begin(line);
    let mut drain_until = None;
    loop {
        let ms = ticker.wait();
        let controls = hardware.controls();
        board.scan(ms, &mut hardware, controls);
        let is_network = line.is_network();
        line.receive(&mut |bytes| {
            // Whoever is on the network could else take a board's senses from it.
            hardware.lock_zeros(is_network && !store.may_calibrate());
            board.receive(ms, bytes, &mut hardware, |_, order| {
                calibrated |= order == ToBoard::Calibrate
            });
        });
        if line.hosts() != Some(0) {
            let Ok(()) = board.transmit(ms, |bytes| Ok::<_, Infallible>(line.send(bytes)));
        }
        hardware.show(board.lamps());
        let refusal = hardware.take_refusal();
        if let Some(refusal) = refusal {
            tracing::warn!("not calibrated: {}", diagnosis::refusal(refusal));
        }
        if std::mem::take(&mut calibrated) && refusal.is_none() {
            keep_zeros(store, &hardware);
        }
        monitor.scanned(ms, &board.health(), &hardware, line);
        // What was seen before the end is told before the end.
        if stop.load(Ordering::Relaxed) {
            let until = *drain_until.get_or_insert_with(|| Instant::now() + DRAIN_TIMEOUT);
            if line.hosts() == Some(0) || board.is_drained() || Instant::now() >= until {
                break;
            }
        }
    }
    if let Some(controls) = board.controls() {
        store.keep_controls(controls);
    }
    hardware.show(0);
    monitor.end();
}

/// Keeps the zeros that the sensors were given.
fn keep_zeros(store: &Store, squares: &impl Squares) {
    let Some(zeros) = squares.zeros() else { return };
    store.end_leave();
    match store.keep_zeros(&zeros) {
        Ok(()) => tracing::info!("calibrated; the zeros are kept in {}", store.path("zeros")),
        Err(e) => tracing::error!("{}: the new zeros cannot be kept: {e}", store.path("zeros")),
    }
}
