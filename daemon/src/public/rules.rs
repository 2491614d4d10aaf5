//! How late the public sees what, and what it does not see.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tournament::{Publication, Tournament};

/// How much later than the arbiters the public sees a game. Where both are given, whichever holds
/// back longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Delay {
    /// In milliseconds after a move was seen made.
    pub ms: i64,
    /// Half-moves that must have been played after it.
    pub plies: usize,
}

/// What of a record waits, besides what the delay holds back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hold {
    /// Moves that the sensors leave in doubt, until somebody has said, or later moves tell.
    #[default]
    Doubt,
    /// Nothing.
    None,
    /// What is in doubt, and moves that are not completed by the clock.
    Completed,
}

/// Which results are public.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Results {
    /// Those that a person has confirmed.
    #[default]
    Confirmed,
    /// Those too that the board itself is sure of: mate, stalemate, an agreed draw.
    Board,
}

/// A delay that is another than the usual one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct At {
    /// In this round; `None`: in all.
    pub round: Option<u16>,
    /// At this table; `None`: at all.
    pub table: Option<u16>,
    /// How late.
    pub delay: DelayPart,
}

/// What is said of a delay; of what is not, what holds elsewhere holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DelayPart {
    /// In milliseconds.
    pub ms: Option<i64>,
    /// Half-moves.
    pub plies: Option<usize>,
}

impl Delay {
    /// With another one's parts in the place of its own.
    pub(crate) fn with(self, part: DelayPart) -> Delay {
        Delay {
            ms: part.ms.unwrap_or(self.ms),
            plies: part.plies.unwrap_or(self.plies),
        }
    }
}

/// What the configuration says of the public: the keys of `[public]`. A hub is told how late, not
/// where it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rules {
    /// How late.
    pub delay: Delay,
    /// Where it is another; of each part the last that fits counts.
    pub at: Vec<At>,
    /// Once a game has a public result, the rest of it is public at once.
    pub ends_with_game: bool,
    /// What waits.
    pub hold: Hold,
    /// Which results are public.
    pub results: Results,
    /// The folder in which everything public is written; `None`: nowhere.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
    /// Whether everything public is given out at `/live/`, to whoever asks.
    #[serde(skip)]
    pub serve: bool,
}

impl Rules {
    /// Whether anything is public at all.
    pub fn is_public(&self) -> bool {
        self.serve || self.folder.is_some()
    }

    /// Whether anything is public later than it happens, as it is configured.
    pub fn is_late(&self) -> bool {
        let none = Delay::default();
        let at = self.at.iter().map(|at| none.with(at.delay));
        at.chain([self.delay]).any(|delay| delay != none)
    }

    /// How late the game at a place is public: as a person has said, else as it is configured.
    pub fn delay(&self, event: &Tournament, round: Option<u16>, table: Option<u16>) -> Delay {
        self.delay_by(&event.publication, round, table)
    }

    /// The same as it was when this had been said.
    pub(crate) fn delay_by(
        &self,
        said: &Publication,
        round: Option<u16>,
        table: Option<u16>,
    ) -> Delay {
        let fits = |place: Option<u16>, is: Option<u16>| place.is_none() || place == is;
        let said = said.delay(round, table);
        if let Some(said) = said {
            return Delay {
                ms: i64::from(said.seconds) * 1000,
                plies: usize::from(said.moves),
            };
        }
        let at = self.at.iter();
        let at = at.filter(|at| fits(at.round, round) && fits(at.table, table));
        at.fold(self.delay, |delay, at| delay.with(at.delay))
    }
}
