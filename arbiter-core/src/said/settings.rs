//! Every window the arbiter uses, with its unit, its default and the reason; and the language it
//! speaks.

use serde::{Deserialize, Serialize};

use crate::listed::listed;
use crate::said::time::Millis;

listed! {
    /// The languages of the sentences in rulings. Names and moves in rulings are the same in all
    /// of them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "lowercase")]
    pub enum Language {
        /// English.
        #[default]
        En,
        /// French.
        Fr,
        /// German.
        De,
    }
}

/// Time windows, in milliseconds, and what an event may decide for itself. No default makes a clock
/// press wait: with a press, the ruling comes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The minimum contact: a lift shorter than this may be a brush or a sensor's bounce, never a
    /// deliberate touch. Human hands need longer to take hold of a piece and let it go.
    pub brush_ms: Millis,
    /// The scan window: changes closer together than this have no order. Boards scan their squares
    /// one after another.
    pub skew_ms: Millis,
    /// A made move that rests exactly this long is announced.
    pub announce_ms: Millis,
    /// A mate or stalemate that rests this long without a press ends the game: until then the piece
    /// may be in the hand.
    pub end_of_game_ms: Millis,
    /// A legal contact that rested longer than this was possibly a release (4.7).
    pub release_ms: Millis,
    /// While a placed piece stands at least this long and another piece is lifted, it was likely
    /// let go.
    pub release_other_lift_ms: Millis,
    /// A rook that left its square this much before the king was touched first for certain; less,
    /// and the king's lift may have been read late (4.4.2).
    pub rook_first_ms: Millis,
    /// How long after a press a piece may stay unread before the press is judged without it:
    /// sensors that lose a reading find it again within about two seconds.
    pub reread_ms: Millis,
    /// Without a clock, an unexplained position at rest this long is taken as completed. Longer
    /// than any hesitation.
    pub clockless_rest_ms: Millis,
    /// An opponent's piece lifted and put back within this time may have been brushed (4.2.2): only
    /// a human can know.
    pub fleeting_ms: Millis,
    /// How long before its announcement an adjustment may have begun: buttons lag behind words.
    /// FIDE wants the words first (4.2.1), so none by default.
    pub adjust_grace_ms: Millis,
    /// How long after an adjustment announced out of turn a piece that is touched belongs to it.
    /// After that the announcement is told by itself.
    pub announced_touch_ms: Millis,
    /// An opponent's piece taken up this much before the move was made was taken up out of turn,
    /// possibly. Shorter, it may be a reply to a move not read yet. A very large value: never told.
    pub early_touch_ms: Millis,
    /// A press is told as too early when the piece comes to its square this much later, longer than
    /// late readings usually take. A very large value: never told.
    pub early_press_ms: Millis,
    /// Clocks stopped without a reason that is seen within this time. An arbiter needs so long to
    /// come to the board.
    pub stop_grace_ms: Millis,
    /// Time for the opponent after a completed illegal move in supervised blitz: the letter of B.2
    /// and B.3 (2023) is not clear, practice gives one minute.
    pub blitz_penalty_ms: Millis,
    /// The clock pressed with castling half done.
    pub castling_halfmove: CastlingHalfmove,
    /// A promoted piece put down before the pawn is taken up, under editions before 2014.
    pub promotion_order: PromotionOrder,
    /// What is said when a player castles in Chess960 having touched the rook first.
    pub chess960_rook_first: RookFirst,
    /// When castling raises the question whether one hand played it or two (4.1).
    pub two_hands: TwoHands,
    /// The language of the sentences.
    pub language: Language,
}

/// What becomes of castling that was left half done when the clock was pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CastlingHalfmove {
    /// An illegal move: put back and castled, with its penalty (4.7.2, 7.5.1).
    #[default]
    Restore,
    /// The first half of a legal move: the rook is put in its place, without a penalty.
    Complete,
}

/// How the order of promotion is judged where the Laws left it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PromotionOrder {
    /// Any order, as everywhere since 2014.
    #[default]
    Tolerate,
    /// As some arbiters did before: the pawn's move comes first.
    Strict,
}

/// What castling in Chess960 with the rook touched before the king (4.4.2) is called. Guideline
/// II.3.2 does not set the article aside, but its own ways to castle make the order a matter of
/// chance: events decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RookFirst {
    /// Nothing is said.
    Ignore,
    /// The arbiter is told that there may be something to ask.
    #[default]
    Possible,
    /// The article is taken to hold as in orthodox chess.
    Likely,
}

/// When the arbiter is asked whether a player castled with two hands. It is never more than a
/// question: no sensor sees hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TwoHands {
    /// Never.
    Ignore,
    /// When king and rook left their squares together and came down together, faster than one hand
    /// takes hold of a second piece.
    #[default]
    AtOnce,
    /// Whenever both were in the air. One hand can hold both, and every third castling may look so.
    InTheAir,
}

impl Settings {
    /// The least time a hand needs to take hold of a piece, or to carry it to another square;
    /// nothing where the states of a board are as far apart as that.
    pub(crate) fn grip(&self) -> Millis {
        if self.brush_ms > self.skew_ms {
            self.brush_ms
        } else {
            0
        }
    }
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
            rook_first_ms: 150,
            reread_ms: 2_500,
            clockless_rest_ms: 10_000,
            fleeting_ms: 400,
            adjust_grace_ms: 0,
            announced_touch_ms: 3_000,
            early_touch_ms: 200,
            early_press_ms: 500,
            stop_grace_ms: 60_000,
            blitz_penalty_ms: 60_000,
            castling_halfmove: CastlingHalfmove::Restore,
            promotion_order: PromotionOrder::Tolerate,
            chess960_rook_first: RookFirst::default(),
            two_hands: TwoHands::default(),
            language: Language::En,
        }
    }
}
