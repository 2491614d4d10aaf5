//! The closed set of phrases that every language has words for.
//!
//! A phrase may hold places, filled by [`super::fill`]: `{by}` the offender, `{other}` his opponent
//! (each also as `{By}`, `{to-by}`, `{of-by}`), `{at}` squares, `{piece}` the pieces that stood on
//! them, `{mover}` the piece that must move, `{did}` what was played, `{moves}` the moves required,
//! `{reason}`, `{minutes}`, `{number}`, `{penalty-article}`, `{claim-article}`; in a refusal
//! `{about}` what it is about.

use alloc::string::String;

use crate::said::input::ClaimKind;
use crate::said::irregularity::{Code, Reason};
use crate::said::refused::Why;
use crate::said::ruling::{DoubtKind, ResultReason};

/// A table from a key to its words.
pub(super) type Table<K> = &'static [(K, &'static str)];

/// The words of one language: everything that a third language would have to give.
pub(super) struct Words {
    /// How an irregularity is told: `{seen}`, `{article}`, `{law}`.
    pub(super) finding: &'static str,
    /// What was seen. What stands in brackets is said where squares are named.
    pub(super) seen: Table<Code>,
    /// What was seen, where the game has not begun or nobody has completed a move.
    pub(super) unplayed: Table<Code>,
    /// What was seen, where a player did not play what an earlier ruling left him.
    pub(super) not_required: &'static str,
    /// Why a move is illegal; stands at `{reason}`.
    pub(super) reason: Table<Reason>,
    /// What the Law says; stands at `{law}`.
    pub(super) law: Table<Law>,
    /// What to do.
    pub(super) act: Table<Act>,
    /// A doubt.
    pub(super) doubt: Table<DoubtKind>,
    /// What is claimed; stands at `{claimed}`.
    pub(super) claimed: Table<ClaimKind>,
    /// The answer to a claim.
    pub(super) answer: Table<Answer>,
    /// How a game ended.
    pub(super) ending: Table<(ResultReason, Outcome)>,
    /// A loss by illegal moves that was proposed and has lost its ground.
    pub(super) fallen_away: &'static str,
    /// Why an order is not carried out: `{about}`.
    pub(super) refusal: Table<Why>,
    /// What is open instead: findings, plies in doubt, orders that can be taken back (`{list}`).
    pub(super) open_lists: [&'static str; 3],
    /// A position to be put back, a result to be confirmed, a game that is paused, none of all.
    pub(super) open_matters: [&'static str; 4],
    /// White, Black, White or Black, Black or White: as subject, as one given to, as owner.
    pub(super) players: [[&'static str; 3]; 4],
    /// Pawn, knight, bishop, rook, queen, king, with their article.
    pub(super) pieces: [&'static str; 6],
    /// Their letters in moves; the pawn has none.
    pub(super) letters: [char; 6],
    /// A piece and where it stands: `{piece}`, `{square}`.
    pub(super) piece_on: &'static str,
    /// What was played: a move (`{san}`), something else, nothing yet.
    pub(super) did: [&'static str; 3],
    /// Where a hypothesis holds no move.
    pub(super) no_move: &'static str,
    /// Between the last two of a list: all of them, or one of them.
    pub(super) and_or: [&'static str; 2],
    /// A piece, where no square is named.
    pub(super) some_piece: &'static str,
    /// Behind a list that was cut, of which all or one is meant: `{n}` were left out.
    pub(super) more: [&'static str; 2],
    /// Never, once, twice, more times: `{n}`; stands at `{count}`.
    pub(super) times: [&'static str; 4],
    /// No move, one move, more moves: `{n}`; stands at `{count}`.
    pub(super) moves: [&'static str; 3],
    /// One minute, more minutes: `{n}`.
    pub(super) minutes: [&'static str; 2],
    /// An article whose number was read, one whose was not, and none at all: `{number}`.
    pub(super) article: [&'static str; 3],
    /// The same in parentheses.
    pub(super) within: [&'static str; 3],
    /// What stands behind a result that a human must confirm.
    pub(super) proposed: &'static str,
    /// The last touch: spaces and signs as the language sets them.
    pub(super) typeset: fn(String) -> String,
}

/// What an edition says of a breach: one entry for each rule that differs in substance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Law {
    TouchedOwn,
    TouchedEnemy,
    TouchedBoth,
    Castle,
    RookFirst,
    /// 1974: castling is a king's move, and the piece touched first moves.
    FirstTouchedMoves,
    CastlingCommitted,
    PawnCommitted,
    PromotionByTouch,
    PromotionByRelease,
    PawnOffFirst,
    AnyOrder,
    Released,
    /// Put right in the time of the player who displaced them.
    DisplacedOwnTime,
    /// 1974 knows no clock.
    Displaced,
    DisplacedLater,
    DisplacedLaterAnnulled,
    IllegalUndone,
    PawnQueen,
    PawnUndone,
    EmptyPressIllegal,
    EmptyPressConduct,
    Turn,
    Adjust,
    EarlyPress,
    OtherHand,
    ClockStopped,
    SetupAnew,
    SetupLimited,
    Orientation,
    ColoursRestart,
    ColoursArbiter,
    TwoHandsIllegal,
    TwoHandsCompleted,
    OneHand,
    StandingDrawn,
    StandingStepIn,
    TouchLosesClaim,
    MoveLosesClaim,
    WrongClaim,
    Disturbing,
    /// The edition has no rule of its own.
    Silent,
}

/// What to do, one sentence each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Ask,
    Hear,
    /// The same where what follows says what upholding brings.
    HearFirst,
    TakeBack,
    TakeBackFree,
    UntilTouch,
    ClaimGone,
    OnRequest,
    StopRestore,
    MustPlay,
    PlayLegal,
    PutQueen,
    PromoteAgain,
    StillToMove,
    AsIllegal,
    GiveTime,
    NoTime,
    Loses,
    Drawn,
    OnlyOnClaim,
    MayClaimWin,
    StepIn,
    StandsAfterReply,
    CheckSquares,
    PutRightOwnTime,
    PutBack,
    PutBackUnanswered,
    RestoreLast,
    Warn,
    PromotionStands,
    SetUpRightly,
    LayRightly,
    NewGame,
    AnewWhileClaimable,
    Transfer,
    UntilMoves,
    StartStands,
    GoOnOrNot,
    WaitOneMove,
    EndTheStanding,
    RefuseClaim,
    GoOn,
    NotBound,
    Decide,
}

/// How a claim was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// A draw claim that is right.
    Drawn,
    /// A draw claim that came after a piece was touched.
    Touched,
    /// A claim of a position that has stood fewer times by the record.
    TooFewTimes,
    /// A claim of moves without a capture or a pawn move that are fewer by the record.
    TooFewMoves,
    /// A draw claim with a move that is not legal.
    NoLegalMove,
    /// A draw claim of the player who does not have the move.
    NotHisTurn,
    /// A breach of Article 4 or an illegal move that the evidence shows.
    Shown,
    /// One that it does not show.
    NotShown,
    /// A touched piece, and no move has been made yet that breaks the rule.
    NotMade,
    /// The claimant has touched a piece since: the right is gone.
    TouchedSince,
    /// The claimant has made his move since: the right is gone.
    MovedSince,
    /// The arbiter has ruled on it.
    Decided,
    /// The clock has told of the opponent's flag alone.
    FlagFallen,
    /// It has not.
    FlagNotSeen,
    /// It has told of both flags.
    BothFlags,
}

impl Answer {
    /// Whether the claim is good.
    pub(crate) fn is_yes(self) -> bool {
        matches!(self, Answer::Drawn | Answer::Shown | Answer::FlagFallen)
    }
}

/// What a result means for the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// `{by}` wins over `{other}`.
    Won,
    Drawn,
    /// Nobody knows yet.
    Open,
}

/// The words for `key`. Every key of every table has some: a test goes through all of them.
pub(super) fn words<K: PartialEq>(table: Table<K>, key: K) -> &'static str {
    for (k, words) in table {
        if *k == key {
            return words;
        }
    }
    ""
}
