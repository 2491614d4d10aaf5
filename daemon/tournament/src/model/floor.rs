//! What happens on the floor of the hall: how the tables stand, what arbiters note, who leaves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Tournament;
use crate::refusal::Refusal;

/// How many tables one range of a layout has at most, less one.
const LONGEST_RANGE: u16 = 500;
/// The most seconds that are given at once: half an hour.
const MOST_SECONDS: u32 = 1800;
/// The longest layout, in bytes.
const LONGEST_LAYOUT: usize = 4000;

/// Something that an arbiter wrote down.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The round that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u16>,
    /// The table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<u16>,
    /// The game; empty where it is about none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub game: String,
    /// The incident; empty where it is about none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub incident: String,
    /// The starting numbers of the players whom it is about: at a table both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<u16>,
    /// What was written.
    pub text: String,
    /// A picture: the SHA-256 of its bytes, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<String>,
    /// Who wrote it; empty where nobody said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// When, in RFC 3339.
    pub at: String,
}

/// A time for which a player was out of the hall.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Break {
    /// The round.
    pub round: u16,
    /// The player's starting number.
    pub player: u16,
    /// When he left, in RFC 3339.
    pub left: String,
    /// When he came back; `None` while he is out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
    /// Whether he had the move when he left, as the record had it; `None` where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub having_move: Option<bool>,
}

/// Games that were stopped at many tables at once, such as for a fire alarm, or went on again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Halt {
    /// They were stopped; else they went on.
    pub stops: bool,
    /// Where.
    pub boards: Vec<Halted>,
    /// Who said so; empty where nobody said who he is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// When, in RFC 3339.
    pub at: String,
}

/// A board at which a game was stopped, or went on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Halted {
    /// The board's id.
    pub board: String,
    /// The table on which it stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<u16>,
    /// The game.
    pub game: String,
    /// The order by which it was stopped: it goes on with the others only while no other one has
    /// stopped it since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
}

/// Time that an arbiter gave both players of a table, such as after a disturbance (Article 12.5).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenTime {
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u16,
    /// How many seconds each.
    pub seconds: u32,
    /// Why.
    pub reason: String,
    /// Who gave it; empty where nobody said who he is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// When, in RFC 3339.
    pub at: String,
}

/// The rows of a layout, each with its tables from left to right; `None` where it is none.
pub fn rows(layout: &str) -> Option<Vec<Vec<u16>>> {
    if layout.len() > LONGEST_LAYOUT {
        return None;
    }
    let lines = layout.split(['/', '\n']).map(str::trim);
    let rows: Option<Vec<_>> = lines.filter(|line| !line.is_empty()).map(row).collect();
    rows.filter(|rows| !rows.is_empty())
}

fn row(line: &str) -> Option<Vec<u16>> {
    let line = line.replace('–', "-");
    let ends: Vec<&str> = line.split('-').map(str::trim).collect();
    let line = ends.join("-");
    let parts = line.split([',', ';', ' ', '\t']);
    let ranges: Option<Vec<_>> = parts.filter(|part| !part.is_empty()).map(range).collect();
    Some(ranges?.concat())
}

fn range(part: &str) -> Option<Vec<u16>> {
    let (from, to) = part.split_once('-').unwrap_or((part, part));
    let number = |text: &str| text.parse::<u16>().ok().filter(|table| *table > 0);
    let (from, to) = (number(from)?, number(to)?);
    if from.abs_diff(to) > LONGEST_RANGE {
        return None;
    }
    Some(match from <= to {
        true => (from..=to).collect(),
        false => (to..=from).rev().collect(),
    })
}

impl Tournament {
    /// The table of a round at which a player sits; `None` for a bye.
    ///
    /// # Errors
    /// Where he does not play in it.
    pub fn table_of_player(&self, round: u16, player: u16) -> Result<Option<u16>, Refusal> {
        let drawn = self.rounds.get(&round).ok_or(Refusal::NoRound(round))?;
        let mut pairings = drawn.pairings.iter();
        let found = pairings.find(|p| p.white == player || p.black == Some(player));
        let found = found.ok_or(Refusal::NotInRound { round, player })?;
        Ok(found.table)
    }

    pub(super) fn lay_out(&mut self, layout: &str) -> Result<(), Refusal> {
        let layout = layout.trim();
        if !layout.is_empty() && rows(layout).is_none() {
            return Err(Refusal::NoLayout(layout.to_owned()));
        }
        layout.clone_into(&mut self.layout);
        Ok(())
    }

    pub(super) fn note(&mut self, note: &Note) -> Result<(), Refusal> {
        if note.text.trim().is_empty() && note.photo.is_none() {
            return Err(Refusal::Empty("the text of the note"));
        }
        let unknown = |number: &&u16| !self.players.contains_key(number);
        if let Some(number) = note.about.iter().find(unknown) {
            return Err(Refusal::NoPlayer(*number));
        }
        match (note.round, note.table) {
            (Some(round), Some(table)) => _ = self.pairing(round, table)?,
            (Some(round), None) if !self.rounds.contains_key(&round) => {
                return Err(Refusal::NoRound(round));
            }
            _ => {}
        }
        let says_of = [&note.game, &note.incident].iter().any(|s| !s.is_empty());
        if !says_of && note.about.is_empty() && note.table.is_none() {
            return Err(Refusal::Empty("what the note is about"));
        }
        self.notes.push(note.clone());
        Ok(())
    }

    pub(super) fn leave(
        &mut self,
        (round, player): (u16, u16),
        at: &str,
        having_move: Option<bool>,
    ) -> Result<(), Refusal> {
        let table = self.table_of_player(round, player)?;
        let table = table.ok_or(Refusal::NotInRound { round, player })?;
        self.is_played(round, table)?;
        if self.out(round, player).is_some() {
            return Err(Refusal::Out(player));
        }
        self.breaks.push(Break {
            round,
            player,
            left: at.to_owned(),
            back: None,
            having_move,
        });
        Ok(())
    }

    pub(super) fn come_back(&mut self, round: u16, player: u16, at: &str) -> Result<(), Refusal> {
        let out = self.out(round, player).ok_or(Refusal::NotOut(player))?;
        out.back = Some(at.to_owned());
        Ok(())
    }

    /// Of two that began in one moment the later one goes.
    pub(super) fn take_break_back(
        &mut self,
        (round, player): (u16, u16),
        left: &str,
    ) -> Result<(), Refusal> {
        let is_it = |b: &Break| (b.round, b.player) == (round, player) && b.left == left;
        let place = self.breaks.iter().rposition(is_it);
        let place = place.ok_or(Refusal::NoBreak { round, player })?;
        self.breaks.remove(place);
        Ok(())
    }

    pub(super) fn halt(&mut self, halt: &Halt) -> Result<(), Refusal> {
        if halt.boards.is_empty() {
            return Err(Refusal::Empty("a board"));
        }
        self.halts.push(halt.clone());
        Ok(())
    }

    pub(super) fn give_time(&mut self, given: &GivenTime) -> Result<(), Refusal> {
        let (round, table) = (given.round, given.table);
        let pairing = self.pairing(round, table)?;
        if pairing.is_bye() {
            return Err(Refusal::Empty("an opponent"));
        }
        if pairing.is_settled() {
            return Err(Refusal::Confirmed { round, table });
        }
        if !(1..=MOST_SECONDS).contains(&given.seconds) {
            return Err(Refusal::NoTime(given.seconds));
        }
        if given.reason.trim().is_empty() {
            return Err(Refusal::Empty("the reason"));
        }
        self.times.push(given.clone());
        Ok(())
    }

    pub(super) fn take_time_back(
        &mut self,
        round: u16,
        table: u16,
        at: &str,
    ) -> Result<(), Refusal> {
        let is_it = |one: &GivenTime| (one.round, one.table) == (round, table) && one.at == at;
        let place = self.times.iter().rposition(is_it);
        let place = place.ok_or(Refusal::NoTimeGiven { round, table })?;
        self.times.remove(place);
        Ok(())
    }

    /// How a game was stopped with others, where it has not gone on with them since.
    pub fn halted(&self, game: &str) -> Option<&Halted> {
        let of = |halt: &'_ Halt| halt.boards.iter().position(|board| board.game == game);
        let mut halts = self.halts.iter().rev();
        let (halt, n) = halts.find_map(|halt| Some((halt, of(halt)?)))?;
        halt.boards.get(n).filter(|_| halt.stops)
    }

    fn out(&mut self, round: u16, player: u16) -> Option<&mut Break> {
        let mut breaks = self.breaks.iter_mut();
        breaks.find(|b| (b.round, b.player) == (round, player) && b.back.is_none())
    }
}
