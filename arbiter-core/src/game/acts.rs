//! What may have been an illegal move: which of the mover's handling it was, and the position that
//! it left.

use alloc::vec::Vec;
use core::cmp::Reverse;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square};

use crate::chess::moves::{arrival, origin};
use crate::chess::position::a_ply_after;
use crate::game::Game;
use crate::judge::handling::{Handled, Handling};
use crate::judge::picture::{self, Judgement};
use crate::said::irregularity::{Code, Reason};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::Time;
use crate::sense::trust::LATEST;
use crate::track::cost;
use crate::track::hypothesis::{Act, Hypothesis, Illegal};

/// Illegal moves in one line that have not entered the record: nobody makes more in a row, and none
/// of them told.
const MOST_ACTS: usize = 4;

/// Squares that show what nobody was seen to do: where more do, it was no move that left them.
const MOST_STRANGE: i32 = 8;

/// The mover may have been done at so many moments of one turn: the latest.
const MOST_MOMENTS: usize = 3;

/// The handling of a turn up to the moment at which the mover had put down his piece.
pub(crate) struct Moment {
    pub(crate) handling: Handling,
    /// Squares that have changed since: they are of the reply.
    pub(crate) replying: Bitboard,
    /// What it costs that not all of it was seen.
    unseen: i32,
    /// What changed later is of the reply.
    at: Time,
}

impl Moment {
    /// The handling of `mover` up to `at`.
    fn new(handling: &Handling, at: Time, mover: Color) -> Moment {
        let (handling, replying) = handling.until(at, mover);
        Moment {
            handling,
            replying,
            unseen: 0,
            at,
        }
    }

    /// Each moment of `handling` at which a piece of `mover`'s came to another square, and none was
    /// in his hand; and the one at which he may have taken off a piece of his opponent's after it.
    pub(crate) fn all(handling: &Handling, mover: Color) -> Vec<Moment> {
        let mut landings = Vec::new();
        for h in handling.pieces.iter().filter(|h| h.piece.color == mover) {
            let away = h.contacts.iter().filter(|c| c.square != h.home);
            landings.extend(away.map(|c| c.from));
        }
        landings.sort_unstable_by_key(|at| Reverse(*at));
        landings.dedup();
        landings.truncate(MOST_MOMENTS);
        if let Some(landed) = landings.first().copied() {
            let theirs = handling.pieces.iter().filter(|h| h.piece.color != mover);
            let gone = theirs.filter(|h| h.stands().is_none() && h.lifted > landed);
            landings.extend(gone.map(|h| h.lifted).max());
        }
        let moments = landings.iter().map(|at| Moment::new(handling, *at, mover));
        moments
            .filter(|then| !then.handling.moves_yet(mover))
            .collect()
    }
}

impl Game {
    /// Each moment of `handling` at which the mover may have made an illegal move after `root`.
    pub(crate) fn moments(&self, root: &Hypothesis, handling: &Handling) -> Vec<Moment> {
        let mut moments = Moment::all(handling, root.pos.turn());
        moments.extend(self.read_late(root, handling));
        if self.setup.sensor == SensorClass::Occupancy {
            moments.extend(self.exchanges(root, handling));
        }
        moments
    }

    /// The mover's piece was read to leave its square after it was read where it stands.
    fn read_late(&self, root: &Hypothesis, handling: &Handling) -> Option<Moment> {
        let mover = root.pos.turn();
        if !self.setup.clock && self.setup.sensor == SensorClass::Occupancy {
            // Neither a press nor what the piece is speaks for it.
            return None;
        }
        let [home] = handling.held(mover)[..] else {
            return None;
        };
        let held = handling.of(home).filter(|h| h.contacts.is_empty())?;
        let (contacts, planes) = (self.board.contacts(), self.board.planes());
        let stands = |sq: &Square| {
            let since = contacts.since(*sq);
            let shown = planes.class().sees(Some(held.piece)) == planes.at(*sq);
            since > root.since
                && since <= held.lifted
                && held.lifted.since(since) <= LATEST
                && shown
        };
        let wrong = self.wrong(root) & planes.occupied();
        let mut landed = wrong.into_iter().filter(stands);
        let (Some(to), None) = (landed.next(), landed.next()) else {
            return None;
        };
        let mut then = Moment::new(handling, held.lifted, mover);
        then.unseen = cost::LATE_LIFT;
        then.handling.exchange(home, to, held.lifted);
        Some(then)
    }

    /// The mover's piece is in the air, and one of his opponent's left its square meanwhile, and
    /// something stands there again: it may be the first one, where it may not capture.
    fn exchanges(&self, root: &Hypothesis, handling: &Handling) -> Vec<Moment> {
        let mover = root.pos.turn();
        let [home] = handling.held(mover)[..] else {
            return Vec::new();
        };
        let Some(captor) = handling.of(home) else {
            return Vec::new();
        };
        let taken_up = captor.contacts.last().and_then(|c| c.to);
        let taken_up = taken_up.unwrap_or(captor.lifted);
        let mut exchanged = Vec::new();
        for sq in root.pos.them() & self.board.planes().occupied() {
            let allowed = |m: &Move| origin(*m) == Some(home) && arrival(*m) == sq;
            let filled = self.filled_again(handling, sq).filter(|at| *at > taken_up);
            if let Some(at) = filled
                && !root.legal().iter().any(allowed)
            {
                let unseen = match handling.of(sq) {
                    Some(_) => 0,
                    None => cost::FLICKER,
                };
                exchanged.push((at, sq, unseen));
            }
        }
        exchanged.sort_unstable_by_key(|(at, ..)| Reverse(*at));
        exchanged.truncate(MOST_MOMENTS);
        let moments = exchanged.iter().map(|(at, sq, unseen)| {
            let mut then = Moment::new(handling, *at, mover);
            then.unseen = *unseen;
            then.handling.exchange(home, *sq, *at);
            then
        });
        moments.collect()
    }

    /// When something came to stand on `sq` again that had read empty in this turn.
    fn filled_again(&self, handling: &Handling, sq: Square) -> Option<Time> {
        match handling.of(sq) {
            Some(h) => h.back_since(),
            None => self.board.contacts().flickered(sq),
        }
    }

    /// The cheapest illegal move that was made after `root`, and nothing after it: of what stands,
    /// which is `illegal`, and of what was suspected before.
    pub(crate) fn act_after(
        &self,
        root: &Hypothesis,
        handling: &Handling,
        illegal: Illegal,
    ) -> Option<Hypothesis> {
        let step = root.steps.len();
        let suspected = self.track.irregular().iter().filter(|line| {
            let act = line.act().filter(|act| act.step == step && !act.told);
            let same = line.steps.iter().zip(&root.steps).all(|(a, b)| a.m == b.m);
            act.is_some() && same && line.steps.len() == step + 1
        });
        let promoted = self.promoted_wrongly(root, &illegal);
        let stands = promoted.or_else(|| self.as_it_stands(root, handling, illegal));
        let all = stands.into_iter().chain(suspected.cloned());
        // Of equals the one that explains most: the latest.
        all.min_by_key(|line| (self.total(line), Reverse(line.since)))
    }

    /// The illegal move after `root` that is cheaper than every legal one.
    pub(crate) fn rather_illegal(&self, root: &Hypothesis, handling: &Handling) -> Option<Illegal> {
        let picture = self.picture(root, handling);
        let shown = picture::as_illegal(&picture).and_then(illegal_shown);
        let line = self.act_after(root, handling, shown.unwrap_or_else(Illegal::unjudged))?;
        let legal = self.track.all().iter();
        let made = legal.filter(|h| h.steps.len() > root.steps.len());
        let cheapest = made
            .map(|h| self.total(h) + self.cost_of_first_loss(h))
            .min()?;
        let illegal = line.act()?.illegal.clone();
        (illegal.reason.is_some() && self.total(&line) < cheapest).then_some(illegal)
    }

    /// What it costs besides that by `line` a reading was lost, on a board that has lost none so
    /// far.
    fn cost_of_first_loss(&self, line: &Hypothesis) -> i32 {
        match line.misread.any() && !self.board.misreads() {
            true => cost::FIRST_LOST,
            false => 0,
        }
    }

    /// The line in which `by` has played on from an illegal move that nobody told, and which
    /// explains the board, if accusing him after `root` costs more.
    pub(crate) fn answered_rather(&self, root: &Hypothesis, by: Color) -> Option<Hypothesis> {
        let answered = |line: &Hypothesis| {
            line.answers() > 0 && line.pos.turn() != by && self.wrong(line).is_empty()
        };
        let line = self.irregular(answered)?;
        (self.total(line) < root.cost + cost::ILLEGAL).then(|| line.clone())
    }

    /// `root`, and the illegal move that the mover's handling after it left on the board.
    pub(crate) fn as_it_stands(
        &self,
        root: &Hypothesis,
        handling: &Handling,
        illegal: Illegal,
    ) -> Option<Hypothesis> {
        let mover = root.pos.turn();
        let made_at = landed_last(&own_moved(handling, mover))?;
        self.as_it_stood(root, &Moment::new(handling, made_at, mover), illegal)
    }

    /// `root`, and the illegal move that had been made `then`.
    pub(crate) fn as_it_stood(
        &self,
        root: &Hypothesis,
        then: &Moment,
        illegal: Illegal,
    ) -> Option<Hypothesis> {
        if root.acts.len() >= MOST_ACTS {
            return None;
        }
        let own = own_moved(&then.handling, root.pos.turn());
        let made_at = landed_last(&own)?;
        // The king names it, or the piece that was taken up first: which of them that is must not
        // hang on the order in which squares are told.
        let first = own.iter().max_by_key(|h| {
            let (rank, file) = (h.home.rank() as u32, h.home.file() as u32);
            let rank = h.piece.color.fold_wb(rank, 7 - rank);
            let king = h.piece.role == Role::King;
            (
                king,
                Reverse(h.lifted),
                h.piece.role,
                rank,
                file.min(7 - file),
            )
        })?;
        let to = first.contacts.last()?.square;
        let (after, strange) = self.position_left(&root.pos, &own, then)?;
        if strange > MOST_STRANGE {
            return None;
        }
        let act = Act {
            step: root.steps.len(),
            from: first.home,
            to,
            after,
            illegal,
            told: false,
        };
        let mut line = root.with_act(act, first.piece.role, made_at);
        // Each piece more that has to have moved makes it less likely, and each that nobody was
        // seen to put there.
        line.cost += then.unseen + (own.len() as i32 - 1 + strange) * cost::LOST;
        line.since = then.at;
        line.early = line.wrong(self.board.contacts());
        Some(line)
    }

    /// `root`, and the promotion to a piece that no pawn can become, as it stands.
    fn promoted_wrongly(&self, root: &Hypothesis, illegal: &Illegal) -> Option<Hypothesis> {
        let bad = illegal.reason == Some(Reason::PromotionBadPiece);
        let promotion = illegal.required.first().filter(|_| bad)?;
        let (from, to) = (promotion.from()?, promotion.to());
        let (read, class) = (self.board.planes().at(to), self.setup.sensor);
        // What was to be captured there may stand there still.
        let stood = root.pos.board().piece_at(to);
        let stood = stood.filter(|piece| class.sees(Some(*piece)) == read);
        let stands = match (stood, read) {
            (Some(piece), _) | (None, Symbol::Piece(piece)) => piece,
            (None, Symbol::Colour(colour)) => colour.queen(),
            (None, Symbol::Empty | Symbol::Something) => return None,
        };
        let mut board = root.pos.board().clone();
        board.discard_piece_at(from);
        board.set_piece_at(to, stands);
        let mode = self.setup.castling_mode();
        let after = has_both_kings(&board).then(|| a_ply_after(&root.pos, board, mode))??;
        let made_at = self.board.contacts().since(to);
        let illegal = illegal.clone();
        let act = Act {
            step: root.steps.len(),
            from,
            to,
            after,
            illegal,
            told: false,
        };
        let mut line = root.with_act(act, Role::Pawn, made_at);
        line.early = line.wrong(self.board.contacts());
        Some(line)
    }

    /// The position that the mover's handling left on the board, if it is one; how many squares of
    /// it show what nobody was seen to do.
    fn position_left(
        &self,
        before: &Chess,
        own: &[&Handled],
        then: &Moment,
    ) -> Option<(Chess, i32)> {
        let by = before.turn();
        let mut left = before.board().clone();
        let board = &mut left;
        for h in own {
            board.discard_piece_at(h.home);
        }
        for h in own {
            board.set_piece_at(h.contacts.last()?.square, h.piece);
        }
        let elsewhere = take_off(board, own, &then.handling, by);
        let planes = self.board.planes();
        // What has changed since is of the reply, whatever it is.
        let later = then.replying | self.board.contacts().touched_since(then.at);
        let strange = planes.differ(board) & !later;
        if self.setup.sensor == SensorClass::Piece {
            for sq in strange {
                match planes.at(sq) {
                    Symbol::Piece(piece) => board.set_piece_at(sq, piece),
                    _ => board.discard_piece_at(sq),
                };
            }
        }
        if !has_both_kings(board) || (planes.differ(board) & !later).any() {
            return None;
        }
        let position = a_ply_after(before, left, self.setup.castling_mode())?;
        Some((position, strange.count() as i32 + elsewhere))
    }
}

/// The mover's pieces that stand elsewhere now.
fn own_moved(handling: &Handling, by: Color) -> Vec<&Handled> {
    let mut own = Vec::new();
    for h in handling.pieces.iter().filter(|h| h.piece.color == by) {
        if h.stands().is_some_and(|c| c.square != h.home) {
            own.push(h);
        }
    }
    own
}

/// The illegal move that was judged to be shown, if it is one.
pub(crate) fn illegal_shown(judged: Judgement) -> Option<Illegal> {
    match judged {
        Judgement::Illegal {
            reason,
            squares,
            required,
        } => Some(Illegal {
            code: Code::IllegalMove,
            reason: Some(reason),
            squares,
            required,
        }),
        _ => None,
    }
}

/// When the last of `own` came to its square.
fn landed_last(own: &[&Handled]) -> Option<Time> {
    let landed = own.iter().filter_map(|h| Some(h.contacts.last()?.from));
    landed.max()
}

/// Takes off `board` what was captured of the opponent's pieces; how many of them stood where
/// nothing came to stand, and no pawn passed.
fn take_off(board: &mut Board, own: &[&Handled], handling: &Handling, by: Color) -> i32 {
    let mut elsewhere = 0;
    for h in handling.pieces.iter().filter(|h| h.piece.color != by) {
        let covered = own
            .iter()
            .any(|o| o.stands().is_some_and(|c| c.square == h.home));
        if !covered && h.stands().is_none() {
            board.discard_piece_at(h.home);
            elsewhere += i32::from(!own.iter().any(|o| passes(o, h)));
        }
    }
    elsewhere
}

/// Whether the pawn `own` may have been moved to capture `victim` as in passing.
fn passes(own: &Handled, victim: &Handled) -> bool {
    let beside = own.home.rank() == victim.home.rank();
    let to = own.stands().map(|c| c.square.file());
    own.piece.role == Role::Pawn && beside && to == Some(victim.home.file())
}

fn has_both_kings(board: &Board) -> bool {
    Color::ALL
        .into_iter()
        .all(|c| (board.kings() & board.by_color(c)).count() == 1)
}
