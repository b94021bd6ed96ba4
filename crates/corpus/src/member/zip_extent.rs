//! The extent of a zip: where its directory says that it begins and ends, against where the file does.

use std::io::{self, Read, Seek, SeekFrom};

/// The record at the end of a zip, without its comment; and the longest comment.
const END_BYTES: usize = 22;
const MAX_COMMENT_BYTES: u64 = u16::MAX as u64;
const END_MAGIC: &[u8] = b"PK\x05\x06";
/// Before it, if the zip is large: a second record of this kind, and where that is.
const LARGE_END_BYTES: usize = 56;
const LOCATOR_BYTES: usize = 20;
const LARGE_END_MAGIC: &[u8] = b"PK\x06\x06";
const LOCATOR_MAGIC: &[u8] = b"PK\x06\x07";
const MEMBER_MAGIC: &[u8] = b"PK\x03\x04";
const DIRECTORY_MAGIC: &[u8] = b"PK\x01\x02";
/// Bytes that are searched at once.
const BLOCK_BYTES: usize = 64 << 10;

/// Checks that the directory at the end of a zip is that of the whole file. Of two zips one after the other, readers see only the members
/// of the last. A program before the zip, as in archives that unpack themselves, and zeros behind it are no loss.
pub(crate) fn check_zip_extent(from: &mut (impl Read + Seek)) -> io::Result<()> {
    let length = from.seek(SeekFrom::End(0))?;
    let start = length.saturating_sub(MAX_COMMENT_BYTES + (END_BYTES + LOCATOR_BYTES + LARGE_END_BYTES) as u64);
    from.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    from.take(length - start).read_to_end(&mut tail)?;
    let mut rest = None;
    for at in memchr::memmem::rfind_iter(&tail, END_MAGIC) {
        let Some(end) = end_of(&tail, at) else { continue };
        if tail[end..].iter().any(|byte| *byte != 0) {
            // A comment may have the magic in it, so an earlier one counts.
            rest.get_or_insert(start + end as u64);
            continue;
        }
        let before = bytes_before(&tail, at, start).unwrap_or(0);
        let mut first = [0; 4];
        if before > 0 {
            from.seek(SeekFrom::Start(0))?;
            from.read_exact(&mut first)?;
        }
        return if first == MEMBER_MAGIC || has_zip(from, before)? {
            Err(damaged(format!("its directory is that of the zip at byte {before}; the zip before that is not read")))
        } else {
            Ok(())
        };
    }
    match rest {
        Some(end) => Err(damaged(format!("it ends at byte {end}, but the file has more data behind that"))),
        None => Err(damaged("the end of its directory is missing".into())),
    }
}

/// Whether a zip with members ends in the first bytes of a file.
fn has_zip(from: &mut (impl Read + Seek), bytes: u64) -> io::Result<bool> {
    let mut block = vec![0; BLOCK_BYTES.min(usize::try_from(bytes).unwrap_or(usize::MAX))];
    let mut at = 0;
    while at < bytes {
        from.seek(SeekFrom::Start(at))?;
        let length = block.len().min(usize::try_from(bytes - at).unwrap_or(usize::MAX));
        from.read_exact(&mut block[..length])?;
        for found in memchr::memmem::find_iter(&block[..length], END_MAGIC) {
            if has_directory(from, at + found as u64)? {
                return Ok(true);
            }
        }
        if length <= END_MAGIC.len() {
            break;
        }
        at += (length - END_MAGIC.len() + 1) as u64;
    }
    Ok(false)
}

/// Whether the bytes at a position are the record at the end of a zip: its directory is before it.
fn has_directory(from: &mut (impl Read + Seek), at: u64) -> io::Result<bool> {
    let start = at.saturating_sub((LOCATOR_BYTES + LARGE_END_BYTES) as u64);
    from.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    from.take(at - start + END_BYTES as u64).read_to_end(&mut tail)?;
    let Some((directory, _)) = directory(&tail, (at - start) as usize, start) else { return Ok(false) };
    let mut magic = [0; 4];
    from.seek(SeekFrom::Start(directory))?;
    from.read_exact(&mut magic)?;
    Ok(magic == DIRECTORY_MAGIC)
}

/// The end of the record at the end of a zip, with its comment.
fn end_of(tail: &[u8], at: usize) -> Option<usize> {
    let comment =
        tail.get(at + END_BYTES - 2..at + END_BYTES)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))?;
    Some(at + END_BYTES + usize::from(comment)).filter(|end| *end <= tail.len())
}

/// Bytes of the file before the zip, as far as the sizes in its last records show them.
fn bytes_before(tail: &[u8], at: usize, start: u64) -> Option<u64> {
    let (directory, offset) = directory(tail, at, start)?;
    directory.checked_sub(offset)
}

/// The position of the directory of a zip in the file, and that in the zip.
fn directory(tail: &[u8], at: usize, start: u64) -> Option<(u64, u64)> {
    let u32_at = |at: usize| tail.get(at..)?.first_chunk().map(|bytes| u64::from(u32::from_le_bytes(*bytes)));
    let u64_at = |at: usize| tail.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let locator = at.checked_sub(LOCATOR_BYTES).filter(|at| tail[*at..].starts_with(LOCATOR_MAGIC));
    let (end, size, offset) = match locator {
        Some(locator) => {
            let large = locator.checked_sub(LARGE_END_BYTES)?;
            if !tail[large..].starts_with(LARGE_END_MAGIC) {
                return None;
            }
            (large, u64_at(large + 40)?, u64_at(large + 48)?)
        }
        None => (at, u32_at(at + 12)?, u32_at(at + 16)?),
    };
    Some(((start + end as u64).checked_sub(size)?, offset))
}

fn damaged(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use zip::write::SimpleFileOptions;

    fn zip(members: usize, comment: &[u8]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        zip.set_raw_comment(comment.into()).unwrap();
        for member in 0..members {
            let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            zip.start_file(format!("{member}"), stored).unwrap();
            zip.write_all(b"x").unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn check(parts: &[&[u8]]) -> Result<(), String> {
        check_zip_extent(&mut Cursor::new(parts.concat())).map_err(|error| error.to_string())
    }

    #[test]
    fn whole_zips_may_have_programs_before_them_and_zeros_behind() {
        for zip in [
            zip(0, b""),
            zip(3, b""),
            zip(3, b"a comment"),
            zip(2, b"with PK\x05\x06 and twenty more bytes"),
            zip(70_000, b""),
        ] {
            assert_eq!(check(&[&zip]), Ok(()));
            assert_eq!(check(&[b"#!/bin/sh\nexit\n", &zip, &[0; 5000]]), Ok(()));
        }
    }

    #[test]
    fn what_the_directory_does_not_have_is_damage() {
        for (first, second) in [(zip(2, b""), zip(3, b"c")), (zip(2, b"c"), zip(70_000, b""))] {
            let error = check(&[&first, &second]).unwrap_err();
            assert!(error.contains(&format!("at byte {}", first.len())), "{error}");
            let error = check(&[&first, b"garbage"]).unwrap_err();
            assert!(error.contains(&format!("ends at byte {}", first.len())), "{error}");
            for prefix in [&b"#!/bin/sh\n"[..], &vec![7; BLOCK_BYTES - 12]] {
                let error = check(&[prefix, &first, &second]).unwrap_err();
                assert!(error.contains("the zip before that is not read"), "{error}");
            }
            let cut = &second[..second.len() - 1];
            assert!(check(&[&first, cut]).is_err());
        }
    }
}
