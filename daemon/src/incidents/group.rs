//! What waits for somebody, grouped by game and turn. Nothing here reads a clock or a disk.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::case::Case;
use super::mark::{By, Dials, Marks, Ruling, Sent};
use super::steps::{Follows, Step, due, follows, steps};
use crate::hall::FaultText;

/// What kind of thing it is: of several in one incident, the most urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "IncidentKind")]
pub enum Kind {
    /// A Law was broken.
    Irregularity,
    /// A position must be put back, or no move explains the board.
    Restore,
    /// The evidence fits more than one hypothesis.
    Doubt,
    /// A player's claim, with the result it asks for.
    Claim,
    /// A result that somebody must confirm.
    Proposed,
    /// A board was set up anew, and nobody said how the game before ended.
    Missed,
    /// Somebody plays from pieces that did not stand as at the start of his game.
    Unset,
    /// The board or its line misbehaves.
    Fault,
}

/// Where an incident stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "IncidentState")]
pub enum State {
    /// Nobody has looked at it.
    New,
    /// Somebody has.
    Seen,
    /// Somebody is on the way.
    Going,
    /// It waits for a while.
    Later,
    /// A ruling was taken back, and nobody has seen to it since.
    Undone,
    /// It is ruled, and something is left to be done.
    Ruled,
    /// The play settled it before anybody ruled.
    Superseded,
    /// Nothing is left of it.
    Closed,
}

/// A ruling on a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "IncidentRuling")]
pub struct Ruled {
    /// Who, and when.
    pub by: By,
    /// What.
    #[serde(flatten)]
    pub ruling: Ruling,
    /// What follows from taking it back.
    pub follows: Vec<Follows>,
    /// Somebody has said that the clocks were set for it.
    pub clocks_set: bool,
}

/// Something at one table, at one turn, that waits for somebody.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Incident {
    /// Its name: that of the game or the board, and of the turn.
    pub id: String,
    /// What a ruling is decided upon: changes with what is found and what is said of it.
    pub version: String,
    /// The table, where it is one of the event's.
    pub table: Option<u16>,
    /// The round of its game, where that is one of the event's.
    pub round: Option<u16>,
    /// The board.
    pub board: String,
    /// The game; empty where it is about the board alone.
    pub game: String,
    /// White's name; empty when unknown.
    pub white: String,
    /// Black's name; empty when unknown.
    pub black: String,
    /// Whether the pieces of the game stand on the board.
    pub at_hand: bool,
    /// Whether the game has ended.
    pub ended: bool,
    /// Nothing goes on at the board any more that waits for it: the game has its result, or its
    /// pieces stand nowhere.
    pub over: bool,
    /// The half-move it is about.
    pub ply: Option<u32>,
    /// What kind of thing it is.
    pub kind: Kind,
    /// How sure, where a Law was broken: the surest of what is open.
    pub certainty: Option<String>,
    /// What comes first: a smaller number.
    pub urgency: u8,
    /// Where it stands.
    pub state: State,
    /// Nobody may claim it any more.
    pub past: bool,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// What was found at this turn, with what became of it.
    #[schemars(with = "Vec<arbiter_core::view::Finding>")]
    pub findings: Vec<Value>,
    /// What is in doubt.
    #[schemars(with = "Vec<arbiter_core::ruling::Doubt>")]
    pub doubts: Vec<Value>,
    /// The position to be put back.
    pub restore: Option<String>,
    /// A result that waits to be confirmed: `result`, `reason`, `text`.
    pub proposed: Option<Value>,
    /// The game before that has no result: `game`, `ply`, `text`.
    pub missed: Option<Value>,
    /// Somebody plays the game of a pairing from pieces that did not stand as at its start: it is
    /// not followed as that.
    pub unset: bool,
    /// Another board that reads the position of this game, while this one reads that of its game:
    /// the two, or their lines, may have changed places.
    pub swapped: Option<String>,
    /// What is wrong with the board.
    pub fault: Option<String>,
    /// The same one by one, to be said in the reader's language.
    pub faults: Vec<FaultText>,
    /// Who looked at it first.
    pub seen: Option<By>,
    /// Who is on the way.
    pub going: Option<By>,
    /// Who is asked to go, and has not said that he does.
    pub sent: Option<Sent>,
    /// Who let it wait.
    pub later: Option<By>,
    /// Until when at the latest, in milliseconds since 1970.
    pub until: Option<i64>,
    /// It waits for the next half-move of its game, if that comes before.
    pub until_move: bool,
    /// Half-moves of the game at hand.
    #[serde(skip)]
    pub(super) plies: u32,
    /// Who took a ruling back.
    pub undone: Option<By>,
    /// What was ruled.
    pub rulings: Vec<Ruled>,
    /// What is to be done.
    pub steps: Vec<Step>,
    /// What was added to the clocks for a ruling that was taken back, and is to be taken off again.
    pub added: Option<Dials>,
}

impl Incident {
    /// Whether the pieces of its game stand on no board: it is over, or played on later.
    fn is_elsewhere(&self) -> bool {
        !self.at_hand && !self.game.is_empty()
    }

    /// Whether nothing is told of it that is not told of the other.
    pub(super) fn is_told_as(&self, other: &Incident) -> bool {
        // Of the half-moves of its game nobody is told here.
        let plies = other.plies;
        *other
            == Incident {
                plies,
                ..self.clone()
            }
    }
}

/// What belongs to one turn.
#[derive(Clone, Debug, Default)]
struct Group {
    findings: Vec<Value>,
    doubts: Vec<Value>,
    restore: Option<String>,
    disturbed: bool,
    proposed: Option<Value>,
}

/// The name of what is about one turn of a game.
fn named(game: &str, ply: u32) -> String {
    format!("{game}.{ply}")
}

/// Whether it is asked whether the game has ended. That is one question, also once the next game
/// has begun on its board.
pub(super) fn is_of_end(doubt: &Value) -> bool {
    doubt["kind"] == "game-ended"
}

/// The name of what is about how a game ended.
fn of_end(game: &str) -> String {
    format!("{game}.end")
}

/// Every incident of a game or a board, those included in which nothing is left but to be done.
/// `now` in milliseconds since 1970. When each began is not known here: `since` is 0.
pub(super) fn group(case: &Case, marks: &BTreeMap<String, Marks>, now: i64) -> Vec<Incident> {
    let mut turns: BTreeMap<u32, Group> = BTreeMap::new();
    let empty = Marks::default();
    let of = |id: &str| marks.get(id).unwrap_or(&empty);
    for (found, finding) in case.found() {
        let is_ruled = |m: &Marks| {
            let mut rulings = m.rulings.iter();
            m.added.is_some() || rulings.any(|(_, r)| r.finding == found.id)
        };
        if found.is_open() || is_ruled(of(&named(&case.game, found.ply))) {
            let turn = turns.entry(found.ply).or_default();
            turn.findings.push(finding.clone());
        }
    }
    let (of_the_end, of_turns): (Vec<&Value>, Vec<&Value>) =
        case.doubts.iter().partition(|doubt| is_of_end(doubt));
    for doubt in of_turns {
        let ply = doubt["ply"]
            .as_u64()
            .and_then(|ply| u32::try_from(ply).ok());
        let turn = turns.entry(ply.unwrap_or_default()).or_default();
        turn.doubts.push(doubt.clone());
    }
    restore(case, marks, &mut turns);
    let mut incidents = Vec::new();
    let proposed = propose(case, &mut turns);
    for (ply, turn) in turns {
        let id = named(&case.game, ply);
        incidents.extend(incident(case, (id.clone(), Some(ply)), turn, of(&id), now));
    }
    let alone = |id: String| incident(case, (id.clone(), None), Group::default(), of(&id), now);
    if proposed.is_some() || !of_the_end.is_empty() {
        let id = of_end(&case.game);
        let group = Group {
            proposed,
            doubts: of_the_end.into_iter().cloned().collect(),
            ..Group::default()
        };
        incidents.extend(incident(case, (id.clone(), None), group, of(&id), now));
    }
    if let Some(game) = case
        .missed
        .as_ref()
        .and_then(|missed| missed["game"].as_str())
    {
        incidents.extend(alone(of_end(game)));
    }
    if case.unset.is_some() {
        incidents.extend(alone(format!("{}.unset", case.board)));
    }
    if case.fault.is_some() {
        incidents.extend(alone(format!("{}.fault", case.board)));
    }
    incidents
}

/// A position to be put back belongs to the ruling that ordered it, else to the turn at hand.
fn restore(case: &Case, marks: &BTreeMap<String, Marks>, turns: &mut BTreeMap<u32, Group>) {
    let is_of = |ply: &u32| {
        let marks = marks.get(&named(&case.game, *ply));
        let mut rulings = marks.into_iter().flat_map(|marks| &marks.rulings);
        rulings.any(|(_, ruling)| ruling.restore.is_some() && ruling.restore == case.restore)
    };
    let waits = !case.is_ending() && !case.adjourned;
    let ordered = case.restore.as_ref().filter(|_| waits);
    if let Some(fen) = ordered.filter(|_| !turns.keys().any(is_of)) {
        let turn = turns.entry(case.plies as u32 + 1).or_default();
        turn.restore = Some(fen.clone());
    }
    if case.disturbed {
        turns.entry(case.plies as u32 + 1).or_default().disturbed = true;
    }
}

/// A result that a finding brings belongs to its turn. Gives back what belongs to none.
fn propose(case: &Case, turns: &mut BTreeMap<u32, Group>) -> Option<Value> {
    let proposed = case.proposed.clone()?;
    let ends = |finding: &Value| !finding["penalty"]["then"].is_null();
    let brought = turns
        .values_mut()
        .rev()
        .find(|turn| turn.findings.iter().any(ends));
    match brought {
        Some(turn) => {
            turn.proposed = Some(proposed);
            None
        }
        None => Some(proposed),
    }
}

fn incident(
    case: &Case,
    (id, ply): (String, Option<u32>),
    group: Group,
    marks: &Marks,
    now: i64,
) -> Option<Incident> {
    let is_of_board = ply.is_none() && group.proposed.is_none() && group.doubts.is_empty();
    let missed = case
        .missed
        .clone()
        .filter(|_| is_of_board && id.ends_with(".end"));
    let fault = case
        .fault
        .clone()
        .filter(|_| is_of_board && id.ends_with(".fault"));
    let unset = case
        .unset
        .as_ref()
        .filter(|_| is_of_board && id.ends_with(".unset"));
    let faults = fault.as_ref().map(|_| case.faults.clone());
    let ruled = marks.rulings.iter().map(|(by, ruling)| {
        let ruling = due(case, ruling, marks);
        Ruled {
            by: by.clone(),
            follows: follows(case, &ruling, marks),
            clocks_set: marks.set.contains_key(&ruling.finding),
            ruling,
        }
    });
    let game = missed.as_ref().and_then(|missed| missed["game"].as_str());
    let [white, black] = match missed.is_some() {
        true => case.missed_of.clone(),
        false if unset.is_some() => unset.cloned().unwrap_or_default(),
        // Who sat there in the game before does not sit at a board that fails before the next one.
        false if fault.is_some() && case.is_over() => Default::default(),
        false => [case.white.clone(), case.black.clone()],
    };
    let mut incident = Incident {
        version: version(&group, &missed, &fault, marks.turns),
        table: None,
        round: None,
        board: case.board.clone(),
        game: game.unwrap_or(&case.game).to_owned(),
        white,
        black,
        at_hand: case.at_hand,
        ended: case.ended,
        over: !case.game.is_empty() && case.is_over(),
        ply,
        kind: Kind::Irregularity,
        certainty: None,
        urgency: 0,
        state: State::New,
        past: false,
        since: 0,
        restore: group.restore,
        proposed: group.proposed,
        missed,
        unset: unset.is_some(),
        swapped: case.swapped.clone(),
        fault,
        faults: faults.unwrap_or_default(),
        seen: marks.seen.clone(),
        going: marks.going.clone(),
        sent: marks.sent.clone(),
        later: None,
        until: None,
        until_move: false,
        plies: case.plies as u32,
        undone: marks.undone.clone(),
        rulings: ruled.collect(),
        added: marks.added,
        steps: steps(case, ply.unwrap_or_default(), marks),
        findings: group.findings,
        doubts: group.doubts,
        id,
    };
    weigh(&mut incident, group.disturbed);
    stand(&mut incident, marks, group.disturbed, now);
    (incident.state != State::Closed).then_some(incident)
}

/// What a ruling on it is decided upon.
fn version(group: &Group, missed: &Option<Value>, fault: &Option<String>, turns: u32) -> String {
    let findings = group.findings.iter().map(|finding| {
        let word = |name: &str| finding[name].as_str().unwrap_or_default();
        format!("{}:{}:{}", finding["id"], word("status"), word("certainty"))
    });
    let doubts = group.doubts.iter().map(|doubt| {
        let kind = doubt["kind"].as_str().unwrap_or_default();
        format!(
            "{kind}:{}",
            doubt["readings"].as_array().map_or(0, Vec::len)
        )
    });
    let proposed = group.proposed.iter().map(|proposed| {
        let word = |name: &str| proposed[name].as_str().unwrap_or_default();
        format!("{}:{}", word("result"), word("reason"))
    });
    let rest = [
        group.restore.is_some().then(|| "restore".to_owned()),
        missed.is_some().then(|| "missed".to_owned()),
        fault.is_some().then(|| "fault".to_owned()),
        (turns > 0).then(|| format!("turn:{turns}")),
    ];
    let all = findings.chain(doubts).chain(proposed);
    all.chain(rest.into_iter().flatten())
        .collect::<Vec<_>>()
        .join(",")
}

/// The findings that nobody has ruled on.
fn open(incident: &Incident) -> impl Iterator<Item = &Value> {
    incident
        .findings
        .iter()
        .filter(|finding| finding["status"] == "open")
}

/// Whether somebody must do more than what is left after a ruling.
fn is_open(incident: &Incident, disturbed: bool) -> bool {
    open(incident).next().is_some()
        || !incident.doubts.is_empty()
        || incident.restore.is_some()
        || incident.proposed.is_some()
        || incident.missed.is_some()
        || incident.unset
        || incident.fault.is_some()
        || disturbed
}

const CERTAINTIES: [(&str, u8); 3] = [("certain", 0), ("likely", 4), ("possible", 5)];

/// What is most urgent in it.
fn weigh(incident: &mut Incident, disturbed: bool) {
    let surest = CERTAINTIES
        .into_iter()
        .find(|(word, _)| open(incident).any(|finding| finding["certainty"] == *word));
    let reason = incident
        .proposed
        .as_ref()
        .map(|proposed| &proposed["reason"]);
    let is_claim = reason.is_some_and(|r| r == "threefold" || r == "fifty-moves");
    let mut kinds: Vec<(u8, Kind)> = Vec::new();
    kinds.extend(surest.map(|(_, rank)| (rank, Kind::Irregularity)));
    if incident.restore.is_some() || disturbed {
        kinds.push((1, Kind::Restore));
    }
    if !incident.doubts.is_empty() {
        kinds.push((2, Kind::Doubt));
    }
    if incident.proposed.is_some() {
        kinds.push((
            2,
            if is_claim {
                Kind::Claim
            } else {
                Kind::Proposed
            },
        ));
    }
    if incident.missed.is_some() {
        kinds.push((2, Kind::Missed));
    }
    if incident.unset {
        kinds.push((2, Kind::Unset));
    }
    if incident.fault.is_some() {
        kinds.push((3, Kind::Fault));
    }
    let first = kinds.into_iter().min();
    (incident.urgency, incident.kind) = first.unwrap_or((6, Kind::Irregularity));
    incident.certainty = surest.map(|(word, _)| word.to_owned());
    let count = open(incident).count();
    let past = open(incident).filter(|finding| finding["claim"]["open"] == false);
    let all_past = past.count() == count;
    let nothing_else = incident.doubts.is_empty() && incident.restore.is_none() && !disturbed;
    let is_left = incident.steps.iter().any(|step| !step.done);
    incident.past =
        count > 0 && all_past && nothing_else && incident.proposed.is_none() && !is_left;
    if incident.past {
        incident.urgency = 7;
    }
}

/// How strong the evidence is: grows with what is found and with how sure it is.
pub(super) fn strength(incident: &Incident) -> u32 {
    let sure = open(incident).map(|finding| match finding["certainty"].as_str() {
        Some("certain") => 100,
        Some("likely") => 10,
        _ => 1,
    });
    let others = [
        incident.restore.is_some(),
        incident.proposed.is_some(),
        incident.missed.is_some(),
        incident.unset,
        incident.fault.is_some(),
    ];
    let others = others.into_iter().filter(|is_there| *is_there).count() as u32;
    sure.sum::<u32>() + incident.doubts.len() as u32 + others
}

/// Where it stands.
fn stand(incident: &mut Incident, marks: &Marks, disturbed: bool, now: i64) {
    let waits = marks
        .later
        .as_ref()
        .filter(|(_, waits)| now < waits.until && strength(incident) <= waits.strength)
        // In a game that is over nobody moves.
        .filter(|(_, waits)| {
            let is_there = |plies| incident.plies >= plies || incident.over || !incident.at_hand;
            !waits.plies.is_some_and(is_there)
        });
    let is_left = incident.steps.iter().any(|step| !step.done);
    incident.state = match (is_open(incident, disturbed), is_left) {
        (false, false) => State::Closed,
        (false, true) => State::Ruled,
        _ if waits.is_some() => State::Later,
        _ if incident.going.is_some() => State::Going,
        _ if incident.undone.is_some() => State::Undone,
        _ if incident.seen.is_some() => State::Seen,
        _ => State::New,
    };
    if let Some((by, waits)) = waits.filter(|_| incident.state == State::Later) {
        (incident.later, incident.until) = (Some(by.clone()), Some(waits.until));
        incident.until_move = waits.plies.is_some();
    }
}

/// The order in which they are shown: who needs somebody most comes first; then those to which
/// somebody goes, those in which something is left to be done, those of games that are over, those
/// that nobody may claim any more, and those that wait.
pub(super) fn rank(incident: &Incident) -> (u8, u8, i64, String) {
    let place = match incident.state {
        _ if incident.past => 4,
        State::New | State::Seen | State::Undone if incident.over || incident.is_elsewhere() => 3,
        State::New | State::Seen | State::Undone => 0,
        State::Going => 1,
        State::Ruled => 2,
        State::Later => 5,
        State::Superseded | State::Closed => 6,
    };
    (place, incident.urgency, incident.since, incident.id.clone())
}
