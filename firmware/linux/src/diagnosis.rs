//! What is wrong with a board, in words that name the device and say what to do.

use std::path::Path;

use board_wire::{Health, Trouble, TroubleCode};
use firmware::scan::Refusal;

use crate::config::Sensors;

/// The squares of a mask: `a1 b1 c1`.
pub fn squares(mask: u64) -> String {
    let names = (0..64).filter(|n| mask >> n & 1 == 1).map(|n| {
        let (file, rank) = ((b'a' + n % 8) as char, n / 8 + 1);
        format!("{file}{rank}")
    });
    names.collect::<Vec<_>>().join(" ")
}

/// Why a calibration was not made, and what to do. The zeros are the old ones.
pub fn refusal(refusal: Refusal) -> String {
    match refusal {
        Refusal::Unread => {
            "these sensors know only open and closed, or could not be read".to_owned()
        }
        Refusal::Occupied(mask) => format!(
            "{} read too far from their zeros: take all pieces and everything magnetic away; if \
             the sensors are other ones, delete the old zeros first",
            squares(mask)
        ),
        Refusal::Implausible(mask) => format!(
            "{}: no empty square reads so; take all pieces away, or look at these sensors",
            squares(mask)
        ),
        Refusal::NotAllowed => "a host on the network asked for it: allow it on this computer \
             with `sensor-board --config FILE --allow-calibration`"
            .to_owned(),
    }
}

/// What is wrong, in one line; `None` when all is well. `error` is what the last scan that failed
/// said.
pub fn fault(health: &Health, sensors: &Sensors, error: &str) -> Option<String> {
    let mut told = Vec::new();
    if health.trouble != Trouble::NONE {
        told.push(trouble(health.trouble, sensors, error));
    }
    if health.stuck != 0 {
        told.push(format!("cannot be read: {}", squares(health.stuck)));
    }
    if health.unsteady != 0 {
        told.push(format!(
            "chatter: {} (look at these sensors and their magnets)",
            squares(health.unsteady)
        ));
    }
    (!told.is_empty()).then(|| told.join("; "))
}

fn trouble(Trouble { code, part }: Trouble, sensors: &Sensors, error: &str) -> String {
    let device = sensors.device().display();
    match code {
        TroubleCode::MISSING => error.to_owned(),
        TroubleCode::NO_ANSWER => format!(
            "no MCP23017 answers at {part:#04x} on {device}{}: check its power, RESET, SDA, SCL \
             and A0 to A2; {}",
            ranks(part, sensors),
            i2cdetect(sensors.device())
        ),
        TroubleCode::WRONG_DEVICE => format!(
            "what answers at {part:#04x} on {device} is no MCP23017{}: correct `addresses`, or \
             the chip's A0 to A2; {}",
            ranks(part, sensors),
            i2cdetect(sensors.device())
        ),
        TroubleCode::BROKEN_CHAIN => format!(
            "the chain of 74HC165 on {device} is broken ({part:#04x} came in place of its tail): \
             check MISO, SCLK, PL, the power of every chip, and `tail`"
        ),
        TroubleCode::CONVERTER => {
            format!(
                "the MCP3208 on {device} does not answer for channel {part}: check its power, \
                 MISO, MOSI, SCLK and CS"
            )
        }
        TroubleCode::NOT_CALIBRATED => "the sensors' zeros are not known: \
             clear the board and run `sensor-board --config FILE --calibrate`"
            .to_owned(),
        TroubleCode::PIN => format!("{error}: check [gpio] and the lines' numbers"),
        TroubleCode::BUS if error.is_empty() => format!(
            "transfers on {device} fail{}: check its wires and, on I2C, its pull-up resistors",
            ranks(part, sensors)
        ),
        _ => format!("{device}: {error}"),
    }
}

/// Which squares the port expander at an address reads.
fn ranks(address: u8, sensors: &Sensors) -> String {
    let Sensors::Expanders(config) = sensors else {
        return String::new();
    };
    let chip = config
        .addresses
        .as_slice()
        .iter()
        .position(|known| *known == address);
    match chip {
        None => String::new(),
        Some(4) => " (the h-file)".to_owned(),
        Some(chip) => format!(" (ranks {} and {})", 2 * chip + 1, 2 * chip + 2),
    }
}

/// Buses are named `/dev/i2c-1`.
fn i2cdetect(bus: &Path) -> String {
    let name = bus.to_string_lossy();
    let number = name.rsplit_once('-').map_or("1", |(_, number)| number);
    format!("`i2cdetect -y {number}` shows who answers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn expanders() -> Sensors {
        let text =
            "serial-number = \"1\"\nserve.pty = \"x\"\n[expanders]\ndevice = \"/dev/i2c-1\"\n";
        text.parse::<Config>().unwrap().sensors
    }

    #[test]
    fn trouble_names_the_device_and_what_to_do() {
        let health = Health {
            stuck: 0xffff << 16,
            trouble: Trouble::new(TroubleCode::NO_ANSWER, 0x21),
            ..Health::default()
        };
        let told = fault(&health, &expanders(), "").unwrap();
        assert!(
            told.starts_with(
                "no MCP23017 answers at 0x21 on /dev/i2c-1 (ranks 3 and 4): check its power"
            ),
            "{told}"
        );
        assert!(
            told.contains("`i2cdetect -y 1`")
                && told
                    .ends_with("cannot be read: a3 b3 c3 d3 e3 f3 g3 h3 a4 b4 c4 d4 e4 f4 g4 h4")
        );
    }

    #[test]
    fn a_board_that_is_well_has_nothing_to_say() {
        assert_eq!(
            fault(
                &Health {
                    failed_scans: 7,
                    ..Health::default()
                },
                &expanders(),
                "old"
            ),
            None
        );
        let chatters = Health {
            unsteady: 1 << 63 | 1,
            ..Health::default()
        };
        assert!(
            fault(&chatters, &expanders(), "")
                .unwrap()
                .starts_with("chatter: a1 h8 ")
        );
    }
}
