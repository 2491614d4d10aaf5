//! Two pieces that may have stood on each other's squares from the start (7.2.1).
//!
//! Where pieces are not recognised the board reads as it should, until one of the two moves in the
//! other's way. So before anybody is accused of an illegal move it is looked whether it would be a
//! legal one if two neighbours had been exchanged in the array. Then it is asked how they stood,
//! and both are followed: the game as it is played on the board, and beside it, in silence, the
//! same game with the illegal move. What is played next, what is put back, or what the arbiter
//! sees shows which of them is so.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{
    Bitboard, Board, Chess, Color, EnPassantMode, Move, Position, Setup, Square, uci::UciMove,
};

use crate::chess::moves::squares_of;
use crate::game::Game;
use crate::game::board::Silence;
use crate::game::change::{Changes, NOTHING};
use crate::game::overlooked_check::is_of_check_alone;
use crate::game::start_of;
use crate::game::track::{ReplayRequest, Track};
use crate::judge::array::is_array;
use crate::said::irregularity::{Certainty, Code, Party, Reason};
use crate::said::ruling::DoubtKind;
use crate::said::symbol::SensorClass;
use crate::said::view::{Finding, FindingStatus};
use crate::track::backtrack::Distrust;
use crate::track::cost;
use crate::track::hypothesis::Step;
use crate::track::replay::Replay;

/// So many moves that go as the other piece goes are no chance.
pub(super) const CONVINCES: usize = 2;

/// Whether two pieces may have stood on each other's squares from the start.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Exchange {
    /// Nothing speaks for it.
    #[default]
    None,
    /// They may have, or a move was illegal: it is asked.
    Asked,
    /// The same, but a check was rather overlooked: the illegal move is told meanwhile.
    Doubted,
    /// They rather have than not: the number of what was found.
    Likely(u32),
    /// They did not: this is the account in which a move was illegal.
    Excluded,
}

/// The game as it was played from a start with exchanged pieces.
pub(super) struct Begun {
    start: Chess,
    /// The moves told so far, as far as they are legal from there.
    moves: Vec<Move>,
    track: Track,
    /// Plies before the checkpoint from which the evidence was replayed.
    length: usize,
    replay: Replay,
}

impl Game {
    /// Before somebody is accused: what follows instead, or else `accusing`.
    pub(crate) fn weigh_start(&mut self, accusing: Changes) -> Changes {
        if self.may_be_exchanged() {
            return self.weigh_other_start(accusing);
        }
        if self.exchange == Exchange::Excluded {
            return accusing;
        }
        let Some(begun) = self.begun_exchanged() else {
            return accusing;
        };
        if is_of_check_alone(&accusing) {
            self.follow_exchanged(begun);
            return accusing;
        }
        let mut other = self.clone();
        other.exchange = Exchange::Excluded;
        other.other = None;
        other.run(accusing);
        other.told().for_each(drop);
        let ply = other.illegal_plies().last();
        let follows = self.begin_exchanged(begun, ply.unwrap_or(self.record.len() + 1));
        self.other = Some(Box::new(other));
        follows
    }

    /// Nothing explains a board at rest, not even an illegal move: what follows if pieces that
    /// stood exchanged from the start do.
    pub(crate) fn weigh_start_at_rest(&mut self) -> Option<Changes> {
        let unexplained = !self.setup.clock
            && self.exchange == Exchange::None
            && !self.wrong(self.best()).is_empty()
            && self.cost_of_standing().is_none();
        let begun = unexplained.then(|| self.begun_exchanged()).flatten()?;
        let mut other = self.clone();
        other.exchange = Exchange::Excluded;
        let follows = self.begin_exchanged(begun, self.record.completed() + 1);
        self.other = Some(Box::new(other));
        Some(follows)
    }

    /// The account that is told, by which pieces stood exchanged, would accuse somebody of an
    /// illegal move.
    fn weigh_other_start(&mut self, accusing: Changes) -> Changes {
        if self.exchange == Exchange::Doubted {
            return self.weigh_beside_check(accusing);
        }
        // Of several pairs that explain what was played so far, another one may explain this.
        if let Some(begun) = self.begun_exchanged() {
            let ply = self.asked_of_exchange().unwrap_or(1);
            self.settle_exchange();
            return self.begin_exchanged(begun, ply as usize);
        }
        let Some(other) = &self.other else {
            return accusing;
        };
        // However the pieces stood, that move was illegal.
        if other.illegal_plies().last() > Some(self.record.completed()) {
            return accusing;
        }
        // The account in which nobody has to be accused once more is the one.
        if other.illegal_moves() <= self.illegal_moves() + CONVINCES {
            self.take_other_account();
            return NOTHING;
        }
        accusing
    }

    /// The cheapest account of everything by which two neighbours were exchanged from the start,
    /// other than those of the account at hand.
    fn begun_exchanged(&self) -> Option<Begun> {
        let required = start_of(&self.setup)?;
        let known = self.setup.sensor != SensorClass::Piece
            && is_array(required.board(), self.setup.chess960)
            && !self.state.is_putting_back();
        if !known {
            return None;
        }
        let request = self.replay_request(Distrust::None, None, Some(cost::ILLEGAL))?;
        let mut starts = exchanges(&required);
        let begun = self.record.start();
        if begun.board() != required.board() && self.exchange == Exchange::None {
            starts.extend(exchanges(begun));
        }
        // Who sets up both sides makes one mistake twice.
        self.cheapest_begun(&required, starts, &request)
            .or_else(|| self.cheapest_begun(&required, exchanges_on_both(&required), &request))
    }

    /// The cheapest account of everything that begins from one of `starts`, if one explains the
    /// board.
    fn cheapest_begun(
        &self,
        required: &Chess,
        starts: Vec<Setup>,
        request: &ReplayRequest,
    ) -> Option<Begun> {
        let told = self.record.start().board();
        let starts = starts.into_iter();
        let starts = starts.filter_map(|setup| self.position_as_set_up(required, setup));
        let starts = starts.filter(|start| start.board() != told);
        let begun = starts.filter_map(|start| self.begun_from(start, request));
        let begun = begun.filter(|begun| !self.is_as_well(begun, required));
        begun.min_by_key(|begun| begun.replay.cost(self.clock.now()))
    }

    /// The game as it was played if it began from `start`, if that explains the board.
    fn begun_from(&self, start: Chess, request: &ReplayRequest) -> Option<Begun> {
        let (mut moves, mut pos) = (Vec::new(), start.clone());
        let mut positions = alloc::vec![start.clone()];
        for ply in self.record.plies() {
            let Some(m) = ply.m.and_then(|m| self.record.uci(m).to_move(&pos).ok()) else {
                break;
            };
            pos.play_unchecked(m);
            moves.push(m);
            positions.push(pos.clone());
        }
        if moves.len() < self.track.base() {
            return None;
        }
        let class = self.setup.sensor;
        let reads_alike = |n: usize, was: &Chess| {
            let pos = positions.get(n)?;
            (class.reads(pos.board()) == class.reads(was.board())).then(|| pos.clone())
        };
        let mut track = self.track.clone();
        track.start_otherwise(reads_alike);
        let (length, replay) = track.replay(request)?;
        // A piece that has been put down is no move to come.
        replay.has_arrived(request.now).then_some(Begun {
            start,
            moves,
            track,
            length,
            replay,
        })
    }

    /// Whether the moves of that account are legal from the `required` start as well: then it is
    /// not the exchange that explains them.
    fn is_as_well(&self, begun: &Begun, required: &Chess) -> bool {
        let now = self.clock.now();
        let line = begun.replay.beam.best(&begun.replay.contacts, now, true);
        let before = begun.moves.iter().take(begun.length);
        let moves = before.copied().chain(line.steps.iter().map(|step| step.m));
        self.are_legal(moves, required)
    }

    /// The game began from `begun.start`, as far as is known: it is asked, at the ply that would be
    /// illegal otherwise.
    pub(super) fn begin_exchanged(&mut self, begun: Begun, ply: usize) -> Changes {
        let was = self.clone();
        self.record.begin(begun.start);
        for (i, (m, ply)) in begun.moves.iter().zip(was.record.plies()).enumerate() {
            let made_at = ply.at;
            self.record.push(Step { m: *m, made_at }, ply.clock_ms);
            self.record.mark_completed(i, ply.completed);
        }
        let completed = was.record.completed().min(self.record.len());
        self.record.set_completed(completed);
        self.track = begun.track;
        // What is followed of illegal moves stands in positions of the other account.
        self.track.forget_irregular();
        self.tell_other_plies(&was);
        // What was illegal, and is told already, was so however the pieces stood.
        let follows = self.go_on_from(begun.length, begun.replay, |code| !code.is_illegal_move());
        // What is completed is not taken back where the other account knows of no other reading.
        let (base, completed) = (self.track.base(), self.record.completed());
        self.track
            .retain(|line| base + line.steps.len() >= completed);
        // That some pair did is found already, and needs no question any more.
        if !matches!(self.exchange, Exchange::Likely(_)) {
            self.ask_about_exchange(ply as u32, self.exchanged_squares());
            self.exchange = Exchange::Asked;
        }
        follows
    }

    /// It is asked whether the pieces of these squares stood exchanged.
    pub(super) fn ask_about_exchange(&mut self, ply: u32, squares: Bitboard) {
        let squares = squares.into_iter().collect();
        self.raise_doubt(ply, DoubtKind::PiecesExchanged, squares, Vec::new());
    }

    /// The squares that others may have stood on at the start than is required: of every pair that
    /// makes legal moves of the record.
    pub(super) fn exchanged_squares(&self) -> Bitboard {
        let Some(required) = start_of(&self.setup) else {
            return Bitboard::EMPTY;
        };
        let others = exchanges(&required).into_iter();
        let others = others.filter_map(|setup| self.position_as_set_up(&required, setup));
        let mut squares = differing(required.board(), self.record.start().board());
        for start in others.filter(|start| self.are_legal_from(start)) {
            squares |= differing(required.board(), start.board());
        }
        squares
    }

    /// Whether every legal move of the record is one if the game began from `start`.
    fn are_legal_from(&self, start: &Chess) -> bool {
        let moves = self.record.plies().iter().filter_map(|ply| ply.m);
        self.are_legal(moves, start)
    }

    /// Whether `moves` can be made one after the other from `start`, each as what it is: a king
    /// that castles is no queen that goes as far.
    fn are_legal(&self, mut moves: impl Iterator<Item = Move>, start: &Chess) -> bool {
        let mut pos = start.clone();
        moves.all(|m| {
            let same = |n: &Move| squares_of(*n) == squares_of(m);
            let legal = self.record.uci(m).to_move(&pos).ok().filter(same);
            legal.into_iter().for_each(|m| pos.play_unchecked(m));
            legal.is_some()
        })
    }
}

/// Both accounts, while it is not known which is so.
impl Game {
    /// Whether the other account is one in which a move was illegal.
    pub(crate) fn may_be_exchanged(&self) -> bool {
        let open = matches!(
            self.exchange,
            Exchange::Asked | Exchange::Doubted | Exchange::Likely(_)
        );
        open && self.other.is_some()
    }

    /// The completed plies that the other account reads otherwise, with both readings.
    pub(crate) fn plies_told_otherwise(&self) -> Vec<(u32, [UciMove; 2])> {
        let Some(other) = self.other.as_ref().filter(|_| self.may_be_exchanged()) else {
            return Vec::new();
        };
        let theirs = other.record.plies().iter();
        let both = (1..).zip(self.record.plies().iter().zip(theirs));
        let completed = both.take_while(|(_, (a, b))| a.completed && b.completed);
        let differing = completed.filter(|(_, (a, b))| a.uci != b.uci);
        differing.map(|(n, (a, b))| (n, [a.uci, b.uci])).collect()
    }

    /// How many illegal moves were found.
    fn illegal_moves(&self) -> usize {
        self.illegal_plies().count()
    }

    /// The plies of which they were found.
    pub(super) fn illegal_plies(&self) -> impl Iterator<Item = usize> {
        let found = self.docket.raised().iter().filter(|f| {
            f.irregularity.code.is_illegal_move() && f.status != FindingStatus::Withdrawn
        });
        found.map(|f| f.irregularity.ply as usize)
    }

    /// How many completed plies of this account are legal moves here, and in `other` moves that the
    /// piece cannot make. A check that nobody noticed makes one illegal move after the other, and
    /// is one mistake.
    fn allows(&self, other: &Game) -> usize {
        let completed = 1..=self.record.completed();
        let legal = |game: &Game, n| game.record.ply(n).is_some_and(|ply| ply.m.is_some());
        let strange = |n| {
            let mut found = other.docket.raised().iter();
            found.any(|f| f.is_of(n) && f.irregularity.reason == Some(Reason::PieceCannotMoveSo))
        };
        let here = completed.filter(|n| legal(self, *n) && !legal(other, *n));
        here.filter(|n| strange(*n)).count()
    }

    /// The account is taken that alone explains the board at rest; the one that is told is likely
    /// with two illegal moves less, and followed alone with twice as many.
    pub(crate) fn decide_how_set_up(&mut self) {
        let Some(other) = &self.other else {
            return;
        };
        let explains = |game: &Game| game.wrong(game.best()).is_empty();
        let rests = self.board.was_silent(Silence::Rest);
        if self.exchange == Exchange::Doubted {
            match rests.then(|| (explains(self), explains(other))) {
                Some((true, false)) => self.keep_to_what_was_told(),
                Some((false, true)) if self.is_left_behind(other) => self.tell_exchanged(NOTHING),
                _ => {}
            }
        } else if rests && explains(other) && !explains(self) {
            self.take_other_account();
        } else if self.may_be_exchanged() {
            // Moves of one game that go as the other piece goes.
            let more = self.allows(other).saturating_sub(other.allows(self));
            if more >= CONVINCES {
                self.find_start_exchanged(Certainty::Likely);
            }
            if more >= 2 * CONVINCES {
                self.keep_to_what_was_told();
            }
        }
    }

    /// They stood exchanged: that is found, and asked no more. The finding's number.
    pub(super) fn find_start_exchanged(&mut self, certainty: Certainty) -> u32 {
        if let Exchange::Likely(id) = self.exchange {
            self.strengthen(id, certainty);
            return id;
        }
        let (code, squares) = (Code::PositionSetupWrong, self.exchanged_squares());
        let id = self.raise_unbinding(code, Party::Either, certainty, squares, 1);
        if let Some(other) = &mut self.other {
            other.docket.skip_number();
        }
        self.exchange = Exchange::Likely(id);
        self.settle_exchange();
        id
    }

    /// The ply at which it is asked whether pieces stand exchanged.
    pub(super) fn asked_of_exchange(&self) -> Option<u32> {
        let open = self.docket.doubts().iter().map(|d| &d.doubt);
        let mut asked = open.filter(|d| d.kind == DoubtKind::PiecesExchanged);
        asked.next().map(|doubt| doubt.ply)
    }

    /// Whether pieces stand exchanged is asked no more.
    fn settle_exchange(&mut self) {
        self.docket
            .retain_doubts(|d| d.doubt.kind != DoubtKind::PiecesExchanged);
    }

    /// Whether finding `id` was that pieces stand exchanged, which the arbiter dismisses: then a
    /// move was illegal.
    pub(crate) fn denies_exchange(&mut self, id: u32) -> bool {
        let denied = self.exchange == Exchange::Likely(id) && self.other.is_some();
        if denied {
            self.take_other_account();
        }
        denied
    }

    /// The arbiter has looked, and reports that the pieces stood exchanged, or that the move that
    /// is asked about was illegal, be it on `square`: the finding that says so.
    pub(crate) fn answer_exchange(
        &mut self,
        code: Code,
        by: Option<Color>,
        square: Option<Square>,
    ) -> Option<u32> {
        if !self.may_be_exchanged() {
            return None;
        }
        if code == Code::PositionSetupWrong {
            if self.exchange == Exchange::Doubted {
                self.tell_exchanged(NOTHING);
            }
            let id = self.find_start_exchanged(Certainty::Certain);
            self.keep_to_what_was_told();
            return Some(id);
        }
        if self.exchange == Exchange::Doubted {
            // What is reported is upheld, or found, in the account that is told.
            return None;
        }
        let asked = self
            .asked_of_exchange()
            .filter(|_| code.is_illegal_move())?;
        let meant = |f: &&Finding| {
            let told = &f.irregularity;
            let there = square.is_none_or(|square| told.squares.contains(&square));
            let of_him = by.is_none_or(|by| told.by == by.into());
            let open = f.status == FindingStatus::Open && f.is_of(asked as usize);
            open && told.code == code && of_him && there
        };
        let theirs = self.other.as_ref()?.docket.findings();
        let id = theirs.iter().rev().find(meant)?.irregularity.id;
        self.take_other_account();
        Some(id)
    }

    /// What the arbiter orders rests on what he was told: that is followed alone from now on.
    pub(crate) fn keep_to_what_was_told(&mut self) {
        self.other = None;
        self.exchange = match self.exchange {
            Exchange::Doubted => Exchange::Excluded,
            _ => Exchange::None,
        };
        self.settle_exchange();
    }
}

/// The squares on which two boards differ.
pub(crate) fn differing(a: &Board, b: &Board) -> Bitboard {
    let differ = |sq: &Square| a.piece_at(*sq) != b.piece_at(*sq);
    Square::ALL.into_iter().filter(differ).collect()
}

/// The boards on which two neighbours of a side are exchanged.
fn exchanges(start: &Chess) -> Vec<Setup> {
    let mut all = Vec::new();
    let pieces = start.board().occupied() & !start.board().pawns();
    for a in pieces {
        let b = a.offset(1).filter(|b| b.rank() == a.rank());
        let Some(b) = b.filter(|b| pieces.contains(*b)) else {
            continue;
        };
        let mut setup = start.to_setup(EnPassantMode::Legal);
        let (on_a, on_b) = (start.board().piece_at(a), start.board().piece_at(b));
        if let (Some(on_a), Some(on_b)) = (on_a, on_b)
            && on_a != on_b
            && on_a.color == on_b.color
        {
            setup.board.set_piece_at(a, on_b);
            setup.board.set_piece_at(b, on_a);
            all.push(setup);
        }
    }
    all
}

/// The boards on which the same two neighbours are exchanged on both sides.
fn exchanges_on_both(start: &Chess) -> Vec<Setup> {
    let one = exchanges(start);
    let mut all = Vec::new();
    for white in &one {
        let of_white = differing(start.board(), &white.board);
        let same =
            |black: &&Setup| differing(start.board(), &black.board) == of_white.flip_vertical();
        if (of_white & start.board().white()).any()
            && let Some(black) = one.iter().find(same)
        {
            let mut setup = white.clone();
            for sq in of_white.flip_vertical() {
                setup.board.discard_piece_at(sq);
                if let Some(piece) = black.board.piece_at(sq) {
                    setup.board.set_piece_at(sq, piece);
                }
            }
            all.push(setup);
        }
    }
    all
}
