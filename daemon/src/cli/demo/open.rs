//! The tournament of a demonstration: three rounds out of a report file, its results back into one,
//! and again from the beginning.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use daemon::office::{self, Form, LoadError, Minors, Office, OfficeError, Request};
use daemon::store::Author;
use jiff::Timestamp;
use tournament::{Act, How, ResultCode, Stage};

use super::evening::mix;
use super::gate::Gate;
use crate::cli::failure::Failure;

/// Sixteen players in four groups, all three rounds drawn.
const FILE: &str = include_str!("open.trf");
/// Its rounds.
const ROUNDS: u16 = 3;
/// The tables that it is played at.
pub(super) const TABLES: u16 = 8;

/// A tournament in the hall.
pub(super) struct Open {
    office: Office,
    dir: PathBuf,
    seed: u64,
    gate: Gate,
    /// The boards that play in it.
    boards: BTreeSet<String>,
    /// Those whose game of the round goes on.
    playing: BTreeSet<String>,
    round: u16,
}

impl Open {
    /// Begins the first round. `boards` are the boards that stand on its tables.
    pub(super) async fn begin(
        office: Office,
        dir: PathBuf,
        seed: u64,
        gate: Gate,
        boards: BTreeSet<String>,
    ) -> Result<Open, Failure> {
        let file = dir.join("open.trf");
        fs::write(&file, FILE)
            .map_err(|e| Failure::failed(format_args!("cannot write {}: {e}", file.display())))?;
        let mut open = Open {
            office,
            dir,
            seed,
            gate,
            boards,
            playing: BTreeSet::new(),
            round: 0,
        };
        open.leave_off().await.map_err(Failure::failed)?;
        open.next_round().await.map_err(Failure::failed)?;
        Ok(open)
    }

    /// Whether a board plays in it.
    pub(super) fn has(&self, board: &str) -> bool {
        self.boards.contains(board)
    }

    /// A board's game is over. After the last of a round its results are confirmed and written, and
    /// the next round begins.
    pub(super) async fn game_over(&mut self, board: &str) {
        if !self.playing.remove(board) || !self.playing.is_empty() {
            return;
        }
        if let Err(error) = self.close_round().await {
            // Whoever looks on may have closed it himself, or have another opinion.
            tracing::warn!(round = self.round, %error, "the round is not closed");
        }
        if let Err(error) = self.next_round().await {
            tracing::error!(%error, "no further round is played");
        }
    }

    /// Somebody ended a demonstration in this store before its tournament was over: nobody has won
    /// what was not finished.
    async fn leave_off(&self) -> Result<(), OfficeError> {
        let book = self.office.book();
        if let Some((round, _)) = book.event.under_way() {
            let tables = book.event.open_tables(round).into_iter();
            let mut acts: Vec<Act> = tables
                .filter_map(|table| result((round, table), "-/-", How::Forfeit))
                .collect();
            acts.push(Act::CloseRound { round });
            self.act(&acts).await?;
        }
        self.finish().await
    }

    /// Closes the tournament, if one is open.
    async fn finish(&self) -> Result<(), OfficeError> {
        let event = &self.office.book().event;
        match event.closed || event.rounds.is_empty() {
            true => Ok(()),
            false => self.act(&[Act::Close]).await,
        }
    }

    async fn next_round(&mut self) -> Result<(), LoadError> {
        if self.round == ROUNDS {
            self.finish().await?;
            self.round = 0;
        }
        if self.office.book().event.closed {
            let details = Default::default();
            self.act(&[Act::Open { details }]).await?;
        }
        self.round += 1;
        let request = Request {
            file: FILE.into(),
            round: Some(self.round),
            ..Request::default()
        };
        self.office.load(&author(), request).await?;
        self.free_further_boards().await?;
        let at = Timestamp::now().to_string();
        let round = self.round;
        self.act(&[Act::StartRound { round, at }]).await?;
        self.playing = self.boards.clone();
        self.gate.open();
        Ok(())
    }

    /// Boards beyond the tables of the tournament play games of their own.
    async fn free_further_boards(&self) -> Result<(), OfficeError> {
        let tables = self.office.book().tables();
        let further = tables.range(TABLES + 1..).map(|(table, _)| *table);
        let acts: Vec<Act> = further.map(|table| Act::Unbind { table }).collect();
        self.act(&acts).await
    }

    /// Results of boards are confirmed, those of the other tables typed, and all of them written
    /// into the file.
    async fn close_round(&self) -> Result<(), OfficeError> {
        let (round, book) = (self.round, self.office.book());
        let drawn = book.event.rounds.get(&round);
        let pairings = drawn.map_or(&[][..], |drawn| &drawn.pairings);
        let act = |table: u16, is_proposed: bool| match is_proposed {
            true => Some(Act::Confirm { round, table }),
            false => result((round, table), self.typed(table), How::Typed),
        };
        let open = pairings.iter().filter(|pairing| !pairing.is_settled());
        let mut acts: Vec<Act> = open
            .filter_map(|p| act(p.table?, p.outcome.is_some()))
            .collect();
        if drawn.is_some_and(|drawn| drawn.stage == Stage::UnderWay) {
            acts.push(Act::CloseRound { round });
        }
        self.act(&acts).await?;
        let file = self.dir.join("results.trf");
        let event = &self.office.book().event;
        let given = office::round(
            event,
            round,
            Form::Trf,
            self.office.store(),
            &Minors::default(),
        )?;
        if let Err(error) = fs::write(&file, given.bytes) {
            tracing::warn!(file = %file.display(), %error, "results not written");
        }
        Ok(())
    }

    /// The result that somebody types at a table without a board.
    fn typed(&self, table: u16) -> &'static str {
        const RESULTS: [&str; 3] = ["1-0", "1/2-1/2", "0-1"];
        let chance = mix(self.seed, u64::from(self.round) << 16 | u64::from(table));
        RESULTS[chance as usize % RESULTS.len()]
    }

    async fn act(&self, acts: &[Act]) -> Result<(), OfficeError> {
        self.office.act(&author(), acts).await
    }
}

/// How a game ended, as somebody says.
fn result((round, table): (u16, u16), text: &str, how: How) -> Option<Act> {
    let codes = ResultCode::both(text)?;
    let reason = String::new();
    Some(Act::Result {
        round,
        table,
        codes,
        how,
        reason,
    })
}

/// Who acts in a demonstration.
fn author() -> Author {
    Author {
        who: "demonstration".to_owned(),
        role: "program".to_owned(),
        ..Author::default()
    }
}
