//! Presses without a move: what is found of them, and what may excuse them later.

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position};

use crate::game::Game;
use crate::game::change::{Change, Changes, Found, Line, NOTHING};
use crate::game::clock::Press;
use crate::game::state::EmptyPress;
use crate::judge::article_4::Breach;
use crate::judge::handling::{Handled, Handling};
use crate::judge::obligation::permitted;
use crate::laws::EmptyPress as EmptyPressRule;
use crate::said::input::{Event, Input};
use crate::said::irregularity::{Certainty, Code, Reason};
use crate::said::symbol::Symbol;
use crate::said::time::Millis;
use crate::track::hypothesis::{Hypothesis, Illegal};

/// So soon after the opponent's press, in milliseconds, nobody can have answered it: both hands
/// were at the lever, or it sprang back.
const ONE_MOMENT: Millis = 250;

impl Game {
    /// The clock was pressed and no move made: found, where the edition makes something of it.
    pub(crate) fn find_no_move(
        &mut self,
        root: &Hypothesis,
        swap_possible: bool,
        press: Press,
    ) -> Changes {
        // Who presses while the clocks are stopped may be setting them.
        if self.clock.was_stopped() || self.laws().empty_press == EmptyPressRule::Nothing {
            self.remember_empty_press(press, None);
            return NOTHING;
        }
        if let Some(earlier) = self.state.turn().empty_press
            && self.are_squares_silent(&earlier.press, &press)
        {
            earlier.finding.into_iter().for_each(|id| self.withdraw(id));
            self.drop_forfeit();
            // Whatever was played meanwhile is looked for as after any time out of sight.
            self.board.note_hidden_plies();
            return NOTHING;
        }
        // Until a press has shown whose clock runs, it may be the one that starts the opponent's.
        let told = !self.setup.polled && !self.board.tells_pictures() && !self.board.misreads();
        let sure = !swap_possible && told && self.clock.running().is_some();
        let certainty = if self.is_of_one_moment(press) {
            Certainty::Possible
        } else if sure {
            Certainty::Certain
        } else {
            Certainty::Likely
        };
        self.remember_empty_press(press, Some(self.number_of_empty_press(root)));
        self.note_pass(root);
        alloc::vec![self.no_move(root, certainty).into()]
    }

    /// Whether nothing differs at the press but a man of the opponent's, which stands elsewhere
    /// than it did, and no other was touched: whose hand it was nobody saw, and who pressed has
    /// not moved.
    pub(crate) fn is_only_theirs_moved(
        &self,
        root: &Hypothesis,
        handling: &Handling,
        press: Press,
    ) -> bool {
        let [moved] = handling.pieces.as_slice() else {
            return false;
        };
        let Some(stands) = moved.stands().filter(|c| c.square != moved.home) else {
            return false;
        };
        let pressed = press.by == root.pos.turn() && !press.is_inferred();
        let theirs = moved.piece.color != press.by && stands.from <= press.at;
        let both = Bitboard::from(moved.home) | Bitboard::from(stands.square);
        pressed && theirs && self.wrong(root) == both && !self.clock.was_stopped()
    }

    /// What follows from that: what is to be put back, and that nothing was pressed for.
    pub(crate) fn find_only_theirs_moved(&mut self, root: &Line, press: Press) -> Changes {
        if let Some(later) = self.may_be_read_again(press) {
            self.clock.wait(later);
            return NOTHING;
        }
        let mut changes = self.find_no_move(root, true, press);
        changes.push(Change::PutRecordedBack);
        changes
    }

    /// Whether the press came in the moment in which its player got the move.
    fn is_of_one_moment(&self, press: Press) -> bool {
        press.at.since(self.clock.turn_start()) <= ONE_MOMENT && self.record.completed() > 0
    }

    /// Whether both players have pressed since the `earlier` empty press, `press` being the second
    /// by the same player, and no square has changed at all: the squares are not heard, and nobody
    /// knows what was played.
    fn are_squares_silent(&self, earlier: &Press, press: &Press) -> bool {
        let by_opponent = |event: &Event| {
            let his = matches!(event.input, Input::Press { by, .. } if by != press.by);
            his && event.at > earlier.at && event.at < press.at
        };
        earlier.by == press.by
            && self.board.contacts().last_change() <= earlier.at
            && self.board.evidence().any(by_opponent)
    }

    /// The opponent of who pressed without a move that was seen has moved: he took one for made.
    /// What that was is asked; who replied had the move by the clock, and who pressed may have
    /// moved unseen.
    pub(crate) fn lose_after_empty_press(&mut self, best: &Hypothesis) -> Option<Changes> {
        let EmptyPress { press, finding } = self.state.turn().empty_press?;
        if press.by != best.pos.turn() || press.is_inferred() {
            return None;
        }
        if let Some(id) = finding.filter(|id| self.docket.is_certain(*id)) {
            let found = self.no_move(best, Certainty::Likely);
            self.withdraw(id);
            self.find(found);
        }
        Some(self.lose_thread(&Rc::new(best.clone())))
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

    fn no_move(&self, root: &Hypothesis, certainty: Certainty) -> Found {
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
        alloc::vec![self.no_move(&root, Certainty::Likely).into()]
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
