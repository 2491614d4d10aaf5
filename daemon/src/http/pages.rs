//! The console's files, carried in the binary. In a debug build they are read from the source
//! directory, so that a change shows at the next reload.
//!
//! A page asks for its modules and its styles as one file each, whose address changes with what is
//! in them: a browser keeps them for good. With `?modules` it asks for them as they are written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use access::Sight;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::guard::visitor;
use super::known::is_known;
use super::problem::{Problem, wrong_method};
use super::{Desk, bundle};

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
    let whole = uri.query() == Some("modules");
    let Some(file) = found(path, whole) else {
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

/// What is sent.
#[derive(Clone)]
struct Found {
    data: Cow<'static, [u8]>,
    /// Names what is in it.
    sum: [u8; 32],
    /// Nothing else will ever be at its address.
    stays: bool,
}

impl Found {
    fn of(text: String, stays: bool) -> Found {
        let sum = Sha256::digest(&text).into();
        let data = Cow::Owned(text.into_bytes());
        Found { data, sum, stays }
    }
}

/// The directory of what stays as it is; behind it comes what names its state.
const BUNDLE: &str = "bundle/";

/// Shown where nothing can be asked for: what it needs is kept by its own name.
const OFFLINE: &str = "offline.html";

/// A file as it is sent; `whole`: a page as it is written.
fn found(path: &str, whole: bool) -> Option<Found> {
    // What is embedded stays as it is; a debug build looks each time.
    static KNOWN: Mutex<BTreeMap<String, Found>> = Mutex::new(BTreeMap::new());
    let whole = whole || path == OFFLINE;
    let is_made = path.starts_with(BUNDLE) || path.ends_with(".html") && !whole;
    if !is_made {
        let EmbeddedFile { data, metadata, .. } = Console::get(path)?;
        let sum = metadata.sha256_hash();
        let stays = false;
        return Some(Found { data, sum, stays });
    }
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if !cfg!(debug_assertions)
        && let Some(found) = known().get(path)
    {
        return Some(found.clone());
    }
    let made = made(path)?;
    // Of another state there may be many.
    if !cfg!(debug_assertions) && (made.stays || path.ends_with(".html")) {
        known().insert(path.to_owned(), made.clone());
    }
    Some(made)
}

/// A page with few files, or one of those.
fn made(path: &str) -> Option<Found> {
    let Some(rest) = path.strip_prefix(BUNDLE) else {
        return Some(Found::of(short(path, &text(path)?), false));
    };
    let (named, path) = rest.split_once('/')?;
    let stays = named == state();
    let made = match path.strip_suffix(".css") {
        Some(page) if page.ends_with(".html") => {
            let page = text(page)?;
            let styles = between(&page, STYLE, "\">");
            styles
                .iter()
                .map(|style| text(style))
                .collect::<Option<String>>()?
        }
        _ if path.starts_with("vendor/") => text(path)?,
        _ => match bundle::of(path, &text) {
            Ok(bundle) => bundle.text,
            Err(error) => {
                tracing::error!(error, "modules of the console cannot be put together");
                return None;
            }
        },
    };
    Some(Found::of(made, stays))
}

/// A file of the console.
fn text(path: &str) -> Option<String> {
    let file = Console::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// Names the state of all files.
fn state() -> String {
    static STATE: OnceLock<String> = OnceLock::new();
    let sum = || {
        let mut sum = Sha256::new();
        for path in Console::iter() {
            sum.update(path.as_bytes());
            sum.update(Console::get(&path).map_or([0; 32], |file| file.metadata.sha256_hash()));
        }
        let digest = sum.finalize();
        digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    match cfg!(debug_assertions) {
        true => sum(),
        false => STATE.get_or_init(sum).clone(),
    }
}

const STYLE: &str = "<link rel=\"stylesheet\" href=\"";
const SCRIPT: &str = "<script type=\"module\" src=\"";
const MAP: &str = "<script type=\"importmap\">";

/// What stands in a text between each `start` and the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let parts = text.split(start).skip(1);
    parts
        .filter_map(|part| Some(part.split_once(end)?.0))
        .collect()
}

/// A page that asks for few files: its modules as one, its styles as one, and those that it imports
/// by name at the same time. A page without a module is as it is written.
fn short(path: &str, page: &str) -> String {
    let at = format!("{BUNDLE}{}/", state());
    let [script] = between(page, SCRIPT, "\"")[..] else {
        return page.to_owned();
    };
    let Ok(modules) = bundle::of(script, &text) else {
        return page.to_owned();
    };
    let map = between(page, MAP, "</script>");
    let map = map
        .first()
        .and_then(|map| serde_json::from_str::<Value>(map).ok());
    let map = map.unwrap_or_default();
    let vendored = modules.named.iter().filter_map(|name| {
        let file = map["imports"][name].as_str()?;
        file.strip_prefix("./").map(str::to_owned)
    });
    let all = std::iter::once(script.to_owned()).chain(vendored);
    let preload = |file: String| format!("<link rel=\"modulepreload\" href=\"{at}{file}\">\n  ");
    let preloads: String = all.map(preload).collect();
    let mut lines: Vec<String> = Vec::new();
    let mut is_styled = false;
    for line in page.lines() {
        let style = line.trim_start().starts_with(STYLE);
        if style && is_styled {
            continue;
        }
        is_styled |= style;
        lines.push(match style {
            true => format!("  {STYLE}{at}{path}.css\">"),
            false => line
                .replace("\"./vendor/", &format!("\"./{at}vendor/"))
                .replace(SCRIPT, &format!("{preloads}{SCRIPT}{at}")),
        });
    }
    lines.join("\n") + "\n"
}

fn answer(path: &str, file: Found, known: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", STANDARD.encode(file.sum));
    let same = is_known(known, &tag);
    let mut head = HeaderMap::new();
    let mut set =
        |name, value: &str| head.extend(HeaderValue::from_str(value).map(|value| (name, value)));
    set(header::ETAG, &tag);
    // Always ask again: after an update of the daemon no old file may be shown with new ones.
    let keep = match file.stays {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    set(header::CACHE_CONTROL, keep);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page asks for is there, stays, and has every module.
    #[test]
    fn every_page_asks_for_few_files() {
        let pages = Console::iter().filter(|path| path.ends_with(".html") && path != OFFLINE);
        let with_modules = pages.filter(|page| text(page).unwrap().contains(SCRIPT));
        let pages: Vec<_> = with_modules.collect();
        assert!(pages.len() > 8);
        for page in pages {
            let sent = found(&page, false).unwrap();
            let sent = String::from_utf8(sent.data.into_owned()).unwrap();
            let asked = [STYLE, SCRIPT, "<link rel=\"modulepreload\" href=\""];
            let asked: Vec<&str> = asked
                .iter()
                .flat_map(|start| between(&sent, start, "\""))
                .collect();
            assert!((3..10).contains(&asked.len()), "{page}: {asked:?}");
            for file in asked {
                assert!(file.starts_with(BUNDLE), "{page}: {file}");
                let file = found(file, false).unwrap_or_else(|| panic!("{page}: {file}"));
                assert!(file.stays && !file.data.is_empty());
            }
            let other = found("bundle/0000/app/main.mjs", false).unwrap();
            assert!(!other.stays, "what names another state is asked for again");
        }
    }
}
