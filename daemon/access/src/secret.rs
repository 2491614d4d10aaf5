//! Secrets: how they are made, what is kept of them, and how people compare two of them.

use sha2::{Digest as _, Sha256};

/// What is kept of a secret: its SHA-256. Secrets here have so many bits that no salt is needed.
pub type Digest = [u8; 32];

/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Bytes that nobody can foretell.
///
/// # Errors
/// Where the operating system has none.
pub fn chance<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes)
}

/// A secret of 256 bits, as 64 hexadecimal digits.
///
/// # Errors
/// Where the operating system has no random bytes.
pub fn token() -> std::io::Result<String> {
    let bytes: [u8; 32] = chance()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A secret of five bits a letter, for people to read and type.
///
/// # Errors
/// Where the operating system has no random bytes.
pub fn readable(letters: usize) -> std::io::Result<String> {
    let mut text = String::with_capacity(letters);
    while text.len() < letters {
        let bytes: [u8; 32] = chance()?;
        let next = bytes
            .iter()
            .map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
        text.extend(next.take(letters - text.len()));
    }
    Ok(text)
}

/// A readable secret as it was meant, however it was typed.
pub fn typed(text: &str) -> String {
    let letters = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
    letters
        .map(|letter| match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        })
        .collect()
}

/// What is kept of a secret.
pub fn digest(secret: impl AsRef<[u8]>) -> Digest {
    Sha256::digest(secret).into()
}

/// The first so many squares that a digest names, six bits each: what two people compare aloud.
pub fn squares(digest: &Digest, count: usize) -> String {
    let names = digest.iter().take(count).map(|byte| {
        let (file, rank) = (byte % 8, byte / 8 % 8);
        format!("{}{}", char::from(b'a' + file), rank + 1)
    });
    names.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_tokens_are_alike() {
        let tokens: HashSet<String> = (0..100_000).map(|_| token().unwrap()).collect();
        assert_eq!(tokens.len(), 100_000);
        assert!(tokens.iter().all(|token| token.len() == 64));
        // Every bit is thrown: over many tokens each digit is each value.
        for place in [0, 31, 63] {
            let seen: HashSet<u8> = tokens.iter().map(|t| t.as_bytes()[place]).collect();
            assert_eq!(seen.len(), 16, "place {place}");
        }
    }

    #[test]
    fn a_code_is_understood_however_it_is_typed() {
        let code = readable(8).unwrap();
        let spoken = format!("{}-{}", &code[..4], &code[4..]).to_lowercase();
        assert_eq!(typed(&spoken), code);
        assert_eq!(typed("oil 0"), "0110");
    }

    #[test]
    fn squares_tell_digests_apart() {
        assert_eq!(squares(&[0; 32], 3), "a1 a1 a1");
        let mut other = [0; 32];
        (other[0], other[1]) = (63, 8);
        assert_eq!(squares(&other, 3), "h8 a2 a1");
    }
}
