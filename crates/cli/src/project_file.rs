//! `lookalike.toml`: defaults of a project, found from the scanned folder upwards.
//!
//! A key is the long name of a flag. At the top it holds for every verb that takes the flag; in a table that is called like a verb
//! (`[scan]`, `[index.build]`) for that one. The command line always wins.

use crate::args::{Args, ProjectDefault, ProjectFile, Spec};
use crate::flags::{Flag, Kind, table};
use crate::verb::Verb;
use crate::verbs::SPECS;
use anyhow::{Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml_edit::{Document, Item, Table, Value};

/// What the file is called.
const NAME: &str = "lookalike.toml";

/// Flags that write or change files, or are secrets: a project file comes with a folder, and folders come from anybody.
const REFUSED: &[&str] = &[
    "output",
    "html",
    "xlsx",
    "pairs",
    "pages",
    "raw",
    "save",
    "tmp",
    "cache",
    "key",
    "show-config",
    "stdin",
    "null",
    "listen",
    "token-file",
    "insecure",
    "host",
];

/// Verbs without defaults: they change files, or take the letters of another program.
const WITHOUT: &[Verb] = &[
    #[cfg(unix)]
    Verb::Act,
    Verb::Moss,
    Verb::Completions,
    Verb::Man,
];

/// Arguments with the defaults of the nearest file, from the first folder that is read upwards.
pub(crate) fn apply(args: Args) -> Result<Args> {
    let start = args.all::<PathBuf>("path").into_iter().next().unwrap_or_else(|| ".".into());
    if WITHOUT.contains(&args.spec.verb) {
        return Ok(args);
    }
    let Ok(start) = start.canonicalize() else { return Ok(args) };
    let Some(path) = start.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file()) else {
        return Ok(args);
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let project = parse(&path, &text, args.spec)?;
            args.with_project(project)
        }
        Err(error) => bail!("cannot read {}: {error}; it gives the defaults of this project", path.display()),
    }
}

fn parse(path: &Path, text: &str, spec: &'static Spec) -> Result<ProjectFile> {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            let what = error.message().to_owned();
            bail!("{}:{line}: expected TOML: {what}", path.display())
        }
    };
    let mut reader = Reader { path, text, spec, defaults: Vec::new() };
    reader.read(document.as_table(), "")?;
    Ok(ProjectFile { path: path.to_owned(), defaults: reader.defaults })
}

/// Shows which file was found, and what it gives this verb: what the command line says instead is not in it.
pub(crate) fn show(args: &Args) -> Result<u8> {
    let ProjectFile { path, defaults } = args.project();
    crate::output::to(None, false, |out| {
        if path.as_os_str().is_empty() {
            return writeln!(out, "no {NAME} here or in a folder above");
        }
        writeln!(out, "{}", path.display())?;
        for default in defaults {
            let arguments = default.arguments.iter().map(|argument| argument.to_string_lossy());
            writeln!(out, "  line {:<4} {}", default.line, arguments.collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    })?;
    Ok(crate::SUCCESS)
}

/// Reads the tables of a file.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    spec: &'static Spec,
    defaults: Vec<ProjectDefault>,
}

impl Reader<'_> {
    /// The keys of a table; `verb` is what it is called. Tables come after what is at the top, so what they say wins.
    fn read(&mut self, table: &Table, verb: &str) -> Result<()> {
        let (tables, keys): (Vec<_>, Vec<_>) = table.iter().partition(|(_, item)| item.is_table_like());
        for (name, item) in keys {
            let line = self.line(table, name);
            self.key(name, item, verb, line)?;
        }
        for (name, item) in tables {
            let line = self.line(table, name);
            let inner = if verb.is_empty() { name.to_owned() } else { format!("{verb} {name}") };
            let known = SPECS.iter().any(|spec| spec.name == inner || spec.name.starts_with(&format!("{inner} ")));
            let Some(table) = item.as_table().filter(|_| known) else {
                let names = SPECS.iter().flat_map(|spec| [spec.name, spec.name.split(' ').next().unwrap_or_default()]);
                return Err(self.unknown(line, &format!("[{}]", inner.replace(' ', ".")), "verb", &inner, names));
            };
            self.read(table, &inner)?;
        }
        Ok(())
    }

    fn key(&mut self, name: &str, item: &Item, verb: &str, line: usize) -> Result<()> {
        let is_meant = |spec: &Spec| verb.is_empty() || spec.name == verb;
        let specs = || SPECS.iter().filter(|spec| is_meant(spec) && !WITHOUT.contains(&spec.verb));
        let takes = |flag: &Flag, spec: &Spec| has_long_name(flag) && flag.uses_of(spec.verb).next().is_some();
        let file = self.path.display();
        if REFUSED.contains(&name) {
            bail!("{file}:{line}: {name} cannot be set in a project file; say it on the command line");
        }
        if !table().any(|flag| flag.name == name && specs().any(|spec| takes(flag, spec))) {
            let known = table().filter(|flag| specs().any(|spec| takes(flag, spec))).map(|flag| flag.name);
            let whose = if verb.is_empty() { "flag".to_owned() } else { format!("flag of lookalike {verb}") };
            return Err(self.unknown(line, name, &whose, name, known.filter(|name| !REFUSED.contains(name))));
        }
        if !is_meant(self.spec) {
            return Ok(());
        }
        let Some(flag) = table().find(|flag| flag.name == name && takes(flag, self.spec)) else { return Ok(()) };
        let arguments = self.arguments(flag, item, line)?;
        self.defaults.retain(|default| default.flag.name != name);
        self.defaults.push(ProjectDefault { flag, line, arguments });
        Ok(())
    }

    /// A value as it would be typed.
    fn arguments(&self, flag: &Flag, item: &Item, line: usize) -> Result<Vec<OsString>> {
        let file = self.path.display();
        let name = flag.name;
        let values: Vec<&Value> = match item.as_value() {
            Some(Value::Array(array)) if flag.repeats => array.iter().collect(),
            Some(Value::Array(_)) => bail!("{file}:{line}: {name} takes one value, found a list"),
            Some(value) => vec![value],
            None => bail!("{file}:{line}: expected a value for {name}, found a table"),
        };
        let mut arguments = Vec::new();
        for value in values {
            let text = match (value, flag.kind) {
                (Value::Boolean(on), Kind::Switch) => {
                    if *on.value() {
                        arguments.push(format!("--{name}").into());
                    }
                    continue;
                }
                (_, Kind::Switch) => {
                    bail!("{file}:{line}: expected true or false for {name}, found {}", value.type_name())
                }
                (Value::String(text), _) => text.value().clone(),
                (Value::Integer(n), _) => n.value().to_string(),
                (Value::Float(n), _) => n.value().to_string(),
                _ => bail!("{file}:{line}: expected a text or a number for {name}, found {}", value.type_name()),
            };
            let value = if is_path(flag) { self.path.with_file_name(text).into_os_string() } else { text.into() };
            let mut argument = OsString::from(format!("--{name}="));
            argument.push(value);
            arguments.push(argument);
        }
        Ok(arguments)
    }

    fn line(&self, table: &Table, key: &str) -> usize {
        let span = table.key(key).and_then(toml_edit::Key::span);
        span.map_or(1, |span| line_of(self.text, span.start))
    }

    fn unknown<'n>(
        &self,
        line: usize,
        found: &str,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> anyhow::Error {
        let file = self.path.display();
        match known.min_by_key(|known| (distance(name, known), known.to_owned())) {
            Some(nearest) => anyhow::anyhow!("{file}:{line}: {found} is no {what}; the nearest is {nearest}"),
            None => anyhow::anyhow!("{file}:{line}: {found} is no {what}"),
        }
    }
}

fn has_long_name(flag: &Flag) -> bool {
    matches!(flag.kind, Kind::Switch | Kind::Value(..) | Kind::OptionalValue(..) | Kind::Lens)
}

/// Whether a value is a path: it counts from the folder of the file.
fn is_path(flag: &Flag) -> bool {
    matches!(flag.kind, Kind::Value("FILE" | "DIR" | "PATH" | "INDEX" | "LIST", _))
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// Letters that are put in, left out or exchanged between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, verb: &str) -> Result<Vec<String>> {
        let spec = SPECS.iter().find(|spec| spec.name == verb).expect("a verb");
        let file = super::parse(Path::new("/p/lookalike.toml"), text, spec)?;
        let arguments = file.defaults.into_iter().flat_map(|default| default.arguments);
        Ok(arguments.map(|argument| argument.into_string().expect("text")).collect())
    }

    #[test]
    fn keys_become_arguments() {
        let text = "threshold = 0.8\nexclude = ['*.bak', \"b\"]\nhidden = true\nno-ignore = false\ndecisions = 'd.json'\n\
                    [scan]\nthreshold = 0.7\n[index.build]\nmax-df = 50\n";
        let common = ["--exclude=*.bak", "--exclude=b", "--hidden", "--decisions=/p/d.json", "--threshold=0.7"];
        assert_eq!(parse(text, "scan").unwrap(), common);
        assert_eq!(
            parse(text, "index build").unwrap(),
            ["--threshold=0.8", "--exclude=*.bak", "--exclude=b", "--hidden", "--max-df=50"]
        );
        assert_eq!(parse(text, "lost").unwrap(), Vec::<String>::new(), "it takes none of them");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            ("\nthreshhold = 1", "/p/lookalike.toml:2: threshhold is no flag; the nearest is threshold"),
            ("[scna]\nx = 1", ":1: [scna] is no verb; the nearest is scan"),
            ("[scan]\nqueries = 'x'", ":2: queries is no flag of lookalike scan"),
            ("[index.buidl]", "[index.buidl] is no verb; the nearest is index build"),
            ("threshold = [1]", ":1: threshold takes one value"),
            ("hidden = 'yes'", ":1: expected true or false for hidden, found string"),
            ("a = 1\nb", ":2: expected TOML"),
            ("html = '/etc/passwd'", ":1: html cannot be set in a project file"),
            ("[act]\nyes = true", "yes is no flag of lookalike act"),
        ] {
            let error = parse(text, "scan").err().unwrap_or_else(|| panic!("{text}")).to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn how_far_words_are_apart() {
        assert_eq!([distance("", "abc"), distance("kitten", "sitting"), distance("a", "a")], [3, 3, 0]);
    }
}
