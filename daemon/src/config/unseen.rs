//! How long nobody may have looked at what is certain: `[incidents]`.

use schemars::JsonSchema;
use serde::Serialize;

use super::sheet::{Section, Sheet};

/// The longest time, in seconds: an hour.
const LONGEST: u32 = 3600;

/// After how many seconds a certain finding that nobody has looked at is told once more to whoever
/// is responsible for all tables, by the class of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Unseen {
    /// In standard play.
    pub standard: u32,
    /// In rapid play.
    pub rapid: u32,
    /// In blitz.
    pub blitz: u32,
}

impl Default for Unseen {
    fn default() -> Unseen {
        Unseen {
            standard: 60,
            rapid: 60,
            blitz: 20,
        }
    }
}

/// Reads the keys.
pub(super) fn unseen<'t>(sheet: &mut Sheet<'t>, root: &mut Section<'t>) -> Unseen {
    let usual = Unseen::default();
    let Some(mut incidents) = sheet.section(root, "incidents") else {
        return usual;
    };
    let mut seconds = |key: &'static str, usual: u32| {
        let Some(found) = sheet.take::<u32>(&mut incidents, key) else {
            return usual;
        };
        if !(1..=LONGEST).contains(&found.value) {
            let what = format!("{} is not 1 to {LONGEST} seconds", found.value);
            sheet.blame(found.line, format!("incidents.{key}"), what);
        }
        found.value
    };
    let read = Unseen {
        standard: seconds("unseen-standard", usual.standard),
        rapid: seconds("unseen-rapid", usual.rapid),
        blitz: seconds("unseen-blitz", usual.blitz),
    };
    sheet.close(incidents);
    read
}
