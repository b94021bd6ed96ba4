//! Office documents, books and e-mails: formats whose text has to be taken out of them, and has no place in their bytes.
//!
//! Everything here is read as a stream, and no more text of it is kept than [`BoundedText`] takes: a few kilobytes can stand for gigabytes.

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

use crate::error::ExtractError;
use crate::format::Format;
use bounded_text::BoundedText;
pub(crate) use bounded_text::{FREE_TEXT_BYTES, MAX_TEXT_RATIO};

/// The text of a document, paragraphs and rows on lines of their own.
pub(crate) fn text(bytes: &[u8], format: Format) -> Result<String, ExtractError> {
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
