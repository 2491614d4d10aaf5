//! How a game begins.

use arbiter_core::input::Answers;
use arbiter_core::{Event, Input, Time};
use board_driver::Command;

use super::next_game::NextGame;
use super::record::Record;
use super::{Parts, Session};

impl Session {
    /// Begins a game on the board as it is configured.
    pub(super) async fn begin(&mut self, at: Time) {
        self.commit().await;
        let today = jiff::Zoned::now().strftime("%Y-%m-%d").to_string();
        let Some(game) = self.unused_id(&today).await else {
            return;
        };
        let Parts {
            board,
            event,
            station,
            ..
        } = &self.parts;
        let known = self.info.as_ref().map(|info| info.sensor);
        let Some(sensor) = known.or(self.arbiter.setup().map(|setup| setup.sensor)) else {
            return;
        };
        let mut setup = board.setup(event, &game, sensor);
        if let Some(info) = &self.info {
            setup.clock = board.clock.unwrap_or(info.clock);
            setup.polled = info.polled;
            setup.options = info.windows(setup.options);
        }
        setup.turned = self.lies();
        // The journal holds every answer, at the moment it came.
        setup.answers = Answers::Recorded;
        // The next game is begun here, under a name that the store does not know yet.
        setup.next_game = arbiter_core::input::NextGame::Asked;
        let tags = event.tags(&board.white, &board.black, &today.replace('-', "."));
        tracing::info!(board = board.id, game, "game begins");
        let read = self.reading();
        let before = self.arbiter.setup().map(|before| before.sensor);
        if before.is_some_and(|before| before != sensor) {
            // What was read in another class's symbols is of no use. A request too many on its way
            // does the same.
            self.is_read = false;
            let _asked_already = self.commands.try_send(Command::RequestSnapshot);
        }
        let (record, act) = Record::begin(station.id(), tags, &setup.game);
        self.earlier = self.asked_about();
        // The game before is over, be it without a result.
        let before = self.ended.take().is_none().then(|| self.view()).flatten();
        let over = before.and_then(|before| self.over(&before));
        self.acts.extend(over);
        self.record = Some(record);
        (self.faults.game, self.faults.forgotten) = (None, None);
        self.acts.push(act);
        self.next_game = NextGame::default();
        self.tell(Event {
            at,
            input: Input::Setup(setup.into()),
        });
        if let Some(board) = read.filter(|_| self.is_read) {
            self.tell(Event {
                at,
                input: Input::Snapshot {
                    board: board.into(),
                },
            });
        }
        self.distrust(at);
        self.check_sensors();
    }

    /// A name for the next game. `None` when the session ends before the store answers.
    async fn unused_id(&mut self, today: &str) -> Option<String> {
        loop {
            match self.parts.store.unused_id(&self.parts.board.id, today) {
                Ok(id) => return Some(id),
                Err(error) => self.hold_back(error.to_string()).await?,
            }
        }
    }
}
