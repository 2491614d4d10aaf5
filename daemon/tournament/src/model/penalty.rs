//! Penalties (Article 12.9), and what they change on the clocks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a player was penalised with (Article 12.9). Nothing adds them up: only the regulations of
/// the tournament could say how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    /// The player's starting number.
    pub player: u16,
    /// In which round.
    pub round: u16,
    /// With what.
    pub what: String,
    /// What for.
    pub reason: String,
    /// When, in RFC 3339; empty where nobody said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// What it changed on the clocks; left out where it is none of time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<PenaltyTime>,
}

/// What a penalty changes on the clocks (Articles 12.9.2 and 12.9.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PenaltyTime {
    /// Whose clock.
    pub of: ClockOf,
    /// By how many seconds: more for the opponent, less for the offender.
    pub seconds: u32,
}

/// Whose clock a penalty changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClockOf {
    /// The opponent gets more time.
    Opponent,
    /// The offender loses some.
    Offender,
}

impl PenaltyTime {
    /// What stands in the words of a penalty that was noted without it. They say so as clocks have
    /// it, whatever the language: `+2:00` for the opponent, `−2:00` for the offender himself.
    #[must_use]
    pub fn in_words(what: &str) -> Option<PenaltyTime> {
        let mut signed = what.char_indices().filter_map(|(at, sign)| match sign {
            '+' => Some((ClockOf::Opponent, &what[at + 1..])),
            '−' => Some((ClockOf::Offender, &what[at + sign.len_utf8()..])),
            _ => None,
        });
        let number = |text: &str| {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u16>().ok().filter(|_| is_number)
        };
        signed.find_map(|(of, rest)| {
            let (minutes, rest) = rest.split_once(':')?;
            let (minutes, seconds) = (number(minutes)?, number(rest.get(..2)?)?);
            let seconds = u32::from(minutes) * 60 + u32::from(seconds);
            Some(PenaltyTime { of, seconds })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ClockOf, PenaltyTime};

    #[test]
    fn what_was_noted_in_words_is_read_in_whatever_language_it_was() {
        let of = |what| PenaltyTime::in_words(what).map(|time| (time.of, time.seconds));
        let sum = "more time for the opponent, +2:00 (Black 0:41:07 + 2:00 = 0:43:07)";
        assert_eq!(of(sum), Some((ClockOf::Opponent, 120)));
        let less = "temps retiré au joueur fautif, −1:30";
        assert_eq!(of(less), Some((ClockOf::Offender, 90)));
        assert_eq!(of("a fine, 20 + 5"), None);
        assert_eq!(of("warning"), None);
        assert_eq!(of("+:00"), None);
        assert_eq!(of("+9999999999999999999:00"), None);
    }
}
