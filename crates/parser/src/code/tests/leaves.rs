//! The tokens that are known from the words alone, against those of the tree.

use super::super::tree::TreeReader;
use super::{grammar, language, samples};
use lookalike_languages::{Code, CodeReader, Degraded, Language, Token, TokenDetail};
use proptest::prelude::*;

const DETAILS: [TokenDetail; 2] = [
    TokenDetail { identifiers: false, literals: false, comments: false },
    TokenDetail { identifiers: true, literals: true, comments: false },
];

/// The tokens of a text that is not parsed because its words are enough.
fn told(text: &str, language: &'static Language, detail: TokenDetail) -> Option<Vec<Token>> {
    let unneeded = |_: &str, _: &'static Language, _| Err(Degraded::Repetitive);
    let Code { tokens, degraded, .. } = CodeReader::with(unneeded).read(text, language, detail);
    degraded.is_none().then_some(tokens)
}

fn parsed(text: &str, language: &'static Language, detail: TokenDetail) -> Option<Vec<Token>> {
    TreeReader::default().read(text, language, detail).ok()
}

/// Fails unless the leaves are told, and are those of the tree.
fn same(name: &str, text: &str) {
    for detail in DETAILS {
        let (told, parsed) = (told(text, language(name), detail), parsed(text, language(name), detail));
        let spans = |tokens: Option<Vec<Token>>| {
            let tokens = tokens.unwrap_or_default();
            tokens.iter().map(|t| (&text[t.start as usize..t.end as usize], t.id)).collect::<Vec<_>>()
        };
        assert!(told.is_some(), "only the tree can tell: {text}");
        assert_eq!(spans(told), spans(parsed), "{text}");
    }
}

/// Fails unless it is left to the tree.
fn left_to_the_tree(name: &str, text: &str) {
    assert_eq!(told(text, language(name), TokenDetail::default()), None, "{text}");
}

#[test]
fn samples_are_told() {
    for (language, sample) in samples().iter().filter(|(language, _)| ["python", "java"].contains(&language.name())) {
        same(language.name(), sample);
    }
}

#[test]
fn python_is_told() {
    for text in [
        "from __future__ import annotations\nfrom ... import a\nx: int = ...\n",
        "print(a, b)\nprint('a' % b); x = print\nprint = 3\n",
        "for _ in range(3):\n    _ = type(x)\n    x.match(y).type = case\n",
        "match = re.match(p, s)\ntype = 1\n",
        "a = .5 + 1e-5 + 0x1F - 1_000 ** 2j\n",
        "a = 1 + \\\n    2 if not x is None else True\n",
        "x = f'{a} {b!r:>{width}} {{c}} {d[\"k\"]:.2f} {e=}' rf'\\{x}'\n",
        "x = ('a' \"b\"\n     '''c\nd''')\n",
        "async def f(*a, **k) -> int:\n    await g(lambda x: x @ y)\n    return {1: [2, (3,)]}\n",
        "f(**a)(b, **c) ** {**d, **e}[1] ** 2\ndef f(*a, **k): pass\nclass C(**k): pass\n",
        "null = nil if x != y else pattern // separator\n",
        "def größe(é): return é\n",
        "@a.b\nclass C(D, metaclass=E): x: List[int]; y = a[1:2, ...]\n",
    ] {
        same("python", text);
    }
}

#[test]
fn java_is_told() {
    for text in [
        "class A { void f(int x) { boolean b = x >> 2 > 1 && !true; int[] y = {1, .5f, 'c'}; } }\n",
        "class A<T extends B> { List<T> record = new ArrayList<>(); int to = with(open), when; }\n",
        "@Override public static void main(String[] a) throws E { for (int i : x) y::z; r = s -> t; }\n",
    ] {
        let text = text.replace("y::z", "f(y::z)");
        same("java", &text);
    }
}

#[test]
fn doubts_are_left_to_the_tree() {
    for text in [
        "print 'a'\n",
        "print\n",
        "print ('a') % b\n",
        "match x:\n    case _:\n        pass\n",
        "type X = int\n",
        "this is prose and no code\n",
        "x = 'never closed\n",
        "x = (1\n",
        "x = 1]\n",
        "x = 0777 + 10L\n",
        "x = f'\\N{DASH}'\n",
        "x = f'{lambda: 1}'\n",
        "x = `y`\n",
        "a ? b : c\n",
        "1 2\n",
        "**x.x\n",
        "x = [**y]\n",
        "x = (**y)\n",
    ] {
        left_to_the_tree("python", text);
    }
    for text in [
        "class A { Map<B, List<C>> d; }\n",
        "record P(int x) {}\n",
        "@interface A {}\n",
        "class A { int $a; }\n",
        "class A { one two three; }\n",
        "int f() { yield 3; }\n",
    ] {
        left_to_the_tree("java", text);
    }
}

/// A file whose leaves are told is never parsed: it has none of what a parser says.
#[test]
fn files_are_read_by_their_leaves() {
    let text = "def f(x):\n    return x + 1\n";
    let Code { tokens, degraded, .. } = super::read("python", text);
    assert_eq!(Some(tokens), told(text, language("python"), TokenDetail::default()));
    assert_eq!(degraded, None);
}

fn fragment() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "x",
        "foo",
        "print",
        "match",
        "type",
        "_",
        "1",
        "2.5",
        ".5",
        "'s'",
        "f'{x}'",
        "f'{y!r:>3}'",
        "None",
        "True",
        "if",
        "else",
        "for",
        "in",
        "not",
        "and",
        "lambda",
        "def",
        "class",
        "return",
        "import",
        "from",
        "=",
        "==",
        "+",
        "-",
        "*",
        "**",
        "//",
        ".",
        "...",
        ",",
        ":",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "@",
        "->",
        ":=",
        "\n",
        "\n    ",
        "\\\n",
        "#c\n",
    ])
}

proptest! {
    /// Whatever is told of a text that can be parsed is what the tree says.
    #[test]
    fn what_is_told_is_in_the_tree(words in prop::collection::vec(fragment(), 1..12)) {
        let text = words.join(" ");
        let python = language("python");
        if let (Some(told), Some(tree)) = (told(&text, python, TokenDetail::default()), whole_tree(&text, python)) {
            prop_assert_eq!(told, tree, "{}", text);
        }
    }
}

/// The leaves of a text without any error.
fn whole_tree(text: &str, language: &'static Language) -> Option<Vec<Token>> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&(grammar(language).load)()).expect("a grammar");
    let has_error = parser.parse(text, None).is_none_or(|tree| tree.root_node().has_error());
    if has_error { None } else { parsed(text, language, TokenDetail::default()) }
}
