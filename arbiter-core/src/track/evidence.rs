//! What is known of the ply that is being played.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square};

use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::planes::Planes;
use crate::sense::trust::Trust;
use crate::track::look::Look;

/// What happened since a time. Hypotheses that were reached at the same time share it.
#[derive(Clone, Copy)]
pub(crate) struct Since {
    pub(crate) start: Time,
    /// Squares touched.
    pub(crate) touched: Bitboard,
    /// Squares that flickered empty.
    flickered: Bitboard,
    /// Empty squares on which something stood for a moment.
    glimpsed: Bitboard,
}

impl Since {
    pub(crate) fn new(contacts: &Contacts, start: Time) -> Since {
        Since {
            start,
            touched: contacts.touched_since(start),
            flickered: contacts.flickered_since(start),
            glimpsed: contacts.glimpsed_since(start),
        }
    }

    /// The same, but for what was seen at `squares`.
    pub(crate) fn without(self, squares: Bitboard) -> Since {
        Since {
            touched: self.touched & !squares,
            flickered: self.flickered & !squares,
            ..self
        }
    }
}

/// The evidence since the position was reached that the ply is played from.
pub(crate) struct PlyEvidence<'a> {
    pub(crate) contacts: &'a Contacts,
    pub(crate) look: &'a Look<'a>,
    /// When the position was reached.
    pub(crate) reached: Time,
    /// Squares touched since, or by the player to move before.
    pub(crate) touched: Bitboard,
    /// Where the piece that moved last came to stand, as far as is known.
    pub(crate) arrived: Option<Square>,
    /// Squares of a move that the player to move made before, without having the move.
    pub(crate) ahead: Bitboard,
    /// Squares that flickered empty since.
    pub(crate) flickered: Bitboard,
    /// Empty squares on which something stood for a moment since.
    pub(crate) glimpsed: Bitboard,
    /// What the readings are worth.
    pub(crate) trust: Trust,
    /// Whether more pieces are read than there can be: a lift was not.
    pub(crate) crowded: bool,
}

impl<'a> PlyEvidence<'a> {
    /// The evidence `since` the position `before` was reached; before that its player handled
    /// `early`.
    pub(crate) fn new(
        before: &Chess,
        contacts: &'a Contacts,
        look: &'a Look<'a>,
        since: Since,
        early: Bitboard,
        trust: Trust,
    ) -> PlyEvidence<'a> {
        PlyEvidence {
            contacts,
            look,
            reached: since.start,
            touched: since.touched | early,
            arrived: None,
            ahead: Bitboard::EMPTY,
            flickered: since.flickered,
            glimpsed: since.glimpsed,
            trust,
            crowded: is_crowded(before, contacts.planes()),
        }
    }

    /// Whether the sensors see which piece stands where.
    pub(crate) fn is_identified(&self) -> bool {
        self.contacts.planes().class() == SensorClass::Piece
    }

    /// Whether something was put on `square` or taken from it, be it for a moment.
    pub(crate) fn is_handled(&self, square: Square) -> bool {
        (self.touched | self.flickered).contains(square)
    }

    /// Whether `a` and `b` were empty at the same time since the position was reached, be it for a
    /// moment.
    pub(crate) fn were_off(&self, a: Square, b: Square) -> bool {
        if !self.is_handled(a) || !self.is_handled(b) {
            return false;
        }
        // A flicker has no times to compare.
        let only_flickered = self.flickered & !self.touched;
        only_flickered.contains(a)
            || only_flickered.contains(b)
            || self
                .contacts
                .were_empty_at_once(a, b, self.reached, self.look.scan_window)
    }

    /// Whether `sq` read what `board` has there at any moment since the position was reached. After
    /// a gap it need not have been seen.
    pub(crate) fn was_read(&self, sq: Square, board: &Board) -> bool {
        if self.look.scan_window.hides_readings()
            || self.contacts.glimpsed_as(sq, board, self.reached)
        {
            return true;
        }
        let planes = self.contacts.planes();
        self.contacts
            .log_since(self.reached)
            .any(|c| c.square == sq && planes.fits(c.symbol, board, sq))
    }
}

/// Whether a board that reads `planes` has more pieces than `before`, those of the player not on
/// move being in the hand: some square reads what has left it.
pub(crate) fn is_crowded(before: &Chess, planes: &Planes) -> bool {
    let (board, full) = (before.board(), planes.occupied());
    let taken_up = before.them() & !full;
    if (full | taken_up).count() > board.occupied().count() {
        return true;
    }
    let more = |c: Color| planes.may_be(c).count() > board.by_color(c).count();
    planes.class() != SensorClass::Occupancy && Color::ALL.into_iter().any(more)
}
