//! `lookalike files`: any files, text or not, by the bytes that they share.

use super::scan::by_chunks;
use crate::args::Spec;
use crate::lens::Lens;
use crate::verb::Verb;

pub(super) const SPEC: Spec =
    Spec::new(Verb::Files, "files", "Find files that share bytes: identical, nearly the same, or parts of others", by_chunks)
        .lenses(&[Lens::Chunks])
        .long(
            "Cuts files into chunks where their content says so, and reports sets of identical files, clusters of files that share \
             chunks, and similar folders. Any files will do, text or not. The same as lookalike scan --lens chunks.",
        )
        .after(
            "Examples:
  lookalike files backup/                               identical and similar files, similar folders
  lookalike files backup/ --threshold 0.9 --xlsx files.xlsx
  lookalike files site/ --save run                      and then lookalike templates mark, recluster
  lookalike files backup/ --json > report.json          and then lookalike act report.json
  lookalike files backup/ --report-format fdupes        sets of identical files, as fdupes prints them
  lookalike files ours/ theirs.lka                      and what another owner has sketched",
        );
