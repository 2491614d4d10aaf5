//! Where the daemon serves, how, and how the first one comes in.

use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use daemon::config::Config;
use daemon::run::{Daemon, bind};
use daemon::tls::addresses;
use rustls::pki_types::ServerName;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::hall::{Hall, PASSWORD, connector};

/// ASVS 12.1.1: TLS 1.2 and 1.3, and nothing older; the certificate is of our authority.
#[tokio::test]
async fn v12_1_1_tls_of_today_only() {
    let hall = Hall::open();
    let guest = hall.stranger().await;
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let line = TcpStream::connect(hall.address)
            .await
            .expect("a connection");
        let connector = connector(&guest.authority, &[version]);
        let name = ServerName::IpAddress(hall.address.ip().into());
        let line = connector.connect(name, line).await.expect("an agreement");
        let agreed = line.get_ref().1.protocol_version();
        assert_eq!(agreed, Some(version.version));
    }
    // A ClientHello of TLS 1.1 (RFC 4346, 7.4.1.2): answered by an alert and the end.
    let hello: Vec<u8> = [
        &[22, 3, 1, 0, 45, 1, 0, 0, 41, 3, 2][..],
        &[7; 32],
        &[0, 0, 2, 0, 47, 1, 0],
    ]
    .concat();
    let mut line = TcpStream::connect(hall.address)
        .await
        .expect("a connection");
    line.write_all(&hello).await.expect("sent");
    let mut answer = Vec::new();
    let _reset = line.read_to_end(&mut answer).await;
    assert!(
        answer.is_empty() || answer[0] == 21,
        "an alert, not {answer:?}"
    );
    hall.close().await;
}

/// ASVS 12.2.1: nothing is served in plain text where TLS is; a request without it gets no answer.
#[tokio::test]
async fn v12_2_1_plain_text_gets_no_answer() {
    let hall = Hall::open();
    hall.stranger().await;
    let mut line = TcpStream::connect(hall.address)
        .await
        .expect("a connection");
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", hall.address);
    line.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    let _reset = line.read_to_end(&mut answer).await;
    assert!(
        !answer.starts_with(b"HTTP"),
        "{}",
        String::from_utf8_lossy(&answer)
    );
    hall.close().await;
}

/// Whoever connects and says nothing keeps nobody else out, and is sent away.
#[tokio::test]
async fn v15_2_2_silent_connections_keep_nobody_out() {
    let hall = Hall::open();
    let mut guest = hall.chief().await;
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(
            TcpStream::connect(hall.address)
                .await
                .expect("a connection"),
        );
    }
    for _ in 0..5 {
        guest.get("/api/boards").await;
    }
    let last = silent.last_mut().expect("a connection");
    let closed = tokio::time::timeout(std::time::Duration::from_secs(15), last.read_u8()).await;
    assert!(closed.expect("the handshake has its time").is_err());
    hall.close().await;
}

/// ASVS 13.3.1: keys, links, accounts and sessions are their owner's only.
#[tokio::test]
async fn v13_3_1_what_is_secret_is_its_owners_only() {
    let hall = Hall::open();
    let mut guest = hall.stranger().await;
    guest.ask("GET", "/healthz", None).await;
    let mode = |file: &Path| {
        std::fs::metadata(file)
            .expect("a file")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode(&hall.store()), 0o700);
    assert_eq!(mode(&hall.store().join("tls")), 0o700);
    for file in [
        "tls/ca.key",
        "tls/leaf.key",
        "setup-link",
        "people.sqlite",
        "arbiter.sqlite",
    ] {
        assert_eq!(mode(&hall.store().join(file)), 0o600, "{file}");
    }
    hall.close().await;
}

/// The setup link dies by its use, and for ever once there is a chief arbiter.
#[tokio::test]
async fn v13_2_1_the_setup_link_works_once_and_never_again() {
    let hall = Hall::open();
    let mut eve = hall.stranger().await;
    eve.ask("GET", "/healthz", None).await;
    let link = hall.store().join("setup-link");
    let secret = hall.setup_secret();
    let first = |secret: &str, name: &str, password: &str| {
        let first = json!({"secret": secret, "name": name});
        let mut first = first.as_object().cloned().expect("fields");
        first.insert("password".to_owned(), password.into());
        first.into()
    };
    let path = "/api/people/setup";
    assert_eq!(
        eve.status("POST", path, first(&"0".repeat(64), "Eve", PASSWORD))
            .await,
        403
    );
    // A bad password does not use it up.
    assert_eq!(
        eve.status("POST", path, first(&secret, "Ada", "hastings"))
            .await,
        422
    );
    hall.chief().await;
    assert!(!link.exists(), "the file is gone");
    assert_eq!(
        eve.status("POST", path, first(&secret, "Eve", PASSWORD))
            .await,
        403
    );
    let hall = hall.restart().await;
    let mut eve = hall.stranger().await;
    eve.ask("GET", "/healthz", None).await;
    assert!(!link.exists(), "there is no other");
    assert_eq!(
        eve.status("POST", path, first(&secret, "Eve", PASSWORD))
            .await,
        403
    );
    hall.close().await;
}

fn config(dir: &Path, listen: SocketAddr) -> Config {
    Config {
        listen,
        ..Config::new(dir.join("store"), Vec::new())
    }
}

async fn complaint(config: &Config) -> String {
    let daemon = Daemon::open(config, CancellationToken::new()).expect("a store");
    let listener = bind(config.listen).expect("a free port");
    let served = tokio::time::timeout(std::time::Duration::from_secs(5), daemon.serve(listener));
    served
        .await
        .expect("it ends at once")
        .expect_err("it does not serve")
        .to_string()
}

/// On an address of the network the daemon does not start without TLS and without an account.
#[tokio::test]
async fn v12_3_1_a_network_is_not_served_without_tls_and_an_account() {
    let dir = tempfile::tempdir().unwrap();
    let all: SocketAddr = ([0, 0, 0, 0], 0).into();
    let plain = config(dir.path(), all);
    let nobody = complaint(&plain).await;
    assert!(
        nobody.contains("arbiterd people add NAME --role chief"),
        "{nobody}"
    );
    let mut open = plain.clone();
    open.entrance.people = Some(false);
    assert!(complaint(&open).await.contains("--insecure-network"));
    let mut bare = plain.clone();
    bare.entrance.tls = Some(false);
    assert!(
        complaint(&bare)
            .await
            .contains("sends passwords as they are")
    );

    // With an account it starts, and its certificate is good for the machine's other addresses.
    let new = json!({"name": "Ada", "role": "chief", "password": PASSWORD});
    let store = dir.path().join("store");
    let post = axum::http::Method::POST;
    let asked = daemon::http::ask(&store, post, "/api/people/accounts", new.to_string(), true);
    assert_eq!(asked.await.expect("an answer").status, 200);
    let shutdown = CancellationToken::new();
    let daemon = Daemon::open(&plain, shutdown.clone()).expect("a store");
    let listener = bind(plain.listen).expect("a free port");
    let port = listener.local_addr().unwrap().port();
    let serving = tokio::spawn(daemon.serve(listener));
    let own = addresses().into_iter().filter(IpAddr::is_ipv4);
    for address in own {
        let line = loop {
            match TcpStream::connect((address, port)).await {
                Ok(line) => break line,
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        };
        let authority = dir.path().join("store/tls/ca.crt");
        let connector = connector(&authority, rustls::ALL_VERSIONS);
        let agreed = connector
            .connect(ServerName::IpAddress(address.into()), line)
            .await;
        assert!(agreed.is_ok(), "{address}: {agreed:?}");
    }
    shutdown.cancel();
    serving.await.unwrap().unwrap();
}

/// An organiser's own certificate is used, and HSTS is sent with it.
#[tokio::test]
async fn v3_4_1_an_own_certificate_is_used_and_said_to_stay() {
    let made = tempfile::tempdir().unwrap();
    let files = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let (cert, key) = (made.path().join("own.crt"), made.path().join("own.key"));
    std::fs::write(&cert, files.cert.pem()).unwrap();
    std::fs::write(&key, files.signing_key.serialize_pem()).unwrap();
    let hall = Hall::open_with(|config| config.entrance.files = Some((cert.clone(), key)));
    let mut guest = super::hall::Guest {
        address: hall.address,
        authority: cert,
        cookie: None,
    };
    let answer = guest.ask("GET", "/healthz", None).await;
    assert!(
        answer.head.contains("strict-transport-security: max-age="),
        "{}",
        answer.head
    );
    assert_eq!(guest.ask("GET", "/ca.crt", None).await.status, 404);
    hall.close().await;
}

/// Prometheus has no account. What it reads is read without one where that is configured, and
/// nothing else is to be had there.
#[tokio::test]
async fn meters_and_nothing_else_are_read_without_an_account() {
    let free = bind(([127, 0, 0, 1], 0).into()).expect("a free port");
    let address = free.local_addr().unwrap();
    drop(free);
    let hall = Hall::open_with(|config| config.entrance.metrics = Some(address));
    let mut guest = hall.stranger().await;
    assert_eq!(guest.ask("GET", "/metrics", None).await.status, 401);
    for (path, status) in [
        ("/metrics", "200"),
        ("/healthz", "404"),
        ("/api/boards", "404"),
        ("/", "404"),
    ] {
        let mut line = TcpStream::connect(address).await.expect("a connection");
        let asked = format!("GET {path} HTTP/1.1\r\nhost: hall\r\nconnection: close\r\n\r\n");
        line.write_all(asked.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        line.read_to_string(&mut answer).await.expect("an answer");
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
        assert_eq!(answer.contains("arbiter_boards "), path == "/metrics");
    }
    hall.close().await;
}

/// ASVS 4.1.3: whom a proxy speaks for counts only where the proxy is listed. Then limits are those
/// of the client, his address stands in what is written, and links are those of the proxy's TLS.
#[tokio::test]
async fn v4_1_3_only_a_listed_proxy_is_believed() {
    for is_listed in [false, true] {
        let hall = Hall::open_with(|config| {
            config.entrance.proxies = is_listed
                .then(|| [127, 0, 0, 1].into())
                .into_iter()
                .collect();
        });
        let mut chief = hall.chief().await;
        let mut eve = hall.stranger().await;
        let origin = format!("Origin: https://{}\r\n", hall.address);
        let kind = "Content-Type: application/json\r\n";
        let mut guesses = Vec::new();
        // The first address is what the client wrote himself.
        for client in ["192.0.2.1", "192.0.2.2"] {
            let from = format!("X-Forwarded-For: 203.0.113.9, {client}\r\n{origin}{kind}");
            for n in 0..21 {
                let login = json!({ "name": format!("nobody {n}"), "password": "a guess" });
                let answer = eve
                    .ask_with("POST", "/api/people/login", Some(login), &from)
                    .await;
                guesses.push(answer.status);
            }
        }
        let refused = guesses.iter().filter(|status| **status == 429).count();
        // Twenty a minute from an address; passwords take their time, in which some come back.
        match is_listed {
            true => assert!(
                guesses[..20]
                    .iter()
                    .chain(&guesses[21..41])
                    .all(|s| *s == 401),
                "{guesses:?}"
            ),
            false => assert!(refused > 10, "{guesses:?}"),
        }
        let acts = hall.acts();
        let last = acts
            .iter()
            .rev()
            .find(|(_, what, _)| what["act"] == "login-refused");
        let (by, ..) = last.expect("a refusal");
        assert_eq!(
            by.address,
            if is_listed { "192.0.2.2" } else { "127.0.0.1" }
        );
        let from = "X-Forwarded-For: 192.0.2.3\r\n";
        let me = chief.ask_with("GET", "/api/people/me", None, from).await;
        assert_eq!(me.status, 200, "{}", me.body);
        hall.close().await;
    }
}

/// The directory of a hall that had a chief arbiter, and whose file of accounts is gone.
async fn without_accounts() -> tempfile::TempDir {
    let hall = Hall::open();
    hall.chief().await;
    let dir = hall.close().await;
    for end in ["", "-wal", "-shm"] {
        let file = dir.path().join(format!("store/people.sqlite{end}"));
        let _not_there = std::fs::remove_file(file);
    }
    dir
}

/// Whoever takes the file of accounts away makes himself no chief arbiter by that.
#[tokio::test]
async fn v13_2_1_no_second_setup_link_where_the_accounts_are_gone() {
    let dir = without_accounts().await;
    let store = dir.path().join("store");
    let mut config = Config::new(store.clone(), Vec::new());
    config.listen = ([127, 0, 0, 1], 0).into();
    config.entrance.people = Some(true);
    let daemon = Daemon::open(&config, CancellationToken::new()).expect("a store");
    let refused = daemon
        .serve(bind(config.listen).expect("a free port"))
        .await;
    let told = refused.expect_err("no link").to_string();
    assert!(
        told.contains("arbiterd people add NAME --role chief"),
        "{told}"
    );
    assert!(!store.join("setup-link").exists());
}

/// A start that is refused makes no authority, and no certificate: for want of an account in the
/// network, and where the accounts are gone.
#[tokio::test]
async fn no_authority_is_made_at_a_start_that_is_refused() {
    let refused_at = async |store: &Path, listen: SocketAddr| {
        let mut config = Config::new(store.to_owned(), Vec::new());
        config.listen = listen;
        config.entrance.people = Some(true);
        let daemon = Daemon::open(&config, CancellationToken::new()).expect("a store");
        let listener = bind(config.listen).expect("a free port");
        let served = daemon.serve(listener).await;
        assert!(served.is_err(), "{listen}");
        let tls = store.join("tls");
        let made = std::fs::read_dir(&tls).map(|all| all.count()).unwrap_or(0);
        assert_eq!(made, 0, "{}", tls.display());
    };
    let fresh = tempfile::tempdir().unwrap();
    refused_at(fresh.path(), ([0, 0, 0, 0], 0).into()).await;
    let dir = without_accounts().await;
    let store = dir.path().join("store");
    std::fs::remove_dir_all(store.join("tls")).unwrap();
    refused_at(&store, ([127, 0, 0, 1], 0).into()).await;
}

/// The setup link is worth nothing once there is an administrator, however he was made, or once
/// its daemon has ended: then its file is gone.
#[tokio::test]
async fn the_file_of_a_setup_link_goes_with_its_worth() {
    let hall = Hall::open();
    hall.stranger().await.ask("GET", "/healthz", None).await;
    let link = hall.store().join("setup-link");
    assert!(link.exists());
    let store = hall.store().display().to_string();
    let add = ["people", "add", "Ada", "--role", "chief", "--dir", &store];
    let (status, _, errors) = super::written::command(&add, None).await;
    assert_eq!(status, 0, "{errors}");
    assert!(!link.exists());
    hall.close().await;
    let hall = Hall::open();
    hall.stranger().await.ask("GET", "/healthz", None).await;
    let link = hall.store().join("setup-link");
    assert!(link.exists());
    let _dir = hall.close().await;
    assert!(!link.exists(), "nobody answers it any more");
}

/// ASVS 13.4.6: who comes over the network and is not known is told that the daemon serves, and no
/// more: no version, and nothing of the boards.
#[tokio::test]
async fn v13_4_6_strangers_are_told_that_it_serves_and_no_more() {
    let proxy = |config: &mut daemon::config::Config| {
        config.entrance.proxies = vec![[127, 0, 0, 1].into()];
    };
    let hall = Hall::open_with(proxy);
    let mut chief = hall.chief().await;
    let from = "X-Forwarded-For: 192.0.2.7\r\n";
    let mut stranger = hall.stranger().await;
    let told = stranger.ask_with("GET", "/healthz", None, from).await;
    assert_eq!((told.status, told.json()), (200, json!({ "status": "ok" })));
    for told in [
        stranger.ask("GET", "/healthz", None).await,
        chief.ask_with("GET", "/healthz", None, from).await,
    ] {
        assert_eq!(told.json()["boards"], 2, "{}", told.body);
    }
    hall.close().await;
}

/// A proxy before the service might take the other one.
#[tokio::test]
async fn a_request_with_two_hosts_is_refused() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let hosts = format!("Host: {}\r\n", chief.address);
    let said = chief.ask_with("GET", "/api/boards", None, &hosts).await;
    assert_eq!(said.status, 403, "{}", said.body);
    assert!(said.body.contains("two hosts"), "{}", said.body);
    hall.close().await;
}
