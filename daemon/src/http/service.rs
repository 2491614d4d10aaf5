//! The daemon about itself: health, metrics, and the description of this interface.

use axum::Extension;
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
use super::doors::Client;
use super::openapi::DOCUMENT;
use crate::hall::BoardState;
use crate::meters;
use crate::people::Visitor;

/// Answers as long as the daemon serves; a board's fault is the board's, not the daemon's.
#[derive(Serialize, JsonSchema)]
pub(super) struct Health {
    #[schemars(extend("const" = "ok"))]
    status: &'static str,
    /// What strangers of the network are not told.
    #[serde(flatten)]
    more: Option<Hall>,
}

/// How the boards are, for whoever asks at this machine or is known.
#[derive(Serialize, JsonSchema)]
struct Hall {
    version: &'static str,
    boards: usize,
    connected: usize,
    faults: usize,
}

pub(super) async fn health(
    State(desk): State<Desk>,
    visitor: Option<Extension<Visitor>>,
    client: Option<Extension<Client>>,
) -> Json<Health> {
    let is_near = client.is_none_or(|Extension(client)| client.address().is_loopback());
    let is_told = is_near || visitor.is_some();
    let boards = desk.hall.boards();
    let count = |is: fn(&BoardState) -> bool| boards.iter().filter(|board| is(board)).count();
    Json(Health {
        status: "ok",
        more: is_told.then(|| Hall {
            version: env!("CARGO_PKG_VERSION"),
            boards: boards.len(),
            connected: count(|board| board.connected),
            faults: count(|board| board.fault.is_some()),
        }),
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
