//! The memory that decoding may take at once: for a record batch, or for a page of a column.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "tables")]
use parquet::errors::ParquetError;

use crate::skipped::Reason;

/// Why a record batch or a page is not decoded.
#[derive(Debug)]
pub(crate) enum DecodeError {
    /// Data that no writer makes.
    Damaged(String),
    /// More memory than `Options::unit_bytes`.
    TooLarge { bytes: u64, limit: u64 },
}

impl DecodeError {
    /// The reason why a file is not read on at a place in it.
    pub(crate) fn at(self, place: &str) -> Reason {
        match self {
            Self::Damaged(message) => Reason::Truncated(format!("{place}: {message}")),
            Self::TooLarge { bytes, limit } => Reason::Memory { bytes, limit },
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(message) => f.write_str(message),
            Self::TooLarge { bytes, limit } => {
                write!(f, "it takes {bytes} bytes of memory to decode, and {limit} are allowed")
            }
        }
    }
}

impl std::error::Error for DecodeError {}

impl From<String> for DecodeError {
    fn from(message: String) -> Self {
        Self::Damaged(message)
    }
}

impl From<&str> for DecodeError {
    fn from(message: &str) -> Self {
        Self::Damaged(message.to_owned())
    }
}

#[cfg(feature = "tables")]
impl From<ParquetError> for DecodeError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => match error.downcast::<Self>() {
                Ok(error) => *error,
                Err(error) => Self::Damaged(error.to_string()),
            },
            error => Self::Damaged(error.to_string()),
        }
    }
}

/// Where a unit goes that is decoded before its turn.
pub(crate) trait Turn: Send + Sync {
    /// Waits until everything that precedes it was taken.
    fn wait(&self);
}

/// Admits what is to be decoded, before memory is taken for it.
#[derive(Clone, Default)]
pub(crate) struct UnitLimit {
    /// Bytes of the largest unit; none if there is no limit.
    largest: Option<u64>,
    /// Set where units are decoded before their turn, with the bytes of the largest one that need not wait for it.
    ahead: Option<(Arc<dyn Turn>, u64)>,
}

impl UnitLimit {
    pub(crate) fn new(largest: u64) -> Self {
        Self { largest: Some(largest), ahead: None }
    }

    /// The same for a thread that decodes before its turn.
    #[must_use]
    pub(crate) fn ahead(&self, turn: Arc<dyn Turn>, largest: u64) -> Self {
        Self { largest: self.largest, ahead: Some((turn, largest)) }
    }

    /// Refuses a unit that takes too much memory, and waits with a large one until it is its turn: one of them is decoded at a time.
    pub(crate) fn admit(&self, bytes: u64) -> Result<(), DecodeError> {
        if let Some(limit) = self.largest.filter(|limit| bytes > *limit) {
            return Err(DecodeError::TooLarge { bytes, limit });
        }
        if let Some((turn, largest)) = &self.ahead
            && bytes > *largest
        {
            turn.wait();
        }
        Ok(())
    }
}
