//! Reads documents again, and their feature sets.

use crate::Error;
use crate::lens::shingles::sketcher::{OwnWords, Sketcher};
use crate::run::catalogue::Catalogue;
use crate::run::loader::Loader;
use crate::run::memory::Permit;
use lookalike_core::sets;
use lookalike_corpus::{Body, Corpus};
use lookalike_extract::Canonical;
use rayon::prelude::*;

/// A document is boilerplate when less than one word in so many stands in no frequent shingle.
const MIN_OWN_SHARE: usize = 10;
/// But never when so many shingles' worth of its own words stand together: that is a text of its own, below a menu that is longer than it.
/// Frequent text was found to be no content; it must not decide again. What people change in copies of one page are words here and there; two
/// changes less than two shingles apart leave no frequent shingle between them.
const MIN_OWN_TEXT: usize = 4;

/// Reads documents and their feature sets.
pub struct SetLoader<'a> {
    pub catalogue: &'a Catalogue,
    pub sketcher: &'a Sketcher,
    loader: Loader<'a>,
}

impl<'a> SetLoader<'a> {
    pub fn new(catalogue: &'a Catalogue, corpus: &'a Corpus, sketcher: &'a Sketcher) -> Self {
        Self { catalogue, sketcher, loader: Loader::new(catalogue, corpus, sketcher.extractor.clone()) }
    }

    /// The body of a document and its id, if it is still what it was.
    pub fn body(&self, document: u32) -> Result<Option<(String, Body<'static>)>, Error> {
        self.loader.body(document)
    }

    /// The text of a document with the way back to its bytes.
    pub fn canonical(&self, document: u32) -> Result<Option<Canonical>, Error> {
        self.loader.canonical(document)
    }

    /// Waits until there is memory to work on a document.
    pub fn admit(&self, document: u32) -> Result<Permit, Error> {
        self.loader.admit(document)
    }

    /// The feature set of a document: what was spooled of it, or else it is read again. None if it is no longer what it was.
    pub fn set(&self, document: u32) -> Result<Option<Vec<u64>>, Error> {
        if let Some(spooled) = &self.catalogue.features
            && let Some(mut features) = spooled.read(document, self.catalogue.sizes[document as usize] as usize)?
        {
            sets::into_set(&mut features);
            return Ok(Some(features));
        }
        let _permit = self.admit(document)?;
        Ok(self.body(document)?.and_then(|(id, body)| self.sketcher.set(&id, &body).ok()))
    }

    /// Whether a document is frequent text nearly throughout.
    pub fn is_boilerplate(&self, document: u32, frequent: &[u64]) -> Result<bool, Error> {
        let _permit = self.admit(document)?;
        let few = |words: OwnWords| {
            words.own * MIN_OWN_SHARE < words.all && words.longest < MIN_OWN_TEXT * self.sketcher.recipe.w.max(1)
        };
        Ok(self.body(document)?.is_some_and(|(id, body)| self.sketcher.own_words(&id, &body, frequent).is_ok_and(few)))
    }

    /// Whole feature sets, frequent features included.
    pub fn whole_sets(&self, documents: &[u32]) -> Result<Vec<Option<Vec<u64>>>, Error> {
        documents.par_iter().map(|document| self.set(*document)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use crate::lens::shingles::sketching::{SketchCollector, sketch_corpus};
    use crate::run::Session;
    use crate::run::options::ScanOptions;
    use lookalike_core::recipe::ShingleRecipe;
    use lookalike_store::{Cancel, Silent};
    use std::io::Cursor;

    #[test]
    fn what_was_spooled_is_what_is_read_again() {
        let word = |at: usize| format!("w{} ", at * at % 4001);
        let texts = [3, 4, 5, 900, 70_000].map(|words| (0..words).map(word).collect::<String>());
        let lines = texts.map(|text| format!("{{\"text\":\"{text}\"}}\n")).concat();
        let (options, cancel) = (ScanOptions::default(), Cancel::default());
        let session = Session::new(&options, &Silent, &cancel).unwrap();
        let corpus = Corpus::open(vec![Input::Stream(Box::new(Cursor::new(lines)))], options.corpus.clone()).unwrap();
        let sketcher = Sketcher::new(&ShingleRecipe::words(4), "").unwrap();
        let mut collector = SketchCollector::new(&session, 0).unwrap().with_features(&session).unwrap();
        sketch_corpus(&session, &sketcher, &corpus, true, &mut collector).unwrap();
        let (mut catalogue, _) = collector.finish(&session).unwrap();
        let sets =
            |catalogue: &Catalogue| SetLoader::new(catalogue, &corpus, &sketcher).whole_sets(&[0, 1, 2, 3, 4]).unwrap();
        let spooled = sets(&catalogue);
        let features = catalogue.features.take().expect("asked for");
        let known = |document: u32| features.read(document, catalogue.sizes[document as usize] as usize).unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|document| known(document).is_some()), [true, true, true, true, false]);
        assert_eq!(spooled, sets(&catalogue));
        assert!(spooled.iter().all(Option::is_some));
        assert!(spooled[4].as_ref().unwrap().len() > 1000 && spooled[3].as_ref().unwrap().len() > 100);
    }
}
