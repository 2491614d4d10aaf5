//! From what arbiters see of a game to what the public may come to see.

use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::{GameResult, ResultReason};
use arbiter_core::{Event, Input};
use tournament::{How, ResultCode, Tournament, pgn_day, write};

use super::line::Candidate;
use super::rules::{Delay, Hold, Results, Rules};
use super::shown::{Clocks, Person, Ply, Shown};
use super::spot::Spot;
use crate::hall::View;
use crate::office::Minors;
use crate::pgn::{self, Legal, Tags};

/// What a game is called, and where it is played.
#[derive(Clone, Debug)]
pub(crate) struct Named<'a> {
    /// Where it is played, and the event that has it.
    pub(crate) spot: Spot<'a>,
    pub(crate) minors: &'a Minors,
    /// As the store has them.
    pub(crate) tags: &'a Tags,
    /// When the clock that runs began to, in milliseconds since 1970.
    pub(crate) clock_told: Option<i64>,
}

/// What could be public of a game that is seen so.
pub(crate) fn candidate(view: &View, named: &Named<'_>, rules: &Rules, now: i64) -> Candidate {
    let event = named.spot.event;
    let seat = event.seat_of(&view.game);
    let pairing = seat.and_then(|(round, table)| event.pairing(round, table).ok());
    let typed = pairing.and_then(|pairing| pairing.typed.as_ref());
    let reason = view.result.map(|result| result.reason);
    let annulled = reason == Some(ResultReason::Annulled);
    let (legal, stands) = match annulled {
        true => (Vec::new(), false),
        false => pgn::legal(named.tags.chess960, view, typed),
    };
    let (result, has_ended) = result(view, event, seat, rules);
    let sure = sure(view, &legal, rules.hold, has_ended);
    let completed = legal.iter().rposition(|ply| ply.is_completed);
    let completed = completed.map_or(0, |last| last + 1);
    let round = named.spot.round;
    let table = named.spot.table.filter(|_| round.is_some());
    let fens: Vec<String> = legal.iter().map(|ply| ply.fen.clone()).collect();
    let mut whole = Shown {
        game: view.game.clone(),
        round,
        table,
        start_fen: view.start_fen.clone(),
        chess960: named.tags.chess960,
        fen: fens.last().unwrap_or(&view.start_fen).clone(),
        clocks: Clocks {
            white_ms: view.white_ms,
            black_ms: view.black_ms,
            running: view.running,
            at: named.clock_told.unwrap_or(now).min(now),
        },
        result,
        over: has_ended,
        with_arbiter: stands,
        stopped: false,
        version: 0,
        ..called(named, seat)
    };
    let black_starts = view.start_fen.split(' ').nth(1) == Some("b");
    whole.plies = plies(&legal, &whole.time_control, usize::from(black_starts));
    Candidate {
        whole,
        fens,
        sure,
        completed,
        has_ended: has_ended || annulled,
        stopped: named.spot.is_stopped(),
        delay: named.spot.delay(rules),
        ends_with_game: rules.ends_with_game,
        unseen: false,
    }
}

/// The names and places of a game, with nothing of the game.
pub(super) fn called(named: &Named<'_>, seat: Option<(u16, u16)>) -> Shown {
    let event = named.spot.event;
    let tag = |tags: &[(&'static str, String)], name: &str| {
        let found = tags.iter().find(|(of, _)| *of == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let said = seat.and_then(|(round, table)| write::tags(event, round, table).ok());
    let pairing = seat.and_then(|(round, table)| event.pairing(round, table).ok());
    let person = |number: u16| person(event, number, named.minors);
    let bare = |name: &str| Person {
        name: named.minors.short(name).unwrap_or_else(|| name.to_owned()),
        ..Person::default()
    };
    let tags = named.tags;
    let or = |name: &str, own: &str| match &said {
        Some(said) if !tag(said, name).is_empty() => tag(said, name),
        _ => own.to_owned(),
    };
    Shown {
        of_event: named.spot.number,
        event: or("Event", &tags.event),
        site: or("Site", &tags.site),
        date: pgn_day(&or("Date", &tags.date)).unwrap_or_default(),
        round_text: match named.spot.round.zip(named.spot.table) {
            Some((round, table)) if seat.is_none() => format!("{round}.{table}"),
            _ => or("Round", &tags.round),
        },
        paired: seat.is_some(),
        time_control: or("TimeControl", ""),
        white: pairing.map_or_else(|| bare(&tags.white), |p| person(p.white)),
        black: match pairing.and_then(|p| p.black) {
            Some(black) => person(black),
            None => bare(&tags.black),
        },
        chess960: tags.chess960,
        ..Shown::empty()
    }
}

/// A player of an event, as the public may know him.
pub(crate) fn person(event: &Tournament, number: u16, minors: &Minors) -> Person {
    let player = event.players.get(&number).cloned().unwrap_or_default();
    let short = minors.short(&player.name);
    Person {
        fide_id: player.fide_id.filter(|_| short.is_none()),
        name: short.unwrap_or(player.name),
        title: player.title,
        rating: player.rating,
        federation: player.federation,
    }
}

/// The result that may be public, and whether nothing more can come.
fn result(
    view: &View,
    event: &Tournament,
    seat: Option<(u16, u16)>,
    rules: &Rules,
) -> (String, bool) {
    let pairing = seat.and_then(|(round, table)| event.pairing(round, table).ok());
    let said = pairing.and_then(|pairing| pairing.outcome.as_ref());
    if let Some(said) = said.filter(|said| said.confirmed && said.how != How::File) {
        return (ResultCode::told(said.codes), true);
    }
    let shown = view.result.filter(|result| {
        !result.proposed
            && result.reason != ResultReason::Annulled
            && result.result != GameResult::Open
    });
    match shown {
        // Of a game of a round a person has the last word.
        Some(result) if pairing.is_none() || rules.results == Results::Board => {
            (result.result.as_str().to_owned(), pairing.is_none())
        }
        _ => ("*".to_owned(), false),
    }
}

/// How late a game is shown to those who see the board itself, as it is now, and whether nothing
/// more of it is.
pub(crate) fn held(view: Option<&View>, spot: &Spot<'_>, rules: &Rules) -> (Delay, bool) {
    let mut delay = spot.delay(rules);
    if let Some(view) = view {
        let seat = spot.event.seat_of(&view.game);
        let (result, has_ended) = result(view, spot.event, seat, rules);
        let reason = view.result.map(|result| result.reason);
        if has_ended || reason == Some(ResultReason::Annulled) {
            delay.plies = 0;
        }
        if rules.ends_with_game && (has_ended || result != "*") {
            delay = Delay::default();
        }
    }
    (delay, spot.is_stopped())
}

/// How many half-moves wait for nobody's word.
fn sure(view: &View, legal: &[Legal], hold: Hold, has_ended: bool) -> usize {
    if hold == Hold::None {
        return legal.len();
    }
    let said: Vec<usize> = view.orders.iter().filter_map(|e| said(view, e)).collect();
    let asked = view.doubts.iter().filter(|d| d.kind.is_of_record());
    let first = asked
        .map(|doubt| doubt.ply as usize)
        .filter(|ply| *ply > 0 && !said.contains(ply))
        .min();
    let is_doubtful = |n: usize, ply: &Legal| !ply.is_sure && !said.contains(&(n + 1));
    let waits = |ply: &Legal| hold == Hold::Completed && !ply.is_completed && !has_ended;
    let mut numbered = legal.iter().enumerate();
    let told = numbered.position(|(n, ply)| is_doubtful(n, ply) || waits(ply));
    let before = first.map_or(legal.len(), |ply| ply - 1);
    told.unwrap_or(legal.len()).min(before).min(legal.len())
}

/// The half-move of the record of which the arbiter has said with this order that it was played,
/// whatever the sensors tell.
fn said(view: &View, order: &Event) -> Option<usize> {
    let Input::Arbiter(ArbiterAction::Played { ply, uci } | ArbiterAction::Reading { ply, uci }) =
        order.input.plain()
    else {
        return None;
    };
    let number = *ply as usize;
    let recorded = view.plies.get(number.checked_sub(1)?)?;
    (recorded.uci == *uci).then_some(number)
}

/// The half-moves, with the time that each took where the clock tells.
pub(super) fn plies(legal: &[Legal], time_control: &str, black_starts: usize) -> Vec<Ply> {
    let control = Control::read(time_control);
    let set = control
        .as_ref()
        .map(|control| control.set(legal, black_starts));
    let used = |n: usize| {
        let (before, now) = (n.checked_sub(2), legal[n].clock_ms?);
        let control = control.as_ref()?;
        set.as_ref()?[n].then_some(())?;
        let before = match before {
            Some(before) => legal[before].clock_ms?,
            None => control.first_ms,
        };
        let number = (n + black_starts) / 2 + 1;
        // At the end of a period, what is added may lie between.
        if control
            .moves
            .is_some_and(|moves| number.is_multiple_of(moves))
        {
            return None;
        }
        (before + control.added_ms).checked_sub(now)
    };
    let ply = |(n, ply): (usize, &Legal)| Ply {
        san: ply.san.clone(),
        uci: ply.uci.clone(),
        clock_ms: ply.clock_ms,
        used_ms: used(n),
    };
    legal.iter().enumerate().map(ply).collect()
}

/// An arbiter gives a player so much for an illegal move of the other's (7.5.5), more than once.
const SLACK_MS: u64 = 600_000;

/// A time control, as far as the time for a move follows from it.
struct Control {
    /// Moves of the first period.
    moves: Option<usize>,
    first_ms: u64,
    added_ms: u64,
}

impl Control {
    /// `5400+30`, `40/6000+30:900+30`, `300`.
    fn read(text: &str) -> Option<Control> {
        let mut periods = text.split(':').map(|period| {
            let (moves, time) = match period.split_once('/') {
                Some((moves, time)) => (Some(moves.parse::<usize>().ok()?), time),
                None => (None, period),
            };
            let (first, added) = time.split_once('+').unwrap_or((time, "0"));
            Some((
                moves,
                first.parse::<u64>().ok()?,
                added.parse::<u64>().ok()?,
            ))
        });
        let (moves, first, added) = periods.next()??;
        // Where later periods add something else, nothing follows for sure.
        let same = periods.all(|period| period.is_some_and(|(.., other)| other == added));
        let known = same && moves != Some(0);
        known.then_some(Control {
            moves,
            first_ms: first * 1000,
            added_ms: added * 1000,
        })
    }

    /// Of each half-move whether the clock is known to have been set so, by what it had told until
    /// then: what it tells later may wait, while the half-move is public. It was set otherwise once
    /// it shows more than is left of the first period; nobody knows before one of the players has
    /// more than half of it left at first.
    fn set(&self, legal: &[Legal], black_starts: usize) -> Vec<bool> {
        let (mut is_told, mut is_so, mut is_other) = ([false; 2], false, false);
        let mut set = Vec::with_capacity(legal.len());
        for (n, ply) in legal.iter().enumerate() {
            let number = (n + black_starts) / 2 + 1;
            if let Some(ms) = ply.clock_ms {
                let is_first = !std::mem::replace(&mut is_told[n % 2], true);
                is_so |= is_first && ms >= self.first_ms / 2;
                let most = self.first_ms + self.added_ms * number as u64 + SLACK_MS;
                is_other |= ms > most && self.moves.is_none_or(|all| number < all);
            }
            set.push(is_so && !is_other);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long each half-move took by clocks that show these seconds, White's first.
    fn used(control: &str, seconds: &[u64]) -> Vec<Option<u64>> {
        let ply = |seconds: &u64| Legal {
            san: "e4".to_owned(),
            uci: "e2e4".to_owned(),
            fen: String::new(),
            clock_ms: Some(seconds * 1000),
            is_sure: true,
            is_completed: true,
        };
        let legal: Vec<Legal> = seconds.iter().map(ply).collect();
        let used = plies(&legal, control, 0);
        used.iter().map(|ply| Some(ply.used_ms? / 1000)).collect()
    }

    #[test]
    fn the_time_for_a_move_follows_from_a_clock_that_was_set_so() {
        let some = |seconds: &[u64]| seconds.iter().map(|s| Some(*s)).collect::<Vec<_>>();
        let right = used("300+3", &[301, 298, 290, 299]);
        assert_eq!(right, some(&[2, 5, 14, 2]));
        // An arbiter has given one of them two minutes: of that move it is not known.
        let given = used("300+3", &[301, 298, 420, 299]);
        assert_eq!(given[2], None);
        assert_eq!(given[3], Some(2));
        // One of them came late.
        assert_eq!(
            used("5400+30", &[2000, 5420, 1990]),
            [None, Some(10), Some(40)]
        );
    }

    /// What is public stays as it is, whatever the clock shows later.
    #[test]
    fn nothing_follows_from_what_comes_later() {
        let seconds = [301, 298, 290, 299, 2000, 280, 1990];
        let all = used("300+3", &seconds);
        for n in 0..seconds.len() {
            assert_eq!(used("300+3", &seconds[..n]), all[..n]);
        }
        assert_eq!((all[3], all[4], all[5]), (Some(2), None, None));
    }

    #[test]
    fn of_a_clock_that_was_set_otherwise_nothing_follows() {
        for other in [&[5425, 5429, 5400, 5410][..], &[302, 301, 300, 290]] {
            let control = if other[0] > 1000 { "300+3" } else { "5400+30" };
            assert_eq!(used(control, other), vec![None; 4], "{control}");
        }
    }
}
