//! A scan held against an index: only what is new, or touches the new.

use crate::query::reader::Index;
use crate::answers::{Answer, QueryOptions, Verified};
use crate::segment::meta::check_recipe;
use lookalike_engine::report::Class;
use lookalike_engine::report::against::{Against, Known, Touching};
use lookalike_engine::lens::shingles::scan::Scan;
use crate::{Error, Policy, ScanOptions};
use rayon::prelude::*;
use std::path::Path;

impl Index {
    /// Opens an index that a scan with these options can be held against.
    pub fn open_for(path: &Path, options: &ScanOptions) -> Result<Self, Error> {
        let index = Self::open(path, &options.key)?;
        check_recipe(path, index.recipe(), &options.recipe)?;
        Ok(index)
    }
}

impl Scan {
    /// Holds the scan against an index: says which documents are known or touch what is known, and leaves out of the report the clusters
    /// in which nothing is new.
    pub fn hold_against(&mut self, index: &Index) -> Result<(), Error> {
        check_recipe(&index.path, index.recipe(), &self.front.recipe)?;
        let Policy { threshold, contained, .. } = self.report.policy;
        let options = QueryOptions { threshold, contained, verify: false, whole: self.report.whole, limit: 1 };
        let looked = (0..self.catalogue.len() as u32).into_par_iter().with_min_len(16).map(|document| {
            let entry = self.catalogue.entry(document)?;
            if let Some(known) = index.document(entry.content)? {
                let url = index.seen(known)?.into_iter().next().map_or_else(String::new, |seen| seen.url);
                return Ok(Err(Known { id: entry.id, url }));
            }
            let sketch = self.catalogue.sketch(document)?;
            let mut answer = index.query_sketch(&entry.id, entry.content, entry.lexical, sketch, &options)?;
            if !self.report.estimate
                && let Some(found) = answer.matches.first_mut()
                && let Some((id, body)) = self.loader().body(document)?
            {
                index.verify(std::slice::from_mut(found), self.front.set(&id, &body).ok().as_deref())?;
            }
            Ok(Ok(touching(&entry.id, answer)))
        });
        let looked: Vec<Result<Option<Touching>, Known>> = looked.collect::<Result<_, Error>>()?;
        let is_new = |document: u32| looked[document as usize].is_ok();
        let clusters = std::mem::take(&mut self.report.clusters);
        let all_known = clusters.len();
        self.report.clusters = clusters
            .into_iter()
            .filter(|cluster| is_new(cluster.document) || cluster.members.iter().any(|m| is_new(m.document)))
            .collect();
        if self.report.clusters.len() < all_known {
            for (at, cluster) in self.report.clusters.iter_mut().enumerate() {
                cluster.id = at as u64 + 1;
            }
            self.report.summary = lookalike_engine::run::assemble::sum(&self.report.clusters);
        }
        let new = looked.iter().filter(|found| found.is_ok()).count() as u64;
        let mut known_as: Vec<Known> = looked.iter().filter_map(|found| found.as_ref().err().cloned()).collect();
        known_as.sort_unstable();
        let mut touching: Vec<Touching> = looked.into_iter().flatten().flatten().collect();
        touching.sort_by(|a, b| (&a.id, &a.content).cmp(&(&b.id, &b.content)));
        let known = self.catalogue.len() as u64 - new;
        self.report.against = Some(Against { index: index.path.display().to_string(), known, known_as, new, touching });
        Ok(())
    }
}

fn touching(id: &str, answer: Answer) -> Option<Touching> {
    let more = answer.more;
    let found = answer.matches.into_iter().next()?;
    let seen = found.seen.into_iter().next()?;
    Some(Touching {
        id: id.to_owned(),
        url: seen.url,
        date: seen.last,
        content: found.content,
        class: found.class?,
        resemblance: found.resemblance,
        new_in_known: found.query_in_document,
        known_in_new: found.document_in_query,
        verified: found.verified,
        more,
    })
}
