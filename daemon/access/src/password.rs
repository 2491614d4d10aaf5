//! Passwords: which are taken, and how they are kept.
//!
//! Any characters in any mixture, 8 to 128 of them (NIST SP 800-63B, 3.1.1.2; OWASP ASVS 5.0, 6.2).
//! Refused is what is tried first: common passwords, keys in a row, dates, and words of the event.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use zxcvbn::{Score, zxcvbn};

use crate::secret::readable;

/// The fewest characters.
pub const SHORTEST: usize = 8;
/// The most characters.
pub const LONGEST: usize = 128;
/// Letters of a password that the program makes: 80 bits.
const GENERATED: usize = 16;

/// Why a password is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Weak {
    /// Too few characters.
    #[error("a password has at least {SHORTEST} characters")]
    Short,
    /// Too many.
    #[error("a password has at most {LONGEST} characters")]
    Long,
    /// Easily guessed.
    #[error(
        "this password is among the first to be tried: take several words that do not belong \
        together, and none of the event"
    )]
    Common,
}

/// So much has to be left of a password without the words that anybody would try here.
const LEFT: usize = 6;

/// Why this is no good password; `words` are those that anybody would try here, such as the names
/// of the event and of the account.
pub fn complaint(password: &str, words: &[&str]) -> Option<Weak> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Some(Weak::Short);
    }
    if length > LONGEST {
        return Some(Weak::Long);
    }
    let parts = words.iter().flat_map(|text| {
        let parts = text.split(|c: char| !c.is_alphanumeric());
        parts.filter(|part| part.chars().count() > 2)
    });
    let known: Vec<&str> = words.iter().copied().chain(parts).collect();
    let is_weak = is_made_of(password, &known) || zxcvbn(password, &known).score() < Score::Two;
    is_weak.then_some(Weak::Common)
}

/// Whether little is left of a password without the words that anybody would try here, however they
/// are written and repeated.
fn is_made_of(password: &str, known: &[&str]) -> bool {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let mut words: Vec<String> = known.iter().map(|word| plain(word)).collect();
    words.retain(|word| word.chars().count() > 2);
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let whole = plain(password);
    let rest = words
        .iter()
        .fold(whole.clone(), |rest, word| rest.replace(word, ""));
    rest.len() < whole.len() && rest.chars().count() < LEFT
}

/// A password of 80 bits that somebody is told once.
///
/// # Errors
/// Where the operating system has no random bytes.
pub fn generate() -> std::io::Result<String> {
    let text = readable(GENERATED)?.to_ascii_lowercase();
    let groups: Vec<&str> = [0, 4, 8, 12].map(|n| &text[n..n + 4]).to_vec();
    Ok(groups.join("-"))
}

/// What is kept of a password: Argon2id with 19 MiB, two passes and a salt of its own, in the PHC
/// string format. Takes some tens of milliseconds: not for a thread that others wait for.
///
/// # Errors
/// Where the operating system has no random bytes.
pub fn hash(password: &str) -> std::io::Result<String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    let hash = hash.map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(hash.to_string())
}

/// Whether this is the password of which `hash` is kept.
pub fn is_right(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

/// The same where there may be no account: the answer takes as long.
pub fn verify(password: &str, hash: Option<&str>) -> bool {
    // Of no password that anybody knows.
    const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$\
        c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    is_right(password, hash.unwrap_or(NOBODYS)) && hash.is_some()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn only_length_and_what_is_tried_first_count() {
        for good in [
            "rainy tuesday harbour",
            "ジャンパー橋の下で待つ人",
            "  spaces kept at both ends  ",
            &"every chair in row nine creaks, and ".repeat(3),
        ] {
            assert_eq!(complaint(good, &["Hastings Open"]), None, "{good}");
        }
        for (bad, why) in [
            ("short7!", Weak::Short),
            ("password", Weak::Common),
            ("P@ssw0rd1", Weak::Common),
            ("qwertyuiop", Weak::Common),
            ("12345678", Weak::Common),
            ("Hastings1", Weak::Common),
            ("hastingsopen", Weak::Common),
            ("Hastings Open", Weak::Common),
            ("Hastings Hastings 2026!", Weak::Common),
        ] {
            assert_eq!(complaint(bad, &["Hastings Open"]), Some(why), "{bad}");
        }
        assert_eq!(complaint(&"xq".repeat(65), &[]), Some(Weak::Long));
        assert_eq!(complaint(&generate().unwrap(), &[]), None);
    }

    #[test]
    fn nothing_of_a_long_password_is_cut_off() {
        let long = "x1y".repeat(42) + "ab";
        let kept = hash(&long).unwrap();
        assert!(
            kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{kept}"
        );
        assert!(is_right(&long, &kept));
        assert!(!is_right(&long[..127], &kept));
        assert_ne!(hash(&long).unwrap(), kept, "each has a salt of its own");
    }

    #[test]
    fn who_is_unknown_takes_as_long_as_who_is_known() {
        let kept = hash("rainy tuesday harbour").unwrap();
        assert!(!verify("anything", None) && !verify("anything", Some(&kept)));
        assert!(verify("rainy tuesday harbour", Some(&kept)));
        let took = |hash: Option<&str>| {
            let begun = Instant::now();
            assert!(!verify("wrong password", hash));
            begun.elapsed().as_secs_f64()
        };
        // The fastest of each, in turn: a machine that does other things too needs more tries.
        let (mut known, mut unknown) = (f64::MAX, f64::MAX);
        for tried in 1..=64 {
            (known, unknown) = (known.min(took(Some(&kept))), unknown.min(took(None)));
            if tried >= 8 && (known / unknown - 1.0).abs() < 0.25 {
                break;
            }
        }
        assert!(
            (known / unknown - 1.0).abs() < 0.25,
            "{known} and {unknown} s"
        );
    }
}
