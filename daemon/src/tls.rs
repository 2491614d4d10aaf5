//! The console over TLS: with certificates of the organiser's, or with those that the daemon makes
//! itself. Either are looked at again while it runs.
//!
//! TLS 1.2 and 1.3 only, by rustls with ring.

mod made;

use std::fmt;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::version::{TLS12, TLS13};
use tokio_util::sync::CancellationToken;

pub use made::addresses;

/// How often certificates are looked at again.
const LOOK: Duration = Duration::from_secs(60);

/// Where the certificate comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// From these files, PEM: the chain, the server's own certificate first, and its key.
    Files {
        /// The chain.
        cert: PathBuf,
        /// The key.
        key: PathBuf,
    },
    /// Made here, and kept in this directory.
    Made {
        /// The directory.
        dir: PathBuf,
        /// Host names of the service.
        names: Vec<String>,
        /// The address it listens on.
        listen: IpAddr,
    },
}

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be used.
    #[error("{0}: {1}")]
    File(PathBuf, String),
    /// A certificate could not be made.
    #[error("a certificate could not be made: {0}")]
    Made(String),
    /// Certificate and key cannot be used.
    #[error("this certificate cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
}

/// The certificate at hand.
#[derive(Debug)]
pub struct Tls {
    source: Source,
    at_hand: Arc<AtHand>,
    config: Arc<ServerConfig>,
}

impl Tls {
    /// Loads or makes the certificate.
    ///
    /// # Errors
    /// Where it cannot be used.
    pub fn start(source: Source) -> Result<Tls, TlsError> {
        let key = load(&source)?;
        let at_hand = Arc::new(AtHand(RwLock::new(Arc::new(key))));
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&TLS13, &TLS12])?
            .with_no_client_auth()
            .with_cert_resolver(at_hand.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Tls {
            source,
            at_hand,
            config: Arc::new(config),
        })
    }

    /// For connections.
    pub fn config(&self) -> Arc<ServerConfig> {
        self.config.clone()
    }

    /// Eight squares that name the certificate: what a person compares who is warned of it.
    pub fn squares(&self) -> String {
        squares(&self.at_hand.get())
    }

    /// The authority that a device may be told to trust, as PEM; `None` where the organiser brings
    /// his own.
    pub fn authority(&self) -> Option<String> {
        match &self.source {
            Source::Files { .. } => None,
            Source::Made { dir, .. } => made::authority(dir),
        }
    }

    /// Whether the organiser brings his own certificate.
    pub fn is_brought(&self) -> bool {
        matches!(self.source, Source::Files { .. })
    }

    /// Follows changes of the files, of the machine's addresses and of the day, until the shutdown.
    pub async fn keep_fresh(self: Arc<Tls>, shutdown: CancellationToken) {
        let mut look = tokio::time::interval(LOOK);
        let mut seen = self.stamp();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = look.tick() => {}
            }
            let stamp = self.stamp();
            if stamp == seen && self.is_brought() {
                continue;
            }
            seen = stamp;
            let source = self.source.clone();
            match tokio::task::spawn_blocking(move || load(&source)).await {
                Ok(Ok(key)) => self.at_hand.set(key),
                Ok(Err(error)) => {
                    tracing::warn!(%error, "the certificate at hand stays: the new one is no good");
                }
                Err(_) => return,
            }
        }
    }

    /// When the organiser's files were last written.
    fn stamp(&self) -> Vec<Option<SystemTime>> {
        let Source::Files { cert, key } = &self.source else {
            return Vec::new();
        };
        let written = |file: &PathBuf| fs::metadata(file).and_then(|about| about.modified()).ok();
        [cert, key].map(written).to_vec()
    }
}

fn squares(key: &CertifiedKey) -> String {
    let own = key.cert.first().map_or(&[][..], |cert| cert.as_ref());
    access::squares(&access::digest(own), 8)
}

struct AtHand(RwLock<Arc<CertifiedKey>>);

impl AtHand {
    fn get(&self) -> Arc<CertifiedKey> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set(&self, key: CertifiedKey) {
        let is_other = self.get().cert != key.cert;
        if is_other {
            tracing::info!("from now on its certificate is {}", squares(&key));
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(key);
        }
    }
}

impl fmt::Debug for AtHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AtHand")
    }
}

impl ResolvesServerCert for AtHand {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.get())
    }
}

impl Source {
    /// The files of the certificate and of its key, made where there are none that still fit.
    ///
    /// # Errors
    /// Where they cannot be made.
    pub fn files(&self) -> Result<(PathBuf, PathBuf), TlsError> {
        match self {
            Source::Files { cert, key } => Ok((cert.clone(), key.clone())),
            Source::Made { dir, names, listen } => made::leaf(dir, names, *listen),
        }
    }
}

fn load(source: &Source) -> Result<CertifiedKey, TlsError> {
    let (cert, key) = source.files()?;
    read(&cert, &key)
}

fn read(cert: &Path, key: &Path) -> Result<CertifiedKey, TlsError> {
    let bad =
        |file: &Path, what: &dyn fmt::Display| TlsError::File(file.to_owned(), what.to_string());
    let chain = CertificateDer::pem_file_iter(cert).map_err(|e| bad(cert, &e))?;
    let chain: Result<Vec<_>, _> = chain.collect();
    let chain = chain.map_err(|e| bad(cert, &e))?;
    if chain.is_empty() {
        return Err(bad(cert, &"holds no certificate in PEM"));
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(|e| bad(key, &e))?;
    Ok(CertifiedKey::from_der(
        chain,
        key,
        &ring::default_provider(),
    )?)
}

#[cfg(test)]
mod tests;
