//! A labelled set as texts, with who belongs to whom.

use crate::quality::{Ids, Label, Labels, Set, clusters, connected, pairs};
use anyhow::{Context, Result};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::text;
use lookalike_extract::{PageRules, visible_of_str};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Documents of which all pairs are compared, many times.
const MOST: usize = 9_000;

/// Texts and labels.
pub(super) struct Documents {
    pub(super) texts: Vec<String>,
    /// A hash of the words of each: equal ones are copies, which any fingerprint finds.
    pub(super) words: Vec<u64>,
    pub(super) truth: Truth,
}

/// Which pairs are near.
pub(super) enum Truth {
    /// Some pairs are labelled.
    Pairs(Vec<Label>),
    /// All pairs count; those of one cluster are near.
    Clusters(Vec<u32>),
}

impl Documents {
    pub(super) fn read(set: &Set, folder: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Document {
            id: String,
            text: String,
        }
        let ids = Ids::read(folder)?;
        let path = folder.join("docs.jsonl");
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut texts = vec![String::new(); ids.len()];
        for line in BufReader::new(file).lines() {
            let Document { id, text } = serde_json::from_str(&line?).with_context(|| path.display().to_string())?;
            let mut buffer = String::new();
            visible_of_str(&text, None, &PageRules::default(), &mut buffer)
                .text
                .clone_into(&mut texts[ids.get(&id)? as usize]);
        }
        let truth = match set.labels {
            Labels::Pairs { least, category } => Truth::Pairs(pairs(folder, &ids, least, category)?),
            Labels::Clusters => Truth::Clusters(clusters(folder, &ids)?),
            Labels::OnlyPositive => Truth::Clusters(connected(&pairs(folder, &ids, 1, 3)?, ids.len())),
        };
        let fp = FeatureHasher::default();
        let hash = |text: &String| text::words(text, &fp).iter().fold(0, |h, word| fp.chain(h, word.hash));
        Ok(Self { words: texts.iter().map(hash).collect(), texts, truth }.thinned())
    }

    /// Of very many documents whose pairs all count, a part: every second, third …
    fn thinned(mut self) -> Self {
        let step = self.texts.len().div_ceil(MOST);
        if let Truth::Clusters(clusters) = &mut self.truth {
            *clusters = clusters.iter().copied().step_by(step).collect();
            self.words = self.words.into_iter().step_by(step).collect();
            self.texts = self.texts.into_iter().step_by(step).collect();
        }
        self
    }
}
