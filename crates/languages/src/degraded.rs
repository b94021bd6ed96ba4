//! The reasons for which a file is not parsed.

use lookalike_process::NoParser;

/// The reason for which a file was read word by word and not with the grammar of its language. The text is for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Degraded {
    /// No parser program can be started.
    #[error(transparent)]
    NoParser(#[from] NoParser),
    /// The grammar was made for another version of the parser.
    #[error("the grammar of {language} does not fit this version")]
    GrammarVersion {
        /// Title of the language.
        language: &'static str,
    },
    /// The file is too large for a tree.
    #[error("larger than {mebibytes} MiB")]
    TooLarge {
        /// The largest size that is parsed.
        mebibytes: usize,
    },
    /// A comment runs to the end of the file.
    #[error("a comment that is never closed")]
    UnclosedComment,
    /// Brackets are nested too deep.
    #[error("brackets in brackets more than {max} deep")]
    TooDeep {
        /// The deepest nesting that is parsed.
        max: usize,
    },
    /// Too many brackets close nothing or are never closed.
    #[error("more than {max} brackets do not match")]
    UnmatchedBrackets {
        /// As many are parsed.
        max: usize,
    },
    /// A line is too long: a table, or written by a machine.
    #[error("a line of more than {max} words and signs")]
    LongLine {
        /// The most tokens on a line.
        max: usize,
    },
    /// Long parts repeat themselves.
    #[error("long parts of it are the same again and again")]
    Repetitive,
    /// The parser did far more work than a text of this length should take.
    #[error("too tangled to be parsed as {language}")]
    TooTangled {
        /// Title of the language.
        language: &'static str,
    },
    /// The grammar has a defect that this text would meet.
    #[error("text that the grammar of {language} cannot read safely")]
    UnsafeForGrammar {
        /// Title of the language.
        language: &'static str,
    },
    /// The process that parsed it died, twice: the grammar crashed, or took more memory than any text should.
    #[error("the grammar of {language} crashed on it")]
    Crashed {
        /// Title of the language.
        language: &'static str,
    },
    /// The process that parsed it was ended: the grammar took more time than any text should.
    #[error("the grammar of {language} took more than {limit}")]
    TookTooLong {
        /// Title of the language.
        language: &'static str,
        /// The time that it may take.
        limit: String,
    },
    /// Too much of it is not code of this language.
    #[error("{percent}% of it cannot be parsed as {language}")]
    Unparsed {
        /// How much.
        percent: usize,
        /// Title of the language.
        language: &'static str,
    },
    /// It should be a notebook and is not.
    #[error("not a notebook that can be read ({reason})")]
    NotANotebook {
        /// What the JSON reader says.
        reason: String,
    },
}
