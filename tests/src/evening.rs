//! An evening of games: simulated boards on pseudo-terminals, with whoever can pull their plugs,
//! and what a record of their games must hold.

mod house;
mod play;
mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use board_driver::sim::Control;
use board_driver::{BoardKind, SimulatedBoard};
use serde_json::Value;

use crate::rig::{Workshop, configuration, until};

pub use house::House;
pub use play::Play;
pub use table::Table;

/// Boards that play. They are switched off when this is dropped.
#[derive(Debug)]
pub struct Evening {
    /// The boards.
    pub tables: Vec<Table>,
    /// The directory of everything.
    dir: tempfile::TempDir,
    _boards: Workshop,
}

impl Evening {
    /// Switches on one board for each of `plays`. Each begins its game when a daemon first hears
    /// it.
    ///
    /// # Panics
    /// When there are no pseudo-terminals to be had.
    pub fn begin(plays: Vec<Play>) -> Evening {
        let dir = tempfile::tempdir().expect("a directory");
        let (mut tables, mut devices) = (Vec::new(), Vec::new());
        for (number, play) in (1..).zip(plays) {
            let (table, device) = table::sit(dir.path(), number, play);
            tables.push(table);
            devices.push(device);
        }
        let boards = Workshop::open(move || {
            for device in devices {
                let board = SimulatedBoard::create(device.config).expect("a pseudo-terminal");
                tokio::spawn(board.play(device.script, device.controls));
            }
        });
        Evening {
            tables,
            dir,
            _boards: boards,
        }
    }

    /// Where the daemon keeps its games.
    pub fn store(&self) -> PathBuf {
        self.path("store")
    }

    /// A path beside the boards.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Leaves everything where it is, for whoever looks into it; says where that is.
    pub fn keep(&mut self) -> &Path {
        self.dir.disable_cleanup(true);
        self.dir.path()
    }

    /// The configuration of a daemon that follows the boards.
    pub fn configuration(&self) -> String {
        self.configuration_as(|table| table.play.kind)
    }

    fn configuration_as(&self, kind: impl Fn(&Table) -> BoardKind) -> String {
        let sections = (1..)
            .zip(&self.tables)
            .map(|(number, table)| table.section(number, kind(table)));
        configuration(&self.store(), sections)
    }

    /// Starts a daemon that follows the boards.
    ///
    /// # Panics
    /// When it does not start.
    pub fn serve(&self) -> House {
        self.serve_as(|table| table.play.kind)
    }

    /// The same, with boards that are configured as `kind` says.
    ///
    /// # Panics
    /// When it does not start.
    pub fn serve_as(&self, kind: impl Fn(&Table) -> BoardKind) -> House {
        House::open(&self.path("arbiter.toml"), &self.configuration_as(kind))
    }

    /// Does this to every board.
    ///
    /// # Panics
    /// When a board has gone.
    pub fn order(&self, control: Control) {
        self.tables.iter().for_each(|table| table.order(control));
    }

    /// Waits while play goes on, whether anybody hears it or not: until so much more has happened
    /// on every board, or its game is over.
    ///
    /// # Panics
    /// When a board stands still.
    pub fn play_on(&self, events: usize, patience: Duration) {
        let before: Vec<usize> = self.tables.iter().map(Table::happened).collect();
        for (table, before) in self.tables.iter().zip(before) {
            until("play to go on at every board", patience, || {
                table.is_over() || table.happened() >= before + events
            });
        }
    }

    /// Waits until everything has happened that was to happen on the boards.
    ///
    /// # Panics
    /// When a board stands still.
    pub fn play_to_the_end(&self, patience: Duration) {
        until("every game to be over", patience, || {
            self.tables.iter().all(Table::is_over)
        });
    }

    /// What `why` says of each board that the console shows.
    pub fn all<'a>(
        &'a self,
        why: impl Fn(&Table, &Value) -> Option<String> + 'a,
    ) -> impl Fn(&[Value]) -> Vec<String> + 'a {
        move |boards| {
            let shown = boards.iter().map(|board| board["id"].as_str());
            let ids = self.tables.iter().map(|table| Some(table.id.as_str()));
            assert!(shown.eq(ids), "not every board is shown in its place");
            let tables = self.tables.iter().zip(boards);
            tables
                .filter_map(|(table, board)| why(table, board))
                .collect()
        }
    }

    /// Waits until every game is recorded whole, and returns the boards as they are then.
    ///
    /// # Panics
    /// With the evidence of every game that is not whole after `patience`.
    #[track_caller]
    pub fn finish(&self, house: &House, patience: Duration) -> Vec<Value> {
        let seen = house.try_until(patience, self.unfinished());
        seen.unwrap_or_else(|left| {
            let boards = house.boards();
            let games = self
                .tables
                .iter()
                .zip(&boards)
                .filter_map(|(table, board)| {
                    table.differs(board)?;
                    let game = board["game"].as_str()?;
                    Some(format!("{}:\n{}", table.id, house.script(game)))
                });
            panic!("after {patience:?}: {left}\n{}", games.collect::<String>())
        })
    }

    /// Games that are not whole.
    pub fn unfinished(&self) -> impl Fn(&[Value]) -> Vec<String> + '_ {
        self.all(Table::differs)
    }
}
