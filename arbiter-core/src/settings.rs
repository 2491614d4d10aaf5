//! Every window the arbiter uses, with its unit, its default and the reason.

use serde::{Deserialize, Serialize};

use crate::time::Millis;

/// Time windows, in milliseconds. No default makes a clock press wait: with a press, the ruling comes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// A lift shorter than this may be a brush or a contact's bounce, never a deliberate touch. Human hands need
    /// longer to take hold of a piece and let it go.
    pub brush_ms: Millis,
    /// Changes closer together than this have no order: boards scan their squares one after another.
    pub skew_ms: Millis,
    /// A made move that rests exactly this long is announced.
    pub announce_ms: Millis,
    /// A mate or stalemate that rests this long without a press ends the game: until then the piece may be in the hand.
    pub end_of_game_ms: Millis,
    /// A legal contact that rested longer than this was possibly a release (4.7).
    pub release_ms: Millis,
    /// While a placed piece stands at least this long and another piece is lifted, it was likely let go.
    pub release_other_lift_ms: Millis,
    /// How long after a press a piece may stay unread before the press is judged without it: sensors that lose a
    /// reading find it again within about two seconds.
    pub reread_ms: Millis,
    /// Without a clock, an unexplained position at rest this long is taken as completed. Longer than any hesitation.
    pub clockless_rest_ms: Millis,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            brush_ms: 120,
            skew_ms: 60,
            announce_ms: 300,
            end_of_game_ms: 2_000,
            release_ms: 1_000,
            release_other_lift_ms: 150,
            reread_ms: 2_500,
            clockless_rest_ms: 10_000,
        }
    }
}
