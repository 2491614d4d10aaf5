//! A check that was rather overlooked than that pieces stood exchanged from the start (3.9.2).
//!
//! Where pieces are not recognised and a king seems to be left in check, the piece there may be
//! another one that had been set up on the king's square. But checks are overlooked every day, and
//! a move that goes as the other piece goes has not been seen. So the illegal move is told, as no
//! more than possible, it is asked how the pieces stood, and the game from the exchanged array is
//! followed in silence: a move that only that one allows brings it to the front.

use alloc::boxed::Box;

use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::exchanged::{Begun, CONVINCES, Exchange};
use crate::judge::article_4::Breach;
use crate::said::irregularity::{Certainty, Reason};

impl Game {
    /// The illegal move is told, and the game from the exchanged array followed beside it.
    pub(super) fn follow_exchanged(&mut self, begun: Begun) {
        let ply = self.record.len() + 1;
        let mut other = self.clone();
        let follows = other.begin_exchanged(begun, ply);
        other.run(follows);
        other.told().for_each(drop);
        self.ask_about_exchange(ply as u32, other.exchanged_squares());
        self.exchange = Exchange::Doubted;
        self.other = Some(Box::new(other));
    }

    /// One more illegal move would be told: a check that nobody has noticed makes one after the
    /// other. What the piece cannot do, and the other one can, was a move of that; and a check that
    /// neither player has noticed for so long was rather none.
    pub(super) fn weigh_beside_check(&mut self, accusing: Changes) -> Changes {
        let completed = self.record.completed();
        let illegal_as_well = |other: &Game| other.illegal_plies().last() > Some(completed);
        let known = self.other.as_deref().is_none_or(illegal_as_well);
        let asked = self.asked_of_exchange().unwrap_or(1) as usize;
        let told = self.illegal_plies().filter(|ply| *ply >= asked).count();
        if known || (told < CONVINCES && is_of_check_alone(&accusing)) {
            return accusing;
        }
        self.tell_exchanged(accusing);
        NOTHING
    }

    /// The game from the exchanged array is told from now on; the one in which moves were illegal,
    /// and `accusing` tells of one more, is followed beside it.
    pub(super) fn tell_exchanged(&mut self, accusing: Changes) {
        let mut was = self.clone();
        was.other = None;
        was.exchange = Exchange::Excluded;
        was.run(accusing);
        was.told().for_each(drop);
        let ply = self.asked_of_exchange().unwrap_or(1);
        self.take_other_account();
        self.docket.number_after(&was.docket);
        self.ask_about_exchange(ply, self.exchanged_squares());
        self.other = Some(Box::new(was));
    }

    /// Whether play has gone on, by the other account, for longer than an illegal move and its
    /// answer take to be told.
    pub(super) fn is_left_behind(&self, other: &Game) -> bool {
        other.length(other.best()) > self.record.len() + CONVINCES
    }

    /// How sure `breach` can be while it is asked whether the king is one.
    pub(super) fn beside_exchange(&self, breach: &Breach) -> Certainty {
        let open = self.exchange == Exchange::Doubted && self.other.is_some();
        match open && breach.code.is_illegal_move() {
            true => Certainty::Possible,
            false => Certainty::Certain,
        }
    }
}

/// Whether all that is illegal in what follows is that the own king was left in check.
pub(super) fn is_of_check_alone(accusing: &[Change]) -> bool {
    let breaches = || {
        accusing.iter().filter_map(|change| match change {
            Change::Find(found) => Some(&found.breach),
            _ => None,
        })
    };
    let mut illegal = breaches()
        .filter(|breach| breach.code.is_illegal_move())
        .peekable();
    illegal.peek().is_some() && illegal.all(|breach| breach.reason == Some(Reason::OwnKingInCheck))
}
