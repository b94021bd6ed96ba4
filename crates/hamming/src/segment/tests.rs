//! Tables in a segment are as tables in memory.

use super::*;
use lookalike_store::{Disk, RealDisk, SegmentWriter, TempSpace};
use std::ops::ControlFlow;
use std::path::Path;

fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |at: u64| {
        (at ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

fn written<F: FingerprintBits>(
    dir: &Path,
    design: &str,
    entries: &[(F, u64)],
    memory: usize,
) -> (Tables<F, Section>, TablesMeta) {
    let scratch = ScratchBudget { space: Arc::new(TempSpace::new(Some(dir)).unwrap()), memory };
    let path = dir.join("000001.seg");
    let _ = std::fs::remove_file(&path);
    let to = SegmentWriter::create(&RealDisk as &dyn Disk, &path).unwrap();
    let most = entries.len() as u64 + 5;
    let (file, meta) =
        write(to, design.parse().unwrap(), most, entries.iter().map(|entry| Ok(*entry)), &scratch).unwrap();
    let segment = Arc::new(Segment::open(dir, &file).unwrap());
    (open(&segment, &meta).unwrap(), meta)
}

fn check_all<F: FingerprintBits>(design: &str, mut entries: Vec<(F, u64)>) {
    let dir = tempfile::tempdir().unwrap();
    entries.sort_unstable();
    entries.dedup();
    let (tables, _) = written(dir.path(), design, &entries, 0);
    check(&tables, "it").unwrap();
    assert_eq!(tables.entries().map(Result::unwrap).collect::<Vec<_>>(), entries);
    let memory = Tables::build(design.parse().unwrap(), entries.clone());
    for (fingerprint, _) in entries.iter().step_by(97) {
        let query = *fingerprint ^ F::from_low(5);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        tables
            .near(query, 3, |hit| {
                a.push(hit);
                ControlFlow::Continue(())
            })
            .unwrap();
        memory.near_in_memory(query, 3, |hit| {
            b.push(hit);
            ControlFlow::Continue(())
        });
        let key = |hit: &lookalike_core::hamming::Hit<F>| hit.fingerprint;
        a.sort_by_key(key);
        b.sort_by_key(key);
        assert_eq!(a, b, "{design}");
    }
}

#[test]
fn as_in_memory() {
    for design in ["1of1", "1of2", "1of4", "2of5", "1of4x1of4"] {
        // 90,000 spill from the smallest budget; a few values come very often
        let fingerprints =
            numbers(3).zip(0..).map(|(fingerprint, id)| (if id % 9 == 0 { fingerprint % 7 } else { fingerprint }, id));
        check_all(design, fingerprints.take(90_000).collect());
        check_all(
            design,
            numbers(4)
                .zip(0..)
                .take(3000)
                .map(|(fingerprint, id)| (u128::from(fingerprint) << 50 | u128::from(id), id))
                .collect(),
        );
        check_all::<u64>(design, vec![]);
        check_all(design, vec![(0u64, 0)]);
    }
}

/// Levels stay on disks: what describes them, and their bytes, are frozen.
#[test]
fn golden_level() {
    let dir = tempfile::tempdir().unwrap();
    let mut entries: Vec<(u64, u64)> = numbers(7).take(100).zip(0..).collect();
    entries.sort_unstable();
    let (_, meta) = written(dir.path(), "1of2", &entries, 1 << 20);
    let json = serde_json::to_string(&meta).unwrap();
    let bytes = std::fs::read(dir.path().join("000001.seg")).unwrap();
    let golden = concat!(
        r#"{"file":"000001.seg","design":"1of2","width":64,"id_bits":7,"#,
        r#""tables":[{"prefix":3,"places":7,"rows":100},{"prefix":3,"places":7,"rows":100}]}"#
    );
    let sum = format!("{} bytes, {:016x}", bytes.len(), xxhash_rust::xxh3::xxh3_64(&bytes));
    assert_eq!((json.as_str(), sum.as_str()), (golden, "2088 bytes, e84f19c5b73364e5"));
}

#[test]
fn what_others_wrote_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let entries: Vec<(u64, u64)> = (0..100).map(|at| (at * 1_000_003, at)).collect();
    let (_, meta) = written(dir.path(), "1of2", &entries, 1 << 20);
    let path = dir.path().join("000001.seg");
    let bytes = std::fs::read(&path).unwrap();
    let sum = u64::from_le_bytes(bytes[bytes.len() - 8..].try_into().unwrap());
    let file = SegmentFile { name: "000001.seg".into(), bytes: bytes.len() as u64, checksum: sum };
    let segment = Arc::new(Segment::open(dir.path(), &file).unwrap());
    assert!(open::<u64>(&segment, &meta).is_ok());
    assert!(open::<u128>(&segment, &meta).is_err());
    let wrong = |change: &dyn Fn(&mut TablesMeta)| {
        let mut meta = meta.clone();
        change(&mut meta);
        let error = open::<u64>(&segment, &meta).expect_err("refused").to_string();
        assert!(error.contains("000001.seg is damaged"), "{error}");
    };
    wrong(&|meta| meta.design = "1of3".into());
    wrong(&|meta| meta.design = "none".into());
    wrong(&|meta| meta.id_bits = 65);
    wrong(&|meta| meta.id_bits += 1);
    wrong(&|meta| meta.tables[0].rows = u64::MAX);
    wrong(&|meta| meta.tables[1].rows -= 1);
    wrong(&|meta| meta.tables[0].prefix = 63);
    wrong(&|meta| meta.tables[1].places = 900);
    wrong(&|meta| meta.tables.truncate(1));
}

#[test]
fn what_is_not_sorted_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let space = Arc::new(TempSpace::new(Some(dir.path())).unwrap());
    let scratch = ScratchBudget { space, memory: 1 << 20 };
    let to = SegmentWriter::create(&RealDisk as &dyn Disk, &dir.path().join("forged.seg")).unwrap();
    let entries = [(5u64, 1u64), (3, 2)].map(Ok);
    let error = write(to, "1of1".parse().unwrap(), 2, entries, &scratch).unwrap_err().to_string();
    assert!(error.contains("3 comes behind a larger fingerprint"), "{error}");
}
