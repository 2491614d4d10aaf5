//! The way to a board's boot loader. It ends whatever the board does, so it is asked for twice, and
//! each time with a number that only this board has told a moment ago: no frame that has lain in a
//! line, and none that was meant for another board, does it.

use crate::message::ToBoard;

/// The second request has to come within this time after the first, in milliseconds.
pub const LOADER_MS: u32 = 5_000;

/// The board's end: hears every message that the board obeys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loader {
    /// That of the hello which was asked for last.
    hello: u32,
    /// What the second request has to repeat, and since when.
    asked: Option<(u32, u32)>,
}

/// What a board has to do after a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoaderStep {
    /// Nothing.
    Stay,
    /// Tell this number, which the second request has to repeat: [`Aside::Loader`].
    ///
    /// [`Aside::Loader`]: crate::device::Aside::Loader
    Tell(u32),
    /// Start the boot loader.
    Go,
}

impl Loader {
    /// The board has obeyed this, at `ms` on its clock. `chance` is a number of chance, another one
    /// for each request.
    pub fn hear(&mut self, ms: u32, message: ToBoard, chance: u32) -> LoaderStep {
        match message {
            ToBoard::RequestHello { nonce } => self.hello = nonce.unwrap_or(0),
            ToBoard::StartLoader { nonce } => return self.request(ms, nonce, chance),
            _ => {}
        }
        LoaderStep::Stay
    }

    fn request(&mut self, ms: u32, nonce: u32, chance: u32) -> LoaderStep {
        let asked = self.asked.take();
        let is_second =
            |(told, since): (u32, u32)| told == nonce && ms.wrapping_sub(since) <= LOADER_MS;
        if asked.is_some_and(is_second) {
            LoaderStep::Go
        } else if nonce != 0 && nonce == self.hello {
            // Neither 0 nor what has just been said.
            let own = if chance == 0 || chance == nonce {
                !nonce
            } else {
                chance
            };
            self.asked = Some((own, ms));
            LoaderStep::Tell(own)
        } else {
            LoaderStep::Stay
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELLO: u32 = 0x2a3b_4c5d;
    const OWN: u32 = 0x0bad_cafe;

    /// A board whose hello was asked for with [`HELLO`].
    fn known() -> Loader {
        let mut loader = Loader::default();
        let hello = ToBoard::RequestHello { nonce: Some(HELLO) };
        assert_eq!(loader.hear(0, hello, OWN), LoaderStep::Stay);
        loader
    }

    fn request(loader: &mut Loader, ms: u32, nonce: u32) -> LoaderStep {
        loader.hear(ms, ToBoard::StartLoader { nonce }, OWN)
    }

    #[test]
    fn it_goes_when_it_is_asked_twice_with_the_right_numbers_in_time() {
        for wait in [0, 1, LOADER_MS] {
            let (mut loader, start) = (known(), u32::MAX - 100);
            assert_eq!(request(&mut loader, start, HELLO), LoaderStep::Tell(OWN));
            let at = start.wrapping_add(wait);
            assert_eq!(request(&mut loader, at, OWN), LoaderStep::Go);
        }
    }

    #[test]
    fn no_stray_frame_does_it() {
        let mut loader = known();
        for nonce in [0, 1, OWN, !HELLO] {
            assert_eq!(request(&mut loader, 1, nonce), LoaderStep::Stay);
        }
        // The first twice, the second too late, another one between.
        assert_eq!(request(&mut loader, 1, HELLO), LoaderStep::Tell(OWN));
        assert_eq!(request(&mut loader, 2, HELLO), LoaderStep::Tell(OWN));
        assert_eq!(request(&mut loader, 3 + LOADER_MS, OWN), LoaderStep::Stay);
        assert_eq!(request(&mut loader, 9_000, HELLO), LoaderStep::Tell(OWN));
        assert_eq!(request(&mut loader, 9_001, 7), LoaderStep::Stay);
        assert_eq!(request(&mut loader, 9_002, OWN), LoaderStep::Stay);
    }

    #[test]
    fn a_host_of_version_1_and_a_board_that_nobody_knows_cannot_ask() {
        let mut loader = Loader::default();
        assert_eq!(request(&mut loader, 0, 0), LoaderStep::Stay);
        let hello = ToBoard::RequestHello { nonce: None };
        assert_eq!(loader.hear(0, hello, OWN), LoaderStep::Stay);
        assert_eq!(request(&mut loader, 0, 0), LoaderStep::Stay);
    }

    #[test]
    fn its_own_number_is_never_the_first_one_or_zero() {
        for chance in [0, HELLO] {
            let mut loader = known();
            let step = loader.hear(0, ToBoard::StartLoader { nonce: HELLO }, chance);
            assert_eq!(step, LoaderStep::Tell(!HELLO));
        }
    }
}
