//! What follows from a stage. Stages do not call one another: each returns what follows from it,
//! and [`crate::arbiter`] hands that on to the stage that takes it up.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Move};

use crate::game::clock::Press;
use crate::game::verdict::{Loss, Verdict};
use crate::judge::article_4::{Bound, Breach};
use crate::judge::handling::Handling;
use crate::said::irregularity::{Certainty, Party};
use crate::said::view::ObligationView;
use crate::track::hypothesis::{Hypothesis, Illegal, Step};
use crate::track::replay::Replay;

/// What follows from a stage, in order.
pub(crate) type Changes = Vec<Change>;

/// Nothing follows.
pub(crate) const NOTHING: Changes = Vec::new();

/// A line of plies on which a stage has decided.
pub(crate) type Line = Rc<Hypothesis>;

/// Something that follows from a stage, by the stage that takes it up.
#[derive(Debug)]
pub(crate) enum Change {
    // The start, and silence.
    /// The board stands still: it is looked at how the game starts.
    LookAtStart,
    /// The first move stands: the game has begun.
    Begin,
    /// The first press: the game has begun, if it can have.
    BeginAtPress(Color),
    /// The board has stood still for long enough to be told.
    Rested,
    /// The best hypothesis explains the board at rest.
    Explained,
    /// It has stood still for long: pieces may stand where no move put them.
    LookForDisplaced,
    /// The position at rest may have ended the game.
    EndAtRest,
    /// Without a clock the turn of this player is over.
    TurnIsOver(Color),
    /// Nothing more will come: presses that wait are judged.
    NoPressWaits,
    /// Nothing more will come: a result that waits for an answer is left open.
    NoAnswerComes,
    /// Nothing more will come: the board stays as it is.
    LastRest,
    /// What stands is the last ply.
    LastPly,

    // Presses.
    /// A press for which the game has begun.
    Press(Color),
    /// It is known which ply a press is for.
    Answer(Press),
    /// It is for the ply at hand: the board is matched as it stands.
    Match(Press),
    /// A press that waited is due.
    PressIsDue { last_chance: bool },
    /// A press that waits may have its move now.
    WaitingPress,
    /// A press without a move may have its move now.
    EmptyPress,
    /// What a press completed is to be decided.
    Judge(Press),
    /// No legal move stands on the board that was pressed for.
    Unexplained(Press),

    // Other explanations.
    /// The evidence was replayed.
    Replayed { length: usize, replay: Box<Replay> },
    /// Plies that nobody saw were found: these lines fit, and all of them have as many plies.
    GapClosed {
        lines: Vec<Hypothesis>,
        before: usize,
        completed: usize,
        press: Option<Press>,
    },
    /// The board rests where no hypothesis explains it: an illegal move may stand.
    RestsIllegally,
    /// The illegal move stands: the game goes on from what it left.
    LetStand,
    /// What was played from there up to this ply is complete: it was pressed for.
    GoOn(usize),
    /// This ply is an illegal move that stands: it is told what the Laws have put back.
    ProposeRestore(usize),
    /// A reading that came late may excuse an illegal move.
    LateReading,
    /// What follows accuses somebody of an illegal move, unless the pieces stood wrongly from the
    /// start.
    WeighStart,

    // Completed plies.
    /// The ply of a press is made.
    Complete(Press),
    /// A press has waited for this ply.
    WatchPress { press: Press, line: Line, k: usize },
    /// Plies up to `k` are completed.
    Commit { line: Line, k: usize },
    /// One of them is judged under Article 4.
    JudgePly { line: Line, ply: usize },
    /// What the players did besides.
    WatchPly(Box<WatchedPly>),
    /// They are told and judged.
    Committed { k: usize },
    /// The position they led to may be illegal for good.
    WatchPosition(usize),
    /// Rights to object to the start may be over.
    CloseStart(usize),
    /// What all hypotheses share is taken out of them.
    PruneCommon,
    /// The press has done its work.
    Completed { press: Press, k: usize },
    /// The ply is complete without a press.
    CompletedUnpressed { line: Line, k: usize },

    // What is told.
    /// A player may have touched pieces.
    Touched,
    /// What his touches oblige him to.
    Obliged(Option<ObligationView>),
    /// A breach was found.
    Find(Box<Found>),
    /// An illegal move was found after this line.
    StopAt { root: Line, illegal: Illegal },
    /// A pawn was left on the last rank, and counts as a queen.
    PawnLeft(Move),
    /// A pawn was taken off the last rank, and nothing is read in its place.
    PawnGone(Move),
    /// Pieces stand where no move put them, as `by` presses, and `hand` has displaced them.
    Displaced {
        squares: Bitboard,
        by: Color,
        hand: Party,
    },
    /// A ply was taken back.
    Undone { bound: Bound, target: Box<Chess> },
    /// The board may show the position that was ordered.
    PutBack,
    /// The position after the completed plies is to be put back.
    PutRecordedBack,
    /// Doubts may be raised or decided.
    SettleDoubts,
    /// Somebody is asked to look at squares of the ply completed last.
    CheckSquares(Bitboard),
    /// The same for what the best hypothesis takes for misread.
    AskAboutMisread,
    /// The same for those among them that the board itself does not trust.
    AskAboutSuspect,

    // The end.
    /// A completed illegal move may be the one that loses.
    ProposeForfeit(u32),
    /// The position after `k` plies may end the game, or allow a claim.
    CheckEnd { k: usize, released: bool },
    /// The arbiter has named a ply: it may end the game.
    Named,
    /// The position after so many plies may end the game.
    EndIfOver(usize),
    /// A player has resigned.
    Resigned(Color),
    /// A player loses, unless he is spared.
    Lose(Box<Loss>),
    /// The game has a result.
    Declare(Verdict),
}

/// A breach that was found, the ply it belongs to, and the position before that.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) breach: Breach,
    pub(crate) ply: usize,
    pub(crate) before: Chess,
}

impl From<Found> for Change {
    fn from(found: Found) -> Change {
        Change::Find(Box::new(found))
    }
}

impl Change {
    /// The same, and a breach that is found with it is no surer than `certainty`.
    pub(crate) fn at_most(mut self, certainty: Certainty) -> Change {
        if let Change::Find(found) = &mut self {
            found.breach.certainty = found.breach.certainty.min(certainty);
        }
        self
    }
}

/// A completed ply, with what was handled for it.
#[derive(Debug)]
pub(crate) struct WatchedPly {
    pub(crate) ply: usize,
    pub(crate) step: Step,
    pub(crate) before: Chess,
    pub(crate) handling: Handling,
}
