//! Chunks that are ignored: templates that people have marked, and what decisions call one.

use crate::Error;
use crate::error::TemplateError;
use crate::lens::chunks::chunk_list::{ChunkLists, Listed};
use crate::lens::chunks::templates::{TemplateChunk, TemplateList};
use crate::report::chunks::AppliedTemplate;
use crate::run::catalogue::Catalogue;
use crate::run::decisions::Decisions;
use rustc_hash::{FxHashMap, FxHashSet};

/// Hashes of ignored chunks, each with the template that it is of.
#[derive(Default)]
pub struct IgnoredChunks {
    of: FxHashMap<u128, usize>,
    applied: Vec<AppliedTemplate>,
}

impl IgnoredChunks {
    pub fn new(list: &TemplateList, decisions: &Decisions, catalogue: &Catalogue) -> Result<Self, Error> {
        let mut ignored = Self::default();
        for template in &list.templates {
            let listed = |chunk: &TemplateChunk| Some(Listed { hash: chunk.hash()?, length: chunk.bytes });
            let chunks: Option<Vec<Listed>> = template.chunks.iter().map(listed).collect();
            let wrong = || Error::Template(TemplateError::BadHash { hash: template.name.clone() });
            ignored.add(&template.name, &chunks.ok_or_else(wrong)?);
        }
        for (at, documents) in decisions.templates().enumerate() {
            ignored.add(&format!("decision {}", at + 1), &shared_by_all(catalogue, documents)?);
        }
        Ok(ignored)
    }

    fn add(&mut self, name: &str, chunks: &[Listed]) {
        let at = self.applied.len();
        let mut applied = AppliedTemplate { name: name.to_owned(), chunks: 0, bytes: 0, documents: 0 };
        for chunk in chunks {
            if self.of.insert(chunk.hash, at).is_none() {
                applied.chunks += 1;
                applied.bytes += u64::from(chunk.length);
            }
        }
        self.applied.push(applied);
    }

    pub fn any(&self) -> bool {
        !self.of.is_empty()
    }

    pub fn has(&self, hash: u128) -> bool {
        self.of.contains_key(&hash)
    }

    /// All of them, in no order.
    pub fn hashes(&self) -> impl Iterator<Item = u128> {
        self.of.keys().copied()
    }

    /// Takes ignored chunks out of a document's list; their bytes.
    pub fn take_from(&mut self, chunks: &mut Vec<Listed>, copies: u64) -> u64 {
        if !self.any() {
            return 0;
        }
        let mut bytes = 0;
        let mut has = Vec::new();
        chunks.retain(|chunk| match self.of.get(&chunk.hash) {
            None => true,
            Some(template) => {
                bytes += u64::from(chunk.length);
                if !has.contains(template) {
                    has.push(*template);
                }
                false
            }
        });
        for template in has {
            self.applied[template].documents += copies;
        }
        bytes
    }

    pub fn applied(self) -> Vec<AppliedTemplate> {
        self.applied
    }
}

/// Chunks that all these documents have, each once, in the order of the first.
pub fn shared_by_all(catalogue: &Catalogue, documents: &[u32]) -> Result<Vec<Listed>, Error> {
    let (mut shared, mut chunks) = (Vec::new(), Vec::new());
    for (at, document) in documents.iter().enumerate() {
        ChunkLists::of_catalogue(catalogue).of(*document, &mut chunks)?;
        if at == 0 {
            let mut seen = FxHashSet::default();
            shared.extend(chunks.iter().filter(|chunk| seen.insert(chunk.hash)).copied());
        } else {
            chunks.sort_unstable();
            shared.retain(|chunk| chunks.binary_search(chunk).is_ok());
        }
    }
    Ok(shared)
}
