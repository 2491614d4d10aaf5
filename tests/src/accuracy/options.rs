//! The command line of the bench.

use std::path::PathBuf;

use super::cases::{Case, every};

/// What is asked of the bench.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How many games a case; all where it is not said.
    pub games: Option<usize>,
    /// The number of the first game.
    pub first: usize,
    /// The name of a case, or parts of it with commas between.
    pub cell: Option<String>,
    /// Where the event scripts of games that failed are written to.
    pub scripts: Option<PathBuf>,
    /// Added to the seed of every game.
    pub seed: u64,
    /// The short form that the checks run.
    pub quick: bool,
    /// One line of JSON a case instead of tables.
    pub json: bool,
    /// Prints the event script of the first game of the first case, and nothing else.
    pub script: bool,
    /// Files of JSON that earlier runs wrote, which are shown instead of playing anything.
    pub taken: Vec<PathBuf>,
    /// Writes the tables into `docs/accuracy.md`.
    pub refresh: bool,
    /// How many failures are printed for each case.
    pub failures: usize,
}

/// What `--help` prints.
pub const HELP: &str = "\
How well the record equals the game: simulated hands play real games on simulated sensors.

  cargo bench -p tests --bench accuracy -- [OPTIONS]

  --games N      so many games in each case (all)
  --first N      begin with this game (0)
  --cell NAME    only the case of this name, such as piece-human-poor-clock, or those that have all
                 of these words in it: lossy, or human,noclock,played-on; `play` is play without
                 breaches
  --seed N       added to the seed of every game, which is its number plus 1 (0)
  --quick        500 games a class, spread over the cases; fails where a goal is missed that has \
  been met
  --json         one line of JSON for each case instead of tables
  --take FILE    play nothing, and show what earlier runs wrote with --json: of several such files
                 the lines of one case are added up
  --script       print the event script of the first game of the first case, for `arbiterd replay -`
  --refresh      write the tables into docs/accuracy.md too
  --failures N   print at most so many failures for each case (3)
  --scripts DIR  write the event script of every game whose failure is printed into this directory,
                 and beside it what was really played

ARBITER_GAMES=FILE plays the games of a file instead of those carried with the program: one a \
    line, result, start (a FEN or
`startpos`) and SAN moves with tabs between; plain, or compressed with zstd if it is named .zst.
";

impl Options {
    /// Reads the arguments; `None` when only help is asked for.
    ///
    /// # Errors
    /// One line about what cannot be read.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options = Options {
            failures: 3,
            ..Options::default()
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or_else(|| format!("{argument} needs a value"))
            };
            let mut number = || -> Result<usize, String> {
                let text = value()?;
                text.parse()
                    .map_err(|_| format!("{argument} needs a number, not {text}"))
            };
            match argument.as_str() {
                "--games" => options.games = Some(number()?),
                "--first" => options.first = number()?,
                "--cell" => options.cell = Some(value()?),
                "--scripts" => options.scripts = Some(value()?.into()),
                "--seed" => options.seed = number()? as u64,
                "--failures" => options.failures = number()?,
                "--take" => options.taken.push(value()?.into()),
                "--quick" => options.quick = true,
                "--json" => options.json = true,
                "--script" => options.script = true,
                "--refresh" => options.refresh = true,
                "--help" => return Ok(None),
                // What cargo says to every bench.
                "--bench" => {}
                _ => return Err(format!("{argument} is not an option; --help lists them")),
            }
        }
        Ok(Some(options))
    }

    /// The cases that are asked for.
    ///
    /// # Errors
    /// When there are none.
    pub fn cases(&self) -> Result<Vec<Case>, String> {
        let Some(wanted) = &self.cell else {
            return Ok(every());
        };
        if let Some(case) = every().into_iter().find(|case| case.name() == *wanted) {
            return Ok(vec![case]);
        }
        let cases: Vec<Case> = every()
            .into_iter()
            .filter(|case| wanted.split(',').all(|part| case.has(part)))
            .collect();
        if cases.is_empty() {
            return Err(format!(
                "no case is called {wanted}; names are like {}",
                every()[0].name()
            ));
        }
        Ok(cases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<Option<Options>, String> {
        Options::read(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_whole_name_is_one_case_and_a_part_is_many() {
        let cases = |words: &str| {
            read(words)
                .unwrap()
                .unwrap()
                .cases()
                .map(|cases| cases.len())
        };
        assert_eq!(cases("--bench --cell piece-human-poor-clock"), Ok(1));
        assert_eq!(cases("--cell human-poor-clock,play"), Ok(3));
        assert_eq!(cases("--cell human-poor-clock"), Ok(15));
        assert_eq!(
            cases("--cell occupancy,noclock,played-on,tidy,gappy"),
            Ok(1)
        );
        assert!(cases("--cell wooden").unwrap_err().contains("wooden"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(
            read("--games many").unwrap_err(),
            "--games needs a number, not many"
        );
        assert_eq!(read("--games").unwrap_err(), "--games needs a value");
        assert!(read("--what").unwrap_err().contains("--what"));
        assert!(read("--help").unwrap().is_none());
    }
}
