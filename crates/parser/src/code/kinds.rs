//! The kinds of nodes of a grammar, and what the walk does at each.

use super::grammars::Grammar;
use super::rule::{Role, role};
use lookalike_languages::{Language, ids};

/// The step of the walk at a node: a [`Role`] without its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Skip,
    Descend,
    Leaf,
    Identifier,
    Literal,
    Template,
    Text,
    Comment,
    Foreign,
    Error,
}

/// The kinds of nodes of one grammar.
pub(super) struct NodeKinds {
    /// By the number of the kind.
    steps: Vec<(Step, u32)>,
    /// For tokens that are named by their text.
    pub(super) family: u64,
}

impl NodeKinds {
    pub(super) fn of(grammar: &Grammar, language: &Language) -> Self {
        let family = ids::family(language.family());
        let id = |name: &str| ids::of_name(family, name.as_bytes());
        let mut steps = Vec::new();
        for_each_kind(grammar, |role, _| steps.push(step(role, id)));
        Self { steps, family }
    }

    /// The step at a node, and the id of its token.
    #[inline]
    pub(super) fn step(&self, kind: u16) -> (Step, u32) {
        // an ERROR has a number of its own, beyond all
        self.steps.get(usize::from(kind)).copied().unwrap_or((Step::Error, 0))
    }
}

/// Visits the roles of all kinds of nodes in order, and whether a tree shows such nodes.
pub(super) fn for_each_kind(grammar: &Grammar, mut visit: impl FnMut(Role<'_>, bool)) {
    let language = (grammar.load)();
    for kind in 0..language.node_kind_count() as u16 {
        let name = language.node_kind_for_id(kind).unwrap_or_default();
        let role = role(name, language.node_kind_is_named(kind), grammar.kinds);
        visit(role, language.node_kind_is_visible(kind));
    }
}

fn step(role: Role<'_>, id: impl Fn(&str) -> u32) -> (Step, u32) {
    match role {
        Role::Skip => (Step::Skip, 0),
        Role::Descend => (Step::Descend, 0),
        Role::Keyword(text) => (Step::Leaf, id(text)),
        Role::Kind(kind) => (Step::Leaf, id(&format!("<{kind}>"))),
        Role::Identifier => (Step::Identifier, id(ids::IDENTIFIER)),
        Role::Literal => (Step::Literal, id(ids::LITERAL)),
        Role::Template => (Step::Template, id(ids::LITERAL)),
        Role::Text => (Step::Text, 0),
        Role::Comment => (Step::Comment, id(ids::COMMENT)),
        Role::Foreign => (Step::Foreign, 0),
    }
}
