//! Takes out of a script what only its readers need: comments, indentation, the space around signs. Names and strings stay as they are. It knows
//! strings, templates and regular expressions, and refuses what it cannot tell apart.

/// Words after which a value begins: a slash there begins a regular expression.
const BEFORE_VALUE: [&str; 16] = [
    "await",
    "case",
    "delete",
    "do",
    "else",
    "export",
    "extends",
    "in",
    "instanceof",
    "new",
    "of",
    "return",
    "throw",
    "typeof",
    "void",
    "yield",
];

/// The script without comments and needless space. What line breaks may decide stays: one is left out only where none can matter.
pub(crate) fn strip(text: &str) -> Result<String, String> {
    let mut lexer = Lexer { text, at: 0, out: String::with_capacity(text.len()), gap: Gap::None };
    lexer.code(false)?;
    Ok(lexer.out)
}

/// What stands between two tokens.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Gap {
    None,
    Space,
    Line,
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// Since the last token.
    gap: Gap,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn wrong(&self, what: &str) -> String {
        let line = self.text[..self.at].matches('\n').count() + 1;
        format!("line {line}: {what}: {}", self.rest().lines().next().unwrap_or_default())
    }

    /// Tokens up to the end, or up to the brace that ends the code in a template.
    fn code(&mut self, in_template: bool) -> Result<(), String> {
        let mut depth = 0;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\n' => self.skip(1, Gap::Line),
                c if c.is_whitespace() => self.skip(c.len_utf8(), Gap::Space),
                '/' if self.rest().starts_with("//") => {
                    self.skip(self.rest().find('\n').unwrap_or(self.rest().len()), Gap::Space);
                }
                '/' if self.rest().starts_with("/*") => {
                    let end = self.rest().find("*/").ok_or_else(|| self.wrong("a comment has no end"))? + 2;
                    let lines = self.rest()[..end].contains('\n');
                    self.skip(end, if lines { Gap::Line } else { Gap::Space });
                }
                '/' if self.begins_regex()? => {
                    let end = self.regex()?;
                    self.token(end);
                }
                '\'' | '"' => {
                    let end = self.string(c)?;
                    self.token(end);
                }
                '`' => self.template()?,
                c if is_letter(c) => {
                    let end = self.rest().find(|c| !is_letter(c)).unwrap_or(self.rest().len());
                    self.token(end);
                }
                '}' if in_template && depth == 0 => return Ok(()),
                c => {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    self.token(c.len_utf8());
                }
            }
        }
        if in_template { Err(self.wrong("a template has no end")) } else { Ok(()) }
    }

    fn skip(&mut self, length: usize, gap: Gap) {
        self.at += length;
        if gap > self.gap {
            self.gap = gap;
        }
    }

    /// Takes over what comes, after as much of the gap before it as is needed.
    fn token(&mut self, length: usize) {
        let token = &self.rest()[..length];
        let (before, after) = (self.out.chars().next_back(), token.chars().next());
        if let (Some(before), Some(after)) = (before, after) {
            match self.gap {
                // nothing ends or begins by itself after these, nor before a closing brace
                Gap::Line if !"{([,;".contains(before) && after != '}' => self.out.push('\n'),
                Gap::Line | Gap::Space if !parts(before, after) => self.out.push(' '),
                _ => {}
            }
        }
        self.out.push_str(token);
        self.at += length;
        self.gap = Gap::None;
    }

    /// The last token, as far as it is a word.
    fn last_word(&self) -> &str {
        let from = self.out.trim_end_matches(is_letter).len();
        &self.out[from..]
    }

    /// Whether the slash here begins a regular expression. After a closing sign both are possible: there a division has space around it, as our
    /// formatting has it.
    fn begins_regex(&self) -> Result<bool, String> {
        let word = self.last_word();
        let value_before = match self.out.chars().next_back() {
            None => false,
            Some(_) if !word.is_empty() => {
                let property = self.out[..self.out.len() - word.len()].ends_with('.');
                property || !BEFORE_VALUE.contains(&word)
            }
            Some(c) => ")]}'\"`/".contains(c),
        };
        let spaced = self.rest()[1..].starts_with([' ', '=', '\n']);
        match (value_before, spaced) {
            (true, true) => Ok(false),
            (false, false) => Ok(true),
            (true, false) => {
                Err(self.wrong("a division needs a space after its sign, a regular expression a sign before it"))
            }
            (false, true) => Err(self.wrong("a regular expression cannot begin with a space")),
        }
    }

    /// The length of the regular expression here, flags included.
    fn regex(&self) -> Result<usize, String> {
        let (mut escaped, mut class) = (false, false);
        for (at, c) in self.rest().char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => class = true,
                ']' => class = false,
                '/' if !class => {
                    let flags = &self.rest()[at + 1..];
                    return Ok(at + 1 + flags.find(|c| !is_letter(c)).unwrap_or(flags.len()));
                }
                _ => {}
            }
        }
        Err(self.wrong("a regular expression has no end"))
    }

    /// The length of the string here.
    fn string(&self, quote: char) -> Result<usize, String> {
        let mut escaped = false;
        for (at, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => break,
                c if c == quote => return Ok(at + 1),
                _ => {}
            }
        }
        Err(self.wrong("a string has no end"))
    }

    /// Takes over a template; the code in it is stripped too.
    fn template(&mut self) -> Result<(), String> {
        self.token(1);
        loop {
            let end = self.rest().find(['`', '\\', '$']).ok_or_else(|| self.wrong("a template has no end"))?;
            self.raw(end);
            match self.rest().as_bytes() {
                [b'`', ..] => {
                    self.raw(1);
                    return Ok(());
                }
                [b'$', b'{', ..] => {
                    self.raw(2);
                    self.code(true)?;
                    self.gap = Gap::None;
                    self.raw(1);
                }
                [b'\\', ..] => {
                    let escape = self.rest().chars().take(2).map(char::len_utf8).sum();
                    self.raw(escape);
                }
                _ => self.raw(1),
            }
        }
    }

    fn raw(&mut self, length: usize) {
        self.out.push_str(&self.rest()[..length]);
        self.at += length;
    }
}

/// Whether two characters stay two tokens without a space between them. Numbers are words too, and a point may belong to one. `<!--` and `-->`
/// would be comments of old.
fn parts(before: char, after: char) -> bool {
    let word = |c: char| is_letter(c) || c == '.' || c == '#' || c == '@';
    !(word(before) && word(after)
        || before == after && "+-/*&|?=<>".contains(before)
        || matches!((before, after), ('<', '!') | ('-', '>') | ('/', _) | (_, '/'))
        || "'\"`".contains(before) && is_letter(after))
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go() {
        let text = "/** Says.\n * @param {string} a */\nfunction say(a) {\n  // why\n  const b = a + 1; /* here */ return b;\n}\n";
        assert_eq!(strip(text).unwrap(), "function say(a){const b=a+1;return b;}");
    }

    #[test]
    fn what_looks_like_a_comment_stays() {
        for text in [
            "'// no'",
            "\"/* no */\"",
            "'it\\'s // no'",
            "`// ${'`'} /* \\` no */`",
            "`a  b\n  c`",
            "x=/[/*]\\/\\/ '\"`/gu.test(y)",
            "return /\\/\\*  /",
            "[/a b/,/'/]",
            "`${`  ${f({a:1})}  `}  //`",
        ] {
            assert_eq!(strip(text).unwrap(), text);
        }
    }

    #[test]
    fn the_code_in_a_template_is_stripped() {
        assert_eq!(strip("`${ a /* one */ + { b: `  ` }.b }  ${ c }`").unwrap(), "`${a+{b:`  `}.b}  ${c}`");
    }

    #[test]
    fn space_that_parts_tokens_stays() {
        for (text, expected) in [
            ("a + +b - -c", "a+ +b- -c"),
            ("a + ++b", "a+ ++b"),
            ("a / b", "a / b"),
            ("a /= 2", "a /=2"),
            ("typeof x in y", "typeof x in y"),
            ("1 .toFixed()", "1 .toFixed()"),
            ("a < !--b", "a< !--b"),
            ("while (a-- > b)", "while(a-- >b)"),
            ("return 'a' in b", "return'a' in b"),
            ("x ? .5 : y", "x?.5:y"),
            ("class A { #b = 1; get #c() {} }", "class A{#b=1;get #c(){}}"),
            ("a ?? b", "a??b"),
            ("async () => {}", "async()=>{}"),
        ] {
            assert_eq!(strip(text).unwrap(), expected);
        }
    }

    #[test]
    fn lines_that_end_a_statement_stay() {
        assert_eq!(strip("let a = b\n  // why\n\n(c)").unwrap(), "let a=b\n(c)");
        assert_eq!(strip("return /* x\n */ a").unwrap(), "return\na");
        assert_eq!(strip("f(\n  a,\n  b,\n)\n++c").unwrap(), "f(a,b,)\n++c");
        assert_eq!(
            strip("if (a) {\n  b\n}\n/c/.test(d)").unwrap_err(),
            "line 4: a division needs a space after its sign, a regular expression a sign before it: /c/.test(d)"
        );
    }

    #[test]
    fn what_has_no_end_is_refused() {
        for (text, part) in [
            ("/* a", "comment"),
            ("'a\n'", "string"),
            ("`a", "template"),
            ("`${a", "template"),
            ("x = /a\n/", "regular expression has no end"),
            ("x = / a/", "begin with a space"),
            ("f(a) /b/ c", "division"),
        ] {
            let error = strip(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
