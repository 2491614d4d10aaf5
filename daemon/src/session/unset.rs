//! Play in the game of a pairing from pieces that did not stand as at its start: what stood there,
//! and how the arbiter has the game begin with it.

use std::time::Instant;

use arbiter_core::input::StartFen;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Bitboard, Board, Color, EnPassantMode, Position, Setup, Square};
use arbiter_core::{Event, Reading, SensorClass, Symbol, Time};

use super::begin::{Begun, Named};
use super::earlier::is_evidence;
use super::next_game::initial;
use super::{Session, adjourned};
use crate::hall::{OrderError, Unset};
use crate::reason::Reason;

impl Session {
    /// Who plays so, and from where; `None` where nobody does.
    pub(super) fn unset(&self, is_unset: bool) -> Option<Unset> {
        let [white, black, round] = self.waiting().filter(|_| is_unset)?;
        let stood = self.next_game.stood().filter(|_| self.next_game.is_unset());
        Some(Unset {
            white,
            black,
            round,
            stood: stood.and_then(|(_, reading)| self.named_by(&reading)),
        })
    }

    /// The position in which the board reads this, White to move: what a square reads alone is
    /// taken for the piece that begins there.
    fn named_by(&self, reading: &Reading) -> Option<String> {
        let start = initial(&self.next_setup()?)?;
        let mut setup = start.to_setup(EnPassantMode::Legal);
        setup.board = board_of(reading, &setup.board, self.arbiter.setup()?.sensor)?;
        setup.castling_rights = castling(&setup, start.board());
        Fen::try_from_setup(setup).ok().map(|fen| fen.to_string())
    }

    /// Begins the game of the pairing with the position that stood there when play began: what the
    /// board has seen since is of it.
    pub(super) async fn begin_as_played(&mut self, fen: StartFen) -> Result<(), OrderError> {
        let stood = self.next_game.stood().filter(|_| self.next_game.is_unset());
        let Some((at, reading)) = stood else {
            let what = "nobody plays here from pieces that stood wrongly: look what stands there, \
                        and begin the game with that";
            return Err(OrderError::refused(Reason::new("not-played-unset", what)));
        };
        if !self.is_what_stood(&fen, &reading) {
            let what = "what stood there when play began is not that any more: look at it again";
            return Err(OrderError::refused(Reason::new("stood-otherwise", what)));
        }
        let read = self.lies().back().reading(&reading);
        self.commit().await;
        let Some(told) = self.told_since().await else {
            return Err(OrderError::ShuttingDown);
        };
        if let Some(damage) = &told.row.damage {
            let damaged = adjourned::damaged(&told.row.id, damage);
            return Err(OrderError::refused(damaged));
        }
        let since = |event: &&Event| event.at > at && is_evidence(&event.input);
        let since: Vec<Event> = told.events.iter().filter(since).cloned().collect();
        let begun = Begun {
            fen: Some(fen),
            read: Some(read),
        };
        let game = |of: &Session| of.record.as_ref().map(|record| record.game.clone());
        let before = game(self);
        self.begin_from(at, Named::default(), begun).await;
        // The one before has heard them.
        if game(self) == before {
            return Err(OrderError::ShuttingDown);
        }
        for event in since {
            self.tell(event);
        }
        Ok(())
    }

    /// Whether the board reads this where the pieces of a position stand, be it unknown.
    fn is_what_stood(&self, fen: &StartFen, reading: &Reading) -> bool {
        let sensor = self.arbiter.setup().map(|setup| setup.sensor);
        match (fen, sensor) {
            (StartFen::Known(fen), Some(sensor)) => sensor.reads(&fen.as_setup().board) == *reading,
            _ => true,
        }
    }

    /// Begins the game of the pairing with what the arbiter says stands there now.
    pub(super) async fn begin_set(&mut self, fen: StartFen) {
        let at = self.timeline.declared(Instant::now());
        let begun = Begun {
            fen: Some(fen),
            read: None,
        };
        self.begin_from(at, Named::default(), begun).await;
    }
}

/// The pieces that stand where a board reads this; `None` where nobody can tell.
fn board_of(reading: &Reading, start: &Board, sensor: SensorClass) -> Option<Board> {
    let mut board = Board::empty();
    for square in Square::ALL {
        let piece = match reading.at(square) {
            Symbol::Empty => continue,
            Symbol::Piece(piece) => piece,
            Symbol::Something | Symbol::Colour(_) => start.piece_at(square)?,
        };
        board.set_piece_at(square, piece);
    }
    (sensor.reads(&board) == *reading).then_some(board)
}

/// The rooks with which nobody has lost the right to castle: king and rook stand as at the start.
fn castling(setup: &Setup, start: &Board) -> Bitboard {
    let stand = |colour: Color| {
        let king = start.king_of(colour);
        let is_home = king.is_some_and(|king| setup.board.king_of(colour) == Some(king));
        let rooks = setup.board.rooks() & setup.board.by_color(colour);
        match is_home {
            true => setup.castling_rights & rooks,
            false => Bitboard::EMPTY,
        }
    };
    stand(Color::White) | stand(Color::Black)
}

/// The moment at which a reading stood, and the reading as the game calls its squares.
pub(super) type Stood = (Time, Reading);
