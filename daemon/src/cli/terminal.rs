//! Colours for people; none when the output is a pipe.

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
