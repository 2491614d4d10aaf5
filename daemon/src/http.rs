//! The console and its HTTP interface: pages, JSON, orders, and the live feed over a WebSocket.
//!
//! `/api/openapi.json` describes every address, made of the routes and the types here. Nothing here
//! decides anything: it shows what the [`Hall`] holds and hands it orders.

mod access;
mod author;
mod boards;
mod client;
mod doors;
mod event;
mod games;
mod live;
mod openapi;
mod pages;
mod pairings;
mod problem;
mod results;
mod rounds;
mod routes;
mod service;
mod socket;
mod tables;

use std::sync::Arc;
use std::time::Duration;

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

pub use access::Names;
pub use client::{Answer, AskError, ask};
pub use openapi::document;
use routes::{Routes, json, text};
pub use socket::{SOCKET, Socket};

use crate::hall::{BoardState, Hall};
use crate::office::Office;
use crate::store::GameRow;

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
}

/// Serves the console on `listener` until `shutdown` is cancelled; open requests are finished
/// first.
pub async fn serve(listener: TcpListener, desk: Desk) -> std::io::Result<()> {
    let shutdown = desk.shutdown.clone();
    doors::serve(listener, router(desk), shutdown).await
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
    let routes = event::routes(routes);
    let routes = rounds::routes(routes);
    let routes = results::routes(routes);
    let routes = tables::routes(routes);
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
        .layer(DefaultBodyLimit::max(LONGEST_ORDER))
        .layer(RequestBodyTimeoutLayer::new(SLOWEST_ORDER))
        .layer(always(header::CACHE_CONTROL, "no-store"))
        .fallback(pages::page)
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(from_fn_with_state(desk.names.clone(), access::check))
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
        .layer(TraceLayer::new_for_http())
        .with_state(desk)
}

fn always(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}

#[cfg(test)]
mod tests;
