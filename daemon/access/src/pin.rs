//! The PIN of a paired device: something that whoever finds the device does not know.

use crate::Seconds;

/// How many digits it has, at least and at most.
const DIGITS: std::ops::RangeInclusive<usize> = 6..=12;
/// How often a wrong one may be given, one after the other; then the device is paired again.
pub const PIN_TRIES: u8 = 5;

/// What is known of a device's PIN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pin {
    /// Argon2id, as a PHC string; `None`: none was chosen yet.
    pub hash: Option<String>,
    /// How often it was tried since it was last right.
    pub tries: u8,
    /// When it was last given, or something was ordered since.
    pub given: Seconds,
}

impl Pin {
    /// Whether it has to be given, or chosen, before anything else: `after` so long without an
    /// order.
    pub fn is_wanted(&self, after: Seconds, now: Seconds) -> bool {
        self.hash.is_none() || now >= self.given + after
    }

    /// Whether it may be tried. It counts before it is known whether it is right: of many at once
    /// no more are tried.
    pub fn may_try(&mut self) -> bool {
        let may = self.tries < PIN_TRIES;
        self.tries = self.tries.saturating_add(1);
        may
    }

    /// How often it may still be tried.
    pub fn left(&self) -> u8 {
        PIN_TRIES.saturating_sub(self.tries)
    }

    /// It was given.
    pub fn was_right(&mut self, now: Seconds) {
        (self.tries, self.given) = (0, now);
    }
}

/// Why a PIN is none, or is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPin {
    /// It is no PIN.
    #[error("a PIN has 6 to 12 digits")]
    Digits,
    /// Whoever finds the device tries it first.
    #[error("that PIN is among the first to be tried; choose another")]
    Common,
}

/// What is wrong with a PIN that somebody chooses; `None` when nothing is.
pub fn pin_complaint(pin: &str) -> Option<BadPin> {
    let digits: Vec<i16> = pin.bytes().map(i16::from).collect();
    let steps: Vec<i16> = digits.windows(2).map(|two| two[1] - two[0]).collect();
    let is_plain = steps.iter().all(|step| Some(step) == steps.first());
    if !pin.bytes().all(|byte| byte.is_ascii_digit()) || !DIGITS.contains(&digits.len()) {
        Some(BadPin::Digits)
    } else if is_plain {
        Some(BadPin::Common)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_wanted_after_its_time_and_tried_five_times() {
        let mut pin = Pin::default();
        assert!(pin.is_wanted(900, 1_000), "none was chosen");
        pin.hash = Some("x".to_owned());
        pin.was_right(1_000);
        assert!(!pin.is_wanted(900, 1_899) && pin.is_wanted(900, 1_900));
        let tried = (0..300).filter(|_| pin.may_try()).count();
        assert_eq!((tried, pin.left()), (5, 0));
        pin.was_right(2_000);
        assert_eq!(pin.left(), PIN_TRIES);
    }

    #[test]
    fn what_is_tried_first_is_no_pin() {
        for wrong in [
            "",
            "12345",
            "1234567890123",
            "12345a",
            "111111",
            "123456",
            "987654",
            "２４６８１３",
        ] {
            assert!(pin_complaint(wrong).is_some(), "{wrong}");
        }
        for fine in ["204917", "112233445566"] {
            assert_eq!(pin_complaint(fine), None, "{fine}");
        }
    }
}
