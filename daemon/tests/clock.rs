//! The machine's clock is set from a device, before the first round. What the service manager is
//! asked is written down by a stand-in for `timedatectl`, since no test may turn the clock of the
//! machine that it runs on.

#![cfg(feature = "simulators")]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use daemon::http::ask;
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What follows other clocks takes a moment to end: the first time is refused, as systemd does.
const STAND_IN: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
echo "$@" >>asked
case $2 in
show) cat state ;;
set-time)
    [ -e ended ] && exit
    touch ended
    echo "Automatic time synchronization is enabled" >&2
    exit 1
    ;;
esac
"#;

struct Machine {
    dir: TempDir,
    daemon: Child,
}

impl Machine {
    /// A daemon on a machine whose service manager says this of its clock.
    fn new(state: &str) -> Machine {
        let dir = TempDir::new().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("bin")).unwrap();
        fs::write(at("bin/timedatectl"), STAND_IN).unwrap();
        fs::set_permissions(at("bin/timedatectl"), Permissions::from_mode(0o755)).unwrap();
        fs::write(at("bin/state"), state).unwrap();
        let config = "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"data\"\n\
                      [[board]]\nid = \"b01\"\nport = \"nowhere\"\n";
        fs::write(at("hall.toml"), config).unwrap();
        let path = std::env::var("PATH").unwrap();
        let daemon = Command::new(env!("CARGO_BIN_EXE_arbiterd"))
            .args(["serve", "--config"])
            .arg(at("hall.toml"))
            .env("PATH", format!("{}:{path}", at("bin").display()))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a daemon");
        let begun = Instant::now();
        while !at("data/arbiterd.sock").exists() {
            assert!(begun.elapsed() < Duration::from_secs(30), "no daemon");
            std::thread::sleep(Duration::from_millis(20));
        }
        Machine { dir, daemon }
    }

    async fn ask(&self, method: Method, path: &str, order: Value) -> (StatusCode, Value) {
        let body = match order {
            Value::Null => String::new(),
            order => order.to_string(),
        };
        let data = self.dir.path().join("data");
        let answer = ask(&data, method, path, body, false).await.expect(path);
        (answer.status, serde_json::from_slice(&answer.body).unwrap())
    }

    async fn lend(&self, now: i64) -> (StatusCode, Value) {
        self.ask(Method::POST, "/api/clock", json!({ "now": now }))
            .await
    }

    /// What the service manager was asked beside questions.
    fn ordered(&self) -> Vec<String> {
        let asked = fs::read_to_string(self.dir.path().join("bin/asked")).unwrap_or_default();
        let orders = asked.lines().filter(|line| !line.contains("show"));
        orders
            .map(|line| line.replace("--no-ask-password ", ""))
            .collect()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _killed = self.daemon.kill();
        let _ended = self.daemon.wait();
    }
}

#[tokio::test]
async fn a_machine_that_lost_the_time_takes_it_from_the_chief() {
    let machine = Machine::new("NTP=yes\nNTPSynchronized=no\n");
    let (status, shown) = machine.ask(Method::GET, "/api/clock", Value::Null).await;
    assert_eq!(
        (status, &shown["right"], &shown["settable"]),
        (StatusCode::OK, &json!(false), &json!(true))
    );
    let off = Timestamp::now().as_millisecond() - shown["now"].as_i64().unwrap();
    assert!((0..10_000).contains(&off), "{off}");

    let (status, _) = machine.lend(1_800_000_000_250).await;
    assert_eq!(status, StatusCode::OK);
    let ordered = machine.ordered();
    let words: Vec<&str> = ordered.iter().map(String::as_str).collect();
    let [off, first, second, on] = words[..] else {
        panic!("{words:?}")
    };
    assert_eq!((off, on), ("set-ntp false", "set-ntp true"));
    // The device's time, and what has passed meanwhile.
    for (order, at_least) in [(first, 0.25), (second, 0.45)] {
        let told: f64 = order.strip_prefix("set-time @").unwrap().parse().unwrap();
        let passed = told - 1_800_000_000.0;
        assert!((at_least..5.0).contains(&passed), "{order}");
    }
    let store = daemon::store::Store::open(&machine.dir.path().join("data")).unwrap();
    let deeds = format!("{:?}", store.deeds().unwrap());
    assert!(
        deeds.contains("clock-set") && deeds.contains("2027-01-15T08:00:00.25Z"),
        "{deeds}"
    );
}

#[tokio::test]
async fn no_time_is_taken_that_nobody_needs_or_once_a_round_has_begun() {
    let right = Machine::new("NTP=yes\nNTPSynchronized=yes\n");
    let (_, shown) = right.ask(Method::GET, "/api/clock", Value::Null).await;
    assert_eq!(shown["settable"], false);
    let (status, said) = right.lend(1_800_000_000_000).await;
    assert_eq!(status, StatusCode::CONFLICT, "{said}");

    let machine = Machine::new("NTP=no\nNTPSynchronized=no\n");
    for now in [0, -1, 1_700_000_000_000, i64::MAX] {
        let (status, said) = machine.lend(now).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{now}: {said}");
    }
    let pairings = STANDARD.encode("table,white,black\n1,Fox,Gray\n");
    for (path, order) in [
        ("/api/event/open", json!({ "name": "Trial" })),
        ("/api/pairings", json!({ "file": pairings, "round": 1 })),
    ] {
        let (status, said) = machine.ask(Method::POST, path, order).await;
        assert_eq!(status, StatusCode::OK, "{path}: {said}");
    }
    let (_, shown) = machine.ask(Method::GET, "/api/clock", Value::Null).await;
    assert_eq!(shown["settable"], true, "it is drawn, and not begun");
    let start = machine
        .ask(Method::POST, "/api/rounds/1/start", json!({}))
        .await;
    assert_eq!(start.0, StatusCode::OK, "{}", start.1);
    let (status, said) = machine.lend(1_800_000_000_000).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(
        said["error"]
            .as_str()
            .unwrap()
            .contains("a round has begun"),
        "{said}"
    );
    assert_eq!(machine.ordered(), Vec::<String>::new());
}
