//! A hall that writes more than boards do: the journal and the sender of the daemon, in this
//! process.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use daemon::hub::{Sender, Sent, Uplink, Wishes};
use daemon::journal::{Act, Journal};
use daemon::store::{Erasure, Renamed, Store, Tags};
use tests::rig::look_until;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::hub::{Place, rows_of};

const PATIENCE: Duration = Duration::from_secs(100);
/// Rows of one game.
const GAME: u64 = 400;

/// A hall that writes.
pub(crate) struct Bulk {
    runtime: Runtime,
    journal: Journal,
    uplink: Uplink,
    threads: Vec<JoinHandle<()>>,
    shutdown: CancellationToken,
    written: u64,
    dir: PathBuf,
    boards: u64,
}

/// How it went.
pub(crate) struct Played {
    /// How long each commit took.
    pub(crate) commits: Vec<Duration>,
    /// After how long the hub said of each row that it has it.
    pub(crate) late: Vec<Duration>,
}

impl Bulk {
    /// Writes in the store of this place, one game after the other, each on a board of its own.
    pub(crate) fn open(place: &Place) -> Bulk {
        Bulk::with_boards(place, 1)
    }

    /// Writes of so many boards in turn.
    pub(crate) fn with_boards(place: &Place, boards: u64) -> Bulk {
        let runtime = daemon::run::runtime().expect("a runtime");
        fs::create_dir_all(place.store()).expect("a directory");
        let (journal, writer) = Journal::open(&place.store()).expect("a journal");
        let store = Store::open(&place.store()).expect("a store");
        let wishes = Wishes {
            name: place.name.clone(),
            address: place.hub.clone(),
            key: place.key.clone(),
            authority: place.authority.clone(),
            orders: Vec::new(),
        };
        let shutdown = CancellationToken::new();
        let (uplink, _orders, sender) = Sender::start(
            (&wishes, Default::default()),
            (store, journal.clone()),
            shutdown.clone(),
        )
        .expect("a sender");
        Bulk {
            runtime,
            journal,
            uplink,
            threads: vec![sender, writer],
            shutdown,
            written: rows_of(&place.store())[0].len() as u64,
            dir: place.store(),
            boards,
        }
    }

    /// Writes so many rows, in commits of `together`.
    pub(crate) fn write(&mut self, rows: u64, together: u64) {
        let mut acts = Vec::new();
        for _ in 0..rows {
            acts.push(act(self.boards, self.written));
            self.written += 1;
            if acts.len() as u64 == together {
                self.commit(std::mem::take(&mut acts));
            }
        }
        self.commit(acts);
    }

    /// Writes so many rows one after the other, as boards that are played on do; gives after how
    /// long the hub had said of each that it has it. `meanwhile` is told of each row.
    #[track_caller]
    pub(crate) fn play(
        &mut self,
        rows: u64,
        pace: Duration,
        mut meanwhile: impl FnMut(u64),
    ) -> Vec<Duration> {
        self.follow((rows, pace), true, &mut meanwhile).late
    }

    /// The same of the commits as well; where the hub is not there, nobody waits for it.
    #[track_caller]
    pub(crate) fn play_on(&mut self, rows: u64, pace: Duration, is_there: bool) -> Played {
        self.follow((rows, pace), is_there, &mut |_| {})
    }

    #[track_caller]
    fn follow(
        &mut self,
        (rows, pace): (u64, Duration),
        is_there: bool,
        meanwhile: &mut dyn FnMut(u64),
    ) -> Played {
        let (begun, first) = (Instant::now(), self.written);
        let (mut waiting, mut commits, mut late) = (VecDeque::new(), Vec::new(), Vec::new());
        let end = begun + pace * u32::try_from(rows).expect("not so many") + PATIENCE;
        while is_there && !waiting.is_empty() || self.written - first < rows {
            // What was due meanwhile is committed together, as the daemon does.
            let due = (begun.elapsed().as_micros() / pace.as_micros()) as u64 + 1;
            let due = due.min(rows).saturating_sub(self.written - first);
            if due > 0 {
                let at = Instant::now();
                self.write(due, due);
                commits.push(at.elapsed());
                waiting.extend((self.written - due + 1..=self.written).map(|row| (row, at)));
                meanwhile(self.written - first);
            }
            let shown = self.shown();
            let there = shown.rows.saturating_sub(shown.behind);
            while let Some((_, at)) = waiting.pop_front_if(|(row, _)| *row <= there) {
                late.push(at.elapsed());
            }
            assert!(Instant::now() < end, "{shown:?}");
            sleep(Duration::from_millis(2));
        }
        Played { commits, late }
    }

    /// Writes so many rows, three hundred a second; gives what a tenth of commits takes longer
    /// than.
    pub(crate) fn write_at_pace(&mut self, rows: u64) -> Duration {
        let (together, pace) = (15, Duration::from_millis(50));
        let (mut due, mut took) = (Instant::now(), Vec::new());
        for _ in 0..rows / together {
            sleep(due.saturating_duration_since(Instant::now()));
            due += pace;
            let begun = Instant::now();
            self.write(together, together);
            took.push(begun.elapsed());
        }
        took.sort();
        took[took.len() * 9 / 10]
    }

    /// Rows of which the hub has not said that it has them.
    pub(crate) fn behind(&self) -> u64 {
        let shown = self.shown();
        self.written - (shown.rows - shown.behind)
    }

    /// Takes out of the journal who played the first game; it has another name from then on.
    pub(crate) fn erase(&mut self) {
        let erasure = Erasure {
            games: vec![Renamed {
                game: name_of(0, 1),
                tags: Tags::default(),
                pgn: None,
            }],
            ..Erasure::default()
        };
        self.commit(vec![Act::Erase(erasure.into())]);
        self.written = rows_of(&self.dir)[0].len() as u64;
    }

    fn commit(&self, acts: Vec<Act>) {
        let written = self.runtime.block_on(self.journal.write(acts.into()));
        written.expect("a commit");
    }

    /// What it shows of its hub.
    pub(crate) fn shown(&self) -> Sent {
        self.uplink.shown()
    }

    /// Waits until what it shows is as `is_so` wants it.
    #[track_caller]
    pub(crate) fn until(&self, is_so: impl Fn(&Sent) -> bool) {
        let seen = look_until(PATIENCE, || match self.shown() {
            shown if is_so(&shown) => Ok(()),
            shown => Err(shown),
        });
        seen.unwrap_or_else(|shown| panic!("{shown:?}"));
    }

    /// Waits until the hub has everything.
    #[track_caller]
    pub(crate) fn until_complete(&self) {
        self.until_complete_within(PATIENCE);
    }

    /// The same, which may take longer.
    #[track_caller]
    pub(crate) fn until_complete_within(&self, patience: Duration) {
        let seen = self.is_complete_within(patience);
        seen.unwrap_or_else(|shown| panic!("{shown}"));
    }

    /// Whether the hub has everything then.
    pub(crate) fn is_complete_within(&self, patience: Duration) -> Result<(), String> {
        let written = self.written;
        let is_so = |sent: &Sent| sent.connected && sent.behind == 0 && sent.rows == written;
        let seen = look_until(patience, || match self.shown() {
            shown if is_so(&shown) => Ok(()),
            shown => Err(shown),
        });
        seen.map_err(|shown| format!("{shown:?}"))
    }

    /// It is switched off.
    pub(crate) fn close(self) {
        self.shutdown.cancel();
        drop(self.journal);
        for thread in self.threads {
            thread.join().expect("a thread");
        }
    }
}

fn name_of(board: u64, game: u64) -> String {
    format!("2026-11-21-b{board:03}-{game}")
}

/// The row of this number: games, each with its events, in which a piece is lifted and put back.
fn act(boards: u64, number: u64) -> Act {
    let (games, number_of) = (number / (boards * GAME), number % (boards * GAME));
    let (board, seq) = (number_of % boards, number_of / boards);
    let (board, game) = match boards {
        1 => (games, 1),
        _ => (board, games + 1),
    };
    let id = name_of(board, game);
    let wall = 1_764_000_000_000 + number.cast_signed();
    let line = match seq {
        0 => {
            return Act::Begin {
                game: id.into(),
                board: format!("b{board:03}").into(),
                tags: Tags::default(),
                started: "2026-11-21T10:00:00Z".to_owned(),
            };
        }
        1 => format!(r#"{{"event":"setup","game":"{id}","sensor":"piece"}}"#),
        _ => {
            let what = if seq.is_multiple_of(2) {
                "lift"
            } else {
                "place"
            };
            format!(r#"{{"event":"{what}","at":{},"square":"e2"}}"#, 1000 * seq)
        }
    };
    Act::Event {
        game: id.into(),
        seq: seq - 1,
        at: 1000 * seq,
        wall,
        line,
    }
}
