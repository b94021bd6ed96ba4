//! Features that very many documents have, counted exactly before anything is sorted: a shared header costs a look-up, not a sort.

use super::Session;
use super::catalogue::Catalogue;
use super::equivalents::Equivalents;
use super::seen::Seen;
use crate::Error;
use rustc_hash::FxHashMap;

/// Documents drawn of those that have a common feature.
pub(crate) const DRAWN: usize = 16;
/// Features counted at once. More would be unheard of; the rest is found after sorting.
const MOST: usize = 1 << 18;

/// A common feature: how many documents have it, and sixteen of them drawn by their content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heavy {
    pub(crate) feature: u64,
    pub(crate) documents: u64,
    pub(crate) drawn: Vec<u32>,
}

/// The features that more than `--common` documents have, as far as the table has noticed them; sorted.
pub(crate) fn find(
    session: &Session<'_>,
    catalogue: &Catalogue,
    equivalents: &Equivalents,
    seen: &Seen,
) -> Result<Vec<Heavy>, Error> {
    if !seen.any_many() {
        return Ok(Vec::new());
    }
    let mut counted: FxHashMap<u64, (u64, Draw)> = FxHashMap::default();
    catalogue.for_each_sketch(|document, sketch| {
        if equivalents.stands(document) {
            for feature in sketch.features.iter().filter(|f| seen.many(**f)) {
                let room = counted.len() < MOST;
                let entry = match counted.get_mut(feature) {
                    Some(entry) => entry,
                    // counted from its first document on, or not at all: the count is exact
                    None if room => counted.entry(*feature).or_default(),
                    None => continue,
                };
                entry.0 += 1;
                entry.1.offer(catalogue.salts[document as usize], document);
            }
        }
        Ok::<_, Error>(())
    })?;
    let common = u64::from(session.options.common);
    let mut heavy: Vec<Heavy> = counted
        .into_iter()
        .filter(|(_, (documents, _))| *documents > common)
        .map(|(feature, (documents, draw))| Heavy { feature, documents, drawn: draw.finish() })
        .collect();
    heavy.sort_unstable_by_key(|h| h.feature);
    Ok(heavy)
}

/// The documents with the smallest salts: drawn at random, whatever the order of reading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draw {
    smallest: Vec<(u32, u32)>,
}

impl Draw {
    pub(crate) fn offer(&mut self, salt: u32, document: u32) {
        if self.smallest.len() == DRAWN && self.smallest[DRAWN - 1].0 <= salt {
            return;
        }
        let at = self.smallest.partition_point(|kept| *kept < (salt, document));
        self.smallest.insert(at, (salt, document));
        self.smallest.truncate(DRAWN);
    }

    pub(crate) fn finish(self) -> Vec<u32> {
        self.smallest.into_iter().map(|(_, document)| document).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn draws_the_same_whatever_the_order(salts in prop::collection::hash_set(any::<u32>(), 0..60)) {
            let salts: Vec<u32> = salts.into_iter().collect();
            let draw = |order: &mut dyn Iterator<Item = &u32>| {
                let mut draw = Draw::default();
                order.for_each(|salt| draw.offer(*salt, salt / 2));
                draw.finish()
            };
            let mut sorted = salts.clone();
            sorted.sort_unstable();
            let expected: Vec<u32> = sorted.iter().take(DRAWN).map(|salt| salt / 2).collect();
            prop_assert_eq!(draw(&mut salts.iter()), expected.clone());
            prop_assert_eq!(draw(&mut salts.iter().rev()), expected);
        }
    }
}
