//! Waiting: for what is to happen, and never for a time in which it should have happened.
//!
//! Where something tells that it has happened (a channel, a line that ends), wait for that. Where
//! nothing does, [`look_until`] looks again and again. The other waits are those in which time
//! itself is what is meant, and their names say so.

use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at least, and at most.
const SOON: Duration = Duration::from_millis(2);
const LATER: Duration = Duration::from_millis(100);
/// A look that takes long is taken rarely: whoever waits must not keep others from their work.
const REST: u32 = 8;

/// Looks until `look` is content; what it said last when that does not come within `patience`.
///
/// # Errors
/// What was still wrong at the end.
pub fn look_until<T, E>(
    patience: Duration,
    mut look: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    let end = Instant::now() + patience;
    loop {
        let begun = Instant::now();
        let seen = look();
        let now = Instant::now();
        if seen.is_ok() || now > end {
            return seen;
        }
        thread::sleep((now.duration_since(begun) * REST).clamp(SOON, LATER));
    }
}

/// Waits until `is_so`.
///
/// # Panics
/// With the name of what did not come within `patience`.
#[track_caller]
pub fn until(what: &str, patience: Duration, mut is_so: impl FnMut() -> bool) {
    let seen = look_until(patience, || is_so().then_some(()).ok_or(()));
    assert!(seen.is_ok(), "waited {patience:?} in vain for {what}");
}

/// Hands, and the springs that they let go, take their time.
pub fn pause_of_a_hand(time: Duration) {
    thread::sleep(time);
}

/// Lets everything run for as long as it is to be measured.
pub fn let_run(time: Duration) {
    thread::sleep(time);
}

/// Returns at a moment that was chosen before, such as the one in which the power fails.
pub fn at_the_moment(moment: Instant) {
    thread::sleep(moment.saturating_duration_since(Instant::now()));
}

/// The timer of a simulated device.
pub async fn wake_at(moment: Instant) {
    tokio::time::sleep_until(moment.into()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_as_soon_as_it_is_so() {
        let mut looks = 0;
        until("the third look", Duration::from_secs(60), || {
            looks += 1;
            looks == 3
        });
        assert_eq!(looks, 3);
    }

    #[test]
    #[should_panic(expected = "in vain for a cow on the moon")]
    fn what_did_not_come_is_named() {
        until("a cow on the moon", Duration::from_millis(5), || false);
    }

    #[test]
    fn the_last_complaint_is_kept() {
        let mut left = 5;
        let seen: Result<(), u32> = look_until(Duration::from_millis(30), || {
            left -= u32::from(left > 1);
            Err(left)
        });
        assert_eq!(seen, Err(1));
    }
}
