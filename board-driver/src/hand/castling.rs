//! Who stands where in castling, and goes where.

use arbiter_core::shakmaty::{CastlingSide, Color, File, Square};

/// A castling: who stands where, and goes where.
#[derive(Clone, Copy)]
pub(super) struct Castling {
    pub(super) by: Color,
    pub(super) king: Square,
    pub(super) rook: Square,
    pub(super) king_to: Square,
    pub(super) rook_to: Square,
}

impl Castling {
    pub(super) fn new(by: Color, king: Square, rook: Square) -> Castling {
        let side = if rook > king {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        };
        Castling {
            by,
            king,
            rook,
            king_to: side.king_to(by),
            rook_to: side.rook_to(by),
        }
    }

    /// Whether it is one of orthodox chess: both pieces move, and neither goes where the other
    /// stood.
    pub(super) fn is_orthodox(self) -> bool {
        self.king.file() == File::E && matches!(self.rook.file(), File::A | File::H)
    }
}
