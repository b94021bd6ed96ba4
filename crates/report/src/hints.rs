//! What a report tells people to do next, in the words of the command `lookalike`. Every flag and verb that this crate mentions is here.

use std::path::Path;

pub(crate) const ALL: &str = "all with --json";
pub(crate) const PAGES: &str = "all with --json, or in a file with --pages FILE";
pub(crate) const MORE: &str = "show more with --top N, all with --json";
pub(crate) const MORE_DIFFERENCES: &str = "show them with --top N";
pub(crate) const MEMORY: &str = "allow that much with --memory";
pub(crate) const MORE_PAIRS: &str = "show more with --top N";
pub(crate) const LIST_MORE_PAIRS: &str = "list more with --limit N (moss: -n N)";
pub(crate) const ALL_PAIRS: &str = "all in numbers with copies --pairs FILE";
pub(crate) const COMPARE_MORE: &str = "a larger --limit compares more";
pub(crate) const CONTAINED: &str = "ask with --contained 0.9";
pub(crate) const VERIFY: &str = "scan with --verify";
pub(crate) const RESEMBLANCE: &str = "for their resemblance, run lookalike compare without --lens";
pub(crate) const SKIPPED_IN: &str = "listed in --json";
pub(crate) const ROWS_IN: &str = "all are in --json and --csv";
pub(crate) const DO_IT: &str = "Do it with --yes.";
pub(crate) const JUDGE: &str = "To judge them yourself, write the page with --html FILE, export what you say there, and run this again with --judged FILE.";
pub(crate) const JUDGE_MORE: &str = "draw more with --per-stratum N, and judge more of them";
pub(crate) const LOWER_PRECISION: &str = "ask for less with --precision, or for longer shingles with -w";
const IGNORE_TEMPLATE: &str = "to ignore it, keep a RUN with --save (without --refine), mark it, then recluster";

/// How something that looks like a template is ignored.
pub(crate) fn ignore_template(run: Option<&Path>) -> String {
    let recluster =
        |run: &Path| format!("to ignore it, mark it, then lookalike recluster {}", quote(&run.display().to_string()));
    run.map_or_else(|| IGNORE_TEMPLATE.to_owned(), recluster)
}

/// How text is ignored that so many documents share.
pub(crate) fn dominant(documents: u64) -> String {
    format!(
        "If this is a menu or a form, ignore it: --max-df {documents}; of pages, --drop CSS or --select CSS say what counts"
    )
}

/// The command that marks what the documents of a cluster share.
pub(crate) fn mark_template(cluster: &str, run: Option<&Path>) -> String {
    let run = run.map_or_else(|| "RUN".to_owned(), |run| quote(&run.display().to_string()));
    format!("lookalike templates mark {run} --cluster {cluster}")
}

/// The command that undoes what a log tells.
pub(crate) fn undo(log: &str) -> String {
    format!("lookalike act --undo {}", quote(log))
}

/// A command from its words, as a shell takes it.
pub fn command_line(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
    format!("lookalike {}", words.join(" "))
}

/// A path as a shell takes it.
fn quote(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_for_a_shell() {
        assert_eq!(quote("a/b-1.jsonl"), "a/b-1.jsonl");
        assert_eq!(quote("it's here"), r"'it'\''s here'");
    }
}
