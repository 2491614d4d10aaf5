//! One game: its state, and how it is put together. What happens in it lives in `turn`, `tell`,
//! `find` and `order`.

mod astray;
mod backtrack;
mod bridge;
mod conduct;
mod draw;
mod ending;
mod find;
mod hands;
mod lies;
mod mating;
mod order;
mod press;
mod record;
mod report;
mod rests;
mod setup;
mod silence;
mod standing;
mod tell;
mod turn;
pub(crate) mod view;
mod window;

use alloc::collections::VecDeque;
use alloc::{string::String, vec::Vec};

use shakmaty::{Bitboard, ByColor, Chess, Color, Position, Square};

use crate::chess::position::{fen_text, position};
use crate::game::conduct::Conduct;
use crate::game::mating::{Answers, Loss};
use crate::game::record::Record;
use crate::game::setup::Start;
use crate::game::standing::Standing;
use crate::judge::array::given_array;
use crate::judge::article_4::Bound;
use crate::laws::{self, Laws};
use crate::said::input::{Event, Setup, StartFen};
use crate::said::orientation::Orientation;
use crate::said::ruling::{
    Announcement, Doubt, GameResult, Irregularity, ResultReason, Ruling, Summary,
};
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::said::view::{Finding, FindingStatus, ObligationView, ResultView};
use crate::sense::contacts::Contacts;
use crate::track::backtrack::Pacing;
use crate::track::beam::Beam;
use crate::track::hypothesis::{Hypothesis, Step};
use crate::track::log::EvidenceLog;

/// How many recent inputs are kept as evidence for findings.
const EVIDENCE_LIMIT: usize = 256;
/// Room kept for the inputs of a turn that is not out of the ordinary.
const EVIDENCE_USUAL: usize = 32;

/// A press that waits for a piece still in the hand, or for a square to be read again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press {
    pub(crate) by: Color,
    pub(crate) at: Time,
    /// When it is judged on what there is.
    pub(crate) due: Time,
    /// Whether it has been waited for a lost reading already.
    pub(crate) extended: bool,
}

/// A doubt that has been told.
#[derive(Clone, Debug)]
pub(crate) struct OpenDoubt {
    pub(crate) doubt: Doubt,
    /// Nothing can resolve it any more: its readings have led to one position.
    pub(crate) lasting: bool,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) setup: Setup,
    /// False while nothing is known of the position (`fen: unknown`).
    pub(crate) known: bool,
    pub(crate) now: Time,
    pub(crate) contacts: Contacts,
    pub(crate) beam: Beam,
    pub(crate) log_of_evidence: EvidenceLog,
    pub(crate) pacing: Pacing,
    /// Plies that every account shares and that are decided; accounts begin after them.
    pub(crate) base: usize,
    pub(crate) record: Record,
    /// Plies completed: pressed, or answered where no clock is.
    pub(crate) completed: usize,
    /// Whose clock runs, once that is known.
    pub(crate) running: Option<Color>,
    /// When the player having the move got it: his touches count from here.
    pub(crate) turn_start: Time,
    pub(crate) scan: Vec<(Square, Symbol)>,
    pub(crate) scan_at: Time,
    /// The last press that was told.
    pub(crate) last_press: Option<(Color, Time)>,
    /// Presses that wait, oldest first.
    pub(crate) pending: Vec<Press>,
    /// A press without a move on a board that may not have read the move yet, and the number of
    /// what was found of it.
    pub(crate) unread: Option<(Press, Option<u32>)>,
    /// The board was found to lose or delay readings in this game: nothing it says is beyond an
    /// innocent cause.
    pub(crate) misreads: bool,
    /// Squares whose sensors the board itself does not trust.
    pub(crate) suspect: Bitboard,
    /// How many plies were complete when there were any last.
    pub(crate) suspected: Option<usize>,
    /// Squares changed while the board was out of sight: plies may have been missed.
    pub(crate) gap: bool,
    /// How many of the moments of silence have been ruled on since the last change.
    pub(crate) silence: usize,
    pub(crate) adjusts: Vec<(Color, Time)>,
    /// What is known of the set-up.
    pub(crate) start: Start,
    /// How the board lies.
    pub(crate) turned: Orientation,
    pub(crate) conduct: Conduct,
    pub(crate) bound: Option<Bound>,
    /// The last ply of which the arbiter has said, or seen on the board, what was played; 0 when
    /// there is none.
    pub(crate) named: usize,
    pub(crate) restore: Option<Chess>,
    /// An illegal move that was not put right yet, or never will be.
    pub(crate) standing: Option<Standing>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) doubts: Vec<OpenDoubt>,
    pub(crate) obligation: Option<ObligationView>,
    pub(crate) result: Option<ResultView>,
    /// The sentence of `result`.
    pub(crate) result_text: String,
    /// A result that waits for an answer.
    pub(crate) awaited: Option<Loss>,
    pub(crate) answers: Answers,
    /// Who offered a draw, and when.
    pub(crate) draw_offer: Option<(Color, Time)>,
    /// Whose flag has fallen.
    pub(crate) fallen: ByColor<bool>,
    pub(crate) paused: bool,
    pub(crate) clocks: [Option<u64>; 2],
    pub(crate) evidence: VecDeque<Event>,
    pub(crate) told: Vec<Announcement>,
}

impl Game {
    /// Starts a game at `at`. The board is taken to show the starting position until it says
    /// otherwise.
    pub(crate) fn new(setup: Setup, at: Time) -> Game {
        let mode = setup.castling_mode();
        let start = start_of(&setup);
        let known = start.is_some();
        let start = start.unwrap_or_default();
        // A given array that stands turned is what the board shows.
        let lies = given_array(&setup).map_or(Orientation::Upright, |(lies, _)| lies);
        let shown = lies.back().reading(&setup.sensor.reads(start.board()));
        Game {
            known,
            now: at,
            contacts: Contacts::new(setup.sensor, &shown, at, setup.options.brush_ms),
            beam: Beam::new(start.clone(), at),
            log_of_evidence: EvidenceLog::default(),
            pacing: Pacing::default(),
            base: 0,
            record: Record::new(start, mode),
            completed: 0,
            running: None,
            turn_start: at,
            scan: Vec::new(),
            scan_at: at,
            last_press: None,
            pending: Vec::new(),
            unread: None,
            misreads: false,
            suspect: Bitboard::EMPTY,
            suspected: None,
            gap: false,
            silence: SILENCES,
            adjusts: Vec::new(),
            start: Start::default(),
            turned: setup.turned,
            conduct: Conduct::default(),
            bound: None,
            named: 0,
            restore: None,
            standing: None,
            findings: Vec::new(),
            doubts: Vec::new(),
            obligation: None,
            result: None,
            result_text: String::new(),
            awaited: None,
            answers: Answers::default(),
            draw_offer: None,
            fallen: ByColor::default(),
            paused: false,
            clocks: [None; 2],
            evidence: VecDeque::new(),
            told: Vec::new(),
            setup,
        }
    }

    /// The rule set of the game's edition.
    pub(crate) fn laws(&self) -> &'static Laws {
        laws::of(self.setup.laws)
    }

    /// The board trusts all its squares but these.
    pub(crate) fn suspect(&mut self, squares: Bitboard) {
        if (self.suspect | squares).any() {
            self.suspected = Some(self.completed);
        }
        self.suspect = squares;
        self.contacts.suspect = squares;
    }

    /// Whether the board's own sensors may have misled: now, or in the ply at hand. A ply that was
    /// completed since agrees with every square.
    pub(crate) fn is_suspect(&self) -> bool {
        self.suspect.any()
            || self
                .suspected
                .is_some_and(|completed| self.completed <= completed)
    }

    /// Says something.
    pub(crate) fn say(&mut self, ruling: Ruling) {
        self.told.push(Announcement {
            at: self.now,
            game: self.setup.game.clone(),
            ruling,
        });
    }

    /// Keeps an input as evidence.
    pub(crate) fn witness(&mut self, event: &Event) {
        if self.evidence.len() == EVIDENCE_LIMIT {
            self.evidence.pop_front();
        }
        self.evidence.push_back(event.clone());
    }

    /// When the turn began whose touches count: without a clock, with the position that it is
    /// played from.
    pub(crate) fn turn_began(&self) -> Time {
        let reached = self.root().since;
        if self.setup.clock {
            reached.min(self.turn_start)
        } else {
            reached
        }
    }

    /// Forgets the evidence of turns that are decided.
    pub(crate) fn forget_evidence(&mut self) {
        let needed = self.turn_began().min(self.beam.oldest(&self.contacts));
        let decided = self.evidence.iter().take_while(|e| e.at < needed).count();
        self.evidence.drain(..decided);
        self.evidence.shrink_to(EVIDENCE_USUAL);
    }

    /// Whether nothing more is ruled on: the game has ended, is paused, or its position is unknown.
    pub(crate) fn is_idle(&self) -> bool {
        // A proposed result leaves the game to the arbiter; after an offence it may go on
        // meanwhile.
        let ended = self
            .result
            .is_some_and(|r| !r.proposed || r.reason != ResultReason::ForfeitIllegalMoves);
        ended
            || self.awaited.as_ref().is_some_and(Loss::ends_play)
            || self.paused
            || !self.known
            || self.is_turned()
    }

    /// The account that explains the evidence best.
    pub(crate) fn best(&self) -> &Hypothesis {
        self.beam.best(&self.contacts, self.now, false)
    }

    /// The decided position that all accounts begin from.
    pub(crate) fn base_position(&self) -> Chess {
        self.record.position(self.base)
    }

    /// Plies in `account`, counted from the start of the game.
    pub(crate) fn length(&self, account: &Hypothesis) -> usize {
        self.base + account.steps.len()
    }

    /// Ply `ply` of `account`, where it is not among the decided ones.
    pub(crate) fn step_of<'a>(&self, account: &'a Hypothesis, ply: usize) -> Option<&'a Step> {
        account.steps.get(ply.checked_sub(self.base + 1)?)
    }

    /// The position of an account after `n` plies of the game, `n` not before the base.
    pub(crate) fn position_in(&self, account: &Hypothesis, n: usize) -> Chess {
        let mut pos = self.base_position();
        for step in account.steps.iter().take(n.saturating_sub(self.base)) {
            pos.play_unchecked(step.m);
        }
        pos
    }

    /// Starts afresh from `pos`, reached now.
    pub(crate) fn reset_to(&mut self, pos: Chess, length: usize) {
        // Squares that differ now are being handled: what is left standing may belong to the move
        // that comes.
        let mut account = Hypothesis::new(pos, self.now);
        account.early = account.wrong(&self.contacts);
        self.beam.replace(alloc::vec![account]);
        self.base = length;
        self.log_of_evidence.clear();
        self.contacts.prune(self.now);
    }

    /// The game as a whole.
    pub(crate) fn summary(&self) -> Summary {
        let mut irregularities = alloc::collections::BTreeMap::new();
        for f in self
            .findings
            .iter()
            .filter(|f| f.status != FindingStatus::Withdrawn)
        {
            *irregularities.entry(f.irregularity.code).or_insert(0) += 1;
        }
        let mut doubts: Vec<u32> = self
            .doubts
            .iter()
            .filter(|d| d.doubt.kind.is_of_record())
            .map(|d| d.doubt.ply)
            .collect();
        doubts.sort_unstable();
        doubts.dedup();
        let result = self.result.map_or(GameResult::Open, |r| r.result);
        Summary {
            moves: self.record.moves(),
            result,
            fen: self.fen(),
            irregularities,
            doubts,
        }
    }

    pub(crate) fn fen(&self) -> String {
        if self.known {
            fen_text(self.record.last())
        } else {
            String::from("unknown")
        }
    }

    /// A finding by its number.
    pub(crate) fn finding_mut(&mut self, id: u32) -> Option<&mut Finding> {
        self.findings.iter_mut().find(|f| f.irregularity.id == id)
    }

    /// Numbers an irregularity, keeps it and tells it.
    pub(crate) fn raise(&mut self, mut irregularity: Irregularity) {
        irregularity.id = self.findings.len() as u32 + 1;
        self.findings.push(Finding {
            at: self.now,
            irregularity: irregularity.clone(),
            status: FindingStatus::Open,
        });
        self.say(Ruling::Irregularity(irregularity));
    }

    /// Takes a finding back that waits for the arbiter; what he has decided stands.
    pub(crate) fn withdraw(&mut self, id: u32) {
        let Some(f) = self
            .finding_mut(id)
            .filter(|f| f.status == FindingStatus::Open)
        else {
            return;
        };
        f.status = FindingStatus::Withdrawn;
        self.say(Ruling::Withdrawn { id });
    }
}

/// The starting position that the setup asks for; `None` while none is known.
pub(crate) fn start_of(setup: &Setup) -> Option<Chess> {
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

/// Moments at which silence means something: obligations, rest, end of game, clockless completion.
pub(crate) const SILENCES: usize = 4;
