//! The way to the boot loader of a native board: who is there, what its firmware calls itself, and
//! the two requests that start the loader. Firmware is exchanged with nobody else on the line.

use std::time::Duration;

use board_wire::{Capabilities, FromBoard, ToBoard};

use crate::fault::FaultReason;
use crate::protocol::Native;
use crate::talk::Talk;
use crate::transport::{self, PortSpec};

/// A board answers within this time.
const ANSWER: Duration = Duration::from_secs(1);
/// A host asks again after this time.
const AGAIN: Duration = Duration::from_millis(150);
/// So often.
const TIMES: usize = 20;
/// A board that is in its boot loader has left its line after this time.
const GONE: Duration = Duration::from_secs(3);

/// A native board that has said who it is, on a line of its own.
pub struct Met {
    talk: Talk,
    nonce: u32,
    /// Its serial number.
    pub serial: String,
    /// What its firmware calls itself, where it says that.
    pub firmware: Option<String>,
    /// Whether its boot loader starts when it is asked for.
    pub has_loader: bool,
}

/// Opens the port and asks who is there.
///
/// # Errors
/// When the port cannot be opened, or nobody answers in the native protocol's second version.
pub async fn meet(port: &PortSpec, baud: u32) -> Result<Met, FaultReason> {
    let mut talk = Talk::new(transport::connect(port, baud, &[]).await?);
    // Another one each time: what lies in the line answers somebody else.
    let nonce = Native::seed().max(1);
    let mut hello = None;
    talk.write(&[0]).await;
    for _ in 0..TIMES {
        talk.say(ToBoard::RequestHello { nonce: Some(nonce) }).await;
        hello = talk
            .hear(AGAIN, |heard| match heard.message {
                FromBoard::Hello(hello) => (hello.nonce == Some(nonce)).then_some(hello),
                _ => None,
            })
            .await;
        if hello.is_some() || talk.ended.is_some() {
            break;
        }
    }
    let hello = hello.ok_or(FaultReason::NoAnswer)?;
    talk.say(ToBoard::RequestFirmware).await;
    let name = |heard: &crate::talk::Heard| match &heard.message {
        FromBoard::Firmware { firmware, .. } => Some(firmware.as_str().to_owned()),
        _ => None,
    };
    Ok(Met {
        firmware: talk.hear(ANSWER, name).await,
        talk,
        nonce,
        serial: hello.serial.as_str().to_owned(),
        has_loader: hello.capabilities.has(Capabilities::LOADER),
    })
}

impl Met {
    /// Has the boot loader start; whether the board has left its line since. A line that another
    /// device keeps open, as a UART, does not tell.
    ///
    /// # Errors
    /// When the board does not answer the first request.
    pub async fn start_loader(mut self) -> Result<bool, FaultReason> {
        let nonce = self.nonce;
        self.talk.say(ToBoard::StartLoader { nonce }).await;
        let number = |heard: &crate::talk::Heard| match heard.message {
            FromBoard::Loader { nonce, .. } => Some(nonce),
            _ => None,
        };
        let nonce = self.talk.hear(ANSWER, number).await;
        let nonce = nonce.ok_or(FaultReason::NoAnswer)?;
        self.talk.say(ToBoard::StartLoader { nonce }).await;
        let _never = self.talk.hear(GONE, |_| None::<()>).await;
        Ok(self.talk.ended.is_some())
    }
}
