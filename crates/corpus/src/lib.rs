//! Readers: folders, archives, path lists, JSONL, tables (Parquet, CSV, Arrow) and web archives become documents; [`copy_shard`] writes a shard
//! again.
//!
//! A [`Corpus`] is opened on some [`Input`]s. Its [`Reader`] walks them one after the other on one thread and only cuts
//! the work into [`Batch`]es; reading and parsing a batch is the heavy part and runs on any thread. What comes out is a
//! stream of [`Item`]s: a [`Document`], or something [`Skipped`] with the [`Reason`]; nothing is dropped in silence.
//! A document remembers its [`Place`], where [`Corpus::fetch`] can read it again.
//!
//! All input is taken as hostile: reads are bounded by `Options::max_size`, only regular files are opened, nesting in
//! JSON costs no stack, and damage in the middle of a stream is reported after what came before it.
//!
//! [`stream`] has the floor below: regular files, decompression, and blocks of lines, for readers of other kinds of files. [`columns`] has
//! that of files of columns.

// what only readers of tables and archives use
#![cfg_attr(not(all(feature = "archives", feature = "tables")), allow(dead_code, unused_imports))]

mod ahead;
mod archive;
mod asked_fields;
mod batch;
#[cfg(feature = "tables")]
pub mod columns;
mod content;
mod context;
mod copy;
mod corpus;
mod decompress;
mod document;
mod error;
mod escape;
mod expand;
mod fast_fields;
mod features;
mod fetch;
mod field_check;
mod fields;
mod file;
mod folder;
mod followed_source;
mod globs;
mod gunzip;
mod hidden;
mod input_file;
mod input_path;
mod jsonl;
mod known;
mod left_out;
mod line_counts;
mod lines;
mod lost;
mod member;
mod missing_field;
mod names;
mod options;
mod own_files;
mod parse;
mod path_list;
mod place;
mod reader;
mod seen_files;
mod shard;
mod shard_files;
mod skipped;
mod source;
mod step;
pub mod stream;
mod table;
mod unescape;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod unescape_wide;
mod unit_limit;
mod varint;
mod walker;
mod warc;
mod zstd;

pub use asked_fields::closest;
pub use content::{content_name, hash128};
pub use copy::{
    Annotation, Copied, CopyError, CopyOptions, KeepMember, NEAR_DUPLICATE_PROFILE, Original, Rule, Ruling,
    copy_archive, copy_shard,
};
pub use corpus::{Corpus, Input, Listed};
pub use document::{Body, Document, Item};
pub use error::{Error, GlobRole};
pub use input_file::{InputFile, KeptFile, Part};
pub use known::{FileStamp, KnownFile, KnownFiles};
pub use member::is_archive;
pub use missing_field::{FieldRole, MissingField};
pub use names::{id_of, is_renamed, name_folders, path_of};
pub use options::Options;
pub use own_files::{RESULT_MARKER, is_result};
pub use parse::{Record, parse_line};
pub use place::Place;
pub use reader::{Batch, Reader};
pub use shard::ShardFormat;
pub use shard_files::ShardRecords;
pub use skipped::{Reason, SAME_FILE, Skipped};
pub use step::Step;
#[cfg(feature = "tables")]
pub use table::{bytes_at, is_text};
pub use varint::{put_varint, take_varint};
pub use warc::{is_wacz, wacz_of};
