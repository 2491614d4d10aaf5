//! Who may do what: the one place where that is written. The tables of `docs/access.md` are made of
//! these.

use serde_json::{Map, Value};

use crate::role::Role;

/// Something that one may do, or see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Right {
    /// See names, moves and clocks.
    Boards,
    /// See findings, doubts and what the sensors read.
    Findings,
    /// See devices and what is wrong with them.
    Devices,
    /// Rule: uphold, dismiss, take back, results, positions, what players declare.
    Rule,
    /// Stop the clocks of a game, and let them go on.
    Pause,
    /// Begin the next game of a board.
    Begin,
    /// Read games as they were recorded, with all that was found.
    Records,
    /// Read the list of games.
    Games,
    /// Read players, rounds, tables and results.
    Event,
    /// Change the event, its rounds and pairings, and penalties.
    Rounds,
    /// Enter results, which wait to be confirmed; type moves.
    Results,
    /// Confirm, decide and withdraw results. What is entered by somebody with this right is
    /// confirmed.
    Confirm,
    /// Put boards on tables, and on ports.
    Tables,
    /// Accounts, devices, sessions, and the list of acts.
    People,
    /// Read what the program measures of itself.
    Service,
}

/// At which tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// At none.
    None,
    /// At his own.
    Own,
    /// At all.
    All,
}

use Reach::{All, None as No, Own};

/// What each role may do, in the order of [`Role::ALL`], with what it means in words.
pub const RIGHTS: [(Right, &str, [Reach; 5]); 15] = [
    (
        Right::Boards,
        "see names, moves and clocks",
        [All, All, All, All, Own],
    ),
    (
        Right::Findings,
        "see findings, doubts, sensors",
        [All, All, No, No, No],
    ),
    (
        Right::Devices,
        "see devices and their faults",
        [All, All, All, No, No],
    ),
    (
        Right::Rule,
        "rule; say what players declared",
        [All, Own, No, No, No],
    ),
    (
        Right::Pause,
        "stop clocks and let them go on",
        [All, Own, All, No, No],
    ),
    (
        Right::Begin,
        "begin the next game of a board",
        [All, Own, All, No, No],
    ),
    (
        Right::Records,
        "read records with findings",
        [All, All, No, No, No],
    ),
    (
        Right::Games,
        "read the list of games",
        [All, All, All, All, No],
    ),
    (
        Right::Event,
        "read players, rounds, results",
        [All, All, All, No, No],
    ),
    (
        Right::Rounds,
        "change the event, rounds, pairings",
        [All, No, No, No, No],
    ),
    (Right::Results, "enter results", [All, Own, All, No, No]),
    (
        Right::Confirm,
        "confirm and withdraw results",
        [All, Own, No, No, No],
    ),
    (
        Right::Tables,
        "put boards on tables and ports",
        [All, No, All, No, No],
    ),
    (
        Right::People,
        "accounts, devices, acts",
        [All, No, No, No, No],
    ),
    (Right::Service, "read measurements", [All, No, All, No, No]),
];

/// What an address asks of whoever comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nothing: it says nothing of the tournament, is how one is let in, or is public.
    Open,
    /// To be somebody.
    Somebody,
    /// A right.
    Right(Right),
    /// What is ordered decides: to rule, to pause, or to begin a game.
    Order,
    /// A right, and the password given in the last ten minutes.
    Proved(Right),
}

/// What every method of every address asks for. What does not stand here is refused.
pub const ROUTES: &[(&str, &str, Need)] = &[
    ("get", "/api/boards", Need::Right(Right::Boards)),
    ("get", "/api/boards/{id}", Need::Right(Right::Boards)),
    ("post", "/api/boards/{id}/orders", Need::Order),
    ("post", "/api/boards/{id}/trial", Need::Right(Right::Rule)),
    ("get", "/api/games", Need::Right(Right::Games)),
    ("get", "/api/games/{id}", Need::Right(Right::Records)),
    ("get", "/api/games/{id}.pgn", Need::Right(Right::Records)),
    ("get", "/api/games/{id}/script", Need::Right(Right::Records)),
    ("get", "/api/games/{id}/texts", Need::Right(Right::Findings)),
    ("post", "/api/games/{id}/orders", Need::Order),
    ("get", "/api/unruled", Need::Right(Right::Findings)),
    ("get", "/api/incidents", Need::Right(Right::Devices)),
    ("get", "/api/faults", Need::Right(Right::Devices)),
    (
        "post",
        "/api/incidents/{id}/seen",
        Need::Right(Right::Devices),
    ),
    (
        "post",
        "/api/incidents/{id}/going",
        Need::Right(Right::Devices),
    ),
    (
        "post",
        "/api/incidents/{id}/send",
        Need::Right(Right::Devices),
    ),
    (
        "post",
        "/api/incidents/{id}/left",
        Need::Right(Right::Devices),
    ),
    (
        "post",
        "/api/incidents/{id}/later",
        Need::Right(Right::Devices),
    ),
    (
        "post",
        "/api/incidents/{id}/awake",
        Need::Right(Right::Devices),
    ),
    ("post", "/api/incidents/hand-over", Need::Right(Right::Rule)),
    ("post", "/api/incidents/{id}/tick", Need::Right(Right::Rule)),
    ("post", "/api/incidents/{id}/rule", Need::Right(Right::Rule)),
    ("get", "/api/live", Need::Right(Right::Boards)),
    ("get", "/api/halls", Need::Right(Right::Boards)),
    ("get", "/api/halls/incidents", Need::Right(Right::Findings)),
    (
        "post",
        "/api/halls/{name}/accept",
        Need::Right(Right::People),
    ),
    (
        "post",
        "/api/halls/{name}/tables",
        Need::Right(Right::Rounds),
    ),
    ("post", "/api/halls/stands", Need::Right(Right::Rounds)),
    ("get", "/api/halls/line", Need::Open),
    ("get", "/api/hub", Need::Right(Right::Devices)),
    ("get", "/api/clock", Need::Right(Right::Rounds)),
    ("post", "/api/clock", Need::Right(Right::Rounds)),
    ("get", "/api/event", Need::Right(Right::Event)),
    ("get", "/api/event/seal", Need::Right(Right::Event)),
    ("get", "/api/events", Need::Right(Right::Event)),
    ("post", "/api/event/open", Need::Right(Right::Rounds)),
    ("post", "/api/event/part", Need::Right(Right::Rounds)),
    ("post", "/api/event/describe", Need::Right(Right::Rounds)),
    ("post", "/api/event/close", Need::Right(Right::Rounds)),
    ("post", "/api/event/shorten", Need::Right(Right::Rounds)),
    ("post", "/api/event/layout", Need::Right(Right::Rounds)),
    ("post", "/api/event/halt", Need::Right(Right::Pause)),
    ("post", "/api/event/go-on", Need::Right(Right::Pause)),
    ("get", "/api/event/observed", Need::Right(Right::Records)),
    ("post", "/api/penalties", Need::Right(Right::Rule)),
    ("post", "/api/penalties/take-back", Need::Right(Right::Rule)),
    ("get", "/api/notes", Need::Right(Right::Records)),
    ("post", "/api/notes", Need::Right(Right::Rule)),
    (
        "get",
        "/api/notes/{number}/photo",
        Need::Right(Right::Records),
    ),
    ("post", "/api/rounds/{round}/time", Need::Right(Right::Rule)),
    (
        "post",
        "/api/rounds/{round}/time/take-back",
        Need::Right(Right::Rule),
    ),
    (
        "get",
        "/api/rounds/{round}/breaks",
        Need::Right(Right::Records),
    ),
    (
        "post",
        "/api/rounds/{round}/breaks",
        Need::Right(Right::Rule),
    ),
    (
        "post",
        "/api/rounds/{round}/breaks/take-back",
        Need::Right(Right::Rule),
    ),
    ("post", "/api/pairings", Need::Right(Right::Rounds)),
    ("get", "/api/rounds/{round}", Need::Right(Right::Event)),
    (
        "post",
        "/api/rounds/{round}/start",
        Need::Right(Right::Rounds),
    ),
    (
        "post",
        "/api/rounds/{round}/close",
        Need::Right(Right::Rounds),
    ),
    (
        "post",
        "/api/rounds/{round}/undraw",
        Need::Right(Right::Rounds),
    ),
    (
        "get",
        "/api/rounds/{round}/export",
        Need::Right(Right::Event),
    ),
    (
        "get",
        "/api/rounds/{round}/results",
        Need::Right(Right::Records),
    ),
    (
        "post",
        "/api/rounds/{round}/results",
        Need::Right(Right::Results),
    ),
    (
        "post",
        "/api/rounds/{round}/confirm",
        Need::Right(Right::Confirm),
    ),
    (
        "post",
        "/api/rounds/{round}/withdraw",
        Need::Right(Right::Confirm),
    ),
    (
        "post",
        "/api/rounds/{round}/postpone",
        Need::Right(Right::Confirm),
    ),
    (
        "post",
        "/api/rounds/{round}/resume",
        Need::Right(Right::Confirm),
    ),
    (
        "post",
        "/api/rounds/{round}/moves",
        Need::Right(Right::Results),
    ),
    ("get", "/api/tables", Need::Right(Right::Event)),
    (
        "post",
        "/api/tables/{table}/bind",
        Need::Right(Right::Tables),
    ),
    (
        "post",
        "/api/tables/{table}/unbind",
        Need::Right(Right::Tables),
    ),
    (
        "post",
        "/api/tables/{table}/swap",
        Need::Right(Right::Tables),
    ),
    (
        "post",
        "/api/tables/{table}/observe",
        Need::Right(Right::Rule),
    ),
    ("get", "/api/ports", Need::Right(Right::Devices)),
    ("post", "/api/ports/{id}", Need::Right(Right::Tables)),
    ("post", "/api/ports/{id}/add", Need::Right(Right::Tables)),
    (
        "post",
        "/api/ports/{id}/calibrate",
        Need::Right(Right::Tables),
    ),
    ("post", "/api/ports/{id}/reset", Need::Right(Right::Tables)),
    ("get", "/api/public", Need::Right(Right::Tables)),
    ("get", "/api/public/corrections", Need::Right(Right::Tables)),
    ("post", "/api/public/stop", Need::Right(Right::Rounds)),
    ("post", "/api/public/resume", Need::Right(Right::Rounds)),
    ("post", "/api/public/delay", Need::Right(Right::Rounds)),
    ("get", "/live", Need::Open),
    ("get", "/live/", Need::Open),
    ("get", "/live/tournament.json", Need::Open),
    ("get", "/live/{round}", Need::Open),
    ("get", "/live/{round}/", Need::Open),
    ("get", "/live/{round}/{file}", Need::Open),
    ("get", "/live/{event}/{round}/", Need::Open),
    ("get", "/live/{event}/{round}/{file}", Need::Open),
    ("get", "/api/openapi.json", Need::Open),
    ("get", "/healthz", Need::Open),
    ("get", "/metrics", Need::Right(Right::Service)),
    ("get", "/ca.crt", Need::Open),
    ("get", "/api/people/me", Need::Open),
    ("post", "/api/people/setup", Need::Open),
    ("post", "/api/people/login", Need::Open),
    ("post", "/api/people/logout", Need::Somebody),
    ("post", "/api/people/password", Need::Somebody),
    ("post", "/api/people/prove", Need::Somebody),
    ("post", "/api/people/pin", Need::Somebody),
    ("post", "/api/people/pair", Need::Open),
    ("post", "/api/people/screen", Need::Open),
    ("post", "/api/people/collect", Need::Open),
    ("get", "/api/people/accounts", Need::Right(Right::People)),
    ("get", "/api/people/arbiters", Need::Right(Right::Findings)),
    ("post", "/api/people/accounts", Need::Proved(Right::People)),
    (
        "post",
        "/api/people/accounts/{id}/reset",
        Need::Proved(Right::People),
    ),
    (
        "post",
        "/api/people/accounts/{id}/tables",
        Need::Right(Right::People),
    ),
    (
        "post",
        "/api/people/accounts/{id}/revoke",
        Need::Proved(Right::People),
    ),
    ("post", "/api/people/data", Need::Proved(Right::People)),
    ("post", "/api/people/erase", Need::Proved(Right::People)),
    ("get", "/api/people/sessions", Need::Right(Right::People)),
    (
        "post",
        "/api/people/sessions/{id}/revoke",
        Need::Right(Right::People),
    ),
    ("post", "/api/people/codes", Need::Proved(Right::People)),
    ("post", "/api/people/screens", Need::Proved(Right::People)),
    ("get", "/api/people/petitions", Need::Right(Right::People)),
    (
        "post",
        "/api/people/petitions/{id}",
        Need::Proved(Right::People),
    ),
];

/// The right that each field of what is shown asks for: of a board, of a half-move, of the list of
/// games, of a hall. What does not stand here is shown to nobody but those who see everything.
pub const FIELDS: &[(&str, &str, Right)] = &[
    ("Board", "id", Right::Boards),
    ("Board", "name", Right::Boards),
    ("Board", "white", Right::Boards),
    ("Board", "black", Right::Boards),
    ("Board", "round", Right::Boards),
    ("Board", "game", Right::Boards),
    ("Board", "laws", Right::Boards),
    ("Board", "class", Right::Boards),
    ("Board", "supervised", Right::Boards),
    ("Board", "fen", Right::Boards),
    ("Board", "start_fen", Right::Boards),
    ("Board", "plies", Right::Boards),
    ("Board", "moves", Right::Boards),
    ("Board", "ply", Right::Boards),
    ("Board", "turn", Right::Boards),
    ("Board", "result", Right::Boards),
    ("Board", "white_ms", Right::Boards),
    ("Board", "black_ms", Right::Boards),
    ("Board", "running", Right::Boards),
    ("Board", "clock_told", Right::Boards),
    ("Board", "clock_stands", Right::Boards),
    ("Board", "clock_at", Right::Boards),
    ("Board", "next", Right::Boards),
    ("Board", "stopped_by", Right::Findings),
    ("Board", "ordered", Right::Findings),
    ("Board", "rests_on_dismissed", Right::Findings),
    ("Board", "connected", Right::Devices),
    ("Board", "serial", Right::Devices),
    ("Board", "analogue", Right::Devices),
    ("Board", "firmware", Right::Devices),
    ("Board", "fault", Right::Devices),
    ("Board", "faults", Right::Devices),
    ("Board", "distrusted", Right::Devices),
    ("Board", "note", Right::Devices),
    ("Board", "sensor", Right::Devices),
    ("Board", "turned", Right::Devices),
    ("Board", "state", Right::Devices),
    ("Board", "asked", Right::Findings),
    ("Board", "unset", Right::Findings),
    ("Board", "open", Right::Findings),
    ("Board", "reading", Right::Devices),
    ("Board", "differs", Right::Devices),
    ("Board", "obligation", Right::Findings),
    ("Board", "findings", Right::Findings),
    ("Board", "offences", Right::Findings),
    ("Board", "doubts", Right::Findings),
    ("Board", "orders", Right::Findings),
    ("Board", "restore", Right::Findings),
    ("Board", "result_text", Right::Findings),
    ("Board", "held_back", Right::Findings),
    ("PlyRecord", "uci", Right::Boards),
    ("PlyRecord", "san", Right::Boards),
    ("PlyRecord", "fen", Right::Boards),
    ("PlyRecord", "at", Right::Boards),
    ("PlyRecord", "completed", Right::Boards),
    ("PlyRecord", "clock_ms", Right::Boards),
    ("PlyRecord", "doubtful", Right::Findings),
    ("Game", "id", Right::Games),
    ("Game", "board", Right::Games),
    ("Game", "event", Right::Games),
    ("Game", "site", Right::Games),
    ("Game", "date", Right::Games),
    ("Game", "round", Right::Games),
    ("Game", "white", Right::Games),
    ("Game", "black", Right::Games),
    ("Game", "started", Right::Games),
    ("Game", "ended", Right::Games),
    ("Game", "result", Right::Games),
    ("Game", "plies", Right::Games),
    ("Game", "annulled", Right::Games),
    ("Game", "further", Right::Event),
    ("Game", "damage", Right::Records),
    ("HallOfHub", "name", Right::Boards),
    ("HallOfHub", "connected", Right::Boards),
    ("HallOfHub", "heard", Right::Devices),
    ("HallOfHub", "version", Right::Devices),
    ("HallOfHub", "rows", Right::Devices),
    ("HallOfHub", "behind", Right::Devices),
    ("HallOfHub", "written", Right::Devices),
    ("HallOfHub", "clock_offset", Right::Devices),
    ("HallOfHub", "fault", Right::Devices),
    ("HallOfHub", "stranger", Right::Devices),
    ("HallOfHub", "event", Right::Devices),
    ("HallOfHub", "orders", Right::Devices),
    ("HallOfHub", "boards", Right::Devices),
    ("HallOfHub", "playing", Right::Devices),
    ("HallOfHub", "open", Right::Findings),
];

/// At which tables a role has a right.
pub fn reach(role: Role, right: Right) -> Reach {
    let row = RIGHTS.iter().find(|(named, ..)| *named == right);
    let column = Role::ALL.iter().position(|one| *one == role);
    row.zip(column)
        .map_or(No, |((.., reach), column)| reach[column])
}

/// What a method of an address asks for; `None` where nothing is known of it.
pub fn need(method: &str, path: &str) -> Option<Need> {
    let is_meant = |rule: &&(&str, &str, Need)| {
        // Who may read may ask how long it is.
        let method = if method == "head" { "get" } else { method };
        (rule.0, rule.1) == (method, path)
    };
    ROUTES.iter().find(is_meant).map(|rule| rule.2)
}

/// The right to see a field.
pub fn field(kind: &str, name: &str) -> Option<Right> {
    let found = FIELDS
        .iter()
        .find(|field| (field.0, field.1) == (kind, name));
    found.map(|field| field.2)
}

/// How much somebody is shown of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sight {
    /// Everything.
    Everything,
    /// Everything but what is found.
    Devices,
    /// What the public may see.
    Public,
}

impl Sight {
    /// How much a role is shown.
    pub fn of(role: Role) -> Sight {
        match (reach(role, Right::Findings), reach(role, Right::Devices)) {
            (Reach::All, _) => Sight::Everything,
            (_, Reach::All) => Sight::Devices,
            _ => Sight::Public,
        }
    }

    fn includes(self, right: Right) -> bool {
        match self {
            Sight::Everything => true,
            Sight::Devices => matches!(
                right,
                Right::Boards | Right::Devices | Right::Games | Right::Event
            ),
            Sight::Public => matches!(right, Right::Boards | Right::Games),
        }
    }
}

/// Takes out of an object what is not for this sight.
pub fn show(kind: &str, sight: Sight, fields: &mut Map<String, Value>) {
    if sight != Sight::Everything {
        fields.retain(|name, _| field(kind, name).is_some_and(|right| sight.includes(right)));
    }
}

/// The same of a board, with the half-moves in it. A result that is only proposed is none yet.
pub fn show_board(sight: Sight, board: &mut Map<String, Value>) {
    show("Board", sight, board);
    if sight == Sight::Everything {
        return;
    }
    if let Some(Value::Array(plies)) = board.get_mut("plies") {
        for ply in plies.iter_mut().filter_map(Value::as_object_mut) {
            show("PlyRecord", sight, ply);
        }
    }
    if let Some(Value::Object(result)) = board.get("result").cloned() {
        match result.get("proposed") {
            Some(Value::Bool(false)) => {
                // Why a game ended may be what somebody was found to have done.
                let told = result.get("result").cloned().unwrap_or_default();
                let told = Map::from_iter([("result".to_owned(), told)]);
                board.insert("result".to_owned(), told.into());
            }
            _ => {
                // So has a game not ended that an offence may have lost: it is played on.
                let is_of_offence = result.get("reason") == Some(&"forfeit-illegal-moves".into());
                if let Some(state) = board.get_mut("state").filter(|_| is_of_offence) {
                    *state = "rest".into();
                }
                board.insert("result".to_owned(), Value::Null);
            }
        }
    }
}

#[cfg(test)]
mod tests;
