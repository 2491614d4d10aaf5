//! `arbiterd event`: the event of a store.

use clap::{Args, Subcommand, ValueEnum};
use daemon::plain;
use serde_json::{Map, Value, json};

use super::ask::{Where, numbers};
use super::failure::Failure;
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
    Show(Show),
    Shorten(Shorten),
    Penalise(Penalise),
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
    /// Its name
    #[arg(long)]
    name: String,
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
    #[command(flatten)]
    at: Where,
}

/// Show the event: players, rounds, penalties.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event show --dir arbiter-data")]
struct Show {
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

/// Show the findings, doubts and questions that nobody has ruled on, of games that are over too.
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
    #[command(flatten)]
    at: Where,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ruling {
    Uphold,
    Dismiss,
}

/// Close the event: nothing is changed after that, and another can be opened.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd event close")]
struct Close {
    #[command(flatten)]
    at: Where,
}

/// Does what is asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::New(new) => {
            let event = new.at.begin("/api/event/open", &details(new))?;
            new.at.say(&event, people)
        }
        Command::Show(Show { at }) => at.say(&at.get("/api/event")?, people),
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
        Command::Penalise(penalty) => {
            let order = json!({
                "player": penalty.player, "round": penalty.round,
                "what": penalty.what, "reason": penalty.reason,
            });
            let said = penalty.at.post("/api/penalties", &order)?;
            penalty.at.say(&said, people)
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
            let path = format!("/api/games/{}/orders", rule.game);
            let said = rule.at.post(&path, &order)?;
            rule.at.say(&said, |_| {
                format!("{}: {action} {}\n", rule.game, rule.finding)
            })
        }
        Command::Close(Close { at }) => at.say(&at.post("/api/event/close", &Value::Null)?, people),
    }
}

fn details(new: &New) -> Value {
    let fields = [
        ("name", json!(new.name)),
        ("site", json!(new.site)),
        ("federation", json!(new.federation)),
        ("start", json!(new.start)),
        ("end", json!(new.end)),
        ("chief_arbiter", json!(new.arbiter)),
        ("rounds", json!(new.rounds)),
        ("class", json!(new.class)),
        ("laws", json!(new.laws)),
        ("time_control", json!(new.time_control)),
        ("default_time", json!(new.default_time)),
    ];
    let said = fields.into_iter().filter(|(_, value)| !value.is_null());
    let said: Map<String, Value> = said.map(|(name, value)| (name.to_owned(), value)).collect();
    Value::Object(said)
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
        ]
    };
    let rounds: Vec<_> = event["rounds"]
        .as_array()
        .into_iter()
        .flatten()
        .map(row)
        .collect();
    if !rounds.is_empty() {
        let headings = ["ROUND", "STAGE", "GAMES", "WITHOUT A RESULT"];
        said += &Screen::stdout().table(&headings, &rounds);
    }
    for penalty in event["penalties"].as_array().into_iter().flatten() {
        let (player, round) = (&penalty["player"], &penalty["round"]);
        let (what, reason) = (text(&penalty["what"]), text(&penalty["reason"]));
        said += &format!("player {player}, round {round}: {what} ({reason})\n");
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
    }
    match said.is_empty() {
        true => "nothing waits for the arbiter\n".to_owned(),
        false => said,
    }
}
