//! Which program has a port open that another one wants.
//!
//! Linux says of each process which files it has open (proc(5), `/proc/PID/fd`): of all of them to
//! the superuser, to others of their own.

use std::fs;
use std::path::Path;

use board_driver::FaultReason;

/// Programs that take serial ports by themselves, and what to do about them.
const TAKERS: [(&str, &str); 2] = [
    (
        "ModemManager",
        "it asks every new serial port whether it is a modem: \
         `sudo systemctl disable --now ModemManager`, or the package's udev rules",
    ),
    (
        "brltty",
        "it takes some USB adapters for displays of braille: `sudo apt remove brltty`",
    ),
];

/// Why a board cannot be heard, and which program has its port where that is the reason. Looks
/// through all processes: nothing to be done beside boards that are served.
pub fn explained(fault: &FaultReason) -> String {
    let text = fault.to_string();
    match fault {
        FaultReason::Busy { port } => match holder(Path::new("/proc"), Path::new(port)) {
            Some(holder) => format!("{text} ({holder})"),
            None => text,
        },
        // Whoever takes the adapter itself leaves no port behind.
        FaultReason::NoSuchPort { .. } => match running(Path::new("/proc"), "brltty") {
            Some(_) => format!("{text} (brltty runs: {})", TAKERS[1].1),
            None => text,
        },
        _ => text,
    }
}

/// Who has `port` open, by what is known in `processes`; else who may have it.
fn holder(processes: &Path, port: &Path) -> Option<String> {
    let port = fs::canonicalize(port).ok()?;
    let mut all = others(processes);
    if let Some((id, name)) = all.find(|(id, _)| has_open(processes, id, &port)) {
        let what = TAKERS.iter().find(|(taker, _)| *taker == name);
        let what = what.map_or(String::new(), |(_, what)| format!("; {what}"));
        return Some(format!("{name}, process {id}{what}"));
    }
    TAKERS.iter().find_map(|(taker, what)| {
        running(processes, taker).map(|id| format!("perhaps {taker}, process {id}; {what}"))
    })
}

/// The process of a program that runs under this name.
fn running(processes: &Path, program: &str) -> Option<String> {
    let mut all = others(processes);
    all.find_map(|(id, name)| (name == program).then_some(id))
}

/// Every other process with its name.
fn others(processes: &Path) -> impl Iterator<Item = (String, String)> {
    let (all, own) = (fs::read_dir(processes), std::process::id().to_string());
    let ids = all.into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().into_string().ok());
    let ids = ids.filter(move |id| *id != own && id.bytes().all(|byte| byte.is_ascii_digit()));
    let processes = processes.to_owned();
    ids.filter_map(move |id| {
        let name = fs::read_to_string(processes.join(&id).join("comm")).ok()?;
        Some((id, name.trim_end().to_owned()))
    })
}

fn has_open(processes: &Path, id: &str, port: &Path) -> bool {
    let open = fs::read_dir(processes.join(id).join("fd"));
    let open = open.into_iter().flatten().flatten();
    open.filter_map(|entry| fs::read_link(entry.path()).ok())
        .any(|file| file == port)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;
    use std::process::{Command, Stdio};

    use std::time::{Duration, Instant};

    use super::*;

    /// Who has `port` open, once it is whom one expects. Another test that starts a program has all
    /// files of this process open too, in the moment between its fork and its exec.
    fn settled(port: &Path, expected: Option<&str>) -> Option<String> {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let named = holder(Path::new("/proc"), port);
            if named.as_deref() == expected || Instant::now() > end {
                return named;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn who_has_a_port_open_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let (port, link) = (dir.path().join("tty"), dir.path().join("board"));
        let file = File::create(&port).unwrap();
        symlink(&port, &link).unwrap();
        assert_eq!(settled(&link, None), None, "only this process has it");
        let mut child = Command::new("sleep")
            .arg("60")
            .stdin(Stdio::from(file))
            .spawn()
            .unwrap();
        let sleeper = format!("sleep, process {}", child.id());
        let named = settled(&link, Some(&sleeper));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(named, Some(sleeper));
    }

    /// Processes as the system shows them to somebody who is not the superuser: their names, and
    /// nothing of what they have open.
    #[test]
    fn who_takes_ports_by_himself_may_be_it() {
        let dir = tempfile::tempdir().unwrap();
        for (id, name) in [
            ("1", "systemd"),
            ("812", "ModemManager"),
            ("self", "brltty"),
        ] {
            fs::create_dir(dir.path().join(id)).unwrap();
            fs::write(dir.path().join(id).join("comm"), format!("{name}\n")).unwrap();
        }
        let named = holder(dir.path(), Path::new("/dev/null")).unwrap();
        assert!(
            named.starts_with("perhaps ModemManager, process 812; "),
            "{named}"
        );
        assert_eq!(running(dir.path(), "brltty"), None);
    }
}
