use super::*;
use crate::{Error, Fault, FaultyDisk, RealDisk};
use proptest::prelude::*;
use std::fs;
use std::ops::Range;
use std::path::Path;

type Sections = Vec<(u32, Vec<u8>)>;

fn write(folder: &Path, name: &str, sections: &[(u32, Vec<u8>)]) -> SegmentFile {
    let mut writer = SegmentWriter::create(&RealDisk, &folder.join(name)).unwrap();
    for (kind, bytes) in sections {
        writer.section(*kind).unwrap();
        // in pieces, as it is used
        bytes.chunks(1000).for_each(|piece| writer.write(piece).unwrap());
        assert_eq!(writer.position(), bytes.len() as u64);
    }
    writer.finish().unwrap()
}

fn noise(length: usize, seed: u64) -> Vec<u8> {
    (0..length as u64).map(|x| (x.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed) >> 29) as u8).collect()
}

fn whole(segment: &Segment, kind: u32) -> Result<&[u8], Error> {
    segment.bytes(kind, 0..segment.len_of(kind))
}

/// Several blocks, with gaps, a section across a border, one that ends at a border, and an empty one.
fn sample() -> Sections {
    vec![(3, noise(1, 1)), (0, noise(4096 - 64, 2)), (7, vec![]), (1, noise(5000, 3)), (255, noise(300, 4))]
}

/// Reads all there is; what comes back must be the truth.
fn no_lies(segment: &Segment, truth: &Sections) -> bool {
    let mut good = true;
    for (kind, bytes) in truth {
        assert_eq!(segment.len_of(*kind), bytes.len() as u64);
        match whole(segment, *kind) {
            Ok(read) => assert!(read == bytes),
            Err(Error::Damaged { .. }) => good = false,
            Err(other) => panic!("{other}"),
        }
    }
    good
}

fn check(sections: &Sections) {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "a", sections);
    assert_eq!(fs::metadata(dir.path().join("a")).unwrap().len(), file.bytes);
    let segment = Segment::open(dir.path(), &file).unwrap();
    for (kind, bytes) in sections {
        let length = bytes.len() as u64;
        // from the end, so that blocks are first touched out of order
        for start in (0..length).rev().step_by(977) {
            let end = (start + 1500).min(length);
            assert_eq!(segment.bytes(*kind, start..end).unwrap(), &bytes[start as usize..end as usize]);
        }
    }
    assert!(no_lies(&segment, sections) && no_lies(&segment, sections));
    assert!(segment.verify().is_empty());
}

#[test]
fn sections_come_back() {
    check(&vec![]);
    check(&vec![(5, vec![])]);
    check(&sample());
    // more than a buffer; more blocks than a word has bits; level 1 of more than one block
    check(&vec![(0, noise(64 * 4096, 5)), (1, noise(64 * 4096 - 1, 6)), (2, noise(3_000_000, 7)), (3, noise(64, 8))]);
}

/// Asks for more than a section is aligned to.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(4096))]
struct Page([u8; 4096]);

#[test]
fn records_are_read_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = SegmentWriter::create(&RealDisk, &dir.path().join("a")).unwrap();
    let numbers: Vec<u32> = (0..5000).collect();
    writer.section(2).unwrap();
    writer.write_pod(&numbers).unwrap();
    writer.section(4).unwrap();
    writer.write(b"seven b").unwrap();
    writer.section(5).unwrap();
    writer.write(&[7; 4096]).unwrap();
    let segment = Segment::open(dir.path(), &writer.finish().unwrap()).unwrap();
    assert_eq!(segment.slice::<u32>(2, 1020..1030).unwrap(), &numbers[1020..1030]);
    assert_eq!(segment.slice::<u32>(2, 0..5000).unwrap(), numbers);
    assert_eq!(segment.slice::<[u32; 2]>(2, 2499..2500).unwrap(), [[4998, 4999]]);
    assert!(segment.slice::<u64>(9, 0..0).unwrap().is_empty());

    // what cannot be is an error, whatever the numbers
    #[expect(clippy::reversed_empty_ranges, reason = "a caller may be wrong")]
    let wrong = [4999..5001, 5001..5001, 2..1, 0..u64::MAX, u64::MAX..u64::MAX, 1 << 62..(1 << 62) + 1];
    for range in wrong {
        assert!(matches!(segment.slice::<u32>(2, range.clone()), Err(Error::Damaged { .. })), "{range:?}");
        assert!(matches!(segment.slice::<u32>(9, range.clone()), Err(Error::Damaged { .. })), "{range:?}");
    }
    assert!(matches!(segment.slice::<u64>(4, 0..1), Err(Error::Damaged { .. })));
    assert!(matches!(segment.slice::<Page>(5, 0..1), Err(Error::Damaged { .. })));
    assert!(matches!(segment.bytes(u32::MAX, 0..1), Err(Error::Damaged { .. })));
    assert_eq!(segment.slice::<()>(4, 0..7).map_or(0, <[()]>::len), 0);
}

#[test]
fn every_flipped_byte_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let (path, truth) = (dir.path().join("a"), sample());
    let file = write(dir.path(), "a", &truth);
    let good = fs::read(&path).unwrap();
    assert!(good.len() > 2 * BLOCK);
    for at in 0..good.len() {
        let mut broken = good.clone();
        broken[at] ^= 1 << (at % 8);
        fs::write(&path, &broken).unwrap();
        match Segment::open(dir.path(), &file) {
            Ok(segment) => {
                no_lies(&segment, &truth);
                let found = segment.verify();
                assert_eq!(found.len(), 1, "byte {at}");
                let Error::Damaged { what, offset, .. } = &found[0] else { panic!("{}", found[0]) };
                assert!(what.ends_with("/a") && (*offset..offset + BLOCK as u64).contains(&(at as u64)), "byte {at}");
            }
            Err(Error::Damaged { .. }) => {}
            Err(other) => panic!("byte {at}: {other}"),
        }
    }
}

#[test]
fn damage_is_told_from_what_is_good() {
    let dir = tempfile::tempdir().unwrap();
    let (path, truth) = (dir.path().join("a"), vec![(0, noise(600 * BLOCK, 1))]);
    let file = write(dir.path(), "a", &truth);
    let mut bytes = fs::read(&path).unwrap();
    let level1 = 600 * BLOCK;
    // two blocks changed places, one byte of a third, and one of the checksums of the last 88 blocks
    let (first, second) = bytes.split_at_mut(BLOCK);
    first.swap_with_slice(&mut second[..BLOCK]);
    bytes[70 * BLOCK + 5] ^= 1;
    bytes[level1 + 599 * 8] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let segment = Segment::open(dir.path(), &file).unwrap();
    let read = |blocks: Range<u64>| segment.bytes(0, blocks.start * 4096..blocks.end * 4096);
    assert!(read(2..70).is_ok() && read(71..512).is_ok());
    assert!(read(0..1).is_err() && read(1..2).is_err() && read(70..71).is_err() && read(60..80).is_err());
    assert!(read(512..513).is_err(), "its checksum cannot be trusted");
    let offset = |error: &Error| if let Error::Damaged { offset, .. } = error { *offset as usize } else { 0 };
    let found: Vec<usize> = segment.verify().iter().map(offset).collect();
    assert_eq!(found, [0, BLOCK, 70 * BLOCK, level1 + BLOCK]);
}

#[test]
fn cut_longer_missing_or_another_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let file = write(dir.path(), "a", &sample());
    let good = fs::read(&path).unwrap();
    let refused = |file: &SegmentFile| matches!(Segment::open(dir.path(), file), Err(Error::Damaged { .. }));
    for cut in 0..good.len() {
        fs::write(&path, &good[..cut]).unwrap();
        assert!(refused(&file), "cut at {cut}");
        // and if the manifest were fooled
        assert!(refused(&SegmentFile { bytes: cut as u64, ..file.clone() }), "cut at {cut}");
    }
    fs::write(&path, [&good[..], b"\0"].concat()).unwrap();
    assert!(refused(&file));

    let mut other = sample();
    other[0].1[0] ^= 1;
    fs::remove_file(&path).unwrap();
    let other = write(dir.path(), "a", &other);
    assert_eq!(other.bytes, file.bytes);
    assert!(refused(&file) && !refused(&other));

    fs::remove_file(&path).unwrap();
    assert!(matches!(Segment::open(dir.path(), &file), Err(Error::Read { .. })));
}

/// Segments stay on disks: their bytes are frozen.
#[test]
fn golden_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "a", &[(1, b"rose".to_vec()), (2, b"lily".to_vec())]);
    let bytes = fs::read(dir.path().join("a")).unwrap();
    let mut data = [0; 128];
    data[..4].copy_from_slice(b"rose");
    data[64..68].copy_from_slice(b"lily");
    assert_eq!(bytes[..128], data);
    let numbers: &[u64] = bytemuck::cast_slice(&bytes[128..]);
    let golden = [
        0xce97_1fcb_de2a_4170, // level 1
        0x4675_e247_36da_a150, // level 2
        1,
        0,
        4, // kind, offset and length of a section
        2,
        64,
        4,
        u64::from_le_bytes(*b"lookseg1"),
        128,
        2,
        0x39ff_0eb8_8e20_8d49,
    ];
    assert_eq!(numbers, golden);
    assert_eq!((file.bytes, file.checksum), (224, golden[11]));

    // blocks that are equal have checksums of their own
    write(dir.path(), "b", &[(0, vec![7; 2 * BLOCK])]);
    let sums = &fs::read(dir.path().join("b")).unwrap()[2 * BLOCK..][..16];
    let expected = [xxh3_64(&[7; BLOCK]), xxh3_64_with_seed(&[7; BLOCK], 1)];
    assert_eq!(sums, bytemuck::cast_slice::<u64, u8>(&expected));
}

#[test]
fn lengths_that_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    let seal = |data: u64, sections: u64, entries: &[Entry]| {
        let mut bytes: Vec<u8> = bytemuck::cast_slice(entries).to_vec();
        let mut footer = Footer { magic: MAGIC, data, sections, checksum: 0 };
        bytes.extend_from_slice(bytemuck::bytes_of(&footer));
        footer.checksum = tail_sum(&bytes);
        bytes.splice(bytes.len() - 32.., bytemuck::bytes_of(&footer).iter().copied());
        fs::write(dir.path().join("a"), &bytes).unwrap();
        Segment::open(
            dir.path(),
            &SegmentFile { name: "a".into(), bytes: bytes.len() as u64, checksum: footer.checksum },
        )
    };
    assert!(seal(0, 0, &[]).is_ok());
    for (data, sections) in
        [(1, 0), (64, 0), (u64::MAX, 0), (u64::MAX - 63, 0), (0, 1), (0, u64::MAX), (0, u64::MAX / 24 + 1)]
    {
        assert!(matches!(seal(data, sections, &[]), Err(Error::Damaged { .. })), "{data} {sections}");
    }
    let entry = |kind, offset, length| Entry { kind, reserved: 0, offset, length };
    assert!(seal(0, 1, &[entry(1, 0, 0)]).is_ok());
    for wrong in [entry(1, 0, 1), entry(1, 64, 0), entry(1, u64::MAX - 63, 64), entry(256, 0, 0), entry(u32::MAX, 0, 0)]
    {
        assert!(matches!(seal(0, 1, &[wrong]), Err(Error::Damaged { .. })), "{wrong:?}");
    }
}

#[test]
fn a_writer_that_is_misused_or_has_no_disk() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let mut writer = SegmentWriter::create(&RealDisk, &path).unwrap();
    assert!(matches!(writer.write(b"x"), Err(Error::Write { .. })));
    writer.section(1).unwrap();
    assert!(matches!(writer.section(1), Err(Error::Write { .. })));
    assert!(matches!(writer.section(256), Err(Error::Write { .. })));
    assert!(matches!(SegmentWriter::create(&RealDisk, &path), Err(Error::Write { .. })), "the name is taken");

    for at in 0.. {
        let path = dir.path().join(format!("full{at}"));
        let disk = FaultyDisk::new(Fault::Full, at);
        let result = SegmentWriter::create(&disk, &path).and_then(|mut writer| {
            writer.section(0)?;
            writer.write(&noise(600_000, 1))?;
            writer.finish()
        });
        if result.is_ok() {
            assert_eq!(disk.log(), ["create", "write", "write", "write", "write", "write", "sync"], "few and large");
            break;
        }
        assert!(matches!(result, Err(Error::Write { .. })));
    }
    let disk = FaultyDisk::new(Fault::Short, 0);
    let mut writer = SegmentWriter::create(&disk, &dir.path().join("short")).unwrap();
    writer.section(0).unwrap();
    writer.write(&noise(600_000, 1)).unwrap();
    let segment = Segment::open(dir.path(), &writer.finish().unwrap()).unwrap();
    assert!(segment.verify().is_empty());
    assert_eq!(whole(&segment, 0).unwrap(), noise(600_000, 1));
}

#[test]
fn many_threads_touch_the_same_blocks() {
    use rayon::prelude::*;
    let dir = tempfile::tempdir().unwrap();
    let numbers: Vec<u32> = (0..1_000_000).collect();
    let mut writer = SegmentWriter::create(&RealDisk, &dir.path().join("a")).unwrap();
    writer.section(0).unwrap();
    writer.write_pod(&numbers).unwrap();
    let segment = Segment::open(dir.path(), &writer.finish().unwrap()).unwrap();
    segment.advise_random();
    (0..1_000_000u64).into_par_iter().for_each(|x| {
        let at = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 1_000_000;
        assert_eq!(segment.slice::<u32>(0, at..at + 1).unwrap(), [at as u32]);
    });
}

fn length() -> impl Strategy<Value = usize> {
    prop_oneof![0usize..300, Just(BLOCK), (1usize..20, 0usize..130).prop_map(|(n, more)| n * BLOCK + more - 65)]
}

proptest! {
    #[test]
    fn any_sections(sections in proptest::collection::btree_map(0u32..256, length(), 0..9)) {
        check(&sections.into_iter().map(|(kind, length)| (kind, noise(length, u64::from(kind)))).collect());
    }
}
