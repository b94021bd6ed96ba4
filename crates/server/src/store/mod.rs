//! A store of fingerprints that is served: asked by any thread, changed by one.

mod crawl;
mod named_store;
mod page_store;
mod pages;
mod shared;
mod writer;

pub(crate) use named_store::{DocumentId, MAX_ID, Near, NearMatch};
pub(crate) use page_store::PageStore;
pub(crate) use pages::{Page, parse_fingerprint, spell_fingerprint};
pub(crate) use shared::CrawlInfo;
pub(crate) use writer::{Change, ChangeKind, Changed};
