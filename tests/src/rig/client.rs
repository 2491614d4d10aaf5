//! A client of the console's interface: plain HTTP, one request a connection, and the live feed.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use tokio_tungstenite::tungstenite::{Message, client};

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// What it says.
    pub body: String,
}

/// Asks for `path`.
///
/// # Errors
/// When the daemon is not there or goes away in mid-answer.
pub fn get(address: SocketAddr, path: &str) -> io::Result<Reply> {
    ask(address, "GET", path, "")
}

/// Posts `body` as JSON to `path`.
///
/// # Errors
/// When the daemon is not there or goes away before the whole answer has come.
pub fn post(address: SocketAddr, path: &str, body: &str) -> io::Result<Reply> {
    ask(address, "POST", path, body)
}

fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> io::Result<Reply> {
    let mut line = TcpStream::connect_timeout(&address, PATIENCE)?;
    line.set_read_timeout(Some(PATIENCE))?;
    let length = body.len();
    write!(
        line,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    let mut text = String::new();
    line.read_to_string(&mut text)?;
    parse(&text).ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "half an answer"))
}

/// An answer with a stated length, whole or not at all.
fn parse(text: &str) -> Option<Reply> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let length = lines.find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length:")?
            .trim()
            .parse()
            .ok()
    });
    (length == Some(body.len())).then(|| Reply {
        status,
        body: body.to_owned(),
    })
}

/// Follows the live feed until the daemon goes away; `heard` gets every message. A daemon that is
/// already gone has said nothing.
pub fn listen(address: SocketAddr, mut heard: impl FnMut(&str)) {
    let Ok(line) = TcpStream::connect_timeout(&address, PATIENCE) else {
        return;
    };
    let Ok((mut feed, _)) = client(format!("ws://{address}/api/live"), line) else {
        return;
    };
    while let Ok(message) = feed.read() {
        if let Message::Text(text) = message {
            heard(&text);
        }
    }
}
