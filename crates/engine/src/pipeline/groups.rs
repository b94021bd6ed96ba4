//! Equivalent documents by name: for lists in which each of them has its place.

use super::catalogue::Catalogue;
use super::equivalents::Equivalents;
use crate::Error;

/// A document and its id.
pub(crate) type Named = (String, u32);

pub(crate) struct Groups<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) equivalents: &'a Equivalents,
}

impl Groups<'_> {
    /// A document and those that it stood for, by id; itself first.
    pub(crate) fn of(&self, standing: u32) -> Result<Vec<Named>, Error> {
        let mut group = Vec::new();
        for document in std::iter::once(standing).chain(self.equivalents.of(standing).map(|other| other.0)) {
            group.push((self.catalogue.id(document)?, document));
        }
        group[1..].sort_unstable();
        Ok(group)
    }

    /// The documents that stand for others, by id.
    pub(crate) fn stand_ins(&self) -> Result<Vec<Named>, Error> {
        let mut standing: Vec<u32> = self.equivalents.all().iter().map(|e| e.0).collect();
        standing.dedup();
        let mut named = Vec::with_capacity(standing.len());
        for document in standing {
            named.push((self.catalogue.id(document)?, document));
        }
        named.sort_unstable();
        Ok(named)
    }
}
