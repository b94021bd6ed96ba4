//! Texts for showing. An index keeps none: a document is read again where it was once seen, if it is still what it was.

use crate::query::index::Index;
use lookalike_core::recipe::Recipe;
use lookalike_corpus::Body;
use lookalike_engine::Error;
use lookalike_engine::run::text::Text;
use lookalike_engine::run::text_extractor::TextExtractor;
use std::borrow::Cow;

impl Index {
    /// The text of a document of at most `max_bytes`, as the index reads it; none if the original is gone, larger, or has no text.
    pub fn text(&self, document: u32, max_bytes: u64) -> Result<Option<Text>, Error> {
        if self.snapshot.segments.record(document)?.bytes > max_bytes {
            return Ok(None);
        }
        let Some((id, body)) = self.snapshot.original(self.snapshot.content(document)?)? else { return Ok(None) };
        Ok(self.extractor()?.shown(&id, &body).ok())
    }

    /// The text of a file in memory, as the index would read it. Its format is told by its id, then by what it looks like.
    pub fn read_text(&self, id: &str, bytes: &[u8]) -> Result<Text, Error> {
        let shown = self.extractor()?.shown(id, &Body::Bytes(Cow::Borrowed(bytes)));
        shown.map_err(|reason| Error::Document { id: id.to_owned(), reason })
    }

    fn extractor(&self) -> Result<TextExtractor, Error> {
        match self.recipe() {
            Recipe::Shingles(recipe) => TextExtractor::new(&recipe.text),
            Recipe::Simhash(recipe) => TextExtractor::new(&recipe.text),
            Recipe::Chunks(_) | Recipe::Passages(_) => Ok(TextExtractor::default()),
        }
    }
}
