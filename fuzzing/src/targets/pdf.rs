//! Arbitrary bytes as a PDF, and as what a page of one draws.

use lookalike_extract::{ExtractError, Format, max_office_text};
use lookalike_parser::office_text;

/// A PDF of one page with this content. Readers find its parts without a table of them.
fn page(content: &[u8]) -> Vec<u8> {
    let resources = "<< /Font << /F1 5 0 R >> /XObject << /X1 4 0 R >> >>";
    let head = format!(
        "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n\
         3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources {resources} >> endobj\n\
         5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj\n\
         4 0 obj << /Subtype /Form /Resources {resources} /Length {} >>\nstream\n",
        content.len()
    );
    [head.as_bytes(), content, b"\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF"].concat()
}

pub(crate) fn fuzz(bytes: &[u8]) {
    for document in [bytes.to_vec(), page(bytes)] {
        match office_text(&document, Format::Pdf) {
            Ok(text) => assert!(text.len() as u64 <= max_office_text(document.len() as u64)),
            Err(error) => assert_ne!(error, ExtractError::Crashed { format: Format::Pdf }),
        }
    }
}
