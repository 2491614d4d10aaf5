//! The board is on another port from now on, or speaks another language. The game goes on: only the
//! line is another.

use board_driver::{Fault, Link, LinkEvent};
use tokio::sync::mpsc;

use super::{REPORTS, Session};
use crate::config::BoardConfig;
use crate::hall::OrderError;

impl Session {
    /// Leaves the line on which the board was, and opens that on which it is.
    pub(super) async fn go_over(
        &mut self,
        board: BoardConfig,
        line: &mut mpsc::Receiver<LinkEvent>,
    ) -> Result<Option<String>, OrderError> {
        // What it has told there counts.
        while let Ok(event) = line.try_recv() {
            self.listen(event).await;
        }
        self.commit().await;
        let known = &mut self.parts.board;
        if known.kind.is_some() && board.kind.is_some() && known.kind != board.kind {
            // What was learned of it is written in another kind's words.
            self.memory = None;
        }
        tracing::info!(board = known.id, port = %board.port, "the board is on another line");
        (known.port, known.kind) = (board.port, board.kind);
        (known.baud, known.address) = (board.baud, board.address);
        let text = format!("it has not answered yet on {}", known.port);
        self.faults.line = Some(Fault::new("not-yet", text).with("port", &known.port));
        self.faults.unlearned = None;
        self.stranger = None;
        self.parts.station.claim(&self.serial, false);
        self.timeline.stop();
        let (commands, to_board) = mpsc::channel(4);
        (self.commands, self.to_board) = (commands, Some(to_board));
        self.acknowledged = None;
        let (events, heard) = mpsc::channel(REPORTS);
        // The link of the line before ends when nobody hears it any more.
        *line = heard;
        if let Some((config, commands)) = self.link() {
            let shutdown = self.parts.shutdown.clone().cancelled_owned();
            tokio::spawn(Link::run(config, events, commands, shutdown));
        }
        Ok(None)
    }
}
