//! The set-up: whether the pieces stand, and the board lies, as the game requires, before it begins
//! (7.2).

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Position, Square};

use crate::chess::moves::squares_of;
use crate::chess::position::position;
use crate::game::Game;
use crate::game::next_game::EXCHANGED;
use crate::game::start_of;
use crate::game::state::SettingUp;
use crate::judge::array::turned;
use crate::message;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::orientation::Orientation;
use crate::said::ruling::{Doubt, DoubtKind};
use crate::said::symbol::{SensorClass, Symbol};
use crate::track::gap::LastPly;
use crate::track::look::Look;

/// Squares that may be wrong on a board that is set up, pieces on wrong squares counted twice.
const MISPLACED: usize = 6;

/// Squares that may read wrongly from the first picture on beside a game that is played.
const FAULTS: usize = 2;

/// Nobody touches more pieces than these to make his first move.
const STRAIGHTENED: usize = 2;

impl Game {
    /// Whether the pieces are set up, as far as is known.
    pub(crate) fn is_set_up(&self) -> bool {
        !matches!(self.state.setting_up(), Some(SettingUp::Pieces { .. })) || self.has_begun()
    }

    /// Whether a move was made or a clock runs.
    pub(crate) fn has_begun(&self) -> bool {
        self.record.len() > 0 || self.record.completed() > 0 || self.clock.running().is_some()
    }

    /// The whole board was read.
    pub(crate) fn read_start(&mut self) {
        let known = self.state.is_known();
        if !known && self.setup.sensor == SensorClass::Piece {
            return self.propose_position();
        }
        let read = self.board.is_start_read() || self.state.setting_up().is_some();
        if self.has_begun() || read || !known {
            return;
        }
        self.board.set_start_read(true);
        if self.differ(self.record.start()).any() {
            let setting_up = SettingUp::Pieces {
                nearest: Bitboard::FULL,
                misplaced: false,
                since: self.clock.now(),
            };
            self.state.set_up(setting_up);
            // Nobody sets up pieces turned, or on each other's squares, by chance on the way to
            // something else: play may begin before the board has rested.
            let Some(required) = start_of(&self.setup) else {
                return;
            };
            let wrong = self.differ(&required);
            let few = wrong.count() <= EXCHANGED && self.are_exchanged(&required, wrong);
            if !self.look_for_turned(setting_up, &required) && few {
                self.find_set_up_wrongly(setting_up, &required, wrong);
            }
        }
    }

    /// Whether the whole array stands, as on a board that lies otherwise: then it is read so.
    fn look_for_turned(&mut self, setting_up: SettingUp, required: &Chess) -> bool {
        let orientations = turned(self.board.planes().reading(), required, self.setup.sensor);
        if orientations.is_empty() {
            return false;
        }
        self.read_turned(setting_up, required.clone(), &orientations);
        true
    }

    /// Nothing is known of the game and the board sees pieces: what stands there can be seen, but
    /// not whose move it is nor who may still castle.
    fn propose_position(&mut self) {
        let mut board = Board::empty();
        for sq in Square::ALL {
            if let Symbol::Piece(piece) = self.board.planes().at(sq) {
                board.set_piece_at(sq, piece);
            }
        }
        let (ply, kind) = (self.record.len() as u32 + 1, DoubtKind::PositionUnknown);
        let language = self.setup.options.language;
        let asked = message::doubt(language, kind, &[], &[], self.record.start());
        let text = alloc::format!("{asked} {board}");
        if self.docket.doubts().iter().any(|d| d.doubt.text == text) {
            return;
        }
        self.docket.retain_doubts(|d| d.doubt.kind != kind);
        self.tell_doubt(Doubt {
            ply,
            kind,
            squares: Vec::new(),
            readings: Vec::new(),
            text,
        });
    }

    /// The board stands still and the game has not begun: what stands wrongly is told, what was put
    /// right is withdrawn.
    pub(crate) fn look_at_start(&mut self) {
        let Some(setting_up) = self.state.setting_up() else {
            return;
        };
        if self.is_begun_from(setting_up) {
            return;
        }
        let Some(required) = start_of(&self.setup) else {
            return;
        };
        let wrong = self.differ(&required);
        if wrong.is_empty() {
            return match setting_up {
                SettingUp::Turned => {}
                _ => self.put_right(setting_up, required),
            };
        }
        if self.differ(self.record.start()).is_empty() {
            return;
        }
        if self.look_for_turned(setting_up, &required) {
            return;
        }
        if self.stand_exchanged(&required, wrong) {
            self.find_set_up_wrongly(setting_up, &required, wrong);
        } else if let SettingUp::Pieces { .. } = setting_up
            && let Some(standing) = self.with_one_displaced(&required, wrong)
        {
            self.start_from_displaced(required, standing, wrong);
        } else if let SettingUp::Pieces { nearest, .. } = setting_up
            && wrong.count() < nearest.count()
        {
            let misplaced = (wrong & self.board.planes().occupied()).any();
            self.state.set_up(SettingUp::Pieces {
                nearest: wrong,
                misplaced,
                since: self.clock.now(),
            });
            // What was handled until now was setting up; or plies were played before the board was
            // read.
            self.start_from(required);
            self.board.set_gap(true);
        }
    }

    /// Whether the game is under way. On a board that lies turned the pieces may be carried over
    /// to one that lies right, and that looks like moves.
    fn is_begun_from(&self, setting_up: SettingUp) -> bool {
        let transferred = matches!(setting_up, SettingUp::Turned)
            && self.record.completed() == 0
            && self.clock.running().is_none();
        self.has_begun() && !transferred
    }

    /// The board reads as if it lay turned: it is read so, or as it should lie again.
    fn read_turned(
        &mut self,
        setting_up: SettingUp,
        required: Chess,
        orientations: &[Orientation],
    ) {
        if self.find_turned(orientations) {
            self.start_from(required.clone());
            self.board.set_start_read(true);
            let exchanged = self.differ(&required);
            if exchanged.any() {
                self.find_set_up_wrongly(setting_up, &required, exchanged);
            }
        } else {
            self.put_right(setting_up, required);
        }
    }

    /// The first press or the first move: what never stood right is told. Whether the game can have
    /// begun at all: with many squares wrong the pieces are still being set up, or the position is
    /// another one.
    pub(crate) fn begin(&mut self) -> bool {
        let Some(SettingUp::Pieces {
            nearest, misplaced, ..
        }) = self.state.setting_up()
        else {
            return true;
        };
        if self.record.len() > 0 {
            // A line of moves explained what was read.
            self.state.begin_play();
            return true;
        }
        let wrong = self.differ(self.record.start());
        if wrong.count().min(nearest.count()) > MISPLACED {
            return false;
        }
        self.state.begin_play();
        if nearest == Bitboard::FULL {
            return true;
        }
        // Nothing but these squares was out of sight.
        self.board
            .set_gap(self.board.gap() && (wrong & !nearest).any());
        if misplaced {
            let (code, certainty) = (Code::PositionSetupWrong, Certainty::Likely);
            self.raise_unbinding(code, Party::Either, certainty, nearest, 1);
        }
        if self.starts_as_it_stands() {
            self.drop_other_start();
            return true;
        }
        self.track.disregard(nearest);
        // A square that reads empty may have been read wrongly.
        let missing = nearest & !self.board.planes().occupied();
        if missing.any() {
            let missing = missing.into_iter().collect();
            self.raise_doubt(1, DoubtKind::CheckSquare, missing, Vec::new());
        }
        true
    }

    /// Without a clock: a first move stands beside what has not stood right since the board was
    /// read. Nobody waits for a sensor: the game has begun.
    pub(crate) fn begin_beside_faults(&mut self) {
        let Some(SettingUp::Pieces { nearest, .. }) = self.state.setting_up() else {
            return;
        };
        let few = nearest.any() && nearest.count() <= FAULTS;
        if self.setup.clock || self.has_begun() || !few || !self.is_moved_beside(nearest) {
            return;
        }
        if self.begin() {
            // All that has changed since was seen.
            self.board.set_gap(false);
            let look = Look::at(self.clock.now(), self.scan_window(), false);
            self.track.expand(self.board.contacts(), &look);
        }
    }

    /// Whether a legal first move leaves nothing wrong but the `faults`, on none of which it bears.
    fn is_moved_beside(&self, faults: Bitboard) -> bool {
        let start = self.record.start();
        start.legal_moves().iter().any(|m| {
            let mut after = start.clone();
            after.play_unchecked(*m);
            (squares_of(*m) & faults).is_empty() && self.differ(&after).is_subset(faults)
        })
    }

    /// Whether the game is followed from another position than is required: the one that stands.
    pub(crate) fn starts_as_it_stands(&self) -> bool {
        let required = start_of(&self.setup);
        required.is_some_and(|required| required.board() != self.record.start().board())
    }

    fn put_right(&mut self, setting_up: SettingUp, required: Chess) {
        if let SettingUp::Wrong(id) = setting_up {
            self.withdraw(id);
        }
        self.drop_other_start();
        self.start_from(required);
        match self.orientation() == self.setup.turned {
            true => self.state.begin_play(),
            false => self.state.set_up(SettingUp::Turned),
        }
        self.board.set_start_read(true);
    }

    /// The starting position with one piece on another square, if that is what stands.
    fn with_one_displaced(&self, required: &Chess, wrong: Bitboard) -> Option<Chess> {
        let from = (wrong & required.board().occupied()).single_square()?;
        let to = (wrong & !required.board().occupied()).single_square()?;
        let piece = required.board().piece_at(from)?;
        let planes = self.board.planes();
        let stands = planes.at(from) == Symbol::Empty
            && planes.at(to) == planes.class().sees(Some(piece))
            && wrong.count() == 2
            && self.board.was_found_empty(from);
        let mut setup = required.to_setup(EnPassantMode::Legal);
        setup.board.discard_piece_at(from);
        setup.board.set_piece_at(to, piece);
        self.position_as_set_up(required, setup).filter(|_| stands)
    }

    /// One piece stands on another square than it should: the game is followed from there. If a
    /// legal move leads there, it may have been played already: then it is followed from the
    /// position that is required too, until somebody moves.
    fn start_from_displaced(&mut self, required: Chess, standing: Chess, wrong: Bitboard) {
        self.drop_other_account();
        self.state.set_up(SettingUp::Pieces {
            nearest: wrong,
            misplaced: true,
            since: self.clock.now(),
        });
        let moves = required.legal_moves();
        if moves.iter().any(|m| self.shows_after(&required, *m)) {
            let mut other = self.clone();
            other.start_from(required);
            other.state.begin_play();
            other.board.set_gap(true);
            // There what was played is looked for at this rest.
            let changes = other.search_gap(None, LastPly::default());
            other.run(changes.unwrap_or_default());
            other.told().for_each(drop);
            self.other = Some(Box::new(other));
        }
        self.start_from(standing);
    }

    fn shows_after(&self, pos: &Chess, m: Move) -> bool {
        let mut after = pos.clone();
        after.play_unchecked(m);
        self.differ(&after).is_empty()
    }

    /// Every square is filled that should be, and no other, with other pieces than are required.
    fn stand_exchanged(&self, required: &Chess, wrong: Bitboard) -> bool {
        let planes = self.board.planes();
        planes.occupied() == required.board().occupied()
            && wrong
                .into_iter()
                .all(|sq| matches!(planes.at(sq), Symbol::Piece(_)))
    }

    fn find_set_up_wrongly(&mut self, setting_up: SettingUp, required: &Chess, wrong: Bitboard) {
        if let SettingUp::Wrong(id) = setting_up {
            self.withdraw(id);
        }
        let Some(standing) = self.as_read(required) else {
            return;
        };
        self.start_from(standing);
        let (code, certainty) = (Code::PositionSetupWrong, Certainty::Certain);
        let id = self.raise_unbinding(code, Party::Either, certainty, wrong, 1);
        self.state.set_up(SettingUp::Wrong(id));
    }

    /// The starting position as the pieces stand.
    fn as_read(&self, required: &Chess) -> Option<Chess> {
        let mut setup = required.to_setup(EnPassantMode::Legal);
        for sq in self.board.planes().differ(&setup.board) {
            match self.board.planes().at(sq) {
                Symbol::Piece(piece) => setup.board.set_piece_at(sq, piece),
                _ => setup.board.discard_piece_at(sq),
            }
        }
        self.position_as_set_up(required, setup)
    }

    /// The position of `setup`, which was to be `required`: a king or rook that stands elsewhere
    /// cannot castle.
    pub(crate) fn position_as_set_up(
        &self,
        required: &Chess,
        mut setup: shakmaty::Setup,
    ) -> Option<Chess> {
        let mut rights = Bitboard::EMPTY;
        for sq in setup.castling_rights {
            let rook = required.board().piece_at(sq);
            let king = rook.and_then(|rook| required.board().king_of(rook.color));
            let king_stands = king.is_some_and(|king| setup.board.kings().contains(king));
            if king_stands && rook == setup.board.piece_at(sq) {
                rights.add(sq);
            }
        }
        setup.castling_rights = rights;
        for colour in Color::ALL {
            if (setup.board.kings() & setup.board.by_color(colour)).count() != 1 {
                return None;
            }
        }
        position(&setup, self.setup.castling_mode())
    }

    /// Whether the board has long stood as at the beginning, no clock was started, and pieces of
    /// both sides were handled by then, or several: they were straightened, or something was shown
    /// with them, and the game has not begun.
    pub(crate) fn stands_straightened(&self) -> bool {
        let root = self.root();
        let stands = self.best().steps.is_empty() && self.wrong(root).is_empty();
        if self.has_begun() || self.state.setting_up().is_some() || !stands {
            return false;
        }
        let touched = root.touched(self.board.contacts()) & root.pos.board().occupied();
        let (own, others) = (touched & root.pos.us(), touched & root.pos.them());
        (own.any() && others.any()) || touched.count() > STRAIGHTENED
    }

    /// Two pieces may have changed places before the first move, and the board stands as it should:
    /// the array was put right, and nobody touched them to move them.
    pub(crate) fn forget_putting_right(&mut self) {
        if !self.has_begun() {
            self.start_from(self.record.start().clone());
        }
    }

    /// The game begins from `pos`, which the board shows.
    fn start_from(&mut self, pos: Chess) {
        let now = self.clock.now();
        self.record.begin(pos.clone());
        self.track.begin(pos, now);
        self.board.set_gap(false);
        self.board.forget_before(now);
        self.clock.start_turn(now);
    }
}
