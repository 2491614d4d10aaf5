//! What assumptions cost, in hundredths. Costs compare hypotheses with one another; they mean nothing by themselves.

use crate::said::time::Millis;

/// A square of the move changed and nobody was seen to touch it.
pub(crate) const UNTOUCHED: i32 = 300;
/// The piece was read on its new square a moment before it was read to leave the old one.
pub(crate) const LATE_LIFT: i32 = 150;
/// A reading that must have been lost.
pub(crate) const LOST: i32 = 300;
/// A lift unread where its arrival shows nothing either: no press is taken to complete such a
/// move.
pub(crate) const UNSHOWN: i32 = 110;
/// A capture that nobody saw, while another piece that could be captured was touched.
pub(crate) const OTHER_TOUCHED: i32 = 30;
/// The same, and that piece is in the air still.
pub(crate) const OTHER_IN_HAND: i32 = 120;
/// A square that the board itself does not trust reads something else.
pub(crate) const SUSPECT: i32 = 60;
/// A piece in the air whose new square was not read.
pub(crate) const UNREAD: i32 = 250;
/// A reply that stood before the move it answers.
pub(crate) const TOO_EARLY: i32 = 150;
/// A reading that came late.
pub(crate) const LATE: i32 = 100;
/// A victim whose square only flickered.
pub(crate) const FLICKER: i32 = 100;
/// A touched square that the account has no use for.
pub(crate) const STRAY: i32 = 10;
/// A piece of the player to move is in the air.
pub(crate) const IN_HAND: i32 = 30;
/// A piece of the player to move stands on a new square, and no legal move is complete.
pub(crate) const HALF_PLACED: i32 = 60;
/// The piece that just moved stands there no more.
pub(crate) const MOVED_ON: i32 = 350;
/// The same at a press, where the opponent can have lifted it to capture it.
pub(crate) const VICTIM_FIRST: i32 = 150;
/// A piece of the player who has moved appears where it cannot be.
pub(crate) const CONTRADICTED: i32 = 500;
/// A promotion to anything but a queen, where the piece is unseen.
pub(crate) const UNDERPROMOTION: i32 = 1;
/// An account that does not explain a board at rest, while another does.
pub(crate) const UNRESTED: i32 = 50;
/// A piece of the player who has moved stood for a while where it cannot have been.
pub(crate) const ELSEWHERE: i32 = 250;
/// Two plies for which nobody pressed, though a clock is there.
pub(crate) const UNPRESSED: i32 = 200;
/// Prices this close are equal.
pub(crate) const TIE: i32 = 5;

/// No reading comes later than this, in milliseconds.
pub(crate) const LATEST: Millis = 2_500;
