//! What can stop a run.

use lookalike_core::lens::Lens;
use std::fmt;
use std::path::PathBuf;

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The inputs cannot be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// Spilling or saving failed.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// A recipe or its parameters have no meaning.
    #[error(transparent)]
    Core(#[from] lookalike_core::Error),
    /// Selectors that say nothing.
    #[error(transparent)]
    Selector(lookalike_extract::ExtractError),
    /// A value that an option cannot have.
    #[error("{option}: expected {expected}, found {found}")]
    OutOfRange {
        /// The option.
        option: OptionName,
        /// What it can be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Two options that exclude each other.
    #[error("{0} cannot be combined with {1}")]
    Conflict(OptionName, OptionName),
    /// An option that has a meaning only beside another.
    #[error("{0} needs {1}")]
    Needs(OptionName, OptionName),
    /// A pattern that is no glob.
    #[error("{glob:?} is not a glob: {reason}")]
    Glob {
        /// The pattern.
        glob: String,
        /// Why.
        reason: String,
    },
    /// A source that was named, and that no document is of.
    #[error(
        "no source is called {name:?}{}; sources: {known}",
        .suggestion.as_ref().map_or(String::new(), |name| format!(" (did you mean {name:?}?)"))
    )]
    UnknownSource {
        /// The name.
        name: String,
        /// The sources that there are, in words.
        known: String,
        /// The source that was probably meant.
        suggestion: Option<String>,
    },
    /// The key is not the one behind the recipe.
    #[error("the key does not fit the recipe {recipe}")]
    WrongKey {
        /// The recipe.
        recipe: String,
    },
    /// A file was made by another recipe.
    #[error("{}: expected the recipe {expected}, found {found}", path.display())]
    WrongRecipe {
        /// The file or folder.
        path: PathBuf,
        /// The recipe of this run.
        expected: String,
        /// The recipe of the file.
        found: String,
    },
    /// A recipe that cannot be used.
    #[error(transparent)]
    Recipe(#[from] lookalike_core::recipe::RecipeError),
    /// A file with sketches where documents are needed: nothing can be verified.
    #[error("{}: has sketches, not documents, so nothing can be verified", path.display())]
    OnlySketches {
        /// The exchange file.
        path: PathBuf,
    },
    /// A language that is not read as code.
    #[error("{found:?} is not a known language")]
    UnknownLanguage {
        /// Its name.
        found: String,
    },
    /// What only other lenses have.
    #[error("the lens {lens} has no {what}")]
    NotOfLens {
        /// What was asked for.
        what: OptionName,
        /// The lens.
        lens: Lens,
    },
    /// What a scan by all lenses does not have.
    #[error("a scan by all lenses has no {what}")]
    NotOfAll {
        /// What was asked for.
        what: OptionName,
    },
    /// Fingerprints of another width than the recipe says.
    #[error("expected fingerprints of {expected} bits, found {found}")]
    WrongWidth {
        /// Bits of the recipe.
        expected: u32,
        /// Bits that were asked for.
        found: u32,
    },
    /// A document that takes more memory than is allowed.
    #[error(
        "{id}: {bytes} bytes take {needed} bytes of memory to work on, {allowed} are allowed; allow more, or leave it out"
    )]
    DocumentMemory {
        /// The document.
        id: String,
        /// Its bytes.
        bytes: u64,
        /// Bytes of memory that it takes.
        needed: u64,
        /// Bytes of memory that are allowed.
        allowed: u64,
    },
    /// More documents than can be kept track of in the memory that is allowed.
    #[error("{documents} documents take {needed} bytes of memory, {allowed} are allowed; allow more, or divide them")]
    DocumentsMemory {
        /// How many there are.
        documents: u64,
        /// Bytes of memory that they take.
        needed: u64,
        /// Bytes of memory that are allowed.
        allowed: u64,
    },
    /// Two submissions that take more memory to compare than is allowed.
    #[error(
        "{a} and {b}: comparing them takes {needed} bytes of memory, {allowed} are allowed; allow more, or leave one out"
    )]
    PairMemory {
        /// The first.
        a: String,
        /// The second.
        b: String,
        /// Bytes of memory that they take.
        needed: u64,
        /// Bytes of memory that are allowed.
        allowed: u64,
    },
    /// There is nothing to count.
    #[error("no documents with words were found")]
    NoDocuments,
    /// A run of this lens leaves nothing that could be clustered again.
    #[error("a scan by {lens} has nothing to save")]
    CannotBeSaved {
        /// The lens.
        lens: Lens,
    },
    /// A saved run cannot be used.
    #[error("{}: {reason}", path.display())]
    SavedRun {
        /// The run's folder.
        path: PathBuf,
        /// Why.
        reason: SavedRunError,
    },
    /// An exchange file cannot be used.
    #[error("{}: {reason}", path.display())]
    Exchange {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: ExchangeError,
    },
    /// More documents than one run can number.
    #[error("more than {max} documents: divide them")]
    TooManyDocuments {
        /// How many it can.
        max: u64,
    },
    /// Templates cannot be marked or used.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// A table of document frequencies cannot be used.
    #[error("{}: expected a table of document frequencies, found {found}", path.display())]
    IdfTable {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// A pattern that finds no owner.
    #[error(
        "the owner pattern {pattern:?} is not valid: {reason}; expected a regular expression whose first group is the owner, such as \"^([^_]+)_\""
    )]
    OwnerPattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A document cannot be used.
    #[error("{id}: {reason}")]
    Document {
        /// Which.
        id: String,
        /// Why, and what would help.
        reason: String,
    },
    /// An index cannot be used.
    #[error("{}: {reason}", path.display())]
    Index {
        /// The index's folder.
        path: PathBuf,
        /// Why.
        reason: IndexError,
    },
    /// More than one segment of an index can hold.
    #[error("too many {what} for one segment of an index")]
    SegmentFull {
        /// Of what.
        what: &'static str,
    },
    /// A decisions file cannot be used.
    #[error("{path}: {reason}")]
    Decisions {
        /// The file.
        path: String,
        /// Why, and what would help.
        reason: String,
    },
    /// Files of fingerprints, or a store of them.
    #[error(transparent)]
    Hamming(lookalike_hamming::Error),
    /// The user asked to stop.
    #[error("stopped; nothing was written")]
    Cancelled,
}

impl From<lookalike_store::Cancelled> for Error {
    fn from(_: lookalike_store::Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<lookalike_hamming::Error> for Error {
    fn from(error: lookalike_hamming::Error) -> Self {
        match error {
            lookalike_hamming::Error::Cancelled(_) => Self::Cancelled,
            error => Self::Hamming(error),
        }
    }
}

/// Why an index cannot be used, or cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Another version of the program wrote it.
    #[error("has format {found}, expected {expected}; build the index again, or use the version that wrote it")]
    WrongVersion {
        /// The format that this version reads.
        expected: u32,
        /// The format of the index.
        found: u64,
    },
    /// Its recipe cannot be read.
    #[error(transparent)]
    Recipe(lookalike_core::recipe::RecipeError),
    /// It is whole, but no index of documents.
    #[error("is no index of documents; a store of fingerprints is asked in another way")]
    OtherKind,
    /// It is not as it was written.
    #[error("{0}; restore it from a copy or make it again")]
    Damaged(String),
    /// It has no files.
    #[error("has no files; restore it from a copy or make it again")]
    Empty,
    /// A new index would take the place of an index.
    #[error("is an index already")]
    Exists,
    /// A new index would take the place of something else.
    #[error("is there already, and is no index")]
    Taken,
    /// No document of it has this name.
    #[error("has no document called {name}")]
    UnknownName {
        /// The URL or id.
        name: String,
    },
}

/// Why a saved run cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedRunError {
    /// It cannot be read, or is no saved run.
    #[error("cannot read run.json: {0}; expected the folder of a saved scan")]
    Unreadable(std::io::Error),
    /// It is not as it was written.
    #[error("{0}; scan again")]
    Damaged(String),
    /// Another version or lens wrote it.
    #[error("expected a run of the lens {expected}, found {found}; scan again")]
    WrongForm {
        /// What can be read.
        expected: String,
        /// What is there.
        found: String,
    },
    /// What is below the saved value was never compared.
    #[error(
        "was saved with {option} {saved}: expected at least that and at most 1, found {found}; scan again for a lower one"
    )]
    TooLow {
        /// Which option.
        option: OptionName,
        /// Its value in the saved run.
        saved: f64,
        /// What was asked for.
        found: f64,
    },
    /// Documents inside others were not looked for.
    #[error("was saved without {0}; scan again with it")]
    NotLookedFor(OptionName),
}

/// Why templates cannot be marked or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// The file is no list of templates.
    #[error("{}: expected a list of templates, found {found}", path.display())]
    NotAList {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// The chunks of the list were made by another recipe.
    #[error(
        "the templates were marked in chunks of another recipe: expected {expected}, found {found}; mark them again, or scan with what they were made with"
    )]
    WrongRecipe {
        /// The recipe of this run.
        expected: String,
        /// The recipe of the list.
        found: String,
    },
    /// Another template has this name.
    #[error("there is a template called {name:?} already; choose another name, or unmark it first")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// All that is shared is ignored already.
    #[error("{from}: no shared chunk that is not ignored already; nothing to mark")]
    NothingShared {
        /// What was to be marked.
        from: String,
    },
    /// There is no such cluster.
    #[error("expected a cluster from 1 to {last}, found {found}")]
    UnknownCluster {
        /// The number of the last one.
        last: u64,
        /// What was asked for.
        found: u64,
    },
    /// What is no hash of a chunk.
    #[error("expected 4 to 32 hexadecimal digits of a hash, found {hash:?}")]
    BadHash {
        /// What it is.
        hash: String,
    },
    /// None or several chunks have a hash that begins so.
    #[error("{chunks} chunks have a hash that begins with {hash}; expected one")]
    ChunksOfHash {
        /// The beginning.
        hash: String,
        /// How many have it.
        chunks: u64,
    },
}

/// Why an exchange file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// It is something else.
    #[error("expected an exchange file, found something else")]
    NoExchangeFile,
    /// It is of another lens.
    #[error("expected an exchange file of the lens {expected}, found one of {found}")]
    WrongLens {
        /// The lens of this run.
        expected: Lens,
        /// The lens of the file.
        found: Lens,
    },
    /// Another version wrote it.
    #[error("expected an exchange file of version {expected}, found {found}; sketch again")]
    WrongVersion {
        /// What can be read.
        expected: u32,
        /// What is there.
        found: u32,
    },
    /// It is not as it was written.
    #[error("{0}; sketch again")]
    Damaged(String),
}

impl Error {
    /// A scan by this lens, or by all of them, leaves nothing that could be clustered again.
    pub fn cannot_be_saved(lens: Option<Lens>) -> Self {
        lens.map_or(Self::NotOfAll { what: OptionName::SavedRun }, |lens| Self::CannotBeSaved { lens })
    }

    /// What a lens does not have; all of them together, if there is none.
    pub fn not_of(what: OptionName, lens: Option<Lens>) -> Self {
        lens.map_or(Self::NotOfAll { what }, |lens| Self::NotOfLens { what, lens })
    }
}

/// An option that an error speaks of. The command line and other languages say it in their own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OptionName {
    /// Least resemblance, or least share, of a link.
    Threshold,
    /// Least containment of a link.
    Contained,
    /// Pairs below the threshold are looked for down to this.
    Explore,
    /// Candidates by super shingles.
    SuperShingles,
    /// A sketch of the smallest features.
    MinSketch,
    /// Frequent features count.
    IncludeBoilerplate,
    /// Decisions that name templates.
    TemplateDecisions,
    /// Decisions.
    Decisions,
    /// Verification of near fingerprints.
    Verify,
    /// Greatest distance of near fingerprints.
    Distance,
    /// Least length of the shorter of two documents.
    LengthRatio,
    /// Document frequency above which a feature is frequent.
    MaxDf,
    /// Mean length of a chunk.
    MeanChunk,
    /// Mean length of a chunk of the second pass.
    Refine,
    /// Bytes in common counted on the files themselves.
    Exact,
    /// Marked templates.
    Templates,
    /// Least similarity of a listed pair.
    MinSimilarity,
    /// Documents that can be read once only.
    Stream,
    /// Exchange files.
    Exchange,
    /// Single documents and their pairs.
    Documents,
    /// Submissions and their files.
    Submissions,
    /// An index.
    Index,
    /// Clusters that are kept, with their history.
    Clusters,
    /// A run that can be clustered again.
    SavedRun,
    /// Clusters that are not stars.
    SingleLinkage,
    /// The date of a sweep.
    Sweep,
    /// The date of a version.
    VersionDate,
    /// Tokens in a row that are found wherever they are shared.
    Guarantee,
}

impl OptionName {
    /// Fails unless a share is more than 0 and at most 1.
    pub fn check_share(self, share: f64) -> Result<(), Error> {
        if share > 0.0 && share <= 1.0 {
            return Ok(());
        }
        self.refuse("a share of more than 0 and at most 1", share)
    }

    pub fn refuse<T>(self, expected: &str, found: impl fmt::Display) -> Result<T, Error> {
        Err(Error::OutOfRange { option: self, expected: expected.to_owned(), found: found.to_string() })
    }
}

impl fmt::Display for OptionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Threshold => "the threshold",
            Self::Contained => "the containment threshold",
            Self::Explore => "the explored resemblance",
            Self::SuperShingles => "super shingles",
            Self::MinSketch => "a sketch of the smallest features",
            Self::IncludeBoilerplate => "counting boilerplate",
            Self::TemplateDecisions => "decisions that name templates",
            Self::Decisions => "decisions",
            Self::Verify => "verification",
            Self::Distance => "the distance",
            Self::LengthRatio => "the length ratio",
            Self::MaxDf => "the greatest document frequency",
            Self::MeanChunk => "the mean chunk length",
            Self::Refine => "the mean chunk length of the second pass",
            Self::Exact => "bytes counted on the files",
            Self::Templates => "marked templates",
            Self::MinSimilarity => "the least similarity",
            Self::Stream => "a stream that can be read once only",
            Self::Exchange => "exchange files",
            Self::Documents => "single documents",
            Self::Submissions => "submissions",
            Self::Index => "an index",
            Self::Clusters => "kept clusters",
            Self::SavedRun => "saved run",
            Self::SingleLinkage => "single linkage",
            Self::Sweep => "the date of a sweep",
            Self::VersionDate => "the date of a version",
            Self::Guarantee => "the guarantee",
        })
    }
}
