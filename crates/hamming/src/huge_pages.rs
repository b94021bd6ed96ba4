//! Memory in large pages where the system has them, for what is looked at here and there: with small ones the machine looks up an address
//! for nearly every byte.

use crate::error::Error;
use lookalike_core::hamming::Bytes;
use memmap2::MmapMut;
use std::convert::Infallible;
use std::ops::{Deref, DerefMut, Range};

/// Bytes, zeros at first.
#[derive(Debug)]
pub(crate) struct HugePages(MmapMut);

impl HugePages {
    pub(crate) fn new(bytes: usize) -> Result<Self, Error> {
        let map = MmapMut::map_anon(bytes.max(1)).map_err(|source| Error::Allocation { bytes, source })?;
        // advice: nothing depends on it being heard
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }

    /// A copy of bytes.
    pub(crate) fn of(bytes: &[u8]) -> Result<Self, Error> {
        let mut pages = Self::new(bytes.len())?;
        pages[..bytes.len()].copy_from_slice(bytes);
        Ok(pages)
    }
}

impl Deref for HugePages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for HugePages {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Bytes for HugePages {
    type Error = Infallible;

    #[inline]
    fn bytes(&self, range: Range<u64>) -> Result<&[u8], Infallible> {
        Ok(&self.0[range.start as usize..range.end as usize])
    }
}
