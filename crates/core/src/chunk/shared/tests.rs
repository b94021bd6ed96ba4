//! What two files share, held against chunks, against a slow search, and against edits of which the answer is known.

use super::super::{Parameters, samples};
use super::*;
use proptest::prelude::*;

fn chunker(mean: u32) -> Chunker {
    Chunker::new(Parameters::for_mean(mean).unwrap(), "")
}

/// The length of the chunks that both have, as they occur.
fn bound(a: &[u8], b: &[u8], chunker: &Chunker) -> u64 {
    let sorted = |data| {
        let mut chunks = Vec::new();
        chunker.chunks(data, |chunk| chunks.push((chunk.hash, chunk.length as u64)));
        chunks.sort_unstable();
        chunks
    };
    let mut left = sorted(b);
    sorted(a)
        .into_iter()
        .filter_map(|chunk| left.iter().position(|other| *other == chunk).map(|at| left.remove(at).1))
        .sum()
}

/// The slow twin: takes the longest shared run of what is free, again and again, until all are short.
fn longest_first(a: &[u8], b: &[u8]) -> u64 {
    let (mut free_a, mut free_b) = (vec![true; a.len()], vec![true; b.len()]);
    let mut shared = 0;
    loop {
        let mut best = (0, 0, 0);
        let mut before = vec![0; b.len() + 1];
        for at in 0..a.len() {
            let mut runs = vec![0; b.len() + 1];
            for place in 0..b.len() {
                if a[at] == b[place] && free_a[at] && free_b[place] {
                    runs[place + 1] = before[place] + 1;
                    best = best.max((runs[place + 1], at + 1, place + 1));
                }
            }
            before = runs;
        }
        let (length, at, place) = best;
        if length < GRAM_BYTES {
            return shared as u64;
        }
        free_a[at - length..at].fill(false);
        free_b[place - length..place].fill(false);
        shared += length;
    }
}

/// Two files out of the same few blocks, in any order, some of them repeated, some with a byte changed.
fn related(letters: u8) -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let file = || prop::collection::vec((0..6u64, 0..120usize, prop::option::of(0..120usize)), 0..8);
    (any::<u64>(), file(), file()).prop_map(move |(seed, a, b)| {
        let build = |blocks: Vec<(u64, usize, Option<usize>)>| {
            let mut file = Vec::new();
            for (number, length, edit) in blocks {
                let mut block = samples::noise(seed ^ number, length, letters);
                if let Some(byte) = edit.and_then(|at| block.get_mut(at)) {
                    *byte ^= 0x80;
                }
                file.extend(block);
            }
            file
        };
        (build(a), build(b))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn lies_between_chunks_and_the_shorter_file((a, b) in prop_oneof![related(2), related(3), related(200)], mean in 64..200u32) {
        let chunker = chunker(mean);
        let shared = shared_bytes(&a, &b, &chunker);
        prop_assert!(shared >= bound(&a, &b, &chunker));
        prop_assert!(shared <= a.len().min(b.len()) as u64);
        prop_assert_eq!(shared, shared_bytes(&b, &a, &chunker));
        prop_assert_eq!(shared_bytes(&a, &a, &chunker), a.len() as u64);
    }

    #[test]
    fn finds_what_a_slow_search_finds((a, b) in related(200), mean in 64..200u32) {
        let (shared, slow) = (shared_bytes(&a, &b, &chunker(mean)), longest_first(&a, &b));
        // where blocks repeat, runs can be paired in more than one way; and a chunk at the end of a file may be shorter than a gram
        let blocks = 8 * GRAM_BYTES as u64;
        prop_assert!(shared + blocks >= slow && slow + blocks >= shared, "{shared} instead of about {slow}");
    }
}

#[test]
fn moved_blocks_count() {
    let text = samples::text(3, 60_000);
    let mut blocks: Vec<&[u8]> = text.chunks(300).collect();
    let mut numbers = samples::Numbers(4);
    for last in (1..blocks.len()).rev() {
        blocks.swap(last, numbers.below(last + 1));
    }
    let moved = blocks.concat();
    let fine = shared_bytes(&text, &moved, &chunker(64));
    let coarse = shared_bytes(&text, &moved, &chunker(1000));
    assert!(fine > 59_800 && coarse > 59_800, "{fine} and {coarse} of 60000");
    assert!(bound(&text, &moved, &chunker(1000)) < 6_000, "chunks alone see little");
}

#[test]
fn edits_cost_what_they_change() {
    let text = samples::text(5, 200_000);
    for (edits, apart) in [(10, 20_000), (200, 1_000), (2_000, 100)] {
        let mut edited = text.clone();
        for edit in 0..edits {
            edited[edit * apart + apart / 2] = b'#';
        }
        assert_eq!(shared_bytes(&text, &edited, &chunker(1000)), 200_000 - edits as u64);
        let mut shorter = text.clone();
        for edit in (0..edits).rev() {
            shorter.remove(edit * apart + apart / 2);
        }
        assert_eq!(shared_bytes(&text, &shorter, &chunker(1000)), 200_000 - edits as u64);
    }
}

#[test]
fn each_byte_counts_once() {
    let text = samples::text(6, 5_000);
    let twice = [&text[..], &text].concat();
    assert_eq!(shared_bytes(&text, &twice, &chunker(100)), 5_000);
    assert_eq!(shared_bytes(&twice, &twice[..7_000], &chunker(100)), 7_000);
    assert_eq!(shared_bytes(&text, b"", &chunker(100)), 0);
    let other = samples::noise(7, 5_000, 255);
    assert_eq!(shared_bytes(&text, &other, &chunker(100)), 0);
}

#[test]
fn repetition_is_no_trap() {
    let chunker = chunker(1000);
    let zeros = vec![0; 3_000_000];
    let mut dotted = zeros.clone();
    (0..dotted.len()).step_by(50).for_each(|at| dotted[at] = 1 + (at / 50 % 200) as u8);
    assert_eq!(shared_bytes(&zeros, &zeros[..2_000_001], &chunker), 2_000_001);
    assert_eq!(shared_bytes(&zeros, &dotted, &chunker), 3_000_000 / 50 * 49);
    let phrase = b"all work and no play makes jack a dull boy\n".repeat(70_000);
    let shifted = &phrase[17..];
    let shared = shared_bytes(&phrase, shifted, &chunker);
    assert!(shared + 100 > shifted.len() as u64, "{shared} of {}", shifted.len());
}

/// Beyond four million places only the least grams of windows are kept.
#[test]
fn large_files_are_searched_too() {
    let text = samples::text(8, 9_000_000);
    let moved = [&text[5_000_000..], &text[..5_000_000]].concat();
    let mut edited = moved.clone();
    (0..edited.len()).step_by(60).for_each(|at| edited[at] = b'#');
    let shared = shared_bytes(&text, &edited, &chunker(1000));
    assert!(shared > 9_000_000 / 60 * 59 - 2_000, "{shared}");
}
