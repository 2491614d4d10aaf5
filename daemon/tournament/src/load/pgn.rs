//! Games without moves, as pairing programs write them for broadcasts: the tags say who plays whom
//! where. The tag `Round` is `5`, `5.12` or `5.12.3`: round and table, or round, match of teams and
//! its board.

use std::collections::BTreeSet;

use chess_trf::Code;

use super::seen::Seen;
use super::tags::{Tags, games};
use super::{Format, Game, Sheet, Unreadable, is_nobody};
use crate::code::ResultCode;
use crate::model::Player;

/// Where a game is played, as far as its tags say.
#[derive(Clone, Copy, Default)]
struct Seat {
    round: Option<u16>,
    table: Option<u16>,
    /// A match of teams, and the board of it.
    board: Option<(u16, u16)>,
}

pub(super) fn read(text: &str, wanted: Option<u16>) -> Result<Sheet, Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    let all = games(text, &mut wrong);
    let mut seated: Vec<(Tags, Seat)> = Vec::new();
    for tags in all {
        let seat = seat(&tags, &mut wrong);
        seated.push((tags, seat));
    }
    let round = match wanted.map_or_else(|| round_to_play(&seated), |n| Ok(Some(n))) {
        Ok(round) => round,
        Err(text) => {
            wrong.add(1, 1, text);
            return Err(wrong);
        }
    };
    let mut sheet = Sheet::empty(Format::Pgn);
    sheet.round = round;
    seated.retain(|(_, seat)| seat.round.is_none() || seat.round == round);
    // Matches of teams: one beside the other, in their order.
    seated.sort_by_key(|(_, seat)| seat.board);
    let mut seen = Seen::default();
    for (tags, seat) in &seated {
        if !seen.game(tags.line, &mut wrong) {
            break;
        }
        take(&mut sheet, tags, seat.table, &mut seen, &mut wrong);
    }
    wrong.unless(sheet)
}

/// Round and table of a game.
fn seat(tags: &Tags, wrong: &mut Unreadable) -> Seat {
    let mut number = |name: &str, text: &str| -> Option<u16> {
        let number = text.trim().parse().ok().filter(|number| *number > 0);
        if number.is_none() && !text.is_empty() {
            let kind = if name == "Round" {
                "round, and no round and table"
            } else {
                "table"
            };
            wrong.add(tags.line_of(name), 1, format!("`{text}` is no {kind}"));
        }
        number
    };
    let written = tags.get("Round");
    let parts: Vec<&str> = written.split('.').filter(|part| !part.is_empty()).collect();
    let numbers: Option<Vec<u16>> = parts.iter().map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| !numbers.contains(&0) && numbers.len() < 4);
    if numbers.is_none() || (parts.is_empty() && !written.is_empty()) {
        number("Round", written);
        return Seat::default();
    }
    let by_tag = ["Table", "Board", "MatchBoard"];
    let named = by_tag.into_iter().find(|name| !tags.get(name).is_empty());
    match numbers.unwrap_or_default()[..] {
        [round, number, board] => Seat {
            round: Some(round),
            board: Some((number, board)),
            table: None,
        },
        [round, table] => Seat {
            round: Some(round),
            table: Some(table),
            board: None,
        },
        ref numbers => Seat {
            round: numbers.first().copied(),
            table: named.and_then(|name| number(name, tags.get(name))),
            board: None,
        },
    }
}

/// The round of which no game has a result; asked for where there are several.
fn round_to_play(seated: &[(Tags, Seat)]) -> Result<Option<u16>, String> {
    let drawn: BTreeSet<u16> = seated.iter().filter_map(|(_, seat)| seat.round).collect();
    let is_open = |tags: &Tags| {
        let ended = tags.get("Termination").to_lowercase() == "unplayed";
        matches!(tags.get("Result"), "*" | "") && !ended
    };
    let open = seated.iter().filter(|(tags, _)| is_open(tags));
    let open: BTreeSet<u16> = open.filter_map(|(_, seat)| seat.round).collect();
    let of = if open.is_empty() { &drawn } else { &open };
    if of.len() <= 1 {
        return Ok(of.first().copied());
    }
    let names: Vec<String> = of.iter().take(30).map(u16::to_string).collect();
    let names = names.join(", ");
    Err(format!("rounds {names} are in it: say which is wanted"))
}

/// Takes what the tags of one game say.
fn take(
    sheet: &mut Sheet,
    tags: &Tags,
    table: Option<u16>,
    seen: &mut Seen,
    wrong: &mut Unreadable,
) {
    let details = &mut sheet.details;
    for (field, name) in [
        (&mut details.name, "Event"),
        (&mut details.site, "Site"),
        (&mut details.start, "EventDate"),
        (&mut details.time_control, "TimeControl"),
        (&mut sheet.date, "Date"),
    ] {
        if field.is_empty() && !tags.get(name).starts_with("????") {
            tags.get(name).clone_into(field);
        }
    }
    let [white, black] = ["White", "Black"].map(|side| player(tags, side, wrong));
    let place = sheet.players.len();
    let has_opponent = !is_nobody(&black.name);
    if is_nobody(&white.name) {
        wrong.add(tags.line_of("White"), 1, "White has no name");
    }
    let table = table.filter(|_| has_opponent);
    if let Some(table) = table {
        seen.table(table, (tags.line_of("Round"), 1), wrong);
    }
    seen.player(&white, (tags.line_of("White"), 1), wrong);
    if has_opponent {
        seen.player(&black, (tags.line_of("Black"), 1), wrong);
    }
    sheet.players.push(white);
    sheet.players.extend(has_opponent.then_some(black));
    let bye = Some([ResultCode(Code::PairingBye); 2]);
    sheet.games.push(Game {
        line: tags.line,
        table,
        white: place,
        black: has_opponent.then_some(place + 1),
        codes: if has_opponent {
            codes(tags, wrong)
        } else {
            bye
        },
    });
}

/// How a game ended; a game that was not played ended by forfeit.
fn codes(tags: &Tags, wrong: &mut Unreadable) -> Option<[ResultCode; 2]> {
    let said = tags.get("Result");
    let codes = ResultCode::both(said);
    if codes.is_none() && !matches!(said, "" | "*") {
        let text = format!("`{said}` is no result");
        wrong.add(tags.line_of("Result"), 1, text);
    }
    let termination = tags.get("Termination").to_lowercase();
    let by_forfeit = matches!(termination.as_str(), "unplayed" | "forfeit" | "default");
    let forfeit = |code: ResultCode| match code.0 {
        Code::Win => ResultCode(Code::ForfeitWin),
        Code::Loss => ResultCode(Code::ForfeitLoss),
        _ => code,
    };
    codes.map(|codes| {
        if by_forfeit {
            codes.map(forfeit)
        } else {
            codes
        }
    })
}

fn player(tags: &Tags, side: &str, wrong: &mut Unreadable) -> Player {
    let tag = |what: &str| tags.get(&format!("{side}{what}")).to_owned();
    let mut number = |what: &str| -> Option<u64> {
        let written = tag(what);
        let number = written.parse().ok();
        if number.is_none() && !written.is_empty() {
            let line = tags.line_of(&format!("{side}{what}"));
            wrong.add(line, 1, format!("{side}{what} is no number: `{written}`"));
        }
        number.filter(|number| *number > 0)
    };
    Player {
        number: 0,
        rating: number("Elo").and_then(|rating| u16::try_from(rating).ok()),
        fide_id: number("FideId"),
        name: tag(""),
        title: tag("Title").to_uppercase(),
        federation: tag("Fed"),
        birth: String::new(),
        team: tag("Team"),
    }
}
