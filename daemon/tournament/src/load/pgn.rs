//! Games without moves, as pairing programs write them for broadcasts: the tags say who plays whom
//! where. The tag `Round` is `5`, `5.12` or `5.12.3`: round, table, and board of a team's match.

use std::collections::HashMap;

use super::{Format, Game, Sheet, Unreadable};
use crate::code::ResultCode;
use crate::model::{Details, Player};

/// The tags of one game, each with its line.
#[derive(Default)]
struct Tags {
    line: usize,
    values: HashMap<String, (usize, String)>,
}

impl Tags {
    /// What a tag says; unknown is nothing.
    fn get(&self, name: &str) -> &str {
        let value = self.values.get(name).map_or("", |(_, value)| value.trim());
        if value == "?" || value == "-" {
            ""
        } else {
            value
        }
    }

    fn line_of(&self, name: &str) -> usize {
        self.values.get(name).map_or(self.line, |(line, _)| *line)
    }
}

pub(super) fn read(text: &str, wanted: Option<u16>) -> Result<Sheet, Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    let all = games(text, &mut wrong);
    let mut rounds: Vec<(Option<u16>, Option<u16>)> = Vec::new();
    for tags in &all {
        rounds.push(round_and_table(tags, &mut wrong));
    }
    let round = match wanted.map_or_else(|| round_to_play(&all, &rounds), |n| Ok(Some(n))) {
        Ok(round) => round,
        Err(text) => return Err(Unreadable::one(1, 1, text)),
    };
    let mut sheet = Sheet {
        format: Format::Pgn,
        details: Details::default(),
        players: Vec::new(),
        round,
        date: String::new(),
        games: Vec::new(),
        is_ordered_here: false,
    };
    let of_round = all.iter().zip(rounds);
    for (tags, (its_round, table)) in of_round {
        if its_round.is_none() || its_round == round {
            take(&mut sheet, tags, table, &mut wrong);
        }
    }
    wrong.unless(sheet)
}

/// The games' tags. A game begins where a tag follows a line that is none, or where `Event` comes
/// again.
fn games(text: &str, wrong: &mut Unreadable) -> Vec<Tags> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let (mut games, mut in_tags): (Vec<Tags>, bool) = (Vec::new(), false);
    for (line, written) in (1..).zip(text.lines()) {
        let trimmed = written.trim();
        let could_be = trimmed.starts_with('[') && !trimmed.starts_with("[%");
        match tag(trimmed) {
            Some((name, value)) => {
                let again = games
                    .last()
                    .is_some_and(|game| game.values.contains_key(&name));
                if !in_tags || (again && name == "Event") {
                    games.push(Tags {
                        line,
                        ..Tags::default()
                    });
                } else if again {
                    wrong.add(line, 1, format!("the tag `{name}` is there twice"));
                }
                if let Some(game) = games.last_mut() {
                    game.values.entry(name).or_insert((line, value));
                }
                in_tags = true;
            }
            None if could_be && (in_tags || games.is_empty()) => {
                let column = written.chars().take_while(|c| c.is_whitespace()).count() + 1;
                wrong.add(line, column, format!("`{trimmed}` is no tag"));
            }
            None if !trimmed.is_empty() => in_tags = false,
            None => {}
        }
    }
    games
}

/// A tag's name and value: `[Name "value"]`, with `\"` and `\\` in it.
fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, rest) = inner.split_once(char::is_whitespace)?;
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let quoted = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    let value = quoted.replace("\\\"", "\"").replace("\\\\", "\\");
    (!name.is_empty() && name.chars().all(legal)).then(|| (name.to_owned(), value))
}

/// Round and table of a game.
fn round_and_table(tags: &Tags, wrong: &mut Unreadable) -> (Option<u16>, Option<u16>) {
    let written = tags.get("Round");
    let mut parts = written
        .split('.')
        .map(|part| part.trim().parse::<u16>().ok());
    let round = parts.next().flatten().filter(|round| *round > 0);
    if round.is_none() && !written.is_empty() {
        let line = tags.line_of("Round");
        wrong.add(
            line,
            1,
            format!("`{written}` is no round, and no round and table"),
        );
    }
    let by_tag = ["Table", "Board", "MatchBoard"];
    let mut tables = by_tag
        .into_iter()
        .filter_map(|name| tags.get(name).parse().ok());
    let table = parts.next().flatten().or_else(|| tables.next());
    (round, table.filter(|table| *table > 0))
}

/// The round of which no game has a result; asked for where there are several.
fn round_to_play(
    all: &[Tags],
    rounds: &[(Option<u16>, Option<u16>)],
) -> Result<Option<u16>, String> {
    let mut drawn: Vec<u16> = rounds.iter().filter_map(|(round, _)| *round).collect();
    drawn.sort_unstable();
    drawn.dedup();
    let is_open = |round: &u16| {
        let mut games = all
            .iter()
            .zip(rounds)
            .filter(|(_, (of, _))| of == &Some(*round));
        games.any(|(tags, _)| matches!(tags.get("Result"), "*" | ""))
    };
    let open: Vec<u16> = drawn.iter().copied().filter(is_open).collect();
    match (&open[..], &drawn[..]) {
        ([one], _) | ([], [one]) => Ok(Some(*one)),
        ([], []) => Ok(None),
        _ => {
            let of = if open.is_empty() { &drawn } else { &open };
            let names: Vec<String> = of.iter().map(u16::to_string).collect();
            Err(format!(
                "rounds {} are in it: say which is wanted",
                names.join(", ")
            ))
        }
    }
}

/// Takes what the tags of one game say.
fn take(sheet: &mut Sheet, tags: &Tags, table: Option<u16>, wrong: &mut Unreadable) {
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
    sheet.players.push(white);
    sheet.players.extend(has_opponent.then_some(black));
    let bye = || Some([ResultCode(chess_trf::Code::PairingBye); 2]);
    sheet.games.push(Game {
        line: tags.line,
        table: table.filter(|_| has_opponent),
        white: place,
        black: has_opponent.then_some(place + 1),
        codes: if has_opponent {
            ResultCode::both(tags.get("Result"))
        } else {
            bye()
        },
    });
}

fn is_nobody(name: &str) -> bool {
    let name = name.to_lowercase();
    ["", "bye", "spielfrei", "exempt", "n.n."].contains(&name.as_str())
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
