//! How the board lies: seen on the array before the game (7.2.2), or said by the arbiter.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Square};

use crate::game::Game;
use crate::game::state::SettingUp;
use crate::judge::array::given_array;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::orientation::Orientation;
use crate::said::ruling::DoubtKind;
use crate::said::view::FindingStatus;

impl Game {
    /// The setup itself gives an array turned by a right angle: the game is the usual one, and the
    /// board lies so.
    pub(crate) fn notice_turned_array(&mut self) {
        if let Some((orientation, _)) = given_array(&self.setup) {
            self.find_turned(&[orientation]);
        }
    }

    /// The arbiter says how the board lies. What it reads is read anew; the record stays as it is,
    /// and what was found of the board before the game is upheld.
    pub(crate) fn turn_board(&mut self, turned: Orientation) {
        self.docket
            .retain_doubts(|d| d.doubt.kind != DoubtKind::BoardTurned);
        if let Some(SettingUp::Turned(id)) = self.state.setting_up() {
            if let Some(id) = id {
                self.docket.close_finding(id, FindingStatus::Upheld);
            }
            self.state.begin_play();
            self.board.set_start_read(false);
        }
        // What was seen of the wrong squares is forgotten: what differs now from the last completed
        // position is news.
        self.board
            .turn(turned, self.clock.now(), self.setup.options.brush_ms);
        let n = self.record.completed();
        self.reset_to(self.record.position(n), n);
        self.board.set_gap(self.wrong(self.best()).any());
        self.read_start();
        if let Some(target) = self.state.stop_putting_back() {
            self.order_restore(target);
        }
    }

    /// By half a turn only the names of the squares are exchanged, and that is no irregularity.
    /// `orientations`: how it may have to be read; the squares told are those that read as a1.
    pub(crate) fn find_turned(&mut self, orientations: &[Orientation]) {
        if self.state.is_turned() {
            return;
        }
        let corners: Bitboard = orientations
            .iter()
            .map(|orientation| orientation.back().square(Square::A1))
            .collect();
        self.state.set_up(SettingUp::Turned(None));
        if orientations.contains(&Orientation::Half) {
            let corners = corners.into_iter().collect();
            return self.raise_doubt(1, DoubtKind::BoardTurned, corners, Vec::new());
        }
        self.board.set_gap(false);
        let (code, certainty) = (Code::BoardOrientationWrong, Certainty::Certain);
        let id = self.raise_unbinding(code, Party::Either, certainty, corners, 1);
        self.state.set_up(SettingUp::Turned(Some(id)));
    }
}
