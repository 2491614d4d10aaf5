//! What goes out of a session: first into the journal, then to everybody.

use std::sync::Arc;
use std::time::Duration;

use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::Square;
use arbiter_core::{Announcement, Ruling};
use board_driver::{Command, Mark};

use super::record::Record;
use super::{Parts, Session, faults};
use crate::hall::{self, BoardState, FaultText, View};
use crate::journal::{Act, JournalError};
use crate::pgn;
use crate::scribe::Page;
use crate::store::{Ending, Place};

/// How long to wait before the journal is tried again.
const RETRY: Duration = Duration::from_secs(1);

impl Session {
    /// The game as consoles are shown it. It is made when the arbiter was told something since it
    /// was made last.
    pub(super) fn view(&mut self) -> Option<Arc<View>> {
        if std::mem::take(&mut self.is_told) {
            self.view = hall::view(&self.arbiter, self.view.as_deref()).map(Arc::new);
        }
        self.view.clone()
    }

    /// Writes down what the arbiter was told, then shows what it said. Returns with everything
    /// shown, or at the end of the session with nothing of it shown.
    pub(super) async fn commit(&mut self) {
        let view = self.view();
        // Evidence that the arbiter need not be told of is taken all the same.
        if !self.acts.is_empty() || self.mark != self.kept {
            if let (Some(record), Some(view)) = (&mut self.record, &view) {
                self.acts.extend(record.outcome(view));
            }
            let ending = view.as_ref().and_then(|view| self.ending(view));
            self.acts.extend(ending);
            if let Some(Mark { boot, next }) = self.mark {
                let place = Place {
                    serial: self.serial.clone(),
                    boot,
                    next,
                    shift: self.timeline.shift(),
                };
                self.acts.push(Act::Taken {
                    board: self.parts.station.id().clone(),
                    place,
                });
            }
            let acts: Arc<[Act]> = std::mem::take(&mut self.acts).into();
            while let Err(error) = self.parts.journal.write(acts.clone()).await {
                let ended = matches!(error, JournalError::Closed);
                if ended || self.hold_back(error.to_string()).await.is_none() {
                    return;
                }
            }
            self.faults.journal = None;
            self.kept = self.mark;
        }
        if let Some(seat) = self.seat.take() {
            seat.taken();
        }
        self.inform(view.as_deref()).await;
        self.acknowledge();
        for page in self.pages.drain(..) {
            self.parts.scribe.keep(page);
        }
        let state = self.state(view);
        for said in std::mem::take(&mut self.said) {
            note(&self.parts.board.id, &said);
            self.parts.station.tell(&said);
        }
        self.show(state);
    }

    /// Tells the board what it need not keep any longer. What finds no room is told another time:
    /// nothing waits for it, and other wishes may have to go first.
    fn acknowledge(&mut self) {
        let Some(kept) = self.kept.filter(|_| self.kept != self.acknowledged) else {
            return;
        };
        let has_room = self.commands.capacity() > 1;
        if has_room && self.commands.try_send(Command::Acknowledge(kept)).is_ok() {
            self.acknowledged = Some(kept);
        }
    }

    /// The act that keeps what is said of a game with a result, where that is news; or the game
    /// goes on after all.
    fn ending(&mut self, view: &Arc<View>) -> Option<Act> {
        let record = self
            .record
            .as_ref()
            .filter(|record| view.game == *record.game)?;
        let game = record.game.clone();
        let has_ended = view.result.is_some_and(|result| !result.proposed);
        if !has_ended {
            return self.ended.take().map(|_| Act::Reopened { game });
        }
        let known = self.ended.replace(view.clone());
        if known.is_some_and(|known| is_same(&known, view)) {
            return None;
        }
        self.over(view)
    }

    /// The act that keeps what is said of the game at hand, which is over.
    pub(super) fn over(&self, view: &View) -> Option<Act> {
        let record = self.record.as_ref()?;
        self.ended_as(record, &self.tags(record), view)
    }

    /// The act that keeps what is said of a game.
    pub(super) fn ended_as(&self, record: &Record, tags: &pgn::Tags, view: &View) -> Option<Act> {
        match Ending::of(tags, view) {
            Ok(ending) => Some(Act::Ended {
                game: record.game.clone(),
                ending: Box::new(ending),
            }),
            Err(error) => {
                tracing::error!(board = self.parts.board.id, %error, "ending not written");
                None
            }
        }
    }

    fn state(&self, view: Option<Arc<View>>) -> BoardState {
        let Parts { board, .. } = &self.parts;
        let mut state = BoardState::new(
            &board.id,
            self.info.as_ref().map(|info| info.sensor).or(board.sensor),
        );
        [state.white, state.black, state.round] = self.shown_names(view.as_deref());
        state.name = board.name.clone();
        state.connected = self.info.is_some() && self.faults.line.is_none();
        state.serial = Some(self.serial.clone()).filter(|serial| !serial.is_empty());
        state.firmware = self.firmware.clone();
        state.analogue = self.info.as_ref().is_some_and(|info| info.levels);
        self.show_faults(&mut state);
        state.distrusted = self.distrusted();
        state.note = self.note.clone();
        state.asked = self.still_asked();
        let is_played = self.early.is_played() && !self.next_game.is_set_up();
        state.unawaited = self.next_game.is_touched() || is_played;
        let is_unset = match self.next_game.is_touched() {
            true => self.next_game.is_unset(),
            false => state.unawaited && self.early.is_unset(),
        };
        state.unset = self.unset(is_unset);
        state.next = self.next_names(view.as_deref());
        let record = self.record.as_ref();
        let running = record.map(|record| record.running.clone());
        let book = self.parts.office.book();
        let decided = record.and_then(|record| book.decided_at(&record.game));
        let running = running.unwrap_or_default().decided(decided);
        match (&self.recalled, view) {
            (Some(told), _) => state.recall(&self.told_as_said(told), running),
            (None, Some(view)) => {
                let view = self.as_clocks_tell(self.as_said(self.as_settled(view)));
                state.show(view, running);
            }
            (None, None) => {}
        }
        state
    }

    /// How the board lies: as in the game at hand, before the first as it is configured.
    pub(super) fn lies(&self) -> Orientation {
        match self.arbiter.setup() {
            Some(_) => self.arbiter.turned(),
            None => self.parts.board.turn,
        }
    }

    /// What is wrong; its squares are the game's.
    fn show_faults(&self, state: &mut BoardState) {
        let all = self.faults.all(self.lies());
        state.fault = faults::words(&all);
        state.faults = all.iter().map(FaultText::from).collect();
    }

    /// The squares that the board does not trust, as the game calls them.
    fn distrusted(&self) -> Vec<String> {
        let squares = self.faults.sensors.turned(self.lies()).doubtful();
        squares
            .into_iter()
            .map(|square| square.to_string())
            .collect()
    }

    fn show(&mut self, state: BoardState) {
        let before = self.parts.station.state();
        let shown = self.parts.station.publish(state);
        if let (Some(record), true) = (&self.record, is_other_record(&before, &shown)) {
            let tags = self.tags(record);
            let is_its = self.is_of_its_table(&tags, &record.game);
            // What a person has said of its end stands in the tags already.
            let page = match self.view.clone().filter(|_| self.recalled.is_none()) {
                Some(view) => self.page(tags, self.as_settled(view)),
                None => Page::Board {
                    tags,
                    board: shown.clone(),
                },
            };
            if is_its {
                self.parts.scribe.keep(page);
            }
        }
        if before.connected != shown.connected {
            let change = if shown.connected { 1.0 } else { -1.0 };
            metrics::gauge!("arbiter_boards_connected").increment(change);
        }
        self.light(&shown);
    }

    /// Lights the squares that must be put right, on boards that have lamps.
    fn light(&mut self, state: &BoardState) {
        let wrong = state
            .view()
            .filter(|view| view.restore.is_some())
            .map_or(&[][..], |view| &view.differs);
        let board = self.lies().back();
        let lamp = |square: Square| 1 << u64::from(u8::from(board.square(square)));
        let lamps = wrong.iter().fold(0, |lamps, square| lamps | lamp(*square));
        let has_lamps = self.info.as_ref().is_some_and(|info| info.lamps);
        if has_lamps
            && lamps != self.lamps
            && self.commands.try_send(Command::SetLamps(lamps)).is_ok()
        {
            self.lamps = lamps;
        }
    }

    /// Shows that nothing can be written down, and waits. `None` when the session ends meanwhile.
    pub(super) async fn hold_back(&mut self, error: String) -> Option<()> {
        tracing::error!(board = self.parts.board.id, error, "journal not written");
        self.faults.journal = Some(faults::unwritten(error));
        let mut shown = BoardState::clone(&self.parts.station.state());
        self.show_faults(&mut shown);
        self.parts.station.publish(shown);
        tokio::select! {
            () = self.parts.shutdown.cancelled() => None,
            () = tokio::time::sleep(RETRY) => Some(()),
        }
    }
}

/// Whether what a PGN shows has changed.
fn is_other_record(before: &BoardState, now: &BoardState) -> bool {
    let (Some(now), before) = (now.view(), before.view()) else {
        return false;
    };
    !before.is_some_and(|before| is_same(before, now))
}

/// Whether the record and what was found are the same.
fn is_same(before: &View, now: &View) -> bool {
    before.game == now.game
        && before.plies == now.plies
        && before.result == now.result
        && before.findings == now.findings
        && before.doubts == now.doubts
        && before.orders == now.orders
        && before.fen == now.fen
}

fn note(board: &str, said: &Announcement) {
    metrics::counter!("arbiter_rulings_total", "ruling" => name(&said.ruling)).increment(1);
    match &said.ruling {
        Ruling::Irregularity(finding) => {
            tracing::info!(board, game = said.game, id = finding.id, "{}", finding.text);
        }
        Ruling::Result {
            result, proposed, ..
        } => {
            tracing::info!(board, game = said.game, %result, proposed, "game ended");
        }
        _ => {}
    }
}

/// The ruling's name in scripts.
fn name(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Move { .. } => "move",
        Ruling::Revision { .. } => "revision",
        Ruling::Obligation { .. } => "obligation",
        Ruling::Irregularity(_) => "irregularity",
        Ruling::Lapsed { .. } => "lapsed",
        Ruling::Withdrawn { .. } => "withdrawn",
        Ruling::Doubt(_) => "doubt",
        Ruling::Restore { .. } => "restore",
        Ruling::DrawClaimable { .. } => "draw-claimable",
        Ruling::Claim { .. } => "claim",
        Ruling::Result { .. } => "result",
        Ruling::Refused { .. } => "refused",
        Ruling::Summary(_) => "summary",
    }
}
