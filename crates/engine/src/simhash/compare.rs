//! Two documents by their fingerprints.

use super::Options;
use super::front::{Front, Scratch};
use crate::compare::read;
use crate::{Error, SCHEMA};
use lookalike_core::bits::FingerprintBits;
use lookalike_hamming::check_distance;
use serde::Serialize;
use std::path::Path;

/// How far two documents are from each other.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Version of this form.
    pub schema: u32,
    /// Version of the program.
    pub lookalike: &'static str,
    /// The lens.
    pub lens: &'static str,
    /// How documents became fingerprints.
    pub recipe: String,
    /// The first document.
    pub a: Fingerprinted,
    /// The second document.
    pub b: Fingerprinted,
    /// They have the same bytes.
    pub identical: bool,
    /// In how many bits the fingerprints differ.
    pub distance: u32,
    /// The greatest distance at which they are near.
    pub k: u32,
    /// The distance is at most k. Whether the documents resemble is another question.
    pub near: bool,
}

/// A document and its fingerprint.
#[derive(Clone, Debug, Serialize)]
pub struct Fingerprinted {
    /// Its name.
    pub id: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its words.
    pub words: u32,
    /// Its fingerprint in hexadecimal digits.
    pub fingerprint: String,
}

/// Compares two documents of at most `max_size` bytes; `-` is standard input.
pub fn compare(a: &Path, b: &Path, options: &Options, k: u32, max_size: u64) -> Result<Compared, Error> {
    check_distance(k)?;
    match options.recipe.bits {
        128 => compare_as::<u128>(a, b, options, k, max_size),
        _ => compare_as::<u64>(a, b, options, k, max_size),
    }
}

fn compare_as<F: FingerprintBits>(
    a: &Path,
    b: &Path,
    options: &Options,
    k: u32,
    max_size: u64,
) -> Result<Compared, Error> {
    let front = Front::new(options)?;
    let mut scratch = Scratch::<F>::default();
    let digits = F::WIDTH as usize / 4;
    let mut side = |path: &Path| {
        let (id, body) = read(path, max_size)?;
        let bits = front.fingerprint(&id, &body, &mut scratch);
        let bits = bits.map_err(|reason| Error::Document { id: id.clone(), reason })?;
        let (bytes, content) = (body.len(), body.content_id());
        let fingerprint = format!("{bits:0digits$x}");
        Ok::<_, Error>((Fingerprinted { id, bytes, words: scratch.words(), fingerprint }, bits, content))
    };
    let (a, bits_a, content_a) = side(a)?;
    let (b, bits_b, content_b) = side(b)?;
    let distance = (bits_a ^ bits_b).ones();
    Ok(Compared {
        schema: SCHEMA,
        lookalike: env!("CARGO_PKG_VERSION"),
        lens: "simhash",
        recipe: options.recipe.to_string(),
        a,
        b,
        identical: content_a == content_b,
        distance,
        k,
        near: distance <= k,
    })
}
