//! Hands on no script: pieces are taken up, put down anywhere, knocked over, set up and played with
//! for as long as one likes. No arbiter can follow it; what he must do is stay small, and accuse
//! nobody without end.

use arbiter_core::input::{Edition, Setup};
use arbiter_core::shakmaty::{Board, Chess, Color, Piece, Position, Square};
use arbiter_core::{Event, Input, Reading, SensorClass, Time};

use crate::storm::Chance;

/// What the hands do most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Habit {
    /// Pieces are put anywhere.
    Anything,
    /// Legal moves, an illegal one now and then, and presses.
    Moves,
    /// The same, and nobody presses.
    Unpressed,
    /// Squares flicker, many of them in one scan, and the lever is hammered.
    Noise,
}

impl Habit {
    /// Every habit.
    pub const ALL: [Habit; 4] = [
        Habit::Anything,
        Habit::Moves,
        Habit::Unpressed,
        Habit::Noise,
    ];
}

/// Hands at a board.
#[derive(Debug)]
pub struct Wild {
    setup: Setup,
    habit: Habit,
    chance: Chance,
    now: u64,
    wood: Board,
    game: Chess,
    held: Vec<Piece>,
    /// What comes next.
    coming: std::collections::VecDeque<Event>,
}

impl Wild {
    /// Hands with this habit, at a board of these sensors.
    pub fn new(sensor: SensorClass, clock: bool, laws: Edition, habit: Habit, seed: u64) -> Wild {
        let setup = Setup {
            clock,
            laws,
            ..Setup::new(sensor)
        };
        let mut wild = Wild {
            setup,
            habit,
            chance: Chance::new(seed),
            now: 0,
            wood: Board::new(),
            game: Chess::default(),
            held: Vec::new(),
            coming: std::collections::VecDeque::new(),
        };
        wild.tell(Input::Setup(wild.setup.clone().into()));
        wild
    }

    fn tell(&mut self, input: Input) {
        let at = Time(self.now);
        self.coming.push_back(Event { at, input });
    }

    /// Now or then one of `n`.
    fn one_in(&mut self, n: u64) -> bool {
        self.chance.below(n) == 0
    }

    fn any_square(&mut self) -> Square {
        Square::ALL[self.chance.below(64) as usize]
    }

    fn act(&mut self) {
        const PAUSES: [u64; 12] = [
            0, 1, 40, 90, 130, 250, 400, 700, 1_200, 2_600, 5_000, 20_000,
        ];
        let pauses = if self.habit == Habit::Noise { 5 } else { 12 };
        self.now += PAUSES[self.chance.below(pauses) as usize];
        let astray = self.one_in(60);
        match self.habit {
            Habit::Noise => self.make_noise(),
            Habit::Moves | Habit::Unpressed if !astray => self.make_move(),
            _ => self.do_anything(),
        }
    }

    fn do_anything(&mut self) {
        match self.chance.below(960) {
            0..=39 => self.press(),
            40 => self.set_up(Board::new()),
            41..=44 => self.look(),
            45..=499 => self.take_up(),
            _ => self.put_down(),
        }
    }

    fn make_noise(&mut self) {
        match self.chance.below(12) {
            0..=2 => self.press(),
            3..=7 => self.take_up(),
            _ => self.put_down(),
        }
    }

    fn take_up(&mut self) {
        let square = self.any_square();
        if let Some(piece) = self.wood.remove_piece_at(square) {
            self.held.push(piece);
            self.tell(Input::Lift { square });
        }
    }

    fn put_down(&mut self) {
        let square = self.any_square();
        if let Some(piece) = self.held.pop() {
            self.put(square, piece);
        }
    }

    fn put(&mut self, square: Square, piece: Piece) {
        if let Some(other) = self.wood.remove_piece_at(square) {
            self.held.push(other);
            self.tell(Input::Lift { square });
            self.now += 150;
        }
        self.wood.set_piece_at(square, piece);
        let seen = self.setup.sensor.sees(Some(piece));
        self.tell(Input::Place { square, seen });
    }

    fn press(&mut self) {
        if !self.setup.clock || self.habit == Habit::Unpressed {
            return;
        }
        let by = Color::from_white(self.one_in(2));
        self.pull(by);
    }

    fn pull(&mut self, by: Color) {
        let (white_ms, black_ms) = (None, None);
        self.tell(Input::Press {
            by,
            white_ms,
            black_ms,
        });
    }

    fn look(&mut self) {
        let board: Reading = self.setup.sensor.reads(&self.wood);
        self.tell(Input::Snapshot {
            board: board.into(),
        });
    }

    /// The board is set up so, square by square.
    fn set_up(&mut self, target: Board) {
        self.held.clear();
        for square in Square::ALL {
            let (stands, due) = (self.wood.piece_at(square), target.piece_at(square));
            if stands != due {
                self.now += 300;
                let seen = self.setup.sensor.sees(due);
                self.tell(match due {
                    None => Input::Lift { square },
                    Some(_) if stands.is_some() && seen == self.setup.sensor.sees(stands) => {
                        continue;
                    }
                    Some(_) => Input::Place { square, seen },
                });
            }
        }
        self.game = Chess::default();
        self.wood = target;
    }

    /// A legal move by the position that the players have in mind, if there is one.
    fn make_move(&mut self) {
        let legal = self.game.legal_moves();
        if legal.is_empty() {
            self.now += 30_000;
            return self.set_up(Board::new());
        }
        let m = legal[self.chance.below(legal.len() as u64) as usize];
        let by = self.game.turn();
        self.game.play_unchecked(m);
        let target = self.game.board().clone();
        let before = self.wood.clone();
        let changed = |full: bool| {
            let (before, target) = (before.clone(), target.clone());
            Square::ALL.into_iter().filter(move |square| {
                before.piece_at(*square) != target.piece_at(*square)
                    && target.piece_at(*square).is_some() == full
            })
        };
        for square in changed(false) {
            if self.wood.remove_piece_at(square).is_some() {
                self.tell(Input::Lift { square });
            }
        }
        self.now += 300;
        for square in changed(true) {
            if let Some(piece) = target.piece_at(square) {
                self.held.clear();
                self.put(square, piece);
            }
        }
        self.now += 400;
        if self.setup.clock && self.habit != Habit::Unpressed {
            self.pull(by);
        }
        self.held.clear();
    }
}

impl Iterator for Wild {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        while self.coming.is_empty() {
            self.act();
        }
        self.coming.pop_front()
    }
}
