//! The recipe of the shingles lens.
//!
//! `auto|words|shingles:w=10|sample=nested:100|v=3`, and with a secret key `…|key=1a2b3c4d|v=3`.

use crate::error::{Error, RecipeError, RecipeText};
use crate::feature_hash::{FeatureHasher, MAX_WINDOW, check_key_name};
use crate::lens::Lens;
use crate::recipe::TextRecipe;
use crate::sketch::Sampling;
use std::{fmt, str::FromStr};

/// Version of everything that decides a feature: word rules, hashes, sampling.
const VERSION: u32 = 3;

/// How a document becomes shingles, and shingles a sketch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShingleRecipe {
    /// How bytes become text. Without effect when the caller brings the features.
    pub text: TextRecipe,
    /// Words in a shingle; 0 when the caller brings the features.
    pub w: usize,
    /// Which features the sketch keeps.
    pub sampling: Sampling,
    /// Name of the secret key, never the key.
    pub key: Option<String>,
}

impl Default for ShingleRecipe {
    /// The paper's ten words to a shingle.
    fn default() -> Self {
        Self::words(10)
    }
}

impl ShingleRecipe {
    /// Words of any format.
    pub fn words(w: usize) -> Self {
        Self { text: TextRecipe::default(), w, sampling: Sampling::default(), key: None }
    }

    /// Features that the caller extracted.
    pub fn features() -> Self {
        Self { text: TextRecipe::default(), w: 0, sampling: Sampling::default(), key: None }
    }

    /// The same with a secret key; the empty key is the public default.
    #[must_use]
    pub fn with_key(mut self, key: &str) -> Self {
        self.key = FeatureHasher::name_of(key);
        self
    }

    /// Whether the caller brings the features.
    pub fn is_features(&self) -> bool {
        self.w == 0
    }

    /// The hashes of this recipe, if the key is the one it was made with.
    pub fn feature_hasher(&self, key: &str) -> Option<FeatureHasher> {
        FeatureHasher::with_named_key(key, self.key.as_deref())
    }
}

impl fmt::Display for ShingleRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.w {
            0 => write!(f, "features|items|set")?,
            w => write!(f, "{}|words|shingles:w={w}", self.text)?,
        }
        write!(f, "|sample={}", self.sampling)?;
        if let Some(key) = &self.key {
            write!(f, "|key={key}")?;
        }
        write!(f, "|v={VERSION}")
    }
}

impl FromStr for ShingleRecipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let example = Self::default().to_string();
        let wrong = RecipeText::new(text, Lens::Shingles, &example)?;
        let parts: Vec<&str> = text.split('|').collect();
        let (mut recipe, rest) = match parts.as_slice() {
            ["features", "items", "set", rest @ ..] => (Self::features(), rest),
            [read, "words", lens, rest @ ..] => {
                let text = read.parse().map_err(|part: String| wrong.unknown(&part))?;
                let found = lens.strip_prefix("shingles:w=").ok_or_else(|| wrong.unknown(lens))?;
                let w = found.parse().ok().filter(|w| (1..=MAX_WINDOW).contains(w));
                let w =
                    w.ok_or_else(|| wrong.value(Error::ShingleWords { found: found.to_owned(), max: MAX_WINDOW }))?;
                (Self { text, ..Self::words(w) }, rest)
            }
            _ => return Err(wrong.unknown(parts[0])),
        };
        for part in rest {
            match part.split_once('=') {
                Some(("sample", sampling)) => {
                    recipe.sampling = sampling.parse().map_err(|problem| wrong.value(problem))?;
                }
                Some(("key", name)) => {
                    recipe.key = Some(check_key_name(name).map_err(|problem| wrong.value(problem))?);
                }
                Some(("v", version)) if version == VERSION.to_string() => {}
                Some(("v", _)) => return Err(wrong.version(VERSION)),
                _ => return Err(wrong.unknown(part)),
            }
        }
        wrong.canonical(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_as_documented() {
        assert_eq!(ShingleRecipe::words(10).to_string(), "auto|words|shingles:w=10|sample=nested:100|v=3");
        assert_eq!(ShingleRecipe::features().to_string(), "features|items|set|sample=nested:100|v=3");
        for wrong in [
            "",
            "auto|words",
            "auto|words|shingles:w=0|sample=min:5|v=3",
            "auto|words|shingles:w=5|sample=min:5|v=99",
            "doc|words|shingles:w=5|sample=min:5|v=3",
            "auto|words|shingles:w=5|sample=min:5|key=\u{1b}[31m|v=3",
        ] {
            assert!(wrong.parse::<ShingleRecipe>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_key_is_named_not_shown() {
        let recipe = ShingleRecipe { key: Some(FeatureHasher::key_name("hunter2")), ..ShingleRecipe::words(5) };
        assert!(!recipe.to_string().contains("hunter2"));
        assert!(recipe.feature_hasher("hunter2").is_some());
        assert!(recipe.feature_hasher("other").is_none() && recipe.feature_hasher("").is_none());
        assert!(ShingleRecipe::words(5).feature_hasher("hunter2").is_none());
    }

    proptest! {
        #[test]
        fn prints_and_parses_back(w in 0..=MAX_WINDOW, format in "(auto|html|markdown|text)(:boilerplate=keep)?(:select=main)?(:drop=#a,b)?", s in 8u32..1000, kind in 0usize..3, key in prop::option::of("[0-9a-f]{8}")) {
            let sampling = [Sampling::Min(s), Sampling::Mod(s), Sampling::Nested(s)][kind];
            let text = if w == 0 { TextRecipe::default() } else { format.parse().unwrap() };
            let recipe = ShingleRecipe { text, w, sampling, key };
            prop_assert_eq!(recipe.to_string().parse::<ShingleRecipe>(), Ok(recipe));
        }

        #[test]
        fn never_panics(text in "\\PC{0,60}") {
            if let Ok(recipe) = text.parse::<ShingleRecipe>() {
                prop_assert_eq!(recipe.to_string().parse::<ShingleRecipe>(), Ok(recipe));
            }
        }
    }
}
