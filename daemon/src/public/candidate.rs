//! From what arbiters see of a game to what the public may come to see.

use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::{GameResult, ResultReason};
use arbiter_core::{Event, Input};
use tournament::{How, ResultCode, Tournament, pgn_day, write};

use super::line::Candidate;
use super::rules::{Delay, Hold, Results, Rules};
use super::shown::{Clocks, Person, Shown};
use super::spot::Spot;
use super::used::plies;
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

/// The same of a game that no board has: as its event has it.
pub(super) fn called_by_event(spot: Spot<'_>, minors: &Minors) -> Shown {
    let named = Named {
        spot,
        minors,
        tags: &Tags::default(),
        clock_told: None,
    };
    called(&named, spot.round.zip(spot.table))
}

/// A player of an event, as the public may know him.
pub(crate) fn person(event: &Tournament, number: u16, minors: &Minors) -> Person {
    let player = event.players.get(&number).cloned().unwrap_or_default();
    let short = minors.short(&player.name);
    // A list of the team has the name.
    let team = Some(event.team_name(&player)).filter(|_| short.is_none());
    Person {
        fide_id: player.fide_id.filter(|_| short.is_none()),
        team: team.unwrap_or_default(),
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

#[cfg(test)]
mod tests {
    use tournament::Player;

    use super::*;
    use crate::office::Book;

    /// What would undo a shortened name is left out with it.
    #[test]
    fn of_whom_the_name_is_shortened_there_is_no_number_and_no_team() {
        let mut book = Book::default();
        for (number, shortened) in [(1, true), (2, false)] {
            let player = Player {
                number,
                name: format!("Berg, Anna {number}"),
                fide_id: Some(100 + u64::from(number)),
                team: "Lakeside".to_owned(),
                ..Player::default()
            };
            book.event.players.insert(number, player);
            book.event.shortened.insert(number, shortened);
        }
        let minors = Minors::of(None, &book);
        let [short, whole] = [1, 2].map(|number| person(&book.event, number, &minors));
        assert!(!short.name.contains("Berg"), "{short:?}");
        assert_eq!((short.fide_id, short.team.as_str()), (None, ""));
        assert_eq!(
            (whole.fide_id, whole.team.as_str()),
            (Some(102), "Lakeside")
        );
    }
}
