//! The carrier with a NATS server between halls and hub. It keeps, hall by hall in a stream of
//! JetStream, what the halls send, so that a hub that was away reads it though the hall is switched
//! off meanwhile; and others may read along.
//!
//! | subject | what goes over it |
//! |---|---|
//! | `arb.v1.HALL.j` | [`Kept`](super::Kept): rows; what the stream `ARB_H_HALL` keeps |
//! | `arb.v1.HALL.up` | [`FromHall`](super::FromHall): everything else that a hall says |
//! | `arb.v1.HALL.down.LINE` | [`ToHall`](super::ToHall) to a line; empty: are you there? |
//! | `arb.v1.HALL.call` | empty: who is there? |
//! | `arb.v1.HALL.inbox.>` | the server's answers to the hall |
//!
//! A line is a hall's connection; it has a name of chance, which is in the header `Arbiter-Line` of
//! what comes up.

mod hub;
mod line;
pub mod server;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use axum::http::Uri;
use rustls::ClientConfig;
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::carrier::Broken;
use super::trust::trusting;
pub use hub::start;
pub(super) use line::Nats;

/// What is wrong with a key that is no seed.
const OLD_KEY: &str = "is no key for NATS: `arbiterd hub key FILE` makes one";
/// The header with the name of a line.
const LINE: &str = "Arbiter-Line";
/// How long a connection may take to be there, and an answer of the server.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether the connection is still there.
const PING: Duration = Duration::from_secs(10);
/// Where NATS servers listen.
const PORT: u16 = 4222;
/// Of a message, for its headers.
const HEADERS: usize = 4096;

/// What a hub is told of the NATS server: `[nats]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Where it is: `tls://host:port`, or `nats://` on the loopback address; several of a cluster
    /// with commas between.
    pub address: String,
    /// The file of the hub's own key.
    pub key: PathBuf,
    /// The authority of the server's certificate, PEM; `None` without TLS.
    pub authority: Option<PathBuf>,
    /// How long it keeps what halls have sent.
    pub age: Duration,
    /// How much it keeps of one hall, in bytes.
    pub bytes: i64,
    /// On how many servers of a cluster.
    pub replicas: usize,
}

impl Rules {
    /// Where a server listens that is reached there: by TLS the halls come from elsewhere.
    pub fn listens(&self) -> SocketAddr {
        let first = self.address.split(',').next().unwrap_or_default().trim();
        let uri: Option<Uri> = first.parse().ok();
        let port = uri.as_ref().and_then(Uri::port_u16).unwrap_or(PORT);
        let is_near = uri.as_ref().and_then(Uri::scheme_str) == Some("nats");
        let ip = match uri.as_ref().and_then(Uri::host) {
            _ if !is_near => Ipv4Addr::UNSPECIFIED.into(),
            Some("[::1]") => Ipv6Addr::LOCALHOST.into(),
            _ => IpAddr::V4(Ipv4Addr::LOCALHOST),
        };
        SocketAddr::new(ip, port)
    }
}

/// Whether a hub is called there over NATS.
pub(crate) fn is_address(address: &str) -> bool {
    ["tls://", "nats://"]
        .iter()
        .any(|scheme| address.starts_with(scheme))
}

/// The names of what is a hall's at the server.
#[derive(Clone, Debug)]
struct Names {
    hall: String,
}

impl Names {
    fn new(hall: &str) -> Names {
        let hall = hall.to_owned();
        Names { hall }
    }

    fn of(&self, what: &str) -> String {
        format!("arb.v1.{}.{what}", self.hall)
    }

    fn down(&self, line: &str) -> String {
        self.of(&format!("down.{line}"))
    }

    fn stream(&self) -> String {
        format!("ARB_H_{}", self.hall)
    }
}

/// How the server is reached.
#[derive(Debug)]
struct Door {
    addresses: Vec<String>,
    key: String,
    tls: Option<ClientConfig>,
    /// Below it come answers.
    inbox: String,
}

/// What the client says of its connection.
type Events = UnboundedReceiver<Event>;

impl Door {
    fn new(
        (address, authority): (&str, Option<&PathBuf>),
        key: String,
        inbox: String,
    ) -> Result<Door, Broken> {
        let tls = authority.map(|file| trusting(file)).transpose()?;
        Ok(Door {
            addresses: address
                .split(',')
                .map(|one| one.trim().to_owned())
                .collect(),
            key: key.trim().to_owned(),
            tls,
            inbox,
        })
    }

    async fn open(&self) -> Result<(Client, Events), Broken> {
        let (told, events) = mpsc::unbounded_channel();
        // Each of the servers is tried once. A line that broke is of no more use: another is
        // opened, and begins with what is kept.
        let mut options = ConnectOptions::with_nkey(self.key.clone())
            .custom_inbox_prefix(&self.inbox)
            .name(concat!("arbiterd ", env!("CARGO_PKG_VERSION")))
            .max_reconnects(self.addresses.len())
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(PING)
            .event_callback(move |event| {
                let _gone = told.send(event);
                std::future::ready(())
            });
        if let Some(tls) = &self.tls {
            options = options.tls_client_config(tls.clone()).require_tls(true);
        }
        let client = options.connect(&self.addresses[..]).await;
        let client = client.map_err(|error| match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => Broken(
                "the NATS server does not know this key: `arbiterd hub nats-config` at the hub \
                 writes its configuration"
                    .to_owned(),
            ),
            _ => Broken(format!("the NATS server: {}", causes(&error))),
        })?;
        Ok((client, events))
    }
}

/// Why a connection is of no more use, after this event; `None`: it still is.
fn broken_by(event: Option<Event>) -> Option<Broken> {
    if let Some(Event::ServerError(error)) = &event
        && is_late_answer(&error.to_string())
    {
        return None;
    }
    let what = match event {
        Some(Event::Disconnected | Event::Closed) | None => {
            "the NATS server has hung up".to_owned()
        }
        Some(Event::ServerError(error)) if is_of_permissions(&error.to_string()) => format!(
            "the NATS server: {error}: is `[hub] name` the name of this key's `[[hall]]` at the \
             hub?"
        ),
        Some(Event::ServerError(error)) => format!("the NATS server: {error}"),
        Some(_) => return None,
    };
    Some(Broken(what))
}

/// Whether the server says that "I am there" was said too late. Nobody waits for it any more, and
/// what else is on the line is as good as before.
fn is_late_answer(error: &str) -> bool {
    let error = error.to_ascii_lowercase();
    error.contains(&format!("violation for publish to \"{}.", hub::INBOX))
}

/// Whether the key may not say or hear that there.
fn is_of_permissions(error: &str) -> bool {
    error.to_ascii_lowercase().contains("permissions violation")
}

/// An error with what is behind it.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut behind = error.source();
    while let Some(error) = behind {
        let why = error.to_string();
        if !text.contains(&why) {
            text = format!("{text}: {why}");
        }
        behind = error.source();
    }
    text
}

/// A name of chance.
fn chance() -> io::Result<String> {
    let mut name = access::token()?;
    name.truncate(16);
    Ok(name)
}

#[cfg(test)]
mod tests {
    use async_nats::ServerError;

    use super::{Event, broken_by};

    #[test]
    fn what_is_answered_too_late_breaks_no_line() {
        let said = |text: &str| {
            let error = Event::ServerError(ServerError::Other(text.to_owned()));
            broken_by(Some(error)).is_some()
        };
        assert!(!said(
            "Permissions Violation for Publish to \"arb-hub.inbox.IWqicJ.ockSMR\""
        ));
        assert!(said(
            "Permissions Violation for Publish to \"arb.v1.main.j\""
        ));
        assert!(said(
            "Permissions Violation for Subscription to \"arb.v1.main.down.*\""
        ));
    }
}
