//! Results: proposed, confirmed, typed, corrected.

use super::{How, Outcome, Stage, Tournament};
use crate::code::ResultCode;
use crate::refusal::Refusal;

impl Tournament {
    pub(super) fn propose(
        &mut self,
        round: u16,
        table: u16,
        codes: [ResultCode; 2],
        how: How,
    ) -> Result<(), Refusal> {
        self.is_playable(round, table, codes)?;
        let pairing = self.pairing_mut(round, table)?;
        if pairing.outcome.as_ref().is_some_and(|o| o.confirmed) {
            return Err(Refusal::Confirmed { round, table });
        }
        pairing.withdrawn = false;
        pairing.outcome = Some(Outcome {
            codes,
            how,
            confirmed: false,
        });
        Ok(())
    }

    pub(super) fn decide(
        &mut self,
        round: u16,
        table: u16,
        codes: [ResultCode; 2],
        how: How,
        reason: &str,
    ) -> Result<(), Refusal> {
        self.is_playable(round, table, codes)?;
        let pairing = self.pairing_mut(round, table)?;
        let confirmed = pairing.outcome.as_ref().filter(|o| o.confirmed);
        if let Some(stands) = confirmed.filter(|_| reason.trim().is_empty()) {
            if stands.codes != codes {
                return Err(Refusal::NoReason { round, table });
            }
            // Typed once more, it is how it came before.
            if how == How::Typed {
                return Ok(());
            }
        }
        self.mark_late(round, table)?;
        let pairing = self.pairing_mut(round, table)?;
        pairing.withdrawn = false;
        pairing.outcome = Some(Outcome {
            codes,
            how,
            confirmed: true,
        });
        Ok(())
    }

    pub(super) fn confirm(&mut self, round: u16, table: u16) -> Result<(), Refusal> {
        if self.pairing_mut(round, table)?.outcome.is_none() {
            return Err(Refusal::NoResult { round, table });
        }
        self.mark_late(round, table)?;
        let outcome = self.pairing_mut(round, table)?.outcome.as_mut();
        outcome.ok_or(Refusal::NoResult { round, table })?.confirmed = true;
        Ok(())
    }

    pub(super) fn withdraw(&mut self, round: u16, table: u16, reason: &str) -> Result<(), Refusal> {
        let is_closed = self.round(round)?.stage == Stage::Closed;
        let pairing = self.pairing_mut(round, table)?;
        if is_closed && pairing.is_settled() && !pairing.postponed {
            return Err(Refusal::Closed(round));
        }
        let outcome = pairing.outcome.as_ref();
        let outcome = outcome.ok_or(Refusal::NoResult { round, table })?;
        if outcome.confirmed && reason.trim().is_empty() {
            return Err(Refusal::NoReason { round, table });
        }
        (pairing.outcome, pairing.withdrawn) = (None, true);
        Ok(())
    }

    /// What has no result in a closed round was postponed, also where it was resumed since: so it
    /// stands again when the result is withdrawn.
    fn mark_late(&mut self, round: u16, table: u16) -> Result<(), Refusal> {
        let is_closed = self.round(round)?.stage == Stage::Closed;
        let pairing = self.pairing_mut(round, table)?;
        pairing.postponed |= is_closed && !pairing.is_settled();
        Ok(())
    }

    /// A result belongs to a round that has been started, and is one of a game; who will not come
    /// can be known before. A closed round takes corrections.
    fn is_playable(
        &mut self,
        round: u16,
        table: u16,
        codes: [ResultCode; 2],
    ) -> Result<(), Refusal> {
        let is_drawn = self.round(round)?.stage == Stage::Drawn;
        if is_drawn && !ResultCode::is_by_forfeit(codes) {
            return Err(Refusal::NotUnderWay(round));
        }
        let bye = self.pairing(round, table)?.is_bye();
        let wrong = |code: &&ResultCode| code.0.is_bye() != bye;
        match codes.iter().find(wrong) {
            Some(code) => Err(Refusal::NotSo {
                table,
                code: code.0.char(),
                of: if bye { "a bye" } else { "a game" },
            }),
            None if is_impossible(codes) && !bye => Err(Refusal::NotSo {
                table,
                code: codes[1].0.char(),
                of: "a game that the other side won",
            }),
            None => Ok(()),
        }
    }
}

/// Both together have more than a point.
fn is_impossible(codes: [ResultCode; 2]) -> bool {
    codes.iter().map(|code| code.0.half_points()).sum::<u8>() > 2
}
