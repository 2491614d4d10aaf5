//! What was done to the event, for whoever shows it.

use schemars::JsonSchema;
use serde::Serialize;
use tournament::Act;

/// News that a slow listener may fall behind before it misses some.
pub(super) const FEED: usize = 1024;

/// Something was done to the event: what it is about is to be read anew.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "EventNews")]
pub struct News {
    /// How many acts have made the event with this one.
    pub acts: u64,
    /// What was done: `draw`, `start-round`, `begin`, `propose`, `confirm`, `bind` ...; `null`
    /// where all is to be read anew.
    pub act: Option<String>,
    /// In which round, if in one.
    pub round: Option<u16>,
    /// At which table, if at one.
    pub table: Option<u16>,
}

impl News {
    /// Whether it says at which table an arbiter observes a game, or no longer.
    pub fn is_of_observing(&self) -> bool {
        matches!(self.act.as_deref(), Some("observe" | "stop-observing"))
    }
}

/// The news of what was done, after which there are so many acts.
pub(super) fn of(done: &[Act], acts: u64) -> Vec<News> {
    let before = acts.saturating_sub(done.len() as u64);
    let news = |(acts, act): (u64, &Act)| {
        // Nobody's name and no reason is told: who may read them asks for them.
        let act = serde_json::to_value(act).unwrap_or_default();
        let number = |name: &str| act[name].as_u64().and_then(|n| u16::try_from(n).ok());
        News {
            acts,
            act: act["act"].as_str().map(str::to_owned),
            round: number("round"),
            table: number("table"),
        }
    };
    (before + 1..).zip(done).map(news).collect::<Vec<_>>()
}
