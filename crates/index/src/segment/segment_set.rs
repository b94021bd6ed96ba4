//! All segments of a snapshot, with documents numbered through.

use crate::segment::layout::{DocumentRecord, has, spread};
use crate::segment::view::View;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sketch::Sketch;
use lookalike_store::{Error, Segment};
use std::sync::Arc;

/// The segments, oldest first. A document's number is its place in its segment, after all documents of those before.
pub(crate) struct SegmentSet {
    pub(crate) views: Vec<View>,
    bases: Vec<u32>,
}

/// An observation: its segment, and its number there.
pub(crate) type ObservationAddress = (usize, u32);

impl SegmentSet {
    pub(crate) fn new(segments: Vec<Arc<Segment>>) -> Result<Self, Error> {
        let mut set = Self { views: Vec::new(), bases: vec![0] };
        for segment in segments {
            let view = View::new(segment)?;
            let base = set.len();
            let end = base.checked_add(view.len()).filter(|end| *end < u32::MAX).ok_or_else(|| Error::Damaged {
                what: view.segment.path().display().to_string(),
                offset: 0,
                found: "more documents than can be numbered".into(),
            })?;
            set.bases.push(end);
            set.views.push(view);
        }
        Ok(set)
    }

    /// Documents and references in all segments.
    pub(crate) fn len(&self) -> u32 {
        self.bases.last().copied().unwrap_or(0)
    }

    pub(crate) fn base(&self, segment: usize) -> u32 {
        self.bases[segment]
    }

    /// The segment of a document, and its number there.
    #[inline]
    pub(crate) fn local(&self, document: u32) -> Result<(&View, u32), Error> {
        let segment = self.bases.partition_point(|base| *base <= document) - 1;
        let view = self.views.get(segment).ok_or_else(|| nowhere(document))?;
        Ok((view, document - self.bases[segment]))
    }

    pub(crate) fn record(&self, document: u32) -> Result<&DocumentRecord, Error> {
        let (view, local) = self.local(document)?;
        view.record(local)
    }

    pub(crate) fn sketch(&self, document: u32, sketch: &mut Sketch) -> Result<(), Error> {
        let (view, local) = self.local(document)?;
        view.sketch(local, sketch)
    }

    /// All observations of a name. A path that begins with `./` is the same without it, as it is when files are read.
    pub(crate) fn find_name(&self, name: &str) -> Result<Vec<ObservationAddress>, Error> {
        let addresses = self.find_exactly(name)?;
        match name.strip_prefix("./").filter(|_| addresses.is_empty()) {
            Some(short) => self.find_exactly(short),
            None => Ok(addresses),
        }
    }

    fn find_exactly(&self, name: &str) -> Result<Vec<ObservationAddress>, Error> {
        let fingerprint = name_fingerprint(name);
        let mut addresses = Vec::new();
        for (segment, view) in self.views.iter().enumerate() {
            addresses.extend(view.find_name(fingerprint, name)?.into_iter().flatten().map(|at| (segment, at)));
        }
        Ok(addresses)
    }

    /// All observations of a content.
    pub(crate) fn sightings(&self, content: u128) -> Result<Vec<ObservationAddress>, Error> {
        let mut addresses = Vec::new();
        for (segment, view) in self.views.iter().enumerate() {
            if let Some(local) = view.find_content(content)? {
                addresses.extend(view.sightings(local)?.iter().map(|at| (segment, *at)));
            }
        }
        Ok(addresses)
    }

    /// The content that was observed.
    pub(crate) fn observed(&self, address: ObservationAddress) -> Result<u128, Error> {
        let view = &self.views[address.0];
        Ok(view.record(view.observation(address.1)?.document)?.content())
    }

    /// Calls `each` with every name of these segments once, by fingerprint and text, and with its observations.
    pub(crate) fn for_each_name<E: From<Error>>(
        &self,
        segments: &[usize],
        mut each: impl FnMut(u64, &str, &[ObservationAddress]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut next = vec![0u32; segments.len()];
        let mut addresses = Vec::new();
        loop {
            let mut least: Option<(u64, &str)> = None;
            for (segment, next) in segments.iter().zip(&next) {
                let view = &self.views[*segment];
                if *next < view.names() {
                    let (fingerprint, _, name) = view.name(*next)?;
                    least = Some(least.map_or((fingerprint, name), |least| least.min((fingerprint, name))));
                }
            }
            let Some((fingerprint, name)) = least else { return Ok(()) };
            addresses.clear();
            for (segment, next) in segments.iter().zip(&mut next) {
                let view = &self.views[*segment];
                if *next < view.names() {
                    let (found, observations, text) = view.name(*next)?;
                    if (found, text) == (fingerprint, name) {
                        *next += 1;
                        addresses.extend(observations.map(|at| (*segment, at)));
                    }
                }
            }
            each(fingerprint, name, &addresses)?;
        }
    }

    /// Calls `each` with every document that has a feature.
    pub(crate) fn having(&self, feature: u64, mut each: impl FnMut(u32)) -> Result<(), Error> {
        let spread = spread(feature);
        for (view, base) in self.views.iter().zip(&self.bases) {
            // a document is there twice if two of its features have the same tag
            let postings = view.postings(spread)?.iter().map(|posting| view.document_of(*posting));
            let mut documents: Vec<u32> = postings.collect();
            documents.sort_unstable();
            documents.dedup();
            for local in documents {
                if has(view.packed(local)?, feature) {
                    each(base + local);
                }
            }
        }
        Ok(())
    }
}

/// A file may have been forged: what it refers to need not be there.
#[cold]
fn nowhere(document: u32) -> Error {
    Error::Damaged {
        what: "the index".into(),
        offset: 0,
        found: format!("a reference to document {document}, which is not there"),
    }
}

/// The fingerprint by which a name is found.
pub(crate) fn name_fingerprint(name: &str) -> u64 {
    FeatureHasher::default().word(name.as_bytes())
}
