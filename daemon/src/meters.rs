//! What the daemon counts, for `/metrics`. Every name starts with `arbiter_`; `docs/operations.md`
//! lists them.

use std::sync::OnceLock;

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Bounds of a commit's duration in seconds, around the millisecond that a disk takes.
const COMMIT: [f64; 10] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0];

/// The meters of this process. The first call starts them.
pub fn handle() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let builder = PrometheusBuilder::new();
        let matcher = Matcher::Full("arbiter_commit_seconds".to_owned());
        // Refused only for an empty list of bounds; the default then still counts and sums.
        let builder = builder
            .set_buckets_for_metric(matcher, &COMMIT)
            .unwrap_or_default();
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another recorder of metrics is in place; /metrics stays empty");
        }
        describe();
        handle
    })
}

/// What is counted, each from zero on: of a counter that first shows itself with its first fault,
/// Prometheus takes that one for where it began, and no alert tells it.
const COUNTERS: [(&str, &str); 14] = [
    (
        "arbiter_connections_total",
        "Times a board came onto the line",
    ),
    ("arbiter_faults_total", "Times a board was lost"),
    (
        "arbiter_reports_lost_total",
        "Reports of boards that were lost for good",
    ),
    (
        "arbiter_repeats_total",
        "Times reports were asked for again",
    ),
    (
        "arbiter_late_scans_total",
        "Scans of boards that came too late to be trusted",
    ),
    ("arbiter_events_total", "Events told to the arbiter"),
    (
        "arbiter_journal_events_total",
        "Events written to the journal",
    ),
    (
        "arbiter_journal_errors_total",
        "Writes that the journal refused",
    ),
    (
        "arbiter_pgn_errors_total",
        "PGN files that could not be written",
    ),
    (
        "arbiter_public_corrections_total",
        "Corrections of what had been public",
    ),
    (
        "arbiter_console_missed_total",
        "Messages that slow consoles missed; they were told everything anew",
    ),
    (
        "arbiter_console_refused_total",
        "Connections closed at once, for want of room that somebody could make",
    ),
    (
        "arbiter_console_gave_way_total",
        "Connections closed to make room for somebody else",
    ),
    (
        "arbiter_console_handshakes_failed_total",
        "Connections that agreed on no keys; of browsers until the certificate is trusted",
    ),
];

fn describe() {
    for (name, what) in COUNTERS {
        describe_counter!(name, what);
        metrics::counter!(name).increment(0);
    }
    describe_counter!(
        "arbiter_frames_damaged_total",
        "Damaged frames, by the end of the line that received them"
    );
    line(&board_driver::LineTrouble::default());
    describe_counter!("arbiter_rulings_total", "What the arbiter said, by kind");
    describe_counter!(
        "arbiter_lichess_requests_total",
        "Requests to Lichess, by whether they were taken"
    );
    describe_gauge!("arbiter_boards", "Boards in the configuration");
    describe_gauge!("arbiter_boards_connected", "Boards that answer");
    describe_gauge!(
        "arbiter_hub_connected",
        "Whether there is a line to the hub"
    );
    describe_gauge!(
        "arbiter_hub_behind",
        "Rows that the hub has not yet said to have"
    );
    describe_gauge!("arbiter_public_games", "Games of which something is public");
    describe_gauge!(
        "arbiter_lichess_failing",
        "Rounds of which Lichess did not take the last request"
    );
    describe_gauge!(
        "arbiter_lichess_refused",
        "Games that Lichess does not take"
    );
    describe_gauge!(
        "arbiter_lichess_taken_timestamp_seconds",
        "When Lichess last took a request, in seconds since 1970"
    );
    describe_gauge!(
        "arbiter_public_folder_failing",
        "Whether something public could not be written to the folder, or taken away there"
    );
    describe_gauge!(
        "arbiter_livechess_clients",
        "Programs that follow boards as those of LiveChess"
    );
    describe_gauge!("arbiter_console_clients", "Consoles that follow the boards");
    let from_none = [
        "arbiter_boards_connected",
        "arbiter_public_games",
        "arbiter_console_clients",
    ];
    for name in from_none {
        metrics::gauge!(name).increment(0.0);
    }
    describe_histogram!(
        "arbiter_commit_seconds",
        Unit::Seconds,
        "From handing an event to the journal to its being on disk"
    );
}

/// Counts what went wrong on a board's line.
pub(crate) fn line(trouble: &board_driver::LineTrouble) {
    let damaged = |end: &'static str, count: u32| {
        metrics::counter!("arbiter_frames_damaged_total", "end" => end).increment(u64::from(count));
    };
    damaged("host", trouble.damaged);
    damaged("board", trouble.damaged_at_board);
    metrics::counter!("arbiter_repeats_total").increment(u64::from(trouble.repeats));
    metrics::counter!("arbiter_late_scans_total").increment(u64::from(trouble.late_scans));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    /// Every name of a meter in `text`, without what Prometheus adds to those of a histogram.
    fn names(text: &str) -> BTreeSet<&str> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let meters = words.filter(|word| word.starts_with("arbiter_"));
        meters
            .map(|word| word.trim_end_matches("_bucket"))
            .collect()
    }

    #[test]
    fn dashboard_and_alerts_ask_for_meters_that_there_are() {
        let described = names(include_str!("meters.rs"));
        let dashboard = include_str!("../../packaging/prometheus/dashboard.json");
        let read: serde_json::Value = serde_json::from_str(dashboard).unwrap();
        assert!(read["panels"].as_array().unwrap().len() >= 10);
        let alerts = include_str!("../../packaging/prometheus/arbiter.rules.yml");
        for text in [dashboard, alerts] {
            let asked = names(text);
            assert!(asked.len() >= 6);
            assert!(
                asked.is_subset(&described),
                "{:?}",
                asked.difference(&described)
            );
        }
        let shown = names(dashboard);
        let missing: Vec<_> = names(include_str!("../../docs/operations.md"))
            .into_iter()
            .filter(|meter| !shown.contains(meter))
            .collect();
        assert!(
            missing.is_empty(),
            "the dashboard does not show {missing:?}"
        );
    }

    /// An alert on a counter tells its first fault only where it was there, at zero, before.
    #[test]
    fn what_alerts_ask_for_is_there_before_anything_has_gone_wrong() {
        let rendered = super::handle().render();
        let there = |meter: &str| {
            let values = rendered.lines().filter(|line| !line.starts_with('#'));
            let mut names = values.filter_map(|line| line.split([' ', '{']).next());
            names.any(|name| name == meter)
        };
        let alerts = include_str!("../../packaging/prometheus/arbiter.rules.yml");
        // Those that are there with what they are about, and one of durations, not of faults.
        let later = |meter: &&str| {
            let of = ["arbiter_hub_", "arbiter_lichess_", "arbiter_commit_"];
            of.iter().any(|of| meter.starts_with(of)) || *meter == "arbiter_boards"
        };
        for meter in names(alerts).into_iter().filter(|meter| !later(meter)) {
            assert!(there(meter), "{meter} is not there:\n{rendered}");
        }
        for (meter, _) in super::COUNTERS {
            assert!(there(meter), "{meter}");
        }
    }

    #[test]
    fn every_meter_is_described_and_stands_in_the_handbook() {
        let described = names(include_str!("meters.rs"));
        let handbook = names(include_str!("../../docs/operations.md"));
        let mut dirs = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
        let mut used = 0;
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(dir)
                .unwrap()
                .map(|entry| entry.unwrap().path())
            {
                if entry.is_dir() {
                    dirs.push(entry);
                    continue;
                }
                let text = fs::read_to_string(&entry).unwrap();
                for kind in ["counter!(\"", "gauge!(\"", "histogram!(\""] {
                    for name in text.split(kind).skip(1).map(|rest| rest.split('"').next()) {
                        let name = name.unwrap();
                        used += 1;
                        for list in [&described, &handbook] {
                            assert!(list.contains(name), "{name} of {entry:?}");
                        }
                    }
                }
            }
        }
        assert!(used > 20);
    }
}
