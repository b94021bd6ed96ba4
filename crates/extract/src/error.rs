//! Why a document has no text.

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

/// What the user can do about documents that are packed in something.
fn remedy(reason: &str) -> &'static str {
    match reason {
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
