//! The service on a socket in the store's directory, for the commands of `arbiterd`: whoever can
//! open it owns the store.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;

use crate::store::Author;

/// The socket's name within the store's directory.
pub const SOCKET: &str = "arbiterd.sock";

/// A path has room for so many bytes where a socket is named.
const ROOM: usize = 107;

/// The path of a store's socket, and what has to stay open while it is used: of a deep directory
/// it is by way of an open file, for the names of sockets are short.
///
/// # Errors
/// Where the directory cannot be opened.
pub(crate) fn place(dir: &Path) -> io::Result<(PathBuf, Option<File>)> {
    let path = dir.join(SOCKET);
    if path.as_os_str().len() <= ROOM {
        return Ok((path, None));
    }
    let open = File::open(dir)?;
    let way = format!("/proc/self/fd/{}/{SOCKET}", open.as_raw_fd());
    Ok((way.into(), Some(open)))
}

/// A socket that only the owner of the store can open.
#[derive(Debug)]
pub struct Socket(UnixListener);

impl Socket {
    /// Opens the socket of a store whose directory is this program's own. `None` where that cannot
    /// be: then the commands do not find the program, and everything else works.
    pub fn open(dir: &Path) -> Option<Socket> {
        let path = dir.join(SOCKET);
        // Of a program that was killed: the directory is locked, and its lock is ours.
        let _none = fs::remove_file(&path);
        let listen = || {
            let (short, _open) = place(dir)?;
            let listener = UnixListener::bind(short)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
            Ok::<_, std::io::Error>(listener)
        };
        match listen() {
            Ok(listener) => Some(Socket(listener)),
            Err(error) => {
                tracing::warn!(socket = %path.display(), %error, "no socket for commands");
                None
            }
        }
    }

    /// Answers until the shutdown.
    pub(super) async fn serve(self, service: Router, shutdown: CancellationToken) {
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                taken = self.0.accept() => if let Ok((line, _)) = taken {
                    tokio::spawn(talk(line, service.clone(), shutdown.clone()));
                }
            }
        }
    }
}

/// Answers the requests of one connection.
async fn talk(line: UnixStream, service: Router, shutdown: CancellationToken) {
    let service = TowerToHyperService::new(service);
    let answer = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let service = service.clone();
        async move {
            Ok::<Response, Infallible>(owned(service, request.map(axum::body::Body::new)).await)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(line), answer);
    tokio::select! {
        _gone = connection => {}
        () = shutdown.cancelled() => {}
    }
}

/// What the service answers to the owner of its store.
pub(super) async fn owned(service: TowerToHyperService<Router>, mut request: Request) -> Response {
    let owner = Author {
        who: "owner".to_owned(),
        role: "owner".to_owned(),
        device: "command line".to_owned(),
        address: String::new(),
    };
    request.extensions_mut().insert(owner);
    match service.call(request).await {
        Ok(answer) => answer,
        Err(never) => match never {},
    }
}
