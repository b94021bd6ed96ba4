//! The recipe of the simhash lens: one line that names how fingerprints were made. It prints and parses back to itself.
//!
//! `auto|words|simhash:f=64:n=2-3|weight=tf|v=1`, and with everything
//! `auto|words|simhash:f=128:n=1-3|weight=log|idf=1a2b3c4d|stop=de,en|key=5e6f7a8b|v=1`.

use super::{Languages, Ngrams, Weight};
use crate::fingerprint::Fingerprinter;
use std::{fmt, str::FromStr};

/// Version of everything that decides a fingerprint: word rules, hashes, weights, stop words, ties.
const VERSION: u32 = 1;

/// How a document becomes a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimhashRecipe {
    /// How bytes become text: `auto`, `html`, `markdown` or `text`.
    pub front: String,
    /// Bits of a fingerprint: 64 or 128.
    pub bits: u32,
    /// Words of a feature.
    pub ngrams: Ngrams,
    /// What a feature weighs by its occurrences.
    pub weight: Weight,
    /// Name of the table of document frequencies.
    pub idf: Option<String>,
    /// Languages whose stop words are left out.
    pub stop: Languages,
    /// Name of the secret key, never the key.
    pub key: Option<String>,
}

impl Default for SimhashRecipe {
    fn default() -> Self {
        Self {
            front: "auto".into(),
            bits: 64,
            ngrams: Ngrams::default(),
            weight: Weight::default(),
            idf: None,
            stop: Languages::default(),
            key: None,
        }
    }
}

impl SimhashRecipe {
    /// The fingerprints of words of this recipe, if the key is the one it was made with.
    pub fn fingerprinter(&self, key: &str) -> Option<Fingerprinter> {
        let name = (!key.is_empty()).then(|| Fingerprinter::key_name(key));
        (name == self.key).then(|| Fingerprinter::with_key(key))
    }

    /// The part that decides which features a document has, whatever they weigh: a table of document frequencies fits all recipes
    /// that have it in common.
    #[must_use]
    pub fn features(&self) -> Self {
        Self { bits: 64, weight: Weight::default(), idf: None, ..self.clone() }
    }
}

impl fmt::Display for SimhashRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { front, bits, ngrams, weight, .. } = self;
        write!(f, "{front}|words|simhash:f={bits}:n={ngrams}|weight={weight}")?;
        if let Some(idf) = &self.idf {
            write!(f, "|idf={idf}")?;
        }
        if !self.stop.is_empty() {
            write!(f, "|stop={}", self.stop)?;
        }
        if let Some(key) = &self.key {
            write!(f, "|key={key}")?;
        }
        write!(f, "|v={VERSION}")
    }
}

impl FromStr for SimhashRecipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("recipe {text:?}: {what}; expected for example {}", Self::default());
        let parts: Vec<&str> = text.split('|').collect();
        let [front @ ("auto" | "html" | "markdown" | "text"), "words", lens, rest @ ..] = parts.as_slice() else {
            return Err(wrong("unknown front-end or unit"));
        };
        let (bits, ngrams) = lens
            .strip_prefix("simhash:f=")
            .and_then(|rest| rest.split_once(":n="))
            .ok_or_else(|| wrong("it is of another lens"))?;
        let bits = match bits {
            "64" => 64,
            "128" => 128,
            _ => return Err(wrong("fingerprints have 64 or 128 bits")),
        };
        let mut recipe = Self { front: (*front).to_owned(), bits, ngrams: ngrams.parse()?, ..Self::default() };
        let is_name = |name: &str| name.len() == 8 && name.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        for part in rest {
            match part.split_once('=') {
                Some(("weight", weight)) => recipe.weight = weight.parse()?,
                Some(("idf", name)) if is_name(name) => recipe.idf = Some(name.to_owned()),
                Some(("stop", languages)) => recipe.stop = languages.parse()?,
                Some(("key", name)) if is_name(name) => recipe.key = Some(name.to_owned()),
                Some(("v", version)) if version == VERSION.to_string() => {}
                Some(("v", _)) => return Err(wrong(&format!("this lookalike makes version {VERSION}"))),
                _ => return Err(wrong(&format!("unknown part {part:?}"))),
            }
        }
        // parts are there, once, and in their order
        if recipe.to_string() == text {
            Ok(recipe)
        } else {
            Err(wrong("parts are missing, repeated or in another order"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_as_documented() {
        assert_eq!(SimhashRecipe::default().to_string(), "auto|words|simhash:f=64:n=2-3|weight=tf|v=1");
        let full = "auto|words|simhash:f=128:n=3|weight=log|idf=1a2b3c4d|stop=de,en|key=5e6f7a8b|v=1";
        let recipe: SimhashRecipe = full.parse().unwrap();
        assert_eq!(recipe.to_string(), full);
        assert_eq!(recipe.features().to_string(), "auto|words|simhash:f=64:n=3|weight=tf|stop=de,en|key=5e6f7a8b|v=1");
        for wrong in [
            "",
            "auto|words",
            "auto|words|shingles:w=10|sample=nested:100|v=2",
            "pdf|words|simhash:f=64:n=1-3|weight=tf|v=1",
            "auto|words|simhash:f=32:n=1-3|weight=tf|v=1",
            "auto|words|simhash:f=64:n=0|weight=tf|v=1",
            "auto|words|simhash:f=64:n=3-1|weight=tf|v=1",
            "auto|words|simhash:f=64:n=3-3|weight=tf|v=1",
            "auto|words|simhash:f=64:n=1-33|weight=tf|v=1",
            "auto|words|simhash:f=64:n=1-3|v=1",
            "auto|words|simhash:f=64:n=1-3|weight=tf",
            "auto|words|simhash:f=64:n=1-3|weight=tf|v=2",
            "auto|words|simhash:f=64:n=1-3|weight=tf|weight=tf|v=1",
            "auto|words|simhash:f=64:n=1-3|weight=tf|stop=en,de|v=1",
            "auto|words|simhash:f=64:n=1-3|weight=tf|stop=|v=1",
            "auto|words|simhash:f=64:n=1-3|weight=tf|idf=xyz|v=1",
            "auto|words|simhash:f=64:n=1-3|weight=tf|key=1A2B3C4D|v=1",
        ] {
            assert!(wrong.parse::<SimhashRecipe>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_key_is_named_not_shown() {
        let recipe = SimhashRecipe { key: Some(Fingerprinter::key_name("hunter2")), ..SimhashRecipe::default() };
        assert!(!recipe.to_string().contains("hunter2"));
        assert!(recipe.fingerprinter("hunter2").is_some());
        assert!(recipe.fingerprinter("other").is_none() && recipe.fingerprinter("").is_none());
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,60}") {
            let _ = text.parse::<SimhashRecipe>();
        }

        #[test]
        fn what_parses_prints_the_same(
            text in "(auto|html|text)\\|words\\|simhash:f=(64|128):n=[1-9](-[1-9])?\\|weight=(tf|log|binary)(\\|idf=[0-9a-f]{8})?(\\|stop=(en|de|de,en))?(\\|key=[0-9a-f]{8})?\\|v=1"
        ) {
            if let Ok(recipe) = text.parse::<SimhashRecipe>() {
                prop_assert_eq!(recipe.to_string(), text);
            }
        }
    }
}
