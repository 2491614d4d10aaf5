//! FIDE's report files. They have no numbers of tables: games are in the order that pairing
//! programs give them, higher scores first.

use std::collections::HashMap;

use chess_trf::{Cell, Code, Complaints, Document, Pair, Scoring, Tenths};

use super::{Format, Game, Sheet, Unreadable, matches, seen};
use crate::code::ResultCode;
use crate::model::{Details, Player, Worth};

pub(super) fn read(bytes: &[u8], round: Option<u16>) -> Result<Sheet, Unreadable> {
    let document = Document::parse(bytes).map_err(|e| Unreadable::one(1, 1, e.to_string()))?;
    let listed = document.players().map_err(told)?;
    let wanted = round
        .map(usize::from)
        .or_else(|| chess_trf::current_round(&listed));
    let Some(number) = wanted.filter(|number| *number > 0) else {
        let text = "every game of it is played: say which round is wanted";
        return Err(Unreadable::one(1, 1, text));
    };
    let mut wrong = Unreadable(Vec::new());
    for player in &listed {
        if player.name.is_empty() {
            wrong.add(player.line, 15, "the name is missing");
        } else if let Some(text) = seen::wrong_with(&player.name) {
            wrong.add(player.line, 15, text);
        }
    }
    let mut pairs = chess_trf::pairings(&listed, number).map_err(told)?;
    chess_trf::in_table_order(&mut pairs, &listed, &document.scoring(), number);
    let teams = matches::read(&document, &listed, number, &mut pairs, &mut wrong)?;
    let mut sheet = Sheet::empty(Format::Trf);
    let places = listed.iter().zip(0..).map(|(player, n)| (player.number, n));
    let places: HashMap<u16, usize> = places.collect();
    for pair in &pairs {
        let (Some(white), black) = (places.get(&pair.white), places.get(&pair.black)) else {
            continue;
        };
        sheet.games.push(Game {
            line: listed[*white].line,
            table: None,
            white: *white,
            black: black.copied(),
            codes: codes(pair),
        });
    }
    for (white, player) in listed.iter().enumerate() {
        let cell = player.round(number);
        if cell.opponent.is_some() {
            continue;
        }
        let code = alone(cell).unwrap_or_else(|code| {
            let text = format!(
                "`{}` is a result of a game, and there is no opponent",
                code.char()
            );
            wrong.add(player.line, 99 + 10 * (number - 1), text);
            code
        });
        sheet.games.push(Game {
            line: player.line,
            table: None,
            white,
            black: None,
            codes: Some([ResultCode(code); 2]),
        });
    }
    let dates = document.event().round_dates;
    sheet.date = dates.get(number - 1).cloned().unwrap_or_default();
    sheet.details = details(&document);
    sheet.players = listed.iter().map(player).collect();
    for player in &mut sheet.players {
        let mut teams = teams.teams.iter();
        let team = teams.find(|team| team.players.contains(&player.number));
        player.team = team.map(|team| team.name.clone()).unwrap_or_default();
    }
    sheet.round = u16::try_from(number).ok();
    sheet.other_points = other_points(&listed, &document.scoring());
    sheet.is_ordered_here = true;
    (sheet.teams, sheet.matches) = (teams.teams, teams.matches);
    wrong.unless(sheet)
}

/// Players of whom the file says other points than their results come to.
fn other_points(listed: &[chess_trf::Player], scoring: &Scoring) -> Vec<u16> {
    let others = listed.iter().filter(|player| {
        let codes = player.rounds.iter().filter_map(|cell| cell.code);
        let sum = codes.map(|code| scoring.of(code).0).sum();
        player.points.is_some_and(|said| said != Tenths(sum))
    });
    others.map(|player| player.number).collect()
}

/// How a pair ended, once it has.
fn codes(pair: &Pair) -> Option<[ResultCode; 2]> {
    let [one, other] = pair.codes;
    let codes = one.zip(other).filter(|_| !pair.is_open());
    codes.map(|(one, other)| [one, other].map(ResultCode))
}

/// What a round without an opponent was. A blank is absence, and a draw the half-point bye, as Vega
/// writes it; a forfeit is that of a player whose opponents sent nobody.
fn alone(cell: Cell) -> Result<Code, Code> {
    match cell.code {
        None => Ok(Code::ZeroPointBye),
        Some(Code::Draw) => Ok(Code::HalfPointBye),
        Some(code) if code.is_bye() || !code.is_played() => Ok(code),
        Some(code) => Err(code),
    }
}

fn details(document: &Document) -> Details {
    let event = document.event();
    Details {
        name: event.name,
        site: event.city,
        federation: event.federation,
        start: event.start,
        end: event.end,
        chief_arbiter: event.chief_arbiter,
        time_control: event.coded_time_control,
        rounds: event.rounds,
        worth: Worth::of(&document.scoring(), &document.match_scoring()),
        ..Details::default()
    }
}

fn player(player: &chess_trf::Player) -> Player {
    Player {
        number: player.number,
        name: player.name.clone(),
        title: player.title.unwrap_or_default().to_owned(),
        rating: player.rating,
        federation: player.federation.clone().unwrap_or_default(),
        fide_id: player.fide_id,
        birth: player.birth.clone().unwrap_or_default(),
        team: String::new(),
    }
}

pub(super) fn told(complaints: Complaints) -> Unreadable {
    let mut wrong = Unreadable(Vec::new());
    for complaint in complaints.0 {
        wrong.add(
            complaint.line,
            complaint.column,
            complaint.problem.to_string(),
        );
    }
    wrong
}
