//! Office documents, books and e-mails: formats whose text has to be extracted, and has no place in their bytes.
//!
//! All of them are read as streams, and no more text is kept than [`BoundedText`] takes: a few kilobytes can unpack to gigabytes.

mod bounded_text;
mod docx;
mod email;
mod epub;
mod layout;
mod odf;
mod package;
mod pdf;
mod pptx;
mod relations;
mod xlsx;
mod xml;

use bounded_text::BoundedText;
use lookalike_extract::{ExtractError, Format};

/// The text of an office document, book or e-mail, paragraphs and rows on lines of their own. A panic of its reader is an error; a stack
/// that overflows and a loop are not caught.
pub fn text(bytes: &[u8], format: Format) -> Result<String, ExtractError> {
    std::panic::catch_unwind(|| read(bytes, format)).unwrap_or(Err(ExtractError::Crashed { format }))
}

fn read(bytes: &[u8], format: Format) -> Result<String, ExtractError> {
    let mut out = BoundedText::new(bytes.len(), format);
    match format {
        Format::Pdf => pdf::read(bytes, &mut out)?,
        Format::Docx => docx::read(bytes, &mut out)?,
        Format::Xlsx => xlsx::read(bytes, &mut out)?,
        Format::Pptx => pptx::read(bytes, &mut out)?,
        Format::Odf => odf::read(bytes, &mut out)?,
        Format::Epub => epub::read(bytes, &mut out)?,
        Format::Email => email::read(bytes, &mut out)?,
        Format::Html | Format::Markdown | Format::Text => {}
    }
    Ok(out.into_string())
}

/// Why a document cannot be read.
fn damaged(format: Format, reason: &dyn std::fmt::Display) -> ExtractError {
    ExtractError::Damaged { format, reason: reason.to_string() }
}
