//! The token that clients must send.

use std::path::Path;

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::settings::BadSettings;

/// A shorter token can be guessed.
const SHORTEST: usize = 16;
const LONGEST: usize = 1024;

/// The hash of a token: comparing hashes of equal length tells nothing about the token's length.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// Reads the token of a file.
    pub fn read(file: &Path) -> Result<Token, BadSettings> {
        let wrong = |what: String| BadSettings(format!("--token-file {}: {what}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        Token::new(text.trim()).map_err(|what| wrong(what.into()))
    }

    /// A token, if it is one that can be sent and not guessed.
    pub fn new(token: &str) -> Result<Token, &'static str> {
        let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic());
        match is_plain && (SHORTEST..=LONGEST).contains(&token.len()) {
            true => Ok(Token(Sha256::digest(token).into())),
            false => Err(
                "a token has 16 to 1,024 letters, digits and signs, without spaces; make one with `head -c 32 \
                 /dev/urandom | base64`",
            ),
        }
    }

    /// Whether a request has it. Takes the same time wherever a wrong token differs: hashes of 32 bytes are
    /// compared, all bytes of them, and nobody can choose tokens by their hashes. Hashing takes longer for longer
    /// tokens, which depends on the sent token alone.
    pub fn is_in(&self, headers: &HeaderMap) -> bool {
        let sent = headers
            .get(header::AUTHORIZATION)
            .map(|value| value.as_bytes());
        let sent = sent.and_then(|sent| {
            let (scheme, token) = sent.split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
        });
        let hash: [u8; 32] = Sha256::digest(sent.unwrap_or_default().trim_ascii()).into();
        self.0.ct_eq(&hash).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_right() {
        let token = Token::new("0123456789abcdef").unwrap();
        for (sent, right) in [
            ("Bearer 0123456789abcdef", true),
            ("bearer  0123456789abcdef ", true),
            ("Bearer 0123456789abcdeg", false),
            ("Bearer 0123456789abcde", false),
            ("Bearer 0123456789abcdeff", false),
            ("Basic 0123456789abcdef", false),
            ("Bearer ", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, sent.parse().unwrap());
            assert_eq!(token.is_in(&headers), right, "{sent}");
        }
        assert!(!token.is_in(&HeaderMap::new()));
        assert!(Token::new("short").is_err());
        assert!(Token::new("0123456789 abcdef").is_err());
        assert_eq!(format!("{token:?}"), "Token");
    }
}
