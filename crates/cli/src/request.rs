//! What a program asks of a verb by the names of its flags: the same table, checks and defaults as on the command line. For Python.

use crate::args::{Args, Source};
use crate::flags::{Default, Kind, table};
use crate::lens::Lens;
pub use crate::verbs::compare::{Compared, Comparer};
use crate::verbs::index::{self, add, build};
use crate::verbs::{SPECS, compare, copies, dedup, query, recluster, scan};
use crate::{command, documents, errors, output, page, recipes, values};
use anyhow::Result;
use lookalike::dedup::DedupOptions;
use lookalike::index::QueryOptions;
use lookalike::{CorpusOptions, Index, LensOptions, Report, Scan, ScanOptions, StoreError};
use lookalike_report::{HtmlError, HtmlOptions, PageSubject, write_html};
use std::ffi::OsString;
use std::path::Path;

/// Flags that say where results go and how they look, or what is read from standard input. A program has other ways.
const OF_COMMAND: &[&str] = &[
    "json",
    "ndjson",
    "csv",
    "sarif",
    "plain",
    "report-format",
    "output",
    "html",
    "embed-limit",
    "explore",
    "xlsx",
    "pairs",
    "pages",
    "raw",
    "top",
    "stats",
    "exit-code",
    "show-config",
    "quiet",
    "stdin",
    "null",
    "save",
    "all",
    "batch",
    "url",
    "dry-run",
    "annotate",
];

/// What is wrong with what was asked.
#[derive(Debug)]
pub struct Usage(String);

impl Usage {
    /// In these words.
    pub fn new(message: String) -> Self {
        Self(message)
    }
}

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

impl From<clap::Error> for Usage {
    /// The first paragraph says what is wrong; what follows is about typing.
    fn from(error: clap::Error) -> Self {
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        Self(first.split('\n').map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned())
    }
}

/// Something that a verb can be told.
pub struct Parameter {
    /// Its name, as on the command line without dashes.
    pub name: String,
    /// Its letter, if it has one beside.
    pub short: Option<char>,
    /// What its value is called; none if it is there or not.
    pub value: Option<&'static str>,
    /// May be given without its value.
    pub is_optional: bool,
    /// May be given more than once.
    pub repeats: bool,
    /// What is meant without it, if that is a value.
    pub default: Option<&'static str>,
    /// In a line.
    pub help: &'static str,
}

/// A verb and what it was told.
pub struct Request {
    args: Args,
}

impl Request {
    /// Of a line as it would be typed.
    pub fn new(line: Vec<OsString>) -> Result<Self, Usage> {
        Ok(Self { args: command::parse(line)? })
    }

    /// All that a verb can be told by a program.
    pub fn parameters(verb: &str) -> Vec<Parameter> {
        let Some(spec) = SPECS.iter().find(|spec| spec.name == verb) else { return Vec::new() };
        let mut all = Vec::new();
        for flag in table().filter(|flag| !OF_COMMAND.contains(&flag.name)) {
            let Some(of) = flag.use_of(spec.verb, None) else { continue };
            let (name, value) = match flag.kind {
                Kind::Positional(..) | Kind::Positionals(..) => continue,
                Kind::Switch => (flag.name.to_owned(), None),
                Kind::ShortSwitch => (flag.short.unwrap_or_default().to_string(), None),
                Kind::Short(value, _) => (flag.short.unwrap_or_default().to_string(), Some(value)),
                Kind::Value(value, _) | Kind::OptionalValue(value, ..) | Kind::Pair(value, _) => {
                    (flag.name.to_owned(), Some(value))
                }
                Kind::Lens => (flag.name.to_owned(), Some("LENS")),
            };
            let default = match of.default {
                Default::Value(value) | Default::Hidden(value) => Some(value),
                Default::None | Default::Words(_) => None,
            };
            let short = flag.short.filter(|short| name != short.to_string());
            let is_optional = matches!(flag.kind, Kind::OptionalValue(..));
            all.push(Parameter { name, short, value, is_optional, repeats: flag.repeats, default, help: of.help });
        }
        all
    }

    /// What is asked of a scan.
    pub fn scan(&self, all_pairs: bool) -> Result<(LensOptions, ScanOptions)> {
        let (lens, file) = scan::lens(&self.args)?;
        let args = &self.args.with_lens(lens, &file.as_deref().map_or(Source::Flag, Source::File))?;
        scan::asked(args, lens, all_pairs)
    }

    /// The index whose documents are not to be found again, if one was named.
    pub fn against(&self) -> Result<Option<Index>> {
        scan::against(&self.args)
    }

    /// What is asked of a scan by passages.
    pub fn copies(&self) -> Result<(LensOptions, ScanOptions)> {
        let corpus = documents::with_archives(documents::corpus(&self.args));
        Ok((copies::asked(&self.args)?.into(), documents::options(&self.args, corpus)))
    }

    /// A saved run, clustered again.
    pub fn recluster(&self) -> Result<Report> {
        Ok(recluster::again(&self.args)?.0)
    }

    /// What is asked of a run that removes near-duplicates.
    pub fn dedup(&self) -> Result<DedupOptions> {
        dedup::asked(&self.args.with_lens(Lens::Shingles, &Source::Flag)?)
    }

    /// What is asked of a comparison.
    pub fn compare(&self) -> Result<Comparer> {
        compare::asked(&self.args)
    }

    /// What is asked of a new index.
    pub fn index(&self) -> Result<(LensOptions, CorpusOptions)> {
        let lens = self.args.get("lens").unwrap_or(Lens::Shingles);
        build::asked(&self.args.with_lens(lens, &Source::Flag)?, lens)
    }

    /// The recipe that what is added to an index must have.
    pub fn required(&self, index: &Index) -> Result<add::Required> {
        add::required(&self.args.with_lens(index.lens().into(), &Source::Flag)?, index)
    }

    /// What is read when documents are added to an index.
    pub fn added(&self, index: &Index) -> CorpusOptions {
        index::corpus(&self.args, index.lens().into())
    }

    /// What documents are read, with what of the machine, and the key.
    pub fn options(&self) -> ScanOptions {
        documents::options(&self.args, documents::corpus(&self.args))
    }

    /// The date of the sweep, if one was named.
    pub fn sweep(&self) -> Option<String> {
        self.args.get("sweep")
    }

    /// What is asked of an index.
    pub fn query(&self, index: &Index) -> Result<QueryOptions> {
        query::options(&self.args.with_lens(index.lens().into(), &Source::Flag)?, index)
    }

    /// The secret behind features and fingerprints.
    pub fn key(&self) -> String {
        recipes::key(&self.args)
    }
}

/// Bytes in the words of the command, such as `2G`.
pub fn bytes(words: &str) -> Result<u64, String> {
    values::size(words)
}

/// An error in the words of the command.
pub fn describe(error: &anyhow::Error) -> String {
    errors::describe(error)
}

/// Writes the page of a report.
pub fn write_report_page(scan: &Scan, path: &Path, inputs: Vec<String>) -> Result<(), lookalike::Error> {
    let files = |submission: usize| scan.files(submission);
    let subject = match scan.report().passages() {
        Some(_) => PageSubject::Passages(scan.report(), &files),
        None => PageSubject::Scan(scan),
    };
    let options = HtmlOptions { inputs, made: page::now(), ..HtmlOptions::default() };
    output::to_file(path, |out| {
        write_html(subject, &options, out).map_err(|error| match error {
            HtmlError::Documents(error) => error,
            HtmlError::Write(source) => StoreError::Write { what: path.display().to_string(), source }.into(),
        })
    })
}
