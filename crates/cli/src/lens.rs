//! The lenses, as the command speaks of them.

pub(crate) use lookalike::Lens;

/// What a lens compares, in a line.
pub(crate) fn help(lens: Lens) -> &'static str {
    match lens {
        Lens::Shingles => "By the words that they share: resemblance and containment of text",
        Lens::Chunks => "By the bytes that they share: any file, text or not",
        Lens::Simhash => "By one fingerprint each: documents whose fingerprints differ in few bits",
        Lens::Passages => "By the passages that they share, with their places",
    }
}

/// The verb that a lens is made for.
pub(crate) fn verb(lens: Lens) -> &'static str {
    match lens {
        Lens::Shingles | Lens::Simhash => "scan",
        Lens::Chunks => "files",
        Lens::Passages => "copies",
    }
}
