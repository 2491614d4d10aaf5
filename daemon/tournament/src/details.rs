//! Whether what is said of an event means something.

/// Whether a text is a time control as PGN writes it (standard of 1994, section 9.6.1): periods
/// such as `40/6000+30:900+30`, `5400+30`, `300`, `*180`; `-` is none, `?` is not known.
pub fn is_time_control(text: &str) -> bool {
    let number = |text: &str| {
        let digits = (1..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits && text.bytes().any(|b| b != b'0')
    };
    let is_increment = |text: &str| text == "0" || number(text);
    let is_time = |text: &str| match text.split_once('+') {
        Some((seconds, increment)) => {
            (number(seconds) || seconds == "0") && is_increment(increment)
        }
        None => number(text),
    };
    let is_period = |text: &str| match (text.split_once('/'), text.strip_prefix('*')) {
        (Some((moves, time)), _) => number(moves) && is_time(time),
        (None, Some(seconds)) => number(seconds),
        (None, None) => is_time(text),
    };
    matches!(text, "-" | "?") || text.split(':').all(is_period)
}

/// A day as PGN writes it, `2026.11.24`, of one as files have it: `2026-11-24`, `24.11.2026`, and
/// `26/11/24` as report files have the days of rounds. `None` where that is none.
pub fn pgn_day(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.trim().split(['-', '.', '/']).collect();
    let [first, month, last] = parts[..] else {
        return None;
    };
    let number = |text: &str| {
        let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u16>().ok().filter(|_| is_number)
    };
    let (year, day) = match (first.len(), last.len()) {
        (4, _) => (number(first)?, number(last)?),
        (_, 4) => (number(last)?, number(first)?),
        (2, 2) => (2000 + number(first)?, number(last)?),
        _ => return None,
    };
    let month = number(month)?;
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
    is_day.then(|| format!("{year:04}.{month:02}.{day:02}"))
}

/// The year, the month and the day of a birth as files write them: `2010/05/17`, `17.05.2010`,
/// `2010/00/00`, `2010`. What is not known is 0, or larger than a calendar has; `None` where there
/// is no year either.
pub fn birth(text: &str) -> Option<[u16; 3]> {
    let parts = text.split(|c: char| !c.is_ascii_digit());
    let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if parts.first()?.len() != 4 {
        parts.reverse();
    }
    let mut numbers = parts.iter().map(|part| part.parse().unwrap_or(0));
    let year = numbers.next().filter(|year| (1001..=9999).contains(year))?;
    Some([
        year,
        numbers.next().unwrap_or(0),
        numbers.next().unwrap_or(0),
    ])
}

/// Whether a day of birth is understood, or said to be unknown: `0000/00/00`, or nothing at all.
pub(crate) fn is_birth(text: &str) -> bool {
    let is_unknown = !text.chars().any(|c| c.is_alphanumeric() && c != '0');
    let is_day = |[_, month, day]: [u16; 3]| month <= 12 && day <= 31;
    is_unknown || birth(text).is_some_and(is_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_birth_that_are_none() {
        for is in [
            "",
            "0000/00/00",
            "2010/05/17",
            "17.05.2010",
            "2010",
            "1987/00/00",
            "????",
        ] {
            assert!(is_birth(is), "{is}");
        }
        for none in ["young", "17/05/10", "2010/13/45", "2010/05/32", "12"] {
            assert!(!is_birth(none), "{none}");
        }
        assert_eq!(birth("17.05.2010"), Some([2010, 5, 17]));
    }

    #[test]
    fn time_controls_as_pgn_writes_them() {
        for is in [
            "5400+30",
            "40/6000+30:900+30",
            "300",
            "*180",
            "0+1",
            "180+0",
            "-",
            "?",
            "40/7200:3600",
        ] {
            assert!(is_time_control(is), "{is}");
        }
        for none in [
            "", "abc", "90 min", "90'+30\"", "5400+", "+30", "40/", "0", "5400:", "-5", "1e3",
        ] {
            assert!(!is_time_control(none), "{none}");
        }
    }

    #[test]
    fn days_as_files_have_them() {
        for written in [
            "2026-11-24",
            "2026/11/24",
            "26/11/24",
            "24.11.2026",
            "2026.11.24",
        ] {
            assert_eq!(pgn_day(written).as_deref(), Some("2026.11.24"), "{written}");
        }
        assert_eq!(pgn_day("1.2.2026").as_deref(), Some("2026.02.01"));
        for none in [
            "",
            "????.??.??",
            "2026",
            "24 November",
            "26/13/24",
            "2026-11-32",
            "1/2/3",
        ] {
            assert_eq!(pgn_day(none), None, "{none}");
        }
    }
}
