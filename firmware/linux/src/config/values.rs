//! Single values: what is usual, what is allowed, how they are written.

use board_wire::Serial;
use firmware::debounce::Depth;
use firmware::scan::{Active, Polarity, Tail};
use serde::{Deserialize, Deserializer, de};

/// The addresses of port expanders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addresses {
    /// Of four chips.
    Four([u8; 4]),
    /// Of five.
    Five([u8; 5]),
}

impl Addresses {
    /// All of them.
    pub fn as_slice(&self) -> &[u8] {
        match self {
            Addresses::Four(chips) => chips,
            Addresses::Five(chips) => chips,
        }
    }
}

pub(super) fn two_megahertz() -> u32 {
    2_000_000
}

pub(super) fn one_megahertz() -> u32 {
    1_000_000
}

pub(super) fn lowers() -> Polarity {
    Polarity::Lowers
}

pub(super) fn usual_addresses() -> Addresses {
    Addresses::Four([0x20, 0x21, 0x22, 0x23])
}

pub(super) fn low() -> Active {
    Active::Low
}

pub(super) fn high() -> Active {
    Active::High
}

/// `low` or `high`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Low,
    High,
}

pub(super) fn active<'de, D: Deserializer<'de>>(from: D) -> Result<Active, D::Error> {
    Level::deserialize(from).map(|level| match level {
        Level::Low => Active::Low,
        Level::High => Active::High,
    })
}

/// `lowers` or `raises`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Lowers,
    Raises,
}

pub(super) fn polarity<'de, D: Deserializer<'de>>(from: D) -> Result<Polarity, D::Error> {
    Direction::deserialize(from).map(|direction| match direction {
        Direction::Lowers => Polarity::Lowers,
        Direction::Raises => Polarity::Raises,
    })
}

/// `low`, `high` or `fed`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum End {
    Low,
    High,
    Fed,
}

pub(super) fn tail<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Tail>, D::Error> {
    End::deserialize(from).map(|end| match end {
        End::Low => Some(Tail::Low),
        End::High => Some(Tail::High),
        End::Fed => Some(Tail::Fed),
    })
}

pub(super) fn depth<'de, D: Deserializer<'de>>(from: D) -> Result<Depth, D::Error> {
    let scans = u8::deserialize(from)?;
    Depth::new(scans).ok_or_else(|| de::Error::custom(format!("{scans} scans; write 1 to 15")))
}

pub(super) fn serial_number<'de, D: Deserializer<'de>>(from: D) -> Result<Serial, D::Error> {
    let text = String::deserialize(from)?;
    Serial::new(text.as_bytes())
        .filter(|_| !text.is_empty())
        .ok_or_else(|| {
            de::Error::custom(format!(
                "`{text}` is no serial number: 1 to 32 printable ASCII characters"
            ))
        })
}

/// An MCP23017 answers at 0x20 to 0x27 (data sheet DS20001952, section 3.3.1).
pub(super) fn addresses<'de, D: Deserializer<'de>>(from: D) -> Result<Addresses, D::Error> {
    let found = Vec::<u8>::deserialize(from)?;
    for (n, address) in found.iter().enumerate() {
        if !(0x20..=0x27).contains(address) {
            return Err(de::Error::custom(format!(
                "{address:#04x} is no address of an MCP23017: 0x20 to 0x27"
            )));
        }
        if found[..n].contains(address) {
            return Err(de::Error::custom(format!(
                "address {address:#04x} is given twice"
            )));
        }
    }
    let four = <[u8; 4]>::try_from(&found[..]).map(Addresses::Four);
    four.or_else(|_| <[u8; 5]>::try_from(&found[..]).map(Addresses::Five))
        .map_err(|_| {
            de::Error::custom(format!(
                "{} addresses; a board has four or five MCP23017",
                found.len()
            ))
        })
}
