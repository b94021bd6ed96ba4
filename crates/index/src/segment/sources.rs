//! Where an observed document can be read again, as a segment keeps it.
//!
//! A segment has a list of folders and JSONL files by their full paths; a place counts from it. Most files are called by their path, so
//! their place is two bytes.

use lookalike_corpus::{Place, is_renamed, put_varint, take_varint};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The folders and files that the places of a segment count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sources(Vec<Source>);

/// A folder that paths count from, or a JSONL file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Source {
    /// Its full path.
    pub(crate) path: String,
    /// The field of a line that has the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// The field of a line that has ready-made features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) features: Option<String>,
}

const NAMED: u8 = b'n';
const FILE: u8 = b'f';
const LINE: u8 = b'l';

impl Sources {
    /// The number of a folder or file, new or not.
    pub(crate) fn number(&mut self, source: Source) -> u32 {
        let known = self.0.iter().position(|known| *known == source);
        known.unwrap_or_else(|| {
            self.0.push(source);
            self.0.len() - 1
        }) as u32
    }

    fn get(&self, number: u64) -> Option<&Source> {
        self.0.get(usize::try_from(number).ok()?)
    }

    /// Appends a place of a document called `name`; `folder` and `files` are the numbers of the folder that paths count from, and of the
    /// JSONL files that were read. What came from a stream, an archive or another machine has no place.
    pub(crate) fn encode(name: &str, place: &Place, folder: u32, files: &[u32], out: &mut Vec<u8>) {
        match place {
            Place::Stream | Place::Row { .. } | Place::Member { .. } => {}
            Place::File(path) if is_renamed(path) => {}
            Place::File(path) if path.to_str() == Some(name) => {
                out.push(NAMED);
                put_varint(u64::from(folder), out);
            }
            Place::File(path) => {
                out.push(FILE);
                put_varint(u64::from(folder), out);
                out.extend_from_slice(path.as_os_str().as_encoded_bytes());
            }
            Place::Line { source, offset, len, .. } => {
                let Some(file) = files.get(*source as usize) else { return };
                out.push(LINE);
                for number in [u64::from(*file), *offset, *len] {
                    put_varint(number, out);
                }
            }
        }
    }

    /// The same place, counted from the sources of another segment.
    pub(crate) fn recode(place: &[u8], numbers: &[u32], out: &mut Vec<u8>) {
        let Some((kind, mut rest)) = place.split_first() else { return };
        let Some(number) = take_varint(&mut rest).and_then(|n| numbers.get(usize::try_from(n).ok()?)) else { return };
        out.push(*kind);
        put_varint(u64::from(*number), out);
        out.extend_from_slice(rest);
    }

    /// The numbers of all these sources in another list.
    pub(crate) fn numbers_in(&self, others: &mut Self) -> Vec<u32> {
        self.0.iter().map(|source| others.number(source.clone())).collect()
    }

    /// Where a document called `name` was: a whole file, or a stretch of one.
    pub(crate) fn decode(&self, name: &str, place: &[u8]) -> Option<Readable> {
        let (kind, mut rest) = place.split_first()?;
        let source = self.get(take_varint(&mut rest)?)?;
        let folder = Path::new(&source.path);
        match *kind {
            NAMED => Some(Readable::File(folder.join(name))),
            FILE => Some(Readable::File(folder.join(std::str::from_utf8(rest).ok()?))),
            LINE => {
                let (offset, len) = (take_varint(&mut rest)?, take_varint(&mut rest)?);
                Some(Readable::Line { file: source.clone(), offset, len })
            }
            _ => None,
        }
    }
}

/// What can be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Readable {
    File(PathBuf),
    Line { file: Source, offset: u64, len: u64 },
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_come_back_through_a_merge(offset: u64, len: u64, named: bool) {
            let mut sources = Sources::default();
            let source = |path: &str| Source { path: path.into(), ..Source::default() };
            let folder = sources.number(source("/data"));
            let files = [sources.number(source("/data/a.jsonl")), sources.number(source("/b.jsonl"))];
            let place = Place::File(if named { "x/y.html".into() } else { "z".into() });
            let mut merged = Sources(vec![source("/other"), source("/b.jsonl")]);
            let numbers = sources.numbers_in(&mut merged);
            for (place, expected) in [
                (place, Readable::File(if named { "/data/x/y.html" } else { "/data/z" }.into())),
                (Place::Line { source: 1, offset, len, row: 0 }, Readable::Line { file: source("/b.jsonl"), offset, len }),
            ] {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                Sources::encode("x/y.html", &place, folder, &files, &mut first);
                Sources::recode(&first, &numbers, &mut second);
                prop_assert_eq!(sources.decode("x/y.html", &first), Some(expected.clone()));
                prop_assert_eq!(merged.decode("x/y.html", &second), Some(expected));
            }
        }

        #[test]
        fn rubbish_is_refused(place: Vec<u8>) {
            let sources = Sources(vec![Source::default()]);
            let _ = sources.decode("n", &place);
            Sources::recode(&place, &[0], &mut Vec::new());
        }
    }
}
