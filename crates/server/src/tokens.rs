//! Tokens: which clients may ask, and which may change something.

use crate::error::Error;
use std::fs;
use std::path::Path;
use subtle::{Choice, ConstantTimeEq};

/// Characters of the shortest token.
const MIN_TOKEN: usize = 16;

/// What a request may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Read,
    Write,
}

/// The tokens of a server. Only hashes of them are kept, so that comparing takes the same time whatever is wrong.
#[derive(Clone)]
pub struct Tokens {
    hashes: Vec<(Scope, [u8; 32])>,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} tokens", self.hashes.len())
    }
}

impl Tokens {
    /// Reads a file: `read TOKEN` or `write TOKEN` on each line; empty lines, and those that begin with `#`, do not count.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path)
            .map_err(|source| Error::System { what: format!("cannot read {}", path.display()), source })?;
        Self::parse(path, &text)
    }

    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let mut hashes = Vec::new();
        for (line, content) in (1..).zip(text.lines().map(str::trim)) {
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let wrong = || Error::TokenLine { path: path.to_owned(), line, min: MIN_TOKEN };
            let (scope, token) = content.split_once(char::is_whitespace).ok_or_else(wrong)?;
            let token = token.trim_start();
            let scope = match scope {
                "read" => Scope::Read,
                "write" => Scope::Write,
                _ => return Err(wrong()),
            };
            if token.len() < MIN_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(wrong());
            }
            hashes.push((scope, hash(token.as_bytes())));
        }
        if hashes.is_empty() {
            return Err(Error::NoTokens { path: path.to_owned() });
        }
        Ok(Self { hashes })
    }

    /// What a token allows, and its hash; none if there is no such token. All are compared, whichever it is.
    pub(crate) fn scope(&self, token: &[u8]) -> Option<(Scope, [u8; 32])> {
        let given = hash(token);
        let (mut read, mut write) = (Choice::from(0), Choice::from(0));
        for (scope, known) in &self.hashes {
            let same = given.ct_eq(known);
            match scope {
                Scope::Read => read |= same,
                Scope::Write => write |= same,
            }
        }
        match (bool::from(write), bool::from(read)) {
            (true, _) => Some((Scope::Write, given)),
            (false, true) => Some((Scope::Read, given)),
            _ => None,
        }
    }
}

fn hash(token: &[u8]) -> [u8; 32] {
    *blake3::hash(token).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Tokens, Error> {
        Tokens::parse("tokens".as_ref(), text)
    }

    #[test]
    fn scopes() {
        let tokens = tokens("# a comment\n\nread aaaaaaaaaaaaaaaa\nwrite   bbbbbbbbbbbbbbbb\n").unwrap();
        assert_eq!(tokens.scope(b"aaaaaaaaaaaaaaaa").unwrap().0, Scope::Read);
        assert_eq!(tokens.scope(b"bbbbbbbbbbbbbbbb").unwrap().0, Scope::Write);
        for wrong in ["", "aaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa", "AAAAAAAAAAAAAAAA"] {
            assert_eq!(tokens.scope(wrong.as_bytes()), None);
        }
    }

    #[test]
    fn what_is_no_file_of_tokens() {
        for (text, line) in
            [("read", 1), ("\nadmin aaaaaaaaaaaaaaaa", 2), ("read short", 1), ("read aaaaaaaa aaaaaaaaaa", 1)]
        {
            assert!(matches!(tokens(text), Err(Error::TokenLine { line: found, .. }) if found == line), "{text}");
        }
        assert!(matches!(tokens("# nothing\n"), Err(Error::NoTokens { .. })));
    }
}
