//! What halls say of results, taken over into the event of the hub.

use std::collections::{BTreeMap, BTreeSet};

use tournament::{Act, How, Outcome, Pairing, ResultCode, Stage, Tournament};

use crate::store::{Area, Deeds};

/// A table of a round.
pub(super) type Seat = (u16, u16);

/// What was last taken over, by table: only what a hall says *anew* changes anything, so that what
/// somebody enters at the hub stands until then.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Taken {
    results: BTreeMap<Seat, Outcome>,
    /// Games that were postponed in their hall.
    postponed: BTreeSet<Seat>,
    /// Games that are postponed at the hub, as that was last looked at.
    here: BTreeSet<Seat>,
    /// The hall in which a game has begun: it stays there, wherever the table is moved to.
    halls: BTreeMap<Seat, String>,
}

/// A hall, and what it says.
pub(super) struct Hall<'a> {
    pub(super) name: &'a str,
    pub(super) event: &'a Tournament,
    /// Whether a table is played there; it may have begun there before it was moved.
    pub(super) is_its: &'a dyn Fn(u16, bool) -> bool,
    /// Whether its acts take this result of a table back. Where they do not, and it is gone, the
    /// hall has lost it: its store is another, or an older copy.
    pub(super) took_back: &'a dyn Fn(Seat, &Outcome) -> bool,
}

/// The device of whatever a hall says.
pub(super) fn device(hall: &str) -> String {
    format!("{HALL}{hall}")
}

const HALL: &str = "hall ";

/// Whether somebody at the hub did it, and no hall said it.
pub(super) fn is_of_hub(device: &str) -> bool {
    !device.starts_with(HALL)
}

/// Something new.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum News {
    /// It is done so at the hub.
    Take(Seat, Vec<Act>),
    /// Somebody has entered something else at the hub.
    Otherwise(Seat),
}

impl Taken {
    /// As the acts of the hub's store have it.
    pub(super) fn read(deeds: &Deeds) -> Taken {
        let mut taken = Taken::default();
        for (device, act) in acts_of(deeds) {
            match (act, device.strip_prefix(HALL)) {
                (Act::Open { .. }, _) => taken = Taken::default(),
                (act, Some(hall)) => {
                    taken.note(&act);
                    taken
                        .halls
                        .extend(seat_of(&act).map(|seat| (seat, hall.to_owned())));
                }
                (Act::Postpone { round, table, .. }, None) => {
                    taken.said_here((round, table), true);
                }
                (Act::Resume { round, table }, None) => taken.said_here((round, table), false),
                _ => {}
            }
        }
        taken
    }

    /// Whether a result of a table is what its hall said of it last.
    pub(super) fn is_of_hall(&self, seat: Seat, outcome: &Outcome) -> bool {
        self.results.get(&seat) == Some(outcome)
    }

    /// Of halls that there are no more nothing stays where it was.
    pub(super) fn only(&mut self, is_known: impl Fn(&str) -> bool) {
        self.halls.retain(|_, hall| is_known(hall));
    }

    /// Somebody at the hub has postponed a game, or lets it be played. The hall need not have heard
    /// it: what it still has, or is only now ordered of what was said before, is nothing new.
    fn said_here(&mut self, seat: Seat, is_postponed: bool) {
        let (these, others) = match is_postponed {
            true => (&mut self.here, &mut self.postponed),
            false => (&mut self.postponed, &mut self.here),
        };
        these.insert(seat);
        others.remove(&seat);
    }

    /// It is done.
    pub(super) fn note(&mut self, act: &Act) {
        let outcome = |codes, how, confirmed| Outcome {
            codes,
            how,
            confirmed,
        };
        let (Some(seat), results) = (seat_of(act), &mut self.results) else {
            return;
        };
        match *act {
            Act::Propose { codes, how, .. } => {
                results.insert(seat, outcome(codes, how, false));
            }
            Act::Result { codes, how, .. } => {
                results.insert(seat, outcome(codes, how, true));
            }
            Act::Withdraw { .. } => drop(results.remove(&seat)),
            Act::Postpone { .. } => {
                self.postponed.insert(seat);
                self.here.insert(seat);
            }
            Act::Resume { .. } => {
                self.postponed.remove(&seat);
                self.here.remove(&seat);
            }
            _ => {}
        }
    }

    /// What a hall says of its tables that the hub does not have.
    pub(super) fn news(&mut self, event: &Tournament, hall: &Hall<'_>) -> Vec<News> {
        let (mut news, mut begun) = (Vec::new(), Vec::new());
        for (round, drawn) in &event.rounds {
            let there = hall.event.rounds.get(round);
            for theirs in there.map_or(&[][..], |there| &there.pairings) {
                let Some(table) = theirs.table else { continue };
                let mut ours = drawn.pairings.iter();
                let ours = ours.find(|p| p.table == Some(table) && p.is_same(theirs));
                let Some(ours) = ours else { continue };
                let seat = (*round, table);
                let is_its = match self.halls.get(&seat) {
                    Some(first) => first == hall.name,
                    None => (hall.is_its)(table, theirs.has_begun()),
                };
                if !is_its {
                    continue;
                }
                begun.extend(theirs.has_begun().then_some(seat));
                if drawn.stage != Stage::Drawn {
                    let outcomes = [&ours.outcome, &theirs.outcome].map(counted);
                    news.extend(self.result(seat, outcomes, hall));
                }
                news.extend(self.later(seat, [ours, theirs], hall));
            }
        }
        self.halls.retain(|_, first| first != hall.name);
        let begun = begun.into_iter();
        self.halls
            .extend(begun.map(|seat| (seat, hall.name.to_owned())));
        news
    }

    fn result(
        &mut self,
        seat: Seat,
        [ours, theirs]: [Option<&Outcome>; 2],
        hall: &Hall<'_>,
    ) -> Option<News> {
        let taken = self.results.get(&seat);
        // What was taken back at the hub alone is taken over again.
        let is_gone = ours.is_none() && theirs.is_some();
        if theirs == taken && !is_gone {
            // What was entered at the hub since stands, and it is said as long as they differ.
            let both = ours.zip(theirs).filter(|(a, b)| a.confirmed && b.confirmed);
            let differ = both.is_some_and(|(ours, theirs)| ours.codes != theirs.codes);
            return differ.then_some(News::Otherwise(seat));
        }
        if theirs == ours {
            match theirs {
                Some(outcome) => drop(self.results.insert(seat, outcome.clone())),
                None => drop(self.results.remove(&seat)),
            }
            return None;
        }
        let confirmed = ours.filter(|ours| ours.confirmed);
        if let Some(confirmed) = confirmed {
            let is_other = theirs.is_some_and(|theirs| theirs.confirmed);
            if ours != taken || !is_other && !(hall.took_back)(seat, confirmed) {
                return Some(News::Otherwise(seat));
            }
        }
        let is = (confirmed.is_some(), ours.is_some());
        Some(News::Take(seat, acts(seat, is, theirs, hall.name)))
    }

    /// Whether it is played later.
    fn later(
        &mut self,
        (round, table): Seat,
        [ours, theirs]: [&Pairing; 2],
        hall: &Hall<'_>,
    ) -> Option<News> {
        let seat = (round, table);
        if ours.postponed != self.here.contains(&seat) {
            self.said_here(seat, ours.postponed);
        }
        let is_over = ours.is_settled() || theirs.is_settled();
        if is_over || theirs.postponed == self.postponed.contains(&seat) {
            return None;
        }
        let reason = reason(hall.name);
        let act = match theirs.postponed {
            true => Act::Postpone {
                round,
                table,
                reason,
            },
            false => Act::Resume { round, table },
        };
        if theirs.postponed == ours.postponed {
            self.note(&act);
            return None;
        }
        Some(News::Take(seat, vec![act]))
    }
}

/// The results that acts of the event at hand take back: the last one, and those that it had
/// corrected.
pub(super) fn taken_back(deeds: &Deeds) -> Vec<(Seat, [ResultCode; 2])> {
    let (mut stood, mut back) = (BTreeMap::<Seat, Vec<_>>::new(), Vec::new());
    for (_, act) in acts_of(deeds) {
        match act {
            Act::Open { .. } => (stood, back) = Default::default(),
            Act::Result {
                round,
                table,
                codes,
                ..
            }
            | Act::Propose {
                round,
                table,
                codes,
                ..
            } => stood.entry((round, table)).or_default().push(codes),
            Act::Withdraw { round, table, .. } => {
                let seat = (round, table);
                let codes = stood.remove(&seat).unwrap_or_default().into_iter();
                back.extend(codes.map(|codes| (seat, codes)));
            }
            _ => {}
        }
    }
    back
}

/// What was done of the event, each with the device.
fn acts_of(deeds: &Deeds) -> impl Iterator<Item = (&str, Act)> {
    deeds.of(Area::Event).filter_map(|(_, deed)| {
        let act = serde_json::from_str(&deed.what).ok()?;
        Some((&*deed.author.device, act))
    })
}

/// The table of which an act says how it ended, or whether it is played later.
fn seat_of(act: &Act) -> Option<Seat> {
    match *act {
        Act::Propose { round, table, .. }
        | Act::Result { round, table, .. }
        | Act::Withdraw { round, table, .. }
        | Act::Postpone { round, table, .. }
        | Act::Resume { round, table } => Some((round, table)),
        _ => None,
    }
}

/// What is said of how it ended, and not only by a file of pairings.
fn counted(outcome: &Option<Outcome>) -> Option<&Outcome> {
    let outcome = outcome.as_ref();
    outcome.filter(|outcome| outcome.confirmed || outcome.how != How::File)
}

fn acts(
    (round, table): Seat,
    (is_confirmed, is_there): (bool, bool),
    theirs: Option<&Outcome>,
    hall: &str,
) -> Vec<Act> {
    let reason = reason(hall);
    let withdrawn = Act::Withdraw {
        round,
        table,
        reason: reason.clone(),
    };
    match theirs {
        None if is_there => vec![withdrawn],
        None => Vec::new(),
        Some(&Outcome {
            codes,
            how,
            confirmed: true,
        }) => vec![Act::Result {
            round,
            table,
            codes,
            how,
            reason,
        }],
        Some(&Outcome { codes, how, .. }) => {
            let proposed = Act::Propose {
                round,
                table,
                codes,
                how,
            };
            match is_confirmed {
                true => vec![withdrawn, proposed],
                false => vec![proposed],
            }
        }
    }
}

fn reason(hall: &str) -> String {
    format!("so it is in hall {hall}")
}
