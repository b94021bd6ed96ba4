//! What a page and a list of pairs see of a scan by chunks.

use super::analysis::Shares;
use super::scan::Scan;
use super::solve::Least;
use crate::differences::{self, Differences};
use crate::pipeline::groups::{Groups, Named};
use crate::pipeline::loader::Loader;
use crate::report::{PairRow, Report};
use crate::view::modified;
use crate::{Compared, Described, Error, Text, Viewed};
use lookalike_core::sets::Overlap;
use lookalike_corpus::content_name;
use lookalike_store::Records;

impl Scan {
    pub(crate) fn loader(&self) -> Loader<'_> {
        Loader::new(&self.chunked.catalogue, &self.corpus, &self.front)
    }

    /// A pair of documents, from one of ranks.
    fn by_document(&self, shares: Shares) -> Shares {
        let document = |rank: u32| self.ranked[rank as usize];
        Shares { a: document(shares.a), b: document(shares.b), ..shares }
    }

    /// What differs between two documents of the report, in a few words; none where they cannot be read again or are no text.
    pub fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        let loader = self.loader();
        Ok(match (loader.canonical(a)?, loader.canonical(b)?) {
            (Some(a), Some(b)) => Some(differences::between(&a.text, &b.text, &self.front.fp)),
            _ => None,
        })
    }

    /// Calls `each` with every pair that the policy accepts. Needs `all_pairs`.
    ///
    /// Identical documents are put back: each of them makes the pairs of the one that stood for it. A group of more
    /// than `common` of them is given by its pairs with the first of them only.
    pub fn pairs<E: From<Error>>(&self, mut each: impl FnMut(PairRow) -> Result<(), E>) -> Result<(), E> {
        let (catalogue, equivalents) = (&self.chunked.catalogue, &self.chunked.equivalents);
        let groups = Groups { catalogue, equivalents };
        let common = self.report.common as usize;
        let mut row = |a: &Named, b: &Named, o: Overlap| {
            if self.decisions.forbid(a.1, b.1) {
                return Ok(());
            }
            let (a, b, o) = if a.0 <= b.0 { (a, b, o) } else { (b, a, o.swapped()) };
            each(PairRow {
                a: a.0.clone(),
                b: b.0.clone(),
                resemblance: o.resemblance(),
                a_in_b: o.a_in_b(),
                b_in_a: o.b_in_a(),
                interval: None,
                common_bytes: Some(u64::from(o.shared)),
            })
        };
        for standing in groups.stand_ins()? {
            let group = groups.of(standing.1)?;
            let size = self.chunked.catalogue.sizes[standing.1 as usize];
            let leaders = if group.len() > common { 1 } else { group.len() };
            for (at, a) in group.iter().take(leaders).enumerate() {
                group[at + 1..].iter().try_for_each(|b| row(a, b, Overlap { a: size, b: size, shared: size }))?;
            }
        }
        let least = Least { share: self.report.policy.threshold, bytes: self.report.policy.min_common };
        for shares in self.pairs.iter().flat_map(Records::iter) {
            let shares = self.by_document(shares.map_err(Error::from)?);
            let size = |document: u32| self.sizes[document as usize];
            let o = Overlap { a: size(shares.a), b: size(shares.b), shared: shares.common };
            if !least.met(u64::from(o.shared), o.a.min(o.b)) {
                continue;
            }
            let group = |standing: u32| {
                let large = equivalents.of(standing).nth(common).is_some();
                if large { Ok(vec![(catalogue.id(standing)?, standing)]) } else { groups.of(standing) }
            };
            let (of_a, of_b) = (group(shares.a)?, group(shares.b)?);
            for a in &of_a {
                of_b.iter().try_for_each(|b| row(a, b, o))?;
            }
        }
        Ok(())
    }
}

impl Viewed for Scan {
    fn report(&self) -> &Report {
        &self.report
    }

    fn explored(&self) -> f64 {
        self.explored
    }

    fn describe(&self, document: u32) -> Result<Described, Error> {
        let entry = self.chunked.catalogue.entry(document)?;
        let size = self.sizes[document as usize];
        let first = self.chunked.equivalents.stood_for_by(document);
        Ok(Described {
            bytes: entry.bytes,
            size,
            shingles: size,
            content: content_name(entry.content),
            modified: modified(&entry.place),
            salt: self.chunked.catalogue.salts[document as usize],
            stood_for_by: first.filter(|first| !self.decisions.forbid(first.0, document)),
            id: entry.id,
        })
    }

    fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        Ok(self.loader().body(document)?.and_then(|(id, body)| self.front.shown(&id, &body).ok()))
    }

    fn compared(&self, each: &mut dyn FnMut(Compared) -> Result<(), Error>) -> Result<(), Error> {
        for shares in self.pairs.iter().flat_map(Records::iter) {
            let shares = self.by_document(shares?);
            if self.decisions.forbid(shares.a, shares.b) {
                continue;
            }
            let size = |document: u32| self.sizes[document as usize];
            let features = [size(shares.a), size(shares.b), shares.common];
            each(Compared { a: shares.a, b: shares.b, features, sample: features, whole: true })?;
        }
        Ok(())
    }
}
