//! What waits for somebody over all tables: findings, doubts, positions to be put back, claims,
//! results that are proposed or missing, and faults; grouped by table and turn, with who has looked
//! at each, who is on the way, and what is left to be done after a ruling.
//!
//! An incident outlives its game until somebody has ruled. What people say of incidents is an act
//! of the store. How they are grouped and where they stand is worked out by functions that read no
//! clock (`group`).

mod case;
mod faults;
mod given;
mod group;
mod mark;
mod noticed;
mod rulings;
mod state;
mod steps;
mod swapped;
#[cfg(test)]
mod tests;
mod watch;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::broadcast;

pub use case::Case;
pub use faults::BoardFault;
pub use group::{Incident, Kind, Ruled, State};
pub use mark::{By, Dial, Dials, Ruling, Sent, StepKind};
pub use steps::{Follows, Step};

use crate::config::Unseen;
use crate::hall::Hall;
use crate::journal::{self, Journal, JournalError};
use crate::office::Office;
use crate::reason::Reason;
use crate::store::{Area, Author, Deed, Deeds, StoreError};
use mark::Mark;
use state::Kept;

/// Messages that a slow listener may fall behind before it misses some.
const FEED: usize = 4096;

/// What is told of a fault to those who see devices and nothing that was found.
const OF_DEVICES: [&str; 21] = [
    "id",
    "version",
    "table",
    "board",
    "game",
    "white",
    "black",
    "at_hand",
    "kind",
    "urgency",
    "state",
    "since",
    "fault",
    "faults",
    "seen",
    "going",
    "sent",
    "later",
    "until",
    "until_move",
    "undone",
];

/// Why nothing is said of an incident.
#[derive(Debug, thiserror::Error)]
pub enum IncidentError {
    /// It is not there, or not any more.
    #[error("there is no incident `{0}` any more: it was settled")]
    Unknown(String),
    /// What it was decided upon has changed.
    #[error("{0}")]
    Stale(Box<Reason>),
    /// It changes nothing.
    #[error("{0}")]
    Refused(Box<Reason>),
    /// It could not be written down.
    #[error("it could not be written down: {0}")]
    Journal(#[from] JournalError),
    /// It has no form in the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What somebody says of an incident.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Say {
    /// He has looked at it.
    Seen,
    /// He is on the way.
    Going,
    /// He is not any more.
    Left,
    /// He has handed it over to another, who is on the way now.
    Handed(String),
    /// He asks another to go.
    Sent(String),
    /// It waits.
    Later {
        /// Until then at the latest, in milliseconds since 1970.
        until: i64,
        /// For the next half-move of its game, if that comes before.
        until_move: bool,
    },
    /// It does not wait any more.
    Awake,
    /// A step is done; of clocks: for which ruling, by its name.
    Ticked(StepKind, Option<String>),
}

/// A message for those who follow incidents.
#[derive(Clone, Debug)]
pub struct Told {
    /// One JSON object.
    pub json: Arc<str>,
    /// The same for those who are shown devices and nothing that was found; `None` where it is not
    /// for them.
    pub of_device: Option<Arc<str>>,
}

/// The incidents. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Incidents(Arc<Inner>, Unseen);

#[derive(Debug)]
struct Inner {
    hall: Hall,
    office: Office,
    kept: Mutex<Kept>,
    /// `None` once the program ends.
    journal: Mutex<Option<Journal>>,
    /// The games are another daemon's, and so is all that is said of them: it is read, never said.
    is_mirror: bool,
    live: broadcast::Sender<Told>,
    /// One ruling at a time: the second is told what the first did.
    alone: tokio::sync::Mutex<()>,
    /// One look at a time: what was seen earlier must not be taken for what is so later.
    looking: tokio::sync::Mutex<()>,
}

/// One incident, as it is now.
#[derive(Serialize)]
struct OfIncident<'a> {
    incident: &'a Incident,
}

/// The message that tells what of an incident is another than it was told before. There is more of
/// it than changes at a time, and all consoles of a hall are told.
fn since(is: &Value, was: &Value) -> Value {
    let mut changed = is.clone();
    if let Some(fields) = changed.as_object_mut() {
        fields.retain(|name, value| name == "id" || was[name.as_str()] != *value);
    }
    json!({ "changed": changed })
}

/// One that is not any more.
#[derive(Serialize)]
struct Settled<'a> {
    settled: &'a str,
}

impl Incidents {
    /// The incidents of these boards and their games, with what the store knows was said of them.
    pub fn open(hall: Hall, office: Office, deeds: &Deeds, journal: Journal) -> Incidents {
        Incidents::of((hall, office), Kept::read(deeds), Some(journal))
    }

    /// The incidents of a mirror: what people say of them is said where its games are played, and
    /// comes with its rows.
    pub fn of_mirror(hall: Hall, office: Office) -> Incidents {
        Incidents::of((hall, office), Kept::default(), None)
    }

    fn of((hall, office): (Hall, Office), kept: Kept, journal: Option<Journal>) -> Incidents {
        let inner = Arc::new(Inner {
            hall,
            office,
            kept: Mutex::new(kept),
            is_mirror: journal.is_none(),
            journal: Mutex::new(journal),
            live: broadcast::channel(FEED).0,
            alone: tokio::sync::Mutex::default(),
            looking: tokio::sync::Mutex::default(),
        });
        Incidents(inner, Unseen::default())
    }

    /// The same, with how long nobody may have looked at what is certain.
    #[must_use]
    pub fn with_unseen(self, unseen: Unseen) -> Incidents {
        Incidents(self.0, unseen)
    }

    /// How long nobody may have looked at what is certain, before it is told once more.
    pub fn unseen(&self) -> Unseen {
        self.1
    }

    /// Nothing is said any more: the program ends.
    pub fn close(&self) {
        let journal = self.0.journal.lock();
        journal.unwrap_or_else(PoisonError::into_inner).take();
    }

    /// All of them, in the order in which somebody should look at them.
    pub fn all(&self) -> Vec<Incident> {
        self.kept().all()
    }

    /// One of them.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn one(&self, id: &str) -> Result<Incident, IncidentError> {
        let found = self.kept().shown(id);
        found.ok_or_else(|| IncidentError::Unknown(id.to_owned()))
    }

    /// What was wrong with boards, the oldest first.
    pub fn faults(&self) -> Vec<BoardFault> {
        self.kept().faults()
    }

    /// The findings of a game for which both clocks were to be set, and of which nobody has said
    /// that they were, unless that still waits to be done.
    pub fn clocks_not_set(&self, game: &str) -> Vec<u64> {
        self.kept().clocks_not_set(game)
    }

    /// What changes from now on. Who has fallen behind reads [`Incidents::all`].
    pub fn subscribe(&self) -> broadcast::Receiver<Told> {
        self.0.live.subscribe()
    }

    /// Nobody else rules while this is held.
    pub async fn alone(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.0.alone.lock().await
    }

    /// The ruling that settled an incident which is not any more, for whoever rules on it too late.
    pub fn settled_by(&self, id: &str) -> Option<Reason> {
        let kept = self.kept();
        kept.ruled_last(id)
            .map(|(by, ruling)| ruled_already(by, ruling))
    }

    /// Whether a ruling of this name has been given on an incident, be it gone by now.
    pub fn was_given(&self, id: &str, ruling: &str) -> bool {
        self.kept().was_given(id, ruling)
    }

    /// A ruling of this name has been given on an incident.
    pub fn gave(&self, id: &str, ruling: &str) {
        self.kept().gave(id, ruling);
    }

    /// Somebody is about to take an order of a game back; `None`: it was refused.
    pub fn takes_back(&self, game: &str, order: &str, who: Option<&str>) {
        self.kept().hint(game, order, who);
    }

    /// Somebody says something of an incident. Returns when it is on the disk, with the incident
    /// as it is then.
    ///
    /// # Errors
    /// Where there is no such incident, it changes nothing, or cannot be written down.
    pub async fn say(
        &self,
        author: &Author,
        id: &str,
        say: Say,
    ) -> Result<Incident, IncidentError> {
        // What is looked at meanwhile must not settle it before it is said.
        let _alone = self.0.looking.lock().await;
        let fell = self.fell(id, &say);
        let incident = self.one(id);
        let mark = match &incident {
            Ok(incident) => {
                refusal(incident, author, &say, fell).map_or(Ok(()), |reason| {
                    Err(IncidentError::Refused(Box::new(reason)))
                })?;
                mark(incident, say)
            }
            Err(_) if fell => late_tick(id, say),
            Err(_) => return incident,
        };
        self.write(author, &mark).await?;
        let by = By {
            who: author.who.clone(),
            at: jiff::Timestamp::now().as_millisecond(),
        };
        self.kept().apply(&mark, by);
        self.settle().await;
        self.kept().shown(id).map_or(incident, Ok)
    }

    /// Whether it says that clocks were set for a ruling which was taken back before that was
    /// heard: the time is on them.
    pub fn fell(&self, id: &str, say: &Say) -> bool {
        let Say::Ticked(StepKind::Clocks, Some(order)) = say else {
            return false;
        };
        self.kept().fell(id, order)
    }

    async fn write(&self, author: &Author, mark: &Mark) -> Result<(), IncidentError> {
        let journal = {
            let journal = self.0.journal.lock();
            journal.unwrap_or_else(PoisonError::into_inner).clone()
        };
        let journal = journal.ok_or(JournalError::Closed)?;
        let deed = Deed::now(author.clone(), Area::Incidents, mark)?;
        let written = journal.write([journal::Act::Deed(Box::new(deed))].into());
        Ok(written.await?)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        let kept = self.0.kept.lock();
        kept.unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells what has changed. Nobody listening is no error.
    fn tell(&self, changes: &[state::Changed]) {
        for change in changes {
            let (json, of_device) = match change {
                state::Changed::Is(incident, None) => {
                    let part = incident.of_device();
                    let part = part.map(|part| json!({ "incident": part }).to_string());
                    (serde_json::to_string(&OfIncident { incident }), part)
                }
                state::Changed::Is(incident, Some(before)) => {
                    let [is, was] = [incident, before].map(serde_json::to_value);
                    let json = is.and_then(|is| Ok(since(&is, &was?).to_string()));
                    let part = incident.of_device().map(|is| match before.of_device() {
                        Some(was) => since(&is, &was).to_string(),
                        None => json!({ "incident": is }).to_string(),
                    });
                    (json, part)
                }
                state::Changed::Gone(id) => {
                    let json = serde_json::to_string(&Settled { settled: id });
                    let is_fault = id.ends_with(".fault");
                    let part = json.as_ref().ok().filter(|_| is_fault).cloned();
                    (json, part)
                }
            };
            if let Ok(json) = json {
                let (json, of_device) = (json.into(), of_device.map(Into::into));
                let _nobody = self.0.live.send(Told { json, of_device });
            }
        }
    }
}

impl Incident {
    /// The order in which they are shown: who needs somebody most comes first.
    pub fn rank(&self) -> impl Ord + use<> {
        group::rank(self)
    }

    /// Whether it is about a fault of a board and nothing else.
    pub fn is_of_board(&self) -> bool {
        self.kind == Kind::Fault && self.game.is_empty()
    }

    /// What those are shown of it who see devices and nothing that was found; `None` where it is
    /// not for them.
    pub fn of_device(&self) -> Option<Value> {
        if !self.is_of_board() {
            return None;
        }
        let mut part = serde_json::to_value(self).ok()?;
        let fields = part.as_object_mut()?;
        fields.retain(|name, _| OF_DEVICES.contains(&name.as_str()));
        Some(part)
    }

    /// What has changed of it since somebody decided upon `version`, in a sentence; `None` where
    /// nothing has.
    pub fn differs_from(&self, version: &str) -> Option<Reason> {
        if self.version == version {
            return None;
        }
        let ruled = self.rulings.last().filter(|ruled| {
            let earlier = format!("{}:open:", ruled.ruling.finding);
            version.contains(&earlier)
        });
        let Some(Ruled { by, ruling, .. }) = ruled else {
            let what = "more has come to it, or something of it is settled: look at it again";
            return Some(Reason::new("more-has-come", what));
        };
        Some(ruled_already(by, ruling))
    }
}

/// That somebody else was quicker.
fn ruled_already(by: &By, ruling: &Ruling) -> Reason {
    let who = if by.who.is_empty() {
        "somebody else"
    } else {
        &by.who
    };
    let what = if ruling.upheld { "upheld" } else { "dismissed" };
    let text = format!("{who} has ruled on this already: {what}");
    let reason = Reason::new("ruled-already", text).with("ruling", what);
    match by.who.is_empty() {
        true => reason,
        false => reason.with("who", &by.who),
    }
}

fn mark(incident: &Incident, say: Say) -> Mark {
    let (strength, plies) = (group::strength(incident), incident.plies);
    let incident = incident.id.clone();
    match say {
        Say::Seen => Mark::Seen { incident },
        Say::Going => Mark::Going { incident },
        Say::Left => Mark::Left { incident },
        Say::Handed(to) => Mark::Handed { incident, to },
        Say::Sent(to) => Mark::Sent { incident, to },
        Say::Later { until, until_move } => Mark::Later {
            incident,
            until,
            strength,
            plies: until_move.then_some(plies + 1),
        },
        Say::Awake => Mark::Awake { incident },
        Say::Ticked(step, order) => Mark::Ticked {
            incident,
            step,
            order,
        },
    }
}

/// The same of an incident that was settled before it was heard.
fn late_tick(id: &str, say: Say) -> Mark {
    let (step, order) = match say {
        Say::Ticked(step, order) => (step, order),
        _ => (StepKind::Clocks, None),
    };
    let incident = id.to_owned();
    Mark::Ticked {
        incident,
        step,
        order,
    }
}

/// Why something is not said of an incident.
fn refusal(incident: &Incident, author: &Author, say: &Say, fell: bool) -> Option<Reason> {
    let is_due = |kind: StepKind| incident.steps.iter().any(|step| step.step == kind);
    let another = incident.going.as_ref().map_or("", |by| &by.who);
    match say {
        Say::Ticked(kind, _) if !fell && !is_due(*kind) => {
            let what = "that is not among what is left to be done";
            Some(Reason::new("no-such-step", what))
        }
        // He who is on the way stays so, whatever another has said before he knew it.
        Say::Left | Say::Later { .. } if !another.is_empty() && another != author.who => {
            let text = format!("{another} is on the way");
            Some(Reason::new("another-goes", text).with("who", another))
        }
        _ => None,
    }
}
