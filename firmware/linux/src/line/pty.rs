//! A pseudo-terminal linked at a path: a program on this machine opens it like the serial port of
//! any board.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::libc::EIO;
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::{Group, ttyname};

use super::Line;

/// The board's side of the line. Dropping it is pulling the plug.
#[derive(Debug)]
pub struct Pty {
    master: File,
    device: PathBuf,
    link: PathBuf,
    /// Whether somebody has the other side open.
    heard: bool,
}

impl Pty {
    /// Opens a pseudo-terminal, links it at `link` in place of a link left there, and lets `group`
    /// open it too.
    ///
    /// # Errors
    /// When none can be had, the path cannot be linked, or there is no such group.
    pub fn open(link: &Path, group: Option<&str>) -> io::Result<Pty> {
        let pty = openpty(None, None)?;
        let mut settings = tcgetattr(&pty.slave)?;
        cfmakeraw(&mut settings);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &settings)?;
        fcntl(pty.master.as_fd(), FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        fcntl(
            pty.master.as_fd(),
            FcntlArg::F_SETFL(OFlag::O_RDWR | OFlag::O_NONBLOCK),
        )?;
        let device = ttyname(&pty.slave)?;
        if let Some(group) = group {
            share(&device, group)?;
        }
        link_to(link, &device)?;
        // From here on the slave is open only while a host has it open: reading the master tells
        // which.
        drop(pty.slave);
        Ok(Pty {
            master: File::from(pty.master),
            device,
            link: link.to_owned(),
            heard: false,
        })
    }
}

impl Line for Pty {
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) {
        let mut bytes = [0; 512];
        loop {
            match self.master.read(&mut bytes) {
                Ok(0) => return,
                Ok(count) => {
                    self.heard = true;
                    take(&bytes[..count]);
                }
                // Linux says so of a master whose slave nobody has open.
                Err(e) if e.raw_os_error() == Some(EIO) => {
                    self.heard = false;
                    return;
                }
                Err(e) => {
                    self.heard |= e.kind() == ErrorKind::WouldBlock;
                    return;
                }
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) -> usize {
        self.master.write(bytes).unwrap_or(0)
    }

    fn hosts(&self) -> Option<usize> {
        Some(usize::from(self.heard))
    }

    fn describe(&self) -> String {
        format!("{} ({})", self.link.display(), self.device.display())
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if fs::read_link(&self.link).is_ok_and(|target| target == self.device) {
            // Nothing can be done about a link that will not go; opening it fails either way.
            let _ = fs::remove_file(&self.link);
        }
    }
}

/// Gives the device to a group.
fn share(device: &Path, group: &str) -> io::Result<()> {
    let found = Group::from_name(group)?;
    let id = found
        .ok_or_else(|| io::Error::new(ErrorKind::NotFound, format!("there is no group `{group}`")))?
        .gid;
    let said = |e: io::Error| {
        io::Error::new(
            e.kind(),
            format!("cannot be given to the group `{group}`: {e}"),
        )
    };
    chown(device, None, Some(id.as_raw())).map_err(said)?;
    fs::set_permissions(device, Permissions::from_mode(0o660)).map_err(said)
}

/// Puts the link in place in one step, so that nobody ever finds half of it.
fn link_to(link: &Path, device: &Path) -> io::Result<()> {
    if fs::symlink_metadata(link).is_ok_and(|found| !found.file_type().is_symlink()) {
        return Err(io::Error::new(
            ErrorKind::AlreadyExists,
            "exists and is not a link; choose another path",
        ));
    }
    let mut name = link.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let fresh = link.with_file_name(name);
    let _ = fs::remove_file(&fresh);
    let said = |e: io::Error| io::Error::new(e.kind(), format!("cannot be linked: {e}"));
    symlink(device, &fresh).map_err(said)?;
    fs::rename(&fresh, link).map_err(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts_after_reading(pty: &mut Pty) -> Option<usize> {
        pty.receive(&mut |_| {});
        pty.hosts()
    }

    #[test]
    fn a_host_is_noticed_when_it_opens_the_line_and_when_it_leaves() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("board");
        let mut pty = Pty::open(&link, None).unwrap();
        for _ in 0..2 {
            assert_eq!(hosts_after_reading(&mut pty), Some(0));
            let mut host = File::options().read(true).write(true).open(&link).unwrap();
            assert_eq!(hosts_after_reading(&mut pty), Some(1));

            // Bytes that a terminal would take for itself go through untouched, both ways.
            let bytes = [0x00, 0x03, 0x0a, 0x0d, 0x11, 0x13, 0x1a, 0xff];
            assert_eq!(pty.send(&bytes), bytes.len());
            let mut came = [0; 8];
            host.read_exact(&mut came).unwrap();
            assert_eq!(came, bytes);
            host.write_all(&bytes).unwrap();
            let mut heard = Vec::new();
            while heard.len() < bytes.len() {
                pty.receive(&mut |piece| heard.extend_from_slice(piece));
            }
            assert_eq!(heard, bytes);
        }
        drop(pty);
        assert!(fs::symlink_metadata(&link).is_err());
    }

    #[test]
    fn a_file_is_not_replaced_and_an_unknown_group_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "mine").unwrap();
        assert!(
            Pty::open(&file, None)
                .unwrap_err()
                .to_string()
                .contains("is not a link")
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        let told = Pty::open(&dir.path().join("board"), Some("no-such-group"))
            .unwrap_err()
            .to_string();
        assert_eq!(told, "there is no group `no-such-group`");
    }

    #[test]
    fn a_host_that_does_not_read_is_no_room() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("board");
        let mut pty = Pty::open(&link, None).unwrap();
        let _host = File::options().read(true).write(true).open(&link).unwrap();
        assert!((0..1000).any(|_| pty.send(&[1; 512]) == 0));
    }
}
