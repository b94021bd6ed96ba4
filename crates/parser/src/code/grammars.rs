//! The grammars by language, and the nodes whose role the general rule does not get right.

use super::rule::Role::{self, Comment, Descend, Foreign, Identifier, Keyword, Literal, Skip, Template, Text};
use lookalike_languages::Language;

/// The grammar of a language.
pub(super) struct Grammar {
    /// The name of the language.
    pub(super) language: &'static str,
    pub(super) load: fn() -> tree_sitter::Language,
    /// Kinds of nodes whose role the general rule does not get right.
    pub(super) kinds: &'static [(&'static str, Role<'static>)],
}

impl Grammar {
    /// The grammar of a language, if there is one.
    pub(super) fn of(language: &Language) -> Option<&'static Self> {
        GRAMMARS.iter().find(|grammar| grammar.language == language.name())
    }
}

const JAVASCRIPT_KINDS: &[(&str, Role<'static>)] = &[("jsx_text", Literal)];

pub(super) static GRAMMARS: &[Grammar] = &[
    Grammar { language: "python", load: || tree_sitter_python::LANGUAGE.into(), kinds: &[] },
    Grammar { language: "java", load: || tree_sitter_java::LANGUAGE.into(), kinds: &[] },
    Grammar {
        language: "c",
        load: || tree_sitter_c::LANGUAGE.into(),
        kinds: &[("preproc_arg", Foreign), ("preproc_directive", Text)],
    },
    Grammar {
        language: "cpp",
        load: || tree_sitter_cpp::LANGUAGE.into(),
        kinds: &[("preproc_arg", Foreign), ("preproc_directive", Text)],
    },
    Grammar {
        language: "csharp",
        load: || tree_sitter_c_sharp::LANGUAGE.into(),
        kinds: &[("interpolation_start", Skip), ("interpolation_quote", Skip), ("interpolation_brace", Skip)],
    },
    Grammar { language: "javascript", load: || tree_sitter_javascript::LANGUAGE.into(), kinds: JAVASCRIPT_KINDS },
    Grammar {
        language: "typescript",
        load: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        kinds: JAVASCRIPT_KINDS,
    },
    Grammar { language: "tsx", load: || tree_sitter_typescript::LANGUAGE_TSX.into(), kinds: JAVASCRIPT_KINDS },
    Grammar { language: "go", load: || tree_sitter_go::LANGUAGE.into(), kinds: &[("label_name", Identifier)] },
    Grammar {
        language: "rust",
        load: || tree_sitter_rust::LANGUAGE.into(),
        // of lifetimes
        kinds: &[("'", Keyword("'"))],
    },
    Grammar {
        language: "php",
        load: || tree_sitter_php::LANGUAGE_PHP.into(),
        kinds: &[("encapsed_string", Template), ("heredoc", Template), ("nowdoc", Literal), ("text", Literal)],
    },
    Grammar {
        language: "ruby",
        load: || tree_sitter_ruby::LANGUAGE.into(),
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
    },
    Grammar {
        language: "kotlin",
        load: || tree_sitter_kotlin_ng::LANGUAGE.into(),
        kinds: &[("string_literal", Template), ("multiline_string_literal", Template), ("label", Identifier)],
    },
    Grammar {
        language: "scala",
        load: || tree_sitter_scala::LANGUAGE.into(),
        kinds: &[("operator_identifier", Text), ("interpolated_string_expression", Descend)],
    },
    Grammar {
        language: "swift",
        load: || tree_sitter_swift::LANGUAGE.into(),
        kinds: &[
            ("line_string_literal", Template),
            ("multi_line_string_literal", Template),
            ("line_str_text", Skip),
            ("multi_line_str_text", Skip),
            ("str_escaped_char", Skip),
            ("custom_operator", Text),
        ],
    },
    Grammar {
        language: "bash",
        load: || tree_sitter_bash::LANGUAGE.into(),
        kinds: &[
            ("command_name", Text),
            ("word", Identifier),
            ("variable_name", Identifier),
            ("special_variable_name", Identifier),
            ("ansi_c_string", Literal),
            ("heredoc_start", Literal),
            ("test_operator", Text),
        ],
    },
    Grammar {
        language: "sql",
        load: || tree_sitter_sequel::LANGUAGE.into(),
        kinds: &[("literal", Literal), ("marginalia", Comment), ("op_other", Text)],
    },
    Grammar { language: "r", load: || tree_sitter_r::LANGUAGE.into(), kinds: &[("comma", Keyword(","))] },
    Grammar { language: "lua", load: || tree_sitter_lua::LANGUAGE.into(), kinds: &[] },
    Grammar {
        language: "html",
        load: || tree_sitter_html::LANGUAGE.into(),
        kinds: &[
            ("tag_name", Text),
            ("attribute_name", Text),
            ("attribute_value", Literal),
            ("text", Literal),
            ("entity", Literal),
            ("raw_text", Foreign),
        ],
    },
    Grammar {
        language: "css",
        load: || tree_sitter_css::LANGUAGE.into(),
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
    },
    Grammar {
        language: "haskell",
        load: || tree_sitter_haskell::LANGUAGE.into(),
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
    },
];
