//! The live picture.

use arbiter_core::Time;
use arbiter_core::shakmaty::{Color, Square};
use board_driver::{BoardEvent, Condition, Report};

use crate::bench::Bench;
use crate::child::ended;
use crate::script::{change, press};
use crate::terminal::Terminal;

#[test]
fn a_picture_on_a_terminal() {
    let condition = Condition {
        stuck: Square::D5.into(),
        ..Condition::default()
    };
    let script = vec![
        change(100, Square::E2, '.'),
        change(300, Square::E4, '?'),
        BoardEvent {
            at: Time(400),
            report: Report::Condition(condition),
        },
        press(500, Color::White),
    ];
    let bench = Bench::new(|config| config.levels = true, script);
    let mut terminal = Terminal::new(bench.doctor(&["--board", "native"]), 30, 90);
    let text = terminal.shows(&[
        "native T-1: occupancy, clock, lamps, buttons, analogue",
        "White 1   Black 0",
        "d5 cannot be read",
    ]);
    assert!(text.contains("    a  b  c  d  e  f  g  h"), "{text}");
    assert!(text.contains(" 8  ?  ?  ?  ?  ?  ?  ?  ?  8"), "{text}");
    assert!(text.contains(" 5  .  .  .  .! .  .  .  .  5"), "{text}");
    let text = terminal.shows(&[" 4  .  .  .  .  ?  .  .  .  4", "levels  noise 6   drift 0"]);
    assert!(text.contains(" 2  ?  ?  ?  ?  .  ?  ?  ?  2"), "{text}");
    assert!(terminal.screen.screen().alternate_screen() && terminal.screen.screen().hide_cursor());
    let stuck = terminal
        .screen
        .screen()
        .cell(6, 3 + 3 * 3 + 1)
        .expect("a cell");
    assert_eq!(stuck.contents(), ".");
    assert!(
        stuck.inverse(),
        "a square that is not to be trusted stands out"
    );
    terminal.press("c");
    terminal.shows(&["is every square empty (rank 1"]);
    terminal.press("nl");
    terminal.shows(&["rank 1 is lit"]);
    terminal.press("r");
    terminal.shows(&["White 0   Black 0", "so far  0 changes"]);
    terminal.press("q");
    terminal.shows(&[
        "wrong   d5 cannot be read",
        "the board is not healthy: one thing is wrong",
    ]);
    let screen = terminal.screen.screen();
    assert!(
        !screen.alternate_screen() && !screen.hide_cursor(),
        "the terminal is left as it was"
    );
    assert_eq!(ended(terminal.child), 1);
}

#[test]
fn a_small_terminal_keeps_board_and_keys() {
    let bench = Bench::new(|_| {}, vec![]);
    let mut terminal = Terminal::new(bench.doctor(&["--board", "native"]), 14, 40);
    let text = terminal.shows(&[" 1  ?  ?  ?  ?  ?  ?  ?  ?  1", "q quit"]);
    assert!(
        text.lines().all(|line| line.chars().count() <= 40),
        "{text}"
    );
    terminal.press("\u{3}");
    terminal.shows(&["healthy"]);
    assert_eq!(ended(terminal.child), 0);
}
