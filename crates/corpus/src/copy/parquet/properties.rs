//! How the columns of a row group were written, as far as it can be seen.

use parquet::basic::{Compression, Encoding, PageType, Type, ZstdLevel};
use parquet::column::page::PageReader;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;

use super::original::Original;
use crate::columns::Allowance;
use crate::copy::{Annotation, CopyError};

/// Those writers choose this level unless they are told otherwise; nobody can see at which level a page was compressed.
const ZSTD_LEVELS: [(&str, i32); 2] = [("parquet-cpp", 1), ("parquet-rs", 1)];
/// All others choose this one.
const ZSTD_LEVEL: i32 = 3;
/// A filter says yes wrongly so often; the usual choice.
const FALSE_POSITIVES: f64 = 0.01;
/// Encodings that are chosen on purpose.
const ENCODINGS: [Encoding; 4] = [
    Encoding::DELTA_BINARY_PACKED,
    Encoding::DELTA_LENGTH_BYTE_ARRAY,
    Encoding::DELTA_BYTE_ARRAY,
    Encoding::BYTE_STREAM_SPLIT,
];

/// How to write a row group as it was written; `is_sorted` if its rows still are in the order that it says.
pub(super) fn properties(
    original: &Original<'_>,
    index: usize,
    kept: u64,
    is_sorted: bool,
) -> Result<WriterProperties, CopyError> {
    let group = original.metadata.row_group(index);
    let is_second = has_second_pages(original, index)?;
    let version = if is_second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
    let sorting = group.sorting_columns().filter(|_| is_sorted).cloned();
    let mut builder = WriterProperties::builder().set_writer_version(version).set_sorting_columns(sorting);
    let created_by = original.metadata.file_metadata().created_by();
    for chunk in group.columns() {
        let path = chunk.column_path().clone();
        let has_filter = chunk.bloom_filter_offset().is_some();
        builder = builder
            .set_column_compression(path.clone(), with_level(chunk.compression(), created_by))
            .set_column_encoding(path.clone(), encoding(chunk))
            .set_column_dictionary_enabled(path.clone(), has_dictionary(chunk))
            .set_column_statistics_enabled(path.clone(), statistics(chunk))
            .set_column_bloom_filter_enabled(path.clone(), has_filter);
        if has_filter {
            builder = builder
                .set_column_bloom_filter_fpp(path.clone(), FALSE_POSITIVES)
                .set_column_bloom_filter_max_ndv(path, kept.max(1));
        }
    }
    let codec = annotation_codec(group, original.text.unwrap_or(0), created_by);
    for field in Annotation::FIELDS {
        builder = builder.set_column_compression(ColumnPath::from(field), codec);
    }
    Ok(builder.build())
}

fn with_level(codec: Compression, created_by: Option<&str>) -> Compression {
    let Compression::ZSTD(_) = codec else { return codec };
    let known = ZSTD_LEVELS.iter().find(|(name, _)| created_by.is_some_and(|by| by.starts_with(name)));
    let level = known.map_or(ZSTD_LEVEL, |(_, level)| *level);
    Compression::ZSTD(ZstdLevel::try_new(level).unwrap_or_default())
}

/// What is added is compressed like the text, unless nobody here can.
fn annotation_codec(group: &RowGroupMetaData, column: usize, created_by: Option<&str>) -> Compression {
    match group.column(column).compression() {
        Compression::BROTLI(_) | Compression::LZO => Compression::ZSTD(ZstdLevel::default()),
        codec => with_level(codec, created_by),
    }
}

fn has_dictionary(chunk: &ColumnChunkMetaData) -> bool {
    let is_dictionary = |encoding| matches!(encoding, Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
    chunk.dictionary_page_offset().is_some() || chunk.encodings().any(is_dictionary)
}

/// How values are written that are in no dictionary.
fn encoding(chunk: &ColumnChunkMetaData) -> Encoding {
    let has = |encoding| chunk.encodings().any(|other| other == encoding);
    if let Some(encoding) = ENCODINGS.into_iter().find(|encoding| has(*encoding)) {
        return encoding;
    }
    // Levels are in runs too, but only booleans have no other encoding beside.
    if chunk.column_type() == Type::BOOLEAN && has(Encoding::RLE) && !has(Encoding::PLAIN) {
        return Encoding::RLE;
    }
    Encoding::PLAIN
}

fn statistics(chunk: &ColumnChunkMetaData) -> EnabledStatistics {
    if chunk.column_index_offset().is_some() {
        EnabledStatistics::Page
    } else if chunk.statistics().is_some() {
        EnabledStatistics::Chunk
    } else {
        EnabledStatistics::None
    }
}

/// Whether its pages are of the second version of the format.
fn has_second_pages(original: &Original<'_>, index: usize) -> Result<bool, CopyError> {
    let chunk = original.metadata.row_group(index).column(0);
    if let Some(pages) = chunk.page_encoding_stats()
        && let Some(page) = pages.iter().find(|page| page.page_type != PageType::DICTIONARY_PAGE)
    {
        return Ok(page.page_type == PageType::DATA_PAGE_V2);
    }
    if matches!(chunk.compression(), Compression::BROTLI(_) | Compression::LZO) {
        // it is copied as it is or not at all
        return Ok(false);
    }
    let mut pages = original.pages(index, 0, Allowance::default())?;
    first_data_page(&mut pages).map_err(|error| original.damaged(index, Some(0), error))
}

fn first_data_page(pages: &mut dyn PageReader) -> parquet::errors::Result<bool> {
    while let Some(page) = pages.peek_next_page()? {
        if !page.is_dict {
            // only the second version says how many rows there are
            return Ok(page.num_rows.is_some());
        }
        pages.skip_next_page()?;
    }
    Ok(false)
}
