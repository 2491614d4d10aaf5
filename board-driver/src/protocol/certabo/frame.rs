//! Frames of decimal numbers: what Certabo and Tabutronic boards send, again and again, without
//! being asked.
//!
//! A frame is a colon, numbers with spaces between them, and a line end. The firmware also wraps
//! lines wherever it likes, inside a number too, and answers lamp commands with an `L`, a `D` or a
//! `*` of its own at any moment. There is no check sum: a frame counts when it has exactly as many
//! numbers as it should.
//!
//! Sources: github.com/JohanSjoblom/picochess, `eboard/certabo/parser.py` and its tests;
//! github.com/haklein/certabo-lichess, `certabo/serialreader.py`;
//! github.com/CERTABO/CERTABO-CHESSBOARDS-SOFTWARE, `chess_sim/chess_sim.ino`.

/// Numbers in a frame of a board that reads tags: five for each square.
pub const TAG_NUMBERS: usize = 320;

/// Numbers in a frame of a board that sees only whether a square is occupied: one for each rank.
pub const RANK_NUMBERS: usize = 8;

/// More digits than any number has.
const DIGITS: u8 = 4;

/// What the numbers of a line amount to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// A whole frame.
    Frame(Vec<u16>),
    /// Something that is none. How many numbers it had, where it had only numbers.
    Damaged(Option<usize>),
}

/// Takes frames out of a stream of bytes.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// How many numbers a frame has.
    expected: usize,
    numbers: Vec<u16>,
    /// The number being read, and how many digits it has so far.
    number: (u16, u8),
    place: Place,
}

/// Where in a frame the line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Before the first colon, or after what was no number.
    Outside,
    /// Among the numbers.
    Within,
    /// The frame was whole and has been told; its line end may follow, a further number must not.
    After,
}

impl Decoder {
    /// A line whose frames have `expected` numbers.
    pub fn new(expected: usize) -> Decoder {
        Decoder {
            expected,
            numbers: Vec::with_capacity(expected),
            number: (0, 0),
            place: Place::Outside,
        }
    }

    /// Takes bytes in; what they complete is added to `heard`.
    pub fn feed(&mut self, bytes: &[u8], heard: &mut Vec<Decoded>) {
        heard.extend(bytes.iter().filter_map(|byte| self.push(*byte)));
    }

    fn push(&mut self, byte: u8) -> Option<Decoded> {
        match byte {
            b':' => return self.colon(),
            _ if self.place == Place::Outside => {}
            b'0'..=b'9' => return self.digit(byte - b'0'),
            b' ' => return self.space(),
            // An acknowledgement is a line of its own: it does not split a number, but it comes
            // after the last one.
            b'L' | b'D' | b'*' if self.place == Place::Within && self.is_last() => {
                return self.space();
            }
            b'\r' | b'\n' | b'L' | b'D' | b'*' => {}
            _ => {
                let untold = self.place == Place::Within;
                self.place = Place::Outside;
                return untold.then_some(Decoded::Damaged(None));
            }
        }
        None
    }

    /// The only sure start of a frame, and the end of the one before it.
    fn colon(&mut self) -> Option<Decoded> {
        let ended = if self.place == Place::Within {
            self.space().or_else(|| Some(self.damaged()))
        } else {
            None
        };
        self.start();
        ended
    }

    fn start(&mut self) {
        self.numbers.clear();
        self.number = (0, 0);
        self.place = Place::Within;
    }

    fn digit(&mut self, digit: u8) -> Option<Decoded> {
        if self.place == Place::After || self.number.1 == DIGITS {
            // More numbers than a frame has: another kind of board, or two frames run together.
            let count = self.numbers.len() + 1;
            self.place = Place::Outside;
            return Some(Decoded::Damaged((self.number.1 < DIGITS).then_some(count)));
        }
        let (value, digits) = self.number;
        self.number = (value * 10 + u16::from(digit), digits + 1);
        None
    }

    /// Ends a number; the last one ends the frame.
    fn space(&mut self) -> Option<Decoded> {
        if self.place != Place::Within || self.number.1 == 0 {
            return None;
        }
        self.numbers.push(self.number.0);
        self.number = (0, 0);
        if self.numbers.len() < self.expected {
            return None;
        }
        self.place = Place::After;
        Some(Decoded::Frame(self.numbers.clone()))
    }

    /// Whether the number being read is the last of the frame.
    fn is_last(&self) -> bool {
        self.number.1 > 0 && self.numbers.len() + 1 == self.expected
    }

    fn damaged(&self) -> Decoded {
        Decoded::Damaged(Some(self.numbers.len()))
    }
}

/// How a board writes a frame.
pub fn encode(numbers: &[u16]) -> Vec<u8> {
    let numbers: String = numbers.iter().map(|number| format!("{number} ")).collect();
    format!(":{numbers}\r\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heard(expected: usize, bytes: &[u8]) -> Vec<Decoded> {
        let mut heard = Vec::new();
        Decoder::new(expected).feed(bytes, &mut heard);
        heard
    }

    fn start() -> Decoded {
        Decoded::Frame(vec![255, 255, 0, 0, 0, 0, 255, 255])
    }

    #[test]
    fn the_start_position_of_an_occupancy_board() {
        assert_eq!(heard(8, b":255 255 0 0 0 0 255 255 \r\n"), [start()]);
    }

    #[test]
    fn an_acknowledgement_is_no_part_of_a_frame() {
        let vector = b":255 255 0 0 0 0 255 254\nL\r\n";
        assert_eq!(
            heard(8, vector),
            [Decoded::Frame(vec![255, 255, 0, 0, 0, 0, 255, 254])]
        );
        assert_eq!(heard(8, b":255 255 0L\r\n 0 0 0 255 255 \r\n"), [start()]);
    }

    #[test]
    fn lines_are_wrapped_anywhere() {
        assert_eq!(heard(8, b":255 2\n55 0 0\r\n 0 0 255 255 \r\n"), [start()]);
        assert_eq!(heard(8, b":255 255 0 0 0 0 255 25\r\n5 \r\n"), [start()]);
    }

    #[test]
    fn a_frame_that_ends_without_a_space_is_ended_by_the_next_one() {
        assert_eq!(heard(8, b":255 255 0 0 0 0 255 255\r\n:"), [start()]);
    }

    #[test]
    fn what_begins_in_the_middle_is_dropped() {
        assert_eq!(
            heard(8, b"0 0 255 255 \r\n:255 255 0 0 0 0 255 255 \r\n"),
            [start()]
        );
    }

    #[test]
    fn another_kind_of_board_is_told_by_its_count() {
        assert_eq!(
            heard(320, b":255 255 0 0 0 0 255 255 \r\n:"),
            [Decoded::Damaged(Some(8))]
        );
        let told = heard(8, &encode(&[0; 320]));
        assert_eq!(
            told[1..],
            [Decoded::Damaged(Some(9))],
            "and no frame after the first"
        );
    }

    fn numbers(count: usize) -> impl Strategy<Value = Vec<u16>> {
        prop::collection::vec(0..1000u16, count)
    }

    /// Bytes that look much like frames, and some that do not.
    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let frame = numbers(8).prop_map(|numbers| encode(&numbers));
        let shreds =
            prop::collection::vec(prop::sample::select(b":0259 \r\nLD*x\xff".to_vec()), 0..30);
        prop::collection::vec(prop_oneof![frame, shreds], 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_written_is_read(numbers in numbers(TAG_NUMBERS)) {
            prop_assert_eq!(
                heard(TAG_NUMBERS, &encode(&numbers)),
                [Decoded::Frame(numbers)]
            );
        }

        #[test]
        fn any_split_gives_the_same(
            stream in stream(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.sort_unstable();
            let (mut decoder, mut split, mut from) = (Decoder::new(8), Vec::new(), 0);
            for cut in cuts.into_iter().chain([stream.len()]) {
                decoder.feed(&stream[from..cut], &mut split);
                from = cut;
            }
            prop_assert_eq!(split, heard(8, &stream));
        }

        /// Wherever the noise ends, the second frame after it is read.
        #[test]
        fn noise_costs_one_frame_at_most(noise in stream(), numbers in numbers(8)) {
            let bytes = [noise, encode(&numbers)].concat();
            prop_assert_eq!(heard(8, &bytes).pop(), Some(Decoded::Frame(numbers)));
        }

        /// Breaks and acknowledgements change nothing.
        #[test]
        fn breaks_change_nothing(
            numbers in numbers(8),
            at in prop::collection::vec((any::<prop::sample::Index>(), 0..3usize), 0..5),
        ) {
            let mut bytes = encode(&numbers);
            for (at, which) in at {
                let at = 1 + at.index(bytes.len() - 1);
                bytes.splice(
                    at..at,
                    [&b"\n"[..], b"\r\n", b" \r\n"][which]
                        .iter()
                        .copied()
                        .filter(|b| *b != b' '),
                );
            }
            prop_assert_eq!(heard(8, &bytes), [Decoded::Frame(numbers)]);
        }
    }
}
