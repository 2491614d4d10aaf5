//! A line for everything that happens: for pipes, and for machines as JSON.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use arbiter_core::Symbol;
use arbiter_core::shakmaty::Square;
use board_driver::{LinkEvent, Report};
use daemon::doctor::{Examination, tested};
use serde_json::{Value, json};

use super::mending::Mending;
use super::summary;
use crate::cli::failure::Failure;

/// Rates are told so often.
const RATES: Duration = Duration::from_secs(10);

/// Writes lines.
pub(super) struct Lines {
    json: bool,
    rates: Instant,
    /// What the board said last of its sensors.
    condition: String,
    /// What somebody was asked for last who mends a board.
    asked: Option<String>,
}

/// Something that happened: its name, in words, and for machines.
type Told = (&'static str, String, Value);

impl Lines {
    pub(super) fn new(json: bool) -> Lines {
        Lines {
            json,
            rates: Instant::now(),
            condition: String::new(),
            asked: None,
        }
    }

    /// Something was told of the board.
    pub(super) fn tell(&mut self, board: &Examination, event: &LinkEvent) -> Result<(), Failure> {
        let Some(told) = told(event) else {
            return Ok(());
        };
        let (name, words, _) = &told;
        if *name == "condition" {
            let before = std::mem::replace(&mut self.condition, words.clone());
            // Only the number of failed scans is news: for machines.
            if !self.json && before == *words {
                return Ok(());
            }
        }
        self.write(board, told)
    }

    /// What somebody has to do who mends a board, when that is news.
    pub(super) fn mend(&mut self, board: &Examination, mending: &Mending) -> Result<(), Failure> {
        let words = mending.words(board);
        if words == self.asked {
            return Ok(());
        }
        self.asked.clone_from(&words);
        let Some(words) = words else { return Ok(()) };
        let square = mending.square().map(|square| square.to_string());
        let value = json!({"text": words, "square": square});
        self.write(board, ("mend", words, value))
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, board: &Examination, now: Instant) -> Result<(), Failure> {
        if now.saturating_duration_since(self.rates) < RATES || board.line.up.is_none() {
            return Ok(());
        }
        self.rates = now;
        let reports = board.counts.reports.per_second(now, board.began);
        let bytes = board.counts.bytes.per_second(now, board.began);
        let words = format!("{reports:.1} reports/s, {bytes:.0} bytes/s");
        self.write(
            board,
            ("rates", words, json!({"reports": reports, "bytes": bytes})),
        )
    }

    fn write(&self, board: &Examination, (name, words, mut value): Told) -> Result<(), Failure> {
        let seconds = board.began.elapsed().as_secs_f64();
        let mut out = io::stdout().lock();
        if self.json {
            value["event"] = name.into();
            value["seconds"] = seconds.into();
            serde_json::to_writer(&mut out, &value).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{seconds:>10.3}  {name:<10}  {words}")?;
        }
        Ok(out.flush()?)
    }
}

/// What is worth a line. Signs of life are counted, and levels told at the end.
fn told(event: &LinkEvent) -> Option<Told> {
    Some(match event {
        LinkEvent::Up { kind, info, .. } => (
            "board",
            summary::board(*kind, info),
            summary::of_board(*kind, info),
        ),
        LinkEvent::Down(reason) => (
            "fault",
            reason.to_string(),
            json!({"text": reason.to_string()}),
        ),
        LinkEvent::Learning(learning) => {
            let words = learning.words();
            ("note", words.to_owned(), json!({"text": words}))
        }
        LinkEvent::Trouble(trouble) => {
            let (damaged, repeats) = (trouble.damaged + trouble.damaged_at_board, trouble.repeats);
            let late = trouble.late_scans;
            let words = format!("{damaged} damaged, {repeats} asked again, {late} scans late");
            (
                "trouble",
                words,
                json!({"damaged": damaged, "asked_again": repeats, "late_scans": late}),
            )
        }
        LinkEvent::Board { event, .. } => return report(&event.report),
    })
}

fn report(report: &Report) -> Option<Told> {
    Some(match report {
        Report::Changes(changes) => {
            let words: Vec<String> = changes
                .iter()
                .map(|(square, seen)| format!("{square}:{seen}"))
                .collect();
            ("changes", words.join(" "), squares(changes.iter().copied()))
        }
        Report::Snapshot(reading) => {
            let occupied = Square::ALL
                .into_iter()
                .map(|square| (square, reading.at(square)));
            ("snapshot", reading.to_string(), squares(occupied))
        }
        Report::Press { by, .. } => ("press", by.to_string(), json!({"by": by.to_string()})),
        Report::Adjust { by } => ("adjust", by.to_string(), json!({"by": by.to_string()})),
        Report::FlagFall { by } => ("flag-fall", by.to_string(), json!({"by": by.to_string()})),
        Report::ClockRuns(runs) => {
            let words = if *runs { "runs" } else { "stands" };
            ("clock", words.to_owned(), json!({"runs": runs}))
        }
        Report::Lost { count } => ("lost", format!("{count} reports"), json!({"count": count})),
        Report::Condition(condition) => {
            let mut words = condition.words();
            let value = json!({"faults": words, "failed_scans": condition.failed_scans});
            if words.is_empty() {
                words.push("every square can be read".to_owned());
            }
            ("condition", words.join("; "), value)
        }
        Report::Firmware(name) => ("firmware", name.clone(), json!({"text": name})),
        Report::Tested(one) => {
            let (part, verdict) = (tested::name(one.part), tested::verdict(one.verdict));
            let words = format!("{part} {verdict}: {}", tested::found(one));
            ("tested", words, summary::of_part(one))
        }
        Report::Hello(_) | Report::Alive | Report::Levels(_) | Report::Map(_) => return None,
    })
}

fn squares(squares: impl Iterator<Item = (Square, Symbol)>) -> Value {
    let map: serde_json::Map<String, Value> = squares
        .map(|(square, seen)| (square.to_string(), seen.char().to_string().into()))
        .collect();
    json!({ "squares": map })
}
