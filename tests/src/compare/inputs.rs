//! The event scripts that builds are compared with: every variant of every scenario, the games of
//! the bench `accuracy`, games of Chess960, any hands, and storms.
//!
//! All of them are made by this checkout, from seeds, and by the code that the tests and the bench
//! use. Every script has a name, which is the name of its game too.

use std::borrow::Cow;
use std::fmt;

use arbiter_core::{Event, Input};
use board_driver::hand::games;

use crate::accuracy::bench::{self, Task};
use crate::accuracy::cases;
use crate::accuracy::options::Options;
use crate::accuracy::source::Source;
use crate::scenario::{self, Scenario, Variant};
use crate::{anything, storm};

/// Games, scenarios or seeds that are ruled on by one process.
const TOGETHER: usize = 60;
/// Scenario files that are.
const FILES: usize = 8;
/// Scripts of any hands.
const ANYTHING: u64 = 6_000;
/// The longest list of bytes that becomes such a script.
const LONGEST: u64 = 600;
/// Of the games of Chess960 each case plays one in so many; all cases together play every game.
const CHESS960: usize = 8;
/// The cross-section takes one of so many games, and of so many lists of bytes.
const STEP: usize = 40;
const STEP_ANYTHING: usize = 6;

/// A script of one game or more, and what it is called.
#[derive(Clone, Debug)]
pub struct Script {
    /// What says where it comes from: scenario and variant, or case, game and seed.
    pub name: String,
    /// Its lines.
    pub text: String,
}

impl Script {
    fn new(name: String, mut events: Vec<Event>) -> Script {
        let setups = events
            .iter_mut()
            .filter_map(|event| match &mut event.input {
                Input::Setup(setup) => Some(setup),
                _ => None,
            });
        for (n, setup) in (1..).zip(setups) {
            setup.game = if n == 1 {
                name.clone()
            } else {
                format!("{name}#{n}")
            };
        }
        Script {
            text: anything::text(&events),
            name,
        }
    }
}

type Make<'a> = Box<dyn Fn() -> Result<Vec<Script>, String> + Send + Sync + 'a>;

/// Scripts that are made and ruled on together.
pub struct Batch<'a> {
    /// What kind of scripts they are.
    pub kind: &'static str,
    /// More exactly.
    pub name: String,
    /// How many.
    pub size: usize,
    make: Make<'a>,
}

impl Batch<'_> {
    /// Makes them.
    ///
    /// # Errors
    /// When a scenario cannot be read.
    pub fn make(&self) -> Result<Vec<Script>, String> {
        (self.make)()
    }
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.size, self.name)
    }
}

/// What scripts are made of.
#[derive(Debug)]
pub struct Inputs {
    scenarios: Vec<(String, Scenario)>,
    games: Source,
    chess960: Source,
    storms: Vec<storm::Storm>,
}

impl Inputs {
    /// Reads scenarios and games.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn read() -> Result<Inputs, String> {
        let directory = scenario::directory();
        let files = scenario::files(&directory).map_err(|error| error.to_string())?;
        let load = |path: &std::path::PathBuf| {
            let name = path.strip_prefix(&directory).unwrap_or(path);
            let name = name.with_extension("").display().to_string();
            Ok((name, Scenario::load(path)?))
        };
        Ok(Inputs {
            scenarios: files.iter().map(load).collect::<Result<_, String>>()?,
            games: Source::open()?,
            chess960: Source {
                file: None,
                games: Cow::Borrowed(games::chess960()),
            },
            storms: storm::all(),
        })
    }

    /// Every script there is, or a cross-section that has all scenarios, and games of every case.
    ///
    /// # Errors
    /// When the options ask for no case and no game.
    pub fn all(&self, options: &Options) -> Result<Vec<Batch<'_>>, String> {
        let (step, step_anything) = if options.quick {
            (STEP, STEP_ANYTHING)
        } else {
            (1, 1)
        };
        let mut batches = self.storms();
        batches.extend(self.scenarios());
        batches.extend(anything_at_all(step_anything));
        batches.extend(chess960(&self.chess960, step * CHESS960, options));
        batches.extend(self.bench(step, options)?);
        Ok(batches)
    }

    /// The games of the bench alone, every game in every case that the options name.
    ///
    /// # Errors
    /// When they name none.
    pub fn bench(&self, step: usize, options: &Options) -> Result<Vec<Batch<'_>>, String> {
        let tasks = bench::tasks(&self.games, options)?;
        Ok(in_batches("bench", &self.games, tasks, step, options))
    }

    fn scenarios(&self) -> Vec<Batch<'_>> {
        let batch = |files: &'_ [(String, Scenario)]| {
            files.iter().map(|(_, file)| Variant::all(file).len()).sum()
        };
        let chunks = self.scenarios.chunks(FILES);
        chunks
            .map(|files| Batch {
                kind: "scenarios",
                name: files[0].0.clone(),
                size: batch(files),
                make: Box::new(|| {
                    let variants = files.iter().flat_map(|(name, file)| {
                        let variants = Variant::all(file).into_iter();
                        variants.map(move |variant| (format!("{name} [{variant}]"), file, variant))
                    });
                    variants
                        .map(|(name, file, variant)| {
                            let events = scenario::script(file, variant)
                                .map_err(|why| format!("{name}: {why}"))?;
                            Ok(Script::new(name, events))
                        })
                        .collect()
                }),
            })
            .collect()
    }

    fn storms(&self) -> Vec<Batch<'_>> {
        let batch = |storm| Batch {
            kind: "storms",
            name: "storms".to_owned(),
            size: 1,
            make: Box::new(move || {
                let storm: &storm::Storm = storm;
                let name = format!("storm/{}", storm.name);
                Ok(vec![Script::new(name, storm.script.clone())])
            }),
        };
        self.storms.iter().map(batch).collect()
    }
}

/// Of every case one in `step` games, each case others.
fn in_batches<'a>(
    kind: &'static str,
    source: &'a Source,
    tasks: Vec<Task>,
    step: usize,
    options: &Options,
) -> Vec<Batch<'a>> {
    let mut batches = Vec::new();
    for (n, task) in tasks.into_iter().enumerate() {
        let case = task.case;
        let games: Vec<usize> = task
            .games
            .into_iter()
            .skip(n % step)
            .step_by(step)
            .collect();
        for games in games.chunks(TOGETHER) {
            let (games, options) = (games.to_vec(), options.clone());
            batches.push(Batch {
                kind,
                name: case.name(),
                size: games.len(),
                make: Box::new(move || {
                    let script = |game: &usize| {
                        let seed = bench::seed_of(*game, &options);
                        let name = format!("{kind}/{}/game-{game}/seed-{seed}", case.name());
                        Script::new(name, bench::script(source, case, *game, &options))
                    };
                    Ok(games.iter().map(script).collect())
                }),
            });
        }
    }
    batches
}

fn chess960<'a>(source: &'a Source, step: usize, options: &Options) -> Vec<Batch<'a>> {
    let games: Vec<usize> = (0..source.games.len()).collect();
    let task = |case| Task {
        case,
        games: games.clone(),
    };
    let tasks = cases::every().into_iter().map(task).collect();
    in_batches("chess960", source, tasks, step, options)
}

/// Whatever hands may do, by seeds.
fn anything_at_all(step: usize) -> Vec<Batch<'static>> {
    let seeds: Vec<u64> = (1..=ANYTHING).step_by(step).collect();
    let batch = |seeds: &[u64]| {
        let seeds = seeds.to_vec();
        Batch {
            kind: "anything",
            name: "any hands".to_owned(),
            size: seeds.len(),
            make: Box::new(move || {
                let script = |seed: &u64| {
                    let events = anything::script(&chance(*seed));
                    Script::new(format!("anything/seed-{seed}"), events)
                };
                Ok(seeds.iter().map(script).collect())
            }),
        }
    };
    seeds.chunks(TOGETHER).map(batch).collect()
}

/// Bytes by chance (SplitMix64). With odd seeds half of them are small, which is play that is
/// nearly tidy.
fn chance(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let length = LONGEST / 6 + next() % (LONGEST * 5 / 6);
    let byte = |_| match next().to_le_bytes() {
        [byte, tame, ..] if seed % 2 == 1 && tame % 2 == 1 => byte & 0x3f,
        [byte, ..] => byte,
    };
    (0..length).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_bench_is_played_as_a_whole_and_the_cross_section_has_every_case() {
        let inputs = Inputs::read().unwrap();
        let size = |batches: &[Batch<'_>]| -> usize { batches.iter().map(|b| b.size).sum() };
        let whole = inputs.bench(1, &Options::default()).unwrap();
        assert_eq!(
            size(&whole),
            cases::every().len() * inputs.games.games.len()
        );
        let section = inputs.bench(STEP, &Options::default()).unwrap();
        let names: BTreeSet<&str> = section.iter().map(|batch| batch.name.as_str()).collect();
        assert_eq!(names.len(), cases::every().len());
    }

    #[test]
    fn scripts_are_called_by_their_names_and_are_the_same_every_time() {
        for batch in anything_at_all(1_000) {
            let scripts = batch.make().unwrap();
            assert_eq!(scripts.len(), batch.size);
            for (script, again) in scripts.iter().zip(batch.make().unwrap()) {
                let named = format!(r#""game":"{}""#, script.name);
                assert!(script.text.lines().next().unwrap().contains(&named));
                assert_eq!(script.text, again.text);
            }
        }
    }
}
