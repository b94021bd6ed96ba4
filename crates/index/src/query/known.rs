//! A scan beside an index: only what is new, or touches what is known.

use crate::query::index::Index;
use crate::search::{QueryOptions, SearchResult, ShingleMatch, ShinglesQuery};
use lookalike_engine::report::against::{Against, KnownDocument, Touching};
use lookalike_engine::report::policy::Policy;
use lookalike_engine::run::assemble;
use lookalike_engine::run::documents::Documents;
use lookalike_engine::{Error, OptionName, Scan};
use rayon::prelude::*;

impl Index {
    /// Holds a scan by shingles against this index of the same recipe: the report says which documents are known or touch what is known, and
    /// leaves out the clusters in which nothing is new.
    pub fn mark_known(&self, scan: &mut Scan) -> Result<(), Error> {
        self.check_recipe(&scan.report().head.recipe)?;
        let Some(section) = scan.report().shingles() else {
            return Err(Error::not_of(OptionName::Index, scan.report().head.lens));
        };
        let (estimate, include_boilerplate) = (section.estimate, section.include_boilerplate);
        let policy = scan.report().head.policy;
        let asked = LookUp { policy, include_boilerplate, estimate, limit: 1 };
        let found = self.look_up(&scan.documents()?.documents, &asked)?;
        let mut known: Vec<bool> = vec![false; scan.documents()?.documents.catalogue.len()];
        for (document, found) in &found {
            known[*document as usize] = matches!(found, IndexedCopy::Known(_));
        }
        let is_new = |document: u32| !known[document as usize];
        let report = scan.report_mut();
        let before = report.clusters.len();
        report
            .clusters
            .retain(|cluster| is_new(cluster.document) || cluster.members.iter().any(|member| is_new(member.document)));
        if report.clusters.len() < before {
            for (at, cluster) in report.clusters.iter_mut().enumerate() {
                cluster.id = at as u64 + 1;
            }
            report.head.summary = assemble::sum(&report.clusters);
        }
        let new = known.iter().filter(|known| !**known).count() as u64;
        let (mut known_as, mut touching) = (Vec::new(), Vec::new());
        for (_, found) in found {
            match found {
                IndexedCopy::Known(document) => known_as.push(document),
                IndexedCopy::Touching(document) => touching.push(document),
            }
        }
        known_as.sort_unstable();
        touching.sort_by(|a, b| (&a.id, &a.content).cmp(&(&b.id, &b.content)));
        let known = known_as.len() as u64;
        report.head.against =
            Some(Against { index: self.snapshot.path.display().to_string(), known, known_as, new, touching });
        Ok(())
    }

    /// What the index has of these documents, by their number and in order: the same content, or the nearest that the policy accepts. It is
    /// counted on the originals where both can be read, unless estimates will do.
    pub fn look_up(&self, documents: &Documents, asked: &LookUp) -> Result<Vec<(u32, IndexedCopy)>, Error> {
        let (lens, snapshot) = (self.lens.shingles()?, &self.snapshot);
        let LookUp { policy: Policy { threshold, contained, .. }, include_boilerplate, estimate, limit } = *asked;
        let query = ShinglesQuery { threshold, contained, verify: false, include_boilerplate };
        let options = QueryOptions::from(query).with_limit(limit);
        let (catalogue, loader) = (&documents.catalogue, documents.loader());
        let look = |document: u32| {
            let entry = catalogue.entry(document)?;
            if let Some(known) = snapshot.document(entry.content)? {
                let url = snapshot.seen(known)?.into_iter().next().map_or_else(String::new, |seen| seen.url);
                return Ok(Some((document, IndexedCopy::Known(KnownDocument { id: entry.id, url }))));
            }
            let named = (&*entry.id, entry.content, entry.lexical);
            let mut result = lens.search_sketch(snapshot, named, catalogue.sketch(document)?, &options)?;
            if !estimate
                && let Some(found) = result.matches.shingles_mut().filter(|found| !found.matches.is_empty())
                && let Some((id, body)) = loader.body(document)?
            {
                let set = lens.sketcher()?.set(&id, &body).ok();
                lens.verify(snapshot, &mut found.matches, set.as_deref())?;
                let counted = |found: &ShingleMatch| {
                    found.verified.map_or(found.resemblance.value, |counted| counted.resemblance)
                };
                found.matches.sort_by(|a, b| counted(b).total_cmp(&counted(a)));
            }
            Ok(touching(&entry.id, &result).map(|touching| (document, IndexedCopy::Touching(touching))))
        };
        let looked = (0..catalogue.len() as u32).into_par_iter().with_min_len(16).map(look);
        looked.filter_map(Result::transpose).collect()
    }

    /// Refuses another recipe than that of the index.
    pub fn check_recipe(&self, recipe: &str) -> Result<(), Error> {
        let found = &self.snapshot.meta.recipe;
        if found == recipe {
            return Ok(());
        }
        let (expected, found) = (recipe.to_owned(), found.clone());
        Err(Error::WrongRecipe { path: self.snapshot.path.clone(), expected, found })
    }
}

/// How documents are looked up in an index.
#[derive(Clone, Copy, Debug)]
pub struct LookUp {
    /// From which numbers on a document of the index is like another.
    pub policy: Policy,
    /// Text that very many documents of the index share counts too.
    pub include_boilerplate: bool,
    /// Nothing is counted on the originals.
    pub estimate: bool,
    /// So many documents of the index are compared with each, those that are nearest by their sketches.
    pub limit: usize,
}

/// What an index has of a document.
#[derive(Clone, Debug)]
pub enum IndexedCopy {
    /// The same content.
    Known(KnownDocument),
    /// Another that is like it.
    Touching(Touching),
}

fn touching(id: &str, result: &SearchResult) -> Option<Touching> {
    let found = result.matches.shingles()?.matches.first()?;
    let seen = found.seen.first()?;
    Some(Touching {
        id: id.to_owned(),
        url: seen.url.clone(),
        date: seen.last.clone(),
        content: found.content.clone(),
        class: found.class?,
        resemblance: found.resemblance,
        new_in_known: found.query_in_document,
        known_in_new: found.document_in_query,
        verified: found.verified,
        more: result.more,
    })
}
