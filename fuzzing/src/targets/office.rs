//! Arbitrary bytes as an office document, a book or an e-mail, and as the parts of one: the first byte says of which.

use lookalike_extract::{ExtractError, Format, max_office_text};
use lookalike_parser::office_text;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Between two parts.
const BETWEEN: u8 = 0x1E;

/// Formats, and the parts that are filled.
const FORMATS: [(Format, &[&str]); 6] = [
    (Format::Docx, &["word/document.xml", "word/_rels/document.xml.rels", "word/footnotes.xml", "_rels/.rels"]),
    (Format::Xlsx, &["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sheet.xml", "xl/strings.xml"]),
    (Format::Pptx, &["ppt/presentation.xml", "ppt/_rels/presentation.xml.rels", "ppt/slide.xml", "ppt/_rels/slide.xml.rels"]),
    (Format::Odf, &["content.xml", "META-INF/manifest.xml"]),
    (Format::Epub, &["META-INF/container.xml", "book.opf", "a.xhtml"]),
    (Format::Email, &[]),
];

fn package(names: &[&str], parts: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, part) in names.iter().zip(parts.split(|&byte| byte == BETWEEN)) {
        zip.start_file(*name, options).expect("into memory");
        zip.write_all(part).expect("into memory");
    }
    zip.finish().expect("into memory").into_inner()
}

pub(crate) fn fuzz(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let (format, names) = FORMATS[usize::from(*first) % FORMATS.len()];
    for document in [rest.to_vec(), package(names, rest)] {
        match office_text(&document, format) {
            Ok(text) => assert!(text.len() as u64 <= max_office_text(document.len() as u64)),
            Err(error) => assert_ne!(error, ExtractError::Crashed { format }),
        }
    }
}
