//! Errors of the library in the words of the command: what it calls an option is a flag here, and what helps is a command.

#[cfg(unix)]
use lookalike::act::{Error as ActError, FolderRole};
use lookalike::{CorpusError, Error, GlobRole};

/// `lookalike scan … | head` is no error.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe))
}

/// What the user reads.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    #[cfg(unix)]
    if let Some(error) = error.downcast_ref::<ActError>() {
        return describe_act(error);
    }
    match error.downcast_ref() {
        Some(Error::Corpus(error)) => describe_corpus(error),
        _ => error.to_string(),
    }
}

fn describe_corpus(error: &CorpusError) -> String {
    let flags = match error {
        CorpusError::Glob { role: GlobRole::Include, .. } => "--include",
        CorpusError::Glob { role: GlobRole::Exclude, .. } => "--exclude",
        CorpusError::SizeRange { .. } => "--min-size, --max-size",
        CorpusError::IdIsContent { .. } => "--id-field, --text-field",
        CorpusError::CategoryIsContent { .. } => "--category-field",
        _ => return error.to_string(),
    };
    format!("{error} ({flags})")
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
                FolderRole::Destination => "--move",
                _ => return error.to_string(),
            };
            format!("{flag} {}: {problem}", path.display())
        }
        _ => error.to_string(),
    }
}
