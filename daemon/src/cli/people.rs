//! `arbiterd people`: accounts and devices, for whoever owns the store.

use std::io::{self, IsTerminal, Write};

use access::{Role, Tables};
use axum::http::Method;
use clap::{Args, Subcommand};
use fast_qr::QRBuilder;
use serde_json::{Value, json};

use super::ask::{Where, escaped};
use super::failure::Failure;

/// Accounts and devices of a store: who may log in, who is in.
///
/// Asks the running daemon; where none runs, the store itself. Whoever can enter the store's
/// directory may do this, and each time it is written down.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd people add Ada --role chief --dir arbiter-data")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Make an account; its password is made, and shown once
    #[command(after_help = "Example: arbiterd people add Ben --role sector --tables 1-10")]
    Add {
        /// The name; it signs rulings
        name: String,
        /// What he is: chief, sector, operator, viewer or display
        #[arg(long)]
        role: Role,
        /// The tables of a sector, such as 1-10
        #[arg(long)]
        tables: Option<Tables>,
        /// Read the password from standard input, one line, and make none
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        common: Where,
    },
    /// Every account, and everybody who is in
    #[command(after_help = "Example: arbiterd people list --json")]
    List {
        #[command(flatten)]
        common: Where,
    },
    /// Give an account another password, shown once; its sessions are over
    #[command(after_help = "Example: arbiterd people reset Ada")]
    Reset {
        /// The account
        name: String,
        #[command(flatten)]
        common: Where,
    },
    /// Give the arbiter of a sector other tables; whoever is in stays in, with those
    #[command(after_help = "Example: arbiterd people tables Ben 11-20")]
    Tables {
        /// The account
        name: String,
        /// Its tables, such as 11-20
        tables: Tables,
        #[command(flatten)]
        common: Where,
    },
    /// Close an account, or end one session by its number
    #[command(after_help = "Example: arbiterd people revoke Ben\n         \
        arbiterd people revoke --session 12")]
    Revoke {
        /// The account
        #[arg(required_unless_present = "session")]
        name: Option<String>,
        /// The number of the session
        #[arg(long, value_name = "N", conflicts_with = "name")]
        session: Option<u64>,
        #[command(flatten)]
        common: Where,
    },
    /// Invite a device: a QR code and a code to be typed, for five minutes
    #[command(
        after_help = "Example: arbiterd people pair \"rows 1-10\" --role sector --tables 1-10"
    )]
    Pair {
        /// The device's name; it signs rulings [default: what it is, and its tables]
        name: Option<String>,
        /// What it is: chief, sector, operator, viewer or display
        #[arg(long)]
        role: Role,
        /// The tables, such as 1-10
        #[arg(long)]
        tables: Option<Tables>,
        /// For how many hours [default: 16]
        #[arg(long)]
        hours: Option<u16>,
        #[command(flatten)]
        common: Where,
    },
    /// Hand out what the store says of a player, as one JSON object
    #[command(after_help = "Example: arbiterd people data \"Berg, Anna\" > anna.json")]
    Data {
        #[command(flatten)]
        whom: Player,
        /// In this event of the store; with a number or a name
        #[arg(long, value_name = "N", conflicts_with = "fide")]
        event: Option<usize>,
        #[command(flatten)]
        common: Where,
    },
    /// Take away what the store says of a player; his number and his games stay
    ///
    /// It is written down that it was done, without his name. Also removed are copies of the store
    /// that the daemon keeps beside it: of older versions, and damaged ones. Backups that were
    /// taken elsewhere have him still.
    #[command(after_help = "Example: arbiterd people erase --number 7")]
    Erase {
        #[command(flatten)]
        whom: Player,
        /// In this event of the store; with a number or a name
        #[arg(long, value_name = "N", conflicts_with = "fide")]
        event: Option<usize>,
        #[command(flatten)]
        common: Where,
    },
    /// Devices that wait to be let in; with a number, let one in
    #[command(after_help = "Example: arbiterd people admit 3")]
    Admit {
        /// The petition's number; left out: show all
        id: Option<u64>,
        /// Turn it away
        #[arg(long, requires = "id")]
        deny: bool,
        #[command(flatten)]
        common: Where,
    },
}

/// Which player.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
struct Player {
    /// The name as it is written in the event
    name: Option<String>,
    /// FIDE's number
    #[arg(long, value_name = "N", conflicts_with_all = ["name", "number"])]
    fide: Option<u64>,
    /// The starting number in the event at hand, or in that of --event; with a name also one that
    /// is another's now
    #[arg(long, value_name = "N")]
    number: Option<u16>,
}

impl Player {
    fn order(&self, event: Option<usize>) -> Value {
        json!({
            "name": self.name, "fide_id": self.fide, "number": self.number, "event": event,
        })
    }
}

/// Does what is asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::Add {
            name,
            role,
            tables,
            password_stdin,
            common,
        } => {
            let password = password_stdin.then(read_password).transpose()?;
            let new = json!({"name": name, "role": role, "tables": tables, "password": password});
            let made = ask(common, Method::POST, "/api/people/accounts", Some(&new))?;
            told(common, &made, "made")
        }
        What::List { common } => list(common),
        What::Reset { name, common } => {
            let path = format!("/api/people/accounts/{}/reset", escaped(name));
            let made = ask(common, Method::POST, &path, None)?;
            told(common, &made, "given another password")
        }
        What::Tables {
            name,
            tables,
            common,
        } => {
            let path = format!("/api/people/accounts/{}/tables", escaped(name));
            let order = json!({ "tables": tables });
            let done = ask(common, Method::POST, &path, Some(&order))?;
            say(common, &done, &format!("{name} has the tables {tables}"))
        }
        What::Revoke {
            name,
            session,
            common,
        } => {
            let (path, what) = match (name, session) {
                (_, Some(id)) => {
                    let path = format!("/api/people/sessions/{id}/revoke");
                    (path, format!("session {id} is over"))
                }
                (name, None) => {
                    let name = name.as_deref().unwrap_or_default();
                    let path = format!("/api/people/accounts/{}/revoke", escaped(name));
                    (path, format!("{name} is closed"))
                }
            };
            let done = ask(common, Method::POST, &path, None)?;
            say(common, &done, &what)
        }
        What::Pair {
            name,
            role,
            tables,
            hours,
            common,
        } => {
            let usual = || {
                let tables = tables.as_ref().map(|tables| format!(" {tables}"));
                format!("{role}{}", tables.unwrap_or_default())
            };
            let name = name.clone().unwrap_or_else(usual);
            let asked = json!({"name": name, "role": role, "tables": tables, "hours": hours});
            let made = ask(common, Method::POST, "/api/people/codes", Some(&asked))?;
            show_code(common, &made)
        }
        What::Data {
            whom,
            event,
            common,
        } => {
            let known = common.post("/api/people/data", &whom.order(*event))?;
            Ok(writeln!(io::stdout(), "{known}")?)
        }
        What::Erase {
            whom,
            event,
            common,
        } => {
            let done = common.post("/api/people/erase", &whom.order(*event))?;
            say(common, &done, &erased(&done))
        }
        What::Admit { id, deny, common } => match id {
            None => {
                let all = ask(common, Method::GET, "/api/people/petitions", None)?;
                show_petitions(common, &all)
            }
            Some(id) => {
                let path = format!("/api/people/petitions/{id}");
                let done = ask(common, Method::POST, &path, Some(&json!({"allow": !deny})))?;
                say(common, &done, if *deny { "turned away" } else { "let in" })
            }
        },
    }
}

fn ask(common: &Where, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
    match (method, body) {
        (Method::GET, _) => common.get(path),
        (_, body) => common.begin(path, body.unwrap_or(&Value::Null)),
    }
}

fn read_password() -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        // What is typed would stay on the screen.
        return Err(Failure::bad_input(
            "--password-stdin reads from a pipe or a file",
        ));
    }
    let line = io::read_to_string(io::stdin())?;
    Ok(line.lines().next().unwrap_or_default().to_owned())
}

fn say(common: &Where, answer: &Value, words: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match common.json {
        true => Ok(writeln!(out, "{answer}")?),
        false => Ok(writeln!(out, "{words}")?),
    }
}

fn told(common: &Where, made: &Value, what: &str) -> Result<(), Failure> {
    let name = made["account"].as_str().unwrap_or_default();
    let words = match made["password"].as_str() {
        Some(password) => format!("{name} is {what}; the password, shown this once: {password}"),
        None => format!("{name} is {what}"),
    };
    say(common, made, &words)
}

fn list(common: &Where) -> Result<(), Failure> {
    let accounts = ask(common, Method::GET, "/api/people/accounts", None)?;
    let sessions = ask(common, Method::GET, "/api/people/sessions", None)?;
    let mut out = io::stdout().lock();
    if common.json {
        let both = json!({"accounts": accounts, "sessions": sessions});
        return Ok(writeln!(out, "{both}")?);
    }
    for account in accounts.as_array().into_iter().flatten() {
        let closed = if account["revoked"].is_null() {
            ""
        } else {
            "  closed"
        };
        writeln!(out, "account      {}{closed}", person(account))?;
    }
    for session in sessions.as_array().into_iter().flatten() {
        let seen = session["seen"]
            .as_i64()
            .and_then(|at| jiff::Timestamp::from_second(at).ok());
        let seen = seen.map(|at| at.to_string()).unwrap_or_default();
        let address = session["address"].as_str().unwrap_or_default();
        let id = &session["id"];
        writeln!(
            out,
            "session {id:<4} {}  {address}  seen {seen}",
            person(session)
        )?;
    }
    Ok(())
}

fn erased(done: &Value) -> String {
    let count = |name: &str| done[name].as_array().map_or(0, Vec::len);
    let (entries, pages) = (&done["entries"], &done["pages"]);
    format!(
        "taken away: {entries} entries in acts; {} games called otherwise, {pages} PGN files \
         written anew; {} files of pairings and {} copies of the store changed or removed. \
         Backups that you took have him still",
        count("games"),
        count("files"),
        count("copies"),
    )
}

fn person(of: &Value) -> String {
    let text = |name: &str| of[name].as_str().unwrap_or_default().to_owned();
    let tables = match of["tables"].as_str() {
        Some(tables) => format!(" {tables}"),
        None => String::new(),
    };
    format!("{:<24} {}{tables}", text("name"), text("role"))
}

fn show_code(common: &Where, made: &Value) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if common.json {
        return Ok(writeln!(out, "{made}")?);
    }
    let text = |name: &str| made[name].as_str().unwrap_or_default();
    if let Ok(qr) = QRBuilder::new(text("link")).build() {
        writeln!(out, "{}", qr.to_str())?;
    }
    writeln!(out, "link  {}", text("link"))?;
    writeln!(out, "code  {}, typed at /pair.html", text("code"))?;
    writeln!(
        out,
        "Works once within five minutes. `arbiterd people admit` shows who waits."
    )?;
    Ok(())
}

fn show_petitions(common: &Where, all: &Value) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if common.json {
        return Ok(writeln!(out, "{all}")?);
    }
    for petition in all.as_array().into_iter().flatten() {
        let (id, squares) = (
            &petition["id"],
            petition["squares"].as_str().unwrap_or_default(),
        );
        let who = person(&petition["invitation"]);
        writeln!(out, "{id:<4} {who}  shows {squares}")?;
    }
    Ok(())
}
