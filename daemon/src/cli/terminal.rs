//! Colours and tables for people; nothing of either when the output is a pipe.

use std::fmt::Write;
use std::io::IsTerminal;

/// How a piece of text stands out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    /// A heading.
    Strong,
    /// Less important.
    Faint,
    /// Well.
    Good,
    /// To be looked at.
    Notice,
    /// Wrong.
    Bad,
}

/// Paints text on a terminal, and leaves it alone elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Painter {
    colours: bool,
}

impl Painter {
    /// For standard output. `NO_COLOR` is honoured.
    pub(crate) fn stdout() -> Painter {
        Painter { colours: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
    }

    /// `text` in `tone`.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Strong => "1",
            Tone::Faint => "2",
            Tone::Good => "32",
            Tone::Notice => "33",
            Tone::Bad => "31",
        };
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Rows under headings, columns as wide as they need to be. The last column is not padded.
pub(crate) fn table(painter: Painter, headings: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([headings[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for (cell, width) in cells.zip(&widths) {
            let _ = write!(text, "{cell:<width$}  ");
        }
        text.trim_end().to_owned()
    };
    let mut out = painter.paint(Tone::Strong, &line(&mut headings.iter().copied()));
    for row in rows {
        out.push('\n');
        out.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    out.push('\n');
    out
}
