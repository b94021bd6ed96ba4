//! The table of languages: one row for each. CONTRIBUTING says how to add one.

use super::language::Reach::{Character, File, Line};
use super::language::{Language, Quote, Reading};
use super::{leaves, telltales};

const fn quote(mark: &'static str, reach: super::language::Reach) -> Quote {
    Quote { open: mark, close: mark, escapes: true, reach }
}

const DOUBLE: Quote = quote("\"", Line);
const SINGLE: Quote = quote("'", Line);
const CHARACTER: Quote = quote("'", Character);
const BACKTICK: Quote = quote("`", File);
const TRIPLE: Quote = quote("\"\"\"", File);
const TRIPLE_SINGLE: Quote = quote("'''", File);
/// Strings over several lines, in which a backslash means itself.
const SQL_STRING: Quote = Quote { open: "'", close: "'", escapes: false, reach: File };
const SQL_NAME: Quote = Quote { open: "\"", close: "\"", escapes: false, reach: Line };
const LUA_LONG: Quote = Quote { open: "[[", close: "]]", escapes: false, reach: File };
const GO_RAW: Quote = Quote { open: "`", close: "`", escapes: false, reach: File };

const C_BLOCK: &[(&str, &str)] = &[("/*", "*/")];

/// What a row says where it says nothing: as languages do that look like C.
const LIKE_C: Language = Language {
    name: "",
    title: "",
    aliases: &[],
    extensions: &[],
    files: &[],
    family: "",
    reading: Reading::Lexical,
    line_comments: &["//"],
    block_comments: C_BLOCK,
    quotes: &[DOUBLE, SINGLE],
    types: &[],
    caseless: false,
    is_unsafe: |_| false,
    leaf_rules: None,
    telltales: telltales::NONE,
};

pub(super) static LANGUAGES: &[Language] = &[
    Language {
        name: "python",
        title: "Python",
        aliases: &["py", "python3", "ipython", "cython"],
        extensions: &["py", "pyw", "pyi"],
        family: "python",
        reading: Reading::Parsed,
        line_comments: &["#"],
        block_comments: &[],
        quotes: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
        leaf_rules: Some(&leaves::PYTHON),
        telltales: telltales::PYTHON,
        ..LIKE_C
    },
    Language {
        name: "java",
        title: "Java",
        extensions: &["java"],
        family: "java",
        reading: Reading::Parsed,
        quotes: &[TRIPLE, DOUBLE, CHARACTER],
        leaf_rules: Some(&leaves::JAVA),
        telltales: telltales::JAVA,
        ..LIKE_C
    },
    Language {
        name: "c",
        title: "C",
        extensions: &["c"],
        family: "c",
        reading: Reading::Parsed,
        quotes: &[DOUBLE, CHARACTER],
        types: &[("primitive_type", C_TYPES)],
        telltales: telltales::C,
        ..LIKE_C
    },
    Language {
        name: "cpp",
        title: "C++",
        aliases: &["c++", "cc", "cplusplus"],
        // headers too: C++ is the larger language, and the tokens are the same
        extensions: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "h", "ino", "cu", "tpp", "ipp"],
        family: "c",
        reading: Reading::Parsed,
        quotes: &[DOUBLE, CHARACTER],
        types: &[("primitive_type", C_TYPES), ("auto", &["auto"])],
        telltales: telltales::CPP,
        ..LIKE_C
    },
    Language {
        name: "csharp",
        title: "C#",
        aliases: &["c#", "cs"],
        extensions: &["cs", "csx"],
        family: "csharp",
        reading: Reading::Parsed,
        quotes: &[TRIPLE, DOUBLE, CHARACTER],
        types: &[("predefined_type", CSHARP_TYPES)],
        telltales: telltales::CSHARP,
        ..LIKE_C
    },
    Language {
        name: "javascript",
        title: "JavaScript",
        aliases: &["js", "jsx", "node"],
        extensions: &["js", "mjs", "cjs", "jsx"],
        family: "javascript",
        reading: Reading::Parsed,
        quotes: &[DOUBLE, SINGLE, BACKTICK],
        telltales: telltales::JAVASCRIPT,
        ..LIKE_C
    },
    Language {
        name: "typescript",
        title: "TypeScript",
        aliases: &["ts"],
        extensions: &["ts", "mts", "cts"],
        family: "javascript",
        reading: Reading::Parsed,
        quotes: &[DOUBLE, SINGLE, BACKTICK],
        telltales: telltales::TYPESCRIPT,
        ..LIKE_C
    },
    Language {
        name: "tsx",
        title: "TypeScript with JSX",
        extensions: &["tsx"],
        family: "javascript",
        reading: Reading::Parsed,
        quotes: &[DOUBLE, SINGLE, BACKTICK],
        telltales: telltales::TSX,
        ..LIKE_C
    },
    Language {
        name: "go",
        title: "Go",
        aliases: &["golang"],
        extensions: &["go"],
        family: "go",
        reading: Reading::Parsed,
        quotes: &[DOUBLE, CHARACTER, GO_RAW],
        telltales: telltales::GO,
        ..LIKE_C
    },
    Language {
        name: "rust",
        title: "Rust",
        aliases: &["rs"],
        extensions: &["rs"],
        family: "rust",
        reading: Reading::Parsed,
        quotes: &[quote("\"", File), CHARACTER],
        types: &[("primitive_type", RUST_TYPES), ("mutable_specifier", &["mut"]), ("crate", &["crate"])],
        telltales: telltales::RUST,
        ..LIKE_C
    },
    Language {
        name: "php",
        title: "PHP",
        extensions: &["php", "php3", "php4", "php5", "phtml"],
        family: "php",
        reading: Reading::Parsed,
        line_comments: &["//", "#"],
        quotes: &[quote("\"", File), quote("'", File)],
        caseless: true,
        telltales: telltales::PHP,
        ..LIKE_C
    },
    Language {
        name: "ruby",
        title: "Ruby",
        aliases: &["rb"],
        extensions: &["rb", "rake", "gemspec"],
        files: &["Rakefile", "Gemfile"],
        family: "ruby",
        reading: Reading::Parsed,
        line_comments: &["#"],
        block_comments: &[("\n=begin", "\n=end")],
        telltales: telltales::RUBY,
        ..LIKE_C
    },
    Language {
        name: "kotlin",
        title: "Kotlin",
        aliases: &["kt"],
        extensions: &["kt", "kts"],
        family: "kotlin",
        reading: Reading::Parsed,
        quotes: &[TRIPLE, DOUBLE, CHARACTER],
        telltales: telltales::KOTLIN,
        ..LIKE_C
    },
    Language {
        name: "scala",
        title: "Scala",
        extensions: &["scala", "sc"],
        family: "scala",
        reading: Reading::Parsed,
        quotes: &[TRIPLE, DOUBLE, CHARACTER],
        telltales: telltales::SCALA,
        ..LIKE_C
    },
    Language {
        name: "swift",
        title: "Swift",
        extensions: &["swift"],
        family: "swift",
        reading: Reading::Parsed,
        quotes: &[TRIPLE, DOUBLE],
        telltales: telltales::SWIFT,
        ..LIKE_C
    },
    Language {
        name: "bash",
        title: "Bash",
        aliases: &["sh", "shell", "zsh"],
        extensions: &["sh", "bash", "zsh", "ksh", "bats"],
        files: &[".bashrc", ".profile"],
        family: "bash",
        reading: Reading::Parsed,
        line_comments: &["#"],
        block_comments: &[],
        quotes: &[quote("\"", File), Quote { open: "'", close: "'", escapes: false, reach: File }],
        is_unsafe: has_wide_character_in_range,
        telltales: telltales::BASH,
        ..LIKE_C
    },
    Language {
        name: "sql",
        title: "SQL",
        extensions: &["sql", "ddl", "psql"],
        family: "sql",
        reading: Reading::Parsed,
        line_comments: &["--", "#"],
        quotes: &[SQL_STRING, SQL_NAME],
        caseless: true,
        telltales: telltales::SQL,
        ..LIKE_C
    },
    Language {
        name: "r",
        title: "R",
        aliases: &["rscript"],
        extensions: &["r"],
        files: &[".Rprofile"],
        family: "r",
        reading: Reading::Parsed,
        line_comments: &["#"],
        block_comments: &[],
        quotes: &[quote("\"", File), quote("'", File), BACKTICK],
        telltales: telltales::R,
        ..LIKE_C
    },
    Language {
        name: "lua",
        title: "Lua",
        extensions: &["lua"],
        family: "lua",
        reading: Reading::Parsed,
        line_comments: &["--"],
        block_comments: &[("--[[", "]]"), ("--[==[", "]==]")],
        quotes: &[DOUBLE, SINGLE, LUA_LONG],
        telltales: telltales::LUA,
        ..LIKE_C
    },
    Language {
        name: "html",
        title: "HTML",
        aliases: &["htm", "xhtml"],
        extensions: &["html", "htm", "xhtml", "vue"],
        family: "html",
        reading: Reading::Parsed,
        block_comments: &[("<!--", "-->"), ("/*", "*/")],
        telltales: telltales::HTML,
        ..LIKE_C
    },
    Language {
        name: "css",
        title: "CSS",
        aliases: &["scss", "less"],
        extensions: &["css", "scss", "less"],
        family: "css",
        reading: Reading::Parsed,
        telltales: telltales::CSS,
        ..LIKE_C
    },
    Language {
        name: "haskell",
        title: "Haskell",
        aliases: &["hs"],
        extensions: &["hs"],
        family: "haskell",
        reading: Reading::Parsed,
        line_comments: &["--"],
        block_comments: &[("{-", "-}")],
        quotes: &[DOUBLE, CHARACTER],
        telltales: telltales::HASKELL,
        ..LIKE_C
    },
    Language {
        name: "notebook",
        title: "Jupyter notebook",
        aliases: &["jupyter", "ipynb"],
        extensions: &["ipynb"],
        family: "notebook",
        reading: Reading::Notebook,
        ..LIKE_C
    },
    Language {
        name: "perl",
        title: "Perl",
        aliases: &["pl"],
        extensions: &["pl", "pm"],
        family: "perl",
        line_comments: &["#"],
        block_comments: &[],
        telltales: telltales::PERL,
        ..LIKE_C
    },
    Language {
        name: "other",
        title: "other source code",
        aliases: &["unknown"],
        family: "other",
        line_comments: &["//", "#"],
        ..LIKE_C
    },
];

const C_TYPES: &[&str] = &[
    "bool",
    "char",
    "int",
    "float",
    "double",
    "void",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "char8_t",
    "char16_t",
    "char32_t",
];

const CSHARP_TYPES: &[&str] = &[
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "nint", "nuint", "object", "sbyte", "short",
    "string", "uint", "ulong", "ushort", "void",
];

const RUST_TYPES: &[&str] = &[
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "isize", "usize", "f32", "f64", "bool",
    "str", "char",
];

/// Whether a character above U+00FF stands where the number of a range may stand, as in `{1..9}`. The scanner of Bash asks C's `isdigit`
/// about it, which is a look into a table of 256.
fn has_wide_character_in_range(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| {
        let rest = skip_digits(&text[at + 1..]);
        let rest = rest.strip_prefix("..").map_or(rest, skip_digits);
        rest.starts_with(|c| c > '\u{ff}')
    })
}

fn skip_digits(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit())
}
