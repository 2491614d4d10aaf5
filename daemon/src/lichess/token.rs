//! The token by which Lichess knows who pushes. It stands in no log, no answer and no bundle.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The environment variable that has it where no file is configured.
pub const VARIABLE: &str = "ARBITERD_LICHESS_TOKEN";
/// Real ones have some thirty letters.
const LONGEST: u64 = 512;

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Neither a file nor the environment has it.
    #[error("[lichess] has no token: name its file in `token-file`, or set {VARIABLE}")]
    None,
    /// The file cannot be read.
    #[error("the token of [lichess] in {0} cannot be read: {1}")]
    Unread(PathBuf, io::Error),
    /// Others may read the file.
    #[error("others may read the token of [lichess] in {0}: `chmod 600 {0}`")]
    Open(PathBuf),
    /// What stands there is no token.
    #[error("{0} is to have one line with a token of Lichess, with the scope `study:write`")]
    Bad(String),
}

/// Where the token is.
#[derive(Clone)]
pub struct Token(Place);

#[derive(Clone)]
enum Place {
    File(PathBuf),
    Known(String),
}

impl Token {
    /// The token of a file, or where none is named, of the environment. A file is read anew for
    /// each request, so that a new token needs no restart.
    ///
    /// # Errors
    /// Where there is none.
    pub fn find(file: Option<&PathBuf>, environment: Option<String>) -> Result<Token, TokenError> {
        let place = match (file, environment) {
            (Some(file), _) => Place::File(file.clone()),
            (None, Some(text)) => Place::Known(text),
            (None, None) => return Err(TokenError::None),
        };
        let token = Token(place);
        token.text()?;
        Ok(token)
    }

    /// The token itself.
    ///
    /// # Errors
    /// Where there is none by now.
    pub(super) fn text(&self) -> Result<String, TokenError> {
        let (text, place) = match &self.0 {
            Place::Known(text) => (text.clone(), VARIABLE.to_owned()),
            Place::File(path) => {
                let unread = |error| TokenError::Unread(path.clone(), error);
                let file = File::open(path).map_err(unread)?;
                let mode = file.metadata().map_err(unread)?.permissions().mode();
                if mode & 0o077 != 0 {
                    return Err(TokenError::Open(path.clone()));
                }
                let mut text = String::new();
                file.take(LONGEST)
                    .read_to_string(&mut text)
                    .map_err(unread)?;
                (text, path.display().to_string())
            }
        };
        let text = text.trim();
        // What may stand in a header (RFC 6750, 2.1).
        let is_one = |c: char| c.is_ascii_graphic();
        match !text.is_empty() && text.chars().all(is_one) {
            true => Ok(text.to_owned()),
            false => Err(TokenError::Bad(place)),
        }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_others_may_read_is_refused_and_none_is_shown() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        fs::write(&path, "lip_secret\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = Token::find(Some(&path), None).unwrap_err().to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let token = Token::find(Some(&path), Some("other".to_owned())).unwrap();
        assert_eq!(token.text().unwrap(), "lip_secret");
        assert!(!format!("{token:?}").contains("secret"));
        fs::write(&path, "lip_secret and more\n").unwrap();
        let refused = token.text().unwrap_err().to_string();
        assert!(!refused.contains("secret"), "{refused}");
        fs::remove_file(&path).unwrap();
        assert!(matches!(token.text(), Err(TokenError::Unread(..))));
        assert!(matches!(Token::find(None, None), Err(TokenError::None)));
        let token = Token::find(None, Some("lip_secret".to_owned())).unwrap();
        assert_eq!(token.text().unwrap(), "lip_secret");
    }
}
