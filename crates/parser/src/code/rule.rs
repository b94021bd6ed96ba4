//! The rule: which nodes of a tree become tokens. They are its leaves, from left to right; constructs are not tokens
//! themselves: a list of loops and branches separated copies from other programs less well than their words did.
//!
//! The rule knows the names that most grammars give to their nodes. Nodes with other names are in `kinds` of their grammar.

/// The part of a node in the sequence of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role<'k> {
    /// No token, and its children are skipped too.
    Skip,
    /// No token of its own; its children are visited.
    Descend,
    /// A keyword, an operator or the like: a token of this name.
    Keyword(&'k str),
    /// Its children; a token named by its kind if it is a leaf.
    Kind(&'k str),
    /// Its children; a name if it is a leaf.
    Identifier,
    /// A number, a string and the like: one token, whatever is in it.
    Literal,
    /// A string that may contain code: one token, then that code.
    Template,
    /// A word of the language that the grammar has not spelled out: its text is the token.
    Text,
    /// A comment.
    Comment,
    /// Code of another language, read word by word.
    Foreign,
}

/// The role of the nodes of a kind; `own` is what the row of the language says.
pub(super) fn role<'k>(kind: &'k str, named: bool, own: &[(&'static str, Role<'static>)]) -> Role<'k> {
    if let Some(&(_, role)) = own.iter().find(|(name, _)| *name == kind) {
        return role;
    }
    if !named {
        return if is_quote(kind) { Role::Skip } else { Role::Keyword(kind) };
    }
    // grammars that list their keywords as nodes
    if let Some(keyword) = kind.strip_prefix("keyword_") {
        return Role::Keyword(keyword);
    }
    match kind {
        _ if is_literal(kind) => Role::Literal,
        "string" | "template_string" | "interpolated_string" | "interpolated_string_expression" => Role::Template,
        _ if is_part_of_string(kind) => Role::Skip,
        _ if is_comment(kind) => Role::Comment,
        _ if kind.contains("identifier") || matches!(kind, "this" | "self" | "super" | "name") => Role::Identifier,
        _ => Role::Kind(kind),
    }
}

fn is_literal(kind: &str) -> bool {
    let number = ["integer", "float", "number", "complex"].contains(&kind)
        || ["int_literal", "integer_literal", "float_literal", "number_literal", "real_literal", "hex_literal"]
            .contains(&kind)
        || ["oct_literal", "bin_literal", "imaginary_literal", "floating_point_literal"].contains(&kind)
        || kind.ends_with("_integer_literal")
        || kind.ends_with("_floating_point_literal");
    let text = ["char", "char_literal", "character_literal", "rune_literal", "string_literal"].contains(&kind)
        || ["raw_string", "raw_string_literal", "verbatim_string_literal", "interpreted_string_literal"]
            .contains(&kind)
        || ["system_lib_string", "regex", "regex_literal"].contains(&kind);
    let constant = ["true", "false", "boolean", "boolean_literal"].contains(&kind)
        || ["null", "nil", "none", "null_literal", "nil_literal", "undefined"].contains(&kind);
    number || text || constant
}

fn is_part_of_string(kind: &str) -> bool {
    let part = ["content", "fragment", "start", "end", "open", "close"];
    kind.starts_with("escape_")
        || kind.strip_prefix("string_").is_some_and(|rest| part.contains(&rest))
        || ["line_continuation", "heredoc_content", "heredoc_start", "heredoc_end"].contains(&kind)
}

fn is_comment(kind: &str) -> bool {
    kind.ends_with("comment") || ["hash_bang_line", "shebang", "shebang_line", "shebang_directive"].contains(&kind)
}

fn is_quote(kind: &str) -> bool {
    ["\"", "'", "`", "\"\"\"", "'''"].contains(&kind)
}
