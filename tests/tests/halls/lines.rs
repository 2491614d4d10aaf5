//! Lines between hall and hub that are slow, narrow, lossy or cut: every row comes, once, as soon
//! as the line lets it.

use std::time::{Duration, Instant};

use tests::rig::let_run;

use super::bulk::Bulk;
use super::hub::{Hub, Place, Way, same_rows};
use super::line::SlowLine;
use super::nats::number;

over_both! {
    a_hub_that_is_killed_again_and_again_has_every_row_once
    a_slow_line_that_is_cut_brings_every_row_once
    a_line_that_loses_one_segment_in_twenty_brings_every_row_once_and_soon
    a_narrow_line_lets_a_hall_catch_up_however_long_that_takes
    a_hall_that_is_cut_off_in_a_busy_hour_writes_on_and_catches_up
}

/// Killed while rows are on their way, taken, or written and not yet acknowledged; every third time
/// the hall is switched off as well.
fn a_hub_that_is_killed_again_and_again_has_every_row_once(way: Way) {
    let (rows, kills) = (number("HALLS_ROWS", 3_000), number("HALLS_KILLS", 3));
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::open(&place);
    for kill in 0..kills {
        hall.write(rows / kills, 20);
        let_run(Duration::from_millis(kill * 131 % 300));
        hub.kill();
        if kill % 3 == 2 {
            hall.close();
            hall = Bulk::open(&place);
        }
        hub.start();
        let_run(Duration::from_millis(kill * 277 % 1_500));
    }
    hall.until_complete();
    same_rows(&hub, &place);
    assert_eq!(hub.mirror_is_sound("main"), "");
    hall.close();
    hub.close();
}

fn a_slow_line_that_is_cut_brings_every_row_once(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut place = Place::new(&hub, "main");
    let line = place.over(|hub| SlowLine::to(hub, Duration::from_millis(100)));
    let mut hall = Bulk::open(&place);
    for cut in 0..3 {
        hall.write(700, 7);
        // What was sent is not yet there, or what came of it not yet here.
        let_run(Duration::from_millis(500 + cut * 130));
        line.cut();
    }
    hall.until_complete();
    same_rows(&hub, &place);
    assert_eq!(hub.mirror_is_sound("main"), "");
    hall.close();
    hub.close();
}

/// Two hundred milliseconds one way, as over a satellite or a crowded mobile cell.
fn a_line_that_loses_one_segment_in_twenty_brings_every_row_once_and_soon(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut place = Place::new(&hub, "main");
    let delay = Duration::from_millis(200);
    let line = place.over(|hub| SlowLine::that_loses(hub, delay, 5));
    let mut hall = Bulk::open(&place);
    // A hundred boards: forty rows a second.
    let mut late = hall.play(600, Duration::from_millis(25), |_| {});
    late.sort();
    let (half, most) = (late[late.len() / 2], late[late.len() * 99 / 100]);
    // There and back, and a segment that was lost, once or twice.
    println!(
        "{} bytes, half within {half:?}, 99 of 100 within {most:?}",
        line.sent()
    );
    assert!(half < Duration::from_millis(1_500), "{half:?}");
    assert!(most < Duration::from_secs(8), "{most:?}");
    // The same while it is cut three times.
    hall.play(600, Duration::from_millis(25), |row| {
        if row % 150 == 100 {
            line.cut();
        }
    });
    hall.until_complete();
    same_rows(&hub, &place);
    assert_eq!(hub.mirror_is_sound("main"), "");
    hall.close();
    hub.close();
}

/// Ten boards on a mobile line. The hub hangs up on a hall of which it hears nothing for twenty
/// seconds: what takes longer than that has to come in pieces.
fn a_narrow_line_lets_a_hall_catch_up_however_long_that_takes(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut place = Place::new(&hub, "main");
    let line = place.over(|hub| SlowLine::that_carries(hub, 2_000));
    let mut hall = Bulk::open(&place);
    hall.write(256, 256);
    let begun = Instant::now();
    hall.until_complete();
    println!("{} bytes in {:?}", line.sent(), begun.elapsed());
    assert!(
        begun.elapsed() > Duration::from_secs(20),
        "it is not narrow"
    );
    same_rows(&hub, &place);
    hall.close();
    hub.close();
}

/// Three hundred events a second while a cable is pulled: nobody is told, nothing is refused.
fn a_hall_that_is_cut_off_in_a_busy_hour_writes_on_and_catches_up(way: Way) {
    let seconds = number("HALLS_CUT", 4);
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut place = Place::new(&hub, "main");
    let line = place.over(|hub| SlowLine::to(hub, Duration::from_millis(20)));
    let mut hall = Bulk::open(&place);
    let there = hall.write_at_pace(2 * 300);
    hall.until_complete();
    line.hold(true);
    let cut = hall.write_at_pace(seconds * 300);
    let behind = hall.behind();
    assert!(behind >= seconds * 300, "{behind}");
    line.hold(false);
    let begun = Instant::now();
    hall.until_complete();
    let took = begun.elapsed();
    println!("{behind} rows in {took:?}; a commit took {there:?} before and {cut:?} meanwhile");
    // A line of which nothing was heard is given up, and called anew within ten seconds.
    assert!(took < Duration::from_secs(15 + seconds / 10), "{took:?}");
    assert!(
        cut < 3 * there + Duration::from_millis(30),
        "{there:?}, {cut:?}"
    );
    same_rows(&hub, &place);
    assert_eq!(hub.mirror_is_sound("main"), "");
    hall.close();
    hub.close();
}
