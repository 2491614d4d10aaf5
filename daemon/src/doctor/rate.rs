//! How often something happens.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A rate is that of the last seconds.
const WINDOW: Duration = Duration::from_secs(5);

/// Counts something, and tells how fast it grows.
#[derive(Clone, Debug, Default)]
pub struct Rate {
    total: u64,
    recent: VecDeque<(Instant, u64)>,
}

impl Rate {
    /// So much more at `now`.
    pub fn add(&mut self, now: Instant, count: u64) {
        self.total += count;
        if count > 0 {
            self.recent.push_back((now, count));
        }
        while self
            .recent
            .front()
            .is_some_and(|(when, _)| now.saturating_duration_since(*when) > WINDOW)
        {
            self.recent.pop_front();
        }
    }

    /// How much in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How much a second at `now`, of what began to be counted at `began`.
    pub fn per_second(&self, now: Instant, began: Instant) -> f64 {
        let is_recent = |when: &Instant| now.saturating_duration_since(*when) <= WINDOW;
        let count: u64 = self
            .recent
            .iter()
            .filter(|(when, _)| is_recent(when))
            .map(|(_, count)| count)
            .sum();
        let span = now
            .saturating_duration_since(began)
            .clamp(Duration::from_secs(1), WINDOW);
        count as f64 / span.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_seconds_count() {
        let (began, mut rate) = (Instant::now(), Rate::default());
        let after = |ms| began + Duration::from_millis(ms);
        assert_eq!(rate.per_second(began, began), 0.0);
        for n in 0..20 {
            rate.add(after(n * 100), 3);
        }
        assert_eq!(
            (rate.total(), rate.per_second(after(2_000), began)),
            (60, 30.0)
        );
        assert_eq!(rate.per_second(after(5_000), began), 12.0);
        assert_eq!(rate.per_second(after(20_000), began), 0.0);
    }
}
