//! Which port each board is on: as the configuration says, until somebody says otherwise while the
//! program runs. What is said is an act of the store, and holds after a restart.

mod line;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, mpsc, oneshot};

pub use line::{Change, Line};

use crate::config::{BoardConfig, Config};
use crate::hall::{Hall, OrderError};
use crate::journal::{self, Journal, JournalError};
use crate::reason::Reason;
use crate::store::{Area, Author, Deed, Deeds, StoreError};

/// What somebody has said of boards and ports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case", deny_unknown_fields)]
enum Act {
    /// A board is on another port, or speaks another language.
    Connect { board: String, line: Line },
    /// A board that does not stand in the configuration.
    Add {
        board: String,
        name: String,
        line: Line,
    },
    /// A board is where the configuration says.
    Reset { board: String },
}

/// Why a board is not connected otherwise.
#[derive(Debug, thiserror::Error)]
pub enum WiringError {
    /// Nobody has such a board.
    #[error("there is no board `{0}`")]
    Unknown(String),
    /// It cannot be, or changes nothing.
    #[error("{0}")]
    Refused(Box<Reason>),
    /// It means nothing.
    #[error("{0}")]
    Bad(String),
    /// It could not be written down.
    #[error("it could not be written down: {0}")]
    Journal(#[from] JournalError),
    /// It has no form in the store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The board does not take it.
    #[error(transparent)]
    Order(#[from] OrderError),
}

fn refused(reason: Reason) -> Result<(), WiringError> {
    Err(WiringError::Refused(Box::new(reason)))
}

/// A board that is to be followed from now on.
#[derive(Debug)]
pub struct Opening {
    /// The board.
    pub board: BoardConfig,
    /// Told when it is there.
    pub done: oneshot::Sender<()>,
}

/// The boards and their ports. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Wiring(Arc<Mutex<State>>);

#[derive(Clone, Debug)]
struct State {
    configured: Vec<BoardConfig>,
    boards: Vec<BoardConfig>,
    /// What is wrong with the acts of the store: nothing may be added to them.
    damage: Option<String>,
    /// `None` once the program ends.
    ways: Option<(Journal, mpsc::Sender<Opening>)>,
}

impl Wiring {
    /// The boards of a configuration, with what was said of them since; and new ones, as they come.
    pub fn open(
        config: &Config,
        deeds: &Deeds,
        journal: Journal,
    ) -> (Wiring, Vec<BoardConfig>, mpsc::Receiver<Opening>) {
        let (openings, opened) = mpsc::channel(1);
        let mut state = State {
            configured: config.boards.clone(),
            boards: config.boards.clone(),
            damage: deeds.damage.clone().filter(|_| deeds.is_broken),
            ways: Some((journal, openings)),
        };
        for (number, deed) in deeds.of(Area::Boards) {
            // What the configuration has lost since is not there, whatever was said of it.
            match serde_json::from_str::<Act>(&deed.what) {
                Ok(act) => state.apply(&act),
                Err(error) => tracing::error!(number, %error, "an act about boards is passed over"),
            }
        }
        for board in &mut state.boards {
            if board.options.language == Default::default() {
                board.options.language = config.event.language.unwrap_or_default();
            }
        }
        state.tell_what_differs();
        let boards = state.boards.clone();
        (Wiring(Arc::new(Mutex::new(state))), boards, opened)
    }

    /// Nothing is said any more: the program ends.
    pub async fn close(&self) {
        self.0.lock().await.ways = None;
    }

    /// Every board as it is connected now, each with whether it is so by the configuration; the
    /// configured ones first.
    pub async fn boards(&self) -> Vec<(BoardConfig, bool)> {
        let state = self.0.lock().await;
        let boards = state.boards.iter().cloned();
        boards
            .map(|board| {
                let is_configured = state.configured.iter().any(|c| is_alike(c, &board));
                (board, is_configured)
            })
            .collect()
    }

    /// A board is on another port from now on, or speaks another language. Its game goes on.
    ///
    /// # Errors
    /// Where that cannot be, or changes nothing.
    pub async fn connect(
        &self,
        hall: &Hall,
        author: &Author,
        board: &str,
        change: &Change,
    ) -> Result<(), WiringError> {
        let mut state = self.0.lock().await;
        let before = state.board(board)?.clone();
        let line = Line::of(&before).changed(change)?;
        let act = Act::Connect {
            board: board.to_owned(),
            line,
        };
        state.go_over(hall, author, &before, &act).await
    }

    /// A board is where the configuration says.
    ///
    /// # Errors
    /// Where it does not say anything of the board, or the board is there.
    pub async fn reset(
        &self,
        hall: &Hall,
        author: &Author,
        board: &str,
    ) -> Result<(), WiringError> {
        let mut state = self.0.lock().await;
        let before = state.board(board)?.clone();
        if !state.configured.iter().any(|known| known.id == board) {
            let what = format!("`{board}` does not stand in the configuration");
            return refused(Reason::new("not-configured", what).with("board", board));
        }
        let board = board.to_owned();
        let act = Act::Reset { board };
        state.go_over(hall, author, &before, &act).await
    }

    /// A board that does not stand in the configuration is followed from now on.
    ///
    /// # Errors
    /// Where there is one of that name, or its port is used.
    pub async fn add(
        &self,
        author: &Author,
        board: &str,
        name: &str,
        change: &Change,
    ) -> Result<(), WiringError> {
        let mut state = self.0.lock().await;
        crate::config::check_id(board).map_err(WiringError::Bad)?;
        let is_it = |known: &&BoardConfig| known.id.eq_ignore_ascii_case(board);
        if let Some(known) = state.boards.iter().find(is_it) {
            let what = format!("there is a board `{}` already", known.id);
            return refused(Reason::new("board-there", what).with("board", &known.id));
        }
        let act = Act::Add {
            board: board.to_owned(),
            name: if name.is_empty() { board } else { name }.to_owned(),
            line: Line::new(change)?,
        };
        state.write(author, &act).await?;
        let added = state.board(board)?.clone();
        let openings = state.ways.as_ref().map(|(_, openings)| openings.clone());
        let openings = openings.ok_or(JournalError::Closed)?;
        let (done, opened) = oneshot::channel();
        let opening = Opening { board: added, done };
        let sent = openings.send(opening).await;
        sent.map_err(|_| OrderError::ShuttingDown)?;
        Ok(opened.await.map_err(|_| OrderError::ShuttingDown)?)
    }
}

impl State {
    fn board(&self, id: &str) -> Result<&BoardConfig, WiringError> {
        let mut boards = self.boards.iter();
        let found = boards.find(|board| board.id == id);
        found.ok_or_else(|| WiringError::Unknown(id.to_owned()))
    }

    /// What an act makes of the boards.
    fn apply(&mut self, act: &Act) {
        match act {
            Act::Connect { board, line } => {
                let known = self.boards.iter_mut().find(|known| known.id == *board);
                if let Some(known) = known {
                    line.apply_to(known);
                }
            }
            Act::Add { board, name, line } => {
                if self.boards.iter().all(|known| known.id != *board) {
                    let mut added = BoardConfig::new(board, line.spec());
                    line.apply_to(&mut added);
                    name.clone_into(&mut added.name);
                    self.boards.push(added);
                }
            }
            Act::Reset { board } => {
                let configured = self.configured.iter().find(|known| known.id == *board);
                let known = self.boards.iter_mut().find(|known| known.id == *board);
                if let (Some(known), Some(configured)) = (known, configured) {
                    configured.clone_into(known);
                }
            }
        }
    }

    /// Writes down that a board is connected otherwise than `before`, and has its session go over.
    async fn go_over(
        &mut self,
        hall: &Hall,
        author: &Author,
        before: &BoardConfig,
        act: &Act,
    ) -> Result<(), WiringError> {
        self.write(author, act).await?;
        let now = self.board(&before.id)?.clone();
        Ok(hall.connect(&before.id, now).await?)
    }

    /// Writes an act down, and does it.
    async fn write(&mut self, author: &Author, act: &Act) -> Result<(), WiringError> {
        let mut after = self.clone();
        after.apply(act);
        after.differs_from(&self.boards)?;
        if let Some(damage) = &self.damage {
            let what = format!("the acts of the store are damaged: {damage}");
            return refused(Reason::new("acts-damaged", what).with("what", damage));
        }
        let (journal, _) = self.ways.as_ref().ok_or(JournalError::Closed)?;
        let deed = Deed::now(author.clone(), Area::Boards, act)?;
        journal
            .write([journal::Act::Deed(Box::new(deed))].into())
            .await?;
        *self = after;
        Ok(())
    }

    /// Whether something is otherwise than before, and no two boards are on one port by it.
    fn differs_from(&self, before: &[BoardConfig]) -> Result<(), WiringError> {
        let known: BTreeSet<&str> = before.iter().map(|board| board.id.as_str()).collect();
        let changed = self.boards.iter().find(|board| {
            !known.contains(board.id.as_str()) || before.iter().any(|b| is_other(b, board))
        });
        let Some(changed) = changed else {
            let what = "the board is connected so already";
            return refused(Reason::new("connected-so", what));
        };
        let mut others = self.boards.iter().filter(|other| other.id != changed.id);
        let in_the_way = others.find(|other| line::is_same_port(&other.port, &changed.port));
        in_the_way.map_or(Ok(()), |other| {
            let (port, board) = (&changed.port, &other.id);
            let what =
                format!("{port} is the port of `{board}`: give that board another one first");
            let reason = Reason::new("port-taken", what).with("port", port);
            refused(reason.with("board", board))
        })
    }

    /// What holds though the configuration says otherwise.
    fn tell_what_differs(&self) {
        for board in &self.boards {
            let is_as_configured = self.configured.iter().any(|c| is_alike(c, board));
            if !is_as_configured {
                let (id, port) = (&board.id, &board.port);
                tracing::info!(board = id, %port, "connected as was said while the program ran");
            }
        }
    }
}

/// Whether a board is connected as another entry of the same id says.
fn is_alike(one: &BoardConfig, other: &BoardConfig) -> bool {
    one.id == other.id && !is_other(one, other)
}

fn is_other(before: &BoardConfig, now: &BoardConfig) -> bool {
    let way = |board: &BoardConfig| (board.port.clone(), board.kind, board.baud, board.address);
    before.id == now.id && way(before) != way(now)
}
