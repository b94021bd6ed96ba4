//! New documents on their way into a segment: which of them are new content, and which names had them.

use crate::lens::index_lens::{DocumentFacts, IndexedDocument, IndexedDocuments};
use crate::segment::build::{EachDocument, NewObservation, SegmentContents, SegmentDocument};
use crate::segment::cluster_state::{WorkingState, address_key, find_live};
use crate::segment::segment_set::{ObservationAddress, SegmentSet, name_fingerprint};
use crate::segment::sources::{Source, Sources};
use lookalike_corpus::Corpus;
use lookalike_engine::run::catalogue::Entry;
use lookalike_engine::{Error, ScanOptions};
use rayon::prelude::*;
use std::ops::Range;
use std::path::PathBuf;

/// Documents that are read at once, on all threads.
const BATCH: usize = 4096;

/// What is new of a stretch of a catalogue.
pub(crate) struct Batch<'a> {
    contents: &'a dyn IndexedDocuments,
    /// The first document of the stretch, and what is known of it and those that follow.
    first: u32,
    facts: Vec<DocumentFacts>,
    sweep: u32,
    /// Content id, a document of the catalogue that has it, and whether the index has it already; sorted.
    documents: Vec<(u128, u32, bool)>,
    /// Fingerprint of the name, document of the catalogue; sorted, those of one fingerprint by name.
    observed: Vec<(u64, u32)>,
    sources: Sources,
    folder: u32,
    files: Vec<u32>,
    /// Ids that occurred more than once.
    pub(crate) repeated: u64,
    /// Observations that the index has already.
    pub(crate) unchanged: u64,
    /// Observations of the index that are replaced.
    pub(crate) replaced: Vec<ObservationAddress>,
}

impl<'a> Batch<'a> {
    pub(crate) fn new(
        contents: &'a dyn IndexedDocuments,
        stretch: Range<u32>,
        corpus: &Corpus,
        options: &ScanOptions,
        sweep: u32,
    ) -> Result<Self, Error> {
        let full = |path: &std::path::Path| {
            // what was fetched has its address; it cannot be read again there
            if lookalike_corpus::is_renamed(path) {
                return lookalike_corpus::id_of(path).into_owned();
            }
            std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
        };
        let (features, text) = (options.corpus.features_field.clone(), options.corpus.text_field.clone());
        let text = features.is_none().then_some(text);
        let mut sources = Sources::default();
        let here = std::env::current_dir().map(|path| full(&path)).unwrap_or_default();
        let folder = sources.number(Source { path: here, ..Source::default() });
        let file = |path: &PathBuf| Source { path: full(path), text: text.clone(), features: features.clone() };
        let files = corpus.sources().iter().map(|path| sources.number(file(path))).collect();
        let mut batch = Self {
            contents,
            first: stretch.start,
            facts: Vec::with_capacity(stretch.len()),
            sweep,
            documents: Vec::new(),
            observed: Vec::new(),
            sources,
            folder,
            files,
            repeated: 0,
            unchanged: 0,
            replaced: Vec::new(),
        };
        batch.observed = batch.last_of_each_name(stretch)?;
        Ok(batch)
    }

    /// The last document of each name.
    fn last_of_each_name(&mut self, stretch: Range<u32>) -> Result<Vec<(u64, u32)>, Error> {
        let mut all: Vec<(u64, u32)> = Vec::with_capacity(stretch.len());
        let mut document = 0;
        self.contents.catalogue().for_each_entry(|entry| {
            if stretch.contains(&document) {
                all.push((name_fingerprint(&entry.id), document));
                let Entry { content, lexical, bytes, .. } = entry;
                self.facts.push(DocumentFacts { content, lexical, bytes });
            }
            document += 1;
            Ok::<_, Error>(())
        })?;
        all.par_sort_unstable();
        let mut last = Vec::with_capacity(all.len());
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            if let [one] = group {
                last.push(*one);
                continue;
            }
            let mut named = Vec::with_capacity(group.len());
            for (fingerprint, document) in group {
                named.push((self.contents.catalogue().id(*document)?, *fingerprint, *document));
            }
            named.sort_unstable();
            for same in named.chunk_by(|a, b| a.0 == b.0) {
                let (_, fingerprint, document) = same[same.len() - 1];
                last.push((fingerprint, document));
                self.repeated += same.len() as u64 - 1;
            }
        }
        Ok(last)
    }

    /// Leaves out what the index has: names that had the same document in the same sweep, and the content of documents that are there.
    pub(crate) fn compare_with(&mut self, segments: &SegmentSet, state: &WorkingState) -> Result<(), Error> {
        let observed = std::mem::take(&mut self.observed);
        let (catalogue, sweep) = (self.contents.catalogue(), self.sweep);
        let looked = observed.par_iter().with_min_len(256).map(|(_, document)| {
            if segments.views.is_empty() {
                return Ok((self.fact(*document).content, None, false));
            }
            let entry = catalogue.entry(*document)?;
            let there = there(segments, state, &entry, sweep)?;
            let known = match &there {
                Some((_, true)) => None,
                _ => find_live(segments, state, entry.content)?,
            };
            Ok((entry.content, there, known.is_some()))
        });
        let looked = looked.collect::<Result<Vec<_>, Error>>()?;
        for (observed, (content, there, known)) in observed.into_iter().zip(looked) {
            match there {
                Some((_, true)) => {
                    self.unchanged += 1;
                    continue;
                }
                Some((address, false)) => self.replaced.push(address),
                None => {}
            }
            self.documents.push((content, observed.1, known));
            self.observed.push(observed);
        }
        self.documents.par_sort_unstable();
        self.documents.dedup_by_key(|document| document.0);
        Ok(())
    }

    /// Documents and references of the segment to be.
    pub(crate) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(crate) fn observations(&self) -> u64 {
        self.observed.len() as u64
    }

    /// Which of them are new content, by their place.
    pub(crate) fn new_ones(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.documents).filter(|(_, document)| !document.2).map(|(at, _)| at)
    }

    fn fact(&self, document: u32) -> DocumentFacts {
        self.facts[(document - self.first) as usize]
    }

    fn number_of(&self, content: u128) -> u32 {
        self.documents.partition_point(|document| document.0 < content) as u32
    }
}

/// The observation of a name in this sweep, and whether it is of this very document.
fn there(
    segments: &SegmentSet,
    state: &WorkingState,
    entry: &Entry,
    sweep: u32,
) -> Result<Option<(ObservationAddress, bool)>, Error> {
    for address in segments.find_name(&entry.id)? {
        let same_sweep = segments.views[address.0].observation(address.1)?.sweep == sweep;
        if same_sweep && !state.dead.contains(&address_key(address)) {
            return Ok(Some((address, segments.observed(address)? == entry.content)));
        }
    }
    Ok(None)
}

impl SegmentContents for Batch<'_> {
    fn documents(&mut self, each: &mut EachDocument<'_>) -> Result<(), Error> {
        for documents in self.documents.chunks(BATCH) {
            let read = documents.par_iter().with_min_len(64).map(|(content, document, known)| {
                let made = (!known).then(|| self.contents.document(*document, self.fact(*document))).transpose()?;
                Ok((*content, made))
            });
            for (content, made) in read.collect::<Result<Vec<_>, Error>>()? {
                each(match &made {
                    None => SegmentDocument::reference(content),
                    Some(IndexedDocument { record, level, packed, payload }) => {
                        SegmentDocument { record: *record, level: *level, packed, payload }
                    }
                })?;
            }
        }
        Ok(())
    }

    fn observations(&mut self, each: &mut dyn FnMut(NewObservation<'_>) -> Result<(), Error>) -> Result<(), Error> {
        for observed in self.observed.chunks(BATCH) {
            let read = observed.par_iter().with_min_len(64).map(|(fingerprint, document)| {
                let entry = self.contents.catalogue().entry(*document)?;
                let mut place = Vec::new();
                Sources::encode(&entry.id, &entry.place, self.folder, &self.files, &mut place);
                Ok((*fingerprint, entry, place))
            });
            for (fingerprint, entry, place) in read.collect::<Result<Vec<_>, Error>>()? {
                let document = self.number_of(entry.content);
                each(NewObservation { fingerprint, name: &entry.id, sweep: self.sweep, document, place: &place })?;
            }
        }
        Ok(())
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }
}
