//! The rule sets: what each edition makes of what a board can show.

use crate::said::input::{Edition, TimeClass};

/// What completes a move, so that an illegal one can be flagged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// The hand lets go of the piece.
    Release,
    /// The clock is pressed.
    Press,
}

/// What binds when pieces of both colours were touched and the one cannot capture the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TouchedBoth {
    /// The own piece must move; failing that, the opponent's must be captured. The order of
    /// touching means nothing.
    OwnThenEnemy,
    /// The first one touched that can be moved or captured.
    FirstTouched,
}

/// What becomes of a pawn left on the last rank when the move is completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PawnLeft {
    /// The move is undone; the pawn must promote there, to a piece of the player's choice.
    Undone,
    /// The pawn is replaced by a queen and the game goes on.
    Queen,
}

/// What a press without a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmptyPress {
    /// The Laws do not speak of it.
    Nothing,
    /// Misconduct that the arbiter may penalise.
    Conduct,
    /// It counts as an illegal move.
    Illegal,
}

/// Five occurrences of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fivefold {
    /// No such rule.
    None,
    /// A draw when they come on consecutive alternate moves.
    Consecutive,
    /// A draw, whatever lies between.
    Any,
}

/// An edition of the Laws, as far as a board can observe it or the arbiter must apply it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laws {
    /// Which.
    pub edition: Edition,
    /// Since when, for people.
    pub in_force: &'static str,
    /// What completes a move.
    pub completion: Completion,
    /// Touched pieces of both colours.
    pub touched_both: TouchedBoth,
    /// Whether there are clauses on touching king and rook (4.4a to c, 4.4.1 to 4.4.3).
    pub castling_clauses: bool,
    /// Whether a piece put on the promotion square is final by touching it; before, by its release.
    pub promotion_final_by_touch: bool,
    /// Whether promotion in any order is expressly allowed, the pawn's way over the last rank
    /// included (4.6).
    pub promotion_in_any_order: bool,
    /// Whether contact with a piece counts as intended unless it is clearly accidental (4.2.2).
    pub intent_presumed: bool,
    /// Whether a claim under Article 4 is lost when the claimant touches a piece.
    pub touch_loses_claim: bool,
    /// Whether a touched piece loses the right to claim a draw on that move (9.4).
    pub touch_loses_draw_claim: bool,
    /// A pawn left on the last rank.
    pub pawn_left: PawnLeft,
    /// A press without a move.
    pub empty_press: EmptyPress,
    /// Whether a completed move made with two hands counts as an illegal move.
    pub two_hands_illegal: bool,
    /// Whether mate and stalemate end the game only when the move kept to Article 4 (5.1.1).
    pub ends_in_accord_with_article_4: bool,
    /// Whether a position in which nobody can mate ends the game.
    pub dead_position: bool,
    /// Whether a resignation draws when the opponent cannot mate.
    pub resignation_draws: bool,
    /// Whether a draw can be agreed only after both have moved.
    pub agreement_after_moves: bool,
    /// Five occurrences of a position.
    pub fivefold: Fivefold,
    /// Whether seventy-five moves without a capture or a pawn move end the game.
    pub seventy_five_moves: bool,
    /// Whether a flag fall only draws when the opponent cannot mate.
    pub flag_fall_draws: bool,
    /// Moves by each player after which reversed colours are left as they are; `None`: the arbiter
    /// decides whenever.
    pub colours_reversed_until: Option<u32>,
    /// Whether an illegal position that stands for one more move draws, in rapid and blitz without
    /// full supervision.
    pub waits_out_illegal_positions: bool,
    /// Whether a game that cannot be taken back to the irregularity is annulled and played anew.
    pub annuls: bool,
}

/// What all editions are measured against: the newest.
const FIDE_2023: Laws = Laws {
    edition: Edition::Fide2023,
    in_force: "1 January 2023",
    completion: Completion::Press,
    touched_both: TouchedBoth::FirstTouched,
    castling_clauses: true,
    promotion_final_by_touch: true,
    promotion_in_any_order: true,
    intent_presumed: true,
    touch_loses_claim: true,
    touch_loses_draw_claim: true,
    pawn_left: PawnLeft::Queen,
    empty_press: EmptyPress::Illegal,
    two_hands_illegal: true,
    ends_in_accord_with_article_4: true,
    dead_position: true,
    resignation_draws: true,
    agreement_after_moves: true,
    fivefold: Fivefold::Any,
    seventy_five_moves: true,
    flag_fall_draws: true,
    colours_reversed_until: Some(10),
    waits_out_illegal_positions: true,
    annuls: false,
};

const FIDE_2018: Laws = Laws {
    edition: Edition::Fide2018,
    in_force: "1 January 2018",
    resignation_draws: false,
    ..FIDE_2023
};

const FIDE_2017: Laws = Laws {
    edition: Edition::Fide2017,
    in_force: "1 July 2017",
    ..FIDE_2018
};

const FIDE_2014: Laws = Laws {
    edition: Edition::Fide2014,
    in_force: "1 July 2014",
    intent_presumed: false,
    empty_press: EmptyPress::Conduct,
    two_hands_illegal: false,
    agreement_after_moves: false,
    fivefold: Fivefold::Consecutive,
    colours_reversed_until: None,
    ..FIDE_2017
};

const FIDE_2009: Laws = Laws {
    edition: Edition::Fide2009,
    in_force: "1 July 2009",
    promotion_in_any_order: false,
    pawn_left: PawnLeft::Undone,
    ends_in_accord_with_article_4: false,
    fivefold: Fivefold::None,
    seventy_five_moves: false,
    waits_out_illegal_positions: false,
    ..FIDE_2014
};

const FIDE_2005: Laws = Laws {
    edition: Edition::Fide2005,
    in_force: "1 July 2005",
    empty_press: EmptyPress::Nothing,
    ..FIDE_2009
};

const FIDE_2001: Laws = Laws {
    edition: Edition::Fide2001,
    in_force: "1 July 2001",
    promotion_final_by_touch: false,
    ..FIDE_2005
};

const FIDE_1997: Laws = Laws {
    edition: Edition::Fide1997,
    in_force: "1 July 1997",
    ..FIDE_2001
};

const FIDE_1974: Laws = Laws {
    edition: Edition::Fide1974,
    in_force: "the middle of the 1970s",
    completion: Completion::Release,
    touched_both: TouchedBoth::OwnThenEnemy,
    castling_clauses: false,
    touch_loses_claim: false,
    touch_loses_draw_claim: false,
    dead_position: false,
    annuls: true,
    ..FIDE_1997
};

/// The rule set of an edition.
pub fn of(edition: Edition) -> &'static Laws {
    match edition {
        Edition::Fide1974 => &FIDE_1974,
        Edition::Fide1997 => &FIDE_1997,
        Edition::Fide2001 => &FIDE_2001,
        Edition::Fide2005 => &FIDE_2005,
        Edition::Fide2009 => &FIDE_2009,
        Edition::Fide2014 => &FIDE_2014,
        Edition::Fide2017 => &FIDE_2017,
        Edition::Fide2018 => &FIDE_2018,
        Edition::Fide2023 => &FIDE_2023,
    }
}

impl Laws {
    /// What a draw claim found wrong gives the opponent, in milliseconds (9.5).
    pub fn wrong_claim_ms(&self, class: TimeClass) -> u64 {
        match (self.edition, class) {
            (Edition::Fide1974, _) => 0,
            (e, _) if e <= Edition::Fide2009 => 180_000,
            (_, TimeClass::Blitz) | (Edition::Fide2023, TimeClass::Rapid) => 60_000,
            _ => 120_000,
        }
    }

    /// Moves by each player after which a wrong set-up stands in rapid and blitz without full
    /// supervision.
    pub fn setup_moves(&self, class: TimeClass, supervised: bool) -> Option<u32> {
        match self.edition {
            _ if supervised || class == TimeClass::Standard => None,
            Edition::Fide1974 => None,
            e if e <= Edition::Fide2009 => Some(3),
            _ => Some(10),
        }
    }

    /// Whether two hands are an illegal move only when the clock was pressed after it (7.5.4 since
    /// 2018); until then 4.1 alone is broken.
    pub fn two_hands_need_press(&self) -> bool {
        self.edition >= Edition::Fide2018
    }

    /// Whether the arbiter calls a flag fall himself, not only the players: everywhere but in rapid
    /// and blitz without full supervision until 2009.
    pub fn arbiter_calls_flag(&self, class: TimeClass, supervised: bool) -> bool {
        supervised || class == TimeClass::Standard || self.edition >= Edition::Fide2014
    }
}
