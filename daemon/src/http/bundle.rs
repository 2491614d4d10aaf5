//! The console's modules as few files: a page and all that it stands on would else be asked for one
//! by one, and a phone on a slow line waits for each.
//!
//! Modules are put into one, each in a function of its own, those first that others stand on. That
//! is the same as the modules themselves as long as they do not stand on each other in a circle,
//! export nothing that changes, wait for nothing, and write each import and export at the beginning
//! of a line: what is otherwise is an error here, and a test finds it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Reads a file of the console.
pub(super) type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Modules put into one.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Bundle {
    /// The module.
    pub(super) text: String,
    /// What it imports by name, such as `preact`.
    pub(super) named: Vec<String>,
}

/// What is known of the modules so far.
struct Work<'a> {
    read: Read<'a>,
    /// The number of each module that stands in the text.
    done: BTreeMap<String, usize>,
    /// Those that wait for what they stand on.
    begun: BTreeSet<String>,
    /// What is imported by name, in its order.
    named: Vec<String>,
    text: String,
}

/// A module with everything it stands on.
///
/// # Errors
/// Where one of them is not there, or cannot be put into a function; which, and why.
pub(super) fn of(entry: &str, read: Read<'_>) -> Result<Bundle, String> {
    let mut work = Work {
        read,
        done: BTreeMap::new(),
        begun: BTreeSet::new(),
        named: Vec::new(),
        text: String::new(),
    };
    work.add(entry, true)?;
    let mut text = String::new();
    for (n, name) in work.named.iter().enumerate() {
        let _infallible = writeln!(text, "import * as x{n} from '{name}';");
    }
    Ok(Bundle {
        text: text + &work.text,
        named: work.named,
    })
}

impl Work<'_> {
    /// Puts a module into the text, after what it stands on; its number.
    /// The first of all stands in a block: it may wait for something before it goes on.
    fn add(&mut self, path: &str, is_entry: bool) -> Result<usize, String> {
        if let Some(number) = self.done.get(path) {
            return Ok(*number);
        }
        if !self.begun.insert(path.to_owned()) {
            return Err(format!("{path} stands on itself"));
        }
        let source = (self.read)(path).ok_or_else(|| format!("there is no {path}"))?;
        let (mut body, mut given) = (String::new(), Vec::new());
        for line in without_comments(&source) {
            let wrong = || format!("{path}: this is not understood: {line}");
            if let Some(import) = line.strip_prefix("import ") {
                body += &self.import(path, import).ok_or_else(wrong)??;
            } else if let Some(export) = line.strip_prefix("export ").filter(|_| !waits(line)) {
                let (name, rest) = exported(export).ok_or_else(wrong)?;
                given.push(name);
                body += &rest;
            } else if !is_entry && waits(line) {
                return Err(wrong());
            } else {
                body += line;
            }
            body.push('\n');
        }
        let number = self.done.len();
        let given = given.join(", ");
        let _infallible = match is_entry {
            true => write!(self.text, "{{\n{body}}}\n"),
            false => write!(
                self.text,
                "const m{number} = (() => {{\n{body}return {{ {given} }};\n}})();\n"
            ),
        };
        self.done.insert(path.to_owned(), number);
        Ok(number)
    }

    /// What an import is in a function: `{ a, b as c } from './x.mjs';`. `None` where that is not
    /// understood.
    fn import(&mut self, path: &str, import: &str) -> Option<Result<String, String>> {
        let import = import.strip_suffix("';")?;
        let (names, from) = match import.strip_prefix('\'') {
            Some(from) => ("", from),
            None => import.split_once(" from '")?,
        };
        let source = match from.starts_with('.') {
            true => match self.add(&resolved(path, from)?, false) {
                Ok(number) => format!("m{number}"),
                Err(error) => return Some(Err(error)),
            },
            false => {
                let known = self.named.iter().position(|name| name == from);
                let number = known.unwrap_or_else(|| {
                    self.named.push(from.to_owned());
                    self.named.len() - 1
                });
                format!("x{number}")
            }
        };
        let names = match names.strip_prefix('{').and_then(|n| n.strip_suffix('}')) {
            _ if names.is_empty() => return Some(Ok(String::new())),
            Some(names) => names.replace(" as ", ": "),
            None if is_name(names) => format!(" default: {names} "),
            None => return None,
        };
        Some(Ok(format!("const {{{names}}} = {source};")))
    }
}

/// Whether a module waits with a line, outside of any function, before it goes on.
fn waits(line: &str) -> bool {
    line.starts_with("await ") || !line.starts_with(' ') && line.contains(" = await ")
}

/// The lines of a module that are not comments alone.
fn without_comments(source: &str) -> impl Iterator<Item = &str> {
    let mut is_within = false;
    source.lines().filter(move |line| {
        let line = line.trim();
        let begins = line.starts_with("/*");
        let is_comment = is_within
            || line.starts_with("//")
            || begins && (line.ends_with("*/") || !line.contains("*/"));
        is_within = (is_within || begins) && !line.contains("*/");
        !is_comment
    })
}

/// What a module exports with a line, and the line without that.
fn exported(line: &str) -> Option<(String, String)> {
    if let Some(value) = line.strip_prefix("default ") {
        return Some(("default: it".to_owned(), format!("const it = {value}")));
    }
    let words = ["const ", "function ", "async function ", "class "];
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    let name = rest.split([' ', '(', '=', ';']).next()?;
    is_name(name).then(|| (name.to_owned(), line.to_owned()))
}

fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// The path of what `from` means in a module.
fn resolved(path: &str, from: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(files: &[(&str, &str)]) -> Result<Bundle, String> {
        let read = |path: &str| {
            let mut files = files.iter();
            files
                .find(|(name, _)| *name == path)
                .map(|(_, text)| (*text).to_owned())
        };
        of("app/main.mjs", &read)
    }

    #[test]
    fn modules_become_one_with_what_they_stand_on_first() {
        let main = "// Begins.\nimport { h } from 'preact';\nimport it, { a }  from 'no';\n";
        assert!(
            bundle(&[("app/main.mjs", main)]).is_err(),
            "that is not written so"
        );
        let main = "// Begins.\nimport { h } from 'preact';\n\
                    import { two as zwei } from '../two.mjs';\n\
                    import words from './words.mjs';\nh(zwei, words);\n";
        let two = "/**\n * Two.\n */\nexport const two = 2;\n\
                   export function more() {\n  return /** @type {any} */ (two);\n}\n";
        let words = "import { two } from '../two.mjs';\nexport default {\n  two,\n};\n";
        let files = [
            ("app/main.mjs", main),
            ("two.mjs", two),
            ("app/words.mjs", words),
        ];
        let made = bundle(&files).unwrap();
        assert_eq!(made.named, ["preact"]);
        let expected = "import * as x0 from 'preact';\n\
            const m0 = (() => {\nconst two = 2;\nfunction more() {\n  \
            return /** @type {any} */ (two);\n}\nreturn { two, more };\n})();\n\
            const m1 = (() => {\nconst { two } = m0;\nconst it = {\n  two,\n};\n\
            return { default: it };\n})();\n\
            {\nconst { h } = x0;\nconst { two: zwei } = m0;\n\
            const { default: words } = m1;\nh(zwei, words);\n}\n";
        assert_eq!(made.text, expected);
    }

    #[test]
    fn a_circle_is_an_error() {
        let files = [
            ("app/main.mjs", "import { a } from './a.mjs';\n"),
            (
                "app/a.mjs",
                "import { b } from './b.mjs';\nexport const a = 1;\n",
            ),
            (
                "app/b.mjs",
                "import { a } from './a.mjs';\nexport const b = a;\n",
            ),
        ];
        assert_eq!(bundle(&files), Err("app/a.mjs stands on itself".to_owned()));
        let changes = [("app/main.mjs", "export let n = 1;\n")];
        assert!(bundle(&changes).is_err());
        let waits = "export const a = await fetch('a');\n";
        let files = [
            ("app/main.mjs", "import { a } from './a.mjs';\na();\n"),
            ("app/a.mjs", waits),
        ];
        assert!(bundle(&files).is_err());
        assert!(bundle(&[("app/main.mjs", "const a = await fetch('a');\n")]).is_ok());
    }
}
