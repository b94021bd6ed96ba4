//! Without the readers of office documents: each is refused by its name.

use crate::error::ExtractError;
use crate::format::Format;

pub(crate) const MAX_TEXT_RATIO: u64 = 0;
pub(crate) const FREE_TEXT_BYTES: u64 = 0;

pub(crate) fn text(_bytes: &[u8], format: Format) -> Result<String, ExtractError> {
    Err(ExtractError::NotBuiltIn { format })
}
