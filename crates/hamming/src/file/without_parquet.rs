//! In place of the reader of Parquet files, in a build without it: no file can be opened.

use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;

use super::error::FileProblem;
use super::layout::{FileOptions, IdKind};
use super::names::Names;
use lookalike_core::bits::FingerprintBits;

/// There is none.
pub(super) struct ParquetSource(Infallible);

impl ParquetSource {
    pub(super) fn divide(_: &Path, _: u64) -> Result<Vec<Range<usize>>, FileProblem> {
        Err(FileProblem::WithoutParquet)
    }

    pub(super) fn open<P: FingerprintBits>(
        _: &Path,
        _: Option<Range<usize>>,
        _: &FileOptions,
    ) -> Result<Self, FileProblem> {
        Err(FileProblem::WithoutParquet)
    }

    pub(super) fn ids(&self) -> IdKind {
        match self.0 {}
    }

    pub(super) fn first(&self) -> u64 {
        match self.0 {}
    }

    pub(super) fn len(&self) -> u64 {
        match self.0 {}
    }

    pub(super) fn next_batch<P: FingerprintBits>(
        &mut self,
        _: u64,
        _: &mut Vec<P>,
        _: &mut Vec<u64>,
        _: &mut Names,
    ) -> Result<usize, FileProblem> {
        match self.0 {}
    }
}
