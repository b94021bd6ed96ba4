//! Media types: which are documents, and how their bytes become text.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::document::Body;

/// What a media type says of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Media {
    /// HTML.
    Page,
    /// Any other text.
    Text,
    /// A document whose text has to be taken out of it; or nobody says what it is.
    Bytes,
    /// Nothing to read.
    Other,
}

/// What extraction can take apart.
const DOCUMENTS: [&str; 5] = [
    "application/pdf",
    "application/x-pdf",
    "application/epub+zip",
    "application/vnd.oasis.opendocument.",
    "application/vnd.openxmlformats-officedocument.",
];
const TEXTS: [&str; 6] = [
    "application/json",
    "application/xml",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/x-ndjson",
];

impl Media {
    /// Of a `Content-Type`, or of none.
    pub(super) fn of(content_type: Option<&str>) -> Media {
        let Some(name) = content_type.map(essence).filter(|name| !name.is_empty()) else { return Media::Bytes };
        let is = |known: &&str| name == *known;
        if ["text/html", "application/xhtml+xml"].iter().any(is) {
            Media::Page
        } else if name == "message/rfc822" || DOCUMENTS.iter().any(|known| name.starts_with(known)) {
            Media::Bytes
        } else if name.starts_with("image/") {
            // a drawing may be XML, and is still a picture
            Media::Other
        } else if name.starts_with("text/") || TEXTS.iter().any(is) || name.ends_with("+json") || name.ends_with("+xml")
        {
            Media::Text
        } else {
            Media::Other
        }
    }

    /// The body of a document of this kind. What is valid UTF-8, or what the server's charset decodes without a fault, is text; the encoding of
    /// the rest is left to extraction, which asks the page and then guesses.
    ///
    /// A page that does not begin as pages do gets a `<html>` before it: otherwise nobody downstream could tell that the server called it HTML.
    pub(super) fn body<'a>(self, payload: Cow<'a, [u8]>, content_type: Option<&str>) -> Body<'a> {
        let body = match self {
            Media::Bytes | Media::Other => return Body::Bytes(payload),
            Media::Page | Media::Text => decode(payload, content_type),
        };
        match body {
            Body::Text(text) if self == Media::Page && !begins_as_page(text.as_bytes()) => {
                Body::Text(Cow::Owned(format!("<html>{text}")))
            }
            Body::Bytes(bytes) if self == Media::Page && !has_mark(&bytes) && !begins_as_page(&bytes) => {
                Body::Bytes(Cow::Owned([b"<html>", &*bytes].concat()))
            }
            body => body,
        }
    }
}

/// The media type without its parameters, in lower case.
pub(super) fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The encoding that the server names.
fn charset(content_type: &str) -> Option<&'static Encoding> {
    let mut parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, label) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Encoding::for_label_no_replacement(label.trim().trim_matches(['"', '\'']).as_bytes())
}

fn decode<'a>(payload: Cow<'a, [u8]>, content_type: Option<&str>) -> Body<'a> {
    // what holds such bytes is no text, or text in an encoding that only looks like ASCII
    let is_odd = has_mark(&payload) || memchr::memchr2(0, 0x1b, &payload).is_some();
    if !is_odd && std::str::from_utf8(&payload).is_ok() {
        return match payload {
            Cow::Borrowed(bytes) => Body::Text(String::from_utf8_lossy(bytes)),
            Cow::Owned(bytes) => Body::Text(Cow::Owned(String::from_utf8(bytes).expect("it was looked at"))),
        };
    }
    let decoded = content_type.and_then(charset).filter(|_| !has_mark(&payload)).and_then(|encoding| {
        let (text, had_errors) = encoding.decode_without_bom_handling(&payload);
        (!had_errors && !text.contains('\0')).then(|| text.into_owned())
    });
    match decoded {
        Some(text) => Body::Text(Cow::Owned(text)),
        None => Body::Bytes(payload),
    }
}

/// A byte order mark, which extraction knows how to read.
fn has_mark(bytes: &[u8]) -> bool {
    Encoding::for_bom(bytes).is_some()
}

/// Whether extraction would see that this is HTML, or XML that may be.
fn begins_as_page(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    ["<!doctype html", "<html", "<head>", "<body", "<?xml", "%pdf-"]
        .iter()
        .any(|start| bytes.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (name, media) in [
            ("text/html; charset=utf-8", Media::Page),
            ("Application/XHTML+XML", Media::Page),
            ("text/plain", Media::Text),
            ("application/ld+json", Media::Text),
            ("application/rss+xml ; x", Media::Text),
            ("application/pdf", Media::Bytes),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", Media::Bytes),
            ("image/png", Media::Other),
            ("image/svg+xml", Media::Other),
            ("font/woff2", Media::Other),
            ("application/octet-stream", Media::Other),
            ("application/zip", Media::Other),
        ] {
            assert_eq!(Media::of(Some(name)), media, "{name}");
        }
        assert_eq!((Media::of(None), Media::of(Some(" "))), (Media::Bytes, Media::Bytes));
    }

    fn text(media: Media, payload: &[u8], content_type: &str) -> Option<String> {
        match media.body(Cow::Borrowed(payload), Some(content_type)) {
            Body::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    #[test]
    fn the_charset_of_the_server() {
        let cyrillic = b"\xf0\xd2\xc9\xd7\xc5\xd4";
        assert_eq!(text(Media::Text, cyrillic, "text/plain; charset=\"KOI8-R\"").as_deref(), Some("Привет"));
        assert_eq!(text(Media::Text, cyrillic, "text/plain; charset=utf-8"), None, "it is not");
        assert_eq!(text(Media::Text, cyrillic, "text/plain"), None);
        // a wrong label does not spoil what is plainly UTF-8
        assert_eq!(text(Media::Text, "ü".as_bytes(), "text/plain; charset=latin1").as_deref(), Some("ü"));
        assert_eq!(text(Media::Text, b"a\0b", "text/plain; charset=latin1"), None);
        assert_eq!(text(Media::Text, b"\xff\xfea\0", "text/plain; charset=latin1"), None);
    }

    #[test]
    fn pages_are_seen_to_be_pages() {
        let page = |payload: &str| text(Media::Page, payload.as_bytes(), "text/html").unwrap();
        assert_eq!(page("<title>x</title>"), "<html><title>x</title>");
        for whole in ["<!DOCTYPE html><p>", " <HTML lang=de>", "<?xml version='1.0'?><html>"] {
            assert_eq!(page(whole), whole);
        }
        assert_eq!(
            Media::Page.body(Cow::Borrowed(b"<p>\xfc"), Some("text/html")),
            Body::Bytes(Cow::Borrowed(b"<html><p>\xfc"))
        );
    }
}
