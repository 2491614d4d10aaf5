//! What the console knows of one board, as JSON.

use arbiter_core::SensorClass;
use arbiter_core::input::{Edition, TimeClass};
use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::view::{Finding, FindingStatus, Offences, Phase, PlyRecord, View};
use serde::Serialize;

/// The initial position.
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Everything the console shows of one board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardState {
    /// The board's id in the configuration.
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
    /// What is wrong with the board or its line, in words.
    pub fault: Option<String>,
    /// Squares whose sensors the board itself does not trust, as the game calls them.
    pub distrusted: Vec<String>,
    /// What was last learned of the board by itself, in words.
    pub note: Option<String>,
    /// The record as a list of moves.
    pub moves: Vec<UciMove>,
    /// Half-moves in the record.
    pub ply: usize,
    /// Findings that wait for the arbiter.
    pub open: usize,
    /// When the clocks last told something new, in milliseconds since 1970: a console counts on
    /// from there.
    pub clock_told: Option<i64>,
    /// The game, or the empty place of one.
    #[serde(flatten)]
    pub table: Table,
}

/// What is on the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Table {
    /// A game.
    Game(Box<View>),
    /// No game was set up yet.
    Vacant(Vacant),
}

/// The fields of a game where there is none.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Vacant {
    game: &'static str,
    laws: Option<Edition>,
    class: Option<TimeClass>,
    supervised: Option<bool>,
    offences: Option<Offences>,
    state: Phase,
    fen: &'static str,
    start_fen: &'static str,
    turn: &'static str,
    sensor: Option<SensorClass>,
    turned: Orientation,
    reading: Option<String>,
    plies: [(); 0],
    differs: [(); 0],
    obligation: Option<()>,
    findings: [(); 0],
    doubts: [(); 0],
    restore: Option<String>,
    result: Option<()>,
    result_text: Option<()>,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    running: Option<char>,
}

impl BoardState {
    /// A board nothing is known of yet but its id and the sensors it is said to have.
    pub fn new(id: &str, sensor: Option<SensorClass>) -> BoardState {
        let vacant = Vacant {
            game: "",
            laws: None,
            class: None,
            supervised: None,
            offences: None,
            state: Phase::Waiting,
            fen: INITIAL,
            start_fen: INITIAL,
            turn: "white",
            sensor,
            turned: Orientation::default(),
            reading: None,
            plies: [],
            differs: [],
            obligation: None,
            findings: [],
            doubts: [],
            restore: None,
            result: None,
            result_text: None,
            white_ms: None,
            black_ms: None,
            running: None,
        };
        BoardState {
            id: id.to_owned(),
            name: id.to_owned(),
            white: String::new(),
            black: String::new(),
            round: String::new(),
            connected: false,
            serial: None,
            fault: None,
            distrusted: Vec::new(),
            note: None,
            moves: Vec::new(),
            ply: 0,
            open: 0,
            clock_told: None,
            table: Table::Vacant(vacant),
        }
    }

    /// Puts the arbiter's view of the game on the table.
    pub fn show(&mut self, view: View) {
        if self.view().map(clocks) != Some(clocks(&view)) {
            self.clock_told = Some(jiff::Timestamp::now().as_millisecond());
        }
        self.moves = view.plies.iter().map(|ply| ply.uci).collect();
        self.ply = view.plies.len();
        self.open = view
            .findings
            .iter()
            .filter(|finding| finding.status == FindingStatus::Open)
            .count();
        self.table = Table::Game(Box::new(view));
    }

    /// The game on the table.
    pub fn view(&self) -> Option<&View> {
        match &self.table {
            Table::Game(view) => Some(view),
            Table::Vacant(_) => None,
        }
    }

    /// What a listener that knows `before` must be told: the plies and the findings only where they
    /// changed.
    pub(super) fn update<'a>(&'a self, before: &BoardState) -> Update<'a> {
        let view = self.view();
        let known = before
            .view()
            .map(|view| view.findings.as_slice())
            .unwrap_or_default();
        let plies = before
            .view()
            .map(|view| view.plies.as_slice())
            .unwrap_or_default();
        let game = view.map(|view| GameUpdate {
            game: &view.game,
            state: view.state,
            fen: &view.fen,
            view: Changing {
                laws: view.laws,
                class: view.class,
                supervised: view.supervised,
                offences: view.offences,
                turn: view.turn.fold_wb("white", "black"),
                sensor: view.sensor,
                turned: view.turned,
                reading: view.reading.to_string(),
                differs: view
                    .differs
                    .iter()
                    .map(|square| square.to_string())
                    .collect(),
                obligation: view.obligation.as_ref(),
                doubts: &view.doubts,
                restore: view.restore.as_deref(),
                result: view.result,
                result_text: view.result_text.as_deref(),
                white_ms: view.white_ms,
                black_ms: view.black_ms,
                running: view.running,
            },
            findings: Some(view.findings.as_slice()).filter(|now| *now != known),
            plies: NewPlies::since(plies, &view.plies),
        });
        Update {
            update: "board",
            name: &self.name,
            white: &self.white,
            black: &self.black,
            round: &self.round,
            connected: self.connected,
            serial: self.serial.as_deref(),
            fault: self.fault.as_deref(),
            distrusted: &self.distrusted,
            note: self.note.as_deref(),
            moves: &self.moves,
            ply: self.ply,
            open: self.open,
            clock_told: self.clock_told,
            game,
        }
    }
}

/// A board in the live feed. Fields are those of [`BoardState`].
#[derive(Serialize)]
pub(super) struct Update<'a> {
    update: &'static str,
    name: &'a str,
    white: &'a str,
    black: &'a str,
    round: &'a str,
    connected: bool,
    serial: Option<&'a str>,
    fault: Option<&'a str>,
    distrusted: &'a [String],
    note: Option<&'a str>,
    moves: &'a [UciMove],
    ply: usize,
    open: usize,
    clock_told: Option<i64>,
    #[serde(flatten)]
    game: Option<GameUpdate<'a>>,
}

#[derive(Serialize)]
struct GameUpdate<'a> {
    game: &'a str,
    state: Phase,
    fen: &'a str,
    #[serde(flatten)]
    view: Changing<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<&'a [Finding]>,
    #[serde(flatten)]
    plies: NewPlies<'a>,
}

/// The record from the first ply that changed; the `plies_from` plies before it are as they were.
#[derive(Serialize)]
struct NewPlies<'a> {
    plies_from: usize,
    plies: &'a [PlyRecord],
}

impl<'a> NewPlies<'a> {
    fn since(before: &[PlyRecord], now: &'a [PlyRecord]) -> NewPlies<'a> {
        let plies_from = before
            .iter()
            .zip(now)
            .take_while(|(old, new)| old == new)
            .count();
        NewPlies {
            plies_from,
            plies: &now[plies_from..],
        }
    }
}

/// What the clocks tell.
fn clocks(view: &View) -> (Option<u64>, Option<u64>, Option<char>) {
    (view.white_ms, view.black_ms, view.running)
}

#[derive(Serialize)]
struct Changing<'a> {
    laws: Edition,
    class: TimeClass,
    supervised: bool,
    offences: Offences,
    turn: &'static str,
    sensor: SensorClass,
    turned: Orientation,
    reading: String,
    differs: Vec<String>,
    obligation: Option<&'a arbiter_core::view::ObligationView>,
    doubts: &'a [arbiter_core::ruling::Doubt],
    restore: Option<&'a str>,
    result: Option<arbiter_core::view::ResultView>,
    result_text: Option<&'a str>,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    running: Option<char>,
}
