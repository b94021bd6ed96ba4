//! A scan beside an index: only what is new, or touches what is known.

use crate::query::index::Index;
use crate::search::{QueryOptions, SearchResult, ShinglesQuery};
use lookalike_engine::report::against::{Against, KnownDocument, Touching};
use lookalike_engine::report::policy::Policy;
use lookalike_engine::run::assemble;
use lookalike_engine::{Error, OptionName, Scan};
use rayon::prelude::*;

impl Index {
    /// Holds a scan by shingles against this index of the same recipe: the report says which documents are known or touch what is known, and
    /// leaves out the clusters in which nothing is new.
    pub fn mark_known(&self, scan: &mut Scan) -> Result<(), Error> {
        let lens = self.lens.shingles()?;
        let snapshot = &self.snapshot;
        self.check_recipe(&scan.report().head.recipe)?;
        let Some(section) = scan.report().shingles() else {
            return Err(Error::NotOfLens { what: OptionName::Index, lens: scan.report().head.lens });
        };
        let (estimate, include_boilerplate) = (section.estimate, section.include_boilerplate);
        let Policy { threshold, contained, .. } = scan.report().head.policy;
        let asked = ShinglesQuery { threshold, contained, verify: false, include_boilerplate };
        let options = QueryOptions::from(asked).with_limit(1);
        let documents = &scan.documents()?.documents;
        let (catalogue, loader) = (&documents.catalogue, documents.loader());
        let looked = (0..catalogue.len() as u32).into_par_iter().with_min_len(16).map(|document| {
            let entry = catalogue.entry(document)?;
            if let Some(known) = snapshot.document(entry.content)? {
                let url = snapshot.seen(known)?.into_iter().next().map_or_else(String::new, |seen| seen.url);
                return Ok(Err(KnownDocument { id: entry.id, url }));
            }
            let named = (&*entry.id, entry.content, entry.lexical);
            let mut result = lens.search_sketch(snapshot, named, catalogue.sketch(document)?, &options)?;
            if !estimate
                && let Some(found) = result.matches.shingles_mut().and_then(|found| found.matches.first_mut())
                && let Some((id, body)) = loader.body(document)?
            {
                let set = lens.sketcher()?.set(&id, &body).ok();
                lens.verify(snapshot, std::slice::from_mut(found), set.as_deref())?;
            }
            Ok(Ok(touching(&entry.id, &result)))
        });
        let looked: Vec<Result<Option<Touching>, KnownDocument>> = looked.collect::<Result<_, Error>>()?;
        let is_new = |document: u32| looked[document as usize].is_ok();
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
        let new = looked.iter().filter(|found| found.is_ok()).count() as u64;
        let mut known_as: Vec<KnownDocument> =
            looked.iter().filter_map(|found| found.as_ref().err().cloned()).collect();
        known_as.sort_unstable();
        let known = known_as.len() as u64;
        let mut touching: Vec<Touching> = looked.into_iter().flatten().flatten().collect();
        touching.sort_by(|a, b| (&a.id, &a.content).cmp(&(&b.id, &b.content)));
        report.head.against =
            Some(Against { index: snapshot.path.display().to_string(), known, known_as, new, touching });
        Ok(())
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
