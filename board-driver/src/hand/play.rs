//! A game from its first move to its last, with what was wished for in it.

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::{Chess, Color, Move, Position};

use super::astray::{Astray, exchanged};
use super::course::{self, Course, Walk};
use super::departure::{Departure, Wish};
use super::plan::{Plan, Ply};
use super::start::Start;
use super::{Breach, Hand, Truth, Turn};
use crate::random::Random;

/// What a turn has in it besides the game's move, or instead of it.
#[derive(Clone, Copy)]
enum Chosen {
    Breach(Code, Plan),
    Astray(Departure, Astray),
}

impl Chosen {
    fn of(wish: Wish, at: &Ply<'_>, course: &Course<'_>, random: &mut Random) -> Option<Chosen> {
        match wish {
            Wish::Breach(code) => Some(Chosen::Breach(code, at.plan(code, random)?)),
            Wish::Departure(departure) => {
                let astray = Astray::of(departure, at, course, random)?;
                Some(Chosen::Astray(departure, astray))
            }
        }
    }

    /// What is played where the game's own move is `mv`.
    fn played(self, mv: Move) -> Vec<Move> {
        match self {
            Chosen::Astray(_, Astray::PlayOn(illegal)) => vec![illegal],
            Chosen::Astray(_, Astray::Ahead { reply, second }) => vec![mv, reply, second],
            _ => vec![mv],
        }
    }
}

impl Hand {
    /// What the game begins with: the first wish about that can be fulfilled, else as it should.
    pub(super) fn begin_with(
        &mut self,
        position: &Chess,
        wishes: &mut Vec<(Wish, u32)>,
    ) -> (Start, Option<Departure>) {
        for i in 0..wishes.len() {
            if let Wish::Departure(departure) = wishes[i].0
                && let Some(start) = Start::of(departure, position, &mut self.random)
            {
                wishes.remove(i);
                self.table.board = start.board.clone();
                return (start, Some(departure));
            }
        }
        (Start::right(position), None)
    }

    /// Plays a game from its first move to its last, and shows its result where that is wished for.
    pub(super) fn game(
        &mut self,
        start: &Start,
        moves: &[Move],
        wishes: &mut Vec<(Wish, u32)>,
    ) -> Truth {
        if start.is_put_right() {
            self.put_right(start.position.board());
        }
        let is_own = start.is_own;
        let mut course = Course::new(&start.position, moves, is_own);
        let mut truth = Truth {
            moves: Vec::new(),
            result: self.options.result,
            breaches: Vec::new(),
            put_right: Vec::new(),
            departures: Vec::new(),
            next: None,
        };
        self.begin_as_black(&course.position, wishes, &mut truth);
        let sign = self.sign_wished(wishes);
        if let Some(walk) = sign.and_then(|sign| self.walk(sign)) {
            course.then_walk(walk);
        }
        while let Some(mv) = course.next(&mut self.random) {
            self.ply(&mut course, mv, wishes, &mut truth);
        }
        truth.moves = std::mem::take(&mut course.played);
        if let Some(sign) = sign {
            let can = sign == Departure::Sign || course.has_walked();
            if let Some(result) = can.then(|| self.sign_anyhow(sign)).flatten() {
                truth.result = result;
                truth.departures.push((sign, truth.moves.len() as u32));
                wishes.retain(|(wish, _)| *wish != Wish::from(sign));
            }
        }
        truth
    }

    fn begin_as_black(
        &mut self,
        position: &Chess,
        wishes: &mut Vec<(Wish, u32)>,
        truth: &mut Truth,
    ) {
        let wish = Wish::from(Departure::BlackBegins);
        if !wishes.iter().any(|(wished, _)| *wished == wish) {
            return;
        }
        if let Some(breach) = self.black_begins(position) {
            truth.breaches.push(breach);
            truth.departures.push((Departure::BlackBegins, 1));
            wishes.retain(|(wished, _)| *wished != wish);
        }
    }

    /// How the result is to be shown, if it is among the wishes.
    fn sign_wished(&self, wishes: &[(Wish, u32)]) -> Option<Departure> {
        wishes.iter().find_map(|(wish, _)| match wish {
            Wish::Departure(departure) if departure.is_of_end() => Some(*departure),
            _ => None,
        })
    }

    /// The way of the king that is to stand in the centre.
    fn walk(&mut self, sign: Departure) -> Option<Walk> {
        let on = match sign {
            Departure::SignOneThere => self.random.span((1, 5)) as usize,
            Departure::SignLastMove => 0,
            _ => return None,
        };
        let by = if self.random.chance(500) {
            Color::White
        } else {
            Color::Black
        };
        Some(Walk::new(by, on))
    }

    /// One ply, or three where a move goes ahead of its reply.
    fn ply(
        &mut self,
        course: &mut Course<'_>,
        mv: Move,
        wishes: &mut Vec<(Wish, u32)>,
        truth: &mut Truth,
    ) {
        let (ply, legal) = (course.ply(), course::legal(&course.position));
        let at = Ply {
            position: &course.position,
            legal: &legal,
            mv,
            clock: self.options.clock,
        };
        let chosen = self.choose(&at, course, ply, wishes);
        let (by, acts) = (course.position.turn(), self.table.so_far());
        match chosen {
            None => self.turn(by, mv, &legal),
            Some(Chosen::Breach(code, plan)) => {
                self.breach_turn(by, mv, plan);
                truth.breaches.push(Breach { code, ply, by });
            }
            Some(Chosen::Astray(departure, astray)) => {
                self.stray(by, mv, astray);
                let breach = astray.breach();
                truth.breaches.extend(breach.map(|(code, later)| Breach {
                    code,
                    ply: ply + later,
                    by,
                }));
                truth.departures.push((departure, ply));
            }
        }
        for mv in chosen.map_or_else(|| vec![mv], |chosen| chosen.played(mv)) {
            let position = course.position.clone();
            self.turns.push(Turn { acts, position, mv });
            course.play(mv);
        }
        if let Some(Chosen::Astray(_, Astray::Exchanged(a, b))) = chosen
            && let Some(stands) = exchanged(&course.position, a, b)
        {
            course.stand_otherwise(stands);
        }
    }

    /// The first wish that is due by this ply and can be fulfilled here; it leaves the wishes.
    fn choose(
        &mut self,
        at: &Ply<'_>,
        course: &Course<'_>,
        ply: u32,
        wishes: &mut Vec<(Wish, u32)>,
    ) -> Option<Chosen> {
        let random = &mut self.random;
        let mut due = wishes.iter().enumerate().filter(|(_, w)| w.1 <= ply);
        let (i, chosen) = due.find_map(|(i, w)| Some((i, Chosen::of(w.0, at, course, random)?)))?;
        wishes.remove(i);
        Some(chosen)
    }
}
