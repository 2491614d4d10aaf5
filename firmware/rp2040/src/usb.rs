//! The serial port on USB (class CDC-ACM), which every system has a driver for.

use cortex_m::singleton;
use rp2040_hal::usb::UsbBus;
use usb_device::UsbError;
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{
    StringDescriptors, UsbDevice, UsbDeviceBuilder, UsbDeviceState, UsbVidPid,
};
use usbd_serial::{SerialPort, USB_CLASS_CDC};

/// Shared by its owner for CDC-ACM devices that name themselves by their texts:
/// <https://github.com/obdev/v-usb/blob/master/usbdrv/USB-IDs-for-free.txt>.
const IDS: UsbVidPid = UsbVidPid(0x16c0, 0x27dd);

/// The most that one packet carries at full speed.
pub(crate) const PACKET: usize = 64;

/// The board's end of the cable.
pub(crate) struct Usb {
    device: UsbDevice<'static, UsbBus>,
    port: SerialPort<'static, UsbBus, [u8; PACKET], [u8; PACKET]>,
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
        let port = SerialPort::new_with_store(bus, [0; PACKET], [0; PACKET]);
        let texts = StringDescriptors::default()
            .manufacturer("Electronic arbiter")
            .product("Chess sensor board")
            .serial_number(serial);
        let device = UsbDeviceBuilder::new(bus, IDS)
            .strings(&[texts])
            .ok()?
            .max_packet_size_0(64)
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
