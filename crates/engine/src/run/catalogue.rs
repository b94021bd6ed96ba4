//! The catalogue: what is known of each document after the first phase. Little in memory, the rest in spools.

use crate::report::Skip;
use crate::report::shingles::Frame;
use crate::run::feature_spool::SpooledFeatures;
use crate::run::memory::MemoryBudget;
use crate::run::origins::Origins;
use lookalike_core::sketch::Sketch;
use lookalike_corpus::{Body, Place};
use lookalike_store::{Error, SpoolReader};
use std::borrow::Cow;
use std::sync::Arc;

/// All documents of a scan, by their number in the order of reading.
pub struct Catalogue {
    pub entries: SpoolReader,
    pub entry_places: Vec<u64>,
    pub sketches: SpoolReader,
    pub sketch_places: Vec<u64>,
    /// Bodies that cannot be read again from where they came.
    pub bodies: Option<SpoolReader>,
    /// The features of documents, if they will be compared.
    pub features: Option<SpooledFeatures>,
    /// Shingles of each document, repeats included.
    pub sizes: Vec<u32>,
    /// A part of each content id: chooses documents at random, whatever their order.
    pub tie_breaks: Vec<u32>,
    pub bytes: u64,
    /// For documents that are read again.
    pub memory: Arc<MemoryBudget>,
    /// Documents whose id another document has too.
    pub repeated_ids: u64,
    /// Documents of which the sketch keeps nothing: only their equals can be found.
    pub unsampled: u64,
    /// Where documents are from, if anybody asks.
    pub origins: Origins,
    /// What was left out as the frame of pages.
    pub frame: Frame,
    pub skipped: Vec<Skip>,
}

/// What the spool keeps of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    pub bytes: u64,
    pub content: u128,
    pub lexical: u128,
    pub place: Place,
    /// Where the body is spooled, if it is.
    pub body: Option<u64>,
}

impl Catalogue {
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    pub fn entry(&self, document: u32) -> Result<Entry, Error> {
        let mut record = Vec::new();
        let place = self.entry_places[document as usize];
        self.entries.read(place, &mut record)?;
        Entry::decode(&record).ok_or_else(|| corrupt(place))
    }

    /// Calls `each` with the entries of all documents in order.
    pub fn for_each_entry<E: From<Error>>(&self, mut each: impl FnMut(Entry) -> Result<(), E>) -> Result<(), E> {
        let mut places = self.entry_places.iter();
        self.entries.for_each(|record| {
            let place = places.next().copied().unwrap_or_default();
            each(Entry::decode(record).ok_or_else(|| corrupt(place))?)
        })
    }

    /// Calls `each` with the entries of some documents, which come in order.
    pub fn for_each_entry_of<E: From<Error>>(
        &self,
        documents: &[u32],
        mut each: impl FnMut(Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let places: Vec<u64> = documents.iter().map(|document| self.entry_places[*document as usize]).collect();
        let mut at = places.iter();
        self.entries.for_each_at(&places, |record| {
            let place = at.next().copied().unwrap_or_default();
            each(Entry::decode(record).ok_or_else(|| corrupt(place))?)
        })
    }

    pub fn id(&self, document: u32) -> Result<String, Error> {
        self.entry(document).map(|entry| entry.id)
    }

    pub fn sketch(&self, document: u32) -> Result<Sketch, Error> {
        let mut record = Vec::new();
        self.sketches.read(self.sketch_places[document as usize], &mut record)?;
        Ok(decode_sketch(&record))
    }

    /// How many features all sketches have together.
    pub fn sketched_features(&self) -> u64 {
        // each is a level and its features
        self.sketches.bytes().saturating_sub(self.sketches.len()) / size_of::<u64>() as u64
    }

    /// Calls `each(document, sketch)` for all documents in order; the sketch is lent.
    pub fn for_each_sketch<E: From<Error>>(
        &self,
        mut each: impl FnMut(u32, &mut Sketch) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut document = 0;
        let mut sketch = Sketch::default();
        self.sketches.for_each(|record| {
            read_sketch(record, &mut sketch);
            each(document, &mut sketch)?;
            document += 1;
            Ok(())
        })
    }
}

fn corrupt(offset: u64) -> Error {
    Error::Damaged { what: "the catalogue".into(), offset, found: "an entry that cannot be decoded".into() }
}

impl Entry {
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.clear();
        out.extend(self.bytes.to_le_bytes());
        out.extend(self.content.to_le_bytes());
        out.extend(self.lexical.to_le_bytes());
        out.extend(self.body.unwrap_or(u64::MAX).to_le_bytes());
        out.extend((self.id.len() as u32).to_le_bytes());
        out.extend(self.id.as_bytes());
        self.place.encode(out);
    }

    pub fn decode(record: &[u8]) -> Option<Self> {
        let (bytes, rest) = record.split_first_chunk()?;
        let (content, rest) = rest.split_first_chunk()?;
        let (lexical, rest) = rest.split_first_chunk()?;
        let (body, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (id, place) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        Some(Self {
            id: String::from_utf8(id.to_vec()).ok()?,
            bytes: u64::from_le_bytes(*bytes),
            content: u128::from_le_bytes(*content),
            lexical: u128::from_le_bytes(*lexical),
            place: Place::decode(place)?,
            body: Some(u64::from_le_bytes(*body)).filter(|b| *b != u64::MAX),
        })
    }
}

pub fn encode_sketch(sketch: &Sketch, out: &mut Vec<u8>) {
    out.clear();
    out.push(sketch.level);
    out.resize(1 + sketch.features.len() * 8, 0);
    for (bytes, feature) in out[1..].as_chunks_mut().0.iter_mut().zip(&sketch.features) {
        *bytes = feature.to_le_bytes();
    }
}

pub fn decode_sketch(record: &[u8]) -> Sketch {
    let mut sketch = Sketch::default();
    read_sketch(record, &mut sketch);
    sketch
}

fn read_sketch(record: &[u8], sketch: &mut Sketch) {
    let (level, features) = record.split_first().unwrap_or((&0, &[]));
    sketch.level = *level;
    sketch.features.clear();
    sketch.features.extend(features.as_chunks().0.iter().map(|f| u64::from_le_bytes(*f)));
}

/// A body in a spool: a letter for its kind, then its content.
pub fn encode_body(body: &Body<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    match body {
        Body::Bytes(bytes) => {
            out.push(b'b');
            out.extend_from_slice(bytes);
        }
        Body::Text(text) => {
            out.push(b't');
            out.extend_from_slice(text.as_bytes());
        }
        Body::Features(items) => {
            out.push(b'f');
            for item in items {
                out.extend((item.len() as u32).to_le_bytes());
                out.extend_from_slice(item.as_bytes());
            }
        }
    }
    out
}

pub fn decode_body(record: &[u8]) -> Option<Body<'static>> {
    let (kind, mut rest) = record.split_first()?;
    match kind {
        b'b' => Some(Body::Bytes(Cow::Owned(rest.to_vec()))),
        b't' => Some(Body::Text(Cow::Owned(String::from_utf8(rest.to_vec()).ok()?))),
        b'f' => {
            let mut items = Vec::new();
            while let Some((length, more)) = rest.split_first_chunk() {
                let (item, after) = more.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                items.push(Cow::Owned(String::from_utf8(item.to_vec()).ok()?));
                rest = after;
            }
            rest.is_empty().then_some(Body::Features(items))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_come_back(id in "\\PC{0,20}", bytes: u64, content: u128, lexical: u128, body in prop::option::of(0u64..1000)) {
            let entry = Entry { id, bytes, content, lexical, place: Place::Line { source: 3, offset: 9, len: 1, row: 2 }, body };
            let mut record = Vec::new();
            entry.encode(&mut record);
            prop_assert_eq!(Entry::decode(&record), Some(entry));
        }

        #[test]
        fn bodies_come_back(items: Vec<String>, text: String) {
            for body in [Body::Features(items.into_iter().map(Cow::Owned).collect()), Body::Text(Cow::Owned(text))] {
                prop_assert_eq!(decode_body(&encode_body(&body)), Some(body));
            }
        }

        #[test]
        fn broken_records_are_refused(record: Vec<u8>) {
            let _ = Entry::decode(&record);
            let _ = decode_body(&record);
        }
    }
}
