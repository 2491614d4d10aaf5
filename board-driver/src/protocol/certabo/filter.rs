//! From the tags of frame after frame to what stands on the squares. Some tags are read badly now
//! and then, so a frame is judged when the two after it have come.
//!
//! What arrives is believed at once when it is a known piece: noise makes up no known tag. What is
//! gone must be missing in all three, or be read elsewhere; what is unknown must be the same in
//! two. A piece is in one place at a time.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

use super::tags::{Calibration, Frame, Seen, Tag};

/// A frame, and the two after it.
pub type Frames<'a> = [&'a Frame; 3];

/// Two frames that read nothing, or one and a shred: that much speaks for an empty square.
const GONE: u32 = 3;

/// What stands on the squares, as far as the frames so far tell.
#[derive(Clone, Debug)]
pub struct TagFilter {
    squares: [Option<Tag>; 64],
}

impl Default for TagFilter {
    fn default() -> TagFilter {
        TagFilter {
            squares: [None; 64],
        }
    }
}

impl TagFilter {
    /// Takes in a frame, knowing the two after it.
    pub fn look(&mut self, frames: Frames<'_>, known: &Calibration) {
        for (at, read) in frames[0].iter().enumerate() {
            match read.tag() {
                tag if tag.is_some() && tag == self.squares[at] => {}
                Some(tag) if known.piece(tag).is_some() => self.arrive(at, tag, frames[0]),
                _ => self.squares[at] = judge(self.squares[at], frames.map(|frame| frame[at])),
            }
        }
    }

    /// A known piece is read on a square where it did not stand. Between two squares both may read
    /// it: then it has not moved.
    fn arrive(&mut self, at: usize, tag: Tag, frame: &Frame) {
        let before = self.squares.iter().position(|held| *held == Some(tag));
        if before.is_some_and(|before| frame[before] == Seen::Tag(tag)) {
            return;
        }
        before
            .into_iter()
            .for_each(|before| self.squares[before] = None);
        self.squares[at] = Some(tag);
    }

    /// What the squares read: pieces, and something where a piece is not known.
    pub fn reading(&self, known: &Calibration) -> Reading {
        let mut reading = Reading::EMPTY;
        for (square, held) in Square::ALL.into_iter().zip(&self.squares) {
            if let Some(tag) = held {
                reading.set(
                    square,
                    known.piece(*tag).map_or(Symbol::Something, Symbol::Piece),
                );
            }
        }
        reading
    }
}

/// What stands on a square that held `held` and reads something else at first.
fn judge(held: Option<Tag>, reads: [Seen; 3]) -> Option<Tag> {
    if held.is_some() && reads.iter().any(|read| read.tag() == held) {
        return held;
    }
    let stranger = reads[0]
        .tag()
        .filter(|tag| reads[1..].contains(&Seen::Tag(*tag)));
    let absence: u32 = reads.iter().map(|read| read.absence()).sum();
    if stranger.is_some() || absence >= GONE {
        stranger
    } else {
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KING: Tag = Tag([3, 0, 84, 252, 153]);
    const ROOK: Tag = Tag([3, 0, 84, 252, 154]);
    const STRANGER: Tag = Tag([9, 9, 9, 9, 9]);

    fn known() -> Calibration {
        Calibration::parse("K 3 0 84 252 153\nR 3 0 84 252 154\n").unwrap()
    }

    fn frame(tags: &[(Square, Tag)]) -> Frame {
        let on = |square: Square| tags.iter().find(|(there, _)| *there == square);
        Square::ALL.map(|square| on(square).map_or(Seen::Nothing, |(_, tag)| Seen::Tag(*tag)))
    }

    fn shown(filter: &TagFilter) -> String {
        let reading = filter.reading(&known());
        let full = Square::ALL
            .into_iter()
            .filter(|square| reading.at(*square) != Symbol::Empty);
        full.map(|square| format!("{}{square} ", reading.at(square)))
            .collect()
    }

    /// What stands there in each frame; the last one is seen twice more.
    fn told(frames: &[&[(Square, Tag)]]) -> Vec<String> {
        let mut frames: Vec<Frame> = frames.iter().map(|tags| frame(tags)).collect();
        frames.extend([*frames.last().unwrap(); 2]);
        let mut filter = TagFilter::default();
        let mut look = |three: &[Frame]| {
            filter.look([&three[0], &three[1], &three[2]], &known());
            shown(&filter)
        };
        frames.windows(3).map(&mut look).collect()
    }

    #[test]
    fn a_piece_that_is_missing_for_a_moment_was_there() {
        let king: &[_] = &[(Square::E1, KING)];
        assert_eq!(told(&[king, &[], king]), ["Ke1 "; 3]);
        assert_eq!(told(&[king, &[], &[], king]), ["Ke1 "; 4]);
        assert_eq!(
            told(&[king, &[], &[], &[], king]),
            ["Ke1 ", "", "", "", "Ke1 "]
        );
    }

    #[test]
    fn a_tag_read_badly_changes_nothing() {
        let noise = |n| [(Square::E1, Tag([n, 1, 2, 3, 4]))];
        let king: &[_] = &[(Square::E1, KING)];
        assert_eq!(
            told(&[king, &noise(1), &noise(2), &noise(3), &noise(4), king]),
            ["Ke1 "; 6]
        );
        assert_eq!(told(&[&noise(1), &noise(2), &[]]), ["", "", ""]);
    }

    #[test]
    fn a_shred_is_half_an_absence() {
        let mut filter = TagFilter::default();
        let king = frame(&[(Square::E1, KING)]);
        let (mut shred, nothing, noise) =
            (frame(&[]), frame(&[]), frame(&[(Square::E1, STRANGER)]));
        shred[usize::from(Square::E1)] = Seen::Shred;
        filter.look([&king; 3], &known());
        filter.look([&shred, &shred, &noise], &known());
        assert_eq!(shown(&filter), "Ke1 ");
        filter.look([&shred, &nothing, &noise], &known());
        assert_eq!(shown(&filter), "");
    }

    #[test]
    fn a_stranger_that_stays_is_something() {
        let (king, stranger): (&[_], &[_]) = (&[(Square::D8, KING)], &[(Square::D8, STRANGER)]);
        assert_eq!(told(&[&[], stranger, stranger]), ["", "?d8 ", "?d8 "]);
        assert_eq!(told(&[king, stranger, stranger]), ["Kd8 ", "?d8 ", "?d8 "]);
    }

    #[test]
    fn a_piece_is_in_one_place() {
        let (there, both): (&[_], &[_]) = (
            &[(Square::E1, KING)],
            &[(Square::E1, KING), (Square::E2, KING)],
        );
        assert_eq!(
            told(&[there, both, &[(Square::E2, KING)]]),
            ["Ke1 ", "Ke1 ", "Ke2 "]
        );
    }

    #[test]
    fn an_exchange_within_a_frame_is_seen_at_once() {
        let before = [(Square::A1, ROOK), (Square::E1, KING)];
        assert_eq!(
            told(&[&before, &[(Square::E1, ROOK)]]),
            ["Ra1 Ke1 ", "Re1 "]
        );
    }
}
