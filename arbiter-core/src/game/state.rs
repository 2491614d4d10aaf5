//! Where the game stands. Each state owns what only it needs, and leaving a state drops that.

use alloc::boxed::Box;
use alloc::string::String;

use shakmaty::{Bitboard, Chess};

use crate::game::clock::Press;
use crate::game::verdict::Loss;
use crate::judge::article_4::Bound;
use crate::said::irregularity::Code;
use crate::said::time::Time;
use crate::said::view::{ObligationView, ResultView};

/// Where the game stands: three states of play, and three in which nothing is ruled on and from
/// which play goes on where it was.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// The game has not begun, and pieces or board do not stand as it requires (7.2).
    SettingUp(SettingUp, Turn),
    /// A player has the move.
    Play(Turn),
    /// A position was ordered, and the board does not show it yet.
    PuttingBack(PuttingBack, Turn),
    /// Nothing is known of the position (`fen: unknown`), and nothing is ruled on until the arbiter
    /// sets one.
    Unknown(Box<State>),
    /// The arbiter has paused the game.
    Paused(Box<State>),
    /// The game is over, unless the arbiter says that it goes on.
    Ended(Ending, Box<State>),
}

/// What does not stand as it should before the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SettingUp {
    /// These squares did not agree when the board stood nearest to what is required; whether pieces
    /// stood on wrong squares, so that not all of it is work in progress; and when that was.
    Pieces {
        nearest: Bitboard,
        misplaced: bool,
        since: Time,
    },
    /// The pieces stand wrongly, and the game is followed as they stand; the finding's number.
    Wrong(u32),
    /// The pieces stand as they should on a board that lies turned, and it is read so.
    Turned,
}

/// A position to be put back.
#[derive(Clone, Debug)]
pub(crate) struct PuttingBack {
    /// What the board has to show.
    target: Chess,
    /// Why it is.
    cause: Cause,
    /// Since when.
    since: Time,
    /// What did not stand as it should before the game, where that has not begun.
    setting_up: Option<SettingUp>,
}

/// Why a position is to be put back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cause {
    /// It was ordered.
    Ordered,
    /// It was ordered, pieces having been seen displaced, and is the position before that.
    Displaced,
    /// Nobody has ordered it: it is the last position known, and nothing explains the board.
    Lost,
}

/// How a game ended.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    /// With a result, and its sentence.
    Declared(ResultView, String),
    /// With a result that turns on a question that has been asked.
    Awaited(Loss),
    /// Perhaps: the starting position stands again, and it has been asked.
    Asked,
}

/// What is open in the turn at hand; the next one begins without any of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    /// What a ruling left for the move to come.
    pub(crate) bound: Option<Bound>,
    /// What the touches oblige the player to, as told last.
    pub(crate) obligation: Option<ObligationView>,
    /// A press without a move on a board that may not have read the move yet.
    pub(crate) empty_press: Option<EmptyPress>,
    /// After so many plies it begins anew: those after them have just been taken back.
    pub(crate) taken_back_to: Option<usize>,
}

/// A press without a move, and the number of what was found of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmptyPress {
    pub(crate) press: Press,
    pub(crate) finding: Option<u32>,
}

impl Turn {
    /// Whether the move that was written down with a claim must be played.
    pub(crate) fn is_written(&self) -> bool {
        let bound = self.bound.as_ref();
        bound.is_some_and(|bound| bound.code == Code::IncorrectDrawClaim)
    }
}

/// Questions.
impl State {
    /// The state of play: where it stands, or where it would go on.
    fn of_play(&self) -> &State {
        match self {
            State::Unknown(was) | State::Paused(was) | State::Ended(_, was) => was.of_play(),
            state => state,
        }
    }

    fn of_play_mut(&mut self) -> &mut State {
        match self {
            State::Unknown(was) | State::Paused(was) | State::Ended(_, was) => was.of_play_mut(),
            state => state,
        }
    }

    /// What is open in the turn at hand.
    pub(crate) fn turn(&self) -> &Turn {
        match self {
            State::SettingUp(_, turn) | State::Play(turn) | State::PuttingBack(_, turn) => turn,
            State::Unknown(was) | State::Paused(was) | State::Ended(_, was) => was.turn(),
        }
    }

    /// The same, to be changed.
    pub(crate) fn turn_mut(&mut self) -> &mut Turn {
        match self {
            State::SettingUp(_, turn) | State::Play(turn) | State::PuttingBack(_, turn) => turn,
            State::Unknown(was) | State::Paused(was) | State::Ended(_, was) => was.turn_mut(),
        }
    }

    /// Whether a position is known.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            State::Unknown(_) => false,
            State::Paused(was) | State::Ended(_, was) => was.is_known(),
            _ => true,
        }
    }

    /// Whether the game has ended.
    pub(crate) fn is_ended(&self) -> bool {
        matches!(self, State::Ended(..))
    }

    /// Whether the arbiter has paused the game.
    pub(crate) fn is_paused(&self) -> bool {
        match self {
            State::Paused(_) => true,
            State::Unknown(was) | State::Ended(_, was) => was.is_paused(),
            _ => false,
        }
    }

    /// Whether nothing is ruled on: the game has ended, be the result known or awaited, is paused,
    /// or its position is unknown.
    pub(crate) fn is_idle(&self) -> bool {
        !matches!(
            self,
            State::SettingUp(..) | State::Play(_) | State::PuttingBack(..)
        )
    }

    /// What does not stand as it should before the game.
    pub(crate) fn setting_up(&self) -> Option<SettingUp> {
        match self.of_play() {
            State::SettingUp(wrong, _) => Some(*wrong),
            State::PuttingBack(order, _) => order.setting_up,
            _ => None,
        }
    }

    /// The position that was ordered to be put back.
    pub(crate) fn ordered(&self) -> Option<&Chess> {
        self.target().filter(|_| !self.is_lost())
    }

    /// Whether the thread is lost: nothing that can have been played explains the board.
    pub(crate) fn is_lost(&self) -> bool {
        // Who says that he does not know the position has answered.
        let lost =
            matches!(self.of_play(), State::PuttingBack(order, _) if order.cause == Cause::Lost);
        lost && self.is_known()
    }

    /// The position that is to be put back, or was known last.
    pub(crate) fn target(&self) -> Option<&Chess> {
        match self.of_play() {
            State::PuttingBack(order, _) => Some(&order.target),
            _ => None,
        }
    }

    /// Since when a position is to be put back that was ordered.
    pub(crate) fn ordered_since(&self) -> Option<Time> {
        match self.of_play() {
            State::PuttingBack(order, _) if order.cause != Cause::Lost => Some(order.since),
            _ => None,
        }
    }

    /// Whether a position is being put back.
    pub(crate) fn is_putting_back(&self) -> bool {
        self.target().is_some()
    }

    /// Whether the board is being put right after pieces were seen displaced: what is in the hand
    /// meanwhile explains nothing.
    pub(crate) fn is_putting_right(&self) -> bool {
        matches!(self.of_play(), State::PuttingBack(order, _) if order.cause == Cause::Displaced)
    }

    /// The result, and its sentence.
    pub(crate) fn result(&self) -> Option<(ResultView, &str)> {
        match self {
            State::Ended(Ending::Declared(result, text), _) => Some((*result, text)),
            _ => None,
        }
    }

    /// Whether it has been asked if the game has ended.
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self, State::Ended(Ending::Asked, _))
    }

    /// The loss whose result is awaited.
    pub(crate) fn awaited(&self) -> Option<&Loss> {
        match self {
            State::Ended(Ending::Awaited(loss), _) => Some(loss),
            _ => None,
        }
    }
}

/// From one state of play to another.
impl State {
    /// Something does not stand as it should before the game.
    pub(crate) fn set_up(&mut self, wrong: SettingUp) {
        let state = self.of_play_mut();
        match state {
            State::PuttingBack(order, _) => order.setting_up = Some(wrong),
            _ => *state = State::SettingUp(wrong, core::mem::take(state.turn_mut())),
        }
    }

    /// All stands as it should, or the game has begun.
    pub(crate) fn begin_play(&mut self) {
        let state = self.of_play_mut();
        match state {
            State::PuttingBack(order, _) => order.setting_up = None,
            _ => *state = State::Play(core::mem::take(state.turn_mut())),
        }
    }

    /// `target` is to be put back from `since` on.
    pub(crate) fn put_back(&mut self, target: Chess, since: Time) {
        self.await_position(target, Cause::Ordered, since);
    }

    /// `last` was the last position known, at `since`.
    pub(crate) fn lose(&mut self, last: Chess, since: Time) {
        self.await_position(last, Cause::Lost, since);
    }

    fn await_position(&mut self, target: Chess, cause: Cause, since: Time) {
        let setting_up = self.setting_up();
        let order = PuttingBack {
            target,
            cause,
            since,
            setting_up,
        };
        let state = self.of_play_mut();
        *state = State::PuttingBack(order, core::mem::take(state.turn_mut()));
    }

    /// Nothing is to be put back any more. The position that was ordered.
    pub(crate) fn stop_putting_back(&mut self) -> Option<Chess> {
        let ordered = self.ordered().cloned();
        let state = self.of_play_mut();
        let State::PuttingBack(order, turn) = state else {
            return None;
        };
        let turn = core::mem::take(turn);
        *state = match order.setting_up {
            Some(wrong) => State::SettingUp(wrong, turn),
            None => State::Play(turn),
        };
        ordered
    }

    /// What is put back is the position before pieces were displaced.
    pub(crate) fn mark_displaced(&mut self) {
        if let State::PuttingBack(order, _) = self.of_play_mut() {
            order.cause = Cause::Displaced;
        }
    }

    /// The turn of ply `ply` begins, with nothing of the last but what was left for this one
    /// before: without a clock the opponent's move is not complete when a player claims.
    pub(crate) fn pass_turn(&mut self, ply: usize) {
        let turn = self.turn_mut();
        let written = turn.is_written();
        let bound = turn.bound.take().filter(|bound| bound.ply == ply);
        let obligation = turn
            .obligation
            .take()
            .filter(|_| written && bound.is_some());
        self.next_turn();
        let turn = self.turn_mut();
        (turn.bound, turn.obligation) = (bound, obligation);
    }

    /// The next turn begins, with nothing of the last.
    pub(crate) fn next_turn(&mut self) {
        self.stop_putting_back();
        *self.turn_mut() = Turn::default();
    }
}

/// Out of play, and back.
impl State {
    fn take(&mut self) -> Box<State> {
        Box::new(core::mem::replace(self, State::Play(Turn::default())))
    }

    /// The game has ended.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.reopen();
        *self = State::Ended(ending, self.take());
    }

    /// The game has not ended: it goes on where it was.
    pub(crate) fn reopen(&mut self) {
        if let State::Ended(_, was) = self {
            *self = *was.take();
        }
    }

    /// The arbiter pauses the game, which has not ended.
    pub(crate) fn pause(&mut self) {
        if !self.is_paused() {
            *self = State::Paused(self.take());
        }
    }

    /// The game goes on. Whether it was paused.
    pub(crate) fn resume(&mut self) -> bool {
        match self {
            State::Paused(was) => {
                *self = *was.take();
                true
            }
            State::Unknown(was) | State::Ended(_, was) => was.resume(),
            _ => false,
        }
    }

    /// Nothing is known of the position any more.
    pub(crate) fn forget(&mut self) {
        if self.is_known() {
            let state = self.of_play_mut();
            *state = State::Unknown(state.take());
        }
    }

    /// The position becomes known.
    pub(crate) fn know(&mut self) {
        match self {
            State::Unknown(was) => *self = *was.take(),
            State::Paused(was) | State::Ended(_, was) => was.know(),
            _ => {}
        }
    }
}
