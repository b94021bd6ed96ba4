//! The chunks of a document that is shown, so that a reader sees which bytes it has in common with another.

use crate::lens::chunks::ignored::IgnoredChunks;
use lookalike_core::chunk::Chunker;
use rustc_hash::FxHashSet;

/// Cuts a document as it was compared.
pub struct ShownChunker {
    /// The chunker of the first pass: templates are made of its chunks.
    pub coarse: Chunker,
    /// That of the second one, if there was one. What the first pass settled is cut finer here than it was compared: what it found in
    /// common is in common here too.
    pub fine: Option<Chunker>,
    ignored: FxHashSet<u128>,
}

impl ShownChunker {
    pub fn new(coarse: Chunker, fine: Option<Chunker>, ignored: &IgnoredChunks) -> Self {
        Self { coarse, fine, ignored: ignored.hashes().collect() }
    }

    /// Length and hash of each chunk, in order. What does not count has no hash.
    pub fn cut(&self, data: &[u8]) -> Vec<(usize, Option<u128>)> {
        let mut chunks = Vec::new();
        let Some(fine) = &self.fine else {
            self.coarse.chunks(data, |chunk| {
                chunks.push((chunk.length, (!self.ignored.contains(&chunk.hash)).then_some(chunk.hash)));
            });
            return chunks;
        };
        let mut templates = Vec::new();
        if !self.ignored.is_empty() {
            self.coarse.chunks(data, |chunk| {
                if self.ignored.contains(&chunk.hash) {
                    templates.push(chunk.start..chunk.start + chunk.length);
                }
            });
        }
        let mut at = 0;
        fine.chunks(data, |chunk| {
            while at < templates.len() && templates[at].end <= chunk.start {
                at += 1;
            }
            let counts = templates.get(at).is_none_or(|template| template.start >= chunk.start + chunk.length);
            chunks.push((chunk.length, counts.then_some(chunk.hash)));
        });
        chunks
    }
}
