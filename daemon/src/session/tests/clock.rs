//! Since when the clock runs that consoles show.

use super::*;

impl Table {
    async fn press(&self, at: u64, by: Color, ms: [u64; 2]) {
        let (white_ms, black_ms) = (Some(ms[0]), Some(ms[1]));
        let press = Report::Press {
            by,
            white_ms,
            black_ms,
        };
        self.report(at, press).await;
    }

    fn clock_told(&self) -> i64 {
        let told = self.hall.boards()[0].clock_told;
        told.expect("the clock was pressed")
    }
}

#[tokio::test]
async fn a_clock_runs_from_its_press_whoever_looks_and_whenever() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table.change(2_000, Square::E2, '.').await;
    table.change(2_500, Square::E4, 'P').await;
    table.press(3_000, Color::White, [60_000, 60_000]).await;
    table.heard(&["\"running\":\"b\""]).await;
    let told = table.clock_told();
    // Whatever happens until the next press, and however often the program is started.
    table.change(4_000, Square::E7, '.').await;
    table.heard(&["\"in-hand\""]).await;
    assert_eq!(table.clock_told(), told);
    let dir = table.close().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut table = Table::at(dir);
    table.heard(&["\"running\":\"b\""]).await;
    assert_eq!(table.clock_told(), told, "after a restart");

    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: info(SensorClass::Piece),
            clock: table.clock,
            mark: None,
        })
        .await;
    table.change(5_000, Square::E5, 'p').await;
    table.press(6_000, Color::Black, [60_000, 58_000]).await;
    table.heard(&["\"running\":\"w\""]).await;
    assert!(table.clock_told() > told);
    table.close().await;
}

/// A clock that somebody stops shows the same time until it goes on.
#[tokio::test]
async fn the_time_for_which_a_clock_stands_is_nobodys() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table.change(2_000, Square::E2, '.').await;
    table.change(2_500, Square::E4, 'P').await;
    table.press(3_000, Color::White, [60_000, 60_000]).await;
    table.heard(&["\"running\":\"b\""]).await;
    let told = table.clock_told();
    table.report(3_100, Report::ClockRuns(false)).await;
    table.heard(&["\"clock_stands\":1"]).await;
    let stands = table.hall.boards()[0].clock_stands.expect("it stands");
    assert!(stands >= told);
    tokio::time::sleep(Duration::from_millis(60)).await;
    table.report(3_200, Report::ClockRuns(true)).await;
    table.heard(&["\"clock_stands\":null"]).await;
    let shift = table.clock_told() - told;
    assert!((50..5_000).contains(&shift), "{shift}");
    table.close().await;
}

#[tokio::test]
async fn the_setup_comes_before_what_the_board_says_first() {
    let mut table = Table::new();
    // It has run for a while when it is heard.
    let started = Instant::now().checked_sub(Duration::from_secs(60));
    table.clock = BoardClock::new(started.expect("a minute ago"), Time(0), 1.0);
    table.up(SensorClass::Piece).await;
    table.change(2_000, Square::E2, '.').await;
    table.change(2_500, Square::E4, 'P').await;
    table.heard(&["e2e4"]).await;
    let times: Vec<_> = table.games()[0].events.iter().map(|e| e.at).collect();
    assert!(times.is_sorted(), "{times:?}");
    table.close().await;
}
