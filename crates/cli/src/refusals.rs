//! Why a verb or a flag does not take a lens: what it would need, and what does it instead.

use crate::lens::Lens;
use crate::verb::Verb;

/// Why a verb does not take a lens; none if there is nothing to say but which it takes.
pub(crate) fn of_verb(verb: Verb, lens: Lens) -> Option<&'static str> {
    Some(match (verb, lens) {
        (Verb::Scan, Lens::Passages) => {
            "passages are looked for between submissions, and shown at their places; use lookalike copies"
        }
        (Verb::Compare, Lens::Chunks | Lens::Passages) => {
            "bytes and passages in common are told of any two documents beside the rest; leave out --lens"
        }
        (Verb::Sketch, Lens::Passages) => {
            "passages are found token by token, and the tokens of a document are its text; use lookalike copies on the files of both"
        }
        (Verb::Sketch, Lens::All) => "an exchange file has what one lens makes of documents; write one for each lens",
        (Verb::IndexBuild, Lens::All) => "an index keeps what one lens makes of documents; build one for each lens",
        _ => return None,
    })
}

/// The same of a flag.
pub(crate) fn of_flag(flag: &str, lens: Lens) -> Option<&'static str> {
    Some(match (flag, lens) {
        ("save", Lens::All) => {
            "what all lenses say of a pair is read off the documents, and a saved run has none; save a scan by one lens, or keep \
             the report with --json"
        }
        ("against", _) => {
            "what is new is told by the words that documents share, and an index of this lens is asked with lookalike query"
        }
        _ => return None,
    })
}
