//! A session with the end of its line in our hands.

mod clock;
mod damage;

use std::time::Duration;

use arbiter_core::Symbol;
use arbiter_core::input::ArbiterAction;
use arbiter_core::orientation::Orientation;
use arbiter_core::ruling::Ruling;
use arbiter_core::shakmaty::{Bitboard, Board, Color, Rank, Square};
use arbiter_core::view::Phase;
use board_driver::{Fault, FaultReason, PortSpec, Trouble, TroubleCode};
use tokio::sync::broadcast::Receiver;
use tokio::task::JoinHandle;

use super::*;
use crate::hall::{Hall, Live, NewGame};

mod adjourned;
mod array;
mod begun;
mod board;
mod calibrate;
mod early;
mod flag;
mod kept;
mod misplaced;
mod next_game;
mod rests;
mod round;
mod settled;
mod unseen;
mod unset;

const PATIENCE: Duration = Duration::from_secs(20);

/// A session on a store of its own.
struct Table {
    dir: tempfile::TempDir,
    hall: Hall,
    office: Office,
    live: Receiver<Live>,
    line: mpsc::Sender<LinkEvent>,
    wishes: mpsc::Receiver<Command>,
    clock: BoardClock,
    shutdown: CancellationToken,
    session: JoinHandle<()>,
    threads: [std::thread::JoinHandle<()>; 2],
}

fn info(sensor: SensorClass) -> BoardInfo {
    BoardInfo {
        serial: "T-1".to_owned(),
        sensor,
        clock: true,
        scan_ms: 0,
        polled: false,
        levels: false,
        map: false,
        self_test: false,
        lamps: true,
        adjust: false,
        pace: 1.0,
        boot: 1,
    }
}

impl Table {
    fn new() -> Table {
        Table::at(tempfile::tempdir().unwrap())
    }

    fn at(dir: tempfile::TempDir) -> Table {
        Table::lying(dir, Orientation::Upright)
    }

    /// A board that is configured to lie so.
    fn lying(dir: tempfile::TempDir, lies: Orientation) -> Table {
        let (journal, journal_thread) = Journal::open(dir.path()).unwrap();
        let (scribe, scribe_thread) = Scribe::start(dir.path(), Default::default()).unwrap();
        let threads = [journal_thread, scribe_thread];
        let store = Store::open(dir.path()).unwrap();
        let mut board = BoardConfig::new("b01", PortSpec::Path("/dev/none".into()));
        board.turn = lies;
        let (hall, mut stations) = Hall::new(vec![BoardState::new("b01", None)], store.clone());
        let (station, live) = (stations.remove(0), hall.subscribe());
        let (event, shutdown) = (EventConfig::default(), CancellationToken::new());
        let solver = Solver::start().unwrap();
        let (to, notes) = (journal.clone(), Some(scribe.clone()));
        let office = Office::open(store.clone(), to, vec!["b01".to_owned()], notes).unwrap();
        let parts = Parts {
            board,
            event,
            station,
            office: office.clone(),
            journal,
            store,
            scribe,
            solver,
            shutdown: shutdown.clone(),
        };
        let (line, reports) = mpsc::channel(64);
        let mut session = Session::open(parts).unwrap();
        let (_, wishes) = session.link().unwrap();
        let session = tokio::spawn(session.follow(reports));
        Table {
            dir,
            hall,
            office,
            live,
            line,
            wishes,
            clock: BoardClock::new(Instant::now(), Time(0), 1.0),
            shutdown,
            session,
            threads,
        }
    }

    async fn say(&self, event: LinkEvent) {
        self.line.send(event).await.unwrap();
    }

    async fn up(&self, sensor: SensorClass) {
        self.say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: info(sensor),
            clock: self.clock,
            mark: None,
        })
        .await;
        self.report(0, Report::Snapshot(sensor.reads(&Board::new())))
            .await;
    }

    async fn report(&self, at: u64, report: Report) {
        let event = BoardEvent {
            at: Time(at),
            report,
        };
        self.say(LinkEvent::Board {
            event,
            clock: self.clock,
            mark: None,
        })
        .await;
    }

    async fn change(&self, at: u64, square: Square, seen: char) {
        self.report(
            at,
            Report::Changes(vec![(square, Symbol::from_char(seen).unwrap())]),
        )
        .await;
    }

    /// The next message of the live feed that holds every one of `parts`.
    async fn message(&mut self, parts: &[&str]) -> String {
        loop {
            let json = self.live.recv().await.unwrap().json;
            if parts.iter().all(|part| json.contains(part)) {
                return json.to_string();
            }
        }
    }

    /// Waits for a message of the live feed that holds every one of `parts`.
    async fn heard(&mut self, parts: &[&str]) -> String {
        tokio::time::timeout(PATIENCE, self.message(parts))
            .await
            .unwrap_or_else(|_| panic!("no message with {parts:?}; {:#?}", self.hall.boards()))
    }

    /// Lets so much time pass, and no message of the live feed holds every one of `parts`.
    async fn quiet_for(&mut self, time: Duration, parts: &[&str]) {
        if let Ok(told) = tokio::time::timeout(time, self.message(parts)).await {
            panic!("this should not have been said: {told}");
        }
    }

    fn games(&self) -> Vec<Game> {
        Store::open(self.dir.path())
            .unwrap()
            .latest("b01", 9)
            .unwrap()
    }

    async fn close(self) -> tempfile::TempDir {
        self.shutdown.cancel();
        self.session.await.unwrap();
        self.office.close();
        drop(self.office);
        self.threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        self.dir
    }
}

#[tokio::test]
async fn what_is_learned_of_a_board_is_asked_for_told_and_kept() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table
        .say(LinkEvent::Learning(Learning::Wanted(Fault::new(
            "pieces-unknown",
            "set up the starting position",
        ))))
        .await;
    table
        .heard(&["\"fault\":\"set up the starting position\""])
        .await;
    let learned = |memory: &str| Learning::Done {
        memory: memory.to_owned(),
        words: format!("learned {memory}"),
    };
    table.say(LinkEvent::Learning(learned("one"))).await;
    table
        .heard(&["\"fault\":null", "\"note\":\"learned one\""])
        .await;
    table.say(LinkEvent::Learning(learned("two"))).await;
    table.heard(&["learned two"]).await;
    let dir = table.close().await;
    assert_eq!(
        Store::open(dir.path())
            .unwrap()
            .memory("b01")
            .unwrap()
            .as_deref(),
        Some("two")
    );
    assert_eq!(
        Store::open(dir.path()).unwrap().memory("b02").unwrap(),
        None
    );
}

#[tokio::test]
async fn a_result_waits_for_its_answer_and_the_journal_has_both() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    let fall = Input::FlagFall { by: Color::White };
    table.heard(&["\"update\":\"board\""]).await;
    table.hall.order("b01", fall).await.unwrap();
    table
        .heard(&[
            "\"ruling\":\"result\"",
            "\"result\":\"0-1\"",
            "\"reason\":\"flag-fall\"",
        ])
        .await;
    let games = table.games();
    let events = &games[0].events;
    assert!(
        events
            .iter()
            .any(|event| matches!(event.input, Input::Mating { .. })),
        "{events:?}"
    );
    // The script tells it again without anybody's answering.
    let (mut follower, mut said) = (Follower::new(), Vec::new());
    assert!(
        events
            .iter()
            .all(|event| follower.handle(event, &mut said).is_empty())
    );
    assert!(
        said.iter().any(|a| matches!(
            a.ruling,
            Ruling::Result {
                proposed: false,
                ..
            }
        )),
        "{said:?}"
    );
    assert_eq!(
        hall::view(follower.arbiter(), None).as_ref(),
        table.hall.board("b01").unwrap().view()
    );
    table.close().await;
}

#[tokio::test]
async fn silence_speaks_and_what_it_says_comes_back_from_the_journal() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table.change(10, Square::E2, '.').await;
    table
        .heard(&["\"update\":\"board\"", "\"state\":\"in-hand\""])
        .await;
    table.change(400, Square::E4, 'P').await;
    // Nothing else happens: the move is told because it rests.
    table
        .heard(&[
            "\"ruling\":\"move\"",
            "\"uci\":\"e2e4\"",
            "\"state\":\"made\"",
            "\"board\":\"b01\"",
        ])
        .await;
    table
        .heard(&["\"update\":\"board\"", "\"moves\":[\"e2e4\"]"])
        .await;
    let live = table.hall.board("b01").unwrap();
    let games = table.games();
    let ticks = games[0]
        .events
        .iter()
        .filter(|event| event.input == Input::Tick)
        .count();
    assert!(
        (1..=2).contains(&ticks),
        "only ticks that made the arbiter speak are kept: {:?}",
        games[0].events
    );
    assert_eq!(games[0].view().as_ref(), live.view());
    let dir = table.close().await;
    let mut table = Table::at(dir);
    table.heard(&["\"moves\":[\"e2e4\"]"]).await;
    assert_eq!(
        table.hall.board("b01").unwrap().view(),
        live.view(),
        "rebuilt from the journal"
    );
    table.close().await;
}

#[tokio::test]
async fn no_silence_is_made_of_a_cut_line() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table.change(10, Square::E2, '.').await;
    table.change(40, Square::E4, 'P').await;
    table.say(LinkEvent::Down(FaultReason::Unplugged)).await;
    table
        .heard(&[
            "\"connected\":false",
            "\"fault\":\"the board was unplugged\"",
        ])
        .await;
    table
        .quiet_for(Duration::from_millis(700), &["\"ruling\":\"move\""])
        .await;
    assert!(
        table.hall.board("b01").unwrap().moves.is_empty(),
        "what happened meanwhile is unknown"
    );
    let clock = BoardClock::new(Instant::now(), Time(5_000), 1.0);
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: info(SensorClass::Piece),
            clock,
            mark: None,
        })
        .await;
    table.change(2_000, Square::E4, '.').await;
    table.change(2_500, Square::E3, 'P').await;
    table.report(5_000, Report::Alive).await;
    let told = table.heard(&["\"ruling\":\"move\""]).await;
    assert!(
        told.contains("\"uci\":\"e2e3\"") || told.contains("\"uci\":\"e2e4\""),
        "{told}"
    );
    table.heard(&["\"connected\":true", "\"fault\":null"]).await;
    table.close().await;
}

/// What happens on the board from then on is asked for again, should the program die before it has
/// heard anything.
#[tokio::test]
async fn a_game_that_begins_is_known_from_its_first_moment_on() {
    let mut table = Table::new();
    let up = |next| LinkEvent::Up {
        kind: BoardKind::Native,
        info: info(SensorClass::Piece),
        clock: table.clock,
        mark: Some(Mark { boot: 7, next }),
    };
    let (first, again) = (up(40), up(90));
    table.say(first).await;
    table.heard(&["\"connected\":true"]).await;
    let place = |table: &Table| {
        let store = Store::open(table.dir.path()).unwrap();
        let place = store.place("b01").unwrap();
        place.map(|place| (place.boot, place.next))
    };
    assert_eq!(place(&table), Some((7, 40)));
    table.say(again).await;
    table.report(10, Report::Alive).await;
    table.change(20, Square::E2, '.').await;
    table.message(&["\"board\""]).await;
    assert_eq!(
        place(&table),
        Some((7, 40)),
        "what lies between is not taken"
    );
    table.close().await;
}

#[tokio::test]
async fn a_journal_that_refuses_holds_play_back_and_loses_nothing() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table.heard(&["\"state\":\"rest\""]).await;
    let db = rusqlite::Connection::open(table.dir.path().join(crate::store::FILE)).unwrap();
    db.execute_batch("ALTER TABLE events RENAME TO hidden")
        .unwrap();
    table.change(10, Square::E2, '.').await;
    table
        .heard(&["\"fault\":\"the journal cannot be written, play is held back"])
        .await;
    table.change(400, Square::E4, 'P').await;
    table.report(900, Report::Alive).await;
    table
        .quiet_for(Duration::from_millis(300), &["\"ruling\":"])
        .await;
    let held = table.hall.board("b01").unwrap();
    assert!(
        held.moves.is_empty() && held.view().unwrap().differs.is_empty(),
        "shown before it is written"
    );
    db.execute_batch("ALTER TABLE hidden RENAME TO events")
        .unwrap();
    table
        .heard(&["\"ruling\":\"move\"", "\"uci\":\"e2e4\""])
        .await;
    table
        .heard(&["\"update\":\"board\"", "\"fault\":null"])
        .await;
    let inputs: Vec<Input> = table.games()[0]
        .events
        .iter()
        .map(|event| event.input.clone())
        .collect();
    assert!(
        inputs.contains(&Input::Lift { square: Square::E2 }),
        "{inputs:?}"
    );
    table.close().await;
}

#[tokio::test]
async fn lost_reports_are_a_fault_until_the_board_tells_how_it_stands() {
    let mut table = Table::new();
    table.up(SensorClass::Occupancy).await;
    table.report(500, Report::Lost { count: 3 }).await;
    table.heard(&["\"fault\":\"3 reports were lost"]).await;
    table
        .report(
            600,
            Report::Snapshot(SensorClass::Occupancy.reads(&Board::new())),
        )
        .await;
    table
        .heard(&["\"update\":\"board\"", "\"fault\":null"])
        .await;
    table.close().await;
}

#[tokio::test]
async fn a_board_of_another_class_is_a_fault() {
    let mut table = Table::new();
    table.up(SensorClass::Colour).await;
    table.heard(&["\"state\":\"rest\""]).await;
    let dir = table.close().await;
    let mut table = Table::at(dir);
    table.up(SensorClass::Occupancy).await;
    table
        .heard(&["\"fault\":\"the board has occupancy sensors, \
             its game was set up for colour sensors: it is not"])
        .await;
    let count = table.games()[0].events.len();
    table.change(700, Square::E2, '.').await;
    let finer = BoardInfo {
        boot: 2,
        ..info(SensorClass::Piece)
    };
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: finer,
            clock: table.clock,
            mark: None,
        })
        .await;
    table.heard(&["sensors: it is used as such"]).await;
    assert_eq!(
        table.games()[0].events.len(),
        count,
        "a coarser board is not listened to"
    );
    table
        .report(
            800,
            Report::Snapshot(SensorClass::Piece.reads(&Board::new())),
        )
        .await;
    table.change(900, Square::E2, '.').await;
    table.heard(&["\"state\":\"in-hand\""]).await;
    let seen = table.games()[0]
        .events
        .iter()
        .rev()
        .find_map(|event| match &event.input {
            Input::Snapshot { board } => Some(**board),
            _ => None,
        });
    assert_eq!(
        seen,
        Some(SensorClass::Colour.reads(&Board::new())),
        "read as the game expects"
    );
    table
        .hall
        .new_game("b01", crate::hall::NewGame::default())
        .await
        .unwrap();
    let state = table.hall.board("b01").unwrap();
    assert_eq!(
        (state.fault.as_deref(), state.view().unwrap().sensor),
        (None, SensorClass::Piece)
    );
    table.close().await;
}

#[tokio::test]
async fn how_a_board_lies_is_kept_for_the_next_game() {
    let mut table = Table::new();
    let lies = Orientation::Quarter;
    let stands = lies
        .back()
        .reading(&SensorClass::Piece.reads(&Board::new()));
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: info(SensorClass::Piece),
            clock: table.clock,
            mark: None,
        })
        .await;
    table.report(0, Report::Snapshot(stands)).await;
    table.heard(&["\"code\":\"board-orientation-wrong\""]).await;
    let told = Input::Arbiter(ArbiterAction::BoardTurned { turned: lies });
    table.hall.order("b01", told).await.unwrap();
    let view = |table: &Table| table.hall.board("b01").unwrap().view().unwrap().clone();
    let first = view(&table);
    assert_eq!((first.turned, first.differs), (lies, vec![]));
    table
        .hall
        .new_game("b01", NewGame::default())
        .await
        .unwrap();
    let next = view(&table);
    assert_eq!(
        (next.turned, next.differs, next.findings.len()),
        (lies, vec![], 0)
    );
    assert_ne!(next.game, first.game);
    table.close().await;
}

#[tokio::test]
async fn a_board_that_is_configured_to_lie_turned_is_read_so() {
    let lies = Orientation::Half;
    let mut table = Table::lying(tempfile::tempdir().unwrap(), lies);
    let stands = lies.reading(&SensorClass::Piece.reads(&Board::new()));
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: info(SensorClass::Piece),
            clock: table.clock,
            mark: None,
        })
        .await;
    table.report(0, Report::Snapshot(stands)).await;
    table
        .report(1_000, Report::Changes(vec![(Square::D7, Symbol::Empty)]))
        .await;
    table.heard(&["\"differs\":[\"e2\"]"]).await;
    let view = table.hall.board("b01").unwrap().view().unwrap().clone();
    assert_eq!((view.turned, view.findings.len()), (lies, 0));
    table.close().await;
}
