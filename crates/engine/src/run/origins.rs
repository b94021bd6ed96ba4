//! Origins of documents: the source of each, whether it may be removed, and the rank that the corpus gives it.

use crate::Error;
use crate::run::date;
use crate::run::options::{Keep, ScanOptions};
use lookalike_corpus::{Corpus, Place, closest};
use rustc_hash::FxHashMap;
use std::path::PathBuf;

/// Sources that an error names.
const MAX_SHOWN: usize = 12;

/// By document, as far as it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// The number of its source in `names`.
    pub sources: Vec<u32>,
    pub names: Vec<String>,
    /// By source: its documents must stay.
    pub fixed: Vec<bool>,
    /// The higher the better.
    pub ranks: Vec<u64>,
    has_ranks: bool,
}

impl Origins {
    /// Origins that were stored.
    pub fn new(sources: Vec<u32>, names: Vec<String>, fixed: Vec<bool>, ranks: Vec<u64>) -> Self {
        let has_ranks = ranks.iter().any(|rank| *rank > 0);
        Self { sources, names, fixed, ranks, has_ranks }
    }

    /// The name of the source of a document.
    pub fn name(&self, document: u32) -> Option<&str> {
        let source = self.sources.get(document as usize)?;
        self.names.get(*source as usize).map(String::as_str)
    }

    /// Whether the corpus ranks any document.
    pub fn has_ranks(&self) -> bool {
        self.has_ranks
    }

    /// The rank of a document as the number that it was, if it has one: of a date the seconds since 1970.
    pub fn rank_value(&self, document: u32) -> Option<f64> {
        let rank = self.rank(document);
        let bits = if rank >> 63 == 1 { rank & !(1 << 63) } else { !rank };
        (rank > 0).then(|| f64::from_bits(bits))
    }

    /// The rank of a document: 0 for those that have none.
    pub fn rank(&self, document: u32) -> u64 {
        self.ranks.get(document as usize).copied().unwrap_or(0)
    }

    /// Whether some documents must stay.
    pub fn has_fixed(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Whether a document must stay.
    pub fn is_fixed(&self, document: u32) -> bool {
        let source = self.sources.get(document as usize);
        source.is_some_and(|source| self.fixed.get(*source as usize).copied().unwrap_or(false))
    }
}

/// Checks that every source that was named is one of these.
pub fn check_sources<T: AsRef<str>>(options: &ScanOptions, known: &[T]) -> Result<(), Error> {
    let in_keep: &[String] = match &options.keep {
        Keep::Sources(names) => names,
        _ => &[],
    };
    let is_known = |name: &str| known.iter().any(|source| is_source(source.as_ref(), name));
    let Some(name) = options.drop_only_from.iter().chain(in_keep).find(|name| !is_known(name)) else { return Ok(()) };
    let shown: Vec<String> = known.iter().take(MAX_SHOWN).map(|source| format!("{:?}", source.as_ref())).collect();
    let known_words = match known.len().saturating_sub(MAX_SHOWN) {
        _ if known.is_empty() => "there are none".into(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    };
    let suggestion = closest(name, known.iter().map(AsRef::as_ref)).map(str::to_owned);
    Err(Error::UnknownSource { name: name.clone(), known: known_words, suggestion })
}

/// Whether a source is meant by a name: its own, that of its folder, or the last part of its path.
pub fn is_source(source: &str, name: &str) -> bool {
    let name = name.trim_end_matches('/');
    source == name
        || source.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
        || source.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'))
}

/// Collects origins of documents while they are read.
#[derive(Default)]
pub struct OriginCollector {
    origins: Origins,
    numbers: FxHashMap<String, u32>,
    /// By shard: the number of its source.
    shards: FxHashMap<u32, u32>,
    paths: Vec<PathBuf>,
    by_source: bool,
    by_rank: bool,
    drop_only_from: Vec<String>,
}

impl OriginCollector {
    pub fn new(options: &ScanOptions) -> Self {
        let by_keep = matches!(options.keep, Keep::Sources(_));
        Self {
            by_source: options.by_source || by_keep || !options.drop_only_from.is_empty(),
            by_rank: options.corpus.rank_field.is_some(),
            drop_only_from: options.drop_only_from.clone(),
            ..Self::default()
        }
    }

    /// Adds the next document.
    pub fn push(&mut self, corpus: &Corpus, id: &str, place: &Place, category: Option<&str>, rank: Option<&str>) {
        if self.by_rank {
            self.origins.ranks.push(rank.map_or(0, rank_number));
        }
        if self.by_source {
            let source = match (category, place.record()) {
                (Some(category), _) => self.number(category),
                (None, Some((shard, _))) => self.source_of_shard(corpus, shard),
                (None, None) => self.number(corpus.input_of(id).unwrap_or("-")),
            };
            self.origins.sources.push(source);
        }
    }

    /// Whether the last document must stay.
    pub fn is_last_fixed(&self) -> bool {
        let name = self.origins.sources.last().and_then(|source| self.origins.names.get(*source as usize));
        !self.drop_only_from.is_empty() && !name.is_some_and(|name| self.may_go(name))
    }

    fn may_go(&self, name: &str) -> bool {
        self.drop_only_from.iter().any(|from| is_source(name, from))
    }

    fn source_of_shard(&mut self, corpus: &Corpus, shard: u32) -> u32 {
        if let Some(number) = self.shards.get(&shard) {
            return *number;
        }
        if self.paths.len() <= shard as usize {
            self.paths = corpus.sources();
        }
        let path = self.paths.get(shard as usize).map(|path| lookalike_corpus::id_of(path).into_owned());
        let path = path.unwrap_or_default();
        let number = self.number(corpus.input_of(&path).unwrap_or(&path));
        self.shards.insert(shard, number);
        number
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.origins.names.len() as u32;
        self.origins.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Checks the names of sources that are fields of records: all are known when everything was read.
    pub fn check(&self, options: &ScanOptions) -> Result<(), Error> {
        if options.corpus.category_field.is_some() && !self.origins.names.is_empty() {
            check_sources(options, &self.origins.names)?;
        }
        Ok(())
    }

    /// The origins of all documents.
    pub fn finish(mut self) -> Origins {
        self.origins.has_ranks = self.origins.ranks.iter().any(|rank| *rank > 0);
        if !self.drop_only_from.is_empty() {
            self.origins.fixed = self.origins.names.iter().map(|name| !self.may_go(name)).collect();
        }
        self.origins
    }
}

/// A number or a date as a rank: a higher one is a greater number. What is neither has the least, 0.
pub fn rank_number(text: &str) -> u64 {
    let text = text.trim();
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    let number = number.or_else(|| date::seconds(text).map(|seconds| seconds as f64));
    number.map_or(0, |number| {
        // as the bits of floating-point numbers are ordered, the negative ones reversed
        let bits = number.to_bits();
        let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        ordered.max(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_of_sources() {
        for name in ["data/cc", "data/cc/", "data", "cc"] {
            assert!(is_source("data/cc", name), "{name}");
        }
        for name in ["dat", "c", "data/c", "wiki", "xcc"] {
            assert!(!is_source("data/cc", name), "{name}");
        }
    }

    #[test]
    fn a_source_that_nothing_is_of_is_refused() {
        let mut options = ScanOptions::default();
        let known = ["data/cc", "data/wiki"];
        options.keep = Keep::Sources(vec!["wiki".into(), "data/cc/".into()]);
        options.drop_only_from = vec!["data".into()];
        assert!(check_sources(&options, &known).is_ok());
        options.drop_only_from.push("data/wikk".into());
        let error = check_sources(&options, &known).unwrap_err().to_string();
        assert_eq!(
            error,
            r#"no source is called "data/wikk" (did you mean "data/wiki"?); sources: "data/cc", "data/wiki""#
        );
        options.drop_only_from.clear();
        options.keep = Keep::Sources(vec!["wiki".into(), "books".into()]);
        assert!(
            check_sources(&options, &known).unwrap_err().to_string().starts_with(r#"no source is called "books"; "#)
        );
    }

    #[test]
    fn dates_and_numbers_are_ranks() {
        let rising = ["-1e9", "-2.5", "0", "1", "3", "10", "2026-01-02", "2026-01-02T03:04:05Z", "1e30"];
        assert!(rising.windows(2).all(|two| rank_number(two[0]) < rank_number(two[1])));
        let origins = Origins::new(Vec::new(), Vec::new(), Vec::new(), rising.map(rank_number).to_vec());
        assert_eq!((origins.rank_value(1), origins.rank_value(5)), (Some(-2.5), Some(10.0)));
        assert_eq!((origins.rank_value(6), origins.rank_value(99)), (Some(1_767_312_000.0), None));
        assert_eq!([rank_number(""), rank_number("good"), rank_number("NaN")], [0; 3]);
    }

    proptest! {
        #[test]
        fn ranks_are_ordered_as_numbers(a: f64, b: f64) {
            prop_assume!(a < b || b < a);
            prop_assert_eq!(a < b, rank_number(&a.to_string()) < rank_number(&b.to_string()));
        }
    }
}
