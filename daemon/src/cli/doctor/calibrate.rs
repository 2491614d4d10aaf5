//! Taking what analogue sensors read as their zero. Whoever does that with a piece on the board
//! spoils a square, so it is done on an empty one.

use arbiter_core::shakmaty::Bitboard;
use board_driver::{TroubleCode, condition};
use daemon::doctor::Examination;

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Calibration {
    /// Nobody wants it.
    None,
    /// As soon as every square reads empty.
    Wanted,
    /// When somebody has said that every square is empty.
    Confirm,
    /// The board was told to.
    Asked,
    /// It has told its new levels.
    Done,
}

impl Calibration {
    /// Somebody wants it, and can be asked.
    pub(super) fn ask(&mut self, board: &Examination) {
        *self = if board.is_analogue() {
            Calibration::Confirm
        } else {
            Calibration::None
        };
    }

    /// Somebody has not said yes.
    pub(super) fn leave(&mut self) {
        if *self == Calibration::Confirm {
            *self = Calibration::None;
        }
    }

    /// The board has told something.
    pub(super) fn hear(&mut self, board: &Examination) {
        // The levels may come before the board has said that it is well.
        let reads_zero =
            board.levels.is_known() && board.levels.is_empty() && !is_uncalibrated(board);
        if *self == Calibration::Asked && reads_zero {
            *self = Calibration::Done;
        }
    }

    /// Whether the board is to be told now.
    pub(super) fn is_due(self, board: &Examination) -> bool {
        let has_told = board.squares.reading.is_some() || is_uncalibrated(board);
        self == Calibration::Wanted
            && board.is_analogue()
            && has_told
            && in_the_way(board).is_empty()
    }

    /// What is missing, in words.
    pub(super) fn missing(self, board: &Examination) -> Option<String> {
        match self {
            Calibration::Done => None,
            _ if board.board.is_some() && !board.is_analogue() => {
                Some("the board has no analogue sensors: there is nothing to calibrate".to_owned())
            }
            Calibration::Wanted if board.is_analogue() && !in_the_way(board).is_empty() => {
                let squares = condition::squares(in_the_way(board));
                Some(format!(
                    "not calibrated: {squares} read occupied; take all pieces off"
                ))
            }
            Calibration::Asked if board.levels.is_known() && !board.levels.is_empty() => Some(
                "not calibrated: the sensors do not read zero; is something magnetic near the \
                      board?"
                    .to_owned(),
            ),
            _ => Some("not calibrated: the board has not said that it is".to_owned()),
        }
    }

    /// What is to be done now, in words.
    pub(super) fn words(self, board: &Examination) -> Option<String> {
        match self {
            Calibration::None => None,
            Calibration::Done => Some("calibrated".to_owned()),
            Calibration::Confirm => {
                let occupied = board.squares.occupied();
                let but = if occupied.is_empty() {
                    String::new()
                } else {
                    format!(" ({} read occupied)", condition::squares(occupied))
                };
                Some(format!(
                    "is every square empty{but}? y takes what is read now as zero"
                ))
            }
            Calibration::Wanted | Calibration::Asked => self.missing(board),
        }
    }
}

/// Pieces that would become part of the zeros. What a board reads that was never calibrated says
/// nothing.
fn in_the_way(board: &Examination) -> Bitboard {
    if is_uncalibrated(board) {
        Bitboard::EMPTY
    } else {
        board.squares.occupied()
    }
}

fn is_uncalibrated(board: &Examination) -> bool {
    board.condition.trouble.code == TroubleCode::NOT_CALIBRATED
}
