//! How programs that know LiveChess are answered: `[livechess]`.

use std::net::{Ipv4Addr, SocketAddr};

use super::entrance::Entrance;
use super::sheet::{Found, Section, Sheet};
use crate::livechess::{Hold, Rules};
use crate::public;

/// Where LiveChess listens.
const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 1982);

/// Reads the keys.
pub(super) fn livechess<'t>(
    sheet: &mut Sheet<'t>,
    root: &mut Section<'t>,
    (entrance, public): (&Entrance, &public::Rules),
) -> Option<Rules> {
    let mut section = sheet.section(root, "livechess")?;
    let listen = sheet.take::<String>(&mut section, "listen");
    let origins = sheet.take::<Vec<String>>(&mut section, "origins");
    let hold = sheet.take::<Hold>(&mut section, "hold");
    sheet.close(section);
    let listen = listen.map_or(LISTEN, |Found { value, line }| {
        value.parse().unwrap_or_else(|_| {
            let what =
                format!("`{value}` is not an address and a port; write for example \"{LISTEN}\"");
            sheet.blame(line, "livechess.listen", what);
            LISTEN
        })
    });
    if let Some(Found { value, line }) = &hold
        && *value == Hold::None
        && (!entrance.delay.is_zero() || public.is_late())
    {
        let what = "\"none\" shows moves as they are made, and `delay` or `public-delay` shows \
                    them later: leave one of them out";
        sheet.blame(*line, "livechess.hold", what);
    }
    if let Some(Found { value, line }) = &origins {
        for origin in value.iter().filter(|origin| !is_origin(origin)) {
            let what = format!(
                "`{origin}` is no origin of web pages; write for example \"https://lichess.org\""
            );
            sheet.blame(*line, "livechess.origins", what);
        }
    }
    Some(Rules {
        listen,
        origins: origins.map_or_else(Vec::new, |found| found.value),
        hold: hold.map_or(Hold::default(), |found| found.value),
    })
}

/// Whether browsers name a page so: scheme and host, with a port where it is not the usual one.
fn is_origin(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '*', '?', '#']))
}
