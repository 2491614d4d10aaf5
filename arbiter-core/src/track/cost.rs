//! What assumptions cost, in hundredths. Costs compare hypotheses with one another; they mean
//! nothing by themselves.

// Of a move.

/// The cost of a square of the move that changed though nobody was seen to touch it.
pub(crate) const UNTOUCHED: i32 = 300;
/// The cost of a captured piece whose square only flickered.
pub(crate) const FLICKER: i32 = 100;
/// The cost of a piece that was read on its new square a moment before it was read to leave the old
/// one.
pub(crate) const LATE_LIFT: i32 = 150;
/// The cost of a touched square that the move has no use for.
pub(crate) const UNUSED_TOUCH: i32 = 10;
/// The cost of a captured piece that stands on the board still: pushed to the next square by its
/// captor, or put down at the edge.
pub(crate) const VICTIM_ASIDE: i32 = 150;
/// The cost of a promotion to anything but a queen, where the piece is unseen.
pub(crate) const UNDERPROMOTION: i32 = 1;
/// The cost of a move whose piece was seen to stand elsewhere when the square it goes to was
/// filled, and for longer than any reading is late: it was not that piece.
pub(crate) const STOOD_ELSEWHERE: i32 = ILLEGAL;
/// The cost of a move whose piece was pushed to where it stands, by the one that came down where it
/// had been put: no hand moved it.
pub(crate) const PUSHED: i32 = 1_000;
/// The cost of a reply that stood before the move it answers.
pub(crate) const TOO_EARLY: i32 = 150;
/// The cost of a reply that was made before the moving piece was touched, its player not having the
/// move: that is no likelier than an illegal move.
pub(crate) const OUT_OF_TURN: i32 = ILLEGAL;
/// The cost of a piece that moved on after the opponent had replied to where it stood: that is no
/// more likely than an illegal move.
pub(crate) const ANSWERED_BEFORE: i32 = ILLEGAL;
/// The cost of a capture that nobody saw, while another piece that could be captured was touched.
pub(crate) const OTHER_TOUCHED: i32 = 30;
/// The cost of the same, that piece being in the air still.
pub(crate) const OTHER_IN_HAND: i32 = 120;
/// The cost of the same, a piece that may not be captured having left its square and something
/// having come back there while the captor was in the air: with [`UNTOUCHED`] a little below the
/// illegal capture that was seen, so that what comes next decides.
pub(crate) const OTHER_EXCHANGED: i32 = ILLEGAL - UNTOUCHED - UNRESTED;

// Of readings.

/// What a reading that was lost costs besides where an illegal move accounts for all that was seen,
/// on a board that has lost none in this game: with [`LOST`] a little more than [`ILLEGAL`].
pub(crate) const FIRST_LOST: i32 = ILLEGAL - LOST + UNRESTED;
/// The cost of a reading that came late.
pub(crate) const LATE: i32 = 100;
/// The cost of a reading that must have been lost.
pub(crate) const LOST: i32 = 300;
/// The cost of a lift unread where its arrival shows nothing either: no press is taken to complete
/// such a move.
pub(crate) const UNSHOWN: i32 = 110;
/// The cost of a piece in the air whose new square was not read.
pub(crate) const UNREAD: i32 = 250;
/// The cost of a wrong reading on a square that the board itself does not trust.
pub(crate) const SUSPECT: i32 = 60;

// Of what stands on the board besides.

/// The cost of a piece of the player to move in the air.
pub(crate) const IN_HAND: i32 = 30;
/// The cost of a piece of the player to move that has been in the air since long before he had the
/// move: nobody holds one while the opponent moves.
pub(crate) const HELD_THROUGH: i32 = 300;
/// The cost of a piece of the player to move on a new square, no legal move being complete.
pub(crate) const HALF_PLACED: i32 = 60;
/// The cost of a piece of the player who has moved, taken up beside the one that he has just put
/// down: his hand is still there and sets it straight.
pub(crate) const STRAIGHTENED: i32 = 60;
/// The cost of a piece that has just moved and stands there no more.
pub(crate) const MOVED_ON: i32 = 350;
/// The cost of the same at a press, where the opponent can have lifted it to capture it.
pub(crate) const VICTIM_FIRST: i32 = 150;
/// The cost of the same where it had stood for less than a minimum contact, and was not seen to be
/// that piece: it may as well have been slid over the square, to a victim that nobody touched.
pub(crate) const GLIMPSED_FIRST: i32 = UNTOUCHED;
/// The cost of a piece of the player who has moved where it cannot be.
pub(crate) const CONTRADICTED: i32 = 500;
/// The cost of a piece that has no part in the move having been in its player's hand as he
/// pressed, besides `LATE`.
pub(crate) const HELD_AT_PRESS: i32 = CONTRADICTED - LATE;

// Of the course of the game.

/// The cost of a piece of the player who has moved having stood for a while where it cannot have
/// been.
pub(crate) const ELSEWHERE: i32 = 250;
/// The cost of the same where it stood for less than a minimum contact: it may have been slid over
/// the square, or held over it.
pub(crate) const GLIMPSED_ELSEWHERE: i32 = 210;
/// The cost of leaving a board at rest unexplained which another hypothesis explains.
pub(crate) const UNRESTED: i32 = 50;
/// The cost of two plies for which nobody pressed, though a clock is there.
pub(crate) const UNPRESSED: i32 = 200;

/// The cost of a player having made an illegal move: so much dearer than that must every account be
/// in which nobody did wrong before anybody is accused.
pub(crate) const ILLEGAL: i32 = 600;

/// Costs this close are equal.
pub(crate) const TIE: i32 = 5;
