//! The board on the table, its clock, and the list of what happened on them.

use arbiter_core::Time;
use arbiter_core::shakmaty::{Board, ByColor, Color, Piece, Square};

use super::act::{Act, Deed};

/// True state of a game being played. Every change of it is written down.
pub(super) struct Table {
    /// What really stands on the board.
    pub(super) board: Board,
    /// Milliseconds since the board was switched on.
    now: u64,
    acts: Vec<Act>,
    clock: Option<Clock>,
    /// A hand on its way to the clock; other hands may act before it arrives.
    reaching: Option<(u64, Color)>,
}

struct Clock {
    left: ByColor<u64>,
    increment: u64,
    pressed: u64,
}

impl Table {
    pub(super) fn new(board: Board, control: Option<(u64, u64)>, plies: usize) -> Table {
        let clock = control.map(|(main, increment)| Clock {
            left: ByColor {
                black: main,
                white: main,
            },
            increment,
            pressed: 0,
        });
        Table {
            board,
            now: 0,
            acts: Vec::with_capacity(plies * 8),
            clock,
            reaching: None,
        }
    }

    /// The clock is set for the next game.
    pub(super) fn set_clock(&mut self, (main, increment): (u64, u64)) {
        if let Some(clock) = &mut self.clock {
            *clock = Clock {
                left: ByColor {
                    black: main,
                    white: main,
                },
                increment,
                pressed: self.now,
            };
        }
    }

    /// How much has happened.
    pub(super) fn so_far(&self) -> usize {
        self.acts.len()
    }

    /// Time passes.
    pub(super) fn wait(&mut self, ms: u64) {
        self.now += ms;
    }

    /// The piece on `square` leaves the board; nothing happens where there is none.
    pub(super) fn lift(&mut self, square: Square) {
        if let Some(piece) = self.board.remove_piece_at(square) {
            self.note(Deed::LiftPiece(square, piece));
        }
    }

    /// `piece` lands on `square`, which must be free.
    pub(super) fn place(&mut self, square: Square, piece: Piece) {
        debug_assert!(
            self.board.piece_at(square).is_none(),
            "two pieces on {square}"
        );
        self.board.set_piece_at(square, piece);
        self.note(Deed::PlacePiece(square, piece));
    }

    /// `by` announces that he adjusts.
    pub(super) fn adjust(&mut self, by: Color) {
        self.note(Deed::Adjust { by });
    }

    /// `by` reaches for the clock and presses it `ms` from now.
    pub(super) fn reach(&mut self, by: Color, ms: u64) {
        self.settle();
        self.reaching = Some((self.now + ms, by));
    }

    /// Waits until the hand on its way to the clock has arrived.
    pub(super) fn settle(&mut self) {
        if let Some((at, by)) = self.reaching.take() {
            self.now = self.now.max(at);
            self.press(at, by);
        }
    }

    /// How long until the hand on its way to the clock arrives.
    pub(super) fn reach_left(&self) -> u64 {
        self.reaching
            .map_or(0, |(at, _)| at.saturating_sub(self.now))
    }

    /// Everything that happened, in order of time.
    pub(super) fn finish(mut self) -> Vec<Act> {
        self.settle();
        self.acts
    }

    fn note(&mut self, deed: Deed) {
        if let Some((at, by)) = self.reaching.filter(|(at, _)| *at <= self.now) {
            self.reaching = None;
            self.press(at, by);
        }
        self.acts.push(Act {
            at: Time(self.now),
            deed,
        });
    }

    fn press(&mut self, at: u64, by: Color) {
        let Some(clock) = &mut self.clock else { return };
        let left = clock.left.get_mut(by);
        // A simulated player does not lose on time: his last second is long.
        *left = left.saturating_sub(at - clock.pressed).max(1_000) + clock.increment;
        clock.pressed = at;
        let (white_ms, black_ms) = (clock.left.white, clock.left.black);
        self.acts.push(Act {
            at: Time(at),
            deed: Deed::Press {
                by,
                white_ms,
                black_ms,
            },
        });
    }
}
