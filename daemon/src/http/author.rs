//! Who asks, as far as that is known: it stands beside every act.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::doors::Client;
use super::ordered::AtHub;
use crate::people::Visitor;
use crate::store::Author;

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
            address: address.unwrap_or_default(),
            ..Author::default()
        }))
    }
}
