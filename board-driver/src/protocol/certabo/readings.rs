//! From the tags of frame after frame to what stands on the squares. Some tags are read badly now and then.
//!
//! What arrives is believed at once when it is a known piece: noise makes up no known tag. What is gone must be gone in two
//! frames, and what is unknown must be the same in two. A piece is in one place at a time.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

use super::tags::{Calibration, Tag, Tags};

/// Frames in which a piece must be missing, or a stranger be the same.
const SURE: u8 = 2;

/// What stands on a square, and what speaks against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Held {
    tag: Option<Tag>,
    /// In how many frames on end something else was read, and what.
    doubt: (Option<Tag>, u8),
}

/// What stands on the squares, as far as the frames so far tell.
#[derive(Clone, Debug)]
pub struct Readings {
    squares: [Held; 64],
}

impl Default for Readings {
    fn default() -> Readings {
        Readings { squares: [Held::default(); 64] }
    }
}

impl Readings {
    /// Takes in a frame.
    pub fn look(&mut self, frame: &Tags, known: &Calibration) {
        for (at, &read) in frame.iter().enumerate() {
            match read {
                tag if tag == self.squares[at].tag => self.squares[at].doubt = (None, 0),
                Some(tag) if known.piece(tag).is_some() => self.arrive(at, tag, frame),
                other => self.squares[at].suspect(other),
            }
        }
    }

    /// A known piece is read on a square where it did not stand. Between two squares both may read it: then it has not moved.
    fn arrive(&mut self, at: usize, tag: Tag, frame: &Tags) {
        let before = self.squares.iter().position(|held| held.tag == Some(tag));
        if before.is_some_and(|before| frame[before] == Some(tag)) {
            return;
        }
        if let Some(before) = before {
            self.squares[before] = Held::default();
        }
        self.squares[at] = Held { tag: Some(tag), doubt: (None, 0) };
    }

    /// What the squares read: pieces, and something where a piece is not known.
    pub fn reading(&self, known: &Calibration) -> Reading {
        let mut reading = Reading::EMPTY;
        for (square, held) in Square::ALL.into_iter().zip(&self.squares) {
            if let Some(tag) = held.tag {
                reading.set(square, known.piece(tag).map_or(Symbol::Something, Symbol::Piece));
            }
        }
        reading
    }
}

impl Held {
    /// Something else was read: nothing, or a stranger. Strangers that change are a tag that is read badly.
    fn suspect(&mut self, read: Option<Tag>) {
        let (before, times) = self.doubt;
        let times = if before == read { times + 1 } else { 1 };
        self.doubt = (read, times);
        if times >= SURE {
            *self = Held { tag: read, doubt: (None, 0) };
        }
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Piece;

    use super::*;

    const KING: Tag = Tag([3, 0, 84, 252, 153]);
    const ROOK: Tag = Tag([3, 0, 84, 252, 154]);
    const STRANGER: Tag = Tag([9, 9, 9, 9, 9]);

    fn known() -> Calibration {
        Calibration::parse("K 3 0 84 252 153\nR 3 0 84 252 154\n").unwrap()
    }

    fn frame(tags: &[(Square, Tag)]) -> Tags {
        let on = |square: Square| tags.iter().find(|(there, _)| *there == square).map(|(_, tag)| *tag);
        Square::ALL.map(on)
    }

    fn shown(readings: &Readings) -> String {
        let reading = readings.reading(&known());
        let full = Square::ALL.into_iter().filter(|square| reading.at(*square) != Symbol::Empty);
        full.map(|square| format!("{}{square} ", reading.at(square))).collect()
    }

    fn after(frames: &[&[(Square, Tag)]]) -> String {
        let mut readings = Readings::default();
        frames.iter().for_each(|tags| readings.look(&frame(tags), &known()));
        shown(&readings)
    }

    #[test]
    fn a_known_piece_is_believed_at_once_and_its_absence_after_two_frames() {
        let king: &[_] = &[(Square::E1, KING)];
        assert_eq!(after(&[king]), "Ke1 ");
        assert_eq!(after(&[king, &[]]), "Ke1 ");
        assert_eq!(after(&[king, &[], &[]]), "");
        assert_eq!(after(&[king, &[], king, &[]]), "Ke1 ");
    }

    #[test]
    fn a_tag_read_badly_changes_nothing() {
        let noise = |n| [(Square::E1, Tag([n, 1, 2, 3, 4]))];
        assert_eq!(after(&[&[(Square::E1, KING)], &noise(1), &noise(2), &[], &noise(3)]), "Ke1 ");
        assert_eq!(after(&[&noise(1), &noise(2)]), "");
    }

    #[test]
    fn a_stranger_that_stays_is_something() {
        let stranger: &[_] = &[(Square::D8, STRANGER)];
        assert_eq!(after(&[stranger, stranger]), "?d8 ");
        let there = [(Square::D8, KING)];
        assert_eq!(after(&[&there, stranger, stranger]), "?d8 ");
    }

    #[test]
    fn a_piece_is_in_one_place() {
        let both: &[_] = &[(Square::E1, KING), (Square::E2, KING)];
        assert_eq!(after(&[&[(Square::E1, KING)], both]), "Ke1 ");
        assert_eq!(after(&[&[(Square::E1, KING)], both, &[(Square::E2, KING)]]), "Ke2 ");
    }

    #[test]
    fn an_exchange_within_a_frame_is_seen_at_once() {
        let before = [(Square::A1, ROOK), (Square::E1, KING)];
        assert_eq!(after(&[&before, &[(Square::E1, ROOK)]]), "Re1 ");
        assert_eq!(Piece::from_char('R'), known().piece(ROOK));
    }
}
