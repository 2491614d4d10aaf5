//! The console and its HTTP interface: pages, JSON, orders, and the live feed over a WebSocket.
//!
//! `/api/openapi.json` describes every address, made of the routes and the types here. Nothing here
//! decides anything: it shows what the [`Hall`] holds and hands it orders.

mod author;
mod boards;
mod client;
mod doors;
mod event;
mod gallery;
mod games;
mod guard;
mod host;
mod live;
mod openapi;
mod pages;
mod pairings;
mod people;
mod ports;
mod problem;
mod results;
mod rounds;
mod routes;
mod service;
mod socket;
mod tables;
mod unruled;

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use access::{Reach, Right, Sight, reach};
use arbiter_core::settings::Language;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tower_http::trace::TraceLayer;

pub use client::{Answer, AskError, ask};
use gallery::Gallery;
pub use host::Names;
pub use openapi::document;
use routes::{Routes, json, text};
pub use socket::{SOCKET, Socket};

use crate::hall::{BoardState, Hall};
use crate::meters;
use crate::office::Office;
use crate::people::{People, Visitor};
use crate::store::GameRow;
use crate::tls::{Tls, addresses};
use crate::wiring::Wiring;

/// The longest order a client may send, in bytes. The longest real one, a new game with every
/// field, is under 1 kB.
const LONGEST_ORDER: usize = 16 * 1024;
/// How long a client may pause while it sends an order.
const SLOWEST_ORDER: Duration = Duration::from_secs(10);

/// What every handler may use. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Desk {
    /// The boards and the games.
    pub hall: Hall,
    /// The event.
    pub office: Office,
    /// What `/metrics` shows.
    pub metrics: PrometheusHandle,
    /// Ends the live feeds.
    pub shutdown: CancellationToken,
    /// The host names this service answers to.
    pub names: Arc<Names>,
    /// The language the event has chosen for the console.
    pub language: Option<Language>,
    /// Accounts and sessions.
    pub people: People,
    /// Whether whoever comes over the network is asked who he is.
    pub required: bool,
    /// How much later than the arbiters the public sees the boards.
    pub delay: Duration,
    /// The certificate; `None`: plain HTTP.
    pub tls: Option<Arc<Tls>>,
    /// Proxies that are believed whom they speak for.
    pub proxies: Vec<IpAddr>,
    /// The boards' ports; `None` where no daemon runs.
    pub wiring: Option<Wiring>,
    /// Whether this is no running daemon: what lives in its memory is not there.
    resting: bool,
    galleries: Arc<OnceLock<Galleries>>,
}

/// What those are shown who do not see everything.
#[derive(Debug)]
struct Galleries {
    devices: Gallery,
    public: Gallery,
}

impl Desk {
    /// A desk of these boards, for people who are not asked who they are.
    pub fn new(hall: Hall, office: Office, people: People, shutdown: CancellationToken) -> Desk {
        Desk {
            hall,
            office,
            metrics: meters::handle().clone(),
            shutdown,
            names: Arc::default(),
            language: None,
            people,
            required: false,
            delay: Duration::ZERO,
            tls: None,
            proxies: Vec::new(),
            wiring: None,
            resting: false,
            galleries: Arc::default(),
        }
    }

    /// What somebody is shown who does not see everything.
    fn gallery(&self, visitor: &Visitor) -> Option<&Gallery> {
        let (hall, end) = (&self.hall, &self.shutdown);
        let minors = || self.office.minors().clone();
        let open =
            |sight, delay| Gallery::open(hall.clone(), (sight, minors()), delay, end.clone());
        let galleries = || {
            self.galleries.get_or_init(|| Galleries {
                devices: open(Sight::Devices, Duration::ZERO),
                public: open(Sight::Public, self.delay),
            })
        };
        match Sight::of(visitor.who.role) {
            Sight::Everything => None,
            Sight::Devices => Some(&galleries().devices),
            Sight::Public => Some(&galleries().public),
        }
    }

    /// The number of a board's table.
    fn table(&self, board: &str) -> Option<u32> {
        let tables = self.office.book().tables();
        let found = tables.iter().find(|(_, id)| id.as_str() == board);
        found.map(|(table, _)| u32::from(*table))
    }

    /// The boards that are for somebody.
    fn boards_for(&self, visitor: &Visitor) -> Vec<Arc<BoardState>> {
        let boards = self.hall.boards().into_iter();
        boards
            .filter(|board| self.is_for(visitor, &board.id))
            .collect()
    }

    /// Whether a board is for somebody.
    fn is_for(&self, visitor: &Visitor, board: &str) -> bool {
        reach(visitor.who.role, Right::Boards) == Reach::All
            || self
                .table(board)
                .is_some_and(|table| visitor.may(Right::Boards, Some(table)))
    }

    /// Where devices of the network find this service, of which somebody asked for `host`; over
    /// TLS, be it that of a proxy.
    fn place(&self, host: &str, tls: bool) -> String {
        let scheme = match self.tls.is_some() || tls {
            true => "https",
            false => "http",
        };
        let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
        let is_near = |address: &IpAddr| address.is_loopback();
        let near = name
            .trim_matches(['[', ']'])
            .parse()
            .is_ok_and(|address| is_near(&address));
        if !near && name != "localhost" {
            return format!("{scheme}://{host}");
        }
        let own = addresses().into_iter().find(|a| a.is_ipv4() && !is_near(a));
        let own = self
            .names
            .first()
            .map(str::to_owned)
            .or(own.map(|own| own.to_string()));
        let colon = if port.is_empty() { "" } else { ":" };
        format!("{scheme}://{}{colon}{port}", own.as_deref().unwrap_or(name))
    }
}

/// Serves the console on `listener` until `shutdown` is cancelled; open requests are finished
/// first.
pub async fn serve(listener: TcpListener, desk: Desk) -> std::io::Result<()> {
    let shutdown = desk.shutdown.clone();
    let tls = desk.tls.as_ref().map(|tls| tls.config());
    let proxies = desk.proxies.clone();
    doors::serve(listener, router(desk), (tls, proxies), shutdown).await
}

/// Serves the same on a socket of the store's directory: whoever can open that owns the store.
pub async fn serve_owner(socket: Socket, desk: Desk) {
    let shutdown = desk.shutdown.clone();
    socket.serve(router(desk), shutdown).await;
}

/// How an order may be refused.
const REFUSED: [StatusCode; 7] = [
    StatusCode::NOT_FOUND,
    StatusCode::CONFLICT,
    StatusCode::LENGTH_REQUIRED,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::UNPROCESSABLE_ENTITY,
    StatusCode::TOO_MANY_REQUESTS,
    StatusCode::SERVICE_UNAVAILABLE,
];

/// Every address, with what the service answers there.
fn routes() -> Routes {
    let routes = of_boards(Routes::default());
    let routes = event::routes(routes.and(people::routes()));
    let routes = rounds::routes(routes);
    let routes = unruled::routes(results::routes(routes));
    let routes = ports::routes(tables::routes(routes));
    pairings::routes(routes)
}

/// What is about boards and games, and the service itself.
fn of_boards(routes: Routes) -> Routes {
    const UNREAD: [StatusCode; 3] = [
        StatusCode::NOT_FOUND,
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::SERVICE_UNAVAILABLE,
    ];
    routes
        .get(
            "/api/boards",
            boards::all,
            "Every board, in the order of the configuration",
        )
        .gives("Boards", json::<Vec<BoardState>>())
        .get("/api/boards/{id}", boards::one, "One board")
        .gives("The board", json::<BoardState>())
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
        .post(
            "/api/boards/{id}/orders",
            boards::order,
            "Declare something on a board, or start its next game",
        )
        .about(boards::ORDERS)
        .takes(boards::orders())
        .gives("It is in the journal", json::<boards::Done>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .get(
            "/api/games",
            games::all,
            "All games of the journal, the newest first",
        )
        .gives("Games", json::<Vec<GameRow>>())
        .refuses([StatusCode::SERVICE_UNAVAILABLE])
        .get(
            "/api/games/{id}",
            games::one,
            "One game as the arbiter reads its events",
        )
        .gives("The game", json::<games::Document>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(UNREAD)
        .also("get", "/api/games/{id}.pgn", "One game as PGN")
        .gives("PGN", text(games::PGN))
        .refuses([StatusCode::BAD_REQUEST, StatusCode::CONFLICT])
        .refuses(UNREAD)
        .get(
            "/api/games/{id}/script",
            games::script,
            "One game as an event script, JSON Lines: what the arbiter was told",
        )
        .gives("The script", text(games::SCRIPT))
        .refuses([StatusCode::BAD_REQUEST, StatusCode::CONFLICT])
        .refuses(UNREAD)
        .get("/api/openapi.json", service::openapi, "This document")
        .gives(
            "OpenAPI",
            json::<serde_json::Map<String, serde_json::Value>>(),
        )
        .get("/healthz", service::health, "Whether the daemon serves")
        .gives("It does", json::<service::Health>())
        .get("/metrics", service::metrics, "Prometheus metrics")
        .gives("Text format", text("text/plain"))
        .get(
            "/api/live",
            live::connect,
            "A WebSocket: everything once, then what changes",
        )
        .about(live::MESSAGES)
        .gives(
            "What its messages hold, each one JSON object",
            json::<live::LiveMessage>(),
        )
        .answers(StatusCode::SWITCHING_PROTOCOLS, "The feed begins", None)
        .refuses([StatusCode::BAD_REQUEST, StatusCode::UPGRADE_REQUIRED])
}

/// Every address of the service.
pub fn router(desk: Desk) -> Router {
    routes()
        .router
        .layer(from_fn_with_state(desk.clone(), guard::guard))
        .layer(DefaultBodyLimit::max(LONGEST_ORDER))
        .layer(RequestBodyTimeoutLayer::new(SLOWEST_ORDER))
        .layer(always(header::CACHE_CONTROL, "no-store"))
        .fallback(pages::page)
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(from_fn_with_state(desk.names.clone(), host::check))
        .layer(CompressionLayer::new().gzip(true))
        .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(header::X_FRAME_OPTIONS, "DENY"))
        .layer(always(header::REFERRER_POLICY, "no-referrer"))
        .layer(always(
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ))
        .layer(always(
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::STRICT_TRANSPORT_SECURITY,
            stays(&desk),
        ))
        .layer(TraceLayer::new_for_http())
        .with_state(desk)
}

/// That this service is to be asked over TLS from now on. Not with a certificate of our own:
/// whoever has not told his browser to trust that could not pass its warning any more.
fn stays(desk: &Desk) -> Option<HeaderValue> {
    let is_brought = desk.tls.as_ref().is_some_and(|tls| tls.is_brought());
    is_brought.then(|| HeaderValue::from_static("max-age=31536000"))
}

fn always(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}

#[cfg(test)]
mod tests;
