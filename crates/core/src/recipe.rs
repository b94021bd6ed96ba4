//! The recipe: one line that names how features were made. It prints and parses back to itself.
//!
//! `auto|words|shingles:w=10|sample=nested:100|v=2`, and with a secret key `…|key=1a2b3c4d|v=2`.
//! Two things with different recipes must not be compared.

use crate::fingerprint::{Fingerprinter, MAX_WINDOW};
use crate::sketch::Sampling;
use std::{fmt, str::FromStr};

/// Version of everything that decides a fingerprint: word rules, hashes, sampling.
pub const VERSION: u32 = 2;

/// How a document becomes features, and features a sketch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// How bytes become text: `auto`, `html`, `markdown`, `text`, or `features` when the caller brings them.
    pub front: String,
    /// Words in a shingle; 0 when the caller brings the features.
    pub w: usize,
    /// Which features the sketch keeps.
    pub sampling: Sampling,
    /// Name of the secret key, never the key.
    pub key: Option<String>,
}

impl Recipe {
    /// Words of any format, the paper's ten to a shingle.
    pub fn words(w: usize) -> Self {
        Self { front: "auto".into(), w, sampling: Sampling::default(), key: None }
    }

    /// Features that the caller extracted.
    pub fn features() -> Self {
        Self { front: "features".into(), w: 0, sampling: Sampling::default(), key: None }
    }

    /// Whether the caller brings the features.
    pub fn is_features(&self) -> bool {
        self.w == 0
    }

    /// The fingerprints of this recipe, if the key is the one it was made with.
    pub fn fingerprinter(&self, key: &str) -> Option<Fingerprinter> {
        let name = (!key.is_empty()).then(|| Fingerprinter::key_name(key));
        (name == self.key).then(|| Fingerprinter::with_key(key))
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.w {
            0 => write!(f, "features|items|set")?,
            w => write!(f, "{}|words|shingles:w={w}", self.front)?,
        }
        write!(f, "|sample={}", self.sampling)?;
        if let Some(key) = &self.key {
            write!(f, "|key={key}")?;
        }
        write!(f, "|v={VERSION}")
    }
}

impl FromStr for Recipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("recipe {text:?}: {what}; expected for example {}", Self::words(10));
        let parts: Vec<&str> = text.split('|').collect();
        let (front, unit, lens, rest) = match parts.as_slice() {
            [front, unit, lens, rest @ ..] => (*front, *unit, *lens, rest),
            _ => return Err(wrong("too few parts")),
        };
        let w = match (front, unit, lens.strip_prefix("shingles:w=")) {
            ("features", "items", None) if lens == "set" => 0,
            ("auto" | "html" | "markdown" | "text", "words", Some(w)) => {
                w.parse().ok().filter(|w| (1..=MAX_WINDOW).contains(w)).ok_or_else(|| wrong("bad w"))?
            }
            _ => return Err(wrong("unknown front-end or lens")),
        };
        let (mut sampling, mut key, mut version) = (None, None, None);
        for part in rest {
            match part.split_once('=') {
                Some(("sample", s)) => sampling = Some(s.parse()?),
                Some(("key", k)) if k.len() == 8 && k.bytes().all(|b| b.is_ascii_hexdigit()) => {
                    key = Some(k.to_owned());
                }
                Some(("v", v)) => version = v.parse().ok(),
                _ => return Err(wrong(&format!("unknown part {part:?}"))),
            }
        }
        if version != Some(VERSION) {
            return Err(wrong(&format!("this lookalike makes version {VERSION}")));
        }
        Ok(Self { front: front.to_owned(), w, sampling: sampling.ok_or_else(|| wrong("no sample"))?, key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_as_documented() {
        assert_eq!(Recipe::words(10).to_string(), "auto|words|shingles:w=10|sample=nested:100|v=2");
        assert_eq!(Recipe::features().to_string(), "features|items|set|sample=nested:100|v=2");
        for wrong in [
            "",
            "auto|words",
            "auto|words|shingles:w=0|sample=min:5|v=2",
            "auto|words|shingles:w=5|sample=min:5|v=99",
            "pdf|words|shingles:w=5|sample=min:5|v=2",
            "auto|words|shingles:w=5|sample=min:5|key=\u{1b}[31m|v=2",
        ] {
            assert!(wrong.parse::<Recipe>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_key_is_named_not_shown() {
        let recipe = Recipe { key: Some(Fingerprinter::key_name("hunter2")), ..Recipe::words(5) };
        assert!(!recipe.to_string().contains("hunter2"));
        assert!(recipe.fingerprinter("hunter2").is_some());
        assert!(recipe.fingerprinter("other").is_none() && recipe.fingerprinter("").is_none());
        assert!(Recipe::words(5).fingerprinter("hunter2").is_none());
    }

    proptest! {
        #[test]
        fn prints_and_parses_back(w in 0..=MAX_WINDOW, front in "auto|html|markdown|text", s in 8u32..1000, kind in 0usize..3, key in prop::option::of("[0-9a-f]{8}")) {
            let sampling = [Sampling::Min(s), Sampling::Mod(s), Sampling::Nested(s)][kind];
            let front = if w == 0 { "features".to_owned() } else { front };
            let recipe = Recipe { front, w, sampling, key };
            prop_assert_eq!(recipe.to_string().parse::<Recipe>(), Ok(recipe));
        }

        #[test]
        fn never_panics(text in "\\PC{0,60}") {
            if let Ok(recipe) = text.parse::<Recipe>() {
                prop_assert_eq!(recipe.to_string().parse::<Recipe>(), Ok(recipe));
            }
        }
    }
}
