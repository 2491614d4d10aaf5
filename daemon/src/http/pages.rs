//! The console's files, carried in the binary. In a debug build they are read from the source
//! directory, so that a change shows at the next reload.

use access::Sight;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

use super::Desk;
use super::guard::visitor;
use super::known::is_known;
use super::problem::{Problem, wrong_method};

#[derive(RustEmbed)]
#[folder = "console/"]
struct Console;

/// One file of the console, or the answer that there is none.
pub(super) async fn page(
    State(desk): State<Desk>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    extensions: Extensions,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    // The hub's own console, with the event of all halls, is asked for by its name.
    if uri.path() == "/" && desk.halls.is_some() {
        return Redirect::to("/halls.html").into_response();
    }
    if path == "index.html" && desk.required {
        let visitor = visitor(&desk, &headers, &extensions);
        if visitor.as_ref().is_some_and(|v| v.pin.is_some()) {
            return Redirect::to("/pin.html").into_response();
        }
        match visitor.map(|v| Sight::of(v.who.role)) {
            None => return Redirect::to("/login.html").into_response(),
            Some(Sight::Public) => return Redirect::to("/wall.html").into_response(),
            Some(Sight::Devices | Sight::Everything) => {}
        }
    }
    let Some(file) = Console::get(path) else {
        let error = format!(
            "there is nothing at {}; the console is at /, the interface at /api/openapi.json",
            uri.path()
        );
        return Problem::not_found(error).into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        return wrong_method(method, uri).await.into_response();
    }
    answer(path, file, &headers)
}

fn answer(path: &str, file: EmbeddedFile, known: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", STANDARD.encode(file.metadata.sha256_hash()));
    let same = is_known(known, &tag);
    let mut head = HeaderMap::new();
    let mut set =
        |name, value: &str| head.extend(HeaderValue::from_str(value).map(|value| (name, value)));
    set(header::ETAG, &tag);
    // Always ask again: after an update of the daemon no old file may be shown with new ones.
    set(header::CACHE_CONTROL, "no-cache");
    set(header::CONTENT_TYPE, kind(path));
    if path.ends_with(".html") {
        set(header::CONTENT_SECURITY_POLICY, &policy(&file.data));
    }
    // It runs beside the pages, under its own policy.
    if path == "offline.mjs" {
        let own = "default-src 'none'; connect-src 'self'";
        set(header::CONTENT_SECURITY_POLICY, own);
    }
    if same {
        (StatusCode::NOT_MODIFIED, head).into_response()
    } else {
        (head, file.data).into_response()
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "text/plain; charset=utf-8",
    }
}

/// The one style attribute that chessground writes, on its drawings.
const BOARD_STYLE: &str = "color-scheme:light only";

/// What the page may load: its own files only. The import map is the one inline element, allowed by
/// its hash; browsers take import maps in no other way.
fn policy(index: &[u8]) -> String {
    let index = String::from_utf8_lossy(index);
    let map = index
        .split_once("<script type=\"importmap\">")
        .and_then(|(_, rest)| rest.split_once("</script>"));
    let hash = STANDARD.encode(Sha256::digest(map.map_or("", |(map, _)| map)));
    let style = STANDARD.encode(Sha256::digest(BOARD_STYLE));
    format!(
        "default-src 'none'; script-src 'self' 'sha256-{hash}'; style-src 'self'; \
         style-src-attr 'unsafe-hashes' 'sha256-{style}'; img-src 'self' data:; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}
