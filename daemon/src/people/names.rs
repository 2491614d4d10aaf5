//! Names that sign: nobody bears one that can be taken for another's.

use std::collections::BTreeSet;

use access::{Role, Session, Who};
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use super::{People, PeopleError};
use crate::reason::Reason;

/// Who signs without an account: the owner of the store by a command, and the program itself.
const TAKEN: [&str; 3] = ["owner", "command line", "program"];

impl People {
    /// Refuses a name that is nobody's who has an account or is in, and may do something in the
    /// hall; `rules`: who may rule at some table.
    ///
    /// # Errors
    /// Where nobody is called so; says who there is.
    pub fn is_known(&self, name: &str, rules: bool) -> Result<(), PeopleError> {
        let accounts = self.accounts().into_iter();
        let accounts = accounts.filter(|account| account.revoked.is_none());
        let accounts = accounts.map(|account| account.who);
        let devices = self.sessions().into_iter().map(|session| session.who);
        let may = |who: &Who| match rules {
            true => matches!(who.role, Role::Chief | Role::Sector),
            false => !who.role.only_watches(),
        };
        let all = accounts.chain(devices).filter(may);
        let all: BTreeSet<String> = all.map(|who| who.name).collect();
        if all.iter().any(|known| is_same(known, name)) {
            return Ok(());
        }
        let all: Vec<String> = all.into_iter().collect();
        let all = all.join(", ");
        let reason = Reason::new(
            "nobody-called",
            format!("nobody is called `{name}`: there are {all}"),
        );
        Err(PeopleError::bad(
            reason.with("name", name).with("names", all),
        ))
    }

    /// Refuses a name that can be taken for that of an account, be it closed, or of whoever signs
    /// without one. `what` bears the name.
    pub(super) fn is_nobodys(&self, what: &str, name: &str) -> Result<(), PeopleError> {
        let accounts = self.accounts();
        let names = accounts.iter().map(|account| &*account.who.name);
        match TAKEN.into_iter().chain(names).find(|n| is_alike(n, name)) {
            None => Ok(()),
            Some(other) => {
                let text = format!(
                    "the {what}'s name can be taken for `{other}`, which signs already: choose \
                     another"
                );
                let reason = Reason::new("name-alike", text).with("name", other);
                Err(PeopleError::bad(reason))
            }
        }
    }
}

impl People {
    /// Refuses the name of a device that is in: of two of one name nobody knows which has ruled.
    /// Those that only watch sign nothing.
    pub(super) fn is_free(&self, name: &str, role: access::Role) -> Result<(), PeopleError> {
        let signs = |session: &&Session| !(role.only_watches() && session.who.role.only_watches());
        let sessions = self.sessions();
        let mut devices = sessions.iter().filter(|session| !session.account);
        let other = devices.find(|session| signs(session) && is_alike(&session.who.name, name));
        other.map_or(Ok(()), |session| {
            Err(PeopleError::InUse {
                name: session.who.name.clone(),
                session: session.id,
            })
        })
    }
}

/// A name as it is kept: letters of one form (Unicode's NFKC), its words one space apart. However
/// it is typed later, it is the same.
pub(super) fn kept(name: &str) -> String {
    let one: String = name.nfkc().collect();
    one.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether both are the same name, whatever the case of their letters.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    kept(one).to_lowercase() == kept(other).to_lowercase()
}

/// Whether one name can be taken for the other: they are the same but for capitals and spaces, or
/// look the same (Unicode Technical Standard #39, section 4).
fn is_alike(one: &str, other: &str) -> bool {
    // A sign may look like a capital letter: small letters are made of what it looks like.
    let looks = |name: &str| skeleton(&plain(name)).collect::<String>().to_lowercase();
    let forms = |name: &str| [looks(name), looks(&name.to_lowercase())];
    let others = forms(other);
    forms(one).iter().any(|form| others.contains(form))
}

/// A name without what takes no room or is left blank (Unicode's Default_Ignorable_Code_Point), as
/// it is kept.
fn plain(name: &str) -> String {
    let no_room = |c: &char| {
        matches!(
            *c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
    };
    kept(&name.chars().filter(|c| !no_room(c)).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_in_one_form() {
        assert_eq!(kept(" Chief\u{a0}\u{2009}0 "), "Chief 0");
        assert_eq!(kept("\u{ff23}hief"), "Chief");
        assert!(is_same("chief\u{3000}0", "Chief 0"));
        assert!(!is_same("Chief 0", "Chief 1"));
    }

    #[test]
    fn names_that_look_the_same() {
        for (one, other) in [
            ("Chief", "chief"),
            ("Chief", "\u{421}hief"),
            ("chief", "\u{441}hief"),
            ("command line", "Command  Line"),
            ("Iris", "lris"),
            ("B0ss", "Boss"),
            ("0wner", "owner"),
            ("owner", "ow\u{200b}ner"),
            ("Chief 0", "Chief\u{a0}0"),
            ("Chief 0", "Chief\u{2007}\u{2060}0"),
            ("Chief 0", "Chief\u{3000}0"),
            ("Chief", "Ch\u{34f}ief"),
            ("Chief", "Chief\u{fe0f}"),
            ("Chief", "C\u{180e}hief"),
            ("Chief", "Chief\u{3164}"),
            ("Chief", "Chief\u{e0020}"),
            ("Chief 0", "\u{ff23}hief \u{ff10}"),
            ("Chief 2", "Chief \u{b2}"),
            ("Fischer", "\u{fb01}scher"),
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
