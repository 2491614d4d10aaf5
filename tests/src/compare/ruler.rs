//! One build of `arbiterd`, which rules on scripts.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

/// How a ruling names its game, and how it says that the game is summed up.
const GAME: &str = r#""game":""#;
const SUMMARY: &str = r#""ruling":"summary""#;
/// How an event sets up a game.
const SETUP: &str = r#""event":"setup""#;

/// A build.
#[derive(Debug)]
pub struct Ruler {
    /// The program.
    pub program: PathBuf,
}

/// What became of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// One ruling a line.
    pub rulings: String,
    /// How the program complained and ended, where it did not end well.
    pub failure: Option<String>,
}

impl Ruler {
    /// Has it rule on a script of one game or many.
    ///
    /// # Errors
    /// When it cannot be started, or writes what is no text.
    pub fn rule(&self, script: &str) -> Result<Reply, String> {
        let say = |error: &dyn std::fmt::Display| format!("{}: {error}", self.program.display());
        let mut child = Command::new(&self.program)
            .args(["replay", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| say(&error))?;
        let mut stdin = child.stdin.take().expect("a pipe");
        let output = thread::scope(|scope| {
            scope.spawn(move || {
                // It may end early; then its status says more than this.
                let _ended = stdin.write_all(script.as_bytes());
            });
            child.wait_with_output()
        });
        let output = output.map_err(|error| say(&error))?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        Ok(Reply {
            rulings: String::from_utf8(output.stdout).map_err(|error| say(&error))?,
            failure: (!output.status.success()).then(|| format!("{complaint}{}", output.status)),
        })
    }
}

impl Reply {
    /// Rulings of a program that ended well.
    pub fn of(rulings: String) -> Reply {
        Reply {
            rulings,
            failure: None,
        }
    }

    /// Whether every game of `script` was ruled on to its end.
    pub fn is_whole(&self, script: &str) -> bool {
        let games = script.lines().filter(|line| line.contains(SETUP)).count();
        let ended = self.rulings.lines().filter(|line| line.contains(SUMMARY));
        self.failure.is_none() && ended.count() == games
    }
}

/// Rulings of many scripts, by the name of the script. A script's second game and those after it
/// are called like the first, `#` and a number.
pub fn by_game(rulings: &str) -> BTreeMap<String, String> {
    let mut games: BTreeMap<String, String> = BTreeMap::new();
    for line in rulings.lines() {
        let name = line.split_once(GAME).map_or("", |(_, rest)| rest);
        let name = name.split(['"', '#']).next().unwrap_or_default();
        let game = games.entry(name.to_owned()).or_default();
        game.push_str(line);
        game.push('\n');
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulings_are_told_apart_by_their_game() {
        let line = |game: &str, n: u8| format!(r#"{{"at":{n},"game":"{game}","ruling":"x"}}"#);
        let all = [line("a", 1), line("b", 2), line("b#2", 3)].join("\n");
        let games = by_game(&all);
        assert_eq!(games["a"], line("a", 1) + "\n");
        assert_eq!(games["b"], line("b", 2) + "\n" + &line("b#2", 3) + "\n");
    }

    #[test]
    fn a_reply_is_whole_when_every_game_is_summed_up() {
        let script = "{\"event\":\"setup\"}\n{\"event\":\"setup\"}\n";
        let summary = "{\"ruling\":\"summary\"}\n";
        assert!(Reply::of(summary.repeat(2)).is_whole(script));
        assert!(!Reply::of(summary.to_owned()).is_whole(script));
        let failed = Reply {
            failure: Some("exit status: 101".to_owned()),
            ..Reply::of(summary.repeat(2))
        };
        assert!(!failed.is_whole(script));
    }
}
