//! How hands leave the script in a turn: chosen from the position, then acted.

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

use super::course::{self, Course};
use super::departure::Departure;
use super::illegal::illegal_move;
use super::plan::{Plan, Ply, is_quiet, victim};
use super::start::playable;
use super::{Hand, breach};
use crate::random::Random;

/// A departure that can be made in a turn, with all that it takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Astray {
    /// The illegal move that stands.
    PlayOn(Move),
    /// The square that the game's piece goes to against the Laws, and the answer to it.
    Answered { to: Square, answer: Move },
    /// The second move.
    Twice(Move),
    /// The opponent's next move and the player's own, in that order in the record.
    Ahead { reply: Move, second: Move },
    /// A neighbour is pushed.
    Slip {
        from: Square,
        to: Square,
        right: bool,
    },
    /// Two pieces change places, and back.
    Exchange(Square, Square),
    /// Two pieces change places, and stand so.
    Exchanged(Square, Square),
    /// The victim is off its square for a moment only.
    Quick,
    /// The victim is held.
    Held,
    /// En passant in one gesture.
    Tucked,
}

/// How long a victim's square is empty when its captor comes at once.
const AT_ONCE: (u64, u64) = (30, 115);
/// A victim in the hand of somebody who thinks.
const HELD: (u64, u64) = (1_500, 8_000);
/// A piece that is pushed reaches the next square.
const PUSHED: (u64, u64) = (15, 60);

impl Astray {
    /// How `departure` can be made here; `None` where it cannot.
    pub(super) fn of(
        departure: Departure,
        at: &Ply<'_>,
        course: &Course<'_>,
        random: &mut Random,
    ) -> Option<Astray> {
        let slip = |right| move |(from, to)| Astray::Slip { from, to, right };
        match departure {
            Departure::PlayOn => illegal_move(at.position, Some(at.mv), random).map(Astray::PlayOn),
            Departure::IllegalAnswered => at.answered(random),
            Departure::MoveTwice => at.second_move(random).map(Astray::Twice),
            Departure::MoveAhead => at.ahead(course),
            Departure::SlipNeighbour => at.slip(random).map(slip(false)),
            Departure::SlipAndRight => at.slip(random).map(slip(true)),
            Departure::ExchangePieces => {
                let (a, b) = random.pick(&at.exchanges())?;
                Some(Astray::Exchange(a, b))
            }
            Departure::ExchangeStands => at.exchange_for_good(random),
            Departure::QuickCapture => at.is_capture().then_some(Astray::Quick),
            Departure::HeldVictim => at.is_capture().then_some(Astray::Held),
            Departure::TuckedEnPassant => at.mv.is_en_passant().then_some(Astray::Tucked),
            _ => None,
        }
    }

    /// What the Laws call it, and how many plies after the one at hand.
    pub(super) fn breach(self) -> Option<(Code, u32)> {
        match self {
            Astray::PlayOn(_) | Astray::Answered { .. } => Some((Code::IllegalMove, 0)),
            Astray::Twice(_) | Astray::Ahead { .. } => Some((Code::MovedOutOfTurn, 1)),
            Astray::Slip { right: false, .. } | Astray::Exchange(..) | Astray::Exchanged(..) => {
                Some((Code::PieceDisplaced, 0))
            }
            Astray::Slip { .. } | Astray::Quick | Astray::Held | Astray::Tucked => None,
        }
    }
}

/// `position` with two pieces on each other's squares, where it is one that can be played from.
pub(super) fn exchanged(position: &Chess, a: Square, b: Square) -> Option<Chess> {
    let mut board = position.board().clone();
    let (on_a, on_b) = (board.piece_at(a)?, board.piece_at(b)?);
    board.set_piece_at(a, on_b);
    board.set_piece_at(b, on_a);
    playable(position, &board)
}

impl Ply<'_> {
    fn is_capture(&self) -> bool {
        victim(self.mv).is_some() && !self.mv.is_en_passant() && self.mv.promotion().is_none()
    }

    /// The position after the game's own move.
    fn after(&self) -> Chess {
        let mut after = self.position.clone();
        after.play_unchecked(self.mv);
        after
    }

    fn answered(&self, random: &mut Random) -> Option<Astray> {
        let Plan::Illegal { to } = self.plan(Code::IllegalMove, random)? else {
            return None;
        };
        let mut stands = self.position.clone();
        stands.play_unchecked(Move::Normal {
            role: self.mv.role(),
            from: self.mv.from()?,
            to,
            capture: None,
            promotion: None,
        });
        let quiet: Vec<Move> = course::legal(&stands)
            .into_iter()
            .filter(|mv| is_quiet(*mv))
            .collect();
        let answer = course::plausible(&stands, &quiet, random)?;
        Some(Astray::Answered { to, answer })
    }

    /// A move that the player could make if it were still his turn.
    fn second_move(&self, random: &mut Random) -> Option<Move> {
        let again = self.after().swap_turn().ok()?;
        let legal = again.legal_moves();
        let quiet: Vec<Move> = legal.into_iter().filter(|mv| is_quiet(*mv)).collect();
        course::plausible(&again, &quiet, random)
    }

    /// The game's next two moves, where they can change places.
    fn ahead(&self, course: &Course<'_>) -> Option<Astray> {
        let (reply, second) = course.after_next()?;
        if !is_quiet(second) || second.from() == Some(self.mv.to()) {
            return None;
        }
        let mut other = self.after().swap_turn().ok()?;
        if !course::legal(&other).contains(&second) {
            return None;
        }
        other.play_unchecked(second);
        if !course::legal(&other).contains(&reply) {
            return None;
        }
        other.play_unchecked(reply);
        let mut game = self.after();
        game.play_unchecked(reply);
        let legal = course::legal(&game).contains(&second);
        game.play_unchecked(second);
        (legal && game.board() == other.board()).then_some(Astray::Ahead { reply, second })
    }

    /// A piece beside the square where the hand comes down, and a free square behind it.
    fn slip(&self, random: &mut Random) -> Option<(Square, Square)> {
        let Move::Normal {
            promotion: None, ..
        } = self.mv
        else {
            return None;
        };
        let (after, to) = (self.after(), self.mv.to());
        let (around, occupied) = (attacks::king_attacks(to), after.board().occupied());
        let near: Vec<Square> = (around & occupied & !after.board().kings())
            .into_iter()
            .collect();
        let pushed = random.pick(&near)?;
        let left = self.mv.from().map_or(Bitboard::EMPTY, Bitboard::from);
        let free: Vec<Square> = (attacks::king_attacks(pushed) & !occupied & !left)
            .into_iter()
            .collect();
        random.pick(&free).map(|free| (pushed, free))
    }

    /// Neighbours of different kinds that the move has nothing to do with.
    fn exchanges(&self) -> Vec<(Square, Square)> {
        let after = self.after();
        let board = after.board();
        let own = board.by_color(self.position.turn()) & !Bitboard::from(self.mv.to());
        let mut pairs = Vec::new();
        for a in own {
            let beside = attacks::king_attacks(a) & own;
            let others = beside
                .into_iter()
                .filter(|b| a < *b && board.role_at(a) != board.role_at(*b));
            pairs.extend(others.map(|b| (a, b)));
        }
        pairs
    }

    /// Two of them that can stand exchanged in a game.
    fn exchange_for_good(&self, random: &mut Random) -> Option<Astray> {
        let (after, mut pairs) = (self.after(), self.exchanges());
        let goes_on = |stands: Chess| !stands.is_game_over();
        pairs.retain(|(a, b)| exchanged(&after, *a, *b).is_some_and(goes_on));
        let (a, b) = random.pick(&pairs)?;
        Some(Astray::Exchanged(a, b))
    }
}

impl Hand {
    /// One player's turn in which `mv` is played and something else is done. Two more plies are
    /// played where the second move goes ahead of its reply.
    pub(super) fn stray(&mut self, by: Color, mv: Move, astray: Astray) {
        if let Astray::PlayOn(illegal) = astray {
            return self.plain_turn(by, illegal);
        }
        self.table.settle();
        self.wait((800, 3_000));
        match astray {
            Astray::PlayOn(_) => {}
            Astray::Answered { to, answer } => self.be_answered(by, mv, to, answer),
            Astray::Twice(second) => self.move_twice(by, mv, second),
            Astray::Ahead { reply, second } => self.move_ahead(by, mv, reply, second),
            Astray::Slip { from, to, right } => self.slip_beside(by, mv, (from, to), right),
            Astray::Exchange(a, b) => self.exchange(by, mv, a, b),
            Astray::Exchanged(a, b) => self.exchange_for_good(by, mv, a, b),
            Astray::Quick => self.take(by, mv, AT_ONCE),
            Astray::Held => self.take_first(by, mv, HELD),
            Astray::Tucked => self.tuck(by, mv),
        }
        self.press_after(by);
    }

    fn be_answered(&mut self, by: Color, mv: Move, to: Square, answer: Move) {
        let (Some(from), Some(answered)) = (mv.from(), answer.from()) else {
            return;
        };
        self.carry(from, to, mv.role().of(by));
        self.press_after(by);
        self.table.settle();
        self.wait(self.manner.think);
        self.play(!by, answer, true);
        self.press_after(!by);
        self.table.settle();
        self.wait(breach::ARBITER);
        self.carry(answer.to(), answered, answer.role().of(!by));
        self.wait((600, 1_500));
        self.carry(to, from, mv.role().of(by));
        self.wait((600, 1_500));
        self.play(by, mv, true);
    }

    fn move_twice(&mut self, by: Color, mv: Move, second: Move) {
        self.play(by, mv, true);
        self.press_after(by);
        self.table.settle();
        self.wait((300, 2_500));
        self.play(by, second, true);
        self.wait((1_500, 5_000));
        if let Some(from) = second.from() {
            self.carry(second.to(), from, second.role().of(by));
        }
        self.wait((600, 1_500));
    }

    fn move_ahead(&mut self, by: Color, mv: Move, reply: Move, second: Move) {
        self.play(by, mv, true);
        self.press_after(by);
        self.table.settle();
        self.wait((300, 2_500));
        self.play(by, second, true);
        self.wait((800, 3_000));
        self.play(!by, reply, true);
        self.press_after(!by);
        self.table.settle();
        self.wait((300, 2_000));
    }

    fn slip_beside(&mut self, by: Color, mv: Move, (from, to): (Square, Square), right: bool) {
        self.play(by, mv, true);
        let Some(piece) = self.table.board.piece_at(from) else {
            return;
        };
        self.wait((10, 60));
        self.table.lift(from);
        self.wait(PUSHED);
        self.table.place(to, piece);
        if right {
            self.wait((400, 1_200));
        } else {
            self.press_after(by);
            self.table.settle();
            self.wait((2_000, 4_000));
        }
        self.carry(to, from, piece);
        self.wait((300, 900));
    }

    fn exchange(&mut self, by: Color, mv: Move, a: Square, b: Square) {
        self.play(by, mv, true);
        self.wait((300, 900));
        self.change_places(a, b);
        self.press_after(by);
        self.table.settle();
        self.wait((2_000, 5_000));
        self.change_places(a, b);
        self.wait((400, 900));
    }

    fn exchange_for_good(&mut self, by: Color, mv: Move, a: Square, b: Square) {
        self.play(by, mv, true);
        self.wait((300, 900));
        self.change_places(a, b);
    }

    fn change_places(&mut self, a: Square, b: Square) {
        let board = &self.table.board;
        let (Some(on_a), Some(on_b)) = (board.piece_at(a), board.piece_at(b)) else {
            return;
        };
        self.table.lift(a);
        self.wait((150, 500));
        self.table.lift(b);
        self.wait((150, 500));
        self.table.place(b, on_a);
        self.wait((150, 500));
        self.table.place(a, on_b);
    }

    /// The captor comes as the victim goes.
    fn take(&mut self, by: Color, mv: Move, empty: (u64, u64)) {
        let Some(from) = mv.from() else { return };
        self.table.lift(from);
        self.pause_in_air();
        self.table.lift(mv.to());
        self.wait(empty);
        self.table.place(mv.to(), mv.role().of(by));
    }

    /// The victim goes, and then nothing happens for a while.
    fn take_first(&mut self, by: Color, mv: Move, held: (u64, u64)) {
        let Some(from) = mv.from() else { return };
        self.table.lift(mv.to());
        self.wait(held);
        self.carry(from, mv.to(), mv.role().of(by));
    }

    fn tuck(&mut self, by: Color, mv: Move) {
        let (Some(from), Some(taken)) = (mv.from(), victim(mv)) else {
            return;
        };
        self.table.lift(from);
        self.pause_in_air();
        if self.random.chance(500) {
            self.table.lift(taken);
            self.wait((5, 80));
            self.table.place(mv.to(), Role::Pawn.of(by));
        } else {
            self.table.place(mv.to(), Role::Pawn.of(by));
            self.wait((5, 80));
            self.table.lift(taken);
        }
    }
}
