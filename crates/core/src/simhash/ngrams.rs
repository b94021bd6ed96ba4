//! How many words a feature has.

use crate::error::Error;
use crate::feature_hash::MAX_WINDOW;
use std::{fmt, str::FromStr};

/// Features are all runs of this many words, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ngrams {
    least: u8,
    most: u8,
}

impl Ngrams {
    /// Runs of `least` to `most` words.
    pub fn new(least: usize, most: usize) -> Result<Self, Error> {
        if (1..=most).contains(&least) && most <= MAX_WINDOW {
            return Ok(Self { least: least as u8, most: most as u8 });
        }
        Err(Error::Ngrams { found: format!("{least}-{most}"), max: MAX_WINDOW })
    }

    /// The sizes, smallest first.
    pub fn sizes(self) -> impl Iterator<Item = usize> {
        usize::from(self.least)..=usize::from(self.most)
    }
}

impl Default for Ngrams {
    /// Two and three words: of all choices that need not count how often a document has each feature, the one with the best precision and
    /// recall on labelled near-copies (`eval simhash quality`). Single words are left out on purpose: counted as often as they occur, a
    /// few dozen function words outvote the rest.
    fn default() -> Self {
        Self { least: 2, most: 3 }
    }
}

impl fmt::Display for Ngrams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most } = self;
        if least == most { write!(f, "{least}") } else { write!(f, "{least}-{most}") }
    }
}

impl FromStr for Ngrams {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let ngrams = least.parse().ok().zip(most.parse().ok()).and_then(|(least, most)| Self::new(least, most).ok());
        // what it prints is the one way of writing it
        ngrams
            .filter(|ngrams| ngrams.to_string() == text)
            .ok_or_else(|| Error::Ngrams { found: text.to_owned(), max: MAX_WINDOW })
    }
}
