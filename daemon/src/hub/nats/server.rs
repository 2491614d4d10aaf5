//! The configuration of the NATS server: who may do what there.

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::Names;

/// The longest message that the server takes, in bytes: the largest file that a hall takes, in
/// Base64, and room for the rest.
const LONGEST: usize = 8 << 20;

/// How much the server keeps at most, in bytes: more than all streams, which have limits of their
/// own. Where this changes it must be started anew, so that it is not the sum of these.
const MOST: u64 = 1 << 40;

/// What is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Server<'a> {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Where it keeps what it is given.
    pub store: &'a Path,
    /// Its certificate and its key, PEM; `None` without TLS.
    pub tls: Option<&'a (PathBuf, PathBuf)>,
    /// The public half of the hub's key.
    pub hub: &'a str,
    /// Of each hall its name and the public half of its key.
    pub halls: &'a [(&'a str, &'a str)],
}

impl Server<'_> {
    /// The text, as nats-server reads it.
    pub fn written(&self) -> String {
        let mut text = String::from("# Written by `arbiterd hub nats-config`.\n");
        let store = quoted(self.store);
        let _ = writeln!(text, "listen: \"{}\"", self.listen);
        let _ = writeln!(text, "max_payload: {LONGEST}");
        let _ = writeln!(
            text,
            "jetstream {{\n  store_dir: {store}\n  max_file_store: {MOST}\n}}"
        );
        if let Some((cert, key)) = self.tls {
            let (cert, key) = (quoted(cert), quoted(key));
            let _ = writeln!(text, "tls {{\n  cert_file: {cert}\n  key_file: {key}\n}}");
        }
        let _ = writeln!(text, "authorization {{\n  users: [");
        let _ = writeln!(text, "    # the hub\n    {{ nkey: {} }}", self.hub);
        for (name, nkey) in self.halls {
            text += &hall(&Names::new(name), nkey);
        }
        text += "  ]\n}\n";
        text
    }
}

/// What a hall may do: say its own, and hear what is said to it. It has no access to JetStream
/// but that the server answers what it publishes. On a narrow line an answer waits behind rows: it
/// may be given for so long as the longest wait of a hall.
fn hall(names: &Names, nkey: &str) -> String {
    let listed = |what: &[&str]| {
        let all = what.iter().map(|what| format!("\"{}\"", names.of(what)));
        all.collect::<Vec<String>>().join(", ")
    };
    let (says, hears) = (listed(&["j", "up"]), listed(&["down.*", "call", "inbox.>"]));
    format!(
        "    # hall {}
    {{ nkey: {nkey}
      permissions: {{
        publish: {{ allow: [{says}] }}
        subscribe: {{ allow: [{hears}] }}
        allow_responses: {{ max: 1, expires: \"2m\" }}
      }} }}\n",
        names.hall
    )
}

/// A path from the root on: the server may be started elsewhere.
fn quoted(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    format!("\"{}\"", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hall_may_do_its_own_and_nothing_else() {
        let tls = (
            PathBuf::from("/tls/leaf.crt"),
            PathBuf::from("/tls/leaf.key"),
        );
        let server = Server {
            listen: ([0, 0, 0, 0], 4222).into(),
            store: Path::new("/var/lib/nats"),
            tls: Some(&tls),
            hub: "UHUB",
            halls: &[("main", "UMAIN"), ("juniors", "UJUNIORS")],
        };
        let text = server.written();
        let of_main = "    # hall main
    { nkey: UMAIN
      permissions: {
        publish: { allow: [\"arb.v1.main.j\", \"arb.v1.main.up\"] }
        subscribe: { allow: [\"arb.v1.main.down.*\", \"arb.v1.main.call\", \
                       \"arb.v1.main.inbox.>\"] }
        allow_responses: { max: 1, expires: \"2m\" }
      } }
";
        assert!(text.contains(of_main), "{text}");
        for line in [
            "listen: \"0.0.0.0:4222\"",
            "  max_file_store: 1099511627776",
            "  cert_file: \"/tls/leaf.crt\"",
            "    { nkey: UHUB }",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
