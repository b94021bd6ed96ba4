//! The cohort: documents grouped into submissions, who may be compared with whom, who handed in the same.

use super::reading::Library;
use super::submissions::{Grouping, Who};
use crate::Error;
use lookalike_core::fingerprint::Fingerprinter;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A submission.
pub(crate) struct Unit {
    pub(crate) who: Who,
    pub(crate) archive: bool,
    /// Its documents with their names inside it, in the order of those names.
    pub(crate) documents: Vec<(String, u32)>,
    /// The first submission with the same tokens, if this is not it.
    pub(crate) same_as: Option<u32>,
}

/// All submissions, in the order of their names, the cohort's before the archive's of the same name.
pub(crate) struct Cohort {
    pub(crate) units: Vec<Unit>,
    /// The submission of each document.
    pub(crate) unit_of: Vec<u32>,
    /// A number for each owner; submissions without one have one each.
    owners: Vec<u32>,
}

impl Cohort {
    /// Groups documents.
    pub(crate) fn new(library: &Library, groupings: [&Grouping; 2]) -> Result<Self, Error> {
        let mut groups: BTreeMap<(String, bool), Vec<(String, u32)>> = BTreeMap::new();
        let mut document = 0u32;
        library.catalogue.for_each_entry(|entry| {
            let archive = library.known[document as usize].archive;
            let (submission, file) = groupings[usize::from(archive)].submission_of(&entry.id);
            groups.entry((submission, archive)).or_default().push((file, document));
            document += 1;
            Ok::<_, Error>(())
        })?;
        let mut unit_of = vec![0; document as usize];
        let (mut units, mut owners) = (Vec::with_capacity(groups.len()), Vec::new());
        let mut known_owners: FxHashMap<String, u32> = FxHashMap::default();
        let mut firsts: FxHashMap<u64, u32> = FxHashMap::default();
        for ((name, archive), mut documents) in groups {
            let number = units.len() as u32;
            documents.sort();
            documents.iter().for_each(|(_, document)| unit_of[*document as usize] = number);
            let who = groupings[usize::from(archive)].who(&name);
            owners.push(match &who.owner {
                Some(owner) => *known_owners.entry(owner.clone()).or_insert(number),
                None => number,
            });
            let first = *firsts.entry(identity(library, &documents)).or_insert(number);
            units.push(Unit { who, archive, documents, same_as: (first != number).then_some(first) });
        }
        Ok(Self { units, unit_of, owners })
    }

    /// Whether two submissions are compared: not those of one owner, nor two of earlier years.
    pub(crate) fn comparable(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.owners[a] != self.owners[b] && !(self.units[a].archive && self.units[b].archive)
    }

    /// How many pairs can be compared.
    pub(crate) fn comparable_pairs(&self) -> u64 {
        let pairs = |n: u64| n * n.saturating_sub(1) / 2;
        let archived = self.units.iter().filter(|unit| unit.archive).count() as u64;
        // by owner: how many of the cohort, how many of the archive
        let mut by_owner: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
        for (owner, unit) in self.owners.iter().zip(&self.units) {
            by_owner.entry(*owner).or_default()[usize::from(unit.archive)] += 1;
        }
        let own: u64 = by_owner.values().map(|[cohort, archive]| pairs(cohort + archive) - pairs(*archive)).sum();
        pairs(self.units.len() as u64) - pairs(archived) - own
    }
}

/// Equal for submissions with the same tokens in files of the same order.
fn identity(library: &Library, documents: &[(String, u32)]) -> u64 {
    let fp = Fingerprinter::default();
    let of = |document: &u32| library.known[*document as usize];
    documents
        .iter()
        .map(|(_, document)| of(document))
        .fold(0, |h, known| fp.chain(fp.chain(h, known.identity), u64::from(known.tokens) << 2 | known.family as u64))
}
