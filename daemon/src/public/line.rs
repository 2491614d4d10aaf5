//! One game on its way to the public. Nothing here asks for the time or touches a disk: the moment
//! is told, in milliseconds since 1970.

use serde::{Deserialize, Serialize};
use tournament::Tournament;

use super::rules::Delay;
use super::shown::{Clocks, Correction, Kind, Shown};

/// A game as the public would see it if nothing were held back.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Candidate {
    /// All of it that legal moves can tell; its clocks are those of the moment.
    pub(crate) whole: Shown,
    /// The position after each half-move.
    pub(crate) fens: Vec<String>,
    /// So many half-moves wait for nobody's word.
    pub(crate) sure: usize,
    /// So many are completed, by the clock or by those after them.
    pub(crate) completed: usize,
    /// No more can come of it: a person has said how it ended.
    pub(crate) has_ended: bool,
    /// Its publication is stopped.
    pub(crate) stopped: bool,
    /// How late it is public.
    pub(crate) delay: Delay,
    /// Once its result is public, all of it is.
    pub(crate) ends_with_game: bool,
    /// No board sees it: where it starts is public with its pairing, and a result without moves at
    /// once.
    pub(crate) unseen: bool,
}

impl Candidate {
    /// Whether the game has ended without any result: it was annulled, or is none that is public.
    fn is_void(&self) -> bool {
        let whole = &self.whole;
        self.has_ended && whole.plies.is_empty() && whole.result == "*" && !whole.with_arbiter
    }

    /// The game was annulled, or is of no round any more, though it was public as one of `event`.
    pub(crate) fn withdraw(&mut self, shown: &Shown, event: &Tournament) {
        self.stopped = event.publication.is_stopped(shown.round, shown.table);
        (self.sure, self.has_ended) = (0, true);
        self.fens.clear();
        self.whole = Shown {
            plies: Vec::new(),
            fen: shown.start_fen.clone(),
            result: "*".to_owned(),
            with_arbiter: false,
            ..shown.clone()
        };
    }
}

/// One game on its way to the public: what is known of it, and since when. This is what is kept on
/// the disk.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Each half-move of the record, and when it was first seen there.
    seen: Vec<(String, i64)>,
    /// The position that it begins from, and since when.
    #[serde(default)]
    start: Option<(String, i64)>,
    /// Round and table.
    #[serde(default)]
    pub(crate) place: Option<(u16, u16)>,
    /// Since when the record goes on with what is no legal move.
    stands: Option<i64>,
    /// The result, and since when it is one.
    result: Option<(String, i64)>,
    /// What is public.
    pub(crate) shown: Option<Shown>,
    /// What was corrected so far.
    #[serde(default)]
    pub(crate) corrections: Vec<Correction>,
}

impl Line {
    /// Looks at the game as it is at the moment `now`. Whether the public is shown it otherwise
    /// than before; what was corrected is added to the corrections.
    pub(crate) fn look(&mut self, candidate: &Candidate, now: i64) -> bool {
        self.learn(candidate, now);
        let next = match (&self.shown, candidate.stopped) {
            (None, true) => return false,
            (Some(shown), true) => Shown {
                stopped: true,
                white: candidate.whole.white.clone(),
                black: candidate.whole.black.clone(),
                ..shown.clone()
            },
            (_, false) => self.next(candidate, now),
        };
        let next = match self.is_start_due(candidate, now) {
            true => next,
            // Other moves than those that are public, and from elsewhere: none of them is due.
            false => match self.shown.clone() {
                Some(shown) => Shown {
                    stopped: false,
                    white: candidate.whole.white.clone(),
                    black: candidate.whole.black.clone(),
                    ..shown
                },
                None => return false,
            },
        };
        let is_empty = next.plies.is_empty() && next.result == "*" && !next.with_arbiter;
        let Some(shown) = &self.shown else {
            if !is_empty {
                let version = 1;
                self.shown = Some(Shown { version, ..next });
            }
            return !is_empty;
        };
        let next = Shown {
            version: shown.version,
            ..next
        };
        if *shown == next {
            return false;
        }
        let mut new = corrections(shown, &next, now);
        let annulled = candidate.is_void() && next.plies.is_empty();
        new.iter_mut().for_each(|one| one.annulled = annulled);
        if new.is_empty() {
            amend(&mut self.corrections, &next, annulled);
        }
        self.corrections.extend(new);
        let version = shown.version + 1;
        self.shown = Some(Shown { version, ..next });
        true
    }

    /// Whether something of the game is not public yet.
    pub(crate) fn waits(&self, candidate: &Candidate) -> bool {
        let whole = &candidate.whole;
        self.shown.as_ref().is_none_or(|shown| {
            shown.plies.len() < whole.plies.len()
                || shown.result != whole.result
                || shown.with_arbiter != whole.with_arbiter
                || shown.start_fen != whole.start_fen
        })
    }

    /// When it is to be looked at again, though nothing has happened; `None`: then only.
    pub(crate) fn due(&self, candidate: &Candidate, now: i64) -> Option<i64> {
        if candidate.stopped || !self.waits(candidate) {
            return None;
        }
        let ply = self.shown.as_ref().map_or(0, |shown| shown.plies.len());
        let ply = self.seen.get(ply).map(|(_, at)| *at);
        let result = self.result.as_ref().map(|(_, at)| *at);
        let start = self.start.as_ref().map(|(_, at)| *at);
        let told = [start, ply, result, self.stands].into_iter().flatten();
        let due = told.map(|at| at.saturating_add(candidate.delay.ms));
        due.filter(|at| *at > now).min()
    }

    /// Notes what is new, and forgets what is so no more.
    fn learn(&mut self, candidate: &Candidate, now: i64) {
        let whole = &candidate.whole;
        // A clock that was set back makes nobody see anything earlier.
        for (_, at) in &mut self.seen {
            *at = now.min(*at);
        }
        self.place = whole.round.zip(whole.table);
        match &mut self.start {
            Some((start, at)) if *start == whole.start_fen => *at = now.min(*at),
            known => {
                let before = self.shown.as_ref().map(|shown| &shown.start_fen);
                let same = before.is_some_and(|before| *before == whole.start_fen);
                // What was kept before this was noted.
                let first = self.seen.first().filter(|_| known.is_none() && same);
                let at = first.map_or(now, |(_, at)| *at);
                if known.is_some() {
                    self.seen.clear();
                }
                *known = Some((whole.start_fen.clone(), at));
            }
        }
        let both = self.seen.iter().zip(&whole.plies);
        let same = both.take_while(|((uci, _), ply)| *uci == ply.uci).count();
        self.seen.truncate(same);
        let new = whole.plies[same..].iter();
        self.seen.extend(new.map(|ply| (ply.uci.clone(), now)));
        self.stands = whole
            .with_arbiter
            .then(|| self.stands.map_or(now, |at| at.min(now)));
        if self.result.as_ref().map(|(result, _)| result) != Some(&whole.result) {
            self.result = (whole.result != "*").then(|| (whole.result.clone(), now));
        }
    }

    /// Whether the game has ended, be it as PGN has no result for (Article 10.1.2), and all of it
    /// is public therefore.
    fn ends(&self, candidate: &Candidate) -> bool {
        candidate.ends_with_game && (self.result.is_some() || candidate.has_ended)
    }

    /// Whether the position that the game begins from may be public: it is as late as moves are,
    /// and waits with the first of them.
    fn is_start_due(&self, candidate: &Candidate, now: i64) -> bool {
        let Candidate { whole, delay, .. } = candidate;
        let shown = self.shown.as_ref().map(|shown| &shown.start_fen);
        let is_known = shown == Some(&whole.start_fen) || candidate.unseen;
        if candidate.stopped || is_known || self.ends(candidate) {
            return true;
        }
        let at = self.start.as_ref().map_or(now, |(_, at)| *at);
        let is_in_time = at.min(now).saturating_add(delay.ms) <= now;
        let follow = whole.plies.len() > delay.plies && candidate.sure > 0;
        let is_bare = whole.plies.is_empty() && delay.plies == 0;
        is_in_time && (candidate.has_ended || follow || is_bare)
    }

    /// The game as it is to be shown.
    fn next(&self, candidate: &Candidate, now: i64) -> Shown {
        let Candidate {
            whole, delay, sure, ..
        } = candidate;
        let is_due = |at: i64| at.min(now).saturating_add(delay.ms) <= now;
        let ends = self.ends(candidate);
        let all = whole.plies.len();
        let in_time = self.seen.iter().take_while(|(_, at)| ends || is_due(*at));
        let behind = match candidate.has_ended || ends {
            true => all,
            false => all.saturating_sub(delay.plies),
        };
        // What the public has seen stays, unless it is no more so.
        let same = |shown: &&Shown| shown.start_fen == whole.start_fen;
        let before = self.shown.as_ref().filter(same);
        let before = before.map_or(0, |shown| shown.common(whole));
        let count = in_time.count().min(behind).min(*sure).max(before);
        let result = self.result.as_ref();
        let known = self.shown.as_ref().map(|shown| &shown.result);
        let result = result.filter(|(result, at)| {
            let is_due = ends || candidate.unseen && all == 0 || is_due(*at);
            known == Some(result) || (is_due && count >= all.min(*sure))
        });
        let stands = self.stands.is_some_and(is_due) && count == all;
        let result = result.map_or("*", |(result, _)| result).to_owned();
        Shown {
            plies: whole.plies[..count].to_vec(),
            sure: count.min(*sure),
            completed: count.min(candidate.completed),
            fen: match count.checked_sub(1) {
                Some(last) => candidate.fens[last].clone(),
                None => whole.start_fen.clone(),
            },
            clocks: self.clocks(candidate, count, &result, now),
            over: result != "*" && count == all && candidate.has_ended,
            with_arbiter: stands,
            result,
            stopped: false,
            ..whole.clone()
        }
    }

    /// The clocks after so many half-moves: those of the moment where nothing is held back.
    fn clocks(&self, candidate: &Candidate, count: usize, result: &str, now: i64) -> Clocks {
        let Candidate { whole, delay, .. } = candidate;
        let is_all = count == whole.plies.len() && !whole.with_arbiter;
        let is_live = *delay == Delay::default() && is_all;
        let mut clocks = match is_live {
            true => whole.clocks,
            false => of_plies(whole, count, now),
        };
        if result != "*" {
            clocks.running = None;
        }
        // Nothing is told anew for a second that has passed.
        match &self.shown {
            Some(shown)
                if shown.plies.len() == count
                    && shown.common(whole) == count
                    && shown.clocks.running == clocks.running
                    && (!is_live || clocks.running.is_some()) =>
            {
                shown.clocks
            }
            _ => clocks,
        }
    }
}

/// The clocks as the moves tell them.
fn of_plies(whole: &Shown, count: usize, now: i64) -> Clocks {
    let black_starts = whole.start_fen.split(' ').nth(1) == Some("b");
    let is_white = |ply: usize| ply.is_multiple_of(2) != black_starts;
    let last = |white: bool| {
        let mut of = (0..count).rev().filter(|ply| is_white(*ply) == white);
        of.find_map(|ply| whole.plies[ply].clock_ms)
    };
    let (white_ms, black_ms) = (last(true), last(false));
    let runs = count > 0 && (white_ms.is_some() || black_ms.is_some());
    Clocks {
        white_ms,
        black_ms,
        running: runs.then(|| if is_white(count) { 'w' } else { 'b' }),
        at: now,
    }
}

/// What came instead of what was corrected last, as far as it is public by now: half-moves, as many
/// as there had been, and the result.
fn amend(corrections: &mut [Correction], now: &Shown, annulled: bool) {
    let last = |kind| corrections.iter().rposition(|one| one.kind == kind);
    let (moves, result) = (last(Kind::Moves), last(Kind::Result));
    if let Some(one) = moves.map(|n| &mut corrections[n]) {
        let (first, count) = (one.ply as usize - 1, one.was.split(' ').count());
        let plies = now.plies.iter().skip(first).take(count);
        let sans: Vec<&str> = plies.map(|ply| ply.san.as_str()).collect();
        one.is = sans.join(" ");
        one.annulled = annulled;
    }
    if let Some(one) = result.map(|n| &mut corrections[n]) {
        one.is.clone_from(&now.result);
        one.annulled = annulled;
    }
}

/// What of `before` the public is shown otherwise now, other than by more of it.
fn corrections(before: &Shown, now: &Shown, at: i64) -> Vec<Correction> {
    let utc = jiff::Timestamp::from_millisecond(at).unwrap_or_default();
    let of = |kind, ply: usize, was: String, is: String| Correction {
        utc: utc.to_string(),
        event: now.of_event,
        game: now.game.clone(),
        round: now.round,
        table: now.table,
        kind,
        ply: u32::try_from(ply).unwrap_or(u32::MAX),
        was,
        is,
        annulled: false,
        arrived: Vec::new(),
    };
    let moves = |shown: &Shown, from: usize| {
        let plies = shown.plies.iter().skip(from);
        let sans: Vec<&str> = plies.map(|ply| ply.san.as_str()).collect();
        sans.join(" ")
    };
    let mut list = Vec::new();
    if before.start_fen != now.start_fen {
        let (was, is) = (before.start_fen.clone(), now.start_fen.clone());
        list.push(of(Kind::Start, 0, was, is));
    }
    let same = before.common(now);
    if same < before.plies.len() {
        let (was, is) = (moves(before, same), moves(now, same));
        list.push(of(Kind::Moves, same + 1, was, is));
    }
    if before.result != "*" && before.result != now.result {
        let (was, is) = (before.result.clone(), now.result.clone());
        list.push(of(Kind::Result, 0, was, is));
    }
    list
}

#[cfg(test)]
mod tests;
