//! What reading needs to know of a corpus, on any thread.

use crate::globs::Globs;
use crate::known::Known;
use crate::line_counts::LineCounts;
use crate::member::UnpackCache;
use crate::options::Options;
use crate::own_files::OwnFiles;
use crate::shard_files::ShardFiles;

/// What sources, batches and fetches need of a corpus.
pub(crate) struct ReadContext {
    pub(crate) options: Options,
    pub(crate) globs: Globs,
    pub(crate) own_files: OwnFiles,
    pub(crate) shard_files: ShardFiles,
    pub(crate) line_counts: LineCounts,
    pub(crate) unpack_cache: UnpackCache,
    /// Who knows files without reading them.
    pub(crate) known: Known,
}
