//! Fingerprints and who is near them, one file for each answer.

mod batch;
mod built;
mod found;
mod near;
mod plan;

pub use batch::{write_batch, write_batch_json};
pub use built::write_built;
pub use found::{write_found, write_found_json};
pub use near::{write_near, write_near_json, write_near_pairs};
pub use plan::{write_plan, write_plan_json};
