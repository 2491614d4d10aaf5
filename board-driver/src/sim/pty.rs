//! A pseudo-terminal whose slave side is linked at a path, to be opened like a serial port.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::ttyname;
use tokio::net::unix::pipe::{Receiver, Sender};

/// The board's side of the line. Dropping it is pulling the plug.
#[derive(Debug)]
pub struct Pty {
    from_host: Receiver,
    to_host: Sender,
    /// Kept open: without it the master reads an error whenever nobody has the port open.
    slave: OwnedFd,
    device: PathBuf,
    link: PathBuf,
}

impl Pty {
    /// Opens a pseudo-terminal and links it at `link`, replacing a link left there. Needs a tokio
    /// runtime.
    ///
    /// # Errors
    /// When none can be had, or the path cannot be linked.
    pub fn open(link: &Path) -> io::Result<Pty> {
        let pty = openpty(None, None)?;
        let mut settings = tcgetattr(&pty.slave)?;
        cfmakeraw(&mut settings);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &settings)?;
        for fd in [pty.master.as_fd(), pty.slave.as_fd()] {
            // A program started meanwhile must not hold the plug in.
            fcntl(fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        }
        fcntl(
            &pty.master,
            FcntlArg::F_SETFL(OFlag::O_RDWR | OFlag::O_NONBLOCK),
        )?;
        let device = ttyname(&pty.slave)?;
        link_to(link, &device)?;
        // Not pipes, but read and written like them: unchecked spares the check for that, and
        // nothing else.
        let to_host = Sender::from_owned_fd_unchecked(pty.master.try_clone()?)?;
        let from_host = Receiver::from_owned_fd_unchecked(pty.master)?;
        Ok(Pty {
            from_host,
            to_host,
            slave: pty.slave,
            device,
            link: link.to_owned(),
        })
    }

    /// Lets the next program open the port; see [`share`].
    pub fn share(&self) {
        share(&self.slave);
    }

    /// The two directions of the line.
    pub fn split(&mut self) -> (&mut Receiver, &mut Sender) {
        (&mut self.from_host, &mut self.to_host)
    }
}

/// Lets whoever comes open `port`, which a simulated board holds open.
///
/// A program may take a port for itself until its last close. Where the board holds it too that
/// never comes, and after a program that was killed nobody but root could open the port again. Of
/// two programs the one has it that has locked it; the lock goes with its holder.
pub fn share(port: impl AsFd) {
    // Of a port that has gone nobody wants anything.
    let _gone = rustix::termios::ioctl_tiocnxcl(port);
}

impl Drop for Pty {
    fn drop(&mut self) {
        if fs::read_link(&self.link).is_ok_and(|target| target == self.device) {
            // Nothing can be done about a link that will not go; opening it fails either way.
            let _ = fs::remove_file(&self.link);
        }
    }
}

/// Puts the link in place in one step, so that nobody ever finds half of it.
fn link_to(link: &Path, device: &Path) -> io::Result<()> {
    if fs::symlink_metadata(link).is_ok_and(|found| !found.file_type().is_symlink()) {
        let text = format!(
            "{} exists and is not a link; choose another path",
            link.display()
        );
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    let mut name = link.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let fresh = link.with_file_name(name);
    let _ = fs::remove_file(&fresh);
    let said = |e: io::Error| {
        io::Error::new(
            e.kind(),
            format!("{}: cannot be linked: {e}", link.display()),
        )
    };
    symlink(device, &fresh).map_err(said)?;
    fs::rename(&fresh, link).map_err(said)
}
