//! The formats, by name and by look.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use encoding_rs::{UTF_16BE, UTF_16LE};
use memchr::{memchr, memmem};

use crate::packages;

/// What a document is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A page or a piece of one: tags, comments, scripts and styles are taken away.
    Html,
    /// `CommonMark` with tables, footnotes, strikethrough, task lists and attributes of headings.
    Markdown,
    /// Every character is text.
    Text,
    /// The text that its pages show.
    Pdf,
    /// A document of Word since 2007.
    Docx,
    /// A spreadsheet of Excel since 2007.
    Xlsx,
    /// A presentation of `PowerPoint` since 2007.
    Pptx,
    /// A text, spreadsheet or presentation of `LibreOffice` and others.
    Odf,
    /// A book: pages in a zip archive.
    Epub,
    /// A message: its subject and its body.
    Email,
}

/// What each is called by programs, and by people.
const NAMES: [(Format, &str, &str); 10] = [
    (Format::Html, "html", "HTML"),
    (Format::Markdown, "markdown", "Markdown"),
    (Format::Text, "text", "text"),
    (Format::Pdf, "pdf", "PDF"),
    (Format::Docx, "docx", "DOCX"),
    (Format::Xlsx, "xlsx", "XLSX"),
    (Format::Pptx, "pptx", "PPTX"),
    (Format::Odf, "odf", "OpenDocument"),
    (Format::Epub, "epub", "EPUB"),
    (Format::Email, "email", "e-mail"),
];

const EXTENSIONS: [(Format, &[&str]); 10] = [
    (Format::Html, &["html", "htm", "xhtml", "xht", "shtml"]),
    (Format::Markdown, &["md", "markdown", "mkd", "mkdn", "mdown"]),
    (
        Format::Text,
        &[
            "txt", "text", "log", "rst", "adoc", "asciidoc", "org", "tex", "bib", "srt", "vtt", "csv", "tsv", "ini",
            "cfg", "conf",
        ],
    ),
    (Format::Pdf, &["pdf"]),
    (Format::Docx, &["docx", "docm", "dotx", "dotm"]),
    (Format::Xlsx, &["xlsx", "xlsm", "xltx", "xltm"]),
    (Format::Pptx, &["pptx", "pptm", "ppsx", "ppsm", "potx", "potm"]),
    (Format::Odf, &["odt", "ott", "ods", "ots", "odp", "otp"]),
    (Format::Epub, &["epub"]),
    (Format::Email, &["eml"]),
];

/// How much of a UTF-16 document is decoded for a look at it.
const SNIFFED_BYTES: usize = 4096;

impl Format {
    /// The format that the extension of a file name tells, in upper or lower case. Of a web address only that of a page counts: `http://a.org/`
    /// is not a file `a.org`, and what an address calls a PDF may be a page about one. Those are to be looked at.
    pub fn from_name(file_name: &str) -> Option<Self> {
        if let Some((_, address)) = file_name.split_once("://") {
            let path = &address[address.find('/')?..];
            let path = path.split(['?', '#']).next().unwrap_or_default();
            return Self::from_name(path).filter(|format| *format == Self::Html);
        }
        let extension = Path::new(file_name).extension()?.to_str()?;
        EXTENSIONS
            .iter()
            .find(|(_, known)| known.iter().any(|name| extension.eq_ignore_ascii_case(name)))
            .map(|&(format, _)| format)
    }

    /// Whether the text of such documents has to be taken out of them, and has no place in their bytes.
    pub fn is_office(self) -> bool {
        !matches!(self, Self::Html | Self::Markdown | Self::Text)
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        NAMES.iter().find(|(format, ..)| *format == self).map_or("", |(_, _, title)| title)
    }

    /// The format that a document shows: HTML if, after white space, comments and an XML declaration, it says so
    /// (`<!doctype html`, `<html`, `<head` or `<body`); PDF, the formats that are zip archives, and messages with MIME
    /// by what they begin with or hold; otherwise text. Markdown cannot be told from text.
    pub fn sniff(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(SNIFFED_BYTES)];
        match bytes {
            [b'%', b'P', b'D', b'F', b'-', ..] => Self::Pdf,
            [b'P', b'K', 3, 4, ..] => packages::sniff(bytes).and_then(|name| name.parse().ok()).unwrap_or(Self::Text),
            _ if is_message(head) => Self::Email,
            [0xFF, 0xFE, ..] => Self::sniff_text(&UTF_16LE.decode(head).0),
            [0xFE, 0xFF, ..] => Self::sniff_text(&UTF_16BE.decode(head).0),
            [0xEF, 0xBB, 0xBF, rest @ ..] => sniff(rest),
            _ => sniff(bytes),
        }
    }

    /// The same for text that has been decoded.
    pub(crate) fn sniff_text(text: &str) -> Self {
        sniff(text.as_bytes())
    }
}

/// Whether this begins with the header of a message that says by which rules it was written. Other text may begin with
/// `Subject:`, and is what it is.
fn is_message(head: &[u8]) -> bool {
    let (mut has_sender, mut has_version) = (false, false);
    for line in head.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        has_sender |= after(line, b"from:").is_some();
        has_version |= after(line, b"mime-version:").is_some();
        let is_continued = matches!(line.first(), Some(b' ' | b'\t'));
        let name = &line[..memchr(b':', line).unwrap_or_default()];
        let is_field = !name.is_empty() && name.iter().all(|&byte| byte.is_ascii_graphic());
        if !is_continued && !is_field || has_sender && has_version {
            break;
        }
    }
    has_sender && has_version
}

fn sniff(mut bytes: &[u8]) -> Format {
    loop {
        bytes = bytes.trim_ascii_start();
        if let Some(comment) = bytes.strip_prefix(b"<!--") {
            let Some(end) = memmem::find(comment, b"-->") else {
                return Format::Text;
            };
            bytes = &comment[end + 3..];
        } else if bytes.starts_with(b"<?") {
            let Some(end) = memchr(b'>', bytes) else {
                return Format::Text;
            };
            bytes = &bytes[end + 1..];
        } else {
            break;
        }
    }
    let says_html = after(bytes, b"<!doctype").is_some_and(|rest| is_word(rest.trim_ascii_start(), b"html"))
        || [&b"<html"[..], b"<head", b"<body"].iter().any(|tag| is_word(bytes, tag));
    if says_html { Format::Html } else { Format::Text }
}

/// What follows `prefix` (lower case), if `bytes` begins with it in any case.
fn after<'a>(bytes: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Whether `bytes` begins with `word`, and the word ends there: `<head>` but not `<header>`.
fn is_word(bytes: &[u8], word: &[u8]) -> bool {
    after(bytes, word).is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.iter().find(|(format, ..)| format == self).map_or("", |(_, name, _)| name))
    }
}

/// A word that names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such format: {0:?} (html, markdown, text, pdf, docx, xlsx, pptx, odf, epub or email)")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        NAMES
            .iter()
            .find(|(_, known, _)| *known == name)
            .map(|&(format, ..)| format)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_print_and_parse() {
        for (format, name, title) in NAMES {
            assert_eq!((format.to_string().as_str(), format.title()), (name, title));
            assert_eq!(name.parse(), Ok(format));
        }
        assert!("HTML5".parse::<Format>().is_err());
    }

    #[test]
    fn extensions() {
        assert_eq!(Format::from_name("a/b.c/index.HTM"), Some(Format::Html));
        assert_eq!(Format::from_name("README.md"), Some(Format::Markdown));
        assert_eq!(Format::from_name("server.log"), Some(Format::Text));
        assert_eq!(Format::from_name("Report.PDF"), Some(Format::Pdf));
        assert_eq!(Format::from_name("a.docx"), Some(Format::Docx));
        assert_eq!(Format::from_name("a.doc"), None);
        assert_eq!(Format::from_name("a.tar.gz"), None);
        assert_eq!(Format::from_name("README"), None);
        assert_eq!(Format::from_name(".md"), None);
        for address in ["http://a.org", "http://a.org/", "http://a.md/x", "http://a/b.pdf", "http://a/b?c=d.html"] {
            assert_eq!(Format::from_name(address), None, "{address}");
        }
        assert_eq!(Format::from_name("http://a.org/b.html?c=d.txt#e"), Some(Format::Html));
    }

    #[test]
    fn looks() {
        for html in [
            "<!DOCTYPE html>",
            "<!doctype  HTML PUBLIC>",
            " \r\n<HTML lang=de>",
            "<head>",
            "<body\n>",
            "<html",
            "\u{FEFF}<!-- c > --> <!----><html>",
            "<?xml version='1.0'?>\n<!DOCTYPE html>",
        ] {
            assert_eq!(Format::sniff(html.as_bytes()), Format::Html, "{html}");
        }
        for text in ["", "# html", "<header>", "<p>", "<!-- <html>", "<?xml", "<!doctype svg>", "a <html>"] {
            assert_eq!(Format::sniff(text.as_bytes()), Format::Text, "{text}");
        }
        assert_eq!(Format::sniff(b"%PDF-1.7"), Format::Pdf);
        assert_eq!(Format::sniff(b"PK\x03\x04"), Format::Text);
        let mail = "Received: from a\r\n by b\r\nFROM: x@y\r\nMIME-Version: 1.0\r\n\r\nHello";
        assert_eq!(Format::sniff(mail.as_bytes()), Format::Email);
        for text in ["Subject: x\nFrom: y\n\nMIME-Version: 1.0\n", "From: here\nto there\nMIME-Version: 1", "From: a\n"]
        {
            assert_eq!(Format::sniff(text.as_bytes()), Format::Text, "{text}");
        }
        let utf16: Vec<u8> = "\u{FEFF}<html>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(Format::sniff(&utf16), Format::Html);
    }
}
