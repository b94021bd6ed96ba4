//! The command from the outside: what it prints, writes and answers.
#![cfg(unix)]

mod act;
mod act_killed;
mod calibrate;
mod chunks;
mod chunks_exchange;
mod chunks_forms;
mod chunks_runs;
mod chunks_same;
mod chunks_stopped;
mod chunks_templates;
mod chunks_wrong;
mod command;
mod common;
mod compare;
mod consistent;
mod copies;
mod copies_wrong;
mod corpus;
mod dedup;
mod dependencies;
mod dir;
mod exchange_words;
mod faults;
mod forms;
mod hostile;
mod house;
mod index;
mod index_against;
mod index_chunks;
mod index_killed;
mod index_passages;
mod index_past;
mod index_query;
mod index_simhash;
mod index_wrong;
mod lenses;
mod memory;
#[cfg(target_os = "linux")]
mod memory_cases;
#[cfg(target_os = "linux")]
mod memory_table;
mod modules;
mod office;
#[path = "../../../parser/tests/parser/samples.rs"]
mod office_samples;
mod outputs;
mod own_results;
mod page;
mod parser_crashes;
mod parser_program;
mod programs;
mod project_file;
mod runs;
mod same;
mod sample;
mod scan_all;
mod screen;
mod serve;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "the tests of dedup use more of it")]
#[path = "../../../dedup/tests/dedup/made.rs"]
mod shard_samples;
mod short;
mod signals;
mod simhash_fingerprint;
mod simhash_online;
mod simhash_scan;
mod simhash_search;
mod small_build;
mod system_calls;
mod truth;
mod typography;
mod unread;
mod words;
