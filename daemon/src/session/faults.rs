//! What is wrong with a board, its line or the journal, in words. A fault is never a player's.

use arbiter_core::orientation::Orientation;
use arbiter_core::{Event, Input, SensorClass, Time};
use board_driver::{Condition, Fault};

use super::Session;
use crate::store::{Game, StoreError};

/// What is wrong with a board that says too much.
const BABBLES: &str = "the board says more than any board can have seen; it is not listened to \
                       until it has been calm for two seconds";

/// The faults of one board that have not passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Faults {
    /// The line: why the board cannot be heard.
    pub(super) line: Option<Fault>,
    /// The board is not what it should be.
    pub(super) board: Option<Fault>,
    /// How well its sensors work, as it says; its squares are the game's on a board that lies
    /// upright.
    pub(super) sensors: Condition,
    /// The board has to be told something by hand.
    pub(super) unlearned: Option<Fault>,
    /// Reports lost for good since the last snapshot.
    pub(super) lost: u64,
    /// What is told cannot be written down.
    pub(super) journal: Option<Fault>,
    /// The board says more than any board can have seen.
    pub(super) babbles: bool,
    /// The game at hand is not on disk as it was written; it is not followed.
    pub(super) game: Option<Fault>,
    /// What was known of the board is not on disk as it was written.
    pub(super) forgotten: Option<Fault>,
}

impl Faults {
    /// What the store knows of the board. What is damaged is not used; that is a fault.
    pub(super) fn known<T>(
        &mut self,
        read: Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match read {
            Err(error @ StoreError::Unsound(_)) => {
                let text =
                    format!("what the journal knew of the board is damaged and not used: {error}");
                self.forgotten = Some(Fault::new("forgotten", text).with("error", error));
                Ok(None)
            }
            read => read,
        }
    }

    /// All of them, on a board that the arbiter found `turned`.
    pub(super) fn all(&self, turned: Orientation) -> Vec<Fault> {
        let lost = (self.lost > 0).then(|| {
            let text = match self.lost {
                1 => "1 report was lost; waiting for the board to say how it stands".to_owned(),
                n => format!("{n} reports were lost; waiting for the board to say how it stands"),
            };
            Fault::new("lost", text).with("n", self.lost)
        });
        let babbles = self.babbles.then(|| Fault::new("babbles", BABBLES));
        let sensors = self.sensors.turned(turned).faults();
        let before = [self.line.clone(), babbles, self.board.clone()];
        let after = [
            self.unlearned.clone(),
            lost,
            self.journal.clone(),
            self.game.clone(),
            self.forgotten.clone(),
        ];
        let before = before.into_iter().flatten();
        before
            .chain(sensors)
            .chain(after.into_iter().flatten())
            .collect()
    }
}

/// Faults as one line; `None` where there are none.
pub(super) fn words(faults: &[Fault]) -> Option<String> {
    let words: Vec<&str> = faults.iter().map(|fault| fault.text.as_str()).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// What is told cannot be written down.
pub(super) fn unwritten(error: String) -> Fault {
    let text = format!("the journal cannot be written, play is held back: {error}");
    Fault::new("journal", text).with("error", error)
}

impl Session {
    /// The sensors are as good or as bad as the board says. That is no evidence of play, and does
    /// not say that none is on its way.
    pub(super) fn become_so(&mut self, condition: Condition) {
        let (before, now) = (self.faults.sensors.words(), condition.words());
        self.faults.sensors = condition;
        self.distrust(self.timeline.last());
        if before == now {
            return;
        }
        let board = &self.parts.board.id;
        if now.is_empty() {
            tracing::info!(board, "sensors are well again");
        } else {
            metrics::counter!("arbiter_faults_total").increment(1);
            tracing::warn!(board, fault = now.join("; "), "sensors are not well");
        }
    }

    /// Tells the arbiter which squares the board itself does not trust, if he does not know.
    pub(super) fn distrust(&mut self, at: Time) {
        let squares = self.faults.sensors.doubtful();
        if self.record.is_some() && self.arbiter.suspects() != squares {
            self.tell(Event {
                at,
                input: Input::Suspect { squares },
            });
        }
    }

    /// Whether the board's sensors are those that it is used with.
    pub(super) fn check_sensors(&mut self) {
        let game = self.arbiter.setup().map(|setup| setup.sensor);
        let says = self.info.as_ref().map(|info| info.sensor);
        self.faults.board =
            says.and_then(|says| wrong_sensors(says, self.parts.board.sensor, game));
    }
}

/// Why the game at hand is not followed; `None` when it is as it was written.
pub(super) fn damage(game: &Game) -> Option<Fault> {
    let damage = game.row.damage.as_ref()?;
    let id = &game.row.id;
    tracing::error!(game = id, %damage, "the game is not followed");
    let text = format!("the game {id} is {damage}; start a new game");
    let fault = Fault::new("game-damaged", text).with("game", id);
    Some(fault.with("damage", damage))
}

/// What is wrong with a board that says `says`: `expected` by the configuration, `game` by the game
/// it holds.
pub(super) fn wrong_sensors(
    says: SensorClass,
    expected: Option<SensorClass>,
    game: Option<SensorClass>,
) -> Option<Fault> {
    let says_name = name(says);
    if let Some(expected) = expected.filter(|expected| *expected != says) {
        let expected = name(expected);
        let text = format!(
            "the board says it has {says_name} sensors, the configuration says {expected}; \
             correct one of them"
        );
        let fault = Fault::new("sensors-not-configured", text).with("says", says_name);
        return Some(fault.with("expected", expected));
    }
    let game = game.filter(|game| *game != says)?;
    let (kind, then) = if is_finer(says, game) {
        ("sensors-finer", "it is used as such")
    } else {
        ("sensors-poorer", "it is not listened to")
    };
    let text = format!(
        "the board has {says_name} sensors, its game was set up for {} sensors: {then} \
         until a new game is started",
        name(game)
    );
    let fault = Fault::new(kind, text).with("says", says_name);
    Some(fault.with("game", name(game)))
}

/// Whether sensors of class `a` tell all that sensors of class `b` tell.
pub(super) fn is_finer(a: SensorClass, b: SensorClass) -> bool {
    rank(a) >= rank(b)
}

fn rank(class: SensorClass) -> u8 {
    match class {
        SensorClass::Occupancy => 0,
        SensorClass::Colour => 1,
        SensorClass::Piece => 2,
    }
}

fn name(class: SensorClass) -> &'static str {
    match class {
        SensorClass::Occupancy => "occupancy",
        SensorClass::Colour => "colour",
        SensorClass::Piece => "piece",
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::{Bitboard, Square};
    use board_driver::FaultReason;

    use super::*;

    #[test]
    fn all_are_told_in_one_line() {
        let told = |faults: &Faults, turned| words(&faults.all(turned));
        let mut faults = Faults::default();
        assert_eq!(told(&faults, Orientation::Upright), None);
        faults.line = Some(FaultReason::Unplugged.fault());
        faults.lost = 2;
        let words = told(&faults, Orientation::Upright).unwrap();
        assert!(
            words.starts_with("the board was unplugged; 2 reports were lost"),
            "{words}"
        );
        assert!(!words.contains('\n'));
        faults.sensors.stuck = Bitboard::from(Square::A1);
        let words = told(&faults, Orientation::Half).unwrap();
        assert!(
            words.starts_with("the board was unplugged; h8 cannot be read"),
            "{words}"
        );
    }

    #[test]
    fn sensors() {
        use SensorClass::{Colour, Occupancy, Piece};
        assert_eq!(wrong_sensors(Piece, None, None), None);
        assert_eq!(wrong_sensors(Piece, Some(Piece), Some(Piece)), None);
        assert!(
            wrong_sensors(Piece, Some(Colour), None)
                .unwrap()
                .text
                .contains("configuration says colour")
        );
        assert!(
            wrong_sensors(Piece, None, Some(Colour))
                .unwrap()
                .text
                .contains("used as such")
        );
        assert!(
            wrong_sensors(Occupancy, None, Some(Colour))
                .unwrap()
                .text
                .contains("not listened to")
        );
    }
}
