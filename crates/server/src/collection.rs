//! What is served, by name; and which of it a request means.

use crate::error::Error;
use crate::living::LivingIndex;
use crate::options::ServerOptions;
use crate::problem::Problem;
use crate::saved_run::SavedRun;
use crate::store::PageStore;
use crate::verdicts::VerdictLog;
use lookalike::{Index, IndexError, Lens};
use std::path::Path;

/// Something that is served.
pub(crate) struct Collection {
    /// The last part of its path.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// What reviewers decided, where there are clusters.
    pub(crate) verdicts: Option<VerdictLog>,
}

pub(crate) enum Kind {
    Index(LivingIndex),
    Store(Box<PageStore>),
    Run(SavedRun),
}

impl Collection {
    fn open(path: &Path, name: String, options: &ServerOptions) -> Result<Self, Error> {
        if lookalike::saved_lens(path) == Some(Lens::Chunks) {
            let verdicts = Some(VerdictLog::open(path, options.read_only)?);
            return Ok(Self { name, kind: Kind::Run(SavedRun::new(path, &options.key)), verdicts });
        }
        let kind = match Index::open(path, &options.key) {
            Ok(index) => {
                Kind::Index(LivingIndex::new(path, index, &options.key, &options.resources, options.read_only)?)
            }
            Err(lookalike::Error::Index { reason: IndexError::OtherKind, .. }) => {
                Kind::Store(Box::new(PageStore::open(path, &options.key, options.read_only)?))
            }
            Err(error) => return Err(error.into()),
        };
        let has_clusters = matches!(&kind, Kind::Index(index) if index.lens() == Lens::Shingles);
        let verdicts = has_clusters.then(|| VerdictLog::open(path, options.read_only)).transpose()?;
        Ok(Self { name, kind, verdicts })
    }

    /// What it is, in a word.
    pub(crate) fn what(&self) -> &'static str {
        match &self.kind {
            Kind::Index(index) => match index.lens() {
                Lens::Shingles => "shingles",
                Lens::Chunks => "chunks",
                Lens::Simhash => "simhash",
                Lens::Passages => "passages",
            },
            Kind::Store(_) => "fingerprints",
            Kind::Run(_) => "run",
        }
    }

    pub(crate) fn index(&self) -> Option<&LivingIndex> {
        if let Kind::Index(index) = &self.kind { Some(index) } else { None }
    }

    pub(crate) fn index_of(&self, lens: Lens) -> Option<&LivingIndex> {
        self.index().filter(|index| index.lens() == lens)
    }

    pub(crate) fn store(&self) -> Option<&PageStore> {
        if let Kind::Store(store) = &self.kind { Some(store) } else { None }
    }

    pub(crate) fn run(&self) -> Option<&SavedRun> {
        if let Kind::Run(run) = &self.kind { Some(run) } else { None }
    }

    pub(crate) fn close(&self) {
        match &self.kind {
            Kind::Index(index) => index.close(),
            Kind::Store(store) => store.close(),
            Kind::Run(_) => {}
        }
    }
}

/// The last part of a path; of one such as `.`, the name of the folder.
fn name_of(path: &Path) -> Result<String, Error> {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    name.ok_or_else(|| Error::Nameless { path: path.to_owned() })
}

/// All that is served.
pub(crate) struct Collections(Vec<Collection>);

impl Collections {
    pub(crate) fn open(options: &ServerOptions) -> Result<Self, Error> {
        let mut names: Vec<String> = Vec::new();
        for path in &options.indexes {
            let name = name_of(path)?;
            if names.contains(&name) {
                return Err(Error::SameName { name });
            }
            names.push(name);
        }
        let folders = options.indexes.iter().zip(names);
        let all = folders.map(|(path, name)| Collection::open(path, name, options)).collect::<Result<_, _>>()?;
        Ok(Self(all))
    }

    pub(crate) fn all(&self) -> &[Collection] {
        &self.0
    }

    /// The one that a request names; without a name, the first that can answer. `what` says what can.
    pub(crate) fn pick<'a, T>(
        &'a self,
        name: Option<&str>,
        what: &str,
        able: impl Fn(&'a Collection) -> Option<T>,
    ) -> Result<T, Problem> {
        let Some(name) = name else {
            let none = || Problem::meaningless(format!("expected {what}; this server has none"));
            return self.0.iter().find_map(able).ok_or_else(none);
        };
        let found = self.0.iter().find(|collection| collection.name == name);
        let found = found.ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|collection| collection.name.as_str()).collect();
            Problem::not_found(format!("index: expected one of {}, found {name:?}", names.join(", ")))
        })?;
        able(found).ok_or_else(|| {
            Problem::meaningless(format!("index: expected {what}; {name} is of another kind ({})", found.what()))
        })
    }
}
