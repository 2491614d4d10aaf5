//! No legal move stands on the board that was pressed for: what is made of it.

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position};

use crate::chess::moves::{arrival, legs, squares_of, victim_square};
use crate::game::Game;
use crate::game::acts::illegal_shown;
use crate::game::change::{Change, Changes, Found, Line, NOTHING};
use crate::game::clock::Press;
use crate::judge::article_4::required::breach_of;
use crate::judge::article_4::{Bound, Breach};
use crate::judge::handling::Handling;
use crate::judge::picture::Judgement;
use crate::laws::{PawnLeft, Redress};
use crate::said::irregularity::{Certainty, Code, Reason};
use crate::said::ruling::DoubtKind;
use crate::said::settings::CastlingHalfmove;
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Illegal, Step};

impl Game {
    /// No legal move stands on the board that was pressed for: rules on what does.
    pub(crate) fn rule_on_picture(&mut self, press: Press) -> Changes {
        let root: Line = Rc::new(self.root().clone());
        let handling = self.handling_of_open_turn(&root);
        let judged = self.up_to(press, &self.picture(&root, &handling));
        if let Some(line) = self.answered_rather(&root, press.by) {
            let mut changes = self.play_on(&line);
            changes.push(Change::Answer(press));
            return changes;
        }
        if press.is_inferred() && self.setup.clock && judged.is_half_move() {
            // Letting go of king or pawn is not all of the move (7c and 7d of 1974).
            return NOTHING;
        }
        if self.is_only_theirs_moved(&root, &handling, press) {
            return self.find_only_theirs_moved(&root, press);
        }
        if self.is_thread_lost(&root, &handling, &judged) {
            return match self.may_be_read_again(press) {
                Some(later) => {
                    self.clock.wait(later);
                    NOTHING
                }
                None => self.lose_thread(&root),
            };
        }
        if let Some(changes) = self.rule_on_exchange(&root, &judged, press) {
            return changes;
        }
        let act = self.act_after(&root, &handling, Illegal::unjudged());
        match judged {
            Judgement::NoMove { swap_possible } => {
                // A captor that is still read where it stood shows nothing else.
                if self.picture(&root, &handling).capture_possible()
                    && let Some(later) = self.may_be_read_again(press)
                {
                    self.clock.wait(later);
                    return NOTHING;
                }
                if let Some((illegal, sure)) = self.stood_illegally_at(press, &root) {
                    let mut changes = alloc::vec![Change::WeighStart];
                    let sure = sure && !self.board.misreads() && !self.setup.polled;
                    changes.extend(self.find_illegal(&root, illegal, sure));
                    return changes;
                }
                self.find_no_move(&root, swap_possible, press)
            }
            // One piece too few, and none stands where it should not: it was put down unread.
            Judgement::Illegal { squares, .. }
                if act.is_none()
                    && squares.is_empty()
                    && !self.landings(&root, &handling, press).is_empty() =>
            {
                let moves = self.landings(&root, &handling, press);
                self.take_unread(&root, &moves, press)
            }
            // So was king or rook, where the other has castled: the board's next picture may tell.
            Judgement::Illegal { .. }
                if self.board.next_picture(press.at) > Some(self.clock.now())
                    && !self.castlings_unread(&root, &handling, press).is_empty() =>
            {
                let moves = self.castlings_unread(&root, &handling, press);
                self.take_unread(&root, &moves, press)
            }
            Judgement::Illegal { .. } => {
                let Some(shown) = illegal_shown(judged) else {
                    return NOTHING;
                };
                let act = self.act_after(&root, &handling, shown.clone());
                let illegal = act.and_then(|line| Some(line.act()?.illegal.clone()));
                let illegal = illegal.unwrap_or(shown);
                self.rule_on_illegal(&root, &handling, illegal, press)
            }
            Judgement::Unread { moves } => self.take_unread(&root, &moves, press),
            Judgement::PawnLeft { promotion } => {
                self.rule_on_pawn_left(&root, &handling, promotion, press)
            }
            Judgement::PawnGone { promotion } => self.rule_on_pawn_gone(&root, promotion, press),
            Judgement::Displaced { m, squares }
                if self.are_exchanged(&root.pos, squares)
                    && !self.were_touched_after(m, squares) =>
            {
                self.find_exchanged_before(&root, squares, Certainty::Certain);
                NOTHING
            }
            // Nothing is out of place: a legal move stands, however it was read, or an illegal one
            // does that explains more of what was seen.
            Judgement::Displaced { m, squares } if squares.is_empty() => {
                if let Some(illegal) = self.rather_illegal(&root, &handling) {
                    return self.rule_on_illegal(&root, &handling, illegal, press);
                }
                self.adopt_in_competition(&root, m);
                alloc::vec![Change::Complete(press)]
            }
            Judgement::Displaced { m, squares } => {
                // Where nothing was seen of it, and what is missing besides is what the piece in
                // the air captured: that was put down there unread.
                let moves = self.landings_on(squares, &root, &handling, press);
                if !moves.is_empty() && !self.picture(&root, &handling).is_seen(m) {
                    return self.take_unread(&root, &moves, press);
                }
                // King and rook were taken up and one of them is nowhere: rather than that one of
                // them moved and the other is lost, they have castled.
                let mut moves = self.castlings_unread(&root, &handling, press);
                moves.retain(|(castling, _)| {
                    legs(*castling).any(|(from, _)| m.from() == Some(from))
                });
                if !moves.is_empty() {
                    return self.take_unread(&root, &moves, press);
                }
                self.adopt(self.adopted(&root, m, squares));
                let by = press.by;
                let hand = self.displacer(squares, root.since, by);
                let displaced = Change::Displaced { squares, by, hand };
                alloc::vec![Change::Complete(press), displaced]
            }
        }
    }

    /// `m` was made after `root`, as far as can be known now: at what it costs, so that an illegal
    /// move that was seen can still turn out to be cheaper.
    fn adopt_in_competition(&mut self, root: &Hypothesis, m: Move) {
        let mut line = self.adopted(root, m, Bitboard::EMPTY);
        let same = |h: &&Hypothesis| h.is_twin(&line);
        let cost = self.track.all().iter().find(same).map(|h| self.total(h));
        line.cost = cost.unwrap_or(0);
        line.cost_before = line.cost;
        self.track.adopt_beside(line);
    }

    /// `root` and the move `m`, with the readings of `misread` set aside.
    pub(crate) fn adopted(&self, root: &Hypothesis, m: Move, misread: Bitboard) -> Hypothesis {
        let mut pos = root.pos.clone();
        pos.play_unchecked(m);
        let landed = arrival(m);
        let read = !(self.differ(&pos) | misread).contains(landed);
        let contacts = self.board.contacts();
        let now = self.clock.now();
        let made_at = if read {
            contacts.since(landed).max(root.since)
        } else {
            now
        };
        let mut line = Hypothesis::new(pos, made_at);
        line.steps = root.steps.clone();
        line.steps.push(Step { m, made_at });
        line.misread = root.misread | misread;
        line.early = line.wrong(contacts);
        line
    }

    /// The legal moves whose piece was taken up and is read nowhere, with the squares that read
    /// wrongly after each. What is missing of the opponent's was captured, unless he took it up
    /// after the press; what is captured may have been exchanged unseen.
    fn landings(
        &self,
        root: &Hypothesis,
        handling: &Handling,
        press: Press,
    ) -> Vec<(Move, Bitboard)> {
        let full = self.board.planes().occupied();
        let by = root.pos.turn();
        let held: Bitboard = handling.held(by).into_iter().collect();
        let in_hand = self.board.contacts().touched_since(press.at);
        let missing = root.pos.them() & !full & !root.misread & !in_hand;
        // What else he handled may be what stands somewhere.
        if handling.count(by) != held.count() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for &m in root.legal() {
            let own = legs(m).all(|(from, _)| held.contains(from));
            let taken = victim_square(m).map_or(Bitboard::EMPTY, Bitboard::from);
            if !own || held.count() != legs(m).count() || !missing.is_subset(taken) {
                continue;
            }
            let mut after = root.pos.clone();
            after.play_unchecked(m);
            let wrong = self.differ(&after) & !root.misread & !in_hand;
            if wrong.is_subset(squares_of(m)) {
                moves.push((m, wrong));
            }
        }
        moves
    }

    /// Those of the [`landings`](Game::landings) after which only `squares` read wrongly.
    fn landings_on(
        &self,
        squares: Bitboard,
        root: &Hypothesis,
        handling: &Handling,
        press: Press,
    ) -> Vec<(Move, Bitboard)> {
        let mut moves = self.landings(root, handling, press);
        moves.retain(|(_, wrong)| *wrong == squares);
        moves
    }

    /// Castling of which king and rook were taken up and one of them is read nowhere, with the
    /// square on which that one must stand.
    fn castlings_unread(
        &self,
        root: &Hypothesis,
        handling: &Handling,
        press: Press,
    ) -> Vec<(Move, Bitboard)> {
        let full = self.board.planes().occupied();
        let later = self.board.contacts().touched_since(press.at);
        let castlings = root.legal().iter().filter(|m| m.is_castle());
        let unread = castlings.filter_map(|&m| {
            let mut after = root.pos.clone();
            after.play_unchecked(m);
            let wrong = self.differ(&after) & !root.misread & !later;
            let landings: Bitboard = legs(m).map(|(_, to)| to).collect();
            let taken_up = legs(m).all(|(from, _)| handling.of(from).is_some());
            let one = wrong.single_square().is_some() && wrong.is_subset(landings & !full);
            (taken_up && one).then_some((m, wrong))
        });
        unread.collect()
    }

    /// A legal move that the board cannot have read: of several all live on, and somebody is asked
    /// to look.
    fn take_unread(
        &mut self,
        root: &Hypothesis,
        moves: &[(Move, Bitboard)],
        press: Press,
    ) -> Changes {
        self.board.notice_misreading();
        let mut squares = Bitboard::EMPTY;
        let mut lines = Vec::new();
        for (m, wrong) in moves {
            squares |= *wrong;
            let mut line = self.adopted(root, *m, *wrong);
            line.cost += self.cost_of_picture(&line, *wrong, press);
            lines.push(line);
        }
        self.track.adopt(lines);
        alloc::vec![Change::Complete(press), Change::CheckSquares(squares)]
    }

    /// What it costs that a picture of all squares, told since the press, has something else on the
    /// `wrong` ones of `line` than a piece that was taken up to capture there.
    fn cost_of_picture(&self, line: &Hypothesis, wrong: Bitboard, press: Press) -> i32 {
        if !self.board.was_pictured_since(press.at) {
            return 0;
        }
        let (planes, by) = (self.board.planes(), line.pos.turn());
        let in_hand = line.pos.us() & !planes.occupied();
        let taken = planes.may_be(by) & planes.occupied();
        let mut cost = 0;
        for sq in wrong {
            let captures = |m: &Move| {
                victim_square(*m) == Some(sq) && m.from().is_some_and(|from| in_hand.contains(from))
            };
            if !taken.contains(sq) || !line.legal().iter().any(captures) {
                cost += cost::LATE;
            }
        }
        cost
    }

    /// Asks somebody to look at squares of the ply that was completed last.
    pub(crate) fn ask_to_check(&mut self, squares: Bitboard) {
        let ply = self.record.completed() as u32;
        self.raise_doubt(
            ply,
            DoubtKind::CheckSquare,
            squares.into_iter().collect(),
            Vec::new(),
        );
    }

    /// A square that must be read wrongly is worth a look.
    pub(crate) fn ask_about_misread(&mut self) {
        self.ask_about(self.best().misread);
    }

    /// So is one that a move rests on and the board does not trust.
    pub(crate) fn ask_about_suspect(&mut self) {
        self.ask_about(self.best().misread & self.board.suspect());
    }

    /// Asks somebody to look at these squares, where nobody has been asked yet.
    fn ask_about(&mut self, wrong: Bitboard) {
        let news = wrong & !self.in_question();
        if news.any() {
            self.ask_to_check(news);
        }
    }
}

/// Illegal moves.
impl Game {
    pub(crate) fn rule_on_illegal(
        &mut self,
        root: &Line,
        handling: &Handling,
        illegal: Illegal,
        press: Press,
    ) -> Changes {
        let reason = illegal.reason.unwrap_or(Reason::Other);
        let may_complete = self.setup.options.castling_halfmove == CastlingHalfmove::Complete;
        if let (Reason::CastlingHalfDone, [castling], true) =
            (reason, illegal.required.as_slice(), may_complete)
        {
            let squares: Bitboard = illegal.squares.iter().copied().collect();
            self.adopt(self.adopted(root, *castling, squares & self.differ(&root.pos)));
            return alloc::vec![Change::Complete(press), Change::PutRecordedBack];
        }
        if let Some(changes) = self.wait_out_checks(root, handling) {
            return changes;
        }
        // With no piece of his seen to stand elsewhere, what is missing may be in the opponent's
        // hand.
        let sure = !illegal.squares.is_empty()
            && !press.is_inferred()
            && self.had_landed(handling, press)
            && !self.stood_before_turn(handling, press.by)
            && self.is_wholly_seen(root, handling, reason);
        let mut changes = Changes::new();
        if reason != Reason::CastlingHalfDone {
            // A king that goes as in castling is no piece that stood exchanged.
            changes.push(Change::WeighStart);
        }
        changes.extend(self.find_illegal(root, illegal, sure));
        changes
    }

    /// Whether every piece of the presser's that stands elsewhere stood there when he pressed, as
    /// far as the order of the two is known.
    fn had_landed(&self, handling: &Handling, press: Press) -> bool {
        let pressed = self.scan_window().end(press.at);
        let mut own = handling.pieces.iter().filter(|h| h.piece.color == press.by);
        own.all(|h| h.stands().is_none_or(|c| c.from <= pressed))
    }

    /// An illegal move is found, and what follows from it.
    pub(crate) fn find_illegal(&self, root: &Line, illegal: Illegal, sure: bool) -> Changes {
        // Play goes on beside what is to be put up; nobody is accused of that.
        let is_left = self.is_left_as_ordered(root, None);
        let found = (!is_left).then(|| self.illegal_found(root, illegal.clone(), sure, None));
        let found = found.flatten();
        let illegal = match is_left || self.is_second_of_told(root, &illegal) {
            true => Illegal {
                required: Vec::new(),
                ..illegal
            },
            false => illegal,
        };
        let stopped = Change::StopAt {
            root: root.clone(),
            illegal,
        };
        found.into_iter().chain([stopped]).collect()
    }

    /// Whether one of two pieces that were moved is the one that its player has moved out of turn:
    /// that is told, and the other one he has moved in his turn.
    fn is_second_of_told(&self, root: &Hypothesis, illegal: &Illegal) -> bool {
        let (ply, by) = (self.length(root) as u32 + 1, root.pos.turn());
        let two = illegal.reason == Some(Reason::TwoPiecesMoved);
        two && self.docket.findings().iter().any(|finding| {
            let told = &finding.irregularity;
            told.code == Code::MovedOutOfTurn
                && finding.stands()
                && finding.undone.is_none()
                && (told.ply.abs_diff(ply) <= 1 && told.by == by.into())
                && told.squares.iter().all(|sq| illegal.squares.contains(sq))
        })
    }

    /// An illegal move after `root`, as it is found; or that the opponent had made a second move
    /// before. Of a second move that has been told nothing more is found. `stood`: what it left,
    /// where that is not what the board shows now.
    pub(crate) fn illegal_found(
        &self,
        root: &Hypothesis,
        illegal: Illegal,
        sure: bool,
        stood: Option<&Chess>,
    ) -> Option<Change> {
        if self.is_second_of_told(root, &illegal) {
            return None;
        }
        if let Some((second, by_hand)) = self.answered_out_of_turn(root, stood) {
            let (code, ply) = (Code::MovedOutOfTurn, self.length(root) + 1);
            let is_news = by_hand && !self.docket.is_found(code, ply);
            return is_news.then(|| self.out_of_turn_found(root, second));
        }
        // With no piece seen to stand elsewhere, what differs is named.
        let doubtful = self.is_perhaps_taken_back(root)
            || self.is_perhaps_laid_down(root, &illegal)
            || self.is_check_of_breach(root, &illegal)
            || self.board.is_mixed(&illegal.squares);
        let squares = match illegal.squares.is_empty() {
            true => self.differ(&root.pos).into_iter().collect(),
            false => illegal.squares,
        };
        let breach = Breach {
            code: illegal.code,
            reason: illegal.reason,
            by: root.pos.turn(),
            certainty: match (stood.is_none() && doubtful, sure) {
                (true, _) => Certainty::Possible,
                (false, true) => Certainty::Certain,
                (false, false) => Certainty::Likely,
            },
            squares,
            required: Some(self.binding(self.length(root) + 1, illegal.required)),
        };
        let found = Found {
            breach,
            ply: self.length(root) + 1,
            before: root.pos.clone(),
        };
        Some(found.into())
    }

    /// What binds the replacement of the illegal move `ply`: what a ruling has left, else what was
    /// touched.
    fn binding(&self, ply: usize, required: Vec<Move>) -> Vec<Move> {
        let bound = self.state.turn().bound.as_ref();
        let bound = bound.filter(|bound| bound.ply == ply);
        bound.map_or(required, |bound| bound.moves.clone())
    }

    /// An illegal move was found after `root`: it is undone, unless only the opponent may have that
    /// done.
    pub(crate) fn stop_at(&mut self, root: &Line, illegal: Illegal) -> Changes {
        let ply = self.length(root) + 1;
        let required = self.binding(ply, illegal.required.clone());
        let bound = (!required.is_empty()).then(|| Bound {
            ply,
            code: breach_of(&required, &root.pos),
            moves: required,
        });
        self.bind(bound);
        let made = self.length(root);
        self.tell_line(root, made, self.record.completed());
        // The other hypotheses are given up here: what they differ on stays in doubt.
        self.docket
            .leave_in_doubt(|doubt| doubt.ply as usize <= made);
        let handling = self.handling_of_open_turn(root);
        let act = self.act_after(root, &handling, illegal);
        self.rule_on_act(act.as_ref());
        self.track.adopt_beside(Hypothesis::clone(root));
        self.clock.run(Some(root.pos.turn()));
        if self.offence().redress == Redress::OnClaim && self.standing().is_some() {
            // Only the opponent has it undone, and only until he moves.
            return alloc::vec![Change::LetStand];
        }
        self.order_restore(root.pos.clone());
        NOTHING
    }

    /// What binds the player in his turn, where something does.
    pub(crate) fn bind(&mut self, bound: Option<Bound>) {
        self.state.turn_mut().bound = bound;
    }

    /// A pawn was left on the last rank: by the edition the move is undone, or the pawn counts as a
    /// queen.
    fn rule_on_pawn_left(
        &mut self,
        root: &Line,
        handling: &Handling,
        promotion: Move,
        press: Press,
    ) -> Changes {
        if self.laws().pawn_left == PawnLeft::Undone {
            let illegal = self.pawn_left(promotion, root);
            return self.find_illegal(root, illegal, true);
        }
        self.track.forget_irregular();
        if self.offence().redress == Redress::UntilReply {
            let illegal = self.pawn_left(promotion, root);
            let act = self.as_it_stands(root, handling, illegal);
            self.rule_on_act(act.as_ref());
        }
        self.track
            .adopt_beside(self.adopted(root, promotion, promotion.to().into()));
        alloc::vec![Change::Complete(press), Change::PawnLeft(promotion)]
    }

    /// The pawn of `promotion` left as it is: by the edition any piece may replace it, or a queen
    /// does.
    pub(crate) fn pawn_left(&self, promotion: Move, root: &Hypothesis) -> Illegal {
        let undone = self.laws().pawn_left == PawnLeft::Undone;
        Illegal {
            code: Code::PawnNotPromoted,
            reason: None,
            squares: alloc::vec![promotion.to()],
            required: match undone {
                true => promotions_like(promotion, root.legal()),
                false => alloc::vec![promotion],
            },
        }
    }

    /// A pawn was taken off the last rank and nothing is read in its place: no promotion is
    /// complete so, but a piece may stand there that the board cannot read.
    fn rule_on_pawn_gone(&mut self, root: &Line, promotion: Move, press: Press) -> Changes {
        let like = promotions_like(promotion, root.legal());
        if self.laws().pawn_left == PawnLeft::Undone {
            return self.find_illegal(root, self.pawn_left(promotion, root), false);
        }
        let unread = promotion.to().into();
        let mut lines: Vec<_> = like
            .iter()
            .map(|m| self.adopted(root, *m, unread))
            .collect();
        lines.sort_by_key(|line| line.steps.last().map(|step| step.m) != Some(promotion));
        self.track.adopt(lines);
        alloc::vec![Change::Complete(press), Change::PawnGone(promotion)]
    }

    /// A pawn was left on the last rank: it counts as a queen (7.5.2).
    pub(crate) fn find_pawn_left(&self, promotion: Move) -> Changes {
        let mut changes = self.find_unpromoted(promotion, Certainty::Certain);
        changes.push(Change::PutRecordedBack);
        changes
    }

    /// A pawn was taken off the last rank: somebody looks before a queen is put there.
    pub(crate) fn find_pawn_gone(&self, promotion: Move) -> Changes {
        self.find_unpromoted(promotion, Certainty::Likely)
    }

    fn find_unpromoted(&self, promotion: Move, certainty: Certainty) -> Changes {
        let ply = self.record.completed();
        let before = self.record.position(ply - 1);
        let breach = Breach {
            code: Code::PawnNotPromoted,
            reason: None,
            by: before.turn(),
            certainty,
            squares: alloc::vec![promotion.to()],
            required: Some(alloc::vec![promotion]),
        };
        alloc::vec![
            Found {
                breach,
                ply,
                before
            }
            .into()
        ]
    }

    /// The position after the plies that are completed is to be put back.
    pub(crate) fn put_recorded_back(&mut self) {
        let completed = self.record.completed();
        let target = self.record.position(completed);
        let squares = self.differ(&target);
        self.order_restore(target.clone());
        self.note_displaced(completed, &target, squares);
    }
}

/// The moves that promote the same pawn on the same square.
fn promotions_like(promotion: Move, legal: &[Move]) -> Vec<Move> {
    let mut like = Vec::new();
    for m in legal {
        if m.from() == promotion.from() && m.to() == promotion.to() {
            like.push(*m);
        }
    }
    like
}
