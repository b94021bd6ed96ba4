//! The recipe of the passages lens: everything that decides the k-gram fingerprints of a document, whatever family it is of.
//!
//! `auto|tokens|passages:code=9/11,prose=3/5|v=3`, and with everything
//! `auto|tokens|passages:code=5/8,prose=5/8|count=identifiers,literals,comments|key=1a2b3c4d|v=3`. The two numbers of a family are its noise
//! threshold k and its guarantee t. Only families are named that a document can be of.

use crate::error::{Error, RecipeError, RecipeText};
use crate::feature_hash::{FeatureHasher, check_key_name};
use crate::lens::Lens;
use crate::passage::Family;
use crate::winnow::Winnowing;
use std::{fmt, str::FromStr};

/// Version of everything that decides a k-gram fingerprint: what a document is read as, tokens of code, words, hashes, windows.
pub const PASSAGES_VERSION: u32 = 3;
/// The longest guarantee that makes sense: beyond it documents are compared as wholes.
pub const MAX_GUARANTEE: u32 = 10_000;

/// What documents are read as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// By the name of each, where that says a language or a format; else by its content: a language, text, or code of an unknown language.
    #[default]
    Auto,
    /// Words.
    Prose,
    /// Bytes.
    Bytes,
    /// A language, by its name.
    Language(String),
}

impl Reading {
    /// The families that documents can be of.
    pub fn families(&self) -> &'static [Family] {
        match self {
            Self::Auto => &[Family::Code, Family::Prose],
            Self::Prose => &[Family::Prose],
            Self::Bytes => &[Family::Bytes],
            Self::Language(_) => &[Family::Code],
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Prose => "text",
            Self::Bytes => "bytes",
            Self::Language(name) => name,
        })
    }
}

impl FromStr for Reading {
    type Err = Error;

    /// Any lowercase name is taken as a language's: which there are, only the reader of code knows.
    fn from_str(text: &str) -> Result<Self, Error> {
        let is_name = |text: &str| {
            (1..=32).contains(&text.len())
                && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'+' | b'#' | b'-' | b'_' | b'.'))
        };
        match text {
            "auto" => Ok(Self::Auto),
            "text" => Ok(Self::Prose),
            "bytes" => Ok(Self::Bytes),
            name if is_name(name) => Ok(Self::Language(name.to_owned())),
            _ => Err(Error::Reading { found: text.to_owned() }),
        }
    }
}

/// What of code counts beyond its structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeTokens {
    /// Names of identifiers.
    pub identifiers: bool,
    /// Values of literals.
    pub literals: bool,
    /// Comments.
    pub comments: bool,
}

impl CodeTokens {
    fn names(self) -> Vec<&'static str> {
        let all = [("identifiers", self.identifiers), ("literals", self.literals), ("comments", self.comments)];
        all.into_iter().filter(|(_, counts)| *counts).map(|(name, _)| name).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut tokens = Self::default();
        for name in text.split(',') {
            match name {
                "identifiers" => tokens.identifiers = true,
                "literals" => tokens.literals = true,
                "comments" => tokens.comments = true,
                _ => return None,
            }
        }
        Some(tokens)
    }
}

/// How documents become k-gram fingerprints. What cannot matter is left at its default, so that recipes with the same effect are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassageRecipe {
    reading: Reading,
    /// In the order of [`Family::ALL`].
    winnowing: [Winnowing; 3],
    code_tokens: CodeTokens,
    key: Option<String>,
}

impl Default for PassageRecipe {
    fn default() -> Self {
        Self::of(Reading::Auto)
    }
}

impl PassageRecipe {
    fn of(reading: Reading) -> Self {
        let winnowing = Family::ALL.map(Family::default_winnowing);
        Self { reading, winnowing, code_tokens: CodeTokens::default(), key: None }
    }

    /// Documents read in this way, with this noise threshold and guarantee for every family; none for the family's own.
    pub fn new(reading: &Reading, k: Option<u32>, t: Option<u32>) -> Result<Self, Error> {
        let mut recipe = Self::of(reading.to_string().parse()?);
        for family in recipe.reading.families() {
            let default = family.default_winnowing();
            let k = k.unwrap_or_else(|| t.map_or(default.k, |t| default.k.min(t)));
            let t = t.unwrap_or_else(|| default.t.max(k.saturating_add(default.t - default.k)));
            recipe.winnowing[*family as usize] = checked(Winnowing { k, t })?;
        }
        Ok(recipe)
    }

    /// The same, but this counts of code.
    #[must_use]
    pub fn with_code_tokens(mut self, code_tokens: CodeTokens) -> Self {
        if self.reading.families().contains(&Family::Code) {
            self.code_tokens = code_tokens;
        }
        self
    }

    /// The same with a secret key; the empty key is the public default.
    #[must_use]
    pub fn with_key(mut self, key: &str) -> Self {
        self.key = FeatureHasher::name_of(key);
        self
    }

    /// What documents are read as.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Noise threshold and guarantee of a family.
    pub fn winnowing(&self, family: Family) -> Winnowing {
        self.winnowing[family as usize]
    }

    /// What of code counts beyond its structure.
    pub fn code_tokens(&self) -> CodeTokens {
        self.code_tokens
    }

    /// Name of the secret key, never the key.
    pub fn key_name(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The hashes of this recipe, if the key is the one it was made with.
    pub fn feature_hasher(&self, key: &str) -> Option<FeatureHasher> {
        FeatureHasher::with_named_key(key, self.key_name())
    }
}

/// Fails unless 1 <= k <= t <= the greatest guarantee.
fn checked(winnowing: Winnowing) -> Result<Winnowing, Error> {
    let Winnowing { k, t } = winnowing;
    if k == 0 || t < k || t > MAX_GUARANTEE {
        return Err(Error::Winnowing { k, t, max: MAX_GUARANTEE });
    }
    Ok(winnowing)
}

impl fmt::Display for PassageRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|tokens|passages:", self.reading)?;
        for (i, family) in self.reading.families().iter().enumerate() {
            let Winnowing { k, t } = self.winnowing(*family);
            write!(f, "{}{}={k}/{t}", if i == 0 { "" } else { "," }, family.name())?;
        }
        let counts = self.code_tokens.names();
        if !counts.is_empty() {
            write!(f, "|count={}", counts.join(","))?;
        }
        if let Some(key) = &self.key {
            write!(f, "|key={key}")?;
        }
        write!(f, "|v={PASSAGES_VERSION}")
    }
}

impl FromStr for PassageRecipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let example = Self::default().to_string();
        let wrong = RecipeText::new(text, Lens::Passages, &example)?;
        let parts: Vec<&str> = text.split('|').collect();
        let [reading, "tokens", lens, rest @ ..] = parts.as_slice() else {
            return Err(wrong.unknown(parts.get(1).copied().unwrap_or_default()));
        };
        let mut recipe = Self::of(reading.parse().map_err(|problem| wrong.value(problem))?);
        for part in lens.trim_start_matches("passages:").split(',') {
            let (family, winnowing) = family(part).ok_or_else(|| wrong.unknown(part))?;
            recipe.winnowing[family as usize] = checked(winnowing).map_err(|problem| wrong.value(problem))?;
        }
        for part in rest {
            match part.split_once('=') {
                Some(("count", names)) => {
                    recipe.code_tokens = CodeTokens::parse(names).ok_or_else(|| wrong.unknown(part))?;
                }
                Some(("key", name)) => {
                    recipe.key = Some(check_key_name(name).map_err(|problem| wrong.value(problem))?);
                }
                Some(("v", version)) if version == PASSAGES_VERSION.to_string() => {}
                Some(("v", _)) => return Err(wrong.version(PASSAGES_VERSION)),
                _ => return Err(wrong.unknown(part)),
            }
        }
        // what cannot matter is not there
        wrong.canonical(recipe.normal())
    }
}

impl PassageRecipe {
    /// The same without what cannot matter.
    fn normal(mut self) -> Self {
        let families = self.reading.families();
        for family in Family::ALL {
            if !families.contains(&family) {
                self.winnowing[family as usize] = family.default_winnowing();
            }
        }
        if !families.contains(&Family::Code) {
            self.code_tokens = CodeTokens::default();
        }
        self
    }
}

/// `code=9/11`
fn family(part: &str) -> Option<(Family, Winnowing)> {
    let (name, numbers) = part.split_once('=')?;
    let (k, t) = numbers.split_once('/')?;
    let family = Family::ALL.into_iter().find(|family| family.name() == name)?;
    Some((family, Winnowing { k: k.parse().ok()?, t: t.parse().ok()? }))
}
