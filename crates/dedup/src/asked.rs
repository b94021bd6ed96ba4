//! The options that decide a result: written into its summary, and compared when a run goes on.

use crate::contamination::ContaminationOptions;
use crate::cut::Granularity;
use crate::layout::shown;
use crate::options::DedupOptions;
use lookalike_engine::report::decisions::Decision;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::report::shingles::Candidates;
use lookalike_engine::{CorpusOptions, Keep, ScanOptions, ShinglesOptions};
use serde::Serialize;

/// Digits of a hash that are shown.
const HASH_DIGITS: usize = 16;

/// All options that decide the result of a run, as its summary has them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch")]
pub struct AskedOptions {
    /// The unit that is removed: documents, or pieces of them.
    pub granularity: Granularity,
    /// The comparison of documents.
    pub recipe: String,
    /// The numbers from which on documents are duplicates.
    pub policy: Policy,
    /// Documents of fewer words are compared by their bytes only.
    pub min_words: Option<u32>,
    /// Features in more documents are frequent.
    pub max_df: u32,
    /// Features in a larger share of the documents are frequent.
    pub max_share: Option<f64>,
    /// Frequent features count like any other.
    pub boilerplate: bool,
    /// Documents go by an estimate.
    pub estimate: bool,
    /// The way candidates are found.
    pub candidates: Candidates,
    /// The pipeline whose numbers are used.
    pub like: Option<&'static str>,
    /// The rule for the document that stays.
    pub keep: String,
    /// The field that ranks documents.
    pub rank_field: Option<String>,
    /// The field that names the source of a document.
    pub source_field: Option<String>,
    /// The only sources that documents are removed from; none is all.
    pub drop_only_from: Vec<String>,
    /// The number of decisions of people that were taken into account.
    pub decisions: u64,
    /// The beginning of the BLAKE3 hash of these decisions, as JSON.
    pub decisions_hash: Option<String>,
    /// The field of the text.
    pub text_field: String,
    /// The field of the id.
    pub id_field: String,
    /// The field of ready-made features, which replace the text.
    pub features_field: Option<String>,
    /// Hidden files are read.
    pub hidden: bool,
    /// Ignore files have no effect.
    pub no_ignore: bool,
    /// Links in folders are followed.
    pub follow_links: bool,
    /// Folders on other file systems are left out.
    pub one_fs: bool,
    /// Archives are read.
    pub archives: bool,
    /// Files of records are read record by record.
    pub shards: bool,
    /// Only files that match one of these are read.
    pub include: Vec<String>,
    /// Files that match one of these are not read.
    pub exclude: Vec<String>,
    /// Smaller documents are not compared.
    pub min_size: u64,
    /// Larger documents are not compared.
    pub max_size: u64,
    /// Indexes of documents that are known already.
    pub against: Vec<String>,
    /// The index that the rest is added to.
    pub update: Option<String>,
    /// Benchmarks whose items are looked for.
    pub benchmarks: Vec<String>,
    /// The field of the text of an item of a benchmark.
    pub against_field: String,
    /// Words in a row that a document must share with an item.
    pub against_words: usize,
    /// The least share of an item that a document must have.
    pub against_share: f64,
    /// All records are written, with marks.
    pub annotate: bool,
    /// Damaged records stay as they are.
    pub allow_damaged: bool,
}

impl From<&DedupOptions> for AskedOptions {
    // Every field is named, so that a new option is either taken here or left out on purpose.
    fn from(options: &DedupOptions) -> Self {
        let DedupOptions {
            granularity,
            shingles,
            scan,
            like,
            against,
            update,
            contamination,
            annotate,
            allow_damaged,
            resume: _,
        } = options;
        let ShinglesOptions {
            recipe,
            policy,
            min_words,
            max_df,
            max_share,
            include_boilerplate,
            estimate,
            candidates,
            // Nothing but what a scan reports depends on these.
            all_pairs: _,
            explore: _,
        } = shingles;
        // Beside these there are a secret, and what the run may use and counts. A test of the command finds flags that are missing here.
        let ScanOptions { corpus, decisions, keep, drop_only_from, .. } = scan;
        let CorpusOptions {
            hidden,
            no_ignore,
            follow_links,
            one_fs,
            archives,
            shards,
            include,
            exclude,
            min_size,
            max_size,
            id_field,
            text_field,
            features_field,
            category_field,
            rank_field,
            // Paths that this run writes.
            own: _,
            // Always set.
            strict_tables: _,
            // How it is read changes speed only; plain lines are of streams.
            plain_lines: _,
            prompt: _,
            batch_bytes: _,
            batch_files: _,
            read_ahead: _,
            read_ahead_bytes: _,
            unit_bytes: _,
        } = corpus;
        let ContaminationOptions { benchmarks, field, words, share } = contamination;
        Self {
            granularity: granularity.clone(),
            recipe: recipe.to_string(),
            policy: *policy,
            min_words: *min_words,
            max_df: *max_df,
            max_share: *max_share,
            boilerplate: *include_boilerplate,
            estimate: *estimate,
            candidates: *candidates,
            like: *like,
            keep: rule(keep),
            rank_field: rank_field.clone(),
            source_field: category_field.clone(),
            drop_only_from: drop_only_from.clone(),
            decisions: decisions.len() as u64,
            decisions_hash: (!decisions.is_empty()).then(|| hash(decisions)),
            text_field: text_field.clone(),
            id_field: id_field.clone(),
            features_field: features_field.clone(),
            hidden: *hidden,
            no_ignore: *no_ignore,
            follow_links: *follow_links,
            one_fs: *one_fs,
            archives: *archives,
            shards: *shards,
            include: include.clone(),
            exclude: exclude.clone(),
            min_size: *min_size,
            max_size: *max_size,
            against: against.iter().map(|path| shown(path)).collect(),
            update: update.as_deref().map(shown),
            benchmarks: benchmarks.iter().map(|path| shown(path)).collect(),
            against_field: field.clone(),
            against_words: *words,
            against_share: *share,
            annotate: *annotate,
            allow_damaged: *allow_damaged,
        }
    }
}

impl AskedOptions {
    /// The options that a run that goes on must have again, by name.
    pub(crate) fn fixed(&self) -> Vec<(String, String)> {
        let serde_json::Value::Object(all) = serde_json::to_value(self).expect("plain data") else { return Vec::new() };
        all.into_iter()
            .filter(|(name, _)| name != "allow_damaged")
            .map(|(name, value)| (name, value.to_string()))
            .collect()
    }
}

fn hash(decisions: &[Decision]) -> String {
    let json = serde_json::to_vec(decisions).expect("plain data");
    blake3::hash(&json).to_hex()[..HASH_DIGITS].to_owned()
}

/// A rule as users write it.
fn rule(keep: &Keep) -> String {
    match keep {
        Keep::Longest => "longest".into(),
        Keep::Newest => "newest".into(),
        Keep::First => "first".into(),
        Keep::Best => "best".into(),
        Keep::Sources(names) => format!("source-priority:{}", names.join(",")),
        Keep::Paths(globs) => format!("paths:{}", globs.join(",")),
    }
}
