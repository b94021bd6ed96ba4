//! Why a document has no text.

use crate::format::Format;

/// Why the bytes of a document cannot be read as text. The words are for the user, as the reason a document was
/// skipped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// It is not text at all.
    #[error("binary ({reason}{})", remedy(reason))]
    Binary {
        /// What shows it, such as "NUL bytes" or "PDF".
        reason: &'static str,
    },
    /// It is not what it should be, or what is needed of it is not there.
    #[error("damaged (not {} that can be read: {reason})", article(*format))]
    Damaged {
        /// What it should be.
        format: Format,
        /// What is wrong.
        reason: String,
    },
    /// Nobody reads it without its password.
    #[error("encrypted ({} that needs a password{})", article(*format), encrypted(*format))]
    Encrypted {
        /// What it is.
        format: Format,
    },
    /// It has pages, and no letter on them.
    #[error(
        "only images ({} of {pages} page{} without text, such as a scan; recognise its text first)",
        article(*format),
        if *pages == 1 { "" } else { "s" }
    )]
    OnlyImages {
        /// What it is.
        format: Format,
        /// How many pages.
        pages: usize,
    },
    /// It shows letters, and does not say which they are.
    #[error("unknown letters ({} whose fonts do not say which letters they show)", article(*format))]
    UnknownLetters {
        /// What it is.
        format: Format,
    },
    /// It holds more text than any document of its size, as bombs do.
    #[error("not unpacked ({} whose text has more than {limit} bytes, as bombs do)", article(*format))]
    TooMuchText {
        /// What it is.
        format: Format,
        /// The most bytes that are read.
        limit: usize,
    },
    /// It is read by the parser program, and not by this library.
    #[error("needs lookalike-parser (another program, which reads {})", format.title())]
    NeedsParser {
        /// Its format.
        format: Format,
    },
    /// What reads it failed.
    #[error("crashed (what reads {} failed on it)", format.title())]
    Crashed {
        /// What it is.
        format: Format,
    },
    /// Its reader took more time than any document should.
    #[error("took too long ({} whose reader was ended after {limit})", article(*format))]
    TookTooLong {
        /// Its format.
        format: Format,
        /// The time that it may take.
        limit: String,
    },
    /// A selector that cannot be followed.
    #[error("`{found}` is no list of selectors of single elements, such as `main, #content, div.text, [role=main]`")]
    Selector {
        /// What was given.
        found: String,
    },
    /// It is text in an encoding that nothing here decodes.
    #[error("unsupported encoding ({name})")]
    UnsupportedEncoding {
        /// The name of the encoding.
        name: &'static str,
    },
}

/// The format with its article.
fn article(format: Format) -> String {
    let article = match format {
        Format::Html | Format::Xlsx | Format::Odf | Format::Epub | Format::Email => "an",
        _ => "a",
    };
    format!("{article} {}", format.title())
}

/// Office wraps what it encrypts in what it wrote before 2007.
fn encrypted(format: Format) -> &'static str {
    match format {
        Format::Docx | Format::Xlsx | Format::Pptx => ", or one of Office before 2007",
        _ => "",
    }
}

/// What the user can do about documents that are packed in something.
fn remedy(reason: &str) -> &'static str {
    match reason {
        "Microsoft Office" => " before 2007 or Outlook: not read; save it as DOCX, XLSX, PPTX or EML",
        "Parquet" | "Arrow" => ": a table, whose rows are not read; write them as JSONL",
        "WARC" => ": a web archive, whose pages are not read; write them as files or as JSONL",
        "gzip" | "zstd" | "xz" | "bzip2" | "LZ4" => ": compressed, which only JSONL may be; unpack it",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_documents_are_told() {
        let told = |reason| ExtractError::Binary { reason }.to_string();
        assert_eq!(told("PDF"), "binary (PDF)");
        assert_eq!(told("Parquet"), "binary (Parquet: a table, whose rows are not read; write them as JSONL)");
        assert_eq!(told("zstd"), "binary (zstd: compressed, which only JSONL may be; unpack it)");
    }
}
