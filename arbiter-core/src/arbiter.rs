//! The order of the stages: the one caller of all of them, and the one place where what follows
//! from a stage is handed on.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use shakmaty::{Bitboard, ByColor};

use crate::earlier::Earlier;
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::refusal::Ordered;
use crate::game::view::Plies;
use crate::hearing::{Hearing, Taken};
use crate::said::input::{ArbiterAction, Event, Input, Setup};
use crate::said::orientation::Orientation;
use crate::said::question::Question;
use crate::said::refused::Why;
use crate::said::ruling::Announcement;
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
    hearing: Option<Hearing>,
    /// The game before, where it is not known how it ended.
    earlier: Option<Box<Earlier>>,
    /// Games that have begun since the last `setup`, and what the first of them is called.
    begun: u32,
    first: String,
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
        // A board's clock may start again with the game: then nothing of the game before lies
        // behind.
        self.wait(event.at, sink);
        if let Input::Setup(setup) = &event.input {
            self.finish(sink);
            self.hearing = Some(Hearing::new(setup, event.at));
            (self.begun, self.first) = (1, setup.game.clone());
            self.finished = false;
        } else if self
            .earlier
            .as_ref()
            .is_some_and(|e| e.is_meant(&event.input))
        {
            self.answer(event, sink);
        } else {
            if let Some(hearing) = self.playing() {
                hearing.take(event);
            }
            if let Some(earlier) = &mut self.earlier {
                earlier.note(event);
            }
        }
        self.tell(sink);
    }

    fn tell(&mut self, sink: &mut impl Sink) {
        if let Some(hearing) = self.playing() {
            hearing.told().for_each(|told| sink.announce(told));
        }
    }

    /// Time passes. Where the starting position is set up again meanwhile, the next game begins.
    fn wait(&mut self, until: Time, sink: &mut impl Sink) {
        while let Some(hearing) = self.playing() {
            hearing.wait(until);
            if !hearing.game().is_next_due() {
                return;
            }
            self.begin_next(sink);
        }
    }

    /// The next game begins on the board, before it is known how the one at hand ended.
    fn begin_next(&mut self, sink: &mut impl Sink) {
        self.tell(sink);
        if let Some(earlier) = self.earlier.take() {
            earlier.finish(sink);
        }
        let Some(hearing) = self.hearing.take() else {
            return;
        };
        let (begins, suspect) = (
            hearing.game().next_begins(),
            self.suspects_of(hearing.game()),
        );
        let at = begins.at;
        let earlier = Earlier::new(hearing);
        self.begun += 1;
        let setup = earlier.next_setup(&self.first, self.begun, begins.lies);
        let mut next = Hearing::new(&setup, at);
        if suspect.any() {
            let input = Input::Suspect { squares: suspect };
            next.take(&Event { at, input });
        }
        if let Some(board) = begins.shown {
            let input = Input::Snapshot {
                board: Box::new(board),
            };
            next.take(&Event { at, input });
        }
        match earlier.is_open() {
            true => self.earlier = Some(Box::new(earlier)),
            false => earlier.finish(sink),
        }
        self.hearing = Some(next);
    }

    /// The arbiter says of the game before how it ended, or that it goes on.
    fn answer(&mut self, event: &Event, sink: &mut impl Sink) {
        let Some(mut earlier) = self.earlier.take() else {
            return;
        };
        let goes_on = matches!(
            event.input.plain(),
            Input::Arbiter(ArbiterAction::GoesOn { .. })
        );
        if !goes_on {
            earlier.end(event, sink);
            match earlier.is_open() {
                true => self.earlier = Some(earlier),
                false => earlier.finish(sink),
            }
            return;
        }
        if !earlier.can_go_on() {
            if let Some(hearing) = self.hearing.as_mut() {
                hearing.refuse_as_too_far_back(event.input.order());
            }
            self.earlier = Some(earlier);
            return;
        }
        // What followed was none of its own.
        self.finish_at_hand(sink);
        self.finished = false;
        self.hearing = earlier.go_on(event.at);
    }

    /// Ends the game at hand and sums it up: the last line of a script. Without a game nothing is
    /// said, and nothing more about a game that was finished. The view stays until the next
    /// `setup`.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        if let Some(earlier) = self.earlier.take() {
            earlier.finish(sink);
        }
        self.finish_at_hand(sink);
    }

    fn finish_at_hand(&mut self, sink: &mut impl Sink) {
        let Some(hearing) = self.playing() else {
            return;
        };
        hearing.finish();
        hearing.told().for_each(|told| sink.announce(told));
        self.finished = true;
    }

    fn playing(&mut self) -> Option<&mut Hearing> {
        self.hearing.as_mut().filter(|_| !self.finished)
    }

    fn followed(&self) -> Option<&Game> {
        self.game().filter(|_| !self.finished)
    }

    fn game(&self) -> Option<&Game> {
        self.hearing.as_ref().map(Hearing::game)
    }

    /// Whether an order of this name was given in the game at hand.
    pub fn knows_order(&self, order: &str) -> bool {
        self.hearing
            .as_ref()
            .is_some_and(|hearing| hearing.knows(order))
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
        self.game()
            .map_or(Bitboard::EMPTY, |game| self.suspects_of(game))
    }

    fn suspects_of(&self, game: &Game) -> Bitboard {
        game.orientation().back().squares(game.suspect())
    }

    /// What the game at hand was set up with; `None` before the first `setup`.
    pub fn setup(&self) -> Option<&Setup> {
        self.game().map(Game::setup)
    }

    /// Where the game stands in its cycle; `None` before the first `setup`.
    pub fn state(&self) -> Option<Phase> {
        self.game().map(Game::phase)
    }

    /// How the board lies, as it is read.
    pub fn turned(&self) -> Orientation {
        self.game().map_or_else(Default::default, Game::orientation)
    }

    /// What the board reads, as it names its squares and as far as it has told. What it has not
    /// told counts as set up.
    pub fn reading(&self) -> Option<Reading> {
        let game = self.game()?;
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
        let hearing = self.hearing.as_ref()?;
        let mut view = hearing.game().view(plies, findings);
        view.orders = hearing.orders();
        Some(view)
    }
}

/// Inputs.
impl Game {
    /// Rules on every deadline that lies before `until`.
    pub(crate) fn pass_time(&mut self, until: Time) {
        while !self.is_next_due()
            && let Some(wake) = self.next_wake().filter(|wake| *wake < until)
        {
            self.other_waits(wake);
            if self.next_own_wake().is_some_and(|own| own <= wake) {
                self.advance(wake);
                let changes = self.wake();
                self.run(changes);
            }
            self.decide_between();
        }
    }

    /// Takes one input, its squares as the board lies.
    pub(crate) fn take(&mut self, event: &Event) -> Taken {
        self.other_takes(event);
        let taken = self.take_alone(event);
        self.decide_between();
        taken
    }

    /// The same, its other account aside.
    pub(crate) fn take_alone(&mut self, event: &Event) -> Taken {
        match self.orientation() {
            Orientation::Upright => self.take_upright(event),
            turned => {
                let input = event.input.turned(turned);
                self.take_upright(&Event {
                    at: event.at,
                    input,
                })
            }
        }
    }

    /// The moment of an input that does nothing but to end a scan.
    pub(crate) fn take_moment(&mut self, at: Time) {
        self.pass_time(at);
        self.other_passes(at);
        self.advance(at);
        self.end_scan();
    }

    /// Squares wait for the end of their scan, all else ends it.
    fn take_upright(&mut self, event: &Event) -> Taken {
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
            Input::Lift { square } => {
                self.witness(event);
                self.sense(*square, Symbol::Empty);
            }
            Input::Place { square, seen } => {
                self.witness(event);
                self.sense(*square, *seen);
            }
            _ if may_be_refused(&event.input) => {
                // What the end of a scan shows does not rest on it.
                self.end_scan();
                self.witness(event);
                return self.take_word(&event.input);
            }
            word => {
                self.witness(event);
                self.end_scan();
                return self.take_word(word);
            }
        }
        Taken::Heard
    }

    /// What was reported of the scan is all of it.
    pub(crate) fn end_scan(&mut self) {
        let changes = self.apply_scan();
        self.run(changes);
        // A silence that ends just now was long enough: only a change of the same moment would have
        // broken it.
        self.pass_time(self.now() + 1);
    }

    /// An input that is not a square: from the clock, the players or the arbiter.
    fn take_word(&mut self, input: &Input) -> Taken {
        let followed = match input.plain() {
            Input::Arbiter(ArbiterAction::Played { ply, uci }) => self.name_played(*ply, *uci),
            Input::Arbiter(action) => self.order(action).map(Some),
            Input::Snapshot { board } => {
                let changes = self.sense_all(board);
                self.run(changes);
                self.read_start();
                Ok(Some(NOTHING))
            }
            plain => {
                if let Input::Press {
                    white_ms, black_ms, ..
                } = plain
                {
                    self.read_clock(*white_ms, *black_ms);
                }
                self.take_players_word(input).map(Some)
            }
        };
        match followed {
            Ok(Some(changes)) => {
                self.run(changes);
                Taken::Heard
            }
            Ok(None) => {
                self.forget_witness();
                Taken::Unheard
            }
            Err(refusal) => {
                self.forget_witness();
                self.refuse(input.order(), &refusal, Vec::new());
                Taken::Refused
            }
        }
    }

    /// What a player said or did.
    fn take_players_word(&mut self, input: &Input) -> Ordered {
        let is_order = may_be_refused(input);
        let input = input.plain();
        if self.is_idle() {
            return match is_order {
                true => Err(Why::NotPlaying.into()),
                false => Ok(NOTHING),
            };
        }
        if is_order && self.answers_no_offer(input) {
            return Err(Why::NoOffer.into());
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
        Ok(match input {
            Input::Press { by, .. } => self.pull_lever(*by),
            Input::FlagFall { by } => self.flag_fall(*by),
            Input::Resign { by } => self.resign(*by),
            Input::Draw { by, step } => self.draw(*by, *step),
            Input::Claim {
                by, kind, intended, ..
            } => self.claim(*by, *kind, *intended),
            Input::Adjust { by } => {
                self.announce_adjustment(*by);
                NOTHING
            }
            Input::Stop { by } => {
                self.watch_stop(*by);
                NOTHING
            }
            _ => NOTHING,
        })
    }
}

/// Whether it is an order. What players say is one where somebody declared it under a name; what
/// they do to the clock is evidence.
fn may_be_refused(input: &Input) -> bool {
    match input.plain() {
        Input::Arbiter(_) => true,
        Input::Claim { .. } | Input::Draw { .. } | Input::Resign { .. } | Input::Adjust { .. } => {
            input.order().is_some()
        }
        _ => false,
    }
}

/// What follows.
impl Game {
    /// Hands on what follows from a stage, and what follows from that, until nothing does. What
    /// follows from one change comes before the next.
    pub(crate) fn run(&mut self, mut agenda: Changes) {
        agenda.reverse();
        while let Some(change) = agenda.pop() {
            let follows = match change {
                Change::WeighStart => {
                    agenda.reverse();
                    self.weigh_start(core::mem::take(&mut agenda))
                }
                change => self.apply(change),
            };
            agenda.extend(follows.into_iter().rev());
        }
        self.close_lost_thread();
    }

    /// Hands a change to the stage that takes it up.
    fn apply(&mut self, change: Change) -> Changes {
        match change {
            Change::LookAtStart => self.look_at_start(),
            Change::Begin => {
                self.begin();
            }
            Change::BeginAtPress(by) => return self.begin_at_press(by),
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
                lines,
                before,
                completed,
                press,
            } => {
                return self.close_gap(lines, before, completed, press);
            }
            Change::RestsIllegally => return self.rest_illegally(),
            Change::LetStand => self.let_stand(),
            Change::GoOn(k) => return self.complete_followed(k),
            Change::ProposeRestore(ply) => self.propose_restore(ply),
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
            Change::StopAt { root, illegal } => return self.stop_at(&root, illegal),
            Change::PawnLeft(promotion) => return self.find_pawn_left(promotion),
            Change::PawnGone(promotion) => return self.find_pawn_gone(promotion),
            Change::Displaced { squares, by, hand } => {
                return self.find_displaced(squares, by, hand);
            }
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
            // What comes after it depends on it: see `run`.
            Change::WeighStart => {}
        }
        NOTHING
    }
}
