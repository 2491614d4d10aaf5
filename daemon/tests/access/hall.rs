//! A daemon that asks who comes, over real TLS, and those who come.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use access::Role;
use board_driver::PortSpec;
use daemon::config::{BoardConfig, Config};
use daemon::run::{Daemon, RunError, bind};
use daemon::store::StoreError;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::sync::CancellationToken;

/// No wait may take longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// A password that is good, for everybody.
pub(crate) const PASSWORD: &str = "rainy tuesday harbour";

/// A daemon with two boards: the first table and the second.
pub(crate) struct Hall {
    pub(crate) dir: TempDir,
    pub(crate) address: SocketAddr,
    shutdown: CancellationToken,
    serving: JoinHandle<Result<(), RunError>>,
}

impl Hall {
    pub(crate) fn store(&self) -> PathBuf {
        self.dir.path().join("store")
    }

    /// A daemon whose chief arbiter has not come yet.
    pub(crate) fn open() -> Hall {
        Hall::open_with(|_| {})
    }

    /// The same with something else in its configuration.
    pub(crate) fn open_with(change: impl FnOnce(&mut Config)) -> Hall {
        Hall::again(tempfile::tempdir().expect("a directory"), change)
    }

    /// A daemon on the store that is in `dir`.
    pub(crate) fn in_dir(dir: TempDir) -> Hall {
        Hall::again(dir, |_| {})
    }

    /// The daemon is started once more on its store.
    pub(crate) async fn restart(self) -> Hall {
        Hall::again(self.close().await, |_| {})
    }

    /// The same with something else in its configuration.
    pub(crate) async fn restart_with(self, change: impl FnOnce(&mut Config)) -> Hall {
        Hall::again(self.close().await, change)
    }

    fn again(dir: TempDir, change: impl FnOnce(&mut Config)) -> Hall {
        let board = |id: &str| BoardConfig::new(id, PortSpec::Path(dir.path().join(id)));
        let boards = ["b01", "b02"].map(board).to_vec();
        let mut config = Config::new(dir.path().join("store"), boards);
        config.listen = ([127, 0, 0, 1], 0).into();
        config.entrance.people = Some(true);
        config.event.name = "Hastings Congress".to_owned();
        change(&mut config);
        let shutdown = CancellationToken::new();
        let daemon = opened(&config, &shutdown);
        let listener = bind(config.listen).expect("a free port");
        Hall {
            dir,
            address: listener.local_addr().expect("an address"),
            shutdown,
            serving: tokio::spawn(daemon.serve(listener)),
        }
    }

    pub(crate) async fn close(self) -> TempDir {
        self.shutdown.cancel();
        let serving = tokio::time::timeout(PATIENCE, self.serving).await;
        serving
            .expect("in time")
            .expect("no panic")
            .expect("in order");
        self.dir
    }

    /// Somebody whom nobody knows.
    pub(crate) async fn stranger(&self) -> Guest {
        let authority = self.store().join("tls/ca.crt");
        let end = tokio::time::Instant::now() + PATIENCE;
        while !authority.exists() {
            assert!(tokio::time::Instant::now() < end, "a certificate is made");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Guest {
            address: self.address,
            authority,
            cookie: None,
        }
    }

    /// What the setup link holds after its `#`.
    pub(crate) fn setup_secret(&self) -> String {
        let link = std::fs::read_to_string(self.store().join("setup-link")).expect("a link");
        link.trim()
            .split_once('#')
            .expect("a fragment")
            .1
            .to_owned()
    }

    /// The chief arbiter, who has used the setup link.
    pub(crate) async fn chief(&self) -> Guest {
        let mut chief = self.stranger().await;
        // The link is written before the certificate is used.
        chief.ask("GET", "/healthz", None).await;
        let first = json!({
            "secret": self.setup_secret(), "name": "Ada", "password": PASSWORD,
        });
        let answer = chief.ask("POST", "/api/people/setup", Some(first)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        chief
    }

    /// Somebody of a role, with an account of the role's name; a sector is the first table.
    pub(crate) async fn member(&self, chief: &mut Guest, role: Role) -> Guest {
        let tables = matches!(role, Role::Sector | Role::Display).then_some("1-1");
        let new = json!({
            "name": role.name(), "role": role, "tables": tables, "password": PASSWORD,
        });
        let made = chief.ask("POST", "/api/people/accounts", Some(new)).await;
        assert_eq!(made.status, 200, "{}", made.body);
        let mut member = self.stranger().await;
        let answer = member.log_in(role.name(), PASSWORD).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        member
    }

    /// The acts of people, without what the program calls itself.
    pub(crate) fn acts(&self) -> Vec<(daemon::store::Author, Value, String)> {
        let store = daemon::store::Store::open(&self.store()).expect("a store");
        let deeds = store.deeds().expect("acts");
        assert_eq!(deeds.damage, None);
        let people = deeds.of(daemon::store::Area::People);
        let told = people.map(|(_, deed)| {
            let what = serde_json::from_str(&deed.what).expect("JSON");
            (deed.author.clone(), what, deed.utc.clone())
        });
        told.collect()
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The cookie that it sets, with its attributes.
    pub(crate) fn cookie(&self) -> Option<&str> {
        let lines = self.head.lines();
        lines
            .into_iter()
            .find_map(|line| line.strip_prefix("set-cookie: "))
    }
}

/// A browser, or what passes for one.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) address: SocketAddr,
    pub(crate) authority: PathBuf,
    pub(crate) cookie: Option<String>,
}

/// What trusts the authority in this file.
pub(crate) fn connector(
    authority: &Path,
    versions: &[&'static SupportedProtocolVersion],
) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_file(authority).expect("a certificate");
    roots.add(authority).expect("an authority");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

impl Guest {
    pub(crate) async fn connect(&self) -> TlsStream<TcpStream> {
        let line = TcpStream::connect(self.address)
            .await
            .expect("a connection");
        let name = ServerName::IpAddress(self.address.ip().into());
        let connector = connector(&self.authority, rustls::ALL_VERSIONS);
        connector
            .connect(name, line)
            .await
            .expect("a certificate of the authority")
    }

    /// Asks as the console's own page does.
    pub(crate) async fn ask(&mut self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let origin = format!("Origin: https://{}\r\n", self.address);
        let kind = "Content-Type: application/json\r\n";
        self.ask_with(method, path, body, &format!("{origin}{kind}"))
            .await
    }

    /// Asks with these headers besides.
    pub(crate) async fn ask_with(
        &mut self,
        method: &str,
        path: &str,
        body: Option<Value>,
        headers: &str,
    ) -> Answer {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let cookie = self
            .cookie
            .as_ref()
            .map(|token| format!("Cookie: __Host-arbiter={token}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nUser-Agent: a test\r\n\
             {}{headers}Content-Length: {}\r\n\r\n{body}",
            self.address,
            cookie.unwrap_or_default(),
            body.len(),
        );
        let mut line = self.connect().await;
        // Whoever refuses what is too long need not read it all.
        let _refused = line.write_all(request.as_bytes()).await;
        let _refused = line.flush().await;
        let mut answer = Vec::new();
        let _closed_without_a_word = line.read_to_end(&mut answer).await;
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .expect("a status");
        let answer = Answer {
            status,
            head: head.to_owned(),
            body: body.to_owned(),
        };
        if let Some(cookie) = answer.cookie() {
            let token = cookie
                .split(';')
                .next()
                .and_then(|pair| pair.split_once('='));
            self.cookie = token
                .map(|(_, token)| token.to_owned())
                .filter(|t| !t.is_empty());
        }
        answer
    }

    pub(crate) async fn get(&mut self, path: &str) -> Value {
        let answer = self.ask("GET", path, None).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    pub(crate) async fn log_in(&mut self, name: &str, password: &str) -> Answer {
        let login = json!({"name": name, "password": password});
        self.ask("POST", "/api/people/login", Some(login)).await
    }

    pub(crate) async fn status(&mut self, method: &str, path: &str, body: Value) -> u16 {
        self.ask(method, path, Some(body)).await.status
    }
}

/// The daemon, once its store is free. A command that another test starts has all files of this
/// process open in the moment between its fork and its exec.
fn opened(config: &Config, shutdown: &CancellationToken) -> Daemon {
    let end = Instant::now() + PATIENCE;
    loop {
        match Daemon::open(config, shutdown.clone()) {
            Err(RunError::Store(StoreError::InUse(..))) if Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(10));
            }
            opened => return opened.expect("a store"),
        }
    }
}
