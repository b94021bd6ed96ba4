//! The parser program, and the readers of office documents.

mod office;
mod program;
mod samples;
