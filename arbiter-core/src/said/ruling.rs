//! What comes out: moves, findings, doubts, results. The serde form of [`Ruling`] is one line of
//! `arbiterd replay`.

use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Square, uci::UciMove};

use crate::said::input::{ClaimKind, Event};
use crate::said::irregularity::{Article, Certainty, Code, Party, Reason};
use crate::said::refused::Refused;
pub use crate::said::result::{GameResult, ResultReason};
use crate::said::text;
use crate::said::time::Time;

/// One thing the arbiter says, with its moment and its game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Announcement {
    /// When it was decided, on the board's clock.
    pub at: Time,
    /// The game it is about.
    pub game: String,
    /// What.
    #[serde(flatten)]
    pub ruling: Ruling,
}

/// Everything the arbiter can say. Tagged `ruling`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "ruling", rename_all = "kebab-case")]
pub enum Ruling {
    /// A move was made or completed.
    Move {
        /// 1 for the first half-move of the game.
        ply: u32,
        /// The move; from-to for an illegal move that stands.
        #[cfg_attr(feature = "schema", schemars(with = "text::Move"))]
        uci: UciMove,
        /// The move in standard algebraic notation.
        san: String,
        /// The position after it.
        fen: String,
        /// Made or completed.
        state: MoveState,
    },
    /// Later evidence changed an earlier reading.
    Revision {
        /// The first ply that changed.
        from_ply: u32,
        /// The moves from there; may be empty.
        #[cfg_attr(feature = "schema", schemars(with = "Vec<text::Move>"))]
        moves: Vec<UciMove>,
    },
    /// What the touches oblige the player to.
    Obligation {
        /// The player.
        #[serde(with = "text::Colour")]
        by: Color,
        /// The article that narrows his choice.
        #[serde(flatten)]
        article: Article,
        /// The moves still permitted.
        #[cfg_attr(feature = "schema", schemars(with = "Vec<text::Move>"))]
        moves: Vec<UciMove>,
    },
    /// A Law was broken.
    Irregularity(Irregularity),
    /// The right to claim an irregularity is gone.
    Lapsed {
        /// Its number.
        id: u32,
    },
    /// Later evidence showed that an irregularity was none.
    Withdrawn {
        /// Its number.
        id: u32,
    },
    /// The evidence fits more than one hypothesis, and the difference matters.
    Doubt(Doubt),
    /// The position that must be put back.
    Restore {
        /// The position.
        fen: String,
        /// The squares that differ now; empty when the board matches.
        #[serde(with = "text::Squares")]
        squares: Vec<Square>,
    },
    /// A draw can be claimed.
    DrawClaimable {
        /// On what ground.
        kind: ClaimKind,
        /// By whom.
        #[serde(with = "text::Colour")]
        by: Color,
    },
    /// The answer to a claim.
    Claim {
        /// Who claimed.
        #[serde(with = "text::Colour")]
        by: Color,
        /// What was claimed.
        kind: ClaimKind,
        /// Whether the claim is good.
        accepted: bool,
        /// The article.
        #[serde(flatten)]
        article: Article,
        /// One sentence for the arbiter.
        text: String,
    },
    /// The game has a result.
    Result {
        /// The result.
        result: GameResult,
        /// Whether a human must confirm it.
        proposed: bool,
        /// Why.
        reason: ResultReason,
        /// The article.
        #[serde(flatten)]
        article: Article,
        /// One sentence for the arbiter.
        text: String,
    },
    /// An order that changes nothing, or cannot be carried out: nothing was done.
    Refused {
        /// The order's name, or that of the order which was to be taken back; left out where it
        /// has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        order: Option<Box<str>>,
        /// Why, and what is open instead.
        #[serde(flatten)]
        because: Box<Refused>,
        /// The same in a sentence for the arbiter.
        text: String,
    },
    /// The game as a whole; the last line of every game.
    Summary(Summary),
}

/// How far a move has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveState {
    /// A legal move stands on the board (1.3).
    Made,
    /// The clock was pressed, or the opponent has answered (6.2.1).
    Completed,
}

/// A finding: a Law was broken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Irregularity {
    /// 1, 2, 3 ... within the game.
    pub id: u32,
    /// Which.
    pub code: Code,
    /// Sub-reason of an illegal move.
    pub reason: Option<Reason>,
    /// The article in the edition in force.
    #[serde(flatten)]
    pub article: Article,
    /// The offender.
    pub by: Party,
    /// The ply it belongs to.
    pub ply: u32,
    /// How sure.
    pub certainty: Certainty,
    /// The squares it is about.
    #[serde(with = "text::Squares")]
    pub squares: Vec<Square>,
    /// Who may claim it, and whether that is still open.
    pub claim: Option<ClaimRight>,
    /// The moves the offender may play; `None` when free.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<text::Move>>"))]
    pub required: Option<Vec<UciMove>>,
    /// What the Laws propose.
    pub penalty: Option<Penalty>,
    /// The input lines it rests on.
    pub evidence: Vec<Event>,
    /// One sentence: what was seen, what the Law says, what to do.
    pub text: String,
    /// How many bytes of the text say what was seen and what the Law says; `0`: nobody knows.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub told: usize,
}

impl Irregularity {
    /// What was seen and what the Law says, without what to do: for reports of what is past.
    pub fn happened(&self) -> &str {
        let told = self.text.get(..self.told).filter(|told| !told.is_empty());
        told.unwrap_or(&self.text)
    }
}

/// Who may claim an irregularity, and until when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimRight {
    /// The claimant; either player where both answer for it.
    pub by: Party,
    /// Whether the claim can still be made.
    pub open: bool,
    /// What ends the right to it.
    pub until: ClaimWindow,
}

/// What ends the right to a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClaimWindow {
    /// The claimant touches a piece with the intention of moving or capturing it (4.8).
    Touch,
    /// The claimant makes his next move (A.5.2).
    Reply,
    /// Each player has made so many moves (7.3, A.5.1).
    Moves(u32),
    /// The end of the game.
    Game,
}

/// A penalty as the Laws propose it; the arbiter applies it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Penalty {
    /// Time added to the opponent's clock, in milliseconds.
    pub opponent_ms: u64,
    /// What ends the game, if it does.
    pub then: Option<PenaltyEnd>,
}

/// How a penalty ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PenaltyEnd {
    /// The offender loses.
    Loss,
    /// Drawn: the opponent cannot mate by any series of legal moves.
    Draw,
}

/// A doubt: the evidence fits more than one hypothesis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Doubt {
    /// The ply in doubt.
    pub ply: u32,
    /// What is in doubt.
    pub kind: DoubtKind,
    /// The squares to look at.
    #[serde(with = "text::Squares")]
    pub squares: Vec<Square>,
    /// One list of moves for each hypothesis that fits.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<text::Move>>"))]
    pub readings: Vec<Vec<UciMove>>,
    /// One sentence for the arbiter.
    pub text: String,
}

/// What a doubt is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DoubtKind {
    /// More than one move fits.
    AmbiguousMove,
    /// Which piece stands on the promotion square.
    PromotionPiece,
    /// A square may be read wrongly.
    CheckSquare,
    /// One hand or two.
    TwoHands,
    /// Which player touched.
    WhoTouched,
    /// The board reads as if it lay the other way round.
    BoardTurned,
    /// Two pieces stood on each other's squares from the start, or else a move was illegal.
    PiecesExchanged,
    /// The position is not known, and this is what the board reads.
    PositionUnknown,
    /// The starting position stands again and the game has no result: has it ended?
    GameEnded,
    /// The board and the record differ, and no hypothesis explains it.
    ThreadLost,
}

impl DoubtKind {
    /// Whether it is about what was played, so that the record is open while it stands.
    pub fn is_of_record(self) -> bool {
        match self {
            DoubtKind::AmbiguousMove
            | DoubtKind::PromotionPiece
            | DoubtKind::CheckSquare
            | DoubtKind::ThreadLost => true,
            DoubtKind::TwoHands
            | DoubtKind::WhoTouched
            | DoubtKind::BoardTurned
            | DoubtKind::PiecesExchanged
            | DoubtKind::PositionUnknown
            | DoubtKind::GameEnded => false,
        }
    }
}

/// A game as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Every ply.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<text::Move>"))]
    pub moves: Vec<UciMove>,
    /// The result.
    pub result: GameResult,
    /// The last position.
    pub fen: String,
    /// Irregularities that were not withdrawn, by code.
    pub irregularities: BTreeMap<Code, u32>,
    /// Plies still in doubt.
    pub doubts: Vec<u32>,
}
