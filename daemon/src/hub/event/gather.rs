//! What halls say of results, taken over into the event of the hub.

use std::collections::{BTreeMap, BTreeSet};

use tournament::{Act, How, Outcome, Pairing, Stage, Tournament};

use super::stood::{Stand, Stood, stand};
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
    /// What was taken over of a table, one after the other, of the hall that has said the last.
    stood: BTreeMap<Seat, Stood>,
    /// Of which hall the last result was.
    by: BTreeMap<Seat, String>,
    /// Where somebody at the hub has confirmed another result than what was taken over: until both
    /// agree, or the hall's word is taken over again, it stands here, whatever it has become.
    apart: BTreeSet<Seat>,
}

/// A hall, and what it says.
pub(super) struct Hall<'a> {
    pub(super) name: &'a str,
    pub(super) event: &'a Tournament,
    /// Whether a table is played there; it may have begun there before it was moved.
    pub(super) is_its: &'a dyn Fn(u16, bool) -> bool,
    /// Whether its acts have all this of a table, one after the other. Where they do
    /// not, the hall has lost it: its store is another, or an older copy.
    pub(super) went_on: &'a dyn Fn(Seat, &Stood) -> bool,
    /// Whether it has heard what people at the hub have said last of a table, and has said this
    /// after it. What was last heard of it is in memory alone; this is in its acts.
    pub(super) answers: &'a dyn Fn(Seat, &Stood) -> bool,
}

impl Hall<'_> {
    fn has_corrected(&self, seat: Seat, theirs: Stand) -> bool {
        let results = vec![theirs];
        let then = Stood {
            results,
            ..Stood::default()
        };
        (self.answers)(seat, &then)
    }

    fn has_moved(&self, seat: Seat, is_postponed: bool) -> bool {
        let postponed = vec![is_postponed];
        let then = Stood {
            postponed,
            ..Stood::default()
        };
        (self.answers)(seat, &then)
    }
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
                    taken.note_of(hall, &act);
                    taken
                        .halls
                        .extend(seat_of(&act).map(|seat| (seat, hall.to_owned())));
                }
                (Act::Postpone { round, table, .. }, None) => {
                    taken.said_here((round, table), true);
                }
                (Act::Resume { round, table }, None) => taken.said_here((round, table), false),
                (
                    Act::Result {
                        round,
                        table,
                        codes,
                        ..
                    },
                    None,
                ) => taken.stands_here((round, table), Some((codes, true))),
                _ => {}
            }
        }
        taken
    }

    /// Whether a result of a table is what its hall said of it last, however it came about.
    pub(super) fn is_of_hall(&self, seat: Seat, outcome: &Outcome) -> bool {
        stand(self.results.get(&seat)) == stand(Some(outcome))
    }

    /// Of halls that there are no more nothing stays where it was.
    pub(super) fn only(&mut self, is_known: impl Fn(&str) -> bool) {
        self.halls.retain(|_, hall| is_known(hall));
    }

    /// A hall has nothing of the event any more: nothing that has begun there stays its own.
    pub(super) fn has_nothing(&mut self, hall: &str) {
        self.halls.retain(|_, first| first != hall);
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

    /// Somebody at the hub has confirmed this result.
    fn stands_here(&mut self, seat: Seat, is: Stand) {
        let is_confirmed = is.is_some_and(|(_, confirmed)| confirmed);
        if is_confirmed && is != stand(self.results.get(&seat)) {
            self.apart.insert(seat);
        }
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
        if !matches!(act, Act::Postpone { .. } | Act::Resume { .. }) {
            self.apart.remove(&seat);
        }
        let stood = self.stood.entry(seat).or_default();
        let last = stood.results.last().copied();
        let mut stands = |is: Stand| {
            if last != Some(is) {
                stood.results.push(is);
            }
        };
        match *act {
            Act::Propose { codes, how, .. } => {
                results.insert(seat, outcome(codes, how, false));
                stands(Some((codes, false)));
            }
            Act::Result { codes, how, .. } => {
                results.insert(seat, outcome(codes, how, true));
                stands(Some((codes, true)));
            }
            Act::Withdraw { .. } => {
                results.remove(&seat);
                stands(None);
            }
            Act::Postpone { .. } => {
                self.postponed.insert(seat);
                self.here.insert(seat);
                stood.later(true);
            }
            Act::Resume { .. } => {
                self.postponed.remove(&seat);
                self.here.remove(&seat);
                stood.later(false);
            }
            _ => {}
        }
    }

    /// It is done, as this hall has said. What another hall has said of the table before is no
    /// history of this one.
    pub(super) fn note_of(&mut self, hall: &str, act: &Act) {
        let Some(seat) = seat_of(act) else { return };
        if self.by.get(&seat).is_some_and(|by| by != hall) {
            self.stood.remove(&seat);
        }
        self.by.insert(seat, hall.to_owned());
        self.note(act);
    }

    /// The tables of which a hall has said the result that stands at the hub, and has none any more
    /// that it knows of.
    pub(super) fn lost(&self, hall: &str, event: &Tournament, there: &Tournament) -> Vec<Seat> {
        let said = self.by.iter().filter(|(seat, by)| {
            let stood = self.stood.get(seat).and_then(|stood| stood.results.last());
            *by == hall && stood.is_some_and(Option::is_some)
        });
        let is_lost = |(round, table): &Seat| {
            let ours = event.pairing(*round, *table).ok();
            let theirs = there.pairing(*round, *table).ok();
            let has = theirs.is_some_and(|theirs| theirs.outcome.is_some() || theirs.withdrawn);
            ours.is_some_and(Pairing::is_settled) && !has
        };
        said.map(|(seat, _)| *seat).filter(is_lost).collect()
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
                    // A game of a closed round is played on where it was put off.
                    None => {
                        (hall.is_its)(table, theirs.has_begun() || drawn.stage == Stage::Closed)
                    }
                };
                if !is_its {
                    continue;
                }
                begun.extend(theirs.has_begun().then_some(seat));
                // Who will not come can be known before the round begins anywhere.
                let are_drawn = there.is_some_and(|there| there.stage == Stage::Drawn);
                if are_drawn || drawn.stage != Stage::Drawn {
                    let outcomes = [&ours.outcome, &theirs.outcome].map(counted);
                    let result = self.result(seat, outcomes, hall);
                    news.extend(result.map(|result| put_off_first(result, [ours, theirs], hall)));
                }
                news.extend(self.later(seat, [ours, theirs], hall));
            }
        }
        self.has_nothing(hall.name);
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
        self.stands_here(seat, stand(ours));
        if theirs.is_some() && stand(theirs) == stand(ours) {
            self.apart.remove(&seat);
        }
        let now = (ours.is_some_and(|ours| ours.confirmed), ours.is_some());
        let corrects = || {
            let differs = stand(theirs) != stand(ours);
            let is_correction = differs && hall.has_corrected(seat, stand(theirs));
            is_correction.then(|| News::Take(seat, acts(seat, now, theirs, hall.name)))
        };
        let taken = self.results.get(&seat);
        // What was taken back at the hub alone is taken over again.
        let is_gone = ours.is_none() && theirs.is_some();
        if theirs == taken && !is_gone {
            // What was entered at the hub since stands, and it is said as long as they differ.
            let both = ours.zip(theirs).filter(|(a, b)| a.confirmed && b.confirmed);
            let differ = both.is_some_and(|(ours, theirs)| ours.codes != theirs.codes);
            return corrects().or(differ.then_some(News::Otherwise(seat)));
        }
        if theirs == ours {
            match theirs {
                Some(outcome) => drop(self.results.insert(seat, outcome.clone())),
                None => drop(self.results.remove(&seat)),
            }
            return None;
        }
        let confirmed = ours.filter(|ours| ours.confirmed);
        // Both have confirmed the same: one as its board has shown it, the other as it was typed.
        let agreed =
            theirs.filter(|theirs| theirs.confirmed && stand(confirmed) == stand(Some(theirs)));
        if let Some(theirs) = agreed {
            let is_there = (true, true);
            let same = acts(seat, is_there, Some(theirs), hall.name);
            same.iter().for_each(|act| self.note_of(hall.name, act));
            return None;
        }
        let is_other = stand(ours) != stand(taken) || self.apart.contains(&seat);
        // What somebody has typed here waits to be confirmed, whatever a board shows meanwhile.
        let is_typed = ours.is_some_and(|ours| !ours.confirmed && ours.how == How::Typed);
        let by_board = theirs.is_some_and(|theirs| !theirs.confirmed && theirs.how == How::Board);
        let is_typed = is_typed && by_board && stand(theirs) != stand(ours);
        if is_other && (confirmed.is_some() || is_typed) {
            return corrects().or(Some(News::Otherwise(seat)));
        }
        // What it says is newer only where it has said what was taken over before.
        let mut before = self.before(hall.name, seat, true);
        if confirmed.is_some() && before.results.last() != Some(&stand(ours)) {
            before.results.push(stand(ours));
        }
        // Where nothing is confirmed here, or was withdrawn there, nothing newer is turned back.
        let is_back = before.results.last() == Some(&None);
        let may_be_older = confirmed.is_some() || is_back && taken.is_none();
        if may_be_older && !before.results.is_empty() && !(hall.went_on)(seat, &before) {
            return Some(News::Otherwise(seat));
        }
        Some(News::Take(seat, acts(seat, now, theirs, hall.name)))
    }

    /// What was taken over of a table of this hall: of its results, or of whether it is played
    /// later.
    fn before(&self, hall: &str, seat: Seat, of_results: bool) -> Stood {
        let is_its = self.by.get(&seat).is_some_and(|by| by == hall);
        let all = self.stood.get(&seat).filter(|_| is_its);
        let mut all = all.cloned().unwrap_or_default();
        match of_results {
            true => all.postponed.clear(),
            false => all.results.clear(),
        }
        all
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
        let is_heard = theirs.postponed == self.postponed.contains(&seat);
        let differs = theirs.postponed != ours.postponed;
        let has_moved = !is_over && is_heard && differs && hall.has_moved(seat, theirs.postponed);
        if is_over || is_heard && !has_moved {
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
            // Ordered of it, or decided in both: nothing was taken over.
            let stood = self.stood.remove(&seat);
            self.note(&act);
            self.stood.extend(stood.map(|stood| (seat, stood)));
            return None;
        }
        if !theirs.postponed && !has_moved && !self.has_resumed(hall, seat) {
            // The hall has lost it, or has drawn it otherwise, and is ordered it again.
            self.postponed.remove(&seat);
            return None;
        }
        Some(News::Take(seat, vec![act]))
    }

    /// Whether somebody in a hall lets a game be played that it had put off.
    fn has_resumed(&self, hall: &Hall<'_>, seat: Seat) -> bool {
        let mut resumed = self.before(hall.name, seat, false);
        resumed.later(true);
        resumed.later(false);
        (hall.went_on)(seat, &resumed)
    }
}

/// A game whose result may be taken back in its hall, since it was put off there before it had one,
/// is put off here as well.
fn put_off_first(news: News, [ours, theirs]: [&Pairing; 2], hall: &Hall<'_>) -> News {
    let is_put_off = theirs.is_settled() && theirs.postponed;
    match (news, ours.table) {
        (News::Take(seat, acts), Some(table)) if is_put_off && !ours.postponed => {
            let reason = reason(hall.name);
            let (round, _) = seat;
            let put_off = Act::Postpone {
                round,
                table,
                reason,
            };
            let is_open = !ours.is_settled();
            let put_off = is_open.then_some(put_off).into_iter();
            News::Take(seat, put_off.chain(acts).collect())
        }
        (news, _) => news,
    }
}

/// What was done of the event, each with the device.
pub(super) fn acts_of(deeds: &Deeds) -> impl Iterator<Item = (&str, Act)> {
    deeds.of(Area::Event).filter_map(|(_, deed)| {
        let act = serde_json::from_str(&deed.what).ok()?;
        Some((&*deed.author.device, act))
    })
}

/// The table of which an act says how it ended, or whether it is played later.
pub(super) fn seat_of(act: &Act) -> Option<Seat> {
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
pub(super) fn counted(outcome: &Option<Outcome>) -> Option<&Outcome> {
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
