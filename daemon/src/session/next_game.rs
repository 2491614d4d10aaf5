//! Notices that the pieces are set up again after a game has ended.

use arbiter_core::input::StartFen;
use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Board, CastlingMode, Chess, Position, Role};
use arbiter_core::view::Phase;
use arbiter_core::{Reading, Setup, Symbol, Time};

use super::Session;
use super::unset::Stood;
use crate::hall::View;

/// A starting position that has stood this long is meant, in board milliseconds.
const MEANT: u64 = 2_000;
/// When players begin sooner, it was meant if it stood at least this long.
const BEGUN: u64 = 500;

/// The watch for the next game: since when the starting position stands on a board whose game has
/// ended, or gives way to its table's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct NextGame {
    since: Option<Time>,
    /// White has made his first move, while the last pieces were set up.
    moved: bool,
    /// It begins with the first touch, and not by standing there.
    waits: bool,
    /// The starting position stood, and was touched since.
    left: bool,
    /// And a piece stands elsewhere: somebody plays.
    touched: bool,
    /// Pieces stood almost as at the start.
    near: Option<Near>,
    /// And somebody plays from there though the pairing's game is to begin.
    unset: bool,
    /// What the board read last.
    seen: Option<Reading>,
    /// What stood there once more had changed out of sight than one move does, while the pairing's
    /// game was to begin: it may have begun.
    found: Option<Stood>,
}

/// How near to the start the pieces were when they were nearest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Near {
    /// Squares that read otherwise.
    wrong: usize,
    pieces: usize,
    /// What they were, and until when they stood so.
    stood: Stood,
}

/// Whether a pairing waits for its game on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waits {
    /// None does.
    No,
    /// In the round that is to be started next.
    ForStart,
    /// In a round under way: its game begins here.
    ToBegin,
}

/// So many squares have other pieces than at the start once a game has been played for a while:
/// then nobody has the array again by taking back moves.
const PLAYED_ON: usize = 8;

/// Fewer pieces than these are put away, or set up for something else.
const PLAYED: usize = 20;

/// With more squares wrong the pieces are still being set up, or stand for something else. A game
/// is followed from pieces that stand wrongly on as many.
const WRONG: usize = 6;

/// A move out of sight leaves no more than two squares that read otherwise, where nobody castles:
/// with so many, more was played, or befell the pieces.
const UNSEEN: usize = 3;

impl Session {
    /// Looks whether the game has ended, or gives way, and the next one is being set up.
    pub(super) fn look(&mut self, at: Time) {
        let waits = match self.look_for_early_play() {
            false => Waits::No,
            true if self.is_waited_for() => Waits::ToBegin,
            true => Waits::ForStart,
        };
        if self.arbiter.state() != Some(Phase::Ended) && !self.gives_way() {
            self.next_game = NextGame::default();
            return;
        }
        let Some(view) = self.view() else { return };
        let start = self.next_start();
        let reading = self.reading().map(|board| view.turned.reading(&board));
        self.next_game
            .look(&view, reading, (start.as_ref(), waits), at);
    }
}

impl NextGame {
    /// Looks at the board of an ended game at the time `at`: `reading` is what it reads, `start`
    /// what the starting position reads, and with it whether a pairing waits for its game.
    pub(super) fn look(
        &mut self,
        view: &View,
        reading: Option<Reading>,
        (start, waits): (Option<&Start>, Waits),
        at: Time,
    ) {
        // Where a pairing waits, nothing begins by standing there: the start stands for it, be it
        // where the game before ended.
        let (is_awaited, last) = (waits != Waits::No, last(view));
        let is_new = is_awaited || reading != last;
        let shown = reading.zip(start).filter(|_| is_new);
        let stands = shown.is_some_and(|(reading, start)| start.is_set_up(&reading));
        let played_on = start
            .zip(last)
            .is_some_and(|(start, last)| last.differs_from(&start.array).count() >= PLAYED_ON);
        let is_first = |(reading, start): (Reading, &Start)| start.is_moved(&reading);
        let moved = played_on && shown.is_some_and(is_first);
        let set_up = stands || moved;
        let is_played = reading.is_some_and(|reading| pieces(&reading) >= PLAYED);
        let may_play = is_awaited && !set_up && is_played;
        // Before the round somebody may show something on the board of a game that is over: only
        // pieces that were put back are set up.
        let near = shown.filter(|_| may_play && (waits == Waits::ToBegin || played_on));
        let strays = match near {
            Some((reading, start)) => self.strays((at, reading), start),
            None => {
                self.near = None;
                false
            }
        };
        let is_unset = strays && waits == Waits::ToBegin && !self.touched;
        self.unset = may_play && (self.unset || is_unset);
        // Whoever takes a piece off the array has moved nothing yet.
        let elsewhere = shown.is_some_and(|(reading, start)| start.is_elsewhere(&reading));
        self.left = may_play && (self.left || self.begins_at(at));
        self.touched = may_play && (self.touched || strays || self.left && elsewhere);
        let is_new = may_play && waits == Waits::ToBegin && reading != last;
        self.look_for_unseen(reading.filter(|_| is_new).map(|reading| (at, reading)));
        self.seen = reading.or(self.seen);
        let goes_on = self.moved == moved;
        self.since = set_up.then(|| self.since.filter(|_| goes_on).unwrap_or(at));
        self.moved = moved;
        self.waits &= set_up;
    }

    /// Whether pieces move away from the start on a board where they almost stood as there: not
    /// while more of them are put on. Whoever puts a piece right after that changes nothing of what
    /// stood when play began.
    fn strays(&mut self, stood: Stood, start: &Start) -> bool {
        if self.unset {
            return true;
        }
        let (wrong, pieces) = (start.wrong(&stood.1), pieces(&stood.1));
        match self.near {
            Some(near) if wrong > near.wrong => wrong >= near.wrong + 2 && pieces == near.pieces,
            _ => {
                let near = Near {
                    wrong,
                    pieces,
                    stood,
                };
                self.near = (wrong <= WRONG).then_some(near);
                false
            }
        }
    }

    /// Looks whether more than a move has changed at once: the board was out of sight. Whoever puts
    /// pieces on after that sets them up. `stood`: what may be of the pairing's game, if anything.
    fn look_for_unseen(&mut self, stood: Option<Stood>) {
        self.found = stood.and_then(|(at, now)| {
            let is_unseen = |seen: Reading| now.differs_from(&seen).count() >= UNSEEN;
            match self.seen.is_some_and(is_unseen) {
                true => Some((at, now)),
                false => self
                    .found
                    .filter(|(_, found)| pieces(&now) <= pieces(found)),
            }
        });
    }

    /// What stood on the board when it was in sight again, where the pairing's game may have begun
    /// meanwhile.
    pub(super) fn found(self) -> Option<Stood> {
        self.found
    }

    /// Somebody has begun to play out of sight: from which position, an arbiter has to say.
    pub(super) fn ask_for_unseen(&mut self, start: &Start) {
        if let Some(stood) = self.found {
            let (wrong, pieces) = (start.wrong(&stood.1), pieces(&stood.1));
            let near = Near {
                wrong,
                pieces,
                stood,
            };
            (self.near, self.touched, self.unset) = (Some(near), true, true);
        }
    }

    /// The game begins with the first touch.
    pub(super) fn wait(&mut self) {
        self.waits = true;
    }

    /// What is left of the watch once the program has ended in between: whether somebody plays.
    pub(super) fn interrupted(self) -> NextGame {
        NextGame {
            left: self.left,
            touched: self.touched,
            near: self.near,
            unset: self.unset,
            seen: self.seen,
            found: self.found,
            ..NextGame::default()
        }
    }

    /// Whether the pieces are set up for it.
    pub(super) fn is_set_up(self) -> bool {
        self.since.is_some()
    }

    /// Whether somebody plays though no game was to begin here.
    pub(super) fn is_touched(self) -> bool {
        self.touched
    }

    /// Whether somebody plays the pairing's game from pieces that did not stand as at its start.
    pub(super) fn is_unset(self) -> bool {
        self.unset
    }

    /// What stood there before anybody played from it.
    pub(super) fn stood(self) -> Option<Stood> {
        self.near.map(|near| near.stood)
    }

    /// Whether a report at `at` is the first of the next game.
    pub(super) fn begins_at(self, at: Time) -> bool {
        self.since.is_some_and(|since| at.since(since) >= BEGUN)
    }

    /// When the next game begins that is noticed at `at`: what was read since White moved is of it.
    pub(super) fn begins(self, at: Time) -> Time {
        self.since.filter(|_| self.moved).unwrap_or(at)
    }

    /// After which moment the next game begins if nothing happens.
    pub(super) fn wake(self) -> Option<Time> {
        let since = self.since.filter(|_| !self.waits);
        since.map(|since| since + MEANT)
    }
}

/// What the board reads when a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Start {
    /// The starting position.
    pub(super) array: Reading,
    /// After each first move.
    moved: Vec<Reading>,
}

impl Start {
    /// Whether the pieces are set up: as they should, or on a board that lies otherwise, or with
    /// some of them exchanged. What is wrong with that is found once the game has begun (7.2).
    pub(super) fn is_set_up(&self, reading: &Reading) -> bool {
        let is_telling = pieces(&self.array) >= PLAYED;
        *reading == self.array
            || is_telling && (self.is_exchanged(reading) || self.is_turned(reading))
    }

    /// Whether every square has a piece that should, and some have another's.
    fn is_exchanged(&self, reading: &Reading) -> bool {
        let wrong: Vec<_> = reading.differs_from(&self.array).collect();
        let on_wrong = |of: &Reading| {
            let mut on: Vec<_> = wrong.iter().map(|square| of.at(*square).char()).collect();
            on.sort_unstable();
            on
        };
        let is_piece = |square| matches!(reading.at(square), Symbol::Piece(_));
        wrong.len() <= WRONG
            && wrong.iter().all(|square| is_piece(*square))
            && on_wrong(reading) == on_wrong(&self.array)
    }

    /// Whether they stand as on a board that lies otherwise. Turned by a right angle, kings and
    /// queens are exchanged besides where the queens stand on their colour.
    fn is_turned(&self, reading: &Reading) -> bool {
        let is_royal = |symbol| {
            matches!(symbol, Symbol::Piece(piece)
            if matches!(piece.role, Role::King | Role::Queen))
        };
        Orientation::ALL.into_iter().skip(1).any(|lies| {
            let reading = lies.reading(reading);
            let mut wrong = reading.differs_from(&self.array);
            wrong.all(|square| is_royal(reading.at(square))) && self.is_exchanged(&reading)
        })
    }

    /// Whether a piece stands where the starting position has none, or another.
    fn is_elsewhere(&self, reading: &Reading) -> bool {
        let mut wrong = reading.differs_from(&self.array);
        wrong.any(|square| reading.at(square) != Symbol::Empty)
    }

    /// How many squares read otherwise, however the board lies.
    pub(super) fn wrong(&self, reading: &Reading) -> usize {
        let wrong = |lies: Orientation| lies.reading(reading).differs_from(&self.array).count();
        Orientation::ALL.into_iter().map(wrong).min().unwrap_or(0)
    }

    /// Whether a reading is that after a first move.
    pub(super) fn is_moved(&self, reading: &Reading) -> bool {
        self.moved.contains(reading)
    }
}

/// What the board reads when a game begins that was set up so. `None` when the start is unknown.
pub(super) fn start(setup: &Setup) -> Option<Start> {
    let position = initial(setup);
    let board = match (&setup.fen, &position) {
        (_, Some(position)) => position.board().clone(),
        (Some(StartFen::Known(fen)), None) => fen.as_setup().board.clone(),
        _ => return None,
    };
    let reads = |board: &Board| setup.sensor.reads(board);
    let after = |start: &Chess| {
        let moves = start.legal_moves().into_iter();
        let after = moves.filter_map(|m| start.clone().play(m).ok());
        after.map(|after| reads(after.board())).collect()
    };
    Some(Start {
        array: reads(&board),
        moved: position.as_ref().map(after).unwrap_or_default(),
    })
}

/// The position in which a game begins that was set up so. `None` where it is unknown, or is none
/// from which anybody can play.
pub(super) fn initial(setup: &Setup) -> Option<Chess> {
    let mode = CastlingMode::from_chess960(setup.chess960);
    match &setup.fen {
        None => Some(Chess::default()),
        Some(StartFen::Known(fen)) => fen.as_setup().clone().position(mode).ok(),
        Some(StartFen::Unknown) => None,
    }
}

fn pieces(reading: &Reading) -> usize {
    reading.differs_from(&Reading::EMPTY).count()
}

/// What the game's last position reads. A game that ended where it started was not set up again,
/// as far as anybody can tell.
fn last(view: &View) -> Option<Reading> {
    let fen: Fen = view.fen.parse().ok()?;
    Some(view.sensor.reads(&fen.as_setup().board))
}
