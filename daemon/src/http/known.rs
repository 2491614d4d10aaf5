//! What somebody has already, and need not be sent again.

use axum::http::{HeaderMap, header};

/// Whether he has what this tag stands for (RFC 9110, 13.1.2): any of it counts with `*`, and tags
/// are compared weakly.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let plain = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let tag = plain(tag);
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut known = known.filter_map(|known| known.to_str().ok());
    known.any(|known| {
        let mut tags = known.split(',').map(plain);
        known.trim() == "*" || tags.any(|known| known == tag)
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn tags_are_compared_weakly() {
        let is = |known: &'static str, tag: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static(known));
            is_known(&headers, tag)
        };
        for known in ["*", "\"a\"", "W/\"a\"", "\"b\", W/\"a\""] {
            assert!(is(known, "W/\"a\"") && is(known, "\"a\""), "{known}");
        }
        for other in ["\"b\"", "a", "\"ab\"", ""] {
            assert!(!is(other, "\"a\""), "{other}");
        }
        assert!(!is_known(&HeaderMap::new(), "\"a\""));
    }
}
