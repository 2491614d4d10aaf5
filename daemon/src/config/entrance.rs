//! Who is let in to the console, and how: the keys of `[http]` that are about people and TLS.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::sheet::{Found, Section, Sheet};
use crate::tls::{Source, Tls, TlsError};

/// Where the daemon keeps the certificates that it makes, in the store's directory.
const MADE: &str = "tls";
/// The longest after which a device is asked for its PIN: half a day, in minutes.
const LONGEST_PIN: u64 = 720;
/// The longest that the public may be behind: two hours, in seconds.
const LONGEST_DELAY: u64 = 7200;

/// Who is let in, and how. On the loopback address nobody is asked, unless it is said otherwise;
/// on any other, everybody is, over TLS.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entrance {
    /// Whether people are asked who they are; `None`: where the network can reach the address.
    pub people: Option<bool>,
    /// Whether the console speaks TLS; `None`: where people are asked.
    pub tls: Option<bool>,
    /// The organiser's own certificate and its key.
    pub files: Option<(PathBuf, PathBuf)>,
    /// How much later than the arbiters the public sees the boards.
    pub delay: Duration,
    /// Proxies that are believed whom they speak for, and whether they were asked over TLS.
    pub proxies: Vec<IpAddr>,
    /// Paired devices with which one may rule have a PIN, and are asked for it after so long
    /// without an order; `None`: they have none.
    pub device_pin: Option<Duration>,
    /// Where the meters are read without being asked who one is, by programs of this machine.
    pub metrics: Option<SocketAddr>,
    /// The command line says that the network may come as it is.
    pub insecure: bool,
}

impl Entrance {
    /// Whether people are asked who they are.
    pub fn required(&self, address: SocketAddr) -> bool {
        self.people
            .unwrap_or(!address.ip().is_loopback() && !self.insecure)
    }

    fn is_tls(&self, address: SocketAddr) -> bool {
        let usual = self.files.is_some() || self.required(address);
        self.tls.unwrap_or(usual)
    }

    /// What is not safe at `address`, though the command line has said that it may be so.
    pub fn warning(&self, address: SocketAddr) -> Option<&'static str> {
        if address.ip().is_loopback() {
            None
        } else if !self.required(address) {
            Some(
                "INSECURE: whoever reaches this address rules on every game, and is asked for \
                 nothing (--insecure-network). Put a proxy before it that asks for passwords",
            )
        } else if !self.is_tls(address) {
            Some(
                "INSECURE: passwords and sessions cross the network as they are (`tls = \"off\"` \
                 with --insecure-network): whoever listens can rule. Leave `tls` out, or put a \
                 proxy before it that speaks TLS",
            )
        } else {
            None
        }
    }

    /// Where the certificate comes from; `None` where there is no TLS.
    pub fn source(&self, address: SocketAddr, names: &[String], dir: &Path) -> Option<Source> {
        if !self.is_tls(address) {
            return None;
        }
        Some(match self.files.clone() {
            Some((cert, key)) => Source::Files { cert, key },
            None => Source::Made {
                dir: dir.join(MADE),
                names: names.to_vec(),
                listen: address.ip(),
            },
        })
    }

    /// Whether the certificate that was given can be used, and its key fits it.
    ///
    /// # Errors
    /// Where they cannot.
    pub fn check(&self) -> Result<(), TlsError> {
        let Some((cert, key)) = self.files.clone() else {
            return Ok(());
        };
        Tls::start(Source::Files { cert, key }).map(drop)
    }

    /// Why it is not safe to serve at `address`, and what to do.
    pub fn complaint(&self, address: SocketAddr) -> Option<&'static str> {
        if address.ip().is_loopback() || self.insecure {
            None
        } else if !self.required(address) {
            Some(
                "the network can reach that, and `people = \"open\"` asks nobody who he is: leave \
                it out, or start with --insecure-network if a proxy of yours asks",
            )
        } else if !self.is_tls(address) {
            Some(
                "the network can reach that, and `tls = \"off\"` sends passwords as they are: \
                leave it out, or start with --insecure-network behind a proxy of yours",
            )
        } else {
            None
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Asked {
    Open,
    Required,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Switch {
    On,
    Off,
}

/// Reads the keys.
pub(super) fn entrance<'t>(sheet: &mut Sheet<'t>, http: &mut Section<'t>, base: &Path) -> Entrance {
    let people = sheet.take::<Asked>(http, "people");
    let tls = sheet.take::<Switch>(http, "tls");
    let cert = sheet.take::<PathBuf>(http, "tls-cert");
    let key = sheet.take::<PathBuf>(http, "tls-key");
    let delay = sheet.take::<u64>(http, "public-delay");
    let proxies = sheet.take_or::<Vec<IpAddr>>(http, "proxies", Vec::new());
    let device_pin = sheet.take::<u64>(http, "device-pin");
    if let Some(Found { value, line }) = &device_pin
        && !(1..=LONGEST_PIN).contains(value)
    {
        let what = format!("{value} is not between 1 and {LONGEST_PIN} minutes");
        sheet.blame(*line, "http.device-pin", what);
    }
    let metrics = metrics(sheet, http);
    let files = match (cert, key) {
        (Some(cert), Some(key)) => Some((base.join(cert.value), base.join(key.value))),
        (None, None) => None,
        (Some(Found { line, .. }), None) => {
            sheet.blame(
                line,
                "http.tls-cert",
                "needs its key: give `tls-key` as well",
            );
            None
        }
        (None, Some(Found { line, .. })) => {
            sheet.blame(
                line,
                "http.tls-key",
                "needs its certificate: give `tls-cert` as well",
            );
            None
        }
    };
    if let Some(Found { value, line }) = &delay
        && *value > LONGEST_DELAY
    {
        let what = format!("{value} is more than {LONGEST_DELAY} seconds");
        sheet.blame(*line, "http.public-delay", what);
    }
    Entrance {
        people: people.map(|found| matches!(found.value, Asked::Required)),
        tls: tls.map(|found| matches!(found.value, Switch::On)),
        files,
        delay: Duration::from_secs(delay.map_or(0, |found| found.value)),
        proxies,
        device_pin: device_pin.map(|found| Duration::from_secs(found.value.saturating_mul(60))),
        metrics,
        insecure: false,
    }
}

/// Whoever asks there need not say who he is: no other machine can.
fn metrics<'t>(sheet: &mut Sheet<'t>, http: &mut Section<'t>) -> Option<SocketAddr> {
    let Found { value, line } = sheet.take::<String>(http, "metrics")?;
    let address = value.parse::<SocketAddr>().ok();
    let near = address.filter(|address| address.ip().is_loopback());
    if near.is_none() {
        let what = format!(
            "`{value}` is not an address of this machine alone, and a port; write for example \
             \"127.0.0.1:9464\""
        );
        sheet.blame(line, "http.metrics", what);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_people_are_asked_there_is_tls_and_a_warning_where_there_is_none() {
        let network: SocketAddr = ([192, 0, 2, 1], 8080).into();
        let mut entrance = Entrance {
            people: Some(true),
            insecure: true,
            ..Entrance::default()
        };
        assert!(entrance.is_tls(network) && entrance.warning(network).is_none());
        entrance.tls = Some(false);
        let warning = entrance.warning(network).unwrap_or_default();
        assert!(warning.contains("passwords"), "{warning}");
        (entrance.people, entrance.tls) = (None, None);
        assert!(!entrance.is_tls(network) && entrance.warning(network).is_some());
    }
}
