//! What a Parquet file says of itself, looked at before it is decoded: decoders take memory for as many things as a list says it has.

use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::reader::{ChunkReader, Length};

use super::bounded_file::BoundedFile;
use super::thrift::Thrift;

/// The length of what comes before, and the magic.
const TAIL_BYTES: usize = 8;

/// Reads the footer of a file.
pub(crate) fn read_metadata(file: &BoundedFile) -> Result<ParquetMetaData> {
    check_footer(file)?;
    ParquetMetaDataReader::new().parse_and_finish(file)
}

/// Reads all that is in the footer, and the indexes of pages.
pub(crate) fn read_metadata_and_indexes(file: &BoundedFile) -> Result<ParquetMetaData> {
    check_footer(file)?;
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let metadata = ParquetMetaDataReader::new().with_metadata_options(Some(options)).parse_and_finish(file)?;
    for chunk in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        check_index(file, chunk.offset_index_offset(), chunk.offset_index_length(), false)?;
        check_index(file, chunk.column_index_offset(), chunk.column_index_length(), true)?;
    }
    let reader = ParquetMetaDataReader::new_with_metadata(metadata);
    let mut reader = reader.with_page_index_policy(PageIndexPolicy::Optional);
    reader.read_page_indexes(file)?;
    reader.finish()
}

/// Whether the footer can be decoded without harm. A file that is no Parquet, or has not all of it, is the decoder's to tell.
pub fn check_footer(file: &BoundedFile) -> Result<()> {
    let Some(tail_at) = file.len().checked_sub(TAIL_BYTES as u64) else { return Ok(()) };
    let tail = file.get_bytes(tail_at, TAIL_BYTES)?;
    let Some((len, b"PAR1")) = tail.split_first_chunk() else { return Ok(()) };
    let len = u32::from_le_bytes(*len);
    let Some(at) = tail_at.checked_sub(len.into()) else { return Ok(()) };
    check(file, at, len as usize, false)
}

fn check_index(file: &BoundedFile, at: Option<i64>, len: Option<i32>, has_flags: bool) -> Result<()> {
    let (Some(at), Some(len)) = (at, len) else { return Ok(()) };
    check(file, u64::try_from(at)?, usize::try_from(len)?, has_flags)
}

fn check(file: &BoundedFile, at: u64, len: usize, has_flags: bool) -> Result<()> {
    let bytes = file.get_bytes(at, len)?;
    Thrift::new(&*bytes).pass_struct(has_flags).map_err(|error| ParquetError::External(error.into()))
}
