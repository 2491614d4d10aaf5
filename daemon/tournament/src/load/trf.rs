//! FIDE's report files. They have no numbers of tables: games are in the order that pairing
//! programs give them, higher scores first.

use std::collections::{BTreeSet, HashMap};

use chess_trf::{Cell, Code, Complaint, Complaints, Document, Pair, Problem, Scoring, Tenths};

use super::matches::Teams;
use super::text::undecoded;
use super::trf_problem::what_of;
use super::{Asked, Earlier, Format, Game, Sheet, Unreadable, What};
use super::{all_played, matches, no_pairing, seen, to_play};
use crate::code::ResultCode;
use crate::details::is_birth;
use crate::model::{Details, Player, Worth};
use crate::what;

/// Those who play, and nothing of who plays whom.
pub(super) fn players(bytes: &[u8]) -> Result<Sheet, Unreadable> {
    let document = Document::parse(bytes).map_err(|e| Unreadable::one(1, 1, undecoded(&e)))?;
    let listed = document.players().map_err(told)?;
    let mut wrong = Unreadable(Vec::new());
    look_at_names(&listed, &mut wrong);
    wrong.0.extend(told(document.disagreeing_worths()).0);
    let mut sheet = Sheet::empty(Format::Trf);
    sheet.details = details(&document);
    sheet.says_worth = says_worth(&document);
    sheet.players = listed.iter().map(player).collect();
    sheet.lines = listed.iter().map(|player| player.line).collect();
    sheet.asked = asked(&document, &listed)?;
    Teams::listed(&document, &listed, &mut wrong)?.into_sheet(&mut sheet);
    if !sheet.teams.is_empty() {
        sheet.asked_teams = matches::all_byes(&document)?;
    }
    wrong.unless(sheet)
}

/// By round: who has asked for which bye. What is wrong with the byes of one round is no matter of
/// another.
fn asked(document: &Document, listed: &[chess_trf::Player]) -> Result<Asked, Unreadable> {
    let played = listed.iter().map(|player| player.rounds.len()).max();
    let told = document.byes().map_err(told)?;
    let told = told.iter().map(|byes| usize::from(byes.round));
    let told = told.filter(|round| *round > 0);
    let rounds: BTreeSet<usize> = (1..=played.unwrap_or(0)).chain(told).collect();
    let of_round = |round: usize| {
        let byes = byes(document, listed, round)?;
        let asked = listed.iter().filter_map(|player| {
            let cell = player.round(round);
            let code = cell.code.or(byes.get(&player.number).copied())?;
            let is_asked = [Code::HalfPointBye, Code::FullPointBye, Code::ZeroPointBye];
            let counts = cell.opponent.is_none() && is_asked.contains(&code);
            counts.then_some((player.number, ResultCode(code)))
        });
        Ok(asked.collect())
    };
    let numbered = rounds.into_iter();
    Ok(numbered
        .filter_map(|round| Some((u16::try_from(round).ok()?, of_round(round))))
        .collect())
}

pub(super) fn read(bytes: &[u8], round: Option<u16>) -> Result<Sheet, Unreadable> {
    let document = Document::parse(bytes).map_err(|e| Unreadable::one(1, 1, undecoded(&e)))?;
    let listed = document.players().map_err(told)?;
    let wanted = match round {
        Some(round) => Some(usize::from(round)),
        None => round_to_play(&listed).map_err(|what| Unreadable::one(1, 1, what))?,
    };
    let Some(number) = wanted.filter(|number| *number > 0) else {
        return Err(Unreadable::one(1, 1, all_played()));
    };
    let mut wrong = Unreadable(Vec::new());
    look_at_names(&listed, &mut wrong);
    let mut pairs = chess_trf::pairings(&listed, number).map_err(told)?;
    chess_trf::in_table_order(&mut pairs, &listed, &document.scoring(), number);
    let mut teams = matches::read(&document, &listed, number, &mut pairs, &mut wrong)?;
    let byes = byes(&document, &listed, number)?;
    kinds_of_lines(&document, &mut wrong);
    wrong.0.extend(told(document.disagreeing_worths()).0);
    let blank = |player: &chess_trf::Player| {
        let cell = player.round(number);
        cell.opponent.is_none() && cell.code.is_none()
    };
    if pairs.is_empty() && byes.is_empty() && listed.iter().all(blank) {
        return Err(Unreadable::one(1, 1, no_pairing(number)));
    }
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
            start: None,
            start_line: None,
        });
    }
    for (white, player) in listed.iter().enumerate() {
        let mut cell = player.round(number);
        if cell.opponent.is_some() {
            continue;
        }
        if cell.code.is_none() && !byes.contains_key(&player.number) {
            sheet.absent.push(player.number);
        }
        cell.code = cell.code.or(byes.get(&player.number).copied());
        let code = alone(cell).unwrap_or_else(|code| {
            wrong.add(player.line, 99 + 10 * (number - 1), is_of_game(code));
            code
        });
        sheet.games.push(Game {
            line: player.line,
            table: None,
            white,
            black: None,
            codes: Some([ResultCode(code); 2]),
            start: None,
            start_line: None,
        });
    }
    let dates = document.event().round_dates;
    sheet.date = dates.get(number - 1).cloned().unwrap_or_default();
    sheet.details = details(&document);
    sheet.says_worth = says_worth(&document);
    sheet.players = listed.iter().map(player).collect();
    sheet.lines = listed.iter().map(|player| player.line).collect();
    sheet.round = u16::try_from(number).ok();
    sheet.team_byes = teams.byes.take();
    teams.into_sheet(&mut sheet);
    pass_over(&document, &listed, number, &mut sheet)?;
    sheet.other_points = other_points(&listed, &document.scoring());
    sheet.earlier = earlier(&listed, number, &mut sheet);
    for (round, wrong) in matches::wrong_before(&document, &listed, number) {
        for fault in wrong.0 {
            sheet.tell(fault.of_round_before(round));
        }
    }
    sheet.is_ordered_here = true;
    wrong.unless(sheet)
}

/// The round with games that are to be played.
fn round_to_play(listed: &[chess_trf::Player]) -> Result<Option<usize>, What> {
    let last = listed.iter().map(|player| player.rounds.len()).max();
    let open = |round: usize| {
        let cells = listed.iter().map(|player| player.round(round));
        let paired = cells.filter(|cell| cell.opponent.is_some());
        (round, paired.map(|cell| cell.is_open()).collect())
    };
    let rounds: Vec<(usize, Vec<bool>)> = (1..=last.unwrap_or(0)).map(open).collect();
    to_play(&rounds)
}

/// Tells of what nothing is made, or less than it may say.
fn pass_over(
    document: &Document,
    listed: &[chess_trf::Player],
    number: usize,
    sheet: &mut Sheet,
) -> Result<(), Unreadable> {
    let lines = document.without_code(number);
    for player in listed.iter().filter(|player| lines.contains(&player.line)) {
        let chess_trf::Player {
            line, number: who, ..
        } = player;
        let column = 99 + 10 * (number - 1);
        let what = what!(
            "no-cell",
            "number {number} has no opponent and no result: is the line cut?",
            number = who
        );
        sheet.pass_over(*line, column, what);
    }
    for player in listed {
        let birth = player.birth.as_deref().unwrap_or_default();
        if !is_birth(birth) {
            let what = what!(
                "no-birth",
                "`{found}` is no day of birth: unless it has a year, the age of number {number} is \
                 not known, and only a mark shortens the name",
                found = birth,
                number = player.number
            );
            sheet.pass_over(player.line, 70, what);
        }
    }
    for Complaint {
        line,
        column,
        problem,
    } in document.overlooked()
    {
        let text = format!("{problem}: nothing is made of it");
        sheet.pass_over(line, column, what_of(&problem).within("unused", &[], text));
    }
    for (line, tag) in document.unknown() {
        let what = what!(
            "unused-lines",
            "nothing is made of lines `{tag}`",
            tag = tag
        );
        sheet.pass_over(line, 1, what);
    }
    for tag in ["240", "299", "320"] {
        let is_counted = match tag {
            "240" => sheet.team_byes.is_some() || document.teams().map_err(told)?.is_empty(),
            "320" => sheet.team_byes.is_some(),
            _ => false,
        };
        for line in document.lines_of(tag).into_iter().filter(|_| !is_counted) {
            let what = match tag {
                "299" => what!(
                    "uncounted-corrections",
                    "corrections of points are not counted"
                ),
                _ => what!("uncounted-byes", "byes of teams are not counted"),
            };
            sheet.pass_over(line, 1, what);
        }
    }
    Ok(())
}

fn look_at_names(listed: &[chess_trf::Player], wrong: &mut Unreadable) {
    for player in listed {
        if player.name.is_empty() {
            wrong.add(player.line, 15, what!("nameless", "the name is missing"));
        } else if let Some(what) = seen::wrong_with(&player.name) {
            wrong.add(player.line, 15, what);
        }
    }
}

/// A letter in the place of a digit hides a whole line.
fn kinds_of_lines(document: &Document, wrong: &mut Unreadable) {
    for (line, tag) in document.unknown() {
        let digits: String = tag.chars().map(as_digit).collect();
        if digits != tag && chess_trf::is_known_tag(&digits) {
            let what = what!(
                "no-lines",
                "`{tag}` is no kind of line: is it `{digits}`?",
                tag = tag,
                digits = digits
            );
            wrong.add(line, 1, what);
        }
    }
}

fn as_digit(c: char) -> char {
    match c {
        'O' | 'o' => '0',
        'I' | 'l' => '1',
        other => other,
    }
}

/// Who is not to be paired in a round, and has what for it. In a file with teams these are theirs.
fn byes(
    document: &Document,
    listed: &[chess_trf::Player],
    round: usize,
) -> Result<HashMap<u16, Code>, Unreadable> {
    if !document.teams().map_err(told)?.is_empty() {
        return Ok(HashMap::new());
    }
    let byes = document.byes().map_err(told)?;
    let of_round = byes.iter().filter(|byes| usize::from(byes.round) == round);
    let (mut each, mut wrong) = (HashMap::new(), Unreadable(Vec::new()));
    let each_of = |byes: &'_ chess_trf::Byes| {
        let placed = byes.numbers.clone().into_iter().zip((11..).step_by(5));
        let (line, code) = (byes.line, byes.code);
        placed.map(move |(number, column)| (line, code, number, column))
    };
    for (line, its, number, column) in of_round.flat_map(each_of) {
        let player = listed.iter().find(|player| player.number == number);
        let opponent = player.and_then(|player| player.round(round).opponent);
        let what = match (player, opponent) {
            (None, _) => what!(
                "trf-no-player",
                "number {number} is not in the file",
                number = number
            ),
            (Some(_), Some(other)) => what!(
                "bye-paired",
                "number {number} is paired with {other}",
                number = number,
                other = other
            ),
            (Some(_), None) => match each.insert(number, its) {
                Some(before) if before != its => what!(
                    "bye-twice",
                    "number {number} has `{code}` for it as well",
                    number = number,
                    code = before.char()
                ),
                _ => continue,
            },
        };
        wrong.add(line, column, what);
    }
    wrong.unless(each)
}

/// What each whom a file pairs with nobody in a round has for it. In a round of which it says
/// something, nothing said of somebody is his absence.
pub(crate) fn alone_in(
    document: &Document,
    listed: &[chess_trf::Player],
    round: usize,
) -> HashMap<u16, Code> {
    let nothing = Cell::default();
    let has_round = listed.iter().any(|player| player.round(round) != nothing);
    let byes = byes(document, listed, round).unwrap_or_default();
    let code = |player: &chess_trf::Player| {
        let mut cell = player.round(round);
        cell.code = cell.code.or(byes.get(&player.number).copied());
        let is_said = cell.opponent.is_none() && (has_round || cell.code.is_some());
        let code = alone(cell).ok().filter(|_| is_said);
        code.map(|code| (player.number, code))
    };
    listed.iter().filter_map(code).collect()
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

/// The games of the rounds before this one, and their byes. What is wrong there is told, and no
/// reason to refuse the round that is drawn.
fn earlier(listed: &[chess_trf::Player], round: usize, sheet: &mut Sheet) -> Vec<Earlier> {
    let mut earlier = Vec::new();
    for (number, at) in (1..round).zip(1_u16..) {
        let (pairs, wrong) = chess_trf::sound_pairings(listed, number);
        for Complaint {
            line,
            column,
            problem,
        } in wrong.0
        {
            let whose = listed.iter().find(|player| player.line == line);
            let whose = whose.map_or(0, |player| player.number);
            sheet.pass_over(line, column, of_round(at, whose, what_of(&problem)));
        }
        earlier.extend(pairs.iter().filter_map(|pair| {
            Some(Earlier {
                round: at,
                white: pair.white,
                black: Some(pair.black),
                is_coloured: pair.coloured,
                codes: codes(pair)?,
            })
        }));
        let byes = listed.iter().filter_map(|player| {
            let code = earlier_bye(player, at, sheet)?;
            Some(Earlier {
                round: at,
                white: player.number,
                black: None,
                is_coloured: false,
                codes: [ResultCode(code); 2],
            })
        });
        earlier.extend(byes);
    }
    earlier
}

/// What somebody had for an earlier round without an opponent. A blank says nothing.
fn earlier_bye(player: &chess_trf::Player, round: u16, sheet: &mut Sheet) -> Option<Code> {
    let (cell, line, number) = (player.round(round.into()), player.line, player.number);
    let first = 92 + 10 * (usize::from(round) - 1);
    if cell.opponent.is_some() {
        return None;
    }
    let code = match alone(cell) {
        Ok(code) => code,
        Err(code) => {
            sheet.pass_over(line, first + 7, of_round(round, number, is_of_game(code)));
            return None;
        }
    };
    if cell.colour.is_some() {
        let what = what!("colour-alone", "a colour, and no opponent");
        sheet.pass_over(line, first + 5, of_round(round, number, what));
    }
    cell.code.is_some().then_some(code)
}

/// Something that is wrong with a player in a round before.
fn of_round(round: u16, number: u16, what: What) -> What {
    let text = format!("round {round}, number {number}: {what}; nothing is made of it");
    let with = [
        ("in-round", round.to_string()),
        ("of-number", number.to_string()),
    ];
    what.within("of-round", &with, text)
}

fn is_of_game(code: Code) -> What {
    what!(
        "game-code",
        "`{code}` is a result of a game, and there is no opponent",
        code = code.char()
    )
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

/// Whether what games are worth is said so that it is understood, and what matches are.
fn says_worth(document: &Document) -> [bool; 2] {
    let odd = document.overlooked();
    let is_odd = |line: &usize| {
        let mut odd = odd.iter().filter(|odd| odd.line == *line);
        odd.any(|odd| matches!(odd.problem, Problem::Worth(_)))
    };
    let says = |tags: &[&str]| {
        let mut lines = tags
            .iter()
            .flat_map(|tag| document.lines_of(tag))
            .peekable();
        lines.peek().is_some() && !lines.any(|line| is_odd(&line))
    };
    let of_games = ["162", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBU"];
    [says(&of_games), says(&["362"])]
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
            what_of(&complaint.problem),
        );
    }
    wrong
}
