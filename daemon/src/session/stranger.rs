//! Whether the board on the line is the one that the game is played on.
//!
//! Boards are exchanged, cables are mixed up, and one board can be reached by two ports. What
//! another board tells is of another game: in this one's record it would accuse players of what
//! nobody did.

use arbiter_core::Reading;
use arbiter_core::view::Phase;
use board_driver::{BoardClock, BoardEvent, BoardInfo, BoardKind, Fault, Mark, Report};

use super::next_game::start;
use super::{Session, evidence};

/// A board on the line that is not listened to.
#[derive(Debug)]
pub(super) struct Stranger {
    kind: BoardKind,
    info: BoardInfo,
    /// What it reads, as far as it has told.
    reads: Option<Reading>,
}

/// The serial number of a board; empty where it tells none. Boards of other kinds name their make
/// instead, which many share.
pub(super) fn number(kind: BoardKind, info: &BoardInfo) -> &str {
    match kind {
        BoardKind::Native | BoardKind::Dgt => &info.serial,
        _ => "",
    }
}

impl Session {
    /// A board has said who it is. It is followed, unless something speaks against it.
    pub(super) async fn greet(
        &mut self,
        kind: BoardKind,
        info: BoardInfo,
        clock: BoardClock,
        mark: Option<Mark>,
    ) {
        let stranger = Stranger {
            kind,
            info,
            reads: None,
        };
        match self.objection(&stranger) {
            None => self.up(stranger.kind, stranger.info, clock, mark).await,
            Some(fault) => {
                let words = &fault.text;
                tracing::warn!(board = self.parts.board.id, words, "not listened to");
                metrics::counter!("arbiter_faults_total").increment(1);
                self.ignore(stranger, fault);
            }
        }
    }

    /// What a board reports that is not listened to. It is followed as soon as nothing speaks
    /// against it any more, from what it reads then.
    pub(super) async fn overhear(
        &mut self,
        mut stranger: Stranger,
        event: BoardEvent,
        clock: BoardClock,
        mark: Option<Mark>,
    ) {
        event.report.apply_to(&mut stranger.reads);
        if let Some(fault) = self.objection(&stranger) {
            self.ignore(stranger, fault);
            return;
        }
        self.up(stranger.kind, stranger.info, clock, None).await;
        if let Some(reads) = stranger.reads {
            let report = Report::Snapshot(reads);
            self.report(BoardEvent {
                at: event.at,
                report,
            })
            .await;
        }
        self.mark = mark.or(self.mark);
    }

    fn ignore(&mut self, stranger: Stranger, fault: Fault) {
        self.timeline.stop();
        self.faults.line = Some(fault);
        self.stranger = Some(stranger);
    }

    /// What speaks against listening to a board, and what to do about it.
    fn objection(&mut self, stranger: &Stranger) -> Option<Fault> {
        let serial = number(stranger.kind, &stranger.info);
        if serial.is_empty() {
            return None;
        }
        if let Some(holder) = self.parts.station.holder(serial) {
            let text = format!(
                "the board on this port is {serial}, which is the board of {holder}: give each \
                 board its own port"
            );
            let fault = Fault::new("another-table", text).with("serial", serial);
            return Some(fault.with("holder", holder));
        }
        let known = self.serial.clone();
        if known.is_empty() || known == serial || !self.is_in_play() {
            return None;
        }
        let stands = stranger.reads.is_some_and(|reads| self.stands_on(&reads));
        (!stands).then(|| {
            let text = format!(
                "another board is on the port: {serial}; the game is played on {known}. Plug that \
                 one in, set the game's position up on this one, or start a new game"
            );
            let fault = Fault::new("another-board", text).with("serial", serial);
            fault.with("known", &known)
        })
    }

    /// Whether there are moves that another board's evidence could spoil.
    fn is_in_play(&mut self) -> bool {
        let view = self.view();
        view.is_some_and(|view| view.state != Phase::Ended && !view.plies.is_empty())
    }

    /// Whether a board that reads this has the game's position on it; or the starting position:
    /// what is played from there the arbiter takes for a game of its own.
    pub(super) fn stands_on(&self, reads: &Reading) -> bool {
        let Some(setup) = self.arbiter.setup() else {
            return true;
        };
        let board = evidence::coarsened(reads, setup.sensor);
        let as_the_game_calls_it = self.arbiter.turned().reading(&board);
        self.reading() == Some(board)
            || start(setup).is_some_and(|start| start.array == as_the_game_calls_it)
    }
}
