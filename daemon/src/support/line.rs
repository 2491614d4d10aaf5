//! Running text, such as a log, without what tells where it was written.

use std::net::{IpAddr, Ipv4Addr};

/// What stands for an address in a network.
const ADDRESS: &str = "ADDRESS";
/// What stands for a host's name.
const HOST: &str = "HOST";
/// Hosts that tell of nobody where he is.
const EVERYBODYS: [&str; 2] = ["localhost", "lichess.org"];

/// `text` without addresses, hosts' names, secrets in links, and whose home a file is in.
pub(super) fn without_places(text: &str) -> String {
    let text = after_each(text, ".html#", |rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
        ("SECRET", end.unwrap_or(rest.len()))
    });
    let text = after_each(&text, "/home/", |rest| ("Person", end_of_word(rest)));
    let text = after_each(&text, "://", host);
    without_addresses(&text)
}

/// `text` in which, after each `mark`, so many bytes as `what` says are what it says.
fn after_each<'t>(text: &'t str, mark: &str, what: impl Fn(&'t str) -> (&'t str, usize)) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(mark) {
        let (before, after) = rest.split_at(at + mark.len());
        let (instead, length) = what(after);
        done.push_str(before);
        if length > 0 {
            done.push_str(instead);
        }
        rest = &after[length..];
    }
    done.push_str(rest);
    done
}

fn end_of_word(text: &str) -> usize {
    let is_within = |c: char| c.is_alphanumeric() || ['-', '_', '.'].contains(&c);
    text.find(|c| !is_within(c)).unwrap_or(text.len())
}

/// The host with which `text` begins; what stands for it, and how long it is.
fn host(text: &str) -> (&str, usize) {
    let length = end_of_word(text);
    let name = &text[..length];
    let is_told = EVERYBODYS.contains(&name) || name.parse::<Ipv4Addr>().is_ok();
    (if is_told { name } else { HOST }, length)
}

/// `text` without addresses in a network, but for those that are every machine's own.
fn without_addresses(text: &str) -> String {
    let is_of_address = |c: char| c.is_ascii_hexdigit() || c == '.' || c == ':';
    let mut veiled = String::new();
    let mut word = String::new();
    for c in text.chars() {
        if is_of_address(c) {
            word.push(c);
        } else {
            veiled.push_str(&without_address(&word));
            word.clear();
            veiled.push(c);
        }
    }
    veiled.push_str(&without_address(&word));
    veiled
}

/// The same of one word, which may have a port and marks before and behind it.
fn without_address(word: &str) -> String {
    let address = word.trim_end_matches(['.', ':']);
    let begin = match address.strip_prefix(':') {
        Some(rest) if !rest.starts_with(':') => 1,
        _ => 0,
    };
    if let Some(hidden) = hidden(&address[begin..]) {
        return [&word[..begin], hidden, &word[address.len()..]].concat();
    }
    // With a port, which an address of IPv6 has behind brackets, and so is another word.
    let parts = word.split(':').map(|part| {
        let bare = part.trim_end_matches('.');
        hidden(bare).map_or(part.to_owned(), |hidden| {
            format!("{hidden}{}", &part[bare.len()..])
        })
    });
    parts.collect::<Vec<_>>().join(":")
}

/// What stands for an address; `None` where it is none, or every machine's own.
fn hidden(address: &str) -> Option<&'static str> {
    let ip = address.parse::<IpAddr>().ok()?;
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ADDRESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_is_told_whatever_stands_around_it() {
        for (said, told) in [
            ("from 10.0.0.7:51234.", "from ADDRESS:51234."),
            ("10.0.0.7:51234: refused", "ADDRESS:51234: refused"),
            ("peer:10.0.0.7", "peer:ADDRESS"),
            ("cafe:10.0.0.7, and", "cafe:ADDRESS, and"),
            ("fe80::1%eth0 fe80::1:", "ADDRESS%eth0 ADDRESS:"),
            ("https://[2001:db8::7]:8443/", "https://[ADDRESS]:8443/"),
            ("https://10.0.0.7:8443/", "https://ADDRESS:8443/"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
            ("0.0.0.0:8443 and [::]:80", "0.0.0.0:8443 and [::]:80"),
            ("12:30:05.120 d4: e4 at 5.5", "12:30:05.120 d4: e4 at 5.5"),
        ] {
            assert_eq!(without_places(said), told);
        }
    }

    #[test]
    fn no_host_is_told_nor_a_secret_nor_whose_home_it_is() {
        for (said, told) in [
            (
                "the hub wss://hub.elm-street.example:8443 is away",
                "the hub wss://HOST:8443 is away",
            ),
            (
                "https://lichess.org/api at http://localhost:80/",
                "https://lichess.org/api at http://localhost:80/",
            ),
            (
                "at http://127.0.0.1:8080/setup.html#00ffaa11, once",
                "at http://127.0.0.1:8080/setup.html#SECRET, once",
            ),
            ("kept=/home/olga/data", "kept=/home/Person/data"),
            ("sqlite:// and /home/", "sqlite:// and /home/"),
        ] {
            assert_eq!(without_places(said), told);
        }
    }
}
