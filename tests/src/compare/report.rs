//! How many scripts were compared and how many differ; the first that do are kept as files.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::inputs::{Batch, Script};
use super::ruler::Reply;

/// So many that differ are kept with script, both rulings and what differs.
const KEPT: usize = 40;
/// So many of each kind are shown.
const SHOWN: usize = 3;
/// Lines and columns that are shown of each.
const LINES: usize = 24;
const COLUMNS: usize = 320;

/// A script on which two builds rule differently, or cannot rule.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The script.
    pub script: Script,
    /// What the one says.
    pub base: Reply,
    /// What the other says.
    pub head: Reply,
}

impl Difference {
    fn diff(&self) -> String {
        let [base, head] = [&self.base, &self.head].map(|reply| {
            let failure = reply.failure.as_deref().unwrap_or_default();
            format!("{}{failure}", reply.rulings)
        });
        if base == head {
            return format!("both come to grief:\n{base}");
        }
        let diff = TextDiff::from_lines(&base, &head);
        diff.unified_diff()
            .context_radius(1)
            .header("base", "head")
            .to_string()
    }
}

#[derive(Debug, Default)]
struct Count {
    compared: usize,
    differ: usize,
}

/// What came of a comparison.
#[derive(Debug)]
pub struct Report {
    directory: PathBuf,
    counts: BTreeMap<&'static str, Count>,
    kept: usize,
    shown: Vec<String>,
    trouble: Vec<String>,
}

impl Report {
    /// Nothing yet; what was in the directory goes.
    ///
    /// # Errors
    /// When the directory cannot be made.
    pub fn new(directory: &Path) -> Result<Report, String> {
        let say = |error| format!("{}: {error}", directory.display());
        if directory.exists() {
            fs::remove_dir_all(directory).map_err(say)?;
        }
        fs::create_dir_all(directory).map_err(say)?;
        Ok(Report {
            directory: directory.to_owned(),
            counts: BTreeMap::new(),
            kept: 0,
            shown: Vec::new(),
            trouble: Vec::new(),
        })
    }

    /// One batch is compared.
    pub fn add(&mut self, batch: &Batch<'_>, found: Vec<Difference>) {
        let count = self.counts.entry(batch.kind).or_default();
        count.compared += batch.size;
        let before = count.differ;
        count.differ += found.len();
        for (n, difference) in (before..).zip(found) {
            if self.kept < KEPT {
                self.kept += 1;
                if let Err(why) = self.keep(&difference, n < SHOWN) {
                    self.trouble.push(why);
                }
            }
        }
    }

    /// Whether nothing differs.
    pub fn is_same(&self) -> bool {
        self.counts.values().all(|count| count.differ == 0)
    }

    fn keep(&mut self, difference: &Difference, show: bool) -> Result<(), String> {
        let name = &difference.script.name;
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || c == '.' {
                c
            } else {
                '-'
            }
        };
        let path = self
            .directory
            .join(name.chars().map(plain).collect::<String>());
        let diff = difference.diff();
        for (extension, text) in [
            ("jsonl", &difference.script.text),
            ("base", &difference.base.rulings),
            ("head", &difference.head.rulings),
            ("diff", &diff),
        ] {
            let path = path.with_added_extension(extension);
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        if show {
            let cut = |line: &str| line.chars().take(COLUMNS).collect::<String>() + "\n";
            let lines: String = diff.lines().take(LINES).map(cut).collect();
            let path = path.with_added_extension("jsonl");
            self.shown
                .push(format!("{name}\n  script: {}\n{lines}", path.display()));
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown
            .iter()
            .try_for_each(|shown| writeln!(f, "{shown}"))?;
        self.trouble
            .iter()
            .try_for_each(|why| writeln!(f, "{why}"))?;
        let (mut compared, mut differ) = (0, 0);
        for (kind, count) in &self.counts {
            writeln!(
                f,
                "{kind:<10} {:>8} compared, {} differ",
                count.compared, count.differ
            )?;
            compared += count.compared;
            differ += count.differ;
        }
        writeln!(f, "{:<10} {compared:>8} compared, {differ} differ", "total")?;
        if differ > 0 {
            writeln!(
                f,
                "the first {} with script, both rulings and diff: {}",
                self.kept,
                self.directory.display()
            )?;
        }
        Ok(())
    }
}
