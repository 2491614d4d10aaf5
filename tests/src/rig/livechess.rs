//! The line of a program that knows LiveChess.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, client};

/// How long hands are shaken at most.
const PATIENCE: Duration = Duration::from_secs(30);

/// A port that was free just now.
///
/// # Panics
/// Where there is none.
pub fn free() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address")
}

/// A line to the WebSocket.
#[derive(Debug)]
pub struct LiveChess(WebSocket<TcpStream>);

impl LiveChess {
    /// Connects.
    ///
    /// # Errors
    /// Where nobody answers.
    pub fn connect(place: SocketAddr) -> io::Result<LiveChess> {
        let line = TcpStream::connect(place)?;
        // While hands are shaken nothing may time out.
        line.set_read_timeout(Some(PATIENCE))?;
        let agreed = client(format!("ws://{place}/api/v1.0"), line);
        let (line, _) = agreed.map_err(|error| io::Error::other(error.to_string()))?;
        line.get_ref()
            .set_read_timeout(Some(Duration::from_millis(20)))?;
        Ok(LiveChess(line))
    }

    /// Follows a board as a feed; the call has this number.
    ///
    /// # Errors
    /// Where the line has ended.
    pub fn subscribe(&mut self, call: u64, feed: u64, serial: &str) -> io::Result<()> {
        let board = json!({ "serialnr": serial });
        self.say(&json!({ "id": call, "call": "subscribe",
            "param": { "feed": "eboardevent", "id": feed, "param": board } }))
    }

    /// Sets up a position on a feed.
    ///
    /// # Errors
    /// Where the line has ended.
    pub fn set_up(&mut self, call: u64, feed: u64, fen: &str) -> io::Result<()> {
        self.say(&json!({ "id": call, "call": "call",
            "param": { "id": feed, "method": "setup", "param": { "fen": fen } } }))
    }

    fn say(&mut self, request: &Value) -> io::Result<()> {
        let text = Message::text(request.to_string());
        self.0
            .send(text)
            .map_err(|e| io::Error::other(e.to_string()))
    }

    /// What was said next; `None` where nothing is for now.
    ///
    /// # Errors
    /// Where the line has ended.
    pub fn hear(&mut self) -> io::Result<Option<Value>> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    let said = serde_json::from_str(&text);
                    return said.map(Some).map_err(io::Error::other);
                }
                Ok(_) => {}
                Err(Error::Io(e)) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
    }
}
