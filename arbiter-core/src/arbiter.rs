//! The order of stages, and nothing else: what the arbiter does with each input.

use shakmaty::{Bitboard, ByColor};

use crate::game::Game;
use crate::game::view::Plies;
use crate::said::input::{Event, Input, Setup};
use crate::said::orientation::Orientation;
use crate::said::question::Question;
use crate::said::ruling::{Announcement, Ruling};
use crate::said::symbol::Reading;
use crate::said::time::Time;
use crate::said::view::{Finding, Phase, View};

/// Receives what the arbiter says.
pub trait Sink {
    /// Takes one announcement.
    fn announce(&mut self, announcement: Announcement);
}

impl Sink for alloc::vec::Vec<Announcement> {
    fn announce(&mut self, announcement: Announcement) {
        self.push(announcement);
    }
}

/// Follows one board. One game at a time; a `setup` starts the next.
#[derive(Clone, Debug, Default)]
pub struct Arbiter {
    game: Option<Game>,
    /// The game is summed up; it can still be looked at.
    finished: bool,
}

impl Arbiter {
    /// An arbiter that waits for a `setup`.
    pub fn new() -> Arbiter {
        Arbiter::default()
    }

    /// Takes one event. Deadlines that lie before it are ruled on first, at their own times.
    ///
    /// Before the first `setup` nothing is said. A time that lies before the one before it counts
    /// as equal to it.
    pub fn handle(&mut self, event: &Event, sink: &mut impl Sink) {
        if let Input::Setup(setup) = &event.input {
            // A board's clock may start again with the game: then nothing of the game before lies
            // behind.
            if let Some(game) = self.game.as_mut().filter(|_| !self.finished) {
                game.pass_time(event.at);
                game.now = game.now.max(event.at);
            }
            self.finish(sink);
            let game = self.game.insert(Game::new(Setup::clone(setup), event.at));
            game.notice_turned_array();
            game.told.drain(..).for_each(|a| sink.announce(a));
            self.finished = false;
            return;
        }
        let Some(game) = self.game.as_mut().filter(|_| !self.finished) else {
            return;
        };
        game.pass_time(event.at);
        game.now = game.now.max(event.at);
        game.take(event);
        game.told.drain(..).for_each(|a| sink.announce(a));
    }

    /// Ends the game at hand and sums it up: the last line of a script. Without a game nothing is
    /// said, and nothing more about a game that was finished. The view stays until the next
    /// `setup`.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        let Some(game) = self.game.as_mut().filter(|_| !self.finished) else {
            return;
        };
        self.finished = true;
        game.close();
        let summary = game.summary();
        game.say(Ruling::Summary(summary));
        game.told.drain(..).for_each(|a| sink.announce(a));
    }

    /// The next moment at which silence itself would mean something. Call [`Arbiter::handle`] with
    /// a `tick` later than that; nothing is decided before a call comes whose time is later than
    /// the moment.
    pub fn next_wake(&self) -> Option<Time> {
        self.game
            .as_ref()
            .filter(|_| !self.finished)
            .and_then(Game::next_wake)
    }

    /// What the arbiter wants to know and cannot work out: who can mate from a position. Answer
    /// with the input that [`Question::answer`] makes, now or later; no move waits for it, only a
    /// result may. The same question stands until it is answered or has lost its meaning.
    pub fn question(&self) -> Option<Question> {
        self.game
            .as_ref()
            .filter(|_| !self.finished)
            .and_then(Game::question)
    }

    /// The squares whose sensors the board does not trust, as it was told last ([`Input::Suspect`])
    /// and as the board names them.
    pub fn suspects(&self) -> Bitboard {
        self.game.as_ref().map_or(Bitboard::EMPTY, |game| {
            game.turned.back().squares(game.suspect)
        })
    }

    /// What the game at hand was set up with; `None` before the first `setup`.
    pub fn setup(&self) -> Option<&Setup> {
        self.game.as_ref().map(|game| &game.setup)
    }

    /// Where the game stands in its cycle; `None` before the first `setup`.
    pub fn state(&self) -> Option<Phase> {
        self.game.as_ref().map(Game::phase)
    }

    /// How the board lies, as it is read.
    pub fn turned(&self) -> Orientation {
        self.game
            .as_ref()
            .map_or_else(Default::default, |game| game.turned)
    }

    /// What the board reads, as it names its squares and as far as it has told. What it has not
    /// told counts as set up.
    pub fn reading(&self) -> Option<Reading> {
        let game = self.game.as_ref()?;
        let mut reading = *game.contacts.planes.reading();
        for (square, symbol) in &game.scan {
            reading.set(*square, symbol.coarsened(game.setup.sensor));
        }
        Some(game.turned.back().reading(&reading))
    }

    /// The board's state for consoles. `None` before the first `setup`.
    pub fn view(&self) -> Option<View> {
        self.view_with(|plies| plies.after(0).collect(), <[Finding]>::to_vec)
    }

    /// The same for whoever keeps the record and the findings himself, and wants to be shown what
    /// is new: of a long game that is little.
    pub fn view_with<P, F>(
        &self,
        plies: impl FnOnce(Plies<'_>) -> P,
        findings: impl FnOnce(&[Finding]) -> F,
    ) -> Option<View<P, F>> {
        self.game.as_ref().map(|game| game.view(plies, findings))
    }
}

impl Game {
    /// Takes one input, its squares as the board lies.
    fn take(&mut self, event: &Event) {
        match self.turned {
            Orientation::Upright => self.take_upright(event),
            turned => self.take_upright(&Event {
                at: event.at,
                input: turned.input(&event.input),
            }),
        }
    }

    /// In the order of the stages: squares wait for the end of their scan, all else ends it.
    fn take_upright(&mut self, event: &Event) {
        if !matches!(
            event.input,
            Input::Tick | Input::Mating { .. } | Input::Suspect { .. }
        ) {
            self.witness(event);
        }
        match event.input {
            Input::Lift { square } => self.sense(square, crate::said::symbol::Symbol::Empty),
            Input::Place { square, seen } => self.sense(square, seen),
            Input::Tick => {}
            // Nor is what a board says of itself.
            Input::Suspect { squares } => self.suspect(squares),
            // An answer is no moment of the game: it ends no scan and no silence.
            Input::Mating {
                ref fen,
                white,
                black,
                quick,
            } => self.learn(fen, ByColor { white, black }, quick),
            _ => {
                self.apply_scan();
                // A silence that ends just now was long enough: only a change of the same moment
                // would have broken it.
                self.pass_time(self.now + 1);
                self.take_word(&event.input);
            }
        }
    }

    fn sense(&mut self, square: shakmaty::Square, symbol: crate::said::symbol::Symbol) {
        self.scan_at = self.now;
        self.scan.push((square, symbol));
    }

    /// An input that is not a square: from the clock, the players or the arbiter.
    fn take_word(&mut self, input: &Input) {
        match input {
            Input::Arbiter(action) => return self.order(action),
            Input::Snapshot { board } => {
                self.scan_at = self.now;
                self.scan = shakmaty::Square::ALL
                    .into_iter()
                    .map(|sq| (sq, board.at(sq)))
                    .collect();
                self.gap |= self.contacts.planes.reading() != &**board;
                self.apply_scan();
                return self.read_start();
            }
            Input::Press {
                white_ms, black_ms, ..
            } => {
                self.clocks[shakmaty::Color::White as usize] =
                    white_ms.or(self.clocks[shakmaty::Color::White as usize]);
                self.clocks[shakmaty::Color::Black as usize] =
                    black_ms.or(self.clocks[shakmaty::Color::Black as usize]);
            }
            _ => {}
        }
        if self.is_idle() {
            return;
        }
        if matches!(
            input,
            Input::Claim { .. }
                | Input::Draw { .. }
                | Input::Resign { .. }
                | Input::FlagFall { .. }
        ) {
            self.excuse_stop();
        }
        match input {
            Input::Press { by, .. } => self.press(*by),
            Input::Adjust { by } => self.announce_adjustment(*by),
            Input::Stop { by } => self.watch_stop(*by),
            Input::FlagFall { by } => self.flag_fall(*by),
            Input::Resign { by } => self.resign(*by),
            Input::Draw { by, step } => self.draw(*by, *step),
            Input::Claim {
                by, kind, intended, ..
            } => self.claim(*by, *kind, *intended),
            _ => {}
        }
    }
}
