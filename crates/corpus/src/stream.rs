//! Regular files, decompression, and blocks of whole lines in bounded memory.

pub use crate::decompress::{Plain, open as decompress};
pub use crate::file::open as open_file;
pub use crate::lines::{Block, Cut, Cutter, Line};
