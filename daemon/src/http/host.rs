//! By what name the service is asked, and from which page. Whoever may ask (`guard`), a web page
//! from elsewhere, shown in the arbiter's own browser, must not reach the service by way of that
//! browser.
//!
//! - The `Host` must be an address, `localhost`, or a name the service was told it has. A page that
//!   points its own name at this machine (DNS rebinding) sends its own name.
//! - An `Origin`, which browsers send with every WebSocket and POST, must be this service itself,
//!   and so must the `Sec-Fetch-Site` that newer ones send.
//!
//! Nobody may order more often than people do, and how long an order is stands in its head: of a
//! request with two lengths, a proxy before the service might take the other one.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::doors::Client;
use super::problem::Problem;
use crate::reason::Reason;

/// The host names the service answers to, besides addresses and `localhost`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names(Vec<String>);

impl Names {
    /// Answers to these names as well, such as the machine's name in the hall's network.
    pub fn new(names: impl IntoIterator<Item = String>) -> Names {
        Names(
            names
                .into_iter()
                .map(|name| name.to_ascii_lowercase())
                .collect(),
        )
    }

    /// The name that others are told.
    pub(super) fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Whether this is an address, or a name of the service.
    pub(crate) fn include(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let address = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>();
        address.is_ok()
            || host == "localhost"
            || host.ends_with(".localhost")
            || self.0.contains(&host)
    }
}

/// Lets a request pass, or refuses it.
pub(super) async fn check(
    State(names): State<Arc<Names>>,
    request: Request,
    next: Next,
) -> Response {
    let refused = refusal(&names, request.method(), request.headers(), request.uri())
        .map(|error| Problem::new(StatusCode::FORBIDDEN, error))
        .or_else(|| excess(&request));
    match refused {
        None => next.run(request).await,
        Some(problem) => problem.into_response(),
    }
}

/// Why the service does not take so much.
fn excess(request: &Request) -> Option<Problem> {
    if request.headers().contains_key(header::TRANSFER_ENCODING) {
        let error = "send `content-length`, and no `transfer-encoding`";
        return Some(Problem::new(StatusCode::LENGTH_REQUIRED, error));
    }
    let client = request.extensions().get::<Client>();
    let is_order = !request.method().is_safe();
    let too_often = is_order && client.is_some_and(|client| !client.may_order());
    too_often.then(|| {
        let error = "too many orders at once; try again in some seconds";
        let reason = Reason::new("too-many-orders", error);
        Problem::because(StatusCode::TOO_MANY_REQUESTS, reason)
    })
}

fn refusal(names: &Names, method: &Method, headers: &HeaderMap, uri: &Uri) -> Option<&'static str> {
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    // A proxy before the service might take the other one.
    if headers.get_all(header::HOST).iter().nth(1).is_some() {
        return Some("the request names two hosts");
    }
    let host = text(header::HOST)
        .or_else(|| uri.authority().map(Authority::as_str))
        .unwrap_or_default();
    let Ok(host) = host.parse::<Authority>() else {
        return Some("the request names no host");
    };
    if !names.include(host.host()) {
        return Some(
            "this service does not go by that host name; use its address, or add the name to its \
            configuration",
        );
    }
    let changes = !method.is_safe();
    let upgrade = headers.contains_key(header::UPGRADE);
    if !changes && !upgrade {
        return None;
    }
    let own = |origin: &str| {
        origin
            .split_once("://")
            .is_some_and(|(_, site)| site.eq_ignore_ascii_case(host.as_str()))
    };
    // What this page or the person at the browser asks is `same-origin` or `none`.
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let is_foreign = site.is_some_and(|site| site != "same-origin" && site != "none");
    if is_foreign || text(header::ORIGIN).is_some_and(|origin| !own(origin)) {
        return Some(
            "requests that change something or follow the boards come from the console's own page \
            only",
        );
    }
    let json = text(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.split(';').next() == Some("application/json"));
    // No form of a browser is sent without a body and without a kind; a script of a page that sends
    // nothing says its origin.
    let is_empty = text(header::CONTENT_LENGTH).is_none_or(|length| length == "0")
        && !headers.contains_key(header::TRANSFER_ENCODING);
    let is_bare = is_empty && !headers.contains_key(header::CONTENT_TYPE);
    (changes && !json && !is_bare).then_some("send `content-type: application/json`")
}
