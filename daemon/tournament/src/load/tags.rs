//! The tags of games, as PGN writes them.

use std::collections::{BTreeSet, HashMap};

use super::Unreadable;
use crate::what;

/// The tags of one game, each with its line.
#[derive(Default)]
pub(super) struct Tags {
    pub(super) line: usize,
    values: HashMap<String, (usize, String)>,
    /// The last word behind the tags, with its line: how the game ended.
    pub(super) end: Option<(usize, String)>,
    /// The first line with moves, where there are.
    pub(super) moves: Option<usize>,
    /// The first line behind the end of the game that is neither a tag nor a comment.
    pub(super) behind: Option<usize>,
    /// A line before was the last of the game.
    has_ended: bool,
    /// A comment has begun in a line before, and not ended.
    in_comment: bool,
}

impl Tags {
    /// What a tag says; unknown is nothing.
    pub(super) fn get(&self, name: &str) -> &str {
        let value = self.values.get(name).map_or("", |(_, value)| value.trim());
        if value == "?" || value == "-" {
            ""
        } else {
            value
        }
    }

    /// Whether a tag is there, be it unknown.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether a tag is there, and says that nobody knows.
    pub(super) fn is_unknown(&self, name: &str) -> bool {
        self.values
            .get(name)
            .is_some_and(|(_, value)| value.trim() == "?")
    }

    /// Tags that none of these is, with their lines.
    pub(super) fn others(&self, known: &[&str]) -> BTreeSet<(usize, &str)> {
        let others = self.values.iter();
        let others = others.filter(|(name, _)| !known.contains(&name.as_str()));
        others
            .map(|(name, (line, _))| (*line, name.as_str()))
            .collect()
    }

    /// Looks whether a line without tags comes behind the end of the game.
    fn look_behind(&mut self, line: usize, text: &str) {
        let is_end = |word: &str| matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2");
        let is_comment = self.in_comment || text.starts_with([';', '%']);
        let is_said = !is_comment && !text.starts_with('{');
        if self.has_ended && is_said {
            self.behind = self.behind.or(Some(line));
        }
        let last = text.split_whitespace().next_back();
        self.has_ended |= !text.starts_with([';', '%']) && last.is_some_and(is_end);
        for c in text.chars() {
            match c {
                '{' => self.in_comment = true,
                '}' => self.in_comment = false,
                _ => {}
            }
        }
    }

    pub(super) fn line_of(&self, name: &str) -> usize {
        self.values.get(name).map_or(self.line, |(line, _)| *line)
    }
}

/// The games' tags. A game begins where a tag follows a line that is none, or where `Event` comes
/// again.
pub(super) fn games(text: &str, wrong: &mut Unreadable) -> Vec<Tags> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let (mut games, mut in_tags): (Vec<Tags>, bool) = (Vec::new(), false);
    for (line, written) in (1..).zip(text.lines()) {
        let trimmed = written.trim();
        let could_be = trimmed.starts_with('[') && !trimmed.starts_with("[%");
        match tag(trimmed) {
            Some((name, value)) => {
                let again = games
                    .last()
                    .is_some_and(|game| game.values.contains_key(&name));
                if !in_tags || (again && name == "Event") {
                    games.push(Tags {
                        line,
                        ..Tags::default()
                    });
                } else if again {
                    let what = what!("tag-twice", "the tag `{tag}` is there twice", tag = name);
                    wrong.add(line, 1, what);
                }
                if let Some(game) = games.last_mut() {
                    game.values.entry(name).or_insert((line, value));
                }
                in_tags = true;
            }
            None if could_be && (in_tags || games.is_empty()) => {
                let column = written.chars().take_while(|c| c.is_whitespace()).count() + 1;
                wrong.add(
                    line,
                    column,
                    what!("no-tag", "`{found}` is no tag", found = trimmed),
                );
            }
            None if !trimmed.is_empty() => {
                in_tags = false;
                if let Some(game) = games.last_mut() {
                    game.look_behind(line, trimmed);
                    let last = trimmed.split_whitespace().next_back();
                    game.end = last.map(|word| (line, word.to_owned()));
                    let is_move = |word: &str| {
                        word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.')
                    };
                    let has_moves = trimmed.split_whitespace().any(is_move);
                    game.moves = game.moves.or(has_moves.then_some(line));
                }
            }
            None => {}
        }
    }
    games
}

/// A tag's name and value: `[Name "value"]`, with `\"` and `\\` in it.
fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, rest) = inner.split_once(char::is_whitespace)?;
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let value = unquoted(rest.trim())?;
    (!name.is_empty() && name.chars().all(legal)).then(|| (name.to_owned(), value))
}

/// What stands between quotation marks.
fn unquoted(text: &str) -> Option<String> {
    let mut chars = text.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut value = String::new();
    while let Some(c) = chars.next() {
        match c {
            // Programs that know nothing of it write a backslash for itself.
            '\\' => match chars.next() {
                Some(escaped @ ('"' | '\\')) => value.push(escaped),
                other => value.extend([Some('\\'), other].into_iter().flatten()),
            },
            '"' => return None,
            c => value.push(c),
        }
    }
    Some(value)
}
