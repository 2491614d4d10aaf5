//! One side's time, and what follows from how it moves.

/// Times that are older are told no more.
const TIMES_MS: u32 = 3_000;

/// A side counts down while its time has become less within so long.
const RUNS_MS: u32 = 2_500;

/// A flag has fallen when nothing was left for so long: a clock that leaves out fractions of a
/// second shows nothing up to a second before.
const FALLS_MS: u32 = 1_000;

/// From this many seconds on a time that becomes nothing has run out; from more it was set so.
const RUNS_OUT_S: u16 = 5;

/// One side's time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    seconds: u16,
    told_at: u32,
    /// When it became less.
    fell_at: Option<u32>,
    /// Since when it has run out.
    out_since: Option<u32>,
    pub(super) has_fallen: bool,
}

impl Hand {
    /// Nothing is known of it.
    pub(super) fn unknown(ms: u32) -> Hand {
        Hand {
            seconds: 0,
            told_at: ms.wrapping_sub(TIMES_MS),
            fell_at: None,
            out_since: None,
            has_fallen: false,
        }
    }

    /// It shows so many seconds now. `thinks`: its end of the lever is up.
    pub(super) fn after(before: Option<Hand>, ms: u32, seconds: u16, thinks: bool) -> Hand {
        let Some(before) = before else {
            return Hand {
                seconds,
                told_at: ms,
                ..Hand::unknown(ms)
            };
        };
        let became_less = seconds < before.seconds && before.seconds - seconds <= RUNS_OUT_S;
        let runs_out = (became_less && thinks && seconds == 0).then_some(ms);
        let out_since = before.out_since.or(runs_out).filter(|_| seconds == 0);
        let is_long_out = out_since.is_some_and(|since| ms.wrapping_sub(since) >= FALLS_MS);
        Hand {
            seconds,
            told_at: ms,
            fell_at: if became_less {
                Some(ms)
            } else {
                before.fell_at
            },
            out_since,
            has_fallen: seconds == 0 && (before.has_fallen || is_long_out),
        }
    }

    pub(super) fn runs(&self, ms: u32) -> bool {
        self.fell_at
            .is_some_and(|fell_at| ms.wrapping_sub(fell_at) < RUNS_MS)
    }

    pub(super) fn told(&self, ms: u32) -> Option<u32> {
        let is_fresh = ms.wrapping_sub(self.told_at) < TIMES_MS;
        is_fresh.then_some(u32::from(self.seconds) * 1_000)
    }
}
