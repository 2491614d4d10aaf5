//! Connections: how many there may be, how long each may keep us waiting, and how often whoever is
//! behind it may order something.
//!
//! The console shares its process with the boards. Whatever anybody does to it, there are file
//! descriptors left for the journal and the boards, and connections for those at other addresses.

mod places;

use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, Request};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use nix::sys::resource::{Resource, getrlimit};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use places::Places;

/// Connections at once, of everybody.
const CONNECTIONS: usize = 512;
/// Connections at once from one address. A browser uses at most seven.
const PER_ADDRESS: usize = 128;
/// How long a client may take to send the head of a request, or to begin with the next.
const HEAD: Duration = Duration::from_secs(15);
/// How long a client may take to agree on keys.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a client may not take what it is sent.
const UNREAD: Duration = Duration::from_secs(15);
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 32 * 1024;
/// How long to wait when no connection can be taken on, such as for want of memory.
const PAUSE: Duration = Duration::from_millis(200);
/// Orders a second from one address, and how many may come at once. A person gives one in some
/// seconds; behind a proxy there is a hall full of them.
const ORDERS: NonZeroU32 = NonZeroU32::new(50).unwrap();
const ORDERS_AT_ONCE: NonZeroU32 = NonZeroU32::new(200).unwrap();
/// Agreements on keys a second with one address, and how many at once: each costs the thread that
/// the boards share some tenths of a millisecond. A browser makes at most seven.
const HANDSHAKES: NonZeroU32 = NonZeroU32::new(50).unwrap();
const HANDSHAKES_AT_ONCE: NonZeroU32 = NonZeroU32::new(300).unwrap();
/// Addresses whose orders are counted before those that have long been quiet are forgotten.
const REMEMBERED: usize = 1024;

/// Who is connected.
#[derive(Debug)]
pub(super) struct Doors {
    places: Mutex<Places>,
    /// Proxies that are believed whom they speak for.
    proxies: Vec<IpAddr>,
    orders: DefaultKeyedRateLimiter<IpAddr>,
    handshakes: DefaultKeyedRateLimiter<IpAddr>,
}

/// A connection that was let in. Its place is free again when the last clone is gone: a WebSocket
/// outlives the connection it came over.
#[derive(Debug)]
pub(super) struct Caller {
    connected: IpAddr,
    /// The same for whom addresses count as one.
    address: IpAddr,
    place: u64,
    given: CancellationToken,
    doors: Arc<Doors>,
}

/// Who sent a request: whoever is connected, or whom a proxy speaks for.
#[derive(Clone, Debug)]
pub(super) struct Client {
    address: IpAddr,
    /// A proxy says that it was asked over TLS, or that it was not.
    tls: Option<bool>,
    doors: Arc<Doors>,
}

impl Client {
    /// The network address.
    pub(super) fn address(&self) -> IpAddr {
        self.address
    }

    /// Whether a proxy was asked over TLS; `None` where no proxy says.
    pub(super) fn tls(&self) -> Option<bool> {
        self.tls
    }

    /// Whether an order may be given now. It counts.
    pub(super) fn may_order(&self) -> bool {
        self.doors.may(&self.doors.orders, self.address)
    }
}

impl Doors {
    /// Half of the file descriptors of the process at most are for connections.
    fn new(proxies: Vec<IpAddr>) -> Arc<Doors> {
        let (most, _) = getrlimit(Resource::RLIMIT_NOFILE).unwrap_or((1024, 1024));
        let half = usize::try_from(most / 2).unwrap_or(CONNECTIONS);
        Arc::new(Doors {
            proxies: proxies.iter().map(IpAddr::to_canonical).collect(),
            places: Mutex::new(Places::new(CONNECTIONS.min(half), PER_ADDRESS)),
            orders: RateLimiter::keyed(Quota::per_second(ORDERS).allow_burst(ORDERS_AT_ONCE)),
            handshakes: RateLimiter::keyed(
                Quota::per_second(HANDSHAKES).allow_burst(HANDSHAKES_AT_ONCE),
            ),
        })
    }

    /// Lets somebody in, if there is room or somebody can give way.
    fn enter(self: &Arc<Doors>, address: IpAddr) -> Option<Arc<Caller>> {
        let connected = address.to_canonical();
        let address = household(address);
        let (place, given) = self.places().take(address)?;
        let doors = self.clone();
        Some(Arc::new(Caller {
            connected,
            address,
            place,
            given,
            doors,
        }))
    }

    fn may(&self, limit: &DefaultKeyedRateLimiter<IpAddr>, address: IpAddr) -> bool {
        if limit.len() > REMEMBERED {
            limit.retain_recent();
        }
        limit.check_key(&address).is_ok()
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Caller {
    /// The connection follows the live feed from now on.
    pub(super) fn follows(&self) {
        self.doors.places().follows(self.place);
    }

    /// Returns when somebody else has the place of this connection.
    pub(super) async fn gives_way(&self) {
        self.given.cancelled().await;
    }

    /// Who sends a request over this connection. What others than listed proxies say of whom they
    /// speak for counts for nothing; of what a proxy says, the last address that is no proxy's:
    /// what stands before it the client may have written himself.
    fn client(&self, headers: &HeaderMap) -> Client {
        let is_proxy = |address: &IpAddr| self.doors.proxies.contains(address);
        let direct = Client {
            address: self.address,
            tls: None,
            doors: self.doors.clone(),
        };
        if !is_proxy(&self.connected) {
            return direct;
        }
        let said = headers.get_all("x-forwarded-for").into_iter();
        let said = said.filter_map(|value| value.to_str().ok());
        let all: Vec<&str> = said.flat_map(|list| list.split(',')).collect();
        let mut nearest = all.iter().rev().map(|text| text.trim().parse::<IpAddr>());
        let client = loop {
            match nearest.next() {
                Some(Ok(address)) if is_proxy(&address.to_canonical()) => {}
                Some(Ok(address)) => break household(address),
                // It speaks for itself, or for somebody whom it does not name.
                Some(Err(_)) | None => break self.address,
            }
        };
        let proto = headers
            .get("x-forwarded-proto")
            .and_then(|p| p.to_str().ok());
        let proto = proto.and_then(|list| list.rsplit(',').next());
        Client {
            address: client,
            tls: proto.map(|proto| proto.trim().eq_ignore_ascii_case("https")),
            ..direct
        }
    }

    /// Whether keys may be agreed on now. It counts.
    fn may_greet(&self) -> bool {
        self.doors.may(&self.doors.handshakes, self.address)
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        self.doors.places().leave(self.place);
    }
}

/// Knows of the caller what he is doing.
async fn notice(request: axum::extract::Request, next: Next) -> Response {
    let Some(caller) = request.extensions().get::<Arc<Caller>>().cloned() else {
        return next.run(request).await;
    };
    caller.doors.places().asks(caller.place);
    let answer = next.run(request).await;
    caller.doors.places().is_answered(caller.place);
    answer
}

/// The addresses that one machine has at will count as one: of IPv6, the first half.
fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

/// Takes connections on until the shutdown, over TLS where there is a configuration of that; open
/// requests are finished first. A connection has its place before it is spoken to at all.
pub(super) async fn serve(
    listener: TcpListener,
    service: Router,
    (tls, proxies): (Option<Arc<ServerConfig>>, Vec<IpAddr>),
    shutdown: CancellationToken,
) -> io::Result<()> {
    let (doors, open) = (Doors::new(proxies), TaskTracker::new());
    let tls = tls.map(TlsAcceptor::from);
    let service = service.layer(from_fn(notice));
    loop {
        let (line, from) = tokio::select! {
            () = shutdown.cancelled() => break,
            taken = listener.accept() => match taken {
                Ok(taken) => taken,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken on");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            },
        };
        match doors.enter(from.ip()) {
            Some(caller) => {
                let (service, shutdown) = (service.clone(), shutdown.clone());
                let talk = welcome(line, tls.clone(), caller.clone(), service, shutdown);
                open.spawn(async move {
                    tokio::select! {
                        () = talk => {}
                        () = caller.gives_way() => {
                            metrics::counter!("arbiter_console_gave_way_total").increment(1);
                        }
                    }
                });
            }
            None => metrics::counter!("arbiter_console_refused_total").increment(1),
        }
    }
    drop(listener);
    open.close();
    open.wait().await;
    Ok(())
}

/// Agrees on keys, where there shall be some, and answers.
async fn welcome(
    line: TcpStream,
    tls: Option<TlsAcceptor>,
    caller: Arc<Caller>,
    service: Router,
    shutdown: CancellationToken,
) {
    // A ruling must not wait for the client to acknowledge the one before it.
    let _sent_later_then = line.set_nodelay(true);
    let mut line = TimeoutStream::new(line);
    line.set_write_timeout(Some(UNREAD));
    let line = Box::pin(line);
    match tls {
        None => talk(line, caller, service, shutdown).await,
        Some(_) if !caller.may_greet() => {
            metrics::counter!("arbiter_console_refused_total").increment(1);
        }
        Some(tls) => match timeout(HANDSHAKE, tls.accept(line)).await {
            Ok(Ok(line)) => talk(line, caller, service, shutdown).await,
            // Browsers try again when the person has said that he trusts the certificate.
            Ok(Err(_)) | Err(_) => {
                metrics::counter!("arbiter_console_handshakes_failed_total").increment(1);
            }
        },
    }
}

/// Answers the requests of one connection; at the shutdown only the one at hand.
async fn talk(
    line: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    caller: Arc<Caller>,
    service: Router,
    shutdown: CancellationToken,
) {
    let service = TowerToHyperService::new(service);
    let answer = service_fn(move |mut request: Request<Incoming>| {
        let client = caller.client(request.headers());
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(caller.clone());
        service.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(line), answer)
        .with_upgrades();
    let mut connection = pin!(connection);
    // An error here is a client that went away, or kept us waiting.
    tokio::select! {
        _gone = connection.as_mut() => return,
        () = shutdown.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _gone = connection.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direct(caller: &Caller) -> Client {
        caller.client(&HeaderMap::new())
    }

    #[test]
    fn only_listed_proxies_are_believed_whom_they_speak_for() {
        let proxies: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let doors = Doors::new(proxies.into());
        let proxy = doors.enter(proxies[0]).unwrap();
        let other = doors.enter([10, 0, 0, 3].into()).unwrap();
        let said = |caller: &Caller, values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("x-forwarded-for", value.parse().unwrap());
            }
            caller.client(&headers).address().to_string()
        };
        assert_eq!(said(&other, &["192.0.2.7"]), "10.0.0.3");
        for (values, client) in [
            (&["192.0.2.7"][..], "192.0.2.7"),
            (&["198.51.100.9, 192.0.2.7"], "192.0.2.7"),
            (&["198.51.100.9", "192.0.2.7, 10.0.0.2"], "192.0.2.7"),
            (&["192.0.2.7, nobody"], "10.0.0.1"),
            (&["10.0.0.2"], "10.0.0.1"),
            (&[], "10.0.0.1"),
            (&["2001:db8::7"], "2001:db8::"),
        ] {
            assert_eq!(said(&proxy, values), client, "{values:?}");
        }
    }

    #[test]
    fn a_place_is_free_again_when_its_caller_has_gone() {
        let doors = Doors::new(Vec::new());
        let (one, other) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let mut callers: Vec<_> = (0..PER_ADDRESS).map(|_| doors.enter(one)).collect();
        assert!(callers.iter().all(Option::is_some));
        callers.iter().flatten().for_each(|caller| caller.follows());
        assert!(doors.enter(one).is_none(), "one address has no more places");
        assert!(doors.enter(other).is_some(), "another one has its own");
        callers.pop();
        assert!(doors.enter(one).is_some());
        // Whatever their addresses, there are no more than so many.
        let many = (0u32..).map(|n| IpAddr::from(n.to_be_bytes()));
        let all: Vec<_> = many.take(2 * CONNECTIONS).map(|a| doors.enter(a)).collect();
        let all = all.iter().chain(&callers).flatten();
        let (given, stays): (Vec<_>, Vec<_>) = all.partition(|c| c.given.is_cancelled());
        assert_eq!(stays.len(), doors.places().most());
        assert!(!given.is_empty());
    }

    #[test]
    fn addresses_of_one_machine_are_one() {
        let is_same = |one: &str, other: &str| {
            household(one.parse().unwrap()) == household(other.parse().unwrap())
        };
        assert!(is_same("2001:db8:1:2::1", "2001:db8:1:2:ffff::7"));
        assert!(!is_same("2001:db8:1:2::1", "2001:db8:1:3::1"));
        assert!(is_same("::ffff:10.0.0.1", "10.0.0.1"));
        assert!(!is_same("10.0.0.2", "10.0.0.1"));
    }

    #[test]
    fn keys_are_agreed_on_so_often_only() {
        let doors = Doors::new(Vec::new());
        let caller = doors.enter([10, 0, 0, 1].into()).unwrap();
        let agreed = (0..1_000).filter(|_| caller.may_greet()).count();
        assert!((300..400).contains(&agreed), "{agreed}");
        assert!(doors.enter([10, 0, 0, 2].into()).unwrap().may_greet());
        assert!(
            direct(&caller).may_order(),
            "orders are counted by themselves"
        );
    }

    #[test]
    fn orders_come_at_a_persons_pace() {
        let doors = Doors::new(Vec::new());
        let caller = doors.enter([10, 0, 0, 1].into()).unwrap();
        let given = (0..1_000).filter(|_| direct(&caller).may_order()).count();
        assert!((200..300).contains(&given), "{given}");
        let other = doors.enter([10, 0, 0, 2].into()).unwrap();
        assert!(direct(&other).may_order());
    }
}
