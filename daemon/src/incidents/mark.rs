//! What people said of incidents: acts of the store, which hold after a restart.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::faults::{BoardFault, once};

/// Who, and when.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SaidBy")]
pub struct By {
    /// The name; empty where nobody said, or the board showed it.
    pub who: String,
    /// Milliseconds since 1970.
    pub at: i64,
}

/// Somebody was asked to see to it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SentTo")]
pub struct Sent {
    /// Who is to go.
    pub to: String,
    /// Who asks; empty where nobody said.
    pub by: String,
    /// Milliseconds since 1970.
    pub at: i64,
}

/// One side of a clock that is to be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Dial {
    /// What it showed when the finding arose, with what was added and taken away since, in
    /// milliseconds; `null` where no clock told.
    pub from: Option<u64>,
    /// What is added, in milliseconds.
    pub add: u64,
    /// What it is to show, in milliseconds.
    pub to: Option<u64>,
}

/// Both sides of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Dials {
    /// White's.
    pub white: Dial,
    /// Black's.
    pub black: Dial,
}

impl Dials {
    /// What is added to White's and to Black's, in milliseconds.
    pub(super) fn adds(&self) -> [u64; 2] {
        [self.white.add, self.black.add]
    }

    /// What both add. What the clocks showed is known where it was the same.
    fn plus(self, other: Dials) -> Dials {
        let both = |one: Dial, other: Dial| {
            let (from, add) = (
                one.from.filter(|_| one.from == other.from),
                one.add + other.add,
            );
            let to = from.map(|from| from + add);
            Dial { from, add, to }
        };
        Dials {
            white: both(self.white, other.white),
            black: both(self.black, other.black),
        }
    }
}

/// What is left to be done after a ruling.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// The position stands on the board again.
    Position,
    /// Both clocks show what they are to show.
    Clocks,
    /// One of the required moves was played.
    Moves,
    /// Time that was added by a ruling which was taken back is taken off the clocks again.
    ClocksBack,
    /// The game is cancelled, and a new one is played (7.2.1).
    Cancel,
}

/// A ruling on a finding, with what was to be done then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Ruling {
    /// The finding's number.
    pub finding: u32,
    /// Upheld, or dismissed.
    pub upheld: bool,
    /// The order's name, by which it can be taken back.
    pub order: String,
    /// The position that is put back.
    pub restore: Option<String>,
    /// What the clocks are to show, where the Laws give time.
    pub dials: Option<Dials>,
    /// The moves that the offender may play, where he is not free.
    pub moves: Option<Vec<String>>,
    /// Whether the finding asked for both before anybody ruled on it: it does so still where the
    /// ruling is taken back.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub asked: bool,
}

/// Something that was said of an incident.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub(super) enum Mark {
    /// Somebody has looked at it.
    Seen { incident: String },
    /// Somebody is on the way.
    Going { incident: String },
    /// He is not any more.
    Left { incident: String },
    /// He has handed it over: the other is on the way.
    Handed { incident: String, to: String },
    /// Somebody is asked to go.
    Sent { incident: String, to: String },
    /// It waits until then, or until so many half-moves were played, unless more comes.
    Later {
        incident: String,
        until: i64,
        strength: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plies: Option<u32>,
    },
    /// It does not wait any more.
    Awake { incident: String },
    /// It was ruled.
    Ruled { incident: String, ruling: Ruling },
    /// A ruling was taken back.
    Undone { incident: String, finding: u32 },
    /// Something that was left to be done is done; of clocks: for which ruling, by its name.
    Ticked {
        incident: String,
        step: StepKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<String>,
    },
    /// It is not any more; another under the same name is a new one.
    Closed { incident: String },
    /// Something is wrong with a board, and has been for a while.
    Failed { fault: BoardFault },
    /// That is not wrong with it any more.
    Well {
        board: String,
        /// Which fault; left out in stores of before, which kept one at a time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        until: i64,
        /// How often it came until then.
        #[serde(default = "once")]
        times: u32,
    },
}

impl Mark {
    /// The incident that it is about; none of what is kept of boards.
    pub(super) fn incident(&self) -> &str {
        match self {
            Mark::Seen { incident }
            | Mark::Going { incident }
            | Mark::Left { incident }
            | Mark::Handed { incident, .. }
            | Mark::Sent { incident, .. }
            | Mark::Later { incident, .. }
            | Mark::Awake { incident }
            | Mark::Ruled { incident, .. }
            | Mark::Undone { incident, .. }
            | Mark::Ticked { incident, .. }
            | Mark::Closed { incident } => incident,
            Mark::Failed { .. } | Mark::Well { .. } => "",
        }
    }
}

/// That an incident waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Waits {
    /// Milliseconds since 1970.
    pub(super) until: i64,
    /// How strong the evidence was.
    pub(super) strength: u32,
    /// Until so many half-moves were played.
    pub(super) plies: Option<u32>,
}

/// What all that was said makes of one incident.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks {
    pub(super) seen: Option<By>,
    pub(super) going: Option<By>,
    pub(super) sent: Option<Sent>,
    pub(super) later: Option<(By, Waits)>,
    pub(super) undone: Option<By>,
    pub(super) rulings: Vec<(By, Ruling)>,
    /// For the rulings on which findings somebody has said that the clocks were set.
    pub(super) set: BTreeMap<u32, By>,
    /// What was added to the clocks for rulings that were taken back.
    pub(super) added: Option<Dials>,
    /// Rulings that were taken back before anybody said that the clocks were set for them: he who
    /// has set them may say so later.
    pub(super) fallen: Vec<(String, Dials)>,
    /// How often something was ruled or taken back: what was decided before is decided anew.
    pub(super) turns: u32,
}

impl Marks {
    /// Drops what was ruled on a finding. Gives back to what clocks were to be set for it.
    fn drop_ruling(&mut self, finding: u32) -> Option<Dials> {
        let is_its = |(_, ruling): &(By, Ruling)| ruling.finding == finding;
        let dials = self.rulings.iter().filter(|ruled| is_its(ruled));
        let dials = dials.filter_map(|(_, ruling)| ruling.dials).next();
        self.rulings.retain(|ruled| !is_its(ruled));
        dials
    }

    /// Who has said last that the clocks were set; `None` while that is not said for every ruling.
    pub(super) fn clocks_set(&self) -> Option<&By> {
        let timed = self.rulings.iter().filter(|(_, r)| r.dials.is_some());
        let said: Option<Vec<&By>> = timed.map(|(_, r)| self.set.get(&r.finding)).collect();
        said?.into_iter().max_by_key(|by| by.at)
    }

    fn are_off(&mut self, dials: Dials) {
        self.added = Some(self.added.map_or(dials, |added| added.plus(dials)));
    }

    /// Somebody says that the clocks were set for the ruling of that name, or for all of them.
    fn are_set(&mut self, order: Option<&String>, by: &By) {
        let is_its = |(fallen, _): &(String, Dials)| order == Some(fallen);
        let fallen = self.fallen.iter().position(is_its);
        let fallen = fallen.map(|n| self.fallen.swap_remove(n).1);
        let set = &self.set;
        let mut due = self.rulings.iter().filter_map(|(_, ruling)| {
            let dials = ruling
                .dials
                .filter(|_| !set.contains_key(&ruling.finding))?;
            Some((ruling, dials))
        });
        let findings: Vec<u32> = match fallen {
            // Upheld once more meanwhile, it is on the clocks that are to be set.
            Some(added) => {
                let again = due.find(|(_, dials)| dials.adds() == added.adds());
                match again.map(|(ruling, _)| ruling.finding) {
                    Some(finding) => vec![finding],
                    None => return self.are_off(added),
                }
            }
            None => {
                let is_known = self.rulings.iter().any(|(_, r)| order == Some(&r.order));
                due.filter(|(ruling, _)| !is_known || order == Some(&ruling.order))
                    .map(|(ruling, _)| ruling.finding)
                    .collect()
            }
        };
        for finding in findings {
            self.set.insert(finding, by.clone());
        }
    }

    /// What something that was said makes of it.
    pub(super) fn apply(&mut self, mark: &Mark, by: By) {
        match mark {
            Mark::Seen { .. } => {
                // Whoever only looks leaves it undone: on an open page it is looked at at once.
                self.seen.get_or_insert(by);
            }
            Mark::Going { .. } => {
                self.seen.get_or_insert_with(|| by.clone());
                (self.undone, self.later) = (None, None);
                (self.going, self.sent) = (Some(by), None);
            }
            Mark::Left { .. } => (self.going, self.sent) = (None, None),
            Mark::Handed { to, .. } => {
                let (who, at) = (to.clone(), by.at);
                (self.going, self.sent) = (Some(By { who, at }), None);
            }
            Mark::Sent { to, .. } => {
                self.seen.get_or_insert_with(|| by.clone());
                (self.undone, self.later) = (None, None);
                let (to, by, at) = (to.clone(), by.who, by.at);
                self.sent = Some(Sent { to, by, at });
            }
            Mark::Later {
                until,
                strength,
                plies,
                ..
            } => {
                self.seen.get_or_insert_with(|| by.clone());
                (self.undone, self.going, self.sent) = (None, None, None);
                let waits = Waits {
                    until: *until,
                    strength: *strength,
                    plies: *plies,
                };
                self.later = Some((by, waits));
            }
            Mark::Awake { .. } => self.later = None,
            Mark::Ruled { ruling, .. } => {
                self.turns += 1;
                self.seen.get_or_insert_with(|| by.clone());
                (self.undone, self.later, self.sent) = (None, None, None);
                let mut earlier = self.rulings.iter();
                let earlier = earlier.find(|(_, r)| {
                    r.finding == ruling.finding && !r.order.is_empty() && r.order == ruling.order
                });
                // What follows from it may change afterwards: who gave it, and when, does not.
                let by = earlier.map_or(by, |(given, _)| given.clone());
                self.drop_ruling(ruling.finding);
                // Clocks that were set for another finding of the turn stay so.
                self.set.remove(&ruling.finding);
                // Upheld once more before the time was taken off again, it is on the clocks.
                let is_there =
                    |added: &Dials| ruling.dials.is_some_and(|due| due.adds() == added.adds());
                if self.added.take_if(|added| is_there(added)).is_some() {
                    self.set.insert(ruling.finding, by.clone());
                }
                self.rulings.push((by, ruling.clone()));
            }
            Mark::Undone { finding, .. } => {
                self.turns += 1;
                let mut rulings = self.rulings.iter();
                let order = rulings.find(|(_, r)| r.finding == *finding);
                let order = order.map(|(_, r)| r.order.clone()).unwrap_or_default();
                if let Some(dials) = self.drop_ruling(*finding) {
                    match self.set.remove(finding) {
                        Some(_) => self.are_off(dials),
                        None => self.fallen.push((order, dials)),
                    }
                }
                (self.seen, self.going, self.later) = (None, None, None);
                self.sent = None;
                self.undone = Some(by);
            }
            Mark::Ticked {
                step: StepKind::ClocksBack,
                ..
            } => self.added = None,
            Mark::Ticked { order, .. } => self.are_set(order.as_ref(), &by),
            Mark::Closed { .. } => *self = Marks::default(),
            Mark::Failed { .. } | Mark::Well { .. } => {}
        }
    }
}
