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

fn describe() {
    describe_gauge!("arbiter_boards", "Boards in the configuration");
    describe_gauge!("arbiter_boards_connected", "Boards that answer");
    describe_counter!(
        "arbiter_connections_total",
        "Times a board came onto the line"
    );
    describe_counter!("arbiter_faults_total", "Times a board was lost");
    describe_counter!(
        "arbiter_reports_lost_total",
        "Reports of boards that were lost for good"
    );
    describe_counter!(
        "arbiter_frames_damaged_total",
        "Damaged frames, by the end of the line that received them"
    );
    describe_counter!(
        "arbiter_repeats_total",
        "Times reports were asked for again"
    );
    describe_counter!(
        "arbiter_late_scans_total",
        "Scans of boards that came too late to be trusted"
    );
    describe_counter!("arbiter_events_total", "Events told to the arbiter");
    describe_counter!("arbiter_rulings_total", "What the arbiter said, by kind");
    describe_counter!(
        "arbiter_journal_events_total",
        "Events written to the journal"
    );
    describe_counter!(
        "arbiter_journal_errors_total",
        "Writes that the journal refused"
    );
    describe_counter!(
        "arbiter_pgn_errors_total",
        "PGN files that could not be written"
    );
    describe_gauge!("arbiter_console_clients", "Consoles that follow the boards");
    describe_counter!(
        "arbiter_console_missed_total",
        "Messages that slow consoles missed; they were told everything anew"
    );
    describe_counter!(
        "arbiter_console_refused_total",
        "Connections closed at once, for want of room that somebody could make"
    );
    describe_counter!(
        "arbiter_console_gave_way_total",
        "Connections closed to make room for somebody else"
    );
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
}
