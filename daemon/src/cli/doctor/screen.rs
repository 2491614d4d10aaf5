//! A picture on the terminal, drawn again where it has changed. The terminal is left as it was
//! found, whatever happens.

use std::io::{self, Stdout, Write, stdout};

use anstyle::Style;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};
use crossterm::{execute, queue};

use crate::cli::terminal::Screen;

/// Where nobody knows the size of the terminal.
const USUAL: (u16, u16) = (80, 24);

/// One line of a picture: pieces of text in their styles.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Vec<(Style, String)>);

impl Line {
    /// Goes on with `text`.
    pub(super) fn add(mut self, style: Style, text: impl Into<String>) -> Line {
        self.0.push((style, text.into()));
        self
    }

    /// Goes on with `text` as it is.
    pub(super) fn plain(self, text: impl Into<String>) -> Line {
        self.add(Style::new(), text)
    }

    /// Goes on with another line.
    pub(super) fn join(mut self, other: Line) -> Line {
        self.0.extend(other.0);
        self
    }

    /// As text without styles.
    #[cfg(test)]
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// As much as has room. Nothing here is wider than a column a character.
    fn paint(&self, screen: Screen, width: usize) -> String {
        let mut room = width;
        let mut painted = String::new();
        for (style, text) in &self.0 {
            let cut: String = text.chars().take(room).collect();
            room -= cut.chars().count();
            painted += &screen.paint(*style, &cut);
        }
        painted
    }
}

/// The terminal while it shows a picture.
pub(super) struct LiveScreen {
    screen: Screen,
    out: Stdout,
    shown: Vec<String>,
    is_open: bool,
}

impl LiveScreen {
    /// Takes the terminal over.
    pub(super) fn open() -> io::Result<LiveScreen> {
        let mut out = stdout();
        // Without a keyboard there is a picture all the same.
        let _no_keyboard = enable_raw_mode();
        execute!(out, EnterAlternateScreen, Hide, Clear(ClearType::All))?;
        Ok(LiveScreen {
            screen: Screen::stdout(),
            out,
            shown: Vec::new(),
            is_open: true,
        })
    }

    /// Shows `picture`; its last line stays in sight on a terminal that is too low for all of it.
    pub(super) fn draw(&mut self, picture: &[Line]) -> io::Result<()> {
        let (width, height) = size()
            .ok()
            .filter(|(width, height)| *width > 0 && *height > 0)
            .unwrap_or(USUAL);
        let (last, first) = picture
            .split_last()
            .map_or((None, picture), |(last, first)| (Some(last), first));
        let room = usize::from(height).saturating_sub(1);
        let lines = first.iter().take(room).chain(last);
        let lines: Vec<String> = lines
            .map(|line| line.paint(self.screen, usize::from(width)))
            .collect();
        for (row, line) in (0..).zip(&lines) {
            if self.shown.get(usize::from(row)) != Some(line) {
                queue!(
                    self.out,
                    MoveTo(0, row),
                    Print(line),
                    Clear(ClearType::UntilNewLine)
                )?;
            }
        }
        if lines.len() < self.shown.len() {
            let below = u16::try_from(lines.len()).unwrap_or(u16::MAX);
            queue!(self.out, MoveTo(0, below), Clear(ClearType::FromCursorDown))?;
        }
        self.shown = lines;
        self.out.flush()
    }

    /// What is shown is not as it was drawn any more.
    pub(super) fn forget(&mut self) {
        self.shown.clear();
        let _drawn_again = queue!(self.out, Clear(ClearType::All));
    }

    /// Gives the terminal back.
    pub(super) fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            // Nothing can be done about a terminal that has gone.
            let _gone = execute!(self.out, Show, LeaveAlternateScreen);
            let _gone = disable_raw_mode();
        }
    }
}

impl Drop for LiveScreen {
    fn drop(&mut self) {
        self.close();
    }
}
