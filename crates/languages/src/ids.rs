//! Token ids: frozen 32-bit hashes of what a token is.
//!
//! Frozen: golden vectors in the tests pin every bit. A change is a new [`TOKENS_VERSION`](super::TOKENS_VERSION).

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The name of the token of every name, unless names are told apart.
pub const IDENTIFIER: &str = "<identifier>";
/// The name of the token of every literal, unless literals are told apart.
pub const LITERAL: &str = "<literal>";
/// The name from which the tokens of the words of comments are made.
pub const COMMENT: &str = "<comment>";

/// A number by which the tokens of one family of languages differ from all others.
pub fn family(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

/// The id of the token called `name` in a family of languages. A word or operator of the source is called by its text,
/// anything else by a name in angle brackets, so that none is mistaken for another.
#[inline]
pub fn of_name(family: u64, name: &[u8]) -> u32 {
    never_zero(xxh3_64_with_seed(name, family))
}

/// The id of a token whose text counts too.
#[inline]
pub fn with_text(id: u32, text: &[u8]) -> u32 {
    never_zero(xxh3_64_with_seed(text, u64::from(id)))
}

#[inline]
fn never_zero(hash: u64) -> u32 {
    (hash as u32).max(1)
}
