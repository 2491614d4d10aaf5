//! Where the game stands. Each state owns what only it needs, and leaving a state drops that.

use alloc::boxed::Box;
use alloc::string::String;

use shakmaty::{Bitboard, Chess};

use crate::game::clock::Press;
use crate::game::standing_move::StandingMove;
use crate::game::verdict::Loss;
use crate::judge::article_4::Bound;
use crate::said::view::{ObligationView, ResultView};

/// Where the game stands.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// Nothing is known of the position (`fen: unknown`): no verdict until the arbiter sets one.
    Unknown,
    /// The game has not begun, and pieces or board do not stand as it requires (7.2).
    SettingUp(SettingUp, Turn),
    /// A player has the move.
    Play(Turn),
    /// A position was ordered, and the board does not show it yet.
    PuttingBack(PuttingBack, Turn),
    /// The arbiter has paused the game; this is what it goes on with.
    Paused(Box<State>),
    /// The game is over, unless the arbiter says that it goes on with this.
    Ended(Ending, Box<State>),
}

/// What does not stand as it should before the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SettingUp {
    /// These squares did not agree when the board stood nearest to what is required; whether pieces
    /// stood on wrong squares, so that not all of it is work in progress.
    Pieces { nearest: Bitboard, misplaced: bool },
    /// The pieces stand wrongly, and the game is followed as they stand; the finding's number.
    Wrong(u32),
    /// The board lies wrongly: nothing can be ruled on. The finding's number, where it is one.
    Turned(Option<u32>),
}

/// A position to be put back.
#[derive(Clone, Debug)]
pub(crate) struct PuttingBack {
    /// What the board has to show.
    pub(crate) target: Chess,
    /// Pieces were seen displaced, and this is the position before that.
    pub(crate) displaced: bool,
}

/// How a game ended.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    /// With a result, and its sentence.
    Declared(ResultView, String),
    /// With a result that turns on a question that has been asked.
    Awaited(Loss),
}

/// What is open in the turn at hand; the next one begins without any of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    /// What a ruling left for the move to come.
    pub(crate) bound: Option<Bound>,
    /// What the touches oblige the player to, as told last.
    pub(crate) obligation: Option<ObligationView>,
    /// An illegal move that was not put right yet, or never will be.
    pub(crate) standing: Option<Box<StandingMove>>,
    /// A press without a move on a board that may not have read the move yet.
    pub(crate) unread: Option<EmptyPress>,
}

/// A press without a move, and the number of what was found of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmptyPress {
    pub(crate) press: Press,
    pub(crate) finding: Option<u32>,
}

impl State {
    /// The state below a pause and an ending: where the pieces stand.
    fn of_board(&self) -> &State {
        match self {
            State::Paused(was) | State::Ended(_, was) => was.of_board(),
            state => state,
        }
    }

    fn of_board_mut(&mut self) -> &mut State {
        match self {
            State::Paused(was) | State::Ended(_, was) => was.of_board_mut(),
            state => state,
        }
    }

    /// Whether a position is known.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self.of_board(), State::Unknown)
    }

    /// What does not stand as it should before the game.
    pub(crate) fn setting_up(&self) -> Option<SettingUp> {
        match self.of_board() {
            State::SettingUp(wrong, _) => Some(*wrong),
            _ => None,
        }
    }

    /// Whether the board lies so that its squares mean nothing.
    pub(crate) fn is_turned(&self) -> bool {
        matches!(self.setting_up(), Some(SettingUp::Turned(_)))
    }

    /// Whether the arbiter has paused the game.
    pub(crate) fn is_paused(&self) -> bool {
        match self {
            State::Paused(_) => true,
            State::Ended(_, was) => was.is_paused(),
            _ => false,
        }
    }

    /// Whether play is over, be the result known or awaited.
    pub(crate) fn is_ended(&self) -> bool {
        matches!(self, State::Ended(..))
    }

    /// Whether nothing more is ruled on.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_ended() || self.is_paused() || !self.is_known() || self.is_turned()
    }

    /// The position that is to be put back.
    pub(crate) fn target(&self) -> Option<&Chess> {
        match self.of_board() {
            State::PuttingBack(order, _) => Some(&order.target),
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
        matches!(self.of_board(), State::PuttingBack(order, _) if order.displaced)
    }

    /// What is open in the turn at hand; where nothing is known of the game there is none.
    fn turn(&self) -> Option<&Turn> {
        match self.of_board() {
            State::SettingUp(_, turn) | State::Play(turn) | State::PuttingBack(_, turn) => {
                Some(turn)
            }
            _ => None,
        }
    }

    /// What a ruling left for the move to come.
    pub(crate) fn bound(&self) -> Option<&Bound> {
        self.turn()?.bound.as_ref()
    }

    /// What the touches oblige the player to, as told last.
    pub(crate) fn obligation(&self) -> Option<&ObligationView> {
        self.turn()?.obligation.as_ref()
    }

    /// An illegal move that was not put right yet, or never will be.
    pub(crate) fn standing(&self) -> Option<&StandingMove> {
        self.turn()?.standing.as_deref()
    }

    /// A press without a move on a board that may not have read the move yet.
    pub(crate) fn empty_press(&self) -> Option<EmptyPress> {
        self.turn()?.unread
    }

    /// What is open in the turn at hand, to be changed.
    pub(crate) fn turn_mut(&mut self) -> Option<&mut Turn> {
        match self.of_board_mut() {
            State::SettingUp(_, turn) | State::Play(turn) | State::PuttingBack(_, turn) => {
                Some(turn)
            }
            _ => None,
        }
    }

    /// The result, and its sentence.
    pub(crate) fn result(&self) -> Option<(ResultView, &str)> {
        match self {
            State::Ended(Ending::Declared(result, text), _) => Some((*result, text)),
            _ => None,
        }
    }

    /// The loss whose result is awaited.
    pub(crate) fn awaited(&self) -> Option<&Loss> {
        match self {
            State::Ended(Ending::Awaited(loss), _) => Some(loss),
            _ => None,
        }
    }
}

/// From one state to another.
impl State {
    fn take(&mut self) -> State {
        core::mem::replace(self, State::Unknown)
    }

    /// The game has ended.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.reopen();
        *self = State::Ended(ending, Box::new(self.take()));
    }

    /// The game has not ended: it goes on where it was.
    pub(crate) fn reopen(&mut self) {
        if let State::Ended(..) = self {
            let State::Ended(_, was) = self.take() else {
                return;
            };
            *self = *was;
        }
    }

    /// The arbiter pauses the game; an ended one would go on paused.
    pub(crate) fn pause(&mut self) {
        match self {
            State::Paused(_) => {}
            State::Ended(_, was) => was.pause(),
            _ => *self = State::Paused(Box::new(self.take())),
        }
    }

    /// The game goes on. Whether it was paused.
    pub(crate) fn resume(&mut self) -> bool {
        match self {
            State::Paused(_) => {
                let State::Paused(was) = self.take() else {
                    return false;
                };
                *self = *was;
                true
            }
            State::Ended(_, was) => was.resume(),
            _ => false,
        }
    }

    /// Nothing is known of the position any more.
    pub(crate) fn forget(&mut self) {
        *self.of_board_mut() = State::Unknown;
    }

    /// Something does not stand as it should before the game.
    pub(crate) fn set_up(&mut self, wrong: SettingUp) {
        let state = self.of_board_mut();
        let turn = state.turn_mut().map(core::mem::take).unwrap_or_default();
        *state = State::SettingUp(wrong, turn);
    }

    /// All stands as it should, or the game has begun.
    pub(crate) fn begin_play(&mut self) {
        let state = self.of_board_mut();
        if let State::SettingUp(_, turn) = state {
            *state = State::Play(core::mem::take(turn));
        }
    }

    /// The position becomes known: a turn in it begins.
    pub(crate) fn know(&mut self) {
        let state = self.of_board_mut();
        if let State::Unknown = state {
            *state = State::Play(Turn::default());
        }
    }

    /// `target` is to be put back.
    pub(crate) fn put_back(&mut self, target: Chess) {
        let state = self.of_board_mut();
        if let Some(turn) = state.turn_mut().map(core::mem::take) {
            *state = State::PuttingBack(
                PuttingBack {
                    target,
                    displaced: false,
                },
                turn,
            );
        }
    }

    /// Nothing is to be put back any more. The position that was.
    pub(crate) fn stop_putting_back(&mut self) -> Option<Chess> {
        let state = self.of_board_mut();
        let State::PuttingBack(_, turn) = state else {
            return None;
        };
        let next = State::Play(core::mem::take(turn));
        match core::mem::replace(state, next) {
            State::PuttingBack(order, _) => Some(order.target),
            _ => None,
        }
    }

    /// What is put back is the position before pieces were displaced.
    pub(crate) fn mark_displaced(&mut self) {
        if let State::PuttingBack(order, _) = self.of_board_mut() {
            order.displaced = true;
        }
    }

    /// The next turn begins, with nothing of the last.
    pub(crate) fn next_turn(&mut self) {
        self.stop_putting_back();
        self.turn_mut()
            .into_iter()
            .for_each(|turn| *turn = Turn::default());
    }
}
