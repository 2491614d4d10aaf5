//! How the board lies: seen on the array before the game (7.2.2), or said by the arbiter.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Square};

use crate::game::Game;
use crate::game::setup::Start;
use crate::judge::array::given_array;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::orientation::Orientation;
use crate::said::ruling::DoubtKind;
use crate::sense::contacts::Contacts;

impl Game {
    /// The setup itself gives an array turned by a right angle: the game is the usual one, and the
    /// board lies so.
    pub(crate) fn notice_turned_array(&mut self) {
        if let Some((lies, _)) = given_array(&self.setup) {
            self.find_turned(&[lies]);
        }
    }

    /// The arbiter says how the board lies. What it reads is read anew; the record stays as it is,
    /// and what was found of the board before the game is upheld.
    pub(crate) fn turn_board(&mut self, turned: Orientation) {
        let board = self.turned.back().reading(self.contacts.planes.reading());
        let suspect = self.turned.back().squares(self.suspect);
        self.turned = turned;
        self.doubts
            .retain(|d| d.doubt.kind != DoubtKind::BoardTurned);
        if let Start::Turned(id) = self.start {
            id.into_iter().for_each(|id| self.uphold(id));
            self.start = Start::Unread;
        }
        // What was seen of the wrong squares is forgotten: what differs now from the last completed
        // position is news.
        let n = self.completed;
        let reading = turned.reading(&board);
        self.contacts = Contacts::new(
            self.setup.sensor,
            &reading,
            self.now,
            self.setup.options.brush_ms,
        );
        (self.suspect, self.contacts.suspect) = (turned.squares(suspect), turned.squares(suspect));
        self.reset_to(self.record.position(n), n);
        (self.gap, self.silence) = (self.best().wrong(&self.contacts).any(), 0);
        self.read_start();
        if let Some(target) = self.restore.take() {
            self.order_restore(target);
        }
    }

    /// By half a turn only the names of the squares are exchanged, and that is no irregularity.
    /// `lies`: how it may have to be read; the squares told are those that read as a1.
    pub(crate) fn find_turned(&mut self, lies: &[Orientation]) {
        if self.is_turned() {
            return;
        }
        let corners: Bitboard = lies
            .iter()
            .map(|lies| lies.back().square(Square::A1))
            .collect();
        self.start = Start::Turned(None);
        if lies.contains(&Orientation::Half) {
            return self.raise_doubt(
                1,
                DoubtKind::BoardTurned,
                corners.into_iter().collect(),
                Vec::new(),
            );
        }
        self.gap = false;
        let id = self.note(
            Code::BoardOrientationWrong,
            Party::Either,
            Certainty::Certain,
            corners,
            1,
        );
        self.start = Start::Turned(Some(id));
    }
}
