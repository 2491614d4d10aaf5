//! A game that was under way when its board was first read: the plies before are found as soon as
//! it is known whose turn it is, or what was played is asked.

use alloc::rc::Rc;

use shakmaty::{Bitboard, Color, Position};

use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::clock::Press;
use crate::game::state::SettingUp;
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::track::gap::LastPly;

/// Without a clock, pieces put down while the board came no nearer to the array, from which on a
/// game is played and nothing set up: two moves of each player.
const PLAYED: usize = 4;

impl Game {
    /// A press while the pieces may still be set up.
    pub(crate) fn begin_at_press(&mut self, by: Color) -> Changes {
        let at = self.clock.now();
        let press = Press {
            by,
            at,
            due: at + self.setup.options.announce_ms,
            extended: false,
        };
        // Nobody has played where nothing but empty squares are strange.
        let strange = self.differ(self.record.start()) & self.board.planes().occupied();
        if self.set_up_since().is_some()
            && self.board.gap()
            && strange.any()
            && let Some(found) = self.search_gap_at_press(press)
        {
            self.state.begin_play();
            return found;
        }
        if self.are_both_moved() {
            return self.ask_what_was_played();
        }
        match self.begin() {
            true => alloc::vec![Change::Press(by)],
            false => NOTHING,
        }
    }

    /// The board rests before the first move, and nothing explains it: with a clock the first press
    /// tells whose plies were played. Without one the piece does that is put down.
    pub(crate) fn rest_before_first_ply(&mut self) -> Changes {
        let put_down = self.put_down_since_gap();
        if !self.setup.polled && (self.setup.clock || put_down.is_none()) {
            return NOTHING;
        }
        let by = put_down.and_then(|sq| match self.board.planes().at(sq) {
            Symbol::Piece(piece) => Some(piece.color),
            Symbol::Colour(colour) => Some(colour),
            Symbol::Something | Symbol::Empty => None,
        });
        if let Some(found) = self.search_gap(None, LastPly { by, to: None }) {
            return found;
        }
        match self.set_up_since() {
            Some(since) if self.put_down_since(since) >= PLAYED => self.ask_what_was_played(),
            _ => NOTHING,
        }
    }

    /// Since when the board has stood no nearer to the array that the game requires, while pieces
    /// are set up and no ply is known.
    fn set_up_since(&self) -> Option<Time> {
        match self.state.setting_up() {
            Some(SettingUp::Pieces { since, .. }) if !self.has_begun() => Some(since),
            _ => None,
        }
    }

    /// Whether men of both players have left their squares and stand where nobody sets one up: a
    /// game is played.
    fn are_both_moved(&self) -> bool {
        let Some(SettingUp::Pieces { nearest, .. }) = self.state.setting_up() else {
            return false;
        };
        let (start, occupied) = (self.record.start().board(), self.board.planes().occupied());
        let (left, filled) = (nearest & !occupied, nearest & occupied & !start.occupied());
        let both = Color::ALL
            .iter()
            .all(|colour| (left & start.by_color(*colour)).any());
        !self.has_begun() && nearest != Bitboard::FULL && both && filled.count() > 1
    }

    /// How many pieces were put down after `start`.
    fn put_down_since(&self, start: Time) -> usize {
        let later = self.board.contacts().log_since(start);
        later
            .filter(|change| change.symbol != Symbol::Empty)
            .count()
    }

    /// Nobody sets up pieces so: a game is played from a position that nobody has seen.
    fn ask_what_was_played(&mut self) -> Changes {
        self.state.begin_play();
        self.lose_thread(&Rc::new(self.root().clone()))
    }
}
