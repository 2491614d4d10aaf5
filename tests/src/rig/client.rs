//! A client of the console's interface: one request a connection, and the live feed; plain, or over
//! TLS.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tokio_tungstenite::tungstenite::{Message, client};

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where a console is, and whom it has its certificate from.
#[derive(Clone, Debug)]
pub struct Place {
    /// The address.
    pub address: SocketAddr,
    tls: Option<Arc<ClientConfig>>,
}

impl From<SocketAddr> for Place {
    fn from(address: SocketAddr) -> Place {
        Place { address, tls: None }
    }
}

/// What is written to and read from.
pub trait Line: Read + Write + Send + fmt::Debug {}

impl<T: Read + Write + Send + fmt::Debug> Line for T {}

impl Place {
    /// A console that speaks TLS, and the file with the authority of its certificate.
    ///
    /// # Panics
    /// Where there is none.
    pub fn over_tls(address: SocketAddr, authority: &Path) -> Place {
        let mut roots = RootCertStore::empty();
        let authority = CertificateDer::from_pem_file(authority).expect("an authority");
        roots.add(authority).expect("an authority");
        let ring = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(ring)
            .with_safe_default_protocol_versions()
            .expect("TLS");
        let tls = config.with_root_certificates(roots).with_no_client_auth();
        Place {
            address,
            tls: Some(Arc::new(tls)),
        }
    }

    /// Speaks as it is spoken there. Nothing of it is on the line yet.
    ///
    /// # Errors
    /// Where TLS cannot be spoken.
    pub fn speak(&self, line: TcpStream) -> io::Result<Box<dyn Line>> {
        let Some(tls) = &self.tls else {
            return Ok(Box::new(line));
        };
        let name = ServerName::from(self.address.ip());
        let connection = ClientConnection::new(tls.clone(), name).map_err(io::Error::other)?;
        Ok(Box::new(StreamOwned::new(connection, line)))
    }

    fn connect(&self) -> io::Result<TcpStream> {
        TcpStream::connect_timeout(&self.address, PATIENCE)
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The cookie that it sets, with its value; empty where it sets none.
    pub cookie: String,
    /// What it says.
    pub body: String,
}

/// Asks for `path`.
///
/// # Errors
/// When the daemon is not there or goes away in mid-answer.
pub fn get(place: impl Into<Place>, path: &str) -> io::Result<Reply> {
    ask(&place.into(), "GET", path, "")
}

/// Asks for `path`, with further lines in the head.
///
/// # Errors
/// When the daemon is not there or goes away in mid-answer.
pub fn get_with(place: impl Into<Place>, path: &str, head: &[(&str, &str)]) -> io::Result<Reply> {
    ask_with(&place.into(), "GET", path, head, "")
}

/// Posts `body` as JSON to `path`.
///
/// # Errors
/// When the daemon is not there or goes away before the whole answer has come.
pub fn post(place: impl Into<Place>, path: &str, body: &str) -> io::Result<Reply> {
    ask(&place.into(), "POST", path, body)
}

/// Posts `body` as JSON to `path`, with further lines in the head.
///
/// # Errors
/// When the daemon is not there or goes away before the whole answer has come.
pub fn post_with(
    place: impl Into<Place>,
    path: &str,
    head: &[(&str, &str)],
    body: &str,
) -> io::Result<Reply> {
    ask_with(&place.into(), "POST", path, head, body)
}

fn ask(place: &Place, method: &str, path: &str, body: &str) -> io::Result<Reply> {
    ask_with(place, method, path, &[], body)
}

fn ask_with(
    place: &Place,
    method: &str,
    path: &str,
    head: &[(&str, &str)],
    body: &str,
) -> io::Result<Reply> {
    let head = head
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let head: String = head.collect();
    let line = place.connect()?;
    line.set_read_timeout(Some(PATIENCE))?;
    let mut line = place.speak(line)?;
    let (address, length) = (place.address, body.len());
    write!(
        line,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n{head}\r\n{body}"
    )?;
    let mut text = String::new();
    line.read_to_string(&mut text)?;
    parse(&text).ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "half an answer"))
}

/// An answer with a stated length, whole or not at all.
fn parse(text: &str) -> Option<Reply> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.lines().next()?.split(' ').nth(1)?.parse().ok()?;
    let named = |name: &str| {
        let mut pairs = head.lines().filter_map(|line| line.split_once(':'));
        let found = pairs.find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    };
    let length = named("content-length").and_then(|length| length.parse().ok());
    let cookie = named("set-cookie").and_then(|cookie| cookie.split(';').next());
    (length == Some(body.len())).then(|| Reply {
        status,
        cookie: cookie.unwrap_or_default().to_owned(),
        body: body.to_owned(),
    })
}

/// Follows the live feed until the daemon goes away; `heard` gets every message. A daemon that is
/// already gone has said nothing.
pub fn listen(place: impl Into<Place>, heard: impl FnMut(&str)) {
    listen_to(place, "", heard);
}

/// The same of what a client wishes to be told, such as `?rest=card`.
pub fn listen_to(place: impl Into<Place>, wish: &str, heard: impl FnMut(&str)) {
    listen_at(place, &format!("/api/live{wish}"), heard);
}

/// The same of a feed at this path, such as that of a hall at its hub.
pub fn listen_at(place: impl Into<Place>, path: &str, mut heard: impl FnMut(&str)) {
    let place = place.into();
    let Ok(line) = place.connect().and_then(|line| place.speak(line)) else {
        return;
    };
    let scheme = if place.tls.is_some() { "wss" } else { "ws" };
    let Ok((mut feed, _)) = client(format!("{scheme}://{}{path}", place.address), line) else {
        return;
    };
    while let Ok(message) = feed.read() {
        if let Message::Text(text) = message {
            heard(&text);
        }
    }
}
