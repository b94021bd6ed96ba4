//! What counts as a loosely copied passage: all numbers in one place.
//!
//! Lengths are in content words (those that are not [`FUNCTION_WORD`](super::FUNCTION_WORD)) unless a field says otherwise. The defaults were searched
//! for on one half of the PAN 2013 text alignment corpus and hold on the other; they lie on a plateau, so none needs care.

/// Parameters of the loose matcher.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// A seed is a pair of words, in whatever order, the second among the next `reach` after the first. At most 7.
    pub reach: usize,
    /// A pair that stands m times in one document and n times in the other is a seed while m·n is at most this, and weighs 1/(m·n)².
    pub often: usize,
    /// Seeds that are this near on both sides are of one cluster.
    pub gap: u32,
    /// Clusters that weigh less than this are chance.
    pub grain: f32,
    /// Clusters that are this near on both sides are of one passage.
    pub join: u32,
    /// So are clusters of `small` words that are this near on one side …
    pub near: u32,
    /// … and this near on the other: a summary takes its words from far apart.
    pub wide: u32,
    /// See `near`.
    pub small: u32,
    /// The ends of a passage are cut off while they hold less than this share of its mean density of seeds.
    pub trim: f32,
    /// A passage weighs at least this: a word that is copied with its neighbours weighs `reach`.
    pub weight: f32,
    /// A passage has at least this many words on both sides.
    pub words: u32,
    /// At least this share of the words of a passage is held by seeds, on both sides.
    pub density: f32,
    /// Of a passage that has `long` words of any weight on both sides, at least this share of the shorter side stands on both sides with
    /// the same neighbours.
    pub same: f64,
    /// See `same`.
    pub long: usize,
    /// A passage that is not `solid` reaches to the ends of its sentences, if they are at most this many words of any weight away.
    pub snap: u32,
    /// A passage with this share of its words held by seeds, on both sides, is taken as copied word by word: its ends are certain.
    pub solid: f32,
    /// Words of a fingerprint by which a corpus is searched, see [`for_each_gram`](super::for_each_gram).
    pub key: usize,
    /// Equal runs of this many words make their documents a pair to be compared. At least `key`.
    pub guarantee: usize,
    /// Words of any weight in a gram, by which equal runs are found.
    pub gram: usize,
    /// Equal runs of this many words of any weight are always told, however common their words are. At least `gram`.
    pub run: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            reach: 4,
            often: 6,
            gap: 10,
            grain: 4.0,
            join: 25,
            near: 30,
            wide: 500,
            small: 30,
            trim: 0.35,
            weight: 14.0,
            words: 14,
            density: 0.05,
            same: 0.03,
            long: 200,
            snap: 10,
            solid: 0.8,
            key: 3,
            guarantee: 5,
            gram: 8,
            run: 20,
        }
    }
}
