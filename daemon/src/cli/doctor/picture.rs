//! The board as it reads, with what is known of it beside and what is wrong below.

use std::time::Instant;

use anstyle::Style;
use arbiter_core::Symbol;
use arbiter_core::shakmaty::{File, Rank, Square};
use daemon::doctor::{Examination, Weight};

use super::calibrate::Calibration;
use super::lamps::LampTest;
use super::mending::Mending;
use super::screen::Line;
use super::summary;
use crate::cli::terminal::{BAD, FAINT, GOOD, NOTICE, STRONG};

/// A square that is not to be trusted.
const DOUBTFUL: Style = BAD.invert().bold();

/// What the keys do.
const KEYS: &str =
    "q quit   r count again   s ask for all squares   l lamps   c calibrate   m mend   t self-test";

/// What is being done to a board.
pub(super) struct Doing<'a> {
    pub(super) lamps: &'a LampTest,
    pub(super) calibration: &'a Calibration,
    pub(super) mending: &'a Mending,
}

impl Doing<'_> {
    fn words(&self, board: &Examination) -> Option<String> {
        let words = self.calibration.words(board);
        words
            .or_else(|| self.mending.words(board))
            .or_else(|| self.lamps.words())
    }
}

/// The picture of a board.
pub(super) fn of(board: &Examination, port: &str, doing: &Doing<'_>, now: Instant) -> Vec<Line> {
    let mut picture = vec![title(board, port, now), Line::default()];
    let mut beside = beside(board, now).into_iter();
    picture.push(files().plain("   ").join(beside.next().unwrap_or_default()));
    for rank in Rank::ALL.into_iter().rev() {
        picture.push(
            row(board, rank, now)
                .plain("   ")
                .join(beside.next().unwrap_or_default()),
        );
    }
    picture.push(files().plain("   ").join(beside.next().unwrap_or_default()));
    let legend = "   * just changed   ! not to be trusted   green: seen full and empty";
    picture.push(Line::default().add(FAINT, legend));
    let doing = doing.words(board).or_else(|| board.note.clone());
    picture.push(doing.map_or_else(Line::default, |words| {
        Line::default().add(STRONG, format!("   {words}"))
    }));
    for finding in board.findings(now) {
        let (style, word) = match finding.weight {
            Weight::Wrong => (BAD, "wrong   "),
            Weight::Notice => (NOTICE, "notice  "),
        };
        picture.push(Line::default().add(style, word).plain(finding.text));
    }
    picture.push(Line::default().add(FAINT, KEYS));
    picture
}

fn title(board: &Examination, port: &str, now: Instant) -> Line {
    let seconds = now.saturating_duration_since(board.began).as_secs();
    let what = summary::who(board).unwrap_or_else(|| "finding out which board this is".to_owned());
    Line::default()
        .add(STRONG, port)
        .plain(format!("   {what}   "))
        .add(FAINT, clock(seconds))
}

fn clock(seconds: u64) -> String {
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

fn files() -> Line {
    let names: String = File::ALL
        .into_iter()
        .map(|file| format!(" {file} "))
        .collect();
    Line::default().add(FAINT, format!("   {names}  "))
}

fn row(board: &Examination, rank: Rank, now: Instant) -> Line {
    let number = format!(" {rank} ");
    let squares = File::ALL
        .into_iter()
        .map(|file| Square::from_coords(file, rank));
    let line = Line::default().add(FAINT, number.clone());
    squares
        .fold(line, |line, square| cell(board, line, square, now))
        .add(FAINT, &number[..2])
}

/// A square: what it reads, and a mark behind it.
fn cell(board: &Examination, line: Line, square: Square, now: Instant) -> Line {
    let seen = board.squares.reading.map(|reading| reading.at(square));
    let is_new = board.squares.is_new(square, now);
    let (doubtful, walked) = (
        board.is_doubtful(square),
        board.squares.walked().contains(square),
    );
    let mark = if doubtful {
        '!'
    } else if is_new {
        '*'
    } else {
        ' '
    };
    let style = match seen {
        _ if doubtful => DOUBTFUL,
        _ if is_new => STRONG.invert(),
        _ if walked => GOOD,
        None | Some(Symbol::Empty) => FAINT,
        Some(_) => Style::new(),
    };
    line.add(style, format!(" {}{mark}", seen.map_or(' ', Symbol::char)))
}

/// What is known of the board, a line for each rank of it and the two names of files.
fn beside(board: &Examination, now: Instant) -> Vec<Line> {
    let item =
        |name: &str, text: String| Line::default().add(FAINT, format!("{name:<8}")).plain(text);
    let mut lines = vec![item("line", line(board, now))];
    let (reports, bytes) = (&board.counts.reports, &board.counts.bytes);
    let rates = (
        reports.per_second(now, board.began),
        bytes.per_second(now, board.began),
    );
    lines.push(item(
        "rates",
        format!("{:.1} reports/s   {:.0} bytes/s", rates.0, rates.1),
    ));
    lines.extend(
        summary::facts(board)
            .into_iter()
            .map(|(name, text)| item(name, text)),
    );
    lines
}

fn line(board: &Examination, now: Instant) -> String {
    match (board.line.up, board.line.heard) {
        (Some(_), Some(heard)) => {
            let ago = now.saturating_duration_since(heard).as_secs_f32();
            format!(
                "up, heard {ago:.1} s ago; silent at most {:.1} s",
                board.line.longest_silence.as_secs_f32()
            )
        }
        _ => "DOWN".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::{SensorClass, Time};
    use board_driver::{BoardClock, BoardEvent, Condition, LinkEvent, Report};

    use super::*;

    #[test]
    fn what_is_seen_of_a_board() {
        let now = Instant::now();
        let mut board = Examination::new(now);
        let say = |board: &mut Examination, report| {
            let event = BoardEvent {
                at: Time(5),
                report,
            };
            let clock = BoardClock::new(now, Time(0), 1.0);
            board.hear(
                now,
                &LinkEvent::Board {
                    event,
                    clock,
                    mark: None,
                },
            );
        };
        let start = SensorClass::Piece.reads(&arbiter_core::shakmaty::Board::new());
        say(&mut board, Report::Snapshot(start));
        say(
            &mut board,
            Report::Changes(vec![(Square::E2, Symbol::Empty)]),
        );
        say(
            &mut board,
            Report::Condition(Condition {
                stuck: Square::D5.into(),
                ..Condition::default()
            }),
        );
        let text = |board: &Examination| -> Vec<String> {
            let doing = Doing {
                lamps: &LampTest::default(),
                calibration: &Calibration::None,
                mending: &Mending::None,
            };
            let picture = of(board, "/dev/x", &doing, now);
            picture.iter().map(Line::text).collect()
        };
        let picture = text(&board);
        assert!(
            picture[0].starts_with("/dev/x   finding out which board this is   0:00:00"),
            "{picture:#?}"
        );
        assert!(
            picture[2].starts_with("    a  b  c  d  e  f  g  h "),
            "{picture:#?}"
        );
        assert!(
            picture[3].starts_with(" 8  r  n  b  q  k  b  n  r  8 "),
            "{picture:#?}"
        );
        assert!(
            picture[6].starts_with(" 5  .  .  .  .! .  .  .  .  5 "),
            "{picture:#?}"
        );
        assert!(
            picture[9].starts_with(" 2  P  P  P  P  .* P  P  P  2 "),
            "{picture:#?}"
        );
        assert!(
            picture
                .iter()
                .any(|line| line.starts_with("wrong   d5 cannot be read")),
            "{picture:#?}"
        );
        assert!(
            picture
                .last()
                .is_some_and(|keys| keys.starts_with("q quit")),
            "{picture:#?}"
        );
    }
}
