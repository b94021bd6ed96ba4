//! Very frequent features: a site's headers and footers. They are ignored, and shown as templates.
//!
//! The sketches tell which *sampled* features stand in more than `max_df` documents. What is verified are whole sets, so the
//! rest of the same template must be known too: sixteen of the documents, drawn by their content, are read again, and what three
//! quarters of them share is the template.

use crate::Error;
use crate::lens::shingles::frequent_feature::{Draw, FrequentFeature, MAX_DRAWN};
use crate::lens::shingles::set_loader::SetLoader;
use crate::report::shingles::Template;
use crate::run::Session;
use lookalike_core::members::Members;
use lookalike_core::{align, sets, shingle, text};
use lookalike_corpus::Body;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

const MIN_SHARED_BY: usize = 12;
/// Templates that are completed; beyond these only the sampled features are ignored.
const MAX_TEMPLATES: u32 = 10_000;
/// Templates that a report shows.
const MAX_SHOWN_TEMPLATES: usize = 100;
/// Characters of a template's text that a report shows.
const MAX_TEMPLATE_TEXT: usize = 600;

/// What is ignored, and what to tell of it.
#[derive(Default)]
pub struct FrequentText {
    pub features: FrequentFeatures,
    pub templates: Vec<Template>,
}

/// Frequent features, each with the family of features that stand in the same documents: one header, one footer.
#[derive(Default)]
pub struct FrequentFeatures {
    members: Members,
    families: Vec<u32>,
}

/// The family of what people named a template.
const NAMED: u32 = u32::MAX;

impl FrequentFeatures {
    /// A feature that is there twice stays with its first family.
    fn new(mut found: Vec<(u64, u32)>) -> Self {
        found.sort_by_key(|f| f.0);
        found.dedup_by_key(|f| f.0);
        let (sorted, families): (Vec<u64>, Vec<u32>) = found.into_iter().unzip();
        Self { members: Members::new(sorted), families }
    }

    /// Features of which no family is known, sorted.
    pub fn of(features: Vec<u64>) -> Self {
        Self { families: vec![NAMED; features.len()], members: Members::new(features) }
    }

    /// All of them.
    pub fn members(&self) -> &Members {
        &self.members
    }

    /// Those that are frequent by themselves, not because people named them.
    pub fn found(&self) -> Members {
        let all = self.members.as_slice().iter().zip(&self.families);
        Members::new(all.filter(|(_, family)| **family != NAMED).map(|(feature, _)| *feature).collect())
    }

    /// Takes what is frequent out of a list, and notes the families of what it takes.
    pub fn take_from(&self, features: &mut Vec<u64>, families: &mut Vec<u32>) {
        families.clear();
        features.retain(|feature| match self.members.place(*feature) {
            Some(at) => {
                families.push(self.families[at]);
                false
            }
            None => true,
        });
    }

    /// How many of these families are of features that are frequent by themselves.
    pub fn count_found(families: &[u32]) -> usize {
        families.iter().filter(|family| **family != NAMED).count()
    }

    /// The family that most features are of, if there are any.
    pub fn most_common(families: &mut [u32]) -> Option<u32> {
        families.sort_unstable();
        let most = families.chunk_by(|a, b| a == b).max_by_key(|run| (run.len(), std::cmp::Reverse(run[0])))?;
        Some(most[0])
    }
}

impl FrequentText {
    /// Adds what most of each group of documents share: people found it to be a template.
    pub fn add<'a>(
        &mut self,
        session: &Session<'_>,
        loader: &SetLoader<'_>,
        groups: impl Iterator<Item = &'a [u32]>,
    ) -> Result<(), Error> {
        let mut named: Vec<u64> = Vec::new();
        for documents in groups {
            session.cancel.check()?;
            let mut draw = Draw::default();
            for document in documents {
                draw.offer(loader.catalogue.tie_breaks[*document as usize], *document);
            }
            let (drawn, documents) = (draw.finish(), documents.len() as u64);
            let shared = shared_features(loader, &drawn, MIN_SHARED_BY)?;
            if !shared.is_empty() {
                let described = describe(loader, &drawn, documents, &shared)?;
                self.templates.push(Template { named: true, ..described });
                named.extend(shared);
            }
        }
        if named.is_empty() {
            return Ok(());
        }
        self.templates.sort_by_key(|template| std::cmp::Reverse((template.named, template.documents)));
        self.templates.truncate(MAX_SHOWN_TEMPLATES);
        let known = self.features.members.as_slice().iter().copied().zip(self.features.families.iter().copied());
        self.features = FrequentFeatures::new(named.into_iter().map(|f| (f, NAMED)).chain(known).collect());
        Ok(())
    }
}

/// Features with the same drawn documents: one template.
struct Group {
    documents: u64,
    features: Vec<u64>,
}

pub fn find(
    session: &Session<'_>,
    loader: &SetLoader<'_>,
    frequent: Vec<FrequentFeature>,
) -> Result<FrequentText, Error> {
    let mut groups: BTreeMap<Vec<u32>, Group> = BTreeMap::new();
    for FrequentFeature { feature, documents, drawn } in frequent {
        let group = groups.entry(drawn).or_insert(Group { documents: 0, features: Vec::new() });
        group.documents = group.documents.max(documents);
        group.features.push(feature);
    }
    let mut groups: Vec<(Vec<u32>, Group)> = groups.into_iter().collect();
    // smallest feature as the last word: the order of reading must not show
    groups.sort_by_key(|(_, g)| {
        (std::cmp::Reverse(g.documents), std::cmp::Reverse(g.features.len()), g.features.iter().min().copied())
    });
    let mut found: Vec<(u64, u32)> = Vec::new();
    let mut known: Vec<u64> = Vec::new();
    let mut templates = Vec::new();
    for (family, (drawn, group)) in (0..).zip(groups) {
        session.cancel.check()?;
        found.extend(group.features.iter().map(|f| (*f, family)));
        if family >= MAX_TEMPLATES || group.features.iter().all(|f| known.binary_search(f).is_ok()) {
            continue;
        }
        // where all that have the feature were drawn, all must share what is ignored with it
        let all_drawn = group.documents <= MAX_DRAWN as u64;
        let mut shared = shared_features(loader, &drawn, if all_drawn { MAX_DRAWN } else { MIN_SHARED_BY })?;
        shared.extend(&group.features);
        sets::into_set(&mut shared);
        if templates.len() < MAX_SHOWN_TEMPLATES {
            templates.push(describe(loader, &drawn, group.documents, &shared)?);
        }
        found.extend(shared.iter().map(|f| (*f, family)));
        known.extend(&shared);
        sets::into_set(&mut known);
    }
    Ok(FrequentText { features: FrequentFeatures::new(found), templates })
}

/// What most of these documents share, if there is any.
pub fn shared_text(loader: &SetLoader<'_>, documents: impl Iterator<Item = u32>) -> Result<Option<Template>, Error> {
    let (mut draw, mut all) = (Draw::default(), 0);
    for document in documents {
        draw.offer(loader.catalogue.tie_breaks[document as usize], document);
        all += 1;
    }
    let drawn = draw.finish();
    let shared = shared_features(loader, &drawn, MIN_SHARED_BY)?;
    if shared.is_empty() { Ok(None) } else { describe(loader, &drawn, all, &shared).map(Some) }
}

/// What so many of sixteen drawn documents share; nothing where they cannot be read again.
fn shared_features(loader: &SetLoader<'_>, drawn: &[u32], shared_by: usize) -> Result<Vec<u64>, Error> {
    let sets = loader.whole_sets(drawn)?;
    let read = sets.iter().flatten().count();
    let mut count: FxHashMap<u64, usize> = FxHashMap::default();
    for feature in sets.iter().flatten().flat_map(|set| set.iter()) {
        *count.entry(*feature).or_default() += 1;
    }
    let least = (shared_by * read).div_ceil(MAX_DRAWN).max(2);
    let mut shared: Vec<u64> = count.into_iter().filter(|(_, n)| *n >= least).map(|(f, _)| f).collect();
    shared.sort_unstable();
    Ok(shared)
}

fn describe(loader: &SetLoader<'_>, drawn: &[u32], documents: u64, shared: &[u64]) -> Result<Template, Error> {
    let mut ids: Vec<(String, u32)> = Vec::new();
    for document in drawn {
        ids.push((loader.catalogue.id(*document)?, *document));
    }
    ids.sort();
    let (example, document) = ids.swap_remove(0);
    let (w, fp) = (loader.sketcher.recipe.w, &loader.sketcher.hasher);
    if let Some((_, Body::Features(items))) = loader.body(document)? {
        let is_shared = |item: &str| shared.binary_search(&fp.permute(fp.word(item.as_bytes()))).is_ok();
        let items: Vec<&str> =
            items.iter().map(AsRef::as_ref).filter(|item| is_shared(item)).take(MAX_TEMPLATE_TEXT / 8).collect();
        let text = Some(items.join(" "));
        return Ok(Template { documents, shingles: shared.len() as u64, text, example, named: false });
    }
    let text = loader.canonical(document)?.map(|canonical| {
        let words = text::words(&canonical.text, fp);
        let mut shingles = Vec::new();
        shingle::extend_from_text(&canonical.text, w, fp, &mut shingles);
        let marks = align::covered(&shingles, words.len(), w, shared);
        let mut shown = String::new();
        let mut last = None;
        for (at, word) in words.iter().enumerate().filter(|(at, _)| marks[*at]) {
            if last.is_some_and(|l| l + 1 < at) {
                shown.push_str(" […]");
            }
            if !shown.is_empty() {
                shown.push(' ');
            }
            shown.push_str(&canonical.text[word.span.clone()]);
            last = Some(at);
            if shown.len() > MAX_TEMPLATE_TEXT {
                shown.push_str(" […]");
                break;
            }
        }
        shown
    });
    Ok(Template { documents, shingles: shared.len() as u64, text, example, named: false })
}
