//! `arbiterd hub`: the hub of several halls.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use daemon::config::{self, Config};
use daemon::hub::nats::server::Server;
use daemon::hub::{fingerprint, key};
use serde_json::json;

use super::ask::{Where, escaped};
use super::failure::Failure;
use super::runtime;

/// Run the hub of several halls: it keeps a mirror of each hall's journal, and shows them all.
///
/// A hall needs its hub for nothing. Ctrl-C ends it in order; the halls send what it has missed
/// when it is back.
#[derive(Args, Debug)]
#[command(after_help = "Examples: arbiterd hub --config hub.toml\n          \
    arbiterd hub key hub.key")]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    /// The configuration: `arbiterd hub example` shows every key
    #[arg(long, value_name = "FILE", required = true)]
    config: Option<PathBuf>,
    /// Write the log as JSON, one object a line
    #[arg(long)]
    json: bool,
    /// Serve a network without TLS and without passwords: WHOEVER REACHES THE ADDRESS SEES ALL
    /// HALLS. For those behind a proxy of their own that asks who is there
    #[arg(long)]
    insecure_network: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Make the key of a hall, and print what the hub needs to know it by
    #[command(after_help = "Example: arbiterd hub key hub.key")]
    Key {
        /// The file; it must not exist
        file: PathBuf,
    },
    /// Every hall, and how far its mirror is
    #[command(after_help = "Example: arbiterd hub halls --dir /var/lib/arbiter-hub --json")]
    Halls {
        #[command(flatten)]
        common: Where,
    },
    /// Take another store as a hall's from now on: its store was made anew. The mirror of the one
    /// before is kept
    #[command(after_help = "Example: arbiterd hub accept main 5f0c1d")]
    Accept {
        /// The hall
        hall: String,
        /// The name of the store, as `arbiterd hub halls` shows it
        store: String,
        #[command(flatten)]
        common: Where,
    },
    /// Play a table of the hub's event in another hall from now on. Not one that has begun
    #[command(after_help = "Example: arbiterd hub move-table 12 --to juniors")]
    MoveTable {
        /// The table
        table: u16,
        /// The hall where it is played
        #[arg(long, value_name = "HALL")]
        to: String,
        #[command(flatten)]
        common: Where,
    },
    /// Order of the halls what this hub has of the event, though they were ordered otherwise since
    /// its store was copied
    #[command(after_help = "Example: arbiterd hub stands --dir /var/lib/arbiter-hub")]
    Stands {
        #[command(flatten)]
        common: Where,
    },
    /// Write the configuration of the NATS server between halls and hub: who may do what there
    #[command(after_help = "Example: arbiterd hub nats-config --config hub.toml >nats-server.conf")]
    NatsConfig {
        /// The hub's configuration, with `[nats]` and with the `nkey` of every hall that comes so
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// Where the server listens [default: the port of `[nats] address`, on every address of
        /// this machine; on the loopback address alone where that goes without TLS]
        #[arg(long, value_name = "ADDRESS")]
        listen: Option<SocketAddr>,
        /// Where it keeps what halls send
        #[arg(long, value_name = "DIR", default_value = "/var/lib/nats")]
        store: PathBuf,
    },
    /// The configuration of a hub with every key, each with what it is for
    Example,
}

/// Runs the hub, or one of its commands.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        None => serve(arguments),
        Some(What::Key { file }) => key(file),
        Some(What::Halls { common }) => halls(common),
        Some(What::Accept {
            hall,
            store,
            common,
        }) => {
            let path = format!("/api/halls/{}/accept", escaped(hall));
            common.post(&path, &json!({ "store": store }))?;
            Ok(writeln!(
                io::stdout(),
                "{hall}: taken when it calls again, in some seconds"
            )?)
        }
        Some(What::MoveTable { table, to, common }) => {
            let path = format!("/api/halls/{}/tables", escaped(to));
            common.post(&path, &json!({ "table": table }))?;
            Ok(writeln!(
                io::stdout(),
                "table {table}: in {to} from now on"
            )?)
        }
        Some(What::Stands { common }) => {
            common.post("/api/halls/stands", &json!({}))?;
            Ok(writeln!(
                io::stdout(),
                "the halls are ordered what this hub has of the event"
            )?)
        }
        Some(What::NatsConfig {
            config,
            listen,
            store,
        }) => nats_config(config, *listen, store),
        Some(What::Example) => Ok(io::stdout().write_all(config::HUB_EXAMPLE.as_bytes())?),
    }
}

fn serve(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.config.clone().unwrap_or_default();
    let mut config = Config::load_hub(&file).map_err(Failure::bad_line)?;
    config.entrance.insecure = arguments.insecure_network;
    daemon::logging::start(arguments.json);
    runtime()?.block_on(async {
        let shutdown = daemon::run::on_signals().map_err(Failure::failed)?;
        daemon::run::run(config, shutdown)
            .await
            .map_err(Failure::failed)
    })
}

/// Makes a key.
fn key(file: &Path) -> Result<(), Failure> {
    let key = key::make().map_err(Failure::failed)?;
    let mut options = OpenOptions::new();
    let opened = options.write(true).create_new(true).mode(0o600).open(file);
    let written = opened.and_then(|mut opened| {
        writeln!(opened, "{key}")?;
        opened.sync_all()
    });
    written.map_err(|error| {
        let what = match error.kind() {
            io::ErrorKind::AlreadyExists => "is there already, and stays as it is: another hall \
                                             may come with it. Name a new file"
                .to_owned(),
            _ => error.to_string(),
        };
        Failure::bad_input(format_args!("{}: {what}", file.display()))
    })?;
    Ok(writeln!(
        io::stdout(),
        "In the hub's configuration:\n\n[[hall]]\nname = \"...\"\nkey = \"{}\"\nnkey = \"{}\"",
        fingerprint(&key),
        key::public(&key).unwrap_or_default()
    )?)
}

/// Writes what nats-server is to read. Without TLS it listens where nobody else hears it.
fn nats_config(file: &Path, listen: Option<SocketAddr>, store: &Path) -> Result<(), Failure> {
    let bad = |what: String| Failure::bad_input(format_args!("{}: {what}", file.display()));
    let config = Config::load_hub(file).map_err(Failure::bad_line)?;
    let Some(rules) = &config.nats else {
        return Err(bad(
            "has no `[nats]`; `arbiterd hub example` shows it".to_owned()
        ));
    };
    let listen = listen.unwrap_or_else(|| rules.listens());
    let secret = key::read(&rules.key).map_err(Failure::bad_input)?;
    let hub = key::public(&secret)
        .ok_or_else(|| bad("`nats.key` is no key that `arbiterd hub key` has made".to_owned()))?;
    let known = config.halls.as_deref().unwrap_or_default();
    let halls = known
        .iter()
        .filter_map(|hall| Some((&*hall.name, hall.nkey.as_deref()?)));
    let halls: Vec<(&str, &str)> = halls.collect();
    if halls.is_empty() {
        return Err(bad(
            "no `[[hall]]` has an `nkey`; `arbiterd hub key` prints it".to_owned(),
        ));
    }
    let tls = match config.entrance.source(listen, &config.names, &config.dir) {
        Some(source) => Some(source.files().map_err(Failure::failed)?),
        None if listen.ip().is_loopback() => None,
        None => {
            return Err(bad(
                "`tls = \"off\"`, and the network reaches the server".to_owned()
            ));
        }
    };
    let server = Server {
        listen,
        store,
        tls: tls.as_ref(),
        hub: &hub,
        halls: &halls,
    };
    Ok(write!(io::stdout(), "{}", server.written())?)
}

fn halls(common: &Where) -> Result<(), Failure> {
    let halls = common.get("/api/halls")?;
    let mut out = io::stdout().lock();
    if common.json {
        return Ok(writeln!(out, "{halls}")?);
    }
    for hall in halls.as_array().into_iter().flatten() {
        let text = |name: &str| hall[name].as_str().unwrap_or_default().to_owned();
        let line = match hall["connected"] == true {
            true => "on the line",
            false => "not on the line",
        };
        // What it writes meanwhile nobody has told.
        let behind = match (hall["connected"] == true, &hall["behind"]) {
            (true, behind) => format!("{behind} behind"),
            (false, behind) => format!("{behind} behind when it was heard last"),
        };
        writeln!(
            out,
            "{}: {line}, {} rows, {behind}",
            text("name"),
            hall["rows"]
        )?;
        for (what, named) in [
            ("fault", ""),
            ("stranger", "another store: "),
            ("event", "the event: "),
        ] {
            if hall[what].is_string() {
                writeln!(out, "    {named}{}", text(what))?;
            }
        }
    }
    Ok(())
}
