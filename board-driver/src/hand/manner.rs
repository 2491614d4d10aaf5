//! How the kinds of players handle their pieces.
//!
//! No public recording of hands over sensor boards exists. All times and rates below are
//! assumptions, wide on purpose. The one known figure behind them: in rapid games a quarter of the
//! moves come within two seconds of the one before.

use crate::random::Span;

/// A kind of player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Style {
    /// Takes a piece, puts it down, presses the clock.
    Tidy,
    /// Slides pieces, hesitates, straightens, brushes and knocks over pieces, sometimes replies
    /// before the press.
    #[default]
    Human,
    /// In time trouble: the same, within two seconds a move, and often before the opponent has
    /// pressed.
    Hurried,
    /// Everything that hands do lawfully, often: fidgets with pieces before, during and after the
    /// move.
    Restless,
    /// In the last minute of a blitz game: 40 to 250 ms from one contact to the next.
    Blitz,
}

impl Style {
    /// Every style.
    pub const ALL: [Style; 5] = [
        Style::Tidy,
        Style::Human,
        Style::Hurried,
        Style::Restless,
        Style::Blitz,
    ];
}

/// Times in milliseconds, rates in a thousand.
#[derive(Debug)]
pub(super) struct Manner {
    /// From the opponent's press to the first touch.
    pub(super) think: Span,
    /// A piece in the air.
    pub(super) air: Span,
    /// Between two grips of the same hand: victim put aside, king let go and rook taken.
    pub(super) regrip: Span,
    /// From the last contact to the press.
    pub(super) press: Span,
    /// Moves along a line on which the piece slides over the squares between.
    pub(super) slide: u16,
    /// Pieces put down on the way and taken further.
    pub(super) detour: u16,
    /// Pieces put back, then taken again and moved.
    pub(super) put_back: u16,
    /// Neighbours brushed by the moving hand.
    pub(super) brush: u16,
    /// Announced adjustments before a move.
    pub(super) adjust: u16,
    /// Pieces knocked over or straightened between move and press.
    pub(super) knock: u16,
    /// Replies that begin before the press.
    pub(super) early: u16,
    /// How long the hand that sets out for the clock has been on its way when they do, at least.
    pub(super) soonest: u64,
    /// Captures in which victim and capturer change places in one gesture.
    pub(super) swap: u16,
    /// Captures in which both hands lift at once.
    pub(super) both: u16,
    /// Castlings of Chess960 that begin with the rook.
    pub(super) rook_first: u16,
    /// Pieces held in the air while their player thinks again, for 2 to 8 s.
    pub(super) ponder: u16,
    /// Pieces lifted for a moment, let down again, and then moved.
    pub(super) twitch: u16,
    /// Pieces that touch their square, are lifted once more without going elsewhere, and come down
    /// for good.
    pub(super) wobble: u16,
    /// Pieces that bind nobody (own ones that cannot move, others that cannot be taken),
    /// straightened unannounced.
    pub(super) idle: u16,
    /// Two or three neighbours knocked over at once after the move, and righted before the press.
    pub(super) topple: u16,
    /// Time for the game and increment, as the clock is set.
    pub(super) control: (u64, u64),
}

const TIDY: Manner = Manner {
    think: (1_000, 6_000),
    air: (350, 1_200),
    regrip: (300, 900),
    press: (400, 1_500),
    slide: 0,
    detour: 0,
    put_back: 0,
    brush: 0,
    adjust: 0,
    knock: 0,
    early: 0,
    soonest: 100,
    swap: 0,
    both: 0,
    rook_first: 0,
    ponder: 0,
    twitch: 0,
    wobble: 0,
    idle: 0,
    topple: 0,
    control: (900_000, 10_000),
};

const HUMAN: Manner = Manner {
    think: (1_000, 6_000),
    air: (250, 1_600),
    regrip: (180, 1_000),
    press: (250, 2_000),
    slide: 250,
    detour: 50,
    put_back: 30,
    brush: 60,
    adjust: 10,
    knock: 20,
    early: 80,
    swap: 120,
    both: 80,
    rook_first: 60,
    ..TIDY
};

const HURRIED: Manner = Manner {
    think: (200, 1_500),
    air: (100, 450),
    regrip: (80, 350),
    press: (120, 450),
    slide: 400,
    detour: 30,
    put_back: 10,
    brush: 90,
    adjust: 0,
    knock: 20,
    early: 250,
    swap: 250,
    both: 120,
    rook_first: 120,
    control: (180_000, 2_000),
    ..TIDY
};

const RESTLESS: Manner = Manner {
    detour: 120,
    put_back: 80,
    brush: 120,
    adjust: 40,
    knock: 60,
    early: 120,
    ponder: 30,
    twitch: 60,
    wobble: 150,
    idle: 40,
    topple: 15,
    ..HUMAN
};

const BLITZ: Manner = Manner {
    think: (60, 1_200),
    air: (40, 250),
    regrip: (40, 250),
    press: (40, 250),
    slide: 500,
    detour: 20,
    early: 350,
    soonest: 40,
    swap: 350,
    both: 150,
    control: (60_000, 1_000),
    ..HURRIED
};

impl Style {
    pub(super) fn manner(self) -> &'static Manner {
        match self {
            Style::Tidy => &TIDY,
            Style::Human => &HUMAN,
            Style::Hurried => &HURRIED,
            Style::Restless => &RESTLESS,
            Style::Blitz => &BLITZ,
        }
    }
}
