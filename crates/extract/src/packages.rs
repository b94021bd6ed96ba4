//! Documents that are zip archives show what they are by the names of their parts.

use memchr::memmem;

/// The record at the end of an archive, before a comment of at most 64 KiB.
const END_BYTES: usize = 22;
const MAX_COMMENT_BYTES: usize = 1 << 16;
/// What the directory says of a part before its name.
const ENTRY_BYTES: usize = 46;
/// Parts whose names are looked at.
const MAX_ENTRIES: usize = 4096;

/// Folders that only one format has.
const FOLDERS: [(&[u8], &str); 3] = [(b"word/", "docx"), (b"xl/", "xlsx"), (b"ppt/", "pptx")];

/// The name of the format of a zip archive, if it is a document.
pub(crate) fn sniff(bytes: &[u8]) -> Option<&'static str> {
    by_media_type(bytes).or_else(|| by_names(bytes))
}

/// EPUB and `OpenDocument` begin with a part that says what they are, unpacked.
fn by_media_type(bytes: &[u8]) -> Option<&'static str> {
    let length = |at: usize| Some(usize::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])));
    let name = bytes.get(30..30 + length(26)?)?;
    let content = bytes.get(30 + name.len() + length(28)?..)?;
    if name != b"mimetype" {
        None
    } else if content.starts_with(b"application/epub+zip") {
        Some("epub")
    } else {
        content.starts_with(b"application/vnd.oasis.opendocument.").then_some("odf")
    }
}

/// Office documents have a list of the types of their parts, and a folder named after the program.
fn by_names(bytes: &[u8]) -> Option<&'static str> {
    let from = bytes.len().saturating_sub(END_BYTES + MAX_COMMENT_BYTES);
    let end = from + memmem::rfind(&bytes[from..], b"PK\x05\x06")?;
    let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let mut entries = bytes.get(number(end + 16)?..end)?;
    let (mut has_types, mut format) = (false, None);
    for _ in 0..MAX_ENTRIES {
        if !entries.starts_with(b"PK\x01\x02") || entries.len() < ENTRY_BYTES {
            break;
        }
        let length = |at: usize| usize::from(u16::from_le_bytes([entries[at], entries[at + 1]]));
        let rest = &entries[ENTRY_BYTES..];
        let name = rest.get(..length(28))?;
        has_types |= name == b"[Content_Types].xml";
        format = format.or(FOLDERS.iter().find(|(folder, _)| name.starts_with(folder)).map(|&(_, format)| format));
        entries = rest.get(length(28) + length(30) + length(32)..)?;
    }
    format.filter(|_| has_types)
}
