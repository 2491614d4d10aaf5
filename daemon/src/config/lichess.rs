//! Which rounds are pushed to Lichess: `[lichess]`.

use std::path::{Path, PathBuf};

use super::sheet::{Found, Section, Sheet};
use crate::lichess::{Pace, Round, Rules};

/// Reads the keys.
pub(super) fn lichess<'t>(
    sheet: &mut Sheet<'t>,
    root: &mut Section<'t>,
    base: &Path,
) -> Option<Rules> {
    let mut section = sheet.section(root, "lichess")?;
    let file = sheet.take::<PathBuf>(&mut section, "token-file");
    let url = sheet.take::<String>(&mut section, "url");
    let rounds = rounds(sheet, &mut section);
    if rounds.is_empty() {
        let what = "no round is pushed; add `[[lichess.round]]` with a `round` and its `id`";
        sheet.blame(section.line, "lichess", what);
    }
    sheet.close(section);
    if let Some(Found { value, line }) = &url
        && !is_safe(value)
    {
        let what = format!(
            "`{value}` is not where Lichess can be: write for example \"{}\"; without TLS only \
             on this machine",
            Rules::URL
        );
        sheet.blame(*line, "lichess.url", what);
    }
    let url = url.map_or(Rules::URL.to_owned(), |found| found.value);
    Some(Rules {
        url: url.trim_end_matches('/').to_owned(),
        token_file: file.map(|found| base.join(found.value)),
        rounds,
        pace: Pace::default(),
    })
}

fn rounds<'t>(sheet: &mut Sheet<'t>, lichess: &mut Section<'t>) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    for mut section in sheet.sections(lichess, "round") {
        let event = sheet.take::<usize>(&mut section, "event");
        let round = sheet.take::<u16>(&mut section, "round");
        let id = sheet.take::<String>(&mut section, "id");
        let line = section.line;
        sheet.close(section);
        let (Some(round), Some(id)) = (round, id) else {
            let what = "is to name a `round` and the `id` that it has at Lichess";
            sheet.blame(line, "lichess.round", what);
            continue;
        };
        let is_id = |id: &str| id.len() == 8 && id.bytes().all(|b| b.is_ascii_alphanumeric());
        if !is_id(&id.value) {
            let what = format!(
                "`{}` is no id of a round: it is the eight letters and digits at the end of the \
                 round's address",
                id.value
            );
            sheet.blame(id.line, "lichess.round.id", what);
        }
        if let Some(event) = event.as_ref().filter(|event| event.value == 0) {
            let what = "events are counted from 1 (`arbiterd event list`)";
            sheet.blame(event.line, "lichess.round.event", what);
        }
        let event = event.map_or(1, |event| event.value);
        let is_it = |known: &Round| (known.event, known.round) == (event, round.value);
        let is_known = |known: &Round| is_it(known) || known.id == id.value;
        if rounds.iter().any(is_known) {
            let what = "this round or this id stands above already";
            sheet.blame(round.line, "lichess.round.round", what);
        }
        rounds.push(Round {
            event,
            round: round.value,
            id: id.value,
        });
    }
    rounds
}

/// Whether a token may be sent there: over TLS, or without leaving this machine.
fn is_safe(url: &str) -> bool {
    let uri = url.parse::<axum::http::Uri>().ok();
    let Some((uri, host)) = uri.as_ref().and_then(|uri| Some((uri, uri.host()?))) else {
        return false;
    };
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    let is_here = host == "localhost" || address.is_ok_and(|ip| ip.is_loopback());
    let is_bare = matches!(uri.path(), "" | "/") && uri.query().is_none();
    is_bare && (uri.scheme_str() == Some("https") || uri.scheme_str() == Some("http") && is_here)
}
