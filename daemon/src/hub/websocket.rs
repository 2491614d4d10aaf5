//! The carrier that needs nothing but the hub itself: a WebSocket over TLS, at the hub's own
//! address.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, Uri, header};
use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::Wishes;
use super::carrier::{Broken, Carrier, Heard, Line};
use super::message::FromHall;
use super::trust::trusting;

/// Where a hub listens for halls.
pub(crate) const PATH: &str = "/api/halls/line";
/// The header in which a hall says what it is called.
pub(crate) const NAME: &str = "arbiter-hall";
/// How long a connection may take to be there.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long one message may take to be written.
const SLOWEST: Duration = Duration::from_secs(30);
/// A hub answers every word; of which nothing is heard for so long, that line leads nowhere, though
/// nobody has hung up: a cable was pulled, or a router has forgotten it. Longer than a hub takes to
/// read the mirror of a long event.
const SILENCE: Duration = Duration::from_secs(60);
/// The longest word of a hub: an order with its signs written out, and room for the rest.
const LONGEST: usize = 2 * super::order::LONGEST + 64 * 1024;

/// Whatever bytes go over.
trait Bytes: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Bytes for T {}

/// A way to a hub over a WebSocket.
pub(super) struct WebSocket {
    address: Uri,
    name: String,
    key: String,
    tls: Option<TlsConnector>,
}

impl WebSocket {
    /// The way that a hall is told.
    pub(super) fn new(wishes: &Wishes, key: String) -> Result<WebSocket, Broken> {
        let address: Uri = wishes.address.parse().map_err(Broken::of)?;
        let tls = match &wishes.authority {
            Some(file) => Some(TlsConnector::from(Arc::new(trusting(file)?))),
            None => None,
        };
        Ok(WebSocket {
            address,
            name: wishes.name.clone(),
            key,
            tls,
        })
    }

    async fn open(&self) -> Result<Box<dyn Bytes>, Broken> {
        let host = self.address.host().unwrap_or_default();
        let name = host.trim_matches(['[', ']']);
        let usual = if self.tls.is_some() { 443 } else { 80 };
        let port = self.address.port_u16().unwrap_or(usual);
        let line = TcpStream::connect((name, port)).await.map_err(Broken::of)?;
        line.set_nodelay(true).map_err(Broken::of)?;
        let Some(tls) = &self.tls else {
            return Ok(Box::new(line));
        };
        let server = ServerName::try_from(name.to_owned()).map_err(Broken::of)?;
        let line = tls.connect(server, line).await.map_err(Broken::of)?;
        Ok(Box::new(line))
    }

    async fn shake_hands(&self) -> Result<WebSocketStream<Box<dyn Bytes>>, Broken> {
        let line = self.open().await?;
        let address = format!("{}{PATH}", self.address.to_string().trim_end_matches('/'));
        let mut request = address.into_client_request().map_err(Broken::of)?;
        let key = HeaderValue::from_str(&format!("Bearer {}", self.key)).map_err(Broken::of)?;
        let name = HeaderValue::from_str(&self.name).map_err(Broken::of)?;
        let headers = request.headers_mut();
        headers.insert(header::AUTHORIZATION, key);
        headers.insert(NAME, name);
        let limits = WebSocketConfig::default().max_message_size(Some(LONGEST));
        let opened = client_async_with_config(request, line, Some(limits)).await;
        opened
            .map(|(socket, _)| socket)
            .map_err(|error| match error {
                Error::Http(answer) => {
                    let said = answer.body().as_deref().unwrap_or_default();
                    let said =
                        serde_json::from_slice::<serde_json::Value>(said).unwrap_or_default();
                    let status = answer.status();
                    Broken(format!(
                        "the hub answers {status}: {}",
                        said["error"].as_str().unwrap_or("is that a hub?")
                    ))
                }
                other => Broken::of(other),
            })
    }
}

impl Carrier for WebSocket {
    type Line = Socket;

    async fn connect(&self) -> Result<Socket, Broken> {
        let slow = |_| Broken("the hub does not answer".to_owned());
        let socket = timeout(PATIENCE, self.shake_hands())
            .await
            .map_err(slow)??;
        Ok(Socket {
            socket,
            heard: Instant::now(),
        })
    }
}

/// An open WebSocket.
pub(super) struct Socket {
    socket: WebSocketStream<Box<dyn Bytes>>,
    /// When the hub last said anything.
    heard: Instant,
}

impl Line for Socket {
    async fn send(&mut self, words: &FromHall) -> Result<(), Broken> {
        let text = serde_json::to_string(words).map_err(Broken::of)?;
        let slow = |_| Broken("the hub reads nothing".to_owned());
        let sent = timeout(SLOWEST, self.socket.send(Message::text(text)));
        sent.await.map_err(slow)?.map_err(Broken::of)
    }

    async fn receive(&mut self) -> Result<Heard, Broken> {
        loop {
            let next = timeout_at(self.heard + SILENCE, self.socket.next()).await;
            let next = next.map_err(|_| Broken("the hub says nothing".to_owned()))?;
            self.heard = Instant::now();
            match next {
                None => return Err(Broken("the hub has hung up".to_owned())),
                Some(Err(error)) => return Err(Broken::of(error)),
                Some(Ok(Message::Text(text))) => {
                    return serde_json::from_str(&text)
                        .map(Heard::Hub)
                        .map_err(Broken::of);
                }
                Some(Ok(_)) => {}
            }
        }
    }
}
