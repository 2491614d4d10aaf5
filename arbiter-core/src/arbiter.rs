//! The order of the stages: the one caller of all of them, and the one place where what follows
//! from a stage is handed on.

use shakmaty::{Bitboard, ByColor};

use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::view::Plies;
use crate::said::input::{Event, Input, Setup};
use crate::said::orientation::Orientation;
use crate::said::question::Question;
use crate::said::ruling::{Announcement, Ruling};
use crate::said::symbol::{Reading, Symbol};
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
        if let Some(game) = self.playing() {
            // A board's clock may start again with the game: then nothing of the game before lies
            // behind.
            game.pass_time(event.at);
            game.advance(event.at);
        }
        if let Input::Setup(setup) = &event.input {
            self.finish(sink);
            let game = self.game.insert(Game::new(Setup::clone(setup), event.at));
            game.notice_turned_array();
            self.finished = false;
        } else if let Some(game) = self.playing() {
            game.take(event);
        }
        if let Some(game) = self.playing() {
            game.told().for_each(|told| sink.announce(told));
        }
    }

    /// Ends the game at hand and sums it up: the last line of a script. Without a game nothing is
    /// said, and nothing more about a game that was finished. The view stays until the next
    /// `setup`.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        let Some(game) = self.playing() else { return };
        let changes = game.close();
        game.run(changes);
        game.say(Ruling::Summary(game.summary()));
        game.told().for_each(|told| sink.announce(told));
        self.finished = true;
    }

    fn playing(&mut self) -> Option<&mut Game> {
        self.game.as_mut().filter(|_| !self.finished)
    }

    fn followed(&self) -> Option<&Game> {
        self.game.as_ref().filter(|_| !self.finished)
    }

    /// The next moment at which silence itself would mean something. Call [`Arbiter::handle`] with
    /// a `tick` later than that; nothing is decided before a call comes whose time is later than
    /// the moment.
    pub fn next_wake(&self) -> Option<Time> {
        self.followed().and_then(Game::next_wake)
    }

    /// What the arbiter wants to know and cannot work out: who can mate from a position. Answer
    /// with the input that [`Question::answer`] makes, now or later; no move waits for it, only a
    /// result may. The same question stands until it is answered or has lost its meaning.
    pub fn question(&self) -> Option<Question> {
        self.followed().and_then(Game::question)
    }

    /// The squares whose sensors the board does not trust, as it was told last ([`Input::Suspect`])
    /// and as the board names them.
    pub fn suspects(&self) -> Bitboard {
        match &self.game {
            Some(game) => game.orientation().back().squares(game.suspect()),
            None => Bitboard::EMPTY,
        }
    }

    /// What the game at hand was set up with; `None` before the first `setup`.
    pub fn setup(&self) -> Option<&Setup> {
        self.game.as_ref().map(Game::setup)
    }

    /// Where the game stands in its cycle; `None` before the first `setup`.
    pub fn state(&self) -> Option<Phase> {
        self.game.as_ref().map(Game::phase)
    }

    /// How the board lies, as it is read.
    pub fn turned(&self) -> Orientation {
        self.game
            .as_ref()
            .map_or_else(Default::default, Game::orientation)
    }

    /// What the board reads, as it names its squares and as far as it has told. What it has not
    /// told counts as set up.
    pub fn reading(&self) -> Option<Reading> {
        let game = self.game.as_ref()?;
        Some(game.orientation().back().reading(&game.reading()))
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

/// Inputs.
impl Game {
    /// Rules on every deadline that lies before `until`.
    fn pass_time(&mut self, until: Time) {
        while let Some(wake) = self.next_wake().filter(|wake| *wake < until) {
            self.advance(wake);
            let changes = self.wake();
            self.run(changes);
        }
    }

    /// Takes one input, its squares as the board lies.
    fn take(&mut self, event: &Event) {
        match self.orientation() {
            Orientation::Upright => self.take_upright(event),
            turned => {
                let input = event.input.turned(turned);
                self.take_upright(&Event {
                    at: event.at,
                    input,
                });
            }
        }
    }

    /// Squares wait for the end of their scan, all else ends it.
    fn take_upright(&mut self, event: &Event) {
        match &event.input {
            Input::Tick => {}
            Input::Suspect { squares } => self.distrust_squares(*squares),
            // An answer is no moment of the game: it ends no scan and no silence.
            Input::Mating {
                fen,
                white,
                black,
                quick,
            } => {
                let mating = ByColor {
                    white: *white,
                    black: *black,
                };
                let changes = self.learn(fen, mating, *quick);
                self.run(changes);
            }
            input => {
                self.witness(event);
                match input {
                    Input::Lift { square } => self.sense(*square, Symbol::Empty),
                    Input::Place { square, seen } => self.sense(*square, *seen),
                    word => self.take_word(word),
                }
            }
        }
    }

    /// An input that is not a square: from the clock, the players or the arbiter.
    fn take_word(&mut self, input: &Input) {
        let changes = self.apply_scan();
        self.run(changes);
        // A silence that ends just now was long enough: only a change of the same moment would have
        // broken it.
        self.pass_time(self.now() + 1);
        let changes = match input {
            Input::Arbiter(action) => self.order(action),
            Input::Snapshot { board } => {
                let changes = self.sense_all(board);
                self.run(changes);
                self.read_start();
                NOTHING
            }
            Input::Press {
                white_ms, black_ms, ..
            } => {
                self.read_clock(*white_ms, *black_ms);
                self.take_players_word(input)
            }
            _ => self.take_players_word(input),
        };
        self.run(changes);
    }

    fn take_players_word(&mut self, input: &Input) -> Changes {
        if self.is_idle() {
            return NOTHING;
        }
        let explains_stop = matches!(
            input,
            Input::Claim { .. }
                | Input::Draw { .. }
                | Input::Resign { .. }
                | Input::FlagFall { .. }
        );
        if explains_stop {
            self.excuse_stop();
        }
        match input {
            Input::Press { by, .. } => return self.pull_lever(*by),
            Input::Adjust { by } => self.announce_adjustment(*by),
            Input::Stop { by } => self.watch_stop(*by),
            Input::FlagFall { by } => return self.flag_fall(*by),
            Input::Resign { by } => return self.resign(*by),
            Input::Draw { by, step } => return self.draw(*by, *step),
            Input::Claim {
                by, kind, intended, ..
            } => return self.claim(*by, *kind, *intended),
            _ => {}
        }
        NOTHING
    }
}

/// What follows.
impl Game {
    /// Hands on what follows from a stage, and what follows from that, until nothing does. What
    /// follows from one change comes before the next.
    fn run(&mut self, mut agenda: Changes) {
        agenda.reverse();
        while let Some(change) = agenda.pop() {
            let follows = self.apply(change);
            agenda.extend(follows.into_iter().rev());
        }
    }

    /// Hands a change to the stage that takes it up.
    fn apply(&mut self, change: Change) -> Changes {
        match change {
            Change::LookAtStart => self.look_at_start(),
            Change::Begin => {
                self.begin();
            }
            Change::BeginAtPress(by) if self.begin() => return alloc::vec![Change::Press(by)],
            Change::BeginAtPress(_) => {}
            Change::Rested => return self.on_rest(),
            Change::Explained => return self.on_explained_rest(),
            Change::LookForDisplaced => return self.look_for_displaced(),
            Change::EndAtRest => return self.end_at_rest(),
            Change::TurnIsOver(by) => return self.judge_without_clock(by),
            Change::NoPressWaits => return self.judge_all_waiting(),
            Change::NoAnswerComes => return self.give_up_waiting(),
            Change::LastRest => return self.on_last_rest(),
            Change::LastPly => return self.tell_last_ply(),

            Change::Press(by) => return self.press(by),
            Change::Answer(press) => return self.answer_press(press),
            Change::Match(press) => return self.match_press(press),
            Change::PressIsDue { last_chance } => return self.judge_waiting(last_chance),
            Change::WaitingPress => return self.answer_waiting(),
            Change::EmptyPress => return self.reconsider_empty_press(),
            Change::Judge(press) => return self.judge_press(press),
            Change::Unexplained(press) => return self.rule_on_picture(press),

            Change::Replayed { length, replay } => return self.adopt_replay(length, *replay),
            Change::GapClosed {
                line,
                before,
                completed,
                press,
            } => {
                return self.close_gap(&line, before, completed, press);
            }
            Change::RestsIllegally => return self.rest_illegally(),
            Change::LetStand => self.let_stand(),
            Change::Stands(standing) => self.set_standing(standing),
            Change::LateReading => return self.soften_illegal(),

            Change::Complete(press) => return self.complete(press),
            Change::WatchPress { press, line, k } => self.watch_waiting_press(press, &line, k),
            Change::Commit { line, k } => return self.commit(&line, k),
            Change::JudgePly { line, ply } => return self.judge_ply(&line, ply),
            Change::WatchPly(watched) => self.watch_ply(&watched),
            Change::Committed { k } => return self.begin_turn(k),
            Change::WatchPosition(k) => return self.watch_position(k),
            Change::CloseStart(k) => self.close_start(k),
            Change::PruneCommon => self.prune_common(),
            Change::Completed { press, k } => return self.pass_move(press, k),
            Change::CompletedUnpressed { line, k } => return self.pass_move_unpressed(&line, k),

            Change::Touched => return self.read_touches(),
            Change::Obliged(obligation) => self.tell_obligation(obligation),
            Change::Find(found) => return self.find(*found),
            Change::StopAt { root, required } => return self.stop_at(&root, required),
            Change::PawnLeft(promotion) => return self.find_pawn_left(promotion),
            Change::Displaced { squares, by } => return self.find_displaced(squares, by),
            Change::Undone { bound, target } => self.demand_replacement(bound, *target),
            Change::PutBack => self.tell_put_back(),
            Change::PutRecordedBack => self.put_recorded_back(),
            Change::SettleDoubts => self.settle_doubts(),
            Change::CheckSquares(squares) => self.ask_to_check(squares),
            Change::AskAboutMisread => self.ask_about_misread(),
            Change::AskAboutSuspect => self.ask_about_suspect(),

            Change::ProposeForfeit(id) => return self.propose_forfeit(id),
            Change::CheckEnd { k, released } => return self.check_end(k, released),
            Change::Named => return self.check_named_end(),
            Change::EndIfOver(k) => return self.end_if_over(k),
            Change::Resigned(by) => return self.lose_by_resignation(by),
            Change::Lose(loss) => return self.lose(*loss),
            Change::Declare(verdict) => self.declare(verdict),
        }
        NOTHING
    }
}
