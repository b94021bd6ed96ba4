//! An open index: a snapshot that stays as it is, whatever is committed meanwhile.

use crate::info::{Info, Sweep};
use crate::lens::any_lens::AnyLens;
use crate::lens::index_lens::QueryDocument;
use crate::search::{Query, QueryOptions, SearchResult, Sighting};
use crate::segment::cluster_state::ClusterState;
use crate::segment::snapshot::Snapshot;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::Recipe;
use lookalike_core::simhash::Idf;
use lookalike_core::sketch::PairEstimate;
use lookalike_corpus::{Body, Corpus, Input, content_name};
use lookalike_engine::report::Skip;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::run::Session;
use lookalike_engine::run::document::read_document;
use lookalike_engine::run::session::reading;
use lookalike_engine::{Error, IndexError, ScanOptions};
use lookalike_store::{Cancel, Resources, Silent};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// An index of any lens, open for queries. It opens without being loaded, and may be asked from many threads.
///
/// ```no_run
/// use lookalike_index::{Index, Query, QueryOptions};
///
/// let index = Index::open("pages.index", "")?;
/// let found = index.query(&Query::Url("pages/faq.html"), &QueryOptions::default())?;
/// println!("{} has {} more matches", found.query, found.more);
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
pub struct Index {
    pub(crate) snapshot: Snapshot,
    pub(crate) lens: AnyLens,
}

impl Index {
    /// Opens an index; `key` is the secret that it was made with. Without it (empty) an index answers whatever needs no reading of documents.
    pub fn open(path: impl AsRef<Path>, key: &str) -> Result<Self, Error> {
        Self::open_with(path.as_ref(), key, None)
    }

    /// The same with the table of document frequencies that the recipe of an index of fingerprints names.
    pub fn open_with_idf(path: impl AsRef<Path>, key: &str, idf: Arc<Idf>) -> Result<Self, Error> {
        Self::open_with(path.as_ref(), key, Some(idf))
    }

    fn open_with(path: &Path, key: &str, idf: Option<Arc<Idf>>) -> Result<Self, Error> {
        let snapshot = Snapshot::open(path)?;
        let mut lens = AnyLens::new(&snapshot.recipe, key, idf)?;
        lens.get_mut().prepare(&snapshot.segments)?;
        Ok(Self { snapshot, lens })
    }

    /// Its lens.
    pub fn lens(&self) -> Lens {
        self.snapshot.recipe.lens()
    }

    /// How documents became what is kept of them.
    pub fn recipe(&self) -> &Recipe {
        &self.snapshot.recipe
    }

    /// What makes two documents alike, as the index was told when it was made.
    pub fn policy(&self) -> Policy {
        self.snapshot.meta.policy
    }

    /// Asks for a document.
    pub fn query(&self, query: &Query<'_>, options: &QueryOptions) -> Result<SearchResult, Error> {
        match *query {
            Query::File(path) => {
                let (id, body) = read_document(path, options.max_size, u64::MAX)?;
                self.query_body(&id, &body, options)
            }
            Query::Text { id, text } => self.query_body(id, &Body::Text(Cow::Borrowed(text)), options),
            Query::Bytes { id, bytes } => self.query_body(id, &Body::Bytes(Cow::Borrowed(bytes)), options),
            Query::Url(url) => {
                let unknown = || {
                    let reason = IndexError::UnknownName { name: url.to_owned() };
                    Error::Index { path: self.snapshot.path.clone(), reason }
                };
                let (_, document) = self.find(url)?.pop().ok_or_else(unknown)?;
                self.query_stored(url, document, options)
            }
            Query::Document(document) => self.query_stored(&self.content(document)?, document, options),
        }
    }

    pub(crate) fn query_body(&self, id: &str, body: &Body<'_>, options: &QueryOptions) -> Result<SearchResult, Error> {
        self.lens.get().search(&self.snapshot, QueryDocument::Body { id, body }, options)
    }

    pub(crate) fn query_stored(&self, id: &str, document: u32, options: &QueryOptions) -> Result<SearchResult, Error> {
        self.lens.get().search(&self.snapshot, QueryDocument::Stored { id, document }, options)
    }

    /// Reads a text as [`IndexWriter::add`](crate::IndexWriter::add) does, and changes nothing. Fails where that would leave it out, because
    /// it has no words for example, and where it takes more memory than is allowed.
    pub fn check_document(&self, id: &str, text: &str, resources: &Resources) -> Result<(), Error> {
        let mut options = ScanOptions::default();
        options.resources = Resources { threads: 1, ..resources.clone() };
        let cancel = Cancel::default();
        let session = Session::new(&options, &Silent, &cancel)?;
        let corpus = Corpus::open(vec![Input::documents([(id, text)])], reading(&options))?;
        options.resources.pool()?.install(|| {
            let mut documents = self.lens.get().read(&session, &corpus)?;
            let left_out = documents.left_out()?;
            match documents.take_skipped()?.into_iter().find(|skip| left_out.contains(&skip.id)) {
                Some(Skip { reason, .. }) => Err(Error::Document { id: id.to_owned(), reason }),
                None => Ok(()),
            }
        })
    }

    /// The sweeps by date; what was added without a date comes first. The index of a sweep is its place in this list.
    pub fn sweeps(&self) -> &[Sweep] {
        self.snapshot.sweeps()
    }

    /// The observations of a URL or id, oldest first, as indices of sweeps and documents; none if it was never seen.
    pub fn find(&self, url: &str) -> Result<Vec<(u32, u32)>, Error> {
        self.snapshot.find(url)
    }

    /// Every URL or id once, with its observations, oldest first; in the same order for the same contents.
    pub fn for_each_history(&self, visit: impl FnMut(&str, &[(u32, u32)]) -> Result<(), Error>) -> Result<(), Error> {
        self.snapshot.for_each_history(visit)
    }

    /// The content id of a document.
    pub fn content(&self, document: u32) -> Result<String, Error> {
        Ok(content_name(self.snapshot.content(document)?))
    }

    /// Where and when a document was seen, the most recent first.
    pub fn seen(&self, document: u32) -> Result<Vec<Sighting>, Error> {
        self.snapshot.seen(document)
    }

    /// The index in numbers.
    pub fn info(&self) -> Result<Info, Error> {
        self.snapshot.info()
    }

    /// The representative of a document's cluster: itself, if it is alone. Only shingles have clusters.
    pub fn cluster(&self, document: u32) -> Result<u32, Error> {
        self.lens.shingles()?;
        Ok(self.snapshot.state.representative(document)?)
    }

    /// The members of a representative's cluster, without itself. Only shingles have clusters.
    pub fn members(&self, representative: u32) -> Result<Vec<u32>, Error> {
        self.lens.shingles()?;
        Ok(self.snapshot.state.members(representative)?)
    }

    /// How two documents relate, estimated from their sketches. Only shingles have sketches.
    pub fn resemblance(&self, a: u32, b: u32) -> Result<PairEstimate, Error> {
        self.lens.shingles()?.resemblance(&self.snapshot, a, b)
    }
}
