//! Colours and tables for people. Through a pipe there are no colours, and a table is lines of
//! tab-separated cells.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};

/// A heading.
pub(crate) const STRONG: Style = Style::new().bold();
/// Less important.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// To be looked at.
pub(crate) const NOTICE: Style = AnsiColor::Yellow.on_default();
/// Wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// What standard output is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    terminal: bool,
    colours: bool,
}

impl Screen {
    /// Standard output. `NO_COLOR` is honoured.
    pub(crate) fn stdout() -> Screen {
        let terminal = std::io::stdout().is_terminal();
        Screen {
            terminal,
            colours: terminal && std::env::var_os("NO_COLOR").is_none(),
        }
    }

    /// `text` in `style`.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self.colours {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// Rows under headings; the headings are left out where no person reads.
    pub(crate) fn table(self, headings: &[&str], rows: &[Vec<String>]) -> String {
        if !self.terminal {
            return rows.iter().map(|row| row.join("\t") + "\n").collect();
        }
        let mut table = Table::new();
        table
            .load_preset(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header(headings.iter().map(|heading| self.paint(STRONG, heading)));
        table.add_rows(rows);
        format!("{}\n", table.trim_fmt())
    }
}
