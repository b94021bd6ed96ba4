//! The pure algorithms of lookalike. No files, no threads, no clock: what goes in decides what comes out.
//!
//! The way of the data through this crate:
//!
//! ```text
//! text ──► text::words ──► shingle ──► sketch ──► estimate
//!          token hashes    features    sample     resemblance, containment with their interval
//!                             └──────► sets       the same two, exact
//! ```
//!
//! * [`feature_hash`]: words and shingles become 64-bit numbers that behave as if drawn at random.
//! * [`text`]: what a word is (Unicode rules, case folding, NFKC).
//! * [`chunk`]: content-defined chunks of raw bytes (TTTD), and how many bytes two files share.
//! * [`shingle`]: the w-shingling of a token sequence.
//! * [`simhash`]: one row of bits for a document; alike documents differ in few.
//! * [`sketch`]: `MIN_s`, `MOD_m`, nested `V_i` and super shingles, with the theorem's estimators.
//! * [`sets`]: resemblance and containment of whole feature sets.
//! * [`align`]: which passages of two token sequences are equal, moved or different.
//! * [`edit_distance`]: in how many characters two words differ.
//! * [`relation`]: what two documents are to each other, by the evidence of all lenses.
//! * [`date`]: moments as people write them.
//! * [`cluster`]: union-find and verified stars.
//! * [`bits`], [`hamming`]: all fingerprints within a few bits of a query.
//! * [`winnow`], [`passage`]: k-gram fingerprints, and the passages that two documents share.
//! * [`lens`], [`recipe`]: the four ways of looking at documents, and the one line that names how features were made.
//!
//! ```
//! use lookalike_core::{feature_hash::FeatureHasher, sets::Overlap, shingle};
//!
//! let fp = FeatureHasher::default();
//! let a = shingle::set_of_text("a rose is a rose is a rose", 4, &fp);
//! let b = shingle::set_of_text("A rose is a rose, is a ROSE!", 4, &fp);
//! assert_eq!(a.len(), 3);
//! assert!((Overlap::of(&a, &b).resemblance() - 1.0).abs() < 1e-12);
//! ```

/// The error of a small build: what it was built without, and the cargo feature that adds it.
#[macro_export]
macro_rules! built_without {
    ($what:literal, $feature:literal) => {
        concat!(
            "this program was built without ",
            $what,
            "; build it with its default features, or with the feature `",
            $feature,
            "`"
        )
    };
}

pub mod align;
pub mod bits;
pub mod chunk;
pub mod cluster;
mod common_subsequence;
pub mod date;
pub mod edit_distance;
mod error;
pub mod feature_hash;
pub mod hamming;
pub mod lens;
pub mod lexical_hash;
pub mod members;
pub mod passage;
pub mod recipe;
pub mod relation;
pub mod secret_hash;
pub mod set_bits;
pub mod set_table;
pub mod sets;
pub mod shingle;
pub mod simhash;
pub mod sketch;
pub mod text;
pub mod winnow;

pub use error::Error;
