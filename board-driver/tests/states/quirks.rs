//! Boards that do something otherwise than others of their kind.

use std::time::Duration;

use arbiter_core::Time;
use board_driver::sim::{LineNoise, Quirks, SimConfig};
use board_driver::{BoardEvent, BoardKind, FaultReason, Learning, Report};

use crate::table::{Table, class, config, script};

/// It tells its state at every scan, and the game is read from that.
#[test]
fn a_chesslink_that_keeps_its_settings_is_played_on_with_a_fault() {
    let kind = BoardKind::ChessLink;
    let (script, boards) = script(kind, 3);
    let config = SimConfig {
        quirks: Quirks {
            keeps_settings: true,
            ..Quirks::default()
        },
        ..config(kind)
    };
    let mut table = Table::new(&config, kind, script, LineNoise::default(), None);
    table.run(Duration::from_secs(15));
    assert_eq!(table.writes("W0203"), 3);
    table.run(Duration::from_secs(600));
    assert_eq!(table.writes("W0203"), 3);
    assert_eq!(table.missing(class(kind), &boards), None);
    assert!(
        matches!(&table.learned[..], [Learning::Wanted(fault)] if fault.kind == "asked-each-scan"),
        "{:?}",
        table.learned
    );
    assert_eq!(table.faults, []);
}

/// A board that tells nothing but changes while a player thinks, and one that answers when it is
/// asked for its battery.
#[test]
fn a_chessnut_that_tells_changes_only_is_not_dead_while_nothing_moves() {
    let kind = BoardKind::Chessnut;
    let long = Duration::from_secs(40 * 60);
    let (mut script, boards) = script(kind, 3);
    // Nobody moves for forty minutes before the first move.
    script
        .iter_mut()
        .for_each(|event| event.at.0 += long.as_millis() as u64);
    for keeps_battery in [false, true] {
        let config = SimConfig {
            quirks: Quirks {
                tells_changes_only: true,
                keeps_battery,
                ..Quirks::default()
            },
            ..config(kind)
        };
        let mut table = Table::new(&config, kind, script.clone(), LineNoise::default(), None);
        table.run(long + Duration::from_secs(600));
        assert_eq!(table.faults, [], "{keeps_battery}");
        assert_eq!(table.missing(class(kind), &boards), None, "{keeps_battery}");
        assert_eq!(table.snapshots(), 1, "{keeps_battery}");
    }
}

/// It has answered when nothing moved, and does so no more.
#[test]
fn a_chessnut_that_answers_no_more_is_silent() {
    let kind = BoardKind::Chessnut;
    for tells_changes_only in [false, true] {
        let config = SimConfig {
            quirks: Quirks {
                tells_changes_only,
                ..Quirks::default()
            },
            ..config(kind)
        };
        let long = BoardEvent {
            at: Time(3_600_000),
            report: Report::Alive,
        };
        let mut table = Table::new(&config, kind, vec![long], LineNoise::default(), None);
        table.run(Duration::from_secs(60));
        assert_eq!(table.faults, [], "{tells_changes_only}");
        table.is_cut = true;
        table.run(Duration::from_secs(5));
        assert_eq!(
            table.faults.first(),
            Some(&FaultReason::Silent),
            "{tells_changes_only}"
        );
    }
}

/// Another program died in the middle of its order; or another kind's question was heard as the
/// beginning of one. The board waits for the rest of it.
#[test]
fn a_chesslink_that_waits_for_the_rest_of_an_order_is_understood() {
    let lamps = [b"L32".as_slice(), &[b'0'; 160]].concat();
    for begun in [b"L".as_slice(), &lamps, b"W02", b"R", b"?*\r\nL4"] {
        let mut table = Table::new(
            &config(BoardKind::ChessLink),
            BoardKind::ChessLink,
            Vec::new(),
            LineNoise::default(),
            None,
        );
        table.board.reboot(table.now);
        let odd = |byte: &u8| byte & 0x7f | (u8::from(byte.count_ones().is_multiple_of(2)) << 7);
        let begun: Vec<u8> = begun.iter().map(odd).collect();
        table.board.receive(table.now, &begun);
        table.connect();
        table.run(Duration::from_secs(1));
        let told = table.heard.first().map(|event| &event.report);
        assert!(
            matches!(told, Some(Report::Hello(_))),
            "{begun:x?}: {told:?}"
        );
    }
}
