//! The console and its HTTP interface: pages, JSON, orders, and the live feed over a WebSocket.
//!
//! `/api/openapi.json` describes every address, made of the routes and the types here. Nothing here
//! decides anything: it shows what the [`Hall`] holds and hands it orders.

mod author;
mod boards;
mod breaks;
mod bundle;
mod client;
mod clock;
mod cut;
mod doors;
mod event;
mod gallery;
mod games;
mod guard;
mod halls;
mod halt;
mod host;
mod incidents;
mod known;
mod live;
mod meanwhile;
mod notes;
mod observed;
mod once;
mod openapi;
mod ordered;
mod pages;
mod pairings;
mod part;
mod penalties;
mod people;
mod photo;
mod ports;
mod postponed;
mod problem;
mod public;
mod results;
mod rounds;
mod routes;
mod seats;
mod service;
mod socket;
mod tables;
mod undisputed;
mod unruled;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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
use tower_http::classify::ServerErrorsFailureClass;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tower_http::trace::TraceLayer;

pub use client::{Answer, AskError, ask};
pub(crate) use client::{PATIENCE, PAUSE};
use gallery::{Awaited, AwaitedOn, Before, CalledOf, Gallery, Terms, TermsOf};
pub use host::Names;
pub use openapi::document;
pub use ordered::Orders;
use routes::{Routes, json, text};
pub(crate) use service::serve_metrics;
pub(crate) use socket::place as socket_place;
pub use socket::{SOCKET, Socket};

use crate::hall::{BoardState, Hall};
use crate::hub::{Halls, Uplink};
use crate::incidents::Incidents;
use crate::lichess::Pusher;
use crate::meters;
use crate::office::Office;
use crate::people::{People, Visitor};
use crate::public::{Counts, Gate, Rules, held};
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
    /// What waits for arbiters; `None` where no daemon runs.
    pub incidents: Option<Incidents>,
    /// What the public is shown.
    pub gate: Gate,
    /// How late that is.
    pub rules: Rules,
    /// Whether that is given out to whoever asks.
    pub serves_public: bool,
    /// Whoever pushes to Lichess, if anybody does.
    pub lichess: Option<Pusher>,
    /// The halls whose hub this is.
    pub halls: Option<Halls>,
    /// The event that they play.
    pub event: Option<crate::hub::Event>,
    /// The hall of this hub that this is a mirror of: it takes the orders.
    room: Option<halls::Room>,
    /// The hub of this hall.
    pub uplink: Option<Uplink>,
    /// It listens where no other device reaches it.
    pub near: bool,
    /// The port on which it listens, where that is known.
    pub port: Option<u16>,
    /// Whether this is no running daemon: what lives in its memory is not there.
    resting: bool,
    galleries: Arc<OnceLock<Galleries>>,
    /// The same of a hub's halls, by their names, each with the boards that are in it.
    of_halls: Arc<Mutex<OfHalls>>,
}

/// What those are shown who do not see everything.
#[derive(Debug)]
struct Galleries {
    devices: Gallery,
    public: Gallery,
}

/// What people are shown of halls, by their names.
type OfHalls = HashMap<String, (Hall, Arc<OnceLock<Galleries>>)>;

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
            incidents: None,
            gate: Gate::default(),
            rules: Rules::default(),
            serves_public: false,
            lichess: None,
            halls: None,
            event: None,
            room: None,
            uplink: None,
            near: false,
            port: None,
            resting: false,
            galleries: Arc::default(),
            of_halls: Arc::default(),
        }
    }

    /// What a hub serves of one of its halls.
    fn of_room(&self, shown: crate::hub::Room, room: halls::Room) -> Desk {
        let crate::hub::Room {
            hall,
            office,
            incidents,
        } = shown;
        Desk {
            wiring: None,
            incidents: Some(incidents),
            serves_public: false,
            halls: None,
            // That is the hub's, and a hall may play another of the same name.
            event: None,
            galleries: self.galleries_of(&hall, &room.name),
            hall,
            office,
            room: Some(room),
            ..self.clone()
        }
    }

    /// What people are shown of a hall of the hub: made once, until its boards are others.
    fn galleries_of(&self, hall: &Hall, name: &str) -> Arc<OnceLock<Galleries>> {
        let of_halls = self.of_halls.lock();
        let mut of_halls = of_halls.unwrap_or_else(PoisonError::into_inner);
        match of_halls.get(name) {
            Some((same, galleries)) if same.is(hall) => galleries.clone(),
            _ => {
                let galleries = Arc::<OnceLock<Galleries>>::default();
                let seen = (hall.clone(), galleries.clone());
                of_halls.insert(name.to_owned(), seen);
                galleries
            }
        }
    }

    /// What somebody is shown who does not see everything.
    fn gallery(&self, visitor: &Visitor) -> Option<&Gallery> {
        let minors = || self.office.minors().clone();
        let open = |sight, terms| {
            let hall = (self.hall.clone(), self.office.store().clone());
            let of = (terms, self.called(), self.awaited());
            Gallery::open(hall, (sight, minors()), of, self.shutdown.clone())
        };
        let galleries = || {
            self.galleries.get_or_init(|| Galleries {
                devices: open(Sight::Devices, Arc::new(|_: &BoardState| Terms::default())),
                public: open(Sight::Public, self.terms()),
            })
        };
        match Sight::of(visitor.who.role) {
            Sight::Everything => None,
            Sight::Devices => Some(&galleries().devices),
            Sight::Public => Some(&galleries().public),
        }
    }

    /// How late the public sees a board here, and whether its publication is stopped: at least as
    /// late as everywhere else, and stopped with all else.
    fn terms(&self) -> TermsOf {
        let (office, gate, seen) = (self.office.clone(), self.gate.clone(), self.lateness());
        Arc::new(move |board| {
            let Some((rules, least)) = seen() else {
                return Terms {
                    stopped: true,
                    ..Terms::default()
                };
            };
            let book = office.book();
            let game = board.game().unwrap_or_default();
            let spot = gate.spot_of(&book, board);
            let (held, stopped) = held(board.view(), &spot, &rules);
            let least = i64::try_from(least.as_millis()).unwrap_or(i64::MAX);
            Terms {
                late: least.max(held.ms),
                plies: held.plies,
                stopped,
                before: Before::of(&book, &spot, &rules, least).filter(|_| stopped),
                counts: Counts::of(&book, game, &rules),
            }
        })
    }

    /// Who plays a game, by the event.
    fn called(&self) -> CalledOf {
        let office = self.office.clone();
        Arc::new(move |game| {
            let called = game.and_then(|game| office.book().players_of(game));
            (called, office.erasures())
        })
    }

    /// Who is to play on a board in the round under way.
    fn awaited(&self) -> AwaitedOn {
        let office = self.office.clone();
        Arc::new(move |board| Awaited::on(&office.book(), board))
    }

    /// How late viewers see games, and by how much at least: as it is configured here, and in a
    /// hall of the hub, which says it itself. `None` where it has not: then they see nothing.
    fn lateness(&self) -> impl Fn() -> Option<(Rules, Duration)> + Send + Sync + 'static {
        let (room, rules, delay) = (self.room.clone(), self.rules.clone(), self.delay);
        move || {
            let Some(room) = &room else {
                return Some((rules.clone(), delay));
            };
            let hall = room.late()?;
            Some((hall.rules, delay.max(Duration::from_millis(hall.least))))
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
        let is_here = near || name == "localhost";
        // Who asks over the socket in the store's directory names no port.
        let port = match port {
            "" if is_here => self.port.map_or(String::new(), |port| port.to_string()),
            port => port.to_owned(),
        };
        let colon = if port.is_empty() { "" } else { ":" };
        if !is_here || self.near && self.names.first().is_none() {
            return format!("{scheme}://{name}{colon}{port}");
        }
        let own = addresses().into_iter().find(|a| a.is_ipv4() && !is_near(a));
        let own = self
            .names
            .first()
            .map(str::to_owned)
            .or(own.map(|own| own.to_string()));
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

/// Serves something else than the console in the same way: as many connections at most, each with
/// the same patience. Without TLS.
pub(crate) async fn serve_plain(
    listener: TcpListener,
    service: Router,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    doors::serve(listener, service, (None, Vec::new()), shutdown).await
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
    let routes = rounds::routes(part::routes(routes));
    let routes = postponed::routes(results::routes(routes));
    let routes = halt::routes(breaks::routes(notes::routes(penalties::routes(routes))));
    let routes = observed::routes(routes);
    let routes = incidents::routes(unruled::routes(routes));
    let routes = ports::routes(tables::routes(routes));
    clock::routes(halls::routes(public::routes(pairings::routes(routes))))
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
        .post(
            "/api/boards/{id}/trial",
            boards::try_out,
            "What an order would do: a claim's verdict, what still fits, why it would be refused",
        )
        .about("Nothing is done, written down or told to anybody.")
        .takes(boards::orders())
        .gives("What would be so", json::<crate::session::trial::Trial>())
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
            "/api/games/{id}/texts",
            games::texts,
            "What is said of a game, in the language of whoever reads it: `?language=de`",
        )
        .gives("Its sentences", json::<games::Texts>())
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

/// Every address of the service; of a hub, those of its halls as well.
pub fn router(desk: Desk) -> Router {
    let own = own_router(desk.clone());
    match &desk.halls {
        Some(_) => own.layer(from_fn_with_state(desk, halls::rooms)),
        None => own,
    }
}

fn own_router(desk: Desk) -> Router {
    routes()
        .router
        .layer(from_fn_with_state(
            once::Once::new(&desk.office),
            once::once,
        ))
        .layer(from_fn_with_state(desk.clone(), guard::guard))
        .layer(DefaultBodyLimit::max(LONGEST_ORDER))
        .layer(RequestBodyTimeoutLayer::new(SLOWEST_ORDER))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
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
        .layer(TraceLayer::new_for_http().on_failure(failed))
        .with_state(desk)
}

/// Notes an answer that tells of a failure. That a hall is away, or does not answer, is none of
/// this program.
fn failed(class: ServerErrorsFailureClass, latency: Duration, _: &tracing::Span) {
    use StatusCode as Is;
    match class {
        ServerErrorsFailureClass::StatusCode(Is::SERVICE_UNAVAILABLE | Is::GATEWAY_TIMEOUT) => {
            tracing::debug!(%class, ?latency, "nobody answers");
        }
        class => tracing::error!(%class, ?latency, "response failed"),
    }
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
