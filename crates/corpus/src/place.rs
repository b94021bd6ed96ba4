//! Where a document can be read again, and its compact form for the engine's document table.

use std::path::PathBuf;

use crate::step::{MAX_STEPS, Step};
use crate::varint::{put_varint, take_varint};

/// Where a document can be read again. The order is the order in which a disk likes to be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A whole file.
    File(PathBuf),
    /// A line of a plain JSONL file.
    Line {
        /// Which file: an index into [`crate::Corpus::sources`].
        source: u32,
        /// The first byte of the line.
        offset: u64,
        /// The bytes of the line without its newline.
        len: u64,
        /// The lines before it.
        row: u64,
    },
    /// A file in an archive.
    Member {
        /// The archive on the disk.
        path: PathBuf,
        /// What leads from its bytes to those of the member, never empty.
        steps: Vec<Step>,
        /// What the member is called: its id without that of the archive and the `!/` behind it.
        name: String,
    },
    /// A record of any other shard, which cannot be read again by itself: only the whole shard can.
    Row {
        /// Which file: an index into [`crate::Corpus::sources`].
        source: u32,
        /// The records before it; of a compressed JSONL file the lines.
        row: u64,
    },
    /// Standard input: cannot be read again.
    Stream,
}

const STREAM: u8 = 0;
const LINE: u8 = 1;
const FILE: u8 = 2;
const MEMBER: u8 = 3;
const ROW: u8 = 4;

impl Place {
    /// Whether a document can be read again by itself.
    pub fn is_readable(&self) -> bool {
        !matches!(self, Place::Stream | Place::Row { .. })
    }

    /// Whether the document is in an archive inside another archive.
    pub fn is_nested(&self) -> bool {
        let ranges = |steps: &[Step]| steps.iter().filter(|step| matches!(step, Step::Range { .. })).count();
        matches!(self, Place::Member { steps, .. } if ranges(steps) > 1)
    }

    /// Its shard and the records before it, if it is a record of one.
    pub fn record(&self) -> Option<(u32, u64)> {
        match *self {
            Place::Line { source, row, .. } | Place::Row { source, row } => Some((source, row)),
            Place::File(_) | Place::Member { .. } | Place::Stream => None,
        }
    }

    /// Appends the compact form: one byte for the kind, then variable-length integers, or the bytes of the path; of a member
    /// the number of the steps, the steps, the name with its length, and the path.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Place::Stream => out.push(STREAM),
            Place::Line { source, offset, len, row } => {
                out.push(LINE);
                put_varint(u64::from(*source), out);
                put_varint(*offset, out);
                put_varint(*len, out);
                put_varint(*row, out);
            }
            Place::Row { source, row } => {
                out.push(ROW);
                put_varint(u64::from(*source), out);
                put_varint(*row, out);
            }
            Place::File(path) => {
                out.push(FILE);
                out.extend_from_slice(path.as_os_str().as_encoded_bytes());
            }
            Place::Member { path, steps, name } => {
                out.push(MEMBER);
                put_varint(steps.len() as u64, out);
                for step in steps {
                    step.encode(out);
                }
                put_varint(name.len() as u64, out);
                out.extend_from_slice(name.as_bytes());
                out.extend_from_slice(path.as_os_str().as_encoded_bytes());
            }
        }
    }

    /// Reads back exactly what [`Place::encode`] wrote; `None` for anything else.
    pub fn decode(bytes: &[u8]) -> Option<Place> {
        let (&kind, mut rest) = bytes.split_first()?;
        match kind {
            STREAM if rest.is_empty() => Some(Place::Stream),
            LINE => {
                let source = u32::try_from(take_varint(&mut rest)?).ok()?;
                let offset = take_varint(&mut rest)?;
                let len = take_varint(&mut rest)?;
                let row = take_varint(&mut rest)?;
                rest.is_empty().then_some(Place::Line { source, offset, len, row })
            }
            ROW => {
                let source = u32::try_from(take_varint(&mut rest)?).ok()?;
                let row = take_varint(&mut rest)?;
                rest.is_empty().then_some(Place::Row { source, row })
            }
            FILE => path_from(rest).map(Place::File),
            MEMBER => {
                let count =
                    usize::try_from(take_varint(&mut rest)?).ok().filter(|count| (1..=MAX_STEPS).contains(count))?;
                let steps = (0..count).map(|_| Step::decode(&mut rest)).collect::<Option<_>>()?;
                let length = usize::try_from(take_varint(&mut rest)?).ok()?;
                let (name, path) = rest.split_at_checked(length)?;
                let name = std::str::from_utf8(name).ok()?.to_owned();
                Some(Place::Member { path: path_from(path)?, steps, name })
            }
            _ => None,
        }
    }
}

/// Any bytes are a path on unix.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not every byte string is a path")]
fn path_from(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

/// Elsewhere only names that are Unicode come back; the others need `unsafe` to be rebuilt.
#[cfg(not(unix))]
fn path_from(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(place: &Place) -> Vec<u8> {
        let mut bytes = Vec::new();
        place.encode(&mut bytes);
        bytes
    }

    #[test]
    fn forms_are_frozen() {
        assert_eq!(encoded(&Place::Stream), [0]);
        assert_eq!(encoded(&Place::Line { source: 1, offset: 300, len: 5, row: 2 }), [1, 1, 0xac, 2, 5, 2]);
        assert_eq!(encoded(&Place::Row { source: 1, row: 300 }), [4, 1, 0xac, 2]);
        assert_eq!(encoded(&Place::File("a/b".into())), b"\x02a/b");
        let steps = vec![Step::Gunzip, Step::Range { at: 300, len: 5 }, Step::Inflate, Step::Unzstd];
        let place = Place::Member { path: "a".into(), steps, name: "é".into() };
        assert_eq!(encoded(&place), b"\x03\x04\x02\x00\xac\x02\x05\x01\x03\x02\xc3\xa9a");
    }

    #[test]
    fn overlong_and_cut_forms_are_refused() {
        for bytes in [
            &b""[..],
            b"\0x",
            b"\x03",
            b"\x01\x80\0\0\0",
            b"\x01\x01\x02",
            b"\x01\x01\x02\x03",
            b"\x01\x01\x02\x03\x04\x05",
            b"\x04\x01",
            b"\x04\x01\x02\x03",
            b"\x03\0\0a",
            b"\x03\x01\x04\0a",
            b"\x03\x01\x01\x01\xff",
        ] {
            assert_eq!(Place::decode(bytes), None, "{bytes:?}");
        }
        let too_wide = [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0];
        assert_eq!(Place::decode(&too_wide), None);
    }

    proptest! {
        #[test]
        fn a_record_comes_back(source: u32, offset: u64, len: u64, row: u64) {
            for place in [Place::Line { source, offset, len, row }, Place::Row { source, row }] {
                prop_assert_eq!(Place::decode(&encoded(&place)), Some(place));
            }
        }

        #[cfg(unix)]
        #[test]
        fn a_file_comes_back(name: Vec<u8>) {
            use std::os::unix::ffi::OsStringExt;
            let place = Place::File(std::ffi::OsString::from_vec(name).into());
            prop_assert_eq!(Place::decode(&encoded(&place)), Some(place));
        }

        #[test]
        fn a_member_comes_back(name: String, ranges in prop::collection::vec(any::<(u64, u64)>(), 1..5)) {
            let steps = ranges.into_iter().flat_map(|(at, len)| [Step::Range { at, len }, Step::Inflate]).collect();
            let place = Place::Member { path: "x/y.zip".into(), steps, name };
            prop_assert_eq!(Place::decode(&encoded(&place)), Some(place));
        }

        #[test]
        fn what_decodes_is_the_one_encoding(bytes in prop::collection::vec(prop_oneof![0u8..5, any::<u8>()], 0..24)) {
            if let Some(place) = Place::decode(&bytes) {
                prop_assert_eq!(encoded(&place), bytes);
            }
        }
    }
}
