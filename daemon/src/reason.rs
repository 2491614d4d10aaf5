//! Why something was refused: as an English sentence, and as data for other languages.

use std::collections::BTreeMap;
use std::fmt;

use arbiter_core::refused::Refused;
use arbiter_core::settings::Language;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tournament::Refusal;

/// Why something was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "RefusalReason")]
pub struct Reason {
    /// Which reason, by a name that stays, such as `round-closed`.
    pub kind: String,
    /// What stands in its sentence, each by its name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, String>,
    /// An English sentence; it is told beside this.
    #[serde(skip)]
    pub text: String,
    /// What of the sentence everybody may know, where that is not all of it.
    #[serde(skip)]
    pub(crate) alone: Option<String>,
}

/// What an order names.
const ABOUT: &str = "about";

impl Reason {
    /// A reason of this kind, in these words.
    pub fn new(kind: &str, text: impl Into<String>) -> Reason {
        Reason {
            kind: kind.to_owned(),
            with: BTreeMap::new(),
            text: text.into(),
            alone: None,
        }
    }

    /// With this in its sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Reason {
        self.with.insert(name.to_owned(), value.to_string());
        self
    }

    /// For whoever sees no findings: without what waits at the game.
    #[must_use]
    pub fn without_open(mut self) -> Reason {
        if let Some(alone) = self.alone.take() {
            self.with.retain(|name, _| name == ABOUT);
            self.text = alone;
        }
        self
    }

    /// Why an arbiter's order on a game changes nothing, and what is open instead.
    pub fn of_order(refused: &Refused, text: &str) -> Reason {
        let alone = refused.alone(Language::En);
        let Refused { why, about, open } = refused;
        let why = serde_json::to_value(why).unwrap_or_default();
        let kind = format!("order-{}", why.as_str().unwrap_or_default());
        let mut reason = Reason::new(&kind, text);
        reason.alone = Some(alone);
        let lists = [
            ("findings", &open.findings),
            ("plies", &open.plies),
            ("orders", &open.orders),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            reason = reason.with(name, list.join(" "));
        }
        let is_so = [
            ("restore", open.restore),
            ("result", open.result),
            ("paused", open.paused),
        ];
        for (name, _) in is_so.into_iter().filter(|(_, is_so)| *is_so) {
            reason = reason.with(name, "yes");
        }
        match about.is_empty() {
            true => reason,
            false => reason.with(ABOUT, about),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why the event does not take an act: the refusal's name and fields, the only one as `what`.
impl From<&Refusal> for Reason {
    fn from(refusal: &Refusal) -> Reason {
        let told = serde_json::to_value(refusal).unwrap_or_default();
        let text = refusal.to_string();
        match told {
            Value::String(kind) => Reason::new(&kind, text),
            Value::Object(told) => {
                let (kind, with) = told.into_iter().next().unwrap_or_default();
                let reason = Reason::new(&kind, text);
                match with {
                    Value::Object(fields) => {
                        // What is not known is not said.
                        let known = fields.into_iter().filter(|(_, value)| !value.is_null());
                        known.fold(reason, |reason, (name, value)| {
                            reason.with(&name, plain(&value, ", "))
                        })
                    }
                    only => reason.with("what", plain(&only, ", ")),
                }
            }
            _ => Reason::new("refused", text),
        }
    }
}

/// A value as it stands in a sentence; a pair of round and table as `3.12`.
fn plain(value: &Value, between: &str) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let list: Vec<String> = list.iter().map(|value| plain(value, ".")).collect();
            list.join(between)
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_event_refuses_is_told_as_data() {
        let told = |refusal: &Refusal| {
            let Reason { kind, with, .. } = Reason::from(refusal);
            let with = with
                .into_iter()
                .map(|(name, value)| format!(" {name}={value}"));
            kind + &with.collect::<String>()
        };
        assert_eq!(told(&Refusal::EventClosed), "event-closed");
        assert_eq!(told(&Refusal::NoRound(3)), "no-round what=3");
        let (round, tables, said) = (3, vec![4, 7], None);
        let used = Refusal::Used {
            round,
            tables,
            said,
        };
        assert_eq!(told(&used), "used round=3 tables=4, 7");
        let open = vec![4, 7];
        assert_eq!(
            told(&Refusal::Open { round: 2, open }),
            "open open=4, 7 round=2"
        );
        let unfinished = Refusal::Unfinished(vec![(1, 2), (3, 12)]);
        assert_eq!(told(&unfinished), "unfinished what=1.2, 3.12");
    }
}
