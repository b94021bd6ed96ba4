//! The boilerplate where frequent text counts: documents of which a pair may share nothing but frequent features, to which no lists lead.
//!
//! Each has keys made of its frequent features ([`Bands`]), and documents that have a key in common are one list. A list may hold most of a
//! site, so a document is compared with the [`Heads`] before it only: the first few, in the order of representatives, of each class of
//! documents that have about as many features and as many of their own. Those that all resemble each other join the first of them
//! anyway. Documents with the same frequent features resemble each other as far as their own are few, so each is compared with the
//! [`Plainest`] too: a page that is longer than its menu may resemble none but those that are hardly more than that. Who has other features
//! has other keys beside. A pair that also shares a listed feature is found by its list. What is found depends on the documents alone,
//! and each step could be done anywhere.

use crate::Error;
use crate::lens::shingles::candidates::{Candidate, Join};
use crate::lens::shingles::counted_features::SampleAt;
use crate::lens::shingles::posting_blocks::PostingBlock;
use crate::report::shingles::Candidates;
use crate::run::filter::Filter;
use crate::run::postings::{Posting, for_each_sorted, spread};
use lookalike_core::members::Members;
use lookalike_core::sketch::{Bands, SampleOverlap, Sampling};
use lookalike_store::{ExternalSort, Partitions, Parts, Sequence};
use rayon::prelude::*;

/// Heads of one class.
const MAX_HEADS: usize = 2;
/// Classes by the share of features that are a document's own.
const OWN_CLASSES: u32 = 20;
/// Pairs that are compared at once.
const BATCH_PAIRS: usize = 1 << 16;

/// Two documents, by their places in the order of representatives, the later one first.
type Pair = [u32; 2];

impl Join<'_> {
    /// Appends the pairs of boilerplate documents that share frequent features only. `lists` are all of them, where there was room.
    pub fn pairs_of_bands(
        &self,
        frequent: &Members,
        lists: Option<&PostingBlock>,
        out: &mut Sequence<Candidate>,
    ) -> Result<(), Error> {
        let session = self.session;
        let ranked = session.order.sorted(self.catalogue, self.counted.boilerplate(), &self.catalogue.sizes)?;
        let (bands, kinds) = self.band_lists(&ranked, frequent)?;
        let mut pairs = ExternalSort::new(&session.space, "the pairs of bands", session.share(8));
        for_each_sorted(session.cancel, &bands, session.share(8), |list| {
            let is_head = |p: &Posting| self.can_head(p.feature(), ranked[p.document as usize]);
            let listed = |p: &Posting| {
                let document = ranked[p.document as usize];
                let sample = self.has_lists().then(|| self.counted.sample_at(document, Bands::level(p.feature())));
                ListedDocument { place: p.document, sample: sample.flatten() }
            };
            let mut plainest = Plainest::default();
            for posting in list {
                plainest.offer(kinds[posting.document as usize], is_head(posting), posting);
            }
            let (plainest, mut heads) =
                (plainest.try_map(|posting| Ok::<_, Error>(listed(posting)))?, Heads::default());
            for head in list.iter().filter(|posting| is_head(posting)).map(listed) {
                self.pair_with_heads(plainest.of(true).chain(heads.iter()), &head, &mut pairs)?;
                heads.offer(kinds[head.place as usize], head);
            }
            let mut others = list.iter().filter(|posting| !is_head(posting)).map(listed);
            others
                .try_for_each(|other| self.pair_with_heads(plainest.of(false).chain(heads.iter()), &other, &mut pairs))
        })?;
        drop(bands);
        let mut unique = pairs.merged()?.peekable();
        let mut batch: Vec<Pair> = Vec::new();
        let mut last = None;
        while unique.peek().is_some() {
            for pair in unique.by_ref().take(BATCH_PAIRS) {
                let pair = pair?;
                if last.replace(pair) != Some(pair) {
                    batch.push(pair);
                }
            }
            session.cancel.check()?;
            let candidate = |pair: &Pair| self.band_candidate(frequent, lists, pair.map(|at| ranked[at as usize]));
            let pairs = batch.par_iter().map(candidate);
            for candidate in pairs.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten() {
                out.push(candidate)?;
            }
            batch.clear();
        }
        Ok(())
    }

    /// Takes the pairs of a document with the heads of a list, but those that cannot be candidates.
    fn pair_with_heads<'h>(
        &self,
        heads: impl Iterator<Item = &'h ListedDocument>,
        document: &ListedDocument,
        pairs: &mut ExternalSort<Pair>,
    ) -> Result<(), Error> {
        for head in heads.filter(|head| head.place != document.place) {
            let samples = document.sample.as_ref().zip(head.sample.as_ref());
            if samples.is_none_or(|(a, b)| self.least.candidate(a.most_overlap(b, 0))) {
                pairs.push([document.place.max(head.place), document.place.min(head.place)])?;
            }
        }
        Ok(())
    }

    /// Whether lists lead to all who share a feature that is not frequent.
    fn has_lists(&self) -> bool {
        self.method == Candidates::Shingles
    }

    /// The documents of each key, by their places in the order of representatives, and the kind of each.
    fn band_lists(&self, ranked: &[u32], frequent: &Members) -> Result<(Parts<Posting>, Vec<Kind>), Error> {
        let mut places = vec![0; self.catalogue.len()];
        for (place, document) in (0..).zip(ranked) {
            places[*document as usize] = place;
        }
        let (bands, mut kinds) = (bands(&self.filter), vec![Kind::default(); ranked.len()]);
        let mut parts = Partitions::new(&self.session.space, "the bands", self.session.share(8));
        self.catalogue.for_each_sketch(|document, sketch| {
            if document % 4096 == 0 {
                self.session.cancel.check()?;
            }
            if self.counted.is_boilerplate(document) {
                sketch.features.retain(|feature| frequent.place(*feature).is_some());
                let (place, counts) = (places[document as usize], self.counted.counts(document));
                kinds[place as usize] = Kind::of(counts.kept, sketch.features.len() as u32);
                for level in counts.boilerplate_levels(&sketch.features, &self.filter) {
                    for key in bands.keys(&sketch.features, level) {
                        parts.push((spread(key) >> 56) as usize, Posting::new(key, place))?;
                    }
                }
            }
            Ok::<_, Error>(())
        })?;
        Ok((parts.finish()?, kinds))
    }

    /// Whether a document may head the list of a key: two that do not are compared at another level than that of the key.
    fn can_head(&self, key: u64, document: u32) -> bool {
        can_head(self.filter.sampling, key, self.counted.level(document))
    }

    /// The candidate that two documents are, unless lists lead from one to the other.
    fn band_candidate(
        &self,
        frequent: &Members,
        lists: Option<&PostingBlock>,
        [x, y]: Pair,
    ) -> Result<Option<Candidate>, Error> {
        let has_lists = self.has_lists();
        // what is in memory tells: most pairs of a site share too little, and most others are found by their lists
        if let Some(overlap) = self.counted.overlap(x, y, 0).filter(|_| has_lists) {
            if !self.filter.candidate(overlap) {
                return Ok(None);
            }
            if let Some(lists) = lists {
                let is_listed = lists.shared(x, y) > 0;
                return Ok((!is_listed).then(|| Candidate::new(x, y, overlap).ordered()));
            }
        }
        let (x_sketch, y_sketch) = (self.catalogue.sketch(x)?, self.catalogue.sketch(y)?);
        let sample = SampleOverlap::of(self.filter.sampling, &x_sketch, &y_sketch);
        let leads = |f: &u64| frequent.place(*f).is_none() && y_sketch.features.binary_search(f).is_ok();
        let is_wanted = self.filter.candidate(sample) && !(has_lists && x_sketch.features.iter().any(leads));
        Ok(is_wanted.then(|| Candidate::new(x, y, sample).ordered()))
    }
}

/// A document in the list of a key.
struct ListedDocument {
    /// Its place in the order of representatives.
    place: u32,
    /// What tells, of the level of the key, how much it can share at most: beside those of the other heads, so that none is waited for.
    sample: Option<SampleAt>,
}

/// How the keys of boilerplate are made, for pairs that are wanted.
pub fn bands(filter: &Filter) -> Bands {
    // a document inside another may resemble it little
    Bands::for_resemblance(if filter.policy.contained.is_some() { 0.0 } else { filter.policy.threshold })
}

/// Whether a document of this level may head the list of a key.
pub fn can_head(sampling: Sampling, key: u64, level: u8) -> bool {
    !matches!(sampling, Sampling::Nested(_)) || level == Bands::level(key)
}

/// What kind of document it is among those of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    class: u32,
    /// Features that are not frequent.
    own: u32,
}

impl Kind {
    /// Of a document with so many features, and so many of them frequent.
    pub fn of(features: u32, frequent: u32) -> Self {
        let (size, own) = (features.max(1), features.saturating_sub(frequent));
        // the highest three bits: four classes for each doubling
        let low_bits = size.ilog2().saturating_sub(2);
        Self { class: (own * OWN_CLASSES / size) << 16 | low_bits << 8 | size >> low_bits, own }
    }

    /// Whatever they are.
    fn size(self) -> u32 {
        self.class & 0xffff
    }
}

/// Those of a list that who comes later is compared with.
pub struct Heads<T> {
    classes: Vec<u32>,
    documents: Vec<T>,
}

impl<T> Default for Heads<T> {
    fn default() -> Self {
        Self { classes: Vec::new(), documents: Vec::new() }
    }
}

impl<T> Heads<T> {
    /// Takes the next document that may head the list.
    pub fn offer(&mut self, kind: Kind, document: T) {
        if self.classes.iter().filter(|class| **class == kind.class).count() < MAX_HEADS {
            self.classes.push(kind.class);
            self.documents.push(document);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.documents.iter()
    }
}

/// Those of a list, one of about each size, that have the fewest features of their own: all others are compared with them.
pub struct Plainest<T>(Vec<(Kind, bool, T)>);

impl<T> Default for Plainest<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Plainest<T> {
    /// Looks at the next document of the list.
    pub fn offer(&mut self, kind: Kind, can_head: bool, document: T) {
        let is_like = |(plain, heads, _): &&mut (Kind, bool, T)| plain.size() == kind.size() && *heads == can_head;
        match self.0.iter_mut().find(is_like) {
            None => self.0.push((kind, can_head, document)),
            Some(plain) if kind.own < plain.0.own => *plain = (kind, can_head, document),
            Some(_) => {}
        }
    }

    /// Those that a document is compared with: if it may not head the list, only such as may.
    pub fn of(&self, can_head: bool) -> impl Iterator<Item = &T> {
        self.0.iter().filter(move |(_, heads, _)| can_head || *heads).map(|(_, _, document)| document)
    }

    /// The same in another form.
    pub fn try_map<U, E>(self, mut form: impl FnMut(T) -> Result<U, E>) -> Result<Plainest<U>, E> {
        let forms = self.0.into_iter().map(|(kind, can_head, document)| Ok((kind, can_head, form(document)?)));
        forms.collect::<Result<_, E>>().map(Plainest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_part_sizes_and_shares() {
        let class = |features, frequent| Kind::of(features, frequent).class;
        assert_eq!(class(80, 80), class(90, 90));
        assert_ne!(class(80, 80), class(100, 100), "of another size");
        assert_ne!(class(80, 80), class(80, 70), "with more of its own");
        assert!((0..500).all(|all| (0..=all + 1).all(|frequent| class(all, frequent) < 21 << 16)));
        assert_eq!(Kind::of(80, 80).size(), Kind::of(80, 70).size());
        assert_ne!(Kind::of(80, 80).size(), Kind::of(100, 100).size());
    }

    #[test]
    fn the_first_of_a_class_are_heads() {
        let mut heads = Heads::default();
        (0..100).for_each(|document| heads.offer(Kind { class: document % 3, own: 0 }, document));
        assert_eq!(heads.iter().copied().collect::<Vec<u32>>(), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_plainest_of_a_size_have_the_fewest_of_their_own() {
        let mut plainest = Plainest::default();
        for document in 0..100 {
            plainest.offer(Kind::of(80 + document % 2 * 40, 40 + document / 4), document % 3 == 0, document);
        }
        let found = |can_head| plainest.of(can_head).copied().collect::<Vec<u32>>();
        assert_eq!(found(true), [96, 97, 98, 99]);
        assert_eq!(found(false), [96, 99]);
    }
}
