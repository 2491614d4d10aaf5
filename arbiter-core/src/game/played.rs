//! The arbiter says what was played at a ply, legal or not. What is not among the hypotheses is
//! imposed on the game while its evidence is heard again ([`crate::hearing`]).

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square, uci::UciMove};

use crate::chess::moves::{legal_moves, two_squares};
use crate::chess::position::a_ply_after;
use crate::game::Game;
use crate::game::change::{Change, Changes, Line};
use crate::game::docket::{Act, act};
use crate::game::findings::Terms;
use crate::game::refusal::Refusal;
use crate::judge::article_4::Breach;
use crate::judge::picture::illegal::reason_for;
use crate::laws::Redress;
use crate::said::input::Event;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::refused::Why;
use crate::said::ruling::DoubtKind;
use crate::said::symbol::Reading;
use crate::said::time::Time;
use crate::said::view::FindingStatus;
use crate::sense::contacts::Contacts;
use crate::track::hypothesis::Step;

/// No move changes more squares than castling.
const LEFT_BY_A_MOVE: usize = 4;

/// What a ply that the arbiter names may have left on the board: the position before, and every
/// one it can have led to.
#[derive(Debug)]
pub(crate) struct Imposed {
    before: Chess,
    /// The move, where it is legal.
    m: Option<Move>,
    /// One for a legal move; for others also those in which a second piece went with it.
    after: Vec<Chess>,
}

impl Imposed {
    /// Who played it.
    pub(crate) fn by(&self) -> Color {
        self.before.turn()
    }

    /// What the board may read when it has been played, by a class of sensors.
    pub(crate) fn readings(&self, game: &Game) -> Vec<Reading> {
        let class = game.setup.sensor;
        self.after
            .iter()
            .map(|pos| class.reads(pos.board()))
            .collect()
    }
}

impl Game {
    /// The arbiter says what was played at a ply. `None`: what it leads to has to be imposed, and
    /// the evidence heard again.
    pub(crate) fn name_played(
        &mut self,
        ply: u32,
        uci: UciMove,
    ) -> Result<Option<Changes>, Refusal> {
        let n = ply as usize;
        let imposed = self.imposed(ply, uci)?;
        if let Some(changes) = self.name_move(n, uci) {
            self.clock.excuse_stop();
            return Ok(Some(changes));
        }
        let told = self.record.ply(n);
        let is_told = match imposed.m {
            Some(m) => told.is_some_and(|told| told.m == Some(m)),
            None => told.is_some_and(|told| told.m.is_none() && told.uci == uci),
        };
        if !is_told {
            return Ok(None);
        }
        if !self.is_doubtful(ply) {
            return Err(Refusal::of(Why::PlayedSo, ply));
        }
        // Nothing would ever have decided it.
        self.docket
            .retain_doubts(|d| d.doubt.ply != ply || !d.doubt.kind.is_of_record());
        self.record.name(n);
        self.clock.excuse_stop();
        Ok(Some(alloc::vec![Change::Named]))
    }

    /// What `uci` leads to as ply `ply`.
    pub(crate) fn imposed(&self, ply: u32, uci: UciMove) -> Result<Imposed, Refusal> {
        if !self.state.is_known() {
            return Err(Why::PositionUnknown.into());
        }
        let n = ply as usize;
        if n == 0 || n > self.record.len() + 1 {
            return Err(Refusal::of(Why::NoPly, ply));
        }
        let before = self.record.position(n - 1);
        let m = uci.to_move(&before).ok();
        let m = m.filter(|m| legal_moves(&before).contains(m));
        let after = match m {
            Some(m) => {
                let mut after = before.clone();
                after.play_unchecked(m);
                alloc::vec![after]
            }
            None => self.left_by(&before, uci),
        };
        match after.is_empty() {
            true => Err(Refusal::of(Why::NotPlayable, ply)),
            false => Ok(Imposed { before, m, after }),
        }
    }

    /// The positions that an illegal move may have left.
    fn left_by(&self, before: &Chess, uci: UciMove) -> Vec<Chess> {
        let UciMove::Normal {
            from,
            to,
            promotion,
        } = uci
        else {
            return Vec::new();
        };
        let Some(piece) = before.board().piece_at(from).filter(|_| from != to) else {
            return Vec::new();
        };
        let mut boards = Vec::new();
        let mut moved = before.board().clone();
        moved.discard_piece_at(from);
        let role = promotion.unwrap_or(piece.role);
        moved.set_piece_at(to, Piece { role, ..piece });
        boards.extend(with_rook(&moved, piece, from, to));
        boards.extend(without_passed(&moved, piece, from, to));
        boards.insert(0, moved);
        boards.retain(has_both_kings);
        let mode = self.setup.castling_mode();
        boards
            .into_iter()
            .filter_map(|board| a_ply_after(before, board, mode))
            .collect()
    }

    /// When ply `ply` of the record was first seen made; the beginning for 0.
    pub(crate) fn made_at(&self, ply: u32) -> Option<Time> {
        self.record.ply(ply as usize).map(|told| told.at)
    }

    /// Half-moves in the record.
    pub(crate) fn plies_told(&self) -> u32 {
        self.record.len() as u32
    }
}

/// The same with the rook where castling puts it, if a king has gone two squares.
fn with_rook(
    moved: &shakmaty::Board,
    piece: Piece,
    from: Square,
    to: Square,
) -> Option<shakmaty::Board> {
    if piece.role != Role::King || !two_squares(from, to) {
        return None;
    }
    let (corner, step) = if to > from { (7, -1) } else { (0, 1) };
    let corner = Square::from_coords(shakmaty::File::new(corner), from.rank());
    let rook = moved
        .piece_at(corner)
        .filter(|p| *p == piece.color.rook())?;
    let mut board = moved.clone();
    board.discard_piece_at(corner);
    board.set_piece_at(to.offset(step)?, rook);
    Some(board)
}

/// The same without the pawn that another one passed.
fn without_passed(
    moved: &shakmaty::Board,
    piece: Piece,
    from: Square,
    to: Square,
) -> Option<shakmaty::Board> {
    let passed = Square::from_coords(to.file(), from.rank());
    let is_passed =
        piece.role == Role::Pawn && moved.piece_at(passed) == Some((!piece.color).pawn());
    let mut board = moved.clone();
    board.discard_piece_at(passed);
    (is_passed && from.file() != to.file()).then_some(board)
}

fn has_both_kings(board: &shakmaty::Board) -> bool {
    let has_one = |colour: Color| (board.kings() & board.by_color(colour)).count() == 1;
    Color::ALL.into_iter().all(has_one)
}

/// While the evidence is heard again.
impl Game {
    /// This was played at ply `ply`, as `order` says, and all that was heard until now led to it.
    /// What is heard from here on is of the plies after it. Whether the record goes so far.
    pub(crate) fn impose(
        &mut self,
        (ply, uci): (u32, UciMove),
        order: Option<Event>,
    ) -> Result<Changes, Refusal> {
        let Imposed { before, m, after } = self.imposed(ply, uci)?;
        let n = ply as usize;
        let clock_ms = self.record.ply(n).and_then(|told| told.clock_ms);
        let touched = self.required_by_touch(n);
        let found = self.answer_findings(n, before.turn(), m);
        self.state.begin_play();
        self.board.set_start_read(true);
        self.roll_back(n - 1);
        let now = self.now();
        match m {
            Some(m) => self.record.push(Step { m, made_at: now }, clock_ms),
            None => self.leave(uci, after),
        }
        self.record.mark_completed(n - 1, true);
        self.roll_back(n);
        let wrong = self.differ(self.record.last());
        if wrong.any() {
            self.disbelieve(ply, wrong);
        }
        let mut changes = Changes::new();
        if let (None, false) = (m, found) {
            changes = self.find_imposed(&before, (n, uci), touched, order);
        }
        changes.push(Change::SettleDoubts);
        changes.push(Change::CheckEnd {
            k: n,
            released: true,
        });
        Ok(changes)
    }

    /// An illegal move enters the record: of what it may have left, that which is nearest to what
    /// the board shows.
    fn leave(&mut self, uci: UciMove, after: Vec<Chess>) {
        let UciMove::Normal { from, to, .. } = uci else {
            return;
        };
        let nearest = after.into_iter().min_by_key(|pos| self.differ(pos).count());
        if let Some(pos) = nearest {
            self.record.push_standing(from, to, pos, self.clock.now());
        }
    }

    /// What the board shows on these squares the arbiter has contradicted: they say nothing until
    /// they are read again, and somebody looks at them.
    fn disbelieve(&mut self, ply: u32, wrong: Bitboard) {
        self.board.notice_misreading();
        self.board.contradict(wrong);
        self.track.disregard(wrong);
        let squares = wrong.into_iter().collect();
        self.raise_doubt(ply, DoubtKind::CheckSquare, squares, Vec::new());
    }

    /// What was found of ply `n` falls where what was played contradicts it. Whether an illegal
    /// move of `by`'s was found there, and stays.
    fn answer_findings(&mut self, n: usize, by: Color, m: Option<Move>) -> bool {
        let uci = m.map(|m| self.record.uci(m));
        let (mut fallen, mut found) = (Vec::new(), false);
        for f in self.docket.raised() {
            let told = &f.irregularity;
            if !f.is_of(n) || f.status == FindingStatus::Withdrawn {
                continue;
            }
            let of_making = told.code.is_illegal_move()
                || matches!(
                    told.code,
                    Code::ClockPressedWithoutMove | Code::PieceDisplaced
                );
            let required = told.required.as_ref();
            let as_required = required.is_some_and(|moves| uci.is_some_and(|m| moves.contains(&m)));
            let falls = match m {
                Some(_) => of_making || (told.code.is_of_moving() && as_required),
                // It says which move was played, and that was another one.
                None => {
                    let of_another = told.code.is_of_moving() && f.status == FindingStatus::Open;
                    of_another || told.code == Code::ClockPressedWithoutMove
                }
            };
            if falls {
                fallen.push(told.id);
            } else {
                found |= told.code.is_illegal_move() && told.by == Party::from(by);
            }
        }
        fallen.into_iter().for_each(|id| self.withdraw(id));
        found
    }

    /// The moves that a piece touched first leaves its player at ply `n`, where that was found.
    fn required_by_touch(&self, n: usize) -> Option<Vec<UciMove>> {
        let mut standing = self.docket.raised().iter().filter(|f| f.stands());
        let touched = standing.find(|f| f.is_of(n) && f.irregularity.code.is_of_moving())?;
        touched.irregularity.required.clone()
    }

    /// An illegal move that nobody saw but the arbiter: his order is the evidence of it.
    fn find_imposed(
        &mut self,
        before: &Chess,
        (n, uci): (usize, UciMove),
        touched: Option<Vec<UciMove>>,
        order: Option<Event>,
    ) -> Changes {
        let (code, by) = (Code::IllegalMove, before.turn());
        let UciMove::Normal { from, to, .. } = uci else {
            return Changes::new();
        };
        let mut required = Vec::new();
        for m in legal_moves(before) {
            let is_required = match &touched {
                Some(touched) => touched.contains(&self.record.uci(m)),
                None => m.from() == Some(from),
            };
            if is_required {
                required.push(m);
            }
        }
        let terms = Terms {
            by: by.into(),
            article: self.laws().article_of_code(code),
            claim: Some(self.right_of(code, by)),
            penalty: self.penalty_for(code, by, n, before),
        };
        let breach = Breach {
            code,
            reason: Some(reason_for(before, from, to)),
            by,
            certainty: Certainty::Certain,
            squares: alloc::vec![from, to],
            required: Some(required),
        };
        let mut irregularity = self.compose(breach, n, before, terms);
        irregularity.evidence.extend(order);
        let id = self.keep(irregularity);
        match self.offence().redress {
            Redress::OnClaim => Changes::new(),
            _ => alloc::vec![Change::ProposeForfeit(id)],
        }
    }

    /// Whether somebody is accused, in a ply after `ply`, of what was not told before: what was
    /// imposed there may be why.
    pub(crate) fn accuses_anew(&self, ply: u32, known: &[Act]) -> bool {
        let mut accusations = self.accusations().into_iter();
        accusations.any(|act| act.1 > ply && !known.contains(&act))
    }

    /// Of what the players are accused, as far as it is a matter of what stands on the board.
    pub(crate) fn accusations(&self) -> Vec<Act> {
        let mut acts = Vec::new();
        for f in self.docket.raised() {
            let code = f.irregularity.code;
            let of_what_stands = code.is_illegal_move()
                || matches!(
                    code,
                    Code::PieceDisplaced
                        | Code::DisplacementFoundLater
                        | Code::MovedOutOfTurn
                        | Code::ClockPressedWithoutMove
                );
            if f.status == FindingStatus::Open && of_what_stands {
                acts.push(act(&f.irregularity));
            }
        }
        acts
    }

    /// What the board showed since the last ply does not fit what the arbiter said: nobody is
    /// accused of it. It reads so by now, and somebody is asked to look at it.
    pub(crate) fn pass_over(&mut self, reading: &Reading) {
        self.read_anew(reading);
        self.ask_about_difference();
    }

    /// Somebody is asked to look at what differs from the record.
    fn ask_about_difference(&mut self) {
        if self.lose_if_contradicted() {
            return;
        }
        let wrong = self.differ(self.record.last());
        if wrong.any() {
            self.disbelieve(self.plies_told() + 1, wrong);
        }
    }

    /// Whether the clock was pressed for a half-move after the first `completed`.
    pub(crate) fn was_pressed_for(&self, completed: usize) -> bool {
        self.setup.clock && self.record.completed() > completed
    }

    /// Half-moves that were made and not pressed for, on a board with a clock.
    pub(crate) fn unpressed(&self) -> usize {
        match self.setup.clock {
            true => self.length(self.best()).saturating_sub(self.completed()),
            false => 0,
        }
    }

    /// Half-moves that are completed.
    pub(crate) fn completed(&self) -> usize {
        self.record.completed()
    }

    /// What the board showed while the game was cancelled is none of its: it reads so by now. Where
    /// the starting position stands, it is asked whether the game has ended.
    pub(crate) fn pass_over_cancelled(&mut self, reading: &Reading) {
        self.read_anew(reading);
        // A loss that was proposed is proposed still.
        let changes = self.weigh_offences();
        self.run(changes);
        if self.is_set_up_again() {
            let changes = self.ask_whether_ended();
            self.run(changes);
        } else {
            self.ask_about_difference();
        }
    }

    /// The board reads so by now, and nothing has been done with it since the last ply.
    fn read_anew(&mut self, reading: &Reading) {
        let (now, suspect) = (self.now(), self.suspect());
        let mut contacts = Contacts::new(
            self.setup.sensor,
            &self.orientation().reading(reading),
            now,
            self.setup.options.brush_ms,
        );
        contacts.set_suspect(suspect);
        self.board.reread(contacts);
        self.roll_back(self.record.len());
    }

    /// All that was heard until the arbiter said what was played has been heard again under it.
    /// Where the board shows on more squares than a move leaves what cannot have come of that, the
    /// thread is lost: who plays on from there has done nothing wrong. Whether it is.
    pub(crate) fn lose_if_contradicted(&mut self) -> bool {
        if self.is_idle() {
            return false;
        }
        let root: Line = Rc::new(self.root().clone());
        let strange = self.wrong(self.best()) & self.differ(&root.pos);
        let lost = strange.count() > LEFT_BY_A_MOVE;
        if lost {
            self.lose_thread(&root);
        }
        lost
    }
}
