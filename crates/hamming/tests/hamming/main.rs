//! Files of fingerprints and the online store, from the outside.

mod common;
mod compat;
mod files;
mod parquet;
mod store_killed;
