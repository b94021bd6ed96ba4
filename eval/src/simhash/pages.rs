//! `eval simhash pages`: what is within three bits on real pages, and how much of it the shingles confirm, for each weight.

use super::note;
use crate::command::Lookalike;
use crate::facts;
use crate::numbers::share;
use crate::page::{Page, folder};
use crate::table::table;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Pages {
    /// Folders of pages, such as those of Debian's documentation packages
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The command to measure [default: lookalike beside this program]
    #[arg(long, value_name = "PATH")]
    lookalike: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// What is asked of each folder: a name, and flags.
const WAYS: [(&str, &[&str]); 4] = [
    ("log (default)", &["--weight", "log"]),
    ("tf", &["--weight", "tf"]),
    ("binary", &["--weight", "binary"]),
    ("tf, any length", &["--weight", "tf", "--min-words", "0"]),
];

/// What was found in one folder, or in all.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Found {
    pages: u64,
    pairs: u64,
    confirmed: u64,
}

/// What is looked at of a report.
#[derive(Deserialize)]
struct Report {
    documents: u64,
    simhash: Section,
}

#[derive(Deserialize)]
struct Section {
    verified: Verified,
}

#[derive(Deserialize)]
struct Verified {
    compared: u64,
    confirmed: u64,
}

impl Pages {
    pub(crate) fn run(self) -> Result<()> {
        let mut lookalike = Lookalike::find(self.lookalike)?;
        let mut rows = Vec::new();
        for path in &self.folders {
            let name = path.to_string_lossy();
            note(&name);
            let mut found = Vec::new();
            for (_, flags) in WAYS {
                let told = ["scan", "-q", "--lens", "simhash", "--verify", "--json", "--include", "*.html", &name];
                found.push(read(&lookalike.told(&[&told, flags].concat())?)?);
            }
            rows.push((name.into_owned(), found));
        }
        let all = (0..WAYS.len()).map(|way| rows.iter().fold(Found::default(), |sum, (_, found)| sum.plus(found[way])));
        rows.push(("all".to_owned(), all.collect()));
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let page = Page {
            verb: "simhash",
            name: "pages",
            facts,
            bars: Vec::new(),
            sections: vec![ABOUT.to_owned(), section(&rows)],
            numbers: json!(rows),
            commands: lookalike.lines,
        };
        page.tell(folder(self.out, false).as_deref(), self.json)
    }
}

fn read(report: &[u8]) -> Result<Found> {
    let Report { documents, simhash } =
        serde_json::from_slice(report).context("no report of a scan by fingerprints")?;
    Ok(Found { pages: documents, pairs: simhash.verified.compared, confirmed: simhash.verified.confirmed })
}

impl Found {
    fn plus(self, other: Self) -> Self {
        Self {
            pages: self.pages + other.pages,
            pairs: self.pairs + other.pairs,
            confirmed: self.confirmed + other.confirmed,
        }
    }

    fn text(self) -> String {
        if self.pairs == 0 {
            return "–".to_owned();
        }
        let holds = 100.0 * share(self.confirmed as usize, self.pairs as usize);
        format!("{holds:.1} % of {}", self.pairs)
    }
}

fn section(rows: &[(String, Vec<Found>)]) -> String {
    let head: Vec<&str> = ["pages of", "pages"].into_iter().chain(WAYS.map(|(name, _)| name)).collect();
    let row = |(name, found): &(String, Vec<Found>)| {
        let pages = found.first().map_or(0, |one| one.pages).to_string();
        [name.clone(), pages].into_iter().chain(found.iter().map(|one| one.text())).collect()
    };
    table(&head, &rows.iter().map(row).collect::<Vec<_>>())
}

const ABOUT: &str = "Pairs of pages within three bits, and the share that resembles by half or more in shingles of ten words. Menus, headers and footers do not
count; identical pages are one.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_is_a_share_of_what_was_compared() {
        let report =
            br#"{"documents": 530, "simhash": {"verified": {"compared": 24, "confirmed": 6, "precision": 0.25}}}"#;
        let found = read(report).unwrap();
        assert_eq!((found.plus(found).pages, found.text()), (1060, "25.0 % of 24".to_owned()));
        assert_eq!(Found::default().text(), "–");
        assert!(read(b"{}").is_err());
    }
}
