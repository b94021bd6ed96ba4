//! The command from the outside: what it prints, writes and answers.
#![cfg(unix)]

mod act;
mod act_killed;
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
mod consistent;
mod copies;
mod copies_wrong;
mod corpus;
mod dependencies;
mod dir;
mod exchange_words;
mod faults;
mod forms;
mod hostile;
mod house;
mod index;
mod index_against;
mod index_killed;
mod index_passages;
mod index_past;
mod index_query;
mod index_simhash;
mod index_wrong;
mod memory;
mod modules;
mod office;
#[path = "../../../extract/tests/extract/samples.rs"]
#[expect(dead_code, reason = "some samples are for the tests of the readers only")]
mod office_samples;
mod page;
mod parser_crashes;
mod programs;
mod project_file;
mod runs;
mod same;
mod sample;
mod screen;
mod short;
mod simhash_fingerprint;
mod simhash_online;
mod simhash_scan;
mod simhash_search;
mod system_calls;
mod truth;
mod typography;
mod unread;
mod words;
