//! Everything that is known of incidents: what games show, what people said, and what was told.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jiff::Timestamp;

use super::case::Case;
use super::faults::{BoardFault, Faults, Place};
use super::group::{Incident, State, group, rank};
use super::mark::{By, Mark, Marks, Ruling, StepKind};
use super::noticed::{Noticed, noticed};
use crate::store::{Area, Deeds};

/// How long what the play has settled is still shown, in milliseconds.
const SETTLED: i64 = 60_000;

/// What is to be told.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Changed {
    /// An incident is new, or another: then as it was told before.
    Is(Box<Incident>, Option<Box<Incident>>),
    /// It is not any more.
    Gone(String),
}

/// The tables of games and of boards.
pub(super) trait Tables {
    /// The table of a game, or else of a board.
    fn table(&self, game: &str, board: &str) -> Option<u16>;

    /// The round of a game, be it annulled there.
    fn round(&self, game: &str) -> Option<u16>;

    /// Whether the event says that a game has ended, or is played on later.
    fn has_answer(&self, game: &str) -> bool;

    /// Whether a game has its result.
    fn has_result(&self, game: &str) -> bool;

    /// Whether a game is played on later.
    fn is_postponed(&self, game: &str) -> bool;
}

#[derive(Debug, Default)]
pub(super) struct Kept {
    /// By game; of boards, by `board:` and the id.
    cases: BTreeMap<String, Case>,
    /// What each case comes to, as it was worked out last; those that come to nothing are left out.
    groups: BTreeMap<String, Vec<Incident>>,
    /// The cases that have changed since: with a thousand boards, only these are looked at.
    dirty: BTreeSet<String>,
    /// The game that was at hand last, by board.
    on_board: HashMap<String, String>,
    marks: BTreeMap<String, Marks>,
    /// The incidents of which something was said since they were worked out last.
    said: BTreeSet<String>,
    since: HashMap<String, i64>,
    /// As it was told last.
    shown: BTreeMap<String, Incident>,
    /// Settled by the play, until when they are shown.
    superseded: BTreeMap<String, i64>,
    /// Who takes which order back.
    hints: HashMap<(String, String), String>,
    /// Rulings that were given while the program ran, with the incident before the name.
    given: HashSet<String>,
    faults: Faults,
}

impl Kept {
    /// What was said, as far as the store knows.
    pub(super) fn read(deeds: &Deeds) -> Kept {
        let mut kept = Kept::default();
        kept.say_again(deeds);
        kept
    }

    /// Takes what was said for what the store says now.
    pub(super) fn say_again(&mut self, deeds: &Deeds) {
        self.marks.clear();
        self.faults.clear();
        for (number, deed) in deeds.of(Area::Incidents) {
            match serde_json::from_str::<Mark>(&deed.what) {
                Ok(mark) => {
                    let at = deed
                        .utc
                        .parse::<Timestamp>()
                        .map_or(0, Timestamp::as_millisecond);
                    let who = deed.author.who.clone();
                    self.apply(&mark, By { who, at });
                }
                Err(error) => {
                    tracing::error!(number, %error, "an act about incidents is passed over");
                }
            }
        }
        // What it is about is not known yet.
        self.said.clear();
    }

    /// Of games that are over, only these wait for anybody.
    pub(super) fn only_past(&mut self, games: &BTreeSet<String>) {
        let is_left = |(key, case): (&String, &Case)| {
            let is_past = !case.at_hand && !case.game.is_empty();
            (is_past && !games.contains(key)).then(|| key.clone())
        };
        let left: Vec<String> = self.cases.iter().filter_map(is_left).collect();
        for key in left {
            self.cases.remove(&key);
            self.dirty.insert(key);
        }
    }

    pub(super) fn apply(&mut self, mark: &Mark, by: By) {
        if self.faults.apply(mark, by.at) {
            return;
        }
        let id = mark.incident();
        let marks = self.marks.entry(id.to_owned()).or_default();
        marks.apply(mark, by);
        if *marks == Marks::default() {
            self.marks.remove(id);
        }
        if let Some(incident) = self.shown.get(id) {
            self.dirty.insert(of_board(&incident.board));
        }
        self.dirty.insert(game_of(id).to_owned());
        self.said.insert(id.to_owned());
    }

    /// What was wrong with boards, the oldest first.
    pub(super) fn faults(&self) -> Vec<BoardFault> {
        self.faults.all()
    }

    /// What is to be kept by now of boards, in this round.
    pub(super) fn faulty(&mut self, tables: &impl Tables, at: Place, now: i64) -> Vec<Mark> {
        let of_boards = self.cases.range("board:".to_owned()..);
        let of_boards = of_boards.take_while(|(key, _)| key.starts_with("board:"));
        let (on_board, faults) = (&self.on_board, &mut self.faults);
        let look = |(_, case): (&String, &Case)| {
            let place = || {
                let game = on_board.get(&case.board).map_or("", String::as_str);
                let table = tables.table(game, &case.board);
                Place { table, ..at }
            };
            faults.look(&case.board, &case.faults, place, now)
        };
        of_boards.flat_map(look).collect()
    }

    /// Who is about to take back an order of a game; nobody is any more where there is no name.
    pub(super) fn hint(&mut self, game: &str, order: &str, who: Option<&str>) {
        let key = (game.to_owned(), order.to_owned());
        match who {
            Some(who) => self.hints.insert(key, who.to_owned()),
            None => self.hints.remove(&key),
        };
    }

    pub(super) fn shown(&self, id: &str) -> Option<Incident> {
        self.shown.get(id).cloned()
    }

    pub(super) fn all(&self) -> Vec<Incident> {
        let mut all: Vec<Incident> = self.shown.values().cloned().collect();
        all.sort_by_cached_key(rank);
        all
    }

    /// What was ruled last on an incident, be it gone by now.
    pub(super) fn ruled_last(&self, id: &str) -> Option<&(By, Ruling)> {
        self.marks.get(id)?.rulings.last()
    }

    /// The findings of a game for which both clocks were to be set, and of which nobody has said
    /// that they were, unless that still waits to be done.
    pub(super) fn clocks_not_set(&self, game: &str) -> Vec<u64> {
        let start = format!("{game}.");
        let all = self.marks.range(start.clone()..);
        let its = all.take_while(|(id, _)| id.starts_with(&start));
        let waits = |id: &String| {
            let shown = self.shown.get(id);
            let mut steps = shown.into_iter().flat_map(|incident| &incident.steps);
            steps.any(|step| step.step == StepKind::Clocks && !step.done)
        };
        let left = its.filter(|(id, _)| !waits(id)).flat_map(|(_, marks)| {
            let rulings = marks.rulings.iter().map(|(_, ruling)| ruling);
            rulings.filter(|ruling| !marks.set.contains_key(&ruling.finding))
        });
        let timed = left.filter(|ruling| ruling.upheld && ruling.dials.is_some());
        timed.map(|ruling| ruling.finding.into()).collect()
    }

    /// Whether a ruling of this name was given: by this program, or, as the game says, before.
    pub(super) fn was_given(&self, id: &str, ruling: &str) -> bool {
        let case = self.cases.get(game_of(id));
        let is_in_game = |case: &Case| case.orders.iter().any(|given| given["order"] == ruling);
        self.given.contains(&format!("{id}/{ruling}")) || case.is_some_and(is_in_game)
    }

    /// Whether a ruling of this name was taken back before the clocks were said to be set for it.
    pub(super) fn fell(&self, id: &str, order: &str) -> bool {
        let marks = self.marks.get(id);
        marks.is_some_and(|marks| marks.fallen.iter().any(|(fallen, _)| fallen == order))
    }

    pub(super) fn gave(&mut self, id: &str, ruling: &str) {
        self.given.insert(format!("{id}/{ruling}"));
    }

    /// Whether anything was known of a game.
    pub(super) fn knows(&self, game: &str) -> bool {
        self.cases.contains_key(game)
    }

    /// The game before of which it is asked at a board whether it has ended.
    pub(super) fn asked_at(&self, board: &str) -> Option<String> {
        let missed = self.cases.get(&of_board(board))?.missed.as_ref()?;
        missed["game"].as_str().map(str::to_owned)
    }

    /// Takes what a game or a board shows now. Gives back what was ruled on it since, with who did.
    pub(super) fn take(&mut self, key: String, case: Case) -> Vec<Noticed> {
        let before = self.cases.get(&key);
        let mut all = noticed(before, &case, &self.marks);
        for (mark, who) in &mut all {
            let Mark::Undone { incident, finding } = mark else {
                continue;
            };
            let rulings = self
                .marks
                .get(incident)
                .into_iter()
                .flat_map(|m| &m.rulings);
            let mut undone = rulings.filter(|(_, ruling)| ruling.finding == *finding);
            let hint = undone.find_map(|(_, ruling)| {
                let key = (case.game.clone(), ruling.order.clone());
                self.hints.remove(&key)
            });
            *who = hint.unwrap_or_default();
        }
        if case.at_hand && !case.game.is_empty() {
            self.on_board.insert(case.board.clone(), key.clone());
        }
        if before != Some(&case) {
            self.dirty.insert(key.clone());
        }
        self.cases.insert(key, case);
        all
    }

    /// The board is at another game, or at none: what was on it is over.
    pub(super) fn leave(&mut self, board: &str, game: &str) {
        let Some(key) = self.on_board.get(board).filter(|key| *key != game) else {
            return;
        };
        if let Some(case) = self.cases.get_mut(key).filter(|case| case.board == board) {
            (case.at_hand, case.ended) = (false, true);
            (case.restore, case.stopped) = (None, false);
            case.disturbed = false;
            self.dirty.insert(key.clone());
        }
        self.on_board.remove(board);
    }

    /// When it began, of what is new.
    pub(super) fn began(&mut self, id: &str, at: i64) {
        self.since.entry(id.to_owned()).or_insert(at);
    }

    /// Tables may be others than before: every incident is worked out anew.
    pub(super) fn doubt_tables(&mut self) {
        self.dirty.extend(self.groups.keys().cloned());
    }

    /// Works out anew what has changed. Gives back what is to be told, and what is to be forgotten
    /// of incidents that are not any more, so that another one of the same name is new.
    pub(super) fn settle(&mut self, tables: &impl Tables, now: i64) -> (Vec<Changed>, Vec<Mark>) {
        let mut changes = self.refresh(tables, now);
        let gone = changes.iter().filter_map(|change| match change {
            Changed::Gone(id) => Some(id.clone()),
            Changed::Is(..) => None,
        });
        let mut ids = std::mem::take(&mut self.said);
        ids.extend(gone);
        let closed = self.forget(ids);
        changes.extend(self.refresh(tables, now));
        (changes, closed)
    }

    /// Forgets what was said of all that is not there: a while after the start, when every board
    /// has told what is on it.
    pub(super) fn forget_unborne(&mut self) -> Vec<Mark> {
        self.forget(self.marks.keys().cloned().collect())
    }

    fn forget(&mut self, ids: BTreeSet<String>) -> Vec<Mark> {
        let is_left = |id: &String| {
            let marks = self.marks.get(id);
            !self.shown.contains_key(id) && marks.is_some_and(|marks| marks.rulings.is_empty())
        };
        let left = ids.into_iter().filter(is_left);
        let closed: Vec<Mark> = left.map(|incident| Mark::Closed { incident }).collect();
        for mark in &closed {
            self.apply(mark, By::default());
        }
        self.said.clear();
        closed
    }

    fn refresh(&mut self, tables: &impl Tables, now: i64) -> Vec<Changed> {
        let waited = |incident: &&Incident| incident.until.is_some_and(|until| until <= now);
        for incident in self.shown.values().filter(waited) {
            self.dirty.insert(incident.game.clone());
            self.dirty.insert(of_board(&incident.board));
        }
        let dirty = std::mem::take(&mut self.dirty);
        let touched = self.regroup(&dirty, tables, now);
        let mut changes = Vec::new();
        let ended = self.superseded.iter().filter(|(_, until)| **until <= now);
        for id in ended.map(|(id, _)| id.clone()).collect::<Vec<_>>() {
            self.drop(&id, &mut changes);
        }
        for (id, board) in touched {
            self.compare(&id, &board, now, &mut changes);
        }
        for key in dirty.into_iter().filter(|key| !key.starts_with("board:")) {
            let is_over = self.cases.get(&key).is_some_and(|case| !case.at_hand);
            if is_over && !self.shown.values().any(|incident| incident.game == key) {
                self.cases.remove(&key);
                self.groups.remove(&key);
                self.hints.retain(|(game, _), _| *game != key);
            }
        }
        changes
    }

    /// Works out what these cases come to. Gives back what may be other than before: the names of
    /// incidents, with their boards.
    fn regroup(
        &mut self,
        dirty: &BTreeSet<String>,
        tables: &impl Tables,
        now: i64,
    ) -> BTreeSet<(String, String)> {
        let mut touched = BTreeSet::new();
        let name = |incident: &Incident| (incident.id.clone(), incident.board.clone());
        for key in dirty {
            touched.extend(self.groups.remove(key).iter().flatten().map(name));
            let Some(case) = self.cases.get(key) else {
                continue;
            };
            let answered = case.answered(tables);
            let mut incidents = group(answered.as_ref().unwrap_or(case), &self.marks, now);
            for incident in &mut incidents {
                incident.since = *self.since.entry(incident.id.clone()).or_insert(now);
                incident.table = tables.table(&incident.game, &incident.board);
                incident.round = tables.round(&incident.game);
            }
            touched.extend(incidents.iter().map(name));
            if !incidents.is_empty() {
                self.groups.insert(key.clone(), incidents);
            }
        }
        touched
    }

    /// Takes one incident as it is now.
    fn compare(&mut self, id: &str, board: &str, now: i64, changes: &mut Vec<Changed>) {
        let keys = [of_board(board), game_of(id).to_owned()];
        let mut groups = keys.iter().filter_map(|key| self.groups.get(key)).flatten();
        let is = groups.find(|incident| incident.id == id).cloned();
        match (is, self.shown.get(id)) {
            (Some(is), before) => {
                self.superseded.remove(id);
                if before.is_none_or(|before| !before.is_told_as(&is)) {
                    let before = before.cloned().map(Box::new);
                    changes.push(Changed::Is(Box::new(is.clone()), before));
                }
                self.shown.insert(id.to_owned(), is);
            }
            (None, Some(before)) if before.state == State::Superseded => {}
            (None, Some(before)) if !before.findings.is_empty() && self.is_withdrawn(before) => {
                let incident = superseded(before);
                let before = Box::new(before.clone());
                changes.push(Changed::Is(Box::new(incident.clone()), Some(before)));
                self.superseded.insert(id.to_owned(), now + SETTLED);
                self.shown.insert(id.to_owned(), incident);
            }
            (None, Some(_)) => self.drop(id, changes),
            (None, None) => {}
        }
    }

    /// It is not any more.
    fn drop(&mut self, id: &str, changes: &mut Vec<Changed>) {
        self.superseded.remove(id);
        self.since.remove(id);
        if let Some(incident) = self.shown.remove(id) {
            self.dirty.insert(incident.game);
        }
        changes.push(Changed::Gone(id.to_owned()));
    }

    /// Whether the evidence has withdrawn all that was found.
    fn is_withdrawn(&self, incident: &Incident) -> bool {
        let Some(case) = self.cases.get(&incident.game) else {
            return false;
        };
        let is_withdrawn = |id: &serde_json::Value| {
            let mut findings = case.findings.iter();
            let now = findings.find(|now| now["id"] == *id);
            now.is_none_or(|now| now["status"] == "withdrawn")
        };
        let mut findings = incident.findings.iter();
        findings.all(|finding| is_withdrawn(&finding["id"]))
    }
}

/// The name of what is wrong with a board.
fn of_board(board: &str) -> String {
    format!("board:{board}")
}

/// The game that an incident is about.
fn game_of(id: &str) -> &str {
    id.rsplit_once('.').map_or(id, |(game, _)| game)
}

/// What was settled by the play, before anybody ruled, is shown as that for a while.
fn superseded(before: &Incident) -> Incident {
    Incident {
        state: State::Superseded,
        urgency: 8,
        steps: Vec::new(),
        ..before.clone()
    }
}
