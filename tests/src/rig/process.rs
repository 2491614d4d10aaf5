//! What a process costs, as the kernel counts it.

use std::fs;
use std::time::Duration;

/// Clock ticks a second in `/proc`; the same on every Linux that Rust runs on.
const TICKS: u32 = 100;

/// A process that runs.
#[derive(Clone, Copy, Debug)]
pub struct Process(pub u32);

impl Process {
    /// Time it has spent on processors, in its own code and in the kernel's; zero when it has gone.
    pub fn cpu(self) -> Duration {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.0)).unwrap_or_default();
        // The name is in brackets and may hold spaces; the two times are the 12th and 13th words
        // behind it.
        let words = text
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let ticks: u32 = words
            .skip(11)
            .take(2)
            .filter_map(|word| word.parse::<u32>().ok())
            .sum();
        Duration::from_secs(1) * ticks / TICKS
    }

    /// Memory that is really there for it, in bytes; zero when it has gone.
    pub fn memory(self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.0)).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kib.unwrap_or_default() * 1024
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_costs_something() {
        let me = Process(std::process::id());
        let (before, start) = (me.cpu(), std::time::Instant::now());
        while me.cpu() < before + Duration::from_millis(50) {
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "no time is counted"
            );
        }
        assert!(me.memory() > 100_000);
        assert_eq!(
            (Process(u32::MAX).memory(), Process(u32::MAX).cpu()),
            (0, Duration::ZERO)
        );
    }
}
