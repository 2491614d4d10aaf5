//! The console and its HTTP interface: pages, JSON, orders, and the live feed over a WebSocket.
//!
//! `openapi.json` beside this file describes every address. Nothing here decides anything: it shows
//! what the [`Hall`] holds and hands it orders.

mod access;
mod boards;
mod games;
mod live;
mod pages;
mod problem;
mod service;

use std::sync::Arc;

use arbiter_core::settings::Language;
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;

pub use access::Names;

use crate::hall::Hall;

/// The longest order a client may send, in bytes. The longest real one, a new game with every
/// field, is under 1 kB.
const LONGEST_ORDER: usize = 16 * 1024;

/// What every handler may use. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Desk {
    /// The boards and the games.
    pub hall: Hall,
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
    // A ruling must not wait for the client to acknowledge the one before it.
    let listener = listener.tap_io(|line| {
        let _sent_later_then = line.set_nodelay(true);
    });
    axum::serve(listener, router(desk))
        .with_graceful_shutdown(shutdown.cancelled_owned())
        .await
}

/// Every address of the service.
pub fn router(desk: Desk) -> Router {
    let json = Router::new()
        .route("/api/boards", get(boards::all))
        .route("/api/boards/{id}", get(boards::one))
        .route("/api/boards/{id}/orders", post(boards::order))
        .route("/api/games", get(games::all))
        .route("/api/games/{id}", get(games::one))
        .route("/api/games/{id}/script", get(games::script))
        .route("/api/openapi.json", get(service::openapi))
        .route("/healthz", get(service::health))
        .route("/metrics", get(service::metrics))
        .layer(always(header::CACHE_CONTROL, "no-store"));
    json.route("/api/live", get(live::connect))
        .fallback(pages::page)
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(from_fn_with_state(desk.names.clone(), access::check))
        .layer(RequestBodyLimitLayer::new(LONGEST_ORDER))
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
