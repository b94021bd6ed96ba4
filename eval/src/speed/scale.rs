//! Many generated documents through a pipe, in little memory; and what thirty million would take.

use super::section::{Row, Section};
use crate::cache::Cache;
use crate::measure::Job;
use crate::numbers::thousands;
use anyhow::Result;

/// The documents of the paper's experiment, and the CPU days that it took.
const PAPER: (f64, f64) = (30e6, 10.5);
const DAY: f64 = 86_400.0;

/// A scan of that many documents from standard input.
pub(super) fn section(cache: &Cache, documents: u64, lookalike: &str) -> Result<Section> {
    let generator = std::env::current_exe()?.to_string_lossy().into_owned();
    std::fs::create_dir_all(cache.path("tmp"))?;
    let mut job = Job::new(lookalike, &["scan", "-q", "-", "--memory", "2G", "--tmp", &cache.text("tmp")]);
    // one thread: it must keep ahead of the scan without taking both cores from it
    job.feed = Some(Box::new(Job::new(generator, &["gen", "--docs", &documents.to_string(), "--threads", "1"])));
    Ok(Section {
        title: format!("{} generated documents from a pipe", thousands(documents)),
        note: String::new(),
        documents: Some(documents),
        bytes: None,
        base: String::new(),
        rows: vec![Row::new("lookalike scan -", job)],
    })
}

/// Says what the paper's thirty million would take if CPU time grew in proportion.
pub(super) fn project(section: &mut Section) {
    let (Some(documents), Some(cpu)) = (section.documents, section.rows[0].cpu()) else { return };
    let (paper, days) = PAPER;
    let ours = cpu.median / documents as f64 * paper;
    section.note = format!(
        "One round. In proportion, 30 million documents would take {:.1} CPU hours. The paper's 30 million took {days} CPU days \
         ({:.0} times as much) on the machines of its time, with longer documents.",
        ours / 3600.0,
        days * DAY / ours,
    );
}
