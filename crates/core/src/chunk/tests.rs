//! The fast chunker against its naive twin, what TTTD promises, and golden vectors.

use super::naive::naive_cuts;
use super::samples::{self, Numbers};
use super::*;
use proptest::prelude::*;

/// A chunker of the public key.
fn chunker(mean: u32) -> Chunker {
    Chunker::new(Parameters::for_mean(mean).unwrap(), "")
}

/// Where its chunks end.
fn cuts(chunker: &Chunker, data: &[u8]) -> Vec<usize> {
    let mut cuts = Vec::new();
    chunker.cuts(data, |cut| cuts.push(cut));
    cuts
}

fn chunks(chunker: &Chunker, data: &[u8]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    chunker.chunks(data, |chunk| chunks.push(chunk));
    chunks
}

/// Bytes out of a small alphabet or a large one, runs of one byte, a phrase again and again, and all of these after each other.
fn data() -> impl Strategy<Value = Vec<u8>> {
    let run = (any::<u8>(), 0..700usize).prop_map(|(byte, length)| vec![byte; length]);
    let phrase =
        (prop::collection::vec(any::<u8>(), 1..60), 1..30usize).prop_map(|(phrase, times)| phrase.repeat(times));
    let noise = |letters: u8| prop::collection::vec(0..letters, 0..1500);
    let part = prop_oneof![run, phrase, noise(2), noise(4), noise(26), noise(255)];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn fast_is_naive(data in data(), mean in prop_oneof![Just(64u32), Just(100), 65..400u32], key in "(|k|[a-z]{8})") {
        let parameters = Parameters::for_mean(mean).unwrap();
        prop_assert_eq!(cuts(&Chunker::new(parameters, &key), &data), naive_cuts(&data, &parameters, &key));
    }

    #[test]
    fn fast_is_naive_at_every_length(mean in 64..160u32, seed: u64, letters in 1..=255u8, off in -2..=2i64, times in 1..4i64) {
        let parameters = Parameters::for_mean(mean).unwrap();
        for at in [WINDOW as u32, parameters.tmin, parameters.tmax] {
            let length = (i64::from(at) * times + off).max(0) as usize;
            let data = samples::noise(seed, length, letters);
            prop_assert_eq!(cuts(&chunker(mean), &data), naive_cuts(&data, &parameters, ""));
        }
    }

    #[test]
    fn chunks_cover_the_data_and_keep_to_the_thresholds(data in data(), mean in 64..400u32) {
        let chunker = chunker(mean);
        let (tmin, tmax) = (chunker.parameters().tmin as usize, chunker.parameters().tmax as usize);
        let mut end = 0;
        for chunk in chunks(&chunker, &data) {
            prop_assert_eq!(chunk.start, end);
            end += chunk.length;
            prop_assert!(chunk.length <= tmax && (chunk.length >= tmin || end == data.len()) && chunk.length > 0);
            prop_assert_eq!(chunk.hash, chunker.hash(&data[chunk.start..end]));
        }
        prop_assert_eq!(end, data.len());
    }
}

/// Chunks of `b` that `a` does not have.
fn new_chunks(chunker: &Chunker, a: &[u8], b: &[u8]) -> usize {
    let mut old: Vec<u128> = chunks(chunker, a).iter().map(|chunk| chunk.hash).collect();
    old.sort_unstable();
    chunks(chunker, b).iter().filter(|chunk| old.binary_search(&chunk.hash).is_err()).count()
}

#[test]
fn an_edit_changes_the_chunks_beside_it() {
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let text = if seed % 2 == 0 { samples::text(seed, 100_000) } else { samples::noise(seed, 100_000, 255) };
        let at = 20_000 + numbers.below(20_000);
        let mut edited = text.clone();
        match seed % 3 {
            0 => edited[at] ^= 0x55,
            1 => edited.insert(at, b'#'),
            _ => drop(edited.remove(at)),
        }
        let chunker = chunker(200);
        let new = new_chunks(&chunker, &text, &edited);
        assert!((1..=12).contains(&new), "{new} of {} chunks are new", chunks(&chunker, &text).len());
    }
}

#[test]
fn runs_of_one_byte_have_sane_chunks() {
    for mean in [64, 1000] {
        let chunker = chunker(mean);
        let (tmin, tmax) = (chunker.parameters().tmin as usize, chunker.parameters().tmax as usize);
        for byte in 0..=255 {
            let lengths: Vec<usize> = chunks(&chunker, &vec![byte; 50_000]).iter().map(|chunk| chunk.length).collect();
            // the first windows are short at the beginning of a file
            let middle = &lengths[1..lengths.len() - 1];
            assert!(middle.iter().all(|length| *length == middle[0] && [tmin, tmax].contains(length)), "{middle:?}");
        }
    }
    let zeros = chunks(&chunker(1000), &vec![0; 10_000_000]);
    assert_eq!(zeros.len(), 10_000_000usize.div_ceil(2759));
    assert_eq!(zeros[5].hash, zeros[6].hash);
}

#[test]
fn chunks_meet_again_around_runs() {
    let chunker = chunker(200);
    for seed in 0..20 {
        let (before, after) = (samples::text(seed, 20_000), samples::text(seed + 100, 20_000));
        let file =
            |prefix: &[u8], zeros: usize, suffix: &[u8]| [prefix, &before, &vec![0; zeros], &after, suffix].concat();
        let first = file(b"", 9_999, b"");
        for other in [file(b"a prefix", 9_999, b""), file(b"", 9_999, b"a suffix"), file(b"", 12_345, b"")] {
            let new = new_chunks(&chunker, &first, &other);
            assert!(new <= 8, "{new} chunks are new");
        }
    }
}

#[test]
fn the_mean_is_what_was_asked_for() {
    let text = samples::text(9, 30_000_000);
    for mean in [64, 65, 70, 100, 128, 250, 1000, 1015, 4096, 10_000] {
        let text = &text[..text.len().min(mean as usize * 5_000)];
        let delivered = text.len() as f64 / cuts(&chunker(mean), text).len() as f64;
        assert!((delivered / f64::from(mean) - 1.0).abs() < 0.05, "{delivered} instead of {mean}");
    }
}

#[test]
fn a_key_decides_cuts_and_hashes() {
    let text = samples::text(10, 100_000);
    let parameters = Parameters::for_mean(200).unwrap();
    let [public, one, other] = ["", "one", "other"].map(|key| Chunker::new(parameters, key));
    assert_eq!(public.hash(b"lookalike"), xxhash_rust::xxh3::xxh3_128(b"lookalike"));
    for (x, y) in [(&public, &one), (&public, &other), (&one, &other)] {
        assert_ne!(x.hash(b"lookalike"), y.hash(b"lookalike"));
        let cuts_of_x = cuts(x, &text);
        let shared = cuts(y, &text).iter().filter(|cut| cuts_of_x.binary_search(cut).is_ok()).count();
        assert!(shared < 20, "{shared} of {} cuts are the same by chance", cuts_of_x.len());
        assert!(new_chunks(x, &text, &text) == 0);
    }
    let again = Chunker::new(parameters, "one");
    assert_eq!(chunks(&one, &text), chunks(&again, &text));
}

#[test]
fn a_chunker_is_small_and_can_be_shared() {
    fn shared<T: Clone + Send + Sync>(_: &T) -> usize {
        size_of::<T>()
    }
    assert!(shared(&chunker(1000)) <= 128);
}

/// Cuts, and one hash over all hashes.
fn golden(mean: u32, key: &str, data: &[u8], expected: &[usize], hash: u128) {
    let parameters = Parameters::for_mean(mean).unwrap();
    let chunker = Chunker::new(parameters, key);
    assert_eq!(cuts(&chunker, data), expected);
    assert_eq!(naive_cuts(data, &parameters, key), expected);
    let hashes: Vec<u8> = chunks(&chunker, data).iter().flat_map(|chunk| chunk.hash.to_le_bytes()).collect();
    let found = xxhash_rust::xxh3::xxh3_128(&hashes);
    assert_eq!(found, hash, "{found:#034x}");
}

/// Pinned forever. If one of these fails, the recipe needs a new version.
#[test]
fn golden_text() {
    let text = samples::text(13, 8_000);
    let cuts = [99, 130, 210, 264, 311, 345, 382, 443, 488, 500];
    golden(64, "", &text[..500], &cuts, 0x2e82_e622_7ad5_a9e4_a23b_4704_f11c_0c16);
    let cuts = [1295, 2862, 3568, 4252, 5042, 6617, 7497, 8000];
    golden(1000, "", &text, &cuts, 0xd786_73ea_ac81_337c_bdfa_576c_7c84_c234);
    let cuts = [802, 1481, 2605, 3272, 4182, 5439, 6346, 6879, 7711, 8000];
    golden(1000, "a key", &text, &cuts, 0xae37_d40e_f004_13ad_7a60_805c_e2dd_84c6);
}

#[test]
fn golden_binary() {
    let cuts = [142, 202, 251, 405, 567, 643, 736, 844, 1000];
    golden(100, "", &samples::noise(14, 1_000, 255), &cuts, 0xe5d5_bc9a_efc1_5e6e_7574_d369_8672_b378);
}

#[test]
fn golden_runs() {
    let cuts = [828, 1656, 2484, 3000];
    golden(300, "", &[0; 3_000], &cuts, 0x1302_7cd7_e205_81f6_fdb9_e8f3_e498_0331);
    golden(300, "", &[b'x'; 3_000], &cuts, 0xa968_e419_a5e5_cf03_a467_89db_5b77_79f2);
    let parts = [samples::text(11, 3_000), vec![b' '; 2_000], samples::noise(12, 3_000, 255), b"ab".repeat(1_000)];
    let cuts = [365, 1213, 1451, 2630, 2919, 4298, 5094, 5456, 5765, 6226, 6695, 8009, 9388, 10_000];
    golden(500, "", &parts.concat(), &cuts, 0x38a9_432d_b2c8_f5c8_8688_3841_714f_8402);
}
