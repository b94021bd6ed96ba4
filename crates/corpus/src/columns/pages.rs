//! Pages of a column, a limited number of bytes at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::bounded_file::BoundedFile;
use super::page_sizes::PageSizes;
use crate::unit_limit::UnitLimit;

/// A list may be long, but not as long as a damaged count says.
const MAX_LIST_VALUES: u32 = 1 << 28;

/// The bytes of pages that may still be read. A column reader asks for pages until it has the rows it is to read, however large they are;
/// when the allowance is used up it gets none, and reads on after the next grant.
#[derive(Clone, Default)]
pub(crate) struct Allowance {
    left: Arc<AtomicUsize>,
    /// What a single page may take.
    unit: UnitLimit,
}

impl Allowance {
    pub(crate) fn new(unit: UnitLimit) -> Self {
        Self { left: Arc::default(), unit }
    }

    /// Allows pages of this number of bytes, and always one page.
    pub(crate) fn grant(&self, bytes: usize) {
        self.left.store(bytes.max(1), Ordering::Relaxed);
    }

    fn is_used_up(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    fn take(&self, bytes: usize) {
        self.left.store(self.left.load(Ordering::Relaxed).saturating_sub(bytes.max(1)), Ordering::Relaxed);
    }
}

/// The pages of one column of one row group. Those without values are left out, and those that cannot be what they say are errors.
pub(crate) struct BoundedPages {
    pages: SerializedPageReader<BoundedFile>,
    sizes: PageSizes,
    allowance: Allowance,
    /// The least bytes that a value of a dictionary takes.
    width: u64,
    has_dictionary: bool,
    is_list: bool,
}

impl BoundedPages {
    pub(crate) fn open(
        file: &Arc<BoundedFile>,
        group: &RowGroupMetaData,
        column: usize,
        allowance: Allowance,
    ) -> Result<Self> {
        let chunk = group.column(column);
        let rows = usize::try_from(group.num_rows())?;
        let pages = SerializedPageReader::new(Arc::clone(file), chunk, rows, None)?;
        let sizes = PageSizes::new(Arc::clone(file), chunk);
        let column = chunk.column_descr();
        let width = match column.physical_type() {
            Type::BOOLEAN => 1,
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
            Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(column.type_length()).unwrap_or(0).max(1),
        };
        Ok(Self { pages, sizes, allowance, width, has_dictionary: false, is_list: column.max_rep_level() > 0 })
    }
}

impl BoundedPages {
    fn check_next(&mut self) -> Result<()> {
        let bytes = self.sizes.check_next()?;
        self.allowance.unit.admit(bytes).map_err(|error| ParquetError::External(Box::new(error)))
    }
}

impl PageReader for BoundedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        loop {
            if self.allowance.is_used_up() {
                return Ok(None);
            }
            self.check_next()?;
            let Some(page) = self.pages.get_next_page()? else { return Ok(None) };
            let (values, bytes) = (page.num_values(), page.buffer().len());
            if let Page::DictionaryPage { .. } = page {
                if u64::from(values) * self.width > bytes as u64 {
                    let message = format!("a dictionary of {values} values in {bytes} bytes");
                    return Err(ParquetError::General(message));
                }
                self.has_dictionary = true;
                return Ok(Some(page));
            }
            // The decoder panics without it.
            let is_indexed = matches!(page.encoding(), Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
            if is_indexed && !self.has_dictionary {
                return Err(ParquetError::General("a page that refers to a dictionary, before any dictionary".into()));
            }
            if self.is_list && values > MAX_LIST_VALUES {
                return Err(ParquetError::General(format!("a page of {values} values of lists")));
            }
            if values > 0 {
                self.allowance.take(bytes);
                return Ok(Some(page));
            }
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.check_next()?;
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for BoundedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
