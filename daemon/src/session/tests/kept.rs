//! A board is told what it need not keep any longer, and that is what the journal has.

use super::*;

/// The mark after so much evidence.
fn mark(next: u32) -> Mark {
    Mark { boot: 1, next }
}

impl Table {
    /// A report of a board that can repeat itself: `next` evidence has come with it.
    async fn evidence(&self, at: u64, next: u32, report: Report) {
        let event = BoardEvent {
            at: Time(at),
            report,
        };
        self.say(LinkEvent::Board {
            event,
            clock: self.clock,
            mark: Some(mark(next)),
        })
        .await;
    }

    /// Waits until the board was told that it need not keep what is before this mark; it was never
    /// told more.
    async fn acknowledged(&mut self, next: u32) {
        let told = async {
            loop {
                if let Command::Acknowledge(told) = self.wishes.recv().await.unwrap() {
                    assert!(told.next <= next, "{told:?} is not in the journal");
                    if told == mark(next) {
                        return;
                    }
                }
            }
        };
        tokio::time::timeout(PATIENCE, told)
            .await
            .expect("the board is told in time");
    }
}

#[tokio::test]
async fn what_is_not_in_the_journal_is_not_acknowledged() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table
        .evidence(5, 1, Report::Changes(vec![(Square::G1, Symbol::Empty)]))
        .await;
    table.acknowledged(1).await;
    let db = rusqlite::Connection::open(table.dir.path().join(crate::store::FILE)).unwrap();
    db.execute_batch("ALTER TABLE events RENAME TO hidden")
        .unwrap();
    let lift = Report::Changes(vec![(Square::E2, Symbol::Empty)]);
    table.evidence(10, 2, lift).await;
    table.evidence(20, 2, Report::Alive).await;
    table
        .heard(&["\"fault\":\"the journal cannot be written, play is held back"])
        .await;
    let told = tokio::time::timeout(Duration::from_millis(1_500), table.acknowledged(1)).await;
    assert!(told.is_err(), "there is nothing new to tell");
    db.execute_batch("ALTER TABLE hidden RENAME TO events")
        .unwrap();
    table.acknowledged(2).await;
    table.close().await;
}

/// Evidence that the arbiter need not be told of is taken all the same.
#[tokio::test]
async fn what_needs_no_entry_is_acknowledged_too() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table.evidence(10, 3, Report::Lost { count: 2 }).await;
    table.acknowledged(3).await;
    table.close().await;
}

/// What other wishes wait for is not taken from them.
#[tokio::test]
async fn acknowledgements_leave_room_for_other_wishes() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    for next in 1..50 {
        let seen = [Symbol::Empty, Symbol::from_char('N').unwrap()][next as usize % 2];
        let change = Report::Changes(vec![(Square::G1, seen)]);
        table.evidence(u64::from(next) * 500, next, change).await;
        table.heard(&["\"update\":\"board\""]).await;
    }
    let mut waiting = 0;
    while table.wishes.try_recv().is_ok() {
        waiting += 1;
    }
    assert!((1..4).contains(&waiting), "{waiting} of 4 places taken");
    table.evidence(30_000, 50, Report::Alive).await;
    table.acknowledged(50).await;
    table.close().await;
}

#[tokio::test]
async fn an_order_waits_for_what_the_board_has_kept() {
    let mut table = Table::new();
    table.clock = BoardClock::new(Instant::now(), Time(60_000), 1.0);
    table.up(SensorClass::Piece).await;
    let stops = table
        .hall
        .order("b01", Input::Arbiter(ArbiterAction::Pause));
    // The order is there first, and the move was made before it.
    let tells = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        table.change(1_000, Square::E2, '.').await;
        table.change(1_500, Square::E4, 'P').await;
        let press = Report::Press {
            by: Color::White,
            white_ms: None,
            black_ms: None,
        };
        table.report(2_000, press).await;
        table.report(60_000, Report::Alive).await;
    };
    tokio::join!(stops, tells).0.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    let board = table.hall.boards().remove(0);
    let plies = &board.view().unwrap().plies;
    assert!(matches!(&plies[..], [ply] if ply.completed), "{plies:?}");
    table.close().await;
}
