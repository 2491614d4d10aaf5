//! `arbiterd table`: which board stands where, and who is seen to.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::ask::{Of, Where, escaped};
use super::failure::Failure;
use super::floor::observed;
use super::results::seat;
use super::terminal::Screen;

/// Say which board stands on which table.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Table,
}

#[derive(Subcommand, Debug)]
enum Table {
    /// Put a board on a table; what stood there is free
    #[command(after_help = "Example: arbiterd table bind 12 b07")]
    Bind {
        /// The table
        table: u16,
        /// The board's id in the configuration
        board: String,
        #[command(flatten)]
        at: Where,
    },
    /// Take the board from a table: its results are typed from then on
    #[command(after_help = "Example: arbiterd table unbind 12")]
    Unbind {
        /// The table
        table: u16,
        #[command(flatten)]
        at: Where,
    },
    /// Exchange the boards of two tables; games stay at their tables
    #[command(after_help = "Example: arbiterd table swap 12 13")]
    Swap {
        /// One table
        table: u16,
        /// The other
        with: u16,
        #[command(flatten)]
        at: Where,
    },
    /// Let the stopped game at a table go on, once its pieces stand on the board; needs the running
    /// daemon
    ///
    /// A game is stopped when its board was changed, by an arbiter, and when it was postponed and
    /// is resumed: until it goes on, what is handled is nobody's move.
    #[command(after_help = "Example: arbiterd table resume 12")]
    Resume {
        /// The table
        table: u16,
        #[command(flatten)]
        at: Where,
    },
    /// Begin the game of a table's pairing from what stands on its board: where play was not
    /// followed as that, before the round was started or on a board that was switched on late;
    /// needs the running daemon
    #[command(after_help = "Example: arbiterd table begin 12")]
    Begin {
        /// The table
        table: u16,
        #[command(flatten)]
        at: Where,
    },
    /// Say that an arbiter observes the game at a table, or no longer; it ends by itself with the
    /// game
    #[command(after_help = "Example: arbiterd table observe 12 --by 'Eva Roth'")]
    Observe {
        /// The table, or ROUND.TABLE
        table: String,
        /// He observes it no longer
        #[arg(long)]
        stop: bool,
        /// The arbiter's name; left out: nobody is named, or the only one is meant who observes it
        #[arg(long, value_name = "NAME", default_value = "")]
        by: String,
        #[command(flatten)]
        at: Where,
    },
    /// Show which games arbiters observed, from when to when
    #[command(after_help = "Example: arbiterd table observed --json")]
    Observed {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        at: Where,
    },
    /// Show every table with its board
    #[command(visible_alias = "list", after_help = "Example: arbiterd table show")]
    Show {
        #[command(flatten)]
        at: Where,
    },
}

/// Does what is asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (at, said) = match &arguments.command {
        Table::Bind { table, board, at } => {
            let order = json!({ "board": board });
            (at, at.begin(&format!("/api/tables/{table}/bind"), &order))
        }
        Table::Unbind { table, at } => (
            at,
            at.post(&format!("/api/tables/{table}/unbind"), &Value::Null),
        ),
        Table::Swap { table, with, at } => {
            let order = json!({ "with": with });
            (at, at.post(&format!("/api/tables/{table}/swap"), &order))
        }
        Table::Resume { table, at } => (at, go_on(*table, at)),
        Table::Begin { table, at } => (at, begin(*table, at)),
        Table::Observe {
            table,
            stop,
            by,
            at,
        } => {
            let (round, table) = match table.parse::<u16>() {
                Ok(table) => (None, table),
                Err(_) => seat(table).map(|(round, table)| (Some(round), table))?,
            };
            // Whoever has the store need not be the arbiter.
            let whose = Some(by).filter(|by| !*stop || !by.is_empty());
            let order = json!({ "observes": !stop, "round": round, "whose": whose });
            let said = at.post(&format!("/api/tables/{table}/observe"), &order)?;
            return at.say(&said, observed);
        }
        Table::Observed { of, at } => {
            let path = format!("/api/event/observed{}", of.query('?'));
            return at.say(&at.get(&path)?, observed);
        }
        Table::Show { at } => (at, at.get("/api/tables")),
    };
    at.say(&said?, |tables| {
        let row = |table: &Value| {
            let board = table["board"].as_str().unwrap_or_default();
            vec![
                table["table"].to_string(),
                board.to_owned(),
                state_of(table),
            ]
        };
        let rows: Vec<_> = tables.as_array().into_iter().flatten().map(row).collect();
        Screen::stdout().table(&["TABLE", "BOARD", "STATE"], &rows)
    })
}

/// How it stands at a table, for people.
fn state_of(table: &Value) -> String {
    let state = match table["connected"].as_bool() {
        Some(true) => "connected",
        Some(false) => "not on the line",
        None => "",
    };
    let stopped = (table["stopped"] == true).then(|| {
        let number = &table["table"];
        format!(
            "its game is stopped: set the pieces up as they stood, then `arbiterd table resume \
             {number}`"
        )
    });
    let stranger = table["stranger"].as_str().map(|game| {
        format!(
            "{game} on it is of no pairing: it is over, with its moves, when the pieces are set \
             up, or with `arbiterd table begin {}`",
            table["table"]
        )
    });
    let cut_off = table["cut_off"].as_str().map(|game| {
        format!(
            "its game {game} was cut off by another: `arbiterd table resume {}` brings it back, \
             stopped",
            table["table"]
        )
    });
    let fault = table["fault"].as_str().map(str::to_owned);
    let state = (!state.is_empty()).then(|| state.to_owned());
    let all = [state, stopped, stranger, cut_off, fault]
        .into_iter()
        .flatten();
    all.collect::<Vec<_>>().join("; ")
}

/// The table and its board, which the daemon follows.
fn followed(table: u16, tables: &Value) -> Result<(&Value, &str), Failure> {
    let mut all = tables.as_array().into_iter().flatten();
    let found = all.find(|seat| seat["table"] == table);
    let board = found.and_then(|seat| seat["board"].as_str());
    let Some((found, board)) = found.zip(board) else {
        return Err(Failure::failed(format!("table {table} has no board")));
    };
    if found["connected"].is_null() {
        return Err(Failure::failed(format!(
            "no daemon follows `{board}` on table {table}: start it first"
        )));
    }
    Ok((found, board))
}

/// Lets the game at a table go on, or brings it back there, stopped, where it was cut off; how the
/// tables stand then.
fn go_on(table: u16, at: &Where) -> Result<Value, Failure> {
    let tables = at.get("/api/tables")?;
    let (found, board) = followed(table, &tables)?;
    let order = match (&found["cut_off"], &found["stopped"]) {
        (Value::String(game), _) => {
            json!({ "event": "arbiter", "action": "goes-on", "game": game })
        }
        (_, Value::Bool(true)) => json!({ "event": "arbiter", "action": "resume" }),
        _ => {
            return Err(Failure::failed(format!(
                "no game is stopped at table {table}"
            )));
        }
    };
    at.post(&format!("/api/boards/{}/orders", escaped(board)), &order)?;
    at.get("/api/tables")
}

/// Begins the game of a table's pairing from what stands; how the tables stand then.
fn begin(table: u16, at: &Where) -> Result<Value, Failure> {
    let tables = at.get("/api/tables")?;
    let (found, board) = followed(table, &tables)?;
    if found["awaited"] != true {
        return Err(Failure::failed(format!(
            "no pairing waits for its game at table {table}"
        )));
    }
    let order = json!({ "event": "new-game" });
    at.post(&format!("/api/boards/{}/orders", escaped(board)), &order)?;
    at.get("/api/tables")
}
