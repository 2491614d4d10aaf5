//! Several halls and one hub on this machine: one hall after the other is cut off, plays on, and
//! catches up.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;

use daemon::config::Config;
use daemon::hub::{Halls, Uplink};
use daemon::run::{self, Daemon};
use daemon::store::Store;
use futures_util::future::{join, join_all};
use jiff::Zoned;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::broker::{self, Broker};
use super::cable::Cable;
use super::stage::Stage;
use super::{Arguments, configured, make_ports, quoted, write};
use crate::cli::failure::Failure;
use crate::cli::terminal::{STRONG, Screen};

/// What the halls are called.
const NAMES: [&str; 6] = ["main", "juniors", "seniors", "gallery", "annexe", "library"];
/// A hall is cut off when it has written so many rows since all were together, and for so many.
const TOGETHER: u64 = 60;
const ALONE: u64 = 120;
/// Nor is any of that waited for longer, where a hall has no more games to play.
const LONGEST: Duration = Duration::from_secs(30);
/// How often it is looked how far everybody is, and said of who is cut off.
const LOOK: Duration = Duration::from_millis(100);
const SAY: Duration = Duration::from_secs(3);

/// A hall as whoever tells of it knows it.
struct Room {
    name: &'static str,
    cable: Cable,
    uplink: Uplink,
    store: Store,
}

/// Halls and hub together, until it is enough.
pub(super) async fn play(
    arguments: &Arguments,
    dir: &Path,
    listener: TcpListener,
    count: usize,
) -> Result<(), Failure> {
    let shutdown = run::on_signals().map_err(Failure::failed)?;
    let address = listener.local_addr().map_err(Failure::failed)?;
    let names = &NAMES[..count.min(NAMES.len())];
    let (hub, broker) = hub_config(arguments, dir, address, names).await?;
    let hub = Daemon::open(&hub, shutdown.clone()).map_err(Failure::failed)?;
    line("hub", &format!("http://{address}"))?;
    let (scheme, end) = match &broker {
        Some(broker) => ("nats", broker.address),
        None => ("ws", near(address)),
    };
    let (mut rooms, mut stages) = (Vec::new(), Vec::new());
    for (&name, seed) in names.iter().zip(arguments.seed..) {
        let arguments = Arguments {
            seed,
            ..arguments.clone()
        };
        let dir = dir.join(name);
        let cable = Cable::lay(end).await.map_err(Failure::failed)?;
        let listener = run::bind((Ipv4Addr::LOCALHOST, 0).into()).map_err(Failure::failed)?;
        let address = listener.local_addr().map_err(Failure::failed)?;
        let of_hub = format!(
            "\n[hub]\nname = \"{name}\"\naddress = \"{scheme}://{}\"\nkey = \"hub.key\"\n\
             orders = [\"chief\"]\n",
            cable.address()
        );
        let config = configured(&arguments, &dir, address, &of_hub)?;
        let stage = Stage::set(&arguments, &config, shutdown.clone()).await?;
        let uplink = stage.daemon.uplink().cloned();
        let uplink = uplink.ok_or_else(|| Failure::failed("the hall has no hub"))?;
        line(name, &format!("http://{address}, {}", dir.display()))?;
        rooms.push(Room {
            name,
            cable,
            uplink,
            store: stage.daemon.office().store().clone(),
        });
        stages.push((stage, listener));
    }
    let carrier = match &broker {
        Some(broker) => format!("a NATS server at {}", broker.address),
        None => "WebSocket to the hub itself: no nats-server is installed".to_owned(),
    };
    line("carrier", &format!("{carrier}, over lines that can be cut"))?;
    line(
        "boards",
        &format!("{} simulated in each hall; Ctrl-C ends", arguments.boards),
    )?;
    let (enough, mut enoughs) = mpsc::unbounded_channel();
    let halls = stages.into_iter().map(|(stage, listener)| {
        let (enough, end) = (enough.clone(), shutdown.clone());
        async move {
            let seen = move || {
                let _nobody_counts = enough.send(());
            };
            stage
                .play(listener, seen)
                .await
                .inspect_err(|_| end.cancel())
        }
    });
    let seen = hub.halls().cloned();
    let telling = tokio::spawn({
        let shutdown = shutdown.clone();
        async move {
            let Some(hub) = seen else { return };
            let told = tell(&hub, &rooms, &mut enoughs, rooms.len());
            if let Some(Err(error)) = shutdown.run_until_cancelled(told).await {
                tracing::warn!(%error, "nobody reads what is told");
            }
            shutdown.cancel();
        }
    });
    let served = async {
        let served = hub.serve(listener).await.map_err(Failure::failed);
        served.inspect_err(|_| shutdown.cancel())
    };
    let (hub, halls) = join(served, join_all(halls)).await;
    telling.abort();
    if let Some(broker) = broker {
        broker.end().await;
    }
    halls.into_iter().chain([hub]).collect()
}

/// The hub's address as it is reached on this machine.
fn near(address: SocketAddr) -> SocketAddr {
    match address.ip().is_unspecified() {
        true => (Ipv4Addr::LOCALHOST, address.port()).into(),
        false => address,
    }
}

/// Makes the halls' directories with their keys, and writes the hub's configuration.
async fn hub_config(
    arguments: &Arguments,
    dir: &Path,
    address: SocketAddr,
    names: &[&str],
) -> Result<(Config, Option<Broker>), Failure> {
    let store = quoted(&dir.join("hub"));
    let mut text = format!(
        "# Written by `arbiterd demo --halls`.\n[http]\nlisten = \"{address}\"\n\n\
         [store]\ndir = {store}\n"
    );
    let mut nkeys = Vec::new();
    for name in names {
        make_ports(&dir.join(name))?;
        let made = broker::make_key(&dir.join(name).join("hub.key"));
        let (key, nkey) = made.map_err(Failure::failed)?;
        text += &format!("\n[[hall]]\nname = \"{name}\"\nkey = \"{key}\"\nnkey = \"{nkey}\"\n");
        nkeys.push(nkey);
    }
    let mut broker = None;
    if let Some(program) = broker::installed() {
        let made = broker::make_key(&dir.join("nats.key"));
        let (_, hub) = made.map_err(Failure::failed)?;
        let halls = names.iter().copied().zip(nkeys.iter().map(String::as_str));
        let halls: Vec<(&str, &str)> = halls.collect();
        let started = Broker::start(&program, dir, &hub, &halls).await;
        let started = started.map_err(|error| {
            let log = dir.join("nats.log");
            Failure::failed(format_args!(
                "{}: {error}; {}",
                program.display(),
                log.display()
            ))
        })?;
        text += &format!(
            "\n[nats]\naddress = \"nats://{}\"\nkey = \"nats.key\"\nmegabytes = {}\n",
            started.address,
            broker::MEGABYTES
        );
        broker = Some(started);
    }
    let file = dir.join("hub.toml");
    write(&file, &text)?;
    let mut config = Config::load_hub(&file).map_err(Failure::bad_line)?;
    config.entrance.insecure = arguments.insecure_network;
    Ok((config, broker))
}

fn line(what: &str, text: &str) -> io::Result<()> {
    let screen = Screen::stdout();
    let what = screen.paint(STRONG, &format!("{what:<8}"));
    writeln!(io::stdout().lock(), "{what} {text}")
}

/// Says what happens now.
fn say(name: &str, text: &str) -> io::Result<()> {
    line(
        &Zoned::now().strftime("%H:%M:%S").to_string(),
        &format!("{name}: {text}"),
    )
}

/// Cuts one hall off after the other, and says what comes of it. Returns when so many halls have
/// seen enough, and one has caught up.
async fn tell(
    hub: &Halls,
    rooms: &[Room],
    enough: &mut mpsc::UnboundedReceiver<()>,
    all: usize,
) -> io::Result<()> {
    for room in rooms {
        until(LONGEST, || room.uplink.shown().connected).await;
        say(room.name, "is on the line")?;
    }
    let mut seen = 0;
    for room in rooms.iter().cycle() {
        room.cut_off(hub).await?;
        while enough.try_recv().is_ok() {
            seen += 1;
        }
        if seen == all {
            return Ok(());
        }
    }
    Ok(())
}

impl Room {
    /// Rows of its journal.
    fn rows(&self) -> u64 {
        self.store.head().map_or(0, |head| head.at.seq)
    }

    async fn cut_off(&self, hub: &Halls) -> io::Result<()> {
        let begun = self.rows();
        until(LONGEST, || self.rows() >= begun + TOGETHER).await;
        self.cable.set_whole(false);
        say(self.name, "its line is cut; it plays on")?;
        let mirrored = || {
            let halls = hub.shown().into_iter();
            let mut rows = halls
                .filter(|hall| hall.name == self.name)
                .map(|hall| hall.rows);
            rows.next().unwrap_or_default()
        };
        until(LONGEST, || !self.uplink.shown().connected).await;
        let before = mirrored();
        let (cut, mut said) = (Instant::now(), Instant::now());
        while self.rows() < before + ALONE && cut.elapsed() < LONGEST {
            sleep(LOOK).await;
            if said.elapsed() > SAY {
                said = Instant::now();
                let missing = self.rows().saturating_sub(mirrored());
                say(
                    self.name,
                    &format!("{missing} rows are written there, and not at the hub"),
                )?;
            }
        }
        let all = self.rows();
        self.cable.set_whole(true);
        let mended = Instant::now();
        say(
            self.name,
            "its line is whole again; it calls within ten seconds",
        )?;
        while mirrored() < all {
            sleep(LOOK).await;
        }
        let (missed, took) = (all - before, mended.elapsed().as_secs_f32());
        say(
            self.name,
            &format!("has caught up after {took:.1} s: the hub has the {missed} rows it missed"),
        )
    }
}

/// Waits until it is so, and not for ever.
async fn until(longest: Duration, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() && begun.elapsed() < longest {
        sleep(LOOK).await;
    }
}
