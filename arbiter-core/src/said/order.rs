//! Orders of people: who gave one and by what name it can be taken back, and the finding it means.

use alloc::boxed::Box;
use alloc::format;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::said::input::{ArbiterAction, Input};
use crate::said::irregularity::{Code, Party};

/// The longest name of an order, in bytes.
pub const LONGEST_ORDER: usize = 64;
/// The longest name of an author, in bytes.
pub const LONGEST_AUTHOR: usize = 128;

/// What a person ordered or declared, under a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    /// The order's name, unique in its game: by this it can be taken back.
    pub order: Option<Box<str>>,
    /// Who gave it.
    pub author: Option<Box<str>>,
    /// What was ordered or declared; not signed itself.
    pub input: Input,
}

/// Which finding an order means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingRef {
    /// The finding's number within the game.
    pub id: u32,
    /// What was found. With this, `ply` and `by` the finding is known also where a later version
    /// of the program numbers findings otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// The ply it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// The offender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Party>,
    /// Where it is upheld: it was so, and nothing follows from it, as once the game has its result.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub for_record: bool,
}

impl From<u32> for FindingRef {
    fn from(id: u32) -> FindingRef {
        FindingRef {
            id,
            code: None,
            ply: None,
            by: None,
            for_record: false,
        }
    }
}

impl FindingRef {
    /// Whether a finding of this code, ply and offender can be meant.
    pub fn fits(&self, code: Code, ply: u32, by: Party) -> bool {
        self.code.is_none_or(|meant| meant == code)
            && self.ply.is_none_or(|meant| meant == ply)
            && self.by.is_none_or(|meant| meant == by)
    }

    /// Whether it says more of the finding than its number.
    pub fn is_described(&self) -> bool {
        self.code.is_some() || self.ply.is_some() || self.by.is_some()
    }
}

impl Input {
    /// What was said, whoever said it.
    pub fn plain(&self) -> &Input {
        match self {
            Input::Signed(signed) => &signed.input,
            plain => plain,
        }
    }

    /// The name of the order, where it has one.
    pub fn order(&self) -> Option<&str> {
        match self {
            Input::Signed(signed) => signed.order.as_deref(),
            _ => None,
        }
    }

    /// Who gave the order, where that is known.
    pub fn author(&self) -> Option<&str> {
        match self {
            Input::Signed(signed) => signed.author.as_deref(),
            _ => None,
        }
    }

    /// Whether a person orders or declares it, so that it may be signed.
    pub fn is_declared(&self) -> bool {
        match self {
            Input::Press { .. }
            | Input::Adjust { .. }
            | Input::FlagFall { .. }
            | Input::Stop { .. }
            | Input::Claim { .. }
            | Input::Draw { .. }
            | Input::Resign { .. }
            | Input::Arbiter(_)
            | Input::Signed(_) => true,
            Input::Setup(_)
            | Input::Lift { .. }
            | Input::Place { .. }
            | Input::Snapshot { .. }
            | Input::Mating { .. }
            | Input::Suspect { .. }
            | Input::Tick => false,
        }
    }

    /// The same under the name of an order and of an author. What nobody orders stays unsigned.
    pub fn signed(self, order: Option<Box<str>>, author: Option<Box<str>>) -> Input {
        let input = match self {
            Input::Signed(signed) => signed.input,
            plain => plain,
        };
        // What is taken back is named by the same word; a take-back has no name of its own.
        let names = !matches!(input, Input::Arbiter(ArbiterAction::TakeBack { .. }));
        let order = order.filter(|_| names);
        if !input.is_declared() || (order.is_none() && author.is_none()) {
            return input;
        }
        Input::Signed(Box::new(Signed {
            order,
            author,
            input,
        }))
    }
}

/// An input without a signature, as it is written.
struct Plain<T>(T);

impl Serialize for Plain<&Input> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        Input::serialize(self.0, s)
    }
}

impl<'de> Deserialize<'de> for Plain<Input> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Plain<Input>, D::Error> {
        Input::deserialize(d).map(Plain)
    }
}

/// A signed input as it is written.
#[derive(serde::Serialize)]
struct Writing<'a> {
    #[serde(flatten)]
    input: Plain<&'a Input>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
}

/// Any input as it is read.
#[derive(serde::Deserialize)]
struct Written {
    #[serde(default)]
    order: Option<Box<str>>,
    #[serde(default)]
    author: Option<Box<str>>,
    #[serde(flatten)]
    input: Plain<Input>,
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Input::Signed(signed) => Writing {
                input: Plain(&signed.input),
                order: signed.order.as_deref(),
                author: signed.author.as_deref(),
            }
            .serialize(s),
            plain => Input::serialize(plain, s),
        }
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Input, D::Error> {
        let Written {
            order,
            author,
            input: Plain(input),
        } = <Written as Deserialize>::deserialize(d)?;
        check_name(order.as_deref(), "order", LONGEST_ORDER)?;
        check_name(author.as_deref(), "author", LONGEST_AUTHOR)?;
        if let Input::Arbiter(ArbiterAction::TakeBack { .. }) = input {
            let order = order.ok_or_else(|| D::Error::missing_field("order"))?;
            let input = Input::Arbiter(ArbiterAction::TakeBack { order });
            return Ok(input.signed(None, author));
        }
        Ok(input.signed(order, author))
    }
}

/// Whether a name can be one.
fn check_name<E: Error>(given: Option<&str>, field: &str, longest: usize) -> Result<(), E> {
    match given {
        Some("") => Err(E::custom(format!("`{field}`: a name is not empty"))),
        Some(name) if name.len() > longest => Err(E::custom(format!(
            "`{field}`: a name has at most {longest} bytes"
        ))),
        _ => Ok(()),
    }
}
