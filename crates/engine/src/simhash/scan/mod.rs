//! A scan by fingerprints from end to end: who is within k bits of whom, in clusters.
//!
//! Nothing is missed and nothing is guessed about distances: all pairs of fingerprints within k are found. That two fingerprints are near
//! does not say that the documents are; with `verify` every pair is compared by its shingles, and how many hold is reported.

mod clusters;
mod found;
mod guards;
mod nodes;
mod reading;
#[cfg(test)]
mod tests;
mod verify;

pub use found::Simhash;

use super::Options;
use super::front::Front;
use super::idf::frequencies;
use crate::options::{Candidates, Linkage};
use crate::pipeline::clustering::Judged;
use crate::pipeline::decided::Decisions;
use crate::pipeline::filter::Filter;
use crate::pipeline::loader::{Loader, Sets};
use crate::pipeline::ranking::Ranking;
use crate::pipeline::{Session, assemble};
use crate::progress::{Cancel, Progress, Unit};
use crate::report::{Cluster, Report, Reviewed, SCHEMA, Summary};
use crate::scan::{Back, Scan, all_skipped, reading};
use crate::{Error, Input, ScanOptions, exchange, resources};
use guards::Guards;
use lookalike_core::bits::FingerprintBits;
use lookalike_corpus::Corpus;
use lookalike_hamming::check_distance;
use lookalike_store::Records;
use nodes::Nodes;
use reading::Documents;

/// What a scan by fingerprints is asked.
#[derive(Clone, Default)]
pub struct Question {
    /// How documents become fingerprints. In `scan`, the linkage of the policy decides; the rest of the policy and the recipe are those of the
    /// verification, and the category field of the corpus tells which documents may be paired.
    pub options: Options,
    /// The greatest distance of a link.
    pub k: u32,
    /// The least length of the shorter of two documents as a share of the longer, in words.
    pub length_ratio: Option<f64>,
    /// Features that more different documents than this have do not count.
    pub drop_common: Option<u64>,
    /// Compare every pair by its shingles, and keep those that resemble.
    pub verify: bool,
}

impl Question {
    fn check(&self, inputs: &[Input]) -> Result<(), Error> {
        let wrong = |message: String| Err(Error::Options(message));
        let scan = &self.options.scan;
        scan.policy.check()?;
        check_distance(self.k)?;
        if let Some(ratio) = self.length_ratio.filter(|ratio| !(*ratio > 0.0 && *ratio <= 1.0)) {
            return wrong(format!("--length-ratio: expected a share of more than 0 and at most 1, found {ratio}"));
        }
        if scan.memory < 16 << 20 {
            return wrong(format!("--memory of at least 16M is needed, found {} bytes", scan.memory));
        }
        if self.drop_common.is_some() && !inputs.iter().all(|input| matches!(input, Input::Path(_))) {
            return wrong(
                "--drop-common reads the documents twice, and standard input can be read once; give files or folders, or make a \
                 table with lookalike simhash idf"
                    .into(),
            );
        }
        if !scan.decisions.is_empty() && !self.verify {
            return wrong("decisions are held against verified clusters only; add --verify".into());
        }
        let exchanged = inputs.iter().find_map(|input| match input {
            Input::Path(path) if exchange::is_exchange(path) => Some(path),
            _ => None,
        });
        exchanged.map_or(Ok(()), |path| {
            wrong(format!(
                "{} is an exchange file, not documents: it has no fingerprints; scan documents",
                path.display()
            ))
        })
    }
}

/// Scans by fingerprints. What [`Scan::pairs`] tells needs `verify`; there are no sketches to save.
pub fn scan(inputs: Vec<Input>, question: &Question, progress: &dyn Progress, cancel: &Cancel) -> Result<Scan, Error> {
    question.check(&inputs)?;
    // how many pairs hold is only known if all of them are compared
    let options = ScanOptions { all_pairs: question.verify, estimate: false, ..question.options.scan.clone() };
    let corpus = Corpus::open(inputs, reading(&options))?;
    let session = Session::new(&options, progress, cancel)?;
    resources::pool(options.threads)?.install(|| match question.options.recipe.bits {
        128 => phases::<u128>(&session, question, corpus),
        _ => phases::<u64>(&session, question, corpus),
    })
}

fn phases<F: FingerprintBits>(session: &Session<'_>, question: &Question, corpus: Corpus) -> Result<Scan, Error> {
    let options = session.options;
    let front = front(session, question, &corpus)?;
    let documents = session.phase("fingerprint", Unit::Bytes, corpus.total_bytes(), |counts| {
        let documents = reading::read::<F>(session, &corpus, &front)?;
        counts.insert("documents", documents.catalogue.len() as u64);
        counts.insert("bytes", documents.catalogue.bytes);
        counts.insert("identical", documents.equivalents.all().len() as u64);
        Ok(documents)
    })?;
    let guards = Guards::new(question.length_ratio);
    let mut nodes = session.phase("pairs", Unit::Documents, None, |counts| {
        let nodes = Nodes::find(session, question.k, &documents, guards)?;
        counts.insert("fingerprints", nodes.distinct);
        counts.insert("pairs", nodes.pairs);
        Ok(nodes)
    })?;
    let Documents { mut catalogue, equivalents, fingerprints, .. } = documents;
    let mut found = Simhash::new(question, options, &nodes, &catalogue);
    let decisions = Decisions::new(&options.decisions, &catalogue)?;
    let filter = Filter { policy: options.policy, sampling: options.recipe.sampling, estimate: false };
    let back = Back { catalogue: &catalogue, equivalents: &equivalents, decisions: &decisions };
    nodes.rank(session, &catalogue)?;
    let (lost, clustered) = if question.verify {
        let loader = Loader::new(&catalogue, &corpus, &session.front);
        let effective = crate::pipeline::effective::Effective::everything(catalogue.len(), filter.sampling);
        let mut sets = Sets::new(&loader, &effective, session.share(4));
        let verified = verify::verify(session, &filter, &nodes, &back, &mut sets, &mut found)?;
        (sets.lost(), verified)
    } else {
        let unverified = session.phase("cluster", Unit::Documents, None, |counts| {
            let links = match options.policy.linkage {
                Linkage::Star => clusters::stars(session, &nodes)?,
                Linkage::Single => clusters::components(session, &nodes)?,
            };
            let (clusters, summary) = assemble::assemble(&filter, links, &back)?;
            counts.insert("clusters", clusters.len() as u64);
            Ok(Clustered { clusters, summary, ..Clustered::default() })
        })?;
        (Vec::new(), unverified)
    };
    let Clustered { mut clusters, mut summary, ranking, judged, reviewed } = clustered;
    found::distances(&mut clusters, &fingerprints);
    if !question.verify {
        found::classes(&mut clusters, &mut summary, question.k, guards, &catalogue.sizes);
    }
    let skipped = all_skipped(&mut catalogue, lost)?;
    let report = Report {
        schema: SCHEMA,
        lookalike: env!("CARGO_PKG_VERSION"),
        recipe: front.recipe().to_string(),
        policy: options.policy,
        candidates: Candidates::Simhash,
        common: options.common,
        whole: true,
        estimate: false,
        documents: catalogue.len() as u64,
        bytes: catalogue.bytes,
        unsampled: 0,
        repeated_ids: catalogue.repeated_ids,
        summary,
        reviewed,
        against: None,
        chunks: None,
        simhash: Some(found),
        skipped,
        clusters,
        templates: Vec::new(),
        phases: session.phases(),
        usage: session.usage(),
    };
    let sizes = catalogue.sizes.clone();
    let (common, explored, front) = (options.common, options.policy.threshold, session.front.clone());
    Ok(Scan {
        report,
        filter,
        catalogue,
        equivalents,
        sizes,
        ranking,
        judged,
        decisions,
        front,
        corpus,
        explored,
        common,
    })
}

/// How documents become fingerprints; with `drop_common`, once it is known what is common.
fn front(session: &Session<'_>, question: &Question, corpus: &Corpus) -> Result<Front, Error> {
    let Some(most) = question.drop_common else { return Front::new(&question.options) };
    let mut common = Vec::new();
    frequencies(session, corpus, &question.options, true, |feature, documents| {
        if documents > most {
            common.push(feature);
        }
    })?;
    Front::without(&question.options, common)
}

/// Clusters, and what is known of the pairs behind them.
struct Clustered {
    clusters: Vec<Cluster>,
    summary: Summary,
    ranking: Ranking,
    judged: Option<Records<Judged>>,
    reviewed: Option<Reviewed>,
}

impl Default for Clustered {
    fn default() -> Self {
        let ranking = Ranking { documents: Vec::new() };
        Self { clusters: Vec::new(), summary: Summary::default(), ranking, judged: None, reviewed: None }
    }
}
