//! Pipelines that people know by name: how they read a text, what they cut it into, and what they find.

use crate::options::DedupOptions;
use lookalike_core::sketch::Banding;
use lookalike_core::text::Fold;

/// Pairs that a pipeline finds less often than this are not looked for.
const MIN_PROBABILITY: f64 = 0.01;

/// A pipeline with `MinHash`, bands and rows. What it would find is found here, and nothing else; but a document goes only if it was itself
/// compared with the one that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What people call it.
    pub name: &'static str,
    /// Words or characters of an n-gram.
    pub n: usize,
    /// How a text is read.
    pub fold: Fold,
    /// What it finds.
    pub banding: Banding,
}

impl Preset {
    /// All that are known.
    pub const ALL: [Preset; 5] = [
        Preset { name: "fineweb", n: 5, fold: Fold::Simple, banding: Banding { bands: 14, rows: 8 } },
        Preset { name: "slimpajama", n: 13, fold: Fold::Characters, banding: Banding { bands: 9, rows: 13 } },
        Preset { name: "nemo", n: 24, fold: Fold::RawCharacters, banding: Banding { bands: 20, rows: 13 } },
        Preset { name: "olmo", n: 5, fold: Fold::None, banding: Banding { bands: 26, rows: 11 } },
        Preset { name: "refinedweb", n: 5, fold: Fold::Simple, banding: Banding { bands: 450, rows: 20 } },
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Preset> {
        Self::ALL.into_iter().find(|preset| preset.name == name)
    }

    /// Whether its n-grams are of characters.
    pub fn is_of_characters(self) -> bool {
        matches!(self.fold, Fold::Characters | Fold::RawCharacters)
    }

    /// Options that find what it finds.
    pub fn apply(self, options: &mut DedupOptions) {
        options.like = Some(self.name);
        options.shingles.recipe.w = self.n;
        options.shingles.recipe.text.fold = self.fold;
        options.shingles.policy.threshold = self.banding.resemblance_at(MIN_PROBABILITY);
        options.shingles.policy.banding = Some(self.banding);
    }

    /// What that means, in a sentence.
    pub fn meaning(self) -> String {
        let unit = if self.is_of_characters() { "characters" } else { "words" };
        let read = match self.fold {
            Fold::None => "words as they are",
            Fold::Simple => "no accents, numbers as 0",
            Fold::Characters => "lower case, no punctuation",
            Fold::RawCharacters => "text as it stands",
        };
        let Banding { bands, rows } = self.banding;
        let at = |resemblance: f64| format!("{:.2} at {resemblance}", self.banding.probability(resemblance));
        format!(
            "like {}: {}-grams of {unit}, {read}; {bands} bands of {rows}: pairs are found with probability {}, {}, {}, {}",
            self.name,
            self.n,
            at(0.6),
            at(0.7),
            at(0.8),
            at(0.9)
        )
    }
}
