//! Object storage: which objects does an address stand for, how do they come to this machine, and how does a result get there?
//!
//! Objects are fetched into a folder and read there as files; a result is made as a folder and then put. Credentials and endpoints come from
//! the environment alone, by the names that each service's own tools use. Nothing here knows documents.

mod client;
mod download;
mod error;
mod listing;
mod location;
mod manifest;
mod service_error;
mod staging;
mod transfer;
mod upload;

pub use client::Client;
pub use error::Error;
pub use location::Location;
pub use staging::{Staged, Staging};
pub use transfer::Watch;
