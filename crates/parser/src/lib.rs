//! The program `lookalike-parser`: it parses source code with the grammar of its language, and extracts the text of PDF, Office
//! documents, `OpenDocument`, EPUB and e-mail.
//!
//! Grammars are C code, a PDF is a program, and both are read from documents that other people wrote. `lookalike` therefore starts
//! this program for them, with limits of memory and time, and never parses them itself. A crash costs one document.
//!
//! This library exists for the program, its tests and the fuzz targets.

mod code;
mod limits;
mod office;
mod server;

pub use code::TreeReader;
pub use office::text as office_text;
pub use server::serve;
