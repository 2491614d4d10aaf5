//! Presses without a move: what is found of them, and what may excuse them later.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position};

use crate::game::Game;
use crate::game::change::{Change, Changes, Found, NOTHING};
use crate::game::clock::Press;
use crate::game::state::EmptyPress;
use crate::judge::article_4::Breach;
use crate::judge::handling::Handled;
use crate::judge::obligation::permitted;
use crate::laws::EmptyPress as EmptyPressRule;
use crate::said::irregularity::{Certainty, Code, Reason};
use crate::said::symbol::Symbol;
use crate::track::hypothesis::{Hypothesis, Illegal};

impl Game {
    /// The clock was pressed and no move made: found, where the edition makes something of it.
    pub(crate) fn find_no_move(
        &mut self,
        root: &Hypothesis,
        swap_possible: bool,
        press: Press,
    ) -> Changes {
        if self.laws().empty_press == EmptyPressRule::Nothing {
            self.remember_empty_press(press, None);
            return NOTHING;
        }
        // Until a press has shown whose clock runs, it may be the one that starts the opponent's.
        let told = !self.setup.polled && !self.board.tells_pictures();
        let sure = !swap_possible && told && self.clock.running().is_some();
        let certainty = if sure {
            Certainty::Certain
        } else {
            Certainty::Likely
        };
        self.remember_empty_press(press, Some(self.number_of_empty_press(root)));
        alloc::vec![self.no_move(root, certainty)]
    }

    /// A move that stood at the press and was put back before it was judged: a piece of the
    /// presser's was not where it belongs, and one had been put down since it was taken up. Whether
    /// that one was seen to be another.
    pub(crate) fn stood_illegally_at(
        &self,
        press: Press,
        root: &Hypothesis,
    ) -> Option<(Illegal, bool)> {
        let (contacts, board) = (self.board.contacts(), root.pos.board());
        let [mut moved, mut landed, mut strange] = [Bitboard::EMPTY; 3];
        for change in contacts.log_since(root.since).filter(|c| c.at <= press.at) {
            let (square, symbol) = (change.square, change.symbol);
            let fits = contacts.planes().fits(symbol, board, square);
            let empty = symbol == Symbol::Empty;
            moved.set(square, empty && root.pos.us().contains(square));
            landed.set(square, !empty && fits && moved.any());
            strange.set(square, !empty && !fits);
        }
        let illegal = || Illegal {
            code: Code::IllegalMove,
            reason: Some(Reason::Other),
            squares: (moved | landed | strange).into_iter().collect(),
            required: self.obliged(root).unwrap_or_default(),
        };
        let stood = moved.any() && (landed | strange).any();
        stood.then(|| (illegal(), strange.any()))
    }

    /// The number that the finding of a press without a move after `root` will have.
    fn number_of_empty_press(&self, root: &Hypothesis) -> u32 {
        let ply = self.length(root) as u32 + 1;
        let (code, by) = (Code::ClockPressedWithoutMove, root.pos.turn());
        self.docket
            .number_of(self.clock.now(), (code, ply, by.into()))
    }

    fn remember_empty_press(&mut self, press: Press, finding: Option<u32>) {
        let unread = Some(EmptyPress { press, finding });
        self.state.turn_mut().empty_press = unread;
    }

    fn no_move(&self, root: &Hypothesis, certainty: Certainty) -> Change {
        let breach = Breach {
            code: Code::ClockPressedWithoutMove,
            reason: None,
            by: root.pos.turn(),
            certainty,
            squares: Vec::new(),
            required: self.obliged(root),
        };
        Found {
            breach,
            ply: self.length(root) + 1,
            before: root.pos.clone(),
        }
        .into()
    }

    /// What earlier touches of the turn still require, where they do.
    fn obliged(&self, root: &Hypothesis) -> Option<Vec<Move>> {
        if let Some(bound) = self.state.turn().bound.as_ref() {
            return Some(bound.moves.clone());
        }
        let open = self.root();
        let handling = self.handling_of_open_turn(open);
        let touches = handling.touches(self.setup.options.skew_ms, Handled::touched);
        let allowed = permitted(&root.pos, open.legal(), &touches, self.laws());
        (!allowed.is_free()).then_some(allowed.moves)
    }

    /// A press without a move; soon after it a piece of the presser's leaves its square, and the
    /// opponent answers. It may have been moved before the press, neither lift nor place being
    /// read.
    pub(crate) fn soften_empty_press(&mut self, press: Press, id: u32) -> Changes {
        let certain = self.docket.is_certain(id);
        let root = self.root();
        if !certain || !self.may_have_moved(&root.pos, press) {
            return NOTHING;
        }
        let root = root.clone();
        self.withdraw(id);
        self.remember_empty_press(press, Some(self.number_of_empty_press(&root)));
        alloc::vec![self.no_move(&root, Certainty::Likely)]
    }

    /// Whether a piece of the presser's left its square soon after the press, and one of the
    /// opponent's after it.
    fn may_have_moved(&self, pos: &Chess, press: Press) -> bool {
        let contacts = self.board.contacts();
        let gone = !self.board.planes().occupied();
        let answered = (gone & pos.them())
            .into_iter()
            .any(|sq| contacts.since(sq) > press.at);
        let reread = self.setup.options.reread_ms;
        answered
            && (gone & pos.us()).into_iter().any(|sq| {
                let left = contacts.since(sq);
                left > press.at && left.since(press.at) <= reread
            })
    }
}
