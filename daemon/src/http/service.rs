//! The daemon about itself: health, metrics, and the description of this interface.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::Desk;
use super::openapi::DOCUMENT;
use crate::meters;

/// Answers as long as the daemon serves; a board's fault is the board's, not the daemon's.
#[derive(Serialize, JsonSchema)]
pub(super) struct Health {
    #[schemars(extend("const" = "ok"))]
    status: &'static str,
    version: &'static str,
    boards: usize,
    connected: usize,
    faults: usize,
}

pub(super) async fn health(State(desk): State<Desk>) -> Json<Health> {
    let boards = desk.hall.boards();
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        boards: boards.len(),
        connected: boards.iter().filter(|board| board.connected).count(),
        faults: boards.iter().filter(|board| board.fault.is_some()).count(),
    })
}

/// Prometheus text format.
pub(super) async fn metrics(State(desk): State<Desk>) -> impl IntoResponse {
    measured(&desk.metrics)
}

fn measured(metrics: &PrometheusHandle) -> impl IntoResponse + use<> {
    (
        [(
            header::CONTENT_TYPE,
            "text/plain; version=0.0.4; charset=utf-8",
        )],
        metrics.render(),
    )
}

/// Serves the meters and nothing else, to whoever asks, until the shutdown.
pub(crate) async fn serve_metrics(listener: TcpListener, shutdown: CancellationToken) {
    let asked = get(async || measured(meters::handle()));
    let served = axum::serve(listener, Router::new().route("/metrics", asked));
    let served = served.with_graceful_shutdown(shutdown.cancelled_owned());
    if let Err(error) = served.await {
        tracing::error!(%error, "the meters are not served any more");
    }
}

pub(super) async fn openapi() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "application/json")],
        DOCUMENT.as_str(),
    )
}
