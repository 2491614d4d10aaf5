//! What is done to the boards meanwhile: plugs are pulled and put in again, and some boards lose
//! their power.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use board_driver::sim::Control;
use tests::evening::Table;

use crate::chance::Chance;

/// Between two deeds.
const PAUSE: Duration = Duration::from_millis(600);
/// A plug that is pulled is out for at most so long.
const OUT: Duration = Duration::from_millis(900);

/// How often each was done.
#[derive(Clone, Copy, Default)]
pub(crate) struct Torn {
    pub(crate) cuts: u32,
    pub(crate) reboots: u32,
}

/// Whoever does it.
pub(crate) struct Torment<'a> {
    chance: Chance,
    whole: &'a [Table],
    powerless: &'a [Table],
    torn: Torn,
}

impl<'a> Torment<'a> {
    /// Goes on for as long as `deed` does. Of the `whole` boards plugs are pulled, the `powerless`
    /// ones lose their power.
    pub(crate) fn during(
        seed: u64,
        whole: &'a [Table],
        powerless: &'a [Table],
        deed: impl FnOnce(),
    ) -> Torn {
        let (alive, end) = channel::<()>();
        let torment = Torment {
            chance: Chance::new(seed ^ 0x746f_726e),
            whole,
            powerless,
            torn: Torn::default(),
        };
        thread::scope(|scope| {
            let torn = scope.spawn(move || torment.go_on(&end));
            deed();
            drop(alive);
            torn.join().expect("whoever pulls plugs")
        })
    }

    fn go_on(mut self, end: &Receiver<()>) -> Torn {
        while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            match self.chance.below(4) {
                0 => self.take_power(),
                _ => self.pull_plug(),
            }
        }
        self.torn
    }

    fn pull_plug(&mut self) {
        let table = &self.whole[self.chance.below(self.whole.len())];
        table.order(Control::Unplug);
        thread::sleep(OUT.mul_f64(self.chance.part()));
        table.order(Control::Replug);
        self.torn.cuts += 1;
    }

    fn take_power(&mut self) {
        let table = &self.powerless[self.chance.below(self.powerless.len())];
        table.order(Control::Reboot);
        self.torn.reboots += 1;
    }
}
