//! Requests for the text of an office document, a book or an e-mail, and the answers to them: the parser program extracts it.
//!
//! ```text
//! request   number of the format (1), bytes of the document
//! answer    0 (1), text; or 1 (1), the reason for which there is none
//! ```

use crate::error::ExtractError;
use crate::format::Format;
use std::io;

const TEXT: u8 = 0;
const REASON: u8 = 1;

/// The longest reason that makes sense.
const MAX_REASON: u64 = 4096;

/// The formats, in the order of their numbers.
const FORMATS: [Format; 7] =
    [Format::Pdf, Format::Docx, Format::Xlsx, Format::Pptx, Format::Odf, Format::Epub, Format::Email];

/// The first byte of a request; none for a format that is read without the parser program.
pub fn request_head(format: Format) -> Option<u8> {
    FORMATS.iter().position(|known| *known == format).map(|number| number as u8)
}

/// The document of a request.
pub fn read_request(request: &[u8]) -> io::Result<(Format, &[u8])> {
    let (number, bytes) = request.split_first().ok_or_else(nonsense)?;
    let format = FORMATS.get(usize::from(*number)).ok_or_else(nonsense)?;
    Ok((*format, bytes))
}

/// Bytes of the longest answer with a text of at most this many bytes.
pub fn max_answer(text: u64) -> u64 {
    text.max(MAX_REASON) + 1
}

/// Appends an answer to `out`.
pub fn write_answer(answer: Result<String, ExtractError>, out: &mut Vec<u8>) {
    let (kind, text) = match answer {
        Ok(text) => (TEXT, text),
        Err(reason) => (REASON, reason.to_string()),
    };
    out.push(kind);
    out.extend(text.into_bytes());
}

/// The text of an answer, or the reason for which there is none. The process that gives the answer may have written over its own memory:
/// an answer that is no text is an error.
pub fn read_answer(answer: &[u8]) -> io::Result<Result<String, String>> {
    let (kind, text) = answer.split_first().ok_or_else(nonsense)?;
    let text = String::from_utf8(text.to_vec()).map_err(|_| nonsense())?;
    match *kind {
        TEXT => Ok(Ok(text)),
        REASON => Ok(Err(text)),
        _ => Err(nonsense()),
    }
}

fn nonsense() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_not_believed() {
        assert_eq!(read_answer(b"\0words").unwrap(), Ok("words".to_owned()));
        assert_eq!(read_answer(b"\x01why").unwrap(), Err("why".to_owned()));
        for nonsense in [&b""[..], b"\x02", b"\0\xFF"] {
            assert!(read_answer(nonsense).is_err());
        }
    }

    #[test]
    fn requests_and_answers_come_back() {
        for format in FORMATS {
            let request = [&[request_head(format).unwrap()][..], b"bytes"].concat();
            assert_eq!(read_request(&request).unwrap(), (format, &b"bytes"[..]));
        }
        assert_eq!(request_head(Format::Html), None);
        assert!(read_request(b"\x07").is_err() && read_request(b"").is_err());
        let sent = |answer: Result<String, ExtractError>| {
            let mut out = Vec::new();
            write_answer(answer, &mut out);
            read_answer(&out).unwrap()
        };
        assert_eq!(sent(Ok("text".to_owned())), Ok("text".to_owned()));
        let reason = ExtractError::Crashed { format: Format::Pdf };
        assert_eq!(sent(Err(reason.clone())), Err(reason.to_string()));
    }
}
