//! What the public sees, and how late: `[public]`.

use std::path::{Component, Path, PathBuf};

use super::sheet::{Found, Section, Sheet};
use crate::public::{At, Delay, DelayPart, Rules};

/// The longest that the public may be behind: a day, in seconds.
const LONGEST: u32 = 86_400;

/// Reads the keys; paths are from a place on, and the store has one.
pub(super) fn public<'t>(
    sheet: &mut Sheet<'t>,
    root: &mut Section<'t>,
    at: (&Path, &Path),
) -> Rules {
    let Some(mut public) = sheet.section(root, "public") else {
        return Rules::default();
    };
    let default = Rules::default();
    let rules = Rules {
        delay: Delay::default().with(delay(sheet, &mut public)),
        ends_with_game: sheet.take_or(&mut public, "ends-with-game", false),
        hold: sheet.take_or(&mut public, "hold", default.hold),
        results: sheet.take_or(&mut public, "results", default.results),
        folder: folder(sheet, &mut public, at),
        serve: sheet.take_or(&mut public, "serve", false),
        at: Vec::new(),
    };
    let sections = sheet.sections(&mut public, "at");
    let at = sections.into_iter().map(|mut section| {
        let mut number = |key| {
            sheet
                .take::<u16>(&mut section, key)
                .map(|found| found.value)
        };
        let (round, table) = (number("round"), number("table"));
        let delay = delay(sheet, &mut section);
        let line = section.line;
        sheet.close(section);
        if delay == DelayPart::default() {
            let what = "says no `delay` and no `delay-moves`";
            sheet.blame(line, "public.at", what);
        }
        if (round, table) == (None, None) {
            let what = "names no `round` and no `table`; write the delay of all in [public]";
            sheet.blame(line, "public.at", what);
        }
        At {
            round,
            table,
            delay,
        }
    });
    let at = at.collect();
    sheet.close(public);
    Rules { at, ..rules }
}

fn folder<'t>(
    sheet: &mut Sheet<'t>,
    public: &mut Section<'t>,
    (base, store): (&Path, &Path),
) -> Option<PathBuf> {
    let Found { value, line } = sheet.take::<PathBuf>(public, "folder")?;
    if value.as_os_str().is_empty() {
        let what = "is empty; name a folder, or leave it out to write none";
        sheet.blame(line, "public.folder", what);
    }
    let folder = base.join(value);
    if plain(&folder).starts_with(plain(store)) {
        let what = "lies in the store, which nobody is to be given; name a folder outside";
        sheet.blame(line, "public.folder", what);
    }
    Some(folder)
}

/// A path without `.` and `..`, as it is written.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

fn delay<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> DelayPart {
    let seconds = sheet.take::<u32>(section, "delay");
    if let Some(Found { value, line }) = &seconds
        && *value > LONGEST
    {
        let what = format!("{value} is more than {LONGEST} seconds");
        sheet.blame(*line, section.path("delay"), what);
    }
    let plies = sheet.take::<u16>(section, "delay-moves");
    DelayPart {
        ms: seconds.map(|found| i64::from(found.value) * 1000),
        plies: plies.map(|found| usize::from(found.value)),
    }
}
