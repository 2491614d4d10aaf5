//! Which piece carries which tag. A board learns it by itself from the starting position, and it is
//! kept as text.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use arbiter_core::Reading;
use arbiter_core::shakmaty::{Board, Color, Piece, Role, Square};

use super::frame::TAG_NUMBERS;
use crate::orientation::{Orientation, board_square};

/// Frames of the starting position before anything is learned from it. A tag counts when more than
/// half of them show it.
pub const LEAST: usize = 7;

/// Frames that are kept for that.
const KEPT: usize = 15;

/// Where the second queens lie while the tags are learned, with their colours; they may be missing.
pub const SECOND_QUEENS: [(Square, Color); 2] =
    [(Square::D6, Color::Black), (Square::D3, Color::White)];

/// Squares that may read wrongly in a frame of the starting position: some tags are read badly.
const BLURRED: usize = 4;

/// The five numbers of a tag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub [u16; 5]);

/// What a board reads on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seen {
    /// Nothing: five zeros.
    #[default]
    Nothing,
    /// Three or four zeros: no tag. An empty square may read so, and one with a tag that is read
    /// badly.
    Shred,
    /// A tag, or one read as another.
    Tag(Tag),
}

impl Seen {
    fn read(numbers: [u16; 5]) -> Seen {
        match numbers.iter().filter(|n| **n == 0).count() {
            5 => Seen::Nothing,
            3.. => Seen::Shred,
            _ => Seen::Tag(Tag(numbers)),
        }
    }

    /// How much it speaks for an empty square: a shred is half of nothing.
    pub(super) fn absence(self) -> u32 {
        match self {
            Seen::Nothing => 2,
            Seen::Shred => 1,
            Seen::Tag(_) => 0,
        }
    }

    /// The tag.
    pub fn tag(self) -> Option<Tag> {
        match self {
            Seen::Tag(tag) => Some(tag),
            Seen::Nothing | Seen::Shred => None,
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e] = self.0;
        write!(f, "{a} {b} {c} {d} {e}")
    }
}

/// What every square reads, a1 first.
pub type Frame = [Seen; 64];

/// The squares of a frame; they come from a8 to h8, then from a7 to h7, and so on. `None` when it
/// is no frame of tags.
pub fn read(numbers: &[u16]) -> Option<Frame> {
    let numbers: &[u16; TAG_NUMBERS] = numbers.try_into().ok()?;
    let (squares, _) = numbers.as_chunks::<5>();
    Some(Square::ALL.map(|square| Seen::read(squares[place(square)])))
}

/// A frame with these tags.
pub fn write(tags: &[Option<Tag>; 64]) -> Vec<u16> {
    let mut numbers = vec![0; TAG_NUMBERS];
    for (square, tag) in Square::ALL.into_iter().zip(tags) {
        if let Some(Tag(five)) = tag {
            numbers[place(square) * 5..][..5].copy_from_slice(five);
        }
    }
    numbers
}

/// The place of a square in a frame.
pub fn place(square: Square) -> usize {
    usize::from(square.flip_vertical())
}

/// Which piece carries which tag.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Calibration {
    pieces: BTreeMap<Tag, Piece>,
    /// How the board was said to lie when they were learned.
    turned: Orientation,
}

impl Calibration {
    /// The piece that carries `tag`.
    pub fn piece(&self, tag: Tag) -> Option<Piece> {
        self.pieces.get(&tag).copied()
    }

    /// How many pieces are known.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Reads what [`fmt::Display`] wrote.
    ///
    /// # Errors
    /// Which line is wrong, and how.
    pub fn parse(text: &str) -> Result<Calibration, String> {
        let mut calibration = Calibration::default();
        for (n, line) in text.lines().enumerate() {
            let wrong = || {
                format!(
                    "line {}: `{line}` is no piece with its tag, such as `K 3 0 84 252 153`",
                    n + 1
                )
            };
            let (name, rest) = line.split_once(' ').ok_or_else(wrong)?;
            if name == "turned" {
                calibration.turned = rest
                    .parse()
                    .ok()
                    .and_then(Orientation::from_degrees)
                    .ok_or_else(wrong)?;
                continue;
            }
            let mut letters = name.chars();
            let piece = letters
                .next()
                .and_then(Piece::from_char)
                .filter(|_| letters.next().is_none());
            let numbers: Result<Vec<u16>, _> = rest.split(' ').map(str::parse).collect();
            let five = numbers
                .ok()
                .and_then(|numbers| numbers.try_into().ok())
                .ok_or_else(wrong)?;
            calibration
                .pieces
                .insert(Tag(five), piece.ok_or_else(wrong)?);
        }
        Ok(calibration)
    }
}

/// A piece a line, and how the board was turned where it was.
impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turned != Orientation::Upright {
            writeln!(f, "turned {}", u16::from(self.turned))?;
        }
        self.pieces
            .iter()
            .try_for_each(|(tag, piece)| writeln!(f, "{} {tag}", piece.char()))
    }
}

/// Watches for the starting position, and learns the tags of the pieces that stand in it.
#[derive(Clone, Debug)]
pub struct TagLearner {
    /// How the board is said to lie.
    turned: Orientation,
    /// The last frames, as long as the starting position stands.
    frames: VecDeque<Frame>,
}

impl TagLearner {
    /// A learner at a board that lies so.
    pub fn new(turned: Orientation) -> TagLearner {
        TagLearner {
            turned,
            frames: VecDeque::with_capacity(KEPT),
        }
    }

    /// Takes in a frame. Returns what is known from then on, if it is more than `known`.
    ///
    /// Nothing is learned from a position in which known pieces stand on each other's squares: it
    /// is no starting position, or it was set up wrongly. Only where the board is said to lie
    /// otherwise than when it was learned, all is learned anew.
    pub fn look(&mut self, frame: &Frame, known: &Calibration) -> Option<Calibration> {
        if !self.is_start(frame) {
            self.frames.clear();
            return None;
        }
        if self.frames.len() == KEPT {
            self.frames.pop_front();
        }
        self.frames.push_back(*frame);
        let anew = known.turned != self.turned;
        let mut learned = if anew {
            Calibration::default()
        } else {
            known.clone()
        };
        learned.turned = self.turned;
        for (square, piece) in Board::new() {
            self.learn(square, piece, &mut learned)?;
        }
        for (square, color) in SECOND_QUEENS {
            // One that is read badly is left out, and stands for nothing.
            let mut more = learned.clone();
            if self
                .learn(
                    square,
                    Piece {
                        color,
                        role: Role::Queen,
                    },
                    &mut more,
                )
                .is_some()
            {
                learned = more;
            }
        }
        (learned != *known).then_some(learned)
    }

    /// The board's square for a square of the game.
    pub(super) fn on_the_board(&self, square: Square) -> Square {
        board_square(self.turned, square)
    }

    /// What stands on the game's squares.
    pub(super) fn on_the_table(&self, board: &Reading) -> Reading {
        self.turned.reading(board)
    }

    /// The line was opened: what stood there before may be gone.
    pub(super) fn forget(&mut self) {
        self.frames.clear();
    }

    /// Whether a starting position may be gathering: then what stands there has no names yet, but
    /// will soon have.
    pub fn is_learning(&self) -> bool {
        !self.frames.is_empty()
    }

    /// The tag on `square` belongs to `piece`. `None` where it cannot be told, or belongs to
    /// another.
    fn learn(&self, square: Square, piece: Piece, learned: &mut Calibration) -> Option<()> {
        let tag = self.majority(self.on_the_board(square))?;
        let there = *learned.pieces.entry(tag).or_insert(piece);
        (there == piece).then_some(())
    }

    /// The tag that more than half of the frames show on a square.
    fn majority(&self, square: Square) -> Option<Tag> {
        let often = |tag: &Tag| 2 * self.count(square, *tag) > self.frames.len();
        self.tags_on(square)
            .find(often)
            .filter(|_| self.frames.len() >= LEAST)
    }

    /// How many of the frames show a tag on a square.
    fn count(&self, square: Square, tag: Tag) -> usize {
        self.tags_on(square).filter(|other| *other == tag).count()
    }

    fn tags_on(&self, square: Square) -> impl Iterator<Item = Tag> + '_ {
        self.frames
            .iter()
            .filter_map(move |frame| frame[usize::from(square)].tag())
    }

    /// Whether the squares are filled as at the start, as far as noise lets it be seen.
    fn is_start(&self, frame: &Frame) -> bool {
        let wrong = Square::ALL.into_iter().filter(|square| {
            let is_full = frame[usize::from(*square)].tag().is_some();
            !may_be_at_start(self.turned.square(*square), is_full)
        });
        wrong.count() <= BLURRED
    }
}

/// Whether a square of the game may be full, or empty, at the start.
fn may_be_at_start(square: Square, is_full: bool) -> bool {
    let is_spare = SECOND_QUEENS.iter().any(|(queen, _)| *queen == square);
    is_spare || is_full == Board::new().piece_at(square).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The start position with a tag of its own for every piece, and the second queens.
    fn start() -> Frame {
        let holds = |square: Square| {
            Board::new().piece_at(square).is_some()
                || SECOND_QUEENS.iter().any(|(queen, _)| *queen == square)
        };
        let tag =
            |square: Square| Seen::Tag(Tag([3, 0, 84, 252, 100 + u16::from(u8::from(square))]));
        Square::ALL.map(|square| {
            if holds(square) {
                tag(square)
            } else {
                Seen::Nothing
            }
        })
    }

    fn learn(learner: &mut TagLearner, frame: &Frame, known: &Calibration) -> Option<Calibration> {
        (0..LEAST).find_map(|_| learner.look(frame, known))
    }

    fn piece(calibration: &Calibration, tags: &Frame, square: Square) -> Option<char> {
        tags[usize::from(square)]
            .tag()
            .and_then(|tag| calibration.piece(tag))
            .map(Piece::char)
    }

    #[test]
    fn squares_come_from_a8() {
        let mut numbers = vec![0; TAG_NUMBERS];
        numbers[..5].copy_from_slice(&[3, 0, 84, 252, 153]);
        numbers[19 * 5..20 * 5].copy_from_slice(&[208, 0, 345, 1, 84]);
        numbers[63 * 5..].copy_from_slice(&[201, 0, 0, 0, 0]);
        let tags = read(&numbers).unwrap();
        assert_eq!(
            tags[usize::from(Square::A8)],
            Seen::Tag(Tag([3, 0, 84, 252, 153]))
        );
        assert_eq!(
            tags[usize::from(Square::D6)],
            Seen::Tag(Tag([208, 0, 345, 1, 84]))
        );
        assert_eq!(tags[usize::from(Square::H1)], Seen::Shred, "noise");
        assert_eq!(tags.iter().filter_map(|seen| seen.tag()).count(), 2);
        assert_eq!(read(&numbers[1..]), None);
    }

    #[test]
    fn the_starting_position_teaches_every_piece_and_the_second_queens() {
        let known = learn(
            &mut TagLearner::new(Orientation::Upright),
            &start(),
            &Calibration::default(),
        )
        .unwrap();
        assert_eq!(known.count(), 34);
        let shown: Vec<_> = [Square::A1, Square::E1, Square::D8, Square::D6, Square::D3]
            .map(|sq| piece(&known, &start(), sq))
            .into();
        assert_eq!(
            shown,
            [Some('R'), Some('K'), Some('q'), Some('q'), Some('Q')]
        );
        assert_eq!(
            TagLearner::new(Orientation::Upright).look(&start(), &known),
            None,
            "nothing new"
        );
    }

    #[test]
    fn a_turned_board_is_learned_as_it_lies_and_anew_when_it_lies_otherwise() {
        let upright = learn(
            &mut TagLearner::new(Orientation::Upright),
            &start(),
            &Calibration::default(),
        )
        .unwrap();
        let half = learn(&mut TagLearner::new(Orientation::Half), &start(), &upright);
        // Without the queens between, which lie elsewhere on a board that is turned.
        let mut frame = start();
        (
            frame[usize::from(Square::D3)],
            frame[usize::from(Square::D6)],
        ) = (Seen::Nothing, Seen::Nothing);
        let half = half
            .or_else(|| learn(&mut TagLearner::new(Orientation::Half), &frame, &upright))
            .unwrap();
        assert_eq!(
            (
                piece(&half, &frame, Square::A1),
                piece(&half, &frame, Square::D1)
            ),
            (Some('r'), Some('k'))
        );
        assert_eq!(Calibration::parse(&half.to_string()), Ok(half));
    }

    #[test]
    fn noise_is_outvoted_and_an_interruption_begins_anew() {
        let mut learner = TagLearner::new(Orientation::Upright);
        let mut known = None;
        for n in 0..LEAST as u16 {
            let mut frame = start();
            frame[usize::from(n)] = Seen::Tag(Tag([n, 9, 9, 9, 9]));
            frame[usize::from(n) + 8] = Seen::Shred;
            known = known.or(learner.look(&frame, &Calibration::default()));
        }
        let known = known.unwrap();
        assert_eq!(
            (known.count(), piece(&known, &start(), Square::A1)),
            (34, Some('R'))
        );
        let mut learner = TagLearner::new(Orientation::Upright);
        for n in 0..3 * LEAST {
            let frame = if n % (LEAST - 1) == 0 {
                [Seen::Nothing; 64]
            } else {
                start()
            };
            assert_eq!(learner.look(&frame, &Calibration::default()), None);
        }
    }

    #[test]
    fn a_new_pawn_is_learned_and_exchanged_pieces_are_not() {
        let known = learn(
            &mut TagLearner::new(Orientation::Upright),
            &start(),
            &Calibration::default(),
        )
        .unwrap();
        let mut other = start();
        other[usize::from(Square::E2)] = Seen::Tag(Tag([1, 2, 3, 4, 5]));
        let more = learn(&mut TagLearner::new(Orientation::Upright), &other, &known).unwrap();
        assert_eq!(
            (more.count(), piece(&more, &other, Square::E2)),
            (35, Some('P'))
        );
        other.swap(usize::from(Square::B1), usize::from(Square::C1));
        assert_eq!(
            learn(&mut TagLearner::new(Orientation::Upright), &other, &known),
            None
        );
    }

    #[test]
    fn what_is_no_calibration_is_refused_with_its_line() {
        let told = Calibration::parse("K 3 0 84 252 153\nX 1 2 3 4 5\n").unwrap_err();
        assert!(told.starts_with("line 2: `X 1 2 3 4 5`"), "{told}");
        assert!(Calibration::parse("K 3 0 84 252").is_err());
        assert!(Calibration::parse("turned 45").is_err());
    }

    fn tag_numbers() -> impl Strategy<Value = [u16; 5]> {
        prop::array::uniform5(1..1000u16)
    }

    fn letter() -> impl Strategy<Value = u8> {
        prop::sample::select(b"KQRBNPkqrbnp".to_vec())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn a_frame_and_a_calibration_are_read_as_they_were_written(
            seed in prop::collection::btree_map(tag_numbers(), letter(), 0..40),
        ) {
            let pieces = seed.iter().filter_map(|(five, letter)| {
                Some((Tag(*five), Piece::from_char(char::from(*letter))?))
            });
            let calibration = Calibration {
                pieces: pieces.collect(),
                turned: Orientation::Quarter,
            };
            let tags = std::array::from_fn(|n| calibration.pieces.keys().nth(n).copied());
            prop_assert_eq!(
                read(&write(&tags)),
                Some(tags.map(|tag| tag.map_or(Seen::Nothing, Seen::Tag)))
            );
            prop_assert_eq!(
                Calibration::parse(&calibration.to_string()),
                Ok(calibration)
            );
        }
    }
}
