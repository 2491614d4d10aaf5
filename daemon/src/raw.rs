//! Recordings of boards as event scripts: what a board said, as a game from the initial position
//! without a daemon around it.

use std::path::Path;

use arbiter_core::input::Edition;
use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::Bitboard;
use arbiter_core::{Event, Input, Millis, Setup, Time};
use board_driver::recording::{self, Playback};
use board_driver::{BoardEvent, BoardInfo, BoardKind, FaultReason, Report};

/// A recording as the arbiter is told it.
#[derive(Clone, PartialEq, Debug)]
pub struct Raw {
    /// The kind of board.
    pub kind: BoardKind,
    /// What the board said of itself; `None` when it never did.
    pub info: Option<BoardInfo>,
    /// The game.
    pub events: Vec<Event>,
    /// What the host made of the bytes.
    pub playback: Playback,
}

/// What a recording does not say of its board and of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// What the board is, if the recording does not tell or is wrong.
    pub kind: Option<BoardKind>,
    /// How it lies.
    pub turned: Orientation,
    /// The edition of the Laws under which it is ruled.
    pub laws: Edition,
}

/// Reads a recording and plays it through the driver.
///
/// # Errors
/// One line that names the file.
pub fn read(file: &Path, said: Said) -> Result<Raw, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {name}: {e}"))?;
    let recording = recording::read(&text).map_err(|e| format!("{name}:{e}"))?;
    let kind = said.kind.or(recording.header.kind);
    let kind = kind.ok_or_else(|| {
        format!("{name}: nothing was asked in this recording; say with --board what it is")
    })?;
    let playback = recording::play(&recording, kind, said.turned);
    let info = playback
        .events
        .iter()
        .find_map(|event| match &event.report {
            Report::Hello(info) => Some(info.clone()),
            _ => None,
        });
    let id = file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let events = info.as_ref().map_or(Vec::new(), |info| {
        script(&playback.events, setup(info, id, said), info.boot)
    });
    Ok(Raw {
        kind,
        info,
        events,
        playback,
    })
}

impl Raw {
    /// What is wrong with the recording, in words: why nothing or not all of it was understood.
    pub fn complaint(&self) -> Option<String> {
        let fault = |(at, fault): &(std::time::Duration, FaultReason)| {
            format!("after {:.1} s: {fault}", at.as_secs_f32())
        };
        let faults: Vec<String> = self.playback.faults.iter().map(fault).collect();
        let damaged = self.playback.trouble.damaged;
        match (&self.info, faults.is_empty(), damaged) {
            (None, _, _) => Some(format!(
                "no {} board speaks in this recording",
                self.kind.profile().title
            )),
            (_, false, _) => Some(faults.join("; ")),
            (_, true, 1..) => Some(format!("{damaged} damaged messages")),
            (_, true, 0) => None,
        }
    }
}

/// The game on such a board.
fn setup(info: &BoardInfo, game: String, said: Said) -> Setup {
    let mut setup = Setup {
        game,
        clock: info.clock,
        polled: info.polled,
        turned: said.turned,
        laws: said.laws,
        ..Setup::new(info.sensor)
    };
    setup.options = info.windows(setup.options);
    setup
}

/// What the board said as a script of one game, with time that never goes back. `boot`: the run of
/// the board with which it begins.
fn script(events: &[BoardEvent], setup: Setup, boot: u16) -> Vec<Event> {
    let mut script = vec![Event {
        at: Time::ZERO,
        input: Input::Setup(setup.into()),
    }];
    let (mut boot, mut shift, mut last) = (boot, 0, Time::ZERO);
    let mut suspects = Bitboard::EMPTY;
    for event in events {
        let distrusted = match &event.report {
            Report::Hello(info) => {
                if info.boot != boot {
                    // The board was started anew, and its clock with it.
                    (boot, shift) = (info.boot, (last + 1).0.saturating_sub(event.at.0));
                }
                // It says again what is wrong with it.
                Bitboard::EMPTY
            }
            Report::Condition(condition) => condition.doubtful(),
            _ => suspects,
        };
        if suspects != distrusted {
            // Evidence from before may still follow, so it moves no time.
            suspects = distrusted;
            script.push(Event {
                at: last,
                input: Input::Suspect { squares: suspects },
            });
        }
        if !matches!(event.report, Report::Condition(_)) {
            last = last.max(event.at + shift);
            script.extend(
                event
                    .inputs()
                    .into_iter()
                    .map(|input| Event { at: last, input }),
            );
        }
    }
    script.push(Event {
        at: last + SILENCE,
        input: Input::Tick,
    });
    script
}

/// The board is left alone after the last thing that was heard: what stands on it is meant, in
/// milliseconds.
const SILENCE: Millis = 5_000;

#[cfg(test)]
mod tests {
    use arbiter_core::SensorClass;
    use arbiter_core::shakmaty::Square;
    use board_driver::Condition;

    use super::*;

    #[test]
    fn what_a_board_did_not_trust_is_in_the_script() {
        let info = |boot| BoardInfo {
            serial: String::new(),
            sensor: SensorClass::Occupancy,
            clock: true,
            polled: false,
            scan_ms: 0,
            lamps: false,
            adjust: false,
            levels: false,
            map: false,
            self_test: false,
            pace: 1.0,
            boot,
        };
        let event = |at, report| BoardEvent {
            at: Time(at),
            report,
        };
        let ill = |failed_scans| {
            Report::Condition(Condition {
                stuck: Square::E4.into(),
                failed_scans,
                ..Condition::default()
            })
        };
        let lift = || Report::Changes(vec![(Square::E2, arbiter_core::Symbol::Empty)]);
        let events = [
            event(0, Report::Hello(info(1))),
            event(900, ill(1)),
            event(500, lift()),
            event(1_000, ill(2)),
            event(5, Report::Hello(info(2))),
        ];
        let script = script(&events, setup(&info(1), "g".to_owned(), Said::default()), 1);
        let told: Vec<(u64, Input)> = script
            .into_iter()
            .skip(1)
            .map(|event| (event.at.0, event.input))
            .collect();
        let suspect = |squares: Bitboard| Input::Suspect { squares };
        let expected = [
            (0, suspect(Square::E4.into())),
            (500, Input::Lift { square: Square::E2 }),
            (500, suspect(Bitboard::EMPTY)),
        ];
        assert_eq!(told[..3], expected);
        assert!(told.len() == 4 && told[3].1 == Input::Tick);
    }
}
