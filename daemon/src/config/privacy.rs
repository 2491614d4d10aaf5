//! What is kept of people and for how long, and whose names are shortened: `[privacy]`.

use super::sheet::{Section, Sheet};

/// The longest time for which something is kept, in days: a century.
const LONGEST: u16 = 36_525;
/// The age from which on nobody is a minor anywhere.
const OLDEST: u8 = 25;

/// What is kept of people and for how long, and whose names are shortened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Privacy {
    /// The public is shown the names of players who are younger shortened; `None`: of none but
    /// those who are marked.
    pub minors_under: Option<u8>,
    /// For how many days after an event is closed its players are known by name; `None`: for ever.
    pub keep_players: Option<u16>,
    /// For how many days acts have the network address they came from; `None`: for ever.
    pub keep_addresses: Option<u16>,
}

/// Reads the keys.
pub(super) fn privacy<'t>(sheet: &mut Sheet<'t>, root: &mut Section<'t>) -> Privacy {
    let Some(mut privacy) = sheet.section(root, "privacy") else {
        return Privacy::default();
    };
    let mut days = |key: &'static str| {
        let found = sheet.take::<u16>(&mut privacy, key)?;
        if found.value > LONGEST {
            let what = format!("{} is more than {LONGEST} days: leave it out", found.value);
            sheet.blame(found.line, format!("privacy.{key}"), what);
        }
        Some(found.value)
    };
    let (keep_players, keep_addresses) = (days("keep-players"), days("keep-addresses"));
    let under = sheet.take::<u8>(&mut privacy, "minors-under");
    if let Some(found) = under
        .as_ref()
        .filter(|found| !(1..=OLDEST).contains(&found.value))
    {
        let what = format!("{} is no age of minors; write 1 to {OLDEST}", found.value);
        sheet.blame(found.line, "privacy.minors-under", what);
    }
    sheet.close(privacy);
    Privacy {
        minors_under: under.map(|found| found.value),
        keep_players,
        keep_addresses,
    }
}
