//! One game: its parts, and what everybody asks of them.
//!
//! Each part is the only writer of its fields. What happens in a game lives in the stages, which
//! change parts and return what follows ([`change`]); [`crate::arbiter`] is the one caller of all.

mod board;
pub(crate) mod change;
mod clock;
mod docket;
mod record;
mod standing_move;
mod state;
mod track;
mod verdict;

mod backtrack;
mod commit;
mod conduct;
mod displaced;
mod doubts;
mod draw;
mod ending;
mod findings;
mod gap;
mod hands;
mod illegal;
mod mating;
mod offences;
mod orders;
mod orientation;
mod players;
mod press;
mod regularity;
mod report;
mod rights;
mod scan;
mod sign;
mod standing;
mod start;
mod telling;
mod timeouts;
pub(crate) mod view;

use alloc::string::String;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Position};

use crate::chess::position::{fen_text, position};
use crate::game::board::Board;
use crate::game::clock::Clock;
use crate::game::docket::Docket;
use crate::game::record::Record;
use crate::game::state::{State, Turn};
use crate::game::track::Track;
use crate::judge::array::given_array;
use crate::judge::handling::{self, Handling};
use crate::judge::picture::Picture;
use crate::laws::{self, Completion, Laws};
use crate::said::input::{Setup, StartFen};
use crate::said::orientation::Orientation;
use crate::said::ruling::{Announcement, GameResult, Ruling, Summary};
use crate::said::symbol::Reading;
use crate::said::time::Time;
use crate::said::view::{FindingStatus, ResultView};
use crate::sense::changes::Change;
use crate::sense::trust::ScanWindow;
use crate::track::hypothesis::{Hypothesis, Step};

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    setup: Setup,
    board: Board,
    track: Track,
    clock: Clock,
    docket: Docket,
    record: Record,
    state: State,
}

impl Game {
    /// Starts a game at `at`. The board is taken to show the starting position until it says
    /// otherwise.
    pub(crate) fn new(setup: Setup, at: Time) -> Game {
        let start = start_of(&setup);
        let mut state = State::Play(Turn::default());
        if start.is_none() {
            state.forget();
        }
        let start = start.unwrap_or_default();
        // A given array that stands turned is what the board shows.
        let turned = given_array(&setup).map_or(Orientation::Upright, |(turned, _)| turned);
        let shown = turned.back().reading(&setup.sensor.reads(start.board()));
        let minimum_contact = setup.options.brush_ms;
        Game {
            board: Board::new(setup.sensor, &shown, setup.turned, at, minimum_contact),
            track: Track::new(start.clone(), at),
            clock: Clock::new(at),
            docket: Docket::default(),
            record: Record::new(start, setup.castling_mode()),
            state,
            setup,
        }
    }

    /// The rule set of the game's edition.
    fn laws(&self) -> &'static Laws {
        laws::of(self.setup.laws)
    }

    /// Says something.
    pub(crate) fn say(&mut self, ruling: Ruling) {
        let (at, game) = (self.clock.now(), self.setup.game.clone());
        self.docket.announce(Announcement { at, game, ruling });
    }

    /// Takes what was said.
    pub(crate) fn told(&mut self) -> impl Iterator<Item = Announcement> {
        self.docket.told()
    }

    /// Time passes; it never goes back.
    pub(crate) fn advance(&mut self, to: Time) {
        self.clock.advance(to);
    }

    /// The present.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// What the game was set up with.
    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What the squares read, the scan that is being reported included.
    pub(crate) fn reading(&self) -> Reading {
        self.board.reading()
    }

    /// How the board lies.
    pub(crate) fn orientation(&self) -> Orientation {
        self.board.orientation()
    }

    /// Squares whose sensors the board itself does not trust.
    pub(crate) fn suspect(&self) -> Bitboard {
        self.board.suspect()
    }

    /// Whether nothing more is ruled on: the game has ended, is paused, or its position is unknown.
    pub(crate) fn is_idle(&self) -> bool {
        self.state.is_idle()
    }

    /// The result, be it final or proposed, and its sentence.
    fn result(&self) -> Option<(ResultView, &str)> {
        self.state.result().or(self.docket.forfeit())
    }

    /// The game as a whole.
    pub(crate) fn summary(&self) -> Summary {
        let mut irregularities = alloc::collections::BTreeMap::new();
        for f in self.docket.findings() {
            if f.status != FindingStatus::Withdrawn {
                *irregularities.entry(f.irregularity.code).or_insert(0) += 1;
            }
        }
        let of_record = self
            .docket
            .doubts()
            .iter()
            .filter(|d| d.doubt.kind.is_of_record());
        let mut doubts: Vec<u32> = of_record.map(|d| d.doubt.ply).collect();
        doubts.sort_unstable();
        doubts.dedup();
        Summary {
            moves: self.record.moves(),
            result: self
                .result()
                .map_or(GameResult::Open, |(result, _)| result.result),
            fen: self.fen(),
            irregularities,
            doubts,
        }
    }

    fn fen(&self) -> String {
        match self.state.is_known() {
            true => fen_text(self.record.last()),
            false => String::from("unknown"),
        }
    }
}

/// Questions about what was played.
impl Game {
    /// The hypothesis that explains the evidence best.
    fn best(&self) -> &Hypothesis {
        self.track
            .best(self.board.contacts(), self.clock.now(), false)
    }

    /// The same, as seen at a press.
    fn best_at_press(&self) -> &Hypothesis {
        self.track
            .best(self.board.contacts(), self.clock.now(), true)
    }

    /// What `line` costs at a press, the present difference included.
    fn total(&self, line: &Hypothesis) -> i32 {
        line.total(self.board.contacts(), self.clock.now(), true)
    }

    /// Squares that read otherwise than `line` says.
    fn wrong(&self, line: &Hypothesis) -> Bitboard {
        line.wrong(self.board.contacts())
    }

    /// Squares that read otherwise than `pos` says.
    fn differ(&self, pos: &Chess) -> Bitboard {
        self.board.planes().differ(pos.board())
    }

    /// Plies in `line`, counted from the start of the game.
    fn length(&self, line: &Hypothesis) -> usize {
        self.track.length(line)
    }

    /// Ply `ply` of `line`, where it is not among the committed ones.
    fn step_of<'a>(&self, line: &'a Hypothesis, ply: usize) -> Option<&'a Step> {
        self.track.step_of(line, ply)
    }

    /// The position of a line after `n` plies of the game, `n` not before the committed ones.
    fn position_in(&self, line: &Hypothesis, n: usize) -> Chess {
        let mut pos = self.record.position(self.track.base());
        for step in line.steps.iter().take(n.saturating_sub(self.track.base())) {
            pos.play_unchecked(step.m);
        }
        pos
    }

    /// The cheapest hypothesis in which the next ply is not made.
    fn root(&self) -> &Hypothesis {
        let mut root: Option<((usize, i32), &Hypothesis)> = None;
        for line in self.track.all() {
            if self.length(line) < self.record.completed() {
                continue;
            }
            let key = (line.steps.len(), self.total(line));
            if root.is_none_or(|(least, _)| key < least) {
                root = Some((key, line));
            }
        }
        root.map_or_else(|| self.best(), |(_, line)| line)
    }

    /// The cheapest hypothesis in which ply `k` is made.
    fn made(&self, k: usize) -> Option<&Hypothesis> {
        let made = self
            .track
            .all()
            .iter()
            .filter(|line| self.length(line) >= k);
        made.min_by_key(|line| self.total(line))
    }

    /// Changes closer together than this have no order. After a gap it is not known when a square
    /// changed.
    fn scan_window(&self) -> ScanWindow {
        if self.board.gap() {
            ScanWindow::AFTER_GAP
        } else {
            ScanWindow::of(self.setup.options.skew_ms)
        }
    }

    /// Whether a reply, or a long rest, completes a move as well as a press does: without a clock,
    /// and where letting go of the piece completes it (1974).
    fn completes_by_reply(&self) -> bool {
        !self.setup.clock || self.laws().completion == Completion::Release
    }

    /// The ply a press would complete, counted from 1.
    fn pressed_ply(&self) -> usize {
        self.record.completed() + 1
    }
}

/// Questions about the turn at hand.
impl Game {
    /// The changes of the turn that `line` leaves open, oldest first, as handled pieces.
    fn handling_of_open_turn(&self, line: &Hypothesis) -> Handling {
        let turn_start = if self.setup.clock {
            self.clock.turn_start()
        } else {
            Time::ZERO
        };
        let start = line.since.max(turn_start);
        let changes = self.board.contacts().log();
        let mut log: Vec<Change> = Vec::with_capacity(changes.len());
        for (n, c) in changes.iter().enumerate() {
            let belongs = c.at > start
                || is_in_the_air(changes, n, line.since, start)
                || line.early.contains(c.square);
            if belongs {
                log.push(*c);
            }
        }
        handling::read(&line.pos, None, &log, self.setup.sensor, &self.announced())
    }

    /// The announcements that count, by whom and from when.
    fn announced(&self) -> Vec<(Color, Time)> {
        let grace = self.setup.options.adjust_grace_ms;
        self.clock
            .adjusting()
            .iter()
            .map(|(by, at)| (*by, *at - grace))
            .collect()
    }

    /// What a completed turn after `root` left on the board.
    fn picture<'a>(&'a self, root: &'a Hypothesis, handling: &'a Handling) -> Picture<'a> {
        Picture {
            before: &root.pos,
            legal: root.legal(),
            planes: self.board.planes(),
            handling,
            misread: root.misread,
            flickered: self.board.contacts().flickered_since(root.since),
            suspect: self.board.suspect(),
            settings: &self.setup.options,
            laws: self.laws(),
        }
    }

    /// Whether a piece may still be on its way: something was lifted that has not been put down.
    fn in_hand(&self) -> bool {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        handling.in_hand(root.pos.turn()) || self.picture(root, &handling).reply_possible()
    }

    /// When the turn began whose touches count: without a clock, with the position that it is
    /// played from.
    fn turn_began(&self) -> Time {
        let reached = self.root().since;
        if self.setup.clock {
            reached.min(self.clock.turn_start())
        } else {
            reached
        }
    }

    /// A position that was never put back, a gap, or a board that has lost readings before or does
    /// not trust its own sensors leaves room for another explanation of everything. So does an
    /// offence that is only likely: it may have been a misreading, and then what follows is one too.
    fn is_shaky(&self) -> bool {
        self.state.is_putting_back()
            || self.board.gap()
            || self.board.misreads()
            || self.board.is_suspect(self.record.completed())
            || self.docket.has_undecided_illegal_move()
    }

    /// The squares that somebody has been asked to look at, and that do not read right yet.
    fn in_question(&self) -> Bitboard {
        self.docket.in_question()
    }
}

/// What several stages do to the parts.
impl Game {
    /// Starts afresh from `pos`, reached now.
    fn reset_to(&mut self, pos: Chess, length: usize) {
        let now = self.clock.now();
        self.track.reset(pos, length, self.board.contacts(), now);
        self.board.forget_before(now);
    }

    /// The game goes on from `pos`, which no move led to.
    fn jump_to(&mut self, pos: Chess) {
        self.record.jump(pos.clone());
        self.reset_to(pos, self.record.len());
    }

    /// Only this line explains the evidence.
    fn adopt(&mut self, line: Hypothesis) {
        self.track.adopt(alloc::vec![line]);
    }
}

/// Whether the change `n`, of a square that changed between the move and its press, left it empty:
/// what was handled then is nobody's touch, unless it is still in the air: a reply.
fn is_in_the_air(changes: &[Change], n: usize, since: Time, start: Time) -> bool {
    let c = &changes[n];
    if c.at <= since || c.symbol != crate::said::symbol::Symbol::Empty {
        return false;
    }
    !changes[n + 1..]
        .iter()
        .any(|later| later.square == c.square && later.at <= start)
}

/// The starting position that the setup asks for; `None` while none is known.
fn start_of(setup: &Setup) -> Option<Chess> {
    let mode = setup.castling_mode();
    if let Some((_, array)) = given_array(setup) {
        return position(&array, mode);
    }
    match &setup.fen {
        None => position(&shakmaty::Setup::initial(), mode),
        Some(StartFen::Known(fen)) => position(fen.as_setup(), mode),
        Some(StartFen::Unknown) => None,
    }
}
