//! The parts of a run. One that cannot run is named with the reason, and the others go on.

use super::section::Section;
use super::{Part, Speed, note, peers, scale, task, yardstick};
use crate::cache::Cache;
use anyhow::Result;
use std::time::Duration;

impl Speed {
    /// All parts that are asked for, and why some could not run.
    pub(super) fn sections(&self, cache: &Cache, corpora: &[&str], lookalike: &str) -> (Vec<Section>, Vec<String>) {
        let (mut sections, mut left_out) = (Vec::new(), Vec::new());
        let mut add = |name: &str, result: Result<Section>| match result {
            Ok(section) => sections.push(section),
            Err(error) => {
                left_out.push(format!("{name}: {error:#}"));
                note(left_out.last().map_or("", String::as_str));
            }
        };
        if let (true, Some(largest)) = (self.wants(&[Part::Yardstick]), corpora.last()) {
            add("yardstick", self.yardstick(cache, largest, lookalike));
        }
        if self.wants(&[Part::Peers]) {
            for (at, name) in corpora.iter().enumerate() {
                add("peers", self.peers(cache, name, lookalike, at == 0 || self.all));
            }
        }
        if self.wants(&[Part::Html]) {
            add("html", self.html(cache, lookalike));
        }
        if self.wants(&[Part::Scale]) {
            for &documents in &self.docs {
                add("scale", self.scale(cache, documents, lookalike));
            }
        }
        (sections, left_out)
    }

    fn yardstick(&self, cache: &Cache, corpus: &str, lookalike: &str) -> Result<Section> {
        task::corpus(cache, corpus)?;
        let section = yardstick::section(cache, corpus, lookalike)?;
        Ok(self.measured(section))
    }

    fn peers(&self, cache: &Cache, corpus: &str, lookalike: &str, small: bool) -> Result<Section> {
        task::corpus(cache, corpus)?;
        task::truth(cache, corpus)?;
        let mut section = self.measured(peers::section(cache, corpus, lookalike, small)?);
        peers::score(&mut section, cache, corpus);
        Ok(section)
    }

    fn html(&self, cache: &Cache, lookalike: &str) -> Result<Section> {
        let count = if self.quick { 5_000 } else { 50_000 };
        task::pages(cache, count)?;
        let mut section = yardstick::html(cache, count, lookalike);
        // the first round reads the files from the disk, and is thrown away
        section.measure(1, self.limit(), &mut |text| note(text));
        section.rows.iter_mut().for_each(|row| row.usages.clear());
        Ok(self.measured(section))
    }

    fn scale(&self, cache: &Cache, documents: u64, lookalike: &str) -> Result<Section> {
        let mut section = scale::section(cache, documents, lookalike)?;
        section.measure(1, self.limit(), &mut |text| note(text));
        scale::project(&mut section);
        Ok(section)
    }

    fn measured(&self, mut section: Section) -> Section {
        section.measure(self.rounds.into(), self.limit(), &mut |text| note(text));
        section
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(self.limit)
    }
}
