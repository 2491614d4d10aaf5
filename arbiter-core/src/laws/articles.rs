//! The rules that are cited, and their articles. The numbers themselves stand in the files of the
//! editions.
//!
//! They were read in the texts of the editions, or in what is published about their differences. A
//! number that more than one account recalls, but that was not read in the text itself, is shown as
//! unconfirmed.

use crate::laws::Laws;
use crate::listed::listed;
use crate::said::irregularity::Article;

listed! {
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
        /// When a promotion is made; a pawn released on the last rank stays on its file.
        PromotionMade,
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
}

impl Laws {
    /// The article that states `rule`; `None` where the edition has no such rule.
    pub fn find_article(&self, rule: Rule) -> Option<Article> {
        let cited = (self.cite)(rule);
        if cited.is_empty() {
            return None;
        }
        let recalled = cited.strip_suffix('?');
        Some(Article {
            number: recalled.unwrap_or(cited),
            unconfirmed: recalled.is_some(),
        })
    }

    /// The article that states `rule`, or the one under which the arbiter acts where the edition is
    /// silent.
    pub fn article(&self, rule: Rule) -> Article {
        self.find_article(rule)
            .or_else(|| self.find_article(Rule::ArbiterPowers))
            .unwrap_or(Article::new("none"))
    }
}
