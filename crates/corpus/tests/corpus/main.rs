//! The corpus from outside: what is read of files, folders, archives, JSONL and lists, and what is said of the rest.

mod archives;
mod arrow;
mod common;
mod compressed;
mod copy;
mod copy_archives;
mod copy_warc;
mod csv;
mod damage;
mod fetch;
mod field_check;
#[cfg(unix)]
mod folder;
mod globs;
mod hostile_archives;
mod input_files;
mod jsonl;
#[cfg(unix)]
mod list;
mod parquet;
mod parse;
#[cfg(unix)]
mod paths;
mod read_ahead;
mod warc;
