//! All fingerprints within a Hamming distance of a query: exact, in some tens of microseconds among a billion.
//!
//! * [`Design`]: which bits lead in which table, and how far each must be looked at; the family of the paper's §3.1, and few tables
//!   with long leads looked at within a small radius.
//! * [`plan`]: which design for so many fingerprints, so much memory, such a distance.
//! * [`Table`]: sorted fingerprints, packed; [`Tables`]: all tables of a design.
//! * [`NeighbourTable`]: which of many fingerprints are near any of some queries, at the speed of the disk.

mod design;
mod near;
mod neighbour_table;
mod order;
mod packed;
pub mod plan;
mod search;
mod table;
mod tables;
#[cfg(test)]
mod tests;

pub use design::Design;
pub use neighbour_table::{MAX_PROBED, NeighbourTable, ProbeBuffer, Probed, UnfilledTable, neighbour_table_cost};
pub use order::Order;
pub use packed::{Bytes, Packed, Packer, packed_bytes, width_of};
pub use table::{Rows, Shape, Table, TableBuilder};
pub use tables::{Hit, Tables};

/// The greatest distance that is searched.
pub const MAX_DISTANCE: u32 = 7;

/// In how many ways `k` can be chosen of `n`.
pub(crate) fn choose(n: u64, k: u64) -> f64 {
    (0..k).fold(1.0, |ways, i| ways * n.saturating_sub(i) as f64 / (i + 1) as f64).round()
}

/// How many rows of `n` bits have at most `radius` set.
pub(crate) fn ball(n: u64, radius: u64) -> f64 {
    (0..=radius.min(n)).map(|k| choose(n, k)).sum()
}
