//! Names that sign: nobody bears one that can be taken for another's.

use unicode_security::confusable_detection::skeleton;

use super::{People, PeopleError};

/// Who signs without an account: the owner of the store by a command, and the program itself.
const TAKEN: [&str; 3] = ["owner", "command line", "program"];

impl People {
    /// Refuses a name that can be taken for that of an account, be it closed, or of whoever signs
    /// without one. `what` bears the name.
    pub(super) fn is_nobodys(&self, what: &str, name: &str) -> Result<(), PeopleError> {
        let accounts = self.accounts();
        let names = accounts.iter().map(|account| &*account.who.name);
        match TAKEN.into_iter().chain(names).find(|n| is_alike(n, name)) {
            None => Ok(()),
            Some(other) => Err(PeopleError::Bad(format!(
                "the {what}'s name can be taken for `{other}`, which signs already: choose another"
            ))),
        }
    }
}

/// Whether one name can be taken for the other: they are the same but for capitals and spaces, or
/// look the same (Unicode Technical Standard #39, section 4).
fn is_alike(one: &str, other: &str) -> bool {
    let looks = |name: &str| skeleton(&plain(name)).collect::<String>();
    let small = |name: &str| looks(&name.to_lowercase());
    looks(one) == looks(other) || small(one) == small(other)
}

/// A name without what takes no room, its words one space apart.
fn plain(name: &str) -> String {
    let no_room = |c: &char| {
        matches!(
            *c,
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
        )
    };
    let seen: String = name.chars().filter(|c| !no_room(c)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same() {
        for (one, other) in [
            ("Chief", "chief"),
            ("Chief", "\u{421}hief"),
            ("chief", "\u{441}hief"),
            ("command line", "Command  Line"),
            ("Iris", "lris"),
            ("owner", "ow\u{200b}ner"),
        ] {
            assert!(is_alike(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Anna", "Hanna"),
            ("sector 1-10", "sector 11-20"),
            ("Ек", "Её"),
        ] {
            assert!(!is_alike(one, other), "{one} {other}");
        }
    }
}
