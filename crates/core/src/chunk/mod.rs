//! Content-defined chunks: TTTD, "two thresholds, two divisors" (Eshghi and Tang; used by Forman et al. 2005).
//!
//! A window of [`WINDOW`] bytes slides over a file. After at least Tmin bytes a chunk ends where the window's fingerprint is below
//! 2^64 / D. If that does not happen within Tmax bytes, it ends at the last place where the fingerprint was below 2^64 / D′ (half of D, so twice as
//! likely), else at Tmax. What a window holds decides alone, so an edit moves only the cuts beside it.
//!
//! Frozen: golden vectors pin parameters, cuts and hashes. A change is a new version of the recipe.

mod chunker;
mod hash;
#[cfg(test)]
mod naive;
mod parameters;
mod recipe;
mod roll;
#[cfg(test)]
mod samples;
mod shared;
#[cfg(test)]
mod tests;

pub use chunker::{Chunk, Chunker};
pub use parameters::{MAX_MEAN, MIN_MEAN, Parameters, WINDOW};
pub use recipe::ChunkRecipe;
pub use shared::shared_bytes;
