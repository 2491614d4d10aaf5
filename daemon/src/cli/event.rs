//! `arbiterd event`: the event of a store.

use clap::{Args, Subcommand, ValueEnum};
use daemon::plain;
use serde_json::{Map, Value, json};

use super::ask::{Of, Where, escaped, numbers};
use super::failure::Failure;
use super::floor::notes;
use super::terminal::Screen;

/// Open, show and close the event of a store.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    New(Box<New>),
    Describe(Box<Describe>),
    List(List),
    Show(Show),
    Shorten(Shorten),
    Layout(Layout),
    Notes(Notes),
    Penalise(Penalise),
    Unpenalise(Unpenalise),
    Unruled(Unruled),
    Rule(Rule),
    Close(Close),
}

/// Open an event. Pairings can be loaded into it; they also open one by themselves.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: arbiterd event new --name 'Harbour Open' --rounds 9 \
                        --time-control 5400+30 --default-time 30"
)]
struct New {
    #[command(flatten)]
    about: About,
    #[command(flatten)]
    at: Where,
}

/// Say something else of the event; what is left out stays.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event describe --time-control 5400+30 --rounds 7")]
struct Describe {
    #[command(flatten)]
    about: About,
    #[command(flatten)]
    at: Where,
}

/// What is said of an event.
#[derive(Args, Debug)]
struct About {
    /// Its name
    #[arg(long)]
    name: Option<String>,
    /// The town, or the place
    #[arg(long)]
    site: Option<String>,
    /// The federation's three letters
    #[arg(long)]
    federation: Option<String>,
    /// The first day, such as 2026-11-24
    #[arg(long, value_name = "DAY")]
    start: Option<String>,
    /// The last day
    #[arg(long, value_name = "DAY")]
    end: Option<String>,
    /// The chief arbiter
    #[arg(long, value_name = "NAME")]
    arbiter: Option<String>,
    /// How many rounds there are to be
    #[arg(long, value_name = "N")]
    rounds: Option<u16>,
    /// standard, rapid or blitz
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// The edition of the Laws, such as fide-2023
    #[arg(long, value_name = "EDITION")]
    laws: Option<String>,
    /// As PGN writes it: seconds and increment, such as 5400+30 or 40/6000+30:900+30
    #[arg(long, value_name = "TC")]
    time_control: Option<String>,
    /// After how many minutes who is not there has lost (Article 6.7.1)
    #[arg(long, value_name = "MINUTES")]
    default_time: Option<u16>,
    /// Whether play is adequately supervised
    #[arg(long, value_name = "true|false")]
    supervised: Option<bool>,
}

/// List the events of the store; those that are over can be shown and given out by their numbers.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event list")]
struct List {
    #[command(flatten)]
    at: Where,
}

/// Show the event: players, rounds, penalties.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event show --dir arbiter-data")]
struct Show {
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    at: Where,
}

/// Say that the public is shown a player's name shortened, whatever his age.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event shorten 7")]
struct Shorten {
    /// The player's starting number
    player: u16,
    /// It is shown whole, whatever his age
    #[arg(long, conflicts_with = "by_age")]
    whole: bool,
    /// By his age, as the daemon is configured
    #[arg(long)]
    by_age: bool,
    #[command(flatten)]
    at: Where,
}

/// Say how the tables stand in the hall: in rows, each from left to right. It stays for the next
/// event.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event layout '1-10 / 20-11'")]
struct Layout {
    /// The rows, with / between them; empty: nobody says
    rows: String,
    #[command(flatten)]
    at: Where,
}

/// List what arbiters wrote down of tables, incidents and players.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event notes --json")]
struct Notes {
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    at: Where,
}

/// Note a penalty of a player (Article 12.9). Nothing adds penalties up: only the regulations of
/// the event could say how.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: arbiterd event penalise 7 --round 3 --what 'a warning' \
                        --reason 'his telephone rang'"
)]
struct Penalise {
    /// The player's starting number
    player: u16,
    /// In which round
    #[arg(long, value_name = "N")]
    round: u16,
    /// With what, such as a warning
    #[arg(long)]
    what: String,
    /// What for
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    at: Where,
}

/// Take a penalty back that was noted by mistake, such as for the wrong player.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event unpenalise 7 --round 3 --reason 'it was player 8'")]
struct Unpenalise {
    /// The player's starting number
    player: u16,
    /// Of which round it was noted
    #[arg(long, value_name = "N")]
    round: u16,
    /// Which, where the player has several of the round; as `event show` has it
    #[arg(long)]
    what: Option<String>,
    /// When it was noted, where several read alike; as `event show` has it
    #[arg(long = "at", value_name = "MOMENT")]
    noted: Option<String>,
    /// Why it is none
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    at: Where,
}

/// Show the findings, doubts and questions that nobody has ruled on, of games that are over too,
/// and the games that are stopped.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event unruled --round 3")]
struct Unruled {
    /// Of this round; left out: of all games of the store
    #[arg(long, value_name = "N")]
    round: Option<u16>,
    #[command(flatten)]
    at: Where,
}

/// Uphold or dismiss a finding of a game, be it over or at hand. Needs the running daemon.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event rule 2026-11-24-b07-2 dismiss 1")]
struct Rule {
    /// The game's name, as `event unruled` shows it
    game: String,
    /// What becomes of the finding
    #[arg(value_enum)]
    ruling: Ruling,
    /// The finding's number in the game
    finding: u32,
    /// Also where that takes half-moves out of the record that were played since
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    at: Where,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ruling {
    Uphold,
    Dismiss,
}

/// Close the event: nothing is changed after that, and another can be opened.
///
/// It is never opened again. A round is closed with `round close N`.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event close")]
struct Close {
    /// Also where rounds are still to be played
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    at: Where,
}

/// Does what is asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::New(new) => {
            let about = Value::Object(said(&new.about));
            new.at
                .say(&new.at.begin("/api/event/open", &about)?, people)
        }
        Command::Describe(other) => {
            let (about, at) = (said(&other.about), &other.at);
            if about.is_empty() {
                return Err(Failure::bad_input(
                    "say what is to be otherwise: --name and others",
                ));
            }
            let about = Value::Object(about);
            at.say(&at.post("/api/event/describe", &about)?, people)
        }
        Command::List(List { at }) => at.say(&at.get("/api/events")?, list),
        Command::Show(Show { of, at }) => {
            let path = format!("/api/event{}", of.query('?'));
            at.say(&at.get(&path)?, people)
        }
        Command::Shorten(Shorten {
            player,
            whole,
            by_age,
            at,
        }) => {
            let short = (!by_age).then_some(!whole);
            let mark = json!({"player": player, "short": short});
            at.say(&at.post("/api/event/shorten", &mark)?, people)
        }
        Command::Layout(Layout { rows, at }) => {
            let order = json!({ "rows": rows });
            at.say(&at.post("/api/event/layout", &order)?, people)
        }
        Command::Notes(Notes { of, at }) => {
            let path = format!("/api/notes{}", of.query('?'));
            at.say(&at.get(&path)?, notes)
        }
        Command::Penalise(penalty) => {
            let what = Some(&penalty.what);
            let order = penalty_of(penalty.player, penalty.round, what, &penalty.reason);
            let said = penalty.at.post("/api/penalties", &order)?;
            penalty.at.say(&said, people)
        }
        Command::Unpenalise(taken) => {
            let what = taken.what.as_ref();
            let mut order = penalty_of(taken.player, taken.round, what, &taken.reason);
            order["at"] = json!(taken.noted);
            let said = taken.at.post("/api/penalties/take-back", &order)?;
            taken.at.say(&said, people)
        }
        Command::Unruled(Unruled { round, at }) => {
            let of = round.map(|round| format!("?round={round}"));
            let said = at.get(&format!("/api/unruled{}", of.unwrap_or_default()))?;
            at.say(&said, unruled)
        }
        Command::Rule(rule) => {
            let action = match rule.ruling {
                Ruling::Uphold => "uphold",
                Ruling::Dismiss => "dismiss",
            };
            let order = json!({ "event": "arbiter", "action": action, "id": rule.finding });
            let confirmed = if rule.yes { "?confirmed=true" } else { "" };
            let path = format!("/api/games/{}/orders{confirmed}", escaped(&rule.game));
            let said = rule.at.post(&path, &order)?;
            rule.at.say(&said, |_| {
                format!("{}: {action} {}\n", rule.game, rule.finding)
            })
        }
        Command::Close(Close { anyway, at }) => {
            let order = json!({ "anyway": anyway });
            at.say(&at.post("/api/event/close", &order)?, people)
        }
    }
}

/// A penalty, as it is noted and taken back.
fn penalty_of(player: u16, round: u16, what: Option<&String>, reason: &str) -> Value {
    json!({ "player": player, "round": round, "what": what, "reason": reason })
}

/// What is said, by the names of the interface.
fn said(about: &About) -> Map<String, Value> {
    let fields = [
        ("name", json!(about.name)),
        ("site", json!(about.site)),
        ("federation", json!(about.federation)),
        ("start", json!(about.start)),
        ("end", json!(about.end)),
        ("chief_arbiter", json!(about.arbiter)),
        ("rounds", json!(about.rounds)),
        ("class", json!(about.class)),
        ("laws", json!(about.laws)),
        ("time_control", json!(about.time_control)),
        ("default_time", json!(about.default_time)),
        ("supervised", json!(about.supervised)),
    ];
    let said = fields.into_iter().filter(|(_, value)| !value.is_null());
    said.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The events of a store, for people.
fn list(events: &Value) -> String {
    let text = |value: &Value| plain::shown(value.as_str().unwrap_or_default());
    let row = |event: &Value| {
        let days = [text(&event["start"]), text(&event["end"])];
        let days: Vec<&str> = days
            .iter()
            .map(String::as_str)
            .filter(|d| !d.is_empty())
            .collect();
        vec![
            event["number"].to_string(),
            text(&event["name"]),
            days.join(" - "),
            event["players"].to_string(),
            numbers(&event["rounds"]),
            if event["closed"] == true {
                "closed"
            } else {
                ""
            }
            .to_owned(),
        ]
    };
    let rows: Vec<_> = events.as_array().into_iter().flatten().map(row).collect();
    let headings = ["EVENT", "NAME", "DAYS", "PLAYERS", "ROUNDS", "STATE"];
    Screen::stdout().table(&headings, &rows)
}

fn people(event: &Value) -> String {
    let text = |value: &Value| plain::shown(value.as_str().unwrap_or_default());
    let count = |value: &Value| value.as_array().map_or(0, Vec::len);
    let name = text(&event["details"]["name"]);
    let mut said = match (event["open"].as_bool(), name.as_str()) {
        (Some(true), "") => "an event without a name\n".to_owned(),
        (Some(true), name) => format!("{name}\n"),
        (_, "") => "no event is open\n".to_owned(),
        (_, name) => format!("{name}, closed\n"),
    };
    said += &format!("{} players\n", count(&event["players"]));
    let row = |round: &Value| {
        let open = numbers(&round["open"]);
        vec![
            round["round"].to_string(),
            text(&round["stage"]),
            round["games"].to_string(),
            open,
            numbers(&round["postponed"]),
        ]
    };
    let rounds: Vec<_> = event["rounds"]
        .as_array()
        .into_iter()
        .flatten()
        .map(row)
        .collect();
    if !rounds.is_empty() {
        let headings = ["ROUND", "STAGE", "GAMES", "WITHOUT A RESULT", "POSTPONED"];
        said += &Screen::stdout().table(&headings, &rounds);
    }
    for penalty in event["penalties"].as_array().into_iter().flatten() {
        let (player, round) = (&penalty["player"], &penalty["round"]);
        let (what, reason) = (text(&penalty["what"]), text(&penalty["reason"]));
        let at = match text(&penalty["at"]) {
            at if at.is_empty() => at,
            at => format!(", at {at}"),
        };
        said += &format!("player {player}, round {round}: {what} ({reason}){at}\n");
    }
    let layout = text(&event["layout"]);
    if !layout.is_empty() {
        said += &format!("tables in rows: {layout}\n");
    }
    said
}

/// What waits for the arbiter, for people.
fn unruled(games: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut said = String::new();
    for game in games.as_array().into_iter().flatten() {
        let place = match (game["round"].as_u64(), game["table"].as_u64()) {
            (Some(round), Some(table)) => format!("{round}.{table}"),
            _ => format!("board {}", text(&game["board"])),
        };
        let (white, black) = (text(&game["white"]), text(&game["black"]));
        said += &format!("{place} {white} - {black} ({})\n", text(&game["game"]));
        for finding in game["findings"].as_array().into_iter().flatten() {
            said += &format!("  {}: {}\n", finding["id"], text(&finding["text"]));
        }
        for doubt in game["doubts"].as_array().into_iter().flatten() {
            said += &format!("  ?: {}\n", text(&doubt["text"]));
        }
        if game["stopped"] == true {
            let by = match game["table"].as_u64() {
                Some(table) => format!("`arbiterd table resume {table}`"),
                None => "in the console".to_owned(),
            };
            said +=
                &format!("  stopped: set the pieces up as they stood, then let it go on ({by})\n");
        }
    }
    match said.is_empty() {
        true => "nothing waits for the arbiter\n".to_owned(),
        false => said,
    }
}
