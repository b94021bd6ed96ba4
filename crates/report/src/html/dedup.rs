//! What was removed from a corpus, as one page: rates, a histogram, the largest clusters, and examples to look at. It is markup already
//! and asks for nothing.

use super::plot::{Bar, bars, escape, link, rows};
use crate::units::{bytes, commas, count, percent};
use lookalike::dedup::{DedupSummary, Example, Piece, Uncompared};
use lookalike::report::Template;
use lookalike_web::write_plain;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

const STYLE: &str = concat!(include_str!("changes.css"), include_str!("dedup.css"));
/// Sources and clusters that are listed.
const MAX_ROWS: usize = 50;
/// Characters of a template that are shown.
const MAX_TEMPLATE_CHARS: usize = 300;

/// What the page shows.
pub struct DedupPage<'a> {
    /// The inputs, as the user called them.
    pub inputs: &'a [String],
    /// In numbers.
    pub summary: &'a DedupSummary,
    /// To look at.
    pub examples: &'a [Example],
    /// Text that very many documents share.
    pub templates: &'a [Template],
}

/// Writes the page.
pub fn write_dedup_html(out: &mut dyn Write, page: &DedupPage<'_>) -> io::Result<()> {
    let inputs = crate::clean(&page.inputs.join(", ")).into_owned();
    let mut body = format!("<h1>Duplicates</h1>\n<p>{}</p>\n", escape(&headline(page.summary)));
    let plots = [classes(page.summary), histogram(page.summary), lengths(page.summary)];
    let _ = writeln!(body, "<div class=\"plots\">\n{}</div>", plots.concat());
    body.push_str(&sources(page.summary));
    body.push_str(&clusters(page.summary));
    body.push_str(&templates(page.templates));
    body.push_str(&examples(page.examples, page.summary.policy.threshold));
    body.push_str(&not_compared(page.summary));
    let foot = format!("lookalike {}", env!("CARGO_PKG_VERSION"));
    write_plain(out, &format!("Duplicates in {inputs} · lookalike"), &inputs, STYLE, &body, &foot)
}

fn share(part: u64, all: u64) -> String {
    percent(if all == 0 { 0.0 } else { part as f64 / all as f64 })
}

fn headline(summary: &DedupSummary) -> String {
    format!(
        "{} of {} ({}) look like another that stays. A document goes only if it was itself compared with the one that stays in its \
         place, and every number is counted on the whole documents. A pair of just {} is found with probability {:.3} or more.",
        commas(summary.removed),
        count(summary.documents, "document"),
        share(summary.removed, summary.documents),
        summary.policy.threshold,
        (summary.found_at_threshold * 1000.0).floor() / 1000.0
    )
}

fn card(title: &str, says: &str, plot: &str) -> String {
    format!("<figure class=\"panel\"><h2>{title}</h2><p>{}</p>{plot}</figure>\n", escape(says))
}

fn classes(summary: &DedupSummary) -> String {
    let of = summary.classes;
    let all = [
        ("identical: the same bytes", of.identical, "a"),
        ("lexical: the same words", of.lexical, "a"),
        ("shingle: the same stretches", of.shingle, "a"),
        ("near: alike enough", of.near, "b"),
        ("contained: inside another", of.contained, "c"),
        ("chained: by a chain only", of.chained, "d"),
    ];
    let there: Vec<(&str, u64, &str)> = all.into_iter().filter(|row| row.1 > 0).collect();
    let title = "How they are alike";
    card(
        title,
        "Removed documents by how they relate to what stays.",
        &rows("classes", title, "Removed documents by class", &there),
    )
}

fn histogram(summary: &DedupSummary) -> String {
    let first = summary.resemblance.iter().position(|n| *n > 0).unwrap_or(0);
    let from = first.min((summary.policy.threshold * summary.resemblance.len() as f64) as usize);
    let bar = |(at, n): (usize, &u64)| Bar {
        label: format!("{}%", at * 100 / summary.resemblance.len()),
        up: vec![(*n, "b", "removed documents from here to 5% more")],
        down: Vec::new(),
    };
    let all: Vec<Bar> = summary.resemblance.iter().enumerate().skip(from).map(bar).collect();
    let title = "How much they resemble";
    card(
        title,
        "Removed documents by their resemblance to what stays.",
        &bars("histogram", title, "Removed documents by resemblance", &all),
    )
}

fn lengths(summary: &DedupSummary) -> String {
    let kept = summary.bytes.saturating_sub(summary.removed_bytes);
    let says = format!("{} of {} of text are removed.", bytes(summary.removed_bytes), bytes(summary.bytes));
    let all = [("kilobytes that stay", kept >> 10, "c"), ("kilobytes removed", summary.removed_bytes >> 10, "b")];
    let title = "How much text goes";
    card(title, &says, &rows("bytes", title, "Kilobytes of text that stay and go", &all))
}

fn table(title: &str, says: &str, heads: &[&str], lines: &[Vec<String>]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<section class=\"panel\"><h2>{title}</h2><p>{}</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table class=\"numbers\"><thead><tr>",
        escape(says)
    );
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{head}</th>");
    }
    out.push_str("</tr></thead><tbody>");
    for line in lines {
        out.push_str("<tr>");
        for cell in line {
            let _ = write!(out, "<td>{}</td>", link(cell));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div></section>\n");
    out
}

fn sources(summary: &DedupSummary) -> String {
    let line = |source: &lookalike::dedup::SourceCounts| {
        vec![
            source.source.clone(),
            commas(source.documents),
            commas(source.removed),
            share(source.removed, source.documents),
            share(source.removed_within, source.removed),
        ]
    };
    let lines: Vec<Vec<String>> = summary.sources.iter().take(MAX_ROWS).map(line).collect();
    let heads = ["source", "documents", "removed", "share", "of these for one of the same source"];
    table("Rates by source", "Which sources repeat themselves, and which repeat others.", &heads, &lines)
}

fn clusters(summary: &DedupSummary) -> String {
    let line = |cluster: &lookalike::dedup::LargeCluster| vec![cluster.kept.clone(), commas(cluster.removed)];
    let lines: Vec<Vec<String>> = summary.largest_clusters.iter().map(line).collect();
    let says = format!(
        "{} stand for others. A very large cluster may be a template: look at it.",
        count(summary.clusters, "document")
    );
    table("The largest clusters", &says, &["document that stays", "removed for it"], &lines)
}

fn templates(templates: &[Template]) -> String {
    let line = |template: &Template| {
        let text: String = template.text.as_deref().unwrap_or_default().chars().take(MAX_TEMPLATE_CHARS).collect();
        vec![text, commas(template.documents)]
    };
    let lines: Vec<Vec<String>> = templates.iter().take(MAX_ROWS).map(line).collect();
    table("Templates", "Text that very many documents share, and that did not count.", &["text", "documents"], &lines)
}

fn examples(examples: &[Example], threshold: f64) -> String {
    if examples.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<section class=\"examples\"><h2>Examples</h2><p>First those that resemble what stays the least, close to {threshold}: if these are not what you call \
         duplicates, raise the threshold. <del>Red</del> is only in the document that goes, <ins>green</ins> only in the one that \
         stays.</p>\n"
    );
    for example in examples {
        let resemblance = example.resemblance.map_or("–".to_owned(), percent);
        let _ = write!(
            out,
            "<details><summary><b>{resemblance}</b> {} <span>{}</span> for <span>{}</span></summary><p class=\"text\">",
            example.class.name(),
            link(&example.id),
            link(&example.kept)
        );
        for piece in &example.pieces {
            let _ = match piece {
                Piece::Same(text) => write!(out, "{} ", escape(text)),
                Piece::Elided(words) => write!(out, "<i>… {} the same …</i> ", count(*words as u64, "word")),
                Piece::Gone(text) => write!(out, "<del>{}</del> ", escape(text)),
                Piece::Kept(text) => write!(out, "<ins>{}</ins> ", escape(text)),
            };
        }
        out.push_str("</p></details>\n");
    }
    out.push_str("</section>\n");
    out
}

fn not_compared(summary: &DedupSummary) -> String {
    let Uncompared { not_compared, left_out, .. } = &summary.uncompared;
    let lines = |kinds: &BTreeMap<String, u64>| -> Vec<Vec<String>> {
        kinds.iter().map(|(kind, n)| vec![kind.clone(), commas(*n)]).collect()
    };
    let mut out = table("Not compared", "These stay as they are.", &["reason", "records"], &lines(not_compared));
    out.push_str(&table(
        "Left out",
        "These are not in the result, or are in it under another name.",
        &["reason", "files"],
        &lines(left_out),
    ));
    out
}
