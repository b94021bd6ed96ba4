//! What can be wrong with a value, and with a recipe.

use crate::lens::Lens;

/// A value that no algorithm takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Chunks of this mean length are not made.
    #[error("expected a mean chunk length from {min} to {max} bytes, found {found}")]
    ChunkMean {
        /// The length.
        found: u32,
        /// The least.
        min: u32,
        /// The greatest.
        max: u32,
    },
    /// Not a number of words to a shingle.
    #[error("expected 1 to {max} words to a shingle, found {found}")]
    ShingleWords {
        /// What was given.
        found: String,
        /// The most words.
        max: usize,
    },
    /// Not a number of words to a feature of the simhash, nor a range.
    #[error("expected a number of words from 1 to {max}, or a range such as 1-3; found {found:?}")]
    Ngrams {
        /// What was given.
        found: String,
        /// The most words.
        max: usize,
    },
    /// Not a way of sampling.
    #[error(
        "expected min:S (1 to 10000), mod:M (1 or more) or nested:SIZE (8 to 10000), for example nested:100, found {found:?}"
    )]
    Sampling {
        /// What was given.
        found: String,
    },
    /// Not a way of weighing features.
    #[error("expected tf, log or binary, found {found:?}")]
    Weight {
        /// What was given.
        found: String,
    },
    /// A language without a list of stop words.
    #[error("expected languages among {known}, found {found:?}")]
    StopLanguage {
        /// What was given.
        found: String,
        /// Those that have one.
        known: String,
    },
    /// Fingerprints are not made in this width.
    #[error("fingerprints have 64 or 128 bits, found {found:?}")]
    FingerprintBits {
        /// What was given.
        found: String,
    },
    /// Not a design of Hamming tables.
    #[error("design {found:?}: expected for example 1of2, 3of6 or 1of4x1of4")]
    TableDesign {
        /// What was given.
        found: String,
    },
    /// Noise threshold and guarantee do not fit.
    #[error("expected 1 <= k <= t <= {max} (noise threshold and guarantee, in tokens), found k = {k} and t = {t}")]
    Winnowing {
        /// The noise threshold.
        k: u32,
        /// The guarantee.
        t: u32,
        /// The greatest guarantee.
        max: u32,
    },
    /// Not a way of reading documents for passages.
    #[error("expected auto, text, bytes or the name of a language, found {found:?}")]
    Reading {
        /// What was given.
        found: String,
    },
    /// Not the name of a key: eight hexadecimal digits.
    #[error("expected eight digits of 0-9 and a-f, found {found:?}")]
    KeyName {
        /// What was given.
        found: String,
    },
    /// The key is not the one that the recipe names.
    #[error("the key does not fit the recipe {recipe}")]
    WrongKey {
        /// The recipe.
        recipe: String,
    },
    /// The table of document frequencies is not the one that the recipe names.
    #[error("the table of document frequencies is not that of the recipe {recipe}")]
    WrongIdf {
        /// The recipe.
        recipe: String,
    },
    /// The features of a table of document frequencies are not in order.
    #[error("features are not in order")]
    IdfOrder,
    /// The weights of a table of document frequencies are out of range.
    #[error("weights are not between 1 and that of rare features")]
    IdfWeights,
}

/// A text that is not a recipe, or not one of the lens that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// It names no lens.
    #[error("recipe {text:?}: it names none of the lenses; expected for example {example}")]
    NoLens {
        /// The text.
        text: String,
        /// What one looks like.
        example: String,
    },
    /// It is of another lens.
    #[error("recipe {text:?}: it is of the {found} lens; expected one of the {expected} lens, for example {example}")]
    WrongLens {
        /// The text.
        text: String,
        /// Its lens.
        found: Lens,
        /// The lens that was asked for.
        expected: Lens,
        /// What one looks like.
        example: String,
    },
    /// Another version made it.
    #[error("recipe {text:?}: this lookalike makes version {expected}")]
    WrongVersion {
        /// The text.
        text: String,
        /// The version that is made now.
        expected: u32,
    },
    /// A value is wrong.
    #[error("recipe {text:?}: {source}")]
    WrongValue {
        /// The text.
        text: String,
        /// The value.
        source: Error,
    },
    /// A part is unknown.
    #[error("recipe {text:?}: unknown part {part:?}; expected for example {example}")]
    UnknownPart {
        /// The text.
        text: String,
        /// The part.
        part: String,
        /// What one looks like.
        example: String,
    },
    /// The parts are all known, but not all there, once, and in order.
    #[error("recipe {text:?}: parts are missing, repeated or in another order; expected for example {example}")]
    WrongOrder {
        /// The text.
        text: String,
        /// What one looks like.
        example: String,
    },
}

/// A text that should be a recipe of one lens: makes the errors.
#[derive(Clone, Copy)]
pub(crate) struct RecipeText<'a> {
    /// The text.
    text: &'a str,
    /// What a recipe of the lens looks like.
    example: &'a str,
}

impl<'a> RecipeText<'a> {
    /// Fails if the text is of another lens.
    pub(crate) fn new(text: &'a str, lens: Lens, example: &'a str) -> Result<Self, RecipeError> {
        let (owned, example_of) = (text.to_owned(), example.to_owned());
        match Lens::of_recipe(text) {
            None => Err(RecipeError::NoLens { text: owned, example: example_of }),
            Some(found) if found != lens => {
                Err(RecipeError::WrongLens { text: owned, found, expected: lens, example: example_of })
            }
            Some(_) => Ok(Self { text, example }),
        }
    }

    pub(crate) fn value(self, source: Error) -> RecipeError {
        RecipeError::WrongValue { text: self.text.to_owned(), source }
    }

    pub(crate) fn version(self, expected: u32) -> RecipeError {
        RecipeError::WrongVersion { text: self.text.to_owned(), expected }
    }

    pub(crate) fn unknown(self, part: &str) -> RecipeError {
        RecipeError::UnknownPart { text: self.text.to_owned(), part: part.to_owned(), example: self.example.to_owned() }
    }

    /// The recipe, if it prints as the text: parts are there, once, and in their order.
    pub(crate) fn canonical<R: ToString>(self, recipe: R) -> Result<R, RecipeError> {
        if recipe.to_string() == self.text {
            return Ok(recipe);
        }
        Err(RecipeError::WrongOrder { text: self.text.to_owned(), example: self.example.to_owned() })
    }
}
