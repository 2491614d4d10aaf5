//! One request: a body goes out, and what Lichess says of it comes back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, http};

use super::push::Pace;
use super::token::Token;
use crate::plain;

/// The longest answer, in bytes. That to 64 games with all their tags has some 60,000.
const LONGEST: u64 = 1 << 20;
/// The longest that is shown of what Lichess says, in letters.
const SHOWN: usize = 200;

/// What Lichess says of a request that it has taken.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(super) struct Answer {
    pub(super) games: Vec<Told>,
}

/// What it says of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(super) struct Told {
    #[serde(default)]
    pub(super) tags: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) error: Option<String>,
}

/// Why a request was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    /// For people: what is wrong, and what to do.
    pub(super) what: String,
    /// Lichess has had too many requests, and wants to be left alone for so long.
    pub(super) rest: Option<Duration>,
    /// Nobody knows whether it was taken, or will be.
    pub(super) may_arrive: bool,
}

/// Whoever speaks to Lichess.
#[derive(Debug)]
pub(super) struct Post {
    agent: Agent,
    url: String,
    token: Token,
}

impl Post {
    pub(super) fn new(url: &str, token: Token, pace: &Pace) -> Post {
        let ring = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(ring);
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .timeout_global(Some(pace.timeout))
            .http_status_as_error(false)
            // Whoever is sent elsewhere would take the token there.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(1)
            .user_agent(concat!("arbiterd/", env!("CARGO_PKG_VERSION")));
        Post {
            agent: config.build().new_agent(),
            url: url.to_owned(),
            token,
        }
    }

    /// Pushes games to a round.
    pub(super) fn push(&self, id: &str, games: &str) -> Result<Answer, Failure> {
        let token = self.token.text().map_err(|error| Failure {
            what: error.to_string(),
            rest: None,
            may_arrive: false,
        })?;
        let request = self
            .agent
            .post(format!("{}/api/broadcast/round/{id}/push", self.url))
            .header("Authorization", format!("Bearer {token}"))
            .header("Accept", "application/json")
            .content_type("text/plain; charset=utf-8");
        let answer = request.send(games).map_err(|error| unheard(&error))?;
        heard(answer, &token)
    }
}

fn unheard(error: &Error) -> Failure {
    let (what, may_arrive) = match error {
        Error::Timeout(_) => ("Lichess did not answer in time".to_owned(), true),
        Error::HostNotFound | Error::ConnectionFailed => {
            let what = "Lichess is not reached: is this machine on the internet?";
            (what.to_owned(), false)
        }
        Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            let what = "Lichess is not reached: the connection was refused";
            (what.to_owned(), false)
        }
        error => (format!("the line to Lichess failed: {error}"), true),
    };
    Failure {
        what: brief(&what),
        rest: None,
        may_arrive,
    }
}

fn heard(mut answer: http::Response<Body>, token: &str) -> Result<Answer, Failure> {
    let status = answer.status().as_u16();
    let rest = (status == 429).then(|| {
        let asked = answer.headers().get("retry-after");
        let asked = asked.and_then(|asked| asked.to_str().ok()?.trim().parse().ok());
        Duration::from_secs(asked.unwrap_or(0).min(3600))
    });
    let text = answer
        .body_mut()
        .with_config()
        .limit(LONGEST)
        .read_to_string();
    let text = match text {
        // Whoever repeats what it was told: the token stands in no log.
        Ok(text) => text.replace(token, "[token]"),
        Err(error) if status == 200 => return Err(unheard(&error)),
        Err(_) => String::new(),
    };
    if status == 200 {
        let answer: Result<Answer, _> = serde_json::from_str(&text);
        let mut answer = answer.map_err(|_| Failure {
            what: "what answered is not Lichess: see `url` of [lichess]".to_owned(),
            rest: None,
            may_arrive: true,
        })?;
        for game in &mut answer.games {
            game.error = game.error.as_deref().map(brief);
        }
        return Ok(answer);
    }
    Err(Failure {
        what: refusal(status, &text),
        rest,
        may_arrive: status >= 500,
    })
}

/// Why Lichess has not taken a request, and what to do.
fn refusal(status: u16, text: &str) -> String {
    #[derive(Deserialize)]
    struct Said {
        error: String,
    }
    let said = serde_json::from_str::<Said>(text).ok();
    let said = said.map(|said| format!(" ({})", brief(&said.error)));
    let said = said.unwrap_or_default();
    let what = match status {
        400 => "Lichess does not take the games; a round with a source URL takes none",
        401 => "Lichess does not know the token: make one with the scope `study:write`",
        403 => "the token may not push: it needs the scope `study:write`, and a contributor's",
        404 => "Lichess has no such round: the id is at the end of its address",
        429 => "Lichess has had too many requests",
        300..=399 => "Lichess is elsewhere: see `url` of [lichess]",
        500.. => "Lichess fails",
        _ => "Lichess does not take it",
    };
    format!("{what}: HTTP {status}{said}")
}

/// A text of others as it can stand in a line.
fn brief(text: &str) -> String {
    let text: String = text.chars().take(SHOWN).collect();
    let text: Vec<&str> = text.split_whitespace().collect();
    plain::shown(&text.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_to_do_and_what_lichess_says_of_it() {
        let said = refusal(400, r#"{"error":"No move\nfound"}"#);
        assert!(said.ends_with("HTTP 400 (No move found)"), "{said}");
        assert!(refusal(401, "<html>").contains("study:write"));
        assert!(refusal(503, "").starts_with("Lichess fails"));
    }
}
