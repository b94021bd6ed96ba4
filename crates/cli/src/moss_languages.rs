//! MOSS's names of languages, and how lookalike reads them.

use crate::values;
use lookalike::Reading;

/// What has no grammar here is read by words and signs.
const FALLBACK: &str = "other";

/// MOSS's name, and ours; none where there is no grammar.
const NAMES: [(&str, Option<&str>); 26] = [
    ("a8086", None),
    ("ada", None),
    ("ascii", Some("text")),
    ("c", Some("c")),
    ("cc", Some("cpp")),
    ("csharp", Some("csharp")),
    ("fortran", None),
    ("haskell", Some("haskell")),
    ("java", Some("java")),
    ("javascript", Some("javascript")),
    ("lisp", None),
    ("matlab", None),
    ("mips", None),
    ("ml", None),
    ("modula2", None),
    ("pascal", None),
    ("perl", Some("perl")),
    ("plsql", None),
    ("prolog", None),
    ("python", Some("python")),
    ("scheme", None),
    ("spice", None),
    ("tcl", None),
    ("vb", None),
    ("verilog", None),
    ("vhdl", None),
];

/// A value of -l. A name that MOSS does not have may still be a language of ours.
pub(crate) fn reading(text: &str) -> Result<Reading, String> {
    let known = NAMES.iter().find(|(name, _)| *name == text);
    values::reading(known.map_or(text, |(_, ours)| ours.unwrap_or(FALLBACK)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_moss() {
        let language = |name: &str| Ok(Reading::Language(name.to_owned()));
        assert_eq!(["cc", "python", "vhdl", "rust"].map(reading), ["cpp", "python", "other", "rust"].map(language));
        assert_eq!(reading("ascii"), Ok(Reading::Prose));
        assert!(NAMES.is_sorted(), "so that a missing one is seen");
    }
}
