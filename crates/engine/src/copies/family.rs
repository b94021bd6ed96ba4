//! Families of documents: code, prose, bytes. Each has its own tokens, its own k and t, and its own way to compare.

use super::options::CopiesOptions;
use crate::Error;
use lookalike_core::fingerprint::Fingerprinter;
use lookalike_core::passage::{Passage, exact};
use lookalike_core::winnow::{Fingerprint, Select, Winnower, Winnowing};

/// A family of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Family {
    Code,
    Prose,
    Bytes,
}

impl Family {
    pub(crate) const ALL: [Self; 3] = [Self::Code, Self::Prose, Self::Bytes];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Prose => "prose",
            Self::Bytes => "bytes",
        }
    }

    /// Chosen on labelled data (`eval copies`); bytes as in the paper's experiments.
    fn default_winnowing(self) -> Winnowing {
        match self {
            Self::Code => Winnowing { k: 12, t: 16 },
            Self::Prose => Winnowing { k: 8, t: 15 },
            Self::Bytes => Winnowing { k: 50, t: 149 },
        }
    }

    /// k-grams of different families are never equal.
    fn salt(self) -> u64 {
        (self as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// How documents of one family are fingerprinted and compared.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) family: Family,
    pub(crate) winnowing: Winnowing,
    pub(crate) fp: Fingerprinter,
}

impl Method {
    /// The three methods, in the order of [`Family::ALL`].
    pub(crate) fn all(options: &CopiesOptions) -> Result<[Self; 3], Error> {
        let fp = Fingerprinter::with_key(&options.scan.key);
        let method = |family: Family| {
            let default = family.default_winnowing();
            let k = options.k.unwrap_or_else(|| options.t.map_or(default.k, |t| default.k.min(t)));
            let t = options.t.unwrap_or_else(|| default.t.max(k + (default.t - default.k)));
            if k == 0 || t < k || t > MOST {
                return Err(Error::Options(format!(
                    "-k and -t: expected 1 <= k <= t <= {MOST} (noise threshold and guarantee, in tokens), found k = {k} and t = {t}"
                )));
            }
            Ok(Self { family, winnowing: Winnowing { k, t }, fp })
        };
        let [code, prose, bytes] = Family::ALL.map(method);
        Ok([code?, prose?, bytes?])
    }

    pub(crate) fn winnower(&self) -> Winnower {
        Winnower::new(self.winnowing, Select::Robust, self.fp)
    }

    /// Calls `each` with the fingerprints of a document, as they are told apart from those of other families. The hashes there were.
    pub(crate) fn fingerprints(
        &self,
        winnower: &mut Winnower,
        tokens: &[u32],
        mut each: impl FnMut(Fingerprint),
    ) -> u64 {
        let salt = self.family.salt();
        winnower.winnow(tokens, |f| each(Fingerprint { hash: f.hash ^ salt, ..f }))
    }

    /// A sequence, to be held against others.
    pub(crate) fn prepare<'a>(&self, tokens: &'a [u32]) -> exact::Prepared<'a> {
        exact::Prepared::new(tokens, self.winnowing.k as usize)
    }

    pub(crate) fn matcher(&self) -> Matcher {
        Matcher { tiler: exact::Tiler::new(self.winnowing.k as usize) }
    }
}

/// The longest guarantee that makes sense: beyond it documents are compared as wholes.
const MOST: u32 = 10_000;

/// Finds passages; has buffers of its own.
pub(crate) struct Matcher {
    tiler: exact::Tiler,
}

impl Matcher {
    /// What two sequences share, in the order of the first.
    pub(crate) fn passages(&mut self, a: &exact::Prepared<'_>, b: &[u32]) -> Vec<Passage> {
        self.tiler.passages(a, b)
    }
}
