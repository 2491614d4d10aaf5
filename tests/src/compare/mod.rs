//! Do two builds of `arbiterd` rule alike, to the byte? `ci/compare-rulings.sh` asks.
//!
//! [`inputs`] makes the event scripts, [`ruler`] has a build rule on them, [`known`] remembers what
//! an old build said, and [`report`] counts and keeps what differs. Nothing but the contract has a
//! part in it: event scripts in, lines of `arbiterd replay` out.

pub mod inputs;
pub mod known;
pub mod report;
pub mod ruler;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::accuracy::progress::Progress;
use inputs::{Batch, Script};
use known::Known;
use report::{Difference, Report};
use ruler::{Reply, Ruler, by_game};

/// What is compared.
#[derive(Debug)]
pub struct Comparison {
    /// The build that is right by definition.
    pub base: Ruler,
    /// The build in question.
    pub head: Ruler,
    /// What the base said before, if it is a build that stays as it is.
    pub known: Known,
    /// Where scripts and rulings that differ are kept.
    pub differences: PathBuf,
}

impl Comparison {
    /// Has both rule on every batch, on all cores.
    ///
    /// # Errors
    /// When a script cannot be made, or a program cannot be started.
    pub fn run(&self, batches: &[Batch<'_>]) -> Result<Report, String> {
        let report = Mutex::new(Report::new(&self.differences)?);
        let progress = Progress::in_lines(batches.iter().map(|batch| batch.size).sum());
        let (next, trouble) = (AtomicUsize::new(0), Mutex::new(None));
        let work = || {
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                match batch.make().and_then(|scripts| self.compare(&scripts)) {
                    Ok(found) => report.lock().expect("no thread panics").add(batch, found),
                    Err(why) => {
                        next.store(batches.len(), Ordering::Relaxed);
                        *trouble.lock().expect("no thread panics") = Some(why);
                    }
                }
                progress.add(batch.size, &batch.name);
            }
        };
        std::thread::scope(|scope| {
            let cores = std::thread::available_parallelism().map_or(2, usize::from);
            (0..cores).for_each(|_| drop(scope.spawn(work)));
        });
        progress.end();
        self.known.save()?;
        match trouble.into_inner().expect("no thread panics") {
            Some(why) => Err(why),
            None => Ok(report.into_inner().expect("no thread panics")),
        }
    }

    /// What differs in these scripts. The base is asked only where it is not known what it says, or
    /// where that is something else.
    fn compare(&self, scripts: &[Script]) -> Result<Vec<Difference>, String> {
        let text: String = scripts.iter().map(|script| script.text.as_str()).collect();
        let head = self.head.rule(&text)?;
        let is_whole = head.is_whole(&text);
        if is_whole && self.known.is(&text, &head.rulings) {
            return Ok(Vec::new());
        }
        let base = self.base.rule(&text)?;
        if !is_whole || !base.is_whole(&text) {
            return self.one_by_one(scripts);
        }
        self.known.learn(&text, &base.rulings);
        if base.rulings == head.rulings {
            return Ok(Vec::new());
        }
        let (before, after) = (by_game(&base.rulings), by_game(&head.rulings));
        let differs = |script: &&Script| before.get(&script.name) != after.get(&script.name);
        let of = |side: &std::collections::BTreeMap<String, String>, script: &Script| {
            Reply::of(side.get(&script.name).cloned().unwrap_or_default())
        };
        let found = scripts.iter().filter(differs).map(|script| Difference {
            script: script.clone(),
            base: of(&before, script),
            head: of(&after, script),
        });
        Ok(found.collect())
    }

    /// The same where one of them comes to grief: each script in a process of its own.
    fn one_by_one(&self, scripts: &[Script]) -> Result<Vec<Difference>, String> {
        let mut found = Vec::new();
        for script in scripts {
            let difference = Difference {
                script: script.clone(),
                base: self.base.rule(&script.text)?,
                head: self.head.rule(&script.text)?,
            };
            let is_whole = difference.base.is_whole(&script.text);
            if !is_whole || difference.base != difference.head {
                found.push(difference);
            }
        }
        Ok(found)
    }
}
