//! From bytes to the canonical form: the visible text of a document, and the way back from each word to its bytes.
//!
//! A document goes through two steps. Its bytes are decoded ([`Canonical::encoding`]), and its [`Format`] says which
//! of its characters a reader would see. [`visible_text`] is for scanning many documents, [`canonical`] for showing
//! one: it gives the same text, and [`Canonical::source_span`].
//!
//! Office documents, books and e-mails ([`Format::is_office`]) are recognised here and read by the program `lookalike-parser`;
//! [`message`] has the requests to it.
//!
//! Documents are hostile: every function here takes any bytes without panic, in time and memory linear in their number.

mod binary;
mod canonical;
mod decode;
mod encoding;
mod error;
mod format;
mod html;
mod markdown;
mod memory;
pub mod message;
mod packages;
mod plain;
mod prescan;
mod sink;
mod spans;

pub use canonical::Canonical;
pub use error::ExtractError;
pub use format::{Format, UnknownFormat};
pub use html::{PageRules, Selectors};
pub use memory::{canonical_memory, office_memory, visible_memory};

use encoding::Body;
use sink::{Recorder, Sink, TextBuffer};
use std::borrow::Cow;

/// The visible text of a document, and how it was read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct VisibleText<'a> {
    /// The visible text.
    pub text: &'a str,
    /// The format the document was read as.
    pub format: Format,
    /// The name of the encoding it was decoded from.
    pub encoding: &'static str,
    /// Whether some bytes meant nothing in the encoding and became U+FFFD.
    pub had_errors: bool,
    /// Bytes of text that the rules left out.
    pub left_out: usize,
}

impl<'a> VisibleText<'a> {
    /// The same of another text.
    #[must_use]
    pub fn with_text(self, text: &str) -> VisibleText<'_> {
        VisibleText { text, ..self }
    }

    /// The text that was taken out of an office document.
    pub fn of_office(text: &'a str, format: Format) -> Self {
        Self { text, format, encoding: encoding_rs::UTF_8.name(), had_errors: false, left_out: 0 }
    }
}

/// The visible text of a document, without spans. Plain UTF-8 text is borrowed from `bytes`; everything else is made in
/// `scratch`, whose former content is lost. Without a `format` the document is looked at ([`Format::sniff`]).
pub fn visible_text<'a>(
    bytes: &'a [u8],
    format: Option<Format>,
    rules: &PageRules,
    scratch: &'a mut String,
) -> Result<&'a str, ExtractError> {
    visible(bytes, format, rules, scratch).map(|visible| visible.text)
}

/// The same as [`visible_text`], with the format and encoding the document was read as.
pub fn visible<'a>(
    bytes: &'a [u8],
    format: Option<Format>,
    rules: &PageRules,
    scratch: &'a mut String,
) -> Result<VisibleText<'a>, ExtractError> {
    refuse_office(bytes, format)?;
    Ok(match encoding::detect(bytes, format)?.0 {
        Body::Utf8(text) => {
            let format = format.unwrap_or_else(|| Format::sniff_text(text));
            let (text, left_out) = borrow_or_extract(text, format, rules, scratch);
            VisibleText { text, format, encoding: encoding_rs::UTF_8.name(), had_errors: false, left_out }
        }
        Body::Encoded(encoding, body) => {
            let (text, had_errors) = decode::decode(body, encoding);
            let format = format.unwrap_or_else(|| Format::sniff_text(&text));
            let mut left_out = 0;
            if format == Format::Text {
                *scratch = text;
            } else {
                left_out = extract_into(&text, format, rules, scratch);
            }
            VisibleText { text: scratch, format, encoding: encoding.name(), had_errors, left_out }
        }
    })
}

/// The format of an office document, if it is one: the one that is given, or the one it shows.
pub fn office_format(bytes: &[u8], format: Option<Format>) -> Option<Format> {
    Some(format.unwrap_or_else(|| Format::sniff(bytes))).filter(|format| format.is_office())
}

fn refuse_office(bytes: &[u8], format: Option<Format>) -> Result<(), ExtractError> {
    office_format(bytes, format).map_or(Ok(()), |format| Err(ExtractError::NeedsParser { format }))
}

/// The text of an office document may be this many times as large as the document. Prose shrinks to a third, tables to a tenth.
const MAX_OFFICE_TEXT_RATIO: u64 = 8;
/// And this many bytes more, so that small documents may be odd.
const FREE_OFFICE_TEXT: u64 = 4 << 20;

/// Bytes of the longest text that is extracted from an office document of this many bytes.
pub fn max_office_text(bytes: u64) -> u64 {
    bytes.saturating_mul(MAX_OFFICE_TEXT_RATIO).saturating_add(FREE_OFFICE_TEXT)
}

/// The same for a document that has been decoded already, such as a string in JSON.
pub fn visible_of_str<'a>(
    text: &'a str,
    format: Option<Format>,
    rules: &PageRules,
    scratch: &'a mut String,
) -> VisibleText<'a> {
    let text = strip_bom(text);
    let format = format.unwrap_or_else(|| Format::sniff_text(text));
    let (text, left_out) = borrow_or_extract(text, format, rules, scratch);
    VisibleText { text, format, encoding: encoding_rs::UTF_8.name(), had_errors: false, left_out }
}

fn borrow_or_extract<'a>(
    text: &'a str,
    format: Format,
    rules: &PageRules,
    scratch: &'a mut String,
) -> (&'a str, usize) {
    if format == Format::Text || format.is_office() {
        return (text, 0);
    }
    let left_out = extract_into(text, format, rules, scratch);
    (scratch, left_out)
}

/// Puts the text into the place of another, and says how many bytes of it were left out.
fn extract_into(text: &str, format: Format, rules: &PageRules, scratch: &mut String) -> usize {
    let mut buffer = TextBuffer::new(std::mem::take(scratch), text.len());
    let left_out = extract(text, format, rules, &mut buffer);
    *scratch = buffer.finish();
    left_out
}

/// The visible text of a document with the way back to its bytes. The same text as [`visible_text`].
pub fn canonical(bytes: &[u8], format: Option<Format>, rules: &PageRules) -> Result<Canonical, ExtractError> {
    canonical_and_decoded(bytes, format, rules).map(|(canonical, _)| canonical)
}

/// The same, and the decoded document that it was made of, for showing both.
pub fn canonical_and_decoded<'a>(
    bytes: &'a [u8],
    format: Option<Format>,
    rules: &PageRules,
) -> Result<(Canonical, Cow<'a, str>), ExtractError> {
    refuse_office(bytes, format)?;
    let (body, skipped) = encoding::detect(bytes, format)?;
    Ok(match body {
        Body::Utf8(text) => (Canonical { skipped, ..record(text, format, rules) }, Cow::Borrowed(text)),
        Body::Encoded(encoding, body) => {
            let mut decoded = Recorder::default();
            let had_errors = decode::decode_with_spans(body, encoding, &mut decoded);
            let canonical = Canonical {
                skipped,
                had_errors,
                encoding: encoding.name(),
                decoded: Some(decoded.spans),
                ..record(&decoded.text, format, rules)
            };
            (canonical, Cow::Owned(decoded.text))
        }
    })
}

/// The same for a document that has been decoded already. Spans are into `text`.
pub fn canonical_of_str(text: &str, format: Option<Format>, rules: &PageRules) -> Canonical {
    let body = strip_bom(text);
    Canonical { skipped: text.len() - body.len(), ..record(body, format, rules) }
}

/// A text without its byte order mark, which is no part of the text, in a string as in a file.
pub fn strip_bom(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

fn record(text: &str, format: Option<Format>, rules: &PageRules) -> Canonical {
    let format = format.unwrap_or_else(|| Format::sniff_text(text));
    let mut recorder = Recorder::default();
    extract(text, format, rules, &mut recorder);
    Canonical {
        text: recorder.text,
        format,
        encoding: encoding_rs::UTF_8.name(),
        had_errors: false,
        spans: recorder.spans,
        decoded: None,
        skipped: 0,
    }
}

/// Puts the text into the sink, and says how many bytes of it were left out.
fn extract<S: Sink + Default>(text: &str, format: Format, rules: &PageRules, sink: &mut S) -> usize {
    match format {
        Format::Html => return html::extract(text, rules, sink),
        Format::Markdown => markdown::extract(text, sink),
        _ => plain::extract(text, sink),
    }
    0
}
