//! MOSS's names of languages, and how lookalike reads them.

use crate::values;
use lookalike::Reading;

/// How a language is read that is in no row of ours: by words and signs.
const FALLBACK: &str = "other";

/// MOSS's name, and ours where it is another.
const NAMES: [(&str, Option<&str>); 26] = [
    ("a8086", None),
    ("ada", None),
    ("ascii", Some("text")),
    ("c", None),
    ("cc", Some("cpp")),
    ("csharp", None),
    ("fortran", None),
    ("haskell", None),
    ("java", None),
    ("javascript", None),
    ("lisp", None),
    ("matlab", None),
    ("mips", None),
    ("ml", None),
    ("modula2", None),
    ("pascal", None),
    ("perl", None),
    ("plsql", None),
    ("prolog", None),
    ("python", None),
    ("scheme", None),
    ("spice", None),
    ("tcl", None),
    ("vb", None),
    ("verilog", None),
    ("vhdl", None),
];

/// A value of -l. A name that MOSS does not have may still be a language of ours.
pub(crate) fn reading(text: &str) -> Result<Reading, String> {
    match NAMES.iter().find(|(name, _)| *name == text) {
        Some((_, Some(ours))) => values::reading(ours),
        Some((name, None)) => values::reading(name).or_else(|_| values::reading(FALLBACK)),
        None => values::reading(text),
    }
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
