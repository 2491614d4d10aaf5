//! What a board found when it tried its own parts, in words.

use board_driver::{Part, Tested, Verdict};

use super::finding::Finding;

/// A board's report of its parts, as far as it has come.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    parts: Vec<Tested>,
    is_whole: bool,
}

impl Report {
    pub(super) fn hear(&mut self, tested: Tested) {
        if tested.number == 0 {
            *self = Report::default();
        }
        // One that was lost on the line is asked for again with all others.
        if usize::from(tested.number) == self.parts.len() {
            self.parts.push(tested);
            self.is_whole = self.parts.len() == usize::from(tested.count);
        }
    }

    /// Whether all parts were told.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The parts that were told.
    pub fn parts(&self) -> &[Tested] {
        &self.parts
    }

    /// Parts that failed, and those that nobody but a hand can try.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let of = |tested: &Tested| {
            let words = format!("{}: {}", name(tested.part), found(tested));
            match tested.verdict {
                Verdict::FAILED => Some(Finding::wrong(words)),
                Verdict::UNTRIED => Some(Finding::notice(words)),
                _ => None,
            }
        };
        self.parts.iter().filter_map(of).collect()
    }
}

/// A part's name.
pub fn name(part: Part) -> String {
    match part {
        Part::SUPPLY => "supply",
        Part::CONVERTER => "converter",
        Part::CHAIN => "chain of shift registers",
        Part::LINES => "lines of the matrix",
        Part::SENSORS => "sensors",
        Part::FLASH => "flash",
        Part::LEVER => "lever",
        Part::CLOCK => "clock",
        Part::BUTTONS => "adjust buttons",
        Part(other) => return format!("part {other}"),
    }
    .to_owned()
}

/// What a verdict is called.
pub fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::PASSED => "passed".to_owned(),
        Verdict::FAILED => "failed".to_owned(),
        Verdict::UNTRIED => "untried".to_owned(),
        Verdict(other) => format!("verdict {other}"),
    }
}

/// What was found, in words.
pub fn found(tested: &Tested) -> String {
    let [first, second] = tested.found;
    match tested.part {
        Part::SUPPLY => format!("{:.2} V", f64::from(first) / 1e3),
        Part::CONVERTER => format!(
            "{:.1} °C by the chip's thermometer",
            f64::from(first as i32) / 10.0
        ),
        Part::CHAIN => format!(
            "a pattern was sent through it {first} times, and came back as another {second} times"
        ),
        Part::LINES => match (first, second) {
            (0, 0) => "every rank can be set, no file is shorted".to_owned(),
            _ => lines(first, second),
        },
        Part::SENSORS => match u64::from(second) << 32 | u64::from(first) {
            0 => "every one reads what one can".to_owned(),
            squares => format!(
                "no working one reads what is read on {}",
                squares_of(squares)
            ),
        },
        Part::FLASH => flash(first, second),
        Part::LEVER => match first {
            0 => "neither end is down: press it once, or it is not connected".to_owned(),
            1 => "White's end is down".to_owned(),
            2 => "Black's end is down".to_owned(),
            _ => "both ends are down: their lines are shorted".to_owned(),
        },
        Part::CLOCK if first == 1 => "heard".to_owned(),
        Part::CLOCK => "not heard: is it plugged in, and has it been set?".to_owned(),
        Part::BUTTONS => match first {
            0 => "none is pressed".to_owned(),
            1 => "White's is pressed".to_owned(),
            2 => "Black's is pressed".to_owned(),
            _ => "both are pressed".to_owned(),
        },
        Part(_) => format!("{first}, {second}"),
    }
}

fn squares_of(squares: u64) -> String {
    board_driver::condition::squares(arbiter_core::shakmaty::Bitboard(squares))
}

fn lines(ranks: u32, files: u32) -> String {
    let named = |bits: u32, first: u8| -> Vec<String> {
        (0..8)
            .filter(|n| bits >> n & 1 == 1)
            .map(|n| char::from(first + n).to_string())
            .collect()
    };
    let (ranks, files) = (named(ranks, b'1'), named(files, b'a'));
    let part = |what: &str, names: &[String], how: &str| {
        (!names.is_empty()).then(|| format!("{what} {} {how}", names.join(", ")))
    };
    let parts = [
        part("the line of rank", &ranks, "cannot be set"),
        part(
            "the line of file",
            &files,
            "reads closed with nothing selected",
        ),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn flash(kept: u32, damaged: u32) -> String {
    let part = |bit: u32, what: &str| (kept >> bit & 1 == 1).then(|| what.to_owned());
    let mut parts: Vec<String> = [
        part(0, "this run's number is kept"),
        part(1, "a calibration is kept"),
        part(2, "a map of the squares is kept"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if kept & 1 == 0 {
        parts.push("this run's number could not be kept".to_owned());
    }
    if damaged > 0 {
        parts.push(format!("{damaged} pages are damaged"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(number: u8, count: u8, part: Part, verdict: Verdict, found: [u32; 2]) -> Tested {
        Tested {
            number,
            count,
            part,
            verdict,
            found,
        }
    }

    #[test]
    fn a_report_is_whole_when_all_parts_have_come_in_their_order() {
        let parts: Vec<Tested> = (0..3)
            .map(|n| tested(n, 3, Part(n + 1), Verdict::PASSED, [0, 0]))
            .collect();
        let mut report = Report::default();
        report.hear(parts[0]);
        report.hear(parts[2]);
        assert!(!report.is_whole());
        parts.iter().for_each(|part| report.hear(*part));
        assert!(report.is_whole());
        assert_eq!(report.parts(), parts);
        report.hear(parts[0]);
        assert!(!report.is_whole(), "another one begins");
    }

    #[test]
    fn every_part_has_words_for_what_was_found() {
        let words = |part, found| super::found(&tested(0, 1, part, Verdict::PASSED, found));
        assert_eq!(words(Part::SUPPLY, [4_987, 0]), "4.99 V");
        assert_eq!(
            words(Part::CONVERTER, [-15i32 as u32, 0]),
            "-1.5 °C by the chip's thermometer"
        );
        assert_eq!(
            words(Part::LINES, [0b1000_0001, 0b10]),
            "the line of rank 1, 8 cannot be set; the line of file b reads closed with nothing \
             selected"
        );
        assert_eq!(
            words(Part::SENSORS, [1 << 12, 1 << 31]),
            "no working one reads what is read on e2 and h8"
        );
        assert_eq!(
            words(Part::FLASH, [5, 0]),
            "this run's number is kept, a map of the squares is kept"
        );
        assert_eq!(
            words(Part::FLASH, [0, 1]),
            "this run's number could not be kept, 1 pages are damaged"
        );
        assert_eq!(words(Part(77), [1, 2]), "1, 2");
    }
}
