//! A board that knows what it was told: moves are played on it while the disk is full.

use std::path::{Path, PathBuf};
use std::time::Duration;

use arbiter_core::shakmaty::{Chess, Color, Move, Position, Square};
use arbiter_core::{Event, Input};
use board_wire::Side;
use daemon::store::{Store, StoreError};
use serde_json::Value;
use tests::rig::{Fingers, section};

use crate::chance::Chance;
use crate::fill_disk::if_room;
use crate::meanwhile::Enough;

/// Its name in the configuration.
pub(crate) const ID: &str = "witness";
/// Between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// The board, and what is played on it.
pub(crate) struct Witness {
    board: Fingers,
    port: PathBuf,
    store: PathBuf,
    position: Chess,
    chance: Chance,
    moves: Vec<String>,
}

impl Witness {
    pub(crate) fn sit(port: &Path, store: &Path, seed: u64) -> Witness {
        let position = Chess::default();
        Witness {
            board: Fingers::plug_in(port, "EA-W", 7, position.board()),
            port: port.to_owned(),
            store: store.to_owned(),
            position,
            chance: Chance::new(seed ^ 0x7769_746e),
            moves: Vec::new(),
        }
    }

    /// The board in the configuration.
    pub(crate) fn section(&self) -> String {
        section(ID, &self.port, "kind = \"native\"\n")
    }

    /// Somebody plays a quiet move that gives no check.
    pub(crate) fn play(&mut self) {
        let quiet: Vec<Move> = self.position.legal_moves().into_iter().collect();
        let is_quiet = |mv: &&Move| self.is_quiet(**mv);
        let quiet: Vec<Move> = quiet.iter().filter(is_quiet).copied().collect();
        let mv = quiet[self.chance.below(quiet.len())];
        let (from, to) = (mv.from().expect("no drop"), mv.to());
        let by = match self.position.turn() {
            Color::White => Side::White,
            Color::Black => Side::Black,
        };
        let piece = self.piece(from);
        self.position.play_unchecked(mv);
        self.board
            .play(&from.to_string(), &to.to_string(), piece, by);
        self.moves.push(format!("{from}{to}"));
    }

    fn is_quiet(&self, mv: Move) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        let is_plain = !mv.is_capture() && !mv.is_castle() && !mv.is_promotion();
        is_plain && !after.is_check() && !after.is_game_over()
    }

    fn piece(&self, square: Square) -> char {
        let piece = self.position.board().piece_at(square);
        piece.expect("a piece").char()
    }

    /// Whether the last move waits to be acknowledged; if it does not, it is in the journal.
    pub(crate) fn waits(&self) -> bool {
        if self.board.unacknowledged() > 0 {
            return true;
        }
        // Without room nobody knows yet.
        let Some(kept) = if_room(self.presses_kept()) else {
            return true;
        };
        let played = self.moves.len();
        assert!(
            kept >= played,
            "{ID}: all of {played} moves is acknowledged, {kept} are in the journal"
        );
        false
    }

    /// Waits until everything is acknowledged.
    pub(crate) fn is_believed(&self, enough: &Enough) {
        while self.waits() && enough.not_yet(LOOK) {}
    }

    fn presses_kept(&self) -> Result<usize, StoreError> {
        let store = Store::open(&self.store)?;
        let games = store.games()?;
        let game = games.iter().find(|game| game.board == ID);
        let game = game.map_or(Ok(None), |game| store.game(&game.id))?;
        let is_press = |event: &&Event| matches!(event.input.plain(), Input::Press { .. });
        let events = game.iter().flat_map(|game| &game.events);
        Ok(events.filter(is_press).count())
    }

    /// What is wrong with its record, or what it still waits for.
    pub(crate) fn differs(&self, board: &Value) -> Option<String> {
        let plies = board["plies"].as_array().map_or(&[][..], Vec::as_slice);
        let shown: Vec<&str> = plies.iter().filter_map(|ply| ply["uci"].as_str()).collect();
        let is_blamed = board["findings"]
            .as_array()
            .is_some_and(|found| !found.is_empty());
        let left = self.board.unacknowledged();
        (shown != self.moves || is_blamed || left > 0).then(|| {
            format!(
                "{ID}: {:?} were played, {left} reports are not acknowledged: {board}",
                self.moves
            )
        })
    }
}
