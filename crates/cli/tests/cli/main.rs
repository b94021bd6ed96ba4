//! The command from the outside: what it prints, writes and answers.
#![cfg(unix)]

mod command;
mod common;
mod corpus;
mod dir;
mod faults;
mod forms;
mod hostile;
mod house;
mod page;
mod runs;
mod same;
mod sample;
mod screen;
mod truth;
mod words;
