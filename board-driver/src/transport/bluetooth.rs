//! Boards on Bluetooth LE, by way of BlueZ: a characteristic that is written and one that notifies
//! are a line like any other.
//!
//! Which characteristics those are is told by their UUIDs ([`Uart`]).
//!
//! No board on Bluetooth LE has been seen here: this compiles, and is untested.

use std::io;
use std::pin::Pin;
use std::str::FromStr;
use std::task::{Context, Poll};
use std::time::Duration;

use bluer::gatt::remote::{Characteristic, CharacteristicWriteRequest};
use bluer::gatt::{CharacteristicReader, CharacteristicWriter, WriteOp};
use bluer::{Adapter, Address, Device, Session, Uuid};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::timeout;

use super::{Line, Uart};
use crate::fault::FaultReason;

/// How long a board may take to be found, connected and described.
const PATIENCE: Duration = Duration::from_secs(20);

/// Between two looks for the board.
const LOOK: Duration = Duration::from_millis(250);

/// Connects to the board with this address.
///
/// # Errors
/// Why it cannot be connected.
pub(super) async fn open(address: &str, uarts: &[Uart]) -> Result<Box<dyn Line>, FaultReason> {
    let port = || format!("bluetooth:{address}");
    let wrong = |error: String| FaultReason::CannotOpen {
        port: port(),
        error,
    };
    let target = Address::from_str(address)
        .map_err(|_| wrong("no address such as AA:BB:CC:DD:EE:FF".to_owned()))?;
    match timeout(PATIENCE, connect(target, uarts)).await {
        Ok(Ok(Some(line))) => Ok(Box::new(line)),
        Ok(Ok(None)) => Err(wrong(
            "the device has no serial line that is known here".to_owned(),
        )),
        Ok(Err(error)) => Err(wrong(error.to_string())),
        Err(_) => Err(FaultReason::NoSuchPort { port: port() }),
    }
}

async fn connect(address: Address, uarts: &[Uart]) -> bluer::Result<Option<Open>> {
    let session = Session::new().await?;
    let adapter = session.default_adapter().await?;
    adapter.set_powered(true).await?;
    let device = find(&adapter, address).await?;
    if !device.is_connected().await? {
        device.connect().await?;
    }
    let mut known = Vec::new();
    for service in device.services().await? {
        for characteristic in service.characteristics().await? {
            known.push((characteristic.uuid().await?, characteristic));
        }
    }
    let by_uuid = |text: &str| -> Option<&Characteristic> {
        let uuid = Uuid::parse_str(text).ok()?;
        known
            .iter()
            .find(|(known, _)| *known == uuid)
            .map(|(_, characteristic)| characteristic)
    };
    for &Uart { write, notify } in uarts {
        if let (Some(write), Some(notify)) = (by_uuid(write), by_uuid(notify)) {
            let reader = notify.notify_io().await?;
            let writer = writer(write).await?;
            return Ok(Some(Open {
                reader,
                writer,
                _device: device,
            }));
        }
    }
    Ok(None)
}

/// The device, as soon as it is in reach.
async fn find(adapter: &Adapter, address: Address) -> bluer::Result<Device> {
    // The search ends when this is dropped.
    let _search = adapter.discover_devices().await?;
    loop {
        if adapter.device_addresses().await?.contains(&address) {
            return adapter.device(address);
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// A stream where the device has one, else single writes gathered into one.
async fn writer(characteristic: &Characteristic) -> bluer::Result<Writer> {
    match characteristic.write_io().await {
        Ok(stream) => Ok(Writer::Stream(stream)),
        Err(_) => Ok(Writer::Single(characteristic.clone(), None)),
    }
}

enum Writer {
    Stream(CharacteristicWriter),
    Single(Characteristic, Option<Write>),
}

/// A write on its way.
type Write = Pin<Box<dyn Future<Output = bluer::Result<usize>> + Send>>;

/// A board's line.
struct Open {
    reader: CharacteristicReader,
    writer: Writer,
    /// The connection lasts as long as this.
    _device: Device,
}

/// The shortest packet that every device takes.
const PACKET: usize = 20;

impl Line for Open {}

impl AsyncRead for Open {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.reader).poll_read(cx, buf)
    }
}

impl AsyncWrite for Open {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.writer {
            Writer::Stream(stream) => {
                let most = stream.mtu().min(buf.len());
                Pin::new(stream).poll_write(cx, &buf[..most])
            }
            Writer::Single(characteristic, pending) => {
                let write = pending.get_or_insert_with(|| write(characteristic.clone(), buf));
                let written = std::task::ready!(write.as_mut().poll(cx));
                *pending = None;
                Poll::Ready(written.map_err(io::Error::other))
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Writes one packet, and says how long it was.
fn write(characteristic: Characteristic, bytes: &[u8]) -> Write {
    let packet = bytes[..bytes.len().min(PACKET)].to_vec();
    Box::pin(async move {
        let request = CharacteristicWriteRequest {
            op_type: WriteOp::Request,
            ..Default::default()
        };
        characteristic
            .write_ext(&packet, &request)
            .await
            .map(|()| packet.len())
    })
}
