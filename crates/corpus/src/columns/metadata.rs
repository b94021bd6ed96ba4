//! The footer of a Parquet file, checked before it is decoded: decoders allocate memory by the lengths that lists claim.

use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::reader::{ChunkReader, Length};

use super::bounded_file::BoundedFile;
use super::thrift::Thrift;

/// The beginning of a file, and its end.
const MAGIC: &[u8] = b"PAR1";
/// The length of the footer, and the magic.
const TAIL_BYTES: usize = 8;

/// Reads the footer of a file.
pub(crate) fn read_metadata(file: &BoundedFile) -> Result<ParquetMetaData> {
    check_footer(file)?;
    let metadata = ParquetMetaDataReader::new().parse_and_finish(file)?;
    check_start(file, &metadata)?;
    Ok(metadata)
}

/// Reads all that is in the footer, and the indexes of pages.
pub(crate) fn read_metadata_and_indexes(file: &BoundedFile) -> Result<ParquetMetaData> {
    check_footer(file)?;
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let metadata = ParquetMetaDataReader::new().with_metadata_options(Some(options)).parse_and_finish(file)?;
    check_start(file, &metadata)?;
    for chunk in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        check_index(file, chunk.offset_index_offset(), chunk.offset_index_length(), false)?;
        check_index(file, chunk.column_index_offset(), chunk.column_index_length(), true)?;
    }
    let reader = ParquetMetaDataReader::new_with_metadata(metadata);
    let mut reader = reader.with_page_index_policy(PageIndexPolicy::Optional);
    reader.read_page_indexes(file)?;
    reader.finish()
}

/// Checks that the footer can be decoded without harm. A file that is no Parquet, or is cut, is left to the decoder to report.
pub fn check_footer(file: &BoundedFile) -> Result<()> {
    let Some(tail_at) = file.len().checked_sub(TAIL_BYTES as u64) else { return Ok(()) };
    let tail = file.get_bytes(tail_at, TAIL_BYTES)?;
    let Some((len, b"PAR1")) = tail.split_first_chunk() else { return Ok(()) };
    let len = u32::from_le_bytes(*len);
    let Some(at) = tail_at.checked_sub(len.into()) else { return Ok(()) };
    check(file, at, len as usize, false)
}

/// Checks that the footer is that of the whole file, rather than of a second one behind it: then all that it says is as many bytes away as
/// the first one has.
fn check_start(file: &BoundedFile, metadata: &ParquetMetaData) -> Result<()> {
    let mut end = MAGIC.len() as u64;
    for chunk in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let lengths = [
            (Some(start), Some(chunk.compressed_size())),
            (chunk.offset_index_offset(), chunk.offset_index_length().map(i64::from)),
            (chunk.column_index_offset(), chunk.column_index_length().map(i64::from)),
            (chunk.bloom_filter_offset(), chunk.bloom_filter_length().map(i64::from)),
        ];
        for (start, length) in lengths {
            let (Some(start), Some(length)) = (start, length) else { continue };
            let (start, length) = (u64::try_from(start)?, u64::try_from(length)?);
            end = end.max(start.saturating_add(length));
        }
    }
    let tail_at = file.len().saturating_sub(TAIL_BYTES as u64);
    let footer_len = file.get_bytes(tail_at, TAIL_BYTES)?.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
    let footer = tail_at.saturating_sub(footer_len.into());
    let before = footer.saturating_sub(end);
    if before > 0 && file.get_bytes(before, MAGIC.len()).is_ok_and(|bytes| &bytes[..] == MAGIC) {
        let message =
            format!("its footer is that of a second file, which begins at byte {before}; the first is not read");
        return Err(ParquetError::General(message));
    }
    Ok(())
}

fn check_index(file: &BoundedFile, at: Option<i64>, len: Option<i32>, has_flags: bool) -> Result<()> {
    let (Some(at), Some(len)) = (at, len) else { return Ok(()) };
    check(file, u64::try_from(at)?, usize::try_from(len)?, has_flags)
}

fn check(file: &BoundedFile, at: u64, len: usize, has_flags: bool) -> Result<()> {
    let bytes = file.get_bytes(at, len)?;
    Thrift::new(&*bytes).pass_struct(has_flags).map_err(|error| ParquetError::External(error.into()))
}
