//! lookalike finds documents that look alike: copies, near-copies, documents inside other documents, and copied passages.
//!
//! ```
//! use lookalike::{Input, Scanner, ShinglesOptions};
//!
//! let texts = ["the quick brown fox jumps", "the quick brown fox jumps", "something else"];
//! let scan = Scanner::new(ShinglesOptions::default()).run(vec![Input::texts(texts)])?;
//! for cluster in &scan.report().clusters {
//!     println!("{} and {} more", cluster.representative, cluster.members.len());
//! }
//! # assert_eq!(scan.report().clusters.len(), 1);
//! # Ok::<(), lookalike::Error>(())
//! ```
//!
//! Five nouns carry the library:
//!
//! * [`Lens`]: one of four ways to look at documents.
//! * [`Recipe`]: how a document becomes what a lens compares. It prints and parses back; what has different recipes is never compared.
//! * [`Scanner`]: what is scanned and how; [`Scanner::run`] gives a [`Scan`] with its report.
//! * [`Report`]: the same head, clusters and skipped documents for all lenses, and a [`report::Section`] of the lens's own.
//! * [`Index`]: what is kept on disk: query, add, history.
//!
//! Beside them: [`compare`] and [`compare_texts`] for two documents by all lenses, [`recluster`] for a saved scan, [`simhash`] for fingerprints of documents, [`hamming`] for
//! searching billions of them, [`templates`] for chunks to ignore, and `act` (Unix) for what is done with identical files.
//!
//! The numbers of a report are exact unless an estimate was asked for; the same documents and options give the same report whatever the
//! threads, the memory or the order of reading.

#[cfg(unix)]
pub use lookalike_act as act;
/// For programs that have features of their own.
#[doc(hidden)]
pub use lookalike_core::built_without;
pub use lookalike_core::cluster::Linkage;
/// For programs that show files: a moment in seconds since 1970 as text, and the path that an id stands for.
#[doc(hidden)]
pub use lookalike_core::date::utc;
pub use lookalike_core::feature_hash::{FeatureHasher, MAX_WINDOW};
pub use lookalike_core::lens::Lens;
pub use lookalike_core::recipe::{
    ChunkRecipe, CodeTokens, PassageRecipe, Reading, Recipe, RecipeError, ShingleRecipe, SimhashRecipe, TextRecipe,
};
pub use lookalike_core::relation::Relation;
pub use lookalike_core::sketch::{Estimate, PairEstimate, Sampling};
pub use lookalike_corpus::{Error as CorpusError, FieldRole, GlobRole, MissingField, content_name};
#[cfg(feature = "tables")]
#[doc(hidden)]
pub use lookalike_corpus::{bytes_at, is_text};
#[doc(hidden)]
pub use lookalike_corpus::{name_folders, path_of};
pub use lookalike_engine::compare::{ByteSide, ByteSides, Comparison, LeftOut, compare, compare_texts};
pub use lookalike_engine::lens::passages::engine::{Highlights, Mark, MarkKind, PairNumbers, ShownFile};
pub use lookalike_engine::lens::passages::options::{CohortOptions, MaxDf};
pub use lookalike_engine::lens::shingles::compare::{
    CompareOptions, Passage, ShingleComparison, ShingleRelation, Side,
};
pub use lookalike_engine::lens::shingles::options::DEFAULT_MAX_SHARE;
pub use lookalike_engine::lens::simhash::options::Verification;
/// For programs that take dates of sweeps: the days since 1970 of what is one.
#[doc(hidden)]
pub use lookalike_engine::run::date::days;
pub use lookalike_engine::run::differences::Differences;
pub use lookalike_engine::run::saved::lens_of as saved_lens;
pub use lookalike_engine::run::text::{Piece, ShownChunk, Source, Text};
pub use lookalike_engine::run::view::{ComparedPair, DocumentView};
pub use lookalike_engine::{
    AllOptions, Cancel, ChunksOptions, CorpusOptions, Error, ExchangeError, IndexError, Input, Keep, LensOptions,
    OptionName, PassagesOptions, Progress, Report, Resources, SavedRunError, Scan, ScanOptions, Scanner,
    ShinglesOptions, Silent, SimhashOptions, TemplateError, Unit, recluster,
};
pub use lookalike_extract::{Format, Selectors};
pub use lookalike_index as index;
pub use lookalike_index::Index;
pub use lookalike_store::Error as StoreError;
/// How the command writes its results: under a temporary name first.
#[doc(hidden)]
pub use lookalike_store::atomic;

/// What a server keeps changes in until they are in an index, and its lock. For the server of this project.
#[doc(hidden)]
pub mod log {
    pub use lookalike_store::{
        ClosedLog, Lock, Log, LogDamage, LogFiles, LogOptions, LogRecord, MAX_RECORD, RealDisk, Replay,
    };
}

/// What a scan found, for people and for programs.
pub mod report {
    #[doc(no_inline)]
    pub use lookalike_engine::Report;
    pub use lookalike_engine::report::against::{Against, CountedShares, KnownDocument, Touching};
    pub use lookalike_engine::report::chunks::{
        AppliedTemplate, ChunkTotals, Chunks, FolderPair, FrequentChunks, IdenticalFile, IdenticalSet, Refined,
        Suggestion,
    };
    pub use lookalike_engine::report::cluster::{Class, Cluster, Decided, Intervals, Member, PairRow, Summary};
    pub use lookalike_engine::report::decisions::{DecidedDocument, Decision, Verdict};
    pub use lookalike_engine::report::pair_decisions::{DecidedSubmission, PairDecision, PairVerdict};
    pub use lookalike_engine::report::passages::{
        Calibration, CalibrationRow, FamilyRecipe, FrequentPassage, Ignored, Pair, PairClass, PairDecided, Passages,
        RankRow, ReviewedPairs, Rules, Shared, SourceFile, Stretch, Submission, SubmissionCluster, WinnowStats,
        ZeroMod,
    };
    pub use lookalike_engine::report::policy::Policy;
    pub use lookalike_engine::report::relations::{
        DisagreementCount, LensRecipe, PairLeftOut, RelationCount, RelationLink, Relations,
    };
    pub use lookalike_engine::report::shingles::{Candidates, Frame, Shingles, Template};
    pub use lookalike_engine::report::simhash::{Measured, Simhash, Verified};
    pub use lookalike_engine::report::{Head, Phase, Reviewed, SCHEMA, Section, Skip, Usage};
}

/// What two documents are to each other, by the evidence of all lenses.
pub mod relation {
    #[doc(no_inline)]
    pub use lookalike_core::relation::Relation;
    pub use lookalike_core::relation::{
        AlignmentEvidence, ChunkEvidence, Disagreement, Evidence, PassageEvidence, Rules, ShingleEvidence,
        SimhashEvidence, classify, sentence,
    };
}

/// Two documents by their shingles alone.
pub mod shingles {
    pub use lookalike_engine::lens::shingles::compare::{compare, compare_texts};
}

/// Sketches of documents.
pub mod sketch {
    pub use lookalike_engine::lens::shingles::sketcher::{SketchScratch, Sketched, Sketcher};
}

/// Fingerprints of documents.
pub mod simhash {
    pub use lookalike_core::simhash::{Idf, Languages, Ngrams, Weight};
    pub use lookalike_engine::lens::simhash::compare::{FingerprintComparison, Fingerprinted, compare, compare_texts};
    pub use lookalike_engine::lens::simhash::fingerprint::{DocumentFingerprint, FingerprintSummary, fingerprint};
    pub use lookalike_engine::lens::simhash::fingerprinter::{FingerprintScratch, Fingerprinter};
    pub use lookalike_engine::lens::simhash::idf::{IdfSummary, count};
    pub use lookalike_engine::lens::simhash::options::TABLE_LIMIT;
    pub use lookalike_engine::lens::simhash::recluster::recluster;
    pub use lookalike_engine::lens::simhash::table::read_idf;
}

/// Files of fingerprints: which are within a few bits of each other, and a store that can be changed while it is asked.
pub mod hamming {
    pub use lookalike_hamming::{
        AllPairs, BatchResult, Design, Digits, Error, FileOptions, FingerprintBits, FingerprintCluster,
        FingerprintFile, FingerprintMember, FingerprintReader, FingerprintWriter, HeldFingerprints, IdKind, IdNames,
        Layout, MAX_DISTANCE, MemoryIndex, Pair, SearchOptions, all_pairs, batch, file, plan, store,
    };
}

/// Chunks that people marked as templates, in a file that can be kept beside the documents.
pub mod templates {
    pub use lookalike_core::chunk::{MAX_MEAN, MIN_MEAN, Parameters};
    pub use lookalike_engine::lens::chunks::recluster::{Mark, mark};
    pub use lookalike_engine::lens::chunks::templates::{MarkedTemplate, TemplateChunk, TemplateList};
}

/// A corpus without its near-duplicates, with proof.
pub mod dedup {
    pub use lookalike_dedup::{
        AskedOptions, ClassCounts, Contamination, ContaminationCounts, ContaminationOptions, Contaminations,
        CorpusCounts, CutPiece, CutResult, CutSummary, Cuts, Dedup, DedupOptions, DedupOutput, DedupResult,
        DedupSummary, DocumentCuts, Error, Estimate, Example, FileCounts, Granularity, Kept, KeptRun, KnownCopy,
        LargeCluster, ParagraphOptions, Piece, PieceUnit, Preset, Removal, Removals, RepeatedText, ShardCounts, Shares,
        SourceCounts, SubstringOptions, TABLE_EXTENSION, Uncompared, is_benchmark, kept_run,
    };

    /// Which threshold, and which recipe? A judged sample of pairs tells what each would do.
    ///
    /// ```no_run
    /// use lookalike::dedup::calibrate::{CalibrateOptions, Calibrator};
    ///
    /// let found = Calibrator::new(CalibrateOptions::default()).run(&["corpus/".into()])?.calibration;
    /// match found.suggestion.threshold() {
    ///     Some(threshold) => println!("from {threshold} on, at least {} of the pairs are the same", found.precision),
    ///     None => println!("{} pairs do not tell", found.sample.len()),
    /// }
    /// # Ok::<(), lookalike::dedup::Error>(())
    /// ```
    pub mod calibrate {
        pub use lookalike_dedup::calibrate::{
            CalibrateOptions, Calibration, CalibrationRun, Calibrator, Judge, Judgement, JudgementCounts,
            JudgementFileError, Judgements, MIN_ALIGNED, Measure, MeasureEstimates, MeasureKind, PairDocument,
            SampledPair, Stratum, Suggestion, ThresholdEstimate,
        };
    }
}

/// The program that parses source code, PDF, Office documents, books and e-mails: `lookalike-parser`. They are hostile, so this library
/// contains no code that parses them. Until a program is chosen, code is read word by word and the other documents are skipped, with a
/// reason.
///
/// ```no_run
/// let own = std::env::current_exe()?;
/// // beside this program, or where LOOKALIKE_PARSER says
/// if let Some(program) = lookalike::parser::find_program(own.parent())? {
///     lookalike::parser::use_program(&program);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub mod parser {
    pub use lookalike_engine::run::parsers::{end_parsers, find_program, limit_memory, use_program};
}

/// Sketches in a file, for owners who compare without sharing their documents; [`Scanner::sketch`](crate::Scanner::sketch) writes one.
pub mod exchange {
    pub use lookalike_engine::run::exchange::{ExchangeSummary, Names, is_exchange, lens_of};
}
