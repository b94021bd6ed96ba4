//! Readers: folders, archives, path lists and JSONL become documents.
//!
//! A [`Corpus`] is opened on some [`Input`]s. Its [`Reader`] walks them one after the other on one thread and only cuts
//! the work into [`Batch`]es; reading and parsing a batch is the heavy part and runs on any thread. What comes out is a
//! stream of [`Item`]s: a [`Document`], or something [`Skipped`] with the [`Reason`]; nothing is dropped in silence.
//! A document remembers its [`Place`], where [`Corpus::fetch`] can read it again.
//!
//! All input is taken as hostile: reads are bounded by `Options::max_size`, only regular files are opened, nesting in
//! JSON costs no stack, and damage in the middle of a stream is reported after what came before it.
//!
//! Beside documents, [`prints`] reads and writes files of fingerprints that somebody has made already.

mod archive;
mod batch;
mod content;
mod corpus;
mod decompress;
mod document;
mod error;
mod features;
mod fetch;
mod fields;
mod file;
mod folder;
mod globs;
mod jsonl;
mod lines;
mod named;
mod names;
mod options;
mod parse;
mod paths;
mod place;
pub mod prints;
mod quick;
mod reader;
mod seen;
mod skipped;
mod unescape;

pub use archive::{Step, is_archive};
pub use content::{content_name, hash128};
pub use corpus::{Corpus, Input};
pub use document::{Body, Document, Item};
pub use error::Error;
pub use names::{id_of, path_of};
pub use options::Options;
pub use parse::{Record, parse_line};
pub use place::{Place, put_varint, take_varint};
pub use reader::{Batch, Reader};
pub use skipped::{Reason, Skipped};
