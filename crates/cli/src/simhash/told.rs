//! What was left out, told on standard error.

use crate::output;
use lookalike::simhash::FingerprintSummary;

/// Skips that are listed one by one.
const LISTED: usize = 10;

/// Says how many documents have no fingerprint and why, and names the first of them. The exit code.
pub(crate) fn tell(summary: &FingerprintSummary, quiet: bool) -> u8 {
    let skipped = &summary.skipped;
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
    if !quiet && summary.documents == 0 {
        output::message("no documents were found; check the paths, and --hidden, --no-ignore, --include");
    }
    let damaged = output::is_damaged(skipped, "the rest was taken");
    if damaged { crate::WRONG } else { crate::SUCCESS }
}
