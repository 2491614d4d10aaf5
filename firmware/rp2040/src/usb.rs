//! The serial port on USB (class CDC-ACM), which every system has a driver for.

use cortex_m::singleton;
use rp2040_hal::usb::UsbBus;
use usb_device::UsbError;
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{
    StringDescriptors, UsbDevice, UsbDeviceBuilder, UsbDeviceState, UsbVidPid,
};
use usbd_serial::{SerialPort, USB_CLASS_CDC};

/// Raspberry Pi's, for whatever runs on an RP2040 and is a serial port and nothing else; its texts
/// and its serial number say which: <https://github.com/raspberrypi/usb-pid>.
const IDS: UsbVidPid = UsbVidPid(0x2e8a, 0x000a);

/// What the board takes of the port at most, in milliamperes, as `docs/hardware.md` adds it up
/// ("Power"): the Pico, the pull-ups of a chain with 64 pieces on it, 64 lamps. Hall sensors have a
/// supply of their own. An odd number would be told as one less.
const POWER_MA: usize =
    50 + if cfg!(feature = "shift-register") {
        22
    } else {
        2
    } + if cfg!(feature = "lamps") { 86 } else { 0 };

/// The most that one packet carries at full speed.
pub(crate) const PACKET: usize = 64;

/// The most that one packet to the host carries. The longer it is, the likelier it is cut at the
/// end of a frame behind the USB chip of a Raspberry Pi 4, and that can stop the RP2040's USB for
/// good (erratum RP2040-E15).
const TO_HOST: usize = 48;

/// The board's end of the cable.
pub(crate) struct Usb {
    device: UsbDevice<'static, UsbBus>,
    port: SerialPort<'static, UsbBus, [u8; PACKET], [u8; TO_HOST]>,
}

impl Usb {
    /// A device that the host sees from now on, with this serial number. `None` when there is one
    /// already; the texts are not refused.
    #[inline(never)]
    #[expect(
        clippy::mut_from_ref,
        reason = "the name is no part of what is returned"
    )]
    pub(crate) fn start(bus: UsbBus, serial: &'static str) -> Option<&'static mut Usb> {
        let bus: &'static UsbBusAllocator<UsbBus> =
            singleton!(: UsbBusAllocator<UsbBus> = UsbBusAllocator::new(bus))?;
        let port = SerialPort::new_with_store(bus, [0; PACKET], [0; TO_HOST]);
        let texts = StringDescriptors::default()
            .manufacturer("Electronic arbiter")
            .product("Chess sensor board")
            .serial_number(serial);
        let device = UsbDeviceBuilder::new(bus, IDS)
            .strings(&[texts])
            .ok()?
            .max_packet_size_0(64)
            .ok()?
            .max_power(POWER_MA)
            .ok()?;
        let device = device.device_class(USB_CLASS_CDC).build();
        singleton!(: Usb = Usb { device, port })
    }

    /// Does what the host wants, and returns how many bytes it sent of those that fit.
    #[inline(never)]
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> usize {
        if self.device.poll(&mut [&mut self.port]) {
            self.port.read(bytes).unwrap_or(0)
        } else {
            0
        }
    }

    /// Takes as many bytes as there is room for, and says how many: none while no host has
    /// configured the device.
    #[inline(never)]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<usize, UsbError> {
        if self.device.state() != UsbDeviceState::Configured {
            return Ok(0);
        }
        match self.port.write(bytes) {
            Err(UsbError::WouldBlock) => Ok(0),
            written => written,
        }
    }
}
