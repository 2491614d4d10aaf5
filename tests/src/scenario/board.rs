//! What really stands on the board, and what its sensors read of it.

use arbiter_core::shakmaty::{Board, CastlingSide, Color, Piece, Role, Square};
use arbiter_core::{Input, Reading, SensorClass, Symbol};

/// The pieces, the hands, and the sensors. Impossible acts are refused: a script must be something
/// that can happen.
#[derive(Clone, Debug)]
pub(crate) struct TrueBoard {
    board: Board,
    /// Lifted and not put down again.
    off: Vec<Piece>,
    sensor: SensorClass,
    reads: Reading,
}

impl TrueBoard {
    /// A board that stands and reads as `board`.
    pub(crate) fn new(board: Board, sensor: SensorClass) -> TrueBoard {
        let reads = sensor.reads(&board);
        TrueBoard {
            board,
            off: Vec::new(),
            sensor,
            reads,
        }
    }

    /// The piece that stands on `sq`.
    pub(crate) fn at(&self, sq: Square) -> Option<Piece> {
        self.board.piece_at(sq)
    }

    /// Lifts the piece on `sq`.
    pub(crate) fn lift(&mut self, sq: Square) -> Result<(), String> {
        let piece = self
            .board
            .remove_piece_at(sq)
            .ok_or_else(|| format!("{sq} is empty: nothing to lift"))?;
        self.off.push(piece);
        Ok(())
    }

    /// Puts `piece` on the empty square `sq`. Officers may come from the box, kings and pawns only
    /// from the hand.
    pub(crate) fn place(&mut self, sq: Square, piece: Piece) -> Result<(), String> {
        if self.board.piece_at(sq).is_some() {
            return Err(format!(
                "{sq} is occupied: lift its piece first, or use `push`"
            ));
        }
        match self.off.iter().rposition(|p| *p == piece) {
            Some(index) => {
                self.off.remove(index);
            }
            None if matches!(piece.role, Role::Pawn | Role::King) => {
                return Err(format!(
                    "no {} was lifted that could be put on {sq}",
                    piece.char()
                ));
            }
            None => {}
        }
        self.board.set_piece_at(sq, piece);
        Ok(())
    }

    /// What the sensor of `sq` now tells, if it tells anything new.
    pub(crate) fn sense(&mut self, sq: Square) -> Option<Input> {
        self.reading_becomes(sq, self.sensor.sees(self.board.piece_at(sq)))
    }

    /// The sensor of `sq` loses its piece.
    pub(crate) fn lose(&mut self, sq: Square) -> Result<Option<Input>, String> {
        match self.board.piece_at(sq) {
            Some(_) => Ok(self.reading_becomes(sq, Symbol::Empty)),
            None => Err(format!("{sq} is empty: no reading to lose")),
        }
    }

    /// The sensor of the empty `sq` reads `piece`, which is not there.
    pub(crate) fn haunt(&mut self, sq: Square, piece: Piece) -> Result<Option<Input>, String> {
        match self.board.piece_at(sq) {
            None => Ok(self.reading_becomes(sq, self.sensor.sees(Some(piece)))),
            Some(_) => Err(format!("{sq} is occupied: a ghost needs an empty square")),
        }
    }

    /// All squares are read afresh.
    pub(crate) fn snapshot(&mut self) -> Input {
        self.reads = self.sensor.reads(&self.board);
        Input::Snapshot {
            board: self.reads.into(),
        }
    }

    fn reading_becomes(&mut self, square: Square, seen: Symbol) -> Option<Input> {
        if self.reads.at(square) == seen {
            return None;
        }
        self.reads.set(square, seen);
        Some(if seen == Symbol::Empty {
            Input::Lift { square }
        } else {
            Input::Place { square, seen }
        })
    }

    /// Where the pieces of a whole move go: squares to empty, then squares to fill. Read off the
    /// board alone.
    pub(crate) fn handling(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<(Color, Vec<Handling>), String> {
        let piece = self
            .at(from)
            .ok_or_else(|| format!("{from} is empty: nothing to play"))?;
        if let (Role::King, Some(rook)) = (
            piece.role,
            self.at(to).filter(|other| other.color == piece.color),
        ) {
            // Chess960 names the rook's square: both off the board, then both on.
            let side = if to > from {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            let [king_to, rook_to] = [side.king_to_file(), side.rook_to_file()]
                .map(|file| Square::from_coords(file, from.rank()));
            let landing = [
                Handling::Place(king_to, piece),
                Handling::Place(rook_to, rook),
            ];
            return Ok((
                piece.color,
                [Handling::Lift(from), Handling::Lift(to)]
                    .into_iter()
                    .chain(landing)
                    .collect(),
            ));
        }
        let mut steps = vec![Handling::Lift(from)];
        if self.at(to).is_some() {
            steps.push(Handling::Lift(to));
        } else if piece.role == Role::Pawn && from.file() != to.file() {
            steps.push(Handling::Lift(Square::from_coords(to.file(), from.rank())));
        }
        steps.push(Handling::Place(
            to,
            promotion.map_or(piece, |role| Piece {
                color: piece.color,
                role,
            }),
        ));
        if piece.role == Role::King && from.file().distance(to.file()) == 2 {
            let short = to > from;
            let corner = if short { 7 } else { 0 };
            let rook_from =
                Square::from_coords(arbiter_core::shakmaty::File::new(corner), from.rank());
            let rook_to = if short {
                from.offset(1)
            } else {
                from.offset(-1)
            };
            let rook = self
                .at(rook_from)
                .ok_or_else(|| format!("{rook_from} is empty: no rook to castle with"))?;
            steps.push(Handling::Lift(rook_from));
            steps.extend(rook_to.map(|sq| Handling::Place(sq, rook)));
        }
        Ok((piece.color, steps))
    }
}

/// One step of a hand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Handling {
    /// Off the square.
    Lift(Square),
    /// Onto the square.
    Place(Square, Piece),
}
