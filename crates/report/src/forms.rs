//! The table of forms. A new form is a new file and a row here.

use crate::renderer::Renderer;
use lookalike::Lens;

/// Those that put documents into clusters.
const OF_CLUSTERS: &[Lens] = &[Lens::Shingles, Lens::Chunks, Lens::Simhash];

/// Every form in which a report can be written.
pub const FORMS: &[Form] = &[
    Form {
        name: "terminal",
        about: "For people: a summary, then the largest clusters or pairs",
        lenses: &Lens::ALL,
        renderer: &crate::terminal::Terminal,
    },
    Form { name: "json", about: "One JSON object", lenses: &Lens::ALL, renderer: &crate::json::Json },
    Form {
        name: "ndjson",
        about: "One JSON object a line: the scan, then its lists",
        lenses: OF_CLUSTERS,
        renderer: &crate::json::Ndjson,
    },
    Form {
        name: "csv",
        about: "A row for each document in a cluster, or for each pair",
        lenses: &Lens::ALL,
        renderer: &crate::csv::Csv,
    },
    #[cfg(feature = "xlsx")]
    Form {
        name: "xlsx",
        about: "A spreadsheet: clusters as rows that expand, sort and filter",
        lenses: OF_CLUSTERS,
        renderer: &crate::xlsx::Xlsx,
    },
    Form {
        name: "html",
        about: "A page to look at, and to decide on",
        lenses: &Lens::ALL,
        renderer: &crate::html::Html,
    },
    Form {
        name: "sarif",
        about: "SARIF 2.1.0: a result for each passage",
        lenses: &[Lens::Passages],
        renderer: &crate::sarif::Sarif,
    },
    Form {
        name: "fdupes",
        about: "Sets of identical files, as fdupes prints them",
        lenses: &[Lens::Chunks],
        renderer: &crate::fdupes::Fdupes,
    },
];

/// A row of [`FORMS`].
#[derive(Clone, Copy)]
pub struct Form {
    /// How it is asked for.
    pub name: &'static str,
    /// What it is, for a list of forms.
    pub about: &'static str,
    /// The lenses whose reports have it.
    pub lenses: &'static [Lens],
    /// What writes it.
    pub renderer: &'static dyn Renderer,
}

impl Form {
    /// The form of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMS.iter().find(|form| form.name == name)
    }
}
