//! How the board lies: seen on the array before the game (7.2.2), or said by the arbiter.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Position, Square};

use crate::game::Game;
use crate::game::state::SettingUp;
use crate::judge::array::given_array;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::orientation::Orientation;
use crate::said::ruling::DoubtKind;
use crate::said::view::FindingStatus;
use crate::track::gap::LastPly;

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
        if self
            .other
            .as_ref()
            .is_some_and(|other| other.orientation() == turned)
        {
            self.take_other_account();
        }
        self.other = None;
        self.forget_question();
        for id in self.found_turned() {
            self.docket.close_finding(id, FindingStatus::Upheld);
        }
        if let Some(SettingUp::Turned) = self.state.setting_up() {
            self.state.begin_play();
        }
        if self.orientation() != turned {
            self.read_as_it_lies(turned);
        }
    }

    /// What the board reads is read anew, as it lies.
    fn read_as_it_lies(&mut self, turned: Orientation) {
        self.board.set_start_read(false);
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

    /// The whole board is read again in mid-game, and shows the position as it would lying
    /// otherwise, which no moves account for: it was put back so. It is read as it lies now, and
    /// that is asked, unless it lies as it should again.
    pub(crate) fn notice_turned_in_play(&mut self) {
        let reading = *self.board.planes().reading();
        let stood = self.record.position(self.record.completed());
        let due = self.setup.sensor.reads(stood.board());
        let lies = |more: &Orientation| more.reading(&reading) == due;
        let turned = Orientation::ALL.into_iter().find(lies);
        let Some(more) = turned.filter(|more| !more.is_upright() && self.has_begun()) else {
            return;
        };
        // Of few pieces the same may be read of moves that were made meanwhile.
        let made = || self.search_gap(None, LastPly::default()).is_some();
        if self.wrong(self.best()).is_empty() || made() {
            return;
        }
        let lies = self.orientation().then(more);
        self.other = None;
        self.forget_question();
        self.read_as_it_lies(lies);
        if lies != self.setup.turned {
            let corner = alloc::vec![lies.back().square(Square::A1)];
            let ply = self.record.len() as u32 + 1;
            self.raise_doubt(ply, DoubtKind::BoardTurned, corner, Vec::new());
            self.docket.set_lie_unsaid(true);
        }
    }

    /// Whether the arbiter can say how the board lies though it is read so already: that was asked,
    /// be it settled by what was played since, or found.
    pub(crate) fn is_lie_open(&self) -> bool {
        self.docket.is_lie_unsaid() || !self.found_turned().is_empty()
    }

    /// The board is read as it lies by the array on it: turned, from how it is taken to lie now, by
    /// one of `orientations`. Whether it lies wrongly; nothing is found of it where it is right
    /// again. By half a turn only the names of the squares are exchanged, and that is no
    /// irregularity. The squares told are those that read as a1.
    pub(crate) fn find_turned(&mut self, orientations: &[Orientation]) -> bool {
        let was = self.orientation();
        let all: Vec<Orientation> = orientations.iter().map(|more| was.then(*more)).collect();
        let right = all.contains(&self.setup.turned);
        let first = all.first().copied();
        let Some(lies) = first.map(|lies| if right { self.setup.turned } else { lies }) else {
            return false;
        };
        let (now, minimum_contact) = (self.clock.now(), self.setup.options.brush_ms);
        self.board.turn(lies, now, minimum_contact);
        for id in self.found_turned() {
            self.withdraw(id);
        }
        self.forget_question();
        if right {
            return false;
        }
        self.board.set_gap(false);
        self.state.set_up(SettingUp::Turned);
        let half = self.setup.turned.then(Orientation::Half);
        let corners: Bitboard = all
            .iter()
            .map(|lies| lies.back().square(Square::A1))
            .collect();
        if all.contains(&half) {
            self.ask_about_corners(corners);
        } else {
            let (code, certainty) = (Code::BoardOrientationWrong, Certainty::Certain);
            self.raise_unbinding(code, Party::Either, certainty, corners, 1);
        }
        true
    }

    /// What was found of how the board lies, and nobody has ruled on.
    pub(crate) fn found_turned(&self) -> Vec<u32> {
        let mut open = Vec::new();
        for finding in self.docket.raised() {
            let found = &finding.irregularity;
            let of_board = found.code == Code::BoardOrientationWrong && found.ply == 1;
            if of_board && finding.status == FindingStatus::Open {
                open.push(found.id);
            }
        }
        open
    }

    pub(crate) fn ask_about_corners(&mut self, corners: Bitboard) {
        let corners = corners.into_iter().collect();
        self.raise_doubt(1, DoubtKind::BoardTurned, corners, Vec::new());
        self.docket.set_lie_unsaid(true);
    }

    pub(crate) fn forget_question(&mut self) {
        self.docket.set_lie_unsaid(false);
        self.docket
            .retain_doubts(|d| d.doubt.kind != DoubtKind::BoardTurned);
    }
}
