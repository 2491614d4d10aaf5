//! A NATS server between halls and hub that is killed, forgets, is full, stands still, and is
//! called by a thief.

use std::path::Path;
use std::time::{Duration, Instant};

use Which::{First, Last};
use async_nats::{ConnectOptions, Event, jetstream};
use nix::sys::signal::Signal;
use tests::rig::{let_run, look_until};
use tokio::sync::mpsc;

use super::bulk::Bulk;
use super::hub::{Hub, Place, Way, same_rows};

/// What a thief with the key of `main` would like to say, and to hear.
const SAID: [&str; 9] = [
    "arb.v1.juniors.j",
    "arb.v1.juniors.up",
    "arb.v1.juniors.down.x",
    "$JS.API.STREAM.DELETE.ARB_H_main",
    "$JS.API.STREAM.DELETE.ARB_H_juniors",
    "$JS.API.STREAM.PURGE.ARB_H_juniors",
    "$JS.API.STREAM.MSG.GET.ARB_H_juniors",
    "$JS.API.STREAM.INFO.ARB_H_main",
    "$JS.API.CONSUMER.CREATE.ARB_H_juniors",
];
const HEARD: [&str; 6] = [
    "arb.v1.juniors.j",
    "arb.v1.main.j",
    "arb.v1.juniors.down.*",
    "arb.v1.juniors.inbox.>",
    "arb-hub.inbox.>",
    ">",
];

/// A number of the environment, for a long form; else the one of the quick form.
pub(crate) fn number(name: &str, quick: u64) -> u64 {
    std::env::var(name).map_or(quick, |text| text.parse().expect("a number"))
}

#[test]
fn a_server_that_is_killed_again_and_again_costs_no_row_and_doubles_none() {
    let (rows, kills) = (number("HALLS_ROWS", 4_000), number("HALLS_KILLS", 4));
    let servers = number("HALLS_SERVERS", 1);
    let dir = tempfile::tempdir().expect("a directory");
    let more = format!("replicas = {servers}\n");
    let servers = usize::try_from(servers).expect("a few");
    let mut hub = Hub::with_nats(dir.path(), &["main"], (&more, servers));
    hub.start();
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::open(&place);
    for kill in 0..kills {
        // Some rows wait, some are on their way, some are kept and not yet read.
        hall.write(rows / kills, 20);
        let_run(Duration::from_millis(kill * 131 % 300));
        // Of several it is one that others stand in for.
        hub.nats().kill_one(usize::try_from(kill).expect("a few"));
        if kill % 2 == 1 {
            hub.kill();
            hub.start();
        }
        hub.nats().start();
        let_run(Duration::from_millis(kill * 277 % 1_500));
    }
    hall.until_complete();
    same_rows(&hub, &place);
    assert_eq!(hub.mirror_is_sound("main"), "");
    hall.close();
    hub.close();
}

#[test]
fn what_the_server_has_forgotten_is_written_again_for_a_hub_that_is_away() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(Way::Nats, dir.path(), &["main"]);
    hub.start();
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::open(&place);
    hall.write(500, 50);
    hall.until_complete();
    hub.nats().kill();
    let older = hub.nats().copy();
    hub.nats().start();
    hall.until_complete();
    hub.kill();
    hall.write(800, 50);
    hub.until_kept(&place, 1_300);

    // It comes back as it was: what it had said to have since is gone.
    hub.nats().kill();
    hub.nats().put_back(Some(&older));
    hub.nats().start();
    hub.until_kept(&place, 1_300);
    // The hub reads it, though the hall is switched off.
    hall.close();
    hub.start();
    same_rows(&hub, &place);

    // And with nothing at all.
    let mut hall = Bulk::open(&place);
    hall.until_complete();
    hub.nats().kill();
    hub.nats().put_back(None);
    hub.nats().start();
    hall.write(200, 50);
    hall.until_complete();
    same_rows(&hub, &place);
    assert_eq!(hub.kept("main"), 0);
    assert_eq!(hub.mirror_is_sound("main"), "");
    hall.close();
    hub.close();
}

#[test]
fn a_stolen_key_opens_nothing_of_another_hall_and_no_stream() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(Way::Nats, dir.path(), &["main", "juniors"]);
    hub.start();
    let (main, juniors) = (Place::new(&hub, "main"), Place::new(&hub, "juniors"));
    for place in [&main, &juniors] {
        let mut hall = Bulk::open(place);
        hall.write(50, 50);
        hall.until_complete();
        hall.close();
    }
    let seed = std::fs::read_to_string(&main.key).expect("a key");
    let address = main.hub.clone();
    let runtime = daemon::run::runtime().expect("a runtime");
    let refused = runtime.block_on(try_all(&address, seed.trim()));
    for subject in SAID {
        let said = format!("publish to \"{}\"", subject.to_lowercase());
        assert!(
            refused.iter().any(|r| r.contains(&said)),
            "{said}: {refused:?}"
        );
    }
    for subject in HEARD {
        let said = format!("subscription to \"{subject}\"");
        assert!(
            refused.iter().any(|r| r.contains(&said)),
            "{said}: {refused:?}"
        );
    }
    hub.until_kept(&main, 50);
    hub.until_kept(&juniors, 50);
    hub.close();
}

/// Tries everything with this key; gives what the server refuses.
async fn try_all(address: &str, seed: &str) -> Vec<String> {
    let (told, mut events) = mpsc::unbounded_channel();
    let client = ConnectOptions::with_nkey(seed.to_owned())
        .custom_inbox_prefix("arb.v1.main.inbox")
        .event_callback(move |event| {
            if let Event::ServerError(error) = event {
                let _ended = told.send(error.to_string().to_lowercase());
            }
            std::future::ready(())
        })
        .connect(address)
        .await
        .expect("a connection");
    for subject in SAID {
        client.publish(subject, "{}".into()).await.expect("sent");
    }
    let mut kept = Vec::new();
    for subject in HEARD {
        kept.push(client.subscribe(subject).await.expect("sent"));
    }
    client.flush().await.expect("flushed");
    let mut refused = Vec::new();
    while let Ok(Some(said)) = tokio::time::timeout(Duration::from_secs(1), events.recv()).await {
        refused.push(said);
    }
    refused
}

#[test]
fn a_server_that_is_full_stops_nothing_in_the_hall_and_is_emptied_by_the_hub() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::with_nats(dir.path(), &["main"], ("megabytes = 1\n", 1));
    hub.start();
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::open(&place);
    hall.write(100, 50);
    hall.until_complete();
    hub.kill();
    hall.write(6_000, 100);
    let is_full = |fault: &String| fault.contains("the NATS server keeps no more of this hall");
    hall.until(|sent| sent.fault.as_ref().is_some_and(is_full));
    // It goes on writing.
    hall.until(|sent| sent.behind >= 6_000);
    hall.write(100, 1);
    hub.start();
    hall.until_complete();
    same_rows(&hub, &place);
    hall.until(|sent| sent.fault.is_none());
    hall.close();
    hub.close();
}

#[test]
fn a_server_that_is_away_or_stands_still_keeps_no_commit_waiting() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(Way::Nats, dir.path(), &["main"]);
    hub.start();
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::open(&place);
    hall.write(100, 1);
    hall.until_complete();
    let there = slowest(&mut hall);
    hub.nats().signal(Signal::SIGSTOP);
    let frozen = slowest(&mut hall);
    hub.nats().signal(Signal::SIGCONT);
    hub.nats().kill();
    hub.kill();
    let away = slowest(&mut hall);
    let most = there * 3 + Duration::from_millis(30);
    assert!(
        frozen < most && away < most,
        "{there:?}, {frozen:?}, {away:?}"
    );
    hub.nats().start();
    hub.start();
    hall.until_complete();
    same_rows(&hub, &place);
    hall.close();
    hub.close();
}

#[test]
fn what_a_hall_erases_is_kept_by_the_server_no_longer() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(Way::Nats, dir.path(), &["main"]);
    hub.start();
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::open(&place);
    hall.write(300, 50);
    hall.until_complete();
    let before = epoch(&hub.entry(&place, First));
    hall.erase();
    let seen = look_until(Duration::from_secs(30), || {
        match epoch(&hub.entry(&place, First)) {
            other if other != before => Ok(()),
            same => Err(same),
        }
    });
    seen.expect("another journal");
    hall.until_complete();
    same_rows(&hub, &place);
    hall.close();
    hub.close();
}

#[test]
fn one_hub_has_a_hall_over_nats_and_one_over_a_websocket_and_they_may_change() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(Way::Nats, dir.path(), &["main", "juniors"]);
    hub.start();
    let (mut main, mut juniors) = (Place::new(&hub, "main"), Place::new(&hub, "juniors"));
    let (over_nats, over_a_websocket) = (main.hub.clone(), hub.socket());
    juniors.hub.clone_from(&over_a_websocket);
    for round in 0..2 {
        let mut halls = [Bulk::open(&main), Bulk::open(&juniors)];
        for (hall, place) in halls.iter_mut().zip([&main, &juniors]) {
            hall.write(200 + round, 20);
            hall.until_complete();
            same_rows(&hub, place);
        }
        halls.into_iter().for_each(Bulk::close);
        main.hub.clone_from(&over_a_websocket);
        juniors.hub.clone_from(&over_nats);
    }
    assert_eq!((hub.kept("main"), hub.kept("juniors")), (0, 0));
    hub.close();
}

/// What a hundredth of commits takes longer than, of some hundred.
fn slowest(hall: &mut Bulk) -> Duration {
    let mut took: Vec<Duration> = (0..400)
        .map(|_| {
            let begun = Instant::now();
            hall.write(1, 1);
            begun.elapsed()
        })
        .collect();
    took.sort();
    took[took.len() * 99 / 100]
}

impl Hub {
    /// Waits until the server has everything of a hall up to this row.
    #[track_caller]
    fn until_kept(&self, place: &Place, row: u64) {
        let wanted = Some(row.to_string());
        let seen = look_until(Duration::from_secs(30), || {
            let last = self.entry(place, Last);
            let seq = last.as_ref().ok().and_then(|name| name.split('/').nth(1));
            if seq == wanted.as_deref() {
                Ok(())
            } else {
                Err(last)
            }
        });
        seen.unwrap_or_else(|seen| panic!("{seen:?}"));
    }

    /// The name of an entry that the server has of a hall.
    fn entry(&self, place: &Place, which: Which) -> Result<String, String> {
        let runtime = daemon::run::runtime().expect("a runtime");
        runtime.block_on(entry(
            &place.hub,
            &self.path("nats.key"),
            (&place.name, which),
        ))
    }
}

/// Which of a stream.
#[derive(Clone, Copy)]
enum Which {
    First,
    Last,
}

fn epoch(name: &Result<String, String>) -> Option<String> {
    let (epoch, _) = name.as_ref().ok()?.split_once('/')?;
    Some(epoch.to_owned())
}

async fn entry(address: &str, key: &Path, (hall, which): (&str, Which)) -> Result<String, String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let seed = std::fs::read_to_string(key).expect("a key");
    let options = ConnectOptions::with_nkey(seed.trim().to_owned());
    let options = options.custom_inbox_prefix("arb-hub.inbox");
    let client = options.connect(address).await.map_err(|e| text(&e))?;
    let stream = jetstream::new(client)
        .get_stream(format!("ARB_H_{hall}"))
        .await;
    let stream = stream.map_err(|e| text(&e))?;
    let state = &stream.cached_info().state;
    let sequence = match which {
        First => state.first_sequence,
        Last => state.last_sequence,
    };
    let found = stream
        .get_raw_message(sequence)
        .await
        .map_err(|e| text(&e))?;
    let name = found.headers.get("Nats-Msg-Id").ok_or("no name")?;
    Ok(name.as_str().to_owned())
}
