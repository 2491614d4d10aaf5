//! The citation of every rule in every edition: the table of articles.
//!
//! Numbers were read in the texts of the editions, or in what is published about their differences.
//! ` m` behind a number: recalled by more than one account but not read in the text itself; it is
//! shown as unconfirmed.

use crate::laws::Laws;
use crate::said::input::Edition;
use crate::said::irregularity::Article;

/// A rule that a board can observe or the arbiter applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// Whose move it is: the players move alternately.
    Turn,
    /// A move is played with one hand.
    OneHand,
    /// Pieces may be adjusted after an announcement, by the player having the move.
    Adjust,
    /// The first own piece touched that can be moved must be moved.
    TouchedOwn,
    /// The first opponent's piece touched that can be captured must be captured.
    TouchedEnemy,
    /// Pieces of both colours touched: capture the one with the other.
    TouchedBoth,
    /// None of the touched pieces can be moved or captured: any legal move.
    NoneMovable,
    /// King and rook touched: castle on that side if legal.
    Castle,
    /// Rook touched, then the king: no castling on that side.
    RookFirst,
    /// Castling intended and illegal: another king move.
    CastlingIllegal,
    /// When the choice of the promoted piece is final.
    PromotionFinal,
    /// In what order pawn and piece change places.
    PromotionOrder,
    /// A released piece stays where it is.
    Released,
    /// A king released two squares towards a rook must castle.
    CastlingCommitted,
    /// The claim to a breach of the act of moving is lost once the opponent touches a piece.
    ClaimLost,
    /// When a move is completed.
    Completed,
    /// The clock pressed without a move.
    EmptyPress,
    /// The clock pressed before the move is made.
    EarlyPress,
    /// The clock pressed with the other hand.
    OtherHand,
    /// The clocks stopped without a reason.
    ClockStopped,
    /// The clocks stopped for a reason: the arbiter, or a piece to be fetched.
    ClockStop,
    /// A flag has fallen.
    FlagFall,
    /// The pieces were set up wrongly.
    SetupWrong,
    /// The board lies wrongly.
    Orientation,
    /// The players have each other's colour.
    ColoursReversed,
    /// Pieces displaced.
    Displaced,
    /// A displacement found later.
    DisplacedLater,
    /// An illegal move, completed.
    IllegalMove,
    /// A pawn not replaced on the last rank.
    PawnLeft,
    /// A move made with two hands.
    TwoHands,
    /// What a completed illegal move costs in standard play.
    Penalty,
    /// The same in rapid, adequately supervised.
    PenaltyRapid,
    /// The same in blitz, adequately supervised.
    PenaltyBlitz,
    /// Illegal moves in rapid without full supervision.
    ThinRapid,
    /// Illegal moves in blitz without full supervision.
    ThinBlitz,
    /// Wrong set-up in rapid and blitz without full supervision.
    ThinSetup,
    /// An illegal position that stands in rapid and blitz without full supervision.
    Standing,
    /// Checkmate.
    Checkmate,
    /// Resignation.
    Resignation,
    /// Stalemate.
    Stalemate,
    /// Dead position.
    DeadPosition,
    /// A draw by agreement.
    Agreement,
    /// When and how a draw is offered.
    DrawOffer,
    /// Threefold repetition about to appear, with the intended move.
    ThreefoldIntended,
    /// Threefold repetition that has just appeared.
    Threefold,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// A touched piece loses the right to claim a draw on that move.
    TouchLosesClaim,
    /// A draw claim found wrong.
    WrongClaim,
    /// Fivefold repetition.
    Fivefold,
    /// Seventy-five moves.
    SeventyFiveMoves,
    /// Distracting or annoying the opponent.
    Disturbing,
    /// What the arbiter may impose and decide.
    ArbiterPowers,
}

type Row = (Rule, [&'static str; 9]);

/// One row a rule, one column an edition: 1974, 1997, 2001, 2005, 2009, 2014, 2017, 2018, 2023.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    (Rule::Turn,              ["7",        "1.1",   "1.1 m",  "1.1",    "1.1",   "1.1",    "1.3",     "1.3",     "1.3"]),
    (Rule::OneHand,           ["",         "4.1",   "4.1",    "4.1",    "4.1",   "4.1",    "4.1",     "4.1",     "4.1"]),
    (Rule::Adjust,            ["8",        "4.2",   "4.2",    "4.2",    "4.2",   "4.2",    "4.2.1",   "4.2.1",   "4.2.1"]),
    (Rule::TouchedOwn,        ["8a",       "4.3a",  "4.3a",   "4.3a",   "4.3a",  "4.3a",   "4.3.1",   "4.3.1",   "4.3.1"]),
    (Rule::TouchedEnemy,      ["8a",       "4.3a",  "4.3a",   "4.3b",   "4.3b",  "4.3b",   "4.3.2",   "4.3.2",   "4.3.2"]),
    (Rule::TouchedBoth,       ["8b",       "4.3b",  "4.3b",   "4.3c",   "4.3c",  "4.3c",   "4.3.3",   "4.3.3",   "4.3.3"]),
    (Rule::NoneMovable,       ["8",        "4.5",   "4.5",    "4.5",    "4.5",   "4.5",    "4.5",     "4.5",     "4.5"]),
    (Rule::Castle,            ["8a",       "4.4a",  "4.4a m", "4.4a",   "4.4a",  "4.4a",   "4.4.1",   "4.4.1",   "4.4.1"]),
    (Rule::RookFirst,         ["8a",       "4.4b",  "4.4b m", "4.4b",   "4.4b",  "4.4b",   "4.4.2",   "4.4.2",   "4.4.2"]),
    (Rule::CastlingIllegal,   ["8a",       "4.4c",  "4.4c m", "4.4c",   "4.4c",  "4.4c",   "4.4.3",   "4.4.3",   "4.4.3"]),
    (Rule::PromotionFinal,    ["7d",       "4.7",   "4.7",    "4.4d",   "4.4d",  "4.4d",   "4.4.4",   "4.4.4",   "4.4.4"]),
    (Rule::PromotionOrder,    ["7d",       "3.7e m", "3.7e m", "4.6c",  "4.6c",  "4.6",    "4.6",     "4.6",     "4.6"]),
    (Rule::Released,          ["7a",       "4.7",   "4.7",    "4.6",    "4.6",   "4.7",    "4.7",     "4.7",     "4.7"]),
    (Rule::CastlingCommitted, ["7c",       "4.7",   "4.7",    "4.6b",   "4.6b",  "4.7b",   "4.7.2",   "4.7.2",   "4.7.2"]),
    (Rule::ClaimLost,         ["",         "4.6",   "4.6",    "4.7",    "4.7",   "4.8",    "4.8",     "4.8",     "4.8"]),
    (Rule::Completed,         ["7",        "6.7a",  "6.8a m", "6.8a m", "6.7a",  "6.2a",   "6.2.1",   "6.2.1",   "6.2.1"]),
    (Rule::EmptyPress,        ["",         "",      "",       "",       "13.4",  "6.2d",   "7.8.1",   "7.5.3",   "7.5.3"]),
    (Rule::EarlyPress,        ["",         "",      "",       "",       "6.7c",  "6.2d",   "6.2.4",   "6.2.4",   "6.2.4"]),
    (Rule::OtherHand,         ["",         "6.7b m", "6.8b m", "6.8b m", "6.7b", "6.2c",   "6.2.3",   "6.2.3",   "6.2.3"]),
    (Rule::ClockStopped,      ["",         "6.12 m", "6.13 m", "6.13 m", "6.12d", "6.11d m", "6.11.4", "6.11.4",  "6.11.4"]),
    (Rule::ClockStop,         ["",         "6.12b", "6.13 m", "6.13 m", "6.12b", "6.11b m", "6.11.2", "6.11.2",  "6.11.2"]),
    (Rule::FlagFall,          ["",         "6.9",   "6.10",   "6.10",   "6.9",   "6.9",    "6.9",     "6.9",     "6.9"]),
    (Rule::SetupWrong,        ["9.4",      "7.1a",  "7.1a",   "7.1a",   "7.1a",  "7.2a",   "7.2.1",   "7.2.1",   "7.2.1"]),
    (Rule::Orientation,       ["9.5",      "7.1b",  "7.1b",   "7.1b",   "7.1b",  "7.2b",   "7.2.2",   "7.2.2",   "7.2.2"]),
    (Rule::ColoursReversed,   ["",         "7.2",   "7.2",    "7.2",    "7.2",   "7.3",    "7.3",     "7.3",     "7.3"]),
    (Rule::Displaced,         ["9.2",      "7.3",   "7.3",    "7.3",    "7.3",   "7.4",    "7.4.1",   "7.4.1",   "7.4.1"]),
    (Rule::DisplacedLater,    ["9.2",      "7.5",   "7.5",    "7.5",    "7.5",   "7.6",    "7.6",     "7.6",     "7.6"]),
    (Rule::IllegalMove,       ["9.1",      "7.4 m", "7.4a m", "7.4a",   "7.4a",  "7.5a",   "7.5.1",   "7.5.1",   "7.5.1"]),
    (Rule::PawnLeft,          ["9.1",      "7.4 m", "7.4a m", "7.4a",   "7.4a",  "7.5b",   "7.5.2",   "7.5.2",   "7.5.2"]),
    (Rule::TwoHands,          ["",         "4.1",   "4.1",    "4.1",    "4.1",   "4.1",    "7.7.1",   "7.5.4",   "7.5.4"]),
    (Rule::Penalty,           ["",         "",      "7.4b",   "7.4b",   "7.4b",  "7.5c",   "7.5.3",   "7.5.5",   "7.5.5"]),
    (Rule::PenaltyRapid,      ["",         "",      "7.4b",   "7.4b",   "7.4b",  "7.5c",   "7.5.3",   "7.5.5",   "A.3"]),
    (Rule::PenaltyBlitz,      ["",         "",      "7.4b",   "7.4b",   "7.4b",  "B.2",    "B.2",     "B.2",     "B.2"]),
    (Rule::ThinRapid,         ["",         "B m",   "B m",    "B m",    "A.4c",  "A.4b",   "A.4.2",   "A.4.2",   "A.5.2"]),
    (Rule::ThinBlitz,         ["",         "C m",   "C m",    "C m",    "B.3c",  "B.4",    "B.4",     "B.2",     "B.3"]),
    (Rule::ThinSetup,         ["",         "B m",   "B m",    "B m",    "A.4a",  "A.4a",   "A.4.1",   "A.4.1",   "A.5.1"]),
    (Rule::Standing,          ["",         "",      "",       "",       "A.4c",  "A.4d",   "A.4.4",   "A.4.4",   "A.5.4"]),
    (Rule::Checkmate,         ["11",       "5.1",   "5.1",    "5.1a",   "5.1a",  "5.1a",   "5.1.1",   "5.1.1",   "5.1.1"]),
    (Rule::Resignation,       ["11",       "5.1",   "5.1",    "5.1b",   "5.1b",  "5.1b",   "5.1.2",   "5.1.2",   "5.1.2"]),
    (Rule::Stalemate,         ["12.1",     "5.2",   "5.2",    "5.2a",   "5.2a",  "5.2a",   "5.2.1",   "5.2.1",   "5.2.1"]),
    (Rule::DeadPosition,      ["",         "9.6 m", "9.6 m",  "5.2b",   "5.2b",  "5.2b",   "5.2.2",   "5.2.2",   "5.2.2"]),
    (Rule::Agreement,         ["12.2",     "5.3 m", "5.3 m",  "5.2c",   "5.2c",  "5.2c",   "5.2.3",   "5.2.3",   "5.2.3"]),
    (Rule::DrawOffer,         ["12.2",     "9.1",   "9.1",    "9.1",    "9.1b",  "9.1b",   "9.1.2.1", "9.1.2.1", "9.1.2.1"]),
    (Rule::ThreefoldIntended, ["12.3a",    "9.2a",  "9.2a",   "9.2a",   "9.2a",  "9.2a",   "9.2.1.1", "9.2.1.1", "9.2.1.1"]),
    (Rule::Threefold,         ["12.3b",    "9.2b",  "9.2b",   "9.2b",   "9.2b",  "9.2b",   "9.2.1.2", "9.2.1.2", "9.2.1.2"]),
    (Rule::FiftyMoves,        ["12.4",     "9.3",   "9.3",    "9.3",    "9.3",   "9.3",    "9.3",     "9.3",     "9.3"]),
    (Rule::TouchLosesClaim,   ["12.3",     "9.4",   "9.4",    "9.4",    "9.4",   "9.4",    "9.4",     "9.4",     "9.4"]),
    (Rule::WrongClaim,        ["",         "9.5",   "9.5 m",  "9.5 m",  "9.5b",  "9.5b",   "9.5.3",   "9.5.3",   "9.5.3"]),
    (Rule::Fivefold,          ["",         "",      "",       "",       "",      "9.6a",   "9.6.1",   "9.6.1",   "9.6.1"]),
    (Rule::SeventyFiveMoves,  ["",         "",      "",       "",       "",      "9.6b",   "9.6.2",   "9.6.2",   "9.6.2"]),
    (Rule::Disturbing,        ["",         "12.5 m", "12.5 m", "12.5 m", "12.6", "11.5 m", "11.5",    "11.5",    "11.5"]),
    (Rule::ArbiterPowers,     ["",         "13.4 m", "13.4 m", "13.4 m", "13.4", "12.9",   "12.9",    "12.9",    "12.9"]),
];

impl Rule {
    /// Every rule, in the order of the table.
    pub fn all() -> impl Iterator<Item = Rule> {
        TABLE.iter().map(|(rule, _)| *rule)
    }
}

impl Laws {
    /// The article that states `rule`; `None` where the edition has no such rule.
    pub fn find_article(&self, rule: Rule) -> Option<Article> {
        let cited = TABLE[rule as usize].1[column(self.edition)];
        let (number, unconfirmed) = match cited.strip_suffix(" m") {
            Some(number) => (number, true),
            None => (cited, false),
        };
        (!number.is_empty()).then_some(Article {
            number,
            unconfirmed,
        })
    }

    /// The article that states `rule`, or the one under which the arbiter acts where the edition is
    /// silent.
    pub fn article(&self, rule: Rule) -> Article {
        let silent = Article {
            number: "none",
            unconfirmed: false,
        };
        self.find_article(rule)
            .or_else(|| self.find_article(Rule::ArbiterPowers))
            .unwrap_or(silent)
    }
}

fn column(edition: Edition) -> usize {
    edition as usize
}
