//! The table of languages: one row for each. CONTRIBUTING says how to add one.

use super::language::Reach::{Character, File, Line};
use super::language::{Language, Quote, Reading};
use super::rule::Role::{Comment, Descend, Foreign, Identifier, Keyword, Literal, Skip, Template, Text};
use super::{leaves, telltales};

/// How a language with a grammar is read: by the grammar, if its feature is on.
macro_rules! grammar {
    ($feature:literal, $grammar:expr) => {{
        #[cfg(feature = $feature)]
        let grammar: Option<crate::tree::Grammar> = Some(|| $grammar.into());
        #[cfg(not(feature = $feature))]
        let grammar = None;
        Reading::Tree(grammar)
    }};
}

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
    kinds: &[],
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
        reading: grammar!("lang-python", tree_sitter_python::LANGUAGE),
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
        reading: grammar!("lang-java", tree_sitter_java::LANGUAGE),
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
        reading: grammar!("lang-c", tree_sitter_c::LANGUAGE),
        kinds: &[("preproc_arg", Foreign), ("preproc_directive", Text)],
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
        reading: grammar!("lang-cpp", tree_sitter_cpp::LANGUAGE),
        kinds: &[("preproc_arg", Foreign), ("preproc_directive", Text)],
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
        reading: grammar!("lang-csharp", tree_sitter_c_sharp::LANGUAGE),
        kinds: &[("interpolation_start", Skip), ("interpolation_quote", Skip), ("interpolation_brace", Skip)],
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
        reading: grammar!("lang-javascript", tree_sitter_javascript::LANGUAGE),
        kinds: JAVASCRIPT_KINDS,
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
        reading: grammar!("lang-typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
        kinds: JAVASCRIPT_KINDS,
        quotes: &[DOUBLE, SINGLE, BACKTICK],
        telltales: telltales::TYPESCRIPT,
        ..LIKE_C
    },
    Language {
        name: "tsx",
        title: "TypeScript with JSX",
        extensions: &["tsx"],
        family: "javascript",
        reading: grammar!("lang-typescript", tree_sitter_typescript::LANGUAGE_TSX),
        kinds: JAVASCRIPT_KINDS,
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
        reading: grammar!("lang-go", tree_sitter_go::LANGUAGE),
        kinds: &[("label_name", Identifier)],
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
        reading: grammar!("lang-rust", tree_sitter_rust::LANGUAGE),
        // of lifetimes
        kinds: &[("'", Keyword("'"))],
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
        reading: grammar!("lang-php", tree_sitter_php::LANGUAGE_PHP),
        kinds: &[("encapsed_string", Template), ("heredoc", Template), ("nowdoc", Literal), ("text", Literal)],
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
        reading: grammar!("lang-ruby", tree_sitter_ruby::LANGUAGE),
        kinds: &[
            ("constant", Identifier),
            ("instance_variable", Identifier),
            ("class_variable", Identifier),
            ("global_variable", Identifier),
            ("character", Literal),
            ("simple_symbol", Literal),
            ("hash_key_symbol", Literal),
            ("heredoc_beginning", Literal),
            ("heredoc_body", Descend),
            ("uninterpreted", Skip),
        ],
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
        reading: grammar!("lang-kotlin", tree_sitter_kotlin_ng::LANGUAGE),
        kinds: &[("string_literal", Template), ("multiline_string_literal", Template), ("label", Identifier)],
        quotes: &[TRIPLE, DOUBLE, CHARACTER],
        telltales: telltales::KOTLIN,
        ..LIKE_C
    },
    Language {
        name: "scala",
        title: "Scala",
        extensions: &["scala", "sc"],
        family: "scala",
        reading: grammar!("lang-scala", tree_sitter_scala::LANGUAGE),
        kinds: &[("operator_identifier", Text), ("interpolated_string_expression", Descend)],
        quotes: &[TRIPLE, DOUBLE, CHARACTER],
        telltales: telltales::SCALA,
        ..LIKE_C
    },
    Language {
        name: "swift",
        title: "Swift",
        extensions: &["swift"],
        family: "swift",
        reading: grammar!("lang-swift", tree_sitter_swift::LANGUAGE),
        kinds: &[
            ("line_string_literal", Template),
            ("multi_line_string_literal", Template),
            ("line_str_text", Skip),
            ("multi_line_str_text", Skip),
            ("str_escaped_char", Skip),
            ("custom_operator", Text),
        ],
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
        reading: grammar!("lang-bash", tree_sitter_bash::LANGUAGE),
        kinds: &[
            ("command_name", Text),
            ("word", Identifier),
            ("variable_name", Identifier),
            ("special_variable_name", Identifier),
            ("ansi_c_string", Literal),
            ("heredoc_start", Literal),
            ("test_operator", Text),
        ],
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
        reading: grammar!("lang-sql", tree_sitter_sequel::LANGUAGE),
        kinds: &[("literal", Literal), ("marginalia", Comment), ("op_other", Text)],
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
        reading: grammar!("lang-r", tree_sitter_r::LANGUAGE),
        kinds: &[("comma", Keyword(","))],
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
        reading: grammar!("lang-lua", tree_sitter_lua::LANGUAGE),
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
        reading: grammar!("lang-html", tree_sitter_html::LANGUAGE),
        kinds: &[
            ("tag_name", Text),
            ("attribute_name", Text),
            ("attribute_value", Literal),
            ("text", Literal),
            ("entity", Literal),
            ("raw_text", Foreign),
        ],
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
        reading: grammar!("lang-css", tree_sitter_css::LANGUAGE),
        kinds: &[
            ("tag_name", Text),
            ("property_name", Text),
            ("function_name", Text),
            ("feature_name", Text),
            ("at_keyword", Text),
            ("keyword_query", Text),
            ("attribute_name", Text),
            ("id_name", Identifier),
            ("keyframes_name", Identifier),
            ("namespace_name", Identifier),
            ("string_value", Literal),
            ("integer_value", Literal),
            ("float_value", Literal),
            ("color_value", Literal),
            ("plain_value", Literal),
        ],
        telltales: telltales::CSS,
        ..LIKE_C
    },
    Language {
        name: "haskell",
        title: "Haskell",
        aliases: &["hs"],
        extensions: &["hs"],
        family: "haskell",
        reading: grammar!("lang-haskell", tree_sitter_haskell::LANGUAGE),
        kinds: &[
            ("variable", Identifier),
            ("constructor", Identifier),
            ("module_id", Identifier),
            ("label", Identifier),
            ("literal", Descend),
            ("string", Literal),
            ("operator", Text),
            ("constructor_operator", Text),
            ("boolean", Descend),
            ("haddock", Comment),
            ("pragma", Comment),
        ],
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

const JAVASCRIPT_KINDS: &[(&str, super::rule::Role<'static>)] = &[("jsx_text", Literal)];

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
