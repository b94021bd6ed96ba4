//! The tokens of submissions, ready to be compared: all files of a family in one sequence, what does not count replaced by 0.

use crate::Error;
use crate::lens::passages::base::blank;
use crate::lens::passages::cohort::{CohortUnits, NO_SUBMISSION};
use crate::lens::passages::family::Method;
use crate::lens::passages::frequencies::Frequencies;
use crate::lens::passages::reading::{Library, LibraryDocument};
use crate::lens::passages::spelling::Spelling;
use crate::lens::passages::stream::{FULL, Stream, WeighedStream};
use crate::lens::passages::weighing::without_ends;
use crate::run::Session;
use crate::run::memory::Permit;
use lookalike_core::passage::Family;
use lookalike_store::resources::MIN_MEMORY;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Bytes of memory that a token takes at most while two submissions are held against each other: the token, how it is spelt, its weight,
/// its k-gram, the table of k-grams, what was found.
const MEMORY_PER_TOKEN: u64 = 72;

/// A submission, ready to be compared.
pub struct SubmissionStreams {
    pub streams: Vec<Stream>,
    /// Tokens that count.
    pub counted: u32,
    /// Asked for only where something is shared, which is seldom.
    weights: OnceLock<SubmissionWeights>,
}

/// How much a submission tells.
pub struct SubmissionWeights {
    /// By stream: how much each token tells, of [`FULL`].
    of_tokens: Vec<Vec<u8>>,
    /// All together.
    pub whole: f64,
}

impl SubmissionWeights {
    /// One of the streams of a submission, with its weights.
    pub fn of<'a>(&'a self, streams: &'a [Stream], at: usize) -> WeighedStream<'a> {
        WeighedStream { stream: &streams[at], weights: &self.of_tokens[at] }
    }
}

/// A stretch that does not count, with the fingerprints by which too many share it; base code has none.
pub type ExcludedStretch = (Range<usize>, Vec<u64>);

/// Makes sides, and remembers them if there is room.
pub struct StreamCache<'a> {
    library: &'a Library,
    cohort: &'a CohortUnits,
    frequencies: &'a Frequencies,
    methods: &'a [Method; 3],
    remembered: Option<Vec<OnceLock<Arc<SubmissionStreams>>>>,
    /// All memory that is allowed.
    allowed: u64,
}

impl<'a> StreamCache<'a> {
    pub fn new(
        library: &'a Library,
        cohort: &'a CohortUnits,
        frequencies: &'a Frequencies,
        methods: &'a [Method; 3],
        session: &Session<'_>,
    ) -> Self {
        // of prose, what it is compared by is not kept
        let size = |known: &LibraryDocument| if known.family == Family::Prose { 5 } else { 15 } * u64::from(known.tokens) + 200;
        let bytes: u64 = library.documents.iter().map(size).sum();
        let room = bytes <= session.share(4) as u64;
        let remembered = room.then(|| cohort.units.iter().map(|_| OnceLock::new()).collect());
        let allowed = session.options.resources.memory.max(MIN_MEMORY);
        Self { library, cohort, frequencies, methods, remembered, allowed }
    }

    /// Waits until there is memory to hold a submission against each of some others. Those that are remembered take little.
    pub fn admit(&self, a: u32, others: impl Iterator<Item = u32>) -> Result<Option<Permit>, Error> {
        if self.remembered.is_some() {
            return Ok(None);
        }
        let cost = |unit: u32| {
            let documents = self.cohort.units[unit as usize].documents.iter();
            let tokens = documents.map(|(_, document)| u64::from(self.library.documents[*document as usize].tokens));
            tokens.sum::<u64>() * MEMORY_PER_TOKEN
        };
        let largest = others.map(|other| (cost(other), other)).max();
        let needed = cost(a) + largest.map_or(0, |(cost, _)| cost);
        if needed > self.allowed {
            let name = |unit: u32| self.cohort.units[unit as usize].who.name.clone();
            let (a, b) = (name(a), largest.map(|(_, other)| name(other)).unwrap_or_default());
            return Err(Error::PairMemory { a, b, needed, allowed: self.allowed });
        }
        Ok(Some(self.library.catalogue.memory.take(needed)))
    }

    pub fn side(&self, unit: u32) -> Result<Arc<SubmissionStreams>, Error> {
        let Some(remembered) = &self.remembered else { return self.load(unit).map(Arc::new) };
        let place = &remembered[unit as usize];
        if let Some(side) = place.get() {
            return Ok(Arc::clone(side));
        }
        let side = Arc::new(self.load(unit)?);
        Ok(Arc::clone(place.get_or_init(|| side)))
    }

    fn load(&self, unit: u32) -> Result<SubmissionStreams, Error> {
        let mut side = SubmissionStreams { streams: Vec::new(), counted: 0, weights: OnceLock::new() };
        let mut record = Vec::new();
        for (at, (_, document)) in self.cohort.units[unit as usize].documents.iter().enumerate() {
            let family = self.library.documents[*document as usize].family;
            let found = side.streams.iter().position(|stream| stream.family == family);
            let index = found.unwrap_or_else(|| {
                let (tokens, spellings, exact, files) = Default::default();
                side.streams.push(Stream { family, tokens, spellings, exact, files });
                side.streams.len() - 1
            });
            let stream = &mut side.streams[index];
            if !stream.files.is_empty() {
                stream.tokens.push(0);
                // prose is spelt in one way
                stream.spellings.extend((family != Family::Prose).then(Spelling::default));
            }
            stream.files.push((at, stream.tokens.len() as u32));
            self.library.tokens(*document, &mut record, &mut stream.tokens, &mut stream.spellings)?;
        }
        for stream in &mut side.streams {
            if self.may_have_frequent(unit) {
                let method = &self.methods[stream.family as usize];
                let frequent = self.frequent_stretches(method, &stream.tokens);
                blank(&mut stream.tokens, frequent.into_iter().map(|(stretch, _)| stretch));
            }
            side.counted += counted(stream) as u32;
        }
        Ok(side)
    }

    /// How much a submission tells.
    pub fn weights<'s>(&self, side: &'s SubmissionStreams) -> &'s SubmissionWeights {
        side.weights.get_or_init(|| {
            let mut whole = 0.0;
            let of_stream = |stream: &Stream| {
                let method = &self.methods[stream.family as usize];
                let weights = weights(method, &stream.tokens, |hash| self.frequencies.weight(hash));
                let weight = weights.iter().map(|weight| u64::from(*weight)).sum();
                whole += without_ends(weight, counted(stream), method.winnowing.k);
                weights
            };
            SubmissionWeights { of_tokens: side.streams.iter().map(of_stream).collect(), whole }
        })
    }

    /// Whether a submission may have anything that too many share. Of several files of prose, windows that reach from one into the next
    /// select what neither has by itself.
    pub fn may_have_frequent(&self, unit: u32) -> bool {
        let has_several = self.cohort.units[unit as usize].documents.len() > 1;
        !self.frequencies.frequent.is_empty() && (has_several || self.frequencies.having_frequent[unit as usize])
    }

    /// The stretches of a sequence that too many share, with their fingerprints: neighbouring ones that are frequent, and what is between
    /// them.
    fn frequent_stretches(&self, method: &Method, tokens: &[u32]) -> Vec<ExcludedStretch> {
        let k = method.winnowing.k as usize;
        let mut stretches: Vec<ExcludedStretch> = Vec::new();
        let mut in_frequent = false;
        method.fingerprints(tokens, |fingerprint| {
            let at = fingerprint.position as usize;
            let frequent = self.frequencies.frequent.contains_key(&fingerprint.hash);
            if frequent {
                match stretches.last_mut() {
                    Some((last, fingerprints))
                        if last.end >= at || (in_frequent && !tokens[last.end..at].contains(&0)) =>
                    {
                        last.end = at + k;
                        fingerprints.push(fingerprint.hash);
                    }
                    _ => stretches.push((at..at + k, vec![fingerprint.hash])),
                }
            }
            in_frequent = frequent;
        });
        stretches
    }

    /// What does not count in a document, with the fingerprints of what too many share: base code has none.
    pub fn excluded(&self, document: u32) -> Result<Vec<ExcludedStretch>, Error> {
        let known = &self.library.documents[document as usize];
        let unit = self.cohort.unit_of[document as usize];
        let may_have_frequent = unit != NO_SUBMISSION && self.may_have_frequent(unit);
        if !may_have_frequent && known.excluded == 0 {
            return Ok(Vec::new());
        }
        let (mut record, mut tokens) = (Vec::new(), Vec::new());
        self.library.tokens(document, &mut record, &mut tokens, &mut Vec::new())?;
        let method = &self.methods[known.family as usize];
        let mut excluded = if may_have_frequent { self.frequent_stretches(method, &tokens) } else { Vec::new() };
        let mut from = 0;
        for run in tokens.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
            if run[0] == 0 {
                excluded.push((from..from + run.len(), Vec::new()));
            }
            from += run.len();
        }
        excluded.sort_by_key(|(stretch, _)| stretch.start);
        Ok(excluded)
    }
}

/// Tokens that count.
fn counted(stream: &Stream) -> usize {
    stream.tokens.iter().filter(|token| **token != 0).count()
}

/// How much each token tells: as much as the fingerprint before it, or the first. What does not count tells nothing.
pub fn weights(method: &Method, tokens: &[u32], of: impl Fn(u64) -> f64) -> Vec<u8> {
    let mut weights = vec![0; tokens.len()];
    let (mut from, mut current) = (0, FULL);
    method.fingerprints(tokens, |fingerprint| {
        let weight = (of(fingerprint.hash) * f64::from(FULL)).round() as u8;
        let before = if from == 0 { weight } else { current };
        weights[from..fingerprint.position as usize].fill(before);
        (from, current) = (fingerprint.position as usize, weight);
    });
    weights[from..].fill(current);
    weights.iter_mut().zip(tokens).filter(|(_, token)| **token == 0).for_each(|(weight, _)| *weight = 0);
    weights
}
