//! Games without moves, as pairing programs write them for broadcasts: the tags say who plays whom
//! where. The tag `Round` is `5`, `5.12` or `5.12.3`: round and table, or round, match of teams and
//! its board.

use std::collections::BTreeSet;

use chess_trf::Code;

use super::seen::Seen;
use super::tags::{Tags, games};
use super::{Format, Game, Sheet, Unreadable, What, is_nobody};
use crate::code::ResultCode;
use crate::model::{Player, Start};
use crate::what;

/// Tags of which something is made.
const KNOWN: [&str; 27] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Table",
    "Board",
    "MatchBoard",
    "Termination",
    "TimeControl",
    "EventDate",
    "Variant",
    "SetUp",
    "FEN",
    "WhiteTitle",
    "BlackTitle",
    "WhiteElo",
    "BlackElo",
    "WhiteFideId",
    "BlackFideId",
    "WhiteTeam",
    "BlackTeam",
    "WhiteFed",
    "BlackFed",
    "GameId",
];

/// What programs call Chess960, without blanks and signs.
const CHESS960: [&str; 6] = [
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "freestyle",
    "frc",
];

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
        Err(what) => {
            wrong.add(1, 1, what);
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
            let what = match name {
                "Round" => what!(
                    "no-round-tag",
                    "`{found}` is no round, and no round and table",
                    found = text
                ),
                _ => what!("no-table-tag", "`{found}` is no table", found = text),
            };
            wrong.add(tags.line_of(name), 1, what);
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
fn round_to_play(seated: &[(Tags, Seat)]) -> Result<Option<u16>, What> {
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
    Err(what!(
        "several-rounds",
        "rounds {rounds} are in it: say which is wanted",
        rounds = names.join(", ")
    ))
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
    for (line, name) in tags.others(&KNOWN) {
        let what = what!(
            "unused-tag",
            "nothing is made of the tag `{tag}`",
            tag = name
        );
        sheet.pass_over(line, 1, what);
    }
    if let Some(line) = tags.moves {
        sheet.pass_over(line, 1, what!("unused-moves", "nothing is made of moves"));
    }
    if let Some(line) = tags.behind {
        let what = what!(
            "behind-game",
            "nothing is made of what stands behind the game"
        );
        sheet.pass_over(line, 1, what);
    }
    for side in ["White", "Black"] {
        if !tags.has(side) {
            let what = what!("no-such-tag", "the tag `{tag}` is missing", tag = side);
            wrong.add(tags.line, 1, what);
        } else if tags.is_unknown(side) {
            let what = what!("unknown-tag", "{tag} is not known: `?`", tag = side);
            wrong.add(tags.line_of(side), 1, what);
        }
    }
    let [white, black] = ["White", "Black"].map(|side| player(tags, side, wrong));
    let place = sheet.players.len();
    let has_opponent = !is_nobody(&black.name);
    if is_nobody(&white.name) && tags.has("White") && !tags.is_unknown("White") {
        wrong.add(
            tags.line_of("White"),
            1,
            what!("nameless-white", "White has no name"),
        );
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
        start: start(tags, wrong),
        start_line: Some(tags.line_of("FEN")),
    });
}

/// From where a game starts: the position is looked at by whoever knows chess.
fn start(tags: &Tags, wrong: &mut Unreadable) -> Option<Start> {
    let variant = tags.get("Variant");
    let letters = variant.chars().filter(|c| c.is_alphanumeric());
    let word: String = letters.flat_map(char::to_lowercase).collect();
    let chess960 = CHESS960.contains(&word.as_str());
    if !chess960 && !["", "standard", "chess", "normal"].contains(&word.as_str()) {
        let what = what!(
            "variant",
            "the variant `{found}` is none that is arbitrated here",
            found = variant
        );
        wrong.add(tags.line_of("Variant"), 1, what);
    }
    let fen = tags.get("FEN");
    if tags.get("SetUp") == "1" && fen.is_empty() {
        let what = what!(
            "no-fen",
            "a position was set up, and the tag `FEN` is missing"
        );
        wrong.add(tags.line_of("SetUp"), 1, what);
    }
    (chess960 || !fen.is_empty()).then(|| Start {
        fen: fen.to_owned(),
        chess960,
    })
}

/// How a game ended; a game that was not played ended by forfeit.
fn codes(tags: &Tags, wrong: &mut Unreadable) -> Option<[ResultCode; 2]> {
    let said = tags.get("Result");
    let codes = ResultCode::both(said);
    if codes.is_none() && !matches!(said, "" | "*") {
        wrong.add(tags.line_of("Result"), 1, super::no_result(said));
    }
    let ends = tags.end.as_ref();
    let ends = ends.filter(|(_, word)| matches!(word.as_str(), "1-0" | "0-1" | "1/2-1/2"));
    let written = codes.map_or("*", ResultCode::pgn);
    if let Some((line, word)) = ends.filter(|(_, word)| word != written) {
        let what = what!(
            "other-end",
            "the game ends with {end}, and its tag `Result` says `{said}`",
            end = word,
            said = said
        );
        wrong.add(*line, 1, what);
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
            let what = what!(
                "tag-no-number",
                "{tag} is no number: `{found}`",
                tag = format!("{side}{what}"),
                found = written
            );
            wrong.add(line, 1, what);
        }
        number.filter(|number| *number > 0)
    };
    let (rating, fide_id) = (number("Elo"), number("FideId"));
    if let Some(large) = rating.filter(|rating| *rating > u64::from(u16::MAX)) {
        let line = tags.line_of(&format!("{side}Elo"));
        let what = what!(
            "tag-large",
            "{tag} is too large: {found}",
            tag = format!("{side}Elo"),
            found = large
        );
        wrong.add(line, 1, what);
    }
    Player {
        number: 0,
        rating: rating.and_then(|rating| u16::try_from(rating).ok()),
        fide_id,
        name: tag(""),
        title: tag("Title").to_uppercase(),
        federation: tag("Fed"),
        birth: String::new(),
        team: tag("Team"),
    }
}
