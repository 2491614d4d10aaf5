//! The reports of Chessnut boards: a type, a length, and as many bytes. The same over USB and over
//! Bluetooth.
//!
//! Over USB a report is one read of the device, filled up with zeros to its 65 bytes; over
//! Bluetooth a report may come in pieces. There is no check sum, but three of the sixteen codes for
//! a square are none.
//!
//! Sources: the crate `chessnut` 0.0.1, `docs/Chessnut_communications.pdf` and `src/hid.rs`;
//! github.com/chessnutech/Chessnut_eBoards; github.com/JohanSjoblom/picochess, `eboard/chessnut/`.

use arbiter_core::shakmaty::{Piece, Square};

/// A code for each of the 16 values of four bits; a space is none.
const CODES: &[u8; 16] = b".qkbpnRPrBNQK   ";

/// The length of a report over USB, whatever is in it.
pub const USB_REPORT: usize = 65;

/// What a board says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FromBoard {
    /// `01`: what stands on the squares, a1 first.
    State([Option<Piece>; 64]),
    /// `23`: the board is in the mode it was put in.
    Mode,
    /// `2a`: its battery.
    Battery {
        /// How full it is.
        percent: u8,
        /// Whether it is being charged.
        charging: bool,
    },
    /// A report that says nothing of the game, by its type.
    Other(u8),
}

/// What a host says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToBoard {
    /// `21`: send what stands on the squares from now on, about five times a second.
    RealTime,
    /// `29`: say how full the battery is.
    AskBattery,
    /// `0a`: light these squares and no others; bit 0 is a1.
    Lamps(u64),
}

/// What came from the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// A report.
    Report(FromBoard),
    /// This many bytes that belong to none.
    Damaged(usize),
}

/// Takes reports out of a stream of bytes.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// Bytes dropped and not told yet.
    dropped: usize,
}

impl Decoder {
    /// Takes bytes in; what they complete is added to `heard`.
    pub fn feed(&mut self, bytes: &[u8], heard: &mut Vec<Decoded>) {
        for byte in bytes {
            self.bytes.push(*byte);
            self.look(heard);
        }
    }

    /// Forgets half a report: the device was opened anew.
    pub fn reset(&mut self) {
        *self = Decoder::default();
    }

    /// Drops from the front what cannot be a report, and takes the report that is whole.
    fn look(&mut self, heard: &mut Vec<Decoded>) {
        while let Some(&kind) = self.bytes.first() {
            // What fills a report up.
            if kind != 0 {
                match progress(&self.bytes) {
                    Progress::Partial => return,
                    Progress::Whole(report, length) => {
                        if self.dropped > 0 {
                            heard.push(Decoded::Damaged(std::mem::take(&mut self.dropped)));
                        }
                        heard.push(Decoded::Report(report));
                        self.bytes.drain(..length);
                        continue;
                    }
                    Progress::None => self.dropped += 1,
                }
            }
            self.bytes.remove(0);
        }
    }
}

/// What the beginning of the bytes is.
enum Progress {
    Partial,
    Whole(FromBoard, usize),
    None,
}

fn progress(bytes: &[u8]) -> Progress {
    let [kind, rest @ ..] = bytes else {
        return Progress::Partial;
    };
    let lengths = lengths(*kind);
    let [length, body @ ..] = rest else {
        return if lengths.is_empty() {
            Progress::None
        } else {
            Progress::Partial
        };
    };
    if !lengths.contains(length) {
        return Progress::None;
    }
    let is_state = *kind == 0x01;
    if is_state
        && body
            .iter()
            .take(32)
            .any(|pair| code(pair & 15).is_none() || code(pair >> 4).is_none())
    {
        return Progress::None;
    }
    match body.get(..usize::from(*length)) {
        Some(body) => Progress::Whole(read(*kind, body), 2 + body.len()),
        None => Progress::Partial,
    }
}

/// How long a report of this type may be.
fn lengths(kind: u8) -> &'static [u8] {
    match kind {
        0x01 => &[0x24, 0x3d],
        0x23 => &[1],
        0x2a => &[2],
        0x32 => &[1, 2],
        0x41 => &[3],
        _ => &[],
    }
}

fn read(kind: u8, body: &[u8]) -> FromBoard {
    match (kind, body) {
        (0x01, _) => FromBoard::State(squares(body)),
        (0x23, _) => FromBoard::Mode,
        (0x2a, [percent, status]) => FromBoard::Battery {
            percent: *percent,
            charging: *status == 1,
        },
        _ => FromBoard::Other(kind),
    }
}

/// The squares come from h8 to a8, then from h7 to a7, and so on; of two in a byte the first is in
/// the low half.
fn squares(body: &[u8]) -> [Option<Piece>; 64] {
    let mut squares = [None; 64];
    for (n, square) in order().enumerate() {
        let pair = body[n / 2];
        squares[usize::from(square)] =
            code(if n % 2 == 0 { pair & 15 } else { pair >> 4 }).flatten();
    }
    squares
}

fn order() -> impl Iterator<Item = Square> {
    (0..64).rev().map(Square::new)
}

/// The piece of a code, or none on the square; `None` is no code.
fn code(value: u8) -> Option<Option<Piece>> {
    match CODES[usize::from(value)] {
        b'.' => Some(None),
        letter => Piece::from_char(char::from(letter)).map(Some),
    }
}

/// How a board writes the squares: as over USB, filled up to the length of its reports.
pub fn encode_state(squares: &[Option<Piece>; 64]) -> Vec<u8> {
    let value = |square: Square| {
        let letter = squares[usize::from(square)].map_or(b'.', |piece| piece.char() as u8);
        CODES.iter().position(|code| *code == letter).unwrap_or(0) as u8
    };
    let mut bytes = vec![0x01, 0x3d];
    let values: Vec<u8> = order().map(value).collect();
    bytes.extend(values.chunks(2).map(|pair| pair[0] | pair[1] << 4));
    bytes.resize(USB_REPORT, 0);
    bytes
}

impl ToBoard {
    /// The bytes of a message; one write of the device.
    pub fn encode(self) -> Vec<u8> {
        match self {
            ToBoard::RealTime => vec![0x21, 1, 0],
            ToBoard::AskBattery => vec![0x29, 1, 0],
            ToBoard::Lamps(squares) => {
                // A byte a rank from the eighth down, bit 7 the a-file.
                let ranks = squares.to_be_bytes().map(u8::reverse_bits);
                [&[0x0a, 8], &ranks[..]].concat()
            }
        }
    }

    /// Reads one write of a host.
    pub fn read(bytes: &[u8]) -> Option<ToBoard> {
        match bytes {
            [0x21, 1, 0] => Some(ToBoard::RealTime),
            [0x29, 1, 0] => Some(ToBoard::AskBattery),
            [0x0a, 8, ranks @ ..] => {
                let ranks: [u8; 8] = ranks.try_into().ok()?;
                Some(ToBoard::Lamps(u64::from_be_bytes(
                    ranks.map(u8::reverse_bits),
                )))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Board;
    use proptest::prelude::*;

    use super::*;

    /// The start position as the sources give it.
    const START: [u8; 32] = [
        0x58, 0x23, 0x31, 0x85, 0x44, 0x44, 0x44, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0x77, 0x77, 0x77, 0x77, 0xa6, 0xc9, 0x9b, 0x6a,
    ];

    fn heard(bytes: &[u8]) -> Vec<Decoded> {
        let mut heard = Vec::new();
        Decoder::default().feed(bytes, &mut heard);
        heard
    }

    fn start() -> [Option<Piece>; 64] {
        Square::ALL.map(|square| Board::new().piece_at(square))
    }

    fn bluetooth(squares: &[u8]) -> Vec<u8> {
        [&[0x01, 0x24], squares, &[1, 2, 3, 4]].concat()
    }

    #[test]
    fn the_start_position_over_usb_and_over_bluetooth() {
        let told = [Decoded::Report(FromBoard::State(start()))];
        assert_eq!(encode_state(&start())[2..34], START);
        assert_eq!(heard(&encode_state(&start())), told);
        assert_eq!(heard(&bluetooth(&START)), told);
    }

    #[test]
    fn other_reports() {
        let battery = FromBoard::Battery {
            percent: 80,
            charging: true,
        };
        assert_eq!(
            heard(&[0x23, 1, 0, 0x2a, 2, 80, 1]),
            [Decoded::Report(FromBoard::Mode), Decoded::Report(battery)]
        );
    }

    #[test]
    fn a_code_that_is_none_drops_the_report() {
        let mut bytes = bluetooth(&START);
        bytes[9] = 0xd0;
        bytes.extend(bluetooth(&START));
        let told = heard(&bytes);
        assert_eq!(
            told.last(),
            Some(&Decoded::Report(FromBoard::State(start())))
        );
        assert!(matches!(told[..], [Decoded::Damaged(_), _]), "{told:?}");
    }

    #[test]
    fn lamps_as_in_the_sources() {
        let lamps = 1 << u32::from(Square::E2) | 1 << u32::from(Square::E4);
        assert_eq!(
            ToBoard::Lamps(lamps).encode(),
            [0x0a, 8, 0, 0, 0, 0, 8, 0, 8, 0]
        );
        assert_eq!(ToBoard::RealTime.encode(), [0x21, 1, 0]);
    }

    fn position() -> impl Strategy<Value = [Option<Piece>; 64]> {
        let piece = prop::sample::select(b"....KQRNBPkqrnbp".to_vec());
        prop::collection::vec(piece, 64)
            .prop_map(|all| std::array::from_fn(|square| Piece::from_char(char::from(all[square]))))
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let report = (position(), 0..USB_REPORT + 1).prop_map(|(squares, keep)| {
            let mut bytes = encode_state(&squares);
            bytes.truncate(keep);
            bytes
        });
        let noise = prop::collection::vec(any::<u8>(), 0..40);
        prop::collection::vec(prop_oneof![report, noise], 0..6).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_written_is_read(squares in position(), lamps in any::<u64>()) {
            prop_assert_eq!(
                heard(&encode_state(&squares)),
                [Decoded::Report(FromBoard::State(squares))]
            );
            prop_assert_eq!(
                ToBoard::read(&ToBoard::Lamps(lamps).encode()),
                Some(ToBoard::Lamps(lamps))
            );
        }

        #[test]
        fn any_split_gives_the_same(
            stream in stream(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.sort_unstable();
            let (mut reports, mut split, mut from) = (Decoder::default(), Vec::new(), 0);
            for cut in cuts.into_iter().chain([stream.len()]) {
                reports.feed(&stream[from..cut], &mut split);
                from = cut;
            }
            prop_assert_eq!(split, heard(&stream));
        }

        /// A report that was cut short spoils the one after it, and one more where the squares of
        /// that one read as the head of a report.
        #[test]
        fn noise_costs_two_reports_at_most(
            noise in stream(),
            positions in [position(), position(), position()],
        ) {
            let mut bytes = noise;
            positions.iter().for_each(|squares| bytes.extend(encode_state(squares)));
            let told = heard(&bytes);
            let last = Decoded::Report(FromBoard::State(positions[2]));
            prop_assert!(told.last() == Some(&last), "{:?}", told.len());
        }
    }
}
