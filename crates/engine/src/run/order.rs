//! Who represents: the one order in which documents are offered as representatives, the same for every lens.
//!
//! From the longest to the shortest document (words; bytes for the chunks lens); of equally long ones by their tie-break, which is part of
//! the content hash, then by id. What the user wants to keep comes before the length, and documents that must stay before everything. Each
//! document joins the most similar representative before it that it is linked with, and represents
//! itself if there is none. Nothing here depends on the order of reading, unless the user asks for the first, nor on how many others a document resembles: so a new document never reverses the
//! order of two old ones, and an index that grows keeps the same clusters as one that is built anew.

use crate::Error;
use crate::run::catalogue::Catalogue;
use crate::run::options::Keep;
use crate::run::origins::is_source;
use crate::run::view::modified;
use globset::GlobBuilder;
use rayon::slice::ParallelSliceMut;
use std::cmp::Reverse;

/// Documents with smaller keys are offered first: what the user wants to keep, then the longest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankKey {
    is_removable: bool,
    preference: u64,
    size: Reverse<u32>,
    tie_break: u32,
    id: String,
}

impl RankKey {
    /// The key of a document that may go.
    pub fn new(preference: u64, size: u32, tie_break: u32, id: String) -> Self {
        Self { is_removable: true, preference, size: Reverse(size), tie_break, id }
    }

    /// The same as bytes that are ordered as keys are, for who sorts elsewhere.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.is_removable)];
        bytes.extend(self.preference.to_be_bytes());
        bytes.extend((!self.size.0).to_be_bytes());
        bytes.extend(self.tie_break.to_be_bytes());
        bytes.extend(self.id.as_bytes());
        bytes
    }

    /// The key of such bytes; none if they are no key.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (is_removable, rest) = bytes.split_first()?;
        let (preference, rest) = rest.split_first_chunk()?;
        let (size, rest) = rest.split_first_chunk()?;
        let (tie_break, id) = rest.split_first_chunk()?;
        Some(Self {
            is_removable: *is_removable != 0,
            preference: u64::from_be_bytes(*preference),
            size: Reverse(!u32::from_be_bytes(*size)),
            tie_break: u32::from_be_bytes(*tie_break),
            id: String::from_utf8(id.to_vec()).ok()?,
        })
    }

    pub fn tie_break(&self) -> u32 {
        self.tie_break
    }

    pub fn into_id(self) -> String {
        self.id
    }
}

/// The order of representatives.
#[derive(Debug, Default)]
pub struct RepresentativeOrder {
    keep: Keep,
    globs: Vec<globset::GlobMatcher>,
    /// By document: what a saved run kept of the wish.
    saved: Option<Vec<u64>>,
}

impl RepresentativeOrder {
    pub fn new(keep: &Keep) -> Result<Self, Error> {
        let mut globs = Vec::new();
        if let Keep::Paths(patterns) = keep {
            for pattern in patterns {
                let glob = GlobBuilder::new(pattern).literal_separator(true).build();
                let glob = glob.map_err(|e| Error::Glob { glob: pattern.clone(), reason: e.kind().to_string() })?;
                globs.push(glob.compile_matcher());
            }
        }
        Ok(Self { keep: keep.clone(), globs, saved: None })
    }

    /// The order of a saved run, from its [`RepresentativeOrder::preferences`].
    pub fn saved(preferences: Option<Vec<u64>>) -> Self {
        Self { saved: preferences, ..Self::default() }
    }

    /// Whether documents are offered from the longest to the shortest.
    pub fn is_by_size(&self) -> bool {
        self.keep == Keep::Longest && self.saved.is_none()
    }

    /// By document: what the user wants to keep, for a saved run, in which neither paths nor times can be looked up; none if nothing
    /// comes before the length. What comes first has the least number.
    pub fn preferences(&self, catalogue: &Catalogue) -> Result<Option<Vec<u64>>, Error> {
        if self.is_by_size() || self.saved.is_some() {
            return Ok(self.saved.clone());
        }
        let documents = 0..catalogue.len() as u32;
        documents.map(|document| Ok(self.key(catalogue, document, 0)?.preference)).collect::<Result<_, _>>().map(Some)
    }

    /// What the user wants to keep of a document, as far as nothing must be looked up for it. What comes first has the least number.
    fn known_preference(&self, catalogue: &Catalogue, document: u32) -> Option<u64> {
        let origins = &catalogue.origins;
        if let Some(saved) = &self.saved {
            return Some(saved.get(document as usize).copied().unwrap_or(u64::MAX));
        }
        match &self.keep {
            Keep::Longest => Some(0),
            Keep::First => Some(u64::from(document)),
            Keep::Best => Some(u64::MAX - origins.rank(document)),
            Keep::Newest => origins.has_ranks().then(|| u64::MAX - origins.rank(document)),
            Keep::Sources(names) => {
                Some(origins.name(document).map_or(names.len(), |source| place(source, names)) as u64)
            }
            Keep::Paths(_) => None,
        }
    }

    /// The key of a document; `size` is its length as the lens counts it.
    pub fn key(&self, catalogue: &Catalogue, document: u32, size: u32) -> Result<RankKey, Error> {
        let entry = catalogue.entry(document)?;
        let preference = self.known_preference(catalogue, document).unwrap_or_else(|| match self.keep {
            Keep::Paths(_) => {
                let name = entry.id.rsplit('/').next().unwrap_or_default();
                let wanted = |glob: &globset::GlobMatcher| glob.is_match(&entry.id) || glob.is_match(name);
                self.globs.iter().position(wanted).unwrap_or(self.globs.len()) as u64
            }
            _ => u64::MAX - modified(&entry.place).unwrap_or(0),
        });
        Ok(RankKey {
            is_removable: !catalogue.origins.is_fixed(document),
            preference,
            size: Reverse(size),
            tie_break: catalogue.tie_breaks[document as usize],
            id: entry.id,
        })
    }

    /// Documents in this order.
    pub fn sorted(
        &self,
        catalogue: &Catalogue,
        documents: impl Iterator<Item = u32>,
        sizes: &[u32],
    ) -> Result<Vec<u32>, Error> {
        let mut documents: Vec<u32> = documents.collect();
        let key = |document: u32| self.key(catalogue, document, sizes[document as usize]);
        if documents.first().is_none_or(|first| self.known_preference(catalogue, *first).is_some()) {
            // ids are on disk, and needed only where everything else is the same
            let short = |d: &u32| {
                let size_and_hash = (Reverse(sizes[*d as usize]), catalogue.tie_breaks[*d as usize]);
                (!catalogue.origins.is_fixed(*d), self.known_preference(catalogue, *d), size_and_hash)
            };
            documents.par_sort_unstable_by_key(|document| (short(document), *document));
            for same in documents.chunk_by_mut(|a, b| short(a) == short(b)).filter(|same| same.len() > 1) {
                sort_by_key(same, key)?;
            }
        } else {
            sort_by_key(&mut documents, key)?;
        }
        Ok(documents)
    }
}

/// The place of the first name that means this source; behind all, if none does.
fn place(source: &str, names: &[String]) -> usize {
    names.iter().position(|name| is_source(source, name)).unwrap_or(names.len())
}

fn sort_by_key(documents: &mut [u32], key: impl Fn(u32) -> Result<RankKey, Error>) -> Result<(), Error> {
    let mut keyed = Vec::with_capacity(documents.len());
    for document in documents.iter() {
        keyed.push((key(*document)?, *document));
    }
    keyed.sort_unstable();
    documents.iter_mut().zip(keyed).for_each(|(slot, (_, document))| *slot = document);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> impl Strategy<Value = RankKey> {
        let numbers = (0u64..3, prop_oneof![0u32..3, Just(u32::MAX)], 0u32..3);
        (any::<bool>(), numbers, "[ab\u{e9}]{0,3}").prop_map(|(is_removable, (preference, size, tie_break), id)| {
            RankKey { is_removable, ..RankKey::new(preference, size, tie_break, id) }
        })
    }

    proptest! {
        #[test]
        fn bytes_are_ordered_as_keys_are(a in key(), b in key()) {
            prop_assert_eq!(a.to_bytes().cmp(&b.to_bytes()), a.cmp(&b));
            prop_assert_eq!(RankKey::from_bytes(&a.to_bytes()), Some(a));
        }
    }
}
