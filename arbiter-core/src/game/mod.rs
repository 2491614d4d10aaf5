//! One game: its parts, and what everybody asks of them.
//!
//! Each part is the only writer of its fields. What happens in a game lives in the stages, which
//! change parts and return what follows ([`change`]); [`crate::arbiter`] is the one caller of all.

mod board;
pub(crate) mod change;
mod clock;
pub(crate) mod docket;
mod record;
mod state;
mod track;
mod verdict;

mod accounts;
mod acts;
mod away;
mod backtrack;
mod commit;
mod conduct;
mod difference;
mod disobeyed;
mod displaced;
mod doubts;
mod draw;
mod empty_press;
mod ending;
mod exchanged;
mod findings;
mod gap;
mod gone_on;
mod hands;
mod illegal;
mod left;
mod left_displaced;
mod lost;
mod mating;
mod next_game;
mod offences;
mod orders;
mod orientation;
mod out_of_turn;
mod overlooked_check;
pub(crate) mod played;
mod players;
mod press;
mod pushed;
mod put_right;
mod questions;
pub(crate) mod refusal;
mod regularity;
mod report;
mod rights;
mod scan;
mod sign;
mod standing;
mod start;
mod strange;
mod taken_back;
mod telling;
mod timeouts;
mod under_way;
mod unseen;
pub(crate) mod view;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Position};

use crate::chess::position::{fen_text, position};
use crate::game::board::Board;
use crate::game::clock::Clock;
use crate::game::docket::Docket;
use crate::game::exchanged::Exchange;
use crate::game::gone_on::GoneOn;
use crate::game::left::Left;
use crate::game::left_displaced::Displaced;
use crate::game::record::Record;
use crate::game::state::{State, Turn};
use crate::game::track::Track;
use crate::judge::array::given_array;
use crate::laws::{self, Laws};
use crate::said::input::{Setup, StartFen};
use crate::said::orientation::Orientation;
use crate::said::ruling::{Announcement, GameResult, Ruling, Summary};
use crate::said::symbol::Reading;
use crate::said::time::Time;
use crate::said::view::{FindingStatus, ResultView};
use crate::track::hypothesis::Hypothesis;

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
    /// The game has ended, and the next one is set up on its board.
    next_stands: bool,
    /// When the last piece had come down by the time that it was last looked whether one is away.
    away_tried: Time,
    /// Rests at which the game may have been left, oldest first.
    left: Vec<Left>,
    /// The same game by another account of how it began: on a board that lies turned half way from
    /// how this one takes it to lie, from another array, or with an illegal move in it, while
    /// nothing has told which of them is played.
    other: Option<Box<Game>>,
    /// Whether two pieces may have stood on each other's squares from the start.
    exchange: Exchange,
    /// The last position that pieces were moved away from by no move, with these where they stand.
    displaced: Option<Box<Displaced>>,
    /// What was played on from, the latest last.
    gone_on: Vec<GoneOn>,
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
        // What is told of the same moment happens in the game: the first piece may be taken up
        // then.
        let before = at - 1;
        Game {
            board: Board::new(setup.sensor, &shown, setup.turned, before, minimum_contact),
            track: Track::new(start.clone(), before),
            clock: Clock::new(at),
            docket: Docket::default(),
            record: Record::new(start, setup.castling_mode()),
            state,
            setup,
            next_stands: false,
            away_tried: Time::ZERO,
            left: Vec::new(),
            other: None,
            exchange: Exchange::None,
            displaced: None,
            gone_on: Vec::new(),
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

/// What several stages do to the parts.
impl Game {
    /// Starts afresh from `pos`, reached now.
    fn reset_to(&mut self, pos: Chess, length: usize) {
        let now = self.clock.now();
        self.track.reset(pos, length, self.board.contacts(), now);
        self.board.forget_before(now);
        self.forget_left();
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
