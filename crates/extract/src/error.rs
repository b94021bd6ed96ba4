//! Why a document has no text.

/// Why the bytes of a document cannot be read as text. The words are for the user, as the reason a document was
/// skipped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// It is not text at all.
    #[error("binary ({reason})")]
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
