//! What is wrong with a board, as it is told: in English, and as data for other languages.

use std::collections::BTreeMap;

use board_driver::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that is wrong with a board or its line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FaultText {
    /// Which fault, by a name that stays, such as `no-such-port`.
    pub kind: String,
    /// What stands in its sentence.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, String>,
    /// An English sentence without a stop.
    pub text: String,
}

impl From<&Fault> for FaultText {
    fn from(fault: &Fault) -> FaultText {
        let with = fault.with.iter();
        FaultText {
            kind: fault.kind.to_owned(),
            with: with
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect(),
            text: fault.text.clone(),
        }
    }
}
