//! The report file that was loaded, with the results filled in and every other byte as it was.

use std::collections::BTreeSet;

use chess_trf::{Complaint, Complaints, Document, UnreadableText};

use crate::model::Tournament;
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
    /// The file pairs a player with another one: it is of before a change.
    #[error("the file does not pair number {one} with {other} in round {round}")]
    Another {
        /// White.
        one: u16,
        /// Black.
        other: u16,
        /// The round.
        round: u16,
    },
}

/// Fills the results of a round into a report file: column 99 of its first round, and so on.
///
/// # Errors
/// Where the file is none of this tournament.
pub fn trf(tournament: &Tournament, round: u16, file: &[u8]) -> Result<Vec<u8>, TrfError> {
    let drawn = tournament
        .rounds
        .get(&round)
        .ok_or(Refusal::NoRound(round))?;
    let mut document = Document::parse(file)?;
    let number = usize::from(round);
    let pairs = chess_trf::pairings(&document.players()?, number)?;
    let paired: BTreeSet<_> = pairs.iter().map(|pair| (pair.white, pair.black)).collect();
    for pairing in &drawn.pairings {
        let (Some(other), Some([white, black])) = (pairing.black, pairing.settled()) else {
            continue;
        };
        let one = pairing.white;
        if !paired.contains(&(one, other)) {
            return Err(TrfError::Another { one, other, round });
        }
        document.set_result(one, number, white.0)?;
        document.set_result(other, number, black.0)?;
    }
    Ok(document.to_bytes())
}
