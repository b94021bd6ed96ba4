//! Documents on their way into an index of fingerprints.

use crate::simhash::tables::encode;
use crate::Error;
use crate::query::reader::wrong_key;
use crate::writer::batch::{Contents, Fact, Made};
use crate::segment::layout::DocumentRecord;
use crate::segment::meta::Meta;
use lookalike_engine::run::Session;
use lookalike_engine::run::catalogue::{Catalogue, Entry};
use lookalike_engine::run::filing::Filing;
use lookalike_engine::run::reading::{Outcome, read_all};
use lookalike_engine::report::Skip;
use crate::simhash::front::{Front, Scratch};
use crate::simhash::{Idf, Options, SimhashRecipe};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::recipe::RecipeError;
use lookalike_corpus::{Body, Corpus, Item};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// What the manifest says of fingerprints, beyond the recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SimhashMeta {
    /// Bits of a fingerprint: 64 or 128.
    pub(crate) bits: u32,
    /// Name of the secret, never the secret.
    pub(crate) key: Option<String>,
}

impl SimhashMeta {
    pub(crate) fn new(options: &Options) -> Self {
        Self { bits: options.recipe.bits, key: options.recipe.key.clone() }
    }
}

/// Refuses an index that has no fingerprints.
pub(crate) fn no_fingerprints(path: &Path, meta: &Meta) -> Error {
    let kept = meta.lens().kept();
    let reason = format!("has {kept}, not fingerprints; build one with lookalike index build --lens simhash");
    Error::Index { path: path.display().to_string(), reason }
}

/// Makes the fingerprints of documents for an index, and of those that are asked for.
pub(crate) struct SimhashReader {
    recipe: SimhashRecipe,
    front: Front,
}

impl SimhashReader {
    /// As the index at this path was made. Refuses another key or another table of document frequencies.
    pub(crate) fn new(path: &Path, meta: &Meta, key: &str, idf: Option<Arc<Idf>>) -> Result<Self, Error> {
        let wrong = |reason: String| Error::Index { path: path.display().to_string(), reason };
        let Some(of_fingerprints) = &meta.simhash else { return Err(no_fingerprints(path, meta)) };
        let recipe: SimhashRecipe = meta.recipe.parse().map_err(|problem: RecipeError| wrong(problem.to_string()))?;
        if recipe.feature_hasher(key).is_none() {
            return Err(wrong(wrong_key(recipe.key.as_deref())));
        }
        if (of_fingerprints.bits, &of_fingerprints.key) != (recipe.bits, &recipe.key) {
            return Err(wrong(format!(
                "expected fingerprints of {} bits, found the recipe {recipe}",
                of_fingerprints.bits
            )));
        }
        let found = idf.as_ref().map(|idf| idf.name());
        if recipe.idf.as_deref() != found {
            let found = found.map_or("none".to_owned(), |name| format!("the one that is called {name}"));
            return Err(wrong(match &recipe.idf {
                Some(name) => format!(
                    "was made with the document frequencies that are called {name}, found {found}; give that file with --idf"
                ),
                None => format!("was made without document frequencies, found {found}; leave out --idf"),
            }));
        }
        let options = Options { recipe: recipe.clone(), key: key.to_owned(), idf, ..Options::default() };
        Ok(Self { recipe, front: Front::new(&options)? })
    }

    /// How fingerprints are made.
    pub(crate) fn recipe(&self) -> &SimhashRecipe {
        &self.recipe
    }

    /// Refuses another recipe than that of the index.
    pub(crate) fn check(&self, path: &Path, asked: &SimhashRecipe) -> Result<(), Error> {
        if self.recipe == *asked {
            return Ok(());
        }
        let expected = &self.recipe;
        let reason = format!(
            "has another recipe: expected {expected}, found {asked}; use the same flags, or build another index"
        );
        Err(Error::Index { path: path.display().to_string(), reason })
    }

    /// The fingerprint of a document.
    pub(super) fn fingerprint<F: FingerprintBits>(&self, id: &str, body: &Body<'_>) -> Result<F, Error> {
        let made = self.front.fingerprint(id, body, &mut Scratch::default());
        made.map_err(|reason| Error::Document { id: id.to_owned(), reason })
    }

    /// Reads a corpus.
    pub(crate) fn read(&self, session: &Session<'_>, corpus: &Corpus) -> Result<ReadPrints, Error> {
        let catalogue = match self.recipe.bits {
            128 => self.read_as::<u128>(session, corpus),
            _ => self.read_as::<u64>(session, corpus),
        }?;
        Ok(ReadPrints { catalogue })
    }

    fn read_as<F: FingerprintBits>(&self, session: &Session<'_>, corpus: &Corpus) -> Result<Catalogue, Error> {
        let mut filing = Filing::new(session)?;
        let worker = || {
            let mut scratch = Scratch::<F>::default();
            move |item: Item<'_>| self.read_item(item, &mut scratch)
        };
        read_all(session, corpus, worker, |read| {
            match read {
                Read::Skipped(skip) => filing.skip(skip),
                Read::Made { entry, fingerprint } => {
                    let salt = entry.content as u32;
                    filing.add(entry, (0, salt), &fingerprint, None)?;
                }
            }
            Ok(())
        })?;
        filing.finish()
    }

    fn read_item<F: FingerprintBits>(&self, item: Item<'_>, scratch: &mut Scratch<F>) -> Read {
        let document = match item {
            Item::Document(document) => document,
            Item::Skipped(skipped) => return Read::Skipped(skipped.into()),
        };
        let id = document.id.into_owned();
        match self.front.fingerprint(&id, &document.body, scratch) {
            Ok(fingerprint) => {
                let (bytes, content) = (document.body.len(), document.body.content_id());
                let entry = Entry { id, bytes, content, lexical: 0, place: document.place, body: None };
                Read::Made { entry, fingerprint: encode(fingerprint) }
            }
            Err(reason) => Read::Skipped(Skip::because(id, reason)),
        }
    }
}

/// A document or a skip, on its way from a worker to the catalogue.
enum Read {
    Made { entry: Entry, fingerprint: Vec<u8> },
    Skipped(Skip),
}

impl Outcome for Read {
    fn id(&self) -> &str {
        match self {
            Self::Made { entry, .. } => &entry.id,
            Self::Skipped(skip) => &skip.id,
        }
    }

    fn skipped(skip: Skip) -> Self {
        Self::Skipped(skip)
    }
}

/// Documents that were read; the sketch of each is its fingerprint.
pub(crate) struct ReadPrints {
    catalogue: Catalogue,
}

impl ReadPrints {
    /// What was not read, and what has no fingerprint since it is empty.
    pub(crate) fn skipped(self) -> Vec<Skip> {
        self.catalogue.skipped
    }
}

impl Contents for ReadPrints {
    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn document(&self, document: u32, fact: Fact) -> Result<Made, Error> {
        let mut fingerprint = Vec::new();
        self.catalogue.sketches.read(self.catalogue.sketch_places[document as usize], &mut fingerprint)?;
        let record = DocumentRecord::new(fact.content, 0, fact.bytes, 0);
        Ok(Made { record, level: 0, packed: Vec::new(), tokens: fingerprint })
    }
}
