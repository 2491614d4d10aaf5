//! The report file that was loaded, with the results filled in and every other byte as it was.

use chess_trf::{Complaint, Document, UnreadableText};

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
    for pairing in drawn.pairings.iter().filter(|pairing| !pairing.is_bye()) {
        let Some([white, black]) = pairing.settled() else {
            continue;
        };
        let sides = [(Some(pairing.white), white), (pairing.black, black)];
        for (player, code) in sides {
            if let Some(player) = player {
                document.set_result(player, usize::from(round), code.0)?;
            }
        }
    }
    Ok(document.to_bytes())
}
