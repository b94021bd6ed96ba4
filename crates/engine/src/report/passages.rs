//! What only the passages lens reports: who shares what with whom.

use crate::report::pair_decisions::PairVerdict;
use serde::Serialize;

/// The section of a report that only the passages lens has: submissions, and what they share.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Passages {
    /// How each family of documents (code, prose, bytes) became fingerprints; only families that occur.
    pub recipes: Vec<FamilyRecipe>,
    /// What decided which pairs are here.
    pub rules: Rules,
    /// The submissions of this cohort and of the archive, in the order of their names.
    pub submissions: Vec<Submission>,
    /// Pairs with their passages, most similar first: those of at least `rules.min_similarity`, at most `rules.limit`.
    pub pairs: Vec<Pair>,
    /// Pairs of at least `rules.min_similarity`, listed or not.
    pub pairs_all: u64,
    /// Pairs that might be as similar but were not compared, for too many are more similar by their fingerprints. They are counted by
    /// that estimate in `calibration`, and are in no list.
    pub pairs_estimated: u64,
    /// Pairs that could have been compared: without those of one owner and those inside the archive.
    pub pairs_possible: u64,
    /// Groups of submissions that pairs of at least `calibration.threshold` connect; two or more each, largest first.
    pub clusters: Vec<SubmissionCluster>,
    /// How surprising the similarities of this cohort are.
    pub calibration: Calibration,
    /// How far a review has come, if decisions were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<ReviewedPairs>,
    /// What was left out of the comparison.
    pub ignored: Ignored,
    /// What winnowing selected, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnowing: Option<Vec<WinnowStats>>,
    /// What people should know, such as rows of `info.csv` that speak of nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Passages {
    /// The section of a report without submissions.
    pub fn new(rules: Rules, calibration: Calibration) -> Self {
        Self {
            recipes: Vec::new(),
            rules,
            submissions: Vec::new(),
            pairs: Vec::new(),
            pairs_all: 0,
            pairs_estimated: 0,
            pairs_possible: 0,
            clusters: Vec::new(),
            calibration,
            reviewed: None,
            ignored: Ignored::default(),
            winnowing: None,
            warnings: Vec::new(),
        }
    }

    /// Listed pairs that nobody has decided about: all of them without decisions.
    pub fn undecided(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| !pair.is_decided())
    }

    /// Pairs that are striking and not decided, listed or not.
    pub fn striking_undecided(&self) -> u64 {
        let decided = self.pairs.iter().filter(|pair| pair.class == PairClass::Striking && pair.is_decided()).count();
        self.calibration.striking.saturating_sub(decided as u64)
    }
}

/// How far a review of pairs has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedPairs {
    /// Decisions that were read.
    pub decisions: u64,
    /// Of them, those of which a submission has changed or is gone: they do not hold.
    pub stale: u64,
    /// Of them, those about pairs that are not listed here.
    pub unlisted: u64,
    /// Listed pairs that are called copied.
    pub copied: u64,
    /// Listed pairs that are called not copied.
    pub not_copied: u64,
    /// Listed pairs that are to be looked at again.
    pub again: u64,
    /// Listed pairs that are decided: copied, or not copied.
    pub decided: u64,
    /// Listed pairs that are not.
    pub undecided: u64,
}

/// How documents of one family became fingerprints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FamilyRecipe {
    /// `code`, `prose` or `bytes`.
    pub family: &'static str,
    /// Noise threshold: nothing shorter than this many tokens is found.
    pub k: u32,
    /// Guarantee: every common run of this many tokens makes its two submissions a pair.
    pub t: u32,
    /// Files read so.
    pub files: u64,
}

/// What decided which pairs are in the report.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// Least similarity of a pair.
    pub min_similarity: f64,
    /// Pairs that are listed at most.
    pub limit: u64,
    /// What more submissions than this share is ignored; none if nothing is.
    pub max_df: Option<u32>,
    /// Names of identifiers count.
    pub identifiers: bool,
    /// Values of literals count.
    pub literals: bool,
    /// Comments count.
    pub comments: bool,
}

/// What one person handed in: a file, or a folder of files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Submission {
    /// Its name: the path without what all have in common.
    pub name: String,
    /// Who handed it in, where that is known; submissions of one owner are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The group it belongs to, from `info.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The person's name, from `info.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_name: Option<String>,
    /// When it was handed in, as `info.csv` writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// The same in seconds since 1970, where it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<i64>,
    /// Of an earlier year: compared with the cohort, not with others of the archive.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archive: bool,
    /// Its files, in the order of their names.
    pub files: Vec<SourceFile>,
    /// Its tokens.
    pub tokens: u64,
    /// Of them, those that were given (base code) or that too many share: they do not count.
    pub excluded: u64,
    /// The highest similarity to another submission.
    pub highest: f64,
    /// The first submission (by index) with exactly the same tokens in the same spelling, if this is not it: it was compared in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
}

/// A file of a submission.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceFile {
    /// Its name inside the submission; for a submission that is one file, the last part of its path.
    pub name: String,
    /// What it was read as: a language, `text` or `bytes`.
    pub language: &'static str,
    /// Its bytes.
    pub bytes: u64,
    /// Its lines, as they are shown.
    pub lines: u64,
    /// Its tokens.
    pub tokens: u64,
    /// BLAKE3 of its bytes, the first half, in hex: for a dossier, and to tell later whether it has changed.
    pub content: String,
    /// Why the grammar of its language was not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// Stretches that do not count, as bytes of the shown text: shown in grey.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<[u32; 2]>,
    /// Its place in the catalogue.
    #[serde(skip)]
    pub document: u32,
}

/// Two submissions that share passages.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pair {
    /// Index of the first submission: the one before the other by name.
    pub a: usize,
    /// Index of the second.
    pub b: usize,
    /// The number pairs are ranked by, from 0 to 1: the share that is in passages, where a token weighs less the more submissions have
    /// it, and less if it is spelt differently; the mean of the share of both together and the larger share of either.
    pub similarity: f64,
    /// Share of the first's tokens that are in passages.
    pub share_a: f64,
    /// Share of the second's.
    pub share_b: f64,
    /// Tokens in passages; the mean of both sides.
    pub overlap: u64,
    /// Tokens of the longest passage.
    pub longest: u64,
    /// How many passages there are.
    pub passages_all: u64,
    /// The mean weight of the shared tokens: 1 if only these two have them, a half if eight submissions do, near 0 if all do.
    pub rarity: f64,
    /// Share of the tokens in passages that stand in passages which other submissions have too: public or given code, or what a larger
    /// group copied.
    pub shared_by_others: f64,
    /// What to make of it: `striking`, `look` if it is worth a look, `ordinary` otherwise.
    pub class: PairClass,
    /// How many pairs of this cohort would be expected by chance to be as similar, by a model that assumes one exercise, no public
    /// code, and submissions written independently. 0.01 stands for less; none where the cohort cannot tell.
    pub expected: Option<f64>,
    /// From the least to the most of them that is to be reckoned with.
    pub expected_interval: Option<[f64; 2]>,
    /// So many pairs more are like this one and not listed: of submissions that are 90% similar to these two.
    pub folded: u64,
    /// What was decided about these two, as they are, before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<PairDecided>,
    /// The passages, longest first.
    pub passages: Vec<Shared>,
}

impl Pair {
    /// Whether nobody need look at it again.
    pub fn is_decided(&self) -> bool {
        self.decision.as_ref().and_then(|decided| decided.verdict).is_some_and(PairVerdict::is_final)
    }
}

/// What was decided about a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairDecided {
    /// The verdict; none where there is a note only.
    pub verdict: Option<PairVerdict>,
    /// What the reviewer wrote.
    pub note: String,
}

/// What to make of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PairClass {
    /// At or above the threshold; or below it, with a passage of 200 tokens that few have. Of prose, with 20 words in common.
    Striking,
    /// Not far below the threshold, or with a passage so long that it makes up for a small share.
    Look,
    /// Neither.
    Ordinary,
}

/// A passage that two submissions share.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shared {
    /// Where it is in the first.
    pub a: Stretch,
    /// Where it is in the second.
    pub b: Stretch,
    /// Its tokens; with gaps, those of the longer side.
    pub tokens: u64,
    /// Of them, those that are equal in both.
    pub equal: u64,
    /// In how many submissions (these two included) its rarest part is found.
    pub submissions: u64,
}

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stretch {
    /// Index into the submission's files.
    pub file: usize,
    /// First byte of the shown text.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub last_line: u32,
}

/// Submissions that are connected.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionCluster {
    /// Indices of submissions, in order.
    pub submissions: Vec<usize>,
    /// Pairs among them at or above the threshold.
    pub pairs: u64,
    /// The mean similarity of those pairs.
    pub mean: f64,
}

/// How surprising similarities are in this cohort, and what follows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Calibration {
    /// Pairs that the estimate is made of: each submission with each other, identical ones and those of one owner left out.
    pub pairs: u64,
    /// The similarity that half of them exceed.
    pub median: f64,
    /// The similarity that one in twenty exceeds.
    pub p95: f64,
    /// From this similarity on, pairs are striking. What clusters are made of.
    pub threshold: f64,
    /// From this similarity on, they are worth a look.
    pub look: f64,
    /// `estimated` where this cohort tells what chance does, `default` where it is too small for that, or prose, `alike` where most of its
    /// pairs are alike, or `given` by the user.
    pub source: &'static str,
    /// Pairs at or above the threshold, listed or not: they are called striking.
    pub striking: u64,
    /// Pairs that are worth a look, listed or not.
    pub worth_a_look: u64,
    /// Pairs expected by chance and pairs found, by threshold: every hundredth.
    pub table: Vec<CalibrationRow>,
    /// How many pairs have which similarity: 100 counts, of [0, 0.01), [0.01, 0.02) … [0.99, 1].
    pub histogram: Vec<u64>,
    /// How the threshold was found, in sentences for a reader.
    pub reasoning: Vec<String>,
}

/// One threshold.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalibrationRow {
    /// The threshold.
    pub threshold: f64,
    /// Pairs at or above it that are expected by chance, as of a pair.
    pub expected: Option<f64>,
    /// Pairs found at or above it, those that were only estimated included.
    pub found: u64,
}

/// What was left out of the comparison.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ignored {
    /// Files of base code.
    pub base_files: u64,
    /// Tokens of submissions that are base code.
    pub base_tokens: u64,
    /// Tokens of submissions that too many share.
    pub frequent_tokens: u64,
    /// What too many share, most shared first; at most a hundred.
    pub frequent: Vec<FrequentPassage>,
    /// How many there are.
    pub frequent_all: u64,
}

/// A passage that too many submissions share.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrequentPassage {
    /// Submissions that have it, in the middle of its parts.
    pub submissions: u64,
    /// Its tokens.
    pub tokens: u64,
    /// One of them, by index.
    pub example: usize,
    /// Where it is there.
    pub place: Stretch,
}

/// What winnowing selected of one family, beside what the paper expects.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WinnowStats {
    /// `code`, `prose` or `bytes`.
    pub family: &'static str,
    /// Window.
    pub w: u32,
    /// Hashes computed.
    pub hashes: u64,
    /// Fingerprints selected.
    pub fingerprints: u64,
    /// Their share.
    pub density: f64,
    /// The paper's 2/(w+1).
    pub expected: f64,
    /// Hashes between two neighbouring fingerprints at most.
    pub longest_gap: u64,
    /// Of selecting 0 mod p at the same density: p, fingerprints, and the longest run without one.
    pub zero_mod: ZeroMod,
    /// Distinct fingerprints that occur once, twice, three times and more often, as shares.
    pub occurring: [f64; 4],
    /// Frequency by rank: both ends of each plateau (figure 4), at most a few hundred.
    pub ranks: Vec<RankRow>,
    /// Slope of log frequency over log rank; the paper found -0.7.
    pub slope: f64,
}

/// Selection of hashes that are 0 mod p, for comparison.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZeroMod {
    /// p.
    pub p: u64,
    /// Fingerprints it selects.
    pub fingerprints: u64,
    /// The longest run of hashes without one.
    pub longest_gap: u64,
}

/// How often fingerprints of a rank occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RankRow {
    /// From 1 for the most frequent.
    pub rank: u64,
    /// How often it occurs.
    pub frequency: u64,
}
