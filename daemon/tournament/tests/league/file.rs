//! The file of a league of four teams, and what changes in it.

/// Four teams in two matches on three boards: see `teams.rs`.
pub(crate) const FILE: &[u8] = include_bytes!("../teams.trf");

pub(crate) fn text() -> String {
    String::from_utf8_lossy(FILE).replace("\r\n", "\n")
}

/// The same where these players have something else for the first round, such as `  12 w +`.
pub(crate) fn with_cells(cells: &[(u16, &str)]) -> String {
    let mut file = text();
    for (number, cell) in cells {
        let his = format!("001 {number:4}");
        let line = file.lines().find(|line| line.starts_with(&his));
        let line = line.expect("a line").to_owned();
        let new = format!("{:91}{cell}", line[..89].trim_end());
        file = file.replace(&line, new.trim_end());
    }
    file
}

/// No game of the second match, though the players' lines have their opponents.
pub(crate) const FORFEITED: [(u16, &str); 6] = [
    (9, "  12 w +"),
    (12, "   9 b -"),
    (10, "  14 b +"),
    (14, "  10 w -"),
    (11, "  13 w +"),
    (13, "  11 b -"),
];
