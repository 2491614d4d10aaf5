//! `arbiterd hub`: keys, and the configuration of a NATS server.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::output;

/// What a command prints; its complaint where it fails.
fn said(arguments: &[&str]) -> Result<String, (i32, String)> {
    let output = output(arguments);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    match output.status.code() {
        Some(0) => Ok(text(output.stdout)),
        code => Err((code.unwrap_or(-1), text(output.stderr))),
    }
}

/// Makes a key; gives what stands behind `name =` in what it prints.
fn key(file: &Path, name: &str) -> String {
    let printed = said(&["hub", "key", file.to_str().unwrap()]).expect("a key");
    let line = printed
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name} = ")));
    line.expect("a line").trim_matches('"').to_owned()
}

#[test]
fn a_nats_server_is_told_who_may_do_what_and_the_file_says_what_it_lacks() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let (hub, hall) = (path("nats.key"), path("main.key"));
    let (hub_name, hall_name) = (key(&hub, "nkey"), key(&hall, "nkey"));
    let mode = fs::metadata(&hub).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let secret = fs::read_to_string(&hub).unwrap();
    assert!(secret.starts_with("SU") && hub_name.starts_with('U'));
    // One that is there is not written over.
    let again = said(&["hub", "key", hub.to_str().unwrap()]).unwrap_err();
    assert_eq!((again.0, fs::read_to_string(&hub).unwrap()), (2, secret));

    let digest = "0".repeat(64);
    let file = path("hub.toml");
    let config = |nats: &str, nkey: &str, listen: &str| {
        let text = format!("{nats}[[hall]]\nname = 'main'\nkey = '{digest}'\n{nkey}");
        fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        said(&[
            "hub",
            "nats-config",
            "--config",
            file,
            "--listen",
            listen,
            "--store",
            "/srv/nats",
        ])
    };
    let nats = "[nats]\naddress = 'nats://127.0.0.1:4222'\nkey = 'nats.key'\n";
    let nkey = format!("nkey = '{hall_name}'\n");
    let near = config(nats, &nkey, "127.0.0.1:4222").unwrap();
    for part in [
        format!("{{ nkey: {hub_name} }}"),
        format!("{{ nkey: {hall_name}\n"),
        "store_dir: \"/srv/nats\"".to_owned(),
        "publish: { allow: [\"arb.v1.main.j\", \"arb.v1.main.up\"] }".to_owned(),
    ] {
        assert!(near.contains(&part), "{part}\n{near}");
    }
    assert!(!near.contains("tls {"), "{near}");
    let far = config(nats, &nkey, "0.0.0.0:4222").unwrap();
    assert!(far.contains("tls {\n  cert_file: \""), "{far}");

    for (answer, what) in [
        (config("", &nkey, "127.0.0.1:4222"), "has no `[nats]`"),
        (
            config(nats, "", "127.0.0.1:4222"),
            "no `[[hall]]` has an `nkey`",
        ),
        (
            config(
                &format!("[http]\ntls = 'off'\n{nats}"),
                &nkey,
                "0.0.0.0:4222",
            ),
            "the network reaches the server",
        ),
        (
            config(
                &nats.replace("nats.key", "other.key"),
                &nkey,
                "127.0.0.1:4222",
            ),
            "other.key: No such file",
        ),
    ] {
        let (code, complaint) = answer.unwrap_err();
        assert!(code == 2 && complaint.contains(what), "{code}: {complaint}");
    }
}
