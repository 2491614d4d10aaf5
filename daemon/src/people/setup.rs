//! The first chief arbiter: a link that is valid once, and never where there is an administrator.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use access::Digest;

/// The file of the link, in the store's directory.
const FILE: &str = "setup-link";

/// The link, while there is one.
#[derive(Debug, Default)]
pub(super) struct Setup {
    file: PathBuf,
    secret: Option<Digest>,
}

impl Setup {
    /// None yet; an old one is worth nothing.
    pub(super) fn new(dir: &Path) -> Setup {
        let file = dir.join(FILE);
        let _not_there = fs::remove_file(&file);
        Setup { file, secret: None }
    }

    /// Makes a link on the service at `origin`, and writes it to a file that only its owner reads.
    pub(super) fn make(&mut self, origin: &str) -> io::Result<String> {
        let secret = access::token()?;
        let link = format!("{origin}/setup.html#{secret}");
        let _not_there = fs::remove_file(&self.file);
        let mut options = OpenOptions::new();
        let mut file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&self.file)?;
        writeln!(file, "{link}")?;
        self.secret = Some(access::digest(&secret));
        Ok(link)
    }

    /// Whether this is its secret.
    pub(super) fn is(&self, secret: &str) -> bool {
        self.secret == Some(access::digest(secret))
    }

    /// The link is worth nothing from now on.
    pub(super) fn close(&mut self) {
        self.secret = None;
        let _not_there = fs::remove_file(&self.file);
    }
}
