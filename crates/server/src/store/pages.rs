//! Pages become fingerprints, by the recipe of the store.

use lookalike::simhash::{FingerprintScratch, Fingerprinter};
use lookalike::{Error, Recipe, SimhashRecipe, TextRecipe};
use std::cell::RefCell;

/// What a fingerprint is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Page<'a> {
    Text(&'a str),
    Html(&'a str),
    /// A file, whatever is in it.
    Bytes(&'a [u8]),
}

impl Page<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Text(text) | Self::Html(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

/// Makes fingerprints.
#[derive(Debug)]
pub(super) struct Pages {
    any: Fingerprinter,
    html: Fingerprinter,
    pub(super) recipe: String,
}

thread_local! {
    static SCRATCH: RefCell<FingerprintScratch<u64>> = RefCell::default();
}

impl Pages {
    /// By the recipe of a store; by the usual one where it is not known.
    pub(super) fn new(stored: &str, key: &str) -> Result<Self, Error> {
        let recipe = match stored {
            "" => SimhashRecipe { bits: u64::BITS, ..SimhashRecipe::default() },
            stored => match stored.parse()? {
                Recipe::Simhash(recipe) => recipe,
                other => return Err(Error::NotOfLens { what: lookalike::OptionName::Distance, lens: other.lens() }),
            },
        };
        let text = TextRecipe { format: "html".into(), ..recipe.text.clone() };
        let html = SimhashRecipe { text, ..recipe.clone() };
        let of = |recipe: &SimhashRecipe| Fingerprinter::new(recipe, key, None);
        let any = of(&recipe)?;
        Ok(Self { recipe: any.recipe().to_string(), any, html: of(&html)? })
    }

    /// The fingerprint of a page, or why it has none.
    pub(super) fn fingerprint(&self, id: &str, page: Page<'_>) -> Result<u64, String> {
        SCRATCH.with_borrow_mut(|scratch| match page {
            Page::Text(text) => self.any.fingerprint_text(id, text, scratch),
            Page::Html(text) => self.html.fingerprint_text(id, text, scratch),
            Page::Bytes(bytes) => self.any.fingerprint_bytes(id, bytes, scratch),
        })
    }
}

/// A fingerprint of 16 hexadecimal digits.
pub(crate) fn parse_fingerprint(digits: &str) -> Option<u64> {
    let plain = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    plain.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

pub(crate) fn spell_fingerprint(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}
