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
mod copies;
mod copies_wrong;
mod corpus;
mod dir;
mod exchange_words;
mod faults;
mod forms;
mod hostile;
mod house;
mod index;
mod index_against;
mod index_killed;
mod index_past;
mod index_query;
mod index_wrong;
mod page;
mod programs;
mod runs;
mod same;
mod sample;
mod screen;
mod truth;
mod words;
