//! A hall, or its hub, is killed at every call by which it writes while an order goes through both:
//! before what is written is on the disk, between that and the word of it, and after.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tests::rig::look_until;

use super::Room;
use super::hub::{Hub, Place, Way, same_rows};
use super::orders::{ORDERS, acts, new_game};

over_both! {
    killed_at_every_point_of_an_order_hall_and_hub_agree_on_what_was_done
}

/// Writing to files, having that on the disk, and saying something.
const CALLS: [&str; 3] = ["pwrite64", "fdatasync,fsync", "sendto,sendmsg,writev"];
/// No order takes more calls of one kind.
const MOST: usize = 24;
/// Whoever is still there after so long has done all of it.
const DONE: Duration = Duration::from_millis(1_500);

/// Kills a program at a call.
struct Killer(Child);

impl Killer {
    /// At the `n`th call of these that one of the program's threads makes.
    fn at(pid: u32, calls: &str, n: usize) -> Killer {
        let mut strace = Command::new("strace");
        strace
            .args(["-f", "-qq", "-o", "/dev/null", "-p", &pid.to_string()])
            .args(["-e", &format!("trace={calls}")])
            .args(["-e", &format!("inject={calls}:signal=SIGKILL:when={n}")])
            .stderr(Stdio::null());
        let killer = Killer(strace.spawn().expect("strace"));
        let is_traced = || {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let tracer = status.lines().find_map(|l| l.strip_prefix("TracerPid:"));
            match tracer.is_some_and(|tracer| tracer.trim() != "0") {
                true => Ok(()),
                false => Err(status),
            }
        };
        look_until(Duration::from_secs(10), is_traced).expect("the program is traced");
        killer
    }

    /// Whether the program was killed. It is let go where it was not.
    fn has_killed(mut self) -> bool {
        let strace = &mut self.0;
        let ended = look_until(DONE, || strace.try_wait().ok().flatten().ok_or(()));
        if ended.is_err() {
            let pid = Pid::from_raw(strace.id().cast_signed());
            kill(pid, Signal::SIGTERM).expect("a signal");
            strace.wait().expect("strace");
        }
        ended.is_ok()
    }
}

fn killed_at_every_point_of_an_order_hall_and_hub_agree_on_what_was_done(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut main = Room::at(Place::new(&hub, "main").that_takes("\"chief\""));
    main.shows(&[]);
    hub.until_complete(&main.place, main.hall());
    // The quick form tries some points of each.
    let stride = std::env::var("HALLS_POINTS").map_or(11, |step| step.parse().expect("a number"));
    let mut kills = 0;
    for of_hub in [false, true] {
        for calls in CALLS {
            for n in (1..=MOST).step_by(stride) {
                let pid = if of_hub { hub.pid() } else { main.hall().pid() };
                let killer = Killer::at(pid, calls, n);
                let what = format!("{calls} {n} {}", if of_hub { "hub" } else { "hall" });
                let name = what.replace([',', ' '], "-");
                let answer = hub.try_order(ORDERS, &name, &new_game(&name));
                let was_killed = killer.has_killed();
                kills += usize::from(was_killed);
                match (was_killed, of_hub) {
                    (true, true) => {
                        hub.kill();
                        hub.start();
                    }
                    (true, false) => {
                        main.kill();
                        main.start();
                        main.shows(&[]);
                    }
                    (false, _) => {}
                }
                hub.until_complete(&main.place, main.hall());
                agree(&hub, &main, &name, (answer, &what));
                if !was_killed {
                    break;
                }
            }
        }
    }
    assert!(kills >= 6, "{kills} kills");
    same_rows(&hub, &main.place);
    assert_eq!(hub.mirror_is_sound("main"), "");
    main.hall.expect("a hall").close();
    hub.close();
}

/// What was answered is so; and given again, the order is done once, or said to be unknown.
fn agree(hub: &Hub, main: &Room, name: &str, (answer, what): (Option<u16>, &str)) {
    let is_done = || main.hall().boards()[0]["white"] == name;
    let before = is_done();
    if answer == Some(200) {
        assert!(before, "{what}: it was said to be done");
    }
    let (status, said) = hub.order(ORDERS, name, "", &new_game(name));
    match status {
        200 => assert!(is_done(), "{what}: {said}"),
        // It was begun and nobody knows: whoever ordered it looks.
        409 => assert!(said.contains("look"), "{what}: {said}"),
        // It was too old when the hall had it, and stays refused.
        410 => assert!(!before, "{what}: {said}"),
        _ => panic!("{what}: {status} {said}"),
    }
    let begun = acts(main)
        .into_iter()
        .filter(|(_, _, act)| act["act"] == "taken" && act["order"] == name);
    let begun = begun.count();
    assert!(
        begun == 1 || status != 200 && begun == 0,
        "{what}: begun {begun} times"
    );
}
