//! Feeds a script to the arbiter and keeps what it says, each ruling with the line that brought it
//! about.

use arbiter_core::Announcement;
use daemon::mating::Follower;
use serde_json::Value;

use super::compile::Script;
use super::orient::Orientation;

/// One thing said, turned back into the orientation of the file.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// The line after which it was decided.
    pub(crate) line: usize,
    /// As a line of `arbiterd replay`.
    pub(crate) ruling: Value,
}

/// Runs the whole script.
pub(crate) fn run(script: &Script, orientation: Orientation) -> Vec<Said> {
    let mut follower = Follower::new();
    let mut said = Vec::new();
    let mut before = 0;
    for (event, line) in script.events.iter().zip(&script.lines) {
        let mut heard: Vec<Announcement> = Vec::new();
        let _told_as_rulings = follower.handle(event, &mut heard);
        for announcement in heard {
            // What was decided before this event belongs to the line before it: silence had spoken.
            let line = if announcement.at < event.at {
                before
            } else {
                *line
            };
            said.push(keep(line, &announcement, orientation));
        }
        before = *line;
    }
    let mut heard: Vec<Announcement> = Vec::new();
    follower.finish(&mut heard);
    said.extend(
        heard
            .iter()
            .map(|announcement| keep(before, announcement, orientation)),
    );
    said
}

fn keep(line: usize, announcement: &Announcement, orientation: Orientation) -> Said {
    let value = serde_json::to_value(announcement).expect("a ruling is plain data");
    Said {
        line,
        ruling: orientation.ruling("", &value),
    }
}
