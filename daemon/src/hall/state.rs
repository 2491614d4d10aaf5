//! What the console knows of one board, as JSON.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::ResultReason;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::view::{Finding, FindingStatus, Phase, PlyRecord, ResultView};
use arbiter_core::{Arbiter, Event, Input, SensorClass, Setup, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::dismissed::{of_view, rests_on_dismissed};
use super::fault::FaultText;
use super::running::Running;

/// A game as consoles are shown it. Views that follow each other share what did not change.
pub type View = arbiter_core::view::View<Arc<[Arc<PlyRecord>]>, Arc<[Finding]>>;

/// What consoles are shown of the arbiter's game. What is as in `before`, an earlier view of the
/// same game, is taken from there.
pub fn view(arbiter: &Arbiter, before: Option<&View>) -> Option<View> {
    let (plies, findings) = before.map_or_else(Default::default, |view| {
        (view.plies.clone(), view.findings.clone())
    });
    arbiter.view_with(
        |now| match now.known(&plies) {
            all if all == now.count() && all == plies.len() => plies,
            known => {
                let same = plies[..known].iter().cloned();
                same.chain(now.after(known).map(Arc::new)).collect()
            }
        },
        |now| match *now == *findings {
            true => findings,
            false => now.into(),
        },
    )
}

/// Everything the console shows of one board.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Board", transform = super::described::with_id)]
pub struct BoardState {
    /// The board's id in the configuration. Empty, and not written, where the message names its
    /// board.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The name people use.
    pub name: String,
    /// White's name; empty when unknown.
    pub white: String,
    /// Black's name; empty when unknown.
    pub black: String,
    /// The round; empty when unknown.
    pub round: String,
    /// Whether the board is on the line and answers.
    pub connected: bool,
    /// The board's serial number, once it has told it.
    pub serial: Option<String>,
    /// What the board's firmware calls itself, if it says that: name, version, what it was built
    /// of.
    pub firmware: Option<String>,
    /// Whether its sensors are analogue, so that it can be calibrated.
    pub analogue: bool,
    /// What is wrong with the board or its line, in words.
    pub fault: Option<String>,
    /// The same one by one, to be said in the reader's language.
    pub faults: Vec<FaultText>,
    /// Squares whose sensors the board itself does not trust, as the game calls them.
    pub distrusted: Vec<String>,
    /// What was last learned of the board by itself, in words.
    pub note: Option<String>,
    /// Somebody plays though the game of the pairing that waits here has not begun.
    #[serde(skip)]
    pub unawaited: bool,
    /// He does so only since the round was started: no pieces stood as at the beginning of that
    /// game.
    pub unset: Option<Unset>,
    /// Who is to play here next: the pairing of the round under way that waits for its game, while
    /// another game stands here.
    pub next: Option<Next>,
    /// The game before, while it is not known whether it has ended; the next one is played
    /// meanwhile.
    pub asked: Option<Asked>,
    /// The record as a list of moves.
    #[schemars(with = "Vec<String>")]
    pub moves: Vec<UciMove>,
    /// Half-moves in the record.
    pub ply: usize,
    /// Findings that wait for the arbiter.
    pub open: usize,
    /// When the clock that runs began to, in milliseconds since 1970, as if it had never stood: a
    /// console counts on from there.
    pub clock_told: Option<i64>,
    /// Since when the clocks stand, in milliseconds since 1970: the board says so, or the game is
    /// paused or has ended. `null` while one runs, or is not known to stand.
    pub clock_stands: Option<i64>,
    /// When it was last told what the clocks show, in milliseconds since 1970: what was added to
    /// them since is not in that.
    pub clock_at: Option<i64>,
    /// How many orders and words of players were given in the game, those included that were taken
    /// back.
    pub ordered: usize,
    /// The order by which the game is stopped, by its name; `null` where it is not stopped, or not
    /// by an order.
    pub stopped_by: Option<String>,
    /// Where a loss that an arbiter has declared may rest on findings that were dismissed since:
    /// the findings that were ruled a loss while those stood; `null` elsewhere.
    pub rests_on_dismissed: Option<Vec<u64>>,
    /// The game, or the empty place of one.
    #[serde(flatten)]
    pub table: Table,
}

/// Whether it is nobody's ruling: what a board has shown stays the reason beside it.
fn is_said_only(reason: ResultReason) -> bool {
    matches!(reason, ResultReason::Entered | ResultReason::Confirmed)
}

/// The order by which a game is stopped.
pub(crate) fn stopped_by(view: &View) -> Option<&Input> {
    let orders = view.orders.iter().rev().map(|given| &given.input);
    let mut stops = orders.filter(|input| {
        let action = input.plain();
        matches!(
            action,
            Input::Arbiter(ArbiterAction::Pause | ArbiterAction::Resume)
        )
    });
    let last = stops.next().filter(|_| view.state == Phase::Paused);
    last.filter(|input| *input.plain() == Input::Arbiter(ArbiterAction::Pause))
}

/// A game of which it is asked whether it has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Asked {
    /// Its name: a result, or that it goes on, is ordered with it.
    pub game: Arc<str>,
    /// Half-moves in its record.
    pub ply: usize,
    /// One sentence for the arbiter.
    pub text: String,
    /// Who played it, White first: others may sit at its board by now. Incidents tell it.
    #[serde(skip)]
    pub players: [String; 2],
}

/// A pairing that waits for its game on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "NextOnBoard")]
pub struct Next {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Round and table: `3.12`.
    pub round: String,
    /// From where it starts, as FEN; `null`: from the usual position.
    pub start: Option<String>,
}

/// Play in the game of a pairing from pieces that did not stand as at its start: it is not followed
/// as that before the arbiter says with what it begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "UnsetOnBoard")]
pub struct Unset {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Round and table: `3.12`.
    pub round: String,
    /// What stood there when play began, as FEN: with the order `new-game`, this `fen` and
    /// `played` what was played since is read. `null` where nobody can tell.
    pub stood: Option<String>,
}

/// What is on the table.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Table {
    /// A game.
    Game(Arc<View>),
    /// What changed of a game.
    Changed(Box<Changed>),
    /// A game that is over, as an earlier version of the program told it.
    Told(Told),
    /// No game was set up yet.
    Vacant(Vacant),
    /// Nothing is said of it.
    Untold(Untold),
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        match (self, other) {
            (Table::Game(one), Table::Game(other)) => Arc::ptr_eq(one, other) || one == other,
            (Table::Told(one), Table::Told(other)) => one == other,
            (Table::Vacant(one), Table::Vacant(other)) => one == other,
            _ => false,
        }
    }
}

/// A game whose plies and findings are written only where they changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Changed {
    #[serde(flatten)]
    view: arbiter_core::view::View<(), ()>,
    /// Left out when they are as before.
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Arc<[Finding]>>,
    /// How many plies are as they were.
    plies_from: usize,
    /// The plies after those.
    plies: Vec<Arc<PlyRecord>>,
}

/// Says nothing.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Untold {}

/// What was said of a game that is over. What has come to be said of games since is said as of an
/// empty place.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct Told(Arc<Map<String, Value>>);

impl Told {
    /// What was said, as JSON; `None` where that is none.
    pub fn new(view: &str) -> Option<Told> {
        let mut fields = VACANT.clone();
        let view: Map<String, Value> = serde_json::from_str(view).ok()?;
        fields.extend(view);
        Some(Told(Arc::new(fields)))
    }

    /// Whether this version of the program says the same of the record and of what was found.
    pub fn is_said_of(&self, view: &View) -> bool {
        let Ok(Value::Object(now)) = serde_json::to_value(view) else {
            return false;
        };
        SAID.iter().all(|name| self.0.get(*name) == now.get(*name))
    }

    /// The game's name.
    pub(crate) fn game(&self) -> Option<&str> {
        self.0.get("game").and_then(Value::as_str)
    }

    /// The same with a result that a person has said since, unless it has ended with that.
    pub(crate) fn with_result(&self, said: Option<ResultView>) -> Told {
        let known = self.0.get("result");
        let known = known.map(|known| (&known["result"], known["proposed"] == true));
        let of = said.map_or(Value::Null, |said| said.result.as_str().into());
        if known == Some((&of, false)) {
            return self.clone();
        }
        let was_shown = known.is_some_and(|(known, _)| *known == of);
        let entered = said.filter(|said| is_said_only(said.reason));
        let result = match (self.0.get("result"), entered) {
            // What its board has shown stays the reason.
            (Some(known), Some(_)) if was_shown => {
                let mut known = known.clone();
                known["proposed"] = false.into();
                known
            }
            _ => serde_json::to_value(said).unwrap_or_default(),
        };
        let mut fields = Map::clone(&self.0);
        let result = [("result", result), ("result_text", Value::Null)];
        fields.extend(result.map(|(name, value)| (name.to_owned(), value)));
        Told(Arc::new(fields))
    }

    fn list(&self, name: &str) -> &[Value] {
        let list = self.0.get(name).and_then(Value::as_array);
        list.map_or(&[], Vec::as_slice)
    }
}

/// What is said of a game, other than where its pieces are by now.
const SAID: [&str; 7] = [
    "plies",
    "findings",
    "doubts",
    "orders",
    "fen",
    "result",
    "result_text",
];

/// The place of a game where there is none.
#[derive(Clone, PartialEq, Debug)]
pub struct Vacant {
    /// What the board's sensors are said to tell.
    sensor: Option<SensorClass>,
}

/// What nobody knows of a board before its first game: `null` there.
const UNKNOWN: [&str; 6] = [
    "laws",
    "class",
    "supervised",
    "offences",
    "sensor",
    "reading",
];

/// A game that was just set up, less what nobody knows before.
static VACANT: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let mut arbiter = Arbiter::new();
    let setup = Setup::new(SensorClass::Occupancy);
    let input = Input::Setup(setup.into());
    let at = Time::ZERO;
    arbiter.handle(&Event { at, input }, &mut Vec::new());
    let view = serde_json::to_value(arbiter.view());
    let Ok(Value::Object(mut fields)) = view else {
        return Map::new();
    };
    fields.insert("state".to_owned(), "waiting".into());
    fields.extend(UNKNOWN.map(|name| (name.to_owned(), Value::Null)));
    fields
});

impl Serialize for Vacant {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let sensor = serde_json::to_value(self.sensor).map_err(serde::ser::Error::custom)?;
        let mut fields = VACANT.clone();
        fields.insert("sensor".to_owned(), sensor);
        fields.serialize(to)
    }
}

impl JsonSchema for Table {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Table".into()
    }

    /// A game, in which what nobody knows before the first one may be `null`.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = View::json_schema(generator);
        for name in UNKNOWN {
            if let Some(Value::Object(field)) = schema.pointer_mut(&format!("/properties/{name}")) {
                let about = field.remove("description");
                let known = json_schema!({ "anyOf": [field, { "type": "null" }] });
                *field = known.as_object().cloned().unwrap_or_default();
                field.extend(about.map(|about| ("description".to_owned(), about)));
            }
        }
        schema
    }
}

impl BoardState {
    /// A board nothing is known of yet but its id and the sensors it is said to have.
    pub fn new(id: &str, sensor: Option<SensorClass>) -> BoardState {
        BoardState {
            id: id.to_owned(),
            name: id.to_owned(),
            white: String::new(),
            black: String::new(),
            round: String::new(),
            connected: false,
            serial: None,
            firmware: None,
            analogue: false,
            fault: None,
            faults: Vec::new(),
            distrusted: Vec::new(),
            note: None,
            unawaited: false,
            unset: None,
            next: None,
            asked: None,
            moves: Vec::new(),
            ply: 0,
            open: 0,
            clock_told: None,
            clock_stands: None,
            clock_at: None,
            ordered: 0,
            stopped_by: None,
            rests_on_dismissed: None,
            table: Table::Vacant(Vacant { sensor }),
        }
    }

    /// Puts the arbiter's view of the game on the table, whose clock runs so.
    pub(crate) fn show(&mut self, view: Arc<View>, running: Running) {
        let known = running.known();
        self.run(&running);
        self.moves = view.plies.iter().map(|ply| ply.uci).collect();
        self.ply = view.plies.len();
        let is_open = |finding: &&Finding| finding.status == FindingStatus::Open;
        self.open = view.findings.iter().filter(is_open).count();
        let stopped = stopped_by(&view).and_then(Input::order);
        self.stopped_by = stopped.map(str::to_owned);
        self.rests_on_dismissed = of_view(&view, &known);
        self.table = Table::Game(view);
    }

    fn run(&mut self, running: &Running) {
        (self.clock_told, self.clock_stands) = (running.told(), running.stands());
        (self.clock_at, self.ordered) = (running.pressed(), running.ordered());
    }

    /// Puts a game that is over on the table, as it was told then.
    pub(crate) fn recall(&mut self, told: &Told, running: Running) {
        let known = running.known();
        self.run(&running);
        let uci = |ply: &Value| ply["uci"].as_str()?.parse().ok();
        self.moves = told.list("plies").iter().filter_map(uci).collect();
        self.ply = self.moves.len();
        let is_open = |finding: &&Value| finding["status"] == "open";
        self.open = told.list("findings").iter().filter(is_open).count();
        self.rests_on_dismissed = rests_on_dismissed(&told.0, None, &known);
        self.table = Table::Told(told.clone());
    }

    /// Whether a game is at hand here, or is the one of which it is asked whether it has ended.
    pub fn has(&self, game: &str) -> bool {
        let asked = self.asked.as_ref().map(|asked| &*asked.game);
        self.game() == Some(game) || asked == Some(game)
    }

    /// The game at hand.
    pub fn game(&self) -> Option<&str> {
        match &self.table {
            Table::Told(told) => told.game(),
            _ => self.view().map(|view| view.game.as_str()),
        }
    }

    /// The game on the table, where it is followed.
    pub fn view(&self) -> Option<&View> {
        match &self.table {
            Table::Game(view) => Some(view),
            Table::Told(_) | Table::Changed(_) | Table::Vacant(_) | Table::Untold(_) => None,
        }
    }

    /// The last half-move of the record, as it is told.
    pub(crate) fn last_ply(&self) -> Option<Value> {
        match &self.table {
            Table::Told(told) => told.list("plies").last().cloned(),
            _ => serde_json::to_value(self.view()?.plies.last()?).ok(),
        }
    }

    /// What a listener that knows `before` must be told: the plies and the findings only where they
    /// changed.
    pub(crate) fn update(&self, before: &BoardState) -> BoardState {
        let table = match &self.table {
            Table::Game(view) => Table::Changed(Box::new(Changed::since(before.view(), view))),
            Table::Told(_) if self.table != before.table => self.table.clone(),
            _ => Table::Untold(Untold {}),
        };
        BoardState {
            id: String::new(),
            table,
            ..self.clone()
        }
    }
}

impl Changed {
    fn since(before: Option<&View>, now: &View) -> Changed {
        let (plies, findings) = before.map_or((&[][..], &[][..]), |view| {
            (&view.plies[..], &view.findings[..])
        });
        let both = plies.iter().zip(&now.plies[..]);
        let plies_from = both.take_while(|(old, new)| old == new).count();
        Changed {
            view: now.head(),
            findings: Some(now.findings.clone()).filter(|now| now[..] != *findings),
            plies_from,
            plies: now.plies[plies_from..].to_vec(),
        }
    }
}

#[cfg(test)]
mod tests;
