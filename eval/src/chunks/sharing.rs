//! How much of what two versions of a page share is found by their chunks: TTTD beside `FastCDC` at the same mean.

use super::fast::{Fast, Setting};
use super::versions::Versions;
use crate::bars::{Bar, Unit};
use crate::numbers::{number, thousands};
use crate::table::table;
use anyhow::Result;
use lookalike_core::chunk::{Chunker, Parameters};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub(super) const MEANS: [u32; 4] = [100, 300, 1000, 3000];

/// What was measured on one set.
#[derive(Serialize, Deserialize)]
pub(super) struct Sharing {
    set: String,
    /// Pairs that differ: only these count.
    pairs: usize,
    /// Pairs of identical pages: any chunker finds all of them.
    identical: usize,
    /// Bytes of the smaller page of each pair.
    bytes: u64,
    found: Vec<Found>,
}

/// What one chunker found at one mean.
#[derive(Serialize, Deserialize)]
struct Found {
    /// The mean asked of TTTD.
    mean: u32,
    chunker: String,
    parameters: String,
    /// The mean that it delivers on the pages.
    delivered: f64,
    /// Bytes in chunks that both pages of a pair have.
    common: u64,
}

/// The chunks of a page, sorted: hash and length.
type Chunks = Vec<(u128, u32)>;

pub(super) fn measure(versions: &Versions, means: &[u32]) -> Result<Sharing> {
    let page = |at: u32| &versions.pages[at as usize][..];
    let differ: Vec<(u32, u32)> = versions.pairs.iter().copied().filter(|(a, b)| page(*a) != page(*b)).collect();
    let mut used = vec![false; versions.pages.len()];
    for (a, b) in &differ {
        (used[*a as usize], used[*b as usize]) = (true, true);
    }
    // pages that nobody asks for are as good as empty
    let pages: Vec<&[u8]> =
        versions.pages.iter().zip(&used).map(|(page, used)| if *used { &page[..] } else { &[] }).collect();
    let mut found = Vec::new();
    for mean in means {
        super::note(&format!("sharing: {}, mean {mean}", versions.name));
        let parameters = Parameters::for_mean(*mean)?;
        let chunker = Chunker::new(parameters, "");
        let tell = |chunker: &str, parameters: String, chunks: &[Chunks]| Found {
            mean: *mean,
            chunker: chunker.to_owned(),
            parameters,
            delivered: delivered(&pages, chunks),
            common: differ.par_iter().map(|(a, b)| common(&chunks[*a as usize], &chunks[*b as usize])).sum(),
        };
        let ours =
            all(&pages, |page, chunks| chunker.chunks(page, |chunk| chunks.push((chunk.hash, chunk.length as u32))));
        let wanted = delivered(&pages, &ours);
        found.push(tell("TTTD", format!("from {} to {}", parameters.tmin, parameters.tmax), &ours));
        drop(ours);
        for setting in Setting::ALL {
            let mean_of = |fast: &Fast| {
                let (bytes, chunks) =
                    pages.par_iter().map(|page| counted(fast, page)).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
                bytes as f64 / chunks.max(1) as f64
            };
            if let Some(fast) = setting.tuned(&parameters, wanted, mean_of) {
                let theirs =
                    all(&pages, |page, chunks| fast.chunks(page, |length, hash| chunks.push((hash, length as u32))));
                found.push(tell(setting.name(), fast.text(), &theirs));
            }
        }
    }
    let bytes = differ.iter().map(|(a, b)| page(*a).len().min(page(*b).len()) as u64).sum();
    Ok(Sharing {
        set: versions.name.clone(),
        pairs: differ.len(),
        identical: versions.pairs.len() - differ.len(),
        bytes,
        found,
    })
}

fn counted(fast: &Fast, page: &[u8]) -> (u64, u64) {
    let mut chunks = 0;
    fast.lengths(page, |_| chunks += 1);
    (page.len() as u64, chunks)
}

fn all(pages: &[&[u8]], chunks: impl Fn(&[u8], &mut Chunks) + Sync) -> Vec<Chunks> {
    let of = |page: &&[u8]| {
        let mut found = Chunks::new();
        chunks(page, &mut found);
        found.sort_unstable();
        found
    };
    pages.par_iter().map(of).collect()
}

fn delivered(pages: &[&[u8]], chunks: &[Chunks]) -> f64 {
    let count: usize = chunks.iter().map(Vec::len).sum();
    pages.iter().map(|page| page.len()).sum::<usize>() as f64 / count.max(1) as f64
}

/// Bytes of the chunks that two pages share; a chunk that one has twice and the other once counts once.
fn common(a: &Chunks, b: &Chunks) -> u64 {
    let (mut i, mut j, mut bytes) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x == y {
            bytes += u64::from(x.1);
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    bytes
}

/// All sets as if they were one. What was not measured on every one of them is left out.
fn together(sets: &[Sharing]) -> Sharing {
    let mut all = Sharing { set: "all".to_owned(), pairs: 0, identical: 0, bytes: 0, found: Vec::new() };
    for set in sets {
        all.pairs += set.pairs;
        all.identical += set.identical;
        all.bytes += set.bytes;
    }
    for found in sets.first().map_or(&[][..], |set| &set.found) {
        let same = |other: &&Found| (other.mean, &other.chunker) == (found.mean, &found.chunker);
        let each: Option<Vec<&Found>> = sets.iter().map(|set| set.found.iter().find(same)).collect();
        all.found.extend(each.map(|each| Found {
            mean: found.mean,
            chunker: found.chunker.clone(),
            parameters: String::new(),
            delivered: each.iter().map(|found| found.delivered).sum::<f64>() / each.len() as f64,
            common: each.iter().map(|found| found.common).sum(),
        }));
    }
    all
}

/// How much more TTTD finds than `FastCDC`, over all sets.
pub(super) fn bars(sets: &[Sharing]) -> Vec<Bar> {
    let all = together(sets);
    let total = |mean: u32, chunker: &str| {
        let found = all.found.iter().find(|found| found.mean == mean && found.chunker == chunker);
        found.map(|found| found.common)
    };
    let bar = |mean: u32| {
        let (ours, theirs) = (total(mean, "TTTD")?, total(mean, Setting::Usual.name())?);
        let what = format!("shared bytes of versions found at mean {mean}, of FastCDC's");
        (theirs > 0).then(|| Bar::at_least(1.0, Unit::Times, what, ours as f64 / theirs as f64))
    };
    MEANS.into_iter().filter_map(bar).collect()
}

pub(super) fn section(sets: &[Sharing]) -> Vec<String> {
    if sets.is_empty() {
        return Vec::new();
    }
    let about = "## Shared bytes found\n\nPairs of a page in one version of a documentation and in the next. Found are the bytes of the smaller page that stand in chunks which both have; a chunk that one has twice and the other \
                 once counts once. FastCDC is tuned on the same pages to the mean that TTTD delivers, short ends of pages included (for *all*, the mean of the sets). Identical pages are left out: any chunker finds all of them.";
    let all = together(sets);
    let sets: Vec<&Sharing> = sets.iter().chain((sets.len() > 1).then_some(&all)).collect();
    let set = |set: &&Sharing| {
        vec![
            set.set.clone(),
            thousands(set.pairs as u64),
            thousands(set.identical as u64),
            number(set.bytes as f64 / 1e6),
        ]
    };
    let sizes = table(&["set", "pairs", "identical", "MB of the smaller"], &sets.iter().map(set).collect::<Vec<_>>());
    let rows = |set: &&Sharing| {
        let row = |found: &Found| {
            let ours = set.found.iter().find(|ours| ours.mean == found.mean);
            let ratio = ours
                .filter(|ours| ours.chunker != found.chunker)
                .map(|ours| format!("{:.3}", ours.common as f64 / found.common.max(1) as f64));
            vec![
                set.set.clone(),
                found.mean.to_string(),
                found.chunker.clone(),
                found.parameters.clone(),
                format!("{:.1}", found.delivered),
                format!("{:.2} %", found.common as f64 / set.bytes.max(1) as f64 * 100.0),
                ratio.unwrap_or_else(|| "–".to_owned()),
            ]
        };
        set.found.iter().map(row).collect::<Vec<_>>()
    };
    let found = table(
        &["set", "mean asked", "chunker", "parameters", "mean", "found", "TTTD finds"],
        &sets.iter().flat_map(rows).collect::<Vec<_>>(),
    );
    vec![about.to_owned(), sizes, found]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Corpus;

    #[test]
    fn repeats_count_as_often_as_both_have_them() {
        let chunks = |hashes: &[u128]| hashes.iter().map(|hash| (*hash, 10)).collect::<Chunks>();
        assert_eq!(common(&chunks(&[1, 1, 1, 2, 4]), &chunks(&[1, 1, 3, 4])), 30);
        assert_eq!(common(&chunks(&[]), &chunks(&[1])), 0);
    }

    #[test]
    fn a_word_changed_costs_few_chunks_and_identical_pages_say_nothing() {
        let text = Corpus::new(3, 4000, 0.0).text(5).into_bytes();
        let mut changed = text.clone();
        changed[text.len() / 2] ^= 1;
        let versions = Versions {
            name: "x".to_owned(),
            pages: vec![text.clone(), changed, text.clone()],
            pairs: vec![(0, 1), (0, 2)],
        };
        let sharing = measure(&versions, &[100]).unwrap();
        assert_eq!((sharing.pairs, sharing.identical, sharing.bytes), (1, 1, text.len() as u64));
        assert_eq!(sharing.found.len(), 4);
        for found in &sharing.found {
            let lost = sharing.bytes - found.common;
            assert!((1..2_000).contains(&lost), "{}: {lost} of {}", found.chunker, text.len());
            assert!((found.delivered / sharing.found[0].delivered - 1.0).abs() <= super::super::fast::NEAR);
        }
        assert_eq!(bars(&[sharing]).len(), 1);
    }

    #[test]
    fn sets_are_added_up() {
        let found = |chunker: &str, common: u64| Found {
            mean: 300,
            chunker: chunker.to_owned(),
            parameters: String::new(),
            delivered: 290.0,
            common,
        };
        let set = |found: Vec<Found>| Sharing { set: "x".to_owned(), pairs: 2, identical: 1, bytes: 1_000, found };
        let sets = [
            set(vec![found("TTTD", 600), found("FastCDC", 700)]),
            set(vec![found("TTTD", 600), found("FastCDC", 300), found("FastCDC, level 2", 1)]),
        ];
        let all = together(&sets);
        assert_eq!((all.pairs, all.identical, all.bytes, all.found.len()), (4, 2, 2_000, 2));
        assert_eq!(bars(&sets)[0].measured.to_string(), "1.2");
        assert!(section(&sets)[2].contains("60.00 %"));
        assert!(bars(&[]).is_empty());
    }
}
