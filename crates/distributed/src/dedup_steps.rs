//! The steps for one set of options.

use crate::Error;
use crate::packing::{Buckets, Packer};
use crate::sorted_rows::SortedRows;
use crate::step::Step;
use crate::steps::{
    canonical::Canonical, duplicates::Duplicates, frequencies::Frequencies, ids::Ids, members::Members, pairs::Pairs,
    postings::Postings, prefixes::Prefixes, removals::Removals, sketch::SketchTexts, stars::Stars, verify::Verify,
};
use crate::task::Task;
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use lookalike_core::cluster::Linkage;
use lookalike_core::sketch::Sampling;
use lookalike_engine::ShinglesOptions;
use lookalike_engine::lens::shingles::sketcher::Sketcher;
use lookalike_engine::report::shingles::Candidates;
use lookalike_engine::run::filter::{Filter, LeastShared};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// What is asked, and what a step may use.
#[derive(Clone, Debug)]
pub struct DistributedOptions {
    /// How documents are compared; as of a dedup on one machine.
    pub shingles: ShinglesOptions,
    /// The secret that features are made with; empty for none.
    pub key: String,
    /// Texts of more bytes are not read.
    pub max_size: u64,
    /// Documents that have pairs go to so many cells each, at most. The more, the fewer documents are in one.
    pub side: u32,
    /// Numbers that the engine sends to different partitions, one for each partition: rows are packed for them. One if there are none.
    pub buckets: Vec<i64>,
    /// Bytes that the rows of one partition may take in memory while they are sorted, and feature sets when they are compared; the others
    /// wait on disk.
    pub memory: usize,
    /// Where they wait; the system's folder for such files if none.
    pub temp: Option<PathBuf>,
}

impl DistributedOptions {
    /// These options with the limits of one machine, and few cells.
    pub fn new(shingles: ShinglesOptions) -> Self {
        Self {
            shingles,
            key: String::new(),
            max_size: 64 << 20,
            side: 8,
            buckets: Vec::new(),
            memory: 256 << 20,
            temp: None,
        }
    }
}

/// Makes steps, a new one for each partition.
#[derive(Clone, Debug)]
pub struct DedupSteps {
    pub(crate) options: DistributedOptions,
    pub(crate) sketcher: Sketcher,
    pub(crate) filter: Filter,
    pub(crate) buckets: Buckets,
    /// Made by the first step that compares, for all after it.
    pub(crate) least: Arc<OnceLock<LeastShared>>,
}

impl DedupSteps {
    /// The names of all steps, in the order of the data.
    pub const NAMES: [&'static str; 12] = [
        "sketch",
        "ids",
        "duplicates",
        "canonical",
        "postings",
        "frequencies",
        "prefixes",
        "pairs",
        "members",
        "verify",
        "stars",
        "removals",
    ];

    /// Steps that give what one machine gives with these options.
    pub fn new(options: DistributedOptions) -> Result<Self, Error> {
        let ShinglesOptions { recipe, policy, min_words, .. } = &options.shingles;
        options.shingles.check()?;
        check(&options.shingles)?;
        let sketcher = Sketcher::new(recipe, &options.key)?.with_min_words(*min_words);
        let filter = Filter { policy: *policy, sampling: recipe.sampling, estimate: false };
        let buckets = Buckets::new(&options.buckets);
        Ok(Self { options, sketcher, filter, buckets, least: Arc::default() })
    }

    /// A step for one partition, by its name.
    pub fn step(&self, name: &str) -> Option<Box<dyn Step>> {
        Some(match name {
            "sketch" => Box::new(SketchTexts::new(self)),
            "ids" => Box::new(Ids::new()),
            "duplicates" => Box::new(Duplicates::new()),
            "canonical" => Box::new(Canonical::new()),
            "postings" => Box::new(Postings::new()),
            "frequencies" => Box::new(Frequencies::new(self)),
            "prefixes" => Box::new(Prefixes::new(self)),
            "pairs" => Box::new(Pairs::new(self)),
            "members" => Box::new(Members::new(self)),
            "verify" => Box::new(Verify::new(self)),
            "stars" => Box::new(Stars::new()),
            "removals" => Box::new(Removals::new(self)),
            _ => return None,
        })
    }

    /// A step on the rows of one partition, which may be packed and in any order. What comes out is packed for another step if it is to be.
    pub fn task<I: Iterator<Item = Result<RecordBatch, ArrowError>>>(
        &self,
        step: Box<dyn Step>,
        pack_for: Option<&dyn Step>,
        rows: I,
    ) -> Result<Task<I>, Error> {
        let (shuffle, options) = (step.shuffle(), &self.options);
        let sort = (!shuffle.sort_by.is_empty())
            .then(|| SortedRows::new(shuffle, options.memory, options.temp.clone()))
            .transpose()?;
        let packer = pack_for.and_then(|step| Packer::new(step.shuffle(), self.buckets.clone()));
        Ok(Task::new(rows, step, sort, packer))
    }
}

/// Refuses what needs all documents in one place.
fn check(options: &ShinglesOptions) -> Result<(), Error> {
    let ShinglesOptions { recipe, policy, candidates, max_df, max_share, include_boilerplate, estimate, .. } = options;
    let refuse = |what, instead| Err(Error::Unsupported { what, instead });
    if !include_boilerplate {
        return refuse("ignoring frequent text", "let frequent text count");
    }
    if policy.contained.is_some() {
        return refuse("containment", "ask for resemblance only");
    }
    if policy.linkage != Linkage::Star {
        return refuse("single linkage", "use stars");
    }
    if !matches!(recipe.sampling, Sampling::Nested(_)) {
        return refuse("a sketch that is not nested", "use a nested sketch");
    }
    if *candidates != Candidates::Shingles {
        return refuse("super shingles", "use shingles");
    }
    if max_share.is_some() {
        return refuse("a share of documents as the greatest frequency", "use a number of documents");
    }
    if *max_df == 0 {
        return refuse("a greatest document frequency of 0", "let it be 1 at least");
    }
    if *estimate {
        return refuse("estimates in place of verified numbers", "let pairs be verified");
    }
    Ok(())
}
