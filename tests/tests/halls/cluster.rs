//! Three NATS servers that stand in for each other: the first of them is killed, each is cut off
//! from the two others, and the hall from all, while it writes three hundred events a second.

use std::path::Path;
use std::time::{Duration, Instant};

use async_nats::ConnectOptions;
use async_nats::jetstream::{self, stream::Stream};
use futures_util::StreamExt;
use nix::sys::signal::Signal;
use tests::rig::look_until;

use super::bulk::Bulk;
use super::hub::{Hub, Place, same_rows};
use super::nats::number;
use super::nets::{Nets, Plug};

/// How many.
const SERVERS: usize = 3;
/// Until the servers have chosen one of them.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest cut of a server, in seconds.
const LONG: u64 = 60;

/// Where the servers are.
enum Ground {
    /// Each in a network of its own, the hub too; the hall is in that of this machine.
    Nets(Nets),
    /// All in that of this machine, where no cable can be pulled: who is to be cut off is stopped.
    Here,
}

impl Ground {
    fn new() -> Ground {
        match Nets::open(SERVERS + 1) {
            Ok(nets) => Ground::Nets(nets),
            Err(why) => {
                eprintln!(
                    "WARNING: no networks of their own for the NATS servers ({why}): they are \
                     stopped instead of cut off. As root, with iproute2, they are cut off"
                );
                Ground::Here
            }
        }
    }

    fn hub(&self, dir: &Path) -> Hub {
        match self {
            Ground::Nets(nets) => Hub::in_nets(dir, &["main"], nets),
            Ground::Here => Hub::with_nats(dir, &["main"], ("replicas = 3\n", SERVERS)),
        }
    }

    /// Cuts a server off from all others, or puts it back.
    fn cut_server(&self, hub: &mut Hub, n: usize, is_cut: bool) {
        match self {
            Ground::Nets(nets) => nets.pull(Plug::Net(n), is_cut),
            Ground::Here => hub.nats().signal_one(n, stops(is_cut)),
        }
    }

    /// Cuts the hall off from all servers, or puts it back.
    fn cut_hall(&self, hub: &mut Hub, is_cut: bool) {
        match self {
            Ground::Nets(nets) => nets.pull(Plug::Here, is_cut),
            Ground::Here => hub.nats().signal(stops(is_cut)),
        }
    }
}

fn stops(is_cut: bool) -> Signal {
    match is_cut {
        true => Signal::SIGSTOP,
        false => Signal::SIGCONT,
    }
}

#[test]
fn three_servers_of_which_one_is_killed_and_each_cut_off_lose_no_row_and_hold_up_no_commit() {
    let seconds = number("HALLS_CUT", 4);
    let dir = tempfile::tempdir().expect("a directory");
    let ground = Ground::new();
    let mut hub = ground.hub(dir.path());
    hub.start();
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::open(&place);
    let there = hall.write_at_pace(2 * 300);
    hall.until_complete();

    // The two others go on without it.
    let leader = leader(&hub, &place);
    hub.nats().kill_one(leader);
    let killed = hall.write_at_pace(2 * 300);
    caught_up((&hub, &place), &hall, "its leader killed");
    hub.nats().start();

    // Each of them: on one of them the hub reads, and on one it has its line.
    let leader = self::leader(&hub, &place);
    let mut parted = Duration::ZERO;
    for n in (leader..leader + SERVERS).map(|n| n % SERVERS) {
        ground.cut_server(&mut hub, n, true);
        parted = parted.max(hall.write_at_pace(seconds.min(LONG) * 300));
        ground.cut_server(&mut hub, n, false);
        caught_up((&hub, &place), &hall, &format!("server {n} cut off"));
    }

    ground.cut_hall(&mut hub, true);
    let away = hall.write_at_pace(seconds * 300);
    let behind = hall.behind();
    assert!(behind >= seconds * 300, "{behind}");
    ground.cut_hall(&mut hub, false);
    caught_up((&hub, &place), &hall, "the hall cut off");

    println!("a commit took {there:?}; meanwhile {killed:?}, {parted:?}, {away:?}");
    // What waits for a server waits for many seconds.
    let most = 3 * there + Duration::from_secs(1);
    assert!(
        killed < most && parted < most && away < most,
        "{there:?}; {killed:?}, {parted:?}, {away:?}"
    );
    same_rows(&hub, &place);
    assert_eq!(hub.mirror_is_sound("main"), "");
    assert_eq!(hub.kept("main"), 0);
    hall.close();
    hub.close();
}

/// Waits until the hub has everything, and says how long that took.
fn caught_up((hub, place): (&Hub, &Place), hall: &Bulk, after: &str) {
    let (begun, behind) = (Instant::now(), hall.behind());
    if let Err(shown) = hall.is_complete_within(Duration::from_secs(200)) {
        let runtime = daemon::run::runtime().expect("a runtime");
        let kept = runtime.block_on(kept(place, &hub.path("nats.key")));
        let log = hub.log();
        panic!("{after}: {shown}\nthe servers keep {kept:#?}\nthe hub says\n{log}");
    }
    println!(
        "{after}: {behind} rows behind, there in {:?}",
        begun.elapsed()
    );
}

/// Which of the servers leads the stream of a hall.
fn leader(hub: &Hub, place: &Place) -> usize {
    let runtime = daemon::run::runtime().expect("a runtime");
    let seen = look_until(PATIENCE, || {
        runtime.block_on(asked(place, &hub.path("nats.key")))
    });
    seen.unwrap_or_else(|error| panic!("{error}"))
}

async fn asked(place: &Place, key: &Path) -> Result<usize, String> {
    let stream = stream_of(place, key).await?;
    let cluster = stream.cached_info().cluster.as_ref();
    let leader = cluster.and_then(|cluster| cluster.leader.as_deref());
    let number = leader.and_then(|name| name.strip_prefix('n')?.parse().ok());
    number.ok_or_else(|| "none leads".to_owned())
}

/// How the stream of a hall stands, and who reads it.
async fn kept(place: &Place, key: &Path) -> Result<String, String> {
    let stream = stream_of(place, key).await?;
    let mut readers = stream.consumers();
    let mut text = format!("{:?}", stream.cached_info());
    while let Some(reader) = readers.next().await {
        text += &format!("\n{reader:?}");
    }
    Ok(text)
}

async fn stream_of(place: &Place, key: &Path) -> Result<Stream, String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let seed = std::fs::read_to_string(key).expect("a key");
    let mut options = ConnectOptions::with_nkey(seed.trim().to_owned());
    if let Some(authority) = &place.authority {
        options = options
            .add_root_certificates(authority.clone())
            .require_tls(true);
    }
    let options = options.custom_inbox_prefix("arb-hub.inbox");
    let all: Vec<&str> = place.hub.split(',').collect();
    let client = options.connect(&all[..]).await.map_err(|e| text(&e))?;
    let name = format!("ARB_H_{}", place.name);
    let stream = jetstream::new(client).get_stream(name).await;
    stream.map_err(|e| text(&e))
}
