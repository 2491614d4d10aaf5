//! The report file that was loaded, with the results filled in and every other byte as it was.

use std::collections::BTreeSet;

use chess_trf::{
    Cell, Code, Colour, Complaint, Complaints, Document, NewPlayer, Player, UnreadableText,
};

use super::teams;
use crate::load;
use crate::model::{Pairing, Round, Tournament};
use crate::refusal::Refusal;

/// Why results cannot be filled in.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrfError {
    /// The round is not there.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The file is no text.
    #[error(transparent)]
    Unreadable(#[from] UnreadableText),
    /// The file has no such player or game.
    #[error(transparent)]
    Complaint(#[from] Complaint),
    /// Something in the file cannot be understood.
    #[error(transparent)]
    Complaints(#[from] Complaints),
}

/// A report file with the results of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filled {
    /// The file.
    pub bytes: Vec<u8>,
    /// Tables that the file paired otherwise: their pairings were written into it.
    pub redrawn: Vec<u16>,
    /// Players whom the file did not have: they came later, and a line of each was added.
    pub added: Vec<u16>,
    /// Those of them whose names were longer than the 33 characters that a line has for one.
    pub cut: Vec<u16>,
    /// Players of whom the file had another result or another bye, or an opponent and they have
    /// none any more.
    pub altered: Vec<u16>,
}

/// Fills the results of a round into a report file: column 99 of its first round, and so on.
/// Pairings, byes and results that are others than the file's are put right, and told; rounds that
/// were missed before get the sign of an absence. Nothing else is touched: who was never drawn here
/// stays as in the file.
///
/// # Errors
/// Where the file is none of this tournament.
pub fn trf(tournament: &Tournament, round: u16, file: &[u8]) -> Result<Filled, TrfError> {
    let drawn = tournament
        .rounds
        .get(&round)
        .ok_or(Refusal::NoRound(round))?;
    let mut document = Document::parse(file)?;
    let said = document.players()?;
    let (matches, _) = load::matches(&document, round)?.unwrap_or_default();
    let (added, cut) = add_late(&mut document, tournament, &drawn.pairings)?;
    for pairing in drawn.pairings.iter().filter(|p| !p.is_bye()) {
        pairing
            .players()
            .for_each(|player| document.take_bye(player, round));
    }
    let column = usize::from(round);
    let (redrawn, mut altered) = put_right(&mut document, drawn, column)?;
    for pairing in &drawn.pairings {
        altered.extend(set_result(&mut document, &said, column, pairing)?);
    }
    fill_missed(&mut document, tournament, round, &said, &added)?;
    teams::take_absences(&mut document, drawn, round)?;
    teams::add_members(&mut document, tournament, drawn)?;
    teams::put_right(&mut document, drawn, round, &matches)?;
    altered.sort_unstable();
    altered.dedup();
    Ok(Filled {
        bytes: document.to_bytes(),
        redrawn,
        added,
        cut,
        altered,
    })
}

/// Writes the result of a pairing, where it has one, and takes out of the file one that was
/// withdrawn here. Gives those of whom the file had another.
fn set_result(
    document: &mut Document,
    said: &[Player],
    column: usize,
    pairing: &Pairing,
) -> Result<Vec<u16>, TrfError> {
    let mut altered = Vec::new();
    let Some(other) = pairing.black else {
        return Ok(altered);
    };
    let before = |number: u16| {
        let before = said.iter().find(|player| player.number == number);
        let before = before.map(|player| player.round(column));
        before.filter(|cell| cell.opponent.is_some() && !cell.is_open())
    };
    let both = [pairing.white, other];
    let Some(codes) = pairing.settled() else {
        let has_none = pairing.outcome.is_none() && pairing.withdrawn;
        for number in both.into_iter().filter(|_| has_none) {
            let cell = document.players()?.into_iter().find(|p| p.number == number);
            let cell = cell.map(|player| player.round(column)).unwrap_or_default();
            if before(number).is_some() && cell.opponent.is_some() {
                document.set_cell(number, column, Cell { code: None, ..cell })?;
                altered.push(number);
            }
        }
        return Ok(altered);
    };
    for (number, code) in both.into_iter().zip(codes) {
        let before = before(number);
        let is_other = |cell: Cell| cell.code.is_some_and(|said| said != code.0);
        altered.extend(before.filter(|cell| is_other(*cell)).map(|_| number));
        document.set_result(number, column, code.0)?;
    }
    Ok(altered)
}

/// Adds those who are paired and not in the file, by their numbers.
fn add_late(
    document: &mut Document,
    tournament: &Tournament,
    pairings: &[Pairing],
) -> Result<(Vec<u16>, Vec<u16>), TrfError> {
    let listed = document.players()?;
    let known: BTreeSet<u16> = listed.iter().map(|p| p.number).collect();
    let ranks = listed.iter().filter_map(|player| player.rank);
    let last = ranks.max().map_or(listed.len(), usize::from);
    let mut cut = Vec::new();
    let paired = pairings.iter().flat_map(Pairing::players);
    let late: BTreeSet<u16> = paired.filter(|number| !known.contains(number)).collect();
    let players = late
        .iter()
        .filter_map(|number| tournament.players.get(number));
    for (player, rank) in players.zip(last + 1..) {
        let new = NewPlayer {
            number: player.number,
            title: &player.title,
            name: &player.name,
            rating: player.rating,
            federation: &player.federation,
            fide_id: player.fide_id,
            birth: &player.birth,
            rank: u16::try_from(rank).unwrap_or(9999).min(9999),
        };
        document.add_player(&new)?;
        cut.extend(new.is_cut().then_some(player.number));
    }
    Ok((late.into_iter().collect(), cut))
}

/// Rounds before this one of which nothing is written, and which were missed: readers that pass
/// over blanks would take this round for an earlier one. Where the file had this round itself, its
/// blanks are its own.
fn fill_missed(
    document: &mut Document,
    tournament: &Tournament,
    round: u16,
    said: &[Player],
    added: &[u16],
) -> Result<(), TrfError> {
    let nothing = Cell::default();
    let column = usize::from(round);
    let had = |number: u16| {
        let mut said = said.iter();
        said.any(|player| player.number == number && player.round(column) != nothing)
    };
    for player in document.players()? {
        if player.round(column) == nothing || had(player.number) {
            continue;
        }
        let is_added = added.contains(&player.number);
        let mut cells = Vec::new();
        for missed in 1..round {
            let drawn = tournament.rounds.get(&missed);
            let is_known = is_added || drawn.is_some();
            let at = usize::from(missed);
            if !is_known || player.round(at) != nothing {
                continue;
            }
            let pairings = drawn.map_or(&[][..], |drawn| &drawn.pairings);
            let code = code_of_missed(pairings, player.number);
            cells.extend(code.map(|code| (at, without_opponent(code))));
        }
        document.set_cells(player.number, &cells)?;
    }
    Ok(())
}

/// What somebody had for a round that he missed; `None` where he was paired.
fn code_of_missed(pairings: &[Pairing], number: u16) -> Option<Code> {
    let mut his = pairings.iter();
    let his = his.find(|p| p.white == number || p.black == Some(number));
    match his {
        Some(pairing) if !pairing.is_bye() => None,
        Some(bye) => Some(bye.settled().map_or(Code::ZeroPointBye, |both| both[0].0)),
        None => Some(Code::ZeroPointBye),
    }
}

fn without_opponent(code: Code) -> Cell {
    Cell {
        code: Some(code),
        ..Cell::default()
    }
}

/// Writes the pairings of a round into a file that has others, or none yet. Tells the tables of
/// others, and those who had another bye, or an opponent and have none any more. Whom nobody has
/// drawn here, and whose opponent in the file neither, stay as they are there.
fn put_right(
    document: &mut Document,
    drawn: &Round,
    round: usize,
) -> Result<(Vec<u16>, Vec<u16>), TrfError> {
    let players = document.players()?;
    let said = |number: u16| {
        let mut players = players.iter();
        let player = players.find(|player| player.number == number);
        player.map(|player| player.round(round)).unwrap_or_default()
    };
    let alone = load::alone(document, &players, round);
    // A file of before the draw, such as the players of a list, pairs nobody otherwise.
    let mut opponents = players.iter().map(|player| player.round(round).opponent);
    let is_paired = opponents.any(|opponent| opponent.is_some());
    let is_same = |number: u16, cell: Cell| {
        let said = said(number);
        let is_bye = cell.opponent.is_none();
        said.opponent == cell.opponent
            && match is_bye {
                true => cell.code.is_none() || alone.get(&number).copied() == cell.code,
                // By forfeit some files have no colours.
                false => said.colour.is_none() || said.colour == cell.colour,
            }
    };
    let (mut redrawn, mut altered) = (Vec::new(), Vec::new());
    let mut touched = drawn.gone.clone();
    for pairing in &drawn.pairings {
        for (number, cell) in cells(pairing) {
            touched.insert(number);
            if !is_same(number, cell) {
                document.set_cell(number, round, cell)?;
                take_bye(document, number, round);
                redrawn.extend(pairing.table.filter(|_| is_paired));
                altered.extend(pairing.is_bye().then_some(number));
            }
        }
    }
    redrawn.dedup();
    let paired: BTreeSet<u16> = drawn.pairings.iter().flat_map(Pairing::players).collect();
    for player in players.iter().filter(|p| !paired.contains(&p.number)) {
        let opponent = player.round(round).opponent;
        let is_his = |other| touched.contains(&player.number) || touched.contains(&other);
        // He had one here, and has none any more.
        let bye = alone.get(&player.number).copied();
        let bye = bye.filter(|_| drawn.gone.contains(&player.number));
        let has_bye = bye.is_some_and(|code| code != Code::ZeroPointBye);
        if has_bye {
            take_bye(document, player.number, round);
        }
        if has_bye || opponent.is_some_and(is_his) {
            // A blank between others would be passed over.
            let is_last = player.rounds.len() <= round;
            let absent = without_opponent(Code::ZeroPointBye);
            let cell = if is_last { Cell::default() } else { absent };
            document.set_cell(player.number, round, cell)?;
            altered.push(player.number);
        }
    }
    Ok((redrawn, altered))
}

/// Takes a bye away that the file has beside the player's own line.
fn take_bye(document: &mut Document, number: u16, round: usize) {
    if let Ok(round) = u16::try_from(round) {
        document.take_bye(number, round);
    }
}

/// What a report file has to say of a pairing, of each player in it.
fn cells(pairing: &Pairing) -> impl Iterator<Item = (u16, Cell)> {
    let cell = |opponent: Option<u16>, colour| Cell {
        opponent,
        colour: opponent.map(|_| colour),
        code: match pairing.settled() {
            Some([code, _]) if pairing.is_bye() => Some(code.0),
            _ => None,
        },
    };
    let white = (pairing.white, cell(pairing.black, Colour::White));
    let black = |number| (number, cell(Some(pairing.white), Colour::Black));
    let black = pairing.black.map(black);
    [Some(white), black].into_iter().flatten()
}
