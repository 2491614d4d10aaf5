//! The lines of `play`: an action, an expectation, or both.

use super::action::Act;
use super::condition::Condition;
use super::expect::Expectation;
use super::variant::Variant;

/// One line, or the half of it before or after `=>`.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Its number within `play`, from 1.
    pub(crate) number: usize,
    /// The variants it is for.
    pub(crate) guard: Guard,
    /// What it says.
    pub(crate) kind: Kind,
}

/// What a line says.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Something happens: `gap` milliseconds after the action before, or after the usual pause.
    /// More than one act: one scan.
    Act {
        /// As written with `+40`.
        gap: Option<u64>,
        /// The acts of one moment.
        acts: Vec<Act>,
    },
    /// What the arbiter must, or must not, say to the action above.
    Expect(Expectation),
    /// `finally`: the expectations below are held against all that was said.
    Finally,
}

/// The conditions in brackets before an action and before what follows its arrow: both must hold.
#[derive(Clone, Default, Debug)]
pub(crate) struct Guard(Vec<Condition>);

impl Guard {
    /// Whether the line is for `variant`.
    pub(crate) fn admits(&self, variant: Variant) -> bool {
        self.0.iter().all(|condition| condition.admits(variant))
    }
}

/// Reads `play`; `Err` names the line.
pub(crate) fn parse(play: &str) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for (index, text) in play.lines().enumerate() {
        let number = index + 1;
        let text = text.split('#').next().unwrap_or_default().trim();
        let (action, expectation) = match text.split_once("=>") {
            Some((a, e)) => (a.trim(), e.trim()),
            None => (text, ""),
        };
        let fail = |e: String| format!("play, line {number}: {e}");
        let (guard, rest) = guarded(action).map_err(fail)?;
        if !rest.is_empty() {
            if lines.iter().any(|l: &Line| matches!(l.kind, Kind::Finally)) {
                return Err(fail(format!(
                    "`{rest}` comes after `finally`; nothing happens any more"
                )));
            }
            let kind = if rest == "finally" {
                Kind::Finally
            } else {
                acts(rest).map_err(fail)?
            };
            lines.push(Line {
                number,
                guard: guard.clone(),
                kind,
            });
        }
        if !expectation.is_empty() {
            let (own, rest) = guarded(expectation).map_err(fail)?;
            let guard = Guard(guard.0.into_iter().chain(own.0).collect());
            lines.push(Line {
                number,
                guard,
                kind: Kind::Expect(Expectation::parse(rest).map_err(fail)?),
            });
        }
    }
    Ok(lines)
}

fn guarded(text: &str) -> Result<(Guard, &str), String> {
    let Some(rest) = text.strip_prefix('[') else {
        return Ok((Guard::default(), text));
    };
    let (words, rest) = rest.split_once(']').ok_or("`[` without `]`")?;
    Ok((Guard(vec![Condition::parse(words)?]), rest.trim()))
}

fn acts(text: &str) -> Result<Kind, String> {
    let (gap, text) = match text.strip_prefix('+') {
        Some(rest) => {
            let (ms, rest) = rest
                .split_once(' ')
                .ok_or("`+MS` needs an action after it")?;
            (
                Some(
                    ms.parse()
                        .map_err(|_| format!("`+{ms}` is not a number of milliseconds"))?,
                ),
                rest.trim(),
            )
        }
        None => (None, text),
    };
    let mut acts = Vec::new();
    for part in text.split('&') {
        acts.extend(Act::parse(part.trim())?);
    }
    Ok(Kind::Act { gap, acts })
}
