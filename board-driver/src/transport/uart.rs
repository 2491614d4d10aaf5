//! Serial lines over Bluetooth LE.
//!
//! Sources: Nordic's and Microchip's public service descriptions; `Klepvink/CircleOn` and
//! `ornicar/chesslink` on GitHub.

/// The two characteristics that make a serial line, by their UUIDs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uart {
    /// The one that is written.
    pub write: &'static str,
    /// The one that notifies.
    pub notify: &'static str,
}

/// Nordic's UART service: an ESP32 or an nRF.
pub const NORDIC: Uart = Uart {
    write: "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
    notify: "6e400003-b5a3-f393-e0a9-e50e24dcca9e",
};

/// Microchip's transparent UART.
pub const MICROCHIP: Uart = Uart {
    write: "49535343-8841-43f4-a8d4-ecbe34729bb3",
    notify: "49535343-1e4d-4bd9-ba61-23c647249616",
};
