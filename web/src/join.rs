//! Joins ES modules into one script. It knows just the form that our modules have: named imports at the top, named exports of declarations.

use crate::strip::strip;
use std::collections::BTreeMap;

/// A module and its text.
type File<'a> = (&'a str, &'a str);

/// What a module needs and gives.
struct Module<'a> {
    /// The other module, and the names that are taken from it.
    imports: Vec<(String, Vec<&'a str>)>,
    exports: Vec<&'a str>,
    body: String,
}

/// One script that does what `main` and all that it imports would do. Each module becomes a function, run once, in the order of need, and comes without its
/// comments.
pub(crate) fn join(files: &[File<'_>], main: &str) -> Result<String, String> {
    let mut modules = BTreeMap::new();
    for (path, text) in files {
        modules.insert((*path).to_owned(), parse(path, text)?);
    }
    // a block: two scripts of one page have the same modules in them
    let mut out = String::from("'use strict';{\n");
    place(main, &modules, &mut Vec::new(), &mut Vec::new(), &mut out)?;
    out.push_str("}\n");
    Ok(out)
}

/// Puts a module after all that it imports.
fn place(
    path: &str,
    modules: &BTreeMap<String, Module<'_>>,
    placed: &mut Vec<String>,
    open: &mut Vec<String>,
    out: &mut String,
) -> Result<(), String> {
    if placed.iter().any(|p| p == path) {
        return Ok(());
    }
    if open.iter().any(|p| p == path) {
        return Err(format!("{path} imports itself by way of {}", open.join(", ")));
    }
    let module = modules.get(path).ok_or_else(|| format!("{path} is imported but is not there"))?;
    open.push(path.to_owned());
    for (from, names) in &module.imports {
        place(from, modules, placed, open, out)?;
        if let Some(missing) = names.iter().find(|name| !modules[from].exports.contains(*name)) {
            return Err(format!("{path} imports {missing}, which {from} does not export"));
        }
    }
    open.pop();
    let imports =
        module.imports.iter().map(|(from, names)| format!("const{{{}}}={};", names.join(","), variable(from)));
    let (name, imports, exports) = (variable(path), imports.collect::<String>(), module.exports.join(","));
    let body = strip(&module.body).map_err(|error| format!("{path}: {error}"))?;
    // a module of types alone leaves nothing
    if !body.is_empty() {
        out.extend([format!("const {name}=(()=>{{{imports}{body}\nreturn{{{exports}}};}})();\n")]);
    }
    placed.push(path.to_owned());
    Ok(())
}

/// `views/pair.js` is `$views_pair`.
fn variable(path: &str) -> String {
    format!("${}", path.trim_end_matches(".js").replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

fn parse<'a>(path: &str, text: &'a str) -> Result<Module<'a>, String> {
    let mut module = Module { imports: Vec::new(), exports: Vec::new(), body: String::with_capacity(text.len()) };
    let mut rest = text;
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line = &rest[..line_end];
        if line.starts_with("import ") {
            let end = rest.find(';').ok_or_else(|| format!("{path}: an import has no end"))? + 1;
            module.imports.push(import(path, &rest[..end])?);
            rest = rest[end..].strip_prefix('\n').unwrap_or(&rest[end..]);
            continue;
        }
        if let Some(declaration) = line.strip_prefix("export ") {
            // a module of types alone
            if declaration.trim() != "{};" {
                module.exports.push(name_of(declaration).ok_or_else(|| format!("{path}: cannot export {line}"))?);
                module.body.push_str(declaration);
            }
        } else {
            module.body.push_str(line);
        }
        rest = &rest[line_end..];
    }
    Ok(module)
}

/// `import { a, b } from './c.js';`
fn import<'a>(path: &str, statement: &'a str) -> Result<(String, Vec<&'a str>), String> {
    let wrong = || format!("{path}: expected import {{ names }} from './file.js';, found {statement}");
    let (names, from) = statement.split_once('{').and_then(|(_, s)| s.split_once('}')).ok_or_else(wrong)?;
    let from = from.split('\'').nth(1).ok_or_else(wrong)?;
    let names: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if names.is_empty() || names.iter().any(|name| !is_name(name)) {
        return Err(wrong());
    }
    Ok((resolve(path, from).ok_or_else(wrong)?, names))
}

/// The path of a module as seen from another one.
fn resolve(path: &str, from: &str) -> Option<String> {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()?),
            part => folders.push(part),
        }
    }
    Some(folders.join("/"))
}

/// The name that a declaration declares.
fn name_of(declaration: &str) -> Option<&str> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let rest =
        ["function* ", "function ", "class ", "const ", "let "].iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_in_the_order_of_need_each_once() {
        let files = [
            ("main.js", "import { b } from './parts/b.js';\nimport {\n  a,\n} from './a.js';\nb(a);\n"),
            ("parts/b.js", "import { a } from '../a.js';\n/** Says. */\nexport function b(x) { return x + a; }\n"),
            ("a.js", "export const a = 1;\nexport {};\n"),
        ];
        let script = join(&files, "main.js").unwrap();
        let expected = "'use strict';{\nconst $a=(()=>{const a=1;\nreturn{a};})();\n\
            const $parts_b=(()=>{const{a}=$a;function b(x){return x+a;}\nreturn{b};})();\n\
            const $main=(()=>{const{b}=$parts_b;const{a}=$a;b(a);\nreturn{};})();\n}\n";
        assert_eq!(script, expected);
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for (text, part) in [
            ("import a from './a.js';\n", "expected import"),
            ("import { x as y } from './a.js';\n", "expected import"),
            ("import * as a from './a.js';\n", "expected import"),
            ("import { b } from './b.js';\n", "not there"),
            ("import { z } from './a.js';\n", "does not export"),
            ("export default 1;\n", "cannot export"),
            ("import { m } from './a.js';\n", "by way of"),
        ] {
            let files = [("main.js", text), ("a.js", "import { q } from './main.js';\nexport const m = 1;\n")];
            let files = if part == "by way of" { files } else { [files[0], ("a.js", "export const m = 1;\n")] };
            let error = join(&files, "main.js").unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
