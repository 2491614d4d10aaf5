//! `arbiterd board`: which port each board is on, while the daemon runs.

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::ask::{Where, escaped};
use super::failure::Failure;
use super::terminal::Screen;

/// Say which port a board of the running daemon is on, and what it speaks.
///
/// Games go on, and it holds after a restart, whatever the configuration says of the board.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Show the port of every board, and what it speaks
    #[command(
        visible_alias = "list",
        after_help = "Example: arbiterd board show --json"
    )]
    Show {
        #[command(flatten)]
        at: Where,
    },
    /// A board is on another port from now on, or speaks another language
    #[command(
        after_help = "Example: arbiterd board port b07 /dev/ttyUSB3\n         \
                            arbiterd board port b07 --kind certabo"
    )]
    Port {
        /// The board's id
        board: String,
        #[command(flatten)]
        line: Line,
        #[command(flatten)]
        at: Where,
    },
    /// Follow a board that does not stand in the configuration
    #[command(
        after_help = "Example: arbiterd board add spare1 /dev/ttyUSB9 --kind native\n         \
                            arbiterd table bind 12 spare1"
    )]
    Add {
        /// Its id: letters, digits, `-` and `_`
        board: String,
        /// The name people use
        #[arg(long, default_value = "")]
        name: String,
        #[command(flatten)]
        line: Line,
        #[command(flatten)]
        at: Where,
    },
    /// A board is where the configuration says
    #[command(after_help = "Example: arbiterd board reset b07")]
    Reset {
        /// The board's id
        board: String,
        #[command(flatten)]
        at: Where,
    },
}

/// A port, and what is spoken on it.
#[derive(Args, Debug)]
struct Line {
    /// Its device, such as /dev/ttyUSB0 (`arbiterd ports` lists them), or bluetooth:ADDRESS, or
    /// tcp://HOST:PORT
    #[arg(conflicts_with = "usb_serial")]
    port: Option<String>,
    /// The serial number of its USB device
    #[arg(long, value_name = "NUMBER")]
    usb_serial: Option<String>,
    /// The kind of board, or `auto`: whatever answers
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// The port's speed in bits a second; 0 is the kind's usual one
    #[arg(long, value_name = "BITS")]
    baud: Option<u32>,
}

impl Line {
    fn order(&self) -> Map<String, Value> {
        let fields = [
            ("port", json!(self.port)),
            ("usb-serial", json!(self.usb_serial)),
            ("kind", json!(self.kind)),
            ("baud", json!(self.baud)),
        ];
        let said = fields.into_iter().filter(|(_, value)| !value.is_null());
        said.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Does what is asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (at, said) = match &arguments.command {
        Command::Show { at } => (at, at.get("/api/ports")),
        Command::Port { board, line, at } => {
            let order = Value::Object(line.order());
            (
                at,
                at.post(&format!("/api/ports/{}", escaped(board)), &order),
            )
        }
        Command::Add {
            board,
            name,
            line,
            at,
        } => {
            let mut order = line.order();
            order.insert("name".to_owned(), json!(name));
            let path = format!("/api/ports/{}/add", escaped(board));
            (at, at.post(&path, &Value::Object(order)))
        }
        Command::Reset { board, at } => {
            let path = format!("/api/ports/{}/reset", escaped(board));
            (at, at.post(&path, &Value::Null))
        }
    };
    at.say(&said?, people)
}

fn people(ports: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |port: &Value| {
        let kind = port["kind"].as_str().unwrap_or("auto").to_owned();
        let fault = text(&port["fault"]);
        let state = match (port["connected"] == true, fault.as_str()) {
            (true, "") => "connected".to_owned(),
            (true, fault) => format!("connected; {fault}"),
            (false, _) => fault,
        };
        let state = match port["stopped"] == true {
            true => format!("{state}; its game is stopped (`arbiterd table show`)"),
            false => state,
        };
        let since = match port["configured"] == true {
            true => "configuration",
            false => "order",
        };
        vec![
            text(&port["board"]),
            text(&port["port"]),
            kind,
            since.to_owned(),
            state,
        ]
    };
    let rows: Vec<_> = ports.as_array().into_iter().flatten().map(row).collect();
    Screen::stdout().table(&["BOARD", "PORT", "KIND", "BY", "STATE"], &rows)
}
