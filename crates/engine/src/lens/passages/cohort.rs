//! The cohort: documents grouped into submissions, who may be compared with whom, who handed in the same.

use crate::Error;
use crate::lens::passages::reading::Library;
use crate::lens::passages::submissions::{Grouping, Groups, Who};
use lookalike_core::feature_hash::FeatureHasher;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A submission.
pub struct Unit {
    pub who: Who,
    pub archive: bool,
    /// Its documents with their names inside it, in the order of those names.
    pub documents: Vec<(String, u32)>,
    /// The first submission with the same tokens, if this is not it.
    pub same_as: Option<u32>,
}

/// The submission of a document that belongs to none: an `info.csv`.
pub const NO_SUBMISSION: u32 = u32::MAX;

/// All submissions, in the order of their names, the cohort's before the archive's of the same name.
pub struct CohortUnits {
    pub units: Vec<Unit>,
    /// The submission of each document.
    pub unit_of: Vec<u32>,
    /// What people should know.
    pub warnings: Vec<String>,
    /// A number for each owner; submissions without one have one each.
    owners: Vec<u32>,
    /// By submission, side by side, for what asks of millions of pairs: whether it is of an earlier year, and whether none before it has the
    /// same tokens.
    archived: Vec<bool>,
    different: Vec<bool>,
}

impl CohortUnits {
    /// Groups documents; the cohort's and the archive's have a grouping each.
    pub fn new(library: &Library, groupings: [&Grouping; 2]) -> Result<Self, Error> {
        let mut ids = [Vec::new(), Vec::new()];
        let mut known = library.documents.iter();
        library.catalogue.for_each_entry(|entry| {
            let archive = known.next().is_some_and(|known| known.archive);
            ids[usize::from(archive)].push(entry.id);
            Ok::<_, Error>(())
        })?;
        let (units, unit_of, warnings, owners, archived, different) = Default::default();
        let mut cohort = Self { units, unit_of, warnings, owners, archived, different };
        // the cohort's documents come before those of the archive
        let mut units: Vec<Unit> = Vec::new();
        let mut document = 0;
        for (archive, (grouping, ids)) in [false, true].into_iter().zip(groupings.into_iter().zip(&ids)) {
            let Groups { of, submissions, warnings } = grouping.group(ids.iter().map(String::as_str));
            let first = units.len();
            units.extend(submissions.into_iter().map(|mut who| {
                if archive {
                    who.name = grouping.name_with_root(&who.name);
                }
                Unit { who, archive, documents: Vec::new(), same_as: None }
            }));
            for place in of {
                if let Some((submission, file)) = place {
                    units[first + submission as usize].documents.push((file, document));
                }
                document += 1;
            }
            cohort.warnings.extend(warnings);
        }
        units.sort_by(|a, b| (&a.who.name, a.archive).cmp(&(&b.who.name, b.archive)));
        cohort.unit_of = vec![NO_SUBMISSION; document as usize];
        let mut known_owners: FxHashMap<String, u32> = FxHashMap::default();
        let mut firsts: FxHashMap<(u64, bool, Option<u32>), u32> = FxHashMap::default();
        for (number, unit) in (0u32..).zip(&mut units) {
            unit.documents.sort();
            unit.documents.shrink_to_fit();
            unit.documents.iter().for_each(|(_, document)| cohort.unit_of[*document as usize] = number);
            cohort.owners.push(match &unit.who.owner {
                Some(owner) => *known_owners.entry(owner.clone()).or_insert(number),
                None => number,
            });
        }
        let mut having: FxHashMap<u32, u32> = FxHashMap::default();
        for owner in &cohort.owners {
            *having.entry(*owner).or_default() += 1;
        }
        for (number, unit) in (0u32..).zip(&mut units) {
            // who stands for others must be compared with all whom they would be compared with
            let owner = cohort.owners[number as usize];
            let alone = having[&owner] == 1;
            let key = (identity(library, &unit.documents), unit.archive, (!alone).then_some(owner));
            let first = *firsts.entry(key).or_insert(number);
            unit.same_as = (first != number).then_some(first);
        }
        cohort.archived = units.iter().map(|unit| unit.archive).collect();
        cohort.different = units.iter().map(|unit| unit.same_as.is_none()).collect();
        cohort.units = units;
        Ok(cohort)
    }

    /// Whether a submission is of an earlier year.
    pub fn is_archived(&self, unit: u32) -> bool {
        self.archived[unit as usize]
    }

    /// Whether no submission before it has the same tokens.
    pub fn is_different(&self, unit: u32) -> bool {
        self.different[unit as usize]
    }

    /// Whether two submissions are compared: not those of one owner, nor two of earlier years.
    pub fn comparable(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.owners[a] != self.owners[b] && !(self.archived[a] && self.archived[b])
    }

    /// How many pairs can be compared.
    pub fn comparable_pairs(&self) -> u64 {
        self.pairs_of(|_| true)
    }

    /// The same without those that have the same tokens as another.
    pub fn different_pairs(&self) -> u64 {
        self.pairs_of(|unit| unit.same_as.is_none())
    }

    fn pairs_of(&self, counts: impl Fn(&Unit) -> bool) -> u64 {
        let pairs = |n: u64| n * n.saturating_sub(1) / 2;
        let (mut all, mut archived) = (0, 0);
        // by owner: how many of the cohort, how many of the archive
        let mut by_owner: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
        for (owner, unit) in self.owners.iter().zip(&self.units).filter(|(_, unit)| counts(unit)) {
            all += 1;
            archived += u64::from(unit.archive);
            by_owner.entry(*owner).or_default()[usize::from(unit.archive)] += 1;
        }
        let own: u64 = by_owner.values().map(|[cohort, archive]| pairs(cohort + archive) - pairs(*archive)).sum();
        pairs(all) - pairs(archived) - own
    }
}

/// Equal for submissions with the same tokens in files of the same order.
fn identity(library: &Library, documents: &[(String, u32)]) -> u64 {
    let fp = FeatureHasher::default();
    let of = |document: &u32| &library.documents[*document as usize];
    documents
        .iter()
        .map(|(_, document)| of(document))
        .fold(0, |h, known| fp.chain(fp.chain(h, known.identity), u64::from(known.tokens) << 2 | known.family as u64))
}
