//! `lookalike simhash`: one fingerprint for each document, and who is near; one file for each verb below it.

pub(super) mod batch;
pub(super) mod build;
pub(super) mod fingerprint;
pub(super) mod idf;
pub(super) mod lookup;
pub(super) mod near;
pub(super) mod online;
pub(super) mod plan;

use super::Group;
use crate::args::Args;
use crate::documents::resources;
use crate::output;
use lookalike::hamming::{FileOptions, FingerprintFile, SearchOptions};
use lookalike::simhash::FingerprintSummary;
use std::path::Path;

pub(super) const GROUP: Group = Group {
    name: "simhash",
    about: "Fingerprint documents, and find near ones among billions",
    long: "A fingerprint has 64 bits, whatever the document's length. Documents whose fingerprints differ in few bits (3 of 64) are \
           near-copies. It takes less room than any sketch, and tells less: neither which passages are equal nor whether one document \
           is inside another.",
    after: "Examples:
  lookalike simhash fingerprint docs/                     a line for each document: fingerprint, id
  lookalike simhash idf docs/ -o docs.lki                 what is rare weighs more …
  lookalike simhash fingerprint docs/ --idf docs.lki      … in these fingerprints
  lookalike simhash near docs.tsv                         which of them are near each other?
  lookalike simhash batch seen.u64 new.u64                which of the new ones were seen before?
  lookalike simhash build seen.u64 -o seen                … and the same, one at a time, …
  lookalike simhash lookup seen 0123456789abcdef          … in microseconds
  lookalike simhash online seen                           … while more come and go
  lookalike simhash plan --n 8e9                          what would eight billion take?

Fingerprints can be compared if their recipes are equal; the recipe is in what --json prints.",
};

/// A file of fingerprints, as the flags describe it.
fn file(args: &Args, path: &Path) -> FingerprintFile {
    let options = FileOptions {
        layout: args.get("layout"),
        digits: args.get("digits"),
        ids: args.get("ids"),
        field: args.get("fingerprint-field"),
        id_field: args.get("id-field"),
        ..FileOptions::default()
    };
    FingerprintFile { path: path.to_owned(), options }
}

/// Whether fingerprints have 128 bits.
fn is_wide(args: &Args) -> bool {
    args.value::<u32>("bits") == 128
}

/// Options of a search through files.
fn search(args: &Args) -> SearchOptions {
    let listed = args.get::<usize>("limit").map(|limit| limit as u64);
    SearchOptions { distance: args.value("distance"), limit: listed, keep_pairs: false, resources: resources(args) }
}

/// Skips that are listed one by one.
const LISTED: usize = 10;

/// Says how many documents have no fingerprint and why, and names the first of them. The exit code.
fn tell_skipped(args: &Args, summary: &FingerprintSummary) -> u8 {
    let (skipped, quiet) = (&summary.skipped, args.has("quiet"));
    if !quiet && !skipped.is_empty() {
        let documents = if skipped.len() == 1 { "document" } else { "documents" };
        output::message(&format!("{} {documents} left out, {} of them empty", skipped.len(), summary.empty));
        for skip in skipped.iter().take(LISTED) {
            output::message(&format!("  {}: {}", skip.id, skip.reason));
        }
        if skipped.len() > LISTED {
            output::message(&format!("  and {} more; --json lists them all", skipped.len() - LISTED));
        }
    }
    if summary.documents == 0 {
        return output::no_documents(args, skipped);
    }
    let damaged = output::is_damaged(skipped, "the rest was taken");
    if damaged { crate::WRONG } else { crate::SUCCESS }
}
