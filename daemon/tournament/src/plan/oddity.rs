//! What can be used and should be looked at.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::{earlier, like, matches};
use crate::details::is_time_control;
use crate::load::{Fault, Sheet};
use crate::model::{Pairing, Player, Stage, Tournament};

/// Something that a person should look at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "odd", rename_all = "kebab-case")]
pub enum Oddity {
    /// The file has no numbers of tables: the order is that of the scores.
    TablesByScore,
    /// The file has no numbers of tables: they are counted in its order.
    TablesByOrder,
    /// The file has no numbers of tables: who was drawn against each other already stays at his
    /// table, and the others have the tables that became free.
    TablesStay,
    /// Something in the file of which nothing is made, or less than it may have said.
    PassedOver {
        /// The place.
        #[serde(flatten)]
        place: Fault,
    },
    /// Players of whom the file says nothing for the round: they are absent.
    Absent {
        /// Their starting numbers.
        players: Vec<u16>,
    },
    /// A player who is known by his name alone, and of whom the file says something else than what
    /// is known: perhaps it is another of that name.
    ByName {
        /// The starting number.
        player: u16,
        /// The name.
        name: String,
        /// What is another: `rating`, `team` ...
        differs: Vec<String>,
    },
    /// A time control that is none as PGN writes it. It stays as it is.
    OddTimeControl {
        /// As it is.
        written: String,
    },
    /// A round behind the last one that the event is to have.
    RoundBeyond {
        /// The round.
        round: u16,
        /// How many there are to be.
        rounds: u16,
    },
    /// A table without a board: its result is typed.
    NoBoard {
        /// The table.
        table: u16,
    },
    /// Two players have one name.
    SameName {
        /// The name.
        name: String,
        /// Their starting numbers.
        numbers: Vec<u16>,
    },
    /// A name with characters that are no part of names: brackets of markup, or signs that are not
    /// seen and turn the direction of what is. It stays as it is.
    OddName {
        /// The starting number.
        player: u16,
        /// The name.
        name: String,
    },
    /// Players whose points in the file are not those of their results in it. Corrections by the
    /// organiser, or a result that was changed and not counted anew.
    OtherPoints {
        /// Their starting numbers.
        players: Vec<u16>,
    },
    /// A game that has ended here otherwise than the file says. What is here stays.
    OtherResult {
        /// The table.
        table: u16,
        /// What the file says.
        said: String,
        /// What stands here.
        stands: String,
        /// A person has confirmed that; else it is only proposed.
        confirmed: bool,
    },
    /// A game of an earlier round that has ended here otherwise than the file says, or of which
    /// nobody has said here how it ended. What is here stays.
    OtherEarlier {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// What the file says.
        said: String,
        /// What stands here; `null`: nothing.
        stands: Option<String>,
    },
    /// A game of an earlier round in which the other player had White here. What is here stays.
    OtherColours {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// A player who had another bye in an earlier round than the file says, or none. What is here
    /// stays.
    OtherBye {
        /// The round.
        round: u16,
        /// The player's starting number.
        player: u16,
        /// What the file says.
        said: String,
        /// What stands here; `null`: he was paired, or there was nothing of him.
        stands: Option<String>,
    },
    /// A player who is entered anew, and has nearly the name of another whom the file does not
    /// name.
    LikeKnown {
        /// The new starting number.
        player: u16,
        /// The name.
        name: String,
        /// The other's starting number.
        other: u16,
        /// The other's name.
        known: String,
    },
    /// Games that belong to no match, in an event in which teams play each other: a team would have
    /// two opponents, or somebody is of no team.
    NoMatch {
        /// The tables.
        tables: Vec<u16>,
    },
    /// Results, or matches, are worth something else from now on: in rounds that are closed too.
    OtherWorth {
        /// Those rounds.
        rounds: Vec<u16>,
    },
    /// The same in an event without a closed round.
    NewWorth,
    /// A player in no pairing of the round.
    NotDrawn {
        /// The starting number.
        player: u16,
    },
}

/// For people, in English.
impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &[u16]| {
            let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
            numbers.join(", ")
        };
        match self {
            Oddity::TablesByScore => {
                write!(
                    f,
                    "the file has no tables: they are in the order of the scores"
                )
            }
            Oddity::TablesByOrder => {
                write!(f, "the file has no tables: they are in its order")
            }
            Oddity::TablesStay => write!(
                f,
                "the file has no tables: pairs stay at theirs, others have those that became free"
            ),
            Oddity::PassedOver { place } => write!(f, "{place}"),
            Oddity::Absent { players } => write!(
                f,
                "the file says nothing of players {} in this round: they are absent",
                list(players)
            ),
            Oddity::ByName {
                player,
                name,
                differs,
            } => write!(
                f,
                "{name} is taken for player {player} by the name alone, and the {} differs",
                differs.join(" and the ")
            ),
            Oddity::OddTimeControl { written } => {
                write!(f, "the time control `{written}` is none that PGN knows")
            }
            Oddity::RoundBeyond { round, rounds } => {
                write!(
                    f,
                    "the event is to have {rounds} rounds, and this is round {round}"
                )
            }
            Oddity::NoBoard { table } => write!(f, "table {table} has no board"),
            Oddity::SameName { name, numbers } => {
                write!(f, "{name} is the name of players {}", list(numbers))
            }
            Oddity::OtherPoints { players } => write!(
                f,
                "the points in the file are not those of the results in it: players {}",
                list(players)
            ),
            Oddity::OddName { player, name } => write!(
                f,
                "the name of player {player} has odd characters: {}",
                name.escape_debug()
            ),
            Oddity::OtherResult {
                table,
                said,
                stands,
                confirmed,
            } => write!(
                f,
                "table {table}: the file has {said}, here it is {stands}{}: that stays",
                if *confirmed { ", confirmed" } else { "" }
            ),
            Oddity::OtherEarlier {
                round,
                table,
                said,
                stands,
            } => write!(
                f,
                "round {round}, table {table}: the file has {said}, here it is {}: that stays",
                stands.as_deref().unwrap_or("open")
            ),
            Oddity::OtherColours { round, table } => write!(
                f,
                "round {round}, table {table}: the file has the colours the other way round: what \
                 is here stays"
            ),
            Oddity::OtherBye {
                round,
                player,
                said,
                stands,
            } => write!(
                f,
                "round {round}, player {player}: the file has the bye {said}, here it is {}: that \
                 stays",
                stands.as_deref().unwrap_or("none")
            ),
            Oddity::LikeKnown {
                player,
                name,
                other,
                known,
            } => write!(
                f,
                "{name} is new, with number {player}, and the file does not name {known}, who is \
                 number {other}: perhaps he is meant"
            ),
            Oddity::NoMatch { tables } => write!(
                f,
                "the games at tables {} belong to no match of teams: a team has two opponents, or \
                 a player is of no team",
                list(tables)
            ),
            Oddity::OtherWorth { rounds } => write!(
                f,
                "results or matches are worth something else from now on, in the closed rounds {} \
                 too",
                list(rounds)
            ),
            Oddity::NewWorth => {
                write!(f, "results or matches are worth something else from now on")
            }
            Oddity::NotDrawn { player } => write!(f, "player {player} is not drawn"),
        }
    }
}

/// `said` are the pairings as the file has them, `numbers` are those of its players; the tables are
/// `in_order` where they are the order of the games.
pub(super) fn oddities(
    before: &Tournament,
    after: &Tournament,
    round: u16,
    sheet: &Sheet,
    said: &[Pairing],
    numbers: &[u16],
    in_order: bool,
) -> Vec<Oddity> {
    let mut oddities = Vec::new();
    let has_tables = sheet.games.iter().any(|game| game.table.is_some());
    match (has_tables, sheet.is_ordered_here) {
        (true, _) => {}
        (false, _) if !in_order => oddities.push(Oddity::TablesStay),
        (false, true) => oddities.push(Oddity::TablesByScore),
        (false, false) => oddities.push(Oddity::TablesByOrder),
    }
    let passed_over = sheet.passed_over.iter().cloned();
    oddities.extend(passed_over.map(|place| Oddity::PassedOver { place }));
    if !sheet.absent.is_empty() {
        let players = sheet.absent.clone();
        oddities.push(Oddity::Absent { players });
    }
    oddities.extend(by_name(before, sheet, numbers));
    oddities.extend(like::newcomers(before, after, numbers));
    let written = &after.details.time_control;
    if !written.is_empty() && !is_time_control(written) {
        let written = written.clone();
        oddities.push(Oddity::OddTimeControl { written });
    }
    let rounds = after.details.rounds.filter(|rounds| *rounds < round);
    oddities.extend(rounds.map(|rounds| Oddity::RoundBeyond { round, rounds }));
    let pairings = after
        .rounds
        .get(&round)
        .map_or(&[][..], |round| &round.pairings);
    let tables = pairings.iter().filter_map(|pairing| pairing.table);
    // Where nobody has said where any board stands, and none is configured, all are typed.
    let knows_boards = after.bound || !after.boards.is_empty();
    let bare = tables.filter(|table| knows_boards && !after.boards.contains_key(table));
    oddities.extend(bare.map(|table| Oddity::NoBoard { table }));
    let mut names: BTreeMap<String, Vec<&Player>> = BTreeMap::new();
    for player in after.players.values() {
        names.entry(folded(&player.name)).or_default().push(player);
    }
    let twice = names.into_values().filter(|players| players.len() > 1);
    oddities.extend(twice.map(|players| Oddity::SameName {
        name: players[0].name.clone(),
        numbers: players.iter().map(|player| player.number).collect(),
    }));
    let odd = after.players.values().filter(|player| {
        let mut names = [&player.name, &player.team].into_iter();
        names.any(|name| name.contains(is_odd))
    });
    oddities.extend(odd.map(|player| Oddity::OddName {
        player: player.number,
        name: player.name.clone(),
    }));
    if !sheet.other_points.is_empty() {
        let players = sheet.other_points.clone();
        oddities.push(Oddity::OtherPoints { players });
    }
    oddities.extend(
        pairings
            .iter()
            .filter_map(|stands| other_result(stands, said)),
    );
    oddities.extend(earlier::others(before, sheet));
    let tables = matches::without_match(before, after, round);
    if !tables.is_empty() {
        oddities.push(Oddity::NoMatch { tables });
    }
    let closed = before.rounds.iter();
    let closed = closed.filter(|(_, drawn)| drawn.stage == Stage::Closed);
    let rounds: Vec<u16> = closed.map(|(number, _)| *number).collect();
    if before.details.worth != after.details.worth {
        let is_known = !before.rounds.is_empty();
        match rounds.is_empty() {
            false => oddities.push(Oddity::OtherWorth { rounds }),
            true if is_known => oddities.push(Oddity::NewWorth),
            true => {}
        }
    }
    let is_drawn = |number: &u16| {
        let mut drawn = pairings.iter();
        drawn.any(|pairing| pairing.white == *number || pairing.black == Some(*number))
    };
    let left = after.players.keys().filter(|number| !is_drawn(number));
    oddities.extend(left.map(|player| Oddity::NotDrawn { player: *player }));
    oddities
}

/// Whether two texts are one name but for case, blanks and signs.
pub fn is_one_name(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

/// A name without case, blanks and signs: spellings of one name are told as one.
pub(super) fn folded(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Players who were known before by their name alone, and of whom the file says something else.
fn by_name(before: &Tournament, sheet: &Sheet, numbers: &[u16]) -> Vec<Oddity> {
    let told = |(said, number): (&Player, &u16)| {
        let known = before.players.get(number)?;
        let is_known =
            said.number == *number || (said.fide_id.is_some() && said.fide_id == known.fide_id);
        let other = |is: bool, name: &str| is.then(|| name.to_owned());
        let text = |said: &str, known: &str| ![said, known].contains(&"") && said != known;
        let rating = said
            .rating
            .zip(known.rating)
            .is_some_and(|(said, known)| said != known);
        let differs: Vec<String> = [
            other(rating, "rating"),
            other(text(&said.title, &known.title), "title"),
            other(text(&said.federation, &known.federation), "federation"),
            other(text(&said.team, &known.team), "team"),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!is_known && !differs.is_empty()).then(|| Oddity::ByName {
            player: *number,
            name: known.name.clone(),
            differs,
        })
    };
    sheet.players.iter().zip(numbers).filter_map(told).collect()
}

/// A pairing whose result is another than the file's, in a form that the file has a sign for.
fn other_result(stands: &Pairing, said: &[Pairing]) -> Option<Oddity> {
    let table = stands.table?;
    let mut said = said.iter().filter(|said| said.is_same(stands));
    let said = said.find(|said| said.table == stands.table)?;
    (said.written()? != stands.written()?).then_some(())?;
    Some(Oddity::OtherResult {
        table,
        said: said.written()?,
        stands: stands.written()?,
        confirmed: stands.outcome.as_ref()?.confirmed,
    })
}

/// Whether a character is none of a name: `<` and `>`, marks of direction, blanks and letters that
/// are not seen, and the sign for what could not be read. Joiners belong to some scripts' names.
fn is_odd(c: char) -> bool {
    matches!(c,
        '<' | '>' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'
        | '\u{200e}' | '\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffd}' | '\u{e0000}'..='\u{e007f}')
}
