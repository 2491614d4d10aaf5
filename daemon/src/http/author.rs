//! Who asks, as far as that is known: it stands beside every act.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::doors::Client;
use super::ordered::AtHub;
use crate::people::Visitor;
use crate::plain;
use crate::store::Author;

/// The name that somebody gives himself where nobody is asked who he is: UTF-8 in percent signs.
pub(super) const NAME: &str = "arbiter-name";

/// Who asks.
#[derive(Debug)]
pub(super) struct By(pub(super) Author);

impl<S: Sync> FromRequestParts<S> for By {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<By, Infallible> {
        if let Some(known) = parts.extensions.get::<Author>() {
            return Ok(By(known.clone()));
        }
        if let Some(person) = parts.extensions.get::<AtHub>() {
            return Ok(By(person.author()));
        }
        // Where people are asked who they are, it is somebody.
        let visitor = parts.extensions.get::<Visitor>();
        if let Some(visitor) = visitor.filter(|visitor| !visitor.who.name.is_empty()) {
            return Ok(By(visitor.author()));
        }
        let client = parts.extensions.get::<Client>();
        let address = client.map(|client| client.address().to_string());
        Ok(By(Author {
            who: own_name(&parts.headers).unwrap_or_default(),
            address: address.unwrap_or_default(),
            ..Author::default()
        }))
    }
}

/// The name that somebody gives himself, where it can be shown.
fn own_name(headers: &HeaderMap) -> Option<String> {
    let name = decoded(headers.get(NAME)?.as_bytes())?;
    let name = name.trim();
    plain::complaint(name).is_none().then(|| name.to_owned())
}

/// Text in which `%` and two digits are a byte.
fn decoded(text: &[u8]) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.iter().copied());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(16 * digit()? + digit()?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_name_is_read_where_it_can_be_shown() {
        let name = |text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(NAME, HeaderValue::from_static(text));
            own_name(&headers)
        };
        assert_eq!(name("Eva").as_deref(), Some("Eva"));
        assert_eq!(name("Ren%C3%A9e%20D.").as_deref(), Some("Ren\u{e9}e D."));
        assert_eq!(name("a%0Ab"), None, "a line break");
        assert_eq!(name("a%2"), None, "cut off");
        assert_eq!(name("%FF"), None, "no UTF-8");
    }
}
