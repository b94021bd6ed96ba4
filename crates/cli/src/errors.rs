//! Errors of the library in the words of the command: what it calls an option is a flag here, and what helps is a command.

#[cfg(unix)]
use lookalike::act::{Error as ActError, FolderRole};
use lookalike::dedup::Error as DedupError;
use lookalike::hamming::Error as HammingError;
use lookalike::hamming::file::{FileError, FileProblem};
use lookalike::{
    CorpusError, Error, ExchangeError, FieldRole, GlobRole, IndexError, Lens, MissingField, OptionName, Recipe,
    SavedRunError, StoreError, TemplateError,
};

/// `lookalike scan … | head` is no error.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe))
}

/// The user asked to stop.
pub(crate) fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Error::Cancelled))
        || matches!(error.downcast_ref(), Some(HammingError::Cancelled(_)))
}

/// The context of a run that the user stopped: what the next run need not do again.
#[derive(Debug)]
pub(crate) struct Stopped(pub(crate) String);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the user reads.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    if let Some(Stopped(kept)) = error.downcast_ref() {
        return kept.clone();
    }
    #[cfg(unix)]
    if let Some(error) = error.downcast_ref::<ActError>() {
        return describe_act(error);
    }
    if let Some(error) = error.downcast_ref() {
        return describe_library(error);
    }
    if let Some(error) = error.downcast_ref() {
        return describe_dedup(error);
    }
    if let Some(HammingError::TooMany { bytes, .. }) = error.downcast_ref() {
        return format!("{error}; use --memory {} or more", megabytes(*bytes));
    }
    if let Some(told) = crate::remote::describe(error) {
        return told;
    }
    let hamming = error.downcast_ref().and_then(hint_of_hamming);
    let file = || error.downcast_ref().and_then(|error: &FileError| hint_of_file(&error.problem));
    let store = || error.downcast_ref().and_then(hint_of_store);
    hinted(error, hamming.or_else(file).or_else(store))
}

/// An error, and the flags that it is about or a command that helps.
fn hinted(error: impl std::fmt::Display, hint: Option<&str>) -> String {
    hint.map_or_else(|| error.to_string(), |hint| format!("{error} {hint}"))
}

fn hint_of_store(error: &StoreError) -> Option<&'static str> {
    match error {
        StoreError::Temp { .. } => Some("(--tmp)"),
        StoreError::Memory { .. } => Some("(--memory)"),
        StoreError::Threads { .. } => Some("(--threads)"),
        StoreError::NoIndex { .. } => Some("(lookalike index build makes one)"),
        _ => None,
    }
}

fn hint_of_hamming(error: &HammingError) -> Option<&'static str> {
    match error {
        HammingError::File(FileError { problem, .. }) => hint_of_file(problem),
        HammingError::Store(error) => hint_of_store(error),
        HammingError::Distance { .. } | HammingError::StoreDistance { .. } => Some("(--distance)"),
        HammingError::Design { .. } => Some("(--design)"),
        HammingError::Width { .. } => Some("(--bits)"),
        HammingError::StreamOnce | HammingError::Allocation { .. } => Some("(--memory)"),
        _ => None,
    }
}

fn hint_of_file(problem: &FileProblem) -> Option<&'static str> {
    match problem {
        FileProblem::NoLayout | FileProblem::Width { .. } | FileProblem::Length { .. } => Some("(--layout)"),
        FileProblem::TooWide { .. } => Some("(--bits, --digits)"),
        FileProblem::Ambiguous { .. } => Some("(--digits hex or --digits decimal)"),
        FileProblem::Mixed { .. } => Some("(--digits hex)"),
        FileProblem::SomeIds { .. } => Some("(--ids rows)"),
        FileProblem::NoIds(_) => Some("(--ids rows, --id-field)"),
        FileProblem::BadId { .. } => Some("(--ids names or --ids rows)"),
        FileProblem::NamesLimit { .. } => Some("(--memory)"),
        FileProblem::NoColumn { .. } | FileProblem::Column { .. } => Some("(--fingerprint-field, --id-field)"),
        _ => None,
    }
}

/// How an option is typed.
fn flag(option: OptionName) -> &'static str {
    match option {
        OptionName::Threshold => "--threshold",
        OptionName::Contained => "--contained",
        OptionName::Explore => "--explore",
        OptionName::SuperShingles => "--candidates super",
        OptionName::MinSketch => "--sketch min",
        OptionName::IncludeBoilerplate => "--boilerplate keep",
        OptionName::TemplateDecisions => "--decisions that name templates",
        OptionName::Decisions => "--decisions",
        OptionName::Verify => "--verify",
        OptionName::Distance => "--distance",
        OptionName::LengthRatio => "--length-ratio",
        OptionName::MaxDf => "--max-df",
        OptionName::MeanChunk => "--avg-chunk",
        OptionName::Refine => "--refine",
        OptionName::Exact => "--exact",
        OptionName::Templates => "--templates",
        OptionName::MinSimilarity => "--min-similarity",
        OptionName::Stream => "standard input, which can be read once only",
        OptionName::SingleLinkage => "--linkage single",
        OptionName::Sweep => "--sweep",
        OptionName::VersionDate => "--at",
        OptionName::Guarantee => "-t",
        _ => "an option",
    }
}

fn describe_library(error: &Error) -> String {
    match error {
        Error::Corpus(error) => describe_corpus(error),
        Error::Store(error) => hinted(error, hint_of_store(error)),
        Error::Hamming(error) => hinted(error, hint_of_hamming(error)),
        Error::OutOfRange { option, expected, found } => format!("{}: expected {expected}, found {found}", flag(*option)),
        Error::Conflict(OptionName::Contained, OptionName::SuperShingles) => {
            "super shingles cannot find containment; use --candidates shingles with --contained".into()
        }
        Error::Conflict(OptionName::Contained, OptionName::MinSketch) => {
            "MIN sketches cannot find containment; use --sketch nested:100 with --contained".into()
        }
        Error::Conflict(OptionName::MaxDf, OptionName::Stream) => {
            "--max-df reads the documents twice, and standard input can be read once; give files or folders, or make a table with \
             lookalike simhash idf"
                .into()
        }
        Error::Conflict(OptionName::SavedRun, OptionName::Verify) => {
            "--save keeps fingerprints, and --verify counts on the documents; leave out one of the two, or save a scan by --lens \
             shingles"
                .into()
        }
        Error::Conflict(option @ (OptionName::Verify | OptionName::MaxDf), OptionName::Exchange) => {
            format!("an exchange file has fingerprints, not documents; leave out {}", flag(*option))
        }
        Error::Conflict(a, b) => format!("{} and {} exclude each other; leave out one of the two", flag(*a), flag(*b)),
        Error::Needs(option, other) => format!("{0} needs {1}; add {1}", flag(*option), flag(*other)),
        Error::Glob { .. } => format!("--keep: {error}"),
        Error::WrongKey { recipe } if recipe.contains("|key=") => format!("{error}; give that key with --key"),
        Error::WrongKey { .. } => format!("{error}, which was made without a key; leave out --key"),
        Error::WrongRecipe { path, expected, found } => {
            let key = if found.contains("|key=") && !expected.contains("|key=") { "; give that key with --key" } else { "" };
            let flags = recipe_flags(expected);
            let path = path.display();
            format!("{path}: has another recipe: expected {expected}, found {found}; use the same {flags} and --key, or build another index{key}")
        }
        Error::Core(_) if error.to_string().contains("table of document frequencies") => {
            format!("{error}; give that file with --idf")
        }
        Error::OnlySketches { .. } => format!("{error}; add --estimate"),
        Error::UnknownLanguage { .. } => {
            format!("--lang: {error}; expected auto, text, bytes or a language such as python; one that is missing can be read as other")
        }
        Error::NotOfLens { what: OptionName::Index | OptionName::Clusters, lens } => {
            let kept = match lens {
                Lens::Passages => "passages",
                Lens::Simhash => "fingerprints",
                Lens::Chunks => "chunks",
                Lens::Shingles => "words",
            };
            format!(
                "it has {kept}, not shingles; lookalike query and lookalike index ask it, and where documents went, how they changed and \
                 who holds a part is told by their words only: build an index of shingles for that"
            )
        }
        Error::NoDocuments => {
            format!("{error}; there is nothing to count. Check the paths, and --hidden, --no-ignore, --include")
        }
        Error::CannotBeSaved { .. } => format!("{error}; leave out --save"),
        Error::SavedRun { path, reason } => format!("{}: {}", path.display(), describe_run(reason)),
        Error::Exchange { path, reason } => format!("{}: {}", path.display(), describe_exchange(reason)),
        Error::Index { path, reason } => format!("{}: {}", path.display(), describe_index(reason)),
        Error::Template(error) => describe_template(error),
        Error::IdfTable { .. } => format!("{error}; make it again with lookalike simhash idf"),
        Error::OwnerPattern { .. } => format!("--owner: {error}"),
        Error::SegmentFull { .. } => format!("{error}; use a smaller --sketch, or add fewer documents at once"),
        Error::Document { reason, .. } if reason.starts_with("too large") => format!("{error}; raise --max-size"),
        Error::DocumentMemory { id, bytes, needed, allowed } => {
            let [needed, allowed] = [needed, allowed].map(|bytes| megabytes(*bytes));
            format!(
                "{id}: {bytes} bytes take {needed} of memory to work on, and {allowed} are allowed; use --memory {needed} or more, or leave out what is large with --max-size"
            )
        }
        Error::DocumentsMemory { documents, needed, allowed } => {
            let [needed, allowed] = [needed, allowed].map(|bytes| megabytes(*bytes));
            format!("{documents} documents take {needed} of memory, and {allowed} are allowed; use --memory {needed} or more, or divide them")
        }
        Error::PairMemory { a, b, needed, allowed } => {
            let [needed, allowed] = [needed, allowed].map(|bytes| megabytes(*bytes));
            format!(
                "{a} and {b}: comparing them takes {needed} of memory, and {allowed} are allowed; use --memory {needed} or more, or leave out what is large with --max-size"
            )
        }
        Error::Decisions { .. } => format!("{error} (--decisions)"),
        Error::UnknownSource { .. } => format!("{error} (--drop-only-from, --keep source-priority)"),
        _ => error.to_string(),
    }
}

/// As --memory takes it, not less.
fn megabytes(bytes: u64) -> String {
    format!("{}M", bytes.div_ceil(1 << 20))
}

/// The flags that make a recipe.
fn recipe_flags(recipe: &str) -> &'static str {
    match recipe.parse().map(|recipe: Recipe| recipe.lens()) {
        Ok(Lens::Shingles) => "--words, --sketch, --format",
        Ok(Lens::Chunks) => "--avg-chunk",
        Ok(Lens::Simhash) => "--ngrams, --stop-words, --weight, --idf, --bits, --format",
        Ok(Lens::Passages) => "--lang, -k, -t, --keep-identifiers, --keep-literals, --keep-comments",
        Err(_) => "flags of the lens",
    }
}

fn describe_run(reason: &SavedRunError) -> String {
    match reason {
        SavedRunError::Unreadable(_) => format!("{reason}, as scan --save writes it"),
        SavedRunError::TooLow { option, saved, found } => format!(
            "was saved with {} {saved}: expected at least that and at most 1, found {found}; scan again for a lower one",
            flag(*option)
        ),
        SavedRunError::NotLookedFor(option) => format!("was saved without {}: scan again with it", flag(*option)),
        _ => reason.to_string(),
    }
}

fn describe_exchange(reason: &ExchangeError) -> String {
    match reason {
        ExchangeError::NoExchangeFile => format!("{reason}; lookalike sketch writes one"),
        ExchangeError::WrongLens { found, .. } => format!("{reason}; use --lens {found}, or sketch again"),
        _ => reason.to_string(),
    }
}

fn describe_index(reason: &IndexError) -> String {
    match reason {
        IndexError::Exists => format!("{reason}; add to it with lookalike index add, or choose another name"),
        IndexError::Taken => format!("{reason}; give the name of a new folder first, then what to read"),
        IndexError::UnknownName { name } => {
            format!("{name} was never seen by this index; check its spelling, or ask for a file")
        }
        _ => reason.to_string(),
    }
}

fn describe_template(error: &TemplateError) -> String {
    match error {
        TemplateError::NotAList { .. } => {
            format!("{error}; lookalike templates mark writes one; give another with --templates")
        }
        TemplateError::BadHash { .. } => format!("--chunk: {error}"),
        TemplateError::ChunksOfHash { chunks: 0, .. } => format!("{error}; check the digits"),
        TemplateError::ChunksOfHash { .. } => format!("{error}; give more digits"),
        TemplateError::NameTaken { .. } => format!("{error} (--name)"),
        TemplateError::WrongRecipe { .. } => format!("{error} (--templates, or templates.json of the run)"),
        _ => error.to_string(),
    }
}

fn describe_dedup(error: &DedupError) -> String {
    match error {
        DedupError::Engine(error) => describe_library(error),
        DedupError::Store(error) => hinted(error, hint_of_store(error)),
        DedupError::Damaged { id, reason } if reason.starts_with("no text: ") => {
            format!("{id}: {reason}; nothing was written. Name the field with --text-field, or leave this file out")
        }
        DedupError::Stopped { out, partial } => format!(
            "a run into {} was stopped; the same command with --resume goes on with it, or remove {} to begin anew",
            out.display(),
            partial.display()
        ),
        DedupError::LeftOut { left_out, .. } => {
            let flags = match left_out.kind.as_str() {
                "hidden" | "system file" => "--hidden, --exclude",
                "ignored" => "--no-ignore, --exclude",
                "symbolic link" => "--follow-links, --exclude",
                _ => "--exclude",
            };
            format!("{error} ({flags})")
        }
        DedupError::OtherRun { .. } => format!("{error} (--resume)"),
        DedupError::NotUpdated { out, index, source } => format!(
            "{}; {} is complete, but {} was not updated: the same command with --resume updates it",
            describe_library(source),
            out.display(),
            index.display()
        ),
        _ => error.to_string(),
    }
}

fn describe_corpus(error: &CorpusError) -> String {
    let flags = match error {
        CorpusError::MissingField(missing) => return describe_missing_field(missing),
        CorpusError::Glob { role: GlobRole::Include, .. } => "--include",
        CorpusError::Glob { role: GlobRole::Exclude, .. } => "--exclude",
        CorpusError::SizeRange { .. } => "--min-size, --max-size",
        CorpusError::IdIsContent { .. } => "--id-field, --text-field",
        CorpusError::NoIds { .. } => "--id-field",
        CorpusError::CategoryIsContent { .. } => "--category-field",
        _ => return error.to_string(),
    };
    format!("{error} ({flags})")
}

/// The flag that names the field; with the field that was probably meant, if one was.
fn describe_missing_field(missing: &MissingField) -> String {
    let flag = match missing.role {
        FieldRole::Text => "--text-field",
        FieldRole::Features => "--features-field",
        FieldRole::Id => "--id-field",
        FieldRole::Benchmark => "--against-field",
        FieldRole::Category => return format!("{missing} (--source-field, or --category-field)"),
        FieldRole::Rank => return format!("{missing} (--keep best:FIELD, or --keep newest:FIELD)"),
        _ => return missing.to_string(),
    };
    match &missing.suggestion {
        Some(field) => format!("{missing}; use {flag} {field}"),
        None => format!("{missing}; name another with {flag}"),
    }
}

#[cfg(unix)]
fn describe_act(error: &ActError) -> String {
    const NEW_REPORT: &str = "make one with lookalike files --json";
    match error {
        ActError::NotAReport { .. } | ActError::NoSchema { .. } | ActError::WrongLens { .. } => {
            format!("{error}; {NEW_REPORT}")
        }
        ActError::UnsupportedSchema { .. } => format!("{error}; {NEW_REPORT}, with this version"),
        ActError::WriteLog { .. } => format!("{error}; choose another file with --log"),
        ActError::NotALog { .. } => format!("{error}; choose another file"),
        ActError::Folder { role, path, problem } => {
            let flag = match role {
                FolderRole::Keep => "--keep under",
                FolderRole::Reference => "--reference",
                FolderRole::Root => "--root",
                FolderRole::Destination => "--move",
                _ => return error.to_string(),
            };
            format!("{flag} {}: {problem}", path.display())
        }
        _ => error.to_string(),
    }
}
