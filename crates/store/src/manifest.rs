//! What an index folder consists of, as a file that is read whole or not at all, and the names in such a folder.

use crate::{Error, SegmentFile};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

pub(crate) const MANIFEST: &str = "manifest.json";
/// The next manifest, while it is written.
pub(crate) const NEW: &str = "manifest.new";
/// Held open and locked by the one writer.
pub(crate) const LOCK: &str = "lock";

/// A later format keeps the last two lines as they are, so that this version can still say what it found.
const FORMAT: u64 = 1;
/// More files than anybody writes: numbers below this can be counted on without overflow.
const NUMBERS: u64 = 1_000_000_000_000_000;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest<M> {
    format: u64,
    /// Counts commits.
    pub(crate) generation: u64,
    /// The number of the next file.
    pub(crate) next: u64,
    pub(crate) files: Vec<SegmentFile>,
    pub(crate) meta: M,
}

/// As much as every format has.
#[derive(Deserialize)]
struct Format {
    format: u64,
}

impl<M> Manifest<M> {
    pub(crate) fn new(generation: u64, next: u64, files: Vec<SegmentFile>, meta: M) -> Self {
        Self { format: FORMAT, generation, next, files, meta }
    }

    /// The first name that a reader would not accept.
    pub(crate) fn wrong_name(&self) -> Option<&str> {
        let wrong = |file: &&SegmentFile| number_of(&file.name).is_none_or(|number| number >= self.next);
        self.files.iter().find(wrong).map(|file| file.name.as_str())
    }
}

impl<M: Serialize> Manifest<M> {
    pub(crate) fn encode(&self) -> Result<String, serde_json::Error> {
        let json = serde_json::to_string_pretty(self)?;
        let text = json.strip_suffix("\n}").unwrap_or(&json).to_owned() + ",\n";
        let end = ending(text.as_bytes());
        Ok(text + &end)
    }
}

impl<M: DeserializeOwned> Manifest<M> {
    /// Reads a manifest; `path` is for messages. Nothing in it is believed: it may come from anywhere.
    pub(crate) fn decode(path: &Path, text: &[u8]) -> Result<Self, Error> {
        let damaged = |offset: usize, found: String| Error::Damaged {
            what: path.display().to_string(),
            offset: offset as u64,
            found,
        };
        let wrong = |error: serde_json::Error| damaged(offset_of(text, &error), error.to_string());
        // every byte counts: what precedes the ending is in the checksum, and the ending is compared letter by letter
        let at = text.len().saturating_sub(ending(b"").len());
        if text[at..] != *ending(&text[..at]).as_bytes() {
            return Err(damaged(at, "checksum does not match".into()));
        }
        let Format { format } = serde_json::from_slice(text).map_err(wrong)?;
        if format != FORMAT {
            return Err(Error::Format { what: path.display().to_string(), expected: FORMAT, found: format });
        }
        let manifest: Self = serde_json::from_slice(text).map_err(wrong)?;
        if manifest.next >= NUMBERS || manifest.generation >= NUMBERS {
            return Err(damaged(0, "numbers that are too large".into()));
        }
        match manifest.wrong_name() {
            Some(name) => Err(damaged(0, format!("expected names such as 000012.seg, found {name:?}"))),
            None => Ok(manifest),
        }
    }
}

/// The last two lines.
fn ending(text: &[u8]) -> String {
    format!("  \"checksum\": \"{:032x}\"\n}}\n", xxh3_128(text))
}

/// Where in the text something was not as expected.
fn offset_of(text: &[u8], error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    lines.map(<[u8]>::len).sum::<usize>() + error.column().saturating_sub(1)
}

/// The name of a file with a number.
pub(crate) fn name_of(number: u64, extension: &str) -> String {
    format!("{number:06}.{extension}")
}

/// The number of a file whose name is one of ours, spelled as we spell it.
pub(crate) fn number_of(name: &str) -> Option<u64> {
    let (digits, extension) = name.split_once('.')?;
    let letters = (1..=8).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_lowercase());
    let number = digits.parse().ok().filter(|number| letters && *number < NUMBERS)?;
    (name_of(number, extension) == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(next: u64, names: &[&str]) -> Manifest<String> {
        let file = |name: &&str| SegmentFile { name: (*name).into(), bytes: 32, checksum: 7 };
        Manifest::new(3, next, names.iter().map(file).collect(), "rose".into())
    }

    fn decode(text: &[u8]) -> Result<Manifest<String>, Error> {
        Manifest::decode(Path::new("manifest.json"), text)
    }

    /// Manifests stay on disks: their bytes are frozen.
    #[test]
    fn golden_text() {
        let golden = r#"{
  "format": 1,
  "generation": 3,
  "next": 13,
  "files": [
    {
      "name": "000012.seg",
      "bytes": 32,
      "checksum": "0000000000000007"
    }
  ],
  "meta": "rose",
  "checksum": "5742875eff9eea32105acbf273ed7808"
}
"#;
        assert_eq!(manifest(13, &["000012.seg"]).encode().unwrap(), golden);
        let back = decode(golden.as_bytes()).unwrap();
        assert_eq!((back.generation, back.next, back.meta.as_str()), (3, 13, "rose"));
        assert_eq!(back.files, manifest(13, &["000012.seg"]).files);
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let text = manifest(13, &["000012.seg"]).encode().unwrap().into_bytes();
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut broken = text.clone();
                broken[at] ^= 1 << bit;
                assert!(matches!(decode(&broken), Err(Error::Damaged { .. })), "bit {bit} of byte {at}");
            }
            assert!(matches!(decode(&text[..at]), Err(Error::Damaged { .. })), "cut at {at}");
        }
        assert!(decode(&[&text[..], b"\n"].concat()).is_err());
    }

    #[test]
    fn what_others_wrote_is_not_believed() {
        let sealed = |text: &str| [text.as_bytes(), ending(text.as_bytes()).as_bytes()].concat();
        for name in
            ["../000001.seg", "/000001.seg", "1.seg", "000001.SEG", "000001.", "+00001.seg", "lock", "", "000013.seg"]
        {
            let text = manifest(13, &[name]).encode().unwrap();
            assert!(matches!(decode(text.as_bytes()), Err(Error::Damaged { .. })), "{name}");
        }
        let other = decode(&sealed("{\n  \"format\": 2,\n")).unwrap_err();
        assert!(matches!(other, Error::Format { expected: 1, found: 2, .. }), "{other}");
        let large = manifest(u64::MAX, &[]).encode().unwrap();
        assert!(matches!(decode(large.as_bytes()), Err(Error::Damaged { .. })));
        let Error::Damaged { offset, .. } = decode(&sealed("{\n  \"format\": 1,\n  \"next\": -1,\n")).unwrap_err()
        else {
            panic!("damaged")
        };
        assert_eq!(offset, 28, "the place of the number");
        for text in ["", "{", "[1,", "null", "\u{0}"] {
            assert!(matches!(decode(&sealed(text)), Err(Error::Damaged { .. })), "{text}");
        }
    }

    #[test]
    fn names() {
        assert_eq!(number_of("000012.seg"), Some(12));
        assert_eq!(number_of(&name_of(1_234_567, "seg")), Some(1_234_567));
        for name in ["0000012.seg", "000012.tar.gz", "000012", "000012.seg ", "999999999999999999999.seg", "00001२.seg"]
        {
            assert_eq!(number_of(name), None, "{name}");
        }
    }
}
