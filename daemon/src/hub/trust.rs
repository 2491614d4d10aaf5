//! Whom a hall believes that it is the hub, and a hub that it is the server between them.

use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::carrier::Broken;

/// Takes certificates of the authority in this file, and of no other.
pub(super) fn trusting(file: &Path) -> Result<ClientConfig, Broken> {
    let bad = |what: &dyn ToString| Broken(format!("{}: {}", file.display(), what.to_string()));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|e| bad(&e))? {
        let certificate = certificate.map_err(|e| bad(&e))?;
        roots.add(certificate).map_err(|e| bad(&e))?;
    }
    if roots.is_empty() {
        return Err(bad(&"holds no certificate in PEM"));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(Broken::of)?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
