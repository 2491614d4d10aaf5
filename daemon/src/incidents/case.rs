//! What a game, or a board, shows of what waits for somebody: one form for games that are at hand
//! and for those that are over.

use std::collections::BTreeMap;

use arbiter_core::view::Phase;
use serde::Deserialize;
use serde_json::{Value, json};

use super::group::is_of_end;
use super::state::Tables;
use crate::hall::{BoardState, FaultText, View, stopped_by};

/// What one game shows now; of a board, what is wrong with it whatever game is on it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Case {
    /// The board.
    pub board: String,
    /// The game; empty where none is meant.
    pub game: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Whether its pieces stand on the board.
    pub at_hand: bool,
    /// Half-moves in the record.
    pub plies: usize,
    /// What was played at the turns of its findings, in UCI.
    pub played: BTreeMap<u32, String>,
    /// Every finding, as the interface tells it.
    pub findings: Vec<Value>,
    /// Every doubt, as the interface tells it.
    pub doubts: Vec<Value>,
    /// The orders that have effect.
    pub orders: Vec<Value>,
    /// The position to be put back.
    pub restore: Option<String>,
    /// It is stopped until that is done.
    pub stopped: bool,
    /// No hypothesis fits what stands on the board.
    pub disturbed: bool,
    /// It has ended.
    pub ended: bool,
    /// Its position ends it by itself, once nothing that was found keeps that from counting: no
    /// clock is set meanwhile.
    pub held_back: bool,
    /// It is played on later: nothing is done at a board for it until then.
    pub adjourned: bool,
    /// A result that a human must confirm, with its sentence.
    pub proposed: Option<Value>,
    /// The game before, of which it is not known whether it has ended.
    pub missed: Option<Value>,
    /// White and Black of that: others may sit at the board by now.
    pub missed_of: [String; 2],
    /// Who plays the game of a pairing from pieces that did not stand as at its start.
    pub unset: Option<[String; 2]>,
    /// What is wrong with the board or its line.
    pub fault: Option<String>,
    /// Another board that may have changed places with this one.
    pub swapped: Option<String>,
    /// What is wrong one by one.
    pub faults: Vec<FaultText>,
    /// Remaining times, White's and Black's, in milliseconds: as they were told last, less what has
    /// passed since on the one that runs.
    pub clocks: [Option<u64>; 2],
    /// By how much White's and Black's clock were set otherwise since then, in milliseconds: time
    /// that both were given, and penalties of time. Whoever gave it has set the clocks.
    pub given: [i64; 2],
    /// Who has the move.
    pub turn: String,
}

/// What is looked at of a finding.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Found {
    pub(super) id: u32,
    pub(super) at: u64,
    pub(super) ply: u32,
    pub(super) by: String,
    pub(super) code: String,
    pub(super) certainty: String,
    pub(super) status: String,
    pub(super) required: Option<Vec<String>>,
    /// The position before its ply, where the play in which it was found was taken back.
    #[serde(default)]
    pub(super) undone: Option<String>,
    pub(super) penalty: Option<Penalty>,
    pub(super) evidence: Vec<Value>,
}

/// What the Laws propose.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Penalty {
    pub(super) opponent_ms: u64,
    pub(super) then: Option<String>,
}

impl Found {
    pub(super) fn of(finding: &Value) -> Option<Found> {
        serde_json::from_value(finding.clone()).ok()
    }

    pub(super) fn is_open(&self) -> bool {
        self.status == "open"
    }
}

impl Case {
    /// What is wrong with a board, whatever game is on it.
    pub fn of_board(board: &BoardState) -> Case {
        let asked = board.asked.as_ref();
        let missed = asked.and_then(|asked| serde_json::to_value(asked).ok());
        Case {
            board: board.id.clone(),
            white: board.white.clone(),
            black: board.black.clone(),
            at_hand: true,
            fault: board.fault.clone(),
            faults: board.faults.clone(),
            missed,
            missed_of: asked.map_or_else(Default::default, |asked| asked.players.clone()),
            unset: board
                .unset
                .as_ref()
                .map(|unset| [unset.white.clone(), unset.black.clone()]),
            ..Case::default()
        }
    }

    /// The game at hand on a board, where one is followed; `now` in milliseconds since 1970.
    pub fn of_game(board: &BoardState, given: [i64; 2], now: i64) -> Option<Case> {
        let view: &View = board.view()?;
        let list = |values: Value| match values {
            Value::Array(values) => values,
            _ => Vec::new(),
        };
        let proposed = view.result.filter(|result| result.proposed);
        let proposed = proposed.map(|result| {
            json!({"result": result.result, "reason": result.reason, "text": view.result_text})
        });
        let set_up = to_be_set_up(view);
        Some(Case {
            stopped: set_up.is_some(),
            board: board.id.clone(),
            game: view.game.clone(),
            white: board.white.clone(),
            black: board.black.clone(),
            at_hand: true,
            plies: view.plies.len(),
            played: view
                .findings
                .iter()
                .filter_map(|finding| {
                    let ply = finding.irregularity.ply;
                    let played = view.plies.get(usize::try_from(ply).ok()?.checked_sub(1)?)?;
                    Some((ply, played.uci.to_string()))
                })
                .collect(),
            findings: list(serde_json::to_value(&view.findings[..]).unwrap_or_default()),
            doubts: match view.is_annulled() {
                true => Vec::new(),
                false => list(serde_json::to_value(&view.doubts).unwrap_or_default()),
            },
            orders: list(serde_json::to_value(&view.orders).unwrap_or_default()),
            restore: view.restore.clone().or(set_up),
            disturbed: view.state == Phase::Disturbed,
            ended: view.state == Phase::Ended,
            held_back: view.held_back.is_some(),
            adjourned: false,
            proposed,
            missed: None,
            missed_of: Default::default(),
            unset: None,
            swapped: None,
            fault: None,
            faults: Vec::new(),
            clocks: clocks_now(board, view, now),
            given,
            turn: if view.turn.is_white() {
                "white"
            } else {
                "black"
            }
            .to_owned(),
        })
    }

    /// A game as it was told when it ended. Nothing of it stands on a board.
    pub fn of_past(game: &str, board: &str, names: [String; 2], view: &Value) -> Case {
        let list = |name: &str| view[name].as_array().cloned().unwrap_or_default();
        let is_proposed = view["result"]["proposed"] == true;
        let proposed = is_proposed.then(|| {
            json!({
                "result": view["result"]["result"],
                "reason": view["result"]["reason"],
                "text": view["result_text"],
            })
        });
        let [white, black] = names;
        Case {
            board: board.to_owned(),
            game: game.to_owned(),
            white,
            black,
            plies: list("plies").len(),
            played: BTreeMap::new(),
            findings: list("findings"),
            // Of one that was annulled nobody needs to know more.
            doubts: match view["result"]["reason"] == "annulled" {
                true => Vec::new(),
                false => list("doubts"),
            },
            orders: list("orders"),
            ended: true,
            proposed,
            clocks: [view["white_ms"].as_u64(), view["black_ms"].as_u64()],
            turn: view["turn"].as_str().unwrap_or_default().to_owned(),
            ..Case::default()
        }
    }

    /// The same without what the event has answered; `None` where that is nothing.
    pub(super) fn answered(&self, tables: &impl Tables) -> Option<Case> {
        let is_answered = |doubt: &Value| {
            // Nobody need look at the board of a game that is over.
            let is_of_board = doubt["kind"] == "check-square";
            is_of_end(doubt) && tables.has_answer(&self.game)
                || is_of_board && tables.has_result(&self.game)
        };
        let asks = self.doubts.iter().any(is_answered);
        let waits = self.proposed.is_some() && tables.has_result(&self.game);
        // One that is postponed waits for nobody, and is not over.
        let adjourned = !self.game.is_empty() && tables.is_postponed(&self.game);
        let stands = self.stopped && !adjourned && tables.has_answer(&self.game);
        // Nothing is put back for one that has its result, whatever its board has seen.
        let is_open = !self.ended && !self.findings.is_empty();
        let asks_more = is_open || self.restore.is_some() || self.disturbed;
        let is_over = asks_more && tables.has_result(&self.game);
        (asks || waits || stands || adjourned || is_over).then(|| {
            let mut case = self.clone();
            case.adjourned = adjourned;
            case.ended &= !adjourned;
            case.disturbed &= !adjourned;
            if stands || is_over {
                (case.restore, case.disturbed) = (None, false);
            }
            case.ended |= is_over;
            case.doubts.retain(|doubt| !is_answered(doubt));
            case.proposed = case.proposed.filter(|_| !waits);
            case
        })
    }

    /// The findings in a form to be looked at.
    pub(super) fn found(&self) -> impl Iterator<Item = (Found, &Value)> {
        let both = |finding| Found::of(finding).map(|found| (found, finding));
        self.findings.iter().filter_map(both)
    }

    /// Nothing goes on at the board any more. A result that is only proposed ends nothing.
    pub(super) fn is_over(&self) -> bool {
        let is_over = !self.at_hand || (self.ended && self.proposed.is_none());
        is_over && !self.adjourned
    }

    /// An offence that ends the game has brought a result, which waits for somebody: until then
    /// nobody is asked to put anything back for it.
    pub(super) fn is_ending(&self) -> bool {
        self.is_ended_by(|status| matches!(status, "open" | "upheld"))
    }

    /// The same where the offence is upheld: no clock is set any more either.
    pub(super) fn is_lost(&self) -> bool {
        self.is_ended_by(|status| status == "upheld")
    }

    fn is_ended_by(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let ends = |found: &Found| found.penalty.as_ref().is_some_and(|p| p.then.is_some());
        let mut found = self.found().map(|(found, _)| found);
        self.proposed.is_some() && found.any(|found| is_meant(&found.status) && ends(&found))
    }
}

/// What both clocks show, as far as they were told: nobody hears of the one that runs before it is
/// pressed again.
fn clocks_now(board: &BoardState, view: &View, now: i64) -> [Option<u64>; 2] {
    let until = board.clock_stands.unwrap_or(now);
    let passed = board
        .clock_told
        .map_or(0, |told| until.saturating_sub(told));
    let passed = u64::try_from(passed).unwrap_or(0);
    let shows = |of: char, told: Option<u64>| match view.running == Some(of) {
        true => told.map(|told| told.saturating_sub(passed)),
        false => told,
    };
    [shows('w', view.white_ms), shows('b', view.black_ms)]
}

/// The position that is to be set up, and from which an arbiter lets the game go on then: of one
/// that came to another board, or is resumed. Who has stopped the game himself knows that.
fn to_be_set_up(view: &View) -> Option<String> {
    let by_order = stopped_by(view).is_some();
    (view.state == Phase::Paused && !by_order).then(|| view.fen.clone())
}
