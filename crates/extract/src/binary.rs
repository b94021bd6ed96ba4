//! Telling text from everything else.

use memchr::memchr_iter;

/// How much of a document is looked at for control characters. Formats show their nature early.
const CHECKED_BYTES: usize = 8 * 1024;

/// Formats that do not reliably show themselves by a NUL near their beginning.
const MAGIC: &[(&[u8], &str)] = &[
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
    (b"\x1F\x8B", "gzip"),
    (b"\x28\xB5\x2F\xFD", "zstd"),
    (b"\xFD7zXZ", "xz"),
    (b"BZh", "bzip2"),
    (b"\x04\x22\x4D\x18", "LZ4"),
    (b"7z\xBC\xAF\x27\x1C", "7-Zip"),
    (b"Rar!\x1A\x07", "RAR"),
    (b"\x89PNG\r\n\x1A\n", "PNG"),
    (b"\xFF\xD8\xFF", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"\x7FELF", "ELF"),
    (b"\xCA\xFE\xBA\xBE", "Mach-O or Java class"),
    (b"\xCF\xFA\xED\xFE", "Mach-O"),
    (b"\0asm", "WebAssembly"),
    (b"SQLite format 3\0", "SQLite"),
    (b"OggS", "Ogg"),
    (b"fLaC", "FLAC"),
    (b"ID3", "MP3"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
    (b"PAR1", "Parquet"),
    (b"ARROW1\0\0", "Arrow"),
    (b"WARC/0.", "WARC"),
    (b"WARC/1.", "WARC"),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "Microsoft Office"),
];

/// The binary format whose mark the document begins with.
pub(crate) fn magic(bytes: &[u8]) -> Option<&'static str> {
    let first = bytes.first()?;
    let (mark, name) = MAGIC.iter().find(|(mark, _)| mark[0] == *first && bytes.starts_with(mark))?;
    // Marks of three letters or so could begin a sentence. Binary data is not valid text for long.
    let is_letters = mark.len() < 5 && mark.iter().all(u8::is_ascii_alphanumeric);
    if is_letters && std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0')) {
        return None;
    }
    Some(name)
}

/// Whether there are so many NULs that this cannot be text, UTF-16 apart.
///
/// A NUL in the first 8 KiB means binary, as it does to git and grep. But a log whose machine lost power holds some
/// where a page was never written, and a crawl holds pages with a stray one; these are text. So behind the first 8 KiB
/// up to one byte in 1024 may be NUL. In compressed or machine code, even behind a textual header, it is one in 256 or
/// many more.
pub(crate) fn has_nuls(bytes: &[u8]) -> bool {
    let tolerated = if bytes.len() > CHECKED_BYTES { bytes.len() / 1024 } else { 0 };
    let mut nuls = memchr_iter(0, bytes);
    match nuls.next() {
        None => false,
        Some(first) => first < CHECKED_BYTES || nuls.take(tolerated).count() == tolerated,
    }
}

/// Whether more than a tenth of the beginning is control characters that text has no use for.
pub(crate) fn has_controls(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(CHECKED_BYTES)];
    // counts of a byte each, and no branches: many bytes in one instruction
    let count = |few: &[u8]| few.iter().map(|byte| u8::from(is_control(*byte))).sum::<u8>();
    head.chunks(255).map(|few| usize::from(count(few))).sum::<usize>() * 10 > head.len()
}

/// C0 and delete, but not white space, and not the escape of ISO-2022-JP and of coloured logs.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "lazy operators are branches, and branches cannot be done many at a time"
)]
pub(crate) const fn is_control(byte: u8) -> bool {
    (byte < 8) | (byte.wrapping_sub(0x0E) < 0x0D) | (byte.wrapping_sub(0x1C) < 4) | (byte == 0x7F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        assert_eq!(magic(b"%PDF-1.7\n"), Some("PDF"));
        assert_eq!(magic(b"\x1F\x8B\x08"), Some("gzip"));
        assert_eq!(magic(b"BZh91AY&SY\xFF"), Some("bzip2"));
        assert_eq!(magic(b"BZh is not a word"), None);
        assert_eq!(magic(b"ID3 tags are old."), None);
        assert_eq!(magic(b"PK is a name"), None);
        assert_eq!(magic(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n"), Some("WARC"));
        assert_eq!(magic(b"WARC/ARC files hold crawls."), None);
        assert_eq!(magic(b""), None);
    }

    #[test]
    fn nuls() {
        let text = "word ".repeat(4000);
        assert!(!has_nuls(text.as_bytes()));
        assert!(has_nuls(b"a\0b"));
        let mut late = text.clone().into_bytes();
        late[15_000..15_010].fill(0);
        assert!(!has_nuls(&late));
        late[15_000..15_100].fill(0);
        assert!(has_nuls(&late));
        let mut early = text.into_bytes();
        early[100] = 0;
        assert!(has_nuls(&early));
    }

    #[test]
    fn controls_by_name() {
        let named = |byte: u8| matches!(byte, 0..=7 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
        assert!((0..=255).all(|byte| is_control(byte) == named(byte)));
    }

    #[test]
    fn controls() {
        assert!(!has_controls(b""));
        assert!(!has_controls(b"\x1B[31mred\x1B[0m\r\n\t\x0C"));
        assert!(has_controls(b"abc\x01\x02"));
    }
}
