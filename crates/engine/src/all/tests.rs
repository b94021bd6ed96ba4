//! Scans by all lenses of made-up documents.
