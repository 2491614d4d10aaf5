//! What is done to the boards meanwhile: plugs are pulled and put in again, other boards are
//! plugged in for a while, and some boards lose their power.

use std::path::Path;
use std::thread;
use std::time::Duration;

use arbiter_core::shakmaty::Board;
use board_driver::sim::Control;
use board_wire::Side;
use tests::evening::Table;
use tests::rig::{Fingers, until};

use crate::chance::Chance;
use crate::hall::Hall;
use crate::meanwhile::Enough;

/// Between two deeds.
const PAUSE: Duration = Duration::from_millis(600);
/// A plug that is pulled is out for at most so long.
const OUT: Duration = Duration::from_millis(900);
/// Another board is in for at most so long before something is done on it.
const IN: Duration = Duration::from_millis(900);
/// No plug takes longer to come out.
const PATIENCE: Duration = Duration::from_secs(20);
/// What stands on the other board: no game comes to it.
const ELSEWHERE: &str = "4k3/8/2q5/8/8/5N2/8/R3K3";
/// The serial numbers of all other boards begin so.
pub(crate) const OTHER: &str = "OTHER-";

/// How often each was done.
#[derive(Clone, Copy, Default)]
pub(crate) struct Torn {
    pub(crate) cuts: u32,
    pub(crate) swaps: u32,
    pub(crate) reboots: u32,
}

/// Whoever does it.
pub(crate) struct Torment<'a> {
    chance: Chance,
    hall: &'a Hall,
    whole: &'a [Table],
    powerless: &'a [Table],
    torn: Torn,
}

impl<'a> Torment<'a> {
    /// Of the `whole` boards plugs are pulled, the `powerless` ones lose their power.
    pub(crate) fn new(
        seed: u64,
        hall: &'a Hall,
        whole: &'a [Table],
        powerless: &'a [Table],
    ) -> Torment<'a> {
        Torment {
            chance: Chance::new(seed ^ 0x746f_726e),
            hall,
            whole,
            powerless,
            torn: Torn::default(),
        }
    }

    /// Goes on until it is enough.
    pub(crate) fn go_on(mut self, enough: &Enough) -> Torn {
        while enough.not_yet(PAUSE) {
            let table = &self.whole[self.chance.below(self.whole.len())];
            match self.chance.below(5) {
                0 => self.take_power(),
                1 => self.swap(table),
                _ => self.pull_plug(table),
            }
        }
        self.torn
    }

    fn pull_plug(&mut self, table: &Table) {
        table.order(Control::Unplug);
        thread::sleep(OUT.mul_f64(self.chance.part()));
        table.order(Control::Replug);
        self.torn.cuts += 1;
    }

    /// Another board is plugged in on the port in mid-game, things are done on it, and the first
    /// one comes back.
    fn swap(&mut self, table: &Table) {
        let plies = self.hall.plies(&table.id);
        // Before the first move and after the last one any board may come.
        if plies < 2 || plies + 6 > table.truth().len() {
            return self.pull_plug(table);
        }
        self.torn.swaps += 1;
        table.order(Control::Unplug);
        let is_there = || Path::new(&table.port).symlink_metadata().is_ok();
        until("the plug to be out", PATIENCE, || !is_there());
        let board = Board::from_ascii_board_fen(ELSEWHERE.as_bytes()).expect("a position");
        let serial = format!("{OTHER}{}", self.torn.swaps);
        let boot = self.chance.below(5) as u16;
        let other = Fingers::plug_in(&table.port, &serial, boot, &board);
        thread::sleep(IN.mul_f64(self.chance.part()));
        other.play("f3", "e5", 'N', Side::White);
        other.play("c6", "e6", 'q', Side::Black);
        drop(other);
        table.order(Control::Replug);
    }

    fn take_power(&mut self) {
        let table = &self.powerless[self.chance.below(self.powerless.len())];
        table.order(Control::Reboot);
        self.torn.reboots += 1;
    }
}
